//! The reader as a whole, by examples and by force.

use proptest::prelude::*;

use super::*;

fn commands(line: &str) -> Vec<Command> {
    analyse(line, World { home: "/home/me", cwd: "/project", ..World::default() }).commands
}

fn texts(line: &str) -> Vec<String> {
    commands(line).iter().map(|command| command.text().to_owned()).collect()
}

fn problem(line: &str) -> String {
    analyse(line, World::default()).problem.text().to_owned()
}

#[track_caller]
fn runs_rm_x(line: &str) {
    let is_it = |command: &Command| command.name() == "rm" && command.args() == ["x"];
    assert!(commands(line).iter().any(is_it), "{line}: {:?}", texts(line));
}

/// The last command of a line.
fn last(line: &str) -> Command {
    commands(line).pop().expect("a command")
}

#[test]
fn a_command_decides_when_the_line_cannot_succeed_without_it() {
    let deciding = |line: &str| {
        let found = commands(line);
        found.iter().filter(|command| command.decides()).map(|command| command.name().to_owned()).collect::<Vec<_>>()
    };
    for line in
        ["t", "a; t", "b | t", "(a; t)", "{ t; }", "time t", "timeout 9 t", "bash -c 'a; t'", "a || b; t", "! ! t"]
    {
        assert_eq!(deciding(line).last().map(String::as_str), Some("t"), "{line}");
    }
    assert_eq!(deciding("a && t"), ["a", "t"]);
    assert_eq!(deciding("a || b && t"), ["t"]);
    for line in
        ["t || true", "t; true", "t | cat", "! t", "t &", "if t; then a; fi", "while t; do a; done", "echo $(t)"]
    {
        assert!(!deciding(line).iter().any(|name| name == "t"), "{line}");
    }
    for line in [
        "set -e; t; a",
        "set -eu\na && t\nb",
        "bash -ec 't; a'",
        "set -e; t || { a; false; }; b",
        "set -o pipefail; t | a",
        "set -euo pipefail; t | a | b; c",
        "bash -o pipefail -c 't | a'",
        "t || exit 1",
        "t || exit; a",
        "t || { a; exit 1; }; b",
        "t || (a; exit 1)",
        "t || false",
        "t; exit $?",
        "(t || exit 2) && a",
    ] {
        assert!(deciding(line).iter().any(|name| name == "t"), "{line}");
    }
    for line in [
        "set -e; t && a; b",
        "set -e; set +e; t; a",
        "set -e; t || a; b",
        "set -e; ! t; a",
        "set -e; bash -c 't; a'",
        "a && set -e; t; b",
        "(set -e); t; a",
        "set -- -e; t; a",
        "set -o pipefail; t | a; b",
        "t | a; set -o pipefail",
        "t || exit 0",
        "t || (exit 1); a",
        "t || a || exit 1",
        "t; exit 0",
        "t || exit $x",
    ] {
        assert!(!deciding(line).iter().any(|name| name == "t"), "{line}");
    }
    for line in ["f() { t; }", "for x in a; do t; done; b", "case x in x) t;; esac; b", "cat <(t)", "a > >(t)"] {
        assert!(!deciding(line).iter().any(|name| name == "t"), "{line}");
    }
}

#[test]
fn every_command_of_a_line_is_found() {
    assert_eq!(texts("a 1; b && c || d | e & f\ng"), ["a 1", "b", "c", "d", "e", "f", "g"]);
    assert_eq!(texts("( a; { b; } )"), ["a", "b"]);
    assert_eq!(texts("if a; then b; elif c; then d; else e; fi"), ["a", "b", "c", "d", "e"]);
    assert_eq!(texts("while a; do b; done < <(c)"), ["c", "", "a", "b"]);
    assert_eq!(texts("case x in x|y) a;; *) b;& z) c;; esac"), ["a", "b", "c"]);
    assert_eq!(texts("f() { a; }; function g { b; }"), ["a", "b"]);
    assert_eq!(texts("echo $(a) `b` \"$(c \"$(d)\")\" <(e)").len(), 6);
    assert_eq!(texts("[[ -f $(a) ]] && (( $(b) ))"), ["a", "b"]);
    assert_eq!(texts("cat <<E\n$(a)\nE\nb"), ["a", "cat", "b"]);
}

