//! The Rust of the person who ships: found, new enough, and asked what it is.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};

/// The oldest Rust that compiles the library.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// The toolchain that is used in a folder; a project may choose its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    folder: Utf8PathBuf,
    /// All that `rustc -vV` says.
    version: String,
}

impl Toolchain {
    pub fn find(folder: &Utf8Path) -> anyhow::Result<Self> {
        let mut toolchain = Self { folder: folder.to_owned(), version: String::new() };
        toolchain.version = toolchain.rustc(&["-vV"])?;
        let release = toolchain.field("release")?;
        if numbers(release) < numbers(OLDEST) {
            bail!("hookgen needs Rust {OLDEST} or newer, and `{folder}` uses {release}: run `rustup update`");
        }
        Ok(toolchain)
    }

    /// One that says this of itself, for tests.
    #[cfg(test)]
    pub(super) fn of(version: &str) -> Self {
        Self { folder: ".".into(), version: version.to_owned() }
    }

    /// The folder in which it is used.
    pub(super) fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// All that tells it from another.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// A line of `rustc -vV`, such as `host` or `release`.
    pub(super) fn field(&self, name: &str) -> anyhow::Result<&str> {
        let mut lines = self.version.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
            .with_context(|| format!("`rustc -vV` names no {name}"))
    }

    /// What the compiler prints for these arguments.
    pub(super) fn rustc(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(&program);
        command.args(arguments);
        let output = self.run(command, &program)?;
        if !output.status.success() {
            bail!("`rustc {}` failed: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs cargo as the rest of the command is given by `with`.
    pub(super) fn cargo(&self, with: impl FnOnce(&mut Command)) -> anyhow::Result<Output> {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(&program);
        with(&mut command);
        self.run(command, &program)
    }

    fn run(&self, mut command: Command, program: &OsString) -> anyhow::Result<Output> {
        let started = command.current_dir(&self.folder).stdin(Stdio::null()).output();
        started.map_err(|error| match error.kind() {
            ErrorKind::NotFound => missing(program),
            _ => anyhow::Error::new(error).context(format!("cannot start `{}`", program.display())),
        })
    }
}

/// What to do when there is no Rust.
fn missing(program: &OsString) -> anyhow::Error {
    anyhow::anyhow!(
        "there is no `{}`, and hooks are compiled with it\nInstall Rust {OLDEST} or newer from https://rustup.rs, and a C \
         linker (the package `gcc` or `clang`), then run this again.",
        program.display()
    )
}

/// A version as numbers that can be compared; what is no number ends it.
fn numbers(version: &str) -> Vec<u64> {
    version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(numbers("1.94.1") < numbers("1.95") && numbers("1.9.0") < numbers("1.95"));
        assert!(numbers("1.95.0") >= numbers("1.95") && numbers("1.100.0-nightly") > numbers("1.95"));
        assert!(numbers(OLDEST).len() >= 2, "{OLDEST}");
    }

    #[test]
    fn a_toolchain_says_what_it_is() {
        let version = "rustc 1.95.0 (x 2026-04-14)\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\n";
        let toolchain = Toolchain::of(version);
        assert_eq!(toolchain.field("host").expect("there"), "x86_64-unknown-linux-gnu");
        assert_eq!(toolchain.field("planet").expect_err("not there").to_string(), "`rustc -vV` names no planet");
    }
}
