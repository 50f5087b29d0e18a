//! Text with what a pattern describes exchanged.

use super::PURE;
use crate::pattern::Pattern;
use crate::signature::{Function, Type};

/// The text with every match of the pattern replaced; `$1` or `${1}` stands for a group and `$$` for a dollar sign.
pub fn replace_pattern(text: &str, pattern: &Pattern, new: &str) -> String {
    pattern.replace(text, new)
}

pub(super) const FUNCTION: Function = Function {
    name: "replacePattern",
    symbol: "replace_pattern",
    receiver: Some(Type::Text),
    params: &[("pattern", Type::Pattern), ("new", Type::Text)],
    result: Type::Text,
    doc: "The text with every match of the pattern replaced; `$1` or `${1}` stands for a group and `$$` for a dollar \
           sign.",
    example: "'a1b22'.replacePattern(r'\\d+', '#') == 'a#b#'",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_can_be_used_in_the_replacement() {
        assert_eq!(replace_pattern("k=v", &Pattern::new(r"(\w)=(\w)"), "$2=$1"), "v=k");
        assert_eq!(replace_pattern("none", &Pattern::new(r"\d"), "#"), "none");
    }
}
