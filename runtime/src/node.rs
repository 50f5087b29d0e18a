//! Typed access to a value whose shape nobody guarantees.
//!
//! An absent or null field reads as the empty value of its type, as in protocol buffers; a field of another type is a
//! failure that names its path, and so is a record that is something else than a record. Scalars in documents are read
//! loosely (`phase: 1` is the text `1`), because people write them; payload fields are read strictly, because a client
//! does. A field that the client always sends is not empty when it is absent: then this is not the event that the
//! catalog was written for, and reading it fails.

use std::borrow::Cow;

use crate::failure::{Attempt, Failure};
use crate::json::Json;
use crate::operators::double_to_int;
use crate::text::Text;
use crate::tool;

/// A place in a payload, a document or a table.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    value: &'a Json<'a>,
    origin: Origin<'a>,
    /// The last step of the way here, for messages.
    step: &'a str,
    /// The tool whose input this is; empty if the event does not name it.
    tool: Option<&'a str>,
    /// Whether the client always sends it.
    promised: bool,
}

/// Where a node comes from, which decides how it is read and whose fault a wrong type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin<'a> {
    /// The event on standard input.
    Payload,
    /// The named document.
    Document(&'a str),
    /// A constant of the catalog.
    Data,
}

static NULL: Json<'static> = Json::Null;

/// A key and its value.
#[derive(Debug, Clone)]
pub struct Entry<'v, T> {
    /// The key.
    pub key: Text<'v>,
    /// The value.
    pub value: T,
}

/// An element of a list and its place.
#[derive(Debug, Clone)]
pub struct Numbered<T> {
    /// The place, counted from 0.
    pub key: i64,
    /// The element.
    pub value: T,
}

impl<'a> Node<'a> {
    /// The root of a value.
    pub fn new(value: &'a Json<'a>, origin: Origin<'a>) -> Self {
        Self { value, origin, step: "", tool: None, promised: false }
    }

