//! What a session keeps in mind: texts that some hook wanted remembered.

use std::borrow::Cow;

use super::Session;
use crate::failure::Attempt;
use crate::json::{Json, Many};
use crate::library::digest;

const FILE: &str = "memory";

/// More than any session says; the oldest are forgotten first.
const MOST: usize = 10_000;

/// Keeps a text in mind.
pub fn remember(session: &Session, what: &str) -> Attempt<()> {
    let mark = digest(what);
    session.update(FILE, |known| {
        let mut marks = marks(known);
        if !marks.contains(&mark) {
            marks.push(mark);
        }
        let surplus = marks.len().saturating_sub(MOST);
        let kept = marks.into_iter().skip(surplus).map(|mark| Json::Text(Cow::Owned(mark))).collect();
        Ok((Json::List(Many::Owned(kept)), ()))
    })
}

/// Has a text out of mind again.
pub fn forget(session: &Session, what: &str) -> Attempt<()> {
    if !remembers(session, what)? {
        return Ok(());
    }
    let gone = digest(what);
    session.update(FILE, |known| {
        let kept = marks(known).into_iter().filter(|mark| *mark != gone).map(|mark| Json::Text(Cow::Owned(mark)));
        Ok((Json::List(Many::Owned(kept.collect())), ()))
    })
}

/// Whether a text is in mind.
pub fn remembers(session: &Session, what: &str) -> Attempt<bool> {
    Ok(marks(session.read(FILE)?).contains(&digest(what)))
}

fn marks(known: Json<'static>) -> Vec<String> {
    let Json::List(items) = known else { return Vec::new() };
    let texts = items.iter().filter_map(|item| match item {
        Json::Text(mark) => Some(mark.to_string()),
        _ => None,
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Store;

    #[test]
    fn a_session_remembers_what_it_was_told_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        let session = store.session("one");
        assert_eq!(remembers(&session, "a"), Ok(false));
        remember(&session, "a").expect("remembered");
        remember(&session, "a").expect("remembered");
        assert_eq!(remembers(&session, "a"), Ok(true));
        assert_eq!(remembers(&session, "b"), Ok(false));
        assert_eq!(remembers(&store.session("two"), "a"), Ok(false));
    }

    #[test]
    fn what_is_forgotten_is_gone_and_all_else_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        let session = store.session("one");
        forget(&session, "a").expect("nothing there");
        assert!(!session.folder().exists(), "nothing is written about nothing");
        remember(&session, "a").expect("remembered");
        remember(&session, "b").expect("remembered");
        forget(&session, "a").expect("forgotten");
        assert_eq!((remembers(&session, "a"), remembers(&session, "b")), (Ok(false), Ok(true)));
    }
}
