//! The last part of a path.

use std::path::is_separator;

use crate::signature::function;

/// The last part of the path, as the command of that name gives it.
pub fn basename(path: &str) -> String {
    let trimmed = path.trim_end_matches(is_separator);
    if trimmed.is_empty() {
        return path.chars().take(1).collect();
    }
    trimmed.rsplit(is_separator).next().unwrap_or_default().to_owned()
}

function! {
    FUNCTION: basename,
    name: "basename",
    receiver: Text,
    params: {},
    result: Text,
    doc: "The last part of the path, as the command of that name gives it.",
    example: "'specs/auth/spec.md'.basename() == 'spec.md'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_at_the_end_do_not_count() {
        for (path, expected) in [("a/b.md", "b.md"), ("a/b/", "b"), ("a", "a"), ("/a", "a"), ("//", "/"), ("", "")] {
            assert_eq!(basename(path), expected, "{path}");
        }
    }
}
