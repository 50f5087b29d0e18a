//! Paths of Windows in the one spelling that catalogs are written for: `/` between the parts, the drive in capitals.
//!
//! Text alone, so that a line or an event for Windows is judged alike wherever that is done.

use std::borrow::Cow;

/// The path with `/` for `\`, and without the prefix that only says that it is to be taken as it is.
pub fn normal(path: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte != b'\\';
    if path.bytes().all(plain) && drive(path).is_none_or(|(letter, _)| letter.is_ascii_uppercase()) {
        return Cow::Borrowed(path);
    }
    let path = path.replace('\\', "/");
    let path = match path.strip_prefix("//?/") {
        Some(rest) => rest.strip_prefix("UNC/").map_or_else(|| rest.to_owned(), |share| format!("//{share}")),
        None => path,
    };
    Cow::Owned(match drive(&path) {
        Some((letter, rest)) => format!("{}:{rest}", letter.to_ascii_uppercase()),
        None => path,
    })
}

/// The letter of the drive that a path starts at, and the rest, which begins with a separator.
pub fn drive(path: &str) -> Option<(char, &str)> {
    let (letter, rest) = path.split_once(':')?;
    let mut letters = letter.chars();
    let (first, None) = (letters.next()?, letters.next()) else { return None };
    (first.is_ascii_alphabetic() && rest.starts_with(['/', '\\'])).then_some((first, rest))
}

/// Whether a path starts at a root, on whatever system.
pub fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || drive(path).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_path_of_windows_is_one() {
        for (path, expected) in [
            (r"C:\p\.env", "C:/p/.env"),
            (r"c:\p/.env", "C:/p/.env"),
            ("c:/p", "C:/p"),
            (r"\\?\C:\p\a b", "C:/p/a b"),
            (r"\\?\UNC\server\share\x", "//server/share/x"),
            (r"\\server\share", "//server/share"),
            (r"..\src\a.rs", "../src/a.rs"),
            ("/p/.env", "/p/.env"),
            ("a:b", "a:b"),
            ("", ""),
        ] {
            assert_eq!(normal(path), expected, "{path}");
            assert_eq!(normal(&normal(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_drive_is_one_letter_at_a_root() {
        assert_eq!(drive(r"C:\x"), Some(('C', r"\x")));
        assert_eq!(drive("d:/"), Some(('d', "/")));
        for path in ["C:", "C:x", "https://e.example", "ab:/x", "/C:/x", ":/x", "é:/x"] {
            assert_eq!(drive(path), None, "{path}");
        }
        assert!(is_absolute("C:/x") && is_absolute(r"\x") && is_absolute("/x"));
        assert!(!is_absolute("x") && !is_absolute("C:x") && !is_absolute(""));
    }
}
