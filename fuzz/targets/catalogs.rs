//! Any bytes as a catalog: a model or diagnostics that can be shown, and never a panic.

#![no_main]

use camino::Utf8Path;
use hookgen::compile::compile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let compiled = compile(Utf8Path::new("specs/fuzz.yaml"), bytes.to_vec());
    assert!(compiled.catalog.is_some() || !compiled.diagnostics.is_empty(), "neither a model nor a reason");
    let _ = hookgen::diagnostic::render(&compiled.diagnostics, false);
});
