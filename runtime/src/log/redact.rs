//! Hiding secrets in text that goes to a log.
//!
//! One pass from left to right. What a rule looks at, it hides, or it has looked at no more than a bounded part of it: so
//! the time is linear in the text, whatever the text is. Positions are bytes, always next to an ASCII character, so they
//! never fall inside another one.

mod headers;

use std::borrow::Cow;

use super::account;
use super::password_option::{self, Form, Options};
use super::secret_name::{self, Kind};
use super::token::{self, is_surely_random, looks_random};

const REDACTED: &str = "[redacted]";
/// How much of a text may decide whether it is a secret.
const GLANCE: usize = 64;
/// Addresses that let whoever knows them post: the end of the host's name, how the path begins.
const WEBHOOKS: &[(&str, &str)] = &[
    ("discord.com", "/api/webhooks/"),
    ("discordapp.com", "/api/webhooks/"),
    ("hooks.slack.com", "/services/"),
    ("hooks.slack.com", "/triggers/"),
    ("hooks.slack.com", "/workflows/"),
    ("hooks.zapier.com", "/hooks/"),
    ("maker.ifttt.com", "/trigger/"),
    ("outlook.office.com", "/webhook/"),
    (".webhook.office.com", "/webhookb2/"),
];

/// Commands that read a password from their input, by words that each of them has.
const READERS: &[&[&str]] = &[
    &["chpasswd"],
    &["passwd", "--stdin"],
    &["sudo", "-S"],
    &["--password-stdin"],
    &["--with-token"],
    &["--passphrase-fd"],
    &["cryptsetup"],
    &["gh", "secret"],
    &["kinit"],
    &["pass", "insert"],
    &["read", "-s"],
    &["secret-tool", "store"],
    &["vercel", "env"],
    &["wrangler", "secret"],
];

/// The text with every secret that can be recognised replaced by `[redacted]`.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut scanner = Scanner { text, command: Command::default() };
    let mut output = String::new();
    let (mut copied, mut position) = (0, 0);
    while position < text.len() {
        match scanner.step(position) {
            Step::Skip(next) => position = next.max(position + 1),
            Step::Hide { start, end } => {
                output.push_str(scanner.slice(copied, start));
                output.push_str(REDACTED);
                (copied, position) = (end, end.max(position + 1));
            }
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    output.push_str(scanner.slice(copied, text.len()));
    Cow::Owned(output)
}

enum Step {
    /// Nothing to hide before this position.
    Skip(usize),
    /// The secret; the text before `start` stays.
    Hide { start: usize, end: usize },
}

type Secret = Option<(usize, usize)>;

struct Scanner<'a> {
    text: &'a str,
    command: Command<'a>,
}

/// The command at hand, as far as it has been read.
#[derive(Default)]
struct Command<'a> {
    start: usize,
    program: &'a str,
    /// The program's options with secrets.
    options: Options,
    /// How many words without an option came behind the program.
    words: u8,
}

impl<'a> Scanner<'a> {
    fn step(&mut self, position: usize) -> Step {
        match self.at(position) {
            b'\\' => {
                if self.at(position + 1) == b'n' {
                    self.command = Command { start: position + 2, ..Command::default() };
                }
                Step::Skip(position + self.escape(position))
            }
            b'|' | b';' | b'&' | b'\n' => {
                self.command = Command { start: position + 1, ..Command::default() };
                Step::Skip(position + 1)
            }
            b'<' if self.rest(position).starts_with("<<<") => {
                self.given(position).map_or(Step::Skip(position + 3), |(start, end)| Step::Hide { start, end })
            }
            // A character of an address, spelled in hexadecimal.
            b'%' if self.run(position + 1, |byte| byte.is_ascii_hexdigit()) >= position + 3 => Step::Skip(position + 3),
            b':' if self.rest(position).starts_with("://") => self.address(position + 3),
            b'-' if self.rest(position).starts_with("-----BEGIN ") => self.private_key(position),
            byte if is_word(byte) => self.word(position),
            _ => Step::Skip(position + 1),
        }
    }

