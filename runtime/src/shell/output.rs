//! What simple programs print, so that text can be followed through a pipe.

use super::ansi::{Dialect, unescape};
use super::field::{Field, doubted};
use super::prints::Prints;
use super::walk::{Output, Walker};

/// Longer text is not followed.
const LONGEST: usize = 1 << 16;

/// Programs that say nothing unless they are asked to, or something goes wrong.
const SILENT: &[&str] = &[
    ":", "true", "false", "cd", "test", "[", "unset", "shift", "wait", "sleep", "mkdir", "rmdir", "touch", "rm", "cp",
    "mv", "ln", "chmod", "chown",
];

/// The same, if they are told a name: without one, they list what there is.
const SILENT_WITH_NAMES: &[&str] = &["export", "declare", "typeset", "readonly", "local", "trap", "set"];

/// Programs that print lines of their input, most of them as they are.
const FILTERS: &[&str] = &[
    "grep", "egrep", "fgrep", "zgrep", "rg", "head", "tail", "sort", "uniq", "shuf", "tac", "nl", "fold", "fmt",
    "column", "expand", "unexpand", "pv", "sponge", "strings", "iconv", "dos2unix", "ts", "sed", "gsed",
];

impl Walker<'_> {
    /// What the program prints.
    pub(super) fn printed(&self, name: &str, args: &[Field]) -> Output {
        let known = args.iter().all(|arg| !arg.glob);
        let texts: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
        let output = match name {
            _ if is_silent(name, &texts) => Some(String::new()),
            "sed" if substituted(&texts).is_some() => {
                let (from, to) = substituted(&texts)?;
                self.feed.input.as_deref().map(|input| doubted(input.replace(from, to)))
            }
            "shuf" if texts.first() == Some(&"-e") => {
                Some(doubted(texts.iter().skip(1).map(|text| format!("{text}\n")).collect()))
            }
            _ if FILTERS.contains(&name) => {
                let of_file = || args.iter().find_map(|arg| self.written(arg)?.input.clone());
                self.feed.input.clone().or_else(of_file).map(doubted)
            }
            "date" if texts.iter().any(|text| text.starts_with('+') && !text.contains('%')) => {
                texts.iter().find_map(|text| text.strip_prefix('+')).map(|text| doubted(format!("{text}\n")))
            }
            "rev" => self.feed.input.as_deref().map(reversed),
            "tr" => self.feed.input.as_deref().and_then(|input| translated(input, &texts)),
            "cut" => self.feed.input.as_deref().and_then(|input| cut(input, &texts)),
            "envsubst" => self.feed.input.clone().map(doubted),
            "expr" if texts.len() == 1 => Some(doubted(format!("{}\n", texts.concat()))),
            "jq" | "yq" => self.feed.input.as_deref().and_then(first_text).map(doubted),
            "echo" if known => echo(&texts),
            "printf" if known => printf(&texts),
            "cat" if texts.iter().all(|text| matches!(*text, "-" | "-u") || !text.starts_with('-')) => {
                self.files_together(args)
            }
            "tee" => self.feed.input.clone(),
            "pwd" => self.variable("PWD").map(|folder| folder.text + "\n"),
            "dirname" | "basename" | "realpath" | "readlink" => self.part_of_path(name, args),
            "yes" => Some(format!("{}\n", texts.join(" "))).filter(|_| !texts.is_empty()).map(doubted),
            "which" | "command" | "type" => located(args),
            "base64" if texts.iter().any(|text| matches!(*text, "-d" | "-D" | "--decode")) => {
                self.feed.input.as_deref().and_then(base64)
            }
            _ => None,
        };
        output.filter(|output| output.len() <= LONGEST)
    }
}

