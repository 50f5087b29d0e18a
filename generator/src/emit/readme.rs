//! The plugin's own README: what it does, what it needs and how to be rid of it, for whoever finds it in a marketplace
//! or a project.

use hookgen_runtime::client::claude::places::PROJECT;
use hookgen_runtime::client::claude::words::ON_FAILURE_SINCE;
use serde::Serialize;

use super::docs::markdown::{Table, code, codes, fence, line, paragraphs, text};
use super::docs::programs;
use super::flags::is_json;
use super::{Bug, Emitter, Output, Target, banner, visible};
use crate::model::{self, FailSafe, Hook, Kind};
use crate::template::Templates;

/// Makes `README.md`.
pub(super) struct Readme;

#[derive(Serialize)]
struct View {
    banner: String,
    title: String,
    description: String,
    hooks: Table,
    needs: Vec<String>,
    sections: Vec<Section>,
    plugin: String,
    marketplace: String,
    settings: String,
    beside: String,
    config: String,
    switching: Vec<String>,
    ignore: String,
    removal: Vec<String>,
}

#[derive(Serialize)]
struct Section {
    title: String,
    body: String,
}

impl Emitter for Readme {
    fn name(&self) -> &'static str {
        "plugin README"
    }

    fn emit(&self, catalog: &model::Catalog, _: &Target) -> Result<Vec<Output>, Bug> {
        let rows = catalog.hooks.iter().map(|hook| [text(&hook.id), code(hook.event.name), text(&hook.why)]);
        let flags = format!("config/{}-flags.yaml", catalog.name);
        let sections = catalog.readme.sections.iter();
        let view = View {
            banner: banner(&catalog.source),
            title: text(&catalog.name),
            description: paragraphs(&catalog.description),
            hooks: Table::new(["hook", "on", "why"], rows.collect()),
            needs: needs(catalog)?,
            sections: sections.map(|(title, body)| Section { title: text(title), body: markdown(body) }).collect(),
            plugin: code("claude --plugin-dir <this folder>"),
            marketplace: code(&format!("/plugin install {} --marketplace OWNER/REPO", catalog.name)),
            settings: code(&format!("hookgen install {} --into <project>", catalog.name)),
            beside: code(&format!("hookgen install {} --plugin <its folder>", catalog.name)),
            config: config(catalog, &code(&flags)),
            switching: switching(catalog),
            ignore: ignore(catalog),
            removal: removal(catalog),
        };
        Ok(vec![Output::new("README.md", Templates::load()?.render("readme", &view)?)])
    }
}

/// Where the binary of a plugin runs.
const PLATFORMS: &str = "Linux or macOS on x86-64 or ARM, or Windows on x86-64. A binary runs on the kind of machine that it \
                         was made for: `hookgen ship` makes it for the one that it runs on, `--target all` for all of them in \
                         one folder.";

/// Where the binary runs, and for which systems the catalog is meant if it says so.
pub(super) fn platforms(catalog: &model::Catalog) -> String {
    let names: Vec<&str> = catalog.platforms.iter().map(|platform| platform.name()).collect();
    let meant = if names.is_empty() { String::new() } else { format!("Meant for {}. ", names.join(", ")) };
    format!("{meant}{PLATFORMS}")
}

/// Markdown that the catalog's author wrote, without what a reader would not see.
fn markdown(body: &str) -> String {
    visible::lines(body).join("\n").trim().to_owned()
}

/// What must be there: the client, the system, programs, and what the catalog names.
fn needs(catalog: &model::Catalog) -> Result<Vec<String>, Bug> {
    let mut needs = vec![client(catalog), platforms(catalog)];
    let programs = programs(catalog)?;
    if !programs.is_empty() {
        let names = codes(programs.iter().map(String::as_str));
        needs.push(format!(
            "On the `PATH`, as far as hooks get to them: {names}. `docs/HOOKS.md` says which hook starts what; one \
             whose program is missing fails as its `fail_safe` says, if the catalog does not provide for it."
        ));
    }
    needs.extend(catalog.readme.needs.iter().map(|need| line(need)));
    Ok(needs)
}

