//! Names that stand for a case's own folders, replaced in every text of the case.

use serde_json::Value;

use crate::catalog::map_text;

/// What is replaced by what.
#[derive(Debug, Clone)]
pub(super) struct Names(Vec<(&'static str, String)>);

impl Names {
    pub(super) fn new(names: Vec<(&'static str, String)>) -> Self {
        Self(names)
    }

    /// The text with every name replaced. A name that goes on, such as `$HOMEPAGE`, is another name and stays.
    pub(super) fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find('$') {
            let (before, from) = rest.split_at(start);
            filled.push_str(before);
            let name = self.0.iter().find_map(|(name, value)| Some((value, after_name(from, name)?)));
            if let Some((value, after)) = name {
                filled.push_str(value);
                rest = after;
            } else {
                filled.push('$');
                rest = from.strip_prefix('$').unwrap_or_default();
            }
        }
        filled.push_str(rest);
        filled
    }

    /// The text with every folder under its name again, so that a report does not change from run to run.
    pub(super) fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, value)| text.replace(value.as_str(), name))
    }

    /// The value with every name in its strings and keys replaced, and every repeated text written out.
    pub(super) fn fill_value(&self, value: &Value) -> Value {
        write_out(map_text(value, &|text| self.fill(text)))
    }
}

fn after_name<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let after = text.strip_prefix(name)?;
    let goes_on = after.starts_with(|next: char| next == '_' || next.is_ascii_alphanumeric());
    (!goes_on).then_some(after)
}

/// The value with a text in place of every object that only says which text is repeated, and how often.
fn write_out(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(write_out).collect(),
        Value::Object(fields) => {
            match (fields.len(), fields.get("repeat"), fields.get("times").and_then(Value::as_u64)) {
                (2, Some(Value::String(text)), Some(times)) => {
                    Value::String(text.repeat(usize::try_from(times).unwrap_or_default()))
                }
                _ => Value::Object(fields.into_iter().map(|(key, value)| (key, write_out(value))).collect()),
            }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names() -> Names {
        Names::new(vec![("$PROJECT", "/w/project".to_owned()), ("$HOME", "/w/home".to_owned())])
    }

    #[test]
    fn names_are_replaced_wherever_they_stand() {
        assert_eq!(names().fill("cd $PROJECT && ls $HOME/x:$HOME"), "cd /w/project && ls /w/home/x:/w/home");
    }

    #[test]
    fn longer_names_and_lone_signs_stay() {
        for text in ["$HOMEPAGE", "$HOME_DIR", "$$", "5$", "$", "${HOME}", "$Ünicode"] {
            assert_eq!(names().fill(text), text);
        }
    }

    #[test]
    fn what_was_filled_can_be_hidden_again() {
        let text = "cd $PROJECT && ls $HOME/x";
        assert_eq!(names().hide(&names().fill(text)), text);
    }

    #[test]
    fn repeated_texts_are_written_out_and_other_objects_stay() {
        let value = json!({"a": {"repeat": "x", "times": 3}, "b": [{"repeat": "x", "times": 3, "c": 1}, {"times": 3}]});
        let expected = json!({"a": "xxx", "b": [{"repeat": "x", "times": 3, "c": 1}, {"times": 3}]});
        assert_eq!(names().fill_value(&value), expected);
    }

    #[test]
    fn values_are_filled_deeply() {
        let value = json!({"$HOME": ["$PROJECT/a", 1, null]});
        assert_eq!(names().fill_value(&value), json!({"/w/home": ["/w/project/a", 1, null]}));
    }
}
