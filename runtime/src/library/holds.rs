//! Whether a path takes a folder with it.

use crate::path::windows;
use crate::signature::function;

/// Whether the path names the folder, a folder above it, or everything in one of these; patterns count as what they
/// may match.
pub fn holds(path: &str, folder: &str) -> bool {
    if path.is_empty() || folder.is_empty() || path.starts_with('/') != folder.starts_with('/') {
        return false;
    }
    // Windows knows two separators, and no case.
    if let (Some(_), Some(_)) = (windows::drive(path), windows::drive(folder)) {
        let normal = |path: &str| format!("/{}", windows::normal(path).to_lowercase());
        return holds(&normal(path), &normal(folder));
    }
    if windows::drive(folder).is_some() {
        return false;
    }
    let mut parts: Vec<&str> = parts(path);
    while parts.last().is_some_and(|last| is_everything(last)) {
        parts.pop();
    }
    let mut folders = self::parts(folder).into_iter();
    parts.iter().all(|part| folders.next().is_some_and(|name| matches(part.as_bytes(), name.as_bytes())))
}

fn parts(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts
}

/// `*`, `.*`, `.[!.]*` and their like leave nothing behind that matters.
fn is_everything(part: &str) -> bool {
    // `!(x)` is all but what is named.
    part.starts_with("!(") && part.ends_with(')') || part.contains('*') && part.chars().all(|c| "*?.[]!^".contains(c))
}

/// Whether a pattern matches a name; a bracket stands for any character.
pub(crate) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut in_name) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while in_name < name.len() {
        let (one, width) = match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, in_name));
                at += 1;
                continue;
            }
            Some(b'?') => (true, 1),
            Some(b'[') => (true, pattern.iter().skip(at).position(|byte| *byte == b']').map_or(1, |end| end + 1)),
            Some(byte) => (name.get(in_name) == Some(byte), 1),
            None => (false, 0),
        };
        if one {
            at += width;
            in_name += 1;
        } else if let Some((star_at, star_name)) = star {
            at = star_at + 1;
            in_name = star_name + 1;
            star = Some((star_at, star_name + 1));
        } else {
            return false;
        }
    }
    pattern.iter().skip(at).all(|byte| *byte == b'*')
}

function! {
    FUNCTION: holds,
    name: "holds",
    receiver: Text,
    params: { folder: Text },
    result: Bool,
    doc: "Whether removing what the path names would take the folder, or all that is in it: the path is the folder, \
           one above it, or a pattern that may match one of these. Both are compared as they are written; where both \
           start at a drive, as Windows compares them.",
    example: "'/usr/../*'.holds('/etc') && '/e?c/'.holds('/etc') && !'/etc/x'.holds('/etc')",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_and_what_lies_above_it_hold_it() {
        for path in ["/etc", "/etc/", "//etc/.", "/", "/*", "/.*", "/etc/*", "/e*", "/et[c]", "/x/../etc", "/{*"] {
            assert_eq!(holds(path, "/etc"), path != "/{*", "{path}");
        }
    }

    #[test]
    fn what_lies_in_it_or_beside_it_does_not() {
        for path in ["/etc/hosts", "/etc2", "etc", "", "/x*", "/etc/a*", "/tmp/*"] {
            assert!(!holds(path, "/etc"), "{path}");
        }
        assert!(holds("/", "/") && holds("/*", "/") && !holds("/etc", "/"));
    }

    #[test]
    fn folders_of_windows_are_compared_as_windows_does() {
        for path in [r"c:\", "C:/*", r"C:\WINDOWS", r"c:\windows\*.*", "C:/Users/../Win*"] {
            assert!(holds(path, "C:/Windows"), "{path}");
        }
        for path in [r"D:\", r"C:\Windows\Temp", r"C:\p", "*", "/", "Windows"] {
            assert!(!holds(path, "C:/Windows"), "{path}");
        }
    }
}
