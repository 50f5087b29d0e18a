//! A project on a feature branch, a home and a state folder, and the shipped hooks in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::catalogs::shipped;
use crate::support::{Run, clean, feed, write};

pub(crate) struct World {
    folder: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { folder: tempfile::tempdir().expect("a folder") };
        for name in ["home", "data", "tmp"] {
            fs::create_dir(world.path(name)).expect("created");
        }
        write(&world.path("project/.git/HEAD"), "ref: refs/heads/feature/x\n");
        fs::create_dir_all(world.path("project/.git/objects")).expect("created");
        fs::create_dir_all(world.path("project/.git/refs/heads")).expect("created");
        world
    }

    /// A path below the world's folder: `project`, `home`, `data` and `tmp` are there.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    pub(crate) fn write(&self, below: &str, text: &str) {
        write(&self.path(below), text);
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap_or_default()
    }

    /// A program in front of all others.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.path("home/bin").join(name);
        write(&path, script);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        }
    }

    /// Hooks of one process, in this world; all that they read and say goes to the log.
    pub(crate) fn hooks(&self, ids: &[&str]) -> Command {
        let plugin = shipped().join("guardian-harness");
        let mut command = clean(plugin.join("bin/guardian-hooks"));
        let inherited = std::env::var("PATH").unwrap_or_default();
        command.args(ids).current_dir(self.path("project"));
        command
            .env("CLAUDE_PROJECT_DIR", self.path("project"))
            .env("CLAUDE_PLUGIN_ROOT", plugin)
            .env("CLAUDE_PLUGIN_DATA", self.path("data"))
            .env("HOME", self.path("home"))
            .env("TMPDIR", self.path("tmp"))
            .env("PATH", format!("{}:{inherited}", self.path("home/bin").display()))
            .env("GUARDIAN_HOOKS_VERBOSE", "true");
        for name in ["GEMINI_API_KEY", "OPENAI_API_KEY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn event(&self, name: &str, fields: &Value) -> String {
        let mut event = json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": self.path("project"), "hook_event_name": name,
        });
        for (key, value) in fields.as_object().expect("fields") {
            event[key] = value.clone();
        }
        event.to_string()
    }

    /// A tool's writing of a source file.
    pub(crate) fn written(&self, file: &str) -> String {
        let input = json!({ "file_path": self.path("project").join(file), "content": "x\n" });
        self.event("PostToolUse", &json!({ "tool_name": "Write", "tool_input": input }))
    }

    /// The end of the session, as the client tells of it.
    pub(crate) fn end_session(&self) -> Run {
        feed(&mut self.hooks(&["session-end"]), &self.event("SessionEnd", &json!({ "reason": "other" }))).exits(0)
    }

    /// Every file below the world's folder in which the text stands.
    pub(crate) fn files_with(&self, text: &str) -> Vec<String> {
        let all = crate::support::bytes(self.folder.path());
        let has = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        all.into_iter().filter(|(_, bytes)| has(bytes)).map(|(shown, _)| shown).collect()
    }

    /// Processes that work in this world: in one of its folders, or with one of its files open.
    #[cfg(target_os = "linux")]
    pub(crate) fn processes(&self) -> Vec<String> {
        let here = fs::canonicalize(self.folder.path()).expect("a folder");
        let is_here = |link: &Path| fs::read_link(link).is_ok_and(|target| target.starts_with(&here));
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").expect("/proc").flatten() {
            let files = fs::read_dir(entry.path().join("fd")).into_iter().flatten().flatten();
            let mut links = files.map(|file| file.path()).chain([entry.path().join("cwd"), entry.path().join("exe")]);
            if links.any(|link| is_here(&link)) {
                let line = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
                found.push(format!("{} {}", entry.file_name().display(), line.replace('\0', " ")));
            }
        }
        found
    }
}

/// A process that was started and given its event.
pub(crate) fn begin(mut command: Command, event: &str) -> std::process::Child {
    use std::io::Write as _;
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("started");
    child.stdin.take().expect("a pipe").write_all(event.as_bytes()).expect("read");
    child
}