#[test]
fn data_is_no_command() {
    for line in [
        "echo 'rm -rf /'",
        "echo rm -rf /",
        "grep 'a; rm -rf /' log",
        "cat <<'E'\nrm -rf /\nE",
        "cat <<E\nrm -rf / \\$(rm)\nE",
        "git commit -m 'rm -rf /'",
        "awk '{ print \"rm -rf /\" | \"cat\" }' a",
        "awk '/a||\"rm -rf /\"/' a",
        "sed 's/x/rm -rf y/' a",
        "sed -e 'a e rm x' a",
        "flock /tmp/l git -c 'rm x' log",
        "if a; then echo 'rm -rf /'; fi | grep x",
        "echo 'rm -rf /' > f; echo ok > f; bash f",
        "echo 'rm -rf /' > f; cp f g; cat g; bash h",
        "{ date; echo 'rm -rf /'; } | mail me",
        "ssh host cat <<E\nrm -rf /\nE",
        "sqlite3 a.db \"insert into t values ('rm -rf /')\"",
        "psql <<E\nselect 'a'; -- shell rm -rf /\nE",
        "pwsh -File a.ps1 'rm -rf /'",
        "echo 'rm -rf /' | pwsh a.ps1",
        "# rm -rf /",
        "ls # rm -rf /",
    ] {
        assert!(commands(line).iter().all(|command| command.name() != "rm"), "{line}");
    }
}

#[test]
fn no_arguments_are_no_word() {
    assert_eq!(commands("bash -c 'a \"$@\" \"\" b' x")[1].args(), ["", "b"]);
    assert_eq!(commands("bash -c 'a \"$*\" \"$@\"' x")[1].args(), [""]);
    assert_eq!(commands("a \"\\\n\" 'b'\"\"")[0].args(), ["", "b"]);
}

#[test]
fn a_parenthesis_in_quotes_ends_no_arithmetic() {
    for line in ["((a '(')); rm x", "((a \"\\\")(\")); rm x", "((a \\( + 1)); rm x", "echo $((1 + ')' )); rm x"] {
        assert_eq!(texts(line).last().map(String::as_str), Some("rm x"), "{line}: {:?}", texts(line));
        assert!(!texts(line).iter().any(|text| text.starts_with('a')), "{line}: {:?}", texts(line));
    }
    assert_eq!(texts("((a); rm x)"), ["a", "rm x"]);
}

#[test]
fn a_shell_without_arithmetic_runs_what_stands_in_two_parentheses() {
    let removes = |line: &str| texts(line).iter().any(|text| text == "rm x");
    for line in ["sh -c '((rm x))'", "dash <<< '((rm x))'", "sh -c 'if ((rm x)); then a; fi'", "sh -c '((((rm x))))'"] {
        assert!(removes(line), "{line}: {:?}", texts(line));
    }
    for line in ["((rm x))", "bash -c '((rm x))'", "sh -c \"bash -c '((rm x))'\"", "sh -c 'echo $((rm x))'"] {
        assert!(!removes(line), "{line}: {:?}", texts(line));
    }
}

