//! What can switch a hook off or loosen it from outside, and which hooks that reaches.

use hookgen_runtime::client::claude::places::{PLUGIN_DATA, PLUGIN_ROOT, PROJECT};
use serde::Serialize;

use super::markdown::{Table, code, codes, hook_links};
use crate::model::{Catalog, FailSafe, Hook, Kind, Template};
use crate::resolve::uses::{self, Uses};

#[derive(Serialize)]
pub(super) struct SwitchesView {
    switches: Table,
}

/// Something outside the binary, what it can do, and to which hooks.
struct Switch<'c> {
    what: String,
    does: String,
    reaches: Vec<&'c Hook>,
}

pub(super) fn view(catalog: &Catalog) -> SwitchesView {
    let facts = Facts::of(catalog);
    let mut switches = vec![facts.flood(), facts.breaker()];
    switches.extend(facts.folders());
    switches.extend(facts.variables());
    switches.extend(facts.files());
    switches.push(facts.state());
    // Those that do the same to the same hooks share a row.
    let mut rows: Vec<[String; 4]> = Vec::new();
    for switch in &switches {
        let those = |kind| facts.named(&switch.reaches, kind);
        let row = [switch.what.clone(), switch.does.clone(), those(FailSafe::Closed), those(FailSafe::Open)];
        match rows.iter_mut().find(|known| known[1..] == row[1..]) {
            Some(known) => known[0] = format!("{}, {}", known[0], row[0]),
            None => rows.push(row),
        }
    }
    SwitchesView { switches: Table::new(["what", "can do", "to closed hooks", "to open hooks"], rows) }
}

struct Facts<'c> {
    catalog: &'c Catalog,
    /// The hooks that run in the binary, and what each uses.
    hooks: Vec<(&'c Hook, Uses)>,
    /// What the paths of the config and the dev-mode file use.
    settings: Vec<Uses>,
}

impl<'c> Facts<'c> {
    fn of(catalog: &'c Catalog) -> Self {
        let commands = catalog.hooks.iter().filter(|hook| hook.kind == Kind::Command);
        let files = [&catalog.config_file, &catalog.dev_mode_file].into_iter().flatten();
        Self {
            catalog,
            hooks: commands.map(|hook| (hook, uses::of_hook(catalog, hook))).collect(),
            settings: files.map(|file| uses::of_template(catalog, file)).collect(),
        }
    }