    /// A place with nothing in it.
    pub fn null() -> Node<'static> {
        Node::new(&NULL, Origin::Data)
    }

    /// The value itself.
    pub fn json(self) -> &'a Json<'a> {
        self.value
    }

    /// The field of a record; null where there is none.
    #[must_use]
    pub fn at(self, field: &'a str) -> Self {
        Self { step: field, ..self.key(field) }
    }

    /// The value under a key that was computed; null where there is none.
    #[must_use]
    pub fn key(self, key: &str) -> Self {
        let value = self.value.get(key).unwrap_or(&NULL);
        let is_input = key == tool::INPUT && self.origin == Origin::Payload && self.tool.is_none();
        let tool = is_input.then(|| match self.value.get(tool::NAME) {
            Some(Json::Text(name)) => name.as_ref(),
            _ => "",
        });
        let promised = is_input || self.tool.is_some_and(|tool| tool::is_always_sent(tool, key));
        Self { value, tool, promised, ..self }
    }

    /// Whether the place holds anything but null.
    pub fn present(self) -> bool {
        !matches!(self.value, Json::Null)
    }

    /// Whether the place holds a string, and not even null.
    pub(crate) fn is_text(self) -> bool {
        matches!(self.value, Json::Text(_))
    }

    /// Whether a record or map has the key.
    pub fn has(self, key: &str) -> bool {
        self.value.get(key).is_some()
    }

    /// The text here; empty for null.
    pub fn text(self) -> Attempt<Cow<'a, str>> {
        match self.value {
            Json::Null => self.absent(),
            Json::Text(text) => Ok(Cow::Borrowed(text)),
            Json::Bool(_) | Json::Int(_) | Json::Double(_) if self.loose() => Ok(Cow::Owned(self.value.to_string())),
            _ => Err(self.wrong("a string")),
        }
    }

    /// The whole number here, without its fraction if it has one; 0 for null.
    pub fn int(self) -> Attempt<i64> {
        match self.value {
            Json::Null => self.absent(),
            Json::Int(value) => Ok(*value),
            Json::Double(value) => double_to_int(*value).map_err(|_| self.wrong("a whole number")),
            Json::Text(text) if self.loose() => text.trim().parse().map_err(|_| self.wrong("a whole number")),
            _ => Err(self.wrong("a whole number")),
        }
    }

    /// The number here; 0 for null.
    #[expect(clippy::cast_precision_loss, reason = "that is what a double is")]
    pub fn double(self) -> Attempt<f64> {
        match self.value {
            Json::Null => self.absent(),
            Json::Int(value) => Ok(*value as f64),
            Json::Double(value) => Ok(*value),
            Json::Text(text) if self.loose() => text.trim().parse().map_err(|_| self.wrong("a number")),
            _ => Err(self.wrong("a number")),
        }
    }

    /// The truth value here; false for null.
    pub fn boolean(self) -> Attempt<bool> {
        match self.value {
            Json::Null => self.absent(),
            Json::Bool(value) => Ok(*value),
            Json::Text(text) if self.loose() => switch(text).ok_or_else(|| self.wrong("true or false")),
            _ => Err(self.wrong("true or false")),
        }
    }

    /// The record or map here; one without fields for null.
    pub fn record(self) -> Attempt<Self> {
        match self.value {
            Json::Null => self.absent().map(|()| self),
            Json::Object(_) => Ok(self),
            _ => Err(self.wrong("an object")),
        }
    }

    /// The elements here, each read by `read`; none for null.
    pub fn list<T>(self, read: impl Fn(Node<'a>) -> Attempt<T>) -> Attempt<Vec<T>> {
        match self.value {
            Json::Null => self.absent(),
            Json::List(items) => items.iter().map(|value| read(self.within(value))).collect(),
            _ => Err(self.wrong("a list")),
        }
    }

    /// The entries of the map here, each value read by `read`; none for null.
    pub fn entries<T>(self, read: impl Fn(Node<'a>) -> Attempt<T>) -> Attempt<Vec<Entry<'a, T>>> {
        match self.value {
            Json::Null => self.absent(),
            Json::Object(fields) => fields
                .iter()
                .map(|(key, value)| Ok(Entry { key: Text::Borrowed(key), value: read(self.within(value))? }))
                .collect(),
            _ => Err(self.wrong("a map")),
        }
    }

    /// What the value here holds, whatever it is: the entries of a map, the elements of a list, and nothing of anything
    /// else. Unlike `entries`, it never fails over what somebody wrote.
    ///
    /// People write a map as a list, too. An element that is a single pair is that entry; a text `key: value` goes by
    /// what stands before its colon, another text by itself, and whatever has no name by its position from 0 on.
    pub fn members(self) -> Vec<Entry<'a, Node<'a>>> {
        let member = |key: Text<'a>, value| Entry { key, value: self.within(value) };
        let element = |(at, item): (usize, &'a Json<'a>)| match item {
            Json::Object(fields) => match &**fields {
                [(key, value)] => member(Text::Borrowed(key), value),
                _ => member(Text::Owned(at.to_string()), item),
            },
            Json::Text(text) => member(Text::Borrowed(named(text)), item),
            _ => member(Text::Owned(at.to_string()), item),
        };
        match self.value {
            Json::Object(fields) => fields.iter().map(|(key, value)| member(Text::Borrowed(key), value)).collect(),
            Json::List(items) => items.iter().enumerate().map(element).collect(),
            _ => Vec::new(),
        }
    }

    /// The value as a person would write it: text bare, anything else as JSON, null as nothing.
    pub fn display(self) -> String {
        match self.value {
            Json::Null => String::new(),
            Json::Text(text) => text.to_string(),
            other => other.to_string(),
        }
    }

    /// What is not there is empty, unless the client always sends it.
    fn absent<T: Default>(self) -> Attempt<T> {
        if self.promised {
            return Err(Failure::Payload(format!("{} is missing in the event", self.place())));
        }
        Ok(T::default())
    }

    /// An element or entry of this value.
    fn within(self, value: &'a Json<'a>) -> Self {
        Self { value, tool: None, promised: false, ..self }
    }

    fn place(self) -> &'a str {
        if self.step.is_empty() { "the value" } else { self.step }
    }

    fn loose(self) -> bool {
        matches!(self.origin, Origin::Document(_))
    }

    fn wrong(self, expected: &str) -> Failure {
        let place = self.place();
        let found = self.value.kind();
        match self.origin {
            Origin::Payload => Failure::Payload(format!("{place} in the event should be {expected}, found {found}")),
            Origin::Document(name) => {
                Failure::Document(format!("{place} in {name} should be {expected}, found {found}"))
            }
            Origin::Data => Failure::Expression(format!("{place} in a table should be {expected}, found {found}")),
        }
    }
}

/// A truth value as people write it in a file. Before YAML 1.2 `on`, `off`, `yes` and `no` were other ways to write it, and
/// many still do.
fn switch(text: &str) -> Option<bool> {
    const WORDS: [(&str, bool); 6] =
        [("true", true), ("on", true), ("yes", true), ("false", false), ("off", false), ("no", false)];
    WORDS.iter().find(|(word, _)| text.trim().eq_ignore_ascii_case(word)).map(|(_, value)| *value)
}

/// What stands before the colon of `key: value`: that behind a question mark, if there is one, since a question may hold
/// others. The whole text if there is none.
fn named(text: &str) -> &str {
    let behind_question = text.find("?:").map(|at| at + 1);
    let key = behind_question.or_else(|| text.find(": ")).and_then(|colon| text.get(..colon)).map(str::trim);
    key.filter(|key| !key.is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_and_null_read_as_the_empty_value() {
        let value = Json::parse(r#"{"a":null}"#).expect("valid");
        let root = Node::new(&value, Origin::Payload);
        for field in ["a", "b"] {
            assert_eq!(root.at(field).text(), Ok(Cow::Borrowed("")));
            assert_eq!(root.at(field).int(), Ok(0));
            assert_eq!(root.at(field).boolean(), Ok(false));
            assert_eq!(root.at(field).list(Node::text).map(|list| list.len()), Ok(0));
        }
    }

    #[test]
    fn a_whole_number_is_read_without_its_fraction() {
        let value = Json::parse("[12.0, 0.5, -1.5]").expect("valid");
        let numbers = Node::new(&value, Origin::Payload).list(Node::int);
        assert_eq!(numbers, Ok(vec![12, 0, -1]));
        let large = Json::parse("1e25").expect("valid");
        assert!(Node::new(&large, Origin::Payload).int().is_err());
    }

    #[test]
    fn members_are_what_there_is_and_entries_are_those_of_a_map() {
        let value =
            Json::parse(r#"{"map":{"a":1},"list":["x","y: 1","Or: not?: no",{"b":2},{"c":3,"d":4},5],"text":"z"}"#)
                .expect("valid");
        let at = |field| Node::new(&value, Origin::Document("state")).at(field);
        let members = |field| {
            at(field).members().iter().map(|entry| (entry.key.to_string(), entry.value.display())).collect::<Vec<_>>()
        };
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(members("map"), [pair("a", "1")]);
        let named = [pair("x", "x"), pair("y", "y: 1"), pair("Or: not?", "Or: not?: no"), pair("b", "2")];
        let nameless = [pair("4", r#"{"c":3,"d":4}"#), pair("5", "5")];
        assert_eq!(members("list"), [&named[..], &nameless].concat());
        assert_eq!(members("text"), []);
        assert_eq!(members("none"), []);
        assert!(at("map").entries(Ok).is_ok());
        assert!(at("list").entries(Ok).is_err());
    }

    #[test]
    fn what_the_client_always_sends_is_never_empty() {
        let read = |event: &str, field: &'static str| {
            let value = Json::parse(event).expect("valid");
            let input = Node::new(&value, Origin::Payload).at("tool_input").record();
            input.and_then(|input| input.at(field).text().map(Cow::into_owned)).map_err(|failure| failure.to_string())
        };
        let missing = |field: &str| Err(format!("{field} is missing in the event"));
        assert_eq!(read(r#"{"tool_name":"Bash","tool_input":{"command":""}}"#, "command"), Ok(String::new()));
        for input in ["{}", r#"{"command":null}"#, r#"{"Command":"ls"}"#] {
            let event = format!(r#"{{"tool_name":"Bash","tool_input":{input}}}"#);
            assert_eq!(read(&event, "command"), missing("command"), "{input}");
            assert_eq!(read(&event, "description"), Ok(String::new()), "{input}");
            let unnamed = format!(r#"{{"tool_input":{input}}}"#);
            assert_eq!(read(&unnamed, "command"), missing("command"), "{input}");
            let another = format!(r#"{{"tool_name":"mcp__a__b","tool_input":{input}}}"#);
            assert_eq!(read(&another, "command"), Ok(String::new()), "{input}");
        }
        for event in [r#"{"tool_name":"Bash"}"#, r#"{"tool_name":"mcp__a__b","tool_input":null}"#] {
            assert_eq!(read(event, "command"), missing("tool_input"), "{event}");
        }
        for (input, kind) in [("\"ls\"", "a string"), ("[1]", "a list"), ("7", "a number")] {
            let event = format!(r#"{{"tool_name":"Bash","tool_input":{input}}}"#);
            let wrong = format!("tool_input in the event should be an object, found {kind}");
            assert_eq!(read(&event, "command"), Err(wrong), "{input}");
        }
    }

    #[test]
    fn whether_a_field_is_there_can_always_be_asked() {
        let value = Json::parse(r#"{"tool_name":"Bash","tool_input":{"Command":"ls"}}"#).expect("valid");
        let input = Node::new(&value, Origin::Payload).at("tool_input");
        assert!(!input.at("command").present() && !input.has("command") && input.has("Command"));
    }

    #[test]
    fn a_record_is_a_record_or_nothing() {
        let value = Json::parse(r#"{"a":{"b":1},"c":[1],"d":null}"#).expect("valid");
        let at = |field| Node::new(&value, Origin::Document("state")).at(field).record();
        assert!(at("a").is_ok_and(Node::present) && at("d").is_ok_and(|none| !none.present()) && at("e").is_ok());
        assert_eq!(at("c").expect_err("a list").to_string(), "c in state should be an object, found a list");
    }

    #[test]
    fn a_wrong_type_names_the_place() {
        let value = Json::parse(r#"{"tool_input":{"file_path":7}}"#).expect("valid");
        let failure = Node::new(&value, Origin::Payload).at("tool_input").at("file_path").text().expect_err("a number");
        assert_eq!(failure.to_string(), "file_path in the event should be a string, found a number");
    }

    #[test]
    fn scalars_in_documents_are_read_loosely_and_payloads_strictly() {
        let value = Json::parse(r#"{"phase":1,"limit":"25","on":"true"}"#).expect("valid");
        let document = Node::new(&value, Origin::Document("state"));
        assert_eq!(document.at("phase").text(), Ok(Cow::Borrowed("1")));
        assert_eq!(document.at("limit").int(), Ok(25));
        assert_eq!(document.at("on").boolean(), Ok(true));
        let payload = Node::new(&value, Origin::Payload);
        assert!(payload.at("phase").text().is_err());
        assert!(payload.at("limit").int().is_err());
        assert!(payload.at("on").boolean().is_err());
    }
}
