//! A file that hooks read or write, in the format that the catalog declares.
//!
//! A document is read at most once, and only when something in it is asked for: every expression of a call sees the
//! same snapshot, also after the call itself has changed the file.

mod file;
mod front_matter;
mod key_value;
mod status_line;
mod tally;
mod target;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub(crate) use file::{read as read_file, read_loosely};
pub(crate) use target::Target;

use crate::failure::{Attempt, Failure};
use crate::json::Json;
use crate::node::{Node, Origin};
use crate::program::{Str, Strs};
use crate::yaml;

/// What the catalog says about a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentSpec {
    /// Its name in expressions and messages.
    pub name: Str,
    /// How it is written.
    pub format: Format,
    /// What separates key and value, or the columns; the format's own when empty.
    pub delimiter: Str,
    /// The columns of a status line.
    pub columns: Strs,
    /// Whether it holds a record, and is of no use if it holds anything else.
    pub record: bool,
}

/// How the text of a document is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// YAML between two `---` lines at the top of the file. Blank lines, headings and comments of HTML may stand before it,
    /// and a file that is a YAML record as a whole is read as one.
    FrontMatter,
    /// A YAML file.
    Yaml,
    /// A JSON file.
    Json,
    /// Lines of `key=value`; blank lines and `#` comments are skipped.
    KeyValue,
    /// One line of values between delimiters, such as `pass|0|1700000000`.
    StatusLine,
    /// Plain text, read as `<document>.text`.
    Text,
}

impl Format {
    fn described(self) -> &'static str {
        match self {
            Self::FrontMatter => "front matter",
            Self::Yaml => "YAML",
            Self::Json => "JSON",
            Self::KeyValue => "key and value lines",
            Self::StatusLine => "a status line",
            Self::Text => "text",
        }
    }
}

/// A document of one call.
#[derive(Debug)]
pub struct Document {
    spec: &'static DocumentSpec,
    file: PathBuf,
    path: String,
    found: OnceCell<Found>,
    text: OnceCell<Attempt<Option<String>>>,
    root: OnceCell<Attempt<Json<'static>>>,
    problem: OnceCell<String>,
}

#[derive(Debug)]
enum Found {
    Nothing,
    Something {
        size: u64,
    },
    /// Something that cannot be looked at, which reading then explains.
    Unknown,
}

static NULL: Json<'static> = Json::Null;

impl Document {
    /// The document at a path, without looking there yet. With an empty path it does not exist.
    pub fn open(spec: &'static DocumentSpec, path: PathBuf) -> Self {
        let text = crate::path::text(&path);
        Self {
            spec,
            file: path,
            path: text,
            found: OnceCell::new(),
            text: OnceCell::new(),
            root: OnceCell::new(),
            problem: OnceCell::new(),
        }
    }

    /// Whether something is at the path, be it a folder. A place that cannot be looked at counts as something: the
    /// failure to read it must reach the hook's `fail_safe` and not pass for a missing file.
    pub fn exists(&self) -> bool {
        !matches!(self.found(), Found::Nothing)
    }

    /// Whether it is there and can be read as its format.
    pub fn valid(&self) -> bool {
        matches!(self.snapshot(), Ok(Some(_))) && self.parsed().is_ok()
    }

    /// Why it cannot be read, for whoever can mend it: what is wrong, and in formats with lines where. Empty when it can
    /// be read, and when it is missing.
    pub fn problem(&self) -> &str {
        self.problem.get_or_init(|| self.parsed().err().map(|failure| failure.to_string()).unwrap_or_default())
    }

    /// The path as text; empty when there is none.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its length in bytes; 0 when it is missing.
    pub fn size(&self) -> i64 {
        match self.found() {
            Found::Something { size } => i64::try_from(*size).unwrap_or(i64::MAX),
            Found::Nothing | Found::Unknown => 0,
        }
    }

    /// The whole text; empty when it is missing.
    pub fn text(&self) -> Attempt<&str> {
        self.snapshot().map(Option::unwrap_or_default)
    }

    /// What follows the front matter; in other formats the whole text.
    pub fn body(&self) -> Attempt<&str> {
        let text = self.text()?;
        if self.spec.format == Format::FrontMatter {
            return front_matter::body(text).map_err(|why| self.invalid(&why));
        }
        Ok(text)
    }

    /// What the document says; null when it is missing.
    pub fn root(&self) -> Attempt<Node<'_>> {
        Ok(Node::new(self.parsed()?, Origin::Document(&self.spec.name)))
    }

    /// Where it is, for whoever changes it.
    pub fn target(&self) -> Target {
        Target { name: self.spec.name.clone(), file: self.file.clone() }
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(|| match fs::metadata(&self.file) {
            Ok(metadata) => Found::Something { size: size(&metadata) },
            Err(error) if is_missing(error.kind()) => Found::Nothing,
            Err(_) => Found::Unknown,
        })
    }

    fn snapshot(&self) -> Attempt<Option<&str>> {
        let read = || if self.exists() { file::read(&self.file, &self.spec.name) } else { Ok(None) };
        self.text.get_or_init(read).as_ref().map(Option::as_deref).map_err(Clone::clone)
    }

    fn parsed(&self) -> Attempt<&Json<'static>> {
        let Some(text) = self.snapshot()? else { return Ok(&NULL) };
        let parse = || parse(self.spec, text).and_then(|root| self.as_declared(root)).map_err(|why| self.invalid(&why));
        self.root.get_or_init(parse).as_ref().map_err(Clone::clone)
    }

    /// A document without anything in it is a record without fields.
    fn as_declared(&self, root: Json<'static>) -> Result<Json<'static>, String> {
        match root {
            Json::Object(_) | Json::Null => Ok(root),
            other if self.spec.record => Err(format!("it should hold a record, found {}", other.kind())),
            other => Ok(other),
        }
    }

    fn invalid(&self, why: &str) -> Failure {
        let (name, path, format) = (&self.spec.name, &self.path, self.spec.format.described());
        Failure::Document(format!("{name} at `{path}` cannot be read as {format}: {why}"))
    }
}

fn size(metadata: &Metadata) -> u64 {
    if metadata.is_file() { metadata.len() } else { 0 }
}

/// Errors that say that nothing is there, the impossible names among them.
fn is_missing(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput | ErrorKind::InvalidFilename
    )
}

fn parse(spec: &DocumentSpec, text: &str) -> Result<Json<'static>, String> {
    match spec.format {
        Format::FrontMatter => front_matter::parse(text),
        Format::Yaml => yaml::parse(text),
        Format::Json => Json::parse(text).map(Json::into_owned),
        Format::KeyValue => key_value::parse(text, &spec.delimiter),
        Format::StatusLine => Ok(status_line::parse(text, &spec.delimiter, &spec.columns)),
        Format::Text => Ok(Json::Text(Cow::Owned(text.to_owned()))),
    }
}

#[cfg(test)]
mod tests;
