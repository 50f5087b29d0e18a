//! Hiding secrets in text that goes to a log.
//!
//! One pass from left to right; what a rule looks at, it consumes or has bounded, so the time is linear in the text.
//! Positions are bytes, always next to an ASCII character, so they never fall inside another one.

use std::borrow::Cow;

use super::secret_name;
use super::token::{self, looks_random};

const REDACTED: &str = "[redacted]";
/// How far before an option its program may stand.
const NEARBY: usize = 200;

/// The text with every secret that can be recognised replaced by `[redacted]`.
pub fn redact(text: &str) -> Cow<'_, str> {
    let scanner = Scanner { text };
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

struct Scanner<'a> {
    text: &'a str,
}

impl<'a> Scanner<'a> {
    fn step(&self, position: usize) -> Step {
        match self.at(position) {
            b'\\' => Step::Skip(position + self.escape(position)),
            b':' if self.rest(position).starts_with("://") => self.address(position + 3),
            b'-' if self.rest(position).starts_with("-----BEGIN ") => self.private_key(position),
            byte if is_word(byte) => self.word(position),
            _ => Step::Skip(position + 1),
        }
    }

    /// A word, and whatever its meaning says about the text behind it.
    fn word(&self, start: usize) -> Step {
        let end = self.run(start, is_word);
        let word = self.slice(start, end);
        if let Some(length) = token::recognise(word) {
            return Step::Hide { start, end: start + length };
        }
        let name = word.trim_start_matches('-');
        let secret = if ends_with_word(name, "authorization") {
            self.authorization(end)
        } else if name.eq_ignore_ascii_case("bearer") {
            self.bearer(end)
        } else if matches!(word, "-u" | "--user" | "--proxy-user") {
            self.account(end)
        } else if word.starts_with("-p") {
            self.password_option(start, end)
        } else if secret_name::is_secret(name) {
            self.assigned(end).or_else(|| {
                (word.starts_with("--") && secret_name::is_credential(name)).then(|| self.argument(end)).flatten()
            })
        } else {
            None
        };
        match secret {
            Some((start, end)) => Step::Hide { start, end },
            None => Step::Skip(end),
        }
    }

    /// The value in `name=value`, `name = "value"`, `name: value`, `"name": "value"`.
    ///
    /// Without quotes and with blanks around it, a value counts if it looks like one; prose and code do not.
    fn assigned(&self, name_end: usize) -> Option<(usize, usize)> {
        let quote = self.quote(name_end);
        let after_name = name_end + quote;
        let separator = self.run(after_name, is_blank);
        if !matches!(self.at(separator), b'=' | b':') {
            return None;
        }
        // Comparisons and arrows, `:=` excepted.
        let operator = if self.rest(separator).starts_with(":=") { 2 } else { 1 };
        if matches!(self.at(separator + operator), b'=' | b'>' | b':') || self.rest(separator).starts_with("://") {
            return None;
        }
        let value = self.run(separator + operator, is_blank);
        let tight = self.at(separator) == b'=' && value == after_name + 1;
        let mut found = self.value(value)?;
        if quote > 0 && self.quote(value) == 0 {
            found.1 = found.0 + self.slice(found.0, found.1).trim_end_matches(['}', ']', ',']).len();
        }
        (tight || self.quote(value) > 0 || looks_random(self.slice(found.0, found.1))).then_some(found)
    }

    /// The value in `--password value`.
    fn argument(&self, name_end: usize) -> Option<(usize, usize)> {
        let start = self.run(name_end, is_blank);
        (start > name_end && self.at(start) != b'-').then(|| self.value(start)).flatten()
    }

    /// The password in `-u user:password`. Two numbers are a user and a group.
    fn account(&self, name_end: usize) -> Option<(usize, usize)> {
        let start = if self.at(name_end) == b'=' { name_end + 1 } else { self.run(name_end, is_blank) };
        let (start, end) = (start > name_end).then(|| self.value(start)).flatten()?;
        let account = self.slice(start, end);
        let password = start + account.find(':')? + 1;
        let elsewhere = self.rest(password).starts_with("//");
        let ids = account.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
        (!ids && !elsewhere).then(|| self.hidden(password, end)).flatten()
    }