#[test]
fn every_way_to_run_a_command_leads_to_it() {
    for line in [
        "sudo -u root rm x",
        "env -i A=1 nice -n 5 nohup timeout -k 1 5 rm x",
        "bash -lc 'rm x'",
        "sh -c '$1' _ 'rm x'",
        "bash -c '$0 \"$@\"' rm x",
        "A=rm/; ${A%/} x",
        "A=xxrm; ${A##xx} x",
        "eval \"rm x\"",
        "eval eval rm x",
        "trap 'rm x' EXIT",
        "echo rm x | sh",
        "bash <<< 'rm x'",
        "bash <<E\nrm x\nE",
        "echo x | xargs rm",
        "echo x | xargs -I% rm %",
        "find . -exec rm x \\;",
        "parallel rm {} ::: x",
        "ssh host 'rm x'",
        "ssh host <<E\nrm x\nE",
        "echo rm x | ssh -p 22 host",
        "echo rm x | sudo -s",
        "su - me <<< 'rm x'",
        "echo rm x | chroot /mnt",
        "env -S 'bash -c \"rm x\"'",
        "setarch x86_64 rm x",
        "gdb -batch -ex 'shell rm x'",
        "sqlite3 a.db '.shell rm x'",
        "psql -c '\\! rm x'",
        "ed -s f <<< '!rm x'",
        "expect -c 'spawn rm x'",
        "tclsh <<E\nset a 1; exec rm x\nE",
        "pwsh -NoProfile -Command 'bash -c \"rm x\"'",
        "pwsh -c bash -c \"'rm x'\"",
        "A=x.rm; ${A##*.} x",
        "A=rm.x.y; \"${A%%.*}\" x",
        "su -c 'rm x'",
        "flock /tmp/l -c 'rm x'",
        "watch -n 1 rm x",
        "r''m x",
        "\\rm x",
        "/bin/rm x",
        "$'\\x72m' x",
        "{rm,x}",
        "A=rm; $A x",
        "rm${IFS}x",
        "$(echo rm) x",
        "echo cm0geA== | base64 -d | sh",
        "python3 -c 'import os; os.system(\"rm x\")'",
        "python3 -c 'import subprocess; subprocess.run([\"rm\", \"x\"])'",
        "awk 'BEGIN { system(\"rm x\") }'",
        "awk 'BEGIN { print \"a\" | \"rm x\" }'",
        "awk 'BEGIN { \"rm x\" | getline }'",
        "sed '1e rm x' a",
        "sed -n -e p -e 's/a/rm x/e' a",
        "nix-shell -p hello --run 'rm x'",
        "npx -c 'rm x'",
        "direnv exec . rm x",
        "git -c alias.y='!rm x' y",
        "coproc rm x",
        "f() { \"$@\"; }; f rm x",
        "for a in x; do rm $a; done",
        "GIT_SSH_COMMAND='rm x' git fetch",
        "exec 3<<<'rm x'; source /dev/fd/3",
        "echo 'rm x' | { read -r line; eval \"$line\"; }",
        "$(which rm) x",
        "$(command -v rm) x",
        "echo 'rm x' | tee log | sh",
        "echo 'rm x' > >(sh)",
        "echo 'rm x' | sudo tee >(sh)",
        "{ echo rm x; } > >(sh)",
        "exec {fd}> >(bash); echo 'rm x' >&$fd",
        "exec 3> >(bash); echo 'rm x' >&3",
        "echo 'rm x' > a.sh; bash ./a.sh",
        "cat > a.sh <<'E'\nrm x\nE\nchmod +x a.sh && ./a.sh",
        "echo 'rm x' | tee a.sh; . a.sh",
        "bash <(echo 'rm x')",
        "source <(printf 'rm x')",
        "bash < <(echo 'rm x')",
        "echo 'rm x' > a.sh; bash < a.sh",
        "echo 'rm x' > a; cat a | sh",
        "cat <(echo 'rm x') - </dev/null | sh; cat <(echo 'rm x') | sh",
        "while read -r l; do eval \"$l\"; done < <(echo 'rm x')",
        "git difftool -x 'rm x'",
        "runuser -u me -- rm x",
        "vim -c ':!rm x' a",
        "perl -e 'qx{rm x}'",
        "perl -e 'system qw(rm x)'",
        "ruby -e '%x(rm x)'",
        "osascript -e 'do shell script \"rm x\"'",
        "parallel echo '{= system(\"rm x\") =}' ::: a",
        "rm x &",
        "printf -v line 'rm %s' x; eval $line",
    ] {
        runs_rm_x(line);
    }
}

