//! Reads YAML 1.2 into the same value that JSON is read into.
//!
//! Whatever the text, the work is bounded: aliases count as the nodes they stand for, and both the number of nodes and
//! their nesting have a limit, so neither an alias bomb nor a deep nest reaches the stack or the memory.

mod scalar;

use std::collections::HashMap;

use granit_parser::{Event, Marker, Options, Parser};

use crate::json::{Json, Many};
use crate::record::Record;

/// Nodes of one document, aliases expanded. Long text counts as several, so that repeating it is bounded too.
const MOST_NODES: usize = 100_000;
const TEXT_PER_NODE: usize = 256;
const DEEPEST: usize = 64;

/// The first document of the text; null when there is none.
///
/// The error says what is wrong and at which line and column.
pub fn parse(text: &str) -> Result<Json<'static>, String> {
    let tape = Tape::record(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let mut reader = Reader { tape: &tape, nodes: 0 };
    if tape.steps.is_empty() { Ok(Json::Null) } else { reader.value(&mut 0, 0) }
}

/// The events of one document. An alias is read by going back to where its anchor stands, which copies nothing.
struct Tape<'a> {
    steps: Vec<(Step<'a>, Marker)>,
    anchors: HashMap<usize, usize>,
}

enum Step<'a> {
    Scalar(scalar::Scalar<'a>),
    Alias(usize),
    ListStart,
    ListEnd,
    MapStart,
    MapEnd,
}

impl<'a> Tape<'a> {
    fn record(text: &'a str) -> Result<Self, String> {
        let mut options = Options::default();
        options.set_emit_comments(false);
        let mut tape = Self { steps: Vec::new(), anchors: HashMap::new() };
        let mut events = Parser::new_from_str_with_options(text, options)
            .map(|next| next.map_err(|error| at(&error.info(), *error.marker())));
        while let Some((event, span)) = events.next().transpose()? {
            let (step, anchor) = match event {
                Event::Scalar(text, style, anchor, tag) => {
                    (Step::Scalar(scalar::Scalar::new(text, style, tag.as_deref())), anchor)
                }
                Event::SequenceStart(_, anchor, _) => (Step::ListStart, anchor),
                Event::MappingStart(_, anchor, _) => (Step::MapStart, anchor),
                Event::SequenceEnd => (Step::ListEnd, 0),
                Event::MappingEnd => (Step::MapEnd, 0),
                Event::Alias(anchor) => (Step::Alias(anchor), 0),
                Event::DocumentEnd => {
                    // What stands behind must be another document or nothing: only then did this one end well.
                    events.next().transpose()?;
                    break;
                }
                _ => continue,
            };
            if tape.steps.len() > 2 * MOST_NODES {
                return Err(too_many(span.start));
            }
            if anchor != 0 {
                tape.anchors.insert(anchor, tape.steps.len());
            }
            tape.steps.push((step, span.start));
        }
        Ok(tape)
    }
}

struct Reader<'a> {
    tape: &'a Tape<'a>,
    nodes: usize,
}

