//! The name that was probably meant.

/// The candidate nearest to a name that does not exist; `None` where nothing is near enough to be a slip of the keys.
///
/// The same letters in another case win. Otherwise a third of the name's characters may be wrong, and of equally near
/// candidates the first wins.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower: Vec<char> = name.to_lowercase().chars().collect();
    let bound = lower.len().max(3) / 3;
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (distance(&lower, &candidate.to_lowercase().chars().collect::<Vec<_>>()), candidate))
        .filter(|(distance, _)| *distance <= bound)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (row, character) in from.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in to.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&last, column) + usize::from(character != other);
            let mut best = replaced.min(at(&last, column + 1) + 1).min(at(&current, column) + 1);
            let swapped =
                row > 0 && column > 0 && from.get(row - 1) == Some(other) && to.get(column - 1) == Some(character);
            if swapped {
                best = best.min(at(&before_last, column - 1) + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_another_word_finds_none() {
        let names = ["timeout", "matcher", "event"];
        assert_eq!(did_you_mean("timout", names), Some("timeout"));
        assert_eq!(did_you_mean("macther", names), Some("matcher"));
        assert_eq!(did_you_mean("evnet", names), Some("event"));
        assert_eq!(did_you_mean("threshold", names), None);
    }

    #[test]
    fn another_case_wins_over_a_near_name() {
        assert_eq!(did_you_mean("PRETOOLUSE", ["PostToolUse", "PreToolUse"]), Some("PreToolUse"));
    }

    #[test]
    fn the_nearer_of_two_names_wins() {
        assert_eq!(did_you_mean("checkz", ["cheeks", "checks"]), Some("checks"));
    }

    #[test]
    fn short_names_allow_one_slip_and_the_name_itself_is_no_suggestion() {
        assert_eq!(did_you_mean("ab", ["ac"]), Some("ac"));
        assert_eq!(did_you_mean("ab", ["cd"]), None);
        assert_eq!(did_you_mean("ab", ["ab"]), None);
    }

    #[test]
    fn swaps_count_once() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("ab"), &chars("ba")), 1);
        assert_eq!(distance(&chars(""), &chars("abc")), 3);
        assert_eq!(distance(&chars("kitten"), &chars("sitting")), 3);
    }
}
