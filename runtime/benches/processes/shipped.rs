//! The binaries that are measured, made the way in which a person would make them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--quiet", "--package", "hookgen", "--"]).args(arguments).arg(last).current_dir(root());
    if let Some(target) = target {
        // Only the crates that hookgen builds; its own build is where it always is.
        command.env("CARGO_TARGET_DIR", target);
    }
    let output = command.output().expect("started");
    assert!(output.status.success(), "hookgen {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
}

/// A small program of this folder, linked as shipped binaries are.
pub(crate) fn program(name: &str) -> PathBuf {
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/processes/programs").join(name).with_extension("rs");
    let out = workshop().join(name);
    std::fs::create_dir_all(workshop()).expect("created");
    let musl = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let made = [vec!["--target", &musl], vec![]].into_iter().any(|target| {
        Command::new("rustc")
            .args(target)
            .args(["-O", "-C", "strip=symbols", "-C", "target-feature=+crt-static", "-C", "relocation-model=static"])
            .args(["--edition", "2024", "-o"])
            .arg(&out)
            .arg(&source)
            .current_dir(root())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    });
    assert!(made, "`{name}` does not compile");
    out
}
