//! Where the runtime keeps logs and state, for whoever has to find or to protect them.

use hookgen_runtime::client::claude::places::PLUGIN_DATA;
use hookgen_runtime::{log, state};
use serde::Serialize;

use super::markdown::{Table, code};
use crate::model::{Catalog, FailSafe, Kind};

#[derive(Serialize)]
pub(super) struct KeepingView {
    folder: String,
    files: Table,
    full: u64,
    kept: u32,
}

/// Where a project cannot move the home folder, it cannot move this one by its own variable either.
fn folder(catalog: &Catalog) -> String {
    let closed = catalog.hooks.iter().any(|hook| hook.kind == Kind::Command && hook.fail_safe == FailSafe::Closed);
    let moved = if closed { String::new() } else { format!("{}, or below ", code("XDG_STATE_HOME")) };
    format!(
        "the one that {} names, which the client does for plugins; else {} below {moved}{} ({} on macOS)",
        code(PLUGIN_DATA),
        code(&format!("hookgen/{}", catalog.name)),
        code("~/.local/state"),
        code("~/Library/Application Support")
    )
}

pub(super) fn view(catalog: &Catalog) -> KeepingView {
    let row = |file: &str, holds: String| [code(file), holds];
    let session = |file: &str| format!("sessions/<session>/{file}");
    let log_holds = match &catalog.verbose_env {
        Some(name) => format!(
            "the same for people, as {}; with {} also what each process read and answered",
            code("[time] hook: DECISION | reason"),
            code(&format!("{name}=true"))
        ),
        None => format!("the same for people, as {}", code("[time] hook: DECISION | reason")),
    };
    let rows = vec![
        row(
            log::AUDIT_FILE,
            "each decision of all sessions as one JSON object per line: time, catalog with version and digest, hook, \
             check, event, tool, decision, mode, reason, duration and session; `hookgen stats` sums it up"
                .to_owned(),
        ),
        row(&session(log::HUMAN_FILE), log_holds),
        row(
            &session("…"),
            format!(
                "counters, what has happened, what hooks remember and what the person was told; gone {} days after the last use",
                state::STALE.as_secs() / (24 * 60 * 60)
            ),
        ),
    ];
    KeepingView {
        folder: folder(catalog),
        files: Table::new(["file", "holds"], rows),
        full: log::FULL >> 20,
        kept: log::KEPT,
    }
}
