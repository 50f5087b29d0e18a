//! Texts that code puts together: constants, variables that hold one, and the few ways to make one of several.

use super::text::{bracketed, last_part, name_at, quoted};
use super::{DEEPEST, MOST_ARGUMENTS, PASSING, Reader, is_home};
use crate::shell::tables::functions::FORMATTING;

/// Longer texts are not put together from parts.
const LONGEST: usize = 1 << 14;

impl Reader<'_> {
    /// The texts that a call is given; `None` for what is none.
    pub(super) fn arguments(&self, at: &mut usize) -> Vec<Option<String>> {
        let mut found = Vec::new();
        self.blanks(at);
        let open = self.code.as_bytes().get(*at).copied() == Some(b'(');
        if open {
            *at += 1;
        }
        while found.len() < MOST_ARGUMENTS {
            self.blanks(at);
            let rest = self.code.get(*at..).unwrap_or_default();
            if let Some((text, _)) = rest.strip_prefix("[[").and_then(|rest| rest.split_once("]]"))
                && self.language == "lua"
            {
                *at += text.len() + 4;
                found.push(Some(text.to_owned()));
                continue;
            }
            self.opening(at);
            if self.code.get(*at..).is_some_and(|rest| rest.starts_with("qw")) {
                *at += 2;
                let words = bracketed(self.code, at).unwrap_or_default();
                found.extend(words.split_ascii_whitespace().map(|word| Some(word.to_owned())));
            } else {
                match self.expression(at, 0) {
                    Some(text) => found.push(Some(text)),
                    None => break,
                }
            }
            self.blanks(at);
            while self.code.as_bytes().get(*at).is_some_and(|byte| matches!(byte, b']' | b'}')) {
                *at += 1;
                self.blanks(at);
            }
            // Lisp has blanks between them.
            let rest = self.code.get(*at..).unwrap_or_default();
            if self.language == "emacs" {
                let list = ["(list ", "'("].iter().find(|list| rest.starts_with(**list));
                *at += list.map_or(0, |list| list.len());
                if list.is_some() || rest.starts_with('"') || rest.starts_with("nil ") {
                    continue;
                }
            }
            if self.code.as_bytes().get(*at).copied() != Some(b',') {
                break;
            }
            *at += 1;
        }
        found
    }

    /// Skips what a list or a record opens with: brackets, and the name of a field.
    fn opening(&self, at: &mut usize) {
        self.blanks(at);
        // `subprocess.run(args=[…])`; what other arguments with names hold is no word of a command.
        if self.code.get(*at..).is_some_and(|rest| rest.starts_with("args=")) {
            *at += "args=".len();
        }
        // `nil` of Lisp is no word, `c(…)` of R is a list, and `atPath:` of Swift is the name of what follows.
        let rest = self.code.get(*at..).unwrap_or_default();
        let own = match self.language {
            "emacs" => rest.len() - rest.trim_start_matches("nil ").len(),
            "R" | "Rscript" if rest.starts_with("c(") => 1,
            "swift" if rest.starts_with("atPath:") => "atPath:".len(),
            "elixir" if rest.starts_with("~c") => 2,
            // Perl may name the program apart from the words.
            "perl" if rest.starts_with('{') => rest.find('}').map_or(0, |end| end + 1),
            _ => 0,
        };
        *at += own;
        self.blanks(at);
        while self.code.as_bytes().get(*at).is_some_and(|byte| matches!(byte, b'[' | b'{' | b'(')) {
            *at += 1;
            self.blanks(at);
            let name = name_at(self.code.get(*at..).unwrap_or_default());
            let after = self.code.get(*at + name.len()..).unwrap_or_default();
            if !name.is_empty() && after.starts_with(':') && !after.starts_with("::") {
                *at += name.len() + 1;
                self.blanks(at);
            }
        }
    }

    /// The arguments of a call that are texts, and where it ends.
    fn texts(&self, at: &mut usize) -> Vec<String> {
        let texts = self.arguments(at).into_iter().map_while(|argument| argument).collect();
        self.blanks(at);
        *at += usize::from(self.code.as_bytes().get(*at) == Some(&b')'));
        texts
    }

    /// A text, or several that are put together.
    pub(super) fn expression(&self, at: &mut usize, depth: usize) -> Option<String> {
        let mut text = self.operand(at, depth)?;
        loop {
            let mut ahead = *at;
            self.blanks(&mut ahead);
            let rest = self.code.get(ahead..).unwrap_or_default();
            let (joint, width) = match rest.as_bytes() {
                [b'+', b'=' | b'+', ..] => break,
                [b'.', b'.', ..] | [b'<', b'>', ..] => ("", 2),
                [b'+', ..] | [b'.', b' ' | b'"' | b'\'' | b'$', ..] => ("", 1),
                [b'/', next, ..] if *next != b'/' && *next != b'*' => ("/", 1),
                [b'"' | b'\'', ..] if !matches!(self.language, "tclsh" | "emacs") => ("", 0),
                // Awk puts texts together that stand beside each other.
                [b'$' | b'A'..=b'Z' | b'a'..=b'z', ..] if self.language == "awk" => ("", 0),
                // Julia multiplies them.
                [b'*', ..] if self.language == "julia" => ("", 1),
                _ => break,
            };
            ahead += width;
            self.blanks(&mut ahead);
            let Some(more) = self.operand(&mut ahead, depth + 1) else { break };
            if text.len() + more.len() > LONGEST {
                break;
            }
            text.push_str(joint);
            text.push_str(&more);
            *at = ahead;
        }
        Some(text)
    }

    fn operand(&self, at: &mut usize, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        self.blanks(at);
        let rest = self.code.get(*at..)?;
        if rest.starts_with('(') {
            let mut ahead = *at + 1;
            let inner = self.expression(&mut ahead, depth + 1)?;
            self.blanks(&mut ahead);
            *at = ahead + usize::from(self.code.as_bytes().get(ahead) == Some(&b')'));
            self.methods(at);
            return Some(inner);
        }
        if let Some(text) = quoted(self.code, at) {
            let text = self.filled(text, rest);
            return Some(self.made_of(text, at, depth));
        }
        if rest.starts_with('<') && self.language == "perl" {
            return bracketed(self.code, at);
        }
        if let Some(of_ruby) = rest.strip_prefix('%').filter(|_| self.language == "ruby") {
            *at += 1 + usize::from(of_ruby.starts_with(['q', 'Q']));
            return bracketed(self.code, at);
        }
        if is_home(rest) {
            let name = name_at(rest.trim_start_matches('$'));
            *at += rest.len() - rest.trim_start_matches('$').len() + name.len();
            self.methods(at);
            return Some("~".to_owned());
        }
        let bare = rest.trim_start_matches(['$', '@']);
        let name = name_at(bare);
        if name.is_empty() {
            return None;
        }
        let after = *at + (rest.len() - bare.len()) + name.len();
        let last = last_part(name);
        if matches!(name, "q" | "qq" | "qw") && self.language == "perl" {
            *at = after;
            return bracketed(self.code, at);
        }
        if let Some(value) = self.variables.get(name).filter(|value| !value.starts_with('\u{0}')) {
            *at = after;
            self.methods(at);
            return Some(value.clone());
        }
        if matches!(name, "os.sep" | "path.sep") {
            *at = after;
            return Some("/".to_owned());
        }
        if matches!(last, "reverse" | "strrev") {
            let mut ahead = after;
            let text = self.operand(&mut ahead, depth + 1)?;
            *at = ahead;
            return Some(text.chars().rev().collect());
        }
        if matches!(last, "chr" | "fromCharCode" | "fromCodePoint") {
            let (text, length) = characters(self.code.get(after..)?)?;
            *at = after + length;
            return Some(text);
        }
        if FORMATTING.contains(&last) {
            let mut ahead = after;
            let texts = self.texts(&mut ahead);
            let (format, parts) = texts.split_first()?;
            *at = ahead;
            return Some(fill(format, "%", "s", parts));
        }
        self.passed(last, after, at)
    }

    /// `os.path.join(a, b)`, `Path(a)`, `new URL(a)`, `glob a`
    fn passed(&self, function: &str, after: usize, at: &mut usize) -> Option<String> {
        if !PASSING.contains(&function) && !matches!(function, "join" | "joinpath" | "catfile" | "catdir") {
            return None;
        }
        let mut ahead = after;
        let parts = self.texts(&mut ahead);
        if parts.is_empty() {
            return None;
        }
        *at = ahead;
        self.methods(at);
        // Perl's and PHP's `join` have what stands between the texts before them.
        if function == "join" && matches!(self.language, "perl" | "php") {
            return parts.split_first().map(|(joint, parts)| parts.join(joint));
        }
        Some(parts.join("/"))
    }

    /// What becomes of a text by what is called on it: `'{}'.format(a)`, `' '.join([a, b])`, `'%s' % a`.
    fn made_of(&self, mut text: String, at: &mut usize, depth: usize) -> String {
        const BACKWARDS: &[&str] =
            &["[::-1]", ".reverse()", ".reverse", ".split('').reverse().join('')", ".split(\"\").reverse().join(\"\")"];
        loop {
            let rest = self.code.get(*at..).unwrap_or_default();
            if let Some(backwards) = BACKWARDS.iter().find(|backwards| rest.starts_with(**backwards)) {
                *at += backwards.len();
                text = text.chars().rev().collect();
            } else if rest.starts_with(".format(") {
                *at += ".format".len();
                let parts = self.texts(at);
                text = fill(&text, "{", "}", &parts);
            } else if rest.starts_with(".join(") {
                *at += ".join".len();
                text = self.texts(at).join(&text);
            } else if self.language == "python" && rest.trim_start().starts_with('%') {
                let mut ahead = *at + rest.len() - rest.trim_start().len() + 1;
                self.blanks(&mut ahead);
                let several = self.code.as_bytes().get(ahead) == Some(&b'(');
                let parts = if several {
                    self.texts(&mut ahead)
                } else {
                    self.operand(&mut ahead, depth + 1).into_iter().collect()
                };
                if parts.is_empty() {
                    return text;
                }
                *at = ahead;
                text = fill(&text, "%", "s", &parts);
            } else {
                self.methods(at);
                return text;
            }
            text.truncate(text.floor_char_boundary(LONGEST));
        }
    }

    /// A text with the values of variables in it: `f'{a}'`, `` `${a}` ``, `"#{a}"`, `"$a"`.
    pub(super) fn filled(&self, text: String, written: &str) -> String {
        if self.language == "julia" {
            return text.replace("$(homedir())", "~");
        }
        if matches!(self.language, "perl" | "php") && written.starts_with(['"', '`']) {
            return self.interpolated(&text);
        }
        let opens = match self.language {
            "python" if written.starts_with(['f', 'F']) => "{",
            "node" | "bun" | "deno" if written.starts_with('`') => "${",
            "ruby" if written.starts_with('"') => "#{",
            _ => return text,
        };
        let mut result = String::new();
        let mut rest = text.as_str();
        while let Some((before, opened)) = rest.split_once(opens) {
            let Some((inner, after)) = opened.split_once('}') else { break };
            let inner = inner.trim();
            let known = self.variables.get(inner).filter(|value| !value.starts_with('\u{0}')).cloned();
            let home = || is_home(inner).then(|| "~".to_owned());
            let value = known.or_else(|| characters(inner.strip_prefix("chr")?).map(|(text, _)| text)).or_else(home);
            result.push_str(before);
            result.push_str(&value.unwrap_or_else(|| format!("{opens}{inner}}}")));
            rest = after;
        }
        result + rest
    }

    /// A text of Perl or PHP with the values of variables in it.
    fn interpolated(&self, text: &str) -> String {
        let mut result = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            result.push_str(before);
            let name = name_at(after);
            let end = after.find('}').map_or(after.len(), |end| end + 1);
            if is_home(after) {
                result.push('~');
                rest = after.get(end..).unwrap_or_default();
            } else if let Some(value) = self.variables.get(name).filter(|value| !value.starts_with('\u{0}')) {
                result.push_str(value);
                rest = after.get(name.len()..).unwrap_or_default();
            } else {
                result.push('$');
                rest = after;
            }
        }
        result + rest
    }

    /// Skips indices, empty calls and methods behind a value: `["HOME"]`, `()`, `.resolve()`, `.text`.
    fn methods(&self, at: &mut usize) {
        const KEEPING: &[&str] = &[
            "resolve",
            "expanduser",
            "absolute",
            "as_posix",
            "toString",
            "homedir",
            "decode",
            "encode",
            "strip",
            "trim",
        ];
        for _ in 0..8 {
            let rest = self.code.get(*at..).unwrap_or_default();
            if let Some(end) = rest.strip_prefix(['(', '[', '{']).and_then(|inner| {
                let end = inner.find([')', ']', '}'])?;
                let inner = inner.get(..end)?;
                (inner.trim().is_empty() || inner.contains("HOME")).then_some(end + 2)
            }) {
                *at += end;
            } else if let Some(name) =
                rest.strip_prefix('.').map(name_at).filter(|name| KEEPING.contains(&last_part(name)))
            {
                *at += name.len() + 1;
            } else {
                break;
            }
        }
    }

    pub(super) fn blanks(&self, at: &mut usize) {
        while self.code.as_bytes().get(*at).is_some_and(u8::is_ascii_whitespace) {
            *at += 1;
        }
    }
}

/// The text with its marks filled in one after the other; between the two parts of a mark there may be a number or name.
fn fill(text: &str, open: &str, close: &str, parts: &[String]) -> String {
    let mut result = String::new();
    let mut rest = text;
    let mut parts = parts.iter();
    while let Some((before, opened)) = rest.split_once(open) {
        let Some((_, after)) = opened.split_once(close) else { break };
        let Some(part) = parts.next() else { break };
        result.push_str(before);
        result.push_str(part);
        rest = after;
    }
    result + rest
}

/// The characters of `(114, 0x6d)`, and how long that is.
fn characters(call: &str) -> Option<(String, usize)> {
    let inner = call.strip_prefix('(')?;
    let inner = inner.get(..inner.find(')')?)?;
    let character = |number: &str| {
        let number = number.trim();
        let code = match number.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        char::from_u32(code)
    };
    let text: Option<String> = inner.split(',').map(character).collect();
    Some((text?, inner.len() + 2))
}
