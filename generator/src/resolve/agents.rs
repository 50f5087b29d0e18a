//! Whether the agents that a catalog is for can do what it wants of them.

use super::Resolver;
use crate::agents::{Ability, losses};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::Catalog;

impl Resolver<'_> {
    /// One finding for each ability that an agent lacks, with the hooks that need it.
    pub(super) fn check_agents(&self, catalog: &Catalog) {
        for (number, client) in catalog.agents.iter().enumerate() {
            let found = losses(catalog, client);
            let mut abilities: Vec<Ability> = found.iter().map(|loss| loss.ability).collect();
            abilities.sort_unstable();
            abilities.dedup();
            for ability in abilities.into_iter().filter(|ability| !catalog.instead.covers(*ability)) {
                let lost: Vec<_> = found.iter().filter(|loss| loss.ability == ability).collect();
                let Some(first) = lost.first() else { continue };
                let hooks: Vec<&str> = lost.iter().map(|loss| loss.hook.as_str()).collect();
                let (key, choices) = (ability.key(), ability.choices().join("` or `"));
                self.report(
                    Diagnostic::error(Code::AgentCannot, format!("{} {}", client.title, first.what()))
                        .primary(
                            self.document.at(&Pointer::root().key("agents").index(number)),
                            format!("{} would be lost here", hooks.join(", ")),
                        )
                        .help(format!(
                            "say what happens there, `instead: {{ {key}: … }}` with `{choices}`, or take `{}` out of `agents`",
                            client.name
                        )),
                );
            }
        }
    }
}
