//! Tables of rules about commands: each row says only what a rule can say, and what a command can have.

use std::collections::BTreeSet;

use hookgen_runtime::library::{RULE_KEYS, has_any};
use hookgen_runtime::shell::{Command, World, analyse};
use hookgen_runtime::signature::Function;
use serde_json::{Map, Value};

use super::Resolver;
use super::typing::Checker;
use crate::cel::{Ast, Node};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::document::Pointer;
use crate::model::{self, BinaryOp, Expr, ExprKind};

/// The function that holds a command against a row.
const FITS: &str = "fitsRule";

impl Resolver<'_> {
    /// Checks every table of `data` whose rows commands are held against.
    pub(super) fn rules(&self, catalog: &model::Catalog) {
        let mut tables = BTreeSet::new();
        for hook in &catalog.hooks {
            let checks = hook.checks.iter().flat_map(|check| {
                let effects = check.effects.iter().flat_map(model::Effect::expressions);
                check.when.iter().map(|when| &when.expr).chain(effects)
            });
            let own = hook.when.iter().map(|when| &when.expr).chain(hook.bindings.iter().map(|fact| &fact.expr));
            own.chain(checks).for_each(|expr| find(expr, &mut tables));
        }
        catalog.facts.iter().for_each(|fact| find(&fact.expr, &mut tables));
        for table in tables {
            let at = Pointer::root().key("data").key(&table);
            let rows = self.written.data.get(&table).and_then(Value::as_array);
            for (number, row) in rows.into_iter().flatten().enumerate() {
                self.rule(row, &at.index(number));
            }
        }
    }

    fn rule(&self, row: &Value, at: &Pointer) {
        let Value::Object(row) = row else {
            let help = "write `{ name: git, any: [-f] }`".to_owned();
            return self.odd_rule(at, Odd { key: None, message: "a rule about commands is a record".to_owned(), help });
        };
        for odd in odd(row) {
            let place = odd.key.as_ref().map_or_else(|| at.clone(), |key| at.key(key));
            self.odd_rule(&place, odd);
        }
    }

    fn odd_rule(&self, at: &Pointer, odd: Odd) {
        let place = self.document.at(at);
        self.report(Diagnostic::error(Code::BadValue, odd.message).primary(place, "").help(odd.help));
    }
}

impl Checker<'_, '_> {
    /// Whether a rule that is written out where it is used says only what a rule can say; reports it if not.
    pub(super) fn rule_known(&self, function: &Function, args: &[Ast]) -> Option<()> {
        let written = function.params.iter().zip(args).find(|((name, _), _)| *name == "rule").map(|(_, arg)| arg);
        let Some(Ast { node: Node::Map(entries), span }) = written else { return Some(()) };
        let keys: Vec<(&str, &Ast)> = entries
            .iter()
            .filter_map(|(key, _)| if let Node::Text(text) = &key.node { Some((text.as_str(), key)) } else { None })
            .collect();
        if keys.len() < entries.len() {
            return Some(());
        }
        // What only running tells stands for itself, and is nothing that could be odd.
        let row = keys.iter().zip(entries).map(|((key, _), (_, value))| ((*key).to_owned(), literal(value)));
        let found = odd(&row.collect());
        for odd in &found {
            let place = odd.key.as_ref().and_then(|odd| keys.iter().find(|(key, _)| key == odd));
            let span = place.map_or(span, |(_, at)| &at.span).clone();
            self.report(Code::BadArguments, odd.message.clone(), span, "", odd.help.clone());
        }
        found.is_empty().then_some(())
    }
}

/// What is wrong with a rule: at one of its keys, or as a whole.
struct Odd {
    key: Option<String>,
    message: String,
    help: String,
}

