//! A matcher that names a tool which the client does not have: the hook would never fire.

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::model::Matcher;
use crate::protocol;

pub(super) const LINT: Lint = Lint { code: Code::UnknownTool, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (place, hook) in subject.hooks().filter(|(_, hook)| hook.event.subject == Some("tool_name")) {
        let Some(Matcher::Names { written, names }) = &hook.matcher else { continue };
        for name in names.iter().filter(|name| !known(name)) {
            let start = written.find(name.as_str()).unwrap_or_default();
            let help = did_you_mean(name, protocol::tool_names()).map_or_else(
                || "the client has no tool of this name; MCP tools begin with `mcp__`".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            findings.push(
                Diagnostic::warning(Code::UnknownTool, format!("no tool is named `{name}`"))
                    .primary(subject.document.inside(&place.key("matcher"), start..start + name.len()), "never fires")
                    .help(help),
            );
        }
    }
    findings
}

fn known(name: &str) -> bool {
    name.starts_with("mcp__") || protocol::tool_names().any(|tool| tool == name)
}
