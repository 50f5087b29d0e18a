//! A text that will not say what it seems to: YAML cut it off, or it holds the placeholders of another language.

use std::ops::Range;

use serde_json::Value;

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Pointer};

pub(super) const LINT: Lint = Lint { code: Code::DoubtfulText, check };

/// What others read, and may hold placeholders of theirs.
const VERBATIM: [&str; 5] = ["data", "given", "worlds", "cases", "prompt"];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut search = Search { document: subject.document, findings: Vec::new() };
    search.value(subject.document.value(), &Pointer::root(), false);
    search.findings
}

struct Search<'s> {
    document: &'s Document,
    findings: Vec<Diagnostic>,
}

impl Search<'_> {
    fn value(&mut self, value: &Value, at: &Pointer, verbatim: bool) {
        match value {
            Value::Object(entries) => {
                for (key, value) in entries {
                    self.value(value, &at.key(key), verbatim || VERBATIM.contains(&key.as_str()));
                }
            }
            Value::Array(items) => {
                for (position, item) in items.iter().enumerate() {
                    self.value(item, &at.index(position), verbatim);
                }
            }
            Value::String(text) => {
                self.cut(text, at);
                if !verbatim {
                    self.placeholders(text, at);
                }
            }
            _ => {}
        }
    }

    fn cut(&mut self, text: &str, at: &Pointer) {
        let Some(comment) = self.document.comment_after(at) else { return };
        if belongs(text, comment.text()) {
            let word = comment.text().split_whitespace().next().unwrap_or_default();
            self.findings.push(
                Diagnostic::warning(Code::DoubtfulText, format!("the text ends before `{word}`"))
                    .primary(comment, "YAML takes this for a comment")
                    .help("put the whole text in quotes; in a comment, leave a blank after `#`"),
            );
        }
    }

    fn placeholders(&mut self, text: &str, at: &Pointer) {
        for range in placeholders(text) {
            let written = text.get(range.clone()).unwrap_or_default();
            let name = written.trim_matches(['{', '}', '(', ')', ' ', '$']);
            self.findings.push(
                Diagnostic::warning(Code::DoubtfulText, format!("`{written}` is said as it stands"))
                    .primary(self.document.inside(at, range), "not filled in")
                    .help(format!("write `${{{name}}}`")),
            );
        }
    }
}

/// Whether a comment continues the text: no blank after the `#`, behind prose or before a number.
fn belongs(text: &str, comment: &str) -> bool {
    let next = comment.chars().nth(1);
    let prose = text.contains(' ');
    next.is_some_and(|next| next.is_ascii_digit() || (prose && next.is_alphanumeric()))
}

/// What an expression begins with that nobody would write behind a dollar sign for its own sake.
const HEADS: [&str; 9] =
    ["tool_input", "tool_response", "messages", "thresholds", "choices", "flags", "data", "git", "subagent"];
/// Fields of events that are whole expressions.
const FIELDS: [&str; 9] = [
    "cwd",
    "tool_name",
    "file_path",
    "session_id",
    "project_dir",
    "plugin_root",
    "last_assistant_message",
    "hook_event_name",
    "permission_mode",
];

/// Where `{{name}}`, `$tool_input.name` and the like stand in a text.
fn placeholders(text: &str) -> Vec<Range<usize>> {
    let mut found = braced(text);
    found.extend(bare(text));
    found.extend(enclosed(text));
    found
}

/// Where names of the language stand in single braces, or as a shell would have them, behind `$(`.
fn enclosed(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (open, bracket) in text.match_indices(['{', '(']) {
        let before = text.get(..open).unwrap_or_default();
        let (start, close) = match bracket {
            "{" if !before.ends_with(['$', '{']) => (open, '}'),
            "(" if before.ends_with('$') => (open - 1, ')'),
            _ => continue,
        };
        let Some((inner, _)) = text.get(open + 1..).and_then(|rest| rest.split_once(close)) else { continue };
        let name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let mut parts = inner.trim().split('.');
        let head = parts.next().is_some_and(|head| HEADS.contains(&head));
        if head && inner.contains('.') && parts.all(name) {
            found.push(start..open + inner.len() + 2);
        }
    }
    found
}

/// Where names of the language stand behind a dollar sign, without braces.
fn bare(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (dollar, _) in text.match_indices('$') {
        let rest = text.get(dollar + 1..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.')).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().trim_end_matches('.');
        let meant = match name.split_once('.') {
            Some((head, field)) => HEADS.contains(&head) && !field.is_empty(),
            None => FIELDS.contains(&name),
        };
        let escaped = dollar > 0 && text.as_bytes().get(dollar - 1) == Some(&b'$');
        if meant && !escaped {
            found.push(dollar..dollar + 1 + name.len());
        }
    }
    found
}

/// Where `{{name}}` stands in a text.
fn braced(text: &str) -> Vec<Range<usize>> {
    let is_name = |inner: &str| {
        let inner = inner.trim();
        inner.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    };
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find("{{")).map(|start| from + start) {
        let inner = text.get(start + 2..).and_then(|rest| rest.split_once("}}")).map(|(inner, _)| inner);
        match inner.filter(|inner| is_name(inner)) {
            Some(inner) => {
                from = start + inner.len() + 4;
                found.push(start..from);
            }
            None => from = start + 2,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_or_a_word_behind_prose_belongs_to_the_text_and_a_comment_does_not() {
        assert!(
            belongs("See issue", "#5") && belongs("Fixes", "#12 for good") && belongs("Ask in the channel", "#ops")
        );
        assert!(!belongs("See the issue", "# the tracker's") && !belongs("3s", "#fast") && !belongs("a b", "#"));
    }

    #[test]
    fn names_of_the_language_behind_a_dollar_sign_are_placeholders() {
        assert_eq!(placeholders("a $tool_input.command, $tool_name."), [2..21, 23..33]);
        for plain in
            ["$HOME/x costs $5", "$${tool_name} $$tool_name", "${tool_input.command}", "$data and $prompt", "echo $1"]
        {
            assert_eq!(placeholders(plain), Vec::<Range<usize>>::new(), "{plain}");
        }
    }

    #[test]
    fn names_of_the_language_in_other_brackets_are_placeholders() {
        assert_eq!(placeholders("a {tool_input.command}, $(git.branch)"), [2..22, 24..37]);
        for plain in ["{a,b} {data}", "$(pwd) (git.branch)", "${git.branch}", "{git.}", "{'a': git.branch}"] {
            assert_eq!(placeholders(plain), Vec::<Range<usize>>::new(), "{plain}");
        }
    }

    #[test]
    fn only_names_in_double_braces_are_placeholders() {
        assert_eq!(placeholders("a {{ tool_input.command }} b {{x}}"), [2..26, 29..34]);
        assert_eq!(placeholders("{{{a}} {{}} {{1}} {{a b}} { {a} }"), Vec::<Range<usize>>::new());
        assert_eq!(placeholders("{{ {{a}} }} {{b}}"), [3..8, 12..17]);
    }
}
