//! The circuit breaker's memory: how often in a row the machine failed under a hook, per session.
//!
//! Each count carries a seal over itself, the session and the hook, so that a number that somebody writes there, or
//! copies from elsewhere, is no number. Whoever runs programs as this user and knows the seal can still make one; that
//! is why the breaker is never asked about a hook that fails closed.

use std::borrow::Cow;

use super::Session;
use crate::library::sha256_hex;
use crate::{Attempt, Json, Many};

const FILE: &str = "breaker";

/// How many failures in a row are on record. State that cannot be read says none: the hook runs and, if the state is
/// what broke, fails as its `fail_safe` says.
pub fn failures(session: &Session, hook: &str) -> i64 {
    session.read(FILE).map_or(0, |value| count(session, &value, hook))
}

/// Records one more failure; returns how many there are now.
pub fn record(session: &Session, hook: &str) -> Attempt<i64> {
    session.update(FILE, |value| {
        let failures = count(session, &value, hook).saturating_add(1);
        Ok((with(session, &value, hook, failures), failures))
    })
}

/// Closes the breaker again. A hook without failures, the usual case, costs no write and no lock.
pub fn reset(session: &Session, hook: &str) -> Attempt<()> {
    if session.read(FILE)?.get(hook).is_none() {
        return Ok(());
    }
    session.update(FILE, |value| Ok((with(session, &value, hook, 0), ())))
}

fn count(session: &Session, value: &Json<'_>, hook: &str) -> i64 {
    let found = value.get(hook);
    match found.and_then(|found| Some((found.get("failures")?, found.get("seal")?))) {
        Some((Json::Int(failures), Json::Text(given))) if *given == seal(session, hook, *failures) => *failures,
        _ => 0,
    }
}

fn seal(session: &Session, hook: &str, failures: i64) -> String {
    sha256_hex(&format!("breaker\0{}\0{hook}\0{failures}", session.folder().display()))
}

/// The same record with another count for one hook; hooks without failures are not listed.
fn with(session: &Session, value: &Json<'static>, hook: &str, failures: i64) -> Json<'static> {
    let mut hooks = match value {
        Json::Object(hooks) => hooks.iter().filter(|(name, _)| name != hook).cloned().collect(),
        _ => Vec::new(),
    };
    if failures > 0 {
        let sealed = vec![
            (Cow::Borrowed("failures"), Json::Int(failures)),
            (Cow::Borrowed("seal"), Json::Text(Cow::Owned(seal(session, hook, failures)))),
        ];
        hooks.push((Cow::Owned(hook.to_owned()), Json::Object(Many::Owned(sealed))));
    }
    Json::Object(Many::Owned(hooks))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::state::Store;

    #[test]
    fn failures_add_up_per_hook_and_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        let session = store.session("s");
        assert_eq!((record(&session, "H01"), record(&session, "H01"), record(&session, "H02")), (Ok(1), Ok(2), Ok(1)));
        assert_eq!((failures(&session, "H01"), failures(&session, "H02"), failures(&session, "H03")), (2, 1, 0));
        assert_eq!(failures(&store.session("other"), "H01"), 0);
        reset(&session, "H01").expect("state");
        assert_eq!((failures(&session, "H01"), failures(&session, "H02")), (0, 1));
    }

    #[test]
    fn a_reset_without_failures_writes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Store::at(folder.path().join("state")).session("s");
        reset(&session, "H01").expect("nothing there");
        assert!(!folder.path().join("state").exists());
    }

    #[test]
    fn a_damaged_record_says_no_failures() {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Store::at(folder.path().join("state")).session("s");
        record(&session, "H01").expect("state");
        let file = session.folder().join("breaker.json");
        for damage in ["", "[3]", r#"{"H01":"3"}"#, r#"{"H01":-3}"#, r#"{"H01":{"failures":3}}"#] {
            fs::write(&file, damage).expect("damaged");
            assert_eq!(failures(&session, "H01"), 0, "{damage}");
            assert_eq!(record(&session, "H01"), Ok(1), "{damage}");
        }
    }

    #[test]
    fn a_count_that_no_hook_wrote_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        let (session, other) = (store.session("s"), store.session("t"));
        record(&other, "H01").expect("state");
        record(&session, "H01").expect("state");
        let (file, text) = (session.folder().join("breaker.json"), other.folder().join("breaker.json"));
        let sealed = fs::read_to_string(&file).expect("there");
        assert_eq!(failures(&session, "H01"), 1);
        let from_elsewhere = fs::read_to_string(text).expect("there");
        for forged in [
            r#"{"H01":3}"#.to_owned(),
            sealed.replace("\"failures\":1", "\"failures\":3"),
            sealed.replace("H01", "H02"),
            from_elsewhere,
        ] {
            fs::write(&file, &forged).expect("written");
            assert_eq!((failures(&session, "H01"), failures(&session, "H02")), (0, 0), "{forged}");
        }
    }
}
