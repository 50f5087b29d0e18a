//! Names for places that mean the same on every machine: panics say where they happened, and a path of the person who
//! shipped would make every binary another one and tell strangers where they live.

use super::Toolchain;
use super::packages::Package;

/// What the compiler must be told to call the sources of packages and of the standard library. Those of the workspace
/// are named from its root anyway.
pub(super) fn flags<'p>(
    toolchain: &Toolchain,
    packages: impl Iterator<Item = &'p Package>,
) -> anyhow::Result<Vec<String>> {
    let mut names: Vec<_> = packages
        .filter(|package| package.source.is_some())
        .map(|package| (package.folder().to_string(), format!("{}-{}", package.name, package.version)))
        .collect();
    let root = toolchain.rustc(&["--print", "sysroot"])?;
    // As the compiler names them where the sources are not installed.
    let library = format!("/rustc/{}", toolchain.field("commit-hash")?);
    names.push((format!("{}/lib/rustlib/src/rust", root.trim()), library));
    names.sort();
    names.dedup();
    Ok(names.into_iter().map(|(path, name)| format!("--remap-path-prefix={path}={name}")).collect())
}
