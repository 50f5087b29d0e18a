//! The world of one case: a project, a home, a copy of the plugin and an environment, all in one temporary folder.
//!
//! Nothing of the real environment but `PATH` reaches the hook, and nothing that a case writes leaves the folder.

use std::fs;
use std::io::ErrorKind;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::Event;
use hookgen_runtime::client::claude::places::{ENV_FILE, PLUGIN_DATA, PLUGIN_ROOT, PROJECT};
use hookgen_runtime::state::history;
use tempfile::TempDir;

use super::fill::Names;
use crate::catalog::{FileSpec, Given, Ordered};
use crate::scratch;
use crate::workspace::normal;

/// A fresh world; it disappears when dropped.
#[derive(Debug)]
pub(super) struct World {
    _folder: TempDir,
    /// The folder that all of it is in.
    pub(super) root: Utf8PathBuf,
    pub(super) project: Utf8PathBuf,
    pub(super) plugin: Utf8PathBuf,
    /// Where the plugin keeps its state and its logs.
    pub(super) data: Utf8PathBuf,
    /// What the hook exports is written here.
    pub(super) env_file: Utf8PathBuf,
    pub(super) transcript: Utf8PathBuf,
    pub(super) names: Names,
    env: Vec<(String, String)>,
}

impl World {
    /// The world that a case asks for, with a copy of the shipped plugin.
    pub(super) fn make(plugin: &Utf8Path, given: &Given) -> anyhow::Result<Self> {
        let world = Self::empty(plugin, given)?;
        copy_plugin(plugin, &world.plugin, FOR_READERS)?;
        if let Some(branch) = Some(given.branch.as_deref().unwrap_or("main")).filter(|branch| !branch.is_empty()) {
            make_repository(&world.project, branch).context("cannot make the git repository")?;
        }
        if !given.committed.is_empty() {
            world.write_project_files(&given.committed)?;
            world.commit().context("cannot commit the files of the case")?;
        }
        world.write_project_files(&given.files)?;
        world.write_plugin_files(&given.plugin_files)?;
        world.write_files(&world.root.join("home"), &given.home_files)?;
        Ok(world)
    }

