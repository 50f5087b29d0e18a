//! What the hooks of a catalog can do to the world, for whoever has to decide whether to trust them.

use std::collections::BTreeSet;

use super::hook::service;
use super::markdown::{Table, codes, hook_link, or_dash};
use crate::model::{BinaryOp, Catalog, Effect, Expr, ExprKind, Fact, Hook, Template};
use crate::resolve::uses;

/// What functions that start a program call its command line.
const COMMAND_LINE: &str = "argv";

pub(super) fn table(catalog: &Catalog) -> Table {
    let with = |can: &dyn Fn(&Effect) -> bool| {
        listed(catalog, |hook| hook.checks.iter().flat_map(|check| &check.effects).any(can).then(String::new))
    };
    let power = |what: &str, hooks: String| [what.to_owned(), hooks];
    Table::new(
        ["power", "hooks"],
        vec![
            power("refuse or hold up", with(&|effect| matches!(effect, Effect::Deny(_)))),
            power("approve in the person's place", with(&|effect| matches!(effect, Effect::Allow(_)))),
            power("ask the person", with(&|effect| matches!(effect, Effect::Ask(_)))),
            power("change what a tool is given", with(&|effect| matches!(effect, Effect::Rewrite { .. }))),
            power("send the model back to work on a result", with(&|effect| matches!(effect, Effect::Feedback(_)))),
            power("set environment variables", with(&|effect| matches!(effect, Effect::Export { .. }))),
            power("start programs", listed(catalog, |hook| programs(&Reached::by(catalog, hook)))),
            power("write or delete files and counters", listed(catalog, |hook| found(&hook.writes))),
            power("read environment variables", listed(catalog, |hook| found(&Reached::by(catalog, hook).variables))),
            power("send the event to a service", listed(catalog, |hook| hook.service.as_ref().map(service))),
            power("ask a model to decide", listed(catalog, |hook| hook.prompt.as_ref().map(|_| String::new()))),
        ],
    )
}

/// Links to the hooks that have something to show, each with it.
fn listed(catalog: &Catalog, shown: impl Fn(&Hook) -> Option<String>) -> String {
    let entries = catalog.hooks.iter().filter_map(|hook| {
        let shown = shown(hook)?;
        Some(if shown.is_empty() { hook_link(hook) } else { format!("{} ({shown})", hook_link(hook)) })
    });
    or_dash(entries.collect::<Vec<_>>().join(", "))
}

fn found<'n>(names: impl IntoIterator<Item = &'n String>) -> Option<String> {
    let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
    (!names.is_empty()).then(|| codes(names))
}

fn programs(reached: &Reached) -> Option<String> {
    let named = found(&reached.programs);
    let others = reached.by_the_constants.then(|| "those that the constants name".to_owned());
    let all: Vec<String> = named.into_iter().chain(others).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// What the expressions of a hook reach, through the facts and messages that it uses.
#[derive(Default)]
struct Reached {
    programs: BTreeSet<String>,
    /// Whether the catalog's constants say which program is started.
    by_the_constants: bool,
    variables: BTreeSet<String>,
}

impl Reached {
    fn by(catalog: &Catalog, hook: &Hook) -> Self {
        let used = uses::of_hook(catalog, hook);
        let facts: Vec<&Fact> = catalog.facts.iter().filter(|fact| used.facts.contains(&fact.name)).collect();
        let messages = catalog.messages.iter().filter(|message| used.messages.contains(&message.name));
        let defined: Vec<&Fact> = facts.iter().copied().chain(&hook.bindings).collect();
        let effects = hook.checks.iter().flat_map(|check| &check.effects).flat_map(Effect::expressions);
        let conditions = hook.when.iter().chain(hook.checks.iter().filter_map(|check| check.when.as_ref()));
        let roots = defined
            .iter()
            .map(|fact| &fact.expr)
            .chain(conditions.map(|condition| &condition.expr))
            .chain(effects)
            .chain(messages.map(|message| &message.template).flat_map(Template::expressions));
        let mut reached = Self::default();
        roots.for_each(|root| reached.walk(root, &defined));
        reached
    }

    fn walk(&mut self, expr: &Expr, defined: &[&Fact]) {
        match &expr.kind {
            ExprKind::Env(name) => drop(self.variables.insert(name.clone())),
            ExprKind::Call { function, args } => {
                let place = function.params.iter().position(|(name, _)| *name == COMMAND_LINE);
                if let Some(line) = place.and_then(|place| args.get(place)) {
                    match program(line, defined) {
                        Some(program) => drop(self.programs.insert(program.to_owned())),
                        None => self.by_the_constants = true,
                    }
                }
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.walk(child, defined));
    }
}

/// The program that a command line begins with, if the catalog names it there. `env` is not what is meant.
fn program<'e>(line: &'e Expr, defined: &[&'e Fact]) -> Option<&'e str> {
    match &line.kind {
        ExprKind::List(items) => items.iter().find_map(|item| match &item.kind {
            ExprKind::Text(word) if word != "env" && !word.contains('=') => Some(word.as_str()),
            _ => None,
        }),
        ExprKind::Binary { op: BinaryOp::Add, left, .. } => program(left, defined),
        ExprKind::Fact(name) | ExprKind::Binding(name) => {
            program(&defined.iter().rev().find(|fact| fact.name == *name)?.expr, defined)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;
    use crate::catalog::Ordered;
    use crate::model::Service;

    #[test]
    fn every_power_has_a_row_and_names_its_hooks() {
        let table = table(&fixture::full()).to_string();
        let row = |power: &str| table.lines().find(|line| line.contains(power)).unwrap_or_default().to_owned();
        assert!(row("refuse or hold up").contains("[H01](#h01-guard-plan)"), "{table}");
        assert!(row("send the event").ends_with("| – |"), "{table}");
        assert!(row("ask a model").contains("H04") && !row("ask a model").contains("H01"), "{table}");
        let approving = row("approve in the person's place");
        assert!(approving.contains("H03") && !approving.contains("H01"), "{table}");
    }

    #[test]
    fn a_service_is_named_with_the_hook_that_asks_it() {
        let mut catalog = fixture::smallest();
        catalog.hooks[0].service =
            Some(Service::McpTool { server: "calendar".to_owned(), tool: "freeze".to_owned(), input: Ordered::new() });
        assert!(table(&catalog).to_string().contains("(`freeze` of the MCP server `calendar`)"));
    }

    #[test]
    fn the_program_is_found_behind_definitions() {
        let text = |word: &str| Expr::new(ExprKind::Text(word.to_owned()), crate::model::Type::Text);
        let list = |words: &[&str]| Expr {
            kind: ExprKind::List(words.iter().map(|word| text(word)).collect()),
            ty: crate::model::Type::List(Box::new(crate::model::Type::Text)),
        };
        assert_eq!(program(&list(&["env", "A=0", "git", "-C"]), &[]), Some("git"));
        let sum = Expr {
            ty: list(&[]).ty,
            kind: ExprKind::Binary {
                op: BinaryOp::Add,
                left: Box::new(list(&["curl"])),
                right: Box::new(list(&["x"])),
            },
        };
        assert_eq!(program(&sum, &[]), Some("curl"));
        assert_eq!(program(&text("curl"), &[]), None);
    }
}
