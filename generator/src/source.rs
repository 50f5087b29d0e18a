//! A file as the user wrote it: its shown path, its text, and where a byte offset stands in it.
//!
//! Every span in the compiler counts bytes of `Source::text`. A byte order mark is not part of that text, so line 1
//! column 1 is the first character that a reader sees.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use crate::diagnostic::{Code, Diagnostic};
use crate::disk;

/// The largest catalog that is read. A reviewed file is a hundred times smaller.
pub const SIZE_LIMIT: u64 = 4 * 1024 * 1024;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A file: its path as shown to the user, and its text.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    path: Utf8PathBuf,
    text: String,
    /// Byte offset at which each line starts; never empty.
    lines: Vec<usize>,
}

/// A range of bytes in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: u32,
    end: u32,
}

/// A line and a column, both counted from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// A span and the source it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The source.
    pub source: Arc<Source>,
    /// The bytes.
    pub span: Span,
}

impl Source {
    /// A source whose text is at hand. A leading byte order mark is dropped.
    pub fn new(path: impl Into<Utf8PathBuf>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { path: path.into(), text, lines }
    }

    /// Reads a file. Every way in which that can fail is about the file the user named, so each is a diagnostic.
    pub fn read(path: &Utf8Path) -> Result<Self, Diagnostic> {
        let unreadable = |error: io::Error| {
            Diagnostic::error(Code::UnreadableFile, format!("cannot read the file: {}", plain_reason(&error)))
                .primary(Location::file(path), "")
                .help("check the path and the permissions; a catalog is one YAML file")
        };
        Self::from_bytes(path, disk::read(path, SIZE_LIMIT).map_err(unreadable)?)
    }

    /// A source from the bytes of a file.
    pub fn from_bytes(path: &Utf8Path, bytes: Vec<u8>) -> Result<Self, Diagnostic> {
        if u64::try_from(bytes.len()).is_ok_and(|length| length > SIZE_LIMIT) {
            let message = format!("the file is larger than {} MiB", SIZE_LIMIT / 1024 / 1024);
            return Err(Diagnostic::error(Code::FileTooLarge, message)
                .primary(Location::file(path), "")
                .help("a catalog is meant to be read by people; move bulk data out of it"));
        }
        String::from_utf8(bytes).map(|text| Self::new(path, text)).map_err(|error| not_utf8(path, error.as_bytes()))
    }

    /// The path as shown to the user.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span; empty if the span is not one of this source.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The line and column of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.line_start(line);
        let column = self.text.get(start..offset).unwrap_or_default().chars().count() + 1;
        Position { line, column }
    }

    /// The bytes of a line, counted from 1, without its line break.
    pub fn line(&self, number: usize) -> Range<usize> {
        let start = self.line_start(number);
        let end = self.lines.get(number).map_or(self.text.len(), |next| next - 1);
        let text = self.text.get(start..end).unwrap_or_default();
        start..start + text.strip_suffix('\r').unwrap_or(text).len()
    }

    fn line_start(&self, number: usize) -> usize {
        number.checked_sub(1).and_then(|index| self.lines.get(index)).copied().unwrap_or(self.text.len())
    }
}

impl Span {
    /// The bytes from `start` up to `end`.
    ///
    /// Offsets fit, because no source is larger than [`SIZE_LIMIT`]; a text that was handed in and is larger than 4 GiB
    /// would be shown at its end.
    pub fn new(range: Range<usize>) -> Self {
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        let start = narrow(range.start);
        Self { start, end: narrow(range.end).max(start) }
    }

    /// The first byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// The byte after the last.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// Whether it covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The bytes.
    pub fn range(self) -> Range<usize> {
        self.start()..self.end()
    }
}

impl Location {
    /// A place in a source.
    pub fn new(source: &Arc<Source>, range: Range<usize>) -> Self {
        Self { source: Arc::clone(source), span: Span::new(range) }
    }

    /// A file as a whole, for faults that have no place in its text.
    pub fn file(path: &Utf8Path) -> Self {
        Self { source: Arc::new(Source::new(path, "")), span: Span::new(0..0) }
    }

    /// Where it starts.
    pub fn start(&self) -> Position {
        self.source.position(self.span.start())
    }

    /// Where it ends.
    pub fn end(&self) -> Position {
        self.source.position(self.span.end())
    }

    /// The text there.
    pub fn text(&self) -> &str {
        self.source.slice(self.span)
    }
}

