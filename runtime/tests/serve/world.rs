//! One folder per test, and processes started in it.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hookgen_runtime::Json;
use tempfile::TempDir;

/// What most hooks are asked about.
pub(crate) const EVENT: &str = r#"{"session_id":"s","tool_name":"Bash","tool_input":{"command":"rm","n":1}}"#;

/// What most hooks are given.
pub(crate) const TIMEOUT: Duration = Duration::from_millis(1500);

pub(crate) struct World {
    folder: TempDir,
    env: Vec<(String, String)>,
}

/// What a process said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) exit: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) took: Duration,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), env: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn with_config(self, text: &str) -> Self {
        let path = self.path("config.yaml");
        std::fs::write(&path, text).expect("written");
        self.with("CONFIG", path.to_str().expect("UTF-8"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts hooks, given by their ids, with that behaviour.
    pub(crate) fn start(&self, hooks: &str, faults: &str) -> Child {
        self.around(Command::new(std::env::current_exe().expect("this test")), hooks, faults).spawn().expect("started")
    }

    /// The same through a shell that does something to itself first and then becomes the hook.
    pub(crate) fn shell(&self, first: &str, hooks: &str, faults: &str) -> Command {
        self.shell_of(&std::env::current_exe().expect("this test"), first, hooks, faults)
    }

    /// The same with another copy of the hook.
    pub(crate) fn shell_of(&self, binary: &Path, first: &str, hooks: &str, faults: &str) -> Command {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{first}; exec \"$0\" \"$@\"")]).arg(binary);
        self.around(shell, hooks, faults)
    }

    fn around(&self, mut command: Command, hooks: &str, faults: &str) -> Command {
        command
            .args(hooks.split(' '))
            .current_dir(self.folder.path())
            .env_clear()
            .env("CLAUDE_PLUGIN_DATA", self.path("data"))
            .env("FAULTS", faults)
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, hooks: &str, faults: &str) -> Said {
        self.run_with(hooks, faults, EVENT)
    }

    pub(crate) fn run_with(&self, hooks: &str, faults: &str, input: &str) -> Said {
        let began = Instant::now();
        feed(self.start(hooks, faults), input.as_bytes(), began)
    }

    /// Runs hooks whose event begins like this and never ends.
    pub(crate) fn run_unended(&self, hooks: &str, beginning: &str) -> Said {
        let began = Instant::now();
        let mut child = self.start(hooks, "-");
        let mut held = child.stdin.take().expect("piped");
        held.write_all(beginning.as_bytes()).expect("read");
        let said = finish(child, began);
        drop(held);
        said
    }

    /// A file of the session's state.
    pub(crate) fn state(&self, name: &str) -> PathBuf {
        self.path("data/sessions/s").join(name)
    }

    pub(crate) fn audit(&self) -> String {
        std::fs::read_to_string(self.path("data/audit.jsonl")).unwrap_or_default()
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.path("data/sessions/s/hooks.log")).unwrap_or_default()
    }

    pub(crate) fn logged(&self, decision: &str) -> usize {
        self.audit().matches(&format!(r#""decision":"{decision}""#)).count()
    }
}

/// Runs what was prepared.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Said {
    let began = Instant::now();
    feed(command.spawn().expect("started"), input, began)
}

fn feed(mut child: Child, input: &[u8], began: Instant) -> Said {
    // A process that needs no event may be gone before it is written.
    let _ = child.stdin.take().expect("piped").write_all(input);
    finish(child, began)
}

/// What a process says whose output may be somebody else's.
pub(crate) fn finish(mut child: Child, began: Instant) -> Said {
    let (mut stdout, mut stderr) = (String::new(), String::new());
    if let Some(mut output) = child.stdout.take() {
        output.read_to_string(&mut stdout).expect("UTF-8");
    }
    if let Some(mut errors) = child.stderr.take() {
        errors.read_to_string(&mut stderr).expect("UTF-8");
    }
    let exit = child.wait().expect("ended").code();
    Said { exit, stdout, stderr, took: began.elapsed() }
}

impl Said {
    /// Asserts that the client takes the answer for one: 0 or 2, and nothing or one object.
    pub(crate) fn well_formed(&self) -> &Self {
        assert!(matches!(self.exit, Some(0 | 2)), "{self:?}");
        assert!(self.stdout.is_empty() || matches!(Json::parse(&self.stdout), Ok(Json::Object(_))), "{self:?}");
        self
    }

    pub(crate) fn denies(&self) -> bool {
        self.well_formed();
        self.exit == Some(2)
            || [r#""permissionDecision":"deny""#, r#""decision":"block""#, r#""behavior":"deny""#]
                .iter()
                .any(|word| self.stdout.contains(word))
    }

    pub(crate) fn says(&self, text: &str) -> bool {
        self.stdout.contains(text) || self.stderr.contains(text)
    }

    pub(crate) fn is_silent(&self) -> bool {
        self.exit == Some(0) && self.stdout.is_empty() && self.stderr.is_empty()
    }
}
