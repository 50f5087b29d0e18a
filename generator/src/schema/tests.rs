use super::*;
use crate::source::Source;

const CATALOG: &str = "\
catalog: demo
version: 1.0.0
description: Keeps secrets out of reach.
hooks:
  - id: H01
    name: guard-env-file
    event: PreToolUse
    timeout: 3s
    fail_safe: closed
    why: Secrets do not belong in a transcript.
";

fn document(text: &str) -> Document {
    let (document, diagnostics) = Document::parse(Source::new("a.yaml", text));
    assert_eq!(diagnostics, []);
    document.expect("a document")
}

fn with(extra: &str) -> String {
    format!("{CATALOG}{extra}")
}

/// Code, line and column, marked text, message and help of each violation.
fn violations(text: &str) -> Vec<(Code, String, String, String, String)> {
    let mut diagnostics = check(&document(text));
    diagnostics.sort_by_key(|it| it.place().expect("a place").span);
    diagnostics
        .into_iter()
        .map(|it| {
            let place = it.place().expect("a place");
            let start = place.start();
            let position = format!("{}:{}", start.line, start.column);
            (it.code, position, place.text().to_owned(), it.message.clone(), it.help.clone().unwrap_or_default())
        })
        .collect()
}

#[track_caller]
fn only(text: &str) -> (Code, String, String, String, String) {
    let mut all = violations(text);
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

#[test]
fn a_catalog_in_shape_has_no_violations_and_decodes() {
    assert_eq!(violations(CATALOG), []);
    let catalog = decode(&document(CATALOG)).expect("a catalog");
    assert_eq!(catalog.hooks[0].name, "guard-env-file");
}

#[test]
fn an_unknown_key_is_shown_at_the_key_with_the_name_that_was_meant() {
    let (code, position, text, message, help) = only(&with("    matchr: Read\n"));
    assert_eq!((code, position.as_str(), text.as_str()), (Code::UnknownKey, "11:5", "matchr"));
    assert_eq!(message, "unknown key `matchr`");
    assert_eq!(help, "did you mean `matcher`?");
}

#[test]
fn an_unknown_key_like_no_other_lists_the_keys() {
    let (code, _, text, _, help) = only(&with("contract: { zzzz: 1 }\n"));
    assert_eq!((code, text.as_str()), (Code::UnknownKey, "zzzz"));
    assert_eq!(help, "the keys here are `denial`, `bang_escapes`");
}

#[test]
fn a_key_that_is_there_already_is_no_suggestion() {
    let (_, _, _, _, help) = only(&with("    timeoutt: 3s\n"));
    assert!(!help.contains("did you mean"), "{help}");
}

#[test]
fn a_missing_key_is_shown_at_the_id_of_its_entry() {
    let (code, position, text, message, help) = only(&CATALOG.replace("    timeout: 3s\n", ""));
    assert_eq!((code, position.as_str(), text.as_str()), (Code::MissingKey, "5:9", "H01"));
    assert_eq!(message, "missing key `timeout`");
    assert!(help.starts_with("add `timeout`: time after which"), "{help}");
}

#[test]
fn a_missing_key_of_an_entry_without_id_is_shown_at_its_key_or_its_first_key() {
    let (_, position, text, ..) = only(&with("flags:\n  strict:\n    default: true\n"));
    assert_eq!((position.as_str(), text.as_str()), ("12:3", "strict"));
    let (_, position, text, ..) = only(&with("    failure_modes:\n      - when: no file\n        then: allow\n"));
    assert_eq!((position.as_str(), text.as_str()), ("12:9", "when"));
    let (_, position, text, ..) = only(&CATALOG.replace("version: 1.0.0\n", ""));
    assert_eq!((position.as_str(), text.as_str()), ("1:10", "demo"));
}

#[test]
fn a_misspelt_required_key_is_one_fault() {
    let (code, _, text, ..) = only(&CATALOG.replace("timeout:", "timout:"));
    assert_eq!((code, text.as_str()), (Code::UnknownKey, "timout"));
}

#[test]
fn a_value_of_another_type_says_what_is_expected() {
    let (code, position, text, message, help) = only(&CATALOG.replace("1.0.0", "1.0"));
    assert_eq!((code, position.as_str(), text.as_str()), (Code::WrongType, "2:10", "1.0"));
    assert_eq!(message, "expected a string, found a number");
    assert_eq!(help, "expected here: semantic version of the catalog, for example `1.1.0`");
    let (.., help) = only(&CATALOG.replace("Keeps secrets out of reach.", "2024"));
    assert_eq!(help, "put it in quotes");
    let (code, _, _, message, _) = only(&with("    checks: none\n"));
    assert_eq!((code, message.as_str()), (Code::WrongType, "expected a list, found a string"));
    let (_, _, _, message, help) = only(&with("    once: 'true'\n"));
    assert_eq!(message, "expected `true` or `false`, found a string");
    assert_eq!(help, "write `true` or `false` without quotes");
}

#[test]
fn a_key_without_a_value_is_refused_whether_optional_or_not() {
    for text in [with("    when:\n"), with("    checks: ~\n"), with("    type: null\n"), with("config:\n")] {
        let (code, _, _, message, _) = only(&text);
        assert_eq!(code, Code::WrongType);
        assert!(message.ends_with("has no value"), "{message}");
    }
    let (_, position, text, ..) = only(&with("    when:\n"));
    assert_eq!((position.as_str(), text.as_str()), ("11:5", "when"));
}

#[test]
fn null_is_a_value_where_any_value_is() {
    assert_eq!(violations(&with("data: { nothing: null }\n")), []);
}

#[test]
fn a_word_outside_a_list_names_the_list_and_the_nearest() {
    let (code, _, text, message, help) = only(&CATALOG.replace("closed", "close"));
    assert_eq!((code, text.as_str()), (Code::BadValue, "close"));
    assert_eq!(message, "`close` is not `open` or `closed`");
    assert_eq!(help, "did you mean `closed`?");
    let (code, _, _, message, _) = only(&CATALOG.replace("closed", "true"));
    assert_eq!((code, message.as_str()), (Code::WrongType, "`true` is not `open` or `closed`"));
    let (code, _, _, message, _) = only(&with("    priority: P9\n"));
    assert_eq!((code, message.as_str()), (Code::BadValue, "`P9` is not `P0`, `P1`, `P2` or `P3`"));
}

#[test]
fn a_text_of_the_wrong_form_says_which_form_is_meant() {
    let (code, position, text, message, help) = only(&CATALOG.replace("timeout: 3s", "timeout: three"));
    assert_eq!((code, position.as_str(), text.as_str()), (Code::BadValue, "8:14", "three"));
    assert_eq!(message, "`timeout` cannot be `three`");
    assert!(help.contains("such as `3s`"), "{help}");
}

#[test]
fn too_few_entries_and_numbers_out_of_bounds_are_bad_values() {
    let text = "catalog: demo\nversion: 1.0.0\ndescription: d\nhooks: []\n";
    let (code, position, _, message, _) = only(text);
    assert_eq!((code, position.as_str()), (Code::BadValue, "4:8"));
    assert_eq!(message, "`hooks` must have at least 1 entry");
    for (repeat, demand) in [("-1", "at least 0"), ("4294967296", "at most 4294967295")] {
        let (code, _, _, message, _) = only(&with(&format!("    cases: [{{ name: n, repeat: {repeat} }}]\n")));
        assert_eq!(code, Code::BadValue);
        assert!(message.contains(demand), "{message}");
    }
    let threshold = "thresholds: { most: { description: d, default: 1, range: [1, 2, 3] } }\n";
    assert!(only(&with(threshold)).3.contains("at most 2 entries"));
    let delimiter = "documents: { state: { path: p, format: key-value, delimiter: '' } }\n";
    assert_eq!(only(&with(delimiter)).3, "`delimiter` must not be empty");
}

#[test]
fn a_value_that_fits_none_of_several_shapes_is_one_message() {
    let fields =
        |fields: &str| with(&format!("documents: {{ state: {{ path: p, format: json, fields: {{ {fields} }} }} }}\n"));
    assert_eq!(violations(&fields("a: [string], b: { c: int, d: [any] }")), []);
    let (code, _, text, message, _) = only(&fields("a: 3"));
    assert_eq!((code, text.as_str()), (Code::WrongType, "3"));
    assert_eq!(message, "expected a string, a list or a mapping, found a number");
    let (code, _, text, message, _) = only(&fields("a: { b: [{ c: true }] }"));
    assert_eq!((code, text.as_str()), (Code::WrongType, "true"));
    assert_eq!(message, "expected a string, a list or a mapping, found a boolean");
}

#[test]
fn the_shape_that_the_type_picks_explains_itself() {
    let file = |spec: &str| with(&format!("    cases: [{{ name: n, given: {{ files: {{ a/b.json: {spec} }} }} }}]\n"));
    assert_eq!(violations(&file("{ json: { a: 1 } }")), []);
    let (code, _, text, message, _) = only(&file("{ jsn: 1 }"));
    assert_eq!((code, text.as_str()), (Code::MissingKey, "a/b.json"));
    assert_eq!(message, "missing key `json`");
    let (.., message, _) = only(&file("{ repeat: x }"));
    assert_eq!(message, "missing key `times`");
}

#[test]
fn keys_that_look_like_positions_are_found() {
    let (_, _, text, ..) = only(&with("facts: { '0': [true], '': x }\n"));
    assert_eq!(text, "[true]");
    let (_, _, text, ..) = only(&with("facts: { 'a/b~c': [1] }\n"));
    assert_eq!(text, "[1]");
}

#[test]
fn all_violations_are_found_at_once() {
    let text = CATALOG.replace("closed", "close").replace("timeout: 3s", "timeout: three") + "    oncee: true\n";
    let codes: Vec<_> = violations(&text).into_iter().map(|it| it.0).collect();
    assert_eq!(codes, [Code::BadValue, Code::BadValue, Code::UnknownKey]);
    assert_eq!(decode(&document(&text)).expect_err("violations").len(), 3);
}

#[test]
fn what_is_no_mapping_is_no_catalog() {
    let (code, position, _, message, _) = only("- catalog: demo\n");
    assert_eq!((code, position.as_str()), (Code::Shape, "1:1"));
    assert_eq!(message, "a catalog is a mapping, found a list");
}

#[test]
fn the_schema_is_the_same_on_every_run_and_has_no_null_and_no_id() {
    let text = schema().to_string();
    assert_eq!(text, schema().to_string());
    assert!(!text.contains("\"null\"") && !text.contains("\"$id\""));
    assert!(jsonschema::meta::is_valid(&schema()));
    assert_eq!(schema()["title"], "hookgen catalog");
    assert_eq!(schema()["properties"]["config"]["$ref"], "#/$defs/Config");
    assert!(
        schema()["properties"]["config"]["description"].as_str().is_some_and(|it| it.starts_with("Where operators"))
    );
}

/// The example under a heading of a page.
fn example<'p>(page: &'p str, heading: &str) -> &'p str {
    let (_, rest) = page.split_once(heading).expect("the heading");
    let (_, rest) = rest.split_once("```yaml\n").expect("an example");
    rest.split_once("```").expect("its end").0
}

