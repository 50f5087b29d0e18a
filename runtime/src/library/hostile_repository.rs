//! Repositories that set a trap for whoever looks at them: each is shown to catch plain git, and must not catch a hook.

use std::path::Path;
use std::process::{Command, Stdio};

use super::run::{Ran, run, run_with};
use super::run_latest::{run_latest, run_whole};
use crate::call::Call;
use crate::event::Event;
use crate::json::Json;

struct Trap {
    name: &'static str,
    /// What prepares the repository; `$EVIL` is a program that leaves a mark.
    setup: &'static str,
    /// The arguments of git that spring the trap.
    command: &'static [&'static str],
    input: &'static str,
}

const fn trap(name: &'static str, setup: &'static str, command: &'static [&'static str]) -> Trap {
    Trap { name, setup, command, input: "" }
}

const fn login(name: &'static str, setup: &'static str) -> Trap {
    Trap { name, setup, command: &["credential", "fill"], input: "protocol=https\nhost=example.invalid\n\n" }
}

/// A repository with one commit, and attributes that hand its files to drivers called `evil`.
const REPOSITORY: &str = "git init --quiet --initial-branch=main .
git config user.name A; git config user.email a@example.invalid; git config commit.gpgSign false
printf 'one\\n' > a.txt; git add a.txt; git commit --quiet --no-verify -m first
echo '*.txt filter=evil diff=evil merge=evil' > .git/info/attributes
";

/// The file is as long as before, so that git has to read it to know whether it has changed.
const CHANGED: &str = "printf 'two\\n' > a.txt\n";

const NESTED: &str = "git init --quiet nested; cd nested
git config user.name A; git config user.email a@example.invalid
printf 'one\\n' > a.txt; git add a.txt; git commit --quiet -m first
echo '*.txt filter=inner' > .git/info/attributes; git config filter.inner.clean \"$EVIL\"; printf 'two\\n' > a.txt
cd ..; git -c advice.addEmbeddedRepo=false add nested; git commit --quiet -m nested
";

const TRAPS: &[Trap] = &[
    trap("monitor", "git config core.fsmonitor \"$EVIL\"", &["status"]),
    trap("hook", "cp \"$EVIL\" .git/hooks/pre-commit", &["commit", "--allow-empty", "-m", "x"]),
    trap(
        "folder of hooks",
        "mkdir own; cp \"$EVIL\" own/post-checkout; git config core.hooksPath own",
        &["checkout", "-b", "x"],
    ),
    trap("clean filter", "git config filter.evil.clean \"$EVIL\"; CHANGED", &["status", "--porcelain"]),
    trap(
        "required clean filter",
        "git config filter.evil.required true; git config filter.evil.clean \"$EVIL\"; CHANGED",
        &["diff", "--stat"],
    ),
    trap(
        "filter with a name that is hard to spell",
        "printf '[filter \"a=b.c\\\\\"d\"]\\n\\tclean = %s\\n' \"$EVIL\" >> .git/config
         echo '*.txt filter=a=b.c\"d' > .git/info/attributes; CHANGED",
        &["status"],
    ),
    trap("filter process", "git config filter.evil.process \"$EVIL\"; CHANGED", &["status"]),
    trap("smudge filter", "git config filter.evil.smudge \"$EVIL\"; CHANGED", &["checkout", "--", "a.txt"]),
    trap("text conversion", "git config diff.evil.textconv \"$EVIL\"; CHANGED", &["diff"]),
    trap("text conversion in a log", "git config diff.evil.textconv \"$EVIL\"", &["log", "-p"]),
    trap("text conversion in blame", "git config diff.evil.textconv \"$EVIL\"", &["blame", "a.txt"]),
    trap("diff driver", "git config diff.evil.command \"$EVIL\"; CHANGED", &["diff"]),
    trap("external diff", "git config diff.external \"$EVIL\"; CHANGED", &["diff", "HEAD"]),
    trap("alias", "git config alias.zz \"!$EVIL\"", &["zz"]),
    trap("ssh command", "git config core.sshCommand \"$EVIL\"", &["ls-remote", "ssh://example.invalid/x"]),
    trap("proxy", "git config core.gitProxy \"$EVIL\"", &["ls-remote", "git://example.invalid/x"]),
    login("credential helper", "git config credential.helper \"!$EVIL\""),
    login("credential helper of a host", "git config credential.https://example.invalid.helper \"!$EVIL\""),
    login("password prompt", "git config core.askPass \"$EVIL\""),
    trap("signing program", "git config gpg.program \"$EVIL\"", &["commit", "--allow-empty", "-S", "-m", "x"]),
    trap("editor", "git config core.editor \"$EVIL\"", &["commit", "--allow-empty"]),
    trap(
        "trailer",
        "git config trailer.x.key X; git config trailer.x.cmd \"$EVIL\"",
        &["interpret-trailers", "--trailer", "x=1"],
    ),
    trap(
        "merge driver",
        "git config merge.evil.driver \"$EVIL\"; git checkout --quiet -b side
         echo side > a.txt; git commit --quiet -am side; git checkout --quiet main; echo main > a.txt; git commit --quiet -am main",
        &["merge", "side"],
    ),
    trap(
        "included configuration",
        "git config include.path ../more; git config --file more filter.evil.clean \"$EVIL\"; CHANGED",
        &["status"],
    ),
    trap(
        "configuration of a work tree",
        "git config extensions.worktreeConfig true; git config --worktree filter.evil.clean \"$EVIL\"; CHANGED",
        &["status"],
    ),
    trap("submodule", NESTED, &["status"]),
    trap(
        "submodule that asks to be entered",
        "NESTED printf '[submodule \"n\"]\\n\\tpath = nested\\n\\turl = ./x\\n\\tignore = none\\n' > .gitmodules",
        &["diff", "--stat"],
    ),
    trap(
        "program at the other end",
        "git config remote.origin.url .; git config remote.origin.uploadpack \"$EVIL\"",
        &["fetch", "origin"],
    ),
    trap(
        "program as the other end",
        "git config protocol.ext.allow always; git config remote.origin.url \"ext::$EVIL\"",
        &["fetch", "origin"],
    ),
    trap(
        "object that is fetched when it is missed",
        "git config remote.origin.url .; git config remote.origin.uploadpack \"$EVIL\"
         git config remote.origin.promisor true; git config extensions.partialClone origin
         git config core.repositoryFormatVersion 1
         object=$(git rev-parse HEAD:a.txt); mv \".git/objects/$(echo \"$object\" | cut -c1-2)\" elsewhere",
        &["show", "HEAD:a.txt"],
    ),
];

