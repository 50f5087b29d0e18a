use hookgen_runtime::client::{CLIENTS, named};

use super::*;
use crate::emit::fixture;

fn place() -> Place {
    Place { project: Some("/Büro & mehr; it's/a project".to_owned()) }
}

#[test]
fn every_agent_is_given_something_and_recognises_it_as_the_catalog_s() {
    let catalog = fixture::full();
    for client in CLIENTS.iter().copied().filter(|client| client.name != "claude") {
        let text = match write(&catalog, client, &place()) {
            Written::Entries(entries) => Value::Object(entries).to_string(),
            Written::Own(_, text) => text,
            Written::Tables(tables) => tables.concat(),
            Written::Scripts(scripts) => scripts.into_iter().map(|(_, text)| text).collect(),
        };
        assert!(text.contains(&format!("--agent={}", client.name)), "{}: {text}", client.name);
        for entry in entries(&catalog, client, &place()) {
            let line = match client.registration.program {
                Program::Arguments => program(&catalog, client, &place()),
                _ => line(&catalog, client, &place(), &entry),
            };
            assert!(is_ours(client, &catalog.name, &line), "{line}");
            assert!(!is_ours(client, "other", &line), "{line}");
            let after_others = format!("x; {line}");
            assert_eq!(
                is_ours(client, &catalog.name, &after_others),
                client.registration.program == Program::Arguments,
                "{line}"
            );
        }
    }
}

#[test]
fn a_matcher_is_written_in_the_agent_s_words_or_left_out() {
    let names = |written: &str| Matcher::Names {
        written: written.to_owned(),
        names: written.split('|').map(str::to_owned).collect(),
    };
    let native = |client: &str, matcher: &str| {
        let client = named(client).expect("known");
        native_matcher(client, client.event("PreToolUse").expect("known"), Some(&names(matcher)))
    };
    assert_eq!(native("gemini", "Bash"), Some(Some("run_shell_command".to_owned())));
    assert_eq!(native("codex", "Write|Edit"), Some(Some("apply_patch".to_owned())));
    assert_eq!(native("copilot", "Bash"), Some(None));
    assert_eq!(native("codex", "PowerShell"), None);
    assert_eq!(native("codex", "mcp__a__b"), Some(None));
}

#[test]
fn lines_of_several_catalogs_share_a_script_and_leave_it_without_a_trace() {
    let one = script::with_lines("", "one", "a\n").expect("ours");
    let both = script::with_lines(&one, "two", "b\n").expect("ours");
    assert_eq!(script::without_lines(&both, "two").as_deref(), Some(one.as_str()));
    assert!(script::has_lines(&both, "two") && !script::has_lines(&one, "two"));
    assert!(script::is_idle(&script::without_lines(&one, "one").expect("ours")));
    assert_eq!(script::with_lines("#!/bin/sh\necho mine\n", "one", "a\n"), None, "somebody else's");
}
