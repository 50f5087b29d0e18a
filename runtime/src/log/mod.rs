//! What hooks decided: a log that a person reads, and an audit trail that a program reads.
//!
//! Writing never fails and never waits: a log that cannot be written changes no decision.

mod about;
mod account;
mod append;
mod audit;
mod fields;
mod human;
mod line;
mod password_option;
#[cfg(test)]
mod published_shapes;
mod redact;
mod secret_name;
#[cfg(test)]
mod shapes;
mod token;
mod who;

pub(crate) use about::kept;
pub use append::{FULL, KEPT};
pub use audit::FILE as AUDIT_FILE;
pub use fields::{FIELDS, Field, FieldKind, VERSION};
pub use human::FILE as HUMAN_FILE;
pub use redact::redact;
pub(crate) use who::{host_here as host, user_here as user};

use crate::json::Json;
use crate::state::{Session, Store};

/// One decision.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// When, as `2026-02-04T14:23:15Z`
    pub time: &'a str,
    /// The catalog's name
    pub catalog: &'a str,
    /// The catalog's version
    pub version: &'a str,
    /// The digest of the catalog that the binary was built from
    pub digest: &'a str,
    /// The hook's id
    pub hook: &'a str,
    /// What the human log calls the hook
    pub log_name: &'a str,
    /// The check that decided
    pub check: Option<&'a str>,
    /// The event
    pub event: &'a str,
    /// What the client sent
    pub payload: &'a Json<'a>,
    /// The project's folder
    pub project: &'a str,
    /// The client that called
    pub client: &'a str,
    /// What the config file says on the settings that were asked for
    pub settings: &'a [(String, String)],
    /// The decision
    pub decision: &'a str,
    /// `warn` or `audit` when the decision was not carried out
    pub mode: Option<&'a str>,
    /// Why; may be empty
    pub reason: &'a str,
    /// How long the hook took
    pub duration_us: u64,
}

/// Writes the decision to the session's log and to the store's audit trail.
pub fn write(store: &Store, session: &Session, record: &Record<'_>) {
    human::append(session, &human::decision(record));
    audit::append(store, session, record);
}

