//! `hookgen install --agent` and `hookgen doctor` for every agent: beside what others have, twice, and out again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hookgen_runtime::client::{CLIENTS, Known};
use tempfile::TempDir;

use crate::support::{Run, bytes, command, write};

/// A catalog for all agents, small enough to be made again and again.
const CATALOG: &str = r"catalog: demo
version: 1.0.0
description: Keeps one folder as it is
author: hookgen maintainers
license: MIT OR Apache-2.0
binary: demo-hooks
agents: [claude, codex, gemini, qwen, copilot, droid, kimi-code, auggie, cline, opencode]
hooks:
  - id: D1
    name: no-push
    event: PreToolUse
    matcher: Bash
    timeout: 20s
    fail_safe: closed
    why: What is pushed cannot be taken back.
    checks:
      - id: push
        when: tool_input.command.contains('git push')
        deny: Nobody pushes from here.
    cases:
      - name: a push is refused
        input: { tool_name: Bash, tool_input: { command: git push } }
        expect: { decision: deny }
      - name: a look passes
        input: { tool_name: Bash, tool_input: { command: git status } }
        expect: { decision: pass }
";

/// A project and a home folder in which people have hooks of their own.
struct Shop {
    folder: TempDir,
}

const THEIRS: &[(&str, &str)] = &[
    ("project/.claude/settings.json", "{\n    \"model\": \"opus\",\r\n \"hooks\": {}\n}\n"),
    (
        "project/.codex/hooks.json",
        "{\"hooks\": {\"PreToolUse\":\n  [{\"hooks\": [{\"type\": \"command\", \"command\": \"./theirs\"}]}] } }\n",
    ),
    ("home/.codex/config.toml", "# mine\nmodel = \"x\"\n\n[tools]\nweb = true\n"),
    ("project/.gemini/settings.json", "{ \"theme\": \"dark\", \"n\": 1.50 }\n"),
    (
        "project/.qwen/settings.json",
        "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"./theirs\"}]}]}}",
    ),
    (
        "project/.github/hooks/own.json",
        "{\"version\":1,\"hooks\":{\"preToolUse\":[{\"type\":\"command\",\"bash\":\"./theirs\"}]}}",
    ),
    (
        "project/.factory/hooks.json",
        "{\n\t\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"./theirs\"}]}]\n}\n",
    ),
    (
        "home/.kimi-code/config.toml",
        "default_model = \"m\"\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"./theirs\"\n\n[models.m]\nmodel = \"m\"\n",
    ),
    ("project/.augment/settings.json", "{}\n"),
    ("project/.opencode/plugin/own.js", "export const Own = async () => ({});\n"),
    ("project/README.md", "The shop.\n"),
];

impl Shop {
    fn new() -> Self {
        let shop = Self { folder: TempDir::with_prefix("Büro & mehr ").expect("a folder") };
        for (path, text) in THEIRS {
            write(&shop.folder.path().join(path), text);
        }
        write(&shop.folder.path().join("catalogs/specs/demo.yaml"), CATALOG);
        let trusted = serde_json::json!({ "trustedFolders": [shop.project()] });
        write(&shop.home().join(".copilot/config.json"), trusted.to_string());
        shop
    }

    /// The real path, as agents have it.
    fn project(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("there").join("project")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn hookgen(&self, arguments: &[&str]) -> Run {
        let mut command = command(&self.folder.path().join("catalogs"));
        for variable in ["CODEX_HOME", "COPILOT_HOME", "KIMI_CODE_HOME"] {
            command.env_remove(variable);
        }
        let into = self.project();
        command
            .env("HOME", self.home())
            .args(arguments)
            .arg("--into")
            .arg(into)
            .output()
            .expect("hookgen starts")
            .into()
    }

    fn install(&self, agent: &str, more: &[&str]) -> Run {
        let how: &[&str] = if more.contains(&"--remove") { &[] } else { &["--portable"] };
        self.hookgen(&[&["install", "demo", "--agent", agent], how, more].concat())
    }

    /// All that people and agents have; what is generated beside the catalog is another matter.
    fn everything(&self) -> BTreeMap<String, Vec<u8>> {
        let mut all = bytes(self.folder.path());
        all.retain(|path, _| !path.starts_with("catalogs/"));
        all
    }
}

fn lines_of<'r>(run: &'r Run, agent: &str) -> Vec<&'r str> {
    let of = |line: &&str| line.split_whitespace().nth(1) == Some(agent);
    run.stdout.lines().filter(of).collect()
}