/// The oldest client that does all of what the registration says.
pub(super) fn client(catalog: &model::Catalog) -> String {
    let closed = catalog.hooks.iter().filter(|hook| hook.fail_safe == FailSafe::Closed);
    let ids: Vec<&str> = closed.map(|hook| hook.id.as_str()).collect();
    let older = if ids.is_empty() {
        "No hook here needs `onFailure`, which that version brought, so older ones run them as well, as far as they know \
         the events; they are not tested."
            .to_owned()
    } else {
        format!(
            "Older ones ignore `onFailure`: there, {} let calls pass when the binary is missing or cannot start.",
            codes(ids)
        )
    };
    format!("Claude Code {ON_FAILURE_SINCE} or newer. {older}")
}

/// A place as a person would write it.
fn place(file: &model::Template) -> String {
    let written = file.source.replace("${home}", "~").replace("${plugin_root}/", "");
    let named = format!("${{env.{PROJECT}}}/");
    code(&written.replace(&named, "<project>/").replace("${project_dir}/", "<project>/"))
}

/// Where the config is, and what of the list of flags can be taken over into it.
fn config(catalog: &model::Catalog, flags: &str) -> String {
    let Some(file) = &catalog.config_file else {
        return format!("There is nothing to configure; {flags} lists what is fixed.");
    };
    let (pasting, help) = match catalog.flags.first() {
        Some(flag) if is_json(file) => {
            let switched = !flag.default;
            let nested = flag.config.iter().rfold(switched.to_string(), |value, key| format!("{{\"{key}\": {value}}}"));
            let state = if switched { "on" } else { "off" };
            ("", format!(" The config file is JSON: {} switches {} {state}.", code(&nested), code(&flag.name)))
        }
        None if is_json(file) => ("", " The config file has the same keys in JSON.".to_owned()),
        _ => (", ready to paste", String::new()),
    };
    format!(
        "Flags and thresholds are read from {} at every call. {flags} has all of them with their documentation\
         {pasting}.{help}",
        place(file)
    )
}

/// How one hook is switched off: by its mode, by its flag, or by its registration.
pub(super) fn switching(catalog: &model::Catalog) -> Vec<String> {
    let (commands, others): (Vec<&Hook>, Vec<&Hook>) =
        catalog.hooks.iter().partition(|hook| hook.kind == Kind::Command);
    let ids = |hooks: &[&Hook]| codes(hooks.iter().map(|hook| hook.id.as_str()));
    let mut ways = Vec::new();
    match (&catalog.config_file, commands.first()) {
        (Some(file), Some(example)) => {
            let mode = |mode: &str| {
                if is_json(file) {
                    format!("{{\"modes\": {{\"{}\": \"{mode}\"}}}}", example.id)
                } else {
                    format!("modes: {{ {}: '{mode}' }}", example.id)
                }
            };
            ways.push(format!(
                "{} in {} switches {} off at the next call; {} lets it only tell the person, {} only write the log.{}",
                code(&mode("off")),
                place(file),
                example.id,
                code("warn"),
                code("audit"),
                match &commands[1..] {
                    [] => String::new(),
                    others => format!(" The same goes for {}.", ids(others)),
                }
            ));
            ways.extend(flags(catalog));
        }
        (None, Some(_)) => ways.push(format!(
            "There is no config file: to switch {} off, take its id out of {}, or the whole entry if it is alone there.",
            ids(&commands),
            code("hooks/hooks.json")
        )),
        (_, None) => {}
    }
    if !others.is_empty() {
        ways.push(format!(
            "{}: the client runs these itself, so neither a mode nor a flag reaches them. Take the entry out of {}.",
            ids(&others),
            code("hooks/hooks.json")
        ));
    }
    if let Some(file) = &catalog.dev_mode_file {
        ways.push(format!("All at once: as long as {} exists, no hook decides anything.", place(file)));
    }
    ways
}

/// The flags that some command hook hangs on, in one sentence.
fn flags(catalog: &model::Catalog) -> Option<String> {
    let hangs = |flag: &model::Flag| {
        let own = |hook: &&Hook| hook.kind == Kind::Command && hook.flag.as_ref() == Some(&flag.name);
        let ids: Vec<&str> = catalog.hooks.iter().filter(own).map(|hook| hook.id.as_str()).collect();
        (!ids.is_empty()).then(|| format!("{} ({})", code(&flag.config.join(".")), ids.join(", ")))
    };
    let flags: Vec<String> = catalog.flags.iter().filter_map(hangs).collect();
    (!flags.is_empty()).then(|| format!("Flags switch several at once; {}.", flags.join(", ")))
}

