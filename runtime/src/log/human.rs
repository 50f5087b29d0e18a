//! The log that a person reads, in the session's folder.

use super::{Record, append, line};
use crate::state::Session;

/// Its name, in the session's folder.
pub const FILE: &str = "hooks.log";

/// `[time] hook: DECISION | reason`
pub(super) fn decision(record: &Record<'_>) -> String {
    let word = record.decision.to_uppercase();
    let word = match record.mode {
        Some(mode) => format!("{}-ONLY {word}", mode.to_uppercase()),
        None => word,
    };
    entry(record, &word, &line::short(record.reason))
}

/// What the process read and wrote.
pub(super) fn exchange(record: &Record<'_>, input: &str, output: &str) -> String {
    let mut text = entry(record, "INPUT", &line::long(input));
    text.push_str(&entry(record, "OUTPUT", &line::long(output)));
    text
}

fn entry(record: &Record<'_>, what: &str, text: &str) -> String {
    let (time, name) = (record.time, line::short(record.log_name));
    if text.is_empty() { format!("[{time}] {name}: {what}\n") } else { format!("[{time}] {name}: {what} | {text}\n") }
}

pub(super) fn append(session: &Session, text: &str) {
    if session.prepare().is_ok() {
        append::append(&session.folder().join(FILE), text);
    }
}