/// The agents that the catalog is for.
fn agents() -> Vec<&'static str> {
    let run = CLIENTS.iter().filter(|client| matches!(client.known, Known::Run(_)));
    let agents: Vec<&str> = run.map(|client| client.name).collect();
    assert_eq!(agents.len(), 10, "{agents:?}");
    agents
}

/// Agents of which each is registered in another form.
const FORMS: [&str; 5] = ["claude", "codex", "copilot", "kimi-code", "cline"];

/// One story, because every step makes a plugin.
#[test]
fn all_agents_are_served_beside_others_with_one_decision_each_and_left_without_a_trace() {
    let shop = Shop::new();
    let before = shop.everything();
    for agent in agents() {
        if FORMS.contains(&agent) {
            let until_now = shop.everything();
            let shown = shop.install(agent, &["--dry-run"]).exits(0);
            assert!(shown.stdout.contains("demo-hooks"), "{agent}: {}", shown.stdout);
            assert!(shop.everything() == until_now, "{agent}: a dry run writes nothing");
        }
        shop.install(agent, &[]).exits(0);
    }
    let once = shop.everything();
    for (path, _) in THEIRS.iter().filter(|(_, text)| text.contains("./theirs")) {
        assert!(String::from_utf8_lossy(&once[*path]).contains("./theirs"), "{path}");
    }
    for agent in FORMS {
        shop.install(agent, &[]).exits(0);
        assert!(shop.everything() == once, "{agent}: the second time nothing changes");
    }
    is_healthy(&shop);
    is_found_ill(&shop);
    for agent in agents() {
        shop.install(agent, &["--remove"]).exits(0);
    }
    let after = shop.everything();
    let names = |all: &BTreeMap<String, Vec<u8>>| all.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&after), names(&before));
    for (path, text) in &before {
        assert_eq!(String::from_utf8_lossy(&after[path]), String::from_utf8_lossy(text), "{path}");
    }
}

fn is_healthy(shop: &Shop) {
    let healthy = shop.hookgen(&["doctor"]).exits(0);
    for agent in agents() {
        let lines = lines_of(&healthy, agent);
        for word in ["registered", "can be run", "answers a test event"] {
            assert!(lines.iter().any(|line| line.starts_with("ok ") && line.contains(word)), "{agent}: {lines:?}");
        }
    }
    let copilot = lines_of(&healthy, "copilot").join("\n");
    assert!(copilot.contains("also runs what is registered for Claude Code; those entries notice"), "{copilot}");
}

/// Breaks what can be broken, asks, and mends it again.
fn is_found_ill(shop: &Shop) {
    // Whoever is trusted by hash is not any more once an entry was changed.
    let hooks = shop.project().join(".codex/hooks.json");
    let text = fs::read_to_string(&hooks).expect("there");
    write(&hooks, text.replace("--agent=codex", "--agent=codex "));
    // A registration that was copied runs twice.
    let copied = shop.home().join(".gemini/settings.json");
    write(&copied, fs::read(shop.project().join(".gemini/settings.json")).expect("there"));
    // A program that is gone, and one that cannot be run.
    let gone = program(&shop.project().join(".qwen/hookgen/demo"));
    let bin = gone.parent().expect("a folder");
    fs::rename(bin, bin.with_file_name("away")).expect("moved");
    set_mode(&program(&shop.project().join(".factory/hookgen/demo")), 0o644);
    // Copies beside a registration, in folders where the agent looks as well.
    let twins = [
        (".github/hooks/hookgen-demo.json", shop.project().join(".github/hooks/copy.json")),
        (".opencode/plugin/hookgen-demo.js", shop.home().join(".config/opencode/plugin/copy.js")),
        (".clinerules/hooks/PreToolUse", shop.project().join(".cline/hooks/PreToolUse")),
    ];
    for (registered, twin) in &twins {
        write(twin, fs::read(shop.project().join(registered)).expect("there"));
    }
    // All hooks are switched off.
    let config = shop.home().join(".codex/config.toml");
    let switched_on = fs::read_to_string(&config).expect("there");
    write(&config, format!("{switched_on}\n[features]\nhooks = false\n"));
    // A folder that is not trusted.
    let trusted = shop.home().join(".copilot/config.json");
    let listed = fs::read_to_string(&trusted).expect("there");
    write(&trusted, "{}");

    let ill = shop.hookgen(&["doctor"]).exits(1);
    let wrong = |agent: &str, what: &str| {
        let lines = lines_of(&ill, agent);
        assert!(lines.iter().any(|line| line.starts_with("BAD") && line.contains(what)), "{agent} {what}: {lines:#?}");
    };
    wrong("codex", "not trusted");
    wrong("codex", "`features.hooks = false` in ");
    for agent in ["copilot", "opencode", "cline"] {
        wrong(agent, "registers it as well");
    }
    wrong("gemini", "registers it as well");
    wrong("qwen", "program is missing");
    wrong("qwen", "does not let a harmless test event pass");
    wrong("copilot", "does not list the folder");
    #[cfg(unix)]
    wrong("droid", "not executable");

    write(&config, switched_on);
    for (_, twin) in twins {
        fs::remove_file(twin).expect("removed");
    }
    write(&hooks, text);
    fs::remove_dir_all(shop.home().join(".gemini")).expect("removed");
    fs::rename(bin.with_file_name("away"), bin).expect("moved");
    set_mode(&program(&shop.project().join(".factory/hookgen/demo")), 0o755);
    write(&trusted, listed);
}

