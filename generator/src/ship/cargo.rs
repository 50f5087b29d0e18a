//! Generated crates compiled by cargo, and the binaries found by what cargo says, never by a guessed path.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Output};

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

use super::advice::advice;
use super::packages::{Package, Packages};
use super::staging::Staging;
use super::{Linking, Machine, Program, Toolchain, cache, notices, remap};
use crate::emit::{Bug, Output as File, OutputSet};
use crate::model;
use crate::workspace::package_name;

/// The folder of the crate among the files of a catalog.
const FOLDER: &str = "runtime";

/// A generated crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crate {
    /// Name of its package.
    pub package: String,
    /// Version of its package.
    pub version: String,
    /// Name of its binary.
    pub binary: String,
    /// Its files, by path from its own folder.
    pub files: Vec<(Utf8PathBuf, String)>,
}

impl Crate {
    /// The crate among the files of a catalog.
    pub fn of(catalog: &model::Catalog, outputs: &OutputSet) -> anyhow::Result<Self> {
        let inside =
            |(path, text): (&Utf8Path, &str)| Some((path.strip_prefix(FOLDER).ok()?.to_owned(), text.to_owned()));
        let manifest = outputs.get(Utf8Path::new(FOLDER).join("Cargo.toml")).unwrap_or_default();
        let package = package_name(manifest).with_context(|| format!("catalog `{}` has no crate", catalog.name))?;
        Ok(Self {
            package: package.to_owned(),
            version: catalog.version.clone(),
            binary: catalog.binary.clone(),
            files: outputs.iter().filter_map(inside).collect(),
        })
    }
}

/// What was made of crates.
#[derive(Debug)]
pub struct Built {
    /// The binary of each crate, by name.
    pub binaries: BTreeMap<String, Utf8PathBuf>,
    /// What the licences of all that is in each of them ask for.
    notices: BTreeMap<String, String>,
    /// Holds the binaries.
    _staging: Option<Staging>,
}

impl Built {
    /// The files of a catalog with those that only its binary can tell.
    pub fn complete(&self, binary: &str, files: &OutputSet) -> Result<OutputSet, Bug> {
        let mut files = files.clone();
        if let Some(text) = self.notices.get(binary) {
            files.insert(File::new(notices::FILE, text))?;
        }
        Ok(files)
    }

    /// The program for that kind of machine.
    pub fn program(&self, binary: &str, machine: Machine) -> anyhow::Result<Program> {
        let path = self.binaries.get(binary).with_context(|| format!("no binary `{binary}`"))?;
        let bytes = std::fs::read(path).with_context(|| format!("cannot read `{path}`"))?;
        Ok(Program { machine, bytes, notices: self.notices.get(binary).cloned() })
    }
}

/// Compiles the crates. `workspace` is the folder of the workspace that they belong to; those without one are compiled
/// beside hookgen's own copy of the library. The error says what to install, or holds all that cargo said.
pub fn build(
    toolchain: &Toolchain,
    workspace: Option<&Utf8Path>,
    crates: &[Crate],
    linking: &Linking,
    debug: bool,
) -> anyhow::Result<Built> {
    refuse_equal_binaries(crates)?;
    let staging = if workspace.is_some() { None } else { Some(Staging::new(crates)?) };
    let root = workspace.or(staging.as_ref().map(Staging::root)).context("there is no workspace")?;
    let bench = Bench { toolchain, linking, manifest: root.join("Cargo.toml"), staging: staging.as_ref() };
    let packages = bench.packages()?;
    let linked: BTreeMap<&str, Vec<&Package>> =
        crates.iter().map(|one| (one.binary.as_str(), packages.linked(&one.package))).collect();
    let made = bench.build(crates, linked.values().flatten(), debug)?;
    if let Some(lost) = crates.iter().find(|one| !made.binaries.contains_key(&one.binary)) {
        bail!("cargo built package `{}`, but no binary `{}`", lost.package, lost.binary);
    }
    let notices = linked.into_iter().map(|(binary, mut packages)| {
        packages.retain(|package| made.packages.contains(&package.id));
        Ok((binary.to_owned(), notices::notices(binary, &packages, toolchain, linking)?))
    });
    Ok(Built { notices: notices.collect::<anyhow::Result<_>>()?, binaries: made.binaries, _staging: staging })
}

/// Where cargo works, and how.
struct Bench<'b> {
    toolchain: &'b Toolchain,
    linking: &'b Linking,
    manifest: Utf8PathBuf,
    staging: Option<&'b Staging>,
}

