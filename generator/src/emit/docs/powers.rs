//! What the hooks of a catalog can do to the world, for whoever has to decide whether to trust them.

use super::hook::service;
use super::markdown::{Table, codes, hook_link, or_dash};
use crate::model::{Catalog, Effect, Hook};
use crate::resolve::reach::Reach;

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
            power("start programs", listed(catalog, |hook| programs(&Reach::of(catalog, hook)))),
            power("write or delete files and counters", listed(catalog, |hook| found(&hook.writes))),
            power("read environment variables", listed(catalog, |hook| found(&Reach::of(catalog, hook).variables))),
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

fn programs(reached: &Reach) -> Option<String> {
    let named = found(&reached.programs);
    let others = reached.by_the_constants.then(|| "those that the constants name".to_owned());
    let all: Vec<String> = named.into_iter().chain(others).collect();
    (!all.is_empty()).then(|| all.join(", "))
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
}
