//! Where a path leads.

use std::path::Path;

use super::CONTEXTUAL;
use crate::call::Call;
use crate::path;
use crate::signature::{Function, Type};

/// The absolute path without links; an empty one stays empty.
pub fn resolved(call: &Call<'_>, path: &str) -> String {
    resolved_from(call.cwd(), path)
}

fn resolved_from(base: &Path, path: &str) -> String {
    if path.is_empty() { String::new() } else { path::resolve(base, path).to_string_lossy().into_owned() }
}

pub(super) const FUNCTION: Function = Function {
    name: "resolved",
    symbol: "resolved",
    receiver: Some(Type::Text),
    params: &[],
    result: Type::Text,
    doc: "The absolute path without `.`, `..` and links; relative paths start at the working directory. Empty text \
           stays empty.",
    example: "'a//b/../c'.resolved().endsWith('/a/c')",
    ..CONTEXTUAL
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_absolute_and_no_path_stays_none() {
        assert_eq!(resolved_from(Path::new("/no-such-root"), "a//b/../c"), "/no-such-root/a/c");
        assert_eq!(resolved_from(Path::new("/no-such-root"), ""), "");
    }
}
