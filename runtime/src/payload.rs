//! The event on standard input, read as its client means it.

use std::borrow::Cow;

use crate::client::{Client, Fields, NAMES, Reading, copilot};
use crate::event::Event;
use crate::failure::{Attempt, Failure};
use crate::json::{Json, Many};
use crate::path::windows;

/// Reads the event, overwriting its text. What is not one JSON object is a failure of the payload.
pub fn parse<'a>(client: &Client, text: &'a mut [u8], event: &Event) -> Attempt<Reading<'a>> {
    parse_where(client, text, event, |_| true)
}

/// The same of an event that may be for somebody else: none is read whose session and whose calls are all in folders that do
/// not count. A call may name another folder than the session's, and is no less the session's.
pub(crate) fn parse_where<'a>(
    client: &Client,
    text: &'a mut [u8],
    event: &Event,
    counts: impl Fn(&Fields<'_>) -> bool,
) -> Attempt<Reading<'a>> {
    let value =
        Json::parse_in_place(text).map_err(|error| Failure::Payload(format!("the event is not JSON: {error}")))?;
    let Json::Object(fields) = value else {
        return Err(Failure::Payload(format!("the event should be an object, found {}", value.kind())));
    };
    let fields = fields.into_vec();
    let counted = counts(&fields);
    let mut reading = (client.read)(fields, event)?;
    if cfg!(windows) {
        reading.calls.iter_mut().for_each(|fields| write_paths_with_slashes(fields));
    }
    if counted || reading.calls.iter().any(counts) { Ok(reading) } else { Ok(Reading::nothing()) }
}

/// Paths of Windows as catalogs are written for: a test such as `endsWith('/.env')` holds there too. Here and nowhere
/// else, so that a hook never meets the other spelling.
fn write_paths_with_slashes(fields: &mut [(Cow<'_, str>, Json<'_>)]) {
    for (name, value) in fields {
        match value {
            Json::Text(text) if is_of_a_path(name) => {
                if let Cow::Owned(normal) = windows::normal(text) {
                    *text = Cow::Owned(normal);
                }
            }
            Json::Object(inner) => {
                let mut fields = std::mem::replace(inner, Many::EMPTY).into_vec();
                write_paths_with_slashes(&mut fields);
                *inner = Many::Owned(fields);
            }
            _ => {}
        }
    }
}

/// Whether a field of that name holds a path, in events and in the inputs and results of tools.
fn is_of_a_path(name: &str) -> bool {
    matches!(name, "cwd" | "path" | "directory" | "filePath") || name.ends_with("_path") || name.ends_with("_dir")
}

/// What can be told of an event by whoever knows nothing else of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    /// What the client calls it.
    pub(crate) event: Option<String>,
    /// Whether Copilot sent it, which also runs what is registered with Claude Code, but without the arguments. Its own
    /// registration answers it.
    pub(crate) of_copilot: bool,
}

/// Looks at an event, overwriting its text.
pub(crate) fn sent(text: &mut [u8]) -> Option<Sent> {
    let value = Json::parse_in_place(text).ok()?;
    let named = NAMES.iter().find_map(|name| value.get(name));
    Some(Sent {
        event: named.and_then(|name| if let Json::Text(name) = name { Some(name.to_string()) } else { None }),
        of_copilot: copilot::has_sent(&value),
    })
}

/// Reads `\!`, which some shells write and JSON does not know, as `!`. A backslash that is itself escaped stays.
pub(crate) fn undo_bang_escapes(text: &mut Vec<u8>) {
    let mut escaped = false;
    let mut kept = 0;
    for at in 0..text.len() {
        let byte = text[at];
        // The backslash is already among those that are kept.
        kept -= usize::from(escaped && byte == b'!');
        escaped = byte == b'\\' && !escaped;
        text[kept] = byte;
        kept += 1;
    }
    text.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{CLAUDE, named, text_of};

    #[test]
    fn an_escaped_exclamation_mark_is_one_where_that_is_undone_and_no_json_elsewhere() {
        let undone = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            undo_bang_escapes(&mut bytes);
            String::from_utf8(bytes).expect("UTF-8")
        };
        for (text, expected) in [
            (r#"{"cwd":"b\!\n"}"#, r#"{"cwd":"b!\n"}"#),
            (r"a\\!", r"a\\!"),
            (r"a\\\!\!", r"a\\!!"),
            (r"\!", "!"),
            (r"!\", r"!\"),
            ("", ""),
        ] {
            assert_eq!(undone(text), expected, "{text}");
        }
        let event = Event::named("PreToolUse").expect("known");
        assert!(parse(CLAUDE, &mut br#"{"cwd":"b\!"}"#.to_vec(), event).is_err());
    }

    #[test]
    fn a_call_that_names_another_folder_is_still_the_session_s() {
        let kimi = named("kimi-code").expect("known");
        let read = |cwd: &str, folder: &str| {
            let text =
                format!(r#"{{"cwd":"{cwd}","tool_name":"Bash","tool_input":{{"command":"ls","cwd":"{folder}"}}}}"#);
            let here = |event: &Fields<'_>| text_of(event, "cwd").is_some_and(|cwd| cwd.starts_with("/p"));
            let event = kimi.event("PreToolUse").expect("known");
            parse_where(kimi, &mut text.into_bytes(), event, here).expect("read").calls.len()
        };
        assert_eq!((read("/p", "/tmp"), read("/p", "sub"), read("/tmp", "/p/sub")), (1, 1, 1));
        assert_eq!(read("/tmp", "/else"), 0);
    }

    #[test]
    fn paths_of_windows_get_slashes_and_nothing_else_does() {
        let text =
            r#"{"cwd":"c:\\p","tool_input":{"file_path":"C:\\p\\.env","content":"C:\\x","command":"dir C:\\x"}}"#;
        let Json::Object(fields) = Json::parse(text).expect("valid") else { panic!("an object") };
        let mut fields = fields.into_vec();
        write_paths_with_slashes(&mut fields);
        let written = Json::Object(Many::Owned(fields)).to_string();
        let expected =
            r#"{"cwd":"C:/p","tool_input":{"file_path":"C:/p/.env","content":"C:\\x","command":"dir C:\\x"}}"#;
        assert_eq!(written, expected);
    }

    #[test]
    fn an_event_tells_who_sent_it_where_no_argument_does() {
        let of = |text: &str| sent(&mut text.as_bytes().to_vec()).expect("JSON");
        let copilot = of(r#"{"hook_event_name":"PreToolUse","timestamp":"2026-11-16T19:12:18Z","cwd":"/p"}"#);
        assert_eq!(copilot, Sent { event: Some("PreToolUse".to_owned()), of_copilot: true });
        let claude = of(r#"{"hook_event_name":"PreToolUse","permission_mode":"default","cwd":"/p"}"#);
        assert!(!claude.of_copilot && !of(r#"{"hookName":"tool_call"}"#).of_copilot);
        assert_eq!(sent(&mut b"no event".to_vec()), None);
    }

    #[test]
    fn anything_but_one_object_is_a_failure_of_the_payload() {
        for text in ["", "null", "[]", "{", "{} {}", "text", "\u{0}"] {
            let mut text = text.as_bytes().to_vec();
            let result = parse(CLAUDE, &mut text, Event::named("Stop").expect("known")).map(drop);
            assert!(matches!(result, Err(Failure::Payload(_))), "{text:?}");
        }
    }
}
