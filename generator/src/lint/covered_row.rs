//! A row of a table that makes no difference, because another row is about all that it is about.

use hookgen_runtime::Json;
use hookgen_runtime::representation::Representation;

use super::reasoning::advice;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::reason::{Answer, Example, Formula, Reader, Row, Use, base, uses};

pub(super) const LINT: Lint = Lint { code: Code::CoveredRow, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let Some(whole) = subject.whole() else { return Vec::new() };
    let all = uses(whole);
    let mut findings = Vec::new();
    let mut seen: Vec<(usize, &Vec<&str>)> = Vec::new();
    for one in all.iter().filter(|one| one.is_search()) {
        if seen.contains(&(one.table, &one.way)) {
            continue;
        }
        seen.push((one.table, &one.way));
        let about: Vec<&Use<'_>> = all.iter().filter(|other| meet(one, other)).collect();
        // Where a row may count for itself, none is superfluous.
        if about.iter().all(|other| other.is_search() && other.way == one.way) {
            findings.extend(covered(subject, whole, &about, one));
        }
    }
    findings
}

/// Whether two uses are about the same part of one table.
fn meet(one: &Use<'_>, other: &Use<'_>) -> bool {
    one.table == other.table && one.way.iter().zip(&other.way).all(|(one, other)| one == other)
}

fn covered(subject: &Subject<'_>, whole: &Representation, about: &[&Use<'_>], one: &Use<'_>) -> Vec<Diagnostic> {
    let Some(table) = whole.tables.get(one.table) else { return Vec::new() };
    let Some(rows) = one.rows(whole) else { return Vec::new() };
    let at = one.way.iter().fold(Pointer::root().key("data").key(&table.name), |at, key| at.key(*key));
    let reader = Reader::new(whole);
    let mut findings = Vec::new();
    let mut gone = vec![false; rows.len()];
    for row in 0..rows.len() {
        // A row that was found superfluous is no reason for another one to be.
        let by = (0..rows.len()).filter(|by| *by != row && !gone.get(*by).copied().unwrap_or_default());
        let mut by = by.filter_map(|by| Some((by, all(about, &reader, rows, Row(row), Row(by))?)));
        let Some((by, holds)) = by.next() else { continue };
        // Of two that are the same, the later one is superfluous.
        if by > row && all(about, &reader, rows, Row(by), Row(row)).is_some() {
            continue;
        }
        if let Some(gone) = gone.get_mut(row) {
            *gone = true;
        }
        let example = example(subject, &reader, about, &holds);
        findings.push(
            Diagnostic::warning(Code::CoveredRow, "this row makes no difference")
                .primary(subject.document.at(&at.index(row)), "another row is about all of it")
                .secondary(subject.document.at(&at.index(by)), "this one")
                .help(advice("remove it, or the wider row", example.as_ref())),
        );
    }
    findings
}

/// What holds where the row matters, if the other row does its work in every use.
fn all<'r>(about: &[&Use<'r>], reader: &Reader<'r>, rows: &'r [Json<'static>], row: Row, by: Row) -> Option<Formula> {
    let each: Option<Vec<Formula>> = about.iter().map(|one| one.is_covered(reader, rows, row, by)).collect();
    each?.into_iter().next()
}

/// An event that is about the row, of a hook that asks for it.
fn example(subject: &Subject<'_>, reader: &Reader<'_>, about: &[&Use<'_>], holds: &Formula) -> Option<Example> {
    let place = about.iter().find_map(|one| one.hook())?;
    let (_, _, hook) = subject.running_hooks().find(|(number, ..)| *number == place)?;
    match reader.ask(holds) {
        Answer::Holds(atoms) if !atoms.is_empty() => {
            let example = Example::made(reader, &atoms, base(hook));
            let played = subject.theatre()?.play(hook.event, &[place], &example)?;
            (example != base(hook) && played.checks.values().any(|fired| *fired)).then_some(example)
        }
        _ => None,
    }
}
