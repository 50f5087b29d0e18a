//! A catalog's registration in a settings file of somebody else's: added, renewed or taken out, and nothing else touched.

use anyhow::{Context as _, bail};
use serde_json::{Map, Value};

/// Hooks of one event, as settings have them.
type Groups = Vec<Value>;

/// What tells a catalog's handlers from all others.
#[derive(Debug)]
pub struct Ours<'a> {
    /// The folder of its binary, as commands name it.
    pub folder: &'a str,
    /// What was installed before, for handlers that run no command.
    pub installed: Option<&'a Value>,
}

/// The settings with `fragment` in the place of whatever the catalog had there; without one, with nothing of it. A text
/// that says so already comes back as it is.
pub fn merged(settings: &str, ours: &Ours<'_>, fragment: Option<&Value>) -> anyhow::Result<String> {
    let before: Value = if settings.trim().is_empty() {
        Value::Object(Map::new())
    } else {
        serde_json::from_str(settings).context("it is not JSON")?
    };
    let mut after = before.clone();
    let top = after.as_object_mut().context("it is not a JSON object")?;
    let mut hooks = match top.get("hooks") {
        None => Map::new(),
        Some(Value::Object(hooks)) => hooks.clone(),
        Some(_) => bail!("its `hooks` are not a JSON object"),
    };
    let new = |event: &str| groups(fragment, event).to_vec();
    let mut events: Vec<String> = hooks.keys().cloned().collect();
    let added = fragment.and_then(|fragment| fragment["hooks"].as_object()).into_iter().flat_map(Map::keys);
    events.extend(added.filter(|event| !hooks.contains_key(*event)).cloned());
    for event in events {
        let old = match hooks.get(&event) {
            None => Groups::new(),
            Some(Value::Array(groups)) => groups.clone(),
            Some(_) => bail!("its `hooks.{event}` is not a list"),
        };
        let was_empty = old.is_empty() && hooks.contains_key(&event);
        let renewed = replaced(old, &event, ours, new(&event));
        if renewed.is_empty() && !was_empty {
            hooks.shift_remove(&event);
        } else {
            hooks.insert(event, Value::Array(renewed));
        }
    }
    if hooks.is_empty() && !top.get("hooks").is_some_and(|hooks| hooks.as_object().is_some_and(Map::is_empty)) {
        top.shift_remove("hooks");
    } else {
        top.insert("hooks".to_owned(), Value::Object(hooks));
    }
    if after == before && !settings.trim().is_empty() {
        return Ok(settings.to_owned());
    }
    Ok(format!("{after:#}\n"))
}

/// The groups of an event with the new ones where the first of the old ones was, or else at the end.
fn replaced(old: Groups, event: &str, ours: &Ours<'_>, new: Groups) -> Groups {
    let mut place = None;
    let mut kept = Groups::new();
    for mut group in old {
        let Some(handlers) = group.get_mut("hooks").and_then(Value::as_array_mut) else {
            kept.push(group);
            continue;
        };
        let count = handlers.len();
        handlers.retain(|handler| !ours.has(event, handler));
        if handlers.len() < count {
            place.get_or_insert(kept.len());
        }
        if !handlers.is_empty() || count == 0 {
            kept.push(group);
        }
    }
    let place = place.unwrap_or(kept.len());
    kept.splice(place..place, new);
    kept
}

impl Ours<'_> {
    fn has(&self, event: &str, handler: &Value) -> bool {
        if let Some(command) = handler.get("command").and_then(Value::as_str) {
            return command.contains(self.folder);
        }
        let installed = groups(self.installed, event).iter().filter_map(|group| group["hooks"].as_array());
        installed.flatten().any(|known| known == handler)
    }
}

fn groups<'v>(fragment: Option<&'v Value>, event: &str) -> &'v [Value] {
    fragment.and_then(|fragment| fragment["hooks"][event].as_array()).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FOLDER: &str = "/.claude/hooks/demo/bin/";
    const THEIRS: &str = r#"{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "~/guard.sh" }] }
    ],
    "Stop": []
  },
  "env": { "A": "1" }
}
"#;

    fn fragment(id: &str) -> Value {
        let command = format!("${{CLAUDE_PROJECT_DIR}}{FOLDER}demo-hooks");
        json!({ "hooks": {
            "PreToolUse": [{ "matcher": "Read", "hooks": [{ "type": "command", "command": command, "args": [id] }] }],
            "SessionStart": [{ "hooks": [{ "type": "command", "command": command, "args": [id] }] }],
            "UserPromptSubmit": [{ "hooks": [{ "type": "prompt", "prompt": id }] }],
        } })
    }

    fn merge(settings: &str, installed: Option<&Value>, fragment: Option<&Value>) -> String {
        merged(settings, &Ours { folder: FOLDER, installed }, fragment).expect("merged")
    }

    #[test]
    fn what_others_have_registered_stays_as_it_is() {
        let settings: Value = serde_json::from_str(&merge(THEIRS, None, Some(&fragment("H1")))).expect("JSON");
        let keys: Vec<_> = settings.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["model", "hooks", "env"]);
        let tools = settings["hooks"]["PreToolUse"].as_array().expect("groups");
        assert_eq!((tools.len(), &tools[0]["hooks"][0]["command"]), (2, &json!("~/guard.sh")));
        assert_eq!(settings["hooks"]["SessionStart"], fragment("H1")["hooks"]["SessionStart"]);
        assert_eq!(settings["hooks"]["Stop"], json!([]));
    }

    #[test]
    fn the_second_time_nothing_changes_and_a_newer_catalog_takes_the_place_of_the_older() {
        let (old, new) = (fragment("H1"), fragment("H2"));
        let once = merge(THEIRS, None, Some(&old));
        assert_eq!(merge(&once, Some(&old), Some(&old)), once);
        let renewed = merge(&once, Some(&old), Some(&new));
        assert!(!renewed.contains("H1"), "{renewed}");
        assert_eq!(renewed, merge(THEIRS, None, Some(&new)));
    }

    #[test]
    fn taking_it_out_leaves_what_was_there_before() {
        let old = fragment("H1");
        let value = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        assert_eq!(value(&merge(&merge(THEIRS, None, Some(&old)), Some(&old), None)), value(THEIRS));
        assert_eq!(value(&merge(&merge("", None, Some(&old)), Some(&old), None)), json!({}));
        assert_eq!(merge(THEIRS, Some(&old), None), THEIRS, "not a byte where nothing was installed");
    }

    #[test]
    fn handlers_of_ours_go_from_a_group_that_others_share() {
        let shared = json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [
            { "type": "command", "command": format!("/p{FOLDER}demo-hooks") },
            { "type": "command", "command": "/p/.claude/hooks/demo-two/bin/x" },
        ] }] } });
        let left: Value = serde_json::from_str(&merge(&shared.to_string(), None, None)).expect("JSON");
        assert_eq!(left["hooks"]["PreToolUse"][0]["hooks"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn settings_that_are_something_else_are_refused() {
        for (text, why) in [
            ("{", "it is not JSON"),
            ("[]", "it is not a JSON object"),
            (r#"{"hooks": []}"#, "its `hooks` are not a JSON object"),
            (r#"{"hooks": {"Stop": {}}}"#, "its `hooks.Stop` is not a list"),
        ] {
            let error = merged(text, &Ours { folder: FOLDER, installed: None }, None).expect_err(text);
            assert_eq!(error.to_string(), why, "{text}");
        }
    }
}