    /// A word, and whatever its meaning says about the text behind it.
    fn word(&mut self, start: usize) -> Step {
        if let Some(length) = token::recognise(self.rest(start)) {
            return Step::Hide { start, end: start + length };
        }
        let end = self.run(start, is_word);
        let word = self.slice(start, end);
        if let Some(length) = token::recognise_word(word, self.rest(end)) {
            return Step::Hide { start, end: start + length };
        }
        let secret =
            self.announced(word, end).or_else(|| self.option(word, start, end)).or_else(|| self.named(start, end));
        let secret = secret.or_else(|| self.piped(word, end)).or_else(|| self.placed(start, end));
        if let Some(options) = password_option::of(word, self.command.program) {
            self.command = Command { program: word, options, words: 0, ..self.command };
        }
        match secret {
            Some((start, end)) => Step::Hide { start, end },
            None => Step::Skip(end),
        }
    }

    /// What follows a word that can announce nothing else.
    fn announced(&self, word: &str, end: usize) -> Secret {
        let name = word.trim_start_matches('-');
        if ends_with_word(name, "authorization") {
            self.authorization(end)
        } else if ends_with_word(name, "cookie") {
            self.cookies(end)
        } else if name.eq_ignore_ascii_case("bearer") {
            self.bearer(end)
        } else if name.eq_ignore_ascii_case("basic") {
            self.basic(end)
        } else if matches!(word, "-u" | "--user" | "--proxy-user") {
            self.account(end, b':')
        } else if word.starts_with("-pass") && self.rest(end).starts_with(" pass:") {
            self.secret(end + " pass:".len(), is_unquoted)
        } else if self.at(end) == b'/' {
            let path = self.rest(end);
            let hook = WEBHOOKS.iter().find(|(host, start)| word.ends_with(host) && path.starts_with(start));
            hook.and_then(|(_, start)| self.secret(end + start.len(), |byte| is_unquoted(byte) && byte != b'?'))
        } else {
            None
        }
    }

    /// The secret in `mysql -psecret` and `redis-cli -a secret`; elsewhere, such an option is anything else.
    fn option(&self, word: &str, start: usize, end: usize) -> Secret {
        let (name, form) = password_option::find(self.command.options, word)?;
        let attached = word.len() > name.len() || self.quote(end) > 0;
        match form {
            Form::Attached | Form::Either if attached => self.value(start + name.len()),
            Form::Next | Form::Either if self.at(end) == b'=' => self.value(end + 1),
            Form::Next | Form::Either => {
                // `gh auth login -p https` chooses a protocol.
                let chosen = |(start, end): &(usize, usize)| !matches!(self.slice(*start, *end), "https" | "ssh");
                self.argument(end).filter(chosen)
            }
            Form::Behind(mark) if attached => self.behind(start + name.len(), mark),
            Form::Behind(mark) => self.account(end, mark),
            Form::Cookies => self.argument(end).filter(|(start, end)| self.slice(*start, *end).contains('=')),
            Form::Attached | Form::Word(_) => None,
        }
    }

    /// The secret in `vault login secret`, which has no option before it and no name.
    fn placed(&mut self, start: usize, end: usize) -> Secret {
        let first = password_option::first_word(self.command.options)?;
        let open = start - usize::from(start > 0 && matches!(self.at(start - 1), b'"' | b'\''));
        let is_argument = open > 0 && is_blank(self.at(open - 1)) && self.at(start) != b'-' && self.at(end) != b'=';
        self.command.words += u8::from(is_argument && self.command.words < first);
        (is_argument && self.command.words == first && !self.is_reference(start)).then(|| self.value(open)).flatten()
    }

    /// The password in `kinit me <<< secret`.
    fn given(&self, mark: usize) -> Secret {
        let from = self.text.ceil_char_boundary(self.command.start.max(mark.saturating_sub(GLANCE)));
        let value = self.run_within(mark + 3, is_blank);
        (reads_secret(self.slice(from, mark)) && !self.is_reference(value)).then(|| self.value(value)).flatten()
    }

