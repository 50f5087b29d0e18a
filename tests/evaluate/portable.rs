//! The engine as a process, beside the file of a catalog.

use std::fs;
use std::path::{Path, PathBuf};

use hookgen_runtime::evaluate::engine_file;
use hookgen_runtime::representation::encode;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::lowered;
use crate::support::{Run, clean, feed, write};

/// An engine with a catalog, in a project of its own.
pub(crate) struct Portable {
    folder: TempDir,
}

impl Portable {
    pub(crate) fn of(catalog: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = folder.path().join("plugin/bin/demo-hooks");
        fs::create_dir_all(engine.parent().expect("a parent")).expect("folders");
        // A link would be followed, and the file looked for beside the engine that it leads to.
        fs::copy(env!("CARGO_BIN_EXE_hookgen-engine"), &engine).expect("copied");
        write(&engine_file(&engine), encode(&lowered(catalog)).expect("encoded"));
        fs::create_dir(folder.path().join("project")).expect("a folder");
        Self { folder }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// The file of the catalog.
    pub(crate) fn file(&self) -> PathBuf {
        engine_file(&self.engine())
    }

    fn engine(&self) -> PathBuf {
        self.path("plugin/bin/demo-hooks")
    }

    /// Asks the hooks about a shell command.
    pub(crate) fn asked(&self, arguments: &[&str], command: &str) -> Run {
        let event = json!({
            "session_id": "s", "cwd": self.path("project"), "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_input": { "command": command },
        });
        self.fed(arguments, &event)
    }

    pub(crate) fn fed(&self, arguments: &[&str], event: &Value) -> Run {
        let mut engine = clean(self.engine());
        engine.args(arguments).env("HOME", self.path("home")).env("CLAUDE_PLUGIN_DATA", self.path("data"));
        engine.env("CLAUDE_PROJECT_DIR", self.path("project"));
        feed(&mut engine, &event.to_string())
    }

    pub(crate) fn log(&self) -> String {
        fn collect(folder: &Path, found: &mut String) {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    collect(&entry.path(), found);
                } else if let Ok(text) = fs::read_to_string(entry.path()) {
                    found.push_str(&text);
                }
            }
        }
        let mut found = String::new();
        collect(&self.path("data"), &mut found);
        found
    }
}

pub(crate) const CATALOG: &str = "catalog: demo
version: 1.0.0
description: A guard, a budget, a document.
config: { file: '${project_dir}/hooks.yaml' }
thresholds:
  most: { description: How often., default: 2, config: most }
facts:
  words: tool_input.command.words()
counters:
  calls: { description: Calls. }
documents:
  journal: { path: '${project_dir}/journal.txt', format: text }
hooks:
  - id: GUARD
    name: guard
    event: PreToolUse
    matcher: Bash
    timeout: 5s
    fail_safe: closed
    why: Some things are not to be done.
    when: words.size() > 1
    let:
      raised: tool_input.command.matches('^sudo ')
    checks:
      - { id: raised, when: raised, ask: Is that needed? }
      - id: removal
        when: tool_input.command.commands().exists(c, c.name == 'rm' && c.hasAny(['-f']))
        deny: Do not remove ${words.takeLast(1).join('')}.
      - id: journal
        append: { to: journal, line: 'ran ${tool_input.command}' }
  - id: BUDGET
    name: budget
    event: PreToolUse
    matcher: Bash
    timeout: 5s
    fail_safe: open
    why: Not too often.
    checks:
      - id: count
        spend: { as: count, from: { calls: thresholds.most } }
      - id: over
        when: count.refused
        deny: Only ${count.calls.limit} times, and it was ${count.calls.used}.
";

#[test]
fn the_engine_answers_as_its_catalog_says() {
    let demo = Portable::of(CATALOG);
    let denied = demo.asked(&["GUARD"], "rm -f /etc/x").exits(0);
    let reply: Value = serde_json::from_str(&denied.stdout).expect("JSON");
    assert_eq!(reply["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(reply["hookSpecificOutput"]["permissionDecisionReason"], "Do not remove /etc/x.");
    assert!(demo.asked(&["GUARD"], "sudo ls").exits(0).stdout.contains("Is that needed?"));
    assert_eq!(demo.asked(&["GUARD"], "ls").exits(0).stdout, "", "the gate is closed");
    assert!(!demo.path("project/journal.txt").exists());
    assert_eq!(demo.asked(&["GUARD"], "rm /etc/x").exits(0).stdout, "");
    assert_eq!(fs::read_to_string(demo.path("project/journal.txt")).expect("written"), "ran rm /etc/x\n");
}

#[test]
fn budgets_and_settings_work_as_in_a_compiled_binary() {
    let demo = Portable::of(CATALOG);
    assert_eq!(demo.asked(&["BUDGET"], "ls").exits(0).stdout, "");
    assert_eq!(demo.asked(&["BUDGET"], "ls").exits(0).stdout, "");
    let over = demo.asked(&["BUDGET"], "ls").exits(0);
    assert!(over.stdout.contains("Only 2 times, and it was 2."), "{over:?}");
    write(&demo.path("project/hooks.yaml"), "most: 3");
    assert_eq!(demo.asked(&["BUDGET"], "ls").exits(0).stdout, "");
    let over = demo.asked(&["BUDGET", "GUARD"], "rm -f x").exits(0);
    assert!(over.stdout.contains("Do not remove x.") && over.stdout.contains("Only 3 times"), "{over:?}");
}

#[test]
fn an_unknown_hook_is_a_broken_installation() {
    let refused = Portable::of(CATALOG).asked(&["NONE"], "ls");
    let said = format!("{}{}", refused.stdout, refused.stderr);
    assert!(said.contains("it has no hook `NONE`") && said.contains("refused"), "{refused:?}");
    let told = Portable::of(CATALOG).asked(&["--open=demo@1.0.0", "NONE"], "ls").exits(0);
    assert!(told.stdout.contains("systemMessage") && told.stdout.contains("let it pass"), "{told:?}");
}
