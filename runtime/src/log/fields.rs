//! The fields of a line of the audit trail: their names, what they mean, and what they are filled with.
//!
//! The one list. Lines are written by it, and the documentation and the schema of the trail are printed from it.

use std::borrow::Cow;

use super::who::Who;
use super::{Record, about, line};
use crate::json::{Json, Many};

/// The version of this list. A field may come without a new version; one that goes or changes its meaning needs one.
/// Lines without a version are from before there was one.
pub const VERSION: i64 = 1;

/// A field of a line.
#[derive(Debug)]
pub struct Field {
    /// Its name, which never changes its meaning within a version.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether every line has it. A field without a value is left out, never null or empty.
    pub always: bool,
    /// What it means.
    pub doc: &'static str,
    value: fn(&Entry<'_>) -> Json<'static>,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// A text in one line
    Text,
    /// A whole number
    Number,
    /// Names with texts, numbers or booleans
    Values,
}

/// What a line is made from.
pub(super) struct Entry<'a> {
    pub(super) record: &'a Record<'a>,
    pub(super) id: &'a str,
    pub(super) who: &'a Who,
}

const fn field(
    name: &'static str,
    kind: FieldKind,
    always: bool,
    doc: &'static str,
    value: fn(&Entry<'_>) -> Json<'static>,
) -> Field {
    Field { name, kind, always, doc, value }
}

use FieldKind::{Number, Text, Values};

/// Every field, in the order of the line.
pub static FIELDS: &[Field] = &[
    field("v", Number, true, "The version of this format.", |_| Json::Int(VERSION)),
    field("id", Text, true, "Names this line, for `hookgen why`.", |entry| word(entry.id)),
    field("time", Text, true, "When the call began, in UTC, as `2026-02-04T14:23:15Z`.", |entry| {
        word(entry.record.time)
    }),
    field("catalog", Text, true, "The catalog's name.", |entry| word(entry.record.catalog)),
    field("version", Text, true, "The catalog's version.", |entry| word(entry.record.version)),
    field("digest", Text, true, "The digest of the catalog that the binary was built from.", |entry| {
        word(entry.record.digest)
    }),
    field("hook", Text, true, "The hook's id.", |entry| word(entry.record.hook)),
    field("check", Text, false, "The check that decided, or that made the remark which weighs most.", |entry| {
        word(entry.record.check.unwrap_or_default())
    }),
    field("event", Text, true, "The event.", |entry| word(entry.record.event)),
    field("tool", Text, false, "The tool, on events that are about one.", |entry| entry.of_payload("tool_name")),
    field(
        "tool_use_id",
        Text,
        false,
        "The client's name for this use of the tool, which its transcript has too.",
        |entry| entry.of_payload("tool_use_id"),
    ),
    field(
        "input",
        Values,
        false,
        "What was decided about: the fields of the tool's input, or those of an event without a tool. Secrets are \
         redacted, long texts cut, and lists and objects are texts of JSON.",
        |entry| about::input(entry.record.payload),
    ),
    field("response", Text, false, "What the tool answered, on events after its use; redacted and cut.", |entry| {
        about::response(entry.record.payload)
    }),
    field(
        "decision",
        Text,
        true,
        "What was decided: `DENY`, `BLOCK`, `ASK`, `APPROVE`, `ALLOW`, or said: `FEEDBACK`, `ALLOW+WARN`, `REWRITE`, `LOG`, \
         `INJECT`, `EXPORT`; or what became of the hook: `FAIL_OPEN`, `FAIL_CLOSED`, `BREAKER_OPEN`, `DEV_SKIP`; or a `NOTE`.",
        |entry| word(entry.record.decision),
    ),
    field(
        "mode",
        Text,
        false,
        "`warn` or `audit` when the decision was not carried out: it is what the hook would have done.",
        |entry| word(entry.record.mode.unwrap_or_default()),
    ),
    field("reason", Text, false, "Why, in the words of the catalog; redacted.", |entry| text(entry.record.reason)),
    field(
        "settings",
        Values,
        false,
        "What the config file says on the settings that the hooks of this call asked for. Those that it does not \
         mention had the catalog's defaults.",
        |entry| settings(entry.record.settings),
    ),
    field("duration_us", Number, true, "How long the hook took, in microseconds.", |entry| {
        Json::Int(i64::try_from(entry.record.duration_us).unwrap_or(i64::MAX))
    }),
    field("session", Text, false, "The session's id.", |entry| entry.of_payload("session_id")),
    field("project", Text, false, "The project's folder.", |entry| text(entry.record.project)),
    field("cwd", Text, false, "The agent's working directory, where that is another folder.", cwd),
    field("permission_mode", Text, false, "The client's permission mode.", |entry| entry.of_payload("permission_mode")),
    field("client", Text, true, "The client that called.", |entry| word(entry.record.client)),
    field("client_version", Text, false, "The client's version, as its environment tells.", |entry| {
        text(&entry.who.client_version)
    }),
    field("agent", Text, false, "The type of the agent, inside a subagent or a session of one.", |entry| {
        entry.of_payload("agent_type")
    }),
    field("agent_id", Text, false, "The client's name for the subagent.", |entry| entry.of_payload("agent_id")),
    field(
        "user",
        Text,
        false,
        "The user's name, by the system's list of users; where that has none, by the environment, which a project can set.",
        |entry| text(&entry.who.user),
    ),
    field("uid", Number, false, "The user's number, by the system.", |entry| {
        entry.who.uid.map_or(Json::Null, |uid| Json::Int(uid.into()))
    }),
    field(
        "host",
        Text,
        false,
        "The machine's name, by the system; where that has no file for it, by the environment.",
        |entry| text(&entry.who.host),
    ),
];

/// The line as an object.
pub(super) fn object(entry: &Entry<'_>) -> Json<'static> {
    let fields = FIELDS.iter().map(|field| (Cow::Borrowed(field.name), (field.value)(entry)));
    Json::Object(Many::Owned(fields.filter(|(_, value)| !is_empty(value)).collect()))
}

impl Entry<'_> {
    fn of_payload(&self, field: &str) -> Json<'static> {
        match self.record.payload.get(field) {
            Some(Json::Text(found)) => text(found),
            _ => Json::Null,
        }
    }
}

fn cwd(entry: &Entry<'_>) -> Json<'static> {
    match entry.record.payload.get("cwd") {
        Some(Json::Text(folder)) if folder != entry.record.project => text(folder),
        _ => Json::Null,
    }
}

/// A word of the catalog's or of the engine's own, in which there is nothing to hide.
fn word(word: &str) -> Json<'static> {
    Json::Text(Cow::Owned(word.to_owned()))
}

fn text(text: &str) -> Json<'static> {
    Json::Text(Cow::Owned(line::short(text)))
}

fn settings(settings: &[(String, String)]) -> Json<'static> {
    let short = |text: &str| Cow::Owned(line::brief(text));
    Json::Object(Many::Owned(settings.iter().map(|(key, value)| (short(key), Json::Text(short(value)))).collect()))
}

fn is_empty(value: &Json<'_>) -> bool {
    match value {
        Json::Null => true,
        Json::Text(text) => text.is_empty(),
        Json::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_a_name_of_its_own_and_a_sentence() {
        for (position, field) in FIELDS.iter().enumerate() {
            assert!(FIELDS[..position].iter().all(|other| other.name != field.name), "{}", field.name);
            assert!(field.doc.ends_with('.'), "{}", field.name);
        }
    }
}