    /// The password in `echo secret | sudo -S …`. Only so much is looked at that a password may have.
    fn piped(&self, word: &str, end: usize) -> Secret {
        if !matches!(word, "echo" | "printf") {
            return None;
        }
        let mut start = self.run_within(end, is_blank);
        for skipped in ["-n ", "-e ", "'%s' ", "'%s\\n' ", "\"%s\" ", "%s "] {
            start += if self.rest(start).starts_with(skipped) { skipped.len() } else { 0 };
        }
        let quote = self.quote(start);
        let inside = start + quote;
        let last = self.at(inside.saturating_sub(1));
        let close = match quote {
            0 => self.run_within(inside, |byte| is_unquoted(byte) && byte != b'|'),
            _ => self.run_within(inside, |byte| byte != last && byte != b'\n'),
        };
        let pipe = self.run_within(close + quote, is_blank);
        if self.at(pipe) != b'|' || close == inside || self.is_settled(inside) {
            return None;
        }
        let reader = self.run_within(pipe + 1, |byte| !matches!(byte, b'|' | b';' | b'&' | b'\n'));
        let reader = self.slice(pipe + 1, self.text.floor_char_boundary(reader));
        reads_secret(reader).then_some((inside, close))
    }

    /// What a name assigns, takes as an argument or encloses.
    fn named(&self, start: usize, end: usize) -> Secret {
        let word = self.slice(start, end);
        let name = word.trim_start_matches('-');
        let next = self.run_within(self.behind_name(end), is_blank);
        if matches!(self.at(next), b'=' | b':') {
            self.assigned(secret_name::kind(name), start, end)
        } else if self.at(end) == b'>' && start > 0 && self.at(start - 1) == b'<' {
            let is_secret = matches!(secret_name::kind(name), Kind::Credential | Kind::Secret);
            let inside = is_secret.then(|| self.secret(end + 1, |byte| !matches!(byte, b'<' | b'\n'))).flatten();
            inside.filter(|(_, end)| self.rest(*end).starts_with("</"))
        } else if word.starts_with("--") {
            (secret_name::kind(name) == Kind::Credential).then(|| self.argument(end)).flatten()
        } else {
            self.beside(name, end, next)
        }
    }

    /// The value in `aws configure set aws_secret_access_key value`: only its looks tell it from the next word of a text.
    fn beside(&self, name: &str, name_end: usize, value: usize) -> Secret {
        let end = self.run_within(value, |byte| is_unquoted(byte) && !matches!(byte, b'.' | b'/' | b':'));
        let plausible = value > name_end && is_surely_random(self.slice(value, end)) && self.at(end) != b'/';
        (plausible && secret_name::kind(name) == Kind::Credential).then(|| self.secret(value, is_unquoted)).flatten()
    }

    /// The value in `name=value`, `name = "value"`, `name: value`, `"name": "value"`.
    ///
    /// Without quotes and with blanks around it, a value counts if it looks like one; prose and code do not.
    fn assigned(&self, kind: Kind, start: usize, name_end: usize) -> Secret {
        let quote = self.quote(name_end);
        let after_name = self.behind_name(name_end);
        let separator = self.run_within(after_name, is_blank);
        // Comparisons and arrows, `:=` excepted.
        let operator = if self.rest(separator).starts_with(":=") { 2 } else { 1 };
        if matches!(self.at(separator + operator), b'=' | b'>' | b':') || self.rest(separator).starts_with("://") {
            return None;
        }
        let value = self.run_within(separator + operator, is_blank);
        let close = value == after_name + 1;
        let tight = self.at(separator) == b'=' && close;
        let before = if start > 0 { self.at(start - 1) } else { 0 };
        let quoted = self.quote(value);
        let inside = value + quoted;
        let glance = self.glance(inside);
        // `/password:secret`, as programs of Windows have it.
        let switch = before == b'/' && self.at(separator) == b':' && close && secret_name::may_be_password(glance);
        let plausible = match kind {
            Kind::Other => false,
            _ if quote == 0 && self.is_reference(inside) => false,
            Kind::Credential | Kind::Secret => tight || quoted > 0 || switch || looks_random(glance),
            Kind::Short => {
                let listed = (matches!(before, b'?' | b'&' | b';') || self.rest(start).starts_with("--")) && tight;
                (quote > 0 || listed || switch) && secret_name::may_be_password(glance)
            }
            Kind::Signature => tight && glance.len() >= 16 && looks_random(glance),
            Kind::Account => account::is_encoded(glance) || is_surely_random(glance),
        };
        let mut found = plausible.then(|| self.value(value)).flatten()?;
        if quote > 0 && quoted == 0 {
            found.1 = found.0 + self.slice(found.0, found.1).trim_end_matches(['}', ']', ',']).len();
        }
        Some(found)
    }

