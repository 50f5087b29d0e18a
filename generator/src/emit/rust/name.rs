//! Catalog names as Rust names.

use heck::{ToShoutySnakeCase, ToSnakeCase};

use crate::model::{Document, Hook};

/// Words that cannot name anything.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Names that generated code uses itself.
const TAKEN: &[&str] =
    &["facts", "verdict", "event", "applies", "call", "config", "config_file", "start", "run", "dev_mode"];

/// A variable, field or method.
///
/// Two catalog names never meet in one Rust name: a name that snake case would change keeps a mark of how it was.
pub(super) fn local(name: &str) -> String {
    let snake = name.to_snake_case();
    let plain = snake == name && !KEYWORDS.contains(&name) && !TAKEN.contains(&name);
    if plain { snake } else { format!("{}_{:x}", snake, tag(name)) }
}

/// A constant.
pub(super) fn constant(name: &str) -> String {
    let shouty = name.to_shouty_snake_case();
    if shouty.to_lowercase() == name { shouty } else { format!("{shouty}_{:X}", tag(name)) }
}

/// A hook's module: its id and its name.
pub(super) fn module(hook: &Hook) -> String {
    format!("{}_{}", hook.id.to_lowercase().replace('-', "_"), hook.name.replace('-', "_"))
}

/// The constant of a document that belongs to a hook.
pub(super) fn document_name(hook: &Hook, document: &Document) -> String {
    constant(&format!("document_{}_{}", module(hook), document.name))
}

/// A short mark that tells names apart which snake case would not.
fn tag(name: &str) -> u16 {
    name.bytes().fold(0x811c_u16, |hash, byte| (hash ^ u16::from(byte)).wrapping_mul(0x0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_stay_and_others_stay_apart() {
        assert_eq!(local("feature_dir"), "feature_dir");
        assert_eq!(constant("tdd_min_coverage"), "TDD_MIN_COVERAGE");
        assert_ne!(local("type"), "type");
        assert_ne!(local("event"), "event");
        assert_ne!(local("fooBar"), local("foo_bar"));
        assert_ne!(constant("fooBar"), constant("foo_bar"));
    }

    #[test]
    fn every_name_is_an_identifier() {
        for name in ["type", "self", "fooBar", "_x", "a1", "Foo"] {
            assert!(syn::parse_str::<syn::Ident>(&local(name)).is_ok(), "{name}");
            assert!(syn::parse_str::<syn::Ident>(&constant(name)).is_ok(), "{name}");
        }
    }
}
