//! Whether a command has certain options.

use crate::shell::Command;
use crate::signature::function;

/// Whether the command has at least one of the options.
pub fn has_any(command: &Command, options: &[impl AsRef<str>]) -> bool {
    options.iter().any(|wanted| has(command, wanted.as_ref()))
}

/// Whether the command has each of the options; those separated by `|` mean the same.
pub fn has_all(command: &Command, options: &[impl AsRef<str>]) -> bool {
    options.iter().all(|wanted| wanted.as_ref().split('|').any(|one| has(command, one)))
}

fn has(command: &Command, wanted: &str) -> bool {
    command.options().iter().any(|option| option == wanted)
}

function! {
    ANY: has_any,
    name: "hasAny",
    receiver: Object<Command>,
    params: { options: List<Text> },
    result: Bool,
    doc: "Whether the command has at least one of the options, however they are grouped or shortened.",
    example: "'rm -rf x'.commands().exists(c, c.hasAny(['-f', '--force']))",
}

function! {
    ALL: has_all,
    name: "hasAll",
    receiver: Object<Command>,
    params: { options: List<Text> },
    result: Bool,
    doc: "Whether the command has each of the options. Spellings of the same option are separated by `|`.",
    example: "'rm --recursive -f x'.commands().exists(c, c.hasAll(['-r|-R|--recursive', '-f|--force']))",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{World, analyse};

    #[test]
    fn spellings_of_an_option_count_as_one() {
        let command = |line: &str| analyse(line, World::default()).commands.remove(0);
        assert!(has_all(&command("rm -fR x"), &["-r|-R", "-f"]));
        assert!(!has_all(&command("rm -R x"), &["-r|-R", "-f"]));
        assert!(has_any(&command("rm -R x"), &["-f", "-R"]));
        assert!(!has_any(&command("rm -- -R"), &["-R"]));
    }
}
