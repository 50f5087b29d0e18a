//! What the hooks wrote down about their decisions.

use std::fmt;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};

use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::log::AUDIT_FILE;
use serde::Serialize;
use serde_json::Value;

/// A line of the audit log, as far as a failed case needs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decided {
    pub hook: String,
    /// The check that decided; absent when the hook had nothing to say or broke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    pub decision: String,
    /// `warn` or `audit` when the decision was not carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    pub reason: String,
}

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let check = self.check.as_deref().map_or("no check".to_owned(), |check| format!("check `{check}`"));
        write!(f, "{} by {check} of {}: {}", self.decision, self.hook, self.reason)
    }
}

/// The audit log so far. A log that is not there is empty, and a line that cannot be read is left out: it explains
/// failures, and nothing is judged by it.
pub(super) fn decisions(data: &Utf8Path) -> Vec<Decided> {
    decisions_after(data, &mut 0)
}

/// What was added to the audit log behind a place, which moves on to the end. A log that has become shorter was set
/// aside, and is another one.
pub(super) fn decisions_after(data: &Utf8Path, place: &mut u64) -> Vec<Decided> {
    let trail = data.join(AUDIT_FILE);
    let mut text = Vec::new();
    // A pipe in its place would never come to an end. What cannot be read is empty, and what was read before an error counts.
    let opened = if trail.is_file() { File::open(trail) } else { return Vec::new() };
    let _ = opened.and_then(|mut log| {
        if log.metadata()?.len() < *place {
            *place = 0;
        }
        log.seek(SeekFrom::Start(*place))?;
        log.read_to_end(&mut text)
    });
    *place += text.len() as u64;
    text.split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .map(|line| decided(&line))
        .collect()
}

fn decided(line: &Value) -> Decided {
    let text = |name: &str| line.get(name).and_then(Value::as_str).map(str::to_owned);
    Decided {
        hook: text("hook").unwrap_or_default(),
        check: text("check"),
        decision: text("decision").unwrap_or_default(),
        mode: text("mode"),
        reason: text("reason").unwrap_or_default(),
    }
}

/// The text of every decision log below the folder.
pub(super) fn logs(data: &Utf8Path) -> String {
    let mut files = Vec::new();
    find_logs(data, &mut files);
    files.sort();
    files.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

fn find_logs(folder: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    let Ok(entries) = folder.read_dir_utf8() else { return };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => find_logs(entry.path(), found),
            Ok(kind) if kind.is_file() && entry.file_name() == "hooks.log" => found.push(entry.into_path()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_read_line_by_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Utf8Path::from_path(folder.path()).expect("UTF-8");
        assert_eq!(decisions(data), []);
        let log =
            "{\"hook\":\"H01\",\"check\":\"a\",\"decision\":\"deny\",\"reason\":\"no\"}\nbroken\n{\"hook\":\"H02\"}\n";
        fs::write(data.join("audit.jsonl"), log).expect("written");
        let found = decisions(data);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].check.as_deref(), found[0].decision.as_str()), (Some("a"), "deny"));
        assert_eq!((found[1].hook.as_str(), found[1].check.as_deref()), ("H02", None));
    }

    #[test]
    fn what_was_read_once_is_not_read_again_unless_the_log_is_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Utf8Path::from_path(folder.path()).expect("UTF-8");
        let mut place = 0;
        let mut hooks = |log: &str| {
            fs::write(data.join("audit.jsonl"), log).expect("written");
            decisions_after(data, &mut place).into_iter().map(|line| line.hook).collect::<Vec<_>>()
        };
        let (first, second) = ("{\"hook\":\"H01\"}\n", "{\"hook\":\"H02\",\"check\":\"c\"}\n");
        assert_eq!(hooks(first), ["H01"]);
        assert_eq!(hooks(&format!("{first}{second}")), ["H02"]);
        assert!(hooks(&format!("{first}{second}")).is_empty());
        assert_eq!(hooks(second), ["H02"]);
    }

    #[test]
    fn logs_are_found_at_any_depth() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Utf8Path::from_path(folder.path()).expect("UTF-8");
        for session in ["a", "b"] {
            let path = data.join("sessions").join(session);
            fs::create_dir_all(&path).expect("created");
            fs::write(path.join("hooks.log"), format!("{session}\n")).expect("written");
            fs::write(path.join("other.log"), "other\n").expect("written");
        }
        assert_eq!(logs(data), "a\nb\n");
    }
}
