//! Matchers, read as the client reads them.

use hookgen_runtime::Event;

use super::Resolver;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::Matcher;

impl Resolver<'_> {
    /// The matcher of a hook; `Some(None)` is every subject.
    pub(super) fn matcher(&self, written: Option<&str>, event: &Event, at: &Pointer) -> Option<Option<Matcher>> {
        let Some(written) = written else { return Some(None) };
        let refuse = |message: String, help: &str| {
            self.report(Diagnostic::error(Code::BadMatcher, message).primary(self.document.at(at), "").help(help));
            None
        };
        if matches!(written, "" | "*") {
            return Some(None);
        }
        if event.subject.is_none() {
            return refuse(
                format!("{} has no matcher", event.name),
                "the client ignores it and fires for everything: take it out, and say it in `when`",
            );
        }
        // Two events take a narrower alphabet for plain names.
        let narrow = matches!(event.name, "FileChanged" | "StopFailure");
        let plain =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '|') || (!narrow && matches!(c, '-' | ' ' | ','));
        if written.chars().all(plain) {
            let names: Vec<String> =
                written.split(['|', ',']).map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
            return match names.iter().find(|name| name.starts_with("mcp__") && name.matches("__").count() < 2) {
                Some(server) => refuse(
                    format!("`{server}` is compared as a whole name and matches no tool"),
                    "name the tool too, or match all of the server's with `mcp__server__.*`",
                ),
                None if names.is_empty() => {
                    refuse(format!("`{written}` names nothing"), "name a subject, or leave it out")
                }
                None => Some(Some(Matcher::Names { written: written.to_owned(), names })),
            };
        }
        match hookgen_runtime::pattern::check(written) {
            Ok(()) => Some(Some(Matcher::Pattern { written: written.to_owned() })),
            Err(error) => refuse(
                format!("this matcher is a regular expression that cannot be compiled: {error}"),
                "such a matcher silently never fires",
            ),
        }
    }
}
