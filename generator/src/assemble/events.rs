//! One hook on several events: written once, and a hook of its own on each of them.
//!
//! So each is held against its own event: a field that one of them lacks, an effect that one of them cannot have, is an
//! error, and cases are played on all of them.

use serde_json::Value;

use super::Assembly;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Pointer};

impl Assembly {
    /// Makes a hook for each event of a list. The first keeps its id; the others bear the event behind it.
    pub(super) fn spread(&mut self, document: &mut Document) {
        let hooks = Pointer::root().key("hooks");
        let count = document.get(&hooks).and_then(Value::as_array).map_or(0, Vec::len);
        for place in 0..count {
            let hook = hooks.index(place);
            let at = hook.key("event");
            let Some(Value::Array(events)) = document.get(&at) else { continue };
            // What is no text is told by the schema.
            let Some(events) = events.iter().map(|event| event.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            for (number, event) in events.iter().enumerate().skip(1) {
                if events.iter().take(number).any(|earlier| earlier == event) {
                    self.again(document, event, &at.index(number));
                } else {
                    copy(document, &hooks, &hook, number, event);
                }
            }
            match document.tree(&at.index(0)) {
                Some(first) => document.replace(&at, first),
                // A hook without an event lacks its key.
                None => document.remove(&at),
            }
        }
    }

    fn again(&mut self, document: &Document, event: &str, at: &Pointer) {
        self.diagnostics.push(
            Diagnostic::error(Code::BadValue, format!("`{event}` is there twice"))
                .primary(document.at(at), "again")
                .help("name each event once: `event: [PostToolUse, PostToolUseFailure]`"),
        );
    }
}

/// Adds the hook once more, for another of its events.
fn copy(document: &mut Document, hooks: &Pointer, hook: &Pointer, number: usize, event: &str) {
    let (Some(whole), Some(own)) = (document.tree(hook), document.tree(&hook.key("event").index(number))) else {
        return;
    };
    document.push(hooks, whole);
    let last = document.get(hooks).and_then(Value::as_array).map_or(0, Vec::len).saturating_sub(1);
    let copied = hooks.index(last);
    document.replace(&copied.key("event"), own);
    for (key, behind) in [("id", format!("-{event}")), ("name", kebab(event)), ("log_name", format!("_{event}"))] {
        let at = copied.key(key);
        if let Some(tree) = document.tree(&at)
            && let Some(text) = document.get(&at).and_then(Value::as_str)
        {
            let text = format!("{text}{behind}");
            document.replace(&at, tree.saying(text));
        }
    }
}

/// `-post-tool-use` for `PostToolUse`.
fn kebab(event: &str) -> String {
    let mut word = String::new();
    for character in event.chars() {
        if character.is_ascii_uppercase() {
            word.push('-');
        }
        word.push(character.to_ascii_lowercase());
    }
    word
}
