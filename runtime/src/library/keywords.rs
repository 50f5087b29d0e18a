//! The words that carry the meaning of a text, for comparing two of them.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::signature::function;

/// What may stand inside one word.
const JOINTS: [char; 3] = ['\'', '\u{2019}', '.'];
/// What joins two words to a name, as in `caching_strategy`; or a letter to a word, as in `e-mail`.
const HYPHENS: [char; 4] = ['-', '\u{2010}', '\u{2011}', '_'];
/// The endings behind which a plural is made with `es`.
const SIBILANTS: [&str; 5] = ["ss", "x", "z", "ch", "sh"];

/// The distinct words in their order: lower case, without punctuation and stop words, plural folded.
pub fn keywords(text: &str, stopwords: &[impl AsRef<str>]) -> Vec<String> {
    let stopwords: HashSet<String> = stopwords.iter().map(|word| normal(word.as_ref())).collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for word in normal(text).split(|character| !is_part_of_word(character)).filter(|word| !word.is_empty()) {
        let stem = stem(word);
        if !stopwords.contains(word) && !stopwords.contains(&*stem) && seen.insert(stem.clone().into_owned()) {
            found.push(stem.into_owned());
        }
    }
    found
}

/// In lower case, with what stands inside a word taken out: `Next.js` is `nextjs`, `E-mail` is `email`. A blank stands
/// between the words of a name: `caching_strategy`, `caching-strategy` and `cachingStrategy` are two.
fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let characters: Vec<char> = text.chars().collect();
    let word_from = |at: usize| characters.iter().skip(at).take_while(|next| is_part_of_word(**next)).count();
    let mut run = 0;
    for (at, &character) in characters.iter().enumerate() {
        let behind = if JOINTS.contains(&character) || HYPHENS.contains(&character) { word_from(at + 1) } else { 0 };
        if run > 0 && behind > 0 {
            if HYPHENS.contains(&character) && run > 1 && behind > 1 {
                normal.push(' ');
                run = 0;
            }
            continue;
        }
        if is_hump(&characters, at, run) {
            normal.push(' ');
            run = 0;
        }
        normal.extend(character.to_lowercase());
        run = if is_part_of_word(character) { run + 1 } else { 0 };
    }
    normal
}

/// Whether a word starts here inside a name such as `cachingStrategy`: neither in `NextJS` nor in `iPhone`.
fn is_hump(characters: &[char], at: usize, run: usize) -> bool {
    let is =
        |at: Option<usize>, holds: fn(char) -> bool| at.and_then(|at| characters.get(at)).copied().is_some_and(holds);
    let start = at.checked_sub(run);
    run > 1
        && is(Some(at), char::is_uppercase)
        && is(at.checked_sub(1), char::is_lowercase)
        && is(Some(at + 1), char::is_lowercase)
        && is(start, char::is_lowercase)
}

/// Letters, digits, and the accents that some keyboards write as characters of their own.
fn is_part_of_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '\u{300}'..='\u{36f}')
}

/// What the singular and the plural of a word have in common: `policy` and `policies`, `branch` and `branches`.
fn stem(word: &str) -> Cow<'_, str> {
    let short = |word: &str| word.chars().count() <= 3;
    let one = match word.strip_suffix('s') {
        Some(one) if !short(word) && !one.ends_with('s') => one,
        _ => word,
    };
    match one.strip_suffix('e') {
        _ if short(one) => Cow::Borrowed(one),
        Some(start) if SIBILANTS.iter().any(|ending| start.ends_with(ending)) => Cow::Borrowed(start),
        Some(start) => start.strip_suffix('i').map_or(Cow::Borrowed(one), |start| Cow::Owned(format!("{start}y"))),
        None => Cow::Borrowed(one),
    }
}

function! {
    FUNCTION: keywords,
    name: "keywords",
    receiver: Text,
    params: { stopwords: List<Text> },
    result: List<Text>,
    doc: "The distinct words of the text in their order: in lower case, without punctuation and stop words, and the \
           same in singular and plural. Dots and apostrophes inside a word are left out of it; hyphens and underscores part the \
           words of a name, and so do capitals in one like `cachingStrategy`.",
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
        for text in ["Next.js e-mail x-ray", "NextJS email xray", "next.js. (E-Mail) X\u{2011}Ray"] {
            assert_eq!(keywords(text, NONE), keywords("nextjs email xray", NONE), "{text}");
        }
        assert_eq!(keywords("client/server, web - app ... _x_", NONE), ["client", "server", "web", "app", "x"]);
    }

    #[test]
    fn a_name_has_the_words_that_it_is_made_of() {
        for name in
            ["caching_strategy", "caching-strategy", "cachingStrategy", "Caching\u{2010}Strategy", "CACHING_STRATEGY"]
        {
            assert_eq!(keywords(name, NONE), ["caching", "strategy"], "{name}");
        }
        assert_eq!(keywords("user_id primary-database-2", NONE), ["user", "id", "primary", "database2"]);
        assert_eq!(
            keywords("PostgreSQL GraphQL iPhone gRPC OAuth", NONE),
            ["postgresql", "graphql", "iphone", "grpc", "oauth"]
        );
    }

    #[test]
    fn short_words_and_a_double_s_keep_their_ending() {
        assert_eq!(keywords("gas class access bus tests", NONE), ["gas", "class", "access", "bus", "test"]);
    }

    #[test]
    fn a_plural_is_the_word_that_it_is_of() {
        for (many, one) in [
            ("policies", "policy"),
            ("caches branches", "cache branch"),
            ("addresses boxes sizes", "address box size"),
            ("movies ties", "movie tie"),
            ("databases keys", "database key"),
        ] {
            assert_eq!(keywords(many, NONE), keywords(one, NONE), "{many}");
        }
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
