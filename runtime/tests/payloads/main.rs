//! Any event, and anything that nearly is one, against every hook of product-planning: an answer, and never a panic.
//!
//! This executable is its own subject. Started by cargo it makes a project and a state folder and starts itself again
//! with these in its environment, so that no hook ever looks at anybody's own files; there it runs the hooks both as
//! functions and as processes, for which it starts itself a third time.

#[path = "../../../generated/product-planning/runtime/src/catalog.rs"]
#[rustfmt::skip]
mod catalog;
#[allow(clippy::all, clippy::pedantic, reason = "the generated crate's own modules")]
#[path = "../../../generated/product-planning/runtime/src/documents.rs"]
#[rustfmt::skip]
mod documents;
#[allow(clippy::all, clippy::pedantic, reason = "the generated crate's own modules")]
#[path = "../../../generated/product-planning/runtime/src/facts.rs"]
#[rustfmt::skip]
mod facts;
#[allow(clippy::all, clippy::pedantic, reason = "the generated crate's own modules")]
#[path = "../../../generated/product-planning/runtime/src/hooks/mod.rs"]
#[rustfmt::skip]
mod hooks;
mod inputs;
#[allow(clippy::all, clippy::pedantic, reason = "the generated crate's own modules")]
#[path = "../../../generated/product-planning/runtime/src/messages.rs"]
#[rustfmt::skip]
mod messages;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

use hookgen_runtime::program::Hook;
use hookgen_runtime::{Answering, CLAUDE, Call, Context, Event, Json, Many, Running, Verdict, parse_event, reply};
use proptest::test_runner::{Config, TestCaseError, TestCaseResult, TestRunner};

const PART: &str = "HOOKGEN_TEST_PART";

fn main() -> ExitCode {
    match std::env::var(PART).as_deref() {
        Ok("hook") => hookgen_runtime::serve(&catalog::CATALOG, facts::start),
        Ok(_) => {
            every_hook_answers_any_event();
            every_process_ends_with_an_answer_to_any_bytes();
            ExitCode::SUCCESS
        }
        Err(_) => in_a_project_of_its_own(),
    }
}

fn in_a_project_of_its_own() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder");
    let (project, data) = (folder.path().join("project"), folder.path().join("data"));
    let write = |name: &str, text: &str| {
        let file = project.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("created");
        fs::write(file, text).expect("written");
    };
    write(".git/HEAD", "ref: refs/heads/feature/auth\n");
    write("specs/auth/.planning-state.local.md", inputs::STATE);
    write("specs/auth/.planning.lock", r#"{"session_id":"mine"}"#);
    write("specs/auth/test-cases/unit/a.md", "## UT-001\n");
    write("specs/auth/tasks.md", "## Phase 1\n- [ ] [T001] One (UT-001)\n");
    let status = Command::new(std::env::current_exe().expect("this test"))
        .env_clear()
        .envs([(PART, Path::new("test")), ("CLAUDE_PROJECT_DIR", &project), ("CLAUDE_PLUGIN_DATA", &data)])
        .env("CLAUDE_PLUGIN_ROOT", folder.path())
        .env("CLAUDE_ENV_FILE", folder.path().join("env.sh"))
        .status()
        .expect("started");
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

fn every_hook_answers_any_event() {
    for (position, hook) in catalog::CATALOG.hooks.iter().enumerate() {
        let outcome = runner(128).run(&inputs::event(&hook.event), |text| answers(position, hook, text.into_bytes()));
        assert!(outcome.is_ok(), "{}: {}", hook.id, outcome.expect_err("failed"));
    }
}

fn answers(position: usize, hook: &Hook, mut text: Vec<u8>) -> TestCaseResult {
    let event = Event::named(&hook.event).expect("a known event");
    let mut reading =
        parse_event(CLAUDE, &mut text, event).map_err(|failure| TestCaseError::fail(failure.to_string()))?;
    let payload = Json::Object(Many::Owned(reading.calls.remove(0)));
    let call = Call::new(&catalog::CATALOG.name, event, &payload);
    let mut verdict = Verdict::default();
    if facts::start(&call).run(position, &mut verdict).is_ok() {
        let denial = catalog::CATALOG.denial;
        let to = Answering { client: CLAUDE, event, denial, running: Running::Awaited, tool: None };
        let said = reply(to, call.payload().at("tool_input"), vec![verdict]);
        check(event, said.exit.into(), &said.stdout)?;
    }
    Ok(())
}

fn every_process_ends_with_an_answer_to_any_bytes() {
    for hook in catalog::CATALOG.hooks.iter() {
        let outcome = runner(16).run(&inputs::nearly_an_event(&hook.event), |bytes| {
            let output = ask(hook, &bytes);
            let stdout = String::from_utf8(output.stdout).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let exit = output.status.code().ok_or_else(|| TestCaseError::fail("the process was killed"))?;
            check(Event::named(&hook.event).expect("a known event"), exit, &stdout)
        });
        assert!(outcome.is_ok(), "{}: {}", hook.id, outcome.expect_err("failed"));
    }
}

fn ask(hook: &Hook, input: &[u8]) -> Output {
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .arg(&*hook.id)
        .env(PART, "hook")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    // A hook need not read what it does not want.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("ended")
}

/// Exit code 0 or 2, and nothing, one JSON object or, where the event takes it, plain text on standard output.
fn check(event: &Event, exit: i32, stdout: &str) -> TestCaseResult {
    let object = matches!(Json::parse(stdout), Ok(Json::Object(_)));
    if !matches!(exit, 0 | 2) {
        return Err(TestCaseError::fail(format!("exit code {exit}")));
    }
    if !stdout.is_empty() && !object && event.context != Context::PlainText {
        return Err(TestCaseError::fail(format!("standard output is no JSON object: {stdout}")));
    }
    Ok(())
}
