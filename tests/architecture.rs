//! What ARCHITECTURE.md says of the sources, as far as sources can show it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{files, repository};

/// The sources of a folder without their tests, by path from the repository.
fn sources(folder: &str) -> Vec<(String, String)> {
    let found = files(&repository().join(folder));
    let is_source = |path: &str| Path::new(path).extension().is_some_and(|end| end == "rs");
    let is_test = |path: &str| ["test", "fixture", "differential"].iter().any(|word| path.contains(word));
    let found = found.into_iter().filter(|(path, _)| is_source(path) && !is_test(path));
    found
        .map(|(path, file)| {
            let text = fs::read_to_string(file).expect("a source");
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
            (format!("{folder}/{path}"), code)
        })
        .collect()
}

/// The files of a folder in which one of the words occurs outside comments.
fn mentioning(folder: &str, words: &[&str]) -> BTreeSet<String> {
    let mentions = |code: &str| {
        let mut lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.any(|line| words.iter().any(|word| line.contains(word)))
    };
    sources(folder).into_iter().filter(|(_, code)| mentions(code)).map(|(path, _)| path).collect()
}

fn architecture() -> String {
    fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("the map")
}

/// The first column of the map.
fn map() -> Vec<String> {
    let text = architecture();
    let (_, map) = text.split_once("## Map").expect("a map");
    let rows = map.lines().skip_while(|line| !line.starts_with("| `")).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('|').nth(1)).map(str::to_owned).collect()
}

#[test]
fn everything_on_the_map_is_there() {
    for row in map() {
        let mut base = repository();
        for name in row.split('`').skip(1).step_by(2) {
            let mut above = base.ancestors().map(|folder| folder.join(name));
            let found = above.find(|path| path.exists()).unwrap_or_else(|| panic!("`{name}` of {row} is not there"));
            base = found;
        }
    }
}

#[test]
fn every_folder_is_on_the_map() {
    let map = map().concat();
    for crate_folder in ["generator/src", "runtime/src"] {
        for entry in fs::read_dir(repository().join(crate_folder)).expect("a folder").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let shown = map.contains(&format!("{name}/`")) || map.contains(&format!("{name}.rs`"));
            assert!(!entry.path().is_dir() || shown, "`{crate_folder}/{name}/` is not on the map");
        }
    }
}

#[test]
fn only_the_commands_print_and_only_one_place_of_a_hook_speaks() {
    let prints = ["io::stdout", "io::stderr", "println!", "print!("];
    let printing = mentioning("generator/src", &prints);
    let expected = ["generator/src/cli/console.rs", "generator/src/cli/progress.rs"];
    assert!(printing.iter().all(|path| expected.contains(&path.as_str())), "{printing:?}");
    assert_eq!(
        mentioning("runtime/src", &["io::stdout", "println!", "print!("]),
        BTreeSet::from(["runtime/src/speech.rs".to_owned()])
    );
}

#[test]
fn emitters_see_neither_clock_nor_environment_nor_files() {
    let impure = ["std::fs", "std::env", "SystemTime", "Instant", "HashMap", "HashSet"];
    assert_eq!(mentioning("generator/src/emit", &impure), BTreeSet::new());
    assert_eq!(mentioning("generator/src/lower", &impure), BTreeSet::new());
    assert!(!mentioning("generator/src", &impure).contains("generator/src/drift.rs"));
}

#[test]
fn the_compiler_decides_and_what_runs_does_not() {
    // Neither back end looks at the catalog as it was written or meant.
    assert_eq!(mentioning("generator/src/emit/rust/expression", &["model::", "catalog::"]), BTreeSet::new());
    let models = mentioning("generator/src/emit/rust", &["model::"]);
    assert_eq!(models, BTreeSet::from(["generator/src/emit/rust/mod.rs".to_owned()]));
}

#[test]
fn an_effect_has_six_places() {
    let words = ["Effect::Delete", "Act::Delete", "Self::Delete", "pub delete: Option"];
    let mut places = mentioning("generator/src", &words);
    places.extend(mentioning("runtime/src", &words));
    let expected = [
        "generator/src/catalog/effect.rs",
        "generator/src/emit/rust/hook.rs",
        "generator/src/resolve/document_effect.rs",
        "runtime/src/act.rs",
        "runtime/src/evaluate/hook.rs",
        "runtime/src/representation/effect.rs",
    ];
    assert_eq!(places, expected.map(str::to_owned).into());
}

#[test]
fn a_document_format_has_four_places() {
    let words = ["Format::Yaml", "Self::Yaml"];
    let mut places = mentioning("generator/src", &words);
    places.extend(mentioning("runtime/src/document", &words));
    // The fourth is the file of its reader.
    assert_eq!(
        places,
        ["generator/src/emit/docs/reference.rs", "runtime/src/document/mod.rs"].map(str::to_owned).into()
    );
}
