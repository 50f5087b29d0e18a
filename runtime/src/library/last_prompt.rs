//! What a conversation's record says the person asked for last.

use super::{content_text, transcript};
use crate::call::Call;
use crate::json::Json;
use crate::node::{Node, Origin};
use crate::signature::function;

/// The person's last prompt that a transcript records; empty if there is none.
pub fn last_prompt(call: &Call<'_>, transcript: &str) -> String {
    find(&transcript::end_of(call, transcript)).unwrap_or_default()
}

fn find(text: &str) -> Option<String> {
    text.lines().rev().filter(|line| line.contains("\"user\"")).find_map(|line| prompt(&Json::parse(line).ok()?))
}

/// The client files results of tools, its own remarks and the conversations of subagents under the same heading.
fn prompt(entry: &Json<'_>) -> Option<String> {
    let by_user = transcript::is_by(entry, "user");
    let is = |mark: &str| matches!(entry.get(mark), Some(Json::Bool(true)));
    if !by_user || is("isMeta") || is("isSidechain") || is("isCompactSummary") {
        return None;
    }
    let content = transcript::content(entry)?;
    if let Json::List(blocks) = content
        && blocks.iter().any(|block| matches!(block.get("type"), Some(Json::Text(kind)) if kind == "tool_result"))
    {
        return None;
    }
    let said = content_text(Node::new(content, Origin::Payload));
    let said = said.trim();
    // A command of the client, or its output, is written as a tag.
    (!said.is_empty() && !said.starts_with('<')).then(|| said.to_owned())
}

function! {
    FUNCTION: last_prompt,
    name: "lastPrompt",
    params: { transcript: Text },
    result: Text,
    powers: [Files],
    doc: "What the person asked for last, as the transcript records it: not what tools or the client itself answered \
           in between. Empty if there is nothing or no transcript.",
    example: "lastPrompt('no/such/transcript.jsonl') == ''",
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: &str = r#"{"type":"user","message":{"role":"user","content":"Build it."}}"#;

    #[test]
    fn the_last_prompt_counts_as_text_or_in_blocks() {
        assert_eq!(find(&format!("{ASKED}\n")).as_deref(), Some("Build it."));
        assert_eq!(find(r#"{"role":"user","content":"Build it."}"#).as_deref(), Some("Build it."));
        let blocks =
            r#"{"type":"user","message":{"content":[{"type":"text","text":"Now test it."},{"type":"image"}]}}"#;
        assert_eq!(find(&format!("{ASKED}\n{blocks}\n")).as_deref(), Some("Now test it."));
    }

    #[test]
    fn what_the_person_did_not_say_is_passed_over() {
        for later in [
            r#"{"type":"user","message":{"content":[{"type":"tool_result","content":"done"}]}}"#,
            r#"{"type":"user","isMeta":true,"message":{"content":"Caveat"}}"#,
            r#"{"type":"user","isSidechain":true,"message":{"content":"for the agent"}}"#,
            r#"{"type":"user","isCompactSummary":true,"message":{"content":"summary"}}"#,
            r#"{"type":"user","message":{"content":"<command-name>/clear</command-name>"}}"#,
            r#"{"type":"assistant","message":{"role":"assistant","content":"the \"user\""}}"#,
            r#"{"type":"user","message":{"content":" "}}"#,
            r#"{"type":"user","mess"#,
            r#"["user"]"#,
        ] {
            assert_eq!(find(&format!("{ASKED}\n{later}")).as_deref(), Some("Build it."), "{later}");
        }
        assert_eq!(find(""), None);
    }
}
