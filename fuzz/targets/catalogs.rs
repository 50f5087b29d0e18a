//! Any bytes as a catalog: a model of which every file can be made, or diagnostics that can be shown; never a panic.

#![no_main]

use camino::Utf8Path;
use hookgen::compile::compile;
use hookgen::emit::{Target, emit};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let compiled = compile(Utf8Path::new("specs/fuzz.yaml"), bytes.to_vec());
    assert!(compiled.catalog.is_some() || !compiled.diagnostics.is_empty(), "neither a model nor a reason");
    if let Some(catalog) = &compiled.catalog {
        let target = Target { runtime_path: "../../../runtime".to_owned() };
        emit(catalog, &target).expect("no bug in an emitter");
    }
    let _ = hookgen::diagnostic::render(&compiled.diagnostics, false);
});
