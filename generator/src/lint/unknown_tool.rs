//! A matcher or an `if` that names a tool which the client does not have: the hook would never fire.

use hookgen_runtime::pattern::Pattern;

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::document::Pointer;
use crate::model::Matcher;
use crate::protocol;

pub(super) const LINT: Lint = Lint { code: Code::UnknownTool, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (place, hook) in subject.hooks().filter(|(_, hook)| hook.event.subject == Some("tool_name")) {
        match &hook.matcher {
            Some(Matcher::Names { written, names }) => {
                for name in names.iter().filter(|name| !protocol::is_tool(name)) {
                    let start = written.find(name.as_str()).unwrap_or_default();
                    findings.push(unknown(subject, &place.key("matcher"), name, start));
                }
            }
            Some(Matcher::Pattern { written }) => findings.extend(idle(subject, &place.key("matcher"), written)),
            None => {}
        }
        let rule = hook.condition.as_deref().map(|rule| rule.split('(').next().unwrap_or_default());
        if let Some(name) = rule.filter(|name| !protocol::is_tool(name)) {
            findings.push(unknown(subject, &place.key("if"), name, 0));
        }
    }
    findings
}

fn unknown(subject: &Subject<'_>, at: &Pointer, name: &str, start: usize) -> Diagnostic {
    let help = did_you_mean(name, protocol::tool_names()).map_or_else(
        || "the client has no tool of this name; MCP tools begin with `mcp__`".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    Diagnostic::warning(Code::UnknownTool, format!("no tool is named `{name}`"))
        .primary(subject.document.inside(at, start..start + name.len()), "never fires")
        .help(help)
}

/// A pattern that fits no tool. What it says about MCP tools cannot be known.
fn idle(subject: &Subject<'_>, at: &Pointer, written: &str) -> Option<Diagnostic> {
    let pattern = Pattern::from(written.to_owned());
    if written.contains("__") || written.contains("mcp") || protocol::tool_names().any(|tool| pattern.matches(tool)) {
        return None;
    }
    let rule = written.split_once('(').filter(|(tool, _)| protocol::is_tool(tool));
    let help = rule.map_or_else(
        || "write the names of the tools: `Read|Edit`".to_owned(),
        |(tool, _)| format!("a permission rule is no matcher: write `matcher: {tool}` and `if: {written}`"),
    );
    let finding = Diagnostic::warning(Code::UnknownTool, format!("no tool fits the pattern `{written}`"));
    Some(finding.primary(subject.document.at(at), "never fires").help(help))
}