impl<'a> Reader<'a> {
    /// The node at `position`, which moves behind it.
    fn value(&mut self, position: &mut usize, depth: usize) -> Result<Json<'static>, String> {
        let (step, marker) = self.enter(position, depth)?;
        match step {
            Step::Scalar(scalar) => scalar.value().map_err(|why| at(&why, marker)),
            Step::Alias(anchor) => self.value(&mut self.anchored(*anchor, marker)?, depth + 1),
            Step::ListStart => {
                let mut items = Vec::new();
                while !self.leave(position, |step| matches!(step, Step::ListEnd)) {
                    items.push(self.value(position, depth + 1)?);
                }
                Ok(Json::List(Many::Owned(items)))
            }
            Step::MapStart => self.map(position, depth),
            Step::ListEnd | Step::MapEnd => Err(at("the document ends inside a value", marker)),
        }
    }

    fn map(&mut self, position: &mut usize, depth: usize) -> Result<Json<'static>, String> {
        let mut record = Record::default();
        let mut inherited = Vec::new();
        while !self.leave(position, |step| matches!(step, Step::MapEnd)) {
            let merges = self.at_merge_key(*position);
            let key = self.key(position, depth + 1)?;
            let marker = self.marker(*position);
            let value = self.value(position, depth + 1)?;
            if merges {
                merge_sources(value, &mut inherited).map_err(|why| at(why, marker))?;
            } else {
                record.set(key, value);
            }
        }
        // What a mapping says itself counts more than what it merges, wherever the merge key stands.
        for (key, value) in inherited {
            record.set_if_absent(&key, value);
        }
        Ok(record.into_json())
    }

    /// A key as text: a scalar as it is written, anything else as JSON.
    fn key(&mut self, position: &mut usize, depth: usize) -> Result<String, String> {
        if let Some((Step::Alias(anchor), marker)) = self.tape.steps.get(*position) {
            let mut target = self.anchored(*anchor, *marker)?;
            self.enter(position, depth)?;
            return self.key(&mut target, depth + 1);
        }
        if let Some((Step::Scalar(scalar), _)) = self.tape.steps.get(*position) {
            self.enter(position, depth)?;
            return Ok(scalar.text().to_owned());
        }
        self.value(position, depth).map(|value| value.to_string())
    }

    /// Counts the node at `position` and moves behind its first step.
    fn enter(&mut self, position: &mut usize, depth: usize) -> Result<(&'a Step<'a>, Marker), String> {
        let Some((step, marker)) = self.tape.steps.get(*position) else {
            return Err(at("the document ends inside a value", self.marker(*position)));
        };
        *position += 1;
        self.nodes += match step {
            Step::Scalar(scalar) => 1 + scalar.text().len() / TEXT_PER_NODE,
            _ => 1,
        };
        if self.nodes > MOST_NODES {
            return Err(too_many(*marker));
        }
        if depth > DEEPEST {
            return Err(at(&format!("values are nested more than {DEEPEST} deep"), *marker));
        }
        Ok((step, *marker))
    }

    /// Whether a collection ends at `position`, which then moves behind its end.
    fn leave(&self, position: &mut usize, is_end: impl Fn(&Step<'_>) -> bool) -> bool {
        // The end of the tape ends everything: without it a truncated stream would be an endless loop.
        let ends = self.tape.steps.get(*position).is_none_or(|(step, _)| is_end(step));
        *position += usize::from(ends);
        ends
    }

    fn anchored(&self, anchor: usize, marker: Marker) -> Result<usize, String> {
        self.tape.anchors.get(&anchor).copied().ok_or_else(|| at("an alias has no anchor", marker))
    }

    fn at_merge_key(&self, position: usize) -> bool {
        matches!(self.tape.steps.get(position), Some((Step::Scalar(scalar), _)) if scalar.is_merge_key())
    }

    fn marker(&self, position: usize) -> Marker {
        let step = self.tape.steps.get(position).or(self.tape.steps.last());
        step.map_or(Marker::new(0, 1, 0), |(_, marker)| *marker)
    }
}

/// The fields that a merge key brings: of one mapping, or of a list of them where the first counts most.
fn merge_sources(value: Json<'static>, into: &mut Vec<(String, Json<'static>)>) -> Result<(), &'static str> {
    match value {
        Json::Object(Many::Owned(fields)) => {
            into.extend(fields.into_iter().map(|(key, value)| (key.into_owned(), value)));
            Ok(())
        }
        Json::List(Many::Owned(items)) if items.iter().all(|item| matches!(item, Json::Object(_))) => {
            items.into_iter().try_for_each(|item| merge_sources(item, into))
        }
        _ => Err("`<<` can only merge a mapping or a list of mappings"),
    }
}

fn too_many(marker: Marker) -> String {
    at(&format!("the document holds more than {MOST_NODES} values, aliases expanded"), marker)
}

