//! Where a path leads.

use crate::call::Call;
use crate::path::{self, Places};
use crate::signature::function;

/// The absolute path without links; an empty one stays empty.
pub fn resolved(call: &Call<'_>, path: &str) -> String {
    resolved_from(call.places(), path)
}

fn resolved_from(places: &Places, path: &str) -> String {
    if path.is_empty() { String::new() } else { path::text(&places.at(path)) }
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
        let places = Places::from("/no-such-root".into());
        assert_eq!(resolved_from(&places, "a//b/../c"), "/no-such-root/a/c");
        assert_eq!(resolved_from(&places, ""), "");
    }
}
