//! Catalog names as Rust names that cannot meet.
//!
//! Each kind of thing has a module or a type of its own in the generated crate, so two kinds cannot meet; and within one
//! kind a name is given only once.

use std::collections::BTreeSet;

use heck::{ToShoutySnakeCase, ToSnakeCase};
use proc_macro2::{Ident, Span};

use super::imports;

/// Words that cannot name anything.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Parameters and variables of generated code, and methods of what its facts stand on.
const TAKEN: &[&str] = &["call", "config", "deref", "event", "facts", "ground", "lets", "new", "verdict"];

/// The names of one kind of thing.
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Names among which these are taken by generated code itself, as is every word of `TAKEN` everywhere: whether the
    /// code refers to something of ours is told by the word alone.
    pub(super) fn beside(taken: &[&str]) -> Self {
        let ours = KEYWORDS.iter().chain(TAKEN).copied().chain(imports::words()).map(str::to_owned);
        Self { taken: ours.chain(taken.iter().map(|word| (*word).to_owned())).collect() }
    }

    /// A variable, a function or a field.
    pub(super) fn variable(&mut self, name: &str) -> Ident {
        self.given(&name.to_snake_case())
    }

    /// A constant.
    pub(super) fn constant(&mut self, name: &str) -> Ident {
        self.given(&name.to_shouty_snake_case())
    }

    /// The name, or the first one like it that is free. Letters beyond ASCII and names of no letter at all are possible
    /// in Rust only in part, so they are spelt out.
    fn given(&mut self, wanted: &str) -> Ident {
        let mut plain: String =
            wanted.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        if plain.trim_matches('_').is_empty() || plain.starts_with(|first: char| first.is_ascii_digit()) {
            plain.insert_str(0, "n_");
        }
        let mut free = plain.clone();
        let mut number = 1_u32;
        while !self.taken.insert(free.clone()) {
            number += 1;
            free = format!("{plain}_{number}");
        }
        Ident::new(&free, Span::call_site())
    }
}

/// Names of one kind, in the order of the things.
pub(super) fn variables<'n>(names: impl Iterator<Item = &'n str>, taken: &[&str]) -> Vec<Ident> {
    let mut given = Names::beside(taken);
    names.map(|name| given.variable(name)).collect()
}

/// Constants of one kind, in the order of the things.
pub(super) fn constants<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Ident> {
    let mut given = Names::beside(&[]);
    names.map(|name| given.constant(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_stay_and_others_stay_apart() {
        let named = |names: &[&str]| {
            variables(names.iter().copied(), &["facts"]).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(named(&["feature_dir", "x", "x_2"]), ["feature_dir", "x", "x_2"]);
        assert_eq!(named(&["fooBar", "foo_bar", "type", "facts"]), ["foo_bar", "foo_bar_2", "type_2", "facts_2"]);
        assert_eq!(named(&["_", "1", "größe"]), ["n_", "n_1", "gr__e"]);
        assert_eq!(named(&["keep", "documents", "call"]), ["keep_2", "documents_2", "call_2"]);
    }

    #[test]
    fn every_name_is_an_identifier() {
        for name in ["type", "self", "fooBar", "_x", "a1", "Foo", "_", "é"] {
            let mut names = Names::beside(&[]);
            for ident in [names.variable(name), names.constant(name)] {
                assert!(syn::parse_str::<syn::Ident>(&ident.to_string()).is_ok(), "{name}");
            }
        }
    }
}
