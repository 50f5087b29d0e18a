//! Hooks that an agent runs only when the person's own configuration knows their hash.

use serde_json::{Value, json};

use crate::emit::record::digest;

/// One entry that is trusted at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// Where the entry is: file, event, group, handler.
    pub key: String,
    pub hash: String,
}

/// What the person's configuration must hold for the entries of a file that are ours to run: the hash of
/// each, by its place.
pub fn pins(file: &str, document: &Value, is_ours: impl Fn(&str) -> bool) -> Vec<Pin> {
    let mut pins = Vec::new();
    for (event, groups) in document["hooks"].as_object().into_iter().flatten() {
        for (group_number, group) in groups.as_array().into_iter().flatten().enumerate() {
            for (number, handler) in group["hooks"].as_array().into_iter().flatten().enumerate() {
                if handler["command"].as_str().is_some_and(&is_ours) {
                    let event = snake(event);
                    pins.push(Pin {
                        hash: hash(&event, group.get("matcher"), handler),
                        key: format!("{file}:{event}:{group_number}:{number}"),
                    });
                }
            }
        }
    }
    pins
}

/// The digest of an entry with its defaults, as compact JSON with sorted keys.
fn hash(event: &str, matcher: Option<&Value>, handler: &Value) -> String {
    let timeout = handler.get("timeout").cloned().unwrap_or(json!(600));
    let one =
        format!("{{\"async\":false,\"command\":{},\"timeout\":{timeout},\"type\":\"command\"}}", handler["command"]);
    let matcher = matcher.map(|matcher| format!(",\"matcher\":{matcher}")).unwrap_or_default();
    let text = format!("{{\"event_name\":\"{event}\",\"hooks\":[{one}]{matcher}}}");
    format!("sha256:{}", digest(text.as_bytes()))
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (place, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_over_the_entry_with_its_defaults() {
        let document = json!({ "hooks": { "PreToolUse": [
            { "hooks": [{ "type": "command", "command": "theirs" }] },
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "ours", "timeout": 5 }] },
        ] } });
        let found = pins("/p/.codex/hooks.json", &document, |command| command == "ours");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].key, "/p/.codex/hooks.json:pre_tool_use:1:0");
        let text = r#"{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"ours","timeout":5,"type":"command"}],"matcher":"Bash"}"#;
        assert_eq!(found[0].hash, format!("sha256:{}", digest(text.as_bytes())));
    }
}
