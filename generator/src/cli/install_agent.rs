//! `hookgen install --agent NAME`: a catalog put to work for another agent than Claude Code.
//!
//! The program lies in the agent's own folder of the project, the registration where the agent looks for it. What an
//! agent wants besides is done where it is the project's or this person's to do, and told otherwise.

use std::io::ErrorKind;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::Git;
use hookgen_runtime::client::{CLAUDE, Client, Form, Own, Trust};
use serde_json::{Map, Value};
use similar::TextDiff;

use super::args::InstallArgs;
use super::console::{data, talk};
use super::install::LIMIT;
use super::ship::{Making, places, ship, tell};
use super::{Finish, current_folder};
use crate::agents::{Pin, Place as Spot, Written, is_ours, own_file_name, pins, script, write};
use crate::disk;
use crate::install::{Created, Entries, Tables, Unfit};
use crate::model::Catalog;
use crate::place::Place;
use crate::workspace::Loaded;

/// A file as it is and as it will be; nothing is a file that is not there.
struct Change {
    path: Utf8PathBuf,
    before: String,
    after: String,
    executable: bool,
}

/// Installs or removes the catalogs for that agent in a project.
pub(super) fn run(
    into: &Utf8Path,
    args: &InstallArgs,
    client: &'static Client,
    loaded: &Loaded<'_>,
) -> anyhow::Result<Finish> {
    let heard = heard_in(client, into);
    let site = Site { into: &heard, args, client, loaded };
    if args.local && client.name != CLAUDE.name {
        bail!("`--local` is about a settings file of Claude Code; {} has none", client.title);
    }
    let mut finish = Finish::Fine;
    if args.remove {
        for catalog in &loaded.catalogs {
            if !site.remove(catalog)? {
                finish = Finish::Findings;
            }
        }
        return Ok(finish);
    }
    for catalog in &loaded.catalogs {
        if !catalog.agents.iter().any(|agent| agent.name == client.name) {
            talk(format!(
                "{} is not for {}: add `{}` to `agents` in {}, and say there with `instead` what happens where it cannot \
                 do what a hook wants",
                catalog.name, client.title, client.name, catalog.source
            ));
            finish = Finish::Findings;
        }
    }
    if finish == Finish::Fine {
        site.install()?;
        if heard != into && !args.dry_run {
            std::fs::create_dir_all(own_folder(client, into))?;
        }
    }
    Ok(finish)
}

/// The folder whose hooks the client runs in that one: where it looks for those of a linked worktree in the main checkout
/// alone, whatever is registered in the worktree is never heard.
pub(super) fn heard_in(client: &Client, into: &Utf8Path) -> Utf8PathBuf {
    let main = || {
        let git = Git::discover(into.as_std_path());
        let shared = Utf8PathBuf::from_path_buf(git.shared()?).ok()?;
        // Of a bare repository there is no main checkout, and a submodule is one of its own.
        let main = shared.parent().filter(|_| shared.file_name() == Some(".git"))?;
        Some(main.join(into.strip_prefix(git.root()?).ok()?))
    };
    let main = client.registration.in_main_checkout.then(main).flatten();
    main.filter(|folder| folder.is_dir()).unwrap_or_else(|| into.to_owned())
}

/// The client's folder in a project. Without one in a worktree, it does not look for hooks in the main checkout either.
pub(super) fn own_folder(client: &Client, into: &Utf8Path) -> Utf8PathBuf {
    let file = into.join(client.registration.file);
    file.parent().unwrap_or(into).to_owned()
}

struct Site<'s> {
    into: &'s Utf8Path,
    args: &'s InstallArgs,
    client: &'static Client,
    loaded: &'s Loaded<'s>,
}

