//! Rules of the hookify plugin: front matter with a pattern or conditions, and the message below it.

use hookgen_runtime::Event;
use serde::Deserialize;

use super::json::Json;
use super::outcome::Draft;
use super::path::{Reason, Subject};
use super::regex::{Dialect, translated};
use super::value::{Condition, Text};

/// A rule as written.
#[derive(Debug, Deserialize)]
pub(super) struct Rule {
    pub(super) name: String,
    #[serde(default = "enabled")]
    pub(super) enabled: bool,
    event: String,
    pattern: Option<String>,
    #[serde(default)]
    conditions: Vec<Asked>,
    #[serde(default)]
    action: Option<String>,
    tool_matcher: Option<String>,
    #[serde(skip)]
    message: String,
}

#[derive(Debug, Deserialize)]
struct Asked {
    field: String,
    operator: String,
    pattern: String,
}

fn enabled() -> bool {
    true
}

impl Rule {
    /// Reads a rule: front matter between two lines of hyphens, then the message.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let rest = text.strip_prefix("---").ok_or("a rule begins with `---`")?;
        let (head, body) = rest.split_once("\n---").ok_or("the front matter of a rule ends with `---`")?;
        let rule: Self = serde_yaml::from_str(head).map_err(|error| error.to_string())?;
        Ok(Self { message: body.trim_start_matches('-').trim().to_owned(), ..rule })
    }

    /// The events and matchers that the rule is for.
    pub(super) fn places(&self) -> Vec<(&'static str, Option<String>)> {
        let file = || Some(self.tool_matcher.clone().unwrap_or_else(|| "Edit|Write|MultiEdit".to_owned()));
        match self.event.as_str() {
            "bash" => vec![("PreToolUse", Some("Bash".to_owned()))],
            "file" => vec![("PreToolUse", file())],
            "stop" => vec![("Stop", None)],
            "prompt" => vec![("UserPromptSubmit", None)],
            _ => vec![("PreToolUse", self.tool_matcher.clone()), ("Stop", None), ("UserPromptSubmit", None)],
        }
    }

    /// The check that stands for it on an event.
    pub(super) fn check(&self, event: &Event, subject: &Subject<'_>) -> Result<Draft, Reason> {
        let mut parts = Vec::new();
        if let Some(pattern) = &self.pattern {
            let field = match event.name {
                "Stop" => return Err("it looks at the transcript".to_owned()),
                "UserPromptSubmit" => "user_prompt",
                _ if self.event == "file" => "new_text",
                _ => "command",
            };
            parts.push(test(field, "regex_match", pattern, subject)?);
        }
        for asked in &self.conditions {
            parts.push(test(&asked.field, &asked.operator, &asked.pattern, subject)?);
        }
        let message = self.message.replace("${", "$${");
        let effect = match (self.action.as_deref(), event.name) {
            (Some("block"), "PreToolUse") => "deny",
            (Some("block"), _) => "block",
            _ => "warn",
        };
        Ok(Draft { when: Condition::all(parts), effects: vec![(effect, message)] })
    }
}

/// One condition; what is asked of a file that is edited or written holds for whichever of the two it is.
fn test(field: &str, operator: &str, pattern: &str, subject: &Subject<'_>) -> Result<Condition, Reason> {
    let paths: &[&[&str]] = match field {
        "command" => &[&["tool_input", "command"]],
        "file_path" => &[&["tool_input", "file_path"]],
        "new_text" | "new_string" | "content" => &[&["tool_input", "new_string"], &["tool_input", "content"]],
        "old_text" | "old_string" => &[&["tool_input", "old_string"]],
        "user_prompt" | "prompt" => &[&["prompt"]],
        other => return Err(format!("it looks at `{other}`")),
    };
    let texts: Vec<Text> = paths
        .iter()
        .filter_map(|path| Json::Event(path.iter().map(|part| (*part).to_owned()).collect()).text(subject))
        .filter(|text| text.literal().is_none())
        .collect();
    if texts.is_empty() {
        return Err(format!("the event has no `{field}`"));
    }
    let asked = texts.iter().map(|text| match operator {
        // The plugin looks without regard to case.
        "regex_match" => text.matches(&format!("(?i){}", translated(pattern, Dialect::Script)?)),
        "contains" | "not_contains" => Ok(text.holds("contains", pattern)),
        "equals" => Ok(text.equals(&Text::known(pattern))),
        "starts_with" => Ok(text.holds("startsWith", pattern)),
        "ends_with" => Ok(text.holds("endsWith", pattern)),
        other => Err(format!("it compares by `{other}`")),
    });
    let any = Condition::any(asked.collect::<Result<_, _>>()?);
    Ok(if operator == "not_contains" { any.not() } else { any })
}
