//! `hookgen check` sees every change in what is generated, names it, and touches nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::support::{bytes, copy, files, hookgen, repository, times, write};

/// The catalogs of this repository and what is generated from them, elsewhere. A manifest stands for the runtime
/// library, so that the copy counts as a project that has its own.
fn copied() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for part in ["specs", "generated"] {
        copy(&repository().join(part), &folder.path().join(part));
    }
    write(&folder.path().join("runtime/Cargo.toml"), "[package]\nname = \"hookgen-runtime\"\n");
    // What is committed may lag behind while somebody works on it; these tests are about changes from here on.
    hookgen(folder.path(), ["build"]).exits(0);
    folder
}

/// A copy that tests only read.
fn shared() -> &'static Path {
    static SHARED: OnceLock<TempDir> = OnceLock::new();
    SHARED.get_or_init(copied).path()
}

/// What `check` finds, as lines such as `differs generated/x/hooks/hooks.json`, without the diffs.
fn found(root: &Path) -> Vec<String> {
    let run = hookgen(root, ["check", "--json"]);
    let lines = run.json_lines();
    let drifts = lines
        .iter()
        .filter_map(|line| Some(format!("{} {}", line.get("drift")?.as_str()?, line.get("file")?.as_str()?)));
    let drifts: Vec<_> = drifts.collect();
    assert_eq!(run.code, Some(i32::from(!drifts.is_empty())), "{}", run.stderr);
    drifts
}

/// Another character in the place of the one in the middle of a text.
fn with_one_change(text: &str) -> String {
    let middle = text.floor_char_boundary(text.len() / 2);
    let (before, after) = text.split_at(middle);
    let mut after = after.chars();
    let other = if after.next() == Some('~') { '^' } else { '~' };
    format!("{before}{other}{}", after.as_str())
}

#[test]
fn what_is_committed_is_what_the_catalogs_say() {
    let run = hookgen(&repository(), ["check"]).exits(0);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.ends_with(" are up to date\n"), "{}", run.stderr);
}

#[test]
fn one_changed_character_in_any_file_and_the_loss_of_any_are_found_and_named() {
    let folder = copied();
    let generated = files(&folder.path().join("generated"));
    assert!(generated.len() > 200, "{generated:?}");
    // Without the record itself, and for what no catalog owns, nobody can tell an edit from age; so records change alone.
    let is_record = |shown: &str| shown.ends_with("hookgen.lock");
    let (records, others): (Vec<_>, Vec<_>) = generated.into_iter().partition(|(shown, _)| is_record(shown));
    let word = |shown: &str| {
        let owned = !shown.starts_with("schema/") && !shown.starts_with("reference/") && !is_record(shown);
        if owned { "edited" } else { "differs" }
    };
    for files in [others, records] {
        let texts: Vec<String> = files.iter().map(|(_, path)| fs::read_to_string(path).expect("text")).collect();
        for ((_, path), text) in files.iter().zip(&texts) {
            fs::write(path, with_one_change(text)).expect("written");
        }
        let all = |word: &dyn Fn(&str) -> &'static str| -> BTreeSet<String> {
            files.iter().map(|(shown, _)| format!("{} generated/{shown}", word(shown))).collect()
        };
        assert_eq!(found(folder.path()).into_iter().collect::<BTreeSet<_>>(), all(&word));
        for (_, path) in &files {
            fs::remove_file(path).expect("removed");
        }
        assert_eq!(found(folder.path()).into_iter().collect::<BTreeSet<_>>(), all(&|_| "missing"));
        for ((_, path), text) in files.iter().zip(&texts) {
            fs::write(path, text).expect("written");
        }
    }
    assert_eq!(found(folder.path()), Vec::<String>::new());
}

#[test]
fn all_changes_are_told_at_once_with_the_lines_that_differ_and_one_repair() {
    let folder = copied();
    let catalog = folder.path().join("generated/product-planning");
    let hooks = catalog.join("hooks/hooks.json");
    let text = fs::read_to_string(&hooks).expect("text");
    fs::write(&hooks, text.replacen("\"timeout\": 5", "\"timeout\": 6", 1)).expect("written");
    fs::remove_file(catalog.join("docs/HOOKS.md")).expect("removed");
    write(&catalog.join("docs/OLD.md"), "old\n");
    let plugin = catalog.join(".claude-plugin/plugin.json");
    let text = fs::read_to_string(&plugin).expect("text");
    fs::write(&plugin, text.replace('\n', "\r\n")).expect("written");
    let run = hookgen(folder.path(), ["check"]).exits(1);
    for line in [
        "differs generated/product-planning/.claude-plugin/plugin.json",
        "missing generated/product-planning/docs/HOOKS.md",
        "orphan generated/product-planning/docs/OLD.md",
        "edited generated/product-planning/hooks/hooks.json",
    ] {
        let told = run.stdout.lines().any(|found| found.split_whitespace().take(2).eq(line.split(' ')));
        assert!(told, "{line}\n{}", run.stdout);
    }
    for part in ["-            \"timeout\": 6", "+            \"timeout\": 5", "CRLF"] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
    let end = "out of step with the catalogs: 4 generated files\nhint: run `hookgen build` and commit the result\n";
    assert!(run.stderr.ends_with(end), "{}", run.stderr);
}

