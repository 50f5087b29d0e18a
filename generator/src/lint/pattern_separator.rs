//! `split` takes its separator as it stands; a regular expression there separates nothing.

use super::sites::{given, with_bound};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::ExprKind;

pub(super) const LINT: Lint = Lint { code: Code::PatternSeparator, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        with_bound(site.expr, &mut Vec::new(), &mut |part, bound| {
            let ExprKind::Call { function, args } = &part.kind else { return };
            let ("split", [_, separator]) = (function.name, args.as_slice()) else { return };
            let separators = subject.constants(given(separator, bound));
            for (text, place) in separators.into_iter().filter(|(text, _)| is_pattern(text)) {
                findings.extend(subject.place(&site, place).map(|place| {
                    Diagnostic::warning(Code::PatternSeparator, format!("`{text}` separates as it stands"))
                        .primary(place, "not a pattern here")
                        .help("find the parts instead: `findAll(r'[^,;]+')`, `lines()`; or replace first: `replacePattern`")
                }));
            }
        });
    }
    findings
}

/// Whether a separator was probably meant as a regular expression.
fn is_pattern(text: &str) -> bool {
    let escape = text.match_indices('\\').any(|(at, _)| {
        text.get(at + 1..)
            .and_then(|rest| rest.chars().next())
            .is_some_and(|next| "sSdDwWbBntrf.|()[]{}*+?^$".contains(next))
    });
    let class = text.find('[').is_some_and(|open| text.get(open + 2..).is_some_and(|rest| rest.contains(']')));
    escape || class || [".*", ".+", "\\s", " +", " *"].iter().any(|part| text.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_pattern_would_hold_is_one() {
        for pattern in [r"\s+", r"\n", "[,;]", ".*", " +", r"\|"] {
            assert!(is_pattern(pattern), "{pattern}");
        }
        for plain in [",", "|", " ", "\n", "...", "[]", "\\", "->", "+", "* ", "&&"] {
            assert!(!is_pattern(plain), "{plain}");
        }
    }
}
