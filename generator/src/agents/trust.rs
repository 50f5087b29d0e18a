//! Hooks that an agent runs only when the person's own configuration knows their hash.

use hookgen_runtime::client::{Pins, Registered};
use serde_json::Value;

use crate::emit::record::digest;

/// One entry that is trusted at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// Where the entry is.
    pub key: String,
    pub hash: String,
}

/// What the person's configuration must hold for the entries of a file that are ours to run: the hash of
/// each, by its place.
pub fn pins(how: &Pins, file: &str, document: &Value, is_ours: impl Fn(&str) -> bool) -> Vec<Pin> {
    let mut pins = Vec::new();
    for (event, groups) in document["hooks"].as_object().into_iter().flatten() {
        for (group_number, group) in groups.as_array().into_iter().flatten().enumerate() {
            for (number, handler) in group["hooks"].as_array().into_iter().flatten().enumerate() {
                let Some(command) = handler["command"].as_str().filter(|command| is_ours(command)) else { continue };
                let entry = Registered {
                    event,
                    at: (group_number, number),
                    command,
                    matcher: group["matcher"].as_str(),
                    timeout: handler["timeout"].as_u64(),
                };
                pins.push(Pin { key: (how.place)(file, &entry), hash: (how.hash)(&entry, digest) });
            }
        }
    }
    pins
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::client::{Trust, named};
    use serde_json::json;

    use super::*;

    #[test]
    fn the_hash_is_over_the_entry_with_its_defaults() {
        let document = json!({ "hooks": { "PreToolUse": [
            { "hooks": [{ "type": "command", "command": "theirs" }] },
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "ours", "timeout": 5 }] },
        ] } });
        let Some(Trust::Pinned(how)) = named("codex").map(|client| client.registration.trust) else { panic!("pinned") };
        let found = pins(how, "/p/.codex/hooks.json", &document, |command| command == "ours");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].key, "/p/.codex/hooks.json:pre_tool_use:1:0");
        let text = r#"{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"ours","timeout":5,"type":"command"}],"matcher":"Bash"}"#;
        assert_eq!(found[0].hash, format!("sha256:{}", digest(text.as_bytes())));
    }
}
