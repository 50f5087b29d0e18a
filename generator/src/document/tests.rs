use super::*;

fn parse(text: &str) -> Document {
    let (document, diagnostics) = Document::parse(Source::new("a.yaml", text));
    assert_eq!(diagnostics, []);
    document.expect("a document")
}

/// Code, position and marked text of each refusal.
fn refused(text: &str) -> Vec<(Code, String, String)> {
    let (_, diagnostics) = Document::parse(Source::new("a.yaml", text));
    let row = |it: &Diagnostic| {
        let place = it.place().expect("a place");
        (it.code, format!("{}:{}", place.start().line, place.start().column), place.text().to_owned())
    };
    diagnostics.iter().map(row).collect()
}

#[track_caller]
fn assert_refused(text: &str, code: Code, position: &str, marked: &str) {
    assert_eq!(refused(text), [(code, position.to_owned(), marked.to_owned())], "{text:?}");
}

#[test]
fn values_and_keys_are_found_where_they_are_written() {
    let document = parse(
        "# é\nhooks:\n  - id: H01\n    matcher: 'Read|Edit' # note\n    list: [1, {a: b}]\n  - id: H02\nlast: |\n  text\n\n\n",
    );
    let hook = Pointer::root().key("hooks").index(0);
    assert_eq!(document.at(&hook.key("matcher")).text(), "'Read|Edit'");
    assert_eq!(document.key(&hook.key("matcher")).text(), "matcher");
    assert_eq!(document.at(&hook.key("list")).text(), "[1, {a: b}]");
    assert_eq!(document.at(&hook.key("list").index(1).key("a")).text(), "b");
    assert!(document.at(&hook).text().starts_with("id: H01") && document.at(&hook).text().ends_with("{a: b}]"));
    assert_eq!(document.key(&hook.key("list").index(0)).text(), "1");
    assert_eq!(document.at(&Pointer::root().key("last")).text(), "|\n  text");
    assert!(document.at(&Pointer::root()).text().ends_with("|\n  text"));
    assert_eq!(document.get(&hook.key("id")), Some(&Value::from("H01")));
}

#[test]
fn a_value_that_is_not_there_is_shown_at_what_surrounds_it() {
    let document = parse("hooks:\n  - id: H01\n    when:\n");
    let hook = Pointer::root().key("hooks").index(0);
    assert_eq!(document.at(&hook.key("when")).text(), "when");
    assert_eq!(document.at(&hook.key("timeout")).text(), "H01");
    assert_eq!(document.grip(&hook).text(), "H01");
    assert_eq!(document.grip(&Pointer::root()).text(), "hooks");
}

#[test]
fn line_breaks_of_windows_and_a_byte_order_mark_do_not_shift_spans() {
    let document = parse("\u{feff}a: 1\r\nb: two\r\n");
    let place = document.at(&Pointer::root().key("b"));
    assert_eq!(place.text(), "two");
    assert_eq!((place.start().line, place.start().column), (2, 4));
    assert_eq!(document.get(&Pointer::root().key("a")), Some(&Value::from(1)));
}

#[test]
fn a_key_given_twice_is_shown_in_both_places_and_the_last_counts() {
    let (document, diagnostics) = Document::parse(Source::new("a.yaml", "a: 1\nb: 2\n\"a\": 3\n"));
    let [diagnostic] = diagnostics.as_slice() else { panic!("{diagnostics:#?}") };
    assert_eq!(diagnostic.code, Code::DuplicateKey);
    let labels: Vec<_> = diagnostic.labels.iter().map(|it| (it.location.start().line, it.primary)).collect();
    assert_eq!(labels, [(3, true), (1, false)]);
    let document = document.expect("a document");
    assert_eq!(document.get(&Pointer::root().key("a")), Some(&Value::from(3)));
    assert_eq!(document.at(&Pointer::root().key("a")).start().line, 3);
}

#[test]
fn the_same_key_in_two_mappings_is_fine() {
    parse("a: { x: 1 }\nb: { x: 1 }\nc: { a: { a: 1 } }\n");
}

#[test]
fn merge_keys_are_refused_and_quoted_ones_are_text() {
    assert_refused("a: { x: 1 }\nb:\n  <<: { y: 1 }\n", Code::MergeKey, "3:3", "<<");
    parse("a: { '<<': 1 }\n");
}

#[test]
fn anchors_and_aliases_are_refused_and_quoted_ones_are_text() {
    let text = "a: &x [1]\nb: *x\nc: *unknown\n*x : 1\n";
    let expected = [("1:4", "&x"), ("2:4", "*x"), ("3:4", "*unknown"), ("4:1", "*x")];
    let expected = expected.map(|(position, marked)| (Code::AnchorOrAlias, position.to_owned(), marked.to_owned()));
    assert_eq!(refused(text), expected);
    parse("a: '&x'\nb: '*x'\nc: x & y * z\n");
}

