//! What a shell has after reading the file that hooks export to.
//!
//! Strict on purpose: only `export NAME='…'` lines with `'\''` for a quote are known. Anything else might mean something
//! to a shell that this reader does not see, and is refused.

use std::collections::BTreeMap;

/// The variables, or the first line that is not understood.
pub(super) fn read(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut variables = BTreeMap::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('\n') {
            rest = after;
            continue;
        }
        let (name, value, after) = assignment(rest).ok_or_else(|| {
            format!("a shell may not read this as meant: `{}`", rest.lines().next().unwrap_or_default())
        })?;
        variables.insert(name.to_owned(), value);
        rest = after;
    }
    Ok(variables)
}

fn assignment(text: &str) -> Option<(&str, String, &str)> {
    let (name, mut rest) = text.strip_prefix("export ")?.split_once('=')?;
    if !is_name(name) {
        return None;
    }
    let mut value = String::new();
    loop {
        if let Some(after) = rest.strip_prefix('\'') {
            let (quoted, after) = after.split_once('\'')?;
            value.push_str(quoted);
            rest = after;
        } else if let Some(after) = rest.strip_prefix(r"\'") {
            value.push('\'');
            rest = after;
        } else {
            let after = if rest.is_empty() { rest } else { rest.strip_prefix('\n')? };
            return Some((name, value, after));
        }
    }
}

fn is_name(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.is_empty()
        && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_values_are_read_as_a_shell_reads_them() {
        let text = "export A='plain'\nexport B='it'\\''s'\n\nexport C='two\nlines $(x)'\nexport D=''\nexport A='again'";
        let variables = read(text).expect("understood");
        assert_eq!(variables["A"], "again");
        assert_eq!(variables["B"], "it's");
        assert_eq!(variables["C"], "two\nlines $(x)");
        assert_eq!(variables["D"], "");
        assert_eq!(variables.len(), 4);
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "A='x'",
            "export A=$(id)",
            "export A=\"x\"",
            "export A='x'; id",
            "export A='x' B='y'",
            "export A='open",
            "export 1A='x'",
            "export ='x'",
            "export A-B='x'",
            "# note",
            " export A='x'",
            "export A='x'y",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_empty_file_exports_nothing() {
        assert_eq!(read("").expect("understood").len(), 0);
    }
}
