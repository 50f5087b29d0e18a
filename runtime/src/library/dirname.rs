//! The folder of a path.

use std::path::is_separator;

use crate::signature::function;

/// The folder that the path lies in, as the command of that name gives it: `.` if the path names none.
pub fn dirname(path: &str) -> String {
    let trimmed = path.trim_end_matches(is_separator);
    match trimmed.rfind(is_separator).and_then(|end| path.get(..=end)) {
        Some(folder) => match folder.trim_end_matches(is_separator) {
            "" => folder.chars().take(1).collect(),
            folder => folder.to_owned(),
        },
        None if trimmed.is_empty() && !path.is_empty() => path.chars().take(1).collect(),
        None => ".".to_owned(),
    }
}

function! {
    FUNCTION: dirname,
    name: "dirname",
    receiver: Text,
    params: {},
    result: Text,
    doc: "The folder that the path lies in, as the command of that name gives it: `.` if the path names none.",
    example: "'specs/auth/spec.md'.dirname() == 'specs/auth'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_lies_in_the_current_folder_and_the_root_in_itself() {
        for (path, expected) in [
            ("a/b.md", "a"),
            ("a/b/", "a"),
            ("a//b", "a"),
            ("a", "."),
            ("", "."),
            ("/a", "/"),
            ("/", "/"),
            ("/a/b", "/a"),
        ] {
            assert_eq!(dirname(path), expected, "{path}");
        }
    }
}
