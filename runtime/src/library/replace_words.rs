//! Certain words of a shell line, exchanged for others.

use crate::signature::function;

/// The line with each word exchanged for its replacement, wherever it stands by itself and the other one can stand too.
pub fn replace_words(line: &str, words: &[impl AsRef<str>], replacements: &[impl AsRef<str>]) -> String {
    let words = words.iter().map(AsRef::as_ref);
    let mut pairs: Vec<(&str, &str)> = words.zip(replacements.iter().map(AsRef::as_ref)).collect();
    pairs.retain(|(word, _)| !word.is_empty());
    // The longest word first: one may be the beginning of another.
    pairs.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    let mut replaced = String::with_capacity(line.len());
    let mut place = Place::default();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let fitted = |(word, new): &(&str, &str)| Some((word.len(), place.fitted(rest.strip_prefix(*word)?, new)?));
        let found = if place.is_start() { pairs.iter().find_map(fitted) } else { None };
        if let Some((length, new)) = found {
            replaced.push_str(&new);
            let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            word.chars().for_each(|character| place.pass(character));
            rest = after;
        } else {
            replaced.push(first);
            place.pass(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    replaced
}

/// Where in the line one is.
#[derive(Debug, Default)]
struct Place {
    /// The quote that is open, and whether it holds something already.
    quote: Option<(char, bool)>,
    escaped: bool,
    before: Option<char>,
}

impl Place {
    fn pass(&mut self, character: char) {
        let escaped = std::mem::take(&mut self.escaped);
        let single = matches!(self.quote, Some(('\'', _)));
        self.quote = match self.quote {
            Some((quote, _)) if character == quote && (single || !escaped) => None,
            Some((quote, _)) => Some((quote, true)),
            None if !escaped && matches!(character, '\'' | '"') => Some((character, false)),
            None => None,
        };
        self.escaped = character == '\\' && !escaped && !single;
        self.before = Some(character);
    }

    /// Whether a word may begin here.
    fn is_start(&self) -> bool {
        !self.escaped && self.before.is_none_or(is_boundary)
    }

    /// The new word as it has to be written here, before this rest; `None` where the old one does not end, or where no
    /// spelling of the new one is sure to be read as one word.
    fn fitted(&self, rest: &str, new: &str) -> Option<String> {
        let next = rest.chars().next();
        if !next.is_none_or(is_boundary) {
            return None;
        }
        let plain = !new.is_empty() && new.chars().all(is_plain);
        match self.quote {
            _ if plain => Some(new.to_owned()),
            None => Some(format!("'{}'", new.replace('\'', "'\\''"))),
            // Only a quote around nothing but the word is one that just one shell reads.
            Some((quote, false)) if next == Some(quote) => Some(within(quote, new)),
            Some(_) => None,
        }
    }
}

fn within(quote: char, text: &str) -> String {
    if quote == '\'' {
        return text.replace('\'', "'\\''");
    }
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        if "\"$`\\".contains(character) {
            written.push('\\');
        }
        written.push(character);
    }
    written
}

fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || "-_./=:,@%+".contains(character)
}

fn is_boundary(character: char) -> bool {
    character.is_whitespace() || "\"'`;&|<>()=".contains(character)
}

function! {
    FUNCTION: replace_words,
    name: "replaceWords",
    receiver: Text,
    params: { words: List<Text>, replacements: List<Text> },
    result: Text,
    doc: "The shell line with each of the words exchanged for the replacement at the same place of the other list, \
           wherever it stands by itself: between blanks, quotes and operators. The new word is quoted as its place \
           requires; in a script within quotes, where no spelling is sure, the old one stays.",
    example: "'cp a /tmp/b >/tmp/bc'.replaceWords(['/tmp/b'], ['/my tmp/b']) == \"cp a '/my tmp/b' >/tmp/bc\"",
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn replaced(line: &str, new: &str) -> String {
        replace_words(line, &["/tmp/a"], &[new])
    }

    #[test]
    fn only_whole_words_are_replaced() {
        let line = "echo x >/tmp/a; cat '/tmp/a' /x/tmp/a /tmp/a.b --to=/tmp/a";
        assert_eq!(replaced(line, "t/a"), "echo x >t/a; cat 't/a' /x/tmp/a /tmp/a.b --to=t/a");
        assert_eq!(replace_words("a ab", &["a", "ab", ""], &["1", "2", "3"]), "1 2");
        assert_eq!(replace_words("a b", &["a", "b"], &["1"]), "1 b");
    }

    #[test]
    fn a_word_is_quoted_as_its_place_requires() {
        assert_eq!(replaced("echo x >/tmp/a", "/my p/a"), "echo x >'/my p/a'");
        assert_eq!(replaced("cat \"/tmp/a\" '/tmp/a'", "/it's $x/a"), r#"cat "/it's \$x/a" '/it'\''s $x/a'"#);
        assert_eq!(replaced("cp --to=/tmp/a b", "/[x]/a"), "cp --to='/[x]/a' b");
        assert_eq!(replaced("cat /tmp/a", "/ümlaut/a"), "cat /ümlaut/a");
    }

    #[test]
    fn in_a_script_within_quotes_only_plain_words_are_replaced() {
        assert_eq!(replaced("bash -c 'cat > /tmp/a'", "/p/a"), "bash -c 'cat > /p/a'");
        for line in ["bash -c 'cat > /tmp/a'", "bash -c \"/tmp/a b\"", "echo \\'/tmp/ab"] {
            assert_eq!(replaced(line, "/my p/a"), line);
        }
    }

    proptest! {
        #[test]
        fn nothing_else_is_lost(line in "[ab/ '\"\\\\\\PC]{0,40}") {
            let replaced = replace_words(&line, &["/a", "/ab"], &["/long", "/long b"]);
            prop_assert!(replaced.chars().count() >= line.chars().count());
        }
    }
}
