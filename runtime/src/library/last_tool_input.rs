//! What a conversation's record says about the last call of a tool.

use super::transcript;
use crate::call::Call;
use crate::json::Json;
use crate::signature::function;
use crate::tool;

/// A field of the input of the last call of a tool that a transcript records; empty if there is none.
pub fn last_tool_input(call: &Call<'_>, transcript: &str, tool: &str, field: &str) -> String {
    find(&transcript::end_of(call, transcript), tool, field).unwrap_or_default()
}

fn find(text: &str, tool: &str, field: &str) -> Option<String> {
    text.lines().rev().filter(|line| line.contains("\"tool_use\"")).find_map(|line| {
        let entry = Json::parse(line).ok()?;
        let Json::List(blocks) = transcript::content(&entry)? else { return None };
        let call = blocks.iter().rev().find(|block| is_call(block, tool))?;
        match call.get("input").and_then(|input| input.get(field)) {
            Some(Json::Text(text)) => Some(text.to_string()),
            Some(Json::Null) | None => Some(String::new()),
            Some(other) => Some(other.to_string()),
        }
    })
}

fn is_call(block: &Json<'_>, tool: &str) -> bool {
    let Some(Json::Text(name)) = block.get("name") else { return false };
    tool::is(name, tool) && matches!(block.get("type"), Some(Json::Text(kind)) if kind == "tool_use")
}

function! {
    FUNCTION: last_tool_input,
    name: "lastToolInput",
    params: { transcript: Text, tool: Text, field: Text },
    result: Text,
    powers: [Files],
    doc: "A field of the input of the last call of a tool, as the transcript records it. Empty if there is no such \
           call, field or transcript.",
    example: "lastToolInput('no/such/transcript.jsonl', 'Agent', 'prompt') == ''",
}

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
}
