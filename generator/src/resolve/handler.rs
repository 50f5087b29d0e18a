//! Who decides: which keys belong to which type of hook, and which types the client runs on which event.

use hookgen_runtime::Event;

use super::Resolver;
use crate::catalog::{Hook, Kind};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::Service;

const COMMAND: &[Kind] = &[Kind::Command];
const MODELS: &[Kind] = &[Kind::Prompt, Kind::Agent];
const HTTP: &[Kind] = &[Kind::Http];
const MCP_TOOL: &[Kind] = &[Kind::McpTool];
const PROGRAMS: &[Kind] = &[Kind::Command, Kind::Run];
const RUN: &[Kind] = &[Kind::Run];

impl Resolver<'_> {
    /// Keys that only some types of hook have, and those that a type cannot do without.
    pub(super) fn handler_fields(&self, hook: &Hook, place: &Pointer) {
        for (key, set, kinds) in [
            ("when", hook.when.is_some(), COMMAND),
            ("let", !hook.bindings.is_empty(), COMMAND),
            ("documents", !hook.documents.is_empty(), COMMAND),
            ("checks", !hook.checks.is_empty(), COMMAND),
            ("cases", !hook.cases.is_empty(), COMMAND),
            ("async", hook.background, PROGRAMS),
            ("async_rewake", hook.async_rewake, PROGRAMS),
            ("mode", hook.mode.is_some(), COMMAND),
            ("command", hook.command.is_some(), RUN),
            ("args", hook.args.is_some(), RUN),
            ("shell", hook.shell.is_some(), RUN),
            ("prompt", hook.prompt.is_some(), MODELS),
            ("model", hook.model.is_some(), MODELS),
            ("continue_on_block", hook.continue_on_block, &[Kind::Prompt]),
            ("url", hook.url.is_some(), HTTP),
            ("headers", !hook.headers.is_empty(), HTTP),
            ("allowed_env_vars", !hook.allowed_env_vars.is_empty(), HTTP),
            ("server", hook.server.is_some(), MCP_TOOL),
            ("tool", hook.tool.is_some(), MCP_TOOL),
            ("input", !hook.input.is_empty(), MCP_TOOL),
        ] {
            if set && !kinds.contains(&hook.kind) {
                let belongs = kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(" and ");
                self.report(
                    Diagnostic::error(Code::HandlerFields, format!("`{key}` belongs to {belongs} hooks"))
                        .primary(self.document.key(&place.key(key)), "has no meaning here")
                        .help(format!("take it out: this is not one of the {belongs} hooks")),
                );
            }
        }
        self.indispensable(hook, place);
        self.header_variables(hook, place);
    }

    fn indispensable(&self, hook: &Hook, place: &Pointer) {
        let grip = self.document.at(&place.key("id"));
        let lack = |code, message: &str, key: &str, help: &str| {
            self.report(
                Diagnostic::error(code, message.to_owned()).primary(grip.clone(), format!("has no `{key}`")).help(help),
            );
        };
        match hook.kind {
            Kind::Command if hook.checks.is_empty() => {
                let message = format!("hook `{}` checks nothing", hook.id);
                lack(Code::NoEffect, &message, "checks", "add a check with an effect, or remove the hook");
            }
            Kind::Prompt | Kind::Agent if hook.prompt.is_none() => {
                let message = "a prompt or agent hook asks a model something";
                lack(Code::HandlerFields, message, "prompt", "add `prompt:`; the model answers with {ok, reason}");
            }
            Kind::Http if hook.url.is_none() => {
                let message = "an http hook sends the event somewhere";
                lack(Code::HandlerFields, message, "url", "add `url:`; the service answers with the client's JSON");
            }
            Kind::McpTool if hook.server.is_none() || hook.tool.is_none() => {
                let key = if hook.server.is_none() { "server" } else { "tool" };
                let message = "an mcp_tool hook calls a tool of a server";
                lack(Code::HandlerFields, message, key, "add `server:` and `tool:`");
            }
            Kind::Run if hook.command.is_none() => {
                let message = "a run hook starts a program of somebody else";
                lack(
                    Code::HandlerFields,
                    message,
                    "command",
                    "add `command:`; the program answers in the client's own way",
                );
            }
            _ => {}
        }
    }

    /// The client leaves a variable that is not listed empty, and a service would see a request without its key.
    fn header_variables(&self, hook: &Hook, place: &Pointer) {
        for (name, value) in &hook.headers {
            for variable in variables(value).filter(|name| !hook.allowed_env_vars.iter().any(|other| other == name)) {
                self.report(
                    Diagnostic::error(Code::HandlerFields, format!("variable `{variable}` would be empty"))
                        .primary(self.document.at(&place.key("headers").key(name)), "the client fills in listed ones")
                        .help(format!("add `allowed_env_vars: [{variable}]`")),
                );
            }
        }
    }

    /// Keys and types that only some events honour.
    pub(super) fn event_fields(&self, hook: &Hook, event: &Event, place: &Pointer) {
        let refuse = |key: &str, message: String, help: &str| {
            self.report(
                Diagnostic::error(Code::HandlerFields, message)
                    .primary(self.document.key(&place.key(key)), "")
                    .help(help),
            );
        };
        if hook.condition.is_some() && !event.conditions {
            refuse("if", format!("on {} a hook with `if` never runs", event.name), "say it in `when`");
        }
        let runs = match hook.kind {
            Kind::Command | Kind::McpTool | Kind::Run => true,
            Kind::Prompt => event.prompt_hooks,
            Kind::Agent => event.agent_hooks,
            Kind::Http => event.http_hooks,
        };
        if !runs {
            let kind = hook.kind.word();
            refuse("type", format!("the client runs no {kind} hooks on {}", event.name), "use a command hook");
        }
    }
}

/// Who is asked, where the hook says enough about it.
pub(super) fn service(hook: &Hook) -> Option<Service> {
    match hook.kind {
        Kind::Http => Some(Service::Http {
            url: hook.url.clone()?,
            headers: hook.headers.clone(),
            allowed_env_vars: hook.allowed_env_vars.clone(),
        }),
        Kind::McpTool => {
            Some(Service::McpTool { server: hook.server.clone()?, tool: hook.tool.clone()?, input: hook.input.clone() })
        }
        Kind::Run => Some(Service::Program {
            command: hook.command.clone()?,
            args: hook.args.clone(),
            shell: hook.shell.clone(),
        }),
        Kind::Command | Kind::Prompt | Kind::Agent => None,
    }
}

/// The variables in a text: `$NAME` and `${NAME}`.
fn variables(text: &str) -> impl Iterator<Item = &str> {
    text.split('$').skip(1).filter_map(|rest| {
        let name = rest.strip_prefix('{').unwrap_or(rest);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        name.get(..end).filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_found_in_both_spellings_and_prices_are_none() {
        assert_eq!(variables("Bearer $TOKEN, ${OTHER_1}!").collect::<Vec<_>>(), ["TOKEN", "OTHER_1"]);
        assert_eq!(variables("costs $5 or $").count(), 0);
    }
}
