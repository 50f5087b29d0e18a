//! The words that carry the meaning of a text, for comparing two of them.

use std::collections::HashSet;

use crate::signature::function;

/// What may stand between the parts of one word.
const JOINTS: [char; 7] = ['\'', '\u{2019}', '.', '-', '\u{2010}', '\u{2011}', '_'];

/// The distinct words in their order: lower case, without punctuation and stop words, plural folded.
pub fn keywords(text: &str, stopwords: &[impl AsRef<str>]) -> Vec<String> {
    let stopwords: HashSet<String> = stopwords.iter().map(|word| normal(word.as_ref())).collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for word in normal(text).split(|character| !is_part_of_word(character)).filter(|word| !word.is_empty()) {
        let folded = singular(word);
        if !stopwords.contains(word) && !stopwords.contains(folded) && seen.insert(folded.to_owned()) {
            found.push(folded.to_owned());
        }
    }
    found
}

/// In lower case, with what joins the parts of one word taken out: `Next.js` is `nextjs`, `E-mail` is `email`.
fn normal(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let lower = text.to_lowercase();
    let mut ahead = lower.chars().peekable();
    while let Some(character) = ahead.next() {
        let within = || joined.chars().last().is_some_and(is_part_of_word);
        if !(JOINTS.contains(&character) && within() && ahead.peek().copied().is_some_and(is_part_of_word)) {
            joined.push(character);
        }
    }
    joined
}

/// Letters, digits, and the accents that some keyboards write as characters of their own.
fn is_part_of_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '\u{300}'..='\u{36f}')
}

fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if word.chars().count() > 3 && !stem.ends_with('s') => stem,
        _ => word,
    }
}

function! {
    FUNCTION: keywords,
    name: "keywords",
    receiver: Text,
    params: { stopwords: List<Text> },
    result: List<Text>,
    doc: "The distinct words of the text in their order: in lower case, without punctuation and stop words, and with \
           a plural `s` removed. Dots, hyphens, underscores and apostrophes inside a word are left out of it.",
    example: "'The user sessions, and a session.'.keywords(['the', 'and', 'a']) == ['user', 'session']",
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NONE: &[&str] = &[];

    #[test]
    fn words_are_folded_and_distinct() {
        assert_eq!(keywords("Sessions: session, SESSION's users!", NONE), ["session", "user"]);
    }

    #[test]
    fn what_joins_the_parts_of_a_word_makes_no_difference() {
        for text in ["Next.js user_id e-mail", "NextJS userid email", "next\u{2011}js. User-ID, (E-Mail)"] {
            assert_eq!(keywords(text, NONE), keywords("nextjs userid email", NONE), "{text}");
        }
        assert_eq!(keywords("client/server, web - app ... _x_", NONE), ["client", "server", "web", "app", "x"]);
    }

    #[test]
    fn short_words_and_a_double_s_keep_their_ending() {
        assert_eq!(keywords("gas class access bus tests", NONE), ["gas", "class", "access", "bus", "test"]);
    }

    #[test]
    fn stop_words_are_dropped_before_and_after_folding() {
        assert_eq!(keywords("This uses users", &["this", "use"]), ["user"]);
        assert_eq!(keywords("this thi", &["This"]), ["thi"]);
        assert_eq!(keywords("Don't panic", &["don’t"]), ["panic"]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert!(keywords(" -- '' ", NONE).is_empty());
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics_and_gives_distinct_words(text in "\\PC{0,80}") {
            let found = keywords(&text, &["a"]);
            let distinct: HashSet<&String> = found.iter().collect();
            prop_assert_eq!(distinct.len(), found.len());
            prop_assert!(!found.contains(&String::new()));
        }
    }
}
