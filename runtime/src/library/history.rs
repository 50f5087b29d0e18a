//! What happened earlier in the session.

use crate::call::Call;
use crate::failure::Attempt;
use crate::signature::{function, object};
use crate::state::history::{self as state, Happening};

/// What has happened under one name, or a part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    happened: Vec<Happening>,
    /// The moment at which it is asked for, in seconds since the start of 1970.
    now: i64,
}

impl History {
    /// How often.
    pub fn count(&self) -> i64 {
        i64::try_from(self.happened.len()).unwrap_or(i64::MAX)
    }

    /// How many seconds ago it last happened; -1 if never.
    pub fn ago(&self) -> i64 {
        self.happened.last().map_or(-1, |last| self.age(last))
    }

    /// A clock that was set back makes things of the future: they have just happened.
    fn age(&self, one: &Happening) -> i64 {
        self.now.saturating_sub(one.at).max(0)
    }

    fn only(&self, wanted: impl Fn(&Happening) -> bool) -> Self {
        Self { happened: self.happened.iter().filter(|one| wanted(one)).cloned().collect(), now: self.now }
    }
}

/// What was recorded in this session under the name.
pub fn history(call: &Call<'_>, name: &str) -> Attempt<History> {
    Ok(History { happened: state::recorded(call.session(), name)?, now: call.now().epoch() })
}

/// What of it happened to the one that is given.
pub fn of(history: &History, what: &str) -> History {
    history.only(|one| one.is_of(what))
}

/// What of it happened in the last so many seconds.
pub fn within(history: &History, seconds: i64) -> History {
    history.only(|one| history.age(one) <= seconds)
}

/// What of it happened after the last of the others; all of it, where there is no other.
pub fn since(history: &History, others: &History) -> History {
    let last = others.happened.last().map(|other| other.place);
    history.only(|one| last.is_none_or(|last| one.place > last))
}

object! {
    pub(super) HISTORY: History,
    doc: "What has happened in the session under one name, or a part of it.",
    parts: {
        "count": count -> Int, "How often; at most 1,000 times are kept under a name, the last ones.";
        "ago": ago -> Int, "How many seconds ago it last happened; -1 if never.";
    }
}

function! {
    FUNCTION: history,
    name: "history",
    params: { name: Text },
    result: Object<History>,
    fallible: true,
    powers: [Memory],
    doc: "What checks of this session have recorded with `record:` under a name that the catalog declares in `history`. What \
           happens in parallel is all recorded, but none of it sees the other: a limit that must hold to the last one is \
           drawn by `spend`.",
    example: "history('tests').count == 0 && history('tests').ago == -1",
}

function! {
    OF: of,
    name: "of",
    receiver: Object<History>,
    params: { what: Text },
    result: Object<History>,
    doc: "What of it happened to the one that is given, where `record:` says to what.",
    example: "history('failures').of('make').count == 0",
}

function! {
    WITHIN: within,
    name: "within",
    receiver: Object<History>,
    params: { time: Int },
    result: Object<History>,
    doc: "What of it happened in the last so many seconds; a text such as `'90s'`, `'10m'`, `'2h'` or `'1d'` is a number of them.",
    example: "history('tests').within('1h').count == history('tests').within(3600).count",
}

function! {
    SINCE: since,
    name: "since",
    receiver: Object<History>,
    params: { others: Object<History> },
    result: Object<History>,
    doc: "What of it happened after the last of the others; all of it, if none of them ever happened.",
    example: "history('tests').since(history('failures')).count == 0",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Store;

    fn told(session: &crate::state::Session, name: &str, now: i64) -> History {
        History { happened: state::recorded(session, name).expect("there"), now }
    }

    #[test]
    fn parts_are_told_by_what_when_and_in_which_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Store::at(folder.path().join("state")).session("s");
        let record = |name: &str, what: Option<&str>, at: i64| state::record(&session, name, what, at).expect("kept");
        record("tests", None, 100);
        record("failures", Some("make"), 100);
        record("failures", Some("make"), 150);
        record("failures", Some("ls"), 160);
        let (tests, failures) = (told(&session, "tests", 200), told(&session, "failures", 200));
        assert_eq!((failures.count(), failures.ago()), (3, 40));
        assert_eq!((of(&failures, "make").count(), of(&failures, "cc").count()), (2, 0));
        assert_eq!((within(&failures, 50).count(), within(&failures, 49).count()), (2, 1));
        assert_eq!((since(&failures, &tests).count(), since(&tests, &failures).count()), (3, 0));
        let never = told(&session, "edits", 200);
        assert_eq!((never.count(), never.ago(), since(&failures, &never).count()), (0, -1, 3));
        assert_eq!(told(&session, "tests", 50).ago(), 0, "the clock went back");
    }
}
