//! A shell line in which certain commands are others, and every other byte stays.

use std::borrow::Cow;
use std::ops::Range;

use crate::call::Call;
use crate::failure::Attempt;
use crate::home;
use crate::node::Node;
use crate::shell::{Declared, Located, World, analyse, located};
use crate::signature::function;

use super::fits_rule;

/// What takes the place of some bytes of the line.
type Edit = (Range<usize>, String);

/// The line with another program for each command that the rule speaks of.
pub fn with_program(call: &Call<'_>, line: &str, rule: Node<'_>, program: &str) -> Attempt<String> {
    let words: Vec<Cow<'_, str>> = program.split_whitespace().map(quoted).collect();
    edited(call, line, rule, |one| {
        let (span, _) = one.words.first()?;
        (!words.is_empty()).then(|| vec![(span.clone(), words.join(" "))])
    })
}

/// The line with more words for each command that the rule speaks of.
pub fn with_words(call: &Call<'_>, line: &str, rule: Node<'_>, words: &[impl AsRef<str>]) -> Attempt<String> {
    let more: String = words.iter().map(|word| format!(" {}", quoted(word.as_ref()))).collect();
    edited(call, line, rule, |one| {
        let subcommand = one.command.subcommand();
        let is_it = |text: &Option<String>| !subcommand.is_empty() && text.as_deref() == Some(subcommand);
        let after = one.words.iter().skip(1).find(|(_, text)| is_it(text)).or(one.words.first())?.0.end;
        // A subcommand that does not stand among the words cannot be told from an operand of the same name.
        let told = subcommand.is_empty() || one.words.iter().skip(1).any(|(_, text)| is_it(text));
        told.then(|| vec![(after..after, more.clone())])
    })
}

/// The line without certain words of each command that the rule speaks of.
pub fn without_words(call: &Call<'_>, line: &str, rule: Node<'_>, words: &[impl AsRef<str>]) -> Attempt<String> {
    let dropped = |text: &str| {
        words.iter().map(AsRef::as_ref).any(|word: &str| {
            let value = text.strip_prefix(word).is_some_and(|rest| word.starts_with("--") && rest.starts_with('='));
            text == word || value
        })
    };
    edited(call, line, rule, |one| {
        // What stands behind `--` is an operand, whatever it looks like.
        let args = one.words.iter().enumerate().skip(1).take_while(|(_, (_, text))| text.as_deref() != Some("--"));
        let gone = args
            .filter(|(place, (_, text))| text.as_deref().is_some_and(dropped) && one.stands_alone(line, *place))
            .map(|(_, (span, _))| {
                let before = line.get(..span.start).unwrap_or_default();
                let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
                (span.start - blanks..span.end, String::new())
            });
        Some(gone.collect())
    })
}

/// The line with the edits of all commands that the rule speaks of; as it is where that would break it.
fn edited(
    call: &Call<'_>,
    line: &str,
    rule: Node<'_>,
    edit: impl Fn(&Located) -> Option<Vec<Edit>>,
) -> Attempt<String> {
    let home = home::of_environment().map(|home| home.to_string_lossy().into_owned()).unwrap_or_default();
    let cwd = call.cwd().to_string_lossy();
    let world = World { home: &home, cwd: &cwd, declared: Declared::default() };
    let mut edits = Vec::new();
    for one in located(line, world) {
        if fits_rule(&one.command, rule)? {
            edits.extend(edit(&one).unwrap_or_default());
        }
    }
    edits.sort_by_key(|(span, _)| span.start);
    edits.dedup();
    let mut changed = String::with_capacity(line.len());
    let mut at = 0;
    for (span, new) in &edits {
        let Some(before) = line.get(at..span.start) else { return Ok(line.to_owned()) };
        changed.push_str(before);
        changed.push_str(new);
        at = span.end;
    }
    changed.push_str(line.get(at..).unwrap_or_default());
    let sound = analyse(&changed, world).problem.text().is_empty();
    Ok(if sound { changed } else { line.to_owned() })
}

/// The word as a shell takes it for one.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |character: char| character.is_alphanumeric() || "-_./=:,@%+".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
    }
}

function! {
    PROGRAM: with_program,
    name: "withProgram",
    receiver: Text,
    params: { rule: Any, program: Text },
    result: Text,
    fallible: true,
    powers: [Environment],
    doc: "The shell line with another program, or several words, for each command that the rule speaks of; rules are those of \
           `fitsRule`. Every other byte stays: text that only looks like the command, quotes, comments. A command whose words \
           do not stand in the line to the byte (in a variable, a here-document, text for another shell) stays as it is.",
    example: "'python x && echo \"python\"'.withProgram({'name': 'python'}, 'uv run python') == 'uv run python x && echo \"python\"'",
}

