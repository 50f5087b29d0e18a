//! Whatever people have, hookgen leaves alone: refusals that cost nothing, because they come before anything is compiled.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{DEMO, Run, bytes, command, hookgen, project, write};

/// A workspace that is called like its catalog.
fn workspace() -> tempfile::TempDir {
    let folder = project(&[("demo/specs/demo.yaml", DEMO.as_bytes()), ("demo/.git/HEAD", b"ref: x\n")]);
    hookgen(&folder.path().join("demo"), ["build"]).exits(0);
    folder
}

#[track_caller]
fn refused(folder: &Path, from: &str, arguments: &[&str], why: &str) {
    let before = bytes(folder);
    let run = hookgen(&folder.join(from), arguments).exits(2);
    assert!(run.stderr.contains(why), "{arguments:?}\n{}", run.stderr);
    assert!(run.stdout.is_empty() && bytes(folder) == before, "{arguments:?}");
}

#[test]
fn no_plugin_takes_the_place_of_the_workspace() {
    let folder = workspace();
    for (from, arguments, why) in [
        ("demo", &["ship", "--out", ".."][..], "is the workspace itself"),
        ("demo", &["ship", "--out", "."], "among the workspace's own files"),
        ("demo/specs", &["ship", "--out", "../.."], "is the workspace itself"),
        ("", &["ship", "demo/specs/demo.yaml", "--out", "."], "is the workspace itself"),
        ("demo", &["ship", "--out", "generated"], "own folder `generated`"),
        ("demo", &["ship", "--out", "specs"], "own folder `specs`"),
        ("demo", &["ship", "--out", ".git"], "git repository"),
    ] {
        refused(folder.path(), from, arguments, why);
        refused(folder.path(), from, arguments, "for example `--out dist`");
    }
}

#[test]
fn no_plugin_takes_the_place_of_what_others_have() {
    let folder = workspace();
    let (work, out) = (folder.path().join("demo"), folder.path().join("out"));
    write(&out.join("demo/thesis.md"), "ten years");
    refused(folder.path(), "demo", &["ship", "--out", "../out"], "`thesis.md` is one");
    write(&out.join(".claude/hooks/demo/own.sh"), "mine");
    refused(folder.path(), "demo", &["install", "--into", "../out"], "`own.sh` is one");
    // Removing takes nothing either that hookgen did not write.
    let before = bytes(&out);
    hookgen(&work, ["install", "--into", "../out", "--remove"]).exits(1);
    assert_eq!(bytes(&out), before);
}

#[test]
fn settings_that_the_client_would_not_read_are_told_and_left_alone() {
    let folder = workspace();
    for name in ["settings.json", "settings.local.json"] {
        let path = folder.path().join("target/.claude").join(name);
        for (text, why) in [
            ("{ broken", ":1:3: no key in double quotes"),
            ("{\n  // why\n}", ":2:3: a comment, for which the client drops the whole file"),
            ("\u{feff}{}", ":1:1: a byte order mark"),
        ] {
            write(&path, text);
            for more in ["--debug", "--remove", "--dry-run"] {
                refused(folder.path(), "demo", &["install", "--into", "../target", more], why);
            }
        }
        fs::remove_file(&path).expect("removed");
    }
}

/// What an earlier hookgen has registered.
#[cfg(unix)]
fn registered() -> String {
    let command = "${CLAUDE_PROJECT_DIR}/.claude/hooks/demo/bin/demo-hooks";
    format!("{{\"a\": 1e400, \"hooks\": {{\n\"Stop\": [{{\"hooks\": [{{\"command\": \"{command}\"}}]}}, 1 ]}}}}")
}

