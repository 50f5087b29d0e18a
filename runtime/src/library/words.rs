//! The words of a text.

use super::PURE;
use crate::signature::{Function, Type};

/// The parts of the text between white space.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

pub(super) const FUNCTION: Function = Function {
    name: "words",
    symbol: "words",
    receiver: Some(Type::Text),
    params: &[],
    result: Type::List(&Type::Text),
    doc: "The parts of the text between white space.",
    example: "' git  push origin '.words() == ['git', 'push', 'origin']",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_amount_of_white_space_separates() {
        assert_eq!(words(" git \t push\n"), ["git", "push"]);
        assert!(words(" \n").is_empty());
    }
}
