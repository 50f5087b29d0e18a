//! One line of values in a fixed order, as shell scripts like to leave behind: `RUNNING|3|login`.

use std::borrow::Cow;

use crate::json::Json;
use crate::record::Record;

/// The columns of the first line that is not blank. What a line lacks is empty; what it has too much belongs to the
/// last column. Without a delimiter, white space separates.
pub(super) fn parse(text: &str, delimiter: &str, columns: &[impl AsRef<str>]) -> Json<'static> {
    let mut rest = text.lines().map(str::trim).find(|line| !line.is_empty());
    let mut record = Record::default();
    for (position, column) in columns.iter().enumerate() {
        let line = rest.take().unwrap_or_default();
        let is_last = position + 1 == columns.len();
        let (value, following) = match split(line, delimiter) {
            Some((value, following)) if !is_last => (value, Some(following)),
            _ => (line, None),
        };
        rest = following.map(str::trim_start);
        record.set(column.as_ref().to_owned(), Json::Text(Cow::Owned(value.trim().to_owned())));
    }
    record.into_json()
}

fn split<'a>(line: &'a str, delimiter: &str) -> Option<(&'a str, &'a str)> {
    if delimiter.is_empty() { line.split_once(char::is_whitespace) } else { line.split_once(delimiter) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str, delimiter: &str) -> String {
        parse(text, delimiter, &["status", "count", "name"]).to_string()
    }

    #[test]
    fn values_go_to_their_columns() {
        assert_eq!(json("\n RUNNING | 3 | login \nnext\n", "|"), r#"{"status":"RUNNING","count":"3","name":"login"}"#);
        assert_eq!(json("RUNNING   3\tlogin page", ""), r#"{"status":"RUNNING","count":"3","name":"login page"}"#);
        assert_eq!(json("a||c", "|"), r#"{"status":"a","count":"","name":"c"}"#);
    }

    #[test]
    fn missing_values_are_empty_and_extra_ones_belong_to_the_last() {
        assert_eq!(json("DONE", "|"), r#"{"status":"DONE","count":"","name":""}"#);
        assert_eq!(json("a|b|c|d", "|"), r#"{"status":"a","count":"b","name":"c|d"}"#);
        assert_eq!(json("", "|"), r#"{"status":"","count":"","name":""}"#);
        assert_eq!(parse("a|b", "|", &[] as &[&str]).to_string(), "{}");
    }
}
