//! Matchers, read as the client reads them.

use hookgen_runtime::Event;

use super::Resolver;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::Matcher;

/// Why a matcher would never do what it says, and what to do instead.
pub(crate) type Refused = (String, &'static str);

impl Resolver<'_> {
    /// The matcher of a hook; `Some(None)` is every subject.
    pub(super) fn matcher(&self, written: Option<&str>, event: &Event, at: &Pointer) -> Option<Option<Matcher>> {
        match read(written, event) {
            Ok(matcher) => Some(matcher),
            Err((message, help)) => {
                self.report(Diagnostic::error(Code::BadMatcher, message).primary(self.document.at(at), "").help(help));
                None
            }
        }
    }
}

/// A matcher as the client reads it; `None` is every subject.
pub(crate) fn read(written: Option<&str>, event: &Event) -> Result<Option<Matcher>, Refused> {
    let Some(written) = written.filter(|written| !matches!(*written, "" | "*")) else { return Ok(None) };
    if event.subject.is_none() {
        return Err((
            format!("{} has no matcher", event.name),
            "the client ignores it and fires for everything: take it out, and say it in `when`",
        ));
    }
    // Two events take a narrower alphabet for plain names.
    let narrow = matches!(event.name, "FileChanged" | "StopFailure");
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '|') || (!narrow && matches!(c, '-' | ' ' | ','));
    if written.chars().all(plain) {
        return names(written).map(Some);
    }
    match hookgen_runtime::pattern::check(written) {
        Ok(()) => Ok(Some(Matcher::Pattern { written: written.to_owned() })),
        Err(error) => Err((
            format!("this matcher is a regular expression that cannot be compiled: {error}"),
            if error.contains("look-around") {
                "name what it should fire for, and leave the rest out with `when`"
            } else {
                "such a matcher silently never fires: close what is open"
            },
        )),
    }
}

fn names(written: &str) -> Result<Matcher, Refused> {
    let names: Vec<String> =
        written.split(['|', ',']).map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    match names.iter().find(|name| name.starts_with("mcp__") && name.matches("__").count() < 2) {
        Some(server) => Err((
            format!("`{server}` is compared as a whole name and matches no tool"),
            "name the tool too, or match all of the server's with `mcp__server__.*`",
        )),
        None if names.is_empty() => Err((format!("`{written}` names nothing"), "name a subject, or leave it out")),
        None => Ok(Matcher::Names { written: written.to_owned(), names }),
    }
}
