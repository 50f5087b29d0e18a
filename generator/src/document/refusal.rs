//! The words for what a catalog may not use in YAML.

use std::ops::Range;
use std::sync::Arc;

use granit_parser::{ErrorKind, ScanError};

use super::plain::Plain;
use super::spans::DEPTH_LIMIT;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Location, Source};

pub(super) fn empty(source: &Arc<Source>) -> Diagnostic {
    Diagnostic::error(Code::EmptyFile, "the file has no content")
        .primary(Location::new(source, 0..0), "")
        .help("a catalog starts with `catalog:`, `version:` and `description:`")
}

pub(super) fn duplicate_key(name: &str, again: &Location, first: Location) -> Diagnostic {
    Diagnostic::error(Code::DuplicateKey, format!("key `{name}` is given twice"))
        .primary(again.clone(), "given again here")
        .secondary(first, "first given here")
        .help("keep one of the two")
}

pub(super) fn merge_key(here: &Location) -> Diagnostic {
    Diagnostic::error(Code::MergeKey, "merge key `<<` is not allowed")
        .primary(here.clone(), "pulls in keys that are written elsewhere")
        .help("write the keys out: a reviewer must see what a hook does where it stands")
}

pub(super) fn anchor_or_alias(here: &Location) -> Diagnostic {
    let (what, why) = if here.text().starts_with('*') {
        ("alias", "stands for a value that is written elsewhere")
    } else {
        ("anchor", "names a value for use elsewhere")
    };
    Diagnostic::error(Code::AnchorOrAlias, format!("{what} `{}` is not allowed", here.text()))
        .primary(here.clone(), why)
        .help("write the value out, or quote it if it is text: a reviewer must see what a hook does where it stands")
}

pub(super) fn tag(here: &Location) -> Diagnostic {
    Diagnostic::error(Code::UnsupportedYaml, format!("tag `{}` is not allowed", here.text()))
        .primary(here.clone(), "an unquoted `!` begins a tag, and a catalog has none")
        .help("put the whole value in quotes, such as `\"!state.exists\"`")
}

pub(super) fn key(here: &Location, found: &str) -> Diagnostic {
    Diagnostic::error(Code::UnsupportedYaml, format!("a key must be text, found {found}"))
        .primary(here.clone(), "not text")
        .help("put the key in quotes")
}

pub(super) fn number(here: &Location, plain: Plain) -> Diagnostic {
    let reason = if plain == Plain::TooLarge { "does not fit in 64 bits" } else { "is not a finite number" };
    Diagnostic::error(Code::UnsupportedYaml, format!("`{}` {reason}", here.text()))
        .primary(here.clone(), "no such number in a catalog")
        .help("use a smaller number, or quote the value if it is text")
}

pub(super) fn second_document(source: &Arc<Source>, at: Range<usize>) -> Diagnostic {
    Diagnostic::error(Code::SeveralDocuments, "the file holds more than one YAML document")
        .primary(Location::new(source, at), "the second document starts here")
        .help("a file holds one catalog; remove the `---` or split the file")
}

pub(super) fn depth(here: &Location) -> Diagnostic {
    Diagnostic::error(Code::NestingTooDeep, format!("values are nested deeper than {DEPTH_LIMIT} levels"))
        .primary(here.clone(), "one level too many")
        .help("a catalog needs a dozen levels at most")
}

/// What the parser of events could not read.
pub(super) fn scan_error(source: &Arc<Source>, error: &ScanError) -> Diagnostic {
    let offset = error.marker().byte_offset().unwrap_or_default();
    let here = one_character(source, offset);
    if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) {
        return depth(&here);
    }
    let help = match error.kind() {
        _ if conflict_at(source, offset) => {
            return Diagnostic::error(Code::YamlSyntax, "two versions of the file were merged and do not fit")
                .primary(here, "marks the conflict")
                .help("keep what is right of both, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`");
        }
        ErrorKind::MappingValueNotAllowed => {
            "quote a text or an expression that holds `: ` (`\"a ? b : c\"`), and check the indentation"
        }
        _ if after_a_closed_value(source, offset) => {
            "what begins with a quote or a bracket ends with it: put the whole value in quotes, or below a `>-`"
        }
        _ if source.text().get(offset..).is_some_and(|rest| rest.starts_with('*')) => {
            "`*` begins an alias: put the value in quotes"
        }
        ErrorKind::UnexpectedCharacter { character } if character.is_control() => "remove the character",
        ErrorKind::UnexpectedCharacter { .. } => "quote a text that starts with a special character",
        ErrorKind::UnclosedQuotedScalar => "close the quote",
        ErrorKind::UnclosedFlowCollection { .. } => "close the bracket",
        ErrorKind::UnknownQuotedScalarEscape => "write a backslash as `\\\\`, or use single quotes",
        _ => "check the indentation, the quotes and the brackets here and on the line above",
    };
    syntax_error(source, offset, &in_backticks(&error.info()), help)
}

