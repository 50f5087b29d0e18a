//! Whatever a catalog calls things, what is printed for it compiles, and the compiler has nothing to say about it: not
//! about names that meet, nor about what is brought into scope, declared or kept for nothing.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use camino::Utf8Path;
use hookgen::compile::compile;
use hookgen::emit::{Target, emit};
use hookgen::model::Catalog;
use proptest::prelude::*;
use proptest::sample::{SizeRange, select};
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::pitfalls::WORDS;
use crate::support::{repository, write};

/// How many catalogs are printed; all of them are programs of one crate.
const CATALOGS: usize = 16;

/// Words for which printed code brings something into scope or which it declares itself, and names that differ by little.
const MORE: &[&str] = &[
    "keep",
    "to_value",
    "ground",
    "deref",
    "new",
    "mentions",
    "choices_",
    "Ground",
    "Deref",
    "Spent",
    "spent",
    "Limit",
    "Sums",
    "Pattern",
    "DOCUMENTS",
    "FLAGS",
    "HOOKS",
    "Numbered",
    "config_file",
    "dev_mode",
    "config_file_2",
    "x_y",
    "xY",
    "X_y",
    "x__y",
    "x_y_2",
    "n_x",
    "_y",
    "y_",
    "Y",
    "y",
    "allow",
    "deny",
    "answer",
    "Program",
    "Box",
    "answers",
    "Self_",
    "crate_",
    "i",
    "v",
];

/// The names of one catalog, and what is done with them.
#[derive(Debug, Clone)]
struct Named {
    /// Names that stand by themselves in expressions, of which no two are equal.
    bare: Vec<&'static str>,
    /// Names behind a word such as `flags`.
    inside: Vec<&'static str>,
    /// Which of the things that are declared are referred to.
    used: Vec<bool>,
}

fn names(count: impl Into<SizeRange>) -> impl Strategy<Value = Vec<&'static str>> {
    let all: Vec<&'static str> = WORDS.iter().chain(MORE).copied().collect();
    prop::collection::vec(select(all), count)
}

fn named() -> impl Strategy<Value = Named> {
    (names(60), names(8), prop::collection::vec(any::<bool>(), 24)).prop_map(|(bare, inside, used)| {
        let mut seen = Vec::new();
        for name in bare {
            if !seen.contains(&name) {
                seen.push(name);
            }
        }
        Named { bare: seen, inside, used }
    })
}

impl Named {
    fn bare(&self, place: usize) -> &'static str {
        self.bare[place % self.bare.len()]
    }

    fn inside(&self, place: usize) -> &'static str {
        self.inside[place % self.inside.len()]
    }

    /// The text, or nothing where it is not referred to.
    fn perhaps(&self, place: usize, text: String) -> String {
        if self.used[place % self.used.len()] { text } else { "true".to_owned() }
    }

    /// A catalog that has one of everything under these names.
    fn catalog(&self, number: usize) -> String {
        let [flag, choice, threshold, table, message, counter] = [0, 1, 2, 3, 4, 5].map(|place| self.inside(place));
        let [fact, other, document, own, one, two, spent, var, key] = std::array::from_fn(|place| self.bare(place));
        let mut text = format!(
            "catalog: names-{number}\nversion: 1.0.0\ndescription: Names.\nconfig: {{ file: \"${{project_dir}}/c.yaml\" }}\n\
             flags: {{ {flag}: {{ description: A flag. }} }}\n\
             choices: {{ {choice}: {{ description: A choice., values: [a, b], default: a, config: c }} }}\n\
             thresholds: {{ {threshold}: {{ description: A number., default: 1 }} }}\n\
             counters: {{ {counter}: {{ description: A counter. }} }}\n\
             data: {{ {table}: {{ a: 1 }} }}\nmessages: {{ {message}: 'text' }}\n\
             facts:\n  {fact}: data.{table}.exists({var}, {key}, {var} == 'a' && {key} == 1)\n  {other}: size([1, 2].filter({var}, {var} > 1))\n\
             documents: {{ {document}: {{ path: x.txt, format: text }} }}\n\
             hooks:\n  - id: {}\n    name: a-b\n    event: PreToolUse\n    matcher: Bash\n    timeout: 5s\n    fail_safe: closed\n    \
             why: Names are names.\n    documents: {{ {own}: {{ path: y.txt, format: text }} }}\n    let:\n      {one}: size(tool_input.command)\n      {two}: {}\n    checks:\n",
            format!("X-{}", self.inside(6).to_lowercase()).replace('_', ""),
            self.perhaps(0, format!("{one} > 1")),
        );
        let conditions = [
            self.perhaps(1, format!("flags.{flag}")),
            self.perhaps(2, format!("choices.{choice} == 'a'")),
            self.perhaps(3, format!("thresholds.{threshold} > 0")),
            self.perhaps(4, format!("data.{table}['a'] == 1")),
            self.perhaps(5, format!("messages.{message} == 'text'")),
            self.perhaps(6, fact.to_owned()),
            self.perhaps(7, format!("{other} < 9223372036854775807")),
            self.perhaps(8, format!("{document}.exists")),
            self.perhaps(9, format!("!{own}.exists")),
            self.perhaps(10, two.to_owned()),
            self.perhaps(11, format!("tool_input.command.lines().all({key}, {key}.contains('x'))")),
        ];
        let effect = format!("spend: {{ as: {spent}, from: {{ {counter}: 3 }} }}");
        let decides = if self.used[12] { format!(", deny: \"${{{spent}.{counter}.used}}\"") } else { String::new() };
        let when = if self.used[13] { "when: \"tool_input.command != ''\", " } else { "" };
        if self.used[14] {
            let _ = writeln!(
                text,
                "      - {{ id: spends, {when}{effect}{} }}",
                if when.is_empty() { "" } else { &decides }
            );
            if self.used[15] {
                let _ = writeln!(text, "      - {{ id: asks, when: {spent}.refused, deny: No. }}");
            }
        }
        if self.used[16] {
            let _ =
                writeln!(text, "      - {{ id: writes, append: {{ to: {document}, line: \"${{string({one})}}\" }} }}");
        }
        let _ =
            writeln!(text, "      - {{ id: all, when: \"env.NONE == '' && {}\", deny: No. }}", conditions.join(" && "));
        // Two hooks whose modules would have one name, and which ask for nothing.
        for (id, name) in [("x-y", "z"), ("x", "y-z")] {
            let _ = writeln!(
                text,
                "  - {{ id: {id}, name: {name}, event: PreToolUse, matcher: Bash, timeout: 5s, fail_safe: open, why: It is \
                 constant., checks: [{{ id: always, warn: Hello. }}] }}"
            );
        }
        text
    }
}

