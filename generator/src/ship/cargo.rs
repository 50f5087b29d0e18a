//! Generated crates compiled by cargo, and the binaries found by what cargo says, never by a guessed path.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;

use super::Linking;

/// A generated crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crate {
    /// Name of its package.
    pub package: String,
    /// Name of its binary.
    pub binary: String,
    /// Its manifest; absolute.
    pub manifest: Utf8PathBuf,
}

/// Compiles the crates and gives the binary of each, by name. `workspace` is the folder of the workspace that all of
/// them belong to; without one, each is built for itself. The error holds all that cargo said.
pub fn build(
    workspace: Option<&Utf8Path>,
    crates: &[Crate],
    linking: &Linking,
    debug: bool,
) -> anyhow::Result<BTreeMap<String, Utf8PathBuf>> {
    refuse_equal_binaries(crates)?;
    let mut binaries = BTreeMap::new();
    match workspace {
        Some(root) => {
            let packages = crates.iter().flat_map(|one| ["--package", &one.package]);
            binaries.extend(run(root, &root.join("Cargo.toml"), packages, linking, debug)?);
        }
        None => {
            for one in crates {
                let folder = one.manifest.parent().unwrap_or(&one.manifest);
                binaries.extend(run(folder, &one.manifest, [], linking, debug)?);
            }
        }
    }
    if let Some(lost) = crates.iter().find(|one| !binaries.contains_key(&one.binary)) {
        bail!("cargo built package `{}`, but no binary `{}`", lost.package, lost.binary);
    }
    Ok(binaries)
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

fn run<'a>(
    folder: &Utf8Path,
    manifest: &Utf8Path,
    packages: impl IntoIterator<Item = &'a str>,
    linking: &Linking,
    debug: bool,
) -> anyhow::Result<BTreeMap<String, Utf8PathBuf>> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&program);
    command.args(["build", "--message-format=json-render-diagnostics", "--manifest-path", manifest.as_str()]);
    command.args(packages);
    if !debug {
        command.arg("--release");
    }
    if let Some(target) = linking.target() {
        command.args(["--target", target]);
    }
    if let Some(flags) = linking.flags() {
        let before = std::env::var("RUSTFLAGS").unwrap_or_default();
        command.env("RUSTFLAGS", format!("{before} {flags}").trim());
    }
    let output = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{}`; shipping needs a Rust toolchain", program.display()))?;
    if !output.status.success() {
        bail!("cargo could not build `{manifest}`\n{}", String::from_utf8_lossy(&output.stderr).trim_end());
    }
    Ok(executables(&String::from_utf8_lossy(&output.stdout)))
}

/// What cargo reports as made.
#[derive(Deserialize)]
struct Artifact {
    target: Made,
    executable: Option<String>,
}

#[derive(Deserialize)]
struct Made {
    name: String,
}

/// The executables in cargo's messages, by the name of the binary. Other messages have another shape.
fn executables(messages: &str) -> BTreeMap<String, Utf8PathBuf> {
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Artifact>(line).ok());
    artifacts.filter_map(|artifact| Some((artifact.target.name, artifact.executable?.into()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_taken_from_cargos_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"serde"},"executable":null}
{"reason":"build-script-executed","package_id":"x"}
{"reason":"compiler-artifact","target":{"name":"demo-hooks"},"executable":"/t/demo-hooks"}
not json
{"reason":"build-finished","success":true}"#;
        let expected = BTreeMap::from([("demo-hooks".to_owned(), Utf8PathBuf::from("/t/demo-hooks"))]);
        assert_eq!(executables(messages), expected);
    }

    #[test]
    fn two_binaries_of_one_name_are_refused() {
        let one = |package: &str, binary: &str| Crate {
            package: package.to_owned(),
            binary: binary.to_owned(),
            manifest: "Cargo.toml".into(),
        };
        assert!(refuse_equal_binaries(&[one("a", "x"), one("b", "y")]).is_ok());
        let error = refuse_equal_binaries(&[one("a", "x"), one("b", "x")]).expect_err("equal").to_string();
        assert_eq!(error, "packages `a` and `b` both make a binary `x`");
    }
}