/// Whether the line at fault was left by a merge.
fn conflict_at(source: &Source, offset: usize) -> bool {
    let line = source.line(source.position(offset).line);
    let text = source.text().get(line).unwrap_or_default();
    ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| text.starts_with(mark))
}

/// Whether the value of the line ended before the fault: it began with a quote or a bracket, and that was closed.
fn after_a_closed_value(source: &Source, offset: usize) -> bool {
    let line = source.line(source.position(offset).line);
    let before = source.text().get(line.start..offset).unwrap_or_default().trim_end();
    let value = before.split_once(": ").map_or(before, |(_, value)| value).trim_start();
    [('\'', '\''), ('"', '"'), ('[', ']'), ('{', '}')]
        .iter()
        .any(|(open, close)| value.len() > 1 && value.starts_with(*open) && value.ends_with(*close))
}

/// The parser's words with their literals quoted as everywhere else; an apostrophe within a word stays.
fn in_backticks(words: &str) -> String {
    let mut before = ' ';
    let mut rest = words.chars().peekable();
    let mut text = String::with_capacity(words.len());
    while let Some(character) = rest.next() {
        let within = before.is_alphanumeric() && rest.peek().is_some_and(|after| after.is_alphanumeric());
        text.push(if character == '\'' && !within { '`' } else { character });
        before = character;
    }
    text
}

/// What the reader of values could not read. It counts lines and columns.
pub(super) fn value_error(source: &Arc<Source>, error: &serde_yaml::Error) -> Diagnostic {
    let offset = error.location().map_or(0, |at| {
        let line = source.line(at.line());
        let text = source.text().get(line.clone()).unwrap_or_default();
        line.start + text.chars().take(at.column().saturating_sub(1)).map(char::len_utf8).sum::<usize>()
    });
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    syntax_error(source, offset, reason, "check the indentation and the quotes here and on the line above")
}

/// Where a line is indented with a tab, that is what is wrong, whatever the parser was looking for.
fn syntax_error(source: &Arc<Source>, offset: usize, reason: &str, help: &str) -> Diagnostic {
    if let Some(tab) = tab_near(source, offset) {
        return Diagnostic::error(Code::TabIndentation, "a line is indented with a tab")
            .primary(Location::new(source, tab), "this is a tab")
            .help("indent with blanks");
    }
    Diagnostic::error(Code::YamlSyntax, format!("the YAML cannot be read: {reason}"))
        .primary(one_character(source, offset), "here")
        .help(help)
}

/// The first run of tabs in the indentation of the line at fault, or of the nearest line below or above that holds
/// anything: the parser may stop before the tab or only notice after it.
fn tab_near(source: &Source, offset: usize) -> Option<Range<usize>> {
    let fault = source.position(offset).line;
    let last = source.position(source.text().len()).line;
    let holds_something = |line: &Range<usize>| !source.text().get(line.clone()).unwrap_or_default().trim().is_empty();
    let below = (fault + 1..=last).map(|line| source.line(line)).find(holds_something);
    let above = (1..fault).rev().map(|line| source.line(line)).find(holds_something);
    [Some(source.line(fault)), below, above].into_iter().flatten().find_map(|line| {
        let text = source.text().get(line.clone()).unwrap_or_default();
        let indentation = text.len() - text.trim_start_matches([' ', '\t']).len();
        let tab = text.get(..indentation)?.find('\t')?;
        let length = text.get(tab..indentation)?.bytes().take_while(|byte| *byte == b'\t').count();
        Some(line.start + tab..line.start + tab + length)
    })
}

/// The character at an offset; nothing at the end of a line.
fn one_character(source: &Arc<Source>, offset: usize) -> Location {
    let offset = source.text().floor_char_boundary(offset);
    let character =
        source.text().get(offset..).and_then(|rest| rest.chars().next()).filter(|it| !matches!(it, '\n' | '\r'));
    Location::new(source, offset..offset + character.map_or(0, char::len_utf8))
}