/// All that keeps a rule from ever holding, or that it cannot say. A value of null is one that is not known yet.
fn odd(row: &Map<String, Value>) -> Vec<Odd> {
    let mut found = Vec::new();
    let mut report = |key: Option<&str>, message: String, help: String| {
        found.push(Odd { key: key.map(str::to_owned), message, help });
    };
    for (key, value) in row {
        let known = RULE_KEYS.iter().map(|(key, _)| *key);
        if !known.clone().any(|known| known == key) {
            let help = did_you_mean(key, known.clone()).map_or_else(
                || format!("a rule has: {}", known.collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            report(Some(key), format!("a rule about commands has no `{key}`"), help);
        } else if !value.is_null() && texts(value).is_none() {
            let help = "write `[…]` with texts in it".to_owned();
            report(Some(key), format!("`{key}` is a text, or a list of texts"), help);
        }
    }
    let names = match row.get("name") {
        Some(Value::Null) => return found,
        name => name.and_then(texts).unwrap_or_default(),
    };
    if names.is_empty() {
        // A key that nobody knows may be the one that was meant.
        if row.keys().any(|key| !RULE_KEYS.iter().any(|(known, _)| known == key)) {
            return found;
        }
        let help = "name the program, or several: without it, the rule would speak of every command".to_owned();
        report(None, "the rule names no program".to_owned(), help);
        return found;
    }
    for name in names.iter().filter(|name| name.contains('/')) {
        let help = "the name of a program has no folder; the path as written is `program`".to_owned();
        report(Some("name"), format!("no command has the name `{name}`"), help);
    }
    let subcommand = row.get("subcommand").and_then(texts).unwrap_or_default();
    if !subcommand.is_empty() && !names.iter().any(|name| has_subcommands(name)) {
        let help = "ask for `words`, one of which the command must have".to_owned();
        report(Some("subcommand"), format!("no subcommands of `{}` are known", names.join("`, `")), help);
    }
    for (key, option) in impossible_options(row, &names) {
        let help = "options are read one by one: `-rf` is `-r` and `-f`; a word without `-` belongs into `words`";
        report(Some(key), format!("no such command ever has the option `{option}`"), help.to_owned());
    }
    found
}

/// Options that no command of those names could ever be read as having: they make a rule that never holds.
fn impossible_options<'r>(row: &'r Map<String, Value>, names: &[&str]) -> Vec<(&'static str, &'r str)> {
    let all = |key: &str| row.get(key).and_then(texts).unwrap_or_default();
    let subcommands = all("subcommand");
    let possible = |option: &str| {
        names.iter().any(|name| {
            let name = name.trim_end_matches('*');
            let words = |subcommand: &str| format!("{name} {subcommand} {option} x");
            let mut lines = subcommands.iter().map(|subcommand| words(subcommand)).collect::<Vec<_>>();
            lines.extend(subcommands.is_empty().then(|| words("")));
            lines.iter().any(|line| has(line, option))
        })
    };
    let mut found = Vec::new();
    for key in ["any", "all", "unless"] {
        let options = all(key).into_iter().flat_map(|option| option.split('|'));
        found.extend(options.filter(|option| !possible(option)).map(|option| (key, option)));
    }
    found
}

/// A text, or a list of texts, that is written out; null for everything else.
fn literal(value: &Ast) -> Value {
    let text = |ast: &Ast| if let Node::Text(text) = &ast.node { Some(Value::from(text.as_str())) } else { None };
    match &value.node {
        Node::Text(text) => Value::from(text.as_str()),
        Node::List(items) => items.iter().map(text).collect::<Option<Vec<_>>>().map_or(Value::Null, Value::from),
        _ => Value::Null,
    }
}

/// Whether the reader of shell lines takes the first word behind that program for a subcommand. What is no program at
/// all, and what runs another, cannot be told.
pub(crate) fn has_subcommands(program: &str) -> bool {
    command(program).is_none_or(|command| !command.subcommand().is_empty())
}

/// What the reader makes of the program and a word, if it is that one command.
pub(crate) fn command(program: &str) -> Option<Command> {
    let mut commands = analyse(&format!("{program} word"), World::default()).commands;
    let only = commands.pop().filter(|_| commands.is_empty())?;
    (only.name() == program).then_some(only)
}

fn has(line: &str, option: &str) -> bool {
    analyse(line, World::default()).commands.iter().any(|command| has_any(command, &[option]))
}

fn texts(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::String(text) => Some(vec![text]),
        Value::Array(items) => items.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// The tables over which a macro goes that holds commands against its variable.
fn find(expr: &Expr, tables: &mut BTreeSet<String>) {
    if let ExprKind::Macro { list, variable, body, .. } = &expr.kind
        && asks(body, variable)
    {
        named(list, tables);
    }
    expr.children().into_iter().for_each(|child| find(child, tables));
}

fn asks(expr: &Expr, variable: &str) -> bool {
    let holds = |arg: &Expr| matches!(&arg.kind, ExprKind::Variable(name) if name == variable);
    match &expr.kind {
        ExprKind::Call { function, args } if function.name == FITS => args.iter().any(holds),
        _ => expr.children().into_iter().any(|child| asks(child, variable)),
    }
}

fn named(list: &Expr, tables: &mut BTreeSet<String>) {
    match &list.kind {
        ExprKind::Data(name) => {
            tables.insert(name.clone());
        }
        ExprKind::Binary { op: BinaryOp::Add, left, right } => {
            named(left, tables);
            named(right, tables);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    fn messages(rows: &str) -> Vec<String> {
        let text = format!(
            "catalog: demo\nversion: 1.0.0\ndescription: Demo.\ndata: {{ rules: [{rows}] }}\nhooks:\n  - id: H01\n    \
             name: on-tool\n    event: PreToolUse\n    matcher: Bash\n    timeout: 1s\n    fail_safe: open\n    why: Demo.\n    \
             let: {{ line: tool_input.command.commands() }}\n    checks:\n      - id: one\n        for: rule in data.rules\n        \
             when: line.exists(c, c.fitsRule(rule))\n        deny: ${{rule.says}}\n"
        );
        let compiled = compile("demo.yaml".into(), text.into_bytes());
        compiled.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.message.clone()).collect()
    }

    #[test]
    fn a_row_says_what_a_rule_can_say() {
        let sound = "{ name: git, subcommand: reset, any: [--hard, --merge], says: no }, { name: [rm, rmdir], all: [-r|-R, -f] }";
        assert_eq!(messages(sound), Vec::<String>::new());
        assert_eq!(messages("{ name: git, option: [-f], says: no }"), ["a rule about commands has no `option`"]);
        assert_eq!(messages("{ any: [-f], says: no }"), ["the rule names no program"]);
        assert_eq!(messages("{ name: git, any: 3, says: no }"), ["`any` is a text, or a list of texts"]);
    }

    #[test]
    fn an_option_that_is_never_read_as_such_is_refused() {
        assert_eq!(messages("{ name: rm, any: [-rf], says: no }"), ["no such command ever has the option `-rf`"]);
        assert_eq!(messages("{ name: rm, any: [force], says: no }"), ["no such command ever has the option `force`"]);
        assert_eq!(messages("{ name: find, any: [-delete], says: no }"), Vec::<String>::new());
    }

    #[test]
    fn a_name_with_a_folder_and_a_subcommand_that_is_never_read_are_refused() {
        assert_eq!(messages("{ name: /bin/rm, any: [-r], says: no }"), ["no command has the name `/bin/rm`"]);
        let none = ["no subcommands of `rm`, `ls` are known"];
        assert_eq!(messages("{ name: [rm, ls], subcommand: x, says: no }"), none);
        assert_eq!(messages("{ name: [rm, git], subcommand: rm, says: no }"), Vec::<String>::new());
    }

    #[test]
    fn a_rule_that_is_written_out_is_judged_as_a_row_is() {
        let written = |rule: &str| {
            let text = format!(
                "catalog: demo\nversion: 1.0.0\ndescription: Demo.\nhooks:\n  - id: H01\n    name: on-tool\n    \
                 event: PreToolUse\n    matcher: Bash\n    timeout: 1s\n    fail_safe: open\n    why: Demo.\n    \
                 when: \"tool_input.command.commands().exists(c, c.fitsRule({rule}))\"\n    \
                 checks: [{{ id: one, deny: no }}]\n"
            );
            let compiled = compile("demo.yaml".into(), text.into_bytes());
            let errors = compiled.diagnostics.iter().filter(|found| found.is_error());
            errors.map(|found| found.message.clone()).collect::<Vec<_>>()
        };
        assert_eq!(written("{'name': 'rm', 'any': ['-rf']}"), ["no such command ever has the option `-rf`"]);
        assert_eq!(written("{'name': '/bin/rm'}"), ["no command has the name `/bin/rm`"]);
        // What only running tells is nobody's mistake.
        assert_eq!(written("{'name': cwd, 'any': [cwd]}"), Vec::<String>::new());
        assert_eq!(written("{'name': 'rm', 'any': ['-r', cwd]}"), Vec::<String>::new());
    }
}
