//! What a catalog makes of one event, step by step: the catalog as it stands, without building anything.
//!
//! Nothing is done to the world unless that is asked for: hooks work on a copy of the session's state, programs that act
//! do not start, and what a hook would write is only named.

mod notes;
mod report;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use camino::Utf8Path;
use hookgen_runtime::evaluate::{Account, Rehearsal, Rehearsed};
use hookgen_runtime::representation::Archive;
use hookgen_runtime::state::Store;
use hookgen_runtime::{Event, Json};

use crate::emit::processes;
use crate::lower::{command_hooks, lower};
use crate::model::{Catalog, Hook, Kind};
use notes::Notes;
pub use report::Report;
use report::{HookRow, ProcessRow};

/// What is gone through.
pub struct Trace<'t> {
    /// The catalog.
    pub catalog: &'t Catalog,
    /// The event that the client sends.
    pub event: &'static Event,
    /// Its bytes.
    pub input: &'t [u8],
    /// The one hook that counts, if not all of them do.
    pub hook: Option<&'t str>,
    /// The folder that the plugin is in.
    pub plugin: &'t Utf8Path,
    /// Whether hooks do what they say.
    pub perform: bool,
}

impl Trace<'_> {
    /// Goes through every process that the client would start.
    pub fn run(&self) -> anyhow::Result<Report> {
        // Evaluators refer to their catalog as long as the process lives, and this one ends with the report.
        let archive: &'static Archive = Box::leak(Box::new(Archive::of(lower(self.catalog)?)));
        let hooks: Vec<&Hook> = self
            .catalog
            .hooks
            .iter()
            .filter(|hook| hook.event.name == self.event.name && self.hook.is_none_or(|id| hook.id == id))
            .collect();
        let mut report = Report::new(self.catalog, self.event, self.perform);
        report.elsewhere(self.catalog.hooks.iter().filter(|hook| !hooks.iter().any(|one| one.id == hook.id)));
        for process in processes(self.catalog.dispatch, &hooks) {
            if process.iter().any(|hook| hook.kind != Kind::Command) {
                report.hooks.extend(process.iter().map(|hook| HookRow::foreign(hook)));
                continue;
            }
            self.process(archive, &process, &mut report)?;
        }
        Ok(report)
    }

    fn process(&self, archive: &'static Archive, process: &[&Hook], report: &mut Report) -> anyhow::Result<()> {
        let places: Vec<usize> = command_hooks(self.catalog)
            .enumerate()
            .filter(|(_, hook)| process.iter().any(|one| one.id == hook.id))
            .map(|(place, _)| place)
            .collect();
        let copy = tempfile::Builder::new().prefix("hookgen-trace-").tempdir().context("cannot create a folder")?;
        let state = if self.perform { None } else { Some(self.state_copy(copy.path())?) };
        let plugin = self.plugin.as_std_path().to_path_buf();
        let perform = self.perform;
        let rehearsal = Rehearsal { archive, event: self.event, hooks: places, plugin, state, perform };
        let notes = Notes::default();
        let Rehearsed { hooks, reply } = rehearsal.go(self.input.to_vec(), &notes);
        let concerned = hooks.iter().any(|account| account.concerned);
        for account in hooks {
            report.hooks.push(self.row(&account, &notes)?);
        }
        if concerned {
            report.processes.push(ProcessRow::new(process, reply));
        }
        Ok(())
    }

    fn row(&self, account: &Account, notes: &Notes) -> anyhow::Result<HookRow> {
        let hook = command_hooks(self.catalog).nth(account.hook).context("a hook has gone")?;
        Ok(HookRow::new(hook, account, notes.of(account.hook), self.subject().as_deref(), self.perform))
    }

    /// What the matcher is held against.
    fn subject(&self) -> Option<String> {
        let text = std::str::from_utf8(self.input).ok()?;
        match Json::parse(text).ok()?.get(self.event.subject?)? {
            Json::Text(name) => Some(name.to_string()),
            _ => None,
        }
    }

    /// The session's state as hooks would find it, where nobody minds what becomes of it.
    fn state_copy(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let text = String::from_utf8_lossy(self.input);
        let id = match Json::parse(&text).ok().as_ref().and_then(|event| event.get("session_id")) {
            Some(Json::Text(id)) => id.to_string(),
            _ => String::new(),
        };
        let session = Store::open(&self.catalog.name).session(&id);
        let to = Store::at(folder.to_path_buf()).session(&id);
        copy(session.folder(), to.folder()).with_context(|| format!("cannot copy `{}`", session.folder().display()))?;
        Ok(folder.to_path_buf())
    }
}

/// Copies a folder of plain files, if it is there.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (entry, target) = entry.map(|entry| (entry.path(), to.join(entry.file_name())))?;
        let kind = fs::symlink_metadata(&entry)?;
        if kind.is_dir() {
            copy(&entry, &target)?;
        } else if kind.is_file() {
            fs::copy(&entry, &target)?;
        }
    }
    #[cfg(unix)]
    fs::set_permissions(to, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}
