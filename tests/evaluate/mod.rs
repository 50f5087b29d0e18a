//! Catalogs that run as they stand: expressions by their values, hooks as processes, files that were tampered with.

mod both;
mod definitions;
mod equal;
mod expressions;
mod files;
mod grown;
mod modes;
mod portable;
mod seen;

use camino::Utf8Path;
use hookgen::compile::compile;
use hookgen::lower::lower;
use hookgen_runtime::representation::{Archive, Representation};

/// What a catalog runs as. One that is not sound shows why.
#[track_caller]
pub(crate) fn lowered(text: &str) -> Representation {
    let compiled = compile(Utf8Path::new("specs/test.yaml"), text.as_bytes().to_vec());
    let Some(catalog) = compiled.catalog else {
        let errors = compiled.diagnostics.iter().filter(|found| found.is_error()).map(|found| &found.message);
        panic!("{:#?}", errors.collect::<Vec<_>>());
    };
    lower(&catalog).expect("no bug")
}

/// The catalog for evaluators, which keep references to it as long as the process lives.
#[track_caller]
pub(crate) fn archive(text: &str) -> &'static Archive {
    Box::leak(Box::new(Archive::of(lowered(text))))
}
