//! Brace expansion: `{a,b}` and `{1..3}`, before anything else is expanded.

use std::rc::Rc;

use super::syntax::{Operation, Part, Variable, Word};

/// Words that one word may become; more, and it stays as it is.
const MOST_WORDS: usize = 1024;

/// A character outside quotes that may count, or anything else.
#[derive(Clone)]
enum Token {
    Plain(char),
    Other(Part),
}

/// Whether a word could hold something to expand; most do not, and need no copy.
pub(super) fn has_brace(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Plain(text) if text.contains('{')))
}

/// The words that a word stands for; `None` if there would be too many.
pub(super) fn expand(word: &Word) -> Option<Vec<Word>> {
    let mut tokens = Vec::new();
    for part in &word.parts {
        match part {
            Part::Plain(text) => tokens.extend(text.chars().map(Token::Plain)),
            other => tokens.push(Token::Other(other.clone())),
        }
    }
    let mut left = MOST_WORDS;
    let words: Vec<Word> = alternatives(&tokens, 0, &mut left)?.iter().map(|tokens| join(tokens)).collect();
    // A sequence that is still there was too long, or only looks like one; either way it is not known.
    let is_left = |word: &Word| matches!(word.literal(), Some(text) if text.contains('{') && text.contains(".."));
    if words.iter().any(is_left) {
        return None;
    }
    Some(words.into_iter().filter(|word| !word.parts.is_empty()).collect())
}

fn join(tokens: &[Token]) -> Word {
    let mut word = Word::default();
    for token in tokens {
        match (token, word.parts.last_mut()) {
            (Token::Plain(character), Some(Part::Plain(text))) => text.push(*character),
            (Token::Plain(character), Some(Part::Variable(variable))) if continues(variable, *character) => {
                *variable = Rc::new(longer(variable, *character));
            }
            (Token::Plain(character), _) => word.parts.push(Part::Plain(character.to_string())),
            (Token::Other(part), _) => word.parts.push(part.clone()),
        }
    }
    word
}

/// Braces are expanded before names are read: `$a{b,c}` is `$ab $ac`.
fn continues(variable: &Variable, character: char) -> bool {
    let named = variable.name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let bare = variable.source.strip_prefix('$') == Some(variable.name.as_str());
    named && bare && !variable.quoted && (character.is_ascii_alphanumeric() || character == '_')
}

fn longer(variable: &Variable, character: char) -> Variable {
    Variable {
        name: format!("{}{character}", variable.name),
        index: variable.index,
        operation: Operation::Plain,
        quoted: variable.quoted,
        source: format!("{}{character}", variable.source),
    }
}

fn alternatives(tokens: &[Token], depth: usize, left: &mut usize) -> Option<Vec<Vec<Token>>> {
    if depth > 12 {
        return None;
    }
    let Some((open, close, commas)) = group(tokens) else { return Some(vec![tokens.to_vec()]) };
    let inside = tokens.get(open + 1..close)?;
    let mut middles = Vec::new();
    if commas.is_empty() {
        middles.extend(sequence(inside)?.into_iter().map(|text| text.chars().map(Token::Plain).collect::<Vec<_>>()));
    } else {
        let mut from = open + 1;
        for end in commas.iter().copied().chain([close]) {
            middles.extend(alternatives(tokens.get(from..end)?, depth + 1, left)?);
            from = end + 1;
        }
    }
    let tails = alternatives(tokens.get(close + 1..)?, depth + 1, left)?;
    *left = left.checked_sub(middles.len().checked_mul(tails.len())?)?;
    let head = tokens.get(..open)?;
    let mut words = Vec::new();
    for middle in &middles {
        words.extend(tails.iter().map(|tail| [head, middle.as_slice(), tail.as_slice()].concat()));
    }
    Some(words)
}

/// The first group that means something: its braces, and the commas in it that count.
fn group(tokens: &[Token]) -> Option<(usize, usize, Vec<usize>)> {
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut found: Option<(usize, usize, Vec<usize>)> = None;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Plain('{') => open.push((at, Vec::new())),
            Token::Plain(',') => {
                if let Some((_, commas)) = open.last_mut() {
                    commas.push(at);
                }
            }
            Token::Plain('}') => {
                let Some((from, commas)) = open.pop() else { continue };
                let counts = !commas.is_empty() || sequence(tokens.get(from + 1..at)?).is_some();
                // An outer group closes after its inner ones, and is the one to expand.
                if counts && found.as_ref().is_none_or(|(first, _, _)| from < *first) {
                    found = Some((from, at, commas));
                }
                if open.is_empty() && found.is_some() {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

/// `1..3`, `01..10`, `a..e`, each with an optional step.
fn sequence(inside: &[Token]) -> Option<Vec<String>> {
    if inside.len() > 64 {
        return None;
    }
    let text: Option<String> =
        inside.iter().map(|token| if let Token::Plain(c) = token { Some(*c) } else { None }).collect();
    let text = text?;
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?.checked_abs()?.max(1)),
        _ => return None,
    };
    let single = |text: &str| text.chars().next().filter(|c| c.is_ascii_alphabetic() && text.len() == 1);
    if let (Some(first), Some(last)) = (single(first), single(last)) {
        let numbers = count(i64::from(u32::from(first)), i64::from(u32::from(last)), step)?;
        return numbers.map(|n| u32::try_from(n).ok().and_then(char::from_u32).map(String::from)).collect();
    }
    let padded = |text: &str| text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0');
    let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
    let numbers = count(first.parse().ok()?, last.parse().ok()?, step)?;
    Some(numbers.map(|number| format!("{number:0width$}")).collect())
}

fn count(first: i64, last: i64, step: i64) -> Option<impl Iterator<Item = i64>> {
    let steps =
        usize::try_from(first.checked_sub(last)?.checked_abs()? / step).ok().filter(|steps| *steps < MOST_WORDS)?;
    let step = if first <= last { step } else { -step };
    Some(std::iter::successors(Some(first), move |n| n.checked_add(step)).take(steps + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Option<Vec<String>> {
        let word = Word { parts: vec![Part::Plain(text.to_owned())] };
        Some(expand(&word)?.iter().map(|word| word.literal().unwrap_or_default().into_owned()).collect())
    }

    #[test]
    fn groups_and_sequences_are_expanded() {
        assert_eq!(words("a{b,c{d,e}}f").expect("few"), ["abf", "acdf", "acef"]);
        assert_eq!(words("{1..3}{,x}").expect("few"), ["1", "1x", "2", "2x", "3", "3x"]);
        assert_eq!(words("{09..10}").expect("few"), ["09", "10"]);
        assert_eq!(words("{c..a..2}").expect("few"), ["c", "a"]);
    }

    #[test]
    fn what_is_no_group_stays() {
        for text in ["{}", "{a}", "{a", "a}", "{a,b"] {
            assert_eq!(words(text).expect("one"), [text]);
        }
    }

    #[test]
    fn too_many_words_are_not_made() {
        assert_eq!(words(&"{a,b}".repeat(12)), None);
        assert_eq!(words("{1..999999}"), None);
    }
}
