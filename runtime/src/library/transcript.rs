//! The end of a conversation's record, for the functions that ask it.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::as_path;
use crate::call::Call;
use crate::json::Json;

/// How much of the end of a transcript is looked at.
const MOST: u64 = 8 << 20;

/// The last lines of the transcript. The client still writes to it, and its form is the client's own affair: what cannot
/// be read says nothing.
pub(super) fn end_of(call: &Call<'_>, transcript: &str) -> String {
    if transcript.is_empty() {
        return String::new();
    }
    end(&call.cwd().join(as_path(call, transcript))).unwrap_or_default()
}

/// Whether the entry is what `role` said: by its type, or, in a record that gives none, by the role in the message.
pub(super) fn is_by(entry: &Json<'_>, role: &str) -> bool {
    let said_by = entry.get("type").or_else(|| message(entry).get("role"));
    matches!(said_by, Some(Json::Text(who)) if who == role)
}

/// What the message of an entry holds. In the oldest records the entry is the message.
pub(super) fn content<'a, 'text>(entry: &'a Json<'text>) -> Option<&'a Json<'text>> {
    message(entry).get("content")
}

fn message<'a, 'text>(entry: &'a Json<'text>) -> &'a Json<'text> {
    entry.get("message").unwrap_or(entry)
}

fn end(file: &Path) -> io::Result<String> {
    if !fs::metadata(file)?.is_file() {
        return Ok(String::new());
    }
    let mut open = File::open(file)?;
    let length = open.metadata()?.len();
    open.seek(SeekFrom::Start(length.saturating_sub(MOST)))?;
    let mut bytes = Vec::new();
    open.take(MOST).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_a_long_transcript_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("transcript.jsonl");
        let length = usize::try_from(MOST).expect("small") + 10;
        fs::write(&file, format!("{}\nend", "x".repeat(length))).expect("written");
        let read = end(&file).expect("read");
        assert!(read.ends_with("x\nend") && read.len() as u64 == MOST);
        assert_eq!(end(folder.path()).expect("a folder"), "");
        assert!(end(&folder.path().join("none")).is_err());
        fs::write(&file, "\u{feff}{}\n").expect("written");
        assert_eq!(end(&file).expect("read"), "{}\n");
    }

    #[test]
    fn a_message_is_known_by_its_type_or_by_its_role() {
        for (text, role) in [
            (r#"{"type":"user","message":{"role":"user","content":"x"}}"#, "user"),
            (r#"{"message":{"role":"assistant","content":"x"}}"#, "assistant"),
            (r#"{"role":"assistant","content":"x"}"#, "assistant"),
        ] {
            let entry = Json::parse(text).expect(text);
            assert!(is_by(&entry, role) && !is_by(&entry, "system"), "{text}");
            assert!(matches!(content(&entry), Some(Json::Text(said)) if said == "x"), "{text}");
        }
        let remark = Json::parse(r#"{"type":"system","message":{"role":"assistant","content":"x"}}"#).expect("JSON");
        assert!(!is_by(&remark, "assistant"));
    }
}