#[test]
fn text_is_followed_through_branches_filters_and_files() {
    for line in [
        "{ date; echo rm x; } | sh",
        "$(date > /dev/null; { ls; } > log; echo rm) x",
        "{ cat head; echo rm x; } > f; sh f",
        "{ echo a > /dev/stdout; echo rm x; } | bash",
        "if a; then echo rm x; else b; fi | bash",
        "(true && echo rm x) | bash",
        "for a in 1 2; do echo rm x; done | bash",
        "while read a; do echo rm x; done < in | bash",
        "case a in b) echo rm x;; esac | bash",
        "eval \"$(date; echo rm x)\"",
        "A=$(test -f b && echo rm x); bash -c \"$A\"",
        "$(test -f b && echo rm) x",
        "bash <(date; echo rm x)",
        "echo rm x | grep r | sort -u | head -1 | sh",
        "echo rm x > f; echo ok >> f; bash f",
        "printf r > f; printf 'm x' >> f; bash f",
        "echo rm x | tee f; echo ok | tee -a f; bash f",
        "echo rm x >> f; bash f",
        "echo rm x &>> f; bash f",
        "echo rm x 1<> f; bash f",
        "if a; then echo rm x > f; else echo ok > f; fi; bash f",
        "echo rm x > f; a && echo ok > f; bash < f",
        "echo rm x > f; date >> f; bash f",
        "echo rm x > f; cp -f f g; bash g",
        "echo rm x > f; mv f folder; bash folder/f",
        "echo rm x > f; ln -s f g; mv -t . g; ./g",
        "echo rm x > f; install -m 755 f g; ./g",
        "cat a f <(echo rm x) | bash",
    ] {
        runs_rm_x(line);
    }
}

#[test]
fn functions_that_delete_folders_are_the_command_that_does() {
    for line in [
        "python3 -c 'import shutil; shutil.rmtree(\"x\")'",
        "python3 -c 'import os, shutil; shutil.rmtree(os.path.expanduser(\"x\"))'",
        "python3 <<'E'\nfrom shutil import rmtree\nrmtree('x', ignore_errors=True)\nE",
        "ruby -rfileutils -e 'FileUtils.rm_rf \"x\"'",
        "node -e \"require('fs').rmSync('x', { recursive: true })\"",
    ] {
        assert!(texts(line).contains(&"rm -rf x".to_owned()), "{line}: {:?}", texts(line));
    }
    for line in
        ["node -e 'console.log(`rm x`)'", "python3 -c 'print(\"rmtree\"); x = \"y\"'", "python3 -c 'rm = \"x\"'"]
    {
        assert_eq!(texts(line).len(), 1, "{line}: {:?}", texts(line));
    }
}

#[test]
fn a_file_that_the_line_writes_is_known_when_the_line_runs_it() {
    assert_eq!(last("curl -o a.sh u && sh a.sh").code_from(), ["curl"]);
    assert_eq!(last("curl -O u/a.sh; chmod +x a.sh; ./a.sh").code_from(), ["curl"]);
    assert_eq!(last("wget -q u/a.py && python3 a.py").code_from(), ["wget"]);
    assert_eq!(last("curl u | base64 -d > a; . ./a").code_from(), ["curl", "base64"]);
    assert!(last("curl -o a.sh u && sh b.sh").code_from().is_empty());
    assert!(last("cd x; curl -o a.sh u; cd ..; sh a.sh").code_from().is_empty());
}

#[test]
fn what_is_written_into_a_process_comes_from_somewhere() {
    assert_eq!(last("curl u > >(bash)").code_from(), ["curl"]);
    assert_eq!(last("curl u | tee >(bash)").code_from(), ["curl", "tee"]);
    assert_eq!(commands("curl u | while read -r l; do eval \"$l\"; done")[2].code_from(), ["curl"]);
    assert!(last("curl u > >(tee log)").code_from().is_empty());
    assert_eq!(problem("make > >(tee out) 2> >(tee err >&2)"), "");
    assert_eq!(commands("$(curl u)")[1].code_from(), ["curl"]);
}

#[test]
fn what_the_line_does_not_tell_is_shown_as_written() {
    let command = last("rm -rf \"$DIR/x\" $(cat list) *.o");
    assert_eq!(command.args(), ["-rf", "$DIR/x", "$(cat list)", "*.o"]);
    assert_eq!(command.unresolved(), ["$DIR/x", "$(cat list)"]);
    assert!(!command.known() && last("rm -rf '$DIR'").known());
    assert_eq!(last("$X -rf /").name(), "");
}

#[test]
fn a_value_from_a_branch_is_in_doubt_after_it() {
    assert!(last("X=a; echo $X").known());
    let doubtful = last("if t; then X=a; fi; echo $X");
    assert_eq!((doubtful.args(), doubtful.known()), (["a".to_owned()].as_slice(), false));
    assert!(!last("(X=a); echo $X").known());
    assert!(!last("X=a; bash -c 'echo $X'").known());
    assert!(last("export X=a; bash -c 'echo $X'").known());
    assert!(last("X=a bash -c 'echo $X'").known());
    assert!(!last("X=a; while t; do echo $X; X=b; done").known());
}

