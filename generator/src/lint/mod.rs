//! Lints: what is valid, but probably not meant. One file each.

mod covered_row;
mod denied_advice;
mod division_by_zero;
mod doubtful_case;
mod doubtful_text;
mod endless_stop;
mod fixed_setting;
mod idle_allow;
mod idle_closed;
mod idle_condition;
mod idle_switch;
mod idle_threshold;
mod impossible_word;
mod leading;
mod lost_note;
mod missing_group;
mod missing_shell;
mod movable_guard;
mod no_cases;
mod no_subcommand;
mod numbers;
mod opposed_decisions;
mod outside_matcher;
mod outside_world;
mod overlong_wait;
mod pattern_separator;
mod preempted_check;
mod reasoning;
mod relative_path;
mod settled_condition;
mod sites;
mod unguarded_switch;
mod unheeded_excess;
mod unknown_subject;
mod unknown_tool;
mod unknown_value;
mod unproved_failure_mode;
mod unused_name;

pub use leading::Leading;
pub(crate) use outside_matcher::takes;
pub use reasoning::Reasoning;

use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Pointer};
use crate::{catalog, model, resolve};

/// What a lint looks at: the catalog as written and as meant, and the document to point into.
pub struct Subject<'s> {
    pub document: &'s Document,
    pub written: &'s catalog::Catalog,
    pub catalog: &'s model::Catalog,
    pub bodies: &'s [resolve::Body],
    pub reasoning: Reasoning,
    pub leading: Leading,
}

impl Subject<'_> {
    /// Each hook with its place in the document.
    fn hooks(&self) -> impl Iterator<Item = (Pointer, &model::Hook)> {
        let place = |position| Pointer::root().key("hooks").index(position);
        self.catalog.hooks.iter().enumerate().map(move |(position, hook)| (place(position), hook))
    }
}

/// A lint: the code it raises, and how it finds it.
pub struct Lint {
    pub code: Code,
    check: fn(&Subject<'_>) -> Vec<Diagnostic>,
}

/// Every lint, in the order of their codes.
pub const LINTS: &[Lint] = &[
    unused_name::LINT,
    no_cases::LINT,
    unknown_tool::LINT,
    unproved_failure_mode::LINT,
    unknown_subject::LINT,
    doubtful_case::LINT,
    doubtful_text::LINT,
    fixed_setting::LINT,
    unguarded_switch::LINT,
    unheeded_excess::LINT,
    movable_guard::LINT,
    impossible_word::LINT,
    lost_note::LINT,
    missing_group::LINT,
    no_subcommand::LINT,
    idle_condition::LINT,
    outside_matcher::LINT,
    unknown_value::LINT,
    endless_stop::LINT,
    overlong_wait::LINT,
    idle_closed::LINT,
    division_by_zero::LINT,
    relative_path::LINT,
    pattern_separator::LINT,
    missing_shell::LINT,
    outside_world::LINT,
    denied_advice::LINT,
    settled_condition::LINT,
    preempted_check::LINT,
    opposed_decisions::LINT,
    covered_row::LINT,
    idle_switch::LINT,
    idle_threshold::LINT,
];

/// Everything that the lints find, beside what was found before and is only odd, without what the catalog allows.
pub fn run(subject: &Subject<'_>, odd: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let found = LINTS.iter().flat_map(|lint| (lint.check)(subject));
    idle_allow::heeded(subject, odd.into_iter().chain(found).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lint_has_a_code_of_its_own() {
        for (position, lint) in LINTS.iter().enumerate() {
            assert!(LINTS[..position].iter().all(|earlier| earlier.code < lint.code), "{}", lint.code);
        }
    }
}
