//! The beginning of certain words of a shell line.

use crate::signature::function;

/// The line in which the words that begin with the old text begin with the new one, wherever they stand by themselves.
pub fn replace_start(line: &str, words: &[impl AsRef<str>], old: &str, new: &str) -> String {
    let mut words: Vec<&str> = words.iter().map(AsRef::as_ref).filter(|word| word.starts_with(old)).collect();
    words.retain(|word| !word.is_empty());
    // The longest word first: one may be the beginning of another.
    words.sort_unstable_by_key(|word| std::cmp::Reverse(word.len()));
    let mut replaced = String::with_capacity(line.len());
    let mut rest = line;
    let mut open = true;
    while let Some(first) = rest.chars().next() {
        let found = words.iter().find(|word| open && rest.strip_prefix(**word).is_some_and(is_end));
        if let Some((word, kept)) = found.and_then(|word| Some((word, word.strip_prefix(old)?))) {
            replaced.extend([new, kept]);
            rest = rest.get(word.len()..).unwrap_or_default();
            open = false;
        } else {
            replaced.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            open = is_boundary(first);
        }
    }
    replaced
}

fn is_end(rest: &str) -> bool {
    rest.chars().next().is_none_or(is_boundary)
}

fn is_boundary(character: char) -> bool {
    character.is_whitespace() || "\"'`;&|<>()=".contains(character)
}

function! {
    FUNCTION: replace_start,
    name: "replaceStart",
    receiver: Text,
    params: { words: List<Text>, old: Text, new: Text },
    result: Text,
    doc: "The shell line with those of the words that begin with the old text beginning with the new one, wherever they \
           stand by themselves: between blanks, quotes and operators.",
    example: "'cp /tmp/a /tmp/ab >/tmp/a'.replaceStart(['/tmp/a'], '/tmp/', 'tmp/') == 'cp tmp/a /tmp/ab >tmp/a'",
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_whole_words_are_replaced() {
        let line = "echo x >/tmp/a; cat '/tmp/a' /x/tmp/a /tmp/a.b --to=/tmp/a";
        assert_eq!(
            replace_start(line, &["/tmp/a"], "/tmp/", "t/"),
            "echo x >t/a; cat 't/a' /x/tmp/a /tmp/a.b --to=t/a"
        );
    }

    #[test]
    fn a_word_that_does_not_begin_so_stays() {
        assert_eq!(replace_start("a b", &["a", ""], "b", "c"), "a b");
        assert_eq!(replace_start("a b", &["", "a"], "", "x"), "xa b");
    }

    proptest! {
        #[test]
        fn nothing_else_is_lost(line in "[ab/ '\\PC]{0,40}") {
            let (old, new) = ("/a", "/long");
            let replaced = replace_start(&line, &["/a", "/ab"], old, new);
            prop_assert!(replaced.chars().count() >= line.chars().count());
        }
    }
}
