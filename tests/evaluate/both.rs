//! Expressions on both back ends: evaluated as they stand, and printed as Rust and compiled, all of them in one crate.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use camino::Utf8Path;
use hookgen::compile::compile;
use hookgen::emit::{Target, emit};
use hookgen::lower::lower;
use hookgen::model::Catalog;
use hookgen_runtime::evaluate::Evaluator;
use hookgen_runtime::representation::Archive;
use hookgen_runtime::{Call, Event, Json};
use serde_json::json;

use crate::support::{clean, repository};

/// The event that every expression sees.
pub(super) const EVENT: &str = r#"{"session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls -l 'é b'","timeout":120,"run_in_background":true},"hook_event_name":"PreToolUse"}"#;

/// What expressions can refer to beside each other.
const SURROUNDINGS: &str = "catalog: both
version: 1.0.0
description: Expressions on both back ends.
config: { file: /nowhere/settings.yaml }
flags:
  on: { description: A flag. }
thresholds:
  limit: { description: A threshold., default: 7 }
  ratio: { description: Another., default: 0.5 }
data:
  words: [a, b, 'é', '']
  mixed: [1, two, 2.0, null, true]
  numbers: [3, -1, 2, 0]
  ages: { ann: 30, bob: 40 }
  nested: [[a], [b, c]]
  deep: { list: [1, 2], name: x, sub: { yes: true } }
";

/// One hook. What nothing refers to is not printed, so its checks ask for every expression.
const HOOK: &str = "hooks:
  - id: H1
    name: any
    event: PreToolUse
    matcher: Bash
    timeout: 1s
    fail_safe: closed
    why: Something has to be there.
    checks:
      - { id: never, when: \"env.NOT_SET_ANYWHERE != ''\", deny: No. }
";

/// How many expressions a check asks for.
const AT_ONCE: usize = 50;

/// The catalog with each expression as a fact, behind those that are given as lines.
fn text(definitions: &str, expressions: &[String]) -> String {
    let mut text = format!("{SURROUNDINGS}facts:\n{definitions}");
    for (place, expression) in expressions.iter().enumerate() {
        let _ = writeln!(text, "  e{place}: {}", json!(expression));
    }
    text.push_str(HOOK);
    let places: Vec<String> = (0..expressions.len()).map(|place| format!("size([e{place}])")).collect();
    for (number, sizes) in places.chunks(AT_ONCE).enumerate() {
        let _ = writeln!(text, "      - {{ id: c{number}, when: \"{} < 0\", deny: No. }}", sizes.join(" + "));
    }
    text
}

/// The catalog of those expressions that are accepted, which are kept; the others and why they are refused. The definitions
/// are lines of their own, and sound.
pub(super) fn accepted(definitions: &str, expressions: &mut Vec<String>) -> (Catalog, Vec<(String, String)>) {
    let mut refused = Vec::new();
    loop {
        let text = text(definitions, expressions);
        let first = text.lines().position(|line| line.starts_with("  e0: ")).expect("a fact") + 1;
        let compiled = compile(Utf8Path::new("specs/both.yaml"), text.into_bytes());
        if let Some(catalog) = compiled.catalog {
            return (catalog, refused);
        }
        let mut places: Vec<(usize, String)> = Vec::new();
        for diagnostic in compiled.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            let line = diagnostic.place().map(|place| place.start().line);
            let place = line.and_then(|line| line.checked_sub(first)).filter(|place| *place < expressions.len());
            let place = place.unwrap_or_else(|| panic!("{diagnostic:?} is about no expression"));
            places.push((place, format!("{} {}", diagnostic.code.id(), diagnostic.message)));
        }
        assert!(!places.is_empty(), "no catalog, and nothing is wrong");
        places.sort();
        places.dedup_by_key(|(place, _)| *place);
        for (place, why) in places.into_iter().rev() {
            refused.push((expressions.remove(place), why));
        }
    }
}

/// Whether all of it is accepted.
pub(super) fn is_sound(definitions: &str, expressions: &[String]) -> bool {
    compile(Utf8Path::new("specs/both.yaml"), text(definitions, expressions).into_bytes()).catalog.is_some()
}

/// What each fact of the catalog comes to when it is evaluated.
pub(super) fn evaluated(catalog: &Catalog) -> Vec<String> {
    let archive: &'static Archive = Box::leak(Box::new(Archive::of(lower(catalog).expect("no bug"))));
    let payload = Json::parse(EVENT).expect("JSON");
    let call = Call::new("both", Event::named("PreToolUse").expect("known"), &payload);
    let evaluator = Evaluator::new(&call, archive);
    let shown = |place: usize| match evaluator.fact(place) {
        Ok(value) => value.json().to_string(),
        // A failure may quote a text of several lines, and one line is one answer.
        Err(failure) => format!("failed: {failure}").replace('\n', "\\n"),
    };
    (0..catalog.facts.len()).map(shown).collect()
}

