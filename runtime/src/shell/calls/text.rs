//! Names, texts and brackets in code, found without knowing the language.

/// Lisp with names that other languages have, too: `shell-command` is `shell_command`.
pub(in crate::shell) fn lisp(code: &str) -> String {
    let mut quoted = false;
    let mut previous = ' ';
    let named = |character: char| {
        quoted ^= character == '"' && previous != '\\';
        let joins = character == '-' && !quoted && previous.is_alphanumeric();
        previous = character;
        if joins { '_' } else { character }
    };
    code.chars().map(named).collect()
}

/// What awk prints into the pipe or file that follows.
pub(in crate::shell) fn printed_before(before: &str) -> Option<String> {
    let before = before.trim_end_matches('&').trim_end_matches(['|', '>']);
    let print = before.rfind("print")?;
    let mut at = print + before.get(print..)?.find('"')?;
    let first = quoted(before, &mut at)?;
    // `printf "%s", "text"`
    let formatted = before.get(print..).is_some_and(|call| call.starts_with("printf")) && first.contains("%s");
    let second = formatted.then(|| before.get(at..)?.find('"').map(|next| at + next)).flatten();
    match second.and_then(|mut at| quoted(before, &mut at)) {
        Some(second) => Some(first.replacen("%s", &second, 1)),
        None => Some(first),
    }
}

/// Whether what a call is given is only what the program reads: all of it, or the line that it is at.
pub(in crate::shell) fn is_what_arrives(span: &str) -> bool {
    const ALL: &[&str] = &["stdin", "STDIN", "$stdin", "<>", "input()", "ARGF", "io.read", "readFileSync(0"];
    let inner = span.trim().trim_start_matches('(').trim();
    let is_data = ["json", "JSON", "parse"].iter().any(|name| inner.contains(name));
    matches!(inner, "$_" | "$0") || !is_data && ALL.iter().any(|name| inner.contains(name))
}

/// The text of a call's arguments: between its parentheses, else up to the end of the statement.
pub(in crate::shell) fn span(code: &str, from: usize) -> &str {
    let rest = code.get(from..).unwrap_or_default();
    let opened = rest.trim_start();
    if !opened.starts_with('(') {
        return opened.get(..opened.find([';', '\n']).unwrap_or(opened.len())).unwrap_or_default();
    }
    let mut depth = 0_usize;
    for (at, character) in opened.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return opened.get(..at).unwrap_or_default();
                }
            }
            _ => {}
        }
    }
    opened
}

/// The code without what stands in quotes.
pub(in crate::shell) fn without_texts(code: &str) -> String {
    let (mut bare, mut at) = (String::new(), 0);
    while let Some(next) = code.get(at..).and_then(|rest| rest.chars().next()) {
        if matches!(next, '"' | '\'' | '`') {
            let mut end = at;
            quoted(code, &mut end);
            at = end.max(at + 1);
            bare.push(' ');
        } else {
            bare.push(next);
            at += next.len_utf8();
        }
    }
    bare
}

pub(in crate::shell) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

pub(in crate::shell) fn is_name_start(first: char) -> bool {
    first.is_ascii_alphabetic() || first == '_'
}

/// The name at the beginning of the text, with its dots, colons and arrows.
pub(in crate::shell) fn name_at(text: &str) -> &str {
    let mut end = 0;
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(end) {
        let next = bytes.get(end + 1).copied().unwrap_or_default();
        let joins = next.is_ascii_alphabetic() || next == b'_';
        match byte {
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => end += 1,
            b'.' if joins && end > 0 => end += 1,
            b':' if next == b':' && end > 0 => end += 2,
            b':' if joins && end > 0 && text.get(..end).is_some_and(|name| name == "os") => end += 1,
            b'-' if next == b'>' && end > 0 => end += 2,
            _ => break,
        }
    }
    text.get(..end).unwrap_or_default()
}

pub(in crate::shell) fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '>']).next().unwrap_or_default()
}

/// A text between brackets, as `qx{…}`, `%x(…)` and `qw(…)` have them.
pub(in crate::shell) fn bracketed(code: &str, at: &mut usize) -> Option<String> {
    let rest = code.get(*at..)?;
    let opened = rest.trim_start();
    let blank = rest.len() - opened.len();
    let open = opened.chars().next()?;
    let close = match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        '/' | '|' | '!' | '#' | '~' | '^' => open,
        _ => return None,
    };
    let inner = opened.get(1..)?;
    let length = inner.find(close).unwrap_or(inner.len());
    *at = (*at + blank + length + 2).min(code.len());
    inner.get(..length).map(str::to_owned)
}

/// A text in quotes, with the prefixes that some languages give it.
pub(in crate::shell) fn quoted(code: &str, at: &mut usize) -> Option<String> {
    let rest = code.get(*at..)?;
    let prefix = rest.bytes().take_while(|byte| matches!(byte, b'f' | b'r' | b'b' | b'u')).count();
    let quote = rest.as_bytes().get(prefix).copied().filter(|byte| matches!(byte, b'\'' | b'"' | b'`'))?;
    // Three quotes are one, and an empty text between them is none.
    let marks = rest.get(prefix..)?.bytes().take_while(|byte| *byte == quote).count();
    let width = if marks >= 3 { 3 } else { 1 };
    let end = rest.get(prefix..prefix + width)?;
    let mut text = String::new();
    let (mut escaped, mut coded) = (false, None::<usize>);
    let inner = rest.get(prefix + width..)?;
    for (offset, character) in inner.char_indices() {
        if escaped {
            match character {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                // Of `\x72` the digits are read as text, and replaced by what they stand for.
                'x' => coded = Some(text.len()),
                other => text.push(other),
            }
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if inner.get(offset..).is_some_and(|rest| rest.starts_with(end)) {
            *at += prefix + width + offset + width;
            return Some(text);
        } else {
            text.push(character);
            if let Some(start) = coded.filter(|start| text.len() == start + 2) {
                let code = text.get(start..).and_then(|digits| u8::from_str_radix(digits, 16).ok());
                if let Some(code) = code {
                    text.truncate(start);
                    text.push(char::from(code));
                }
                coded = None;
            }
        }
    }
    *at = code.len();
    Some(text)
}
