//! Patterns of the shell's world in the words of the runtime's: globs, and the regular expressions of grep.

/// How a pattern is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `grep`: `+`, `?`, `|` and brackets mean something behind a backslash only.
    Basic,
    /// `grep -E`, `[[ =~ ]]`.
    Extended,
    /// `grep -P`, jq, Python.
    Perl,
    /// `grep -F`.
    Fixed,
}

/// A pattern of a tool in the runtime's syntax; what that does not know is found out when it is checked.
pub(super) fn translated(pattern: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Fixed => escaped(pattern),
        Dialect::Perl => pattern.to_owned(),
        Dialect::Basic | Dialect::Extended => posix(pattern, dialect == Dialect::Basic),
    }
}

fn posix(pattern: &str, basic: bool) -> String {
    let mut out = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('<' | '>') => out.push_str("\\b"),
                Some(next @ ('+' | '?' | '|' | '(' | ')' | '{' | '}')) if basic => out.push(next),
                Some(next) if next.is_ascii_alphanumeric() && !"bBswWSd".contains(next) => out.push(next),
                Some(next) => out.extend(['\\', next]),
                None => out.push_str("\\\\"),
            },
            '+' | '?' | '|' | '(' | ')' | '{' | '}' if basic => out.extend(['\\', c]),
            '*' if basic && (out.is_empty() || out == "^") => out.push_str("\\*"),
            '[' => bracket(&mut rest, &mut out),
            c => out.push(c),
        }
    }
    out
}

