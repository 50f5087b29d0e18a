//! Lines of `key=value`, as in an env file. They are data: nothing in them is expanded or executed.

use std::borrow::Cow;

use crate::json::Json;
use crate::record::Record;

/// The keys and their values, all of them text. Blank lines and lines that start with `#` are skipped.
pub(super) fn parse(text: &str, delimiter: &str) -> Result<Json<'static>, String> {
    let delimiter = if delimiter.is_empty() { "=" } else { delimiter };
    let mut record = Record::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((key, value)) = line.split_once(delimiter) else {
            return Err(format!("line {} has no `{delimiter}`", number + 1));
        };
        // A shell would read the same file.
        let key = key.trim();
        let key = key.strip_prefix("export ").unwrap_or(key).trim_start();
        if key.is_empty() {
            return Err(format!("line {} has no key", number + 1));
        }
        record.set(key.to_owned(), Json::Text(Cow::Owned(unquoted(value.trim()).to_owned())));
    }
    Ok(record.into_json())
}

fn unquoted(value: &str) -> &str {
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str, delimiter: &str) -> String {
        parse(text, delimiter).expect(text).to_string()
    }

    #[test]
    fn keys_and_values_are_trimmed_and_unquoted() {
        let text = "# state\r\n\r\nphase = SETUP\r\nname=\"a b\"\nother='x=y'\nempty=\nodd=\"\n";
        assert_eq!(json(text, "="), r#"{"phase":"SETUP","name":"a b","other":"x=y","empty":"","odd":"\""}"#);
        assert_eq!(json("a: 1\nb:2\na: 3\n", ":"), r#"{"a":"3","b":"2"}"#);
        assert_eq!(json("", ""), "{}");
        assert_eq!(json("export A=1\nexported=2\n", ""), r#"{"A":"1","exported":"2"}"#);
    }

    #[test]
    fn nothing_is_expanded() {
        assert_eq!(json("a=$(rm -rf /)\nb=${HOME}\n", ""), r#"{"a":"$(rm -rf /)","b":"${HOME}"}"#);
    }

    #[test]
    fn a_line_without_delimiter_or_key_is_invalid() {
        assert_eq!(parse("a=1\nwords\n", "="), Err("line 2 has no `=`".into()));
        assert_eq!(parse("=1\n", "="), Err("line 1 has no key".into()));
    }
}