fn front_codes(text: &str) -> Vec<Code> {
    let (document, mut diagnostics) = Document::parse(Source::new("a.yaml", text));
    diagnostics.extend(document.and_then(|document| decode(&document).err()).unwrap_or_default());
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn the_examples_of_every_page_are_catalogs_and_wrong_ones_about_shape_are_wrong_as_they_say() {
    // What a catalog takes from other files is not there for the schema alone; `tests/pages.rs` has those files.
    let alone = |text: &str| !text.starts_with("# file:") && !text.contains("\nextends:");
    for code in Code::ALL {
        let right = example(code.page(), "## Right");
        assert!(!alone(right) || front_codes(right).is_empty(), "{code}");
        let wrong = example(code.page(), "## Wrong");
        let expected = if *code <= Code::Shape { vec![*code] } else { Vec::new() };
        if alone(wrong) {
            assert_eq!(front_codes(wrong), expected, "{code}");
        }
    }
}

#[test]
fn what_only_the_types_refuse_is_shown_at_its_hook() {
    let text = with("  - id: H02\n    name: second\n    timeout: [3]\n");
    let document = document(&text);
    let (pointer, reason) = hook_at_fault(&document).expect("the second hook");
    assert_eq!(pointer.readable(), "hooks[1]");
    let diagnostic = unexplained(&document, &pointer, &reason);
    assert_eq!(diagnostic.code, Code::Shape);
    assert_eq!(diagnostic.place().map(crate::source::Location::text), Some("H02"));
    assert!(hook_at_fault(&self::document(CATALOG)).is_none());
}
