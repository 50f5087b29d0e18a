//! Names from outside as file names: no two names share one, on any file system, and none is a path.

use std::fmt::Write as _;

use crate::library::digest;

/// The longest encoded name that is kept whole; far below every file system's limit, with room for a suffix.
const LONGEST: usize = 120;
/// How much of a longer one stays readable in front of its digest.
const READABLE: usize = 64;

/// Names that Windows reserves for devices, whatever the folder.
const DEVICES: &[&str] = &["aux", "con", "nul", "prn"];
const NUMBERED_DEVICES: &[&str] = &["com", "lpt"];

/// The file name that stands for `name`.
///
/// Lower-case ASCII letters, digits and `-` stay; every other byte becomes `_` and two digits, upper-case letters
/// too, since some file systems do not tell them from lower-case ones. So `_` is always followed by a digit or a
/// letter, which leaves `_` alone for the empty name and `__` for the digest of a long one.
pub(super) fn encode(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    let mut encoded = String::with_capacity(name.len());
    for (position, byte) in name.bytes().enumerate() {
        let plain = matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if plain && !(position == 0 && is_device(name)) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('_');
            let _ = write!(encoded, "{byte:02x}");
        }
    }
    if encoded.len() > LONGEST {
        encoded.truncate(READABLE);
        encoded.push_str("__");
        encoded.push_str(&digest(name));
    }
    encoded
}

fn is_device(name: &str) -> bool {
    DEVICES.contains(&name)
        || NUMBERED_DEVICES
            .iter()
            .filter_map(|device| name.strip_prefix(device))
            .any(|rest| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ordinary_session_ids_stay_as_they_are() {
        for id in ["3f2a9c1e-77aa-4a0e-9c55-0123456789ab", "product-planning", "0"] {
            assert_eq!(encode(id), id);
        }
    }

    #[test]
    fn a_name_is_never_a_path() {
        assert_eq!(encode("../../etc"), "_2e_2e_2f_2e_2e_2fetc");
        assert_eq!(encode("."), "_2e");
        assert_eq!(encode(r"C:\temp"), "_43_3a_5ctemp");
        assert_eq!(encode("a\0b"), "a_00b");
        assert_eq!(encode("é"), "_c3_a9");
    }

    #[test]
    fn names_that_look_alike_stay_apart() {
        let names = ["", "_", "a", "A", "_41", "_61", "a b", "a_b", "con", "_63on", "é", "e\u{301}", "__"];
        let encoded: BTreeSet<String> = names.iter().map(|name| encode(name).to_lowercase()).collect();
        assert_eq!(encoded.len(), names.len());
    }

    #[test]
    fn long_names_are_short_and_differ_at_the_end() {
        let first = encode(&"x".repeat(1000));
        let second = encode(&format!("{}y", "x".repeat(999)));
        assert!(first.len() <= LONGEST, "{first}");
        assert_ne!(first, second);
        assert!(encode(&"É".repeat(1000)).len() <= LONGEST);
        assert_eq!(encode(&"x".repeat(LONGEST)).len(), LONGEST);
    }

    #[test]
    fn device_names_are_escaped_and_their_look_alikes_are_not() {
        assert_eq!(encode("nul"), "_6eul");
        assert_eq!(encode("com1"), "_63om1");
        for name in ["console", "com", "com10", "null"] {
            assert_eq!(encode(name), name);
        }
    }

    proptest! {
        #[test]
        fn different_names_have_different_files(left in ".{0,60}", right in ".{0,60}") {
            prop_assert_eq!(left == right, encode(&left).eq_ignore_ascii_case(&encode(&right)));
        }
    }
}
