//! What a file brings into scope: exactly what it refers to. No name that comes from a catalog is one of these words (see
//! `names`), so that a word in the code is always ours.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use crate::bug::Bug;

/// Where names come from. A trait is brought in for the method that it has.
const SOURCES: &[(&str, &[(&str, &str)])] = &[
    ("std::borrow", &[("Cow", "Cow")]),
    ("std::cell", &[("OnceCell", "OnceCell")]),
    ("std::cmp", &[("Ordering", "Ordering")]),
    ("std::ops", &[("Deref", "Deref")]),
    ("hookgen_runtime::config", &[("Config", "Config")]),
    (
        "hookgen_runtime::program",
        &[
            ("Breaker", "Breaker"),
            ("Catalog", "Catalog"),
            ("Choice", "Choice"),
            ("Denial", "Denial"),
            ("FailSafe", "FailSafe"),
            ("Flag", "Flag"),
            ("Ground", "Ground"),
            ("Hook", "Hook"),
            ("Matcher", "Matcher"),
            ("Mode", "Mode"),
            ("Program", "Program"),
            ("Refused", "Refused"),
            ("Str", "Str"),
            ("Threshold", "Threshold"),
        ],
    ),
    (
        "hookgen_runtime",
        &[
            ("Attempt", "Attempt"),
            ("Call", "Call"),
            ("Document", "Document"),
            ("DocumentSpec", "DocumentSpec"),
            ("Entry", "Entry"),
            ("Format", "Format"),
            ("Json", "Json"),
            ("keep", "Keep as _"),
            ("Limit", "Limit"),
            ("Many", "Many"),
            ("Node", "Node"),
            ("Numbered", "Numbered"),
            ("Origin", "Origin"),
            ("Pattern", "Pattern"),
            ("Spent", "Spent"),
            ("Sums", "Sums"),
            ("Text", "Text"),
            ("to_value", "Value as _"),
            ("Verdict", "Verdict"),
            ("library", "library"),
            ("operators", "operators"),
        ],
    ),
    (
        "crate::catalog",
        &[
            ("CATALOG", "CATALOG"),
            ("DOCUMENTS", "DOCUMENTS"),
            ("choices", "choices"),
            ("data", "data"),
            ("flags", "flags"),
            ("thresholds", "thresholds"),
        ],
    ),
    ("crate::facts", &[("Facts", "Facts")]),
    ("crate", &[("documents", "documents"), ("hooks", "hooks"), ("messages", "messages")]),
];

/// The words for which something is brought into scope.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().flat_map(|(_, names)| *names).map(|(mark, _)| *mark)
}

/// The `use` lines for a file, without what it has itself.
pub(super) fn imports(body: &TokenStream, own: &[&str]) -> Result<TokenStream, Bug> {
    let mut used = BTreeSet::new();
    collect(body.clone(), &mut used);
    let mut lines = String::new();
    for (source, names) in SOURCES {
        let wanted: Vec<&str> = names
            .iter()
            .filter(|(mark, _)| used.contains(*mark) && !own.contains(mark))
            .map(|(_, name)| *name)
            .collect();
        if !wanted.is_empty() {
            lines.push_str(&format!("use {source}::{{{}}};\n", wanted.join(", ")));
        }
    }
    lines.parse().map_err(|error| Bug::new(format!("imports are not Rust: {error}")))
}

/// Names at the beginning of a path, and names of methods. What follows `::` belongs to the path, and what stands before
/// one `:` names a field.
fn collect(tokens: TokenStream, used: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: Option<usize>, sign: char| matches!(at.and_then(|at| tokens.get(at)), Some(TokenTree::Punct(found)) if found.as_char() == sign);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(ident) => {
                let (before, further) = (at.checked_sub(1), at.checked_sub(2));
                let within = is(before, ':') && is(further, ':');
                let field = is(Some(at + 1), ':') && !is(Some(at + 2), ':');
                if !within && !field {
                    used.insert(ident.to_string());
                }
            }
            TokenTree::Group(group) => collect(group.stream(), used),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Whether the code refers to the name.
pub(super) fn mentions(code: &TokenStream, name: &str) -> bool {
    let mut used = BTreeSet::new();
    collect(code.clone(), &mut used);
    used.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn what_is_mentioned_is_brought_in_and_nothing_else() {
        let body = quote!(
            fn f() -> Attempt<Text<'static>> {
                Ok(x().keep())
            }
        );
        let expected = quote!(
            use hookgen_runtime::{Attempt, Keep as _, Text};
        );
        assert_eq!(imports(&body, &[]).expect("Rust").to_string(), expected.to_string());
        assert!(
            imports(
                &quote!(
                    struct Facts;
                ),
                &["Facts"]
            )
            .expect("Rust")
            .is_empty()
        );
    }
}
