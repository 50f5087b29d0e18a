//! Findings of any command, in the formats that other tools read: annotations of GitHub, SARIF, and the XML of `JUnit`.

mod github;
mod junit;
mod sarif;

pub use github::github;
pub use junit::{Test, junit};
pub use sarif::sarif;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Location;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
    Note,
}

/// Something that was found, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A code such as `HG302`, or a word such as `failed-case`.
    pub rule: String,
    /// What the rule is about, in one line.
    pub about: String,
    pub level: Level,
    pub message: String,
    pub place: Option<Place>,
}

/// A place in a file; lines and columns are counted from 1, columns in characters, the end is behind the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl Place {
    /// The beginning of a file.
    pub fn file(file: impl Into<String>) -> Self {
        Self { file: file.into(), line: 1, column: 1, end_line: 1, end_column: 1 }
    }
}

impl From<&Location> for Place {
    fn from(location: &Location) -> Self {
        let (start, end) = (location.start(), location.end());
        Self {
            file: location.source.path().to_string(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

impl From<&Diagnostic> for Finding {
    fn from(diagnostic: &Diagnostic) -> Self {
        let code: Code = diagnostic.code;
        let help = diagnostic.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
        Self {
            rule: code.id().to_owned(),
            about: code.summary().to_owned(),
            level: match diagnostic.severity {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
            },
            message: format!("{}{help}", diagnostic.message),
            place: diagnostic.place().map(Place::from),
        }
    }
}

#[cfg(test)]
pub(crate) fn example() -> Vec<Finding> {
    let place = Place { file: "specs/demo.yaml".to_owned(), line: 13, column: 22, end_line: 13, end_column: 31 };
    let finding = |rule: &str, level, message: &str, place| Finding {
        rule: rule.to_owned(),
        about: format!("about {rule}"),
        level,
        message: message.to_owned(),
        place,
    };
    vec![
        finding("HG302", Level::Error, "no field `file_path`, 100%\nsay another", Some(place.clone())),
        finding("HG302", Level::Error, "no field `b`", Some(place)),
        finding("HG501", Level::Warning, "odd <&> \"quoted\"", None),
    ]
}