#[test]
fn a_file_that_is_gone_is_missing_and_one_too_many_is_an_orphan() {
    let folder = copied();
    let generated = folder.path().join("generated");
    fs::remove_file(generated.join("schema/catalog.schema.json")).expect("removed");
    fs::remove_dir_all(generated.join("product-planning/config")).expect("removed");
    for extra in ["runtime/src/hooks/h99_old.rs", "notes.txt", "deep/er/x"] {
        write(&generated.join("product-planning").join(extra), "x\n");
    }
    let expected = [
        "missing generated/product-planning/config/product-planning-flags.yaml",
        "orphan generated/product-planning/deep/er/x",
        "orphan generated/product-planning/notes.txt",
        "orphan generated/product-planning/runtime/src/hooks/h99_old.rs",
        "missing generated/schema/catalog.schema.json",
    ];
    assert_eq!(found(folder.path()), expected);
    let run = hookgen(folder.path(), ["build"]).exits(0);
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("removed ")).count(), 3, "{}", run.stdout);
    assert_eq!(bytes(&generated), bytes(&shared().join("generated")));
    assert!(!generated.join("product-planning/deep").exists(), "an empty folder stays behind");
}

#[test]
fn what_cargo_leaves_in_a_generated_crate_is_no_orphan() {
    let folder = copied();
    let runtime = folder.path().join("generated/product-planning/runtime");
    write(&runtime.join("Cargo.lock"), "");
    write(&runtime.join("target/debug/x"), "");
    assert_eq!(found(folder.path()), Vec::<String>::new());
    write(&runtime.join("src/target/x"), "");
    assert_eq!(found(folder.path()), ["orphan generated/product-planning/runtime/src/target/x"]);
}

#[test]
fn a_change_in_a_catalog_is_drift_until_it_is_built() {
    let folder = copied();
    let path = folder.path().join("specs/product-planning.yaml");
    let text = fs::read_to_string(&path).expect("text");
    let changed = text.replacen("timeout: 5s", "timeout: 6s", 1);
    assert_ne!(changed, text);
    fs::write(&path, changed).expect("written");
    let drifts = found(folder.path());
    assert!(drifts.contains(&"stale generated/product-planning/hooks/hooks.json".to_owned()), "{drifts:?}");
    hookgen(folder.path(), ["build"]).exits(0);
    assert_eq!(found(folder.path()), Vec::<String>::new());
}

#[test]
fn checking_leaves_every_byte_and_every_time_as_it_was() {
    let folder = copied();
    write(&folder.path().join("generated/product-planning/notes.txt"), "x\n");
    fs::remove_file(folder.path().join("generated/product-planning/docs/HOOKS.md")).expect("removed");
    let before = (bytes(folder.path()), times(folder.path()));
    hookgen(folder.path(), ["check"]).exits(1);
    hookgen(folder.path(), ["check", "--json", "--deny-warnings"]).exits(1);
    assert!(before == (bytes(folder.path()), times(folder.path())), "`check` wrote");
}

#[test]
fn building_again_changes_nothing() {
    let folder = copied();
    let before = (bytes(folder.path()), times(folder.path()));
    let run = hookgen(folder.path(), ["build"]).exits(0);
    assert_eq!(run.stdout, "");
    assert!(before == (bytes(folder.path()), times(folder.path())), "the second build wrote");
    fs::remove_dir_all(folder.path().join("generated")).expect("removed");
    hookgen(folder.path(), ["build"]).exits(0);
    assert!(before.0 == bytes(folder.path()), "a build from nothing gives other bytes");
}

#[test]
fn where_hookgen_is_started_does_not_matter() {
    let expected = bytes(&shared().join("generated"));
    let elsewhere = tempfile::tempdir().expect("a folder");
    let folder = copied();
    let root = folder.path();
    // Parts of a catalog in a folder, and what several share, are no catalogs by themselves.
    let is_catalog = |path: &String| !path.contains('/') || path.ends_with("/catalog.yaml");
    let paths: Vec<String> = files(&root.join("specs")).into_keys().filter(is_catalog).collect();
    let from = |prefix: &str| -> Vec<String> {
        std::iter::once("build".to_owned()).chain(paths.iter().map(|path| format!("{prefix}{path}"))).collect()
    };
    let absolute = format!("{}/specs/", root.to_str().expect("UTF-8"));
    fs::create_dir(root.join("below")).expect("a folder");
    for (start, arguments) in [
        (root.join("specs"), vec!["build".to_owned()]),
        (root.join("below"), vec!["build".to_owned()]),
        (root.join("below"), from("../specs/")),
        (root.join("specs"), from("./")),
        (elsewhere.path().to_owned(), from(&absolute)),
    ] {
        fs::remove_dir_all(root.join("generated")).expect("removed");
        hookgen(&start, &arguments).exits(0);
        assert!(bytes(&root.join("generated")) == expected, "{arguments:?} in {}", start.display());
    }
    assert_eq!(bytes(elsewhere.path()).len(), 0);
}

#[test]
fn a_catalog_with_errors_keeps_what_was_generated_from_it() {
    let folder = copied();
    let path = folder.path().join("specs/product-planning.yaml");
    let text = fs::read_to_string(&path).expect("text");
    fs::write(&path, text.replacen("timeout:", "timout:", 1)).expect("written");
    let before = bytes(&folder.path().join("generated"));
    let run = hookgen(folder.path(), ["build"]).exits(1);
    assert!(run.stderr.contains("unknown key `timout`"), "{}", run.stderr);
    assert!(before == bytes(&folder.path().join("generated")), "a broken catalog was built");
}

#[test]
fn the_output_of_a_catalog_that_is_gone_is_an_orphan_and_is_removed() {
    let folder = copied();
    copy(&folder.path().join("generated/product-planning"), &folder.path().join("generated/former"));
    let drifts = found(folder.path());
    assert!(drifts.contains(&"orphan generated/former/hooks/hooks.json".to_owned()), "{drifts:?}");
    hookgen(folder.path(), ["build"]).exits(0);
    assert!(!folder.path().join("generated/former").exists());
    assert_eq!(found(folder.path()), Vec::<String>::new());
}
