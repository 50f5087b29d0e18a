//! The cases of a hook: what they name is there, and each says what happens.

use serde_json::{Value, json};

use super::Resolver;
use crate::catalog::{Case, Each, Given, Hook, Ordered, Rows, Step};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;

impl Resolver<'_> {
    /// A case is one step in place, a list of steps or rows, and names hooks that exist.
    pub(super) fn cases(&self, hook: &Hook, place: &Pointer) {
        self.world(&hook.given, &[], &place.key("given"));
        for (number, case) in hook.cases.iter().enumerate() {
            let at = place.key("cases").index(number);
            let rows = !case.rows().is_empty();
            let in_place = case.input.is_some() || case.raw.is_some() || case.expect.is_some();
            let alone =
                if rows { case.steps.is_empty() && case.raw.is_none() } else { in_place == case.steps.is_empty() };
            if !alone {
                self.report(
                    Diagnostic::error(Code::BadValue, format!("case `{}` must say what happens once", case.name))
                        .primary(self.document.at(&at.key("name")), "")
                        .help("give either `input` and `expect`, or `steps`, or rows such as `denies`"),
                );
            }
            if case.name.is_empty() && !rows {
                self.report(
                    Diagnostic::error(Code::BadValue, "the case has no name")
                        .primary(self.document.at(&at), "")
                        .help("add `name: <what it shows>`; only rows are named after what they give"),
                );
            }
            self.each_of_case(case, &at);
            self.rows(case, hook, &at);
            self.world(&case.given, &hook.given.worlds, &at.key("given"));
            for (step_number, step) in case.steps.iter().enumerate() {
                self.hooks_of_step(hook, step, &at.key("steps").index(step_number));
            }
        }
    }

    /// What is said of rows makes sense where it is said.
    fn rows(&self, case: &Case, hook: &Hook, at: &Pointer) {
        for (key, _, rows) in case.rows() {
            for (_, place, row) in rows.all() {
                if let Some(given) = row.given() {
                    let below: Vec<String> = hook.given.worlds.iter().chain(&case.given.worlds).cloned().collect();
                    self.world(given, &below, &place.below(&at.key(key)).key("given"));
                }
            }
        }
        for (number, step) in case.steps.iter().enumerate() {
            for (key, _, rows) in step.rows() {
                let at = at.key("steps").index(number).key(key);
                let mut odd = rows.all().into_iter().filter_map(|(name, place, row)| match name {
                    Some(_) => Some(("only rows of a case have names", place.below(&at))),
                    None if row.given().is_some() => {
                        Some(("only rows of a case have a world of their own", place.below(&at).key("given")))
                    }
                    None => None,
                });
                if let Some((message, at)) = odd.next() {
                    self.report(
                        Diagnostic::error(Code::BadValue, message)
                            .primary(self.document.key(&at), "the rows of a step run one after the other")
                            .help("write a list of texts or fields, and what is changed before it in the step"),
                    );
                }
            }
        }
    }

    /// The worlds that a world is built on are there, and so is what it does without.
    fn world(&self, given: &Given, below: &[String], at: &Pointer) {
        for (number, world) in given.worlds.iter().enumerate() {
            let location = self.document.at(&at.key("worlds").index(number));
            self.known("world", world, self.written.worlds.keys(), location);
        }
        let worlds = below.iter().chain(&given.worlds).filter_map(|name| self.written.worlds.get(name));
        let files: Vec<&String> = std::iter::once(&self.written.given)
            .chain(worlds)
            .flat_map(|world| world.files.keys().chain(world.committed.keys()))
            .collect();
        for (number, path) in given.without.iter().enumerate() {
            let location = self.document.at(&at.key("without").index(number));
            self.known("file in the case's worlds", path, files.iter().copied(), location);
        }
    }

    /// The texts themselves, those of a table included.
    pub(super) fn texts(&self, each: &Each, at: &Pointer) -> Each {
        let Each::Table(table) = each else { return each.clone() };
        let name = table.strip_prefix("data.").unwrap_or(table);
        let location = self.document.at(at);
        let tables = &self.written.data;
        if !self.known("table", name, tables.keys(), location.clone()) {
            return Each::default();
        }
        let words = tables.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let texts: Option<Vec<String>> = words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
        match texts.filter(|texts| !texts.is_empty()) {
            Some(texts) => Each::Texts(texts),
            None => {
                self.report(
                    Diagnostic::error(Code::BadValue, format!("`{table}` is no list of texts"))
                        .primary(location, "")
                        .help("name a table that is one, or write the texts out"),
                );
                Each::default()
            }
        }
    }

    /// Of a case in steps, one of them must have a place for the texts.
    fn each_of_case(&self, case: &Case, at: &Pointer) {
        if case.rows().iter().any(|(_, _, rows)| holds(rows)) {
            return;
        }
        if case.steps.is_empty() {
            return self.place_of_each(&case.each, case.input.as_ref(), case.raw.as_deref(), at);
        }
        let stands = |step: &Step| {
            step.raw.as_deref().is_some_and(|raw| raw.contains("{each}"))
                || json!(step.input).to_string().contains("{each}")
                || step.files.keys().any(|path| path.contains("{each}"))
                || step.rows().iter().any(|(_, _, rows)| holds(rows))
        };
        if !case.each.is_empty() && !case.steps.iter().any(stands) {
            self.place_of_each(&case.each, None, None, at);
        }
    }

    /// Texts that nothing stands for would all be the same run.
    fn place_of_each(&self, each: &Each, input: Option<&Ordered<Value>>, raw: Option<&str>, at: &Pointer) {
        let written = || input.is_some_and(|input| json!(input).to_string().contains("{each}"));
        if !each.is_empty() && !raw.is_some_and(|raw| raw.contains("{each}")) && !written() {
            self.report(
                Diagnostic::error(Code::BadValue, "nothing stands for the texts of `each`")
                    .primary(self.document.key(&at.key("each")), "")
                    .help("write `{each}` where each of them belongs in `input`, `raw` or a row"),
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
    pub(super) fn in_its_world(&self, hook: &Hook, case: Case) -> Case {
        let named = hook.given.worlds.iter().chain(&case.given.worlds);
        let named = named.filter_map(|name| self.written.worlds.get(name));
        let below = named.fold(self.written.given.clone(), Given::with);
        let given = below.with(&hook.given).with(&case.given);
        Case { given, ..case }
    }
}

/// The names that a case is known by, each with the keys that lead to it: its own, and those of its rows.
pub(super) fn names(case: &Case) -> Vec<(&String, Vec<&str>)> {
    let own = (!case.name.is_empty()).then(|| (&case.name, vec!["name"]));
    let rows = case.rows().into_iter().filter_map(|(key, _, rows)| match rows {
        Rows::Named(rows) => Some(rows.keys().map(move |name| (name, vec![key, name.as_str()]))),
        Rows::One(_) | Rows::Many(_) => None,
    });
    own.into_iter().chain(rows.flatten()).collect()
}

/// Whether a row waits for a text.
fn holds(rows: &Rows) -> bool {
    format!("{rows:?}").contains("{each}")
}