impl Walker<'_> {
    /// What programs that take paths apart print of one that is known.
    fn part_of_path(&self, name: &str, args: &[Field]) -> Output {
        let mut operands = args.iter().filter(|arg| !arg.text.starts_with('-'));
        let path = operands.next().filter(|path| path.is_known() && operands.next().is_none())?;
        if name == "readlink"
            && !args.iter().any(|arg| matches!(arg.text.as_str(), "-f" | "-e" | "-m" | "--canonicalize"))
        {
            return None;
        }
        let trimmed = path.text.trim_end_matches('/');
        let part = match (name, trimmed.rsplit_once('/')) {
            _ if path.text.is_empty() => return None,
            ("dirname", Some(("", _))) => "/".to_owned(),
            ("dirname", Some((folder, _))) => folder.trim_end_matches('/').to_owned(),
            ("dirname" | "basename", None) if trimmed.is_empty() => "/".to_owned(),
            ("dirname", None) => ".".to_owned(),
            ("basename", Some((_, last))) => last.to_owned(),
            ("basename", None) => trimmed.to_owned(),
            _ => {
                let folder = super::path::join(self.world.cwd, &self.state.folder());
                return Some(Field::known(super::path::join(&folder, &path.text)).doubted().text + "\n");
            }
        };
        Some(part + "\n")
    }

    /// What files hold one after the other, as far as the line has written them; without any, standard input.
    fn files_together(&self, args: &[Field]) -> Output {
        let files: Vec<&Field> = args.iter().filter(|arg| arg.text == "-" || !arg.text.starts_with('-')).collect();
        if files.is_empty() {
            return self.feed.input.clone();
        }
        let text = |file: &&Field| match file.text.as_str() {
            "-" => self.feed.input.clone(),
            _ => self.written(file)?.input.clone(),
        };
        let mut prints = Prints::default();
        for file in &files {
            prints.add(text(file));
        }
        prints.output(self.shared)
    }
}

/// What `sed s/a/b/` puts in the place of what, if both are plain text.
fn substituted<'t>(args: &[&'t str]) -> Option<(&'t str, &'t str)> {
    let [script] = args else { return None };
    let rest = script.strip_prefix('s')?;
    let mark = rest.chars().next().filter(char::is_ascii_punctuation)?;
    let mut parts = rest.get(mark.len_utf8()..)?.splitn(3, mark);
    let (from, to) = (parts.next()?, parts.next()?);
    let plain = |text: &str| !text.contains(['\\', '.', '*', '[', '^', '$', '&']);
    (!from.is_empty() && plain(from) && plain(to) && parts.next().is_some()).then_some((from, to))
}

fn is_silent(name: &str, args: &[&str]) -> bool {
    let is_option = |text: &str, letter| text.starts_with('-') && !text.starts_with("--") && text.contains(letter);
    if SILENT_WITH_NAMES.contains(&name) {
        let is_name = |text: &str| !text.starts_with('-') || name == "set" && text != "-o";
        return args.iter().any(|text| is_name(text)) && !args.iter().any(|text| is_option(text, 'p'));
    }
    let speaks = |text: &str| is_option(text, 'v') || matches!(text, "-" | "--verbose" | "--help" | "--version");
    SILENT.contains(&name) && !args.iter().any(|text| speaks(text))
}

/// Where the one program is that is asked for: in some folder, but under its own name.
fn located(args: &[Field]) -> Output {
    let mut names = args.iter().filter(|arg| !arg.text.starts_with('-'));
    let name = names.next().filter(|_| names.next().is_none())?;
    Some(name.clone().doubted().text + "\n")
}

fn echo(args: &[&str]) -> Output {
    let is_option = |text: &&&str| {
        text.len() > 1 && text.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|b| b"neE".contains(&b)))
    };
    let options = args.iter().take_while(is_option).count();
    let (options, words) = args.split_at(options);
    let text = words.join(" ");
    let escapes = options.iter().flat_map(|option| option.chars()).rfind(|letter| matches!(letter, 'e' | 'E'));
    let mut text = if escapes == Some('e') { unescape(&text, Dialect::Echo)? } else { text };
    if !options.iter().any(|option| option.contains('n')) {
        text.push('\n');
    }
    Some(text)
}

fn printf(args: &[&str]) -> Output {
    let args = args.strip_prefix(&["--"]).unwrap_or(args);
    let (format, mut words) = args.split_first()?;
    if format.starts_with('-') {
        return None;
    }
    let mut text = String::new();
    loop {
        let before = words.len();
        let mut pieces = format.split('%');
        text.push_str(&unescape(pieces.next()?, Dialect::Format)?);
        while let Some(piece) = pieces.next() {
            let Some(kind) = piece.chars().next() else {
                text.push('%');
                text.push_str(&unescape(pieces.next()?, Dialect::Format)?);
                continue;
            };
            let (word, rest) = words.split_first().map_or(("", words), |(word, rest)| (*word, rest));
            words = rest;
            match kind {
                's' => text.push_str(word),
                'c' => text.extend(word.chars().next()),
                'b' => text.push_str(&unescape(word, Dialect::Argument)?),
                'd' | 'i' if word.parse::<i64>().is_ok() => text.push_str(word.trim_start_matches('+')),
                _ => return None,
            }
            text.push_str(&unescape(piece.get(1..)?, Dialect::Format)?);
        }
        if words.is_empty() || words.len() == before || text.len() > LONGEST {
            return (words.is_empty() || words.len() == before).then_some(text);
        }
    }
}

