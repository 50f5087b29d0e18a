//! The audit trail that a program reads: one JSON object per line, for all sessions of a catalog.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::fields::{Entry, object};
use super::who::Who;
use super::{Record, append};
use crate::library::digest;
use crate::state::{Session, Store};

/// Its name, in the store's folder.
pub const FILE: &str = "audit.jsonl";

/// As many digits as tell the lines of a machine apart and can still be read out.
const ID_DIGITS: usize = 10;

pub(super) fn append(store: &Store, session: &Session, record: &Record<'_>) {
    // The session's folder lies in the store's, and is known to be there more often than not.
    if session.prepare().is_ok() || store.prepare().is_ok() {
        let who = Who::is_here(store.folder());
        append::append(&store.folder().join(FILE), &line(&Entry { record, id: &id(), who: &who }));
    }
}

fn line(entry: &Entry<'_>) -> String {
    format!("{}\n", object(entry))
}

/// Another one for every line: no two processes have the same number at the same nanosecond.
fn id() -> String {
    static LINES: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let number = LINES.fetch_add(1, Ordering::Relaxed);
    let mut id = digest(&format!("{now} {} {number}", std::process::id()));
    id.truncate(ID_DIGITS);
    id
}

#[cfg(test)]
mod tests {
    use super::super::tests::RECORD;
    use super::*;
    use crate::json::Json;

    #[test]
    fn a_line_says_what_was_decided_about_by_whom_and_where() {
        let who = Who {
            user: "dev".to_owned(),
            uid: Some(1000),
            host: "box".to_owned(),
            client_version: "2.1.295".to_owned(),
        };
        let settings = [("limits.calls".to_owned(), "5".to_owned())];
        let record = Record { settings: &settings, ..RECORD };
        assert_eq!(
            line(&Entry { record: &record, id: "0123456789", who: &who }),
            concat!(
                r#"{"v":1,"id":"0123456789","time":"2026-02-04T14:23:15Z","catalog":"product-planning","#,
                r#""version":"1.1.0","digest":"0123abcd","hook":"H01","check":"started","event":"PreToolUse","#,
                r#""tool":"Write","tool_use_id":"toolu_1","input":{"file_path":"/p/spec.md"},"decision":"deny","#,
                r#""reason":"spec.md is immutable","settings":{"limits.calls":"5"},"duration_us":412,"session":"s","#,
                r#""project":"/p","cwd":"/p/sub","permission_mode":"default","client":"claude","#,
                r#""client_version":"2.1.295","agent":"checker","agent_id":"a1","user":"dev","uid":1000,"host":"box"}"#,
                "\n"
            )
        );
    }

    #[test]
    fn what_is_absent_is_left_out() {
        let record = Record { check: None, reason: "", payload: &Json::Null, ..RECORD };
        let line = line(&Entry { record: &record, id: "1", who: &Who::default() });
        let Json::Object(fields) = Json::parse(&line).expect("JSON") else { panic!("{line}") };
        let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_ref()).collect();
        let always = super::super::FIELDS.iter().filter(|field| field.always || field.name == "project");
        assert_eq!(names, always.map(|field| field.name).collect::<Vec<_>>());
    }

    #[test]
    fn no_two_lines_have_the_same_id() {
        let mut ids: Vec<String> = (0..1000).map(|_| id()).collect();
        assert!(ids.iter().all(|id| id.len() == ID_DIGITS));
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 1000);
    }
}
