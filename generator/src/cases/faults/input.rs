//! Events that are not what the client sends.

use std::fmt;

use hookgen_runtime::ALWAYS_SENT;
use serde_json::{Map, Value, json};

/// Something else than an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    Empty,
    Prose,
    List,
    Truncated,
    Deep,
    TooLarge,
}

/// What stands on standard input instead of the event.
pub(super) fn broken(kind: Broken, event: &str) -> Vec<u8> {
    match kind {
        Broken::Empty => Vec::new(),
        Broken::Prose => b"the client has a bad day\n".to_vec(),
        Broken::List => format!("[{event}]").into_bytes(),
        Broken::Truncated => event.trim_end().trim_end_matches('}').as_bytes().to_vec(),
        Broken::Deep => padded(event, "[".repeat(100_000).as_bytes()),
        Broken::TooLarge => padded(event, format!("\"{}\"", "x".repeat(65 << 20)).as_bytes()),
    }
}

/// What an event may hold without being another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Odd {
    Large,
    NotText,
    HalfPair,
}

/// The same event with something odd in it.
pub(super) fn odd(kind: Odd, event: &str) -> Vec<u8> {
    match kind {
        Odd::Large => padded(event, format!("\"{}\"", "x".repeat(50_000_000)).as_bytes()),
        Odd::NotText => padded(event, b"\"\xff\xfe\""),
        Odd::HalfPair => padded(event, br#"{"\ud83d":"\udc00\ud83d"}"#),
    }
}

/// The event with one field more, whose value may be anything.
fn padded(event: &str, value: &[u8]) -> Vec<u8> {
    let rest = event.trim_start().trim_start_matches('{');
    [b"{\"padding\":", value, b",", rest.as_bytes()].concat()
}

/// Which field has which other type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mistyped {
    /// As a JSON pointer.
    pub(super) path: String,
    kind: &'static str,
}

impl fmt::Display for Mistyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as {}", self.path, self.kind)
    }
}

/// Something that is nearly an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// What the tool is given is no record.
    Text,
    List,
    Null,
    /// What the client always sends is there under other names.
    Names,
    /// The shell line is more than can be followed.
    Line,
}

/// The event in another shape; `None` if it has nothing that could have one.
pub(super) fn shaped(kind: Shape, event: &Map<String, Value>) -> Option<Value> {
    let mut event = event.clone();
    let tool = event.get("tool_name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let input = event.get_mut("tool_input").filter(|input| input.is_object())?;
    match kind {
        Shape::Text => *input = Value::from(input.to_string()),
        Shape::List => *input = json!([input.take()]),
        Shape::Null => *input = Value::Null,
        Shape::Names => {
            let (_, always) = ALWAYS_SENT.iter().find(|(name, _)| *name == tool)?;
            let fields = input.as_object_mut()?;
            for name in *always {
                let value = fields.remove(*name).unwrap_or_default();
                fields.insert(name.to_ascii_uppercase(), value);
            }
        }
        Shape::Line => {
            let line = input.get_mut("command").filter(|line| line.is_string())?;
            // Behind the line, so that whoever only looks how it begins sees what it always sees.
            *line = Value::from(format!("{}{}", line.as_str().unwrap_or_default(), ";:".repeat(20_000)));
        }
    }
    Some(Value::Object(event))
}

/// The event with every field in turn, those of its objects included, replaced by a value of every other type.
pub(super) fn mistyped(event: &Map<String, Value>) -> Vec<(Mistyped, Value)> {
    let whole = Value::Object(event.clone());
    let mut paths = Vec::new();
    collect("", &whole, &mut paths);
    let mut events = Vec::new();
    for path in paths {
        for (kind, other) in others() {
            let mut changed = whole.clone();
            if let Some(place) = changed.pointer_mut(&path).filter(|place| kind_of(place) != kind) {
                *place = other;
                events.push((Mistyped { path: path.clone(), kind }, changed));
            }
        }
    }
    events
}

fn collect(path: &str, value: &Value, paths: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                paths.push(path.clone());
                collect(&path, value, paths);
            }
        }
        Value::Array(items) => {
            if let Some(first) = items.first() {
                paths.push(format!("{path}/0"));
                collect(&format!("{path}/0"), first, paths);
            }
        }
        _ => {}
    }
}

fn others() -> [(&'static str, Value); 7] {
    [
        ("null", Value::Null),
        ("a boolean", json!(true)),
        ("a number", json!(-7)),
        ("a text", json!("\u{0}../$(x)")),
        ("a list", json!([1, [], {}])),
        ("an object", json!({"a": {"b": null}})),
        ("a huge number", json!(1e300)),
    ]
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_broken_is_no_event_and_what_is_large_is_one() {
        let event = r#"{"a":{"b":1}}"#;
        for kind in [Broken::Empty, Broken::Prose, Broken::Truncated, Broken::Deep] {
            assert!(serde_json::from_slice::<Value>(&broken(kind, event)).is_err(), "{kind:?}");
        }
        assert!(broken(Broken::TooLarge, event).len() > 64 << 20);
        let large: Value = serde_json::from_slice(&odd(Odd::Large, event)).expect("valid");
        assert_eq!(large["a"]["b"], 1);
        for kind in [Odd::NotText, Odd::HalfPair] {
            let bytes = odd(kind, event);
            assert!(serde_json::from_slice::<Value>(&bytes).is_err(), "a strict reader refuses it: {kind:?}");
            assert!(bytes.ends_with(&event.as_bytes()[1..]), "{kind:?}");
        }
    }

    #[test]
    fn an_event_of_another_shape_keeps_all_else() {
        let Value::Object(event) = json!({"tool_name": "Bash", "tool_input": {"command": "ls", "timeout": 1}, "n": 1})
        else {
            panic!("an object")
        };
        let input = |kind| shaped(kind, &event).expect("a tool's input")["tool_input"].clone();
        assert_eq!(input(Shape::Null), Value::Null);
        assert!(input(Shape::Text).is_string() && input(Shape::List).is_array());
        assert_eq!(input(Shape::Names), json!({"COMMAND": "ls", "timeout": 1}));
        assert!(
            input(Shape::Line)["command"].as_str().is_some_and(|line| line.starts_with("ls;:") && line.len() > 28_000)
        );
        assert_eq!(shaped(Shape::Names, &event).expect("odd")["n"], 1);
        let Value::Object(stop) = json!({"reason": "x"}) else { panic!("an object") };
        assert_eq!(shaped(Shape::Null, &stop), None);
    }

    #[test]
    fn every_field_at_every_depth_has_every_other_type_once() {
        let Value::Object(event) = json!({"a": "x", "b": {"c": [{"d": 1}]}}) else { panic!("an object") };
        let events = mistyped(&event);
        let count = |path: &str| events.iter().filter(|(what, _)| what.path == path).count();
        assert_eq!((count("/a"), count("/b"), count("/b/c"), count("/b/c/0"), count("/b/c/0/d")), (6, 6, 6, 6, 6));
        assert!(events.iter().all(|(_, event)| *event != json!({"a": "x", "b": {"c": [{"d": 1}]}})));
    }
}