#[cfg(unix)]
#[test]
fn settings_keep_their_mode_and_their_link() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = workspace();
    let (real, link) = (folder.path().join("dotfiles/s.json"), folder.path().join("target/.claude/settings.json"));
    write(&real, registered());
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).expect("set");
    fs::create_dir_all(link.parent().expect("a parent")).expect("created");
    symlink("../../dotfiles/s.json", &link).expect("linked");
    let remove = || hookgen(&folder.path().join("demo"), ["install", "--into", "../target", "--remove"]);
    remove().exits(0);
    assert_eq!(fs::read_to_string(&real).expect("there"), "{\"a\": 1e400, \"hooks\": {\n\"Stop\": [1 ]}}");
    assert!(link.is_symlink());
    assert_eq!(fs::metadata(&real).expect("there").permissions().mode() & 0o777, 0o600);

    fs::remove_file(&real).expect("removed");
    let run = remove().exits(2);
    assert!(run.stderr.contains("a link to a file that is not there") && link.is_symlink(), "{}", run.stderr);
}

/// Installs or removes without a compiler.
#[cfg(unix)]
fn installed(folder: &Path, more: &[&str]) {
    let how: &[&str] = if more.contains(&"--remove") { &["install"] } else { &["install", "--portable"] };
    let arguments = [how, &["--into", "../target"], more].concat();
    hookgen(&folder.join("demo"), arguments).exits(0);
}

#[cfg(unix)]
#[test]
fn settings_that_install_has_made_go_with_it_and_others_stay() {
    let folder = workspace();
    let target = folder.path().join("target");
    fs::create_dir(&target).expect("created");
    for (more, name) in [(&[][..], "settings.json"), (&["--local"], "settings.local.json")] {
        let settings = target.join(".claude").join(name);
        installed(folder.path(), more);
        assert!(settings.is_file());
        installed(folder.path(), more);
        installed(folder.path(), &[more, &["--remove"]].concat());
        assert!(!settings.exists(), "{name}");

        // An empty object that somebody else wrote is not hookgen's to take away, and neither is what came in between.
        for (before, between, after) in [(Some("{}\n"), None, "{}\n"), (None, Some("\"a\": 1,"), "{\n  \"a\": 1\n}\n")]
        {
            if let Some(before) = before {
                write(&settings, before);
            }
            installed(folder.path(), more);
            if let Some(line) = between {
                let text = fs::read_to_string(&settings).expect("there").replacen('{', &format!("{{\n  {line}"), 1);
                write(&settings, text);
            }
            installed(folder.path(), &[more, &["--remove"]].concat());
            assert_eq!(fs::read_to_string(&settings).expect("there"), after, "{name}");
            fs::remove_file(&settings).expect("removed");
        }
    }
}

/// Runs hookgen, and ends it if it does not end by itself.
#[cfg(unix)]
fn in_time(folder: &Path, arguments: &[&str]) -> Run {
    let mut child =
        command(folder).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("hookgen starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().expect("ended");
            panic!("{arguments:?} waits for ever");
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("its output").into()
}

#[cfg(unix)]
#[test]
fn what_only_looks_like_a_file_keeps_nobody_waiting() {
    let folder = project(&[("specs/demo.yaml", DEMO)]);
    let specs = folder.path().join("specs");
    hookgen(folder.path(), ["build"]).exits(0);
    fs::create_dir(specs.join("folder.yaml")).expect("created");
    in_time(folder.path(), &["check"]).exits(0);
    let pipe = specs.join("pipe.yaml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("started");
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", specs.join("device.yaml")).expect("linked");
    let socket = std::os::unix::net::UnixListener::bind(specs.join("socket.yaml")).expect("bound");
    for arguments in [&["check"][..], &["build"], &["list"]] {
        let run = in_time(folder.path(), arguments).exits(1);
        for name in ["pipe", "device", "socket"] {
            assert!(run.stderr.contains(&format!("specs/{name}.yaml")), "{name}\n{}", run.stderr);
        }
        assert_eq!(run.stderr.matches("it is not a regular file").count(), 3, "{}", run.stderr);
    }
    in_time(folder.path(), &["check", "demo"]).exits(0);
    in_time(folder.path(), &["check", "specs/pipe.yaml"]).exits(1);
    drop(socket);
    write(&folder.path().join("runtime/x"), "");
    fs::rename(&pipe, folder.path().join("runtime/Cargo.toml")).expect("moved");
    in_time(folder.path(), &["check", "demo"]).exits(0);
}
