//! Every hook of product-planning in each of its situations, and the processes that they are compared with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::Subject;
use super::shipped::{self, Linking};
use super::world::{World, state};

/// What everything is compared with.
pub(crate) const TRUE: &str = "`/bin/true`";

/// The least that a process can cost.
pub(crate) const NOTHING: &str = "a process that does nothing";

/// What somebody who edits a catalog waits for.
pub(crate) const CASES: &str = "`hookgen test` on safety";
/// Recorded calls, played to a catalog.
pub(crate) const CALLS: &str = "`hookgen replay` of 10,000 calls to safety";

/// Hook, situation, event, fields of the event, exit code.
const SITUATIONS: &[(&str, &str, &str, &str, i32)] = &[
    ("H01", "not applying", "PreToolUse", r#""tool_name":"Bash","tool_input":{"command":"ls"}"#, 0),
    (
        "H01",
        "deciding",
        "PreToolUse",
        r#""tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Use Redis for caching?"}]}"#,
        2,
    ),
    (
        "H02",
        "not applying",
        "PreToolUse",
        r#""tool_name":"Write","tool_input":{"file_path":"$PROJECT/src/a.rs","content":"x"}"#,
        0,
    ),
    (
        "H02",
        "deciding",
        "PreToolUse",
        r#""tool_name":"Write","tool_input":{"file_path":"$PROJECT/specs/auth/design.md","content":"x"}"#,
        0,
    ),
    ("H03", "not applying", "PreToolUse", r#""tool_name":"Bash","tool_input":{"command":"ls"}"#, 0),
    (
        "H04",
        "not applying",
        "PreToolUse",
        r#""tool_name":"Write","tool_input":{"file_path":"$PROJECT/src/a.rs","content":"x"}"#,
        0,
    ),
    (
        "H04",
        "deciding",
        "PreToolUse",
        r#""tool_name":"Write","tool_input":{"file_path":"$PROJECT/specs/auth/spec.md","content":"x"}"#,
        2,
    ),
    (
        "H05",
        "not applying",
        "PostToolUse",
        r#""tool_name":"Write","tool_input":{"file_path":"$PROJECT/src/a.rs","content":"x"}"#,
        0,
    ),
    ("H06", "deciding", "UserPromptSubmit", r#""prompt":"continue""#, 0),
    ("H07", "not applying", "SubagentStop", r#""agent_type":"other","last_assistant_message":"Done.""#, 0),
    (
        "H07",
        "deciding",
        "SubagentStop",
        r#""agent_type":"product-planning:tech-lead","last_assistant_message":"Done.""#,
        0,
    ),
    ("H09", "not applying", "SubagentStop", r#""agent_type":"other","last_assistant_message":"Done.""#, 0),
    (
        "H09",
        "deciding",
        "SubagentStop",
        r#""agent_type":"product-planning:qa-strategist","last_assistant_message":"Done.""#,
        0,
    ),
    ("H10", "not applying", "SubagentStop", r#""agent_type":"other","last_assistant_message":"Done.""#, 0),
    (
        "H10",
        "deciding",
        "SubagentStop",
        r#""agent_type":"product-planning:explorer","last_assistant_message":"Done.""#,
        2,
    ),
    ("H11a", "deciding", "Stop", r#""stop_hook_active":false"#, 2),
    ("H12", "deciding", "PreCompact", r#""trigger":"auto""#, 0),
];

/// What everything is compared with, and the least that a process can cost.
pub(crate) fn plain_processes() -> Vec<Subject> {
    vec![
        plain(TRUE, "/bin/true".into(), "/dev/null".into()),
        plain(NOTHING, shipped::program("nothing", Linking::chosen()), "/dev/null".into()),
    ]
}

/// The same hooks in other programs: linked the other way, and in a portable plugin.
pub(crate) fn elsewhere(world: &World) -> Vec<Subject> {
    let mut subjects = Vec::new();
    if let Some(other) = Linking::other() {
        let event = world.event("PreToolUse", r#""tool_name":"Write","tool_input":{"content":"x"}"#);
        let reading = format!("only reading, with {}", other.name());
        subjects.push(plain(&reading, shipped::program("reads", other), event));
        let plugin = shipped::linked("product-planning", "planning-hooks", other);
        subjects.extend(some(world, &plugin, &format!("with {}", other.name())));
    }
    subjects.extend(some(world, &shipped::portable_plugin("product-planning"), "portable"));
    subjects
}

/// Hooks that stand for the others.
fn some(world: &World, plugin: &Path, how: &str) -> Vec<Subject> {
    let few = SITUATIONS.iter().filter(|(hook, ..)| matches!(*hook, "H01" | "H02" | "H04" | "H07"));
    few.map(|(id, situation, event, fields, exit)| {
        let event = world.event(event, fields);
        hook(world, plugin, &format!("{id} {situation}, {how}"), id, *exit, Box::new(move |_| event.clone()))
    })
    .collect()
}

/// All cases of a catalog, evaluated as somebody who edits it has them evaluated.
pub(crate) fn cases(world: &World) -> Subject {
    let mut subject = plain(CASES, shipped::released("hookgen"), "/dev/null".into());
    subject.arguments = vec!["test".to_owned(), shipped::root().join("specs/safety.yaml").display().to_string()];
    subject.environment = world.environment(&subject.name);
    subject.every = 30;
    subject
}

/// Calls of fifty sessions, evaluated one after the other.
pub(crate) fn calls(world: &World) -> Subject {
    let lines =
        ["git status", "ls -la src", "cargo test --workspace", "git push --force origin main", "rg -n main src | head"];
    let text: String = (0..10_000)
        .map(|number: usize| {
            let line = lines.get(number % lines.len()).copied().unwrap_or_default();
            format!(
                "{{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s{}\",\"cwd\":\"/home/dev/shop\",\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"{line}\"}}}}\n",
                number % 50
            )
        })
        .collect();
    let file = shipped::workshop().join("calls.jsonl");
    std::fs::write(&file, text).expect("written");
    let mut subject = plain(CALLS, shipped::released("hookgen"), "/dev/null".into());
    let catalog = shipped::root().join("specs/safety.yaml").display().to_string();
    subject.arguments = vec!["replay".to_owned(), catalog, file.display().to_string(), "--json".to_owned()];
    subject.environment = world.environment(&subject.name);
    subject.every = 100;
    subject
}

/// Every hook with its twin.
pub(crate) fn all(world: &World, plugin: &Path) -> Vec<Subject> {
    let mut subjects = Vec::new();
    for (hook, situation, event, fields, exit) in SITUATIONS {
        let event = world.event(event, fields);
        let name = format!("{hook} {situation}");
        subjects.extend(pair(world, plugin, &name, hook, *exit, |_| {
            let event = event.clone();
            Box::new(move |_| event.clone())
        }));
    }
    subjects.extend(pair(world, plugin, "H03 changing state", "H03", 0, |twin| spending(world, twin)));
    subjects.extend(pair(world, plugin, "H05 changing state", "H05", 0, |_| entering_a_phase(world)));
    subjects.extend(pair(world, plugin, "H13 changing state", "H13", 0, |_| starting(world)));
    subjects
}

/// One hook with events from 1 KB to 20 MB of source text, beside a process that only reads them.
pub(crate) fn sizes(world: &World, plugin: &Path) -> Vec<Subject> {
    let reads = shipped::program("reads", Linking::chosen());
    let line = r#"    let name = values.get(\"key\").unwrap_or_default();\n"#;
    let mut subjects = Vec::new();
    for (label, size, every) in [
        ("1 KB", 1_000, 1),
        ("10 KB", 10_000, 1),
        ("100 KB", 100_000, 1),
        ("1 MB", 1_000_000, 3),
        ("20 MB", 20_000_000, 10),
    ] {
        let content = line.repeat(size / line.len());
        let fields =
            format!(r#""tool_name":"Write","tool_input":{{"file_path":"$PROJECT/src/a.rs","content":"{content}"}}"#);
        let event = world.event("PreToolUse", &fields);
        let mut reading = plain(&format!("only reading {label}"), reads.clone(), event.clone());
        let mut hook = hook(world, plugin, &format!("H02 given {label}"), "H02", 0, Box::new(move |_| event.clone()));
        (reading.every, hook.every) = (every, every);
        subjects.extend([reading, hook]);
    }
    subjects
}

fn plain(name: &str, program: PathBuf, event: PathBuf) -> Subject {
    Subject {
        name: name.to_owned(),
        program,
        arguments: Vec::new(),
        environment: Vec::new(),
        prepare: Box::new(move |_| event.clone()),
        every: 1,
        exit: 0,
    }
}

type Prepare = Box<dyn Fn(usize) -> PathBuf>;

/// A call of the hooks with these ids, which are one word or several.
pub(crate) fn hook(world: &World, plugin: &Path, name: &str, ids: &str, exit: i32, prepare: Prepare) -> Subject {
    let mut programs = fs::read_dir(plugin.join("bin")).expect("shipped").map(|entry| entry.expect("readable").path());
    // Beside an engine lies the file of its catalog.
    let binary = programs.find(|path| path.extension().is_none_or(|extension| extension != "hooks")).expect("a binary");
    Subject {
        name: name.to_owned(),
        program: binary,
        arguments: ids.split(' ').map(str::to_owned).collect(),
        environment: world.environment(name),
        prepare,
        every: 1,
        exit,
    }
}

/// The hook and, where jq is installed, its twin.
fn pair(
    world: &World,
    plugin: &Path,
    name: &str,
    id: &str,
    exit: i32,
    prepare: impl Fn(bool) -> Prepare,
) -> Vec<Subject> {
    let native = hook(world, plugin, name, id, exit, prepare(false));
    if !Command::new("jq").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return vec![native];
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/processes/programs/twin.sh");
    let twin = Subject {
        name: native.twin_name(),
        program: "/bin/bash".into(),
        arguments: vec![script.display().to_string(), id.to_owned()],
        environment: world.environment(&native.twin_name()),
        prepare: prepare(true),
        every: 10,
        exit,
    };
    vec![native, twin]
}

/// A call that no budget has seen, in a session that has budget left.
fn spending(world: &World, twin: bool) -> Prepare {
    let text =
        world.event_text("$SESSION", "PreToolUse", r#""tool_name":"mcp__Ref__search","tool_input":{"query":"$CALL"}"#);
    let file = world.event("PreToolUse", &format!(r#""twin":{twin}"#));
    Box::new(move |round| {
        // The twin takes part in every tenth round only, and has ten sessions' budget all the same.
        let session = format!("spender-{}", round / if twin { 100 } else { 10 });
        fs::write(&file, text.replace("$SESSION", &session).replace("$CALL", &round.to_string())).expect("written");
        file.clone()
    })
}

/// A state file that has just been written with another phase than the one before.
fn entering_a_phase(world: &World) -> Prepare {
    let event = world.event(
        "PostToolUse",
        r#""tool_name":"Write","tool_input":{"file_path":"$PROJECT/specs/auth/.planning-state.local.md","content":"x"}"#,
    );
    let (state_file, trail) = (world.state_file(), world.project().join("specs/auth/.planning-audit.log"));
    Box::new(move |_| {
        fs::write(&state_file, state("RESEARCH")).expect("written");
        fs::write(&trail, "[t] CHECKPOINT: UNKNOWN → SETUP | session=owner | mode=complete\n").expect("written");
        event.clone()
    })
}

/// A session that begins with an empty environment file.
fn starting(world: &World) -> Prepare {
    let event = world.event("SessionStart", r#""source":"startup""#);
    let file = world.environment_file();
    Box::new(move |_| {
        fs::write(&file, "").expect("written");
        event.clone()
    })
}
