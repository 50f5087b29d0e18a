//! The end of a conversation's record, for the functions that ask it.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use crate::call::Call;

/// How much of the end of a transcript is looked at.
const MOST: u64 = 8 << 20;

/// The last lines of the transcript. The client still writes to it, and its form is the client's own affair: what cannot
/// be read says nothing.
pub(super) fn end_of(call: &Call<'_>, transcript: &str) -> String {
    if transcript.is_empty() {
        return String::new();
    }
    end(&call.cwd().join(transcript)).unwrap_or_default()
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
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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
    }
}
