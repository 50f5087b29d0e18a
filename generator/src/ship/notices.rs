//! The notices that the licences of what is linked into a binary ask for. Same packages, same text.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context as _;

use super::packages::Package;
use super::{Linking, Toolchain};
use crate::workspace::library;

/// Where the notices are in a plugin.
pub(super) const FILE: &str = "THIRD-PARTY-NOTICES.txt";

/// How the files begin in which packages keep the texts of their licences.
const STARTS: &[&str] = &["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

const LINE: &str = "--------------------------------------------------------------------------------";

/// The notices for the engines that come with hookgen. What is in them was settled when hookgen was compiled, so they
/// are kept with its sources, and a test holds them against what it is compiled from.
pub(super) const ENGINE: &str = include_str!("../../notices/engine.txt");
/// Those for hookgen itself, which is an engine too.
pub(super) const HOOKGEN: &str = include_str!("../../notices/hookgen.txt");

/// The notices for a binary with these packages in it.
pub(super) fn notices(
    binary: &str,
    packages: &[&Package],
    toolchain: &Toolchain,
    linking: &Linking,
) -> anyhow::Result<String> {
    let rust = format!("the standard library of Rust {}", toolchain.field("release")?);
    text(&format!("bin/{binary}"), packages, &rust, linking.library())
}

fn text(binary: &str, packages: &[&Package], rust: &str, library: Option<&str>) -> anyhow::Result<String> {
    let mut list = Vec::new();
    // Many packages carry the same text, which is printed once, below the names of all of them.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("a licence of its own");
        let home = package.repository.as_deref().map(|home| format!(", {home}")).unwrap_or_default();
        let found = licences(package)?;
        let note = if found.is_empty() { " (its package holds no text)" } else { "" };
        list.push(format!("- {name}: {licence}{note}{home}"));
        for (file, text) in found {
            texts.entry(text).or_default().push(format!("{name} ({file})"));
        }
    }
    list.push(format!("- {rust}: MIT OR Apache-2.0, https://github.com/rust-lang/rust"));
    for (file, text) in library::LICENCES {
        texts.entry(plain(text)).or_default().push(format!("{rust} ({file})"));
    }
    list.extend(library.map(|library| format!("- {library}")));
    let mut texts: Vec<_> = texts.into_iter().map(|(text, names)| (names, text)).collect();
    texts.sort();
    let texts: String =
        texts.iter().map(|(names, text)| format!("\n{LINE}\n{}\n{LINE}\n\n{text}\n", names.join("\n"))).collect();
    Ok(format!(
        "What is linked into {binary}, each under its own licence. The texts follow.\n\n{}\n{texts}",
        list.join("\n")
    ))
}

/// The texts of a package's licences, each with the name of its file.
fn licences(package: &Package) -> anyhow::Result<Vec<(String, String)>> {
    if package.name == library::PACKAGE {
        return Ok(library::LICENCES.iter().map(|(file, text)| ((*file).to_owned(), plain(text))).collect());
    }
    let folder = package.folder();
    let mut names = Vec::new();
    for entry in folder.read_dir_utf8().with_context(|| format!("cannot list `{folder}`"))? {
        let entry = entry.with_context(|| format!("cannot list `{folder}`"))?;
        let is_known = STARTS.iter().any(|start| entry.file_name().to_ascii_uppercase().starts_with(start));
        if entry.path().is_file() && (is_known || package.license_file.as_deref() == Some(entry.file_name())) {
            names.push(entry.file_name().to_owned());
        }
    }
    names.sort();
    let read = |name: String| {
        let bytes = fs::read(folder.join(&name)).with_context(|| format!("cannot read `{}`", folder.join(&name)))?;
        Ok((name, plain(&String::from_utf8_lossy(&bytes))))
    };
    names.into_iter().map(read).collect()
}

/// A text without what differs between copies of it: line ends, spaces at their end, blank lines around it.
fn plain(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use camino::Utf8Path;

    use super::super::packages::tests::workspace;
    use super::*;

    fn made(files: &[(&str, &str)]) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
        for name in ["text", "bytes"] {
            fs::create_dir(root.join(name)).expect("created");
        }
        for (path, text) in files {
            fs::write(root.join(path), text).expect("written");
        }
        let packages = workspace(root.as_str());
        let toolchain = Toolchain::of("rustc 1.95.0\nrelease: 1.95.0\n");
        let linking = Linking::Musl { target: "x".to_owned() };
        notices("demo-hooks", &packages.linked("demo-runtime"), &toolchain, &linking).expect("notices")
    }

    #[test]
    fn everything_linked_is_named_and_every_text_is_there_once() {
        let text = made(&[
            ("text/LICENSE-MIT", "Be kind.\r\n"),
            ("bytes/license.md", "\nBe kind. \n"),
            ("text/NOTICE", "Thanks."),
            ("text/README.md", "Hello."),
        ]);
        for part in [
            "bin/demo-hooks",
            "\n- bytes 1.0.0: MIT\n- hookgen-runtime 1.0.0: MIT\n- text 1.0.0: MIT\n- the standard library of Rust 1.95.0",
            "\nbytes 1.0.0 (license.md)\ntext 1.0.0 (LICENSE-MIT)\n",
            "\ntext 1.0.0 (NOTICE)\n",
            "musl",
            "Apache License",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(text.matches("Be kind.").count(), 1);
        assert!(!text.contains("Hello.") && !text.contains("- derive ") && !text.contains("- tokens "));
    }

    /// `HOOKGEN_BLESS=1` writes them anew.
    #[test]
    fn the_notices_of_the_engines_name_what_hookgen_is_compiled_from() {
        const LIBRARY: &str = "the C library, where it is linked statically: the GNU C Library (LGPL-2.1-or-later, \
                               https://www.gnu.org/software/libc) or musl (MIT, Copyright © 2005-2020 Rich Felker, et al., \
                               https://musl.libc.org), the latter with dlmalloc (MIT OR Apache-2.0, \
                               https://github.com/alexcrichton/dlmalloc-rs)";
        let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
        let toolchain = Toolchain::find(folder).expect("a toolchain");
        let output = toolchain.cargo(|command| {
            let platform = "x86_64-unknown-linux-gnu";
            command.args(["metadata", "--format-version", "1", "--locked", "--filter-platform", platform]);
            command.args(["--manifest-path", folder.join("Cargo.toml").as_str()]);
        });
        let output = output.expect("started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let packages =
            super::super::packages::Packages::read(&String::from_utf8_lossy(&output.stdout)).expect("metadata");
        for (package, binary, kept) in [("hookgen-runtime", "the engine", ENGINE), ("hookgen", "hookgen", HOOKGEN)] {
            let text = text(binary, &packages.linked(package), "the standard library of Rust", Some(LIBRARY));
            let text = text.expect("licences");
            let file = folder.join(if package == "hookgen" { "notices/hookgen.txt" } else { "notices/engine.txt" });
            if std::env::var_os("HOOKGEN_BLESS").is_some() {
                fs::write(&file, &text).expect("written");
            } else {
                assert!(text == kept, "`{file}` is out of step: run the test with HOOKGEN_BLESS=1");
            }
        }
    }

    #[test]
    fn a_package_without_a_text_is_marked() {
        let text = made(&[("text/LICENSE", "Be kind.")]);
        assert!(
            text.contains("- bytes 1.0.0: MIT (its package holds no text)\n") && text.contains("- text 1.0.0: MIT\n"),
            "{text}"
        );
    }
}
