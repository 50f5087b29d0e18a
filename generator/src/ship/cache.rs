//! Where cargo keeps what it compiled for catalogs of projects that have no library of their own: one folder for all of
//! them, so that the library is compiled once per machine.

use std::ffi::OsString;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::library::digest;

use super::Toolchain;
use crate::workspace::library;

/// The folder for this version of hookgen and that toolchain. `CARGO_TARGET_DIR` says where it goes, as it does for
/// cargo; else it is in the person's cache.
pub(super) fn folder(toolchain: &Toolchain) -> anyhow::Result<Utf8PathBuf> {
    let home = std::env::home_dir().map(Into::into);
    let place = place(|name| std::env::var_os(name), home).context(
        "there is no folder for what is compiled: set `HOME`, `XDG_CACHE_HOME` or `CARGO_TARGET_DIR` to one",
    )?;
    let current = std::env::current_dir().context("cannot tell the current folder")?;
    let place = Utf8PathBuf::try_from(current.join(place)).context("the folder for what is compiled is not UTF-8")?;
    Ok(place.join(name(toolchain.version())))
}

fn place(variable: impl Fn(&str) -> Option<OsString>, home: Option<OsString>) -> Option<std::path::PathBuf> {
    let given = |name: &str| variable(name).filter(|value| !value.is_empty()).map(std::path::PathBuf::from);
    // A relative cache folder means nothing, by the specification that names the variable.
    let cache = given("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let home = home.filter(|value| !value.is_empty()).map(|home| std::path::PathBuf::from(home).join(".cache"));
    given("CARGO_TARGET_DIR").or_else(|| Some(cache.or(home)?.join("hookgen")))
}

/// What is compiled by one toolchain for one library is of no use to another.
fn name(toolchain: &str) -> Utf8PathBuf {
    let key = digest(&format!("{}\n{toolchain}", library::fingerprint()));
    Utf8Path::new(&format!("{}-{}", env!("CARGO_PKG_VERSION"), key.get(..16).unwrap_or(&key))).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_one_that_was_named_or_in_the_cache() {
        for (variables, expected) in [
            (&[("CARGO_TARGET_DIR", "/t"), ("XDG_CACHE_HOME", "/x")][..], "/t"),
            (&[("CARGO_TARGET_DIR", "t")], "t"),
            (&[("CARGO_TARGET_DIR", ""), ("XDG_CACHE_HOME", "/x")], "/x/hookgen"),
            (&[("XDG_CACHE_HOME", "x")], "/home/me/.cache/hookgen"),
            (&[], "/home/me/.cache/hookgen"),
        ] {
            let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
            assert_eq!(place(variable, Some("/home/me".into())), Some(expected.into()), "{variables:?}");
        }
        assert_eq!(place(|_| None, None), None);
    }

    #[test]
    fn every_toolchain_has_its_own() {
        assert_eq!(name("1.95.0"), name("1.95.0"));
        assert_ne!(name("1.95.0"), name("1.95.1"));
        assert!(name("x").as_str().starts_with(env!("CARGO_PKG_VERSION")));
    }
}
