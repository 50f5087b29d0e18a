//! What others wrote stays to the byte, whatever is installed, renewed or taken out.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const COMMAND: &str = "${CLAUDE_PROJECT_DIR}/.claude/hooks/demo/bin/demo-hooks";
const THEIRS: &str = r#"{
  "model": "opus",
  "number": 12345678901234567890123,
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "~/guard.sh" }] }
    ],
    "Stop": []
  },
  "env": { "A": "\u00e9" }
}
"#;

fn fragment(id: &str) -> Value {
    json!({ "hooks": {
        "PreToolUse": [
            { "matcher": "Read", "hooks": [{ "type": "command", "command": COMMAND, "args": [id] }] },
            { "matcher": "Edit", "hooks": [{ "type": "command", "command": COMMAND, "args": [id] }] },
        ],
        "SessionStart": [{ "hooks": [{ "type": "command", "command": COMMAND, "args": [id] }] }],
        "Stop": [{ "hooks": [{ "type": "command", "command": COMMAND, "args": [id] }] }],
        "UserPromptSubmit": [{ "hooks": [{ "type": "prompt", "prompt": id }] }],
    } })
}

/// Another version: an event less, one more.
fn other_fragment() -> Value {
    let mut fragment = fragment("H2");
    let events = fragment[HOOKS].as_object_mut().expect("events");
    events.remove("SessionStart");
    events.insert("SessionEnd".to_owned(), json!([{ "hooks": [{ "type": "command", "command": COMMAND }] }]));
    fragment
}

fn ours() -> Ours {
    Ours::new("demo", [fragment("H1"), other_fragment()])
}

fn change(text: &str, how: impl FnOnce(&mut Settings) -> Result<(), Unfit>) -> String {
    let mut settings = Settings::parse(text).unwrap_or_else(|unfit| panic!("{unfit:?}\n{text}"));
    how(&mut settings).expect("changed");
    settings.text().to_owned()
}

fn install(text: &str, fragment: &Value) -> String {
    change(text, |settings| settings.renew(&ours(), fragment))
}

fn remove(text: &str) -> String {
    change(text, |settings| settings.remove(&ours()))
}

#[test]
fn only_lines_of_ours_are_added() {
    let installed = install(THEIRS, &fragment("H1"));
    let expected = r#"{
  "model": "opus",
  "number": 12345678901234567890123,
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "~/guard.sh" }] },
      {
        "matcher": "Read",
"#;
    assert!(installed.starts_with(expected), "{installed}");
    assert!(installed.contains("\"A\": \"\\u00e9\""), "{installed}");
    let value: Value = serde_json::from_str(&installed.replace("12345678901234567890123", "1")).expect("JSON");
    assert_eq!(value[HOOKS]["SessionStart"], fragment("H1")[HOOKS]["SessionStart"]);
    assert_eq!(remove(&installed), THEIRS);
}

#[test]
fn the_second_time_nothing_changes_and_a_newer_catalog_takes_the_place_of_the_older() {
    let once = install(THEIRS, &fragment("H1"));
    assert_eq!(install(&once, &fragment("H1")), once);
    let renewed = install(&once, &fragment("H2"));
    assert!(!renewed.contains("H1"), "{renewed}");
    assert_eq!(renewed, install(THEIRS, &fragment("H2")));
    let other = install(&once, &other_fragment());
    assert!(!other.contains("SessionStart") && other.contains("SessionEnd"), "{other}");
    assert_eq!(remove(&other), THEIRS);
}

#[test]
fn a_newer_catalog_changes_no_line_behind_its_own() {
    let once = install("{\n    \"hooks\": {\n        \"Stop\": [\n            1\n        ]\n    }\n}", &fragment("H1"));
    let more = once.replacen(
        "\n        ],\n        \"PreToolUse\"",
        ",\n            2\n        ],\n        \"PreToolUse\"",
        1,
    );
    assert_ne!(more, once);
    assert_eq!(install(&more, &fragment("H2")), more.replace("H1", "H2"));
}