function! {
    MORE: with_words,
    name: "withWords",
    receiver: Text,
    params: { rule: Any, words: List<Text> },
    result: Text,
    fallible: true,
    powers: [Environment],
    doc: "The shell line with more words for each command that the rule speaks of, behind the program or its subcommand. They \
           are quoted where they have to be; every other byte stays, as with `withProgram`.",
    example: "'cd x; git push origin'.withWords({'name': 'git', 'subcommand': 'push'}, ['--dry-run']) == 'cd x; git push --dry-run origin'",
}

function! {
    LESS: without_words,
    name: "withoutWords",
    receiver: Text,
    params: { rule: Any, words: List<Text> },
    result: Text,
    fallible: true,
    powers: [Environment],
    doc: "The shell line without these words of each command that the rule speaks of. `--option` takes `--option=value` along; an \
           option inside of others (`-nm`), the value of another option, and what stands behind `--` stay. Every other \
           byte stays, as with `withProgram`.",
    example: "'git commit --no-verify -m \"--no-verify\"'.withoutWords({'name': 'git'}, ['--no-verify', '-n']) == 'git commit -m \"--no-verify\"'",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::json::Json;
    use crate::node::Origin;

    fn with<T>(rule: &str, ask: impl FnOnce(&Call<'_>, Node<'_>) -> T) -> T {
        let rule = Json::parse(rule).expect("JSON");
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        ask(&call, Node::new(&rule, Origin::Data))
    }

    fn uv(line: &str) -> String {
        let rule = r#"{"name": "python"}"#;
        with(rule, |call, rule| with_program(call, line, rule, "uv run python")).expect("a rule")
    }

    #[test]
    fn a_program_is_another_and_all_else_stays() {
        for (line, changed) in [
            ("python x && echo \"python\"", "uv run python x && echo \"python\""),
            ("A=1 python  'x y' # python", "A=1 uv run python  'x y' # python"),
            ("sudo python x; python y", "sudo uv run python x; uv run python y"),
            ("echo $(python x) >python", "echo $(uv run python x) >python"),
            ("ls\npython \\\n x\n", "ls\nuv run python \\\n x\n"),
            ("'python' \"$x\"", "uv run python \"$x\""),
        ] {
            assert_eq!(uv(line), changed);
        }
    }

    #[test]
    fn what_cannot_be_told_to_the_byte_stays() {
        for line in [
            "echo python x",
            "bash -c 'python x'",
            "$PY x",
            "eval python x",
            "cat <<E\npython x\nE",
            "python() { ls; }; python",
            "python 'x",
            "uv run python x",
            "python3 x",
            "",
        ] {
            assert_eq!(uv(line), line);
        }
    }

    #[test]
    fn words_come_and_go() {
        let push = r#"{"name": "git", "subcommand": "push"}"#;
        let more = |line: &str| with(push, |call, rule| with_words(call, line, rule, &["-n", "a b"])).expect("a rule");
        assert_eq!(more("git -C x push origin"), "git -C x push -n 'a b' origin");
        assert_eq!(more("git pull; echo git push"), "git pull; echo git push");
        assert_eq!(more("git $X push"), "git $X push");
        let less =
            |line: &str| with(push, |call, rule| without_words(call, line, rule, &["--force", "-f"])).expect("a rule");
        assert_eq!(less("git push  --force origin -f"), "git push origin");
        assert_eq!(less("git push --force=x -fu '--force'"), "git push -fu");
        assert_eq!(less("git push -- --force && ls -f"), "git push -- --force && ls -f");
        assert_eq!(less("git push >x -f"), "git push >x");
        let commit = r#"{"name": "git", "subcommand": "commit"}"#;
        let less = |line: &str| with(commit, |call, rule| without_words(call, line, rule, &["-n"])).expect("a rule");
        assert_eq!(less("git commit -m -n -n"), "git commit -m -n");
        assert_eq!(less("git commit -m \"$msg\" -n"), "git commit -m \"$msg\"");
        assert_eq!(less("git commit $X -n"), "git commit $X -n");
    }

    #[test]
    fn a_rule_that_is_none_is_a_failure() {
        assert!(with(r#"{"nam": "x"}"#, |call, rule| with_program(call, "ls", rule, "x")).is_err());
    }
}
