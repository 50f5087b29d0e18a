//! The catalogs of this repository, shipped and held to their own cases.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;

use crate::support::{hookgen, repository};

/// The names of all catalogs, which are those of their generated folders.
fn names() -> Vec<String> {
    let listed = listed();
    let mut names: Vec<String> = listed.iter().map(|hook| text(hook, "catalog").to_owned()).collect();
    names.dedup();
    assert!(names.contains(&"product-planning".to_owned()), "{names:?}");
    names
}

/// Every hook of every catalog, as `hookgen list` has it.
fn listed() -> Vec<Value> {
    let run = hookgen(&repository(), ["list", "--json"]).exits(0);
    serde_json::from_str(&run.stdout).expect("a list")
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_else(|| panic!("no text `{key}` in {value}"))
}

/// The folder of all plugins, shipped once for all tests.
pub(crate) fn shipped() -> &'static Path {
    static SHIPPED: OnceLock<PathBuf> = OnceLock::new();
    SHIPPED.get_or_init(|| {
        // Shipping also builds. A test must not mend what another one is there to find.
        hookgen(&repository(), ["check"]).exits(0);
        let out = repository().join("target/it/dist");
        let arguments = ["ship", "--debug", "--out", out.to_str().expect("UTF-8")];
        let run = hookgen(&repository(), arguments).exits(0);
        assert_eq!(run.stdout.lines().count(), names().len(), "{}", run.stdout);
        out
    })
}

/// A handler in `hooks.json`, with what it hangs on.
struct Registration {
    event: String,
    matcher: Option<String>,
    handler: Value,
}

impl Registration {
    /// The ids of the hooks that a command runs.
    fn ids(&self) -> Vec<&str> {
        let arguments = self.handler["args"].as_array().into_iter().flatten();
        let arguments = arguments.map(|argument| argument.as_str().expect("an argument"));
        arguments.filter(|argument| !argument.starts_with("--")).collect()
    }
}

fn registrations(catalog: &str) -> Vec<Registration> {
    let path = repository().join("generated").join(catalog).join("hooks/hooks.json");
    let file: Value = serde_json::from_str(&fs::read_to_string(&path).expect("hooks.json")).expect("JSON");
    let mut found = Vec::new();
    for (event, groups) in file["hooks"].as_object().expect("events") {
        for group in groups.as_array().expect("groups") {
            let matcher = group.get("matcher").map(|_| text(group, "matcher").to_owned());
            for handler in group["hooks"].as_array().expect("handlers") {
                found.push(Registration { event: event.clone(), matcher: matcher.clone(), handler: handler.clone() });
            }
        }
    }
    found
}

#[test]
fn every_catalog_passes_its_own_cases() {
    for name in names() {
        let plugin = shipped().join(&name);
        let plugin = plugin.to_str().expect("UTF-8");
        let run = hookgen(&repository(), ["test", &name, "--plugin", plugin]).exits(0);
        let closing = run.stdout.lines().last().unwrap_or_default();
        assert!(closing.ends_with(" passed, 0 failed") && !closing.starts_with("0 "), "{name}: {closing}");
    }
}

#[test]
fn agents_that_a_catalog_is_not_for_are_not_in_its_binary() {
    // Names of tools and variables that nothing but the tables of other agents has.
    let of_others: [&[u8]; 3] = [b"run_shell_command", b"str-replace-editor", b"QWEN_PROJECT_DIR"];
    for name in names() {
        let registered = repository().join("generated").join(&name).join("agents");
        let serves_others = registered.is_dir();
        for file in fs::read_dir(shipped().join(&name).join("bin")).expect("shipped") {
            let binary = fs::read(file.expect("readable").path()).expect("a binary");
            for words in of_others {
                let is_there = binary.windows(words.len()).any(|part| part == words);
                assert_eq!(is_there, serves_others, "{name}: {}", String::from_utf8_lossy(words));
            }
        }
    }
}

#[test]
fn a_shipped_plugin_holds_what_was_generated_and_a_binary() {
    for name in names() {
        let plugin = shipped().join(&name);
        let generated = repository().join("generated").join(&name);
        for file in [".claude-plugin/plugin.json", "hooks/hooks.json", "docs/HOOKS.md", "settings.fragment.json"] {
            let read = |folder: &Path| fs::read_to_string(folder.join(file)).expect(file);
            assert_eq!(read(&plugin), read(&generated), "{name}/{file}");
        }
        for registration in registrations(&name) {
            let Some(command) = registration.handler["command"].as_str() else { continue };
            let binary = command.replace("${CLAUDE_PLUGIN_ROOT}", plugin.to_str().expect("UTF-8"));
            assert!(Path::new(&binary).is_file(), "{binary}");
        }
    }
}

#[test]
fn the_list_and_the_registration_tell_of_the_same_hooks() {
    for name in names() {
        let registrations = registrations(&name);
        let commands = |hook: &&Value| text(hook, "type") == "command";
        let listed = listed();
        let own: Vec<&Value> = listed.iter().filter(|hook| text(hook, "catalog") == name).collect();
        let mut registered: BTreeMap<&str, &Registration> = BTreeMap::new();
        for registration in &registrations {
            for id in registration.ids() {
                assert!(registered.insert(id, registration).is_none(), "{name}: {id} is registered twice");
            }
        }
        let ids: Vec<_> = registered.keys().copied().collect();
        let mut expected: Vec<_> = own.iter().copied().filter(commands).map(|hook| text(hook, "id")).collect();
        expected.sort_unstable();
        assert_eq!(ids, expected, "{name}");
        for hook in own.iter().copied().filter(commands) {
            let registration = registered[text(hook, "id")];
            assert_eq!(registration.event, text(hook, "event"), "{hook}");
            assert_eq!(registration.matcher.as_deref(), hook["matcher"].as_str(), "{hook}");
            if let [_] = registration.ids()[..] {
                let seconds = registration.handler["timeout"].as_f64().expect("a timeout");
                assert!((seconds * 1000.0 - hook["timeout_ms"].as_f64().expect("a number")).abs() < 0.5, "{hook}");
            }
        }
        let asking = registrations.iter().filter(|registration| registration.handler["type"] != "command").count();
        assert_eq!(asking, own.iter().filter(|hook| text(hook, "type") != "command").count(), "{name}");
    }
}

#[test]
fn every_registration_names_a_program_without_a_shell_and_ends_in_time() {
    for name in names() {
        for Registration { event, handler, .. } in registrations(&name) {
            assert!(handler["timeout"].as_f64().is_some_and(|seconds| seconds > 0.0), "{name} {event}: {handler}");
            if handler["type"] == "command" {
                let command = text(&handler, "command");
                let program = command.strip_prefix("${CLAUDE_PLUGIN_ROOT}/bin/").expect(command);
                assert!(program.chars().all(|it| it.is_ascii_alphanumeric() || it == '-'), "{command}");
                assert!(handler["args"].as_array().is_some_and(|args| !args.is_empty()), "{name} {event}: {handler}");
            } else {
                assert!(!text(&handler, "prompt").is_empty(), "{name} {event}");
            }
        }
    }
}
