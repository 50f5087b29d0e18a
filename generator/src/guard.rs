//! What switches or loosens hooks, and the hooks that keep an agent away from it.
//!
//! `guard: self` is written out here, before names are resolved: the hooks that it stands for are ordinary ones, with
//! ordinary expressions and cases, from one template.

use hookgen_runtime::client::claude::places::{self, PLUGINS, SETTINGS as SETTINGS_OF_PERSON, SETTINGS_FILES};
use hookgen_runtime::client::{CLAUDE, Client, Form, Own, Pins, Trust};
use serde::Serialize;
use serde_json::json;

use crate::agents::own_file_name;
use crate::catalog::{Catalog, FailSafe, Guard, Hook};
use crate::cel::{self, Piece};
use crate::emit::Bug;
use crate::template::Templates;

/// The client's settings, in which hooks are registered and switched off, as templates of paths.
pub fn settings() -> Vec<String> {
    let of = |folder: &'static str| SETTINGS_FILES.iter().map(move |file| format!("{folder}/{file}"));
    of("${home}").chain(of("${project_dir}")).collect()
}

/// The folders of every catalog, as templates of paths.
pub const PLUGIN: &str = "${plugin_root}";
pub const STATE: &str = "${state_dir}";

/// Adds the hooks that a catalog's `guard` stands for.
pub fn write_out(catalog: &mut Catalog) -> Result<(), Bug> {
    let Some(documents) = catalog.guard.as_ref().and_then(Guard::documents) else { return Ok(()) };
    let documents = documents.iter().filter_map(|name| catalog.documents.get(name)).map(|document| &document.path);
    let files = catalog.config.iter().map(|config| &config.file);
    let switches = catalog.dev_mode.iter().map(|mode| &mode.file);
    let mut named: Vec<String> = files.chain(switches).chain(documents).map(|path| path.0.clone()).collect();
    let mut moved: Vec<Moved> = Vec::new();
    let from_home = named.iter().filter_map(|path| path.strip_prefix("${home}/"));
    for file in from_home.filter(|file| !file.contains("${")) {
        let file = Moved { file: file.to_owned(), variable: "", settings: false };
        if !moved.contains(&file) {
            moved.push(file);
        }
    }
    for agent in &catalog.agents {
        named.extend(registrations(agent.0, &catalog.catalog));
        moved.extend(persons(agent.0).iter().map(|own| Moved::of(agent.0, own)));
    }
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    // As strict as the strictest of the hooks whose switches they keep: where those let pass what they cannot check, a
    // guard of theirs that refuses it would be the one that stands in the way.
    let closed = catalog.hooks.iter().any(|hook| hook.fail_safe == FailSafe::Closed);
    let fail_safe = if closed { "closed" } else { "open" };
    let text = Templates::load()?.render("guard", &view(&catalog.catalog, &named, &moved, fail_safe))?;
    let hooks: Vec<Hook> =
        serde_yaml::from_str(&text).map_err(|error| Bug::new(format!("the hooks of `guard: self`: {error}")))?;
    catalog.hooks.extend(hooks);
    Ok(())
}

/// The files by which an agent knows the hooks, as templates of paths: whoever changes one of them takes the hooks out, or
/// the trust in them, or switches them off. Of Claude Code it is the list of plugins; its settings hold other things too.
pub fn registrations(client: &Client, catalog: &str) -> Vec<String> {
    let registration = &client.registration;
    let file = registration.file;
    let of_project = match registration.form {
        _ if client.name == CLAUDE.name => return vec![format!("${{home}}/{PLUGINS}")],
        Form::Flat { own_file: Some(_), .. } | Form::Module => {
            Some(format!("{file}/{}", own_file_name(client, catalog)))
        }
        Form::Tables(_) => None,
        _ => Some(file.to_owned()),
    };
    let mut of_project: Vec<String> = of_project.into_iter().collect();
    for switch in registration.switches {
        if !of_project.iter().any(|known| known == switch.file) {
            of_project.push(switch.file.to_owned());
        }
    }
    let of_project = of_project.into_iter().map(|file| format!("${{project_dir}}/{file}"));
    let of_person = persons(client).into_iter().map(|own| format!("${{home}}/{}", from_home(&own)));
    of_project.chain(of_person).collect()
}

