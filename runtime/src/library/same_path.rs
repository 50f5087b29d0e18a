//! Whether two paths name the same place.

use crate::call::Call;
use crate::path::{self, Places};
use crate::signature::function;

/// Whether both paths lead to the same place; empty ones lead nowhere.
pub fn same_path(call: &Call<'_>, a: &str, b: &str) -> bool {
    same_path_from(call.places(), a, b)
}

fn same_path_from(places: &Places, a: &str, b: &str) -> bool {
    !a.is_empty() && !b.is_empty() && path::is_same(&places.at(a), &places.at(b))
}

function! {
    FUNCTION: same_path,
    name: "samePath",
    params: { a: Text, b: Text },
    result: Bool,
    powers: [Files],
    doc: "Whether two paths lead to the same place, with `..` and links followed. Relative paths start at the \
           working directory; empty ones are never the same.",
    example: "samePath('a/./b', 'a/c/../b')",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_path_are_the_same() {
        let same = |a: &str, b: &str| same_path_from(&Places::from("/no-such-root".into()), a, b);
        assert!(same("a/b", "/no-such-root/a/c/../b/"));
        assert!(!same("a/b", "a"));
        assert!(!same("a", "a/b"));
        assert!(!same("", ""));
    }
}
