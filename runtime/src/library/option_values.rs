//! The values of a command's options.

use crate::shell::Command;
use crate::signature::function;

/// The value of the option, the last one if it is given several times; empty if it has none.
pub fn value(command: &Command, option: &str) -> String {
    values(command, option).pop().unwrap_or_default()
}

/// The values of the option, glued to it or apart.
pub fn values(command: &Command, option: &str) -> Vec<String> {
    command.option_values(option)
}

function! {
    ONE: value,
    name: "value",
    receiver: Object<Command>,
    params: { option: Text },
    result: Text,
    doc: "The value of the option, whether it is glued to it (`-ofile`, `--output=file`) or the next word; of several, the \
           last; empty if it has none. Spellings of the same option are separated by `|`.",
    example: "'curl -sofile --max-time=3 u'.commands().exists(c, c.value('-o|--output') == 'file' && c.value('--max-time') == '3')",
}

function! {
    ALL: values,
    name: "values",
    receiver: Object<Command>,
    params: { option: Text },
    result: List<Text>,
    doc: "All values of an option that may be given several times, in their order.",
    example: "'docker run -v a:b --volume=c:d x'.commands()[0].values('-v|--volume') == ['a:b', 'c:d']",
}
