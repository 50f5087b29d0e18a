//! Whether a command is one that a row of a table speaks of.

use crate::failure::{Attempt, Failure};
use crate::json::Json;
use crate::node::Node;
use crate::shell::Command;
use crate::signature::function;

use super::{has_all, has_any};

/// The keys of a row. All that are there must hold.
pub static RULE_KEYS: &[(&str, &str)] = &[
    ("name", "the program, or one of several; a `*` at the end stands for any rest"),
    ("subcommand", "its subcommand, or one of several"),
    ("any", "options of which it has at least one"),
    ("all", "options that it has all of; spellings of one are separated by `|`"),
    ("unless", "options that it has none of"),
    ("words", "words of which one stands among what follows the subcommand"),
    ("says", "what is said of such a command; for whoever reads the row"),
];

/// Whether the command is one that the row speaks of.
pub fn fits_rule(command: &Command, rule: Node<'_>) -> Attempt<bool> {
    let Json::Object(fields) = rule.json() else {
        return Err(Failure::Expression("a rule about commands is a record".to_owned()));
    };
    if let Some((unknown, _)) = fields.iter().find(|(key, _)| !RULE_KEYS.iter().any(|(known, _)| known == key)) {
        let known: Vec<&str> = RULE_KEYS.iter().map(|(key, _)| *key).collect();
        return Err(Failure::Expression(format!("a rule has no `{unknown}`; it has {}", known.join(", "))));
    }
    let texts = |key: &str| texts(rule.key(key));
    let names = texts("name")?;
    if names.is_empty() {
        return Err(Failure::Expression("a rule without `name` would speak of every command".to_owned()));
    }
    let subcommands = texts("subcommand")?;
    let (any, all, unless, words) = (texts("any")?, texts("all")?, texts("unless")?, texts("words")?);
    let one_of =
        |wanted: &[String], found: &[String]| wanted.is_empty() || found.iter().any(|word| wanted.contains(word));
    Ok(names.iter().any(|name| is_called(command.name(), name))
        && (subcommands.is_empty() || subcommands.iter().any(|name| command.subcommand() == name))
        && (any.is_empty() || has_any(command, &any))
        && has_all(command, &all)
        && !has_any(command, &unless)
        && one_of(&words, command.rest()))
}

fn is_called(name: &str, wanted: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == wanted,
    }
}

/// One text or a list of them; none where there is nothing.
fn texts(node: Node<'_>) -> Attempt<Vec<String>> {
    if node.is_text() {
        return Ok(vec![node.text()?.into_owned()]);
    }
    node.list(|item| item.text().map(std::borrow::Cow::into_owned))
}

function! {
    FUNCTION: fits_rule,
    name: "fitsRule",
    receiver: Object<Command>,
    params: { rule: Any },
    result: Bool,
    fallible: true,
    doc: "Whether the command is one that a row of a table speaks of: `name` (one or several; `mkfs*` for a beginning), \
           `subcommand`, `any` and `all` (options), `unless` (options that it has none of), `words` (one of what follows the \
           subcommand); what is not there does not matter. Another key is a failure, and an error in a table of `data`.",
    example: "'git reset --hard'.commands().exists(c, c.fitsRule({'name': 'git', 'subcommand': 'reset', 'any': ['--hard']}))",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Origin;
    use crate::shell::{World, analyse};

    fn fits(line: &str, rule: &str) -> Attempt<bool> {
        let rule = Json::parse(rule).expect("JSON");
        fits_rule(&analyse(line, World::default()).commands.remove(0), Node::new(&rule, Origin::Data))
    }

    #[test]
    fn all_that_a_row_says_must_hold() {
        let rule = r#"{"name": ["git", "hub"], "subcommand": "clean", "any": ["-f", "--force"], "unless": ["-n"], "says": "x"}"#;
        assert_eq!(fits("git clean -fd", rule), Ok(true));
        assert_eq!(fits("git clean -nfd", rule), Ok(false));
        assert_eq!(fits("git clean -d", rule), Ok(false));
        assert_eq!(fits("git status -f", rule), Ok(false));
        assert_eq!(fits("mkfs.ext4 /dev/sda", r#"{"name": "mkfs*"}"#), Ok(true));
        assert_eq!(fits("git stash clear", r#"{"name": "git", "subcommand": "stash", "words": ["clear"]}"#), Ok(true));
        assert_eq!(fits("git stash list", r#"{"name": "git", "subcommand": "stash", "words": ["clear"]}"#), Ok(false));
        assert_eq!(fits("rm -rf x", r#"{"name": "rm", "all": ["-r|-R", "-f"]}"#), Ok(true));
    }

    #[test]
    fn a_row_that_says_something_else_is_a_failure() {
        for odd in [r#"{"name": "rm", "option": ["-f"]}"#, r#"{"any": ["-f"]}"#, r#""rm""#, r#"{"name": 3}"#] {
            assert!(fits("rm -f x", odd).is_err(), "{odd}");
        }
    }
}
