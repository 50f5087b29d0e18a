//! The reader against bash itself: what a stub program is given must be what the reader says.

use std::path::Path;
use std::process::Command as Process;

use proptest::prelude::*;
use proptest::sample::select;

use super::{World, analyse};

const HOME: &str = "/home/me";
const SETTING: &str = "A=one; B='two words'; C=; L=(x 'y z'); unset U; ";

/// Lines in which every command runs, and nothing depends on anything outside.
fn line() -> impl Strategy<Value = String> {
    let command = prop::collection::vec(word(), 0..5).prop_map(|words| format!("stub {}", words.join(" ")));
    let wrapped = (
        select(
            &[
                "",
                "",
                "",
                "env ",
                "command ",
                "nohup ",
                "timeout 9 ",
                "X=1 ",
                "nice -n 1 ",
                "env -i PATH=\"$PATH\" LOG=\"$LOG\" ",
            ][..],
        ),
        command,
    )
        .prop_map(|(wrapper, command)| format!("{wrapper}{command}"));
    let statement = wrapped.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}; {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} && {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}\n{b}")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("{{ {a}; }}")),
            (word(), inner.clone()).prop_map(|(word, a)| format!("V={word}; {a}; stub \"$V\" $V")),
            (word(), word(), inner.clone())
                .prop_map(|(v, w, a)| format!("for V in {v} {w}; do {a}; stub \"$V\"; done")),
            inner.clone().prop_map(|a| format!("f() {{ {a}; stub \"$@\" \"$1\"; }}; f p 'q r'")),
            inner.clone().prop_map(|a| format!("bash -c {}", quoted(&a))),
            (word(), word()).prop_map(|(v, w)| format!("bash -c 'stub \"$0\" \"$@\" $1' {v} {w}")),
            inner.clone().prop_map(|a| format!("eval {}", quoted(&a))),
            inner.clone().prop_map(|a| format!("bash <<'END'\n{a}\nEND\n")),
            inner.clone().prop_map(|a| format!("{a} | cat")),
            inner.clone().prop_map(|a| format!("stub \"$({a})\" > /dev/null")),
            inner.clone().prop_map(|a| format!("cat <<END\n$({a})\nEND\n")),
            (word(), word(), inner.clone())
                .prop_map(|(v, w, a)| format!("set -- {v} {w}; stub \"$@\" $1 \"$#\" \"$*\"; {a}")),
            (word(), inner).prop_map(|(v, a)| format!("export V={v}; bash -c 'stub \"$V\" $V'; {a}")),
            word().prop_map(|v| format!("V={v} bash -c 'stub \"$V\" ${{V}}x'")),
            (word(), word()).prop_map(|(v, w)| format!("env V={v} sh -c 'stub \"$V\" \"$@\"' 0 {w}")),
            (word(), word()).prop_map(|(v, w)| format!("printf '%s\\n' {v} {w} | xargs -d '\\n' stub a")),
            (word(), word()).prop_map(|(v, w)| format!("echo {v} > f; echo {w} >> f; stub \"$(cat f)\" $(cat < f)")),
            (word(), word()).prop_map(|(v, w)| format!("echo {v} >> f; echo {w} | tee -a f; stub $(cat f)")),
            (word(), word()).prop_map(|(v, w)| format!("echo {v} > f; false && echo {w} > f; stub $(cat f)")),
            (word(), word())
                .prop_map(|(v, w)| format!("if [ {v} ]; then echo {v}; else echo {w}; fi > f; stub $(cat f)")),
            (word(), word()).prop_map(|(v, w)| format!("echo {v} > f; cp f g; echo {w} > f; stub \"$(cat g f)\"")),
            (word(), word())
                .prop_map(|(v, w)| format!("stub $(cd /; export W={v}; true && echo {w}) \"$(echo {v}; ls)\"")),
            (word(), word()).prop_map(|(v, w)| format!("stub $(echo {v} > f; echo {v} >&2; {{ ls; }} >g; echo {w})")),
            (word(), word()).prop_map(|(v, w)| format!("stub $(echo {v} > /dev/stdout; echo {w} >&1; ls > >(cat))")),
            (word(), word()).prop_map(|(v, w)| format!("stub $(for V in {v} {w}; do echo \"$V\"; done | grep o)")),
            (word(), word()).prop_map(|(v, w)| format!("stub \"$(case {v} in *o*) echo {w};; *) echo {v};; esac)\"")),
        ]
    });
    statement.prop_map(|statement| format!("{SETTING}{statement}"))
}

