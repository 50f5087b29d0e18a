//! Which of several names a text speaks of.

use std::collections::BTreeMap;

use crate::signature::function;

/// The names that stand in the text as whole words, in the order in which they first appear; upper and lower case are
/// the same. A name inside a longer one or inside a path is no mention.
pub fn mentioned(text: &str, names: &[impl AsRef<str>]) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let mut found: BTreeMap<(usize, usize), &str> = BTreeMap::new();
    for (number, name) in names.iter().map(AsRef::as_ref).enumerate() {
        let wanted = name.to_ascii_lowercase();
        let place = lower.match_indices(&wanted).map(|(at, _)| at).find(|at| stands_alone(&lower, *at, wanted.len()));
        if let Some(at) = place.filter(|_| !wanted.is_empty()) {
            found.insert((at, number), name);
        }
    }
    let mut mentioned: Vec<String> = Vec::new();
    for name in found.into_values() {
        if !mentioned.iter().any(|known| known == name) {
            mentioned.push(name.to_owned());
        }
    }
    mentioned
}

fn stands_alone(text: &str, at: usize, length: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().chars().next_back();
    let mut after = text.get(at + length..).unwrap_or_default().chars();
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '\\');
    let ends = match after.next() {
        // A full stop ends a sentence; before a letter it begins the ending of a file's name.
        Some('.') => !after.next().is_some_and(char::is_alphanumeric),
        Some(next) => !joins(next),
        None => true,
    };
    ends && !before.is_some_and(|c| joins(c) || c == '.')
}

function! {
    FUNCTION: mentioned,
    name: "mentioned",
    receiver: Text,
    params: { names: List<Text> },
    result: List<Text>,
    doc: "Those of the names that the text mentions as whole words, in the order in which it does. Upper and lower \
           case are the same; a name inside a longer one or inside a path is no mention.",
    example: "'Ask the qa-engineer.'.mentioned(['qa', 'qa-engineer']) == ['qa-engineer']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_the_order_of_the_text_and_once() {
        let names = ["architect", "developer"];
        assert_eq!(
            mentioned("Let the Developer ask the architect, then the developer.", &names),
            ["developer", "architect"]
        );
        assert_eq!(mentioned("twice: architect", &["architect", "architect"]), ["architect"]);
    }

    #[test]
    fn a_part_of_something_longer_is_no_mention() {
        let mentions = |text: &str| !mentioned(text, &["06-implementation"]).is_empty();
        assert!(mentions("Execute phase 06-implementation."));
        assert!(mentions("`06-implementation`, (06-implementation)"));
        assert!(mentions("not docs/06-implementation.md but 06-implementation"));
        for other in
            ["106-implementation", "06-implementations", "06-implementation-old", "docs/06-implementation/a.md"]
        {
            assert!(!mentions(other), "{other}");
        }
        assert!(!mentions("06-implementation.md"));
    }

    #[test]
    fn an_empty_name_and_letters_of_any_script_do_no_harm() {
        assert!(mentioned("text", &[""]).is_empty());
        assert!(mentioned("überqaé", &["qa"]).is_empty());
        assert_eq!(mentioned("„qa“", &["qa"]), ["qa"]);
    }
}
