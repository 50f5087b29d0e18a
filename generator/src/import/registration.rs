//! What is registered in a settings file or in the `hooks.json` of a plugin.

use serde_json::{Map, Value};

/// One handler, where it stands.
#[derive(Debug, Clone)]
pub(super) struct Registration {
    pub(super) event: String,
    pub(super) matcher: Option<String>,
    pub(super) handler: Map<String, Value>,
}

impl Registration {
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.handler.get(key).and_then(Value::as_str)
    }

    /// Where it stands, in words.
    pub(super) fn place(&self) -> String {
        match &self.matcher {
            Some(matcher) => format!("{}, {matcher}", self.event),
            None => self.event.clone(),
        }
    }
}

/// The handlers of a file, in its order. Comments and commas at the end are allowed, as editors of settings have them.
pub(super) fn registrations(text: &str) -> Result<Vec<Registration>, String> {
    let value: Value = serde_json::from_str(&without_comments(text)).map_err(|error| error.to_string())?;
    let hooks = value.get("hooks").unwrap_or(&value);
    let hooks = hooks.as_object().ok_or("`hooks` is no object")?;
    let mut found = Vec::new();
    for (event, groups) in hooks {
        let Some(groups) = groups.as_array() else { continue };
        for group in groups {
            let matcher = group.get("matcher").and_then(Value::as_str).filter(|matcher| !matches!(*matcher, "" | "*"));
            let handlers = group.get("hooks").and_then(Value::as_array);
            for handler in handlers.into_iter().flatten() {
                let handler = handler.as_object().cloned().unwrap_or_default();
                found.push(Registration { event: event.clone(), matcher: matcher.map(str::to_owned), handler });
            }
        }
    }
    Ok(found)
}

/// The text with blanks in the place of comments and of commas before a closing bracket.
fn without_comments(text: &str) -> String {
    let chars: Vec<char> = text.trim_start_matches('\u{feff}').chars().collect();
    let (mut out, mut at, mut quoted) = (String::with_capacity(text.len()), 0, false);
    while let Some(c) = chars.get(at).copied() {
        let next = chars.get(at + 1).copied();
        match (quoted, c, next) {
            (true, '\\', Some(next)) => {
                out.extend([c, next]);
                at += 1;
            }
            (_, '"', _) => {
                quoted = !quoted;
                out.push(c);
            }
            (false, '/', Some('/')) => {
                while chars.get(at).is_some_and(|c| *c != '\n') {
                    at += 1;
                }
                continue;
            }
            (false, '/', Some('*')) => {
                at += 2;
                while at < chars.len() && !(chars[at] == '*' && chars.get(at + 1) == Some(&'/')) {
                    at += 1;
                }
                at += 1;
            }
            (false, ',', _)
                if chars[at + 1..].iter().find(|c| !c.is_whitespace()).is_some_and(|c| matches!(c, '}' | ']')) => {}
            _ => out.push(c),
        }
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_commas_at_the_end_are_overlooked_and_texts_are_not() {
        let text = "{ // a comment\n \"hooks\": { /* one */ \"Stop\": [ { \"hooks\": [ { \"type\": \"http\", \"url\": \"http://a//b\" }, ] } ] } }";
        let found = registrations(text).expect("settings");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text("url"), Some("http://a//b"));
    }
}