/// The person's own files among them. A variable may have moved each of them.
fn persons(client: &Client) -> Vec<Own> {
    let registration = &client.registration;
    if client.name == CLAUDE.name {
        return SETTINGS_OF_PERSON.to_vec();
    }
    let of_form = match (registration.form, registration.file.strip_suffix("/settings.json")) {
        (Form::Tables(own), _) => Some(own),
        (_, Some(folder)) => Some(Own { variable: "", folder, file: "settings.json" }),
        _ => None,
    };
    let of_trust = match registration.trust {
        Trust::Pinned(&Pins { list, .. }) | Trust::Folder { list, .. } => Some(list),
        Trust::Given | Trust::Unseen(_) => None,
    };
    of_form.into_iter().chain(of_trust).collect()
}

fn from_home(own: &Own) -> String {
    format!("{}/{}", own.folder, own.file)
}

/// A file of the person's that the environment may have moved.
#[derive(Clone, PartialEq, Eq)]
struct Moved {
    /// Its path from the home folder.
    file: String,
    /// The variable that names another folder for it; empty where only `HOME` does.
    variable: &'static str,
    /// Whether hooks are registered there for Claude Code.
    settings: bool,
}

impl Moved {
    fn of(client: &Client, own: &Own) -> Self {
        Self { file: from_home(own), variable: own.variable, settings: client.name == CLAUDE.name }
    }
}

/// What fills the template: YAML scalars and lists, written as JSON.
#[derive(Serialize)]
struct View {
    name: String,
    fail_safe: &'static str,
    guarded: String,
    settings: String,
    guarded_all: String,
    shells: [Shell; 2],
    places: String,
    place: String,
    place_folder: String,
    /// The plugin's own folder is kept whole.
    place_in_plugin: bool,
    place_name: String,
    place_address: String,
    spellings: String,
    code: String,
    lookalikes: String,
    open_settings: String,
    free_lines: String,
    unknown_line: String,
    removal: String,
    file_denied: String,
    settings_denied: String,
    line_denied: String,
    disabling_denied: String,
    handed_asked: String,
    service_denied: String,
    run_denied: String,
}

#[derive(Serialize)]
struct Shell {
    id: &'static str,
    name: &'static str,
    matcher: &'static str,
    /// The functions that read its lines.
    commands: &'static str,
    problem: &'static str,
    /// Lines that change a place, in its language.
    lines: String,
}

