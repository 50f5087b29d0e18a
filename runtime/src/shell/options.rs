//! A command's words by their role: options, their values, operands, the subcommand.
//!
//! Without knowing a program, a word after an option may be its value or an operand; the tables say what is what for
//! the programs that guards ask about (`tables/options`), and for all others such words are operands.

use super::tables::options::{Usage, Value};
use super::wrappers::is_assignment;

/// The words of a command by role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) options: Vec<String>,
    pub(super) operands: Vec<String>,
    pub(super) subcommand: String,
    /// The operands but for the subcommand, where that is one of them.
    rest: Option<Vec<String>>,
}

impl Shape {
    /// The operands but for the subcommand.
    pub(super) fn rest(&self) -> &[String] {
        self.rest.as_ref().unwrap_or(&self.operands)
    }
}

/// What a word is.
enum Role<'a> {
    /// An option by its whole name, and its value.
    Option(String, Option<&'a str>),
    /// The same, of one whose value says what to do.
    Naming(String, &'a str),
    Operand(&'a str),
}

/// Sorts a command's words.
pub(super) fn shape(name: &str, args: &[String]) -> Shape {
    let mut shape = Shape::default();
    sort(name, args, &[], |role| match role {
        Role::Option(option, _) => shape.options.push(option),
        Role::Naming(option, subcommand) => {
            shape.options.push(option);
            subcommand.clone_into(&mut shape.subcommand);
        }
        Role::Operand(word) => shape.operands.push(word.to_owned()),
    });
    if !shape.subcommand.is_empty() {
        // Behind an option it says what to do as well, and is an operand as everywhere.
        let rest = shape.operands.clone();
        shape.operands.insert(0, shape.subcommand.clone());
        shape.rest = Some(rest);
    } else if Usage::of(name).commands
        && let Some(at) = shape.operands.iter().position(|word| may_be_subcommand(word))
    {
        let mut rest = shape.operands.clone();
        shape.subcommand = rest.remove(at);
        shape.rest = Some(rest);
    }
    shape
}

/// The values of an option, by any of its spellings, even where no table knows that it takes one.
pub(super) fn values(name: &str, args: &[String], spellings: &[&str]) -> Vec<String> {
    let mut values = Vec::new();
    sort(name, args, spellings, |role| {
        let (option, value) = match role {
            Role::Option(option, Some(value)) | Role::Naming(option, value) => (option, value),
            Role::Option(_, None) | Role::Operand(_) => return,
        };
        if spellings.contains(&option.as_str()) {
            values.push(value.to_owned());
        }
    });
    values
}

/// `make CC=x -j 4 test`, `cargo +nightly test`: settings, numbers and toolchains say nothing about what to do.
fn may_be_subcommand(word: &str) -> bool {
    !is_assignment(word) && !word.starts_with('+') && !word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Goes through a command's words, one role after the other; options among `valued` take a value, whatever tables say.
fn sort<'a>(name: &str, args: &'a [String], valued: &[&str], mut each: impl FnMut(Role<'a>)) {
    let mut usage = Usage::of(name);
    let mut told = !usage.commands;
    let mut rest = args.iter().map(String::as_str);
    while let Some(arg) = rest.next() {
        if arg == "--" && !told {
            // What follows the program's own options is still the subcommand with its options.
        } else if arg == "--" {
            rest.by_ref().for_each(|word| each(Role::Operand(word)));
        } else if usage.is_sign(arg) {
            // Neither an option nor an operand.
        } else if arg.len() < 2 || !arg.starts_with('-') {
            if !told && may_be_subcommand(arg) {
                told = true;
                usage = usage.with_subcommand(name, arg);
            }
            each(Role::Operand(arg));
        } else if arg.starts_with("--") || usage.words || valued.contains(&arg) && arg.len() > 2 {
            each(whole(arg, usage, valued, &mut rest));
        } else if cluster(arg, usage, valued, &mut rest, &mut each) {
            usage = Usage::default();
        }
    }
}

/// An option with a name: `--name`, `--name=value`, `-name`.
fn whole<'a>(arg: &'a str, usage: Usage, valued: &[&str], rest: &mut impl Iterator<Item = &'a str>) -> Role<'a> {
    let (written, value) = arg.split_once('=').map_or((arg, None), |(name, value)| (name, Some(value)));
    let dashes = if written.starts_with("--") { 2 } else { 1 };
    let bare = written.get(dashes..).unwrap_or_default();
    let full = if dashes == 2 { usage.full_name(bare) } else { bare };
    let option = format!("{}{full}", written.get(..dashes).unwrap_or_default());
    let asked = valued.contains(&option.as_str());
    let value = value.or_else(|| match usage.long(full) {
        Value::None if asked => rest.next(),
        Value::None => None,
        Value::Word | Value::Command => rest.next(),
        Value::Pair => rest.next().and_then(|_| rest.next()),
        Value::Words => rest.by_ref().find(|word| matches!(*word, ";" | "+")).and(None),
    });
    Role::Option(option, value)
}

/// Options of one letter each, the last of which may have a value. Whether that value says what to do.
fn cluster<'a>(
    arg: &'a str,
    usage: Usage,
    valued: &[&str],
    rest: &mut impl Iterator<Item = &'a str>,
    each: &mut impl FnMut(Role<'a>),
) -> bool {
    let letters = arg.get(1..).unwrap_or_default();
    for (at, letter) in letters.char_indices() {
        let option = format!("-{letter}");
        let kind = usage.letter(letter);
        if kind == Value::None && !valued.contains(&option.as_str()) {
            each(Role::Option(option, None));
            continue;
        }
        let value = match letters.get(at + letter.len_utf8()..).unwrap_or_default() {
            "" => rest.next(),
            glued => Some(glued.strip_prefix('=').unwrap_or(glued)),
        };
        return match (kind, value) {
            (Value::Command, Some(subcommand)) => {
                each(Role::Naming(option, subcommand));
                true
            }
            (_, value) => {
                each(Role::Option(option, value));
                false
            }
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(line: &str) -> Shape {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (name, args) = words.split_first().expect("a program");
        shape(name, args)
    }

    #[test]
    fn options_come_one_by_one_and_in_full() {
        assert_eq!(sorted("x -rf a --one=x -- -b").options, ["-r", "-f", "--one"]);
        assert_eq!(sorted("rm -rf a -- -b").operands, ["a", "-b"]);
        assert_eq!(sorted("rm --rec --forc x").options, ["--recursive", "--force"]);
        assert_eq!(sorted("git push --force origin").options, ["--force"]);
        assert_eq!(sorted("git push --force- origin").options, ["--force-"]);
    }

    #[test]
    fn a_toolchain_is_no_subcommand() {
        let args = ["+nightly", "test", "a"].map(str::to_owned);
        assert_eq!(shape("cargo", &args).subcommand, "test");
    }

    #[test]
    fn values_are_no_operands() {
        let commit = sorted("git -C repo commit -am clean --author me file");
        assert_eq!(
            (commit.subcommand.as_str(), commit.operands),
            ("commit", vec!["commit".to_owned(), "file".to_owned()])
        );
        assert_eq!(sorted("git checkout -bfeature").options, ["-b"]);
    }

    #[test]
    fn programs_with_word_options_keep_them_whole() {
        assert_eq!(sorted("find . -name x -delete").options, ["-name", "-delete"]);
    }
}