/// What each fact comes to in the crate that is printed for the catalog.
pub(super) fn compiled(catalog: &Catalog) -> Vec<String> {
    let folder = repository().join("target/both");
    let krate = folder.join("crate");
    let target = Target { runtime_path: repository().join("runtime").to_str().expect("UTF-8").to_owned() };
    let files = emit(catalog, &target).expect("no bug");
    for (path, text) in files.iter().filter_map(|(path, text)| Some((path.strip_prefix("runtime").ok()?, text))) {
        let file = krate.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        let text = match path.as_str() {
            "Cargo.toml" => format!("{text}\n[profile.dev]\ndebug = false\nincremental = false\n\n[workspace]\n"),
            "src/main.rs" => {
                let (modules, _) = text.split_once("fn main()").expect("a main");
                format!("{modules}fn main() {{\n    facts::answers();\n}}\n")
            }
            "src/facts.rs" => format!("{text}{}", answers(text, catalog.facts.len())),
            _ => text.to_owned(),
        };
        write_if_new(&file, &text);
    }
    fs::copy(repository().join("Cargo.lock"), krate.join("Cargo.lock")).expect("a lock");
    let built = cargo(&krate, &folder.join("made"));
    let run = clean(built).current_dir("/").output().expect("it starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// Compiles the crate without optimising, and gives the program.
fn cargo(krate: &Path, made: &Path) -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--offline"]).current_dir(krate);
    // Another `main` than the printed one leaves its ways to the hooks unused.
    let run =
        cargo.env("CARGO_TARGET_DIR", made).env("RUSTFLAGS", "-Dwarnings -Adead_code").output().expect("cargo starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    made.join("debug/both-hooks")
}

/// A file that stays as it is keeps its time, and cargo its rest.
fn write_if_new(path: &Path, text: &str) {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text).expect("written");
    }
}

/// Code beside the facts that prints each of them on a line.
fn answers(printed: &str, count: usize) -> String {
    let (_, made) = printed.split_once("Box::new(Facts {").expect("where facts begin");
    let (cells, _) = made.split_once("})").expect("where they end");
    let mut code = format!(
        "\npub(crate) fn answers() {{\n    let payload = hookgen_runtime::Json::parse({EVENT:?}).expect(\"JSON\");\n    \
         let event = hookgen_runtime::Event::named(\"PreToolUse\").expect(\"known\");\n    \
         let call = &Call::new(\"both\", event, &payload);\n    let facts = Facts {{{cells}}};\n"
    );
    let chunks = count.div_ceil(100);
    for chunk in 0..chunks {
        let _ = writeln!(code, "    answers_{chunk}(&facts);");
    }
    code.push_str("}\n");
    for chunk in 0..chunks {
        let _ = writeln!(code, "fn answers_{chunk}(facts: &Facts<'_>) {{");
        for place in chunk * 100..count.min(chunk * 100 + 100) {
            let _ = writeln!(code, "    answer(facts.e{place}());");
        }
        code.push_str("}\n");
    }
    code + SHOWN
}

/// Every form in which facts are handed out, as JSON.
const SHOWN: &str = r#"
trait Shown {
    fn json(&self) -> hookgen_runtime::Json<'_>;
}
fn answer<T: Shown>(value: Attempt<T>) {
    match value {
        Ok(value) => println!("{}", value.json()),
        Err(failure) => println!("{}", format!("failed: {failure}").replace('\n', "\\n")),
    }
}
impl Shown for bool {
    fn json(&self) -> hookgen_runtime::Json<'_> { hookgen_runtime::Json::Bool(*self) }
}
impl Shown for i64 {
    fn json(&self) -> hookgen_runtime::Json<'_> { hookgen_runtime::Json::Int(*self) }
}
impl Shown for f64 {
    fn json(&self) -> hookgen_runtime::Json<'_> { hookgen_runtime::Json::Double(*self) }
}
impl Shown for str {
    fn json(&self) -> hookgen_runtime::Json<'_> { hookgen_runtime::Json::Text(self.into()) }
}
impl Shown for String {
    fn json(&self) -> hookgen_runtime::Json<'_> { hookgen_runtime::Json::Text(self.as_str().into()) }
}
impl Shown for hookgen_runtime::Node<'_> {
    fn json(&self) -> hookgen_runtime::Json<'_> { (*self).json().clone() }
}
impl<T: Shown> Shown for [T] {
    fn json(&self) -> hookgen_runtime::Json<'_> {
        hookgen_runtime::Json::List(hookgen_runtime::Many::Owned(self.iter().map(Shown::json).collect()))
    }
}
impl<T: Shown> Shown for Vec<T> {
    fn json(&self) -> hookgen_runtime::Json<'_> { self.as_slice().json() }
}
impl<T: Shown + ?Sized> Shown for &T {
    fn json(&self) -> hookgen_runtime::Json<'_> { (**self).json() }
}
"#;
