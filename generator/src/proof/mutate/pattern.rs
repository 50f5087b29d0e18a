//! Changes of regular expressions: an alternative left out, a place that need not be met.

use std::ops::Range;

use hookgen_runtime::representation::{Archive, Expr, Op, Patch};

use super::super::atlas::gone;
use super::expression::Edit;

/// The patterns that changes need, behind those of the catalog.
pub(super) struct Patterns {
    known: usize,
    more: Vec<String>,
}

impl Patterns {
    pub(super) fn of(archive: &Archive) -> Self {
        let mut known = 0;
        while archive.pattern(known).is_ok() {
            known += 1;
        }
        Self { known, more: Vec::new() }
    }

    /// The changes of an expression that takes a pattern.
    pub(super) fn edits(&mut self, archive: &Archive, expr: &Expr, source: &str) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (child, taken) in expr.children().into_iter().enumerate() {
            let Op::Pattern(place) = taken.op else { continue };
            let Ok(pattern) = archive.pattern(place) else { continue };
            let range = taken.span.start as usize..taken.span.end as usize;
            let written = source.get(range.clone()).unwrap_or_default();
            for shorter in shorter(pattern.source()) {
                let mut changed = expr.clone();
                let Some(child) = changed.children_mut().into_iter().nth(child) else { continue };
                child.op = Op::Pattern(self.known + self.more.len());
                let written = written.replace(pattern.source(), &shorter.pattern);
                self.more.push(shorter.pattern);
                edits.push(Edit { expr: changed, range: range.clone(), written, what: shorter.what });
            }
        }
        edits
    }

    /// The catalog with all of them.
    pub(super) fn archive(self, base: &'static Archive) -> anyhow::Result<&'static Archive> {
        Ok(Box::leak(Box::new(Archive::with(base, Patch::Patterns(self.more)).map_err(gone)?)))
    }
}

/// The pattern without some of its bytes, and what is said of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shorter {
    pub(super) pattern: String,
    pub(super) what: String,
}

/// A group of a pattern that is being read, or the whole of it: where its alternatives begin.
struct Open {
    starts: Vec<usize>,
}

/// Every way to leave out one alternative or one anchor.
pub(super) fn shorter(pattern: &str) -> Vec<Shorter> {
    let mut left_out = Vec::new();
    let mut open = vec![Open { starts: vec![0] }];
    let close = |group: &Open, end: usize, left_out: &mut Vec<(Range<usize>, Range<usize>)>| {
        let ends = group.starts.iter().skip(1).map(|start| start - 1).chain([end]);
        let count = group.starts.len();
        for (number, (start, end)) in group.starts.iter().zip(ends).enumerate().filter(|_| count > 1) {
            // With it goes the bar behind it; of the last, the one before it.
            let (before, behind) = (start.saturating_sub(1), end + 1);
            let cut = if number + 1 < count { *start..behind } else { before..end };
            left_out.push((cut, *start..end));
        }
    };
    let mut class = 0_usize;
    let mut bytes = pattern.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                if let Some((_, b'b')) = bytes.next().filter(|_| class == 0) {
                    left_out.push((at..at + 2, at..at + 2));
                }
            }
            b'[' => {
                class += 1;
                // A bracket right behind the beginning is one of the characters.
                bytes.next_if(|(_, next)| *next == b'^');
                bytes.next_if(|(_, next)| *next == b']');
            }
            b']' => class = class.saturating_sub(1),
            _ if class > 0 => {}
            b'(' => {
                let rest = pattern.get(at + 1..).unwrap_or_default();
                let flags = if rest.starts_with('?') { rest.find([':', '>', ')']).map_or(0, |end| end + 1) } else { 0 };
                let closes = rest.get(..flags).is_some_and(|flags| flags.ends_with(')'));
                for _ in 0..flags {
                    bytes.next();
                }
                if !closes {
                    open.push(Open { starts: vec![at + 1 + flags] });
                }
            }
            b')' if open.len() > 1 => {
                if let Some(group) = open.pop() {
                    close(&group, at, &mut left_out);
                }
            }
            b'|' => {
                if let Some(group) = open.last_mut() {
                    group.starts.push(at + 1);
                }
            }
            b'^' | b'$' => left_out.push((at..at + 1, at..at + 1)),
            _ => {}
        }
    }
    if let [whole] = open.as_slice() {
        close(whole, pattern.len(), &mut left_out);
    }
    let make = |(cut, shown): (Range<usize>, Range<usize>)| {
        let (before, behind) = (pattern.get(..cut.start)?, pattern.get(cut.end..)?);
        let what = pattern.get(shown).filter(|shown| !shown.is_empty())?;
        Some(Shorter { pattern: format!("{before}{behind}"), what: format!("`{what}` of the pattern left out") })
    };
    left_out.into_iter().filter_map(make).filter(|shorter| regex_lite::Regex::new(&shorter.pattern).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(pattern: &str) -> Vec<String> {
        shorter(pattern).into_iter().map(|shorter| shorter.pattern).collect()
    }

    #[test]
    fn each_alternative_is_left_out_once() {
        assert_eq!(patterns("a|b|c"), ["b|c", "a|c", "a|b"]);
        assert_eq!(patterns("x(?:a|b)y"), ["x(?:b)y", "x(?:a)y"]);
        assert_eq!(patterns("(?i)(a|b(c|d))"), ["(?i)(a|b(d))", "(?i)(a|b(c))", "(?i)(b(c|d))", "(?i)(a)"]);
    }

    #[test]
    fn each_anchor_is_left_out_once() {
        assert_eq!(patterns(r"^a\b$"), [r"a\b$", r"^a$", r"^a\b"]);
    }

    #[test]
    fn what_stands_in_a_class_or_behind_a_backslash_is_left_alone() {
        assert_eq!(patterns(r"[a|^$(]\|\("), [] as [&str; 0]);
        assert_eq!(patterns(r"[]|]x[^]|]"), [] as [&str; 0]);
        assert_eq!(patterns(r"[[:alpha:]|]"), [] as [&str; 0]);
    }
}