fn program(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder.join("bin")).expect("installed").map(|file| file.expect("readable").path());
    files.into_iter().find(|file| file.extension().is_none()).expect("a program")
}

#[cfg(unix)]
fn set_mode(program: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(program, fs::Permissions::from_mode(mode)).expect("changed");
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) {}

/// Codex looks for the hooks of a linked worktree in the main checkout, others look in the worktree.
#[test]
fn the_hooks_of_a_worktree_are_put_where_its_agent_looks_for_them() {
    let shop = Shop::new();
    let main = shop.folder.path().canonicalize().expect("there").join("main");
    let link = format!("gitdir: {}\n", main.join(".git/worktrees/side").display());
    write(&main.join(".git/worktrees/side/HEAD"), "ref: refs/heads/side\n");
    write(&main.join(".git/worktrees/side/commondir"), "../..\n");
    fs::remove_dir_all(shop.project().join(".codex")).expect("there");
    write(&shop.project().join(".git"), link);

    shop.install("codex", &[]).exits(0);
    assert!(main.join(".codex/hooks.json").is_file() && !shop.project().join(".codex/hooks.json").exists());
    let config = fs::read_to_string(shop.home().join(".codex/config.toml")).expect("there");
    assert!(config.contains(&main.join(".codex/hooks.json").display().to_string()), "{config}");
    shop.install("gemini", &[]).exits(0);
    assert!(shop.project().join(".gemini/hookgen").is_dir() && !main.join(".gemini").exists());

    let healthy = shop.hookgen(&["doctor"]).exits(0);
    for agent in ["codex", "gemini"] {
        let lines = lines_of(&healthy, agent);
        assert!(lines.iter().any(|line| line.contains("answers a test event")), "{agent}: {lines:?}");
    }
    fs::remove_dir(shop.project().join(".codex")).expect("made, and empty");
    let blind = shop.hookgen(&["doctor"]).exits(1);
    assert!(lines_of(&blind, "codex").iter().any(|line| line.contains("there is no folder")), "{}", blind.stdout);
    shop.install("codex", &["--remove"]).exits(0);
    assert!(!main.join(".codex/hooks.json").exists() && !main.join(".codex/hookgen/demo").exists());
}

#[cfg(unix)]
#[test]
fn without_a_compiler_an_engine_is_installed_and_that_is_said() {
    let shop = Shop::new();
    let mut command = command(&shop.folder.path().join("catalogs"));
    command.env("HOME", shop.home()).env("PATH", "/nowhere").args(["install", "demo", "--agent", "gemini", "--into"]);
    let run = Run::from(command.arg(shop.project()).output().expect("hookgen starts")).exits(0);
    assert!(run.stderr.contains("an engine is installed, as with `--portable`"), "{}", run.stderr);
    assert!(shop.project().join(".gemini/hookgen/demo/bin/demo-hooks").is_file());
}
