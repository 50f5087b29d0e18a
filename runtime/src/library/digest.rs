//! A short name for a long text.

use super::PURE;
use super::sha256::sha256;
use crate::signature::{Function, Type};

/// 32 hexadecimal digits of the text's SHA-256: the same in every version and on every platform.
pub fn digest(text: &str) -> String {
    let start = sha256(text.as_bytes()).first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes));
    format!("{start:032x}")
}

pub(super) const FUNCTION: Function = Function {
    name: "digest",
    symbol: "digest",
    receiver: None,
    params: &[("text", Type::Text)],
    result: Type::Text,
    doc: "A fingerprint of the text: the first 32 hexadecimal digits of its SHA-256.",
    example: "digest('abc') == 'ba7816bf8f01cfea414140de5dae2223'",
    ..PURE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_texts_have_different_digests() {
        assert_eq!(digest("abc"), "ba7816bf8f01cfea414140de5dae2223");
        assert_eq!(digest("").len(), 32);
        assert_ne!(digest("abc"), digest("abd"));
    }
}
