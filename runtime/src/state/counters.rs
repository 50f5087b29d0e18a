//! Budgets: counters with limits, spent all together or not at all. A counter may count for each key apart: failures of
//! one command, edits of one file.

use std::borrow::Cow;

use super::Session;
use crate::library::digest;
use crate::{Attempt, Json, Many};

const FILE: &str = "counters";
/// How many keys are remembered. Beyond it the oldest is forgotten, and would cost again.
const MOST_KEYS: usize = 10_000;
/// How many counts of single keys are kept. Beyond it the lowest goes, the one that was left alone longest among equals:
/// whoever floods the counters with new keys gets rid of those alone, and of none that is near its limit.
const MOST_COUNTS: usize = 1_000;

/// A counter and how far it may go.
#[derive(Debug, Clone, Copy)]
pub struct Limit<'a> {
    /// Its name
    pub counter: &'a str,
    /// What it counts for, where each has a count of its own
    pub per: Option<&'a str>,
    /// How many calls it admits
    pub limit: i64,
}

/// What became of an attempt to spend; by default, nothing was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spent {
    counts: Vec<Count>,
    /// The key was admitted before: nothing was counted and nothing is refused.
    pub repeated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Count {
    counter: String,
    /// Its name in the ledger.
    entry: String,
    used: i64,
    limit: i64,
    refused: bool,
}

impl Spent {
    /// Whether any counter was at its limit, so that none was counted.
    pub fn refused(&self) -> bool {
        self.counts.iter().any(|count| count.refused)
    }

    /// How much of a counter is used, this attempt included if it was admitted; zero for one that was not asked for.
    pub fn used(&self, counter: &str) -> i64 {
        self.count(counter).map_or(0, |count| count.used)
    }

    /// A counter's limit; zero for one that was not asked for.
    pub fn limit(&self, counter: &str) -> i64 {
        self.count(counter).map_or(0, |count| count.limit)
    }

    /// Whether this counter was at its limit.
    pub fn counter_refused(&self, counter: &str) -> bool {
        self.count(counter).is_some_and(|count| count.refused)
    }

    fn count(&self, counter: &str) -> Option<&Count> {
        self.counts.iter().find(|count| count.counter == counter)
    }
}

