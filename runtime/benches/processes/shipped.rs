//! The binaries that are measured, made the way in which a person would make them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the whole project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

/// A folder for what the benchmark makes; it stays, so that a second run need not compile again.
pub(crate) fn workshop() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("processes")
}

/// The plugin of one of the catalogs.
pub(crate) fn plugin(catalog: &str) -> PathBuf {
    let out = workshop().join("dist");
    hookgen(&["ship", catalog, "--out"], &out, None);
    out.join(catalog)
}

pub(crate) fn hookgen(arguments: &[&str], last: &Path, target: Option<&Path>) {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "hookgen", "--"]).args(arguments).arg(last);
    if let Some(target) = target {
        // Only the crates that hookgen builds; its own build is where it always is.
        command.env("CARGO_TARGET_DIR", target);
    }
    run(command);
}

/// The portable plugin of a catalog, made as by a released hookgen: that of the release profile, with its engine beside it.
pub(crate) fn portable_plugin(catalog: &str) -> PathBuf {
    let out = workshop().join("portable");
    let mut command = Command::new(released("hookgen"));
    command.args(["ship", catalog, "--portable", "--out"]).arg(&out).current_dir(root());
    run(command);
    out.join(catalog)
}

/// A program of hookgen's own package, in the release profile.
pub(crate) fn released(name: &str) -> PathBuf {
    let mut command = cargo();
    command.args(["build", "--quiet", "--release", "--package", "hookgen", "--bins"]);
    run(command);
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("release").join(name)
}

/// How a static binary gets its C library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Linking {
    Musl,
    Glibc,
}

impl Linking {
    /// What `hookgen ship` chooses here.
    pub(crate) fn chosen() -> Self {
        if Self::Musl.is_installed() { Self::Musl } else { Self::Glibc }
    }

    /// The one that it does not choose, where that can be had as well.
    pub(crate) fn other() -> Option<Self> {
        (Self::chosen() == Self::Musl).then_some(Self::Glibc)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Musl => "musl",
            Self::Glibc => "glibc",
        }
    }

    fn target(self) -> String {
        let library = if self == Self::Musl { "musl" } else { "gnu" };
        format!("{}-unknown-linux-{library}", std::env::consts::ARCH)
    }

    fn is_installed(self) -> bool {
        let found = Command::new("rustc").args(["--print", "target-libdir", "--target", &self.target()]).output();
        found.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
    }
}

const STATIC: [&str; 2] = ["-Ctarget-feature=+crt-static", "-Crelocation-model=static"];

/// The binary of a catalog's generated crate in a plugin of its own, linked in that way and otherwise as it is shipped.
pub(crate) fn linked(catalog: &str, binary: &str, linking: Linking) -> PathBuf {
    let target = workshop().join(linking.name());
    let mut command = cargo();
    command.args(["build", "--quiet", "--release", "--package", &format!("{catalog}-runtime"), "--target"]);
    command
        .arg(linking.target())
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_ENCODED_RUSTFLAGS", STATIC.join("\u{1f}"));
    run(command);
    let plugin = target.join("plugin");
    std::fs::create_dir_all(plugin.join("bin")).expect("created");
    let made = target.join(linking.target()).join("release").join(binary);
    std::fs::copy(made, plugin.join("bin").join(binary)).expect("copied");
    plugin
}

/// A small program of this folder, linked as shipped binaries are.
pub(crate) fn program(name: &str, linking: Linking) -> PathBuf {
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/processes/programs").join(name).with_extension("rs");
    let out = workshop().join(format!("{name}-{}", linking.name()));
    std::fs::create_dir_all(workshop()).expect("created");
    let mut command = Command::new("rustc");
    command.args(["-O", "-C", "strip=symbols", "--edition", "2024", "--target", &linking.target()]).args(STATIC);
    command.arg("-o").arg(&out).arg(&source).current_dir(root());
    run(command);
    // A program that the linker wrote piece by piece is in memory piece by piece, and starts more slowly for it.
    let whole = std::fs::read(&out).expect("made");
    std::fs::write(&out, whole).expect("written");
    out
}

fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

fn run(mut command: Command) {
    let output = command.output().expect("started");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
