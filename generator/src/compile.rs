//! The whole way: bytes → document → schema → catalog as written → as meant → lints.
//!
//! Every command goes through here, so none can disagree with another about what a catalog means.

use camino::Utf8Path;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::model;
use crate::source::Source;
use crate::{lint, resolve, schema};

/// What became of a catalog: a model unless something is wrong, and everything that is wrong or odd.
pub struct Compiled {
    pub catalog: Option<model::Catalog>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles the bytes of a catalog; `path` is how people name the file.
pub fn compile(path: &Utf8Path, bytes: Vec<u8>) -> Compiled {
    match Source::from_bytes(path, bytes) {
        Ok(source) => compile_source(source),
        Err(diagnostic) => failed(vec![diagnostic]),
    }
}

fn compile_source(source: Source) -> Compiled {
    let digest = hookgen_runtime::library::digest(source.text());
    let (document, diagnostics) = Document::parse(source);
    let Some(document) = document else { return failed(diagnostics) };
    let written = match schema::decode(&document) {
        Ok(written) => written,
        Err(problems) => return failed([diagnostics, problems].concat()),
    };
    match resolve::resolve(&document, &written, &digest) {
        Ok(resolved) => {
            let findings = lint::run(&lint::Subject { document: &document, catalog: &resolved.catalog });
            let diagnostics = [diagnostics, resolved.warnings, findings].concat();
            let sound = !diagnostics.iter().any(Diagnostic::is_error);
            Compiled { catalog: sound.then_some(resolved.catalog), diagnostics }
        }
        Err(problems) => failed([diagnostics, problems].concat()),
    }
}

fn failed(diagnostics: Vec<Diagnostic>) -> Compiled {
    Compiled { catalog: None, diagnostics }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::*;
    use crate::diagnostic::render;
    use crate::emit::{Target, emit};

    const CATALOG: &str = include_str!("../../fuzz/seeds/catalogs/small.yaml");

    /// What people and merges put into files by mistake.
    const ODD: &[&str] = &[
        "",
        ":",
        "- ",
        "{",
        "}",
        "[",
        "\"",
        "'",
        "\t",
        "\n",
        "&a ",
        "*a",
        "!!int ",
        "<<: ",
        "---\n",
        "null",
        "~",
        "-1",
        "1e999",
        "${",
        "}",
        "(",
        ")",
        " && ",
        "size(",
        ".map(x, ",
        "r'",
        "\u{0}",
        "\u{feff}",
        "\u{e9}",
        "# ",
        "|",
        ">-\n",
        "? ",
        "3s",
        "state.phase",
        "99999999999999999999",
    ];

    #[derive(Debug, Clone)]
    enum Change {
        Insert(Index, &'static str),
        Remove(Index, usize),
        RepeatLine(Index),
        RemoveLine(Index),
        Cut(Index),
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            4 => (any::<Index>(), select(ODD)).prop_map(|(place, text)| Change::Insert(place, text)),
            4 => (any::<Index>(), 1..6_usize).prop_map(|(place, length)| Change::Remove(place, length)),
            2 => any::<Index>().prop_map(Change::RepeatLine),
            2 => any::<Index>().prop_map(Change::RemoveLine),
            1 => any::<Index>().prop_map(Change::Cut),
        ]
    }

    fn changed(text: &str, change: &Change) -> String {
        let characters: Vec<char> = text.chars().collect();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let place = |index: &Index, length: usize| index.index(length.max(1)).min(length);
        let joined = |parts: [&[char]; 2], middle: &str| -> String {
            let [before, after] = parts;
            before.iter().copied().chain(middle.chars()).chain(after.iter().copied()).collect()
        };
        match change {
            Change::Insert(index, odd) => {
                let (before, after) = characters.split_at(place(index, characters.len()));
                joined([before, after], odd)
            }
            Change::Remove(index, length) => {
                let (before, after) = characters.split_at(place(index, characters.len()));
                joined([before, after.get(*length..).unwrap_or_default()], "")
            }
            Change::RepeatLine(index) => {
                let (before, after) = lines.split_at(place(index, lines.len()));
                let again = after.first().copied().unwrap_or_default();
                [before.concat().as_str(), again, after.concat().as_str()].concat()
            }
            Change::RemoveLine(index) => {
                let (before, after) = lines.split_at(place(index, lines.len()));
                before.concat() + &after.get(1..).unwrap_or_default().concat()
            }
            Change::Cut(index) => characters.split_at(place(index, characters.len())).0.iter().collect(),
        }
    }

    fn compiled(text: &str) -> Compiled {
        compile(Utf8Path::new("specs/small.yaml"), text.as_bytes().to_vec())
    }

    #[test]
    fn the_catalog_that_is_changed_below_is_sound() {
        assert!(compiled(CATALOG).catalog.is_some(), "{}", render(&compiled(CATALOG).diagnostics, false));
    }

    proptest! {
        #[test]
        fn a_damaged_catalog_has_a_meaning_or_a_diagnostic(changes in vec(change(), 1..5)) {
            let text = changes.iter().fold(CATALOG.to_owned(), |text, change| changed(&text, change));
            let compiled = compiled(&text);
            render(&compiled.diagnostics, false);
            match compiled.catalog {
                Some(catalog) => {
                    let target = Target { runtime_path: "../runtime".to_owned(), standalone: true };
                    let files = emit(&catalog, &target);
                    prop_assert!(files.is_ok(), "{:?}", files.err());
                }
                None => prop_assert!(!compiled.diagnostics.is_empty()),
            }
        }
    }
}
