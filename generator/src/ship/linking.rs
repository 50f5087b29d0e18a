//! How a shipped binary is linked. A plugin travels to machines whose libraries nobody knows, so it brings its own.

use std::fmt;

use camino::Utf8PathBuf;

use super::{Machine, Toolchain};

/// How the binary gets its system libraries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Linking {
    /// Statically, against musl.
    Musl { target: String },
    /// Statically, against glibc. The target is named although it is the host's own: that way the flag reaches the
    /// binary alone and not the build scripts and macros, which cannot be linked like that.
    StaticGlibc { target: String },
    /// As the platform does it.
    Dynamic,
    /// As another platform does it.
    Foreign { target: String },
}

impl Linking {
    /// The best that the toolchain can do.
    pub fn choose(toolchain: &Toolchain) -> anyhow::Result<Self> {
        let host = toolchain.field("host")?;
        if !host.contains("-linux-") {
            return Ok(Self::Dynamic);
        }
        let musl = musl_of(host);
        if has_library(toolchain, &musl) {
            return Ok(Self::Musl { target: musl });
        }
        Ok(if host.ends_with("-gnu") { Self::StaticGlibc { target: host.to_owned() } } else { Self::Dynamic })
    }

    /// The best that the toolchain can do for that kind of machine; `None` if it has no standard library for it.
    pub fn choose_for(toolchain: &Toolchain, machine: Machine) -> anyhow::Result<Option<Self>> {
        let host = toolchain.field("host")?;
        if Machine::of_target(host) == Some(machine) {
            return Self::choose(toolchain).map(Some);
        }
        let target = machine.targets().iter().find(|target| has_library(toolchain, target));
        Ok(target.map(|target| Self::of_target(target)))
    }

    fn of_target(target: &str) -> Self {
        let target = target.to_owned();
        match target.as_str() {
            musl if musl.ends_with("-musl") => Self::Musl { target },
            glibc if glibc.ends_with("-linux-gnu") => Self::StaticGlibc { target },
            _ => Self::Foreign { target },
        }
    }

    /// The target that cargo must be told.
    pub(super) fn target(&self) -> Option<&str> {
        match self {
            Self::Musl { target } | Self::StaticGlibc { target } | Self::Foreign { target } => Some(target),
            Self::Dynamic => None,
        }
    }

    /// The variable that tells cargo by which program to link for another processor, and that program: what comes with
    /// Rust can do it where musl comes with it as well.
    pub(super) fn linker(&self, host: &str) -> Option<(String, &'static str)> {
        let Self::Musl { target } = self else { return None };
        let variable = format!("CARGO_TARGET_{}_LINKER", target.replace('-', "_").to_uppercase());
        (musl_of(host) != *target && std::env::var_os(&variable).is_none()).then_some((variable, "rust-lld"))
    }

    /// How to get a binary that starts faster, where there is a way.
    pub fn advice(&self) -> Option<String> {
        match self {
            Self::StaticGlibc { target } => {
                Some(format!("with musl it starts in about half the time: rustup target add {}", musl_of(target)))
            }
            Self::Musl { .. } | Self::Dynamic | Self::Foreign { .. } => None,
        }
    }

    /// The C library that becomes part of the binary, with its licence.
    pub(super) fn library(&self) -> Option<&'static str> {
        match self {
            Self::Musl { .. } => Some("musl: MIT, Copyright © 2005-2020 Rich Felker, et al., https://musl.libc.org"),
            Self::StaticGlibc { .. } => Some(
                "the GNU C Library: LGPL-2.1-or-later, https://www.gnu.org/software/libc, linked statically; whoever wants \
                 another version of it in the binary makes one from the catalog with `hookgen ship`",
            ),
            Self::Dynamic | Self::Foreign { .. } => None,
        }
    }

    /// The flags that the compiler must be told. At a fixed address, the constant tables of a catalog need no
    /// relocation, which would otherwise touch every page of them before the first hook runs.
    pub(super) fn flags(&self) -> &'static [&'static str] {
        match self {
            Self::Musl { .. } | Self::StaticGlibc { .. } => {
                &["-Ctarget-feature=+crt-static", "-Crelocation-model=static"]
            }
            Self::Dynamic | Self::Foreign { .. } => &[],
        }
    }
}

impl fmt::Display for Linking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Musl { target } => write!(f, "static, with musl ({target})"),
            Self::StaticGlibc { target } => write!(f, "static, with glibc ({target})"),
            Self::Dynamic => f.write_str("dynamic, with the platform's libraries"),
            Self::Foreign { target } => write!(f, "with the libraries of {target}"),
        }
    }
}

/// The musl target of the same processor.
fn musl_of(host: &str) -> String {
    let processor = host.split('-').next().unwrap_or(host);
    format!("{processor}-unknown-linux-musl")
}

/// Whether the standard library for that target is installed.
fn has_library(toolchain: &Toolchain, target: &str) -> bool {
    let Ok(library) = toolchain.rustc(&["--print", "target-libdir", "--target", target]) else { return false };
    let Ok(mut entries) = Utf8PathBuf::from(library.trim()).read_dir_utf8() else { return false };
    entries.any(|entry| entry.is_ok_and(|entry| entry.file_name().starts_with("libstd-")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn musl_keeps_the_processor() {
        assert_eq!(musl_of("x86_64-unknown-linux-gnu"), "x86_64-unknown-linux-musl");
        assert_eq!(musl_of("aarch64-unknown-linux-gnu"), "aarch64-unknown-linux-musl");
    }

    #[test]
    fn another_processor_is_linked_for_by_what_comes_with_rust() {
        let host = "x86_64-unknown-linux-gnu";
        let linker = |target: &str| Linking::of_target(target).linker(host);
        let variable = "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER".to_owned();
        assert_eq!(linker("aarch64-unknown-linux-musl"), Some((variable, "rust-lld")));
        assert_eq!(linker("x86_64-unknown-linux-musl"), None);
        assert_eq!(linker("x86_64-pc-windows-gnu"), None);
        let windows = Linking::of_target("x86_64-pc-windows-gnu");
        assert_eq!(windows.target(), Some("x86_64-pc-windows-gnu"));
        assert_eq!((windows.library(), windows.advice(), windows.flags()), (None, None, &[][..]));
    }

    #[test]
    fn a_static_binary_has_a_target_of_its_own() {
        let target = "x86_64-unknown-linux-gnu".to_owned();
        for linking in [Linking::StaticGlibc { target: target.clone() }, Linking::Musl { target }] {
            assert!(linking.target().is_some() && linking.library().is_some(), "{linking}");
            assert!(linking.flags().contains(&"-Ctarget-feature=+crt-static"), "{linking}");
        }
        let glibc = Linking::StaticGlibc { target: "aarch64-unknown-linux-gnu".to_owned() };
        assert!(glibc.advice().is_some_and(|advice| advice.ends_with("rustup target add aarch64-unknown-linux-musl")));
        let musl = Linking::Musl { target: "x86_64-unknown-linux-musl".to_owned() };
        assert_eq!((musl.advice(), Linking::Dynamic.advice()), (None, None));
        assert_eq!((Linking::Dynamic.target(), Linking::Dynamic.library()), (None, None));
        assert!(Linking::Dynamic.flags().is_empty());
    }
}