fn view(name: &str, named: &[&str], moved: &[Moved], fail_safe: &'static str) -> View {
    let own: Vec<&str> = named.iter().copied().chain([PLUGIN, STATE]).collect();
    let list = |paths: &[&str], moved: &[Moved]| {
        let paths: Vec<String> = paths.iter().filter_map(|path| expression(path)).collect();
        let moved = moved.iter().map(|own| format!(" + elsewhere({}, '{}')", literal(&own.file), own.variable));
        json!(format!("[{}]{}", paths.join(", "), moved.collect::<String>())).to_string()
    };
    let (moved_settings, moved_others): (Vec<Moved>, Vec<Moved>) = moved.iter().cloned().partition(|own| own.settings);
    // The settings may be the catalog's own config file; nobody needs to hear of them twice then.
    let settings = settings();
    let settings: Vec<&str> = settings.iter().map(String::as_str).filter(|path| !named.contains(path)).collect();
    let all: Vec<&str> = own.iter().copied().chain(settings.iter().copied()).collect();
    let of_case = |paths: &[&str]| paths.iter().filter_map(|path| in_a_case(path)).collect::<Vec<String>>();
    let mut places = of_case(named);
    places.extend(["$PLUGIN/hooks/hooks.json".to_owned(), "$PLUGIN/../data/audit.jsonl".to_owned()]);
    let place = places.first().cloned().unwrap_or_default();
    let base = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let lookalikes: Vec<String> = places.iter().map(|path| format!("$PROJECT/notes/{}", base(path))).collect();
    let say = |what: &str| {
        json!(format!(
            "{what} switches or loosens the hooks of {name}, and only the person does that. Say what should change, and why."
        ))
        .to_string()
    };
    View {
        fail_safe,
        name: name.to_owned(),
        guarded: list(&own, &moved_others),
        settings: list(&settings, &moved_settings),
        guarded_all: list(&all, moved),
        shells: [
            Shell {
                id: "GUARD2",
                name: "guard-own-shell",
                matcher: "Bash",
                commands: "commands",
                problem: "shellProblem",
                lines: json!(changing_lines_of_bash(&place)).to_string(),
            },
            Shell {
                id: "GUARD3",
                name: "guard-own-powershell",
                matcher: "PowerShell",
                commands: "powershellCommands",
                problem: "powershellProblem",
                lines: json!(changing_lines_of_powershell(&place)).to_string(),
            },
        ],
        places: json!(places).to_string(),
        place: json!(place).to_string(),
        place_in_plugin: place.starts_with("$PLUGIN"),
        place_folder: json!(place.rsplit_once('/').unwrap_or_default().0).to_string(),
        place_name: json!(base(&place)).to_string(),
        place_address: json!(format!("file://localhost{place}")).to_string(),
        spellings: json!(spellings(&place)).to_string(),
        code: json!(format!("open('{place}', 'w').write('x')")).to_string(),
        lookalikes: json!(lookalikes).to_string(),
        open_settings: json!(of_case(&settings)).to_string(),
        free_lines: json!([
            format!("cat '{place}' && cp '{place}' /tmp/copy"),
            format!("mkdir -p notes && echo x > notes/{}", base(&place)),
            "git status && rm -rf build && tar xzf build.tgz".to_owned(),
        ])
        .to_string(),
        unknown_line: json!(format!("some-tool '{place}'")).to_string(),
        removal: json!(format!("rm -f '{place}'")).to_string(),
        file_denied: say("${own_place}"),
        settings_denied: say("${own_place} registers hooks: what is written to it"),
        line_denied: say("`${own_touching[0].text}` reaches what"),
        disabling_denied: say("`${own_disabling[0].text}`"),
        handed_asked: json!(format!(
            "`${{own_handed[0].text}}` is given what switches or loosens the hooks of {name}, and nobody can tell what it does \
             with it."
        ))
        .to_string(),
        service_denied: say("${own_named[0]}"),
        run_denied: say("`${own_run[0]}` reaches what"),
    }
}

/// What a tool takes for the same file.
fn spellings(place: &str) -> Vec<String> {
    let from_home = place.strip_prefix("$HOME").map(|rest| format!("~{rest}"));
    let (folder, name) = place.rsplit_once('/').unwrap_or_default();
    [format!("{place} "), format!("{folder}/x/..//./{name}"), format!("file://{place}")]
        .into_iter()
        .chain(from_home)
        .collect()
}

/// Ways to change a file that have nothing in common but what they do.
fn changing_lines(place: &str) -> Vec<String> {
    let (folder, name) = place.rsplit_once('/').unwrap_or_default();
    vec![
        format!("cp other '{place}'"),
        format!("cp other/{name} '{folder}/'"),
        format!("cd '{folder}' && rm -f {name}"),
        format!("mv '{folder}' elsewhere"),
        format!("sed -i s/true/false/ '{place}'"),
        format!("tar -xf a.tar -C '{folder}'"),
        format!("curl -fsSo '{place}' https://example.com"),
        format!("ln -s '{place}' x"),
        format!("python3 -c \"open('{place}', 'w').write('x')\""),
    ]
}

/// The same with a here-document, which PowerShell does not have: Codex takes this line for a call of its own tool.
fn changing_lines_of_bash(place: &str) -> Vec<String> {
    let patch = format!("apply_patch <<'E'\n*** Begin Patch\n*** Delete File: {place}\n*** End Patch\nE");
    changing_lines(place).into_iter().chain([patch]).collect()
}

/// The same in PowerShell, beside what is the same there.
fn changing_lines_of_powershell(place: &str) -> Vec<String> {
    let (folder, name) = place.rsplit_once('/').unwrap_or_default();
    let own = [
        format!("Set-Content -Path '{place}' -Value x"),
        format!("[IO.File]::WriteAllText('{place}', 'x')"),
        format!("sl '{folder}'; ri {name}"),
        format!("New-Item -ItemType SymbolicLink -Path x -Target '{place}'"),
        format!("powershell -c \"Remove-Item '{place}'\""),
    ];
    changing_lines(place).into_iter().chain(own).collect()
}

