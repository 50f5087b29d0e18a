//! Where a path leads.

use std::path::Path;

use crate::call::Call;
use crate::path;
use crate::signature::function;

/// The absolute path without links; an empty one stays empty.
pub fn resolved(call: &Call<'_>, path: &str) -> String {
    resolved_from(call.cwd(), path)
}

fn resolved_from(base: &Path, path: &str) -> String {
    if path.is_empty() { String::new() } else { path::text(&path::resolve(base, path)) }
}

function! {
    FUNCTION: resolved,
    name: "resolved",
    receiver: Text,
    params: {},
    result: Text,
    powers: [Files],
    doc: "The absolute path without `.`, `..` and links; relative paths start at the working directory. Empty text \
           stays empty.",
    example: "'a//b/../c'.resolved().endsWith('/a/c')",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_absolute_and_no_path_stays_none() {
        assert_eq!(resolved_from(Path::new("/no-such-root"), "a//b/../c"), "/no-such-root/a/c");
        assert_eq!(resolved_from(Path::new("/no-such-root"), ""), "");
    }
}
