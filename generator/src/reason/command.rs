//! Commands of a shell line, read as statements about their parts: what a row of a table says, conditions can say as well.

use hookgen_runtime::Json;
use hookgen_runtime::representation::Expr;

use super::atom::{Atom, Where};
use super::formula::Formula;
use super::read::{Reader, Scope};

impl<'r> Reader<'r> {
    /// What a function says of a command, where the words that it asks for are known.
    pub(super) fn command(&self, place: usize, of: &'r Expr, asked: &'r Expr, scope: &Scope<'r>) -> Option<Formula> {
        let called = |symbol: &str| self.is_called(place, symbol);
        if !["has_any", "has_all", "fits_rule"].into_iter().any(called) || !self.is_stable(of) {
            return None;
        }
        let asked = self.constant(asked, scope)?;
        let command = Command { reader: self, of, scope };
        if called("fits_rule") {
            return command.fits(&asked);
        }
        // An empty table is there to be filled by somebody else.
        let words = texts(&asked).filter(|words| !words.is_empty())?;
        Some(if called("has_any") { command.one_of("options", &words) } else { command.all_of(&words) })
    }

    /// Whether a list has a word.
    pub(super) fn holds(&self, term: usize, word: &str) -> Formula {
        self.atom(format!("{term} holds {word:?}"), Atom::Holds { term, text: word.to_owned() })
    }
}

/// A command of which something is said.
struct Command<'c, 'r> {
    reader: &'c Reader<'r>,
    of: &'r Expr,
    scope: &'c Scope<'r>,
}

impl Command<'_, '_> {
    fn part(&self, name: &str) -> usize {
        self.reader.part(self.of, name, self.scope)
    }

    /// Whether one of the words stands in that list of the command's parts. Examples are made of what is asked for last.
    fn one_of(&self, list: &str, words: &[String]) -> Formula {
        let list = self.part(list);
        Formula::any(words.iter().rev().map(|word| self.reader.holds(list, word)).collect::<Vec<_>>())
    }

    /// Whether it has all the options; spellings of one are separated by `|`.
    fn all_of(&self, options: &[String]) -> Formula {
        let one = |spellings: &String| {
            let spellings: Vec<String> = spellings.split('|').map(str::to_owned).collect();
            self.one_of("options", &spellings)
        };
        Formula::all(options.iter().map(one).collect::<Vec<_>>())
    }

    /// Whether it is one that the row speaks of; a row that is none is a failure.
    fn fits(&self, rule: &Json<'_>) -> Option<Formula> {
        let Json::Object(fields) = rule else { return None };
        let mut holds = Vec::new();
        let mut named = false;
        for (key, value) in fields.iter() {
            let words = if matches!(value, Json::Null) { Vec::new() } else { texts(value)? };
            named |= &**key == "name" && !words.is_empty();
            // What lists nothing asks for nothing.
            holds.push(match &**key {
                _ if words.is_empty() => Formula::Known(true),
                "name" => self.called(&words),
                "subcommand" => {
                    let term = self.part("subcommand");
                    Formula::any(words.iter().rev().map(|word| self.reader.is_text(term, word)).collect::<Vec<_>>())
                }
                "any" => self.one_of("options", &words),
                "all" => self.all_of(&words),
                "unless" => self.one_of("options", &words).negated(),
                "words" => self.one_of("rest", &words),
                "says" => Formula::Known(true),
                _ => return None,
            });
        }
        named.then(|| Formula::all(holds))
    }

    fn called(&self, names: &[String]) -> Formula {
        let term = self.part("name");
        let one = |name: &String| match name.strip_suffix('*') {
            Some("") => Formula::Known(true),
            Some(start) => self.reader.has_text(term, Where::Start, start),
            None => self.reader.is_text(term, name),
        };
        Formula::any(names.iter().rev().map(one).collect::<Vec<_>>())
    }
}

/// One text or a list of them.
fn texts(value: &Json<'_>) -> Option<Vec<String>> {
    match value {
        Json::Text(text) => Some(vec![text.to_string()]),
        Json::List(items) => items
            .iter()
            .map(|item| match item {
                Json::Text(text) => Some(text.to_string()),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}