/// The path of a template as an expression; `None` if it cannot be read, which is reported where it is resolved.
fn expression(template: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for piece in cel::split(template).ok()? {
        parts.push(match piece {
            Piece::Text(text) => literal(&text),
            Piece::Expression(range) => format!("string({})", template.get(range)?),
        });
    }
    // Relative paths start at the project, wherever the agent is.
    if !template.starts_with(['/', '$', '~']) {
        parts.insert(0, "project_dir + '/'".to_owned());
    }
    Some(parts.join(" + "))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

/// The path of a template in the world of a case; `None` if more than a folder is filled in.
fn in_a_case(template: &str) -> Option<String> {
    let named = format!("${{env.{}}}", places::PROJECT);
    let folders = [
        ("${home}", "$HOME"),
        ("${plugin_root}", "$PLUGIN"),
        ("${project_dir}", "$PROJECT"),
        (named.as_str(), "$PROJECT"),
    ];
    let known =
        folders.iter().find_map(|(template_of, case)| Some(format!("{case}{}", template.strip_prefix(template_of)?)));
    let path = known.or_else(|| (!template.starts_with(['/', '$', '~'])).then(|| format!("$PROJECT/{template}")));
    path.filter(|path| !path.contains("${"))
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::client::named;

    use super::*;

    #[test]
    fn a_path_becomes_an_expression() {
        assert_eq!(expression("${home}/.claude/x.yaml").as_deref(), Some("string(home) + '/.claude/x.yaml'"));
        assert_eq!(expression("config/it's.yaml").as_deref(), Some("project_dir + '/' + 'config/it\\'s.yaml'"));
        assert_eq!(expression("/etc/x.yaml").as_deref(), Some("'/etc/x.yaml'"));
        assert_eq!(expression("${open"), None);
    }

    #[test]
    fn what_registers_trusts_or_switches_is_kept_wherever_it_is() {
        let kept = |name: &str| registrations(named(name).expect("known"), "demo");
        assert_eq!(
            kept("codex"),
            ["${project_dir}/.codex/hooks.json", "${project_dir}/.codex/config.toml", "${home}/.codex/config.toml"]
        );
        assert_eq!(kept("kimi-code"), ["${home}/.kimi-code/config.toml"]);
        assert_eq!(kept("copilot")[1..3], COPILOT_SWITCHES);
        let of = |client: &Client| persons(client).iter().map(|own| Moved::of(client, own)).collect::<Vec<_>>();
        let view = view("demo", &[], &[CLAUDE, named("kimi-code").expect("known")].map(of).concat(), "closed");
        assert!(view.guarded.contains("+ elsewhere('.kimi-code/config.toml', 'KIMI_CODE_HOME')"), "{}", view.guarded);
        assert!(!view.guarded.contains("CLAUDE_CONFIG_DIR"), "{}", view.guarded);
        assert!(view.settings.contains("elsewhere('.claude/settings.json', 'CLAUDE_CONFIG_DIR')"), "{}", view.settings);
    }

    #[test]
    fn what_the_catalog_reads_in_the_home_folder_is_kept_in_the_one_that_the_environment_names_too() {
        let mut catalog: Catalog = serde_yaml::from_str(
            "{ catalog: demo, version: 1.0.0, description: d, author: a, license: MIT, binary: b, guard: self, hooks: [],
               config: { file: '${home}/.claude/demo.yaml' } }",
        )
        .expect("a catalog");
        write_out(&mut catalog).expect("written out");
        let expressions = serde_json::to_string(&format!("{:?}", catalog.hooks)).expect("text");
        assert!(expressions.contains("elsewhere('.claude/demo.yaml', '')"), "{expressions}");
        assert!(!expressions.contains("elsewhere('settings"), "{expressions}");
    }

    const COPILOT_SWITCHES: [&str; 2] =
        ["${project_dir}/.github/copilot/settings.json", "${project_dir}/.github/copilot/settings.local.json"];

    #[test]
    fn a_case_knows_the_folders_of_its_world() {
        assert_eq!(in_a_case("${home}/.claude/x.yaml").as_deref(), Some("$HOME/.claude/x.yaml"));
        assert_eq!(in_a_case("config/x.yaml").as_deref(), Some("$PROJECT/config/x.yaml"));
        assert_eq!(in_a_case("${feature_dir}/x.yaml"), None);
        assert_eq!(in_a_case("${home}/${catalog}.yaml"), None);
    }
}
