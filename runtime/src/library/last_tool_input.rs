//! What a conversation's record says about the last call of a tool.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::CONTEXTUAL;
use crate::call::Call;
use crate::json::Json;
use crate::signature::{Function, Type};

/// How much of the end of a transcript is looked at.
const MOST: u64 = 8 << 20;

/// A field of the input of the last call of a tool that a transcript records; empty if there is none.
pub fn last_tool_input(call: &Call<'_>, transcript: &str, tool: &str, field: &str) -> String {
    if transcript.is_empty() {
        return String::new();
    }
    let text = end_of(&call.cwd().join(transcript)).unwrap_or_default();
    find(&text, tool, field).unwrap_or_default()
}

/// The end of a regular file. The client still writes to it, and its form is the client's own affair: what cannot be
/// read says nothing.
fn end_of(file: &Path) -> io::Result<String> {
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

fn find(text: &str, tool: &str, field: &str) -> Option<String> {
    text.lines().rev().filter(|line| line.contains("\"tool_use\"")).find_map(|line| {
        let entry = Json::parse(line).ok()?;
        let Json::List(blocks) = entry.get("message")?.get("content")? else { return None };
        let call = blocks.iter().rev().find(|block| is_call(block, tool))?;
        match call.get("input").and_then(|input| input.get(field)) {
            Some(Json::Text(text)) => Some(text.to_string()),
            Some(Json::Null) | None => Some(String::new()),
            Some(other) => Some(other.to_string()),
        }
    })
}

/// The subagent tool goes by two names.
fn is_call(block: &Json<'_>, tool: &str) -> bool {
    let Some(Json::Text(name)) = block.get("name") else { return false };
    let same = name == tool || (name == "Task" && tool == "Agent");
    same && matches!(block.get("type"), Some(Json::Text(kind)) if kind == "tool_use")
}

pub(super) const FUNCTION: Function = Function {
    name: "lastToolInput",
    symbol: "last_tool_input",
    receiver: None,
    params: &[("transcript", Type::Text), ("tool", Type::Text), ("field", Type::Text)],
    result: Type::Text,
    doc: "A field of the input of the last call of a tool, as the transcript records it. Empty if there is no such \
           call, field or transcript.",
    example: "lastToolInput('no/such/transcript.jsonl', 'Agent', 'prompt') == ''",
    ..CONTEXTUAL
};

#[cfg(test)]
mod tests {
    use super::*;

    const TRANSCRIPT: &str = r#"
{"type":"user","message":{"role":"user","content":"says \"tool_use\""}}
{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Task","input":{"prompt":"first"}}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","name":"Task","input":{"prompt":"second","count":2}}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Task","input":{"pro"#;

    #[test]
    fn the_last_whole_call_counts() {
        assert_eq!(find(TRANSCRIPT, "Agent", "prompt").as_deref(), Some("second"));
        assert_eq!(find(TRANSCRIPT, "Agent", "count").as_deref(), Some("2"));
        assert_eq!(find(TRANSCRIPT, "Agent", "model").as_deref(), Some(""));
        assert_eq!(find(TRANSCRIPT, "Bash", "command").as_deref(), Some("ls"));
        assert_eq!(find(TRANSCRIPT, "Read", "file_path"), None);
    }

    #[test]
    fn only_the_end_of_a_long_transcript_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("transcript.jsonl");
        let length = usize::try_from(MOST).expect("small") + 10;
        fs::write(&file, format!("{}\nend", "x".repeat(length))).expect("written");
        let end = end_of(&file).expect("read");
        assert!(end.ends_with("x\nend") && end.len() as u64 == MOST);
        assert_eq!(end_of(folder.path()).expect("a folder"), "");
        assert!(end_of(&folder.path().join("none")).is_err());
    }
}
