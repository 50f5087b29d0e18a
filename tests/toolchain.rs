//! What hookgen does with the Rust, the cargo and the linker of whoever ships, outside this repository: what it leaves
//! where, what it compiles how often, and what it says when one of them is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::{DEMO, Run, bytes, clean, command, feed, files, hookgen, project, repository};

/// A folder that outlives the tests, so that only the first run compiles everything.
fn kept(name: &str) -> PathBuf {
    repository().join("target").join(name)
}

/// Ships the project with what is compiled in that folder, by a command that may say more.
fn ship(root: &Path, compiled: &Path, with: impl FnOnce(&mut Command)) -> Run {
    let mut command = command(root);
    command.env("CARGO_TARGET_DIR", compiled).args(["ship", "--debug"]);
    with(&mut command);
    command.output().expect("hookgen starts").into()
}

fn shipped(root: &Path) -> Vec<u8> {
    fs::read(root.join("dist/demo/bin/demo-hooks")).expect("a binary")
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let output = clean("git").current_dir(root).args(arguments).output().expect("git starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_repository_stages_what_people_review_and_nothing_that_is_compiled() {
    let folder = tempfile::tempdir().expect("a folder");
    git(folder.path(), &["init", "--quiet"]);
    hookgen(folder.path(), ["init", "mine"]).exits(0);
    hookgen(folder.path(), ["build"]).exits(0);
    for arguments in [["test", "--debug"], ["ship", "--debug"]] {
        let mut command = command(folder.path());
        command.env_remove("CARGO_TARGET_DIR").env("XDG_CACHE_HOME", kept("outside-cache")).args(arguments);
        Run::from(command.output().expect("hookgen starts")).exits(0);
    }
    let staged = git(folder.path(), &["add", "--all", "--dry-run"]);
    let staged: Vec<_> = staged.lines().map(|line| line.trim_start_matches("add ").trim_matches('\'')).collect();
    for path in
        [".gitignore", "specs/mine.yaml", "generated/mine/hooks/hooks.json", "generated/mine/runtime/src/main.rs"]
    {
        assert!(staged.contains(&path), "{path}: {staged:?}");
    }
    let sources = ["specs/", "generated/mine/", "generated/schema/", "generated/reference/", ".gitignore"];
    let unwanted = |path: &str| {
        !sources.iter().any(|start| path.starts_with(start))
            || ["/target/", "/bin/", "Cargo.lock"].iter().any(|part| path.contains(part))
    };
    assert!(!staged.iter().any(|path| unwanted(path)), "{staged:?}");
    assert!(folder.path().join("dist/mine/bin/mine-hooks").is_file());
    // Nothing is hidden from git either but what is shipped.
    assert_eq!(git(folder.path(), &["status", "--short", "--ignored=matching"]).matches("!!").count(), 1);
    hookgen(folder.path(), ["check"]).exits(0);
}

/// The compiled libraries in a folder of cargo's.
fn libraries(compiled: &Path) -> Vec<PathBuf> {
    let found = files(compiled).into_iter().filter(|(path, _)| path.contains("/libhookgen_runtime-"));
    found
        .filter(|(path, _)| Path::new(path).extension().is_some_and(|end| end == "rlib"))
        .map(|(_, path)| path)
        .collect()
}

#[test]
fn the_library_is_compiled_once_for_all_catalogs_and_folders() {
    let cache = tempfile::tempdir().expect("a folder");
    let other = DEMO.replace("catalog: demo", "catalog: other").replace("holds secrets", "is closed");
    let mut compiled = Vec::new();
    for text in [DEMO, &other] {
        let folder = project(&[("specs/demo.yaml", text)]);
        let mut command = command(folder.path());
        command.env_remove("CARGO_TARGET_DIR").env("XDG_CACHE_HOME", cache.path()).args(["ship", "--debug"]);
        Run::from(command.output().expect("hookgen starts")).exits(0);
        let found = libraries(&cache.path().join("hookgen"));
        assert_eq!(found.len(), 1, "{found:?}");
        compiled.push(fs::metadata(&found[0]).and_then(|found| found.modified()).expect("a time"));
        assert!(!files(folder.path()).keys().any(|path| path.contains("target/") || path.ends_with("Cargo.lock")));
    }
    assert_eq!(compiled[0], compiled[1], "compiled again");
}

#[test]
fn catalogs_of_one_name_that_are_shipped_at_once_get_each_its_own_binary() {
    let words = ["holds secrets", "is closed", "stays here"];
    let folders: Vec<_> =
        words.iter().map(|word| project(&[("specs/demo.yaml", DEMO.replace("holds secrets", word))])).collect();
    let start = |folder: &TempDir| {
        let mut command = command(folder.path());
        command.env("CARGO_TARGET_DIR", kept("outside")).args(["ship", "--debug"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("hookgen starts")
    };
    let running: Vec<_> = folders.iter().map(start).collect();
    for child in running {
        Run::from(child.wait_with_output().expect("hookgen ends")).exits(0);
    }
    for (folder, word) in folders.iter().zip(words) {
        let plugin = folder.path().join("dist/demo");
        let mut hook = clean(plugin.join("bin/demo-hooks"));
        hook.arg("H01").env("CLAUDE_PLUGIN_ROOT", &plugin).env("CLAUDE_PLUGIN_DATA", folder.path().join("data"));
        let event = r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/p/.env"}}"#;
        let reply = feed(&mut hook, event).exits(0);
        assert!(reply.stdout.contains(word), "{word}: {}", reply.stdout);
    }
}

/// A home for cargo in another place, with all that the real one holds.
#[cfg(unix)]
fn another_home(folder: &Path) {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| std::env::home_dir().expect("a home").join(".cargo"));
    for entry in fs::read_dir(home).expect("cargo's home") {
        let entry = entry.expect("an entry");
        std::os::unix::fs::symlink(entry.path(), folder.join(entry.file_name())).expect("a link");
    }
}

#[cfg(unix)]
#[test]
fn a_binary_is_the_same_whatever_folder_home_and_cache_it_is_made_in() {
    let homes = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let mut made = Vec::new();
    for (home, name) in homes.iter().zip(["here", "deep/er than that"]) {
        let cargo = home.path().join("cargo");
        fs::create_dir(&cargo).expect("created");
        another_home(&cargo);
        let root = home.path().join(name);
        crate::support::write(&root.join("specs/demo.yaml"), DEMO);
        ship(&root, &home.path().join("compiled"), |command| {
            command.env("CARGO_HOME", &cargo);
        })
        .exits(0);
        made.push(shipped(&root));
        let text = String::from_utf8_lossy(&made[made.len() - 1]).into_owned();
        for path in [home.path(), &repository()] {
            assert!(!text.contains(path.to_str().expect("UTF-8")), "{} is in the binary", path.display());
        }
    }
    assert!(made[0] == made[1], "the binaries differ");
    let notices =
        homes.iter().zip(["here", "deep/er than that"]).map(|(home, name)| bytes(&home.path().join(name).join("dist")));
    let notices: Vec<_> = notices.map(|files| files["demo/THIRD-PARTY-NOTICES.txt"].clone()).collect();
    assert!(notices[0] == notices[1], "the notices differ");
}

/// A folder for `PATH` with these programs of the toolchain that runs the tests.
#[cfg(unix)]
fn path_with(programs: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let toolchain = Path::new(env!("CARGO")).parent().expect("a folder");
    for program in programs {
        std::os::unix::fs::symlink(toolchain.join(program), folder.path().join(program)).expect("a link");
    }
    folder
}

#[cfg(unix)]
#[test]
fn without_rust_or_cargo_hookgen_says_what_to_install() {
    let folder = project(&[("specs/demo.yaml", DEMO)]);
    for (programs, missing) in [(&[][..], "rustc"), (&["rustc"], "cargo")] {
        let path = path_with(programs);
        let run = ship(folder.path(), &folder.path().join("compiled"), |command| {
            command.env("PATH", path.path());
        })
        .exits(2);
        for part in [&format!("there is no `{missing}`"), "Install Rust 1.", "https://rustup.rs", "C linker"] {
            assert!(run.stderr.contains(part), "{part}\n{}", run.stderr);
        }
        assert!(!run.stderr.contains("os error"), "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn without_a_linker_hookgen_says_what_to_install_and_nothing_of_what_cargo_said() {
    let folder = project(&[("specs/demo.yaml", DEMO)]);
    let path = path_with(&["rustc", "cargo"]);
    let run = ship(folder.path(), &folder.path().join("compiled"), |command| {
        command.env("PATH", path.path());
    })
    .exits(2);
    for part in ["there is no C linker", "apt install gcc libc6-dev", "xcode-select --install"] {
        assert!(run.stderr.contains(part), "{part}\n{}", run.stderr);
    }
    for part in ["could not compile", "linker `", "os error"] {
        assert!(!run.stderr.contains(part), "{part}\n{}", run.stderr);
    }
    assert!(!folder.path().join("dist").exists());
}

/// A program that takes another's place.
#[cfg(unix)]
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join(name);
    crate::support::write(&path, format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
    path
}

#[cfg(unix)]
#[test]
fn a_rust_that_is_too_old_is_named_before_anything_is_compiled() {
    let folder = project(&[("specs/demo.yaml", DEMO)]);
    let rustc = script(folder.path(), "rustc", "echo 'host: x86_64-unknown-linux-gnu'; echo 'release: 1.80.1'");
    let run = ship(folder.path(), &folder.path().join("compiled"), |command| {
        command.env("RUSTC", rustc);
    })
    .exits(2);
    assert!(
        run.stderr.contains("or newer, and") && run.stderr.contains("uses 1.80.1: run `rustup update`"),
        "{}",
        run.stderr
    );
    assert!(!folder.path().join("compiled").exists());
}

#[cfg(unix)]
#[test]
fn a_catalog_outside_is_compiled_from_the_lock_that_hookgen_carries() {
    let folder = project(&[("specs/demo.yaml", DEMO)]);
    let log = folder.path().join("log");
    let cargo = script(folder.path(), "cargo", "echo \"$1 $*\" >> \"$LOG\"; exec \"$REAL\" \"$@\"");
    ship(folder.path(), &kept("outside"), |command| {
        command.env("CARGO", cargo).env("REAL", env!("CARGO")).env("LOG", &log);
    })
    .exits(0);
    let calls = fs::read_to_string(&log).expect("a log");
    assert!(calls.lines().any(|call| call.starts_with("build ")), "{calls}");
    assert!(calls.lines().all(|call| call.contains(" --locked")), "{calls}");
}
