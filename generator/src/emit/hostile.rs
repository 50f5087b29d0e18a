//! Catalogs whose texts try to become code: whatever they say, the generated code is that of a harmless twin.

use camino::Utf8Path;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{OutputSet, emit, fixture};
use crate::compile::compile;

/// Every place where a catalog takes a text of its author; `TEXT` is prose, `NOTE` a comment in an expression.
const CATALOG: &str = r#"
catalog: demo
version: 1.0.0
description: "TEXT"
author: "TEXT"
license: "TEXT"
config: { file: "${home}/TEXT/config.yaml" }
dev_mode: { file: "${home}/TEXT" }
flags: { guards: { description: "TEXT", rollback: "TEXT", config: "a.TEXT.enabled" } }
choices: { depth: { description: "TEXT", values: ["TEXT", other], default: "TEXT", config: "b.TEXT" } }
thresholds: { most: { description: "TEXT", default: 3, unit: "TEXT", config: "c.TEXT" }, fixed: { description: "TEXT", default: 3, unit: "TEXT" } }
data: { words: ["TEXT"], table: { "TEXT": "TEXT", other: "TEXT" } }
facts: { home_fact: "env.HOME + 'TEXT' NOTE" }
documents: { state: { description: "TEXT", path: "${home}/TEXT/state.json", format: json, fields: { phase: string } } }
counters: { strikes: { description: "TEXT" } }
messages: { refusal: "TEXT ${home_fact}" }
hooks:
  - id: H01
    name: guard
    event: PreToolUse
    matcher: "Bash.*TEXT"
    timeout: 3s
    fail_safe: closed
    flag: guards
    why: "TEXT"
    status_message: "TEXT"
    when: "tool_name != 'TEXT' NOTE"
    let: { own: "home_fact + 'TEXT' NOTE" }
    documents: { near: { description: "TEXT", path: "${cwd}/TEXT", format: text } }
    checks:
      - id: one
        when: "own != 'TEXT' && state.phase == near.text && 'TEXT' in data.words && data.table.other == '' && choices.depth == 'other' && thresholds.most > thresholds.fixed NOTE"
        write: { to: state, text: "TEXT" }
        log: "TEXT"
        warn: "TEXT"
        deny: "TEXT ${messages.refusal} ${own NOTE}"
    failure_modes: [{ when: "TEXT", then: deny, because: "TEXT" }]
    cases:
      - name: "TEXT"
        given: { env: { A: "TEXT" } }
        input: { tool_name: Bash, tool_input: { command: "TEXT" } }
        expect: { decision: pass }
  - id: H02
    name: asks-a-model
    event: Stop
    type: prompt
    timeout: 3s
    fail_safe: open
    why: "TEXT"
    prompt: "TEXT"
    model: "TEXT"
"#;

/// What ends a line for a compiler, an editor or a terminal, and what hides or reorders what follows.
const TERMINATORS: &[&str] = &[
    "\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}", "\0", "\u{8}", "\u{1b}c", "\u{7f}",
    "\u{202e}", "\u{2066}", "\u{200b}", "\u{feff}", "*/", "-->", "\"", "\\", "`",
];

/// The files of the catalog with such a text in every place.
fn files(text: &str) -> OutputSet {
    // A line feed ends a comment in an expression too, and is no trick there.
    let note = yaml(&text.replace('\n', ""));
    let catalog = CATALOG
        .replace("NOTE", &format!("// {note}"))
        .replace("'TEXT'", &format!("'{}'", cel(text)))
        .replace("TEXT", &yaml(text));
    let compiled = compile(Utf8Path::new("specs/demo.yaml"), catalog.into_bytes());
    let problems: Vec<&str> = compiled.diagnostics.iter().map(|problem| problem.message.as_str()).collect();
    let Some(catalog) = compiled.catalog else { panic!("{text:?} is refused: {problems:?}") };
    emit(&catalog, &fixture::target()).expect("no bug")
}

/// The text in a quoted scalar.
fn yaml(text: &str) -> String {
    text.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect()
}

/// The text in a string literal of an expression, which stands in a scalar of YAML.
fn cel(text: &str) -> String {
    text.chars().map(|c| format!("\\\\U{:08x}", u32::from(c))).collect()
}