/// Why a file cannot be read, in words that are the same on every platform.
pub(crate) fn plain_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// The text is shown with a replacement character in the place of each bad byte. What precedes the first of them is
/// unchanged, so its offset still holds.
fn not_utf8(path: &Utf8Path, bytes: &[u8]) -> Diagnostic {
    let lossy = String::from_utf8_lossy(bytes).into_owned();
    let dropped = if lossy.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    let source = Arc::new(Source::new(path, lossy));
    let good = std::str::from_utf8(bytes).err().map_or(bytes.len(), |error| error.valid_up_to());
    let bad = bytes.get(good).copied().unwrap_or_default();
    let start = good.saturating_sub(dropped);
    Diagnostic::error(Code::NotUtf8, "the file is not UTF-8 text")
        .primary(
            Location::new(&source, start..start + char::REPLACEMENT_CHARACTER.len_utf8()),
            format!("byte `0x{bad:02X}` is not part of any UTF-8 character"),
        )
        .help("save the file as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_error(path: &Utf8Path) -> Diagnostic {
        Source::read(path).expect_err("must fail")
    }

    #[test]
    fn a_byte_order_mark_is_dropped_and_columns_start_after_it() {
        let source = Source::new("a.yaml", "\u{feff}catalog: x");
        assert_eq!(source.text(), "catalog: x");
        assert_eq!(source.position(9), Position { line: 1, column: 10 });
    }

    #[test]
    fn columns_count_characters_and_lines_end_before_their_break() {
        let source = Source::new("a.yaml", "# é\r\nnä: x\r\n");
        assert_eq!(source.position(6), Position { line: 2, column: 1 });
        assert_eq!(source.position(6 + "nä: ".len()), Position { line: 2, column: 5 });
        assert_eq!(&source.text()[source.line(1)], "# é");
        assert_eq!(&source.text()[source.line(2)], "nä: x");
        assert_eq!(source.line(3), source.text().len()..source.text().len());
        assert_eq!(source.line(99), source.text().len()..source.text().len());
    }

    #[test]
    fn an_offset_outside_the_text_or_inside_a_character_has_a_position() {
        let source = Source::new("a.yaml", "é");
        assert_eq!(source.position(1), Position { line: 1, column: 1 });
        assert_eq!(source.position(99), Position { line: 1, column: 2 });
    }

    #[test]
    fn a_missing_file_and_a_directory_are_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Utf8Path::from_path(folder.path()).expect("a UTF-8 path");
        let missing = read_error(&path.join("no.yaml"));
        assert_eq!(missing.code, Code::UnreadableFile);
        assert!(missing.message.contains("no such file"), "{}", missing.message);
        let directory = read_error(path);
        assert_eq!(directory.code, Code::UnreadableFile);
        assert!(directory.message.contains("directory"), "{}", directory.message);
    }

    #[test]
    fn a_file_at_the_limit_is_read_and_one_byte_more_is_refused() {
        let limit = usize::try_from(SIZE_LIMIT).expect("fits");
        let path = Utf8Path::new("a.yaml");
        assert!(Source::from_bytes(path, vec![b' '; limit]).is_ok());
        let error = Source::from_bytes(path, vec![b' '; limit + 1]).expect_err("too large");
        assert_eq!(error.code, Code::FileTooLarge);
    }

    #[test]
    fn the_first_byte_that_is_not_utf8_is_shown() {
        let error = Source::from_bytes(Utf8Path::new("a.yaml"), b"a: 1\nb: caf\xe9 x\n".to_vec()).expect_err("latin-1");
        assert_eq!(error.code, Code::NotUtf8);
        let label = error.labels.first().expect("a label");
        assert_eq!(label.location.start(), Position { line: 2, column: 7 });
        assert!(label.text.contains("0xE9"), "{}", label.text);
        assert!(Source::from_bytes(Utf8Path::new("a.yaml"), "a: café \u{fffd}".into()).is_ok());
    }

    #[test]
    fn neither_a_byte_order_mark_nor_a_replacement_character_shifts_the_bad_byte() {
        let mut bytes = "\u{feff}\u{fffd}ab".as_bytes().to_vec();
        bytes.push(0xff);
        let error = Source::from_bytes(Utf8Path::new("a.yaml"), bytes).expect_err("a bad byte");
        assert_eq!(error.place().map(Location::start), Some(Position { line: 1, column: 4 }));
    }
}
