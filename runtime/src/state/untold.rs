//! What the person should hear, kept from an event on which the client shows nothing for one on which it does.

use std::borrow::Cow;

use super::Session;
use crate::{Attempt, Json, Many};

const FILE: &str = "untold";

/// More would not be read, and the log has them all.
const MOST: usize = 20;

/// Keeps a text until somebody can say it.
pub fn keep(session: &Session, text: &str) -> Attempt<()> {
    session.update(FILE, |value| {
        let mut kept = texts(value);
        kept.push(text.to_owned());
        let kept = kept.into_iter().take(MOST).map(|text| Json::Text(Cow::Owned(text))).collect();
        Ok((Json::List(Many::Owned(kept)), ()))
    })
}

/// Hands out what was kept, each text to one process. Nothing kept, the usual case, costs no lock.
pub fn take(session: &Session) -> Attempt<Vec<String>> {
    if texts(session.read(FILE)?).is_empty() {
        return Ok(Vec::new());
    }
    session.update(FILE, |value| Ok((Json::List(Many::Owned(Vec::new())), texts(value))))
}

fn texts(value: Json<'static>) -> Vec<String> {
    let Json::List(items) = value else { return Vec::new() };
    let texts = items.iter().filter_map(|item| match item {
        Json::Text(text) => Some(text.to_string()),
        _ => None,
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Store;

    #[test]
    fn what_is_kept_is_handed_out_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        let session = store.session("s");
        assert_eq!(take(&session), Ok(vec![]));
        keep(&session, "a").expect("kept");
        keep(&session, "b").expect("kept");
        assert_eq!(take(&store.session("t")), Ok(vec![]));
        assert_eq!(take(&session), Ok(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(take(&session), Ok(vec![]));
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Store::at(folder.path().join("state")).session("s");
        for _ in 0..50 {
            keep(&session, "a").expect("kept");
        }
        assert_eq!(take(&session).map(|texts| texts.len()), Ok(MOST));
    }
}
