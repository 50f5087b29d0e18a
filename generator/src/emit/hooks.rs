//! Registration with the client: which command or prompt runs on which event.
//!
//! The client drops a registration with a `null` or an unknown kind, and every guard in it, so an absent field is
//! always left out.

use hookgen_runtime::EVENTS;
use hookgen_runtime::client::claude::places::{PLUGIN_ROOT, in_braces};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Number, Value};

use super::{Bug, Emitter, Output, Target, pretty_json};
use crate::catalog::Ordered;
use crate::model::{self, Dispatch, FailSafe, Hook, Kind, Mode, Service};

/// Makes `hooks/hooks.json`.
pub(super) struct Hooks;

#[derive(Serialize)]
struct File<'a> {
    description: &'a str,
    hooks: IndexMap<&'static str, Vec<Group>>,
}

/// Handlers that share a matcher.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<String>,
    hooks: Vec<Handler>,
}

/// One entry that the client runs.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are the client's own fields")]
#[serde(rename_all = "camelCase")]
struct Handler {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(flatten)]
    service: Option<Asked>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#if: Option<String>,
    timeout: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_message: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    r#async: bool,
    #[serde(skip_serializing_if = "is_false")]
    async_rewake: bool,
    #[serde(skip_serializing_if = "is_false")]
    once: bool,
    #[serde(skip_serializing_if = "is_false")]
    continue_on_block: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'static str>,
}

/// Who is asked, in the client's words.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Asked {
    #[serde(rename_all = "camelCase")]
    Http {
        url: String,
        #[serde(skip_serializing_if = "IndexMap::is_empty")]
        headers: Ordered<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        allowed_env_vars: Vec<String>,
    },
    McpTool {
        server: String,
        tool: String,
        #[serde(skip_serializing_if = "IndexMap::is_empty")]
        input: Ordered<Value>,
    },
    Program {
        command: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        args: Option<Vec<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        shell: Option<String>,
    },
}

impl Emitter for Hooks {
    fn name(&self) -> &'static str {
        "plugin registration"
    }

    fn emit(&self, catalog: &model::Catalog, _: &Target) -> Result<Vec<Output>, Bug> {
        let command = format!("{}/bin/{}", in_braces(PLUGIN_ROOT), catalog.binary);
        let file = File { description: catalog.description.trim(), hooks: registration(catalog, &command) };
        Ok(vec![Output::new("hooks/hooks.json", pretty_json(&file)?)])
    }
}

/// Events in the client's order, each with its groups in catalog order. `command` is the binary as the client finds it.
pub(super) fn registration(catalog: &model::Catalog, command: &str) -> IndexMap<&'static str, Vec<Group>> {
    let mut events = IndexMap::new();
    for event in EVENTS {
        let hooks: Vec<&Hook> = catalog.hooks.iter().filter(|hook| hook.event.name == event.name).collect();
        if hooks.is_empty() {
            continue;
        }
        let mut groups: IndexMap<Option<&str>, Vec<Handler>> = IndexMap::new();
        for process in processes(catalog.dispatch, &hooks) {
            if let Some(first) = process.first() {
                let matcher = first.matcher.as_ref().map(model::Matcher::written);
                groups.entry(matcher).or_default().push(handler(catalog, &process, first, command));
            }
        }
        let groups = groups.into_iter().map(|(matcher, hooks)| Group { matcher: matcher.map(str::to_owned), hooks });
        events.insert(event.name, groups.collect());
    }
    events
}

/// The hooks of one event, split by the process that runs them, in catalog order.
pub(crate) fn processes<'a>(dispatch: Dispatch, hooks: &[&'a Hook]) -> Vec<Vec<&'a Hook>> {
    let mut processes: Vec<Vec<&Hook>> = Vec::new();
    for hook in hooks {
        let shared = processes.iter_mut().find(|process| process.iter().all(|other| share(dispatch, other, hook)));
        match shared {
            Some(process) => process.push(hook),
            None => processes.push(vec![hook]),
        }
    }
    processes
}

