//! Both back ends give the same value or the same failure: for the table of CEL in `tests/cel`, and for expressions that
//! nobody thought of.

use std::fs;

use super::both::{accepted, compiled, evaluated};
use super::grown::Grower;
use crate::support::tests;

/// How many grown expressions are compared at least.
const ENOUGH: usize = 2000;

/// Where the expressions come from, unless `HOOKGEN_SEED` says otherwise.
const SEED: u64 = 20_260_212;

/// A line of the table: an expression and what CEL says about it.
struct Row {
    place: String,
    expression: String,
    expected: Expected,
}

enum Expected {
    /// A value, as JSON.
    Value(String),
    /// A failure that says this.
    Failure(String),
    /// It is refused when the catalog is built, with this code.
    Refused(String),
}

/// Lines are `expression => value`, `expression =! failure` and `expression =x code`; `#` begins a comment.
fn table() -> Vec<Row> {
    let mut files: Vec<_> =
        fs::read_dir(tests().join("cel")).expect("a table").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "txt")) {
        for (number, line) in fs::read_to_string(file).expect("text").lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("{}:{}", file.display(), number + 1);
            let split = |sign: &str| line.split_once(sign).map(|(one, two)| (one.to_owned(), two.to_owned()));
            let (expression, expected) = split(" => ")
                .map(|(expression, value)| (expression, Expected::Value(value)))
                .or_else(|| split(" =! ").map(|(expression, why)| (expression, Expected::Failure(why))))
                .or_else(|| split(" =x ").map(|(expression, code)| (expression, Expected::Refused(code))))
                .unwrap_or_else(|| panic!("{place}: no `=>`, `=!` or `=x`"));
            rows.push(Row { place, expression, expected });
        }
    }
    assert!(rows.len() > 150, "{} rows", rows.len());
    rows
}

#[test]
fn the_table_of_cel_and_what_was_grown_come_to_the_same_on_both_back_ends() {
    let rows = table();
    let seed = std::env::var("HOOKGEN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(SEED);
    let mut grower = Grower::new(seed);
    let mut expressions: Vec<String> = rows.iter().map(|row| row.expression.trim().to_owned()).collect();
    expressions.extend((0..ENOUGH * 5 / 4).map(|_| grower.expression()));
    let (catalog, refused) = accepted("", &mut expressions);
    let evaluated = evaluated(&catalog);
    let mut problems: Vec<String> = Vec::new();
    for row in &rows {
        let expression = row.expression.trim();
        let refused = refused.iter().find(|(text, _)| text == expression).map(|(_, why)| why);
        let found = expressions.iter().position(|text| text == expression).map(|place| &evaluated[place]);
        let right = match &row.expected {
            Expected::Value(value) => found.is_some_and(|found| found == value.trim()),
            Expected::Failure(why) => {
                found.is_some_and(|found| found.starts_with("failed: ") && found.contains(why.trim()))
            }
            Expected::Refused(code) => refused.is_some_and(|why| why.starts_with(code.trim())),
        };
        if !right {
            problems.push(format!("{}: {expression} came to {found:?}, refused: {refused:?}", row.place));
        }
    }
    let grown = expressions.len() - rows.iter().filter(|row| !matches!(row.expected, Expected::Refused(_))).count();
    assert!(grown >= ENOUGH, "only {grown} of the grown expressions are accepted; refused: {refused:#?}");
    let compiled = compiled(&catalog);
    assert_eq!(compiled.len(), expressions.len(), "one line per expression");
    for ((expression, evaluated), compiled) in expressions.iter().zip(&evaluated).zip(&compiled) {
        if evaluated != compiled {
            problems.push(format!("{expression}\n  evaluated: {evaluated}\n  compiled: {compiled}"));
        }
    }
    assert!(
        problems.is_empty(),
        "{} problems (HOOKGEN_SEED={seed} grows the same expressions again):\n{}",
        problems.len(),
        problems.join("\n")
    );
}
