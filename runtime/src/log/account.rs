//! Accounts as HTTP and registries encode them: the base64 of `name:password`.

use super::token::is_base64;

/// Whether the text is one, as far as its beginning tells.
pub(super) fn is_encoded(text: &str) -> bool {
    if text.len() < 8 || !text.bytes().all(is_base64) {
        return false;
    }
    let decoded = decode(text.trim_end_matches('=').as_bytes());
    decoded.contains(&b':') && decoded.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The whole bytes that digits of base64 stand for, in either alphabet.
fn decode(digits: &[u8]) -> Vec<u8> {
    let value = |digit: u8| match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' | b'-' => 62,
        _ => 63,
    };
    let bytes = |group: &[u8]| {
        let bits = group.iter().fold(0_u32, |bits, digit| bits << 6 | u32::from(value(*digit)));
        let [_, first, second, third] = (bits << (6 * (4 - group.len()))).to_be_bytes();
        [first, second, third].into_iter().take(group.len() * 6 / 8)
    };
    digits.chunks(4).flat_map(bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_told_from_other_base64_and_from_words() {
        for account in ["dXNlcjpwYXNz", "bWU6aHVudGVy", "dTpwYXNzd29yZA==", "dTpwYXNzd29yZA"] {
            assert!(is_encoded(account), "{account}");
        }
        for other in ["", "knowledge", "authentication", "aGVsbG8gd29ybGQ=", "dTpw", "a:b", "iVBORw0KGgo="] {
            assert!(!is_encoded(other), "{other}");
        }
        assert_eq!(decode(b"dXNlcjpwYXNz"), b"user:pass");
    }
}