/// A class in brackets, in which a backslash means itself.
fn bracket(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) {
    out.push('[');
    if let Some(c) = rest.next_if(|c| *c == '^' || *c == '!') {
        out.push(if c == '!' { '^' } else { c });
    }
    if rest.next_if_eq(&']').is_some() {
        out.push_str("\\]");
    }
    while let Some(c) = rest.next() {
        match c {
            ']' => {
                out.push(']');
                return;
            }
            '[' if rest.peek() == Some(&':') => {
                out.push('[');
                for c in rest.by_ref() {
                    out.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            '\\' | '[' | '&' | '~' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
}

/// A text as a pattern that matches it alone.
pub(super) fn escaped(text: &str) -> String {
    regex_lite::escape(text)
}

/// What a glob is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Glob {
    Text(String),
    /// `*`
    Any,
    /// `?`
    One,
    /// `[…]`, as a class of a regular expression.
    Class(String),
}

/// Reads the unquoted part of a pattern of `case` or `[[ == ]]`.
pub(super) fn glob(text: &str, out: &mut Vec<Glob>) {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '*' => {
                if out.last() != Some(&Glob::Any) {
                    out.push(Glob::Any);
                }
            }
            '?' => out.push(Glob::One),
            '[' if rest.clone().any(|c| c == ']') => {
                let mut class = String::new();
                bracket(&mut rest, &mut class);
                out.push(Glob::Class(class));
            }
            '\\' => literal(rest.next().unwrap_or('\\').encode_utf8(&mut [0; 4]), out),
            c => literal(c.encode_utf8(&mut [0; 4]), out),
        }
    }
}

/// Adds text that stands for itself.
pub(super) fn literal(text: &str, out: &mut Vec<Glob>) {
    match out.last_mut() {
        Some(Glob::Text(before)) => before.push_str(text),
        _ => out.push(Glob::Text(text.to_owned())),
    }
}

/// A glob as a regular expression for a whole text.
pub(super) fn glob_regex(glob: &[Glob]) -> String {
    let inner: String = glob
        .iter()
        .map(|part| match part {
            Glob::Text(text) => escaped(text),
            Glob::Any => ".*".to_owned(),
            Glob::One => ".".to_owned(),
            Glob::Class(class) => class.clone(),
        })
        .collect();
    format!("(?s)^{inner}$")
}

/// A text in which the pattern is found, if one comes to mind.
pub(super) fn example(pattern: &str) -> Option<String> {
    let regex = regex_lite::Regex::new(pattern).ok()?;
    let chars: Vec<char> = pattern.chars().collect();
    let mut place = 0;
    let text = alternatives(&chars, &mut place);
    let spaced = |text: &str| text.to_owned();
    [spaced(&text), format!("{text} "), format!(" {text}"), format!("{text}a"), format!("a{text}")]
        .into_iter()
        .find(|text| regex.is_match(text))
}

/// One of several; an empty one if there is one.
fn alternatives(pattern: &[char], place: &mut usize) -> String {
    let mut found = vec![sequence(pattern, place)];
    while pattern.get(*place) == Some(&'|') {
        *place += 1;
        found.push(sequence(pattern, place));
    }
    found.iter().find(|text| text.is_empty()).or(found.first()).cloned().unwrap_or_default()
}

fn sequence(pattern: &[char], place: &mut usize) -> String {
    let mut out = String::new();
    while let Some(c) = pattern.get(*place).copied() {
        if matches!(c, '|' | ')') {
            break;
        }
        *place += 1;
        let (least, one) = match c {
            '(' => (None, group(pattern, place)),
            '[' => (None, class(pattern, place)),
            '\\' => {
                let next = pattern.get(*place).copied().unwrap_or('\\');
                *place += 1;
                (None, escape(next))
            }
            '^' | '$' => (None, String::new()),
            '.' => (Some(" "), "a".to_owned()),
            c => (None, c.to_string()),
        };
        let times = quantity(pattern, place);
        match (times, least) {
            // Between two words, a blank reads better than nothing.
            (0, Some(blank)) if !out.is_empty() => out.push_str(blank),
            (times, _) => out.push_str(&one.repeat(times)),
        }
    }
    out
}

fn group(pattern: &[char], place: &mut usize) -> String {
    if pattern.get(*place) == Some(&'?') {
        while pattern.get(*place).is_some_and(|c| !matches!(c, ':' | '>' | ')')) {
            *place += 1;
        }
        if pattern.get(*place) != Some(&')') {
            *place += 1;
        }
    }
    let inner = alternatives(pattern, place);
    if pattern.get(*place) == Some(&')') {
        *place += 1;
    }
    inner
}

fn escape(c: char) -> String {
    match c {
        'd' => "1".to_owned(),
        'w' | 'S' | 'D' => "a".to_owned(),
        's' | 'W' => " ".to_owned(),
        'b' | 'B' | 'A' | 'z' => String::new(),
        'n' => "\n".to_owned(),
        't' => "\t".to_owned(),
        other => other.to_string(),
    }
}

/// A member of a class.
fn class(pattern: &[char], place: &mut usize) -> String {
    let start = *place - 1;
    let mut inner = 0;
    while let Some(c) = pattern.get(*place).copied() {
        *place += 1;
        match c {
            '\\' => *place += 1,
            '[' => inner += 1,
            ']' if inner > 0 => inner -= 1,
            ']' => break,
            _ => {}
        }
    }
    let written: String = pattern.get(start..(*place).min(pattern.len())).unwrap_or_default().iter().collect();
    let Ok(regex) = regex_lite::Regex::new(&format!("^{written}$")) else { return String::new() };
    let first = written.trim_start_matches(['[', '^']).chars().next().unwrap_or('a');
    ['a', ' ', '1', '-', '/', '.', '=', '"', '\'', first]
        .iter()
        .map(char::to_string)
        .find(|text| regex.is_match(text))
        .unwrap_or_default()
}

/// How often what stands before must come at least; a `*` and a `?` are none.
fn quantity(pattern: &[char], place: &mut usize) -> usize {
    let times = match pattern.get(*place) {
        Some('*' | '?') => 0,
        Some('+') => 1,
        Some('{') => {
            let digits: String = pattern[*place + 1..].iter().take_while(|c| c.is_ascii_digit()).collect();
            let Ok(times) = digits.parse::<usize>() else { return 1 };
            while pattern.get(*place).is_some_and(|c| *c != '}') {
                *place += 1;
            }
            times.min(64)
        }
        _ => return 1,
    };
    *place += 1;
    if matches!(pattern.get(*place), Some('?' | '+')) {
        *place += 1;
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_grep_are_taken_for_what_grep_takes_them_for() {
        for (pattern, dialect, expected) in [
            ("a+b", Dialect::Basic, "a\\+b"),
            ("a\\+\\(b\\|c\\)", Dialect::Basic, "a+(b|c)"),
            ("*a", Dialect::Basic, "\\*a"),
            ("git +push", Dialect::Extended, "git +push"),
            ("\\<rm\\>", Dialect::Extended, "\\brm\\b"),
            ("[^]a[]", Dialect::Extended, "[^\\]a\\[]"),
            ("[[:space:]]+", Dialect::Extended, "[[:space:]]+"),
            ("a.b", Dialect::Fixed, "a\\.b"),
        ] {
            assert_eq!(translated(pattern, dialect), expected, "{pattern}");
        }
    }

    #[test]
    fn an_example_is_found_in_what_people_write() {
        for pattern in [
            "git +push.*(--force|-f)( |$)",
            "^rm\\s+-rf",
            "(?i)drop\\s+table",
            "\\.env$",
            "[A-Z]{3}-[0-9]+",
            "(^|[^a-z])sudo( |$)",
            "(?m)^[^#]*eval",
        ] {
            let text = example(pattern).unwrap_or_else(|| panic!("nothing for {pattern}"));
            assert!(regex_lite::Regex::new(pattern).expect("a pattern").is_match(&text), "{pattern}: {text}");
        }
        assert_eq!(example("git +push.*(--force|-f)( |$)").as_deref(), Some("git push --force"));
    }
}
