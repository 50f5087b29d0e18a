//! `replacePattern` puts in a group that its pattern does not have: nothing stands there in the result.

use std::ops::Range;

use super::sites::parts;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::ExprKind;

pub(super) const LINT: Lint = Lint { code: Code::MissingGroup, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        for part in parts(site.expr) {
            let ExprKind::Call { function, args } = &part.kind else { continue };
            let ("replacePattern", [_, pattern, new]) = (function.name, args.as_slice()) else { continue };
            let (patterns, news) = (subject.constants(pattern), subject.constants(new));
            let (Some((pattern, _)), Some((text, place))) = (patterns.first(), news.first()) else { continue };
            let Ok(pattern) = regex_lite::Regex::new(pattern) else { continue };
            for name in references(text).filter_map(|range| text.get(range)) {
                let known = match name.parse::<usize>() {
                    Ok(number) => number < pattern.captures_len(),
                    Err(_) => pattern.capture_names().flatten().any(|known| known == name),
                };
                if !known {
                    let message = format!("the pattern has no group `{name}`");
                    let finding = Diagnostic::warning(Code::MissingGroup, message);
                    let place = subject.place(&site, place);
                    findings.extend(place.map(|place| finding.primary(place, "nothing is put in").help(help(name))));
                }
            }
            if let Some(group) = foreign(text) {
                let finding = Diagnostic::warning(Code::MissingGroup, format!("`\\{group}` is put in as it stands"));
                let place = subject.place(&site, place);
                findings.extend(
                    place.map(|place| finding.primary(place, "no group here").help(format!("write `${{{group}}}`"))),
                );
            }
        }
    }
    findings
}

/// The digit of a group as other languages write it, behind a backslash.
fn foreign(text: &str) -> Option<char> {
    text.split('\\').skip(1).find_map(|rest| rest.chars().next().filter(char::is_ascii_digit))
}

fn help(name: &str) -> String {
    let digits = name.len() - name.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    match name.split_at(digits) {
        ("", _) => format!("name a group so: `(?<{name}>…)`; a dollar sign is `$$`"),
        (_, "") => "groups are counted from 1, by their opening parentheses; a dollar sign is `$$`".to_owned(),
        (number, rest) => format!("letters and digits behind `$` are all its name: write `${{{number}}}{rest}`"),
    }
}

/// Where the names behind dollar signs stand.
fn references(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(dollar) = text.get(from..).and_then(|rest| rest.find('$')).map(|found| from + found) {
            let rest = text.get(dollar + 1..).unwrap_or_default();
            let name = |text: &str| {
                text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(text.len())
            };
            from = dollar + 2;
            if let Some(inner) = rest.strip_prefix('{') {
                let end = inner.find('}');
                if let Some(end) = end {
                    from = dollar + 2 + end + 1;
                    return Some(dollar + 2..dollar + 2 + end);
                }
            } else if name(rest) > 0 {
                from = dollar + 1 + name(rest);
                return Some(dollar + 1..from);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_as_far_as_letters_and_digits() {
        let names = |text: &'static str| references(text).map(|range| &text[range]).collect::<Vec<_>>();
        assert_eq!((foreign(r"\1-x"), foreign(r"a\b1"), foreign("$1")), (Some('1'), None, None));
        assert_eq!(names("$1name ${1}name $$1 $2 $"), ["1name", "1", "2"]);
    }
}
