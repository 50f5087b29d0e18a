//! What a text tells of the expressions that it was made with.

use regex_lite::Regex;

use crate::cel::{Piece, split};
use crate::model::{Catalog, ExprKind, Segment, Template};

/// Each expression of the template with what stands in its place in the text; `None` when the text is not made from it,
/// or no longer shows it because something was redacted or cut.
pub(super) fn read(catalog: &Catalog, template: &Template, text: &str) -> Option<Vec<(String, String)>> {
    if let Some(message) = whole_message(catalog, template) {
        return read(catalog, message, text);
    }
    let pieces = split(&template.source).ok()?;
    let mut pattern = String::from("(?s)^");
    let mut expressions = Vec::new();
    for piece in &pieces {
        match piece {
            // A log has blanks for line breaks.
            Piece::Text(literal) => pattern.push_str(&regex_lite::escape(&literal.replace(['\n', '\t'], " "))),
            Piece::Expression(span) => {
                pattern.push_str("(.*?)");
                expressions.push(template.source.get(span.clone())?.trim().to_owned());
            }
        }
    }
    let pattern = Regex::new(&format!("{}$", pattern.trim_end())).ok()?;
    let found = pattern.captures(text)?;
    let values = (1..).map_while(|group| found.get(group)).map(|value| value.as_str().to_owned());
    Some(expressions.into_iter().zip(values).collect())
}

/// A message of the catalog, where the template is nothing else.
fn whole_message<'c>(catalog: &'c Catalog, template: &Template) -> Option<&'c Template> {
    let [Segment::Expr(expr)] = template.segments.as_slice() else { return None };
    let ExprKind::Message(name) = &expr.kind else { return None };
    catalog.messages.iter().find(|message| message.name == *name).map(|message| &message.template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::fixture;

    fn told(source: &str, text: &str) -> Option<Vec<(String, String)>> {
        let template = Template { source: source.to_owned(), segments: Vec::new() };
        read(&fixture::smallest(), &template, text)
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn what_stands_between_the_words_is_what_the_expressions_gave() {
        assert_eq!(
            told("no ${a.b} in phase ${p} (yet).\n", "no x y in phase TWO (yet)."),
            Some(vec![pair("a.b", "x y"), pair("p", "TWO")])
        );
        assert_eq!(told("plain", "plain"), Some(Vec::new()));
        assert_eq!(told("a\n${x}", "a 1"), Some(vec![pair("x", "1")]));
    }

    #[test]
    fn a_text_that_was_not_made_from_it_tells_nothing() {
        assert_eq!(told("no ${a} here", "something else"), None);
        assert_eq!(told("no ${a} here", "no x her… (5 bytes left out)"), None);
    }
}
