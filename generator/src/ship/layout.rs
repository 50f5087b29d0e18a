//! A plugin's folder, put in place as a whole.
//!
//! The new folder is made beside the old one and takes its name, so that a client which reads it meanwhile sees the
//! old plugin or the new one, and nothing of an earlier ship is left in it.

use std::fs;
use std::io::ErrorKind;
use std::time::Duration;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

use crate::emit::{OutputSet, record};

/// The generated folder that holds the binary's source, which is not shipped.
const CRATE: &str = "runtime";

/// Age after which an unfinished folder of another ship is certainly abandoned.
const ABANDONED: Duration = Duration::from_hours(1);

/// How often the swap is tried again when another ship of the same catalog gets in between.
const ATTEMPTS: u32 = 5;

/// Lays the plugin out in `<out>/<catalog>` and gives that folder.
pub fn lay_out(
    out: &Utf8Path,
    catalog: &str,
    files: &OutputSet,
    binary: &str,
    executable: &Utf8Path,
) -> anyhow::Result<Utf8PathBuf> {
    fs::create_dir_all(out).with_context(|| format!("cannot create `{out}`"))?;
    let prefix = format!(".{catalog}.ship-");
    remove_abandoned(out, &prefix);
    let fresh = tempfile::Builder::new()
        .prefix(&prefix)
        .tempdir_in(out)
        .with_context(|| format!("cannot create a folder in `{out}`"))?;
    let folder = Utf8Path::from_path(fresh.path()).with_context(|| format!("a path in `{out}` is not UTF-8"))?;
    let plugin = folder.join("new");
    fill(&plugin, files, binary, executable)?;
    let icon = plugin.join(".claude-plugin").join("icon.png");
    make_parent(&icon)?;
    fs::write(&icon, super::icon::icon(catalog)).with_context(|| format!("cannot write `{icon}`"))?;
    let place = out.join(catalog);
    swap(&plugin, &place, &folder.join("old"))?;
    Ok(place)
}

fn fill(plugin: &Utf8Path, files: &OutputSet, binary: &str, executable: &Utf8Path) -> anyhow::Result<()> {
    for (path, text) in files.iter().filter(|(path, _)| !path.starts_with(CRATE) && *path != record::FILE) {
        let path = plugin.join(path);
        make_parent(&path)?;
        fs::write(&path, text).with_context(|| format!("cannot write `{path}`"))?;
    }
    let target = plugin.join("bin").join(binary);
    make_parent(&target)?;
    fs::copy(executable, &target).with_context(|| format!("cannot copy `{executable}` to `{target}`"))?;
    make_executable(&target).with_context(|| format!("cannot make `{target}` executable"))
}

fn make_parent(path: &Utf8Path) -> anyhow::Result<()> {
    let parent = path.parent().with_context(|| format!("`{path}` has no folder"))?;
    fs::create_dir_all(parent).with_context(|| format!("cannot create `{parent}`"))
}

#[cfg(unix)]
fn make_executable(path: &Utf8Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_path: &Utf8Path) -> std::io::Result<()> {
    Ok(())
}

/// Puts the new folder in the old one's place. The old one goes to `aside`, which disappears with its parent.
fn swap(new: &Utf8Path, place: &Utf8Path, aside: &Utf8Path) -> anyhow::Result<()> {
    let mut attempt = 0;
    loop {
        attempt += 1;
        let moved = fs::rename(place, aside.with_extension(attempt.to_string()));
        if let Err(error) = moved
            && error.kind() != ErrorKind::NotFound
        {
            return Err(error).with_context(|| format!("cannot move the old `{place}` aside"));
        }
        match fs::rename(new, place) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty && attempt < ATTEMPTS => {}
            Err(error) => return Err(error).with_context(|| format!("cannot put `{place}` in place")),
        }
    }
}

/// Removes what a ship that was killed has left. A ship that is still running is left alone.
fn remove_abandoned(out: &Utf8Path, prefix: &str) {
    let Ok(entries) = out.read_dir_utf8() else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().starts_with(prefix)) {
        let age = entry.metadata().and_then(|found| found.modified()).map(|time| time.elapsed());
        if matches!(age, Ok(Ok(age)) if age > ABANDONED) {
            // Leftovers that cannot be removed are in nobody's way.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::Output;

    fn files() -> OutputSet {
        let mut files = OutputSet::default();
        for path in [".claude-plugin/plugin.json", "hooks/hooks.json", "docs/HOOKS.md", "runtime/Cargo.toml"] {
            files.insert(Output::new(path, path)).expect("free");
        }
        files
    }

    fn ship(out: &Utf8Path, binary: &str) -> Utf8PathBuf {
        let executable = out.join("compiled");
        fs::write(&executable, binary).expect("written");
        lay_out(out, "demo", &files(), "demo-hooks", &executable).expect("laid out")
    }

    fn everything(folder: &Utf8Path) -> Vec<String> {
        let mut names = Vec::new();
        for entry in folder.read_dir_utf8().expect("listed") {
            let path = entry.expect("listed").into_path();
            names.push(path.file_name().expect("a name").to_owned());
            if path.is_dir() {
                names.extend(everything(&path));
            }
        }
        names.sort();
        names
    }

    #[test]
    fn a_plugin_has_its_files_and_its_binary_but_not_the_crate() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = Utf8Path::from_path(folder.path()).expect("UTF-8");
        let plugin = ship(out, "binary");
        assert_eq!(plugin, out.join("demo"));
        let names = everything(&plugin);
        assert_eq!(
            names,
            [
                ".claude-plugin",
                "HOOKS.md",
                "bin",
                "demo-hooks",
                "docs",
                "hooks",
                "hooks.json",
                "icon.png",
                "plugin.json"
            ]
        );
        assert_eq!(fs::read_to_string(plugin.join("bin/demo-hooks")).expect("readable"), "binary");
    }

    #[cfg(unix)]
    #[test]
    fn the_binary_can_be_started_and_the_folder_be_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let plugin = ship(Utf8Path::from_path(folder.path()).expect("UTF-8"), "binary");
        let mode = |path: &Utf8Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&plugin.join("bin/demo-hooks")), 0o755);
        assert_eq!(mode(&plugin) & 0o700, 0o700);
        assert_eq!(mode(&plugin), mode(&plugin.join("hooks")));
    }

    #[test]
    fn nothing_of_an_earlier_ship_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = Utf8Path::from_path(folder.path()).expect("UTF-8");
        let plugin = ship(out, "old");
        fs::write(plugin.join("left-over"), "x").expect("written");
        ship(out, "new");
        assert!(!plugin.join("left-over").exists());
        assert_eq!(fs::read_to_string(plugin.join("bin/demo-hooks")).expect("readable"), "new");
        let beside: Vec<_> =
            out.read_dir_utf8().expect("listed").flatten().map(|it| it.file_name().to_owned()).collect();
        assert_eq!(beside.len(), 2, "{beside:?}");
    }

    #[test]
    fn a_ship_that_is_still_running_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = Utf8Path::from_path(folder.path()).expect("UTF-8");
        fs::create_dir(out.join(".demo.ship-running")).expect("created");
        ship(out, "binary");
        assert!(out.join(".demo.ship-running").exists());
    }
}
