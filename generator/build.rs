//! Embeds the runtime library, so that a catalog anywhere can be turned into a crate that builds.
//!
//! The library's manifest inherits from this workspace; the embedded one stands alone, with every inherited value
//! written out. How this workspace compiles what is shipped comes along, so that a catalog elsewhere is compiled alike.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How shipped binaries are compiled.
const RELEASE: &str = "profile.release";

fn main() -> Result<(), Box<dyn Error>> {
    let generator = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let root = generator.parent().ok_or("the generator has no parent folder")?;
    let (library, workspace) = (root.join("runtime"), root.join("Cargo.toml"));
    for watched in [&library.join("src"), &library.join("Cargo.toml"), &workspace] {
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    let workspace = fs::read_to_string(workspace)?;
    let manifest = standalone(&fs::read_to_string(library.join("Cargo.toml"))?, &workspace)?;
    let mut table = format!("&[\n    (\"Cargo.toml\", {manifest:?}),\n");
    let mut sources = Vec::new();
    find_files(&library.join("src"), &mut sources)?;
    sources.sort();
    for path in sources {
        let name = path.strip_prefix(&library)?.to_string_lossy().replace('\\', "/");
        writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string())?;
    }
    table.push_str("]\n");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    fs::write(out.join("library.rs"), table)?;
    fs::write(out.join("release.toml"), section(&workspace, RELEASE)?)?;
    link_engine(&out)
}

/// The program that portable plugins run.
const ENGINE: &str = "hookgen-engine";

/// The shared libraries that the standard library asks the linker for, and the archives that hold the same.
const LIBRARIES: [(&str, &str); 7] = [
    ("libc.so", "libc.a"),
    ("libdl.so", "libdl.a"),
    ("libgcc_s.so", "libgcc_eh.a"),
    ("libm.so", "libm.a"),
    ("libpthread.so", "libpthread.a"),
    ("librt.so", "librt.a"),
    ("libutil.so", "libutil.a"),
];

/// Links the engine as shipped binaries are: statically and at a fixed address, since most of what a call costs is
/// starting. Cargo knows no compiler flags for one program of a package, but arguments for its linker: a folder in which
/// the names of the shared libraries lead to the archives.
fn link_engine(out: &Path) -> Result<(), Box<dyn Error>> {
    if !std::env::var("TARGET")?.ends_with("-linux-gnu") || std::env::var("TARGET")? != std::env::var("HOST")? {
        return Ok(());
    }
    let archives: Option<Vec<String>> = LIBRARIES.iter().map(|(_, archive)| archive_of_compiler(archive)).collect();
    let (Some(archives), Some(compiler)) = (archives, archive_of_compiler("libgcc.a")) else {
        println!(
            "cargo::warning=the C library is not here as an archive (libc.a), so `{ENGINE}` is linked dynamically: portable \
             plugins start more slowly, and only where there is a C library as new; install the package `libc6-dev` or \
             `glibc-static`"
        );
        return Ok(());
    };
    let folder = out.join("libraries");
    fs::create_dir_all(&folder)?;
    for ((shared, _), archive) in LIBRARIES.iter().zip(&archives) {
        // Each of them may need the others.
        let script = format!("GROUP ( \"{archive}\" \"{}\" \"{}\" \"{compiler}\" )\n", archives[0], archives[2]);
        fs::write(folder.join(shared), script)?;
    }
    for argument in ["-static", "-no-pie", &format!("-L{}", folder.display())] {
        println!("cargo::rustc-link-arg-bin={ENGINE}={argument}");
    }
    Ok(())
}

/// Where the C compiler, by which Rust links, has that archive.
fn archive_of_compiler(name: &str) -> Option<String> {
    let output = Command::new("cc").arg(format!("-print-file-name={name}")).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    // A name that comes back as it was asked for is one that the compiler does not know.
    Path::new(&path).is_absolute().then_some(path)
}

fn find_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_files(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// A dependency that only a feature brings in.
const OPTIONAL: &str = " = { workspace = true, optional = true }";

/// The library's manifest without inheritance, tests and lints.
fn standalone(manifest: &str, workspace: &str) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for (section, lines) in sections(manifest) {
        let inherited = match section {
            "package" => "workspace.package",
            _ if is_dependencies(section) => "workspace.dependencies",
            "lib" | "features" => "",
            _ => continue,
        };
        writeln!(text, "[{section}]")?;
        for line in lines {
            match line.split_once(".workspace = true") {
                Some((key, _)) => writeln!(text, "{}", value_of(workspace, inherited, key)?)?,
                None if line.ends_with(OPTIONAL) => {
                    let key = line.trim_end_matches(OPTIONAL);
                    let value = value_of(workspace, inherited, key)?.trim_end_matches([' ', '}']);
                    writeln!(text, "{value}, optional = true }}")?;
                }
                None => writeln!(text, "{line}")?,
            }
        }
        text.push('\n');
    }
    Ok(text)
}

/// A section of a manifest, as text.
fn section(manifest: &str, wanted: &str) -> Result<String, Box<dyn Error>> {
    let found = sections(manifest).into_iter().find(|(name, _)| *name == wanted);
    let (name, lines) = found.ok_or_else(|| format!("the workspace has no `{wanted}`"))?;
    Ok(format!("[{name}]\n{}\n", lines.join("\n")))
}

/// Those of the library itself, on every target or on one.
fn is_dependencies(section: &str) -> bool {
    section == "dependencies" || section.starts_with("target.") && section.ends_with(".dependencies")
}

/// The sections of a manifest with their lines, without blank lines and comments.
fn sections(manifest: &str) -> Vec<(&str, Vec<&str>)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in manifest.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            sections.push((name, Vec::new()));
        } else if let Some((_, lines)) = sections.last_mut() {
            lines.push(line);
        }
    }
    sections
}

/// The line that gives the key its value in a section of the workspace's manifest.
fn value_of<'w>(workspace: &'w str, section: &str, key: &str) -> Result<&'w str, Box<dyn Error>> {
    let lines = sections(workspace).into_iter().filter(|(name, _)| *name == section).flat_map(|(_, lines)| lines);
    let mut found = lines.filter(|line| line.split_once('=').is_some_and(|(name, _)| name.trim() == key));
    found.next().ok_or_else(|| format!("the workspace does not say what `{key}` is").into())
}
