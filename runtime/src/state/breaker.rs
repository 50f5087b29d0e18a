//! The circuit breaker's memory: how often in a row a hook itself broke, per session.

use std::borrow::Cow;

use super::Session;
use crate::{Attempt, Json, Many};

const FILE: &str = "breaker";

/// How many failures in a row are on record. State that cannot be read says none: the hook runs and, if the state is
/// what broke, fails as its `fail_safe` says.
pub fn failures(session: &Session, hook: &str) -> i64 {
    session.read(FILE).map_or(0, |value| count(&value, hook))
}

/// Records one more failure; returns how many there are now.
pub fn record(session: &Session, hook: &str) -> Attempt<i64> {
    session.update(FILE, |value| {
        let failures = count(&value, hook).saturating_add(1);
        Ok((with(&value, hook, failures), failures))
    })
}

/// Closes the breaker again. A hook without failures, the usual case, costs no write and no lock.
pub fn reset(session: &Session, hook: &str) -> Attempt<()> {
    if count(&session.read(FILE)?, hook) == 0 {
        return Ok(());
    }
    session.update(FILE, |value| Ok((with(&value, hook, 0), ())))
}

fn count(value: &Json<'_>, hook: &str) -> i64 {
    match value.get(hook) {
        Some(Json::Int(failures)) => (*failures).max(0),
        _ => 0,
    }
}

/// The same record with another count for one hook; hooks without failures are not listed.
fn with(value: &Json<'static>, hook: &str, failures: i64) -> Json<'static> {
    let mut hooks = match value {
        Json::Object(hooks) => hooks.iter().filter(|(name, _)| name != hook).cloned().collect(),
        _ => Vec::new(),
    };
    if failures > 0 {
        hooks.push((Cow::Owned(hook.to_owned()), Json::Int(failures)));
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
        for damage in ["", "[3]", r#"{"H01":"3"}"#, r#"{"H01":-3}"#] {
            fs::write(&file, damage).expect("damaged");
            assert_eq!(failures(&session, "H01"), 0, "{damage}");
            assert_eq!(record(&session, "H01"), Ok(1), "{damage}");
        }
    }
}
