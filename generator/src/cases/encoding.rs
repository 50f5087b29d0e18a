//! Whether an event that an agent is made to send is read as the event that it stands for.

use hookgen_runtime::{Client, Event, Fields, Json, Many};
use serde_json::{Map, Value};

/// What of the event is read otherwise once the agent has sent it; `None` if all of it is read back, or if the agent could
/// not send it at all.
pub fn difference(client: &'static Client, event: &Event, canonical: &Map<String, Value>) -> Option<String> {
    let text = Value::Object(canonical.clone()).to_string();
    let Ok(Json::Object(fields)) = Json::parse(&text) else { return None };
    let row = client.event(event.name)?;
    let native = (client.encode)(fields.into_vec(), row)?;
    let calls = match (client.read)(native, row) {
        Ok(reading) => reading.calls,
        Err(failure) => return Some(failure.to_string()),
    };
    let [call] = calls.as_slice() else {
        // A prompt without a word is no event to some agents.
        let is_empty = canonical.get("prompt").is_some_and(|prompt| prompt == "");
        return (!is_empty || !calls.is_empty()).then(|| format!("{} calls", calls.len()));
    };
    let read = as_value(call);
    let folder = canonical.get("cwd").and_then(Value::as_str).unwrap_or_default();
    canonical.iter().find_map(|(name, value)| {
        let found = read.get(name).cloned().unwrap_or_default();
        (!is_same(name, value, &found, folder)).then(|| format!("`{name}` is {value} in the case, and {found} then"))
    })
}

fn as_value(call: &Fields<'_>) -> Value {
    let text = Json::Object(Many::Owned(call.clone())).to_string();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Whether a field says the same. Paths are read from the folder of the call, and of what a shell line printed, agents send
/// the text alone.
fn is_same(name: &str, sent: &Value, read: &Value, folder: &str) -> bool {
    if sent == read {
        return true;
    }
    match name {
        "tool_input" => {
            let (Value::Object(sent), Value::Object(read)) = (sent, read) else { return false };
            sent.len() == read.len()
                && sent.iter().all(|(name, value)| {
                    let found = read.get(name);
                    found == Some(value) || name == "file_path" && is_below(folder, value, found)
                })
        }
        "tool_response" => match sent {
            Value::Object(sent) if sent.contains_key("stdout") => sent.get("stdout") == read.get("stdout"),
            Value::Object(_) => read.is_object(),
            other => read.get("stdout") == Some(other),
        },
        "tool_name" => sent.as_str().map(hookgen_runtime::tool::current) == read.as_str(),
        _ => false,
    }
}

fn is_below(folder: &str, sent: &Value, read: Option<&Value>) -> bool {
    let (Some(sent), Some(read)) = (sent.as_str(), read.and_then(Value::as_str)) else { return false };
    read.strip_prefix(folder).and_then(|path| path.strip_prefix('/')) == Some(sent.trim_start_matches("./"))
}
