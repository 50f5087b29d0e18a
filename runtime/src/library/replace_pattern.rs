//! Text with what a pattern describes exchanged.

use crate::pattern::Pattern;
use crate::signature::function;

/// The text with every match of the pattern replaced; `$1` or `${1}` stands for a group and `$$` for a dollar sign.
pub fn replace_pattern(text: &str, pattern: &Pattern, new: &str) -> String {
    pattern.replace(text, new)
}

function! {
    FUNCTION: replace_pattern,
    name: "replacePattern",
    receiver: Text,
    params: { pattern: Pattern, new: Text },
    result: Text,
    doc: "The text with every match of the pattern replaced; `$1` or `${1}` stands for a group and `$$` for a dollar \
           sign.",
    example: "'a1b22'.replacePattern(r'\\d+', '#') == 'a#b#'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_can_be_used_in_the_replacement() {
        assert_eq!(replace_pattern("k=v", &Pattern::new(r"(\w)=(\w)"), "$2=$1"), "v=k");
        assert_eq!(replace_pattern("none", &Pattern::new(r"\d"), "#"), "none");
    }
}
