//! What happened in a session, under names that the catalog declares: when, in which order, and to what.

use std::borrow::Cow;

use super::Session;
use crate::failure::Attempt;
use crate::json::{Json, Many};
use crate::library::digest;

/// The name of its file among those of a session.
pub const FILE: &str = "history";

/// How much is kept under one name; the oldest goes first. A name that is recorded without end takes no room from others.
pub const MOST: usize = 1_000;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening {
    /// Its place in the order of all that happened.
    pub place: usize,
    /// When, in seconds since the start of 1970.
    pub at: i64,
    /// A digest of what it happened to; empty where that does not matter.
    to: String,
}

impl Happening {
    /// Whether it happened to that.
    pub fn is_of(&self, what: &str) -> bool {
        self.to == digest(what)
    }
}

/// Records that something happened, to something or just so.
pub fn record(session: &Session, name: &str, to: Option<&str>, at: i64) -> Attempt<()> {
    let to = to.map(digest).unwrap_or_default();
    session.update(FILE, |value| {
        let mut all = rows(value);
        all.push((name.to_owned(), at, to));
        if all.iter().filter(|(known, ..)| known == name).count() > MOST
            && let Some(oldest) = all.iter().position(|(known, ..)| known == name)
        {
            all.remove(oldest);
        }
        Ok((Json::List(Many::Owned(all.into_iter().map(row).collect())), ()))
    })
}

/// All that is known to have happened under a name, the oldest first.
pub fn recorded(session: &Session, name: &str) -> Attempt<Vec<Happening>> {
    let all = rows(session.read(FILE)?).into_iter().enumerate();
    let named = all.filter(|(_, (known, ..))| known == name);
    Ok(named.map(|(place, (_, at, to))| Happening { place, at, to }).collect())
}

/// What a session's file holds when so many seconds have passed.
pub fn aged(text: &str, seconds: i64) -> String {
    let all = Json::parse(text).map(|value| rows(value.into_owned())).unwrap_or_default();
    let older = all.into_iter().map(|(name, at, to)| row((name, at.saturating_sub(seconds), to)));
    format!("{}\n", Json::List(Many::Owned(older.collect())))
}

type Row = (String, i64, String);

/// Reads what the file holds. What is not of the expected shape was not written here and counts as nothing.
fn rows(value: Json<'static>) -> Vec<Row> {
    let Json::List(items) = value else { return Vec::new() };
    let read = items.iter().filter_map(|item| {
        let Json::List(parts) = item else { return None };
        match &**parts {
            [Json::Text(name), Json::Int(at), Json::Text(to)] => Some((name.to_string(), *at, to.to_string())),
            _ => None,
        }
    });
    read.collect()
}

fn row((name, at, to): Row) -> Json<'static> {
    let text = |text: String| Json::Text(Cow::Owned(text));
    Json::List(Many::Owned(vec![text(name), Json::Int(at), text(to)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Store;

    #[test]
    fn what_happened_is_told_by_its_name_and_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        let session = store.session("one");
        assert_eq!(recorded(&session, "edits"), Ok(Vec::new()));
        record(&session, "edits", Some("a.rs"), 5).expect("recorded");
        record(&session, "tests", None, 5).expect("recorded");
        record(&session, "edits", Some("b.rs"), 6).expect("recorded");
        let edits = recorded(&session, "edits").expect("there");
        let told: Vec<_> = edits.iter().map(|edit| (edit.place, edit.at, edit.is_of("b.rs"))).collect();
        assert_eq!(told, [(0, 5, false), (2, 6, true)]);
        assert!(!recorded(&session, "tests").expect("there")[0].is_of(""));
        assert_eq!(recorded(&store.session("two"), "edits"), Ok(Vec::new()));
        let text = std::fs::read_to_string(session.folder().join("history.json")).expect("there");
        assert!(text.contains("edits") && !text.contains("a.rs"), "{text}");
    }

    #[test]
    fn a_name_that_fills_up_loses_its_own_oldest() {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Store::at(folder.path().join("state")).session("one");
        record(&session, "rare", None, 1).expect("recorded");
        let full = (0..MOST).map(|at| row(("often".to_owned(), i64::try_from(at).expect("small"), String::new())));
        let rare = row(("rare".to_owned(), 1, String::new()));
        let full: Vec<Json<'static>> = std::iter::once(rare).chain(full).collect();
        session.update(FILE, |_| Ok((Json::List(Many::Owned(full)), ()))).expect("written");
        record(&session, "often", None, 9).expect("recorded");
        let often = recorded(&session, "often").expect("there");
        assert_eq!((often.len(), often[0].at, often[MOST - 1].at), (MOST, 1, 9));
        assert_eq!(recorded(&session, "rare").expect("there").len(), 1);
    }

    #[test]
    fn parallel_calls_are_all_recorded_and_damage_counts_as_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        std::thread::scope(|scope| {
            for number in 0..16 {
                let store = Store::at(path.clone());
                scope.spawn(move || record(&store.session("s"), "n", Some(&number.to_string()), 1).expect("recorded"));
            }
        });
        let session = Store::at(path).session("s");
        assert_eq!(recorded(&session, "n").expect("there").len(), 16);
        let odd = r#"[["n", 1], 3, ["n", "1", ""], ["n", 2, ""]]"#;
        std::fs::write(session.folder().join("history.json"), odd).expect("written");
        assert_eq!(recorded(&session, "n").expect("there").len(), 1);
    }
}
