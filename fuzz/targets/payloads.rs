//! Any bytes as the event of any hook of product-planning: an answer with 0 or 2, and never a panic.
//!
//! The first byte chooses the hook, the rest is what the client sends. Hooks look at the project and write to the
//! state folder that the environment names, so both must be named: anything else would fuzz a person's own files.

#![no_main]

use hookgen_runtime::{Answering, CLAUDE, Call, Event, Json, Many, Running, Verdict, parse_event, reply};
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

fuzz_target!(|bytes: &[u8]| {
    for name in ["CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_DATA"] {
        assert!(std::env::var_os(name).is_some(), "set `{name}` to a folder that may be written to");
    }
    let Some((choice, text)) = bytes.split_first() else { return };
    let catalog = &catalog::CATALOG;
    let position = usize::from(*choice) % catalog.hooks.len();
    let event = Event::named(&catalog.hooks[position].event).expect("a catalog names known events");
    let mut text = text.to_vec();
    let Ok(mut reading) = parse_event(CLAUDE, &mut text, event) else { return };
    let payload = Json::Object(Many::Owned(reading.calls.remove(0)));
    let call = Call::new(&catalog.name, event, &payload);
    let mut verdict = Verdict::default();
    if facts::start(&call).run(position, &mut verdict).is_err() {
        return;
    }
    let to = Answering { client: CLAUDE, event, denial: catalog.denial, running: Running::Awaited, tool: None };
    let reply = reply(to, call.payload().at("tool_input"), vec![verdict]);
    assert!(matches!(reply.exit, 0 | 2));
    assert!(!reply.stdout.starts_with('{') || Json::parse(&reply.stdout).is_ok(), "{}", reply.stdout);
});