/// Writes all that the process was given and all that it answered to the session's log.
pub fn write_exchange(session: &Session, record: &Record<'_>, input: &str, output: &str) {
    human::append(session, &human::exchange(record, input, output));
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::json::Many;

    static PAYLOAD: Json<'static> = Json::Object(Many::Borrowed(&[
        (Cow::Borrowed("session_id"), Json::text("s")),
        (Cow::Borrowed("cwd"), Json::text("/p/sub")),
        (Cow::Borrowed("permission_mode"), Json::text("default")),
        (Cow::Borrowed("tool_name"), Json::text("Write")),
        (Cow::Borrowed("tool_use_id"), Json::text("toolu_1")),
        (
            Cow::Borrowed("tool_input"),
            Json::Object(Many::Borrowed(&[(Cow::Borrowed("file_path"), Json::text("/p/spec.md"))])),
        ),
        (Cow::Borrowed("agent_type"), Json::text("checker")),
        (Cow::Borrowed("agent_id"), Json::text("a1")),
    ]));

    pub(super) const RECORD: Record<'static> = Record {
        time: "2026-02-04T14:23:15Z",
        catalog: "product-planning",
        version: "1.1.0",
        digest: "0123abcd",
        hook: "H01",
        log_name: "H01_immutable_guard",
        check: Some("started"),
        event: "PreToolUse",
        payload: &PAYLOAD,
        project: "/p",
        client: "claude",
        settings: &[],
        decision: "deny",
        mode: None,
        reason: "spec.md is immutable",
        duration_us: 412,
    };

    fn state() -> (TempDir, Store, Session) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        let session = store.session("s");
        (folder, store, session)
    }

    fn human(session: &Session) -> String {
        fs::read_to_string(session.folder().join("hooks.log")).expect("written")
    }

    fn audit(store: &Store) -> String {
        fs::read_to_string(store.folder().join("audit.jsonl")).expect("written")
    }

    #[test]
    fn a_decision_is_one_line_in_each_log() {
        let (_folder, store, session) = state();
        write(&store, &session, &RECORD);
        assert_eq!(human(&session), "[2026-02-04T14:23:15Z] H01_immutable_guard: DENY | spec.md is immutable\n");
        let line = audit(&store);
        assert!(line.starts_with(r#"{"v":1,"id":""#) && line.ends_with("}\n") && line.lines().count() == 1, "{line}");
    }

    #[test]
    fn a_decision_that_was_not_carried_out_is_marked_in_both_logs() {
        for (mode, word) in [("warn", "WARN-ONLY"), ("audit", "AUDIT-ONLY")] {
            let (_folder, store, session) = state();
            write(&store, &session, &Record { mode: Some(mode), ..RECORD });
            assert!(human(&session).contains(&format!(": {word} DENY | spec.md")), "{}", human(&session));
            assert!(audit(&store).contains(&format!(r#""decision":"deny","mode":"{mode}""#)), "{}", audit(&store));
        }
    }

    #[test]
    fn no_text_can_forge_a_line_or_steer_a_terminal() {
        let (_folder, store, session) = state();
        let reason = "no\n[2026-01-01T00:00:00Z] H02: ALLOW\r\u{1b}[2J\u{2028}x\u{202e}y\0z";
        let payload = Json::parse("{\"session_id\":\"a\\nb\",\"tool_input\":{\"a\\nb\":\"\\u2028\"}}").expect("JSON");
        write(&store, &session, &Record { reason, hook: "H\n1", payload: &payload, ..RECORD });
        for text in [human(&session), audit(&store)] {
            assert_eq!(text.lines().count(), 1, "{text:?}");
            assert!(text.ends_with('\n'));
            let inside = text.trim_end_matches('\n');
            assert!(!inside.chars().any(|c| c.is_control() || c == '\u{2028}' || c == '\u{202e}'), "{text:?}");
        }
    }

    #[test]
    fn secrets_reach_neither_log() {
        let (_folder, store, session) = state();
        let secret = "ghp_0123456789abcdefghij0123456789abcdef";
        let payload = format!(r#"{{"tool_input":{{"command":"git push https://{secret}@example.org"}}}}"#);
        let payload = Json::parse(&payload).expect("JSON");
        let record = Record { reason: &format!("the command pushes with {secret}"), payload: &payload, ..RECORD };
        write(&store, &session, &record);
        write_exchange(&session, &record, &format!(r#"{{"command":"TOKEN={secret}"}}"#), secret);
        assert!(!human(&session).contains("ghp_"), "{}", human(&session));
        assert!(!audit(&store).contains("ghp_"), "{}", audit(&store));
    }

    #[test]
    fn the_verbose_log_shows_input_and_output() {
        let (_folder, _store, session) = state();
        write_exchange(&session, &RECORD, "{\n \"tool_name\": \"Write\"}\n", "{\"decision\":\"block\"}");
        assert_eq!(
            human(&session),
            "[2026-02-04T14:23:15Z] H01_immutable_guard: INPUT | {  \"tool_name\": \"Write\"}\n\
             [2026-02-04T14:23:15Z] H01_immutable_guard: OUTPUT | {\"decision\":\"block\"}\n"
        );
    }

    #[test]
    fn a_log_that_cannot_be_written_changes_nothing() {
        let (folder, store, session) = state();
        fs::write(folder.path().join("state"), "a file in the way").expect("written");
        write(&store, &session, &RECORD);
        assert_eq!(fs::read_to_string(folder.path().join("state")).expect("there"), "a file in the way");
    }

    #[test]
    fn the_audit_trail_needs_no_folder_of_the_session() {
        let (_folder, store, session) = state();
        store.prepare().expect("created");
        fs::write(store.folder().join("sessions"), "a file in the way").expect("written");
        write(&store, &session, &RECORD);
        assert_eq!(audit(&store).lines().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_link_or_pipe_is_not_written_to() {
        let (folder, store, session) = state();
        let victim = folder.path().join("victim");
        fs::write(&victim, "").expect("written");
        session.prepare().expect("created");
        std::os::unix::fs::symlink(&victim, session.folder().join("hooks.log")).expect("a link");
        let pipe = store.folder().join("audit.jsonl");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success());
        write(&store, &session, &RECORD);
        assert_eq!(fs::read_to_string(&victim).expect("there"), "");
        assert_eq!(made, pipe.exists() && !fs::metadata(&pipe).expect("there").is_file());
    }

    #[test]
    fn parallel_writers_do_not_mix_their_lines() {
        let (_folder, store, _) = state();
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let store = store.clone();
                scope.spawn(move || {
                    let session = store.session("s");
                    let reason = writer.to_string().repeat(2000);
                    for _ in 0..25 {
                        write(&store, &session, &Record { reason: &reason, ..RECORD });
                    }
                });
            }
        });
        let text = audit(&store);
        assert_eq!(text.lines().count(), 200);
        assert!(text.lines().all(|line| crate::Json::parse(line).is_ok()));
    }
}