    fn empty(plugin: &Utf8Path, given: &Given) -> anyhow::Result<Self> {
        let folder = scratch::folder_beside(plugin.as_std_path(), "case")?;
        let root = folder.path().canonicalize().context("cannot resolve the temporary folder")?;
        let root = Utf8PathBuf::try_from(root).context("the temporary folder's name is not UTF-8")?;
        let [project, home, plugin, temporary] = ["project", "home", "plugin", "tmp"].map(|name| root.join(name));
        for new in [&project, &home, &plugin, &temporary] {
            fs::create_dir(new).with_context(|| format!("cannot create `{new}`"))?;
        }
        let data = root.join("data");
        let names = Names::new(vec![
            ("$PROJECT", project.to_string()),
            ("$PLUGIN", plugin.to_string()),
            ("$HOME", home.to_string()),
        ]);
        let mut env = vec![
            ("PATH".to_owned(), std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned())),
            ("HOME".to_owned(), home.to_string()),
            ("TMPDIR".to_owned(), temporary.to_string()),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
            (PROJECT.to_owned(), project.to_string()),
            (PLUGIN_ROOT.to_owned(), plugin.to_string()),
            (PLUGIN_DATA.to_owned(), data.to_string()),
        ];
        env.extend(given.env.iter().map(|(name, value)| (name.clone(), names.fill(value))));
        let env_file = root.join("exported.sh");
        let transcript = home.join(".claude/transcript.jsonl");
        Ok(Self { _folder: folder, root, project, plugin, data, env_file, transcript, names, env })
    }

    /// The argument that makes the home of this world the person's own, also for hooks that do not believe `HOME`.
    pub(super) fn home_argument(&self) -> String {
        self.names.fill("--home=$HOME")
    }

    /// The environment of a hook on that event. Later entries win.
    pub(super) fn env(&self, event: &Event) -> Vec<(String, String)> {
        let export = event.exports.then(|| (ENV_FILE.to_owned(), self.env_file.to_string()));
        export.into_iter().chain(self.env.iter().cloned()).collect()
    }

    /// The text without this world's own folders, which are called differently in every run.
    pub(super) fn hide(&self, text: &str) -> String {
        self.names.hide(text).replace(self.root.as_str(), "$WORLD")
    }

    /// The file of the project that a case names; it must lie in this world.
    pub(super) fn project_path(&self, written: &str) -> anyhow::Result<Utf8PathBuf> {
        self.inside(&self.project, written)
    }

    pub(super) fn write_project_files(&self, files: &Ordered<FileSpec>) -> anyhow::Result<()> {
        self.write_files(&self.project, files)
    }

    pub(super) fn write_plugin_files(&self, files: &Ordered<FileSpec>) -> anyhow::Result<()> {
        self.write_files(&self.plugin, files)
    }

    /// Commits all that is in the project, as somebody and at a time that are always the same.
    fn commit(&self) -> anyhow::Result<()> {
        let somebody = ["AUTHOR", "COMMITTER"].into_iter().flat_map(|role| {
            [("NAME", "Case"), ("EMAIL", "case@localhost"), ("DATE", "2026-01-01T00:00:00Z")]
                .map(|(part, value)| (format!("GIT_{role}_{part}"), value))
        });
        let somebody: Vec<_> = somebody.collect();
        for arguments in [&["add", "--all"][..], &["commit", "--quiet", "--message", "The world of the case"]] {
            let mut git = std::process::Command::new("git");
            git.args(["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"]).args(arguments);
            git.current_dir(&self.project).env_clear();
            git.envs(self.env.iter().filter(|(name, _)| name == "PATH" || name == "HOME").cloned());
            git.envs(somebody.iter().cloned()).env("GIT_CONFIG_NOSYSTEM", "1");
            let ended = git.output().context("`git` cannot be started")?;
            if !ended.status.success() {
                bail!("`git {}` failed: {}", arguments[0], String::from_utf8_lossy(&ended.stderr).trim());
            }
        }
        Ok(())
    }

    /// Removes files or folders of the project; what is not there is removed already.
    pub(super) fn delete(&self, paths: &[String]) -> anyhow::Result<()> {
        for written in paths {
            remove(&self.project_path(written)?)?;
        }
        Ok(())
    }

    /// Overwrites every file of the state store with something that is neither JSON nor a log.
    pub(super) fn corrupt_state(&self) -> anyhow::Result<()> {
        self.change_state(&|_| Some("{garbage\n".to_owned()))
    }

    /// Makes all that sessions have recorded older.
    pub(super) fn age_history(&self, seconds: i64) -> anyhow::Result<()> {
        self.change_state(&|file| {
            let known = file.file_stem() == Some(history::FILE) && file.extension() == Some("json");
            known.then(|| fs::read_to_string(file).ok()).flatten().map(|text| history::aged(&text, seconds))
        })
    }

    /// Gives files of the state store another text.
    fn change_state(&self, change: &dyn Fn(&Utf8Path) -> Option<String>) -> anyhow::Result<()> {
        let mut folders = vec![self.data.clone()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = folder.read_dir_utf8() else { continue };
            for entry in entries {
                let entry = entry.with_context(|| format!("cannot list `{folder}`"))?;
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(entry.into_path());
                } else if let Some(text) = change(entry.path()) {
                    fs::write(entry.path(), text).with_context(|| format!("cannot overwrite `{}`", entry.path()))?;
                }
            }
        }
        Ok(())
    }

    fn write_files(&self, base: &Utf8Path, files: &Ordered<FileSpec>) -> anyhow::Result<()> {
        for (written, content) in files {
            let path = self.inside(base, written)?;
            let text = match content {
                FileSpec::Text(text) | FileSpec::Old { text, .. } => self.names.fill(text),
                FileSpec::Repeated { repeat, times } => self.names.fill(repeat).repeat(*times as usize),
                FileSpec::Json { json } => format!("{:#}\n", self.names.fill_value(json)),
            };
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).with_context(|| format!("cannot create `{parent}`"))?;
            }
            // A file of the plugin may share its bytes with the shipped one: it is replaced, never written into.
            remove(&path)?;
            if text.starts_with("#!") {
                write_program(&path, &text).with_context(|| format!("cannot write the program `{path}`"))?;
            } else {
                fs::write(&path, &text).with_context(|| format!("cannot write `{path}`"))?;
            }
            if let FileSpec::Old { days_old, .. } = content {
                age(&path, *days_old).with_context(|| format!("cannot make `{path}` look old"))?;
            }
        }
        Ok(())
    }

    /// By its text alone: the world is fresh and holds no links that the case made.
    fn inside(&self, base: &Utf8Path, written: &str) -> anyhow::Result<Utf8PathBuf> {
        let path = normal(&base.join(self.names.fill(written)));
        if !path.starts_with(&self.root) || path == self.root {
            bail!("`{written}` would lie outside the world of the case");
        }
        Ok(path)
    }
}

fn remove(path: &Utf8Path) -> anyhow::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(()),
        Err(error) => Err(error),
    };
    removed.with_context(|| format!("cannot remove `{path}`"))
}

