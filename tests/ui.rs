//! Broken catalogs and the exact text that a person sees: `ui/<name>.yaml` in, `ui/<name>.txt` out.
//!
//! Files that no editor or checkout would leave as they are (other line ends, a byte order mark, bad bytes, huge ones)
//! are made here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hookgen::diagnostic::Code;

use crate::support::{DEMO, blessing, difference, files, hookgen, project, refuse, tests, write};

/// A file that is made for the test: its name, and its bytes.
type Made = (&'static str, fn() -> Vec<u8>);

const MADE: &[Made] = &[
    ("made-byte-order-mark", || format!("\u{feff}{}", DEMO.replace("catalog:", "catalogue:")).into_bytes()),
    ("made-crlf", || DEMO.replace("timeout:", "timout:").replace('\n', "\r\n").into_bytes()),
    ("made-crlf-block", || DEMO.replace(WHEN, WHEN_BLOCK).replace('\n', "\r\n").into_bytes()),
    ("made-empty", Vec::new),
    ("made-blank", || b"\n  \n\n".to_vec()),
    ("made-not-utf8", || DEMO.replace("reach", "r#ach").replace('#', "\u{1}").bytes().map(latin).collect()),
    ("made-nul", || DEMO.replace("secrets out", "secrets\0out").into_bytes()),
    ("made-tab", || DEMO.replace("    event:", "\tevent:").into_bytes()),
    ("made-tab-after-blanks", || DEMO.replace("    event:", "  \tevent:").into_bytes()),
    ("made-10-megabytes", || DEMO.bytes().chain(std::iter::repeat_n(b'#', 10_000_000)).collect()),
    ("made-deep-flow", || format!("catalog: {}", "[".repeat(100_000)).into_bytes()),
    ("made-deep-maps", || format!("catalog: {}", "{a: ".repeat(100_000)).into_bytes()),
    ("made-deep-blocks", || format!("catalog:\n  {}x\n", "- ".repeat(100_000)).into_bytes()),
    ("made-long-line", || DEMO.replace("timeout: 3s", &format!("timeout: {}", "9".repeat(20_000))).into_bytes()),
];

const WHEN: &str = "when: tool_input.file_path.endsWith('/.env')";
const WHEN_BLOCK: &str = "when: |\n      tool_input.file_path != '' &&\n      tool_input.file_paht.endsWith('/.env')";

/// One byte that is no UTF-8, in the place of a mark.
fn latin(byte: u8) -> u8 {
    if byte == 1 { 0xe9 } else { byte }
}

/// What `hookgen check` says about a project with this catalog alone. It is built first, so that only the catalog
/// itself can be at fault.
fn said_about(name: &str, content: &[u8]) -> String {
    let path = format!("specs/{name}.yaml");
    let folder = project(&[(path.as_str(), content)]);
    hookgen(folder.path(), ["build"]);
    let run = hookgen(folder.path(), ["check", "--deny-warnings", "--color", "never"]);
    // A finding about a catalog is no data.
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{name}: {}", run.stderr);
    run.stderr
}

fn expectation(name: &str) -> PathBuf {
    tests().join("ui").join(name).with_extension("txt")
}

fn written() -> Vec<(String, Vec<u8>)> {
    let written = files(&tests().join("ui"))
        .into_iter()
        .filter_map(|(shown, path)| Some((shown.strip_suffix(".yaml")?.to_owned(), fs::read(path).expect("readable"))));
    written.collect()
}

#[test]
fn every_broken_catalog_is_told_in_these_words() {
    let cases = written();
    assert!(cases.len() >= 30, "only {} catalogs", cases.len());
    let differences =
        cases.iter().filter_map(|(name, content)| difference(&expectation(name), &said_about(name, content)));
    refuse(&differences.collect::<Vec<_>>());
}

#[test]
fn every_file_that_no_editor_would_keep_is_told_in_these_words() {
    let differences = MADE.iter().filter_map(|(name, make)| difference(&expectation(name), &said_about(name, &make())));
    refuse(&differences.collect::<Vec<_>>());
}

#[test]
fn a_path_that_is_no_file_is_told_in_these_words() {
    let folder = project(&[("specs/demo.yaml", DEMO), ("specs/made-directory.yaml/notes", "")]);
    hookgen(folder.path(), ["build"]).exits(0);
    let differences = ["made-missing", "made-directory"].into_iter().filter_map(|name| {
        let run = hookgen(folder.path(), ["check", &format!("specs/{name}.yaml"), "--color", "never"]).exits(1);
        difference(&expectation(name), &run.stderr)
    });
    refuse(&differences.collect::<Vec<_>>());
}

#[test]
fn several_files_are_told_at_once_in_the_order_of_their_paths() {
    let folder = project(&[
        ("specs/b.yaml", DEMO.replace("timeout:", "timout:")),
        ("specs/a.yaml", DEMO.replace("Read|Edit", "Raed|Edit")),
        ("specs/c.yaml", DEMO.to_owned()),
    ]);
    hookgen(folder.path(), ["build"]);
    let run = hookgen(folder.path(), ["check", "--color", "never"]).exits(1);
    refuse(&difference(&expectation("made-several-files"), &run.stderr).into_iter().collect::<Vec<_>>());
}

#[test]
fn a_shared_file_that_is_another_is_told_in_these_words() {
    let digest = format!("use: [{{ path: ./shared/x.yaml, digest: sha256:{} }}]\nhooks:\n", "0".repeat(64));
    let text = DEMO.replacen("hooks:\n", &digest, 1);
    let folder = project(&[("specs/demo.yaml", text.as_str()), ("specs/shared/x.yaml", "data: { a: [b] }\n")]);
    let run = hookgen(folder.path(), ["check", "--color", "never"]).exits(1);
    refuse(&difference(&expectation("made-other-content"), &run.stderr).into_iter().collect::<Vec<_>>());
}

#[test]
fn every_code_is_shown_at_least_once() {
    if blessing() {
        return; // The expectations are being written at this moment.
    }
    let shown: BTreeSet<String> = texts().iter().flat_map(|(_, text)| codes(text)).collect();
    // What is proved has catalogs of its own, which say more about each.
    let planted = read(&tests().join("planted.rs"));
    let is_shown = |id: &str| shown.contains(id) || planted.contains(&format!("\"{id}\""));
    let missing: Vec<_> = Code::ALL.iter().map(|code| code.id()).filter(|id| !is_shown(id)).collect();
    assert!(missing.is_empty(), "no catalog in tests/ui or tests/planted raises {missing:?}");
}

#[test]
fn every_expectation_belongs_to_a_catalog() {
    let made = MADE.iter().map(|(name, _)| *name).chain([
        "made-missing",
        "made-directory",
        "made-several-files",
        "made-other-content",
    ]);
    let made: BTreeSet<String> = made.map(str::to_owned).chain(written().into_iter().map(|(name, _)| name)).collect();
    for (name, _) in texts() {
        assert!(made.contains(&name), "tests/ui/{name}.txt has no catalog");
    }
}

#[test]
fn what_is_right_beside_every_broken_catalog_is_not_told() {
    let folder = project(&[("specs/demo.yaml", DEMO)]);
    for content in [DEMO.to_owned(), format!("\u{feff}{DEMO}"), DEMO.replace('\n', "\r\n")] {
        write(&folder.path().join("specs/demo.yaml"), content);
        hookgen(folder.path(), ["build"]).exits(0);
        let run = hookgen(folder.path(), ["check", "--deny-warnings"]).exits(0);
        assert!(run.stderr.ends_with(" are up to date\n") && run.stderr.lines().count() == 1, "{}", run.stderr);
    }
}

fn texts() -> Vec<(String, String)> {
    let texts = files(&tests().join("ui"))
        .into_iter()
        .filter_map(|(shown, path): (String, PathBuf)| Some((shown.strip_suffix(".txt")?.to_owned(), read(&path))));
    texts.collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("readable")
}

/// The codes in a rendered text.
fn codes(text: &str) -> Vec<String> {
    let code = |line: &str| {
        let rest = line.strip_prefix("error[").or_else(|| line.strip_prefix("warning["))?;
        rest.split(']').next().map(str::to_owned)
    };
    text.lines().filter_map(code).collect()
}
