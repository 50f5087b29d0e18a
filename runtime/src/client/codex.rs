//! Codex CLI: Claude Code's events and JSON, of which it takes only what its schemas name.

use super::fields::{encode_tool, read_tool, shell_output};
use super::spoken::{self, nested};
use super::{
    Client, Fields, Form, Known, Outcome, Own, Pins, Program, Reading, Registered, Registration, Silence, Switch, Tool,
    Trust, Unit, find, put, take, text_of,
};
use crate::event::{Context, Event, Notice, QUIET, Refusal};
use crate::failure::Attempt;
use crate::json::Json;
use crate::reply::{Reply, Said};

/// The table.
pub static CLIENT: Client = Client {
    name: "codex",
    title: "Codex CLI",
    known: Known::Run("0.166.0"),
    events: EVENTS,
    tools: &[
        Tool::new("apply_patch", "Edit").patch("command"),
        Tool::new("spawn_agent", "Agent").fields(&[("message", "prompt")]),
        Tool::new("Bash", "Bash"),
    ],
    project: None,
    read,
    write,
    encode,
    registration: Registration {
        programs: ".codex/hookgen",
        file: ".codex/hooks.json",
        form: Form::Nested,
        program: Program::Absolute,
        unit: Unit::Seconds,
        matchers: true,
        trust: Trust::Pinned(&PINS),
        switches: &[Switch { file: ".codex/config.toml", key: "features.hooks", off: false }],
        further: &[],
        also: &[],
        in_main_checkout: true,
    },
    silence: Silence { missing: Outcome::Passes, late: Outcome::Passes },
    remarks: &[
        "A hook runs only once it is trusted: `hookgen install` pins the hash of each entry in `config.toml` of \
         `$CODEX_HOME`, and whatever changes the entry takes the trust away without a word.",
        "The hooks of a linked git worktree are those of its main checkout, which is where they are installed.",
        "`hooks = false` under `[features]` in `config.toml`, of the person or of the project, leaves every hook out.",
        "It cannot ask. A question would be dropped and the call would run.",
        "`PostToolUse` also comes after a call that failed, and does not say so.",
        "What the model types into a program that already runs (`write_stdin`) is sent to no hook.",
    ],
};

static PINS: Pins = Pins {
    list: Own { variable: "CODEX_HOME", folder: ".codex", file: "config.toml" },
    table: "hooks.state",
    key: "trusted_hash",
    place: |file, entry| format!("{file}:{}:{}:{}", snake(entry.event), entry.at.0, entry.at.1),
    hash,
};

/// The digest of an entry with its defaults, as compact JSON with sorted keys.
fn hash(entry: &Registered<'_>, digest: fn(&[u8]) -> String) -> String {
    let timeout = entry.timeout.unwrap_or(600);
    let command = Json::text(entry.command);
    let matcher = entry.matcher.map(|matcher| format!(",\"matcher\":{}", Json::text(matcher))).unwrap_or_default();
    let hooks = format!("[{{\"async\":false,\"command\":{command},\"timeout\":{timeout},\"type\":\"command\"}}]");
    let text = format!("{{\"event_name\":\"{}\",\"hooks\":{hooks}{matcher}}}", snake(entry.event));
    format!("sha256:{}", digest(text.as_bytes()))
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (place, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

const SPOKEN: Event = Event { notice: Notice::SystemMessage, http_hooks: false, ..QUIET };
const TOOL: Event = Event { subject: Some("tool_name"), ..SPOKEN };

static EVENTS: &[Event] = &[
    Event { name: "PreToolUse", refusal: Refusal::Permission, context: Context::Additional, rewrites: true, ..TOOL },
    Event { name: "PostToolUse", refusal: Refusal::Feedback, context: Context::Additional, ..TOOL },
    Event { name: "PermissionRequest", refusal: Refusal::Behavior, approves: true, ..TOOL },
    Event { name: "UserPromptSubmit", refusal: Refusal::Block, context: Context::Additional, ..SPOKEN },
    Event { name: "SessionStart", subject: Some("source"), context: Context::Additional, ..SPOKEN },
    Event { name: "SessionEnd", subject: Some("reason"), notice: Notice::Never, ..SPOKEN },
    Event { name: "Stop", refusal: Refusal::Block, ..SPOKEN },
    Event { name: "SubagentStart", subject: Some("agent_type"), context: Context::Additional, ..SPOKEN },
    Event { name: "SubagentStop", subject: Some("agent_type"), refusal: Refusal::Block, ..SPOKEN },
    Event { name: "PreCompact", subject: Some("trigger"), ..SPOKEN },
    Event { name: "PostCompact", subject: Some("trigger"), ..SPOKEN },
];

fn read<'a>(fields: Fields<'a>, _: &Event) -> Attempt<Reading<'a>> {
    let mut reading = read_tool(&CLIENT, fields)?;
    reading.calls.iter_mut().for_each(shell_output);
    // A call is replaced by its command alone, which a patch is told by another name.
    reading.tool = None;
    Ok(reading)
}

/// A change of the input counts only beside an approval.
fn write(said: &Said<'_>) -> Reply {
    let mut reply = nested(said);
    if said.refusal.is_none() && said.rewrites() {
        let mut specific: Fields<'_> = vec![
            ("hookEventName".into(), Json::text(said.event.native())),
            ("permissionDecision".into(), Json::text("allow")),
            ("updatedInput".into(), spoken::updated_input(said)),
        ];
        if let Some(context) = said.context() {
            spoken::put(&mut specific, "additionalContext", spoken::text(context));
        }
        let mut top: Fields<'_> = vec![("hookSpecificOutput".into(), Json::Object(crate::Many::Owned(specific)))];
        if let Some(notices) = said.notices() {
            spoken::put(&mut top, "systemMessage", spoken::text(notices));
        }
        reply.stdout = spoken::line(top);
    }
    reply
}

fn encode<'a>(mut fields: Fields<'a>, _: &Event) -> Option<Fields<'a>> {
    encode_tool(&CLIENT, &mut fields)?;
    if text_of(&fields, "tool_name") == Some("Bash")
        && let Some(Json::Object(response)) = find(&fields, "tool_response").cloned()
    {
        let stdout = response.iter().find(|(name, _)| name == "stdout").map(|(_, value)| value.clone());
        take(&mut fields, "tool_response");
        put(&mut fields, "tool_response", stdout.unwrap_or_else(|| Json::text("")));
    }
    Some(fields)
}