/// Counts one on every counter, unless one of them is at its limit: then on none.
///
/// A key that the same counters admitted before costs nothing, even when the budget is used up. A refused key is not
/// remembered. A counter that is named twice counts once, against its lower limit.
pub fn spend(session: &Session, key: Option<&str>, limits: &[Limit<'_>]) -> Attempt<Spent> {
    if limits.is_empty() {
        return Ok(Spent { counts: Vec::new(), repeated: false });
    }
    session.update(FILE, |value| {
        let mut ledger = Ledger::read(&value);
        let spent = ledger.spend(key.map(digest), limits);
        Ok((ledger.into_json(), spent))
    })
}

/// What would come of a spend, which is not made.
pub fn foreseen(session: &Session, key: Option<&str>, limits: &[Limit<'_>]) -> Attempt<Spent> {
    Ok(Ledger::read(&session.read(FILE)?).spend(key.map(digest), limits))
}

/// Sets counters back to zero: for one key, or as a whole with the counts of all of its keys. What was paid for stays paid
/// for, unless no counter that counted it is left.
pub fn reset(session: &Session, counters: &[(&str, Option<&str>)]) -> Attempt<()> {
    if matches!(session.read(FILE)?, Json::Null) {
        return Ok(());
    }
    let entries: Vec<(String, bool)> =
        counters.iter().map(|(counter, per)| (entry(counter, *per), per.is_none())).collect();
    let goes = |name: &str| {
        let counter = name.split(APART).next().unwrap_or_default();
        entries.iter().any(|(entry, whole)| name == entry || (*whole && counter == entry))
    };
    session.update(FILE, |value| {
        let mut ledger = Ledger::read(&value);
        ledger.counters.retain(|(name, _)| !goes(name));
        ledger.admitted.retain(|admitted| !admitted.counters.iter().all(|name| goes(name)));
        Ok((ledger.into_json(), ()))
    })
}

/// What stands between the name of a counter, which has no blank, and the key that it counts for.
const APART: char = ' ';

/// The name in the ledger of a counter, or of its count for one key.
fn entry(counter: &str, per: Option<&str>) -> String {
    per.map_or_else(|| counter.to_owned(), |per| format!("{counter}{APART}{}", digest(per)))
}

/// The file: how much of each counter is used, and for each set of counters the keys it admitted, oldest first. Counts of
/// single keys stand in the order in which they were last used.
#[derive(Default)]
struct Ledger {
    counters: Vec<(String, i64)>,
    admitted: Vec<Admitted>,
}

struct Admitted {
    /// Sorted, so that the order in which a catalog names counters does not matter.
    counters: Vec<String>,
    keys: Vec<String>,
}

impl Ledger {
    fn spend(&mut self, key: Option<String>, limits: &[Limit<'_>]) -> Spent {
        let mut counts = self.counts(limits);
        let mut names: Vec<String> = counts.iter().map(|count| count.entry.clone()).collect();
        names.sort();
        if key.as_ref().is_some_and(|key| self.has_admitted(&names, key)) {
            return Spent { counts, repeated: true };
        }
        for count in &mut counts {
            count.refused = count.used >= count.limit;
        }
        if counts.iter().any(|count| count.refused) {
            return Spent { counts, repeated: false };
        }
        for count in &mut counts {
            count.used = count.used.saturating_add(1);
            self.set(&count.entry, count.used);
        }
        self.forget_surplus(&names);
        if let Some(key) = key {
            self.admit(names, key);
        }
        Spent { counts, repeated: false }
    }

    fn counts(&self, limits: &[Limit<'_>]) -> Vec<Count> {
        let mut counts: Vec<Count> = Vec::with_capacity(limits.len());
        for &Limit { counter, per, limit } in limits {
            let entry = entry(counter, per);
            if let Some(count) = counts.iter_mut().find(|count| count.entry == entry) {
                count.limit = count.limit.min(limit);
            } else {
                let used = self.counters.iter().find(|(name, _)| *name == entry).map_or(0, |(_, used)| *used);
                counts.push(Count { counter: counter.to_owned(), entry, used, limit, refused: false });
            }
        }
        counts
    }

    fn set(&mut self, entry: &str, used: i64) {
        let known = self.counters.iter().position(|(name, _)| name == entry);
        match known.filter(|_| !entry.contains(APART)).and_then(|place| self.counters.get_mut(place)) {
            Some((_, value)) => *value = used,
            None => {
                self.counters.retain(|(name, _)| name != entry);
                self.counters.push((entry.to_owned(), used));
            }
        }
    }

    /// Forgets counts of single keys that are too many, but none that was just used.
    fn forget_surplus(&mut self, used: &[String]) {
        let keyed = |name: &str| name.contains(APART);
        let surplus = self.counters.iter().filter(|(name, _)| keyed(name)).count().saturating_sub(MOST_COUNTS);
        for _ in 0..surplus {
            let candidates =
                self.counters.iter().enumerate().filter(|(_, (name, _))| keyed(name) && !used.contains(name));
            let Some((place, _)) = candidates.min_by_key(|(place, (_, used))| (*used, *place)) else { return };
            let (gone, _) = self.counters.remove(place);
            self.admitted.retain(|admitted| !admitted.counters.contains(&gone));
        }
    }

    fn has_admitted(&self, counters: &[String], key: &str) -> bool {
        self.admitted
            .iter()
            .any(|admitted| admitted.counters == counters && admitted.keys.iter().any(|known| known == key))
    }

    fn admit(&mut self, counters: Vec<String>, key: String) {
        match self.admitted.iter_mut().find(|admitted| admitted.counters == counters) {
            Some(admitted) => admitted.keys.push(key),
            None => self.admitted.push(Admitted { counters, keys: vec![key] }),
        }
        let total: usize = self.admitted.iter().map(|admitted| admitted.keys.len()).sum();
        if let Some(excess) = total.checked_sub(MOST_KEYS)
            && let Some(largest) = self.admitted.iter_mut().max_by_key(|admitted| admitted.keys.len())
        {
            largest.keys.drain(..excess.min(largest.keys.len()));
        }
    }

    /// Reads what the file holds. What is not of the expected shape was not written here and counts as nothing.
    fn read(value: &Json<'_>) -> Self {
        let mut ledger = Self::default();
        if let Some(Json::Object(counters)) = value.get("counters") {
            for (name, used) in counters.iter() {
                if let Json::Int(used) = used {
                    ledger.set(name, (*used).max(0));
                }
            }
        }
        if let Some(Json::List(admitted)) = value.get("admitted") {
            ledger.admitted = admitted
                .iter()
                .map(|entry| Admitted { counters: texts(entry.get("counters")), keys: texts(entry.get("keys")) })
                .collect();
        }
        ledger
    }

    fn into_json(self) -> Json<'static> {
        let counters = self.counters.into_iter().map(|(name, used)| (Cow::Owned(name), Json::Int(used))).collect();
        let admitted = self
            .admitted
            .into_iter()
            .map(|admitted| object(vec![("counters", list(admitted.counters)), ("keys", list(admitted.keys))]))
            .collect();
        object(vec![("counters", Json::Object(Many::Owned(counters))), ("admitted", Json::List(Many::Owned(admitted)))])
    }
}

fn texts(value: Option<&Json<'_>>) -> Vec<String> {
    let Some(Json::List(items)) = value else { return Vec::new() };
    items.iter().filter_map(|item| if let Json::Text(text) = item { Some(text.to_string()) } else { None }).collect()
}

fn list(texts: Vec<String>) -> Json<'static> {
    Json::List(Many::Owned(texts.into_iter().map(|text| Json::Text(Cow::Owned(text))).collect()))
}

fn object(fields: Vec<(&'static str, Json<'static>)>) -> Json<'static> {
    Json::Object(Many::Owned(fields.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use tempfile::TempDir;

    use super::*;
    use crate::state::Store;

    const SPENDER: &str = "HOOKGEN_TEST_SPENDER";

    fn session() -> (TempDir, Session) {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Store::at(folder.path().join("state")).session("s");
        (folder, session)
    }

    fn limit(counter: &str, limit: i64) -> Limit<'_> {
        Limit { counter, per: None, limit }
    }

    fn of<'a>(counter: &'a str, per: &'a str, limit: i64) -> Limit<'a> {
        Limit { counter, per: Some(per), limit }
    }

    fn admitted(session: &Session, key: Option<&str>, limits: &[Limit<'_>]) -> bool {
        !spend(session, key, limits).expect("state").refused()
    }

    #[test]
    fn a_limit_admits_exactly_as_many_as_it_says() {
        let (_folder, session) = session();
        let results: Vec<bool> = (0..4).map(|_| admitted(&session, None, &[limit("edits", 2)])).collect();
        assert_eq!(results, [true, true, false, false]);
        let spent = spend(&session, None, &[limit("edits", 2)]).expect("state");
        assert_eq!((spent.used("edits"), spent.limit("edits"), spent.counter_refused("edits")), (2, 2, true));
        assert_eq!((spent.used("other"), spent.limit("other"), spent.counter_refused("other")), (0, 0, false));
    }

    #[test]
    fn all_counters_are_spent_or_none() {
        let (_folder, session) = session();
        let both = [limit("a", 1), limit("b", 5)];
        assert!(admitted(&session, None, &both));
        let spent = spend(&session, None, &both).expect("state");
        assert!(spent.refused() && spent.counter_refused("a") && !spent.counter_refused("b"));
        assert_eq!(spent.used("b"), 1);
        let spent = spend(&session, None, &[limit("a", 1), limit("b", 1)]).expect("state");
        assert!(spent.counter_refused("a") && spent.counter_refused("b"), "every exhausted counter is named");
    }

    #[test]
    fn an_admitted_key_costs_nothing_even_when_the_budget_is_used_up() {
        let (_folder, session) = session();
        let limits = [limit("a", 1)];
        assert!(admitted(&session, Some("x"), &limits));
        let again = spend(&session, Some("x"), &limits).expect("state");
        assert!(again.repeated && !again.refused());
        assert_eq!(again.used("a"), 1);
        assert!(!admitted(&session, Some("y"), &limits));
    }

    #[test]
    fn a_refused_key_is_not_remembered() {
        let (_folder, session) = session();
        assert!(!admitted(&session, Some("x"), &[limit("a", 0)]));
        let later = spend(&session, Some("x"), &[limit("a", 1)]).expect("state");
        assert!(!later.repeated && !later.refused());
    }

    #[test]
    fn keys_belong_to_their_set_of_counters_in_any_order() {
        let (_folder, session) = session();
        let spend = |limits: &[Limit<'_>]| spend(&session, Some("x"), limits).expect("state");
        assert!(!spend(&[limit("a", 9), limit("b", 9)]).repeated);
        assert!(spend(&[limit("b", 9), limit("a", 9)]).repeated);
        assert!(!spend(&[limit("a", 9)]).repeated);
        assert!(!spend(&[limit("ab", 9)]).repeated);
    }

    #[test]
    fn a_counter_named_twice_counts_once() {
        let (_folder, session) = session();
        let spent = spend(&session, None, &[limit("a", 9), limit("a", 3)]).expect("state");
        assert_eq!((spent.used("a"), spent.limit("a")), (1, 3));
    }

    #[test]
    fn nothing_to_count_touches_nothing() {
        let (_folder, session) = session();
        assert!(admitted(&session, Some("x"), &[]));
        reset(&session, &[("a", None)]).expect("nothing there");
        assert!(!session.folder().exists());
    }

    #[test]
    fn a_reset_frees_its_counters_and_no_other() {
        let (_folder, session) = session();
        assert!(admitted(&session, Some("x"), &[limit("a", 1)]));
        assert!(admitted(&session, Some("x"), &[limit("b", 1)]));
        reset(&session, &[("a", None)]).expect("state");
        let fresh = spend(&session, Some("x"), &[limit("a", 1)]).expect("state");
        assert!(!fresh.repeated && !fresh.refused());
        assert!(!admitted(&session, Some("y"), &[limit("b", 1)]));
        assert!(spend(&session, Some("x"), &[limit("b", 1)]).expect("state").repeated);
    }

    #[test]
    fn a_key_stays_paid_for_while_one_of_its_counters_goes_on() {
        let (_folder, session) = session();
        let limits = [limit("a", 9), limit("b", 1)];
        assert!(admitted(&session, Some("x"), &limits));
        reset(&session, &[("b", None)]).expect("state");
        assert!(spend(&session, Some("x"), &limits).expect("state").repeated);
        assert_eq!(
            spend(&session, Some("y"), &limits).expect("state").used("b"),
            1,
            "nothing was used after the reset"
        );
        reset(&session, &[("a", None), ("b", None)]).expect("state");
        assert!(!spend(&session, Some("x"), &limits).expect("state").repeated);
    }

    #[test]
    fn each_key_has_a_count_of_its_own() {
        let (_folder, session) = session();
        let tried = |line: &str| {
            let spent = spend(&session, None, &[of("failures", line, 2), limit("all", 9)]).expect("state");
            (spent.refused(), spent.used("failures"), spent.used("all"))
        };
        assert_eq!(tried("make"), (false, 1, 1));
        assert_eq!(tried("make"), (false, 2, 2));
        assert_eq!(tried("make"), (true, 2, 2), "none is counted where one is refused");
        assert_eq!(tried("make test"), (false, 1, 3));
        reset(&session, &[("failures", Some("make"))]).expect("state");
        assert_eq!((tried("make"), tried("make test")), ((false, 1, 4), (false, 2, 5)));
        reset(&session, &[("failures", None)]).expect("state");
        assert_eq!((tried("make"), tried("make test")), ((false, 1, 6), (false, 1, 7)));
        let text = fs::read_to_string(session.folder().join("counters.json")).expect("there");
        assert!(!text.contains("make"), "{text}");
    }

    #[test]
    fn what_was_paid_for_one_key_is_not_paid_for_another() {
        let (_folder, session) = session();
        let spend = |per: &str| spend(&session, Some("call"), &[of("a", per, 9)]).expect("state");
        assert!(!spend("x").repeated && spend("x").repeated && !spend("y").repeated);
        reset(&session, &[("a", Some("x"))]).expect("state");
        assert!(!spend("x").repeated && spend("y").repeated);
    }

    #[test]
    fn a_flood_of_keys_forgets_none_that_was_counted_twice() {
        let mut ledger = Ledger::default();
        let mut count = |per: &str| ledger.spend(None, &[of("a", per, 9)]).used("a");
        assert_eq!([count("kept"), count("kept")], [1, 2]);
        for number in 0..MOST_COUNTS + 20 {
            assert_eq!(count(&number.to_string()), 1);
        }
        assert_eq!([count("0"), count("kept")], [1, 3], "the oldest of the lowest went");
        assert_eq!(ledger.counters.len(), MOST_COUNTS);
    }

    #[test]
    fn a_person_can_read_the_counters_and_no_key() {
        let (_folder, session) = session();
        assert!(admitted(&session, Some("rm -rf build"), &[limit("edits", 9)]));
        let text = fs::read_to_string(session.folder().join("counters.json")).expect("there");
        assert!(text.starts_with(r#"{"counters":{"edits":1},"admitted":[{"counters":["edits"],"keys":[""#), "{text}");
        assert!(!text.contains("rm -rf"), "{text}");
    }

    #[test]
    fn damaged_counters_start_afresh() {
        let (_folder, session) = session();
        assert!(admitted(&session, None, &[limit("a", 1)]));
        fs::write(session.folder().join("counters.json"), "{\"counters\":{\"a\"").expect("damaged");
        assert!(admitted(&session, None, &[limit("a", 1)]));
        assert_eq!(session.notes().len(), 1);
        let odd = r#"{"counters":{"a":"many","b":-7,"c":1},"admitted":[1,{"keys":3}]}"#;
        fs::write(session.folder().join("counters.json"), odd).expect("written");
        let spent = spend(&session, Some("k"), &[limit("a", 9), limit("b", 9), limit("c", 9)]).expect("state");
        assert_eq!((spent.used("a"), spent.used("b"), spent.used("c")), (1, 1, 2));
    }

    #[test]
    fn the_oldest_keys_are_forgotten_first() {
        let mut ledger = Ledger::default();
        let limits = [limit("a", i64::MAX)];
        for number in 0..=MOST_KEYS {
            ledger.admit(vec!["a".to_owned()], number.to_string());
        }
        assert!(!ledger.spend(Some("0".to_owned()), &limits).repeated);
        assert!(ledger.spend(Some(MOST_KEYS.to_string()), &limits).repeated);
        assert_eq!(ledger.admitted.iter().map(|admitted| admitted.keys.len()).sum::<usize>(), MOST_KEYS);
    }

    #[test]
    fn parallel_threads_admit_exactly_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        let admitted = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..40)
                .map(|number| {
                    let store = Store::at(path.clone());
                    scope.spawn(move || admitted(&store.session("s"), Some(&number.to_string()), &[limit("a", 25)]))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("ran")).filter(|ok| *ok).count()
        });
        assert_eq!(admitted, 25);
    }

    #[test]
    fn parallel_processes_admit_exactly_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let children: Vec<_> = (0..40)
            .map(|_| {
                Command::new(std::env::current_exe().expect("this test"))
                    .args(["--exact", "state::counters::tests::a_child_process_spends_when_asked_to"])
                    .env(SPENDER, folder.path())
                    .stdout(Stdio::null())
                    .spawn()
                    .expect("started")
            })
            .collect();
        for mut child in children {
            assert!(child.wait().expect("ended").success());
        }
        let count = |kind: &str| {
            let names = fs::read_dir(folder.path()).expect("readable").filter_map(Result::ok);
            names.filter(|entry| entry.file_name().to_string_lossy().starts_with(kind)).count()
        };
        assert_eq!((count("admitted"), count("refused")), (25, 15));
    }

    #[test]
    fn a_child_process_spends_when_asked_to() {
        let Some(folder) = std::env::var_os(SPENDER).map(PathBuf::from) else { return };
        let session = Store::at(folder.join("state")).session("s");
        let outcome = if admitted(&session, None, &[limit("a", 25)]) { "admitted" } else { "refused" };
        fs::write(Path::new(&folder).join(format!("{outcome}-{}", std::process::id())), "").expect("written");
    }
}