/// Whether the client cannot tell two hooks of an event apart, so that one process can run both.
fn share(dispatch: Dispatch, one: &Hook, other: &Hook) -> bool {
    let key = |hook: &Hook| (hook.background, hook.async_rewake, hook.once);
    dispatch == Dispatch::Merged
        && one.kind == Kind::Command
        && other.kind == Kind::Command
        && one.matcher == other.matcher
        && one.condition == other.condition
        && key(one) == key(other)
}

/// The entry for hooks that share a process; `first` is the first of them.
fn handler(catalog: &model::Catalog, process: &[&Hook], first: &Hook, command: &str) -> Handler {
    let runs_binary = first.kind == Kind::Command;
    let messages: Vec<&str> = process.iter().filter_map(|hook| hook.status_message.as_deref()).collect();
    Handler {
        r#type: first.kind.registered(),
        command: runs_binary.then(|| command.to_owned()),
        args: runs_binary.then(|| arguments(catalog, process)),
        prompt: first.prompt.clone().filter(|_| !runs_binary),
        model: first.model.clone().filter(|_| !runs_binary),
        service: first.service.clone().map(asked),
        r#if: first.condition.clone(),
        timeout: seconds(process.iter().map(|hook| u64::from(hook.timeout_ms)).sum()),
        status_message: (!messages.is_empty()).then(|| messages.join(" · ")),
        r#async: first.background,
        async_rewake: first.async_rewake,
        once: first.once,
        continue_on_block: first.continue_on_block && first.kind == Kind::Prompt,
        on_failure: process.iter().any(|hook| blocks_on_failure(hook)).then_some("block"),
    }
}

/// What the binary is asked for. It also hears which catalog and version the registration is of, and whether a hook in
/// it is closed: a binary that does not have these hooks cannot know that, and must know whether to refuse.
fn arguments(catalog: &model::Catalog, process: &[&Hook]) -> Vec<String> {
    let closed = process.iter().any(|hook| hook.fail_safe == FailSafe::Closed && hook.mode == Mode::Enforce);
    let of = format!("--{}={}@{}", if closed { "closed" } else { "open" }, catalog.name, catalog.version);
    std::iter::once(of).chain(process.iter().map(|hook| hook.id.clone())).collect()
}

fn asked(service: Service) -> Asked {
    match service {
        Service::Http { url, headers, allowed_env_vars } => Asked::Http { url, headers, allowed_env_vars },
        Service::McpTool { server, tool, input } => Asked::McpTool { server, tool, input },
        Service::Program { command, args, shell } => Asked::Program { command, args, shell },
    }
}

/// Whether the registration asks the client to refuse the action when the binary is missing or crashes, or
/// the service does not answer.
pub(super) fn blocks_on_failure(hook: &Hook) -> bool {
    matches!(hook.kind, Kind::Command | Kind::Http | Kind::Run)
        && hook.fail_safe == FailSafe::Closed
        && hook.event.blocks_on_failure
        && !hook.background
        && !hook.async_rewake
}