    /// The password in `mysql -psecret` and `sshpass -p secret`; elsewhere, `-p` is anything but one.
    fn password_option(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let nearby = self.slice(self.text.floor_char_boundary(start.saturating_sub(NEARBY)), start);
        // Most are of other programs, and a text may be full of them.
        if !["mysql", "mariadb", "sshpass"].iter().any(|program| nearby.contains(program)) {
            return None;
        }
        let command = nearby.rsplit(['|', ';', '&', '\n']).next().unwrap_or_default();
        let program = |wanted: &[&str]| {
            let words = command.split(|c: char| !c.is_ascii_alphanumeric());
            words.into_iter().any(|word| wanted.iter().any(|program| word.starts_with(program)))
        };
        let attached = end > start + 2 || self.quote(end) > 0;
        if attached && program(&["mysql", "mariadb", "sshpass"]) {
            self.value(start + 2)
        } else if !attached && program(&["sshpass"]) {
            self.argument(end)
        } else {
            None
        }
    }

    /// The credentials in `Authorization: Bearer …`; the scheme stays.
    fn authorization(&self, name_end: usize) -> Option<(usize, usize)> {
        let after_name = name_end + self.quote(name_end);
        let separator = self.run(after_name, is_blank);
        if !matches!(self.at(separator), b'=' | b':') {
            return None;
        }
        let value = self.run(separator + 1, is_blank);
        let value = value + self.quote(value);
        let scheme_end = self.run(value, is_word);
        let credentials = self.run(scheme_end, is_blank);
        let scheme = self.slice(value, scheme_end);
        let is_one_of = |schemes: &[&str]| schemes.iter().any(|known| scheme.eq_ignore_ascii_case(known));
        if credentials > scheme_end && is_one_of(&["basic", "bearer", "negotiate", "token"]) {
            self.hidden(credentials, self.run(credentials, is_unquoted))
        } else if credentials > scheme_end && is_one_of(&["aws4-hmac-sha256", "digest", "hawk", "oauth"]) {
            // These send several parameters, up to the end of the header.
            self.hidden(credentials, self.run(credentials, |byte| is_unquoted(byte) || is_blank(byte)))
        } else {
            self.hidden(value, self.run(value, is_unquoted))
        }
    }

    /// The token behind `Bearer`; a bearer of good news has none.
    fn bearer(&self, word_end: usize) -> Option<(usize, usize)> {
        let start = self.run(word_end, is_blank);
        let end = self.run(start, is_unquoted);
        (start > word_end && end - start >= 16 && looks_random(self.slice(start, end)))
            .then(|| self.hidden(start, end))
            .flatten()
    }