struct Repository {
    guard: tempfile::TempDir,
}

impl Repository {
    fn new(trap: &Trap) -> Self {
        let repository = Self { guard: tempfile::tempdir().expect("a folder") };
        let setup = trap.setup.replace("CHANGED", CHANGED).replace("NESTED", NESTED);
        let program = "printf '#!/bin/sh\\ntouch \"%s\"\\n' \"$MARK\" > \"$EVIL\"; chmod +x \"$EVIL\"\n";
        // Made by another process: a program that this one had just written could still be held open by a child.
        let script = format!("set -e\n{program}mkdir r; cd r\n{REPOSITORY}{setup}\n");
        let made = Command::new("sh")
            .args(["-c", &script])
            .env("MARK", repository.path("mark"))
            .env("EVIL", repository.path("evil"))
            .current_dir(repository.guard.path())
            .output()
            .expect("a shell");
        assert!(made.status.success(), "{}: {}", trap.name, String::from_utf8_lossy(&made.stderr));
        // Setting the trap may have sprung it.
        let _ = std::fs::remove_file(repository.path("mark"));
        repository
    }

    fn path(&self, name: &str) -> String {
        self.guard.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    fn caught(&self) -> bool {
        Path::new(&self.path("mark")).exists()
    }

    fn argv(&self, trap: &Trap) -> Vec<String> {
        ["git", "-C", &self.path("r")].iter().chain(trap.command).map(|word| (*word).to_owned()).collect()
    }
}

fn with_call<T>(body: impl FnOnce(&Call<'_>) -> T) -> T {
    let payload = Json::parse(r#"{"cwd":"/"}"#).expect("JSON").into_owned();
    body(&Call::new("test", Event::named("PreToolUse").expect("known"), &payload))
}

fn plainly(repository: &Repository, trap: &Trap) {
    let argv = repository.argv(trap);
    let mut command = Command::new(&argv[0]);
    command.args(&argv[1..]).env_remove("GIT_EDITOR").env_remove("GIT_ASKPASS").env("GIT_TERMINAL_PROMPT", "0");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("git");
    let mut stdin = child.stdin.take().expect("a pipe");
    // Whoever does not read it does not need it.
    let _ = std::io::Write::write_all(&mut stdin, trap.input.as_bytes());
    drop(stdin);
    child.wait().expect("ended");
}

#[test]
fn no_trap_of_a_repository_catches_a_hook() {
    for trap in TRAPS {
        let repository = Repository::new(trap);
        plainly(&repository, trap);
        assert!(repository.caught(), "{} is no trap", trap.name);
        let repository = Repository::new(trap);
        let ran =
            with_call(|call| run_with(call, &repository.argv(trap), trap.input, 20).expect("nothing is withheld"));
        assert!(!repository.caught(), "{} catches: {ran:?}", trap.name);
    }
}

#[test]
fn every_function_that_runs_git_tames_it() {
    type Runner = fn(&Call<'_>, &str, &[String]) -> Ran;
    let trap = &TRAPS[0];
    let runners: [(&str, Runner); 4] = [
        ("run", |call, _, argv| run(call, argv, 20).expect("nothing is withheld")),
        ("runWith", |call, _, argv| run_with(call, argv, "x", 20).expect("nothing is withheld")),
        ("runLatest", |call, lock, argv| {
            run_latest(call, "", lock, 0, &[argv.to_vec()], 20).expect("nothing is withheld").remove(0)
        }),
        ("runWhole", |call, lock, argv| run_whole(call, lock, argv, 20).expect("nothing is withheld")),
    ];
    for (name, runner) in runners {
        let repository = Repository::new(trap);
        let ran = with_call(|call| runner(call, &repository.path("lock"), &repository.argv(trap)));
        assert!(ran.ok() && !repository.caught(), "{name}: {ran:?}");
    }
}

#[test]
fn a_tame_git_still_answers() {
    let changed = Trap {
        setup: "git config filter.evil.clean \"$EVIL\"; git config filter.evil.required true; CHANGED",
        ..TRAPS[0]
    };
    let repository = Repository::new(&changed);
    let folder = repository.path("r");
    with_call(|call| {
        let said = |argv: &[&str]| {
            let ran = run(call, &[&["git", "-C", &folder][..], argv].concat(), 20).expect("nothing is withheld");
            assert!(ran.ok(), "{argv:?}: {ran:?}");
            ran.output().to_owned()
        };
        assert_eq!(said(&["status", "--porcelain"]), " M a.txt\n");
        assert_eq!(said(&["diff", "--name-only"]), "a.txt\n");
        assert!(said(&["diff"]).ends_with("-one\n+two\n"));
        assert_eq!(said(&["log", "-1", "--format=%s"]), "first\n");
        assert_eq!(said(&["show", "HEAD:a.txt"]), "one\n");
        said(&["commit", "--quiet", "-a", "-m", "second"]);
        assert_eq!(said(&["rev-list", "--count", "HEAD"]), "2\n");
    });
    assert!(!repository.caught());
}

#[test]
fn a_merge_without_its_driver_is_the_one_that_git_does_itself() {
    let driven = Trap {
        setup: "printf '1\\n2\\n3\\n4\\n5\\n' > a.txt; git commit --quiet -am lines; git config merge.evil.driver \"$EVIL\"
            git checkout --quiet -b side; sed -i.old s/1/one/ a.txt; git commit --quiet -am side; git checkout --quiet main
            sed -i.old s/5/five/ a.txt; git commit --quiet -am main",
        ..TRAPS[0]
    };
    let repository = Repository::new(&driven);
    let argv = ["git", "-C", &repository.path("r"), "merge", "--quiet", "--no-edit", "side"];
    let ran = with_call(|call| run(call, &argv, 20).expect("nothing is withheld"));
    assert!(ran.ok() && !repository.caught(), "{ran:?}");
    assert_eq!(std::fs::read_to_string(repository.path("r/a.txt")).expect("there"), "one\n2\n3\n4\nfive\n");
}

#[test]
fn what_the_catalog_itself_asks_for_has_the_last_say() {
    let hooked = Trap { setup: "cp \"$EVIL\" .git/hooks/pre-commit", ..TRAPS[0] };
    let repository = Repository::new(&hooked);
    let folder = repository.path("r");
    let argv =
        ["git", "-C", &folder, "-c", "core.hooksPath=.git/hooks", "commit", "--quiet", "--allow-empty", "-m", "x"];
    assert!(with_call(|call| run(call, &argv, 20).expect("nothing is withheld")).ok() && repository.caught());
}

#[test]
fn a_folder_that_git_cannot_read_is_told_in_its_own_words() {
    let ran =
        with_call(|call| run(call, &["git", "-C", "/no/such/folder", "status"], 20).expect("nothing is withheld"));
    assert_eq!((ran.code(), ran.missing(), ran.timed_out()), (128, false, false));
    assert!(ran.output().contains("/no/such/folder"), "{ran:?}");
}

#[test]
fn a_configuration_that_never_ends_is_ended() {
    let endless = Trap { setup: "mkfifo pipe; git config include.path ../pipe", ..TRAPS[0] };
    let repository = Repository::new(&endless);
    let ran = with_call(|call| run(call, &repository.argv(&endless), 1).expect("nothing is withheld"));
    assert!(ran.timed_out() && !ran.ok(), "{ran:?}");
}
