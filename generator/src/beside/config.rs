//! The keys that a YAML file lacks, put into it as text: everything that was there stays to the byte.

use serde_json::Value;

use crate::document::{Document, Pointer};
use crate::emit::SettingsTree;
use crate::source::Source;

/// A config file with the missing keys in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Completed {
    pub(super) text: String,
    /// What was added, each piece as it stands in the text: who takes these out has the old text again.
    pub(super) added: Vec<String>,
    /// Keys that could not be added, because of how the place for them is written.
    pub(super) left_out: Vec<String>,
}

/// Adds what the text does not say. An error says why the text cannot be read.
pub(super) fn complete(path: &str, text: &str, wanted: &SettingsTree, catalog: &str) -> Result<Completed, String> {
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        let completed = complete(path, rest, wanted, catalog)?;
        return Ok(Completed { text: format!("\u{feff}{}", completed.text), ..completed });
    }
    let says_nothing = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    if text.lines().all(says_nothing) {
        let block = block(wanted, "", catalog);
        let piece = if text.is_empty() || text.ends_with('\n') { block } else { format!("\n{block}") };
        return Ok(Completed { text: format!("{text}{piece}"), added: vec![piece], left_out: Vec::new() });
    }
    let (document, problems) = Document::parse(Source::new(path, text));
    let Some(document) = document.filter(|_| problems.is_empty()) else {
        return Err(problems.first().map_or_else(|| "it is not YAML".to_owned(), |problem| problem.message.clone()));
    };
    if !matches!(document.value(), Value::Object(_) | Value::Null) {
        return Err("it holds no record".to_owned());
    }
    let mut filling = Filling { text, document: &document, catalog, pieces: Vec::new(), left_out: Vec::new() };
    filling.fill(&Pointer::root(), wanted, "");
    let Filling { mut pieces, left_out, .. } = filling;
    // From the end on, so that the places of the others stay true.
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.0));
    let mut completed = text.to_owned();
    for (at, piece) in &pieces {
        completed.insert_str(*at, piece);
    }
    Ok(Completed { text: completed, added: pieces.into_iter().map(|(_, piece)| piece).collect(), left_out })
}

/// The text without what was added; `None` if a piece of it is no longer there as it was written.
pub(super) fn without(text: &str, added: &[String]) -> Option<String> {
    added.iter().try_fold(text.to_owned(), |text, piece| {
        (text.matches(piece.as_str()).count() == 1).then(|| text.replacen(piece.as_str(), "", 1))
    })
}

struct Filling<'f> {
    text: &'f str,
    document: &'f Document,
    catalog: &'f str,
    pieces: Vec<(usize, String)>,
    left_out: Vec<String>,
}

impl Filling<'_> {
    /// Fills the record at the pointer, whose children stand behind `indent` if it has none of its own.
    fn fill(&mut self, at: &Pointer, wanted: &SettingsTree, indent: &str) {
        let existing = self.document.get(at).and_then(Value::as_object);
        if existing.is_some_and(serde_json::Map::is_empty) {
            // Only braces can be written for an empty record.
            self.left_out.push(shown(at));
            return;
        }
        let first = existing.and_then(|fields| fields.keys().next());
        let indent = match first.map(|key| self.line_of_key(&at.key(key))) {
            Some(Some((_, own))) => own.to_owned(),
            Some(None) => {
                let lacking = wanted.keys().filter(|key| existing.is_some_and(|fields| !fields.contains_key(*key)));
                self.left_out.extend(lacking.map(|key| shown(&at.key(key))));
                return;
            }
            None => indent.to_owned(),
        };
        let mut missing = SettingsTree::default();
        for (key, below) in wanted.iter() {
            match existing.and_then(|fields| fields.get(key)) {
                None => missing.put(key, below),
                Some(Value::Object(_) | Value::Null) => {
                    if let Some(below) = below.tree() {
                        self.fill(&at.key(key), below, &format!("{indent}  "));
                    }
                }
                Some(_) => {}
            }
        }
        if !missing.is_empty() {
            self.add(at, &missing, &indent);
        }
    }

    fn add(&mut self, at: &Pointer, missing: &SettingsTree, indent: &str) {
        let block = block(missing, indent, self.catalog);
        let piece = if at.segments().is_empty() {
            let ends_line = self.text.is_empty() || self.text.ends_with('\n');
            (self.text.len(), if ends_line { block } else { format!("\n{block}") })
        } else {
            let Some((start, _)) = self.line_of_key(at) else {
                self.left_out.push(shown(at));
                return;
            };
            match self.text.get(start..).and_then(|rest| rest.find('\n')) {
                Some(end) => (start + end + 1, block),
                None => (self.text.len(), format!("\n{block}")),
            }
        };
        self.pieces.push(piece);
    }

    /// Where the line of a key starts, and the blanks before it; `None` if the key does not begin its line.
    fn line_of_key(&self, at: &Pointer) -> Option<(usize, &str)> {
        let key = self.document.key(at).span.start();
        let start = self.text.get(..key)?.rfind('\n').map_or(0, |end| end + 1);
        let before = self.text.get(start..key)?;
        before.chars().all(|c| c == ' ').then_some((start, before))
    }
}

