//! The path that a tool makes of a text.

use super::home;
use crate::call::Call;
use crate::signature::function;

/// The path that a text stands for, as tools read it: blanks around it do not count, `~` is home, a `file:` address is the
/// path in it. Other texts stay.
pub fn as_path(call: &Call<'_>, text: &str) -> String {
    as_path_from(&home(call), text)
}

fn as_path_from(home: &str, text: &str) -> String {
    let text = text.trim();
    match (text.strip_prefix('~'), address(text)) {
        (Some(rest), _) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
        (_, Some(path)) => path,
        _ => text.to_owned(),
    }
}

/// The path of a `file:` address, whatever machine it names.
fn address(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_at_checked("file:".len())?;
    if !scheme.eq_ignore_ascii_case("file:") {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.find('/').map_or("", |at| rest.get(at..).unwrap_or_default()),
        None => rest,
    };
    Some(decoded(path.split(['?', '#']).next().unwrap_or_default()))
}

/// `%20` and its like as what they stand for.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let digits = after.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

function! {
    FUNCTION: as_path,
    name: "asPath",
    receiver: Text,
    params: {},
    result: Text,
    powers: [Environment],
    doc: "The path that a text stands for, as tools read it: blanks around it do not count, `~` is the home folder, and a \
           `file:` address is the path in it. Other texts stay as they are.",
    example: "'file:///etc/my%20app.yaml'.asPath() == '/etc/my app.yaml'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_place_is_its_path() {
        let path = |text: &str| as_path_from("/home/u", text);
        assert_eq!(path("~/.claude/x"), "/home/u/.claude/x");
        assert_eq!(path(" ~ \n"), "/home/u");
        assert_eq!(path("/etc/x\t"), "/etc/x");
        for text in ["file:///etc/x", "file://localhost/etc/x", "file:/etc/x", "FILE:///%65tc/%78", "file:///etc/x?a#b"]
        {
            assert_eq!(path(text), "/etc/x", "{text}");
        }
    }

    #[test]
    fn other_texts_stay() {
        let path = |text: &str| as_path_from("/home/u", text);
        for text in ["", "a/~/b", "~user/x", "files:/x", "a%20b", "fil", "filé:x"] {
            assert_eq!(path(text), text);
        }
        assert_eq!(path("file:/100%/%zz/%c3%a9%"), "/100%/%zz/é%");
    }
}