/// The code of a file without its documentation, and with one word for every string.
fn code(text: &str) -> Vec<String> {
    syn::parse_file(text).expect("Rust");
    let mut words = Vec::new();
    collect(text.parse().expect("tokens"), &mut words);
    words
}

fn collect(tokens: TokenStream, words: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                let inner = tokens.next_if(|next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == '!'));
                let documents = |next: &TokenTree| matches!(next, TokenTree::Group(group) if group.stream().to_string().starts_with("doc ="));
                if tokens.next_if(documents).is_none() {
                    words.push(format!("#{}", inner.map_or("", |_| "!")));
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                words.push(open.to_owned());
                collect(group.stream(), words);
                // Where a list is broken into lines depends on the length of its texts.
                words.pop_if(|last| last == ",");
                words.push(close.to_owned());
            }
            TokenTree::Literal(literal) if literal.to_string().starts_with('"') => words.push("\"\"".to_owned()),
            other => words.push(other.to_string()),
        }
    }
}

fn rust(files: &OutputSet) -> impl Iterator<Item = (&Utf8Path, &str)> {
    files.iter().filter(|(path, _)| path.extension() == Some("rs"))
}

fn hostile(terminator: &str) -> String {
    format!("x{terminator} std::process::exit(0); //{terminator} pub static INJECTED: u8 = 1; //")
}

#[test]
fn no_text_of_a_catalog_becomes_code() {
    let harmless = files("x y z");
    for terminator in TERMINATORS {
        let files = files(&hostile(terminator));
        for ((path, text), (_, twin)) in rust(&files).zip(rust(&harmless)) {
            assert_eq!(code(text), code(twin), "{terminator:?} in {path}:\n{text}");
        }
        assert_eq!(rust(&files).count(), rust(&harmless).count());
    }
}

#[test]
fn no_text_of_a_catalog_hides_from_whoever_reads_what_is_made() {
    for terminator in TERMINATORS {
        let files = files(&hostile(terminator));
        for (path, text) in files.iter().filter(|(path, _)| path.extension() != Some("json")) {
            let hidden = |c: char| c != '\n' && c != '\t' && hookgen_runtime::invisible::steers(c);
            assert!(!text.contains(hidden), "{terminator:?} in {path}:\n{text:?}");
        }
    }
}

#[test]
fn no_text_of_a_catalog_leaves_a_comment_or_a_value_of_the_config_and_the_manifest() {
    let read = |files: &OutputSet, path: &str| files.get(path).expect(path).to_owned();
    let keys = |text: &str| text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '"', ' '])).count();
    let harmless = files("x y z");
    for terminator in TERMINATORS {
        let files = files(&hostile(terminator));
        let flags = read(&files, "config/demo-flags.yaml");
        serde_yaml::from_str::<serde_json::Value>(&flags).expect("YAML");
        for path in ["config/demo-flags.yaml", "runtime/Cargo.toml"] {
            assert_eq!(keys(&read(&files, path)), keys(&read(&harmless, path)), "{terminator:?} in {path}");
        }
        let page = read(&files, "docs/HOOKS.md");
        assert_eq!(page.matches("<!--").count(), 1, "{terminator:?}");
    }
}

#[test]
fn the_name_of_a_file_is_no_code_either() {
    let catalog = CATALOG.replace("NOTE", "").replace("TEXT", "x");
    let path = format!("specs/demo{}.yaml", hostile("\r\u{2028}\n-->"));
    let compiled = compile(Utf8Path::new(&path), catalog.into_bytes());
    let files = emit(&compiled.catalog.expect("a catalog"), &fixture::target()).expect("no bug");
    for (path, text) in files.iter().filter(|(path, _)| path.extension() != Some("json")) {
        assert!(!text.lines().any(|line| line.trim_start().starts_with("std::process")), "{path}:\n{text}");
        assert!(!text.contains(['\r', '\u{2028}']), "{path}");
    }
    let _: Vec<_> = rust(&files).map(|(_, text)| code(text)).collect();
    let first = files.get("README.md").and_then(|text| text.lines().next()).expect("a line");
    assert_eq!(first.matches("-->").count(), 1, "{first}");
}