impl Site<'_> {
    fn install(&self) -> anyhow::Result<()> {
        // Everything is worked out before anything is written: a file that cannot be changed stops it all.
        places(self.loaded, &self.programs())?;
        for catalog in &self.loaded.catalogs {
            let changes = self.registered(catalog)?;
            if self.args.dry_run {
                changes.iter().try_for_each(Change::show)?;
            }
        }
        if self.args.dry_run {
            return Ok(());
        }
        let making = Making::to_install(self.args.debug, self.args.portable, &self.loaded.project.root);
        let missing = Created::missing(self.into, &[self.client.registration.programs, self.client.registration.file]);
        ship(self.loaded, &self.programs(), making)?;
        self.created().note_folders(missing)?;
        for catalog in &self.loaded.catalogs {
            let changes = self.registered(catalog)?;
            for change in &changes {
                self.created().note(&change.path)?;
                change.write()?;
            }
            let place = changes.first().map_or_else(|| self.into.to_owned(), |change| change.path.clone());
            data(format!("installed {} for {} in {place}", catalog.name, self.client.title))?;
        }
        self.tell_needs();
        Ok(())
    }

    /// What the agent wants besides, for the person to do or to know.
    fn tell_needs(&self) {
        for remark in self.client.remarks {
            talk(format!("{}: {remark}", self.client.title));
        }
    }

    fn remove(&self, catalog: &Catalog) -> anyhow::Result<bool> {
        let changes = self.unregistered(catalog)?;
        let place = Place::find(&self.programs(), &catalog.name, &self.loaded.project.root)?;
        let filled = place.is_filled().unwrap_or_default();
        if !filled && !changes.iter().any(Change::differs) {
            talk(format!("{} is not installed for {} in `{}`", catalog.name, self.client.title, self.into));
            return Ok(false);
        }
        if self.args.dry_run {
            changes.iter().try_for_each(Change::show)?;
            return Ok(true);
        }
        for change in changes.iter().filter(|change| change.differs()) {
            if change.after.is_empty() && self.created().has(&change.path) {
                self.created().remove(&change.path)?;
            } else {
                change.write()?;
            }
            data(format!("removed {} from {}", catalog.name, change.path))?;
        }
        tell(&place, &place.clear()?);
        if filled && !place.shown().exists() {
            data(format!("removed {}", place.shown()))?;
        }
        self.created().remove_folders(self.into)?;
        Ok(true)
    }

    fn programs(&self) -> Utf8PathBuf {
        self.into.join(self.client.registration.programs)
    }

    fn created(&self) -> Created {
        Created::beside(&self.programs())
    }

    fn spot(&self) -> Spot {
        Spot { project: Some(self.into.to_string()) }
    }

    /// The files with the catalog in them.
    fn registered(&self, catalog: &Catalog) -> anyhow::Result<Vec<Change>> {
        let file = self.into.join(self.client.registration.file);
        match write(catalog, self.client, &self.spot()) {
            Written::Entries(entries) => self.entries(catalog, file, Some(&entries)),
            Written::Own(name, text) => Ok(vec![Change::of(file.join(name), text)?]),
            Written::Tables(tables) => self.tables(catalog, &tables),
            Written::Scripts(scripts) => self.scripts(catalog, &file, &scripts),
        }
    }

    /// The files without the catalog.
    fn unregistered(&self, catalog: &Catalog) -> anyhow::Result<Vec<Change>> {
        let file = self.into.join(self.client.registration.file);
        match self.client.registration.form {
            Form::Nested | Form::Bare | Form::Flat { own_file: None, .. } => self.entries(catalog, file, None),
            Form::Flat { .. } | Form::Module => {
                Ok(vec![Change::of(file.join(own_file_name(self.client, &catalog.name)), String::new())?])
            }
            Form::Tables(_) => self.tables(catalog, &[]),
            Form::Executables { .. } => self.scripts(catalog, &file, &[]),
        }
    }

    fn entries(
        &self,
        catalog: &Catalog,
        path: Utf8PathBuf,
        new: Option<&Map<String, Value>>,
    ) -> anyhow::Result<Vec<Change>> {
        let mut change = Change::read(path)?;
        let parsed = Entries::parse(&change.before, self.client, &catalog.name);
        let mut entries = parsed.map_err(|unfit| refusal(&change.path, &unfit))?;
        let before = entries.value();
        let changed = match new {
            Some(new) => entries.renew(new),
            None => entries.remove(),
        };
        changed.map_err(|unfit| refusal(&change.path, &unfit))?;
        if entries.is_changed() {
            let gone = new.is_none() && entries.is_empty() && self.created().has(&change.path);
            change.after = if gone { String::new() } else { entries.text().to_owned() };
        }
        let trust = self.trust(catalog, &change.path, &before, &entries.value())?;
        Ok([change].into_iter().chain(trust).collect())
    }

    /// What this person's configuration must trust, where the agent runs nothing else.
    fn trust(
        &self,
        catalog: &Catalog,
        path: &Utf8Path,
        before: &Value,
        after: &Value,
    ) -> anyhow::Result<Option<Change>> {
        let Trust::Pinned(how) = self.client.registration.trust else { return Ok(None) };
        let all = |document: &Value| pins(how, path.as_str(), document, |_| true);
        let ours = pins(how, path.as_str(), after, |line| is_ours(self.client, &catalog.name, line));
        let (before, after) = (all(before), all(after));
        let mut change = Change::read(own_file(&how.list)?)?;
        let mut tables = parse_tables(&change)?;
        let header = |trust: &Pin| format!("[{}.{}]", how.table, Value::from(trust.key.as_str()));
        let has = |tables: &Tables, trust: &Pin| {
            tables.has(|table| table.starts_with(&header(trust)) && table.contains(&trust.hash))
        };
        // An entry is trusted at its place. What moves because others come or go stays trusted at its new one.
        let trusted: Vec<&Pin> = before.iter().filter(|trust| has(&tables, trust)).collect();
        let wanted = |trust: &&Pin| ours.contains(trust) || trusted.iter().any(|known| known.hash == trust.hash);
        let wanted: Vec<&Pin> = after.iter().filter(wanted).collect();
        let stale: Vec<&Pin> = trusted.iter().copied().filter(|trust| !wanted.contains(trust)).collect();
        tables.remove(|table| stale.iter().any(|trust| table.starts_with(&header(trust))));
        for trust in wanted {
            if !has(&tables, trust) {
                tables.remove(|table| table.starts_with(&header(trust)));
                tables.add(&[format!("{}\n{} = \"{}\"\n", header(trust), how.key, trust.hash)]);
            }
        }
        change.after = left(&tables);
        Ok(Some(change))
    }

    /// The person's own file, with tables of ours.
    fn tables(&self, catalog: &Catalog, new: &[String]) -> anyhow::Result<Vec<Change>> {
        let Form::Tables(own) = &self.client.registration.form else { return Ok(Vec::new()) };
        let mut change = Change::read(own_file(own)?)?;
        let mut tables = parse_tables(&change)?;
        let within = format!("--within={}", self.into);
        tables.remove(|table| {
            let command = table.lines().find_map(|line| line.trim().strip_prefix("command")?.trim().strip_prefix('='));
            let command = command.and_then(|value| serde_json::from_str::<String>(value.trim()).ok());
            command.is_some_and(|line| is_ours(self.client, &catalog.name, &line) && line.contains(&within))
        });
        tables.add(new);
        change.after = left(&tables);
        Ok(vec![change])
    }

    fn scripts(
        &self,
        catalog: &Catalog,
        folder: &Utf8Path,
        new: &[(&'static str, String)],
    ) -> anyhow::Result<Vec<Change>> {
        let mut changes = Vec::new();
        let Form::Executables { files, .. } = self.client.registration.form else { return Ok(changes) };
        for (_, name) in files {
            let mut change = Change { executable: true, ..Change::read(folder.join(name))? };
            let lines = new.iter().find(|(known, _)| known == name).map(|(_, lines)| lines);
            let after = match lines {
                Some(lines) => script::with_lines(&change.before, &catalog.name, lines),
                None if !script::has_lines(&change.before, &catalog.name) => continue,
                None => script::without_lines(&change.before, &catalog.name),
            };
            let Some(after) = after else {
                bail!(
                    "`{}` is somebody else's; the agent runs one file per event, so call that one from another place first",
                    change.path
                )
            };
            change.after = if script::is_idle(&after) { String::new() } else { after };
            changes.push(change);
        }
        Ok(changes)
    }
}

fn parse_tables(change: &Change) -> anyhow::Result<Tables> {
    Tables::parse(&change.before, "hooks")
        .map_err(|what| anyhow::anyhow!("{}: {what}; the file is left alone", change.path))
}

/// The text of a file, or nothing where nothing but blank lines is left.
fn left(tables: &Tables) -> String {
    if tables.text().trim().is_empty() { String::new() } else { tables.text().to_owned() }
}

/// A file of this person's, in a folder that a variable may have moved.
pub(super) fn own_file(own: &Own) -> anyhow::Result<Utf8PathBuf> {
    let set = |variable: &str| std::env::var(variable).ok().filter(|value| !value.is_empty());
    if let Some(folder) = set(own.variable) {
        return Ok(current_folder()?.join(folder).join(own.file));
    }
    let home = set("HOME").context("nobody says where the home folder is: `HOME` is not set")?;
    Ok(Utf8PathBuf::from(home).join(own.folder).join(own.file))
}

fn refusal(path: &Utf8Path, unfit: &Unfit) -> anyhow::Error {
    anyhow::anyhow!("{path}:{}:{}: {}; the file is left alone", unfit.line, unfit.column, unfit.what)
}

impl Change {
    fn read(path: Utf8PathBuf) -> anyhow::Result<Self> {
        let before = match disk::read(&path, LIMIT) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.with_context(|| format!("cannot read `{path}`"))?,
        };
        let before = String::from_utf8(before).with_context(|| format!("`{path}` is left alone: it is not UTF-8"))?;
        Ok(Self { path, after: before.clone(), before, executable: false })
    }

    fn of(path: Utf8PathBuf, after: String) -> anyhow::Result<Self> {
        Ok(Self { after, ..Self::read(path)? })
    }

    fn differs(&self) -> bool {
        self.before != self.after
    }

    /// Replaces the file in one step, or removes it where nothing is left.
    fn write(&self) -> anyhow::Result<()> {
        if !self.differs() {
            return Ok(());
        }
        if self.after.is_empty() {
            return std::fs::remove_file(&self.path).with_context(|| format!("cannot remove `{}`", self.path));
        }
        let place = self.path.canonicalize_utf8().unwrap_or_else(|_| self.path.clone());
        disk::write(&place, &self.after)?;
        #[cfg(unix)]
        if self.executable {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755))?;
        }
        Ok(())
    }

    /// What would change.
    fn show(&self) -> anyhow::Result<()> {
        if !self.differs() {
            return Ok(());
        }
        let name = self.path.as_str();
        let diff = TextDiff::from_lines(self.before.as_str(), &self.after);
        data(diff.unified_diff().header(name, name).to_string().trim_end())
    }
}
