//! A cargo workspace for projects that have no library of their own: crates and library side by side, with a lock.
//!
//! Cargo knows what it compiled by name, version and path inside the workspace, and takes it for current unless a source
//! is younger. Here the path of a crate holds a digest of its sources, and all sources are equally old: the same ones are
//! never compiled twice, and different ones never taken for each other, whatever folder they come from.

use std::fs::{self, File};
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::library::digest;
use tempfile::TempDir;

use super::Crate;
use crate::workspace::library;

/// When every source was last changed; zero is taken for no time at all by some tools.
const AGE: Duration = Duration::from_secs(1);

/// Without what would bring paths of this machine into the binary, or be of use only for a second build.
const QUICK: &str = "[profile.dev]\ndebug = false\nincremental = false\n";

/// A workspace that vanishes with the value.
#[derive(Debug)]
pub(super) struct Staging {
    root: Utf8PathBuf,
    _folder: TempDir,
}

impl Staging {
    pub(super) fn new(crates: &[Crate]) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("hookgen-").tempdir().context("cannot create a folder")?;
        let root = Utf8PathBuf::try_from(folder.path().to_path_buf())
            .context("the folder for temporary files is not UTF-8")?;
        let staging = Self { root, _folder: folder };
        staging.fill(crates).with_context(|| format!("cannot write to `{}`", staging.root))?;
        Ok(staging)
    }

    /// The folder of the workspace.
    pub(super) fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The folder in which cargo leaves the binaries, which nobody else writes to.
    pub(super) fn made(&self) -> Utf8PathBuf {
        self.root.join("made")
    }

    fn fill(&self, crates: &[Crate]) -> std::io::Result<()> {
        let members: Vec<_> = crates.iter().map(member).collect();
        write(&self.root.join("Cargo.toml"), &manifest(&members))?;
        write(&self.root.join("Cargo.lock"), &lock(crates))?;
        for (path, text) in library::FILES {
            write(&self.root.join(library::PACKAGE).join(path), text)?;
        }
        for (one, member) in crates.iter().zip(&members) {
            one.files.iter().try_for_each(|(path, text)| write(&self.root.join(member).join(path), text))?;
        }
        Ok(())
    }
}

/// The folder of a crate. The same sources have the same one on every machine.
fn member(one: &Crate) -> String {
    let files: String = one.files.iter().map(|(path, text)| format!("{path}\0{text}\0")).collect();
    format!("{}-{}", one.package, digest(&files))
}

fn manifest(members: &[String]) -> String {
    let members: String = members.iter().map(|member| format!(", {member:?}")).collect();
    let library = library::PACKAGE;
    format!("[workspace]\nresolver = \"3\"\nmembers = [{library:?}{members}]\n\n{}\n{QUICK}", library::RELEASE)
}

/// The lock of the library, and the crates that need nothing else.
fn lock(crates: &[Crate]) -> String {
    let entry = |one: &Crate| {
        format!(
            "\n[[package]]\nname = \"{}\"\nversion = \"{}\"\ndependencies = [\n \"{}\",\n]\n",
            one.package,
            one.version,
            library::PACKAGE
        )
    };
    format!("{}{}", library::LOCK, crates.iter().map(entry).collect::<String>())
}

fn write(path: &Utf8Path, text: &str) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.set_modified(SystemTime::UNIX_EPOCH + AGE)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn one(text: &str) -> Crate {
        Crate {
            package: "demo-runtime".to_owned(),
            version: "1.0.0".to_owned(),
            binary: "demo-hooks".to_owned(),
            files: vec![("Cargo.toml".into(), text.to_owned()), ("src/main.rs".into(), "fn main() {}\n".to_owned())],
        }
    }

    #[test]
    fn the_path_of_a_crate_depends_on_its_sources_alone() {
        assert_eq!(member(&one("a")), member(&one("a")));
        assert_ne!(member(&one("a")), member(&one("b")));
        assert_ne!(member(&one("a")), library::PACKAGE);
    }

    #[test]
    fn a_workspace_holds_crates_library_and_lock_all_equally_old_and_leaves_nothing() {
        let staging = Staging::new(&[one("a")]).expect("staged");
        let root = staging.root().to_owned();
        let sources = ["Cargo.toml", "Cargo.lock", "hookgen-runtime/Cargo.toml", "hookgen-runtime/src/lib.rs"]
            .map(Utf8PathBuf::from);
        for path in sources.into_iter().chain([Utf8Path::new(&member(&one("a"))).join("src/main.rs")]) {
            let changed = fs::metadata(root.join(&path)).and_then(|found| found.modified()).expect("a time");
            assert_eq!(changed, SystemTime::UNIX_EPOCH + AGE, "{path}");
        }
        drop(staging);
        assert!(!root.exists());
    }

    /// The lock of this workspace, without all that the library does not need.
    #[test]
    fn the_lock_that_hookgen_carries_is_that_of_its_own_workspace() {
        let staging = Staging::new(&[]).expect("staged");
        let repository = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a parent");
        let lock = staging.root().join("Cargo.lock");
        fs::copy(repository.join("Cargo.lock"), &lock).expect("copied");
        let mut update = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        update.args([
            "update",
            "--workspace",
            "--offline",
            "--manifest-path",
            staging.root().join("Cargo.toml").as_str(),
        ]);
        let output = update.current_dir(repository).output().expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let wanted = fs::read_to_string(&lock).expect("a lock");
        let carried = repository.join("runtime/standalone.lock");
        if std::env::var_os("HOOKGEN_BLESS").is_some_and(|value| value == "1") {
            fs::write(carried, wanted).expect("written");
        } else {
            assert_eq!(library::LOCK, wanted, "run `HOOKGEN_BLESS=1 cargo test -p hookgen --lib staging`");
        }
    }

    #[test]
    fn the_lock_has_an_entry_for_every_crate() {
        let lock = lock(&[one("a")]);
        assert!(lock.starts_with(library::LOCK));
        let entry =
            "[[package]]\nname = \"demo-runtime\"\nversion = \"1.0.0\"\ndependencies = [\n \"hookgen-runtime\",\n]\n";
        assert!(lock.ends_with(entry), "{lock}");
    }
}
