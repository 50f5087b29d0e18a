//! What the hooks of a catalog can do to the world, for whoever has to decide whether to trust them.
//!
//! What an effect does is known by its name. What an expression can reach is known from the declarations of the library:
//! wherever a hook gets to a function, through its definitions, facts, messages and the paths of documents, it has the
//! powers of that function.

use std::collections::{BTreeMap, BTreeSet};

use hookgen_runtime::representation::{self, Op, Representation};
use hookgen_runtime::signature::{Function, Power, Type};

use super::hook::service;
use super::markdown::{Table, codes, hook_link, or_dash};
use crate::bug::Bug;
use crate::lower::{command_hooks, lower};
use crate::model::{Catalog, Decision, Effect, Hook};

/// What functions can do, in the words of the table. Whoever looks at the event does what every hook does.
const POWERS: &[(Power, &str)] = &[
    (Power::Program, "start programs that may do anything"),
    (Power::Query, "ask programs that only look"),
    (Power::EndsPrograms, "end programs that an earlier call started"),
    (Power::Removes, "remove old files"),
    (Power::Files, "look at files"),
    (Power::Repository, "look at repositories"),
    (Power::Memory, "read what was remembered"),
    (Power::Waits, "wait"),
];

/// The powers that some hook has, and in a sentence those that none has.
pub(super) struct Powers {
    pub(super) table: String,
    pub(super) absent: String,
}

pub(super) fn of(catalog: &Catalog) -> Result<Powers, Bug> {
    let (held, absent): (Vec<_>, Vec<_>) = rows(catalog)?.into_iter().partition(|[_, hooks]| *hooks != or_dash(""));
    let absent: Vec<String> = absent.into_iter().map(|[power, _]| power).collect();
    Ok(Powers { table: Table::or_empty(["power", "hooks"], held), absent: absent.join(", ") })
}

fn rows(catalog: &Catalog) -> Result<Vec<[String; 2]>, Bug> {
    let whole = lower(catalog)?;
    let reached: BTreeMap<&str, Reached> = command_hooks(catalog)
        .enumerate()
        .map(|(place, hook)| (hook.id.as_str(), Reached::by(&whole, place)))
        .collect();
    let with = |can: &dyn Fn(&Effect) -> bool| {
        listed(catalog, |hook| hook.checks.iter().flat_map(|check| &check.effects).any(can).then(String::new))
    };
    let row = |what: &str, hooks: String| [what.to_owned(), hooks];
    let mut rows = vec![
        row("refuse or hold up", with(&|effect| matches!(effect, Effect::Decide(Decision::Deny, _)))),
        row("approve in the person's place", with(&|effect| matches!(effect, Effect::Decide(Decision::Allow, _)))),
        row("ask the person", with(&|effect| matches!(effect, Effect::Decide(Decision::Ask, _)))),
        row("change what a tool is given", with(&|effect| matches!(effect, Effect::Rewrite(_)))),
        row("send the model back to work on a result", with(&|effect| matches!(effect, Effect::Feedback(_)))),
        row("set environment variables", with(&|effect| matches!(effect, Effect::Export { .. }))),
        row("tell somebody by a program", listed(catalog, notifiers)),
        row("write or delete files, counters and history", listed(catalog, |hook| found(&hook.writes))),
    ];
    rows.extend(POWERS.iter().map(|(power, words)| {
        row(words, listed(catalog, |hook| reached.get(hook.id.as_str())?.powers.get(power).map(Programs::named)))
    }));
    rows.extend([
        row("read environment variables", listed(catalog, |hook| found(&reached.get(hook.id.as_str())?.variables))),
        row("send the event to a service", listed(catalog, |hook| hook.service.as_ref().map(service))),
        row("ask a model to decide", listed(catalog, |hook| hook.prompt.as_ref().map(|_| String::new()))),
    ]);
    Ok(rows)
}

/// The programs by which a hook tells somebody.
fn notifiers(hook: &Hook) -> Option<String> {
    let effects = hook.checks.iter().flat_map(|check| &check.effects);
    let names: BTreeSet<&String> = effects.filter_map(Effect::notifier).map(|program| &program.source).collect();
    found(names)
}