#[test]
fn tags_are_refused() {
    assert_refused("a: !!str 1\n", Code::UnsupportedYaml, "1:4", "!!str");
    assert_refused("a: !secret x\n", Code::UnsupportedYaml, "1:4", "!secret");
    parse("a: '!x'\nb: x!\n");
}

#[test]
fn keys_that_are_not_text_are_refused() {
    for (text, marked) in
        [("1: a\n", "1"), ("true: a\n", "true"), ("~: a\n", "~"), ("[a]: b\n", "[a]"), ("{a: 1}: b\n", "{a: 1}")]
    {
        assert_refused(text, Code::UnsupportedYaml, "1:1", marked);
    }
    parse("'1': a\n007: b\nyes: c\non: d\n1.0.0: e\n");
}

#[test]
fn numbers_that_json_cannot_hold_are_refused() {
    assert_refused("a: .inf\n", Code::UnsupportedYaml, "1:4", ".inf");
    assert_refused("a: [-.INF]\n", Code::UnsupportedYaml, "1:5", "-.INF");
    assert_refused("a: .nan\n", Code::UnsupportedYaml, "1:4", ".nan");
    assert_refused("a: 99999999999999999999\n", Code::UnsupportedYaml, "1:4", "99999999999999999999");
    parse("a: '.inf'\nb: inf\nc: 18446744073709551615\n");
}

#[test]
fn a_second_document_is_refused_and_a_single_mark_is_fine() {
    assert_refused("a: 1\n---\nb: 2\n", Code::SeveralDocuments, "2:1", "---");
    parse("---\na: 1\n...\n");
}

#[test]
fn files_without_content_are_refused() {
    for text in ["", "\n\n", "# a note\n", "---\n", "\u{feff}"] {
        assert_refused(text, Code::EmptyFile, "1:1", "");
    }
}

#[test]
fn syntax_errors_are_shown_where_they_are() {
    for text in ["a: b: c\n", "a: [1\n", "a: 'x\n", "a: \"\\q\"\n", "a: @x\n", "a\nb: 1\n", "a: }\n", "a: \u{0}\n"] {
        let found = refused(text);
        assert_eq!(found.first().map(|it| it.0), Some(Code::YamlSyntax), "{text:?}");
        assert_eq!(found.len(), 1, "{text:?}");
    }
    assert_refused("a: b: c\n", Code::YamlSyntax, "1:5", ":");
}

#[test]
fn a_tab_in_the_indentation_is_shown_at_the_tab() {
    assert_refused("a:\n\tb: 1\n", Code::TabIndentation, "2:1", "\t");
    assert_refused("a:\n  b: 1\n\t\tc: 1\n", Code::TabIndentation, "3:1", "\t\t");
    assert_refused("a:\n  - b: 1\n  \tc: 1\n", Code::TabIndentation, "3:3", "\t");
    parse("a: x\ty\nb: |\n  text\n  \tindented text\n");
}

#[test]
fn deep_nesting_is_refused_without_an_overflow() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    parse(&nested(DEPTH_LIMIT));
    assert_refused(&nested(DEPTH_LIMIT + 1), Code::NestingTooDeep, "1:65", "[");
    for text in ["[".repeat(100_000), "{a: ".repeat(100_000), "- ".repeat(100_000), nested(100_000)] {
        let found = refused(&text);
        assert_eq!(found.iter().map(|it| it.0).collect::<Vec<_>>(), [Code::NestingTooDeep]);
    }
    let blocks = (0..1000).map(|level| format!("{}a:\n", " ".repeat(level))).collect::<Vec<_>>().concat();
    assert_eq!(refused(&blocks).first().map(|it| it.0), Some(Code::NestingTooDeep));
}

#[test]
fn everything_up_to_a_syntax_error_is_found_at_once() {
    let codes: Vec<_> =
        refused("a: &x 1\na: 2\nb: .nan\n3: c\nd: !t x\n<<: y\ne: ]\n").into_iter().map(|it| it.0).collect();
    let expected = [
        Code::AnchorOrAlias,
        Code::DuplicateKey,
        Code::UnsupportedYaml,
        Code::UnsupportedYaml,
        Code::UnsupportedYaml,
        Code::MergeKey,
        Code::YamlSyntax,
    ];
    assert_eq!(codes, expected);
}

#[test]
fn a_flood_of_refusals_ends_the_reading() {
    let text = (0..5000).map(|number| format!("k{number}: .inf\n")).collect::<Vec<_>>().concat();
    assert_eq!(refused(&text).len(), crate::diagnostic::ENOUGH);
}
