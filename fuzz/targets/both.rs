//! Any bytes as the event of any hook of product-planning, on both back ends: the same answer, or the same failure.
//!
//! The first byte chooses the hook, the rest is what the client sends. Hooks look at the project and at the state folder
//! that the environment names, so both must be named. What hooks would do is not done, so that both find the
//! same world.

#![no_main]

use std::sync::OnceLock;

use hookgen_runtime::evaluate::Evaluator;
use hookgen_runtime::program::Program;
use hookgen_runtime::representation::Archive;
use hookgen_runtime::{Call, Event, Running, Verdict, parse_event, reply};
use libfuzzer_sys::fuzz_target;

#[path = "../../generated/product-planning/runtime/src/catalog.rs"]
#[rustfmt::skip]
mod catalog;
#[path = "../../generated/product-planning/runtime/src/documents.rs"]
#[rustfmt::skip]
mod documents;
#[path = "../../generated/product-planning/runtime/src/facts.rs"]
#[rustfmt::skip]
mod facts;
#[path = "../../generated/product-planning/runtime/src/hooks/mod.rs"]
#[rustfmt::skip]
mod hooks;
#[path = "../../generated/product-planning/runtime/src/messages.rs"]
#[rustfmt::skip]
mod messages;

/// The catalog as it stands.
fn archive() -> &'static Archive {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    thread_local! {
        static ARCHIVE: &'static Archive = {
            let bytes = BYTES.get_or_init(|| include_bytes!("../../specs/product-planning.yaml").to_vec()).clone();
            let compiled = hookgen::compile::compile("specs/product-planning.yaml".into(), bytes);
            let catalog = compiled.catalog.expect("a catalog of this repository is sound");
            Box::leak(Box::new(Archive::of(hookgen::lower::lower(&catalog).expect("no bug"))))
        };
    }
    ARCHIVE.with(|archive| *archive)
}

/// What a hook says, or why it cannot.
fn answer(program: &dyn Program, call: &Call<'_>, position: usize) -> String {
    let mut verdict = Verdict::default();
    match program.run(position, &mut verdict) {
        Ok(()) => {
            let input = call.payload().at("tool_input");
            let denial = catalog::CATALOG.denial;
            format!("{:?}", reply(call.event(), denial, Running::Awaited, input, vec![verdict]))
        }
        Err(failure) => format!("failed: {failure}"),
    }
}

fuzz_target!(|bytes: &[u8]| {
    for name in ["CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_DATA"] {
        assert!(std::env::var_os(name).is_some(), "set `{name}` to a folder that may be written to");
    }
    let Some((choice, text)) = bytes.split_first() else { return };
    let catalog = &catalog::CATALOG;
    let position = usize::from(*choice) % catalog.hooks.len();
    // What a hook spends before it decides would be gone for the second one.
    if catalog.hooks[position].acts {
        return;
    }
    let event = Event::named(&catalog.hooks[position].event).expect("a catalog names known events");
    let mut text = text.to_vec();
    let Ok(payload) = parse_event(&mut text, event) else { return };
    let call = || Call::new(&catalog.name, event, &payload);
    let (one, other) = (call(), call());
    let compiled = answer(facts::start(&one).as_ref(), &one, position);
    let evaluated = answer(&Evaluator::new(&other, archive()), &other, position);
    assert_eq!(compiled, evaluated);
});
