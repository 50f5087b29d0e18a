//! The log that a person reads, in the session's folder.

use super::{Record, append, line};
use crate::state::Session;

const FILE: &str = "hooks.log";

/// `[time] hook: DECISION | reason`
pub(super) fn decision(record: &Record<'_>) -> String {
    entry(record, &line::short(record.decision).to_uppercase(), &line::short(record.reason))
}

/// The decision, and below it what the hook read and wrote.
pub(super) fn verbose(record: &Record<'_>, input: &str, output: &str) -> String {
    let mut text = decision(record);
    text.push_str(&entry(record, "INPUT", &line::long(input)));
    text.push_str(&entry(record, "OUTPUT", &line::long(output)));
    text
}

fn entry(record: &Record<'_>, what: &str, text: &str) -> String {
    let (time, name) = (line::short(record.time), line::short(record.log_name));
    if text.is_empty() { format!("[{time}] {name}: {what}\n") } else { format!("[{time}] {name}: {what} | {text}\n") }
}

pub(super) fn append(session: &Session, text: &str) {
    if session.prepare().is_ok() {
        append::append(&session.folder().join(FILE), text);
    }
}