/// The programs that checks start, as far as the catalog names them where they are started.
pub(in crate::emit) fn programs(catalog: &Catalog) -> Result<BTreeSet<String>, Bug> {
    let whole = lower(catalog)?;
    let reached = (0..whole.hooks.len()).map(|place| Reached::by(&whole, place));
    let names = reached.flat_map(|reached| reached.powers.into_values().flat_map(|programs| programs.names));
    let effects = catalog.hooks.iter().flat_map(|hook| &hook.checks).flat_map(|check| &check.effects);
    let notifiers = effects.filter_map(Effect::notifier).map(|program| program.source.clone());
    Ok(names.chain(notifiers.filter(|program| !program.contains("${"))).collect())
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

/// What the expressions of a hook reach.
#[derive(Default)]
struct Reached {
    powers: BTreeMap<Power, Programs>,
    variables: BTreeSet<String>,
}

/// The programs that a power is about, where it is about programs.
#[derive(Default)]
struct Programs {
    names: BTreeSet<String>,
    /// Whether the catalog's constants say which program is started.
    by_the_constants: bool,
}

impl Programs {
    fn named(&self) -> String {
        let others = self.by_the_constants.then(|| "those that the constants name".to_owned());
        found(&self.names).into_iter().chain(others).collect::<Vec<_>>().join(", ")
    }
}

impl Reached {
    fn by(whole: &Representation, hook: usize) -> Self {
        let mut reached = Self::default();
        whole.reached(hook, &mut |expr| match &expr.op {
            Op::Env(name) => {
                reached.variables.insert(name.clone());
            }
            Op::Call(place, arguments) => {
                if let Some(function) = whole.function(*place) {
                    reached.call(function, arguments, whole, hook);
                }
            }
            _ => {}
        });
        reached
    }

    fn call(&mut self, function: &Function, arguments: &[representation::Expr], whole: &Representation, hook: usize) {
        for power in function.powers {
            let programs = self.powers.entry(*power).or_default();
            if !matches!(power, Power::Program | Power::Query) {
                continue;
            }
            let is_line = |ty: &Type| matches!(ty, Type::List(Type::Text | Type::List(Type::Text)));
            let line = function.params.iter().position(|(_, ty)| is_line(ty));
            match line.and_then(|line| program(arguments.get(line)?, whole, hook)) {
                Some(program) => {
                    programs.names.insert(program.to_owned());
                }
                None => programs.by_the_constants = true,
            }
        }
    }
}

/// The program that a command line begins with, if the catalog names it there. `env` is not what is meant.
fn program<'r>(line: &'r representation::Expr, whole: &'r Representation, hook: usize) -> Option<&'r str> {
    match &line.op {
        // What stands behind a first word that only the run knows are its arguments.
        Op::List(items) => {
            let first = items.iter().find(|item| !is_environment(item))?;
            match &first.op {
                Op::Text(word) => Some(word.as_str()),
                Op::List(_) | Op::Append(_) => program(first, whole, hook),
                _ => None,
            }
        }
        Op::Append(sides) => program(&sides[0], whole, hook),
        Op::Fact(place) => program(&whole.facts.get(*place)?.text.value, whole, hook),
        Op::Let(place) => program(&whole.hooks.get(hook)?.lets.get(*place)?.text.value, whole, hook),
        _ => None,
    }
}

/// `env`, and the variables that it sets.
fn is_environment(word: &representation::Expr) -> bool {
    matches!(&word.op, Op::Text(word) if word == "env" || word.contains('='))
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;
    use crate::catalog::Ordered;
    use crate::model::Service;

    #[test]
    fn every_power_has_a_row_and_names_its_hooks() {
        let Powers { table, absent } = of(&fixture::full()).expect("no bug");
        let row = |power: &str| table.lines().find(|line| line.contains(power)).unwrap_or_default().to_owned();
        assert!(row("refuse or hold up").contains("[H01](hooks/H01.md)"), "{table}");
        assert!(row("send the event").is_empty() && absent.contains("send the event"), "{table}\n{absent}");
        assert!(row("ask a model").contains("H04") && !row("ask a model").contains("H01"), "{table}");
        let approving = row("approve in the person's place");
        assert!(approving.contains("H03") && !approving.contains("H01"), "{table}");
    }

    #[test]
    fn a_service_is_named_with_the_hook_that_asks_it() {
        let mut catalog = fixture::smallest();
        catalog.hooks[0].service =
            Some(Service::McpTool { server: "calendar".to_owned(), tool: "freeze".to_owned(), input: Ordered::new() });
        assert!(of(&catalog).expect("no bug").table.contains("(`freeze` of the MCP server `calendar`)"));
    }

    fn row_of(settings: &str, hook: &str, power: &str) -> String {
        let text = format!(
            "catalog: demo\nversion: 1.0.0\ndescription: A demo.\n{settings}\nhooks:\n  - id: H1\n    name: guard\n    \
             event: PreToolUse\n    matcher: Bash\n    timeout: 9s\n    fail_safe: closed\n    why: It is needed.\n    {hook}\n"
        );
        let compiled = crate::compile::compile(camino::Utf8Path::new("specs/demo.yaml"), text.into_bytes());
        let rows = rows(&compiled.catalog.expect("sound")).expect("no bug");
        rows.into_iter().find(|[name, _]| name.contains(power)).map(|[_, hooks]| hooks).unwrap_or_default()
    }

    #[test]
    fn the_program_is_found_behind_definitions() {
        let hook = "let: { there: \"['env', 'A=0', 'git', '-C']\", name: data.tool }\n    checks: [{ id: a, when: \"query(there + \
                    ['log'], 5).ok && run([name, 'run'], 5).ok\", deny: No. }]";
        let row = |power: &str| row_of("data: { tool: curl }", hook, power);
        assert!(row("only look").ends_with("(`git`)"), "{}", row("only look"));
        assert!(row("may do anything").ends_with("(those that the constants name)"), "{}", row("may do anything"));
        assert!(row("end programs").ends_with("–"), "{}", row("end programs"));
    }

    #[test]
    fn the_path_and_the_condition_of_a_document_count() {
        let settings = "documents: { state: { path: '${env.STATE}/x', when: \"query(['id'], 1).ok && fileExists('y')\", \
                        format: text } }";
        let row = |power: &str| row_of(settings, "checks: [{ id: a, when: state.exists, deny: No. }]", power);
        assert!(row("read environment variables").ends_with("(`STATE`)"));
        assert!(row("only look").ends_with("(`id`)") && row("look at files").contains("H1"));
        assert!(row("may do anything").ends_with("–"));
    }
}