fn quoted(script: &str) -> String {
    format!("'{}'", script.replace('\'', "'\\''"))
}

fn word() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9_./=,:@%+-]{1,4}",
        "\\\\[ a-z$\"'\\\\*?;&|<>(){}~#]",
        "'[ a-z$\"\\\\*?;&|<>(){}~#`]{0,5}'",
        "\"[ a-z'*?;&|<>(){}~#]{0,5}\"",
        "\"[a-z]\\\\[$\"\\\\a`]\"",
        "\\$'[a-z ]{0,3}(\\\\n|\\\\t|\\\\'|\\\\x41|\\\\102|\\\\u0043|\\\\e|\\\\q|\\\\\\\\)'",
        select(
            &[
                "$A",
                "${A}",
                "\"$B\"",
                "$B",
                "$C",
                "\"$C\"",
                "${U:-d}",
                "${U-d e}",
                "\"${U:-d e}\"",
                "${A:+x}",
                "${C:-y}",
                "${A%e}",
                "${A##o}",
                "\"${B#two }\"",
                "${B%% words}",
                "${A%x}",
                "${A%?}",
                "${A%n*}",
                "\"${B##* }\"",
                "${B%%w*}",
                "\"${B#*o}\"",
                "${A%%'*'}",
                "\"${A#\"$C\"?}\"",
                "${B%\"$U\"}",
                "${#A}"
            ][..]
        )
        .prop_map(str::to_owned),
        select(
            &[
                "\"${L[@]}\"",
                "${L[0]}",
                "\"${L[1]}\"",
                "$L",
                "~",
                "~/x",
                "x~",
                "{a,b}",
                "{1..3}",
                "{a,b{c,d}}",
                "{a}",
                "{,x}",
                "{c..a}"
            ][..]
        )
        .prop_map(str::to_owned),
        select(
            &[
                "$(echo hi)",
                "\"$(echo 'a  b')\"",
                "$(echo 'a  b')",
                "`echo tick`",
                "$(printf '%s-' 1 2)",
                "\"$(echo \"$B\")\"",
                "$HOME",
                "#",
                "a#b"
            ][..]
        )
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 1..4)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("a comment", |word| !word.starts_with('#'))
}

/// What a stub was given, call by call, when bash ran the line; `None` if bash refused it.
fn run(folder: &Path, line: &str) -> Option<Vec<Vec<String>>> {
    let log = folder.join("log");
    let _ = std::fs::remove_file(&log);
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let run = Process::new("bash")
        .args(["--noprofile", "--norc", "-c", line])
        .env_clear()
        .envs([("PATH", path.as_str()), ("HOME", HOME), ("LC_ALL", "C.UTF-8")])
        .env("LOG", &log)
        .current_dir(folder.join("empty"))
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    if !run.status.success() {
        return None;
    }
    let text = String::from_utf8_lossy(&std::fs::read(&log).unwrap_or_default()).into_owned();
    let mut words = text.split('\0');
    let mut calls = Vec::new();
    while let Some(count) = words.next().and_then(|count| count.parse::<usize>().ok()) {
        calls.push(words.by_ref().take(count).map(str::to_owned).collect());
    }
    Some(calls)
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that was skipped must not look like one that passed")]
fn a_program_is_given_what_the_reader_says() {
    if Process::new("bash").arg("--version").output().is_err() {
        eprintln!("skipped: there is no bash");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("empty")).expect("created");
    let stub = folder.path().join("stub");
    std::fs::write(&stub, "#!/bin/sh\nprintf '%s\\0' \"$#\" \"$@\" >> \"$LOG\"\n").expect("written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&stub, std::fs::Permissions::from_mode(0o755)).expect("executable");
    }
    proptest!(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) }, |(line in line())| {
        let Some(calls) = run(folder.path(), &line) else { return Err(TestCaseError::reject("bash refuses it")) };
        let analysis = analyse(&line, World { home: HOME, cwd: "/", ..World::default() });
        prop_assert_eq!(analysis.problem.text(), "", "{}", line);
        let stubs: Vec<_> = analysis.commands.iter().filter(|command| command.name() == "stub").collect();
        if stubs.len() != calls.len() {
            // Loops over what is not known are read once, however often they run.
            prop_assert!(stubs.iter().any(|stub| !stub.known()), "{}\n{:?}", line, calls);
            return Ok(());
        }
        for (said, given) in stubs.iter().zip(&calls) {
            if said.known() {
                prop_assert_eq!(said.args(), given.as_slice(), "{}", line);
            }
        }
    });
}

/// More for a longer run, as proptest's own variable says.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(150)
}
