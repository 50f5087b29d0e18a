//! Patterns of the shell's world in the words of the runtime's: globs, and the regular expressions of grep.

use std::iter::Peekable;
use std::str::Chars;

use super::path::Reason;

/// How a pattern is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `grep`: `+`, `?`, `|` and brackets mean something behind a backslash only.
    Basic,
    /// `grep -E`, `[[ =~ ]]`.
    Extended,
    /// `grep -P`, which is given one line at a time.
    Perl,
    /// jq, Python: the same for a whole text, where `$` is also before the end of the last line.
    Script,
    /// `rg`, whose patterns are the runtime's.
    Own,
    /// `grep -F`.
    Fixed,
}

/// A pattern of a tool in the runtime's syntax; what that does not know is found out when it is checked.
pub(super) fn translated(pattern: &str, dialect: Dialect) -> Result<String, Reason> {
    Ok(match dialect {
        Dialect::Fixed => escaped(pattern),
        Dialect::Own => pattern.to_owned(),
        Dialect::Perl | Dialect::Script => perl(pattern, dialect == Dialect::Script),
        Dialect::Basic | Dialect::Extended => posix(pattern, dialect == Dialect::Basic)?,
    })
}

fn perl(pattern: &str, whole: bool) -> String {
    let mut out = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some(next @ ('<' | '>')) => out.push(next),
                next => out.extend(std::iter::once('\\').chain(next)),
            },
            '[' => bracket(&mut rest, &mut out, true),
            '$' if whole => out.push_str("\\n?$"),
            c => out.push(c),
        }
    }
    out
}

/// Whether something in a pattern may be the end of a line.
pub(super) fn goes_over_lines(pattern: &str) -> bool {
    ["\\s", "\\W", "\\D", "\\n", "\\r", "\\P", "\\x", "\\u", "[^", "[:space:]", "[:cntrl:]", "[:^", "(?"]
        .iter()
        .any(|part| pattern.replace("(?:", "").contains(part))
}

/// A pattern that ends in `(?!…)` behind what is found in one way only, or begins with it: what must be found, and what must
/// not. The runtime has no looking ahead.
pub(super) fn looked_ahead(pattern: &str) -> Option<(String, String)> {
    let flags = if pattern.starts_with("(?i)") { "(?i)" } else { "" };
    let (before, rest) = pattern[flags.len()..].split_once("(?!")?;
    let inside = closing(rest)?;
    let (unwanted, after) = (&rest[..inside], &rest[inside + 1..]);
    let starts = before == "^";
    let one_way = before.strip_prefix('^').is_some_and(|text| !text.contains(['|', '*', '+', '?', '{', '(', '[']));
    if after.contains("(?!") || !(starts || (one_way && after.is_empty())) {
        return None;
    }
    Some((format!("{flags}{before}{after}"), format!("{flags}{before}(?:{unwanted})")))
}

/// Where the bracket is closed that was opened before.
fn closing(rest: &str) -> Option<usize> {
    let (mut depth, mut escaped, mut class) = (0_usize, false, false);
    for (place, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '(' if !class => depth += 1,
            ')' if !class && depth == 0 => return Some(place),
            ')' if !class => depth -= 1,
            _ => {}
        }
    }
    None
}

fn posix(pattern: &str, basic: bool) -> Result<String, Reason> {
    let mut out = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('<' | '>') => out.push_str("\\b"),
                Some(next @ ('+' | '?' | '|' | '(' | ')' | '{' | '}')) if basic => out.push(next),
                Some(next @ ('d' | 'D')) => return Err(format!("not every system takes `\\{next}` for the same")),
                Some(next) if next.is_ascii_alphanumeric() && !"bBswWS".contains(next) => out.push(next),
                Some(next) => out.extend(['\\', next]),
                None => out.push_str("\\\\"),
            },
            '+' | '?' | '|' | '(' | ')' | '{' | '}' if basic => out.extend(['\\', c]),
            '*' if basic && (out.is_empty() || out == "^") => out.push_str("\\*"),
            '[' => bracket(&mut rest, &mut out, false),
            c => out.push(c),
        }
    }
    Ok(out)
}

/// A class in brackets. A backslash in it means itself, unless it escapes.
fn bracket(rest: &mut Peekable<Chars<'_>>, out: &mut String, escapes: bool) {
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
            '\\' if escapes => out.extend(std::iter::once(c).chain(rest.next())),
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
    /// `[…]` or `@(…)`, as a regular expression.
    Regex(String),
}

/// Reads the unquoted part of a pattern of `case` or `[[ == ]]`.
pub(super) fn glob(text: &str, out: &mut Vec<Glob>) -> Result<(), Reason> {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '@' | '?' | '*' | '+' | '!' if rest.next_if_eq(&'(').is_some() => out.push(group_of_globs(c, &mut rest)?),
            '*' => {
                if out.last() != Some(&Glob::Any) {
                    out.push(Glob::Any);
                }
            }
            '?' => out.push(Glob::One),
            '[' if rest.clone().any(|c| c == ']') => {
                let mut class = String::new();
                bracket(&mut rest, &mut class, false);
                out.push(Glob::Regex(class));
            }
            '\\' => literal(rest.next().unwrap_or('\\').encode_utf8(&mut [0; 4]), out),
            c => literal(c.encode_utf8(&mut [0; 4]), out),
        }
    }
    Ok(())
}

/// `@(a|b)` and its like, behind its first bracket.
fn group_of_globs(times: char, rest: &mut Peekable<Chars<'_>>) -> Result<Glob, Reason> {
    let inside: String = rest.by_ref().take_while(|c| *c != ')').collect();
    if times == '!' || inside.contains(['(', '[']) {
        return Err(format!("it compares with `{times}({inside})`"));
    }
    let mut ways = Vec::new();
    for way in inside.split('|') {
        let mut parts = Vec::new();
        glob(way, &mut parts)?;
        ways.push(inner_regex(&parts));
    }
    let times = if times == '@' { String::new() } else { times.to_string() };
    Ok(Glob::Regex(format!("({}){times}", ways.join("|"))))
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
    format!("(?s)^{}$", inner_regex(glob))
}

fn inner_regex(glob: &[Glob]) -> String {
    let parts = glob.iter().map(|part| match part {
        Glob::Text(text) => escaped(text),
        Glob::Any => ".*".to_owned(),
        Glob::One => ".".to_owned(),
        Glob::Regex(regex) => regex.clone(),
    });
    parts.collect()
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
            ("\\.(pem|key)$", Dialect::Script, "\\.(pem|key)\\n?$"),
            ("\\.pem$", Dialect::Perl, "\\.pem$"),
            ("[\\s&[]\\<", Dialect::Perl, "[\\s\\&\\[]<"),
        ] {
            assert_eq!(translated(pattern, dialect).as_deref(), Ok(expected), "{pattern}");
        }
    }

    #[test]
    fn what_must_not_follow_is_asked_by_itself_where_that_is_the_same() {
        let both = |with: &str, without: &str| Some((with.to_owned(), without.to_owned()));
        for (pattern, expected) in [
            (r"^grep\b(?!.*\|)", both(r"^grep\b", r"^grep\b(?:.*\|)")),
            ("(?i)^(?!.*(dry|test)).*deploy", both("(?i)^.*deploy", "(?i)^(?:.*(dry|test))")),
            (r"rm\s+-rf\s+/(?!tmp)", None),
            ("^a+(?!b)", None),
            ("^a(?!b)c", None),
        ] {
            assert_eq!(looked_ahead(pattern), expected, "{pattern}");
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