#[test]
fn pipes_and_redirections_are_told() {
    let found = commands("curl u 2>err | tee log | sudo sh > out < in");
    assert_eq!(found[0].piped_into(), ["tee", "sudo", "sh"]);
    assert_eq!(found[0].outputs(), ["err"]);
    assert_eq!((found[2].outputs(), found[2].inputs()), (["out".to_owned()].as_slice(), ["in".to_owned()].as_slice()));
    assert_eq!(last("curl u | cat | sudo sh").code_from(), ["curl", "cat"]);
    assert_eq!(commands("eval \"$(curl u)\"")[1].code_from(), ["curl"]);
    assert_eq!(commands("source <(curl u)")[1].code_from(), ["curl"]);
    assert!(last("curl u | python3 -m json.tool").code_from().is_empty());
    assert!(last("curl u | sh script").code_from().is_empty());
}

#[test]
fn the_folder_is_followed() {
    assert_eq!(last("cd a && cd b && rm x").paths(), ["/project/a/b/x"]);
    assert_eq!(last("(cd a); rm x").directory(), "");
    assert_eq!(last("builtin cd a; command cd b; rm x").directory(), "a/b");
    assert_eq!(last("git -C sub status").directory(), "sub");
    assert_eq!(last("cd; rm x").paths(), ["/home/me/x"]);
    assert_eq!(last("cd / && rm -rf *").paths(), ["/*"]);
    assert_eq!(last("X='~/x'; rm $X").paths(), ["~/x"]);
}

#[test]
fn what_is_broken_is_said_and_the_rest_is_read() {
    for line in ["a 'b", "a \"b", "a `b", "a $(b", "a ${b", "(a", "{ a", "if a", "| a", "a <<E\nb", "a )"] {
        assert_ne!(problem(line), "", "{line}");
        assert!(commands(line).iter().any(|command| command.name() == "a"), "{line}");
    }
    assert_eq!(problem("a 'b' \"c\" `d` $(e) ${f} <(g) \\' # '"), "");
}

#[test]
fn two_hundred_levels_are_followed_and_more_are_reported() {
    for (open, close) in [
        ("$(", ")"),
        ("( ", " )"),
        ("{ ", "; }"),
        ("if ", "; then x; fi"),
        ("\"$(", ")\""),
        ("cat <(", ")"),
        ("eval ", ""),
        ("nice ", ""),
    ] {
        let nested = |levels: usize| format!("echo; {}rm x{}", open.repeat(levels), close.repeat(levels));
        assert_eq!(problem(&nested(200)), "", "{open}");
        assert!(texts(&nested(200)).contains(&"rm x".to_owned()), "{open}");
        assert_ne!(problem(&nested(50_000)), "", "{open}");
    }
    assert_eq!(problem(&"x".repeat(2 << 20)), "the line is too long");
}

#[test]
fn whatever_nests_ends_in_a_verdict() {
    for open in ["$[", "${a:-", "\"${a:-", "$((", "${a[", "$[$("] {
        let line = format!("echo {}", open.repeat(100_000));
        assert_ne!(problem(&line), "", "{open}");
    }
}

/// Pieces that, repeated, open, nest, call or copy without end.
const PIECES: &[&str] = &[
    "(",
    "$(",
    "`",
    "\"$(",
    "((",
    "$((",
    "${a:-",
    "{a,",
    "{a,b}",
    "eval ",
    "nice ",
    "x=$x$x;",
    "a|",
    "a && ",
    "if a; then ",
    "f() { f; f; };",
    "for a in 1 2 3; do ",
    "<<E ",
    "<<E\n",
    "'",
    "\\",
    "a;",
    "bash -c ",
    "echo a | ",
    "xargs -Ia a ",
    "case a in a) ",
    "\u{e000}",
    "*",
    "~/",
    "cd a;",
    "find . -exec ",
    "$'\\x",
    "a=(",
    "[[ ",
    ">a ",
    "git -c alias.a=b ",
    "parallel ::: ",
    "((a);",
    "${a[",
    "a[",
    "$[",
    "\u{e000}a",
    "{",
    "1>",
    "function f ",
    "@(",
    "python -c 'system(' ",
    "env -S ",
    "set -- $@ a;",
    "x=($x a);",
    "pushd a;",
];

