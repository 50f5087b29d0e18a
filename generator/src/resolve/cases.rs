//! The cases of a hook: what they name is there, and each says what happens.

use serde_json::{Value, json};

use super::Resolver;
use crate::catalog::{Case, Given, Hook, Ordered, Step};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;

impl Resolver<'_> {
    /// A case is either one step in place or a list of steps, and names hooks that exist.
    pub(super) fn cases(&self, hook: &Hook, place: &Pointer) {
        for (number, case) in hook.cases.iter().enumerate() {
            let at = place.key("cases").index(number);
            let in_place = case.input.is_some() || case.raw.is_some() || case.expect.is_some();
            if in_place != case.steps.is_empty() {
                self.report(
                    Diagnostic::error(Code::BadValue, format!("case `{}` must say what happens once", case.name))
                        .primary(self.document.at(&at.key("name")), "")
                        .help("give either `input` and `expect`, or `steps`"),
                );
            }
            self.place_of_each(&case.each, case.input.as_ref(), case.raw.as_deref(), &at);
            for (number, world) in case.given.worlds.iter().enumerate() {
                let location = self.document.at(&at.key("given").key("worlds").index(number));
                self.known("world", world, self.written.worlds.keys(), location);
            }
            let worlds = case.given.worlds.iter().filter_map(|name| self.written.worlds.get(name));
            let files: Vec<&String> =
                std::iter::once(&self.written.given).chain(worlds).flat_map(|world| world.files.keys()).collect();
            for (number, path) in case.given.without.iter().enumerate() {
                let location = self.document.at(&at.key("given").key("without").index(number));
                self.known("file in the case's worlds", path, files.iter().copied(), location);
            }
            for (step_number, step) in case.steps.iter().enumerate() {
                self.hooks_of_step(hook, step, &at.key("steps").index(step_number));
            }
        }
    }

    /// Texts that nothing stands for would all be the same run.
    fn place_of_each(&self, each: &[String], input: Option<&Ordered<Value>>, raw: Option<&str>, at: &Pointer) {
        let written = || input.is_some_and(|input| json!(input).to_string().contains("{each}"));
        if !each.is_empty() && !raw.is_some_and(|raw| raw.contains("{each}")) && !written() {
            self.report(
                Diagnostic::error(Code::BadValue, "nothing stands for the texts of `each`")
                    .primary(self.document.key(&at.key("each")), "")
                    .help("write `{each}` where each of them belongs in `input` or `raw`"),
            );
        }
    }

    /// The hooks that a step runs are there, and those that share a process are of one event.
    fn hooks_of_step(&self, owner: &Hook, step: &Step, at: &Pointer) {
        self.place_of_each(&step.each, step.input.as_ref(), step.raw.as_deref(), at);
        let hooks = &self.written.hooks;
        if let Some(id) = &step.hook {
            self.known("hook", id, hooks.iter().map(|hook| &hook.id), self.document.at(&at.key("hook")));
        }
        let main = hooks.iter().find(|hook| Some(&hook.id) == step.hook.as_ref()).unwrap_or(owner);
        for (number, id) in step.after.iter().enumerate() {
            let same = hooks.iter().filter(|hook| hook.event == main.event && hook.id != main.id).map(|hook| &hook.id);
            let location = self.document.at(&at.key("after").index(number));
            self.known("hook of the same event", id, same, location);
        }
    }

    /// The case with the whole world that it starts from.
    pub(super) fn in_its_world(&self, case: &Case) -> Case {
        let named = case.given.worlds.iter().filter_map(|name| self.written.worlds.get(name));
        let given = named.fold(self.written.given.clone(), Given::with).with(&case.given);
        Case { given, ..case.clone() }
    }
}
