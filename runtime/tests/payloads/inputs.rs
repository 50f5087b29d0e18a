//! Events as clients send them, with any value in any field, and bytes that are nearly such an event.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A state file with something in every field that a hook reads.
pub(crate) const STATE: &str = "---\nphase: RESEARCH\nmode: complete\nuser_decisions:\n  Use Redis for caching: 'Yes'\n\
                                gate_results:\n  - { phase: 1, verdict: PASS, score: 4.2 }\n---\n";

const FIELDS: &[&str] = &[
    "session_id",
    "cwd",
    "hook_event_name",
    "tool_name",
    "tool_input",
    "tool_response",
    "tool_result",
    "agent_type",
    "subagent_type",
    "last_assistant_message",
    "response",
    "reason",
    "prompt",
    "source",
    "trigger",
    "file_path",
    "filePath",
    "content",
    "questions",
    "question",
    "command",
    "query",
    "stop_hook_active",
    "other",
];

const TEXTS: &[&str] = &[
    "",
    "mine",
    "Write",
    "Edit",
    "Task",
    "AskUserQuestion",
    "mcp__Ref__search",
    "product-planning:tech-lead",
    "product-planning:qa-strategist",
    "product-planning:code-explorer",
    "specs/auth/spec.md",
    "specs/auth/../auth//x",
    "specs/auth/.planning-state.local.md",
    "/",
    "..",
    "\u{0}",
    "Use Redis for caching?",
    "## A\n- b\n| c | d |",
];

/// One JSON object, most often for that event.
pub(crate) fn event(name: &'static str) -> impl Strategy<Value = String> {
    (vec((select(FIELDS), value()), 0..10), prop::bool::weighted(0.9)).prop_map(move |(mut fields, named)| {
        if named {
            fields.push(("hook_event_name", quoted(name)));
        }
        object(&fields)
    })
}

/// Such an object, cut, or with a few bytes replaced by others.
pub(crate) fn nearly_an_event(name: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let changes = vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (event(name), changes, prop::option::of(any::<prop::sample::Index>())).prop_map(|(text, changes, cut)| {
        let mut bytes = text.into_bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len().max(1)));
        }
        bytes
    })
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        select(vec!["null", "true", "false", "0", "-1", "1.5", "1e308", "99999999999999999999"])
            .prop_map(str::to_owned),
        select(TEXTS).prop_map(quoted),
        any::<String>().prop_map(|text| quoted(&text)),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            vec((select(FIELDS), inner), 0..4).prop_map(|fields| object(&fields)),
        ]
    })
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
    format!("{{{}}}", fields.join(","))
}

fn quoted(text: &str) -> String {
    hookgen_runtime::Json::text(text).to_string()
}
