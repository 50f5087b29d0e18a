//! A shell pattern with braces, written out.

use crate::signature::function;

/// The most spellings that are written out; what goes beyond is left as it stands.
const MOST: usize = 1_000;

/// Every spelling that a pattern with braces stands for, from left to right.
pub fn expand_braces(pattern: &str) -> Vec<String> {
    let mut open = vec![pattern.to_owned()];
    let mut done = Vec::new();
    while let Some(text) = open.pop() {
        match first_group(&text) {
            Some(spellings) if open.len() + done.len() + spellings.len() <= MOST => {
                open.extend(spellings.into_iter().rev());
            }
            _ => done.push(text),
        }
    }
    done
}

/// The text with each alternative of its first group in place of the group; `None` if it has no whole group.
fn first_group(text: &str) -> Option<Vec<String>> {
    let start = text.find('{')?;
    let (before, group) = (text.get(..start)?, text.get(start + 1..)?);
    let mut depth = 0_u32;
    let mut begin = 0;
    let mut alternatives = Vec::new();
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                alternatives.push(group.get(begin..at)?);
                begin = at + 1;
            }
            '}' => {
                alternatives.push(group.get(begin..at)?);
                let after = group.get(at + 1..)?;
                return Some(alternatives.iter().map(|middle| format!("{before}{middle}{after}")).collect());
            }
            _ => {}
        }
    }
    None
}

function! {
    FUNCTION: expand_braces,
    name: "expandBraces",
    receiver: Text,
    params: {},
    result: List<Text>,
    doc: "Every spelling that a pattern with braces stands for. Braces that do not close stand for themselves, and so \
           do those beyond 1000 spellings.",
    example: "'*.{key,pem}'.expandBraces() == ['*.key', '*.pem']",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_written_out_in_order() {
        assert_eq!(expand_braces("{a,b}.{x,y}"), ["a.x", "a.y", "b.x", "b.y"]);
        assert_eq!(expand_braces("a{b,{c,d}e}"), ["ab", "ace", "ade"]);
        assert_eq!(expand_braces("{a}{,b}"), ["a", "ab"]);
    }

    #[test]
    fn what_has_no_whole_group_stands_for_itself() {
        for plain in ["", "*.rs", "a{b", "a}b", "a,b"] {
            assert_eq!(expand_braces(plain), [plain]);
        }
    }

    #[test]
    fn an_explosion_stops() {
        let many = expand_braces(&"{a,b}".repeat(40));
        assert!((500..=MOST).contains(&many.len()), "{}", many.len());
        assert_eq!(expand_braces(&"{".repeat(100_000)).len(), 1);
    }
}