fn age(path: &Utf8Path, days: u32) -> std::io::Result<()> {
    let then = SystemTime::now().checked_sub(Duration::from_secs(u64::from(days) * 86_400));
    fs::File::options().write(true).open(path)?.set_modified(then.unwrap_or(SystemTime::UNIX_EPOCH))
}

/// A repository without a commit: what git takes for one and no more, written by hand so that no git is needed.
fn make_repository(project: &Utf8Path, branch: &str) -> std::io::Result<()> {
    let git = project.join(".git");
    for folder in ["", "refs", "objects"] {
        fs::create_dir(git.join(folder))?;
    }
    fs::write(git.join("HEAD"), format!("ref: refs/heads/{branch}\n"))?;
    fs::write(git.join("config"), "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n")
}

/// What a plugin has for people and for other agents. No hook looks at it, and it is most of a plugin's files.
const FOR_READERS: &[&str] = &["agents", "docs", "README.md", "THIRD-PARTY-NOTICES.txt", "settings.fragment.json"];

/// Copies the shipped plugin, all but the entries of those names. The binary is linked: it is large, and a file that
/// was just written cannot be started while another thread is starting a process of its own.
fn copy_plugin(from: &Utf8Path, to: &Utf8Path, without: &[&str]) -> anyhow::Result<()> {
    for entry in from.read_dir_utf8().with_context(|| format!("cannot list `{from}`"))? {
        let entry = entry.with_context(|| format!("cannot list `{from}`"))?;
        if without.contains(&entry.file_name()) {
            continue;
        }
        let target = to.join(entry.file_name());
        let kind = entry.file_type().with_context(|| format!("cannot look at `{}`", entry.path()))?;
        let copied = if kind.is_dir() {
            fs::create_dir(&target).with_context(|| format!("cannot create `{target}`"))?;
            copy_plugin(entry.path(), &target, &[])?;
            Ok(())
        } else if from.file_name() == Some("bin") {
            fs::hard_link(entry.path(), &target).or_else(|_| link(entry.path(), &target))
        } else {
            fs::copy(entry.path(), &target).map(drop)
        };
        copied.with_context(|| format!("cannot copy `{}`", entry.path()))?;
    }
    Ok(())
}