/// Catalogs that are accepted. Some names are refused where they stand: those of the event's fields.
fn catalogs() -> Vec<(String, Catalog)> {
    let mut runner = TestRunner::deterministic();
    let strategy = named();
    let mut accepted = Vec::new();
    let mut tried = 0;
    while accepted.len() < CATALOGS {
        tried += 1;
        assert!(tried < 40 * CATALOGS, "only {} of {tried} catalogs are accepted", accepted.len());
        let named = strategy.new_tree(&mut runner).expect("names").current();
        let text = named.catalog(accepted.len());
        let compiled = compile(Utf8Path::new("specs/names.yaml"), text.clone().into_bytes());
        accepted.extend(compiled.catalog.map(|catalog| (text, catalog)));
    }
    accepted
}

#[test]
fn the_compiler_has_nothing_to_say_about_any_name() {
    let krate = repository().join("target/names");
    let target = Target { runtime_path: repository().join("runtime").to_str().expect("UTF-8").to_owned() };
    let mut manifest = String::new();
    for (number, (written, catalog)) in catalogs().iter().enumerate() {
        for (path, text) in emit(catalog, &target).expect("no bug").iter() {
            let Ok(inside) = path.strip_prefix("runtime") else { continue };
            let allows = |line: &str| line.contains("[allow(") && !line.trim_start().starts_with("//");
            assert!(
                !text.lines().any(|line| allows(line) && !line.starts_with("#![allow(clippy::style")),
                "{path} of\n{written}"
            );
            match inside.strip_prefix("src") {
                Ok(source) => write(&krate.join(format!("src/{number}")).join(source), text),
                Err(_) if number == 0 => {
                    let (head, _) = text.split_once("[[bin]]").expect("a program");
                    let (_, dependencies) = text.split_once("[dependencies]").expect("dependencies");
                    manifest = format!("{head}[workspace]\n\n[dependencies]{dependencies}");
                }
                Err(_) => {}
            }
        }
        let _ = writeln!(manifest, "\n[[bin]]\nname = \"names-{number}\"\npath = \"src/{number}/main.rs\"");
    }
    write(&krate.join("Cargo.toml"), manifest);
    fs::copy(repository().join("Cargo.lock"), krate.join("Cargo.lock")).expect("a lock");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--quiet", "--offline", "--bins"]).current_dir(&krate);
    cargo.env("CARGO_TARGET_DIR", krate.join("made")).env("RUSTFLAGS", "-Dwarnings");
    let run = cargo.output().expect("cargo starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}
