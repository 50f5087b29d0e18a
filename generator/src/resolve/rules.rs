//! Tables of rules about commands: each row says only what a rule can say, and what a command can have.

use std::collections::BTreeSet;

use hookgen_runtime::library::{RULE_KEYS, has_any};
use hookgen_runtime::shell::{World, analyse};
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
            return self.odd_rule(
                at,
                "a rule about commands is a record".to_owned(),
                "write `{ name: git, any: [-f] }`",
            );
        };
        for (key, value) in row {
            let known = RULE_KEYS.iter().map(|(key, _)| *key);
            let place = at.key(key);
            if !known.clone().any(|known| known == key) {
                let help = did_you_mean(key, known.clone()).map_or_else(
                    || format!("a rule has: {}", known.collect::<Vec<_>>().join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                self.odd_rule(&place, format!("a rule about commands has no `{key}`"), &help);
            } else if texts(value).is_none() {
                self.odd_rule(&place, format!("`{key}` is a text, or a list of texts"), "write `[…]` with texts in it");
            }
        }
        if row.get("name").and_then(texts).unwrap_or_default().is_empty() {
            let help = "name the program, or several: without it, the rule would speak of every command";
            return self.odd_rule(at, "the rule names no program".to_owned(), help);
        }
        self.options(row, at);
    }

    /// An option that no command of that name could ever be read as having makes a rule that never holds.
    fn options(&self, row: &Map<String, Value>, at: &Pointer) {
        let all = |key: &str| row.get(key).and_then(texts).unwrap_or_default();
        let (names, subcommands) = (all("name"), all("subcommand"));
        for key in ["any", "all", "unless"] {
            for option in all(key).into_iter().flat_map(|option| option.split('|')) {
                let possible = names.iter().any(|name| {
                    let name = name.trim_end_matches('*');
                    let words = |subcommand: &str| format!("{name} {subcommand} {option} x");
                    let mut lines = subcommands.iter().map(|subcommand| words(subcommand)).collect::<Vec<_>>();
                    lines.extend(subcommands.is_empty().then(|| words("")));
                    lines.iter().any(|line| has(line, option))
                });
                if !possible {
                    let help =
                        "options are read one by one: `-rf` is `-r` and `-f`; a word without `-` belongs into `words`";
                    self.odd_rule(&at.key(key), format!("no such command ever has the option `{option}`"), help);
                }
            }
        }
    }

    fn odd_rule(&self, at: &Pointer, message: String, help: &str) {
        self.report(Diagnostic::error(Code::BadValue, message).primary(self.document.at(at), "").help(help));
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
        let known = || RULE_KEYS.iter().map(|(key, _)| *key);
        let mut sound = true;
        for (key, at) in keys.iter().filter(|(key, _)| !known().any(|known| known == *key)) {
            let help = did_you_mean(key, known()).map_or_else(
                || format!("a rule has: {}", known().collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("a rule about commands has no `{key}`");
            self.report(Code::BadArguments, message, at.span.clone(), "", help);
            sound = false;
        }
        if sound && keys.len() == entries.len() && !keys.iter().any(|(key, _)| *key == "name") {
            let help = "name the program, or several: without it, the rule would speak of every command";
            self.report(Code::BadArguments, "the rule names no program", span.clone(), "", help);
            sound = false;
        }
        sound.then_some(())
    }
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
}
