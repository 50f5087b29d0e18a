//! What is wrong with the user's files, and where.
//!
//! A diagnostic is a value: it is collected, sorted and shown by one of the renderers, never printed where it arises.

mod code;
mod json;
mod render;
mod suggest;

pub use code::Code;
pub use json::json_lines;
pub use render::render;
pub use suggest::did_you_mean;

use crate::source::Location;

/// After so many faults of one stage, more of them help nobody: the file is not what its author thinks it is.
pub const ENOUGH: usize = 1000;

/// One fault, with everything that a reader needs to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of fault.
    pub code: Code,
    /// Whether it stops the build.
    pub severity: Severity,
    /// The fact, in one line.
    pub message: String,
    /// The places that matter.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
}

/// Whether a fault stops the build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Something is generated, but somebody should look.
    Warning,
}

/// A place and why it matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub location: Location,
    /// Why here; may be empty where the message says it all.
    pub text: String,
    /// Whether the fault itself is here.
    pub primary: bool,
}

impl Diagnostic {
    /// A fault that stops the build.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message.into())
    }

    /// A fault that somebody should look at.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message.into())
    }

    fn new(code: Code, severity: Severity, message: String) -> Self {
        Self { code, severity, message, labels: Vec::new(), help: None }
    }

    /// The fault is here.
    #[must_use]
    pub fn primary(self, location: Location, text: impl Into<String>) -> Self {
        self.label(location, text.into(), true)
    }

    /// This place has to do with it.
    #[must_use]
    pub fn secondary(self, location: Location, text: impl Into<String>) -> Self {
        self.label(location, text.into(), false)
    }

    fn label(mut self, location: Location, text: String, primary: bool) -> Self {
        self.labels.push(Label { location, text, primary });
        self
    }

    /// What to do about it. The last one given counts.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what to do about it, if there is something to say.
    #[must_use]
    pub fn maybe_help(self, help: Option<String>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Whether it stops the build.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Where the fault is: the first primary label, or else the first of all.
    pub fn place(&self) -> Option<&Location> {
        let label = self.labels.iter().find(|label| label.primary).or(self.labels.first());
        label.map(|label| &label.location)
    }
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// The diagnostics in the order in which they are shown: by file, by place, by code. A fault found twice is shown once.
pub fn in_order(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    ordered.sort_by(|one, other| sort_key(one).cmp(&sort_key(other)));
    ordered.dedup();
    ordered
}

fn sort_key(diagnostic: &Diagnostic) -> impl Ord {
    let place = diagnostic.place().map(|location| (location.source.path(), location.span));
    (place, diagnostic.code, diagnostic.severity, diagnostic.message.as_str())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::source::Source;

    #[test]
    fn diagnostics_come_by_file_then_place_then_code_and_once() {
        let first = Arc::new(Source::new("a.yaml", "one two"));
        let second = Arc::new(Source::new("b.yaml", "one two"));
        let at = |code, source, start: usize| {
            Diagnostic::error(code, "m").primary(Location::new(source, start..start + 3), "")
        };
        let diagnostics = [
            at(Code::YamlSyntax, &second, 0),
            at(Code::UnknownKey, &first, 4),
            at(Code::DuplicateKey, &first, 4),
            at(Code::UnknownKey, &first, 0),
            at(Code::UnknownKey, &first, 4),
        ];
        let ordered: Vec<_> = in_order(&diagnostics)
            .into_iter()
            .map(|it| {
                (
                    it.place().expect("a place").source.path().as_str(),
                    it.place().expect("a place").span.start(),
                    it.code,
                )
            })
            .collect();
        assert_eq!(
            ordered,
            [
                ("a.yaml", 0, Code::UnknownKey),
                ("a.yaml", 4, Code::DuplicateKey),
                ("a.yaml", 4, Code::UnknownKey),
                ("b.yaml", 0, Code::YamlSyntax),
            ]
        );
    }

    #[test]
    fn the_place_of_a_diagnostic_is_its_primary_label() {
        let source = Arc::new(Source::new("a.yaml", "one two"));
        let diagnostic = Diagnostic::warning(Code::UnusedName, "m")
            .secondary(Location::new(&source, 0..3), "declared here")
            .primary(Location::new(&source, 4..7), "here");
        assert_eq!(diagnostic.place().map(Location::text), Some("two"));
        assert!(!diagnostic.is_error());
    }
}