    /// The value in `--password value`, also in `--with-token <<< value`.
    fn argument(&self, name_end: usize) -> Secret {
        let next = self.run_within(name_end, is_blank);
        let given = if self.rest(next).starts_with("<<<") { next + 3 } else { next };
        let start = self.run_within(given, is_blank);
        let is_value = start > name_end && self.at(start) != b'-' && !self.is_reference(start + self.quote(start));
        is_value.then(|| self.value(start)).flatten()
    }

    /// Whether the value there is that of a variable or of a command, which the text does not tell.
    fn is_reference(&self, start: usize) -> bool {
        let Some(rest) = self.rest(start).strip_prefix('$') else { return false };
        let quote = if start > 0 { self.at(start - 1) } else { 0 };
        if rest.starts_with('(') || quote == b'\'' {
            return !matches!(quote, b'"' | b'\'');
        }
        let braces = usize::from(rest.starts_with('{'));
        let name = start + 1 + braces;
        let end = self.run_within(name, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        let end = end + usize::from(braces > 0 && self.at(end) == b'}');
        let ends = !is_unquoted(self.at(end)) || matches!(self.at(end), b'&' | b';' | b',' | b')' | 0);
        end > name && ends
    }

    /// Behind a name, its quote and the bracket that may be around both: `environ['NAME']`.
    fn behind_name(&self, end: usize) -> usize {
        let quote = self.quote(end);
        end + quote + usize::from(quote > 0 && self.at(end + quote) == b']')
    }

    /// The password in `-u user:password`, where the mark is the colon. Two numbers are a user and a group.
    fn account(&self, name_end: usize, mark: u8) -> Secret {
        let start = if self.at(name_end) == b'=' { name_end + 1 } else { self.run_within(name_end, is_blank) };
        (start > name_end).then(|| self.behind(start, mark)).flatten()
    }

    /// The password behind a user's name and the mark.
    fn behind(&self, start: usize, mark: u8) -> Secret {
        let user = start + self.quote(start);
        let colon = self.run_within(user, |byte| is_unquoted(byte) && byte != mark);
        if self.at(colon) != mark || self.rest(colon).starts_with("://") {
            return None;
        }
        let (_, end) = self.value(start)?;
        let ids = self.slice(user, end).bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
        (!ids && end > colon + 1).then_some((colon + 1, end))
    }

    /// The password in `scheme://user:password@host`, or a user that is one.
    fn address(&self, start: usize) -> Step {
        let end = self.run(start, |byte| is_unquoted(byte) && !matches!(byte, b'/' | b'?' | b'#'));
        let authority = self.slice(start, end);
        let secret = authority.rfind('@').and_then(|at| {
            let user = authority.get(..at)?;
            match user.find(':') {
                Some(colon) => (!self.is_settled(start + colon + 1)).then_some((start + colon + 1, start + at)),
                None => is_surely_random(user).then_some((start, start + at)),
            }
        });
        match secret.filter(|(from, to)| to > from) {
            Some((start, end)) => Step::Hide { start, end },
            // What follows may still be a token, or the address of a webhook.
            None => Step::Skip(start),
        }
    }

    /// A private key in PEM, with its first and last line; without a last line, all the rest.
    fn private_key(&self, start: usize) -> Step {
        let body = start + "-----BEGIN ".len();
        let label_end = self.run(body, |byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b' '));
        if !self.slice(body, label_end).contains("PRIVATE KEY") {
            return Step::Skip(label_end);
        }
        let end = self.rest(label_end).find("-----END ").map_or(self.text.len(), |offset| {
            let label = label_end + offset + "-----END ".len();
            let dashes = self.run(label, |byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b' '));
            self.run(dashes, |byte| byte == b'-')
        });
        Step::Hide { start, end }
    }

    /// A value: up to the closing quote, or up to the next blank.
    fn value(&self, start: usize) -> Secret {
        let quote = self.quote(start);
        if quote == 0 {
            return self.secret(start, |byte| is_unquoted(byte) && !matches!(byte, b'&' | b';'));
        }
        let inside = start + quote;
        if self.is_settled(inside) {
            return None;
        }
        let end = self.closing(inside, quote - 1, self.at(inside - 1));
        (end > inside).then_some((inside, end))
    }

    /// Where the quote closes that was opened with so many backslashes before it: inside a text within a text, each level
    /// doubles them. Twice as many and one more stand before a quote that belongs to the value.
    fn closing(&self, inside: usize, backslashes: usize, quote: u8) -> usize {
        let mut end = inside;
        while end < self.text.len() && self.at(end) != b'\n' {
            let before = self.run(end, |byte| byte == b'\\') - end;
            if self.at(end + before) == quote {
                let level = 2 * (backslashes + 1);
                if before < backslashes || before % level == backslashes {
                    return end + before - before.min(backslashes);
                }
            }
            end += before + usize::from(self.at(end + before) != b'\n');
        }
        end.min(self.text.len())
    }

    /// The run of such bytes, unless there is none or it needs no hiding any more.
    fn secret(&self, start: usize, accepts: impl Fn(u8) -> bool) -> Secret {
        if self.is_settled(start) {
            return None;
        }
        let end = self.run(start, accepts);
        (end > start).then_some((start, end))
    }

    /// Whether what stands there is hidden already, or a key in PEM: that one is longer than a value, and has a rule of
    /// its own.
    fn is_settled(&self, start: usize) -> bool {
        let rest = self.rest(start);
        rest.starts_with("[redacted") || rest.starts_with("-----BEGIN")
    }

    /// The length of the quote at a position, escaped as inside JSON or not; 0 when there is none.
    fn quote(&self, position: usize) -> usize {
        let backslashes = self.run_within(position, |byte| byte == b'\\') - position;
        match self.at(position + backslashes) {
            b'"' | b'\'' => backslashes + 1,
            b'`' if backslashes == 0 => 1,
            _ => 0,
        }
    }

    /// The length of an escape: its letter is no part of the word behind it.
    fn escape(&self, position: usize) -> usize {
        match self.at(position + 1) {
            b'n' | b'r' | b't' | b'b' | b'f' | b'"' | b'\'' | b'\\' | b'/' => 2,
            b'u' if self.run(position + 2, |byte| byte.is_ascii_hexdigit()) >= position + 6 => 6,
            _ => 1,
        }
    }

    /// Where a run of such bytes that starts at a position ends.
    fn run(&self, start: usize, accepts: impl Fn(u8) -> bool) -> usize {
        let bytes = self.text.as_bytes().get(start..).unwrap_or_default();
        start + bytes.iter().position(|byte| !accepts(*byte)).unwrap_or(bytes.len())
    }

    /// The same, but no further than a glance.
    fn run_within(&self, start: usize, accepts: impl Fn(u8) -> bool) -> usize {
        let bytes = self.text.as_bytes().get(start..).unwrap_or_default();
        let glance = bytes.get(..bytes.len().min(GLANCE)).unwrap_or_default();
        start + glance.iter().position(|byte| !accepts(*byte)).unwrap_or(glance.len())
    }

    /// The beginning of the value at a position, without its quotes.
    fn glance(&self, start: usize) -> &'a str {
        let end = self.run_within(start, |byte| is_unquoted(byte) && byte != b'&');
        self.slice(start, self.text.floor_char_boundary(end))
    }

    /// The byte at a position; 0, which no rule asks for, behind the end.
    fn at(&self, position: usize) -> u8 {
        self.text.as_bytes().get(position).copied().unwrap_or(0)
    }

    fn rest(&self, position: usize) -> &'a str {
        self.text.get(position..).unwrap_or_default()
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }
}

/// Whether a command reads a password from its input.
fn reads_secret(command: &str) -> bool {
    READERS.iter().any(|words| words.iter().all(|word| has_word(command, word)))
}

fn ends_with_word(name: &str, word: &str) -> bool {
    let Some(start) = name.len().checked_sub(word.len()) else { return false };
    name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(word))
        && name.get(..start).is_some_and(|before| before.is_empty() || before.ends_with(['-', '_']))
}

fn has_word(line: &str, word: &str) -> bool {
    line.split([' ', '\t', '"', '\'']).any(|one| one == word || one.rsplit('/').next() == Some(word))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Part of a value that no quotes enclose.
fn is_unquoted(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\')
}
