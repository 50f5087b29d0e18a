//! A short name for a long text.

use super::sha256::sha256;
use crate::signature::function;

/// 32 hexadecimal digits of the text's SHA-256: the same in every version and on every platform.
pub fn digest(text: &str) -> String {
    let start = sha256(text.as_bytes()).first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes));
    format!("{start:032x}")
}

/// All 64 hexadecimal digits of the text's SHA-256, as `sha256sum` prints them.
pub fn sha256_hex(text: &str) -> String {
    sha256(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

function! {
    SHA256: sha256_hex,
    name: "sha256",
    params: { text: Text },
    result: Text,
    doc: "The SHA-256 of the text in 64 hexadecimal digits, for files that other programs read too.",
    example: "sha256('abc') == 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'",
}

function! {
    FUNCTION: digest,
    name: "digest",
    params: { text: Text },
    result: Text,
    doc: "A fingerprint of the text: the first 32 hexadecimal digits of its SHA-256.",
    example: "digest('abc') == 'ba7816bf8f01cfea414140de5dae2223'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_texts_have_different_digests() {
        assert_eq!(digest("abc"), "ba7816bf8f01cfea414140de5dae2223");
        assert_eq!(digest("").len(), 32);
        assert_ne!(digest("abc"), digest("abd"));
        assert!(sha256_hex("abc").starts_with(&digest("abc")) && sha256_hex("abc").len() == 64);
    }
}
