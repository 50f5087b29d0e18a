//! The audit trail that a program reads: one JSON object per line, for all sessions of a catalog.

use std::borrow::Cow;

use super::{Record, append, line};
use crate::state::{Session, Store};
use crate::{Json, Many};

/// Its name, in the store's folder.
pub const FILE: &str = "audit.jsonl";

pub(super) fn append(store: &Store, session: &Session, record: &Record<'_>) {
    // The session's folder lies in the store's, and is known to be there more often than not.
    if session.prepare().is_ok() || store.prepare().is_ok() {
        append::append(&store.folder().join(FILE), &entry(record));
    }
}

/// The line. A field without a value is left out, never null or empty.
fn entry(record: &Record<'_>) -> String {
    let duration = Json::Int(i64::try_from(record.duration_us).unwrap_or(i64::MAX));
    let text = |text| Json::Text(Cow::Owned(line::short(text)));
    let fields = [
        ("time", text(record.time)),
        ("catalog", text(record.catalog)),
        ("version", text(record.version)),
        ("digest", text(record.digest)),
        ("hook", text(record.hook)),
        ("check", text(record.check.unwrap_or_default())),
        ("event", text(record.event)),
        ("tool", text(record.tool.unwrap_or_default())),
        ("decision", text(record.decision)),
        ("mode", text(record.mode.unwrap_or_default())),
        ("reason", text(record.reason)),
        ("duration_us", duration),
        ("session", text(record.session)),
    ];
    let present = fields
        .into_iter()
        .filter(|(_, value)| *value != Json::text(""))
        .map(|(name, value)| (Cow::Borrowed(name), value))
        .collect();
    format!("{}\n", Json::Object(Many::Owned(present)))
}
