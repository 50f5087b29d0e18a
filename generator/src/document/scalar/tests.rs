use proptest::prelude::*;

use crate::document::{Document, Pointer, Style};
use crate::source::Source;

fn parse(text: &str) -> Document {
    let (document, diagnostics) = Document::parse(Source::new("a.yaml", text));
    assert_eq!(diagnostics, [], "{text:?}");
    document.expect("a document")
}

/// The source of the first occurrence of `part` in the text of the scalar under `k`.
#[track_caller]
fn written(text: &str, part: &str) -> String {
    let document = parse(text);
    let pointer = Pointer::root().key("k");
    let value = document.get(&pointer).and_then(|value| value.as_str()).expect("text");
    let start = value.find(part).unwrap_or_else(|| panic!("{part:?} is not in {value:?}"));
    document.inside(&pointer, start..start + part.len()).text().to_owned()
}

#[test]
fn each_style_finds_its_part() {
    let table = [
        ("k: tool.name == 1\n", "name", "name"),
        ("k: é tool ü name\n", "name", "name"),
        ("k: one\n  two   \n\n\n  three four\n", "two", "two"),
        ("k: one\n  two   \n\n\n  three four\n", "four", "four"),
        ("k: 'it''s x'\n", "it's", "it''s"),
        ("k: 'it''s x'\n", "x", "x"),
        ("k: 'one\n\n  two'\n", "two", "two"),
        ("k: \"a\\tb\\u00e9c \\\"d\\\" e\"\n", "bé", "b\\u00e9"),
        ("k: \"a\\tb\\u00e9c \\\"d\\\" e\"\n", "d", "d"),
        ("k: \"a\\U0001F600b\\x41c\"\n", "Ac", "\\x41c"),
        ("k: \"one \\\n    two\"\n", "two", "two"),
        ("k: \"one \\\n  \\  two\"\n", "  two", "\\  two"),
        ("k: \"one  \n  two\"\n", "two", "two"),
        ("k: |\n  one\n    two\n\n  three\n", "two", "two"),
        ("k: |\n  one\n    two\n\n  three\n", "three", "three"),
        ("k: |-\n  one\n  two\n", "two", "two"),
        ("k: |+\n  one\n\n\nl: 1\n", "one", "one"),
        ("k: |2\n    one\n   two\n", " two", " two"),
        ("o:\n  - k\nk: |1 # note\n   one\n  two\n", "two", "two"),
        ("k: >\n  one\n  two\n\n  three\n", "two", "two"),
        ("k: >\n  one\n  two\n\n  three\n", "three", "three"),
        ("k: >-\n  one\n    more\n  two\n", "two", "two"),
        ("k: >-\n\n  one\n\n    more\n\n  two\n", "two", "two"),
        ("k: >\r\n  one\r\n  two\r\n", "two", "two"),
        ("k: |\r\n  one\r\n  two\r\n", "two", "two"),
        ("k: 'one\r\n  two'\r\n", "two", "two"),
        ("k: |\n\n\n  one\n", "one", "one"),
        ("k: > # not | this\n  one\n  two\n", "two", "two"),
        ("\"a | b\": 1\nk: |\n  one\n", "one", "one"),
    ];
    for (text, part, expected) in table {
        assert_eq!(written(text, part), expected, "{part:?} in {text:?}");
    }
}

#[test]
fn a_part_over_several_lines_covers_the_lines() {
    assert_eq!(written("k: >\n  one\n  two\n", "one two"), "one\n  two");
    assert_eq!(written("k: |\n  one\n  two\n", "e\nt"), "e\n  t");
}

#[test]
fn a_number_is_found_by_its_digits() {
    let document = parse("k: 1234\n");
    assert_eq!(document.inside(&Pointer::root().key("k"), 1..3).text(), "23");
}

#[test]
fn an_empty_range_is_a_place_between_characters() {
    let document = parse("k: \"a\\tb\"\n");
    let pointer = Pointer::root().key("k");
    for (offset, start) in [(0, 4), (1, 5), (2, 7), (3, 8)] {
        let span = document.inside(&pointer, offset..offset).span;
        assert_eq!(span.range(), start..start, "{offset}");
    }
}

#[test]
fn what_cannot_be_found_is_the_whole_scalar() {
    let document = parse("k: abc\nlist: [a]\n");
    assert_eq!(document.inside(&Pointer::root().key("k"), 1..9).text(), "abc");
    assert_eq!(document.inside(&Pointer::root().key("list"), 0..1).text(), "[a]");
}

