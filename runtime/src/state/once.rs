//! Things that are said once per session.

use std::borrow::Cow;

use super::Session;
use crate::{Attempt, Json, Many};

const FILE: &str = "once";

/// True the first time that a session asks about `what`.
///
/// State that cannot be read or written answers true: a notice said twice is better than one never said.
pub fn first_time(session: &Session, what: &str) -> bool {
    ask(session, what).unwrap_or(true)
}

fn ask(session: &Session, what: &str) -> Attempt<bool> {
    if is_listed(&session.read(FILE)?, what) {
        return Ok(false);
    }
    session.update(FILE, |value| {
        if is_listed(&value, what) {
            return Ok((value, false));
        }
        let mut said = match value {
            Json::List(said) => said.to_vec(),
            _ => Vec::new(),
        };
        said.push(Json::Text(Cow::Owned(what.to_owned())));
        Ok((Json::List(Many::Owned(said)), true))
    })
}

fn is_listed(value: &Json<'_>, what: &str) -> bool {
    matches!(value, Json::List(said) if said.contains(&Json::text(what)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::state::Store;

    #[test]
    fn each_thing_is_new_once_per_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        let ask = |session: &str, what: &str| first_time(&store.session(session), what);
        assert_eq!([ask("s", "a"), ask("s", "a"), ask("s", "b"), ask("t", "a")], [true, false, true, true]);
    }

    #[test]
    fn of_many_at_the_same_time_one_is_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        let first = std::thread::scope(|scope| {
            let ask = |_| {
                let store = Store::at(path.clone());
                scope.spawn(move || first_time(&store.session("s"), "a"))
            };
            let threads: Vec<_> = (0..16).map(ask).collect();
            threads.into_iter().map(|thread| thread.join().expect("ran")).filter(|first| *first).count()
        });
        assert_eq!(first, 1);
    }

    #[test]
    fn broken_state_loses_no_notice() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        let session = Store::at(file).session("s");
        assert!(first_time(&session, "a"));
    }
}