impl Bench<'_> {
    /// The packages of the workspace, as far as the target needs them.
    fn packages(&self) -> anyhow::Result<Packages> {
        let target = match self.linking.target() {
            Some(target) => target,
            None => self.toolchain.field("host")?,
        };
        let output = self.cargo("metadata", |command| {
            command.args(["--format-version", "1", "--filter-platform", target]);
        })?;
        Packages::read(&String::from_utf8_lossy(&output.stdout))
    }

    fn build<'p>(
        &self,
        crates: &[Crate],
        linked: impl Iterator<Item = &'p &'p Package>,
        debug: bool,
    ) -> anyhow::Result<Made> {
        let flags = remap::flags(self.toolchain, linked.copied())?;
        let cross = self.linking.linker(self.toolchain.field("host")?);
        let kept = self.staging.map(|staging| anyhow::Ok((staging, cache::folder(self.toolchain)?))).transpose()?;
        let output = self.cargo("build", |command| {
            command.arg("--message-format=json-render-diagnostics");
            command.args(crates.iter().flat_map(|one| ["--package", &one.package]));
            command.args((!debug).then_some("--release"));
            command.args(self.linking.target().into_iter().flat_map(|target| ["--target", target]));
            command.envs(cross);
            // Many builds may share what is compiled, under cargo's own lock; each has its binaries to itself.
            if let Some((staging, kept)) = &kept {
                command.args(["--target-dir", staging.made().as_str()]).env("CARGO_BUILD_BUILD_DIR", kept);
            }
            let flags =
                own_flags().into_iter().chain(self.linking.flags().iter().map(|flag| (*flag).to_owned())).chain(flags);
            command.env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join("\u{1f}"));
        })?;
        Ok(Made::read(&String::from_utf8_lossy(&output.stdout)))
    }

    fn cargo(&self, subcommand: &str, with: impl FnOnce(&mut Command)) -> anyhow::Result<Output> {
        let output = self.toolchain.cargo(|command| {
            command.args([subcommand, "--manifest-path", self.manifest.as_str()]);
            // A workspace of a project has a lock of its own, to which a new catalog is added.
            command.args(self.staging.map(|_| "--locked"));
            with(command);
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            match advice(&said) {
                Some(advice) => bail!(advice),
                None => bail!("cargo could not build the hooks of `{}`\n{}", self.toolchain.folder(), said.trim_end()),
            }
        }
        Ok(output)
    }
}

/// The flags for the compiler that whoever started hookgen asks for.
fn own_flags() -> Vec<String> {
    let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    match given("CARGO_ENCODED_RUSTFLAGS") {
        Some(flags) => flags.split('\u{1f}').map(str::to_owned).collect(),
        None => given("RUSTFLAGS").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
    }
}

/// Binaries of one workspace share a folder, so that one of two equal names would be lost.
fn refuse_equal_binaries(crates: &[Crate]) -> anyhow::Result<()> {
    let mut seen = BTreeMap::new();
    for one in crates {
        if let Some(other) = seen.insert(&one.binary, &one.package) {
            bail!("packages `{other}` and `{}` both make a binary `{}`", one.package, one.binary);
        }
    }
    Ok(())
}

/// What cargo made, or found made already.
#[derive(Debug, Default, PartialEq, Eq)]
struct Made {
    /// The executables, by the name of the binary.
    binaries: BTreeMap<String, Utf8PathBuf>,
    /// The ids of all packages of which something was compiled.
    packages: BTreeSet<String>,
}

/// One of cargo's messages. Those about other things have another shape.
#[derive(Deserialize)]
struct Artifact {
    package_id: String,
    target: ArtifactTarget,
    executable: Option<String>,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
}

impl Made {
    /// From cargo's messages.
    fn read(messages: &str) -> Self {
        let mut made = Self::default();
        for artifact in messages.lines().filter_map(|line| serde_json::from_str::<Artifact>(line).ok()) {
            made.binaries.extend(artifact.executable.map(|path| (artifact.target.name, path.into())));
            made.packages.insert(artifact.package_id);
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_taken_from_cargos_messages() {
        let messages = r#"{"reason":"compiler-artifact","package_id":"serde#1","target":{"name":"serde"},"executable":null}
{"reason":"build-script-executed","package_id":"x"}
{"reason":"compiler-artifact","package_id":"demo#1","target":{"name":"demo-hooks"},"executable":"/t/demo-hooks"}
not json
{"reason":"build-finished","success":true}"#;
        let expected = Made {
            binaries: BTreeMap::from([("demo-hooks".to_owned(), "/t/demo-hooks".into())]),
            packages: ["serde#1", "demo#1"].map(str::to_owned).into(),
        };
        assert_eq!(Made::read(messages), expected);
    }

    #[test]
    fn two_binaries_of_one_name_are_refused() {
        let one = |package: &str, binary: &str| Crate {
            package: package.to_owned(),
            version: "1.0.0".to_owned(),
            binary: binary.to_owned(),
            files: Vec::new(),
        };
        assert!(refuse_equal_binaries(&[one("a", "x"), one("b", "y")]).is_ok());
        let error = refuse_equal_binaries(&[one("a", "x"), one("b", "x")]).expect_err("equal").to_string();
        assert_eq!(error, "packages `a` and `b` both make a binary `x`");
    }
}
