//! What a session has noted: one text per name, the last one counts.

use std::borrow::Cow;

use super::Session;
use crate::failure::Attempt;
use crate::json::{Json, Many};

const FILE: &str = "notes";

/// More than any catalog notes; the oldest are forgotten first.
const MOST_NAMES: usize = 1_000;
/// A note is a name or a sentence, not a document.
const LONGEST: usize = 10_000;

/// Notes a text under a name, in place of the one before.
pub fn note(session: &Session, name: &str, text: &str) -> Attempt<()> {
    session.update(FILE, |value| {
        let mut notes = match value {
            Json::Object(Many::Owned(notes)) => notes,
            _ => Vec::new(),
        };
        notes.retain(|(known, _)| known != name);
        notes.push((Cow::Owned(name.to_owned()), Json::Text(Cow::Owned(text.chars().take(LONGEST).collect()))));
        let surplus = notes.len().saturating_sub(MOST_NAMES);
        notes.drain(..surplus);
        Ok((Json::Object(Many::Owned(notes)), ()))
    })
}

/// Takes the note under a name away.
pub fn forget(session: &Session, name: &str) -> Attempt<()> {
    if session.read(FILE)?.get(name).is_none() {
        return Ok(());
    }
    session.update(FILE, |value| {
        let mut notes = match value {
            Json::Object(Many::Owned(notes)) => notes,
            _ => Vec::new(),
        };
        notes.retain(|(known, _)| known != name);
        Ok((Json::Object(Many::Owned(notes)), ()))
    })
}

/// The text under a name; empty if nothing was noted.
pub fn noted(session: &Session, name: &str) -> Attempt<String> {
    Ok(match session.read(FILE)?.get(name) {
        Some(Json::Text(text)) => text.to_string(),
        _ => String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Store;

    #[test]
    fn the_last_note_of_a_name_counts_in_its_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        let session = store.session("one");
        assert_eq!(noted(&session, "agent"), Ok(String::new()));
        note(&session, "agent", "first").expect("noted");
        note(&session, "task", "größe \"x\"\n").expect("noted");
        note(&session, "agent", "second").expect("noted");
        assert_eq!(noted(&session, "agent").as_deref(), Ok("second"));
        assert_eq!(noted(&session, "task").as_deref(), Ok("größe \"x\"\n"));
        assert_eq!(noted(&store.session("two"), "agent"), Ok(String::new()));
        forget(&session, "agent").expect("forgotten");
        assert_eq!(noted(&session, "agent"), Ok(String::new()));
        assert!(noted(&session, "task").is_ok_and(|text| !text.is_empty()));
    }

    #[test]
    fn notes_stay_small() {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Store::at(folder.path().join("state")).session("one");
        note(&session, "long", &"ß".repeat(LONGEST + 5)).expect("noted");
        assert_eq!(noted(&session, "long").expect("there").chars().count(), LONGEST);
        for number in 0..MOST_NAMES {
            note(&session, &number.to_string(), "x").expect("noted");
        }
        assert_eq!(noted(&session, "long"), Ok(String::new()));
    }
}
