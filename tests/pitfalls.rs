//! What once went wrong between a catalog and its binary: each mistake is a hook of `pitfalls/specs`, with cases that run
//! on both back ends; and every word of Rust is a name that a catalog may use.

use std::fmt::Write as _;
use std::fs;

use crate::support::{hookgen, project, ship_outside, tests};

/// Words of Rust, of its prelude, of the runtime library and of printed code.
pub(crate) const WORDS: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "Self",
    "static",
    "struct",
    "super",
    "trait",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "raw",
    "macro_rules",
    "Some",
    "None",
    "Ok",
    "Err",
    "Vec",
    "String",
    "Box",
    "Option",
    "Result",
    "Clone",
    "Copy",
    "Drop",
    "Fn",
    "Iterator",
    "Default",
    "Facts",
    "facts",
    "Lets",
    "lets",
    "call",
    "Call",
    "config",
    "Config",
    "verdict",
    "Verdict",
    "library",
    "operators",
    "hooks",
    "hook",
    "catalog",
    "CATALOG",
    "documents",
    "Document",
    "Node",
    "Origin",
    "Json",
    "Many",
    "Text",
    "Value",
    "Keep",
    "Entry",
    "Attempt",
    "Failure",
    "Ordering",
    "OnceCell",
    "Cow",
    "std",
    "core",
    "alloc",
    "main",
    "run",
    "start",
    "event",
    "payload",
    "root",
    "once",
    "item",
    "list",
    "vec",
    "bool",
    "str",
    "i64",
    "f64",
    "usize",
    "char",
    "u8",
    "hookgen_runtime",
    "keep",
    "to_value",
    "ground",
    "deref",
    "new",
    "PATTERN_1",
    "_x",
    "__",
    "a_b",
    "aB",
    "A_B",
    "ab",
];

/// A catalog in which every word is the name of everything that can have one.
fn words() -> String {
    let mut text = "catalog: words\nversion: 1.0.0\ndescription: Words of Rust as names.\n".to_owned();
    let mut section = |name: &str, line: &dyn Fn(&str) -> String| {
        let _ = writeln!(text, "{name}:");
        for word in WORDS {
            let _ = writeln!(text, "  {}", line(word));
        }
    };
    section("flags", &|word| format!("{word}: {{ description: A flag. }}"));
    section("thresholds", &|word| format!("{word}: {{ description: A number., default: 1 }}"));
    section("data", &|word| format!("{word}: [1, 2]"));
    section("messages", &|word| format!("{word}: 'text'"));
    section("facts", &|word| format!("fact_{word}: size(data.{word}) + thresholds.{word}"));
    section("documents", &|word| format!("document_{word}: {{ path: '{word}.txt', format: text }}"));
    text.push_str(
        "hooks:\n  - id: W1\n    name: words\n    event: PreToolUse\n    matcher: Bash\n    timeout: 5s\n    \
         fail_safe: closed\n    why: Names are names.\n    let:\n",
    );
    let own = |word: &&&str| !["facts", "config", "event", "hooks", "item", "list", "call", "payload"].contains(word);
    for word in WORDS.iter().filter(own) {
        let _ = writeln!(text, "      {word}: data.{word}.all({word}, {word} > 0) && fact_{word} == 3");
    }
    let each = |line: &dyn Fn(&str) -> String| WORDS.iter().filter(own).map(|word| line(word)).collect::<Vec<_>>();
    let all = each(&|word| format!("{word} && flags.{word} && messages.{word} == 'text' && !document_{word}.exists"));
    for (number, part) in all.chunks(12).enumerate() {
        if number == 0 {
            text.push_str("    checks:\n");
        }
        let _ =
            writeln!(text, "      - {{ id: c{number}, when: \"!({})\", deny: \"Part {number}.\" }}", part.join(" && "));
    }
    text.push_str(
        "      - { id: last, deny: Every name is its own. }\n    cases:\n      - name: every name is its own\n        \
         input: { tool_name: Bash, tool_input: { command: ls } }\n        expect: { decision: deny, says: [Every name is its own] }\n",
    );
    text
}

#[test]
fn what_once_went_wrong_is_right_on_both_back_ends() {
    let read = |name: &str| fs::read_to_string(tests().join("pitfalls/specs").join(name)).expect("a catalog");
    let folder = project(&[
        ("specs/pitfalls.yaml", read("pitfalls.yaml")),
        ("specs/session.yaml", read("session.yaml")),
        ("specs/words.yaml", words()),
    ]);
    ship_outside(folder.path()).exits(0);
    let run = hookgen(folder.path(), ["test", "--all-backends", "--no-ship"]).exits(0);
    let closing = run.stdout.lines().last().unwrap_or_default();
    assert!(closing.ends_with(" passed, 0 failed") && !closing.starts_with("0 "), "{}", run.stdout);
}

#[test]
fn both_hear_one_text() {
    let pitfalls = tests().join("pitfalls/specs/pitfalls.yaml");
    let event = tests().join("pitfalls/prompt.json");
    let arguments = ["trace", pitfalls.to_str().expect("UTF-8"), event.to_str().expect("UTF-8"), "--json"];
    let run = hookgen(&tests(), arguments).exits(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let reply: serde_json::Value =
        serde_json::from_str(report["processes"][0]["stdout"].as_str().expect("a reply")).expect("JSON");
    let person = reply["systemMessage"].as_str().expect("a message");
    assert!(person.contains("the same for both"), "{reply}");
    assert_eq!(reply["hookSpecificOutput"]["additionalContext"].as_str(), Some(person), "{reply}");
}

/// A catalog whose document is placed by a program, a variable and the clock.
const REACHING: &str = "catalog: reaching
version: 1.0.0
description: A document that reaches far.
documents:
  found:
    path: \"${env.WHERE}/${query(['git', 'rev-parse', 'HEAD'], 3).output}\"
    when: run(['curl', 'https://example.org'], 3).ok
    format: text
hooks:
  - id: R1
    name: reaches
    event: PreToolUse
    matcher: Bash
    timeout: 5s
    fail_safe: open
    why: The table of powers left such things out.
    checks:
      - { id: found, when: found.exists, deny: No. }
";

#[test]
fn the_table_of_powers_knows_what_places_a_document() {
    let folder = project(&[("specs/reaching.yaml", REACHING)]);
    hookgen(folder.path(), ["build"]).exits(0);
    let page = fs::read_to_string(folder.path().join("generated/reaching/docs/HOOKS.md")).expect("the documentation");
    for word in ["WHERE", "git", "curl"] {
        assert!(page.contains(word), "`{word}` is not in the documentation");
    }
}