/// Milliseconds as the client's seconds, whole where they are.
fn seconds(milliseconds: u64) -> Number {
    if milliseconds.is_multiple_of(1000) {
        return Number::from(milliseconds / 1000);
    }
    #[expect(clippy::cast_precision_loss, reason = "a sum of u32 milliseconds is far below 2^53")]
    let fraction = milliseconds as f64 / 1000.0;
    Number::from_f64(fraction).unwrap_or_else(|| Number::from(milliseconds.div_ceil(1000)))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::fixture;
    use super::*;

    fn file(catalog: &model::Catalog) -> Value {
        let outputs = Hooks.emit(catalog, &fixture::target()).expect("emits");
        assert_eq!(outputs[0].path, "hooks/hooks.json");
        serde_json::from_str(&outputs[0].text).expect("JSON")
    }

    fn has_null(value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Array(items) => items.iter().any(has_null),
            Value::Object(fields) => fields.values().any(has_null),
            _ => false,
        }
    }

    #[test]
    fn hooks_with_equal_matchers_share_a_group_and_keep_their_own_process() {
        let file = file(&fixture::full());
        let expected = json!([
            { "matcher": "Write|Edit", "hooks": [
                { "type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/demo-hooks", "timeout": 3,
                  "args": ["--closed=demo@1.2.3", "H01"], "statusMessage": "Guarding", "onFailure": "block" },
                { "type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/demo-hooks", "timeout": 1.5,
                  "args": ["--open=demo@1.2.3", "H02"], "statusMessage": "Counting" },
            ] },
            { "matcher": "mcp__git__.*", "hooks": [
                { "type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/demo-hooks", "timeout": 2,
                  "args": ["--open=demo@1.2.3", "H03"] },
            ] },
        ]);
        assert_eq!(file["hooks"]["PreToolUse"], expected);
    }

    #[test]
    fn merged_hooks_share_one_process_in_catalog_order() {
        let mut catalog = fixture::full();
        catalog.dispatch = Dispatch::Merged;
        let expected = json!([
            { "type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/demo-hooks",
              "args": ["--closed=demo@1.2.3", "H01", "H02"], "timeout": 4.5, "statusMessage": "Guarding · Counting", "onFailure": "block" },
        ]);
        assert_eq!(file(&catalog)["hooks"]["PreToolUse"][0]["hooks"], expected);
    }

    #[test]
    fn a_hook_with_another_condition_is_not_merged() {
        let mut catalog = fixture::full();
        catalog.dispatch = Dispatch::Merged;
        catalog.hooks[1].condition = Some("Write(*.md)".to_owned());
        let handlers = file(&catalog)["hooks"]["PreToolUse"][0]["hooks"].clone();
        assert_eq!(handlers.as_array().map(Vec::len), Some(2));
        assert_eq!(handlers[1]["if"], "Write(*.md)");
    }

    #[test]
    fn prompts_carry_their_question_and_no_command() {
        let expected = json!([{ "hooks": [
            { "type": "prompt", "prompt": "Is the work | done? `$ARGUMENTS`", "model": "haiku", "timeout": 30,
              "continueOnBlock": true },
        ] }]);
        assert_eq!(file(&fixture::full())["hooks"]["Stop"], expected);
    }

    #[test]
    fn services_carry_what_the_client_needs_to_ask_them() {
        let mut catalog = fixture::full();
        let hook = &mut catalog.hooks[0];
        hook.kind = Kind::Http;
        hook.service = Some(Service::Http {
            url: "https://example.org/judge".to_owned(),
            headers: Ordered::from_iter([("Authorization".to_owned(), "Bearer $TOKEN".to_owned())]),
            allowed_env_vars: vec!["TOKEN".to_owned()],
        });
        let hook = &mut catalog.hooks[1];
        hook.kind = Kind::McpTool;
        hook.service =
            Some(Service::McpTool { server: "judge".to_owned(), tool: "ask".to_owned(), input: Ordered::new() });
        let expected = json!([
            { "type": "http", "url": "https://example.org/judge", "headers": { "Authorization": "Bearer $TOKEN" },
              "allowedEnvVars": ["TOKEN"], "timeout": 3, "statusMessage": "Guarding", "onFailure": "block" },
            { "type": "mcp_tool", "server": "judge", "tool": "ask", "timeout": 1.5, "statusMessage": "Counting" },
        ]);
        assert_eq!(file(&catalog)["hooks"]["PreToolUse"][0]["hooks"], expected);
    }

    #[test]
    fn events_come_in_the_client_s_order_and_nothing_is_null() {
        let file = file(&fixture::full());
        let names: Vec<_> = file["hooks"].as_object().expect("object").keys().cloned().collect();
        assert_eq!(names, ["PreToolUse", "PostToolUse", "Stop", "PreCompact"]);
        assert!(!has_null(&file));
    }

    #[test]
    fn a_closed_hook_that_only_warns_is_registered_as_one_that_refuses_nothing() {
        let mut catalog = fixture::full();
        catalog.hooks[0].mode = Mode::Warn;
        assert_eq!(file(&catalog)["hooks"]["PreToolUse"][0]["hooks"][0]["args"][0], "--open=demo@1.2.3");
    }

    #[test]
    fn a_closed_hook_in_the_background_does_not_ask_for_a_block() {
        let mut catalog = fixture::full();
        catalog.hooks[0].background = true;
        let handler = file(&catalog)["hooks"]["PreToolUse"][0]["hooks"][0].clone();
        assert_eq!(handler["async"], true);
        assert!(handler.get("onFailure").is_none());
    }
}
