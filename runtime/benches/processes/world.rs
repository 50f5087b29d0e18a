//! The project in which the measured hooks run: a feature branch in the middle of planning.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

const STATE: &str = "mode: complete\nuser_decisions:\n  Use Redis for caching: 'Yes'\n  PostgreSQL as primary DB: 'Yes'\n\
                     gate_results:\n  - { phase: 1, verdict: PASS, score: 4.2 }\n---\nNotes\n";

pub(crate) struct World {
    folder: tempfile::TempDir,
    plugin: PathBuf,
    events: Cell<usize>,
}

impl World {
    pub(crate) fn new(plugin: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let world = Self { folder, plugin: plugin.to_owned(), events: Cell::new(0) };
        for folder in [".git/objects", ".git/refs/heads", "src"] {
            fs::create_dir_all(world.project().join(folder)).expect("created");
        }
        fs::create_dir(world.folder.path().join("data")).expect("created");
        world.write(".git/HEAD", "ref: refs/heads/feature/auth\n");
        world.write("specs/auth/.planning-state.local.md", &state("RESEARCH"));
        world.write("specs/auth/.planning.lock", r#"{"session_id":"owner"}"#);
        world.write("specs/auth/spec.md", "# Spec\n");
        let tasks: Vec<String> = (1..=40).map(|n| format!("- [ ] [T{n:03}] Task {n} (UT-{n:03})\n")).collect();
        world.write("specs/auth/tasks.md", &format!("## Phase 1\n{}## Phase 2\n", tasks.concat()));
        world.write("specs/auth/test-cases/unit/a.md", "## UT-001\n## UT-002\n");
        world.write("specs/auth/test-cases/uat/a.md", "## UAT-001\nGiven: a\nWhen: b\nThen: c\n");
        world.write("specs/auth/test-plan.md", "## Coverage Matrix\n");
        world
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(crate) fn state_file(&self) -> PathBuf {
        self.project().join("specs/auth/.planning-state.local.md")
    }

    pub(crate) fn environment_file(&self) -> PathBuf {
        self.folder.path().join("env.sh")
    }

    /// A state folder for one subject: twins must not find each other's state.
    pub(crate) fn data(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().join("data").join(name.replace(|other: char| !other.is_alphanumeric(), "-"));
        fs::create_dir_all(&folder).expect("created");
        folder
    }

    pub(crate) fn environment(&self, subject: &str) -> Vec<(String, PathBuf)> {
        let variables = [
            ("CLAUDE_PROJECT_DIR", self.project()),
            ("CLAUDE_PLUGIN_ROOT", self.plugin.clone()),
            ("CLAUDE_PLUGIN_DATA", self.data(subject)),
            ("CLAUDE_ENV_FILE", self.environment_file()),
            ("PATH", std::env::var_os("PATH").unwrap_or_default().into()),
            ("HOME", self.folder.path().to_owned()),
        ];
        variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// A file with an event; `fields` are JSON without the braces, `$PROJECT` is the project.
    pub(crate) fn event(&self, event: &str, fields: &str) -> PathBuf {
        let file = self.folder.path().join(format!("event-{}.json", self.events.replace(self.events.get() + 1)));
        fs::write(&file, self.event_text("owner", event, fields)).expect("written");
        file
    }

    pub(crate) fn event_text(&self, session: &str, event: &str, fields: &str) -> String {
        let project = self.project().display().to_string();
        let fields = fields.replace("$PROJECT", &project);
        format!(
            r#"{{"session_id":"{session}","transcript_path":"{project}/t.jsonl","cwd":"{project}","permission_mode":"default","hook_event_name":"{event}",{fields}}}"#
        )
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.project().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("created");
        fs::write(file, text).expect("written");
    }
}

/// A state file in that phase.
pub(crate) fn state(phase: &str) -> String {
    format!("---\nphase: {phase}\n{STATE}")
}
