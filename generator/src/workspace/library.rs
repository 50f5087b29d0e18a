//! The runtime library that hookgen carries, for projects that do not have it.

use std::sync::LazyLock;

use hookgen_runtime::library::digest;

/// Name of the library's package.
pub(crate) const PACKAGE: &str = "hookgen-runtime";

/// The library's files: a manifest that stands alone, and the sources.
pub(crate) static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The exact version and checksum of everything that the library needs; a `Cargo.lock` for it alone.
pub(crate) static LOCK: &str = include_str!("../../../runtime/standalone.lock");

/// How hookgen's own workspace compiles what is shipped.
pub(crate) static RELEASE: &str = include_str!(concat!(env!("OUT_DIR"), "/release.toml"));

/// The library's licences, each under the name of its file.
pub(crate) static LICENCES: &[(&str, &str)] = &[
    ("LICENSE-APACHE", include_str!("../../../LICENSE-APACHE")),
    ("LICENSE-MIT", include_str!("../../../LICENSE-MIT")),
];

/// What tells this library from every other version of it.
pub(crate) fn fingerprint() -> &'static str {
    static FINGERPRINT: LazyLock<String> = LazyLock::new(|| {
        let files: String = FILES.iter().map(|(path, text)| format!("{path}\0{text}\0")).collect();
        digest(&[&files, LOCK, RELEASE].join("\0"))
    });
    &FINGERPRINT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> &'static str {
        FILES.iter().find(|(found, _)| *found == path).expect(path).1
    }

    #[test]
    fn the_manifest_inherits_nothing() {
        let manifest = file("Cargo.toml");
        assert_eq!(super::super::package_name(manifest), Some(PACKAGE));
        assert!(!manifest.contains("workspace"), "{manifest}");
        for line in ["[dependencies]", "edition = \"2024\""] {
            assert!(manifest.lines().any(|found| found == line), "{line}\n{manifest}");
        }
        assert!(manifest.lines().any(|line| line.starts_with("regex-lite = ")), "{manifest}");
    }

    #[test]
    fn the_sources_are_those_of_the_library() {
        assert!(file("src/lib.rs").contains("mod client;") && file("src/client/claude.rs").contains("PreToolUse"));
    }

    #[test]
    fn what_is_shipped_is_optimised_and_stripped() {
        assert!(RELEASE.starts_with("[profile.release]\n") && RELEASE.contains("strip = true"), "{RELEASE}");
    }
}
