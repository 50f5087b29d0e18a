//! Whatever is in a file, the compiler answers with a catalog or with diagnostics.

use camino::Utf8Path;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{Compiled, compile};
use crate::diagnostic::render;
use crate::emit::{Target, emit};

const CATALOG: &str = include_str!("../../../fuzz/seeds/catalogs/small.yaml");

/// What people and merges put into files by mistake.
const ODD: &[&str] = &[
    "",
    ":",
    "- ",
    "{",
    "}",
    "[",
    "\"",
    "'",
    "\t",
    "\n",
    "&a ",
    "*a",
    "!!int ",
    "<<: ",
    "---\n",
    "null",
    "~",
    "-1",
    "1e999",
    "${",
    "}",
    "(",
    ")",
    " && ",
    "size(",
    ".map(x, ",
    "r'",
    "\u{0}",
    "\u{feff}",
    "\u{e9}",
    "# ",
    "|",
    ">-\n",
    "? ",
    "3s",
    "state.phase",
    "99999999999999999999",
];

#[derive(Debug, Clone)]
enum Change {
    Insert(Index, &'static str),
    Remove(Index, usize),
    RepeatLine(Index),
    RemoveLine(Index),
    Cut(Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (any::<Index>(), select(ODD)).prop_map(|(place, text)| Change::Insert(place, text)),
        4 => (any::<Index>(), 1..6_usize).prop_map(|(place, length)| Change::Remove(place, length)),
        2 => any::<Index>().prop_map(Change::RepeatLine),
        2 => any::<Index>().prop_map(Change::RemoveLine),
        1 => any::<Index>().prop_map(Change::Cut),
    ]
}

fn changed(text: &str, change: &Change) -> String {
    let characters: Vec<char> = text.chars().collect();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let place = |index: &Index, length: usize| index.index(length.max(1)).min(length);
    let joined = |parts: [&[char]; 2], middle: &str| -> String {
        let [before, after] = parts;
        before.iter().copied().chain(middle.chars()).chain(after.iter().copied()).collect()
    };
    match change {
        Change::Insert(index, odd) => {
            let (before, after) = characters.split_at(place(index, characters.len()));
            joined([before, after], odd)
        }
        Change::Remove(index, length) => {
            let (before, after) = characters.split_at(place(index, characters.len()));
            joined([before, after.get(*length..).unwrap_or_default()], "")
        }
        Change::RepeatLine(index) => {
            let (before, after) = lines.split_at(place(index, lines.len()));
            let again = after.first().copied().unwrap_or_default();
            [before.concat().as_str(), again, after.concat().as_str()].concat()
        }
        Change::RemoveLine(index) => {
            let (before, after) = lines.split_at(place(index, lines.len()));
            before.concat() + &after.get(1..).unwrap_or_default().concat()
        }
        Change::Cut(index) => characters.split_at(place(index, characters.len())).0.iter().collect(),
    }
}

fn compiled(text: &str) -> Compiled {
    compile(Utf8Path::new("specs/small.yaml"), text.as_bytes().to_vec())
}

#[test]
fn the_catalog_that_is_changed_below_is_sound() {
    assert!(compiled(CATALOG).catalog.is_some(), "{}", render(&compiled(CATALOG).diagnostics, false));
}

proptest! {
    #[test]
    fn a_damaged_catalog_has_a_meaning_or_a_diagnostic(changes in vec(change(), 1..5)) {
        let text = changes.iter().fold(CATALOG.to_owned(), |text, change| changed(&text, change));
        let compiled = compiled(&text);
        render(&compiled.diagnostics, false);
        match compiled.catalog {
            Some(catalog) => {
                let target = Target { runtime_path: "../runtime".to_owned() };
                let files = emit(&catalog, &target);
                prop_assert!(files.is_ok(), "{:?}", files.err());
            }
            None => prop_assert!(!compiled.diagnostics.is_empty()),
        }
    }
}