#[test]
fn twice_the_line_is_twice_the_work() {
    let work = |piece: &str, length: usize| {
        let line = piece.repeat(length / piece.len());
        let mut analysis = Analysis::default();
        let memory = allocation_counter::measure(|| {
            analysis = analyse(&line, World { home: "/h", cwd: "/w", ..World::default() });
            for command in &analysis.commands {
                let _ = (command.options(), command.paths(), command.text());
            }
        });
        let copied = usize::try_from(memory.bytes_total).expect("fits");
        (analysis.work + copied, analysis.problem)
    };
    for piece in PIECES {
        let (once, _) = work(piece, 50_000);
        let (twice, problem) = work(piece, 100_000);
        // Whoever has worked up all means is stopped, and has not worked more than they allow.
        let limit =
            if problem.kind() == "excess" { 32 * LEAST_WORK.max(100_000 * WORK_PER_BYTE) } else { once * 5 / 2 };
        assert!(twice <= limit, "{piece}: {once}, then {twice}");
    }
}

proptest! {
    #[test]
    fn no_line_makes_the_reader_panic(
        line in prop::collection::vec(
            prop_oneof![
                "\\PC{0,3}",
                prop::sample::select(&[
                    "$(", ")", "`", "'", "\"", "${", "}", "{", "((", "))", "<<E\n", "E\n", "|", "&&", ";", "\n", "if ", "then ", "fi ", "do ",
                    "done ", "case ", "esac ", "in ", ";;", "for x ", "while ", "f() ", "[[ ", "]] ", "eval ", "bash -c ", "xargs -I{} ", "sudo ",
                    "$x", "x=", "x+=(", "\\", "$'", "#", "~", "*", "git -c ", "find . -exec ", ">", "<(", "<<<", "2>&1", "env -S ", "printf %s ",
                    "echo -e ", "python -c ", "perl -e 'é", "{1..9}", "\u{e000}", "\u{e001}", "é", "parallel ", "cd ", "set -- ", "trap ",
                ][..]).prop_map(str::to_owned),
            ],
            0..60,
        )
    ) {
        let analysis = analyse(&line.concat(), World { home: "/h", cwd: "/w", ..World::default() });
        for command in &analysis.commands {
            let _ = (command.options(), command.paths(), command.rest(), command.text());
        }
    }
}

#[test]
fn no_number_of_files_hides_one() {
    let mut line: String = (0..200).map(|nth| format!("echo a > f{nth}; ")).collect();
    line.push_str("echo rm x > last; bash last");
    assert!(texts(&line).iter().any(|text| text == "rm x"));
}

#[test]
fn whoever_wrote_any_part_of_a_file_is_named() {
    let is_run = |line: &str, writer: &str| {
        let commands = commands(line);
        let shell = commands.iter().find(|command| command.name() == "sh").expect("a shell");
        shell.code_from().iter().any(|name| name == writer)
    };
    let mut line = "curl u > f; ".to_owned();
    line.extend((0..40).map(|nth| format!("c{nth} >> f; ")));
    line.push_str("sh f");
    assert!(is_run(&line, "curl"));
    assert!(!is_run("curl u > f; echo ok > f; sh f", "curl"));
    assert!(is_run("curl u > f; a && echo ok > f; sh f", "curl"));
    let pipe = format!("curl u {} | sh", "| cat ".repeat(40));
    assert!(is_run(&pipe, "curl"));
    let group = format!("{{ curl u; {} }} | sh", "cat a; ".repeat(40));
    assert!(is_run(&group, "curl"));
}

#[test]
fn a_program_of_windows_goes_by_its_name() {
    let names = |line: &str| commands(line).iter().map(|command| command.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names("git.exe status; 'C:\\x\\RM.EXE' -r a; curl.exe u | sh"), ["git", "rm", "curl", "sh"]);
    assert_eq!(names("./.exe; a.exec; ünï.exe"), [".exe", "a.exec", "ünï"]);
}