#[test]
fn styles_are_known() {
    let document = parse("a: x\nb: 'x'\nc: \"x\"\nd: |\n  x\ne: >\n  x\nf: []\n");
    let style = |key| document.style(&Pointer::root().key(key));
    let styles = ["a", "b", "c", "d", "e", "f"].map(style);
    let expected = [Style::Plain, Style::SingleQuoted, Style::DoubleQuoted, Style::Literal, Style::Folded].map(Some);
    assert_eq!(styles[..5], expected);
    assert_eq!(styles[5], None);
}

/// Writes a text in a style, as a value that stands two levels deep.
fn emit(text: &str, style: Style, line_break: &str) -> Option<String> {
    let indented = |text: &str| text.replace('\n', "\n    ");
    let scalar = match style {
        Style::Plain => {
            let plain = !text.is_empty()
                && text.split(' ').all(|word| !word.is_empty() && word.chars().all(char::is_alphanumeric));
            plain.then(|| text.replace(' ', "\n    "))?
        }
        Style::SingleQuoted => format!("'{}'", text.replace('\'', "''").replace('\n', "\n\n    ")),
        Style::DoubleQuoted => {
            let escape = |it: char| match it {
                '"' | '\\' => format!("\\{it}"),
                '\n' => "\\n".to_owned(),
                'b' => "\\x62".to_owned(),
                'é' => "\\u00e9".to_owned(),
                'c' => "\\\n      c".to_owned(),
                other => other.to_string(),
            };
            format!("\"{}\"", text.chars().map(escape).collect::<String>())
        }
        Style::Literal => format!("|2-\n    {}", indented(text)),
        Style::Folded => format!(">2-\n    {}", indented(text).replace("\n    ", "\n\n    ")),
        Style::Verbatim => return None,
    };
    Some(format!("# é\na:\n  k: {scalar}\n  z: 1\n").replace('\n', line_break))
}

fn style() -> impl Strategy<Value = Style> {
    prop_oneof![
        Just(Style::Plain),
        Just(Style::SingleQuoted),
        Just(Style::DoubleQuoted),
        Just(Style::Literal),
        Just(Style::Folded)
    ]
}

/// Whether source bytes write the character: as itself, as an escape, or as a line break.
fn writes(source: &str, character: char) -> bool {
    match character {
        ' ' | '\n' => matches!(source, " " | "\n" | "\r\n" | "\\n"),
        '\'' => matches!(source, "'" | "''"),
        'b' => matches!(source, "b" | "\\x62"),
        'é' => matches!(source, "é" | "\\u00e9"),
        '"' | '\\' => source.ends_with(character),
        other => source.chars().eq([other]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_character_is_found_where_it_is_written(
        text in "[abcé😀'\"\\\\#]([abcé😀 '\"\\\\#:\\n]{0,20}[abcé😀'\"\\\\#])?",
        style in style(),
        windows in any::<bool>(),
    ) {
        let Some(source) = emit(&text, style, if windows { "\r\n" } else { "\n" }) else { return Ok(()) };
        let (document, diagnostics) = Document::parse(Source::new("a.yaml", source.clone()));
        prop_assume!(diagnostics.is_empty());
        let document = document.expect("a document");
        let pointer = Pointer::root().key("a").key("k");
        let value = document.get(&pointer).and_then(|value| value.as_str()).expect("text").to_owned();
        let whole = document.at(&pointer).span;
        let mut last = whole.start();
        for (offset, character) in value.char_indices() {
            let found = document.inside(&pointer, offset..offset + character.len_utf8());
            prop_assert!(writes(found.text(), character), "{:?} at {} of {:?} is {:?} in {:?}", character, offset, value, found.text(), source);
            prop_assert!(found.span.start() >= last && found.span.end() <= whole.end());
            last = found.span.end();
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[ a:\\-'\"|>\\\\#\\[\\]{},&*!\\n\\r\\t0-9éx]{0,60}") {
        let (document, diagnostics) = Document::parse(Source::new("a.yaml", text));
        prop_assert!(document.is_some() || !diagnostics.is_empty());
        if let Some(document) = document {
            for end in 0..8 {
                document.inside(&Pointer::root(), 0..end);
                document.inside(&Pointer::root().key("a"), 0..end);
            }
        }
    }
}