    fn all(&self) -> Vec<&'c Hook> {
        self.hooks.iter().map(|(hook, _)| *hook).collect()
    }

    fn open(&self) -> Vec<&'c Hook> {
        self.all().into_iter().filter(|hook| hook.fail_safe == FailSafe::Open).collect()
    }

    fn has_closed(&self) -> bool {
        self.all().iter().any(|hook| hook.fail_safe == FailSafe::Closed)
    }

    /// The hooks that depend on something; all of them, if the files do that can switch each of them off.
    fn dependent(&self, on: impl Fn(&Uses) -> bool) -> Vec<&'c Hook> {
        if self.settings.iter().any(&on) {
            return self.all();
        }
        self.hooks.iter().filter(|(_, uses)| on(uses)).map(|(hook, _)| *hook).collect()
    }

    /// Links to those of the hooks that fail like this, or `all` if there are no others.
    fn named(&self, reached: &[&'c Hook], kind: FailSafe) -> String {
        let of_kind = |hooks: &[&'c Hook]| -> Vec<&'c Hook> {
            hooks.iter().copied().filter(|hook| hook.fail_safe == kind).collect()
        };
        let (those, all) = (of_kind(reached), of_kind(&self.all()));
        match those.len() {
            _ if all.is_empty() => "there are none".to_owned(),
            0 => "nothing".to_owned(),
            count if count == all.len() && count > 1 => format!("all {count}"),
            _ => hook_links(those),
        }
    }

    fn flood(&self) -> Switch<'c> {
        let told = if self.catalog.fail_open_notice { "the person is told once a session" } else { "the log says so" };
        let does = format!("let each of them through; {told}");
        Switch { what: "a flood of failing calls".to_owned(), does, reaches: self.open() }
    }

    fn breaker(&self) -> Switch<'c> {
        let what = "the circuit breaker".to_owned();
        if self.catalog.breaker.is_none() {
            return Switch { what, does: "nothing: there is none".to_owned(), reaches: Vec::new() };
        }
        let does =
            "skip them for the rest of the session when the disk under the state folder keeps failing; the person is \
                    told"
                .to_owned();
        Switch { what, does, reaches: self.open() }
    }

    /// Variables that say where folders are.
    fn folders(&self) -> Vec<Switch<'c>> {
        let variable = |name: &str, does: String, reaches| Switch { what: code(name), does, reaches };
        let uses = |function: &'static str| self.dependent(move |uses| uses.functions.contains(function));
        let moves = |place: &str| format!("move what is looked for in {}", code(&format!("${{{place}}}")));
        let home = if self.has_closed() {
            let does = format!("nothing: the home folder is the one in {}, if there is an entry", code("/etc/passwd"));
            variable("HOME", does, Vec::new())
        } else {
            let told = "the person is told when settings there switch a hook off";
            variable("HOME", format!("{}; {told}", moves("home")), uses("home"))
        };
        let root = "nothing: the plugin's folder is the one that the binary was started from".to_owned();
        vec![
            home,
            variable(PROJECT, format!("{}; the client sets it itself", moves("project_dir")), uses("project_dir")),
            variable(PLUGIN_ROOT, root, Vec::new()),
            self.state_folder(),
        ]
    }

    fn state_folder(&self) -> Switch<'c> {
        let names: &[&str] = if self.has_closed() { &[PLUGIN_DATA] } else { &[PLUGIN_DATA, "XDG_STATE_HOME"] };
        let does = format!(
            "move the state folder, so that counters and memory start again; for plugins the client sets {} itself",
            code(names[0])
        );
        Switch { what: codes(names.iter().copied()), does, reaches: self.remembering() }
    }

    /// Variables that the catalog reads.
    fn variables(&self) -> Vec<Switch<'c>> {
        let read = self.hooks.iter().map(|(_, uses)| uses).chain(&self.settings).flat_map(|uses| &uses.variables);
        let mut names: Vec<&String> = read.collect();
        names.sort();
        names.dedup();
        let switch = |name: &String| Switch {
            what: code(name),
            does: "change what they decide, as far as their expressions read it".to_owned(),
            reaches: self.dependent(|uses| uses.variables.contains(name)),
        };
        let mut switches: Vec<Switch<'c>> = names.into_iter().map(switch).collect();
        if let Some(name) = &self.catalog.verbose_env {
            let does = "nothing: the log says more".to_owned();
            switches.push(Switch { what: code(name), does, reaches: Vec::new() });
        }
        switches
    }

    fn files(&self) -> Vec<Switch<'c>> {
        let file = |template: &Template, does: &str| Switch {
            what: code(&template.source),
            does: does.to_owned(),
            reaches: self.all(),
        };
        let config = self.catalog.config_file.as_ref();
        let dev_mode = self.catalog.dev_mode_file.as_ref();
        config
            .map(|path| file(path, "switch them off by flag or mode, move their thresholds"))
            .into_iter()
            .chain(
                dev_mode
                    .map(|path| file(path, "switch them off as long as it exists; the person is told once a session")),
            )
            .collect()
    }

    fn state(&self) -> Switch<'c> {
        let does =
            "change what was counted and remembered, if somebody writes there as the person; a closed hook refuses \
                    what it would have let pass on damaged state"
                .to_owned();
        Switch { what: "the files in the state folder".to_owned(), does, reaches: self.remembering() }
    }

    /// The hooks whose decision depends on what a session has seen before.
    fn remembering(&self) -> Vec<&'c Hook> {
        let remembers = |uses: &Uses| {
            !uses.counters.is_empty()
                || ["remembered", "noted", "history"].iter().any(|name| uses.functions.contains(name))
        };
        self.hooks.iter().filter(|(_, uses)| remembers(uses)).map(|(hook, _)| *hook).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    fn row(catalog: &Catalog, what: &str) -> String {
        let table = view(catalog).switches.to_string();
        table.lines().find(|line| line.contains(what)).unwrap_or_default().to_owned()
    }

    #[test]
    fn home_moves_nothing_where_a_hook_fails_closed() {
        let mut catalog = fixture::full();
        catalog.hooks.iter_mut().for_each(|hook| hook.fail_safe = FailSafe::Open);
        assert!(
            row(&catalog, "`HOME`").contains("the person is told when settings there"),
            "{}",
            row(&catalog, "HOME")
        );
        assert!(row(&catalog, "flood").contains("there are none"));
        catalog.hooks[0].fail_safe = FailSafe::Closed;
        assert!(row(&catalog, "`HOME`").contains("nothing: the home folder"), "{}", row(&catalog, "HOME"));
        assert!(!row(&catalog, "CLAUDE_PLUGIN_DATA").contains("XDG_STATE_HOME"));
    }

    #[test]
    fn the_breaker_reaches_no_closed_hook_and_the_config_file_every_hook() {
        let mut catalog = fixture::full();
        catalog.hooks[0].fail_safe = FailSafe::Closed;
        catalog.hooks[1].fail_safe = FailSafe::Open;
        let closed = "[H01]";
        assert!(!row(&catalog, "circuit breaker").contains(closed));
        assert!(!row(&catalog, "flood").contains(closed));
        let config = catalog.config_file.as_ref().expect("a config file").source.clone();
        assert!(
            row(&catalog, &config).contains(closed) || row(&catalog, &config).contains("| all "),
            "{}",
            row(&catalog, &config)
        );
    }
}