/// The lines of the keys, between two that say whose they are.
fn block(keys: &SettingsTree, indent: &str, catalog: &str) -> String {
    let mark = |word: &str| format!("{indent}# {word} of the keys that hookgen added for {catalog}\n");
    let lines: String = keys.lines().iter().map(|line| placed(indent, line)).collect();
    format!("{}{lines}{}", mark("begin"), mark("end"))
}

fn placed(indent: &str, line: &str) -> String {
    if line.is_empty() { "\n".to_owned() } else { format!("{indent}{line}\n") }
}

fn shown(at: &Pointer) -> String {
    at.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::fixture;

    fn completed(text: &str) -> Completed {
        complete("config.yaml", text, &SettingsTree::of(&fixture::full()), "demo").expect("YAML")
    }

    fn value(text: &str) -> Value {
        // A file without content is no document, and means that nothing is set.
        if text.lines().all(|line| line.is_empty() || line.starts_with('#')) {
            return Value::Null;
        }
        let (document, problems) = Document::parse(Source::new("config.yaml", text));
        assert!(problems.is_empty(), "{problems:?}\n{text}");
        document.expect("a document").value().clone()
    }

    const TEXTS: &[&str] = &[
        "",
        "# only a comment",
        "mine: 1\n",
        "mine: 1",
        "\u{feff}mine: 1\nfeature_flags:\n  x: 1\n",
        "# Mine\nfeature_flags: # all of them\n    # about x\n    x: { enabled: false } # why\n\nquality:\n  share: 0.9\n",
        "feature_flags:\nother: [1, 2]\n",
        "feature_flags:\n  hooks:\n    enabled: false\n  hooks_guard: no\n",
        "modes: { H01: warn }\nfeature_flags: {}\n",
    ];

    #[test]
    fn what_was_there_stays_and_what_was_added_goes_without_a_trace() {
        for text in TEXTS {
            let Completed { text: after, added, .. } = completed(text);
            let (before, after_value) = (value(text), value(&after));
            for (key, old) in
                before.as_object().into_iter().flatten().filter(|(_, old)| !old.is_object() && !old.is_null())
            {
                assert_eq!(&after_value[key], old, "{after}");
            }
            assert!(!added.is_empty() && after != *text);
            assert_eq!(without(&after, &added).as_deref(), Some(*text), "{after}");
            assert_eq!(completed(&after).added, Vec::<String>::new(), "the second time: {after}");
        }
    }

    #[test]
    fn keys_that_are_missing_get_their_defaults_and_others_keep_what_they_say() {
        let after = value(&completed(TEXTS[5]).text);
        assert_eq!(after["feature_flags"]["x"]["enabled"], false);
        assert_eq!(after["feature_flags"]["hooks"]["enabled"], true);
        assert_eq!(after["quality"]["share"], 0.9);
        assert_eq!(after["quality"]["depth"], "off");
        let after = value(&completed(TEXTS[7]).text);
        assert_eq!(after["feature_flags"]["hooks"]["enabled"], false);
        assert_eq!(after["feature_flags"]["hooks_guard"], "no");
    }

    #[test]
    fn a_place_in_braces_is_left_alone_and_told() {
        let found = completed(TEXTS[8]);
        assert!(found.left_out.iter().any(|key| key.contains("modes")), "{:?}", found.left_out);
        assert!(found.text.starts_with("modes: { H01: warn }\n"), "{}", found.text);
    }

    #[test]
    fn what_is_no_record_is_an_error_and_an_edited_piece_stays() {
        let wanted = SettingsTree::of(&fixture::full());
        assert!(complete("config.yaml", "- a\n", &wanted, "demo").is_err());
        assert!(complete("config.yaml", "a: [\n", &wanted, "demo").is_err());
        let Completed { text, added, .. } = completed("mine: 1\n");
        assert_eq!(without(&text.replace("default", "Default"), &added), None);
    }
}