/// What a project should not commit.
fn ignore(catalog: &model::Catalog) -> String {
    let state = "Logs and counters lie outside of the project (`docs/HOOKS.md`, Logs and state).";
    let lines = &catalog.readme.ignore;
    if lines.is_empty() {
        return format!("Nothing. {state}");
    }
    format!(
        "{}\n\n{state}",
        fence("gitignore", &lines.iter().map(|line| visible::line(line)).collect::<Vec<_>>().join("\n"))
    )
}

/// How the plugin is taken out, by the way that it came in, and what stays.
fn removal(catalog: &model::Catalog) -> Vec<String> {
    let command = |rest: &str| code(&format!("hookgen install {} {rest} --remove", catalog.name));
    vec![
        format!("A plugin: {}, or leave `--plugin-dir` out.", code(&format!("/plugin uninstall {}", catalog.name))),
        format!("In one project: {}.", command("--into <project>")),
        format!("In another plugin: {}.", command("--plugin <its folder>")),
        format!(
            "What stays are logs and state: the plugin's data folder of the client, or {}. Delete it when you like.",
            code(&format!("~/.local/state/hookgen/{}", catalog.name))
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    fn page(catalog: &model::Catalog) -> String {
        Readme.emit(catalog, &fixture::target()).expect("emits").remove(0).text
    }

    #[test]
    fn every_hook_is_named_with_its_reason() {
        let catalog = fixture::full();
        let page = page(&catalog);
        for hook in &catalog.hooks {
            assert!(page.contains(&format!("| {} |", hook.id)), "{}", hook.id);
        }
        assert!(page.split_whitespace().count() > 40);
    }

    #[test]
    fn yaml_is_ready_to_paste_into_yaml_but_not_into_json() {
        let mut catalog = fixture::full();
        for (file, pastes) in [("conf/hooks.yaml", true), ("settings.json", false)] {
            catalog.config_file = Some(fixture::template(file));
            let text = config(&catalog, "`flags.yaml`");
            assert_eq!((text.contains("ready to paste"), text.contains("{\"")), (pastes, !pastes), "{file}: {text}");
            let mode = if pastes { "modes: { H01: 'off' }" } else { r#"{"modes": {"H01": "off"}}"# };
            assert!(switching(&catalog)[0].contains(mode), "{:?}", switching(&catalog));
        }
    }

    #[test]
    fn every_plugin_says_what_it_needs_and_how_to_be_rid_of_it() {
        for catalog in [fixture::full(), fixture::smallest()] {
            let page = page(&catalog);
            for part in [
                "## Needs",
                "2.1.295",
                "macOS",
                "## Switch one hook off",
                "## .gitignore",
                "## Take it out",
                "--remove",
            ] {
                assert!(page.contains(part), "{part} in {page}");
            }
            assert!(!page.contains("\n\n\n"), "{page}");
        }
    }

    #[test]
    fn what_the_catalog_adds_stands_where_it_belongs() {
        let page = page(&fixture::full());
        let place = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part} in {page}"));
        assert!(place("The `demo` skill, 2.0 or newer") < place("## The plan"), "{page}");
        assert!(place("## The plan\n\nWritten by the skill:") < place("## Use"), "{page}");
        assert!(place("## .gitignore") < place("```gitignore\nplan/.lock\n```"), "{page}");
    }

    #[test]
    fn closed_hooks_are_named_with_what_an_older_client_does_to_them() {
        let mut catalog = fixture::full();
        assert!(client(&catalog).contains("Older ones ignore `onFailure`"), "{}", client(&catalog));
        catalog.hooks.iter_mut().for_each(|hook| hook.fail_safe = FailSafe::Open);
        assert!(client(&catalog).contains("No hook here needs"), "{}", client(&catalog));
    }

    #[test]
    fn what_the_client_runs_itself_is_switched_off_in_the_registration() {
        let ways = switching(&fixture::full());
        let asking = ways.iter().find(|way| way.contains("the client runs these itself")).expect("one way");
        assert!(asking.contains("`H04`") && !asking.contains("`H01`"), "{asking}");
    }
}