/// Writes a file that can be started at once. Another process does it: whatever this one has open for writing is also
/// open in each that any of its threads is just about to start, and a file that somebody writes to cannot be started.
#[cfg(unix)]
fn write_program(path: &Utf8Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut writer = Command::new("/bin/sh")
        .args(["-c", r#"umask 022; cat > "$1" && chmod 755 "$1""#, "sh", path.as_str()])
        .stdin(Stdio::piped())
        .spawn()?;
    let given = writer.stdin.take().map_or(Ok(()), |mut input| input.write_all(text.as_bytes()));
    if writer.wait()?.success() { given } else { Err(std::io::Error::other("`sh` could not write it")) }
}

#[cfg(not(unix))]
fn write_program(path: &Utf8Path, text: &str) -> std::io::Result<()> {
    fs::write(path, text)
}

#[cfg(unix)]
fn link(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    fs::copy(from, to).map(drop)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plugin() -> (TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
        fs::create_dir_all(path.join("bin")).expect("created");
        fs::create_dir_all(path.join("config")).expect("created");
        fs::write(path.join("bin/demo"), "binary").expect("written");
        fs::write(path.join("config/flags.yaml"), "a: 1\n").expect("written");
        (folder, path)
    }

    fn given(value: serde_json::Value) -> Given {
        serde_json::from_value(value).expect("a given")
    }

    #[test]
    fn a_world_has_the_files_the_branch_and_the_plugin() {
        let (_folder, shipped) = plugin();
        let world = World::make(
            &shipped,
            &given(json!({
                "branch": "feature/auth",
                "files": {"specs/a.md": "in $PROJECT", "state.json": {"json": {"home": "$HOME"}}},
                "plugin_files": {"config/flags.yaml": "a: 2\n"},
            })),
        )
        .expect("a world");
        let read = |path: Utf8PathBuf| fs::read_to_string(path).expect("readable");
        assert_eq!(read(world.project.join("specs/a.md")), format!("in {}", world.project));
        assert!(read(world.project.join("state.json")).contains("/home\""));
        assert_eq!(read(world.project.join(".git/HEAD")), "ref: refs/heads/feature/auth\n");
        assert_eq!(read(world.plugin.join("bin/demo")), "binary");
        assert_eq!(read(world.plugin.join("config/flags.yaml")), "a: 2\n");
        assert_eq!(read(shipped.join("config/flags.yaml")), "a: 1\n");
    }

    #[test]
    fn an_old_file_was_last_changed_so_many_days_ago() {
        let (_folder, shipped) = plugin();
        let files = json!({"files": {"old": {"text": "x", "days_old": 3}, "new": "x"}});
        let world = World::make(&shipped, &given(files)).expect("a world");
        let days = |name: &str| {
            let changed = fs::metadata(world.project.join(name)).expect("there").modified().expect("a time");
            changed.elapsed().map_or(0, |age| age.as_secs() / 86_400)
        };
        assert_eq!((days("old"), days("new")), (3, 0));
    }

    #[cfg(unix)]
    #[test]
    fn a_script_can_be_run_and_another_file_cannot() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, shipped) = plugin();
        let files = json!({"files": {"run": "#!/bin/sh\n", "read": "text #!"}});
        let world = World::make(&shipped, &given(files)).expect("a world");
        let runs =
            |name: &str| fs::metadata(world.project.join(name)).expect("there").permissions().mode() & 0o111 != 0;
        assert!(runs("run") && !runs("read"));
    }

    #[test]
    fn a_case_that_replaces_the_binary_leaves_the_shipped_one_alone() {
        let (_folder, shipped) = plugin();
        let world = World::make(&shipped, &given(json!({"plugin_files": {"bin/demo": "other"}}))).expect("a world");
        assert_eq!(fs::read_to_string(world.plugin.join("bin/demo")).expect("readable"), "other");
        assert_eq!(fs::read_to_string(shipped.join("bin/demo")).expect("readable"), "binary");
    }

    #[test]
    fn an_empty_branch_is_no_repository_and_none_is_main() {
        let (_folder, shipped) = plugin();
        let without = World::make(&shipped, &given(json!({"branch": ""}))).expect("a world");
        assert!(!without.project.join(".git").exists());
        let with = World::make(&shipped, &given(json!({}))).expect("a world");
        assert_eq!(fs::read_to_string(with.project.join(".git/HEAD")).expect("readable"), "ref: refs/heads/main\n");
    }

    #[test]
    fn committed_files_are_in_the_history_and_others_are_not() {
        let (_folder, shipped) = plugin();
        let files = json!({"committed": {"a": "1", "b": "1"}, "files": {"b": "2", "c": "2"}});
        let world = World::make(&shipped, &given(files)).expect("a world");
        let git = std::process::Command::new("git")
            .args(["status", "--porcelain"])
            .current_dir(&world.project)
            .output()
            .expect("git");
        assert_eq!(String::from_utf8_lossy(&git.stdout), " M b\n?? c\n");
    }

    #[test]
    fn a_file_outside_the_world_is_refused_and_a_detour_inside_is_not() {
        let (_folder, shipped) = plugin();
        for path in ["../../x", "/etc/hookgen-x", "..", "a/../../.."] {
            let error = World::make(&shipped, &given(json!({"files": {path: "x"}}))).expect_err(path);
            assert!(error.to_string().contains("outside the world"), "{error}");
        }
        let world =
            World::make(&shipped, &given(json!({"files": {"a/../b": "x", "../home/c": "x"}}))).expect("a world");
        assert!(world.project.join("b").exists() && world.root.join("home/c").exists());
    }

    #[test]
    fn the_environment_is_the_cases_own() {
        let (_folder, shipped) = plugin();
        let world = World::make(&shipped, &given(json!({"env": {"X": "$PROJECT/x"}}))).expect("a world");
        let names = |event: &str| {
            let mut names: Vec<_> =
                world.env(Event::named(event).expect("known")).into_iter().map(|(name, _)| name).collect();
            names.sort();
            names.join(" ")
        };
        let common = "CLAUDE_PLUGIN_DATA CLAUDE_PLUGIN_ROOT CLAUDE_PROJECT_DIR HOME LANG PATH TMPDIR X";
        assert_eq!(names("Stop"), common);
        assert_eq!(names("SessionStart"), format!("CLAUDE_ENV_FILE {common}"));
    }

    #[test]
    fn deleting_takes_files_folders_and_what_is_not_there() {
        let (_folder, shipped) = plugin();
        let world = World::make(&shipped, &given(json!({"files": {"a/b": "x", "c": "x"}}))).expect("a world");
        world.delete(&["a".to_owned(), "c".to_owned(), "missing".to_owned(), "c/below".to_owned()]).expect("deleted");
        assert!(!world.project.join("a").exists() && !world.project.join("c").exists());
        assert!(world.delete(&["../..".to_owned()]).is_err());
    }
}