    /// The password in `scheme://user:password@host`.
    fn address(&self, start: usize) -> Step {
        let end = self.run(start, |byte| is_unquoted(byte) && !matches!(byte, b'/' | b'?' | b'#'));
        let authority = self.slice(start, end);
        let password = authority.rfind('@').and_then(|at| {
            let colon = authority.get(..at)?.find(':')?;
            self.hidden(start + colon + 1, start + at)
        });
        match password {
            Some((start, end)) => Step::Hide { start, end },
            // What follows may still be a token, such as a user name that is one.
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
    fn value(&self, start: usize) -> Option<(usize, usize)> {
        let quote = self.quote(start);
        if quote == 0 {
            return self.hidden(start, self.run(start, |byte| is_unquoted(byte) && !matches!(byte, b'&' | b';')));
        }
        let inside = start + quote;
        let opening = self.slice(start, inside);
        let mut end = inside;
        while end < self.text.len() && self.at(end) != b'\n' {
            if self.rest(end).starts_with(opening) {
                break;
            }
            end += if self.at(end) == b'\\' { self.escape(end) } else { 1 };
        }
        self.hidden(inside, end.min(self.text.len()))
    }

    /// A secret, unless there is nothing there, it is hidden already, or it is a key in PEM: that one is longer than
    /// a value, and has a rule of its own.
    fn hidden(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let secret = self.slice(start, end);
        let elsewhere = secret.starts_with("[redacted") || secret.starts_with("-----BEGIN");
        (!secret.is_empty() && !elsewhere).then_some((start, end))
    }

    /// The length of the quote at a position, escaped as inside JSON or not; 0 when there is none.
    fn quote(&self, position: usize) -> usize {
        match (self.at(position), self.at(position + 1)) {
            (b'"' | b'\'' | b'`', _) => 1,
            (b'\\', b'"' | b'\'') => 2,
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

fn ends_with_word(name: &str, word: &str) -> bool {
    let Some(start) = name.len().checked_sub(word.len()) else { return false };
    name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(word))
        && name.get(..start).is_some_and(|before| before.is_empty() || before.ends_with(['-', '_']))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each text with what it must become.
    const HIDDEN: &[(&str, &str)] = &[
        ("Authorization: Bearer abc.def", "Authorization: Bearer [redacted]"),
        ("curl -H 'authorization: Basic dXNlcjpw' x", "curl -H 'authorization: Basic [redacted]' x"),
        ("-H \"Authorization: token abcdef\" url", "-H \"Authorization: token [redacted]\" url"),
        (r#"{"Authorization": "Bearer abc"}"#, r#"{"Authorization": "Bearer [redacted]"}"#),
        (r#"-H \"Authorization: Bearer abc\" x"#, r#"-H \"Authorization: Bearer [redacted]\" x"#),
        ("Authorization: abcdef", "Authorization: [redacted]"),
        ("Proxy-Authorization: Digest user=a, response=b\nHost: c", "Proxy-Authorization: Digest [redacted]\nHost: c"),
        ("sends Bearer 0123456789abcdef0 along", "sends Bearer [redacted] along"),
        ("mysql --password hunter -h db", "mysql --password [redacted] -h db"),
        ("curl -u me:hunter https://x", "curl -u me:[redacted] https://x"),
        ("mysql -u root -phunter shop", "mysql -u root -p[redacted] shop"),
        ("/usr/bin/mysqldump -p'hun ter' a", "/usr/bin/mysqldump -p'[redacted]' a"),
        ("sshpass -p hunter ssh a", "sshpass -p [redacted] ssh a"),
        ("ä; SSHPASS=1 sshpass -phunter ssh a", "ä; SSHPASS=1 sshpass -p[redacted] ssh a"),
        ("curl --user 'me:a b' x", "curl --user 'me:[redacted]' x"),
        ("curl --proxy-user=me:1234 x", "curl --proxy-user=me:[redacted] x"),
        ("gh --token=abc repo", "gh --token=[redacted] repo"),
        ("x --api-key 'a b c' y", "x --api-key '[redacted]' y"),
        ("GITHUB_TOKEN=abc make", "GITHUB_TOKEN=[redacted] make"),
        ("export DB_PASSWORD='it is \"me\"' x", "export DB_PASSWORD='[redacted]' x"),
        ("AWS_SECRET_ACCESS_KEY=a/b+c; ls", "AWS_SECRET_ACCESS_KEY=[redacted]; ls"),
        ("STRIPE_KEY=abc", "STRIPE_KEY=[redacted]"),
        ("https://x/?access_token=abc&page=2", "https://x/?access_token=[redacted]&page=2"),
        (r#"{"password": "a\"b", "user": "c"}"#, r#"{"password": "[redacted]", "user": "c"}"#),
        (r#"{\"password\": \"ab\", \"user\": \"c\"}"#, r#"{\"password\": \"[redacted]\", \"user\": \"c\"}"#),
        (r#"{"pin_secret":12345}"#, r#"{"pin_secret":[redacted]}"#),
        (
            "PRIVATE_KEY=\"-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\" x",
            "PRIVATE_KEY=\"[redacted]\" x",
        ),
        ("curl -H Authorization:abcdef https://x", "curl -H Authorization:[redacted] https://x"),
        ("password = \"abc\"", "password = \"[redacted]\""),
        ("let apiKey := 'abc'", "let apiKey := '[redacted]'"),
        ("password: hunter2\nuser: a", "password: [redacted]\nuser: a"),
        ("postgres://me:pa:ss@db:5432/x", "postgres://me:[redacted]@db:5432/x"),
        ("key sk-proj-0123456789abcdefABCDEF ok", "key [redacted] ok"),
        ("(ghp_0123456789abcdefghij0123456789abcdef)", "([redacted])"),
        (r#""a\ngho_0123456789abcdefghij0123456789abcdef\n""#, r#""a\n[redacted]\n""#),
        ("github_pat_11ABCDEFG0123456789_abc", "[redacted]"),
        ("https://ghp_0123456789abcdefghij0123456789abcdef@github.com/a/b", "https://[redacted]@github.com/a/b"),
        ("xoxb-123456789012-abcdef", "[redacted]"),
        ("AKIAIOSFODNN7EXAMPLE.", "[redacted]."),
        ("AIzaSyA0123456789abcdefghijklmnopqrstuv", "[redacted]"),
        ("glpat-0123456789abcdefghij", "[redacted]"),
        ("//x/:_authToken=npm_0123456789abcdefghijklmnopqrstuvwxyz", "//x/:_authToken=[redacted]"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "[redacted]"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nx", "[redacted]\nx"),
        (r"a -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n", r"a [redacted]\n"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nMII", "[redacted]"),
        ("ünï PASSWORD=gehéim ☃", "ünï PASSWORD=[redacted] ☃"),
    ];

    const KEPT: &[&str] = &[
        "",
        "token_count=3 max_tokens: 4096",
        "the token: expired, the password: must be longer",
        "task-key and disk-usage-by-team-2026-report",
        "sk-learn and sk-",
        "commit 3f2a9c1e77aa4a0e9c550123456789abcdef0123",
        "3f2a9c1e-77aa-4a0e-9c55-0123456789ab",
        "git log -p src && ssh -p 2222 host && mkdir -p a/b",
        "docker login --password-stdin registry.example.com",
        "docker run -u 1000:1000 image && git push -u origin main:main && wget --user me x",
        "pip -u https://example.com/a --user",
        "mysql -p shop; mkdir -parents a && ssh -p 22 b -p2222",
        "tool --token --verbose",
        "if token == next || password => x",
        "let token = lexer.next();",
        "bearer of bad news, a bearer",
        "the Authorization header",
        "https://example.com:8080/a@b?c=d:e@f",
        "ssh://git@github.com/a/b.git and git@github.com:a/b.git",
        "npm_config_registry and npm_lifecycle_event",
        "PWD=/home/me KEY_COUNT=3 KEYBOARD=de",
        "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----",
        "AKIA is a prefix, AKIAlower0123456789ab is none",
        "eyJ.a.b and file.tar.gz",
        "PASSWORD= \nnext",
        "Rust::token::Kind and secret::Name",
        r"C:\new\token\path",
    ];

    #[test]
    fn secrets_are_hidden_and_the_text_around_them_stays() {
        for (text, expected) in HIDDEN {
            assert_eq!(redact(text), *expected, "{text}");
        }
    }

    #[test]
    fn look_alikes_stay_and_cost_no_copy() {
        for text in KEPT {
            assert!(matches!(redact(text), Cow::Borrowed(same) if same == *text), "{text}: {}", redact(text));
        }
    }

    #[test]
    fn several_secrets_in_one_text_are_all_hidden() {
        let text = "A_TOKEN=one B_TOKEN=two curl --password three https://u:four@h";
        assert_eq!(
            redact(text),
            "A_TOKEN=[redacted] B_TOKEN=[redacted] curl --password [redacted] https://u:[redacted]@h"
        );
    }

    #[test]
    fn what_is_redacted_stays_as_it_is_the_second_time() {
        for (text, _) in HIDDEN {
            let once = redact(text);
            assert_eq!(redact(&once), once, "{text}");
        }
    }

    #[test]
    fn hostile_text_takes_no_longer_than_its_length_asks() {
        let start = std::time::Instant::now();
        for unit in ["token=\"", "password: ", "-----BEGIN ", "://a:", "\\u0", "Authorization: x ", "a-", "eyJ.", "\\"]
        {
            let _ = redact(&unit.repeat(50_000));
        }
        assert!(start.elapsed() < std::time::Duration::from_secs(20));
    }

    proptest! {
        #[test]
        fn any_text_is_scanned_without_a_slip(text in r#"(password|--token|Bearer|://|-----BEGIN |[=:"'\\ @é🦀\n]|[a-z0-9]){0,40}"#) {
            let redacted = redact(&text);
            if !redacted.contains(REDACTED) {
                prop_assert_eq!(redacted.as_ref(), text.as_str());
            }
        }
    }
}