fn at(what: &str, marker: Marker) -> String {
    format!("{what} at line {} column {}", marker.line(), marker.col() + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn json(text: &str) -> String {
        parse(text).expect(text).to_string()
    }

    #[test]
    fn nested_collections_keep_their_order() {
        let text = "z: 1\na:\n  - x\n  - {k: v, e: []}\nm: {}\n";
        assert_eq!(json(text), r#"{"z":1,"a":["x",{"k":"v","e":[]}],"m":{}}"#);
    }

    #[test]
    fn an_empty_text_is_null_and_only_the_first_document_counts() {
        for text in ["", "  \n", "# nothing\n", "---\n", "\u{feff}"] {
            assert_eq!(parse(text), Ok(Json::Null), "{text:?}");
        }
        assert_eq!(json("a: 1\n---\nb: 2\n"), r#"{"a":1}"#);
    }

    #[test]
    fn a_byte_order_mark_and_carriage_returns_are_tolerated() {
        assert_eq!(json("\u{feff}a: 1\r\nb:\r\n  - x\r\nc: |\r\n  one\r\n"), r#"{"a":1,"b":["x"],"c":"one\n"}"#);
    }

    #[test]
    fn a_repeated_key_counts_the_last_time() {
        assert_eq!(json("a: 1\nb: 2\na: 3\n"), r#"{"a":3,"b":2}"#);
    }

    #[test]
    fn keys_that_are_not_strings_become_their_text() {
        assert_eq!(
            json("1: a\ntrue: b\n0x10: c\n? [x, 1]\n: d\n"),
            r#"{"1":"a","true":"b","0x10":"c","[\"x\",1]":"d"}"#
        );
        assert_eq!(json("a: &k 007\n*k : x\n"), r#"{"a":7,"007":"x"}"#);
    }

    #[test]
    fn aliases_stand_for_their_anchor() {
        assert_eq!(json("a: &x [1, 2]\nb: *x\nc: [*x, *x]\n"), r#"{"a":[1,2],"b":[1,2],"c":[[1,2],[1,2]]}"#);
        assert_eq!(json("- &x 1\n- *x\n- &x 2\n- *x\n"), "[1,1,2,2]");
    }

    #[test]
    fn merge_keys_fill_in_what_the_mapping_does_not_say() {
        let text =
            "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\none:\n  <<: *b\n  y: 9\ntwo:\n  x: 0\n  <<: [*m, *b]\n";
        let value = parse(text).expect("valid");
        assert_eq!(value.get("one").map(ToString::to_string).as_deref(), Some(r#"{"y":9,"x":1}"#));
        assert_eq!(value.get("two").map(ToString::to_string).as_deref(), Some(r#"{"x":0,"y":3,"z":4}"#));
        assert_eq!(json("\"<<\": 1\n"), r#"{"<<":1}"#);
        assert_eq!(
            parse("a:\n  <<: 1\n"),
            Err("`<<` can only merge a mapping or a list of mappings at line 2 column 7".into())
        );
    }

    #[test]
    fn an_alias_bomb_is_an_error() {
        let level = |level: usize| format!("a{level}: &a{level} [{}]", vec![format!("*a{}", level - 1); 10].join(", "));
        let levels = |count: usize| {
            let lines: Vec<String> =
                std::iter::once("a0: &a0 [x, x]".to_owned()).chain((1..count).map(level)).collect();
            lines.join("\n")
        };
        assert!(parse(&levels(4)).is_ok());
        assert!(parse(&levels(12)).expect_err("a bomb").contains("more than 100000 values"));
        let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), vec!["*a"; 1000].join(", "));
        assert!(parse(&long).expect_err("a bomb of text").contains("more than 100000 values"));
        assert!(parse("a: &a [*a]\n").is_err(), "an anchor that holds itself");
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |depth: usize| parse(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        assert!(nested(60).is_ok());
        assert!(nested(66).expect_err("deep").contains("nested more than 64 deep"));
        assert!(nested(100_000).is_err());
        assert!(parse(&"- ".repeat(100_000)).is_err());
    }

    #[test]
    fn an_error_names_line_and_column() {
        for text in
            ["a: 1\nb: [1, 2\n", "a: 'open\n", "a: *nowhere\n", "a:\n\t- x\n", "a: b: c\n", "a: 1\n} x\n", "&a &b c"]
        {
            let error = parse(text).expect_err(text);
            assert!(error.contains(" at line ") && error.contains(" column "), "{error}");
        }
        assert!(parse("ok: 1\nbad: !!int x\n").expect_err("no number").ends_with("at line 2 column 12"));
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(text in "\\PC*") {
            let _ = parse(&text);
        }

        #[test]
        fn arbitrary_yaml_like_text_never_panics(text in "[-a:&*<!?|>{}\\[\\]'\"#%,~0x.e \t\r\n]{0,80}") {
            let _ = parse(&text);
        }

        #[test]
        fn quoted_text_comes_back_as_it_was(text in "[a-z0-9 :#~-]{0,30}") {
            prop_assert_eq!(parse(&format!("'{text}'")), Ok(Json::Text(text.into())));
        }
    }
}