#[test]
fn settings_that_were_not_there_begin_well_formed() {
    for text in ["", " \n", "{}", "{}\n"] {
        let installed = install(text, &fragment("H1"));
        assert!(
            installed.starts_with("{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\""),
            "{installed}"
        );
        assert_eq!(remove(&installed).trim_end(), "{}");
    }
}

#[test]
fn tabs_and_line_ends_are_followed() {
    let text = "{\r\n\t\"model\": \"opus\"\r\n}\r\n";
    let installed = install(text, &fragment("H1"));
    assert!(installed.contains("\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{"), "{installed}");
    assert!(!installed.replace("\r\n", "").contains('\n'), "{installed}");
    assert_eq!(remove(&installed), text);
}

#[test]
fn handlers_of_ours_go_from_a_group_that_others_share() {
    let shared = json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [
        { "type": "command", "command": COMMAND },
        { "type": "command", "command": "/p/.claude/hooks/demo-two/bin/x" },
    ] }] } });
    let left: Value = serde_json::from_str(&remove(&shared.to_string())).expect("JSON");
    assert_eq!(left["hooks"]["PreToolUse"][0]["hooks"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_hook_of_somebody_else_s_that_runs_our_program_is_not_ours_but_is_found() {
    for command in
        [&format!("test -x {COMMAND} || exit 2"), "/p/.claude/hooks/demo/bin/demo-hooks", &format!("{COMMAND} x")]
    {
        let text = json!({ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": command }] }] } });
        let text = format!("\n{text}");
        assert_eq!(remove(&text), text);
        assert_eq!(Settings::parse(&text).expect("fit").mention(&ours()), Some(2), "{command}");
    }
    let unlike = r#"{"a": "/.claude/hooks/demo/bin/", "hooks": {"Stop": [".claude/hooks/demo-two/bin/"]}}"#;
    assert_eq!(Settings::parse(unlike).expect("fit").mention(&ours()), None);
}

#[test]
fn whether_it_is_registered_is_known() {
    let has = |text: &str| Settings::parse(text).expect("fit").has(&ours());
    assert!(!has(THEIRS) && !has(""));
    assert!(has(&install(THEIRS, &fragment("H1"))));
    let prompt = json!({ "hooks": { "UserPromptSubmit": [{ "hooks": [{ "type": "prompt", "prompt": "H1" }] }] } });
    assert!(has(&prompt.to_string()) && !has(&prompt.to_string().replace("H1", "H9")));
}

#[test]
fn settings_that_are_something_else_are_refused_with_the_place() {
    for (text, line, column, why) in [
        ("{", 1, 2, "no key in double quotes"),
        ("[]", 1, 1, "not a JSON object"),
        (r#"{"hooks": []}"#, 1, 11, "`hooks` that are not a JSON object"),
        ("{\"hooks\": {\n\"é\": 1, \"Stop\": {}}}", 2, 6, "`hooks.é` is not a list"),
        ("{\n  // why\n  \"a\": 1}", 2, 3, "a comment"),
        ("{\"a\": 1,\n}", 1, 8, "a comma too many"),
        ("\u{feff}{}", 1, 1, "a byte order mark"),
        ("{\"hooks\": {}, \"hooks\": {}}", 1, 15, "the key `hooks` a second time"),
    ] {
        let unfit = Settings::parse(text).expect_err(text);
        assert_eq!((unfit.line, unfit.column), (line, column), "{text}: {unfit:?}");
        assert!(unfit.what.starts_with(why), "{text}: {unfit:?}");
    }
}

/// White space as people, editors and programs leave it.
fn space() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", "", " ", "\n", "\n  ", "\r\n\t", "\n\n    ", "  \n"]).prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = String> {
    let known = ["1", "-0.5e+400", "12345678901234567890123", "true", "null", r#""""#, r#""\ud83d é \/ {[,""#];
    prop::sample::select(known.to_vec()).prop_map(str::to_owned)
}

/// Elements between brackets, with white space wherever it may be.
fn joined(brackets: (char, char), parts: impl Strategy<Value = Vec<String>>) -> impl Strategy<Value = String> {
    (parts, prop::collection::vec(space(), 12)).prop_map(move |(parts, spaces)| {
        let mut spaces = spaces.into_iter().cycle();
        let mut space = || spaces.next().unwrap_or_default();
        let inside: Vec<_> = parts.iter().map(|part| format!("{}{part}{}", space(), space())).collect();
        let inside = if inside.is_empty() { space() } else { inside.join(",") };
        format!("{}{inside}{}", brackets.0, brackets.1)
    })
}

fn list(items: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    joined(('[', ']'), prop::collection::vec(items, 0..3))
}

fn object(values: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let members = prop::collection::vec((values, space()), 0..3);
    let members = members.prop_map(|values| {
        let members = values.into_iter().enumerate();
        members.map(|(number, (value, space))| format!("\"k{number}\"{space}:{space}{value}")).collect()
    });
    joined(('{', '}'), members)
}

fn anything() -> impl Strategy<Value = String> {
    scalar().prop_recursive(3, 12, 3, |inner| prop_oneof![list(inner.clone()), object(inner)])
}

/// A group of somebody else's, whole or odd.
fn group() -> impl Strategy<Value = String> {
    let handler = prop_oneof![anything(), Just(r#"{"type": "command", "command": "~/guard.sh"}"#.to_owned())];
    let whole = (space(), list(handler)).prop_map(|(space, hooks)| format!("{{{space}\"hooks\":{hooks}}}"));
    prop_oneof![whole, anything()]
}

/// Settings of somebody else's, with hooks or without, before, between or behind other keys.
fn settings() -> impl Strategy<Value = String> {
    let events = prop::sample::subsequence(vec!["PreToolUse", "Stop", "SessionEnd", "PostToolUse"], 0..4);
    let hooks = events.prop_flat_map(|events| {
        let lists: Vec<_> = events
            .into_iter()
            .map(|event| list(group()).prop_map(move |list| format!("\"{event}\": {list}")))
            .collect();
        joined(('{', '}'), lists)
    });
    let member = prop_oneof![Just(None), hooks.prop_map(|hooks| Some(format!("\"hooks\":{hooks}")))];
    let others = prop::collection::vec(anything(), 0..3);
    let parts = (others, member, 0..4_usize).prop_map(|(others, hooks, place)| {
        let mut parts: Vec<_> =
            others.into_iter().enumerate().map(|(number, value)| format!("\"o{number}\":{value}")).collect();
        parts.extend(hooks);
        let place = place % parts.len().max(1);
        parts.rotate_left(place);
        parts
    });
    (space(), joined(('{', '}'), parts), space()).prop_map(|(before, object, after)| format!("{before}{object}{after}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn what_was_installed_is_taken_out_without_a_trace(text in settings()) {
        let installed = install(&text, &fragment("H1"));
        prop_assert!(Settings::parse(&installed).expect("fit").has(&ours()));
        prop_assert_eq!(&remove(&installed), &text, "{}", installed);
        prop_assert_eq!(&install(&installed, &fragment("H1")), &installed);
    }

    #[test]
    fn what_was_renewed_is_taken_out_without_a_trace(text in settings()) {
        let renewed = install(&install(&text, &fragment("H1")), &other_fragment());
        prop_assert!(!renewed.contains("H1"));
        prop_assert_eq!(&remove(&renewed), &text, "{}", renewed);
    }

    #[test]
    fn whoever_has_nothing_of_ours_loses_nothing(text in settings()) {
        prop_assert_eq!(remove(&text), text);
    }
}