/// Each line from its end to its beginning.
fn reversed(text: &str) -> String {
    text.lines().map(|line| line.chars().rev().chain(['\n']).collect::<String>()).collect()
}

/// `tr SET SET`, where both are letters and ranges, and `tr -d SET`.
fn translated(text: &str, args: &[&str]) -> Output {
    match args {
        ["-d", set] => {
            let set = members(set)?;
            Some(text.chars().filter(|letter| !set.contains(letter)).collect())
        }
        [from, to] if !from.starts_with('-') => {
            let (from, to) = (members(from)?, members(to)?);
            let last = to.last()?;
            let other = |letter: char| from.iter().position(|known| *known == letter);
            let translate = |letter| other(letter).map_or(letter, |at| *to.get(at).unwrap_or(last));
            Some(text.chars().map(translate).collect())
        }
        _ => None,
    }
}

/// The characters of a set such as `a-zA`; `None` for classes and escapes.
fn members(set: &str) -> Option<Vec<char>> {
    if set.contains(['\\', '[']) || set.len() > 128 {
        return None;
    }
    let letters: Vec<char> = set.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = letters.get(at) {
        match (letters.get(at + 1), letters.get(at + 2)) {
            (Some('-'), Some(last)) => {
                found.extend(*first..=*last);
                at += 3;
            }
            _ => {
                found.push(*first);
                at += 1;
            }
        }
    }
    Some(found)
}

/// `cut -c3-`, `cut -d: -f2`: a part of each line.
fn cut(text: &str, args: &[&str]) -> Output {
    let joined = args.concat();
    let range = |list: &str| -> Option<(usize, usize)> {
        let (from, to) = list.split_once('-').unwrap_or((list, list));
        let from: usize = if from.is_empty() { 1 } else { from.parse().ok()? };
        let to: usize = if to.is_empty() { usize::MAX } else { to.parse().ok()? };
        Some((from.checked_sub(1)?, to.checked_sub(from)?.saturating_add(1)))
    };
    let lines = |part: &dyn Fn(&str) -> String| text.lines().map(|line| part(line) + "\n").collect::<String>();
    if let Some((from, length)) = joined.strip_prefix("-c").and_then(range) {
        return Some(lines(&|line| line.chars().skip(from).take(length).collect()));
    }
    let rest = joined.strip_prefix("-d")?;
    let mark = rest.chars().next()?;
    let (from, length) = rest.get(mark.len_utf8()..)?.strip_prefix("-f").and_then(range)?;
    Some(lines(&|line| line.split(mark).skip(from).take(length).collect::<Vec<_>>().join(&mark.to_string())))
}

/// The first text with a blank in it that stands in JSON or YAML.
fn first_text(text: &str) -> Option<String> {
    let texts = text.split(['"', '\'']).map(|piece| piece.trim_start_matches([':', ' ']).trim_end());
    let mut plain = texts.filter_map(|piece| piece.split_once(": ").map_or(Some(piece), |(_, value)| Some(value)));
    plain.find(|piece| piece.contains(' ')).map(|piece| format!("{piece}\n"))
}

fn base64(text: &str) -> Output {
    String::from_utf8(base64_bytes(text)?).ok()
}

/// What a text in base 64 holds; `None` if it is none.
pub(crate) fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for letter in text.bytes().filter(|letter| !letter.is_ascii_whitespace() && *letter != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xff_ffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 255).unwrap_or_default());
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn echo_prints_its_words() {
        assert_eq!(echo(&["a", "b"]).as_deref(), Some("a b\n"));
        assert_eq!(echo(&["-ne", "a\\tb"]).as_deref(), Some("a\tb"));
        assert_eq!(echo(&["-x"]).as_deref(), Some("-x\n"));
        assert_eq!(echo(&["-e", "a\\c"]), None);
    }

    #[test]
    fn printf_repeats_its_format() {
        assert_eq!(printf(&["%s-", "1", "2"]).as_deref(), Some("1-2-"));
        assert_eq!(printf(&["100%%\\n"]).as_deref(), Some("100%\n"));
        assert_eq!(printf(&["--", "x"]).as_deref(), Some("x"));
        assert_eq!(printf(&["%5.2f", "1"]), None);
    }

    #[test]
    fn only_text_is_decoded() {
        assert_eq!(base64("cm0gLXJmIC8=").as_deref(), Some("rm -rf /"));
        assert_eq!(base64("/w=="), None);
        assert_eq!(base64("a b!"), None);
    }
}
