//! The path of a file tool is compared with a relative one: the client sends absolute paths.

use super::sites::{Site, bare_value, comparisons, parts};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Expr, ExprKind, Fact};

pub(super) const LINT: Lint = Lint { code: Code::RelativePath, check };

/// Fields in which the client sends absolute paths.
const ABSOLUTE: [&str; 2] = ["file_path", "notebook_path"];

/// How many definitions are followed: those that lead to themselves are told elsewhere.
const DEPTH: usize = 16;

/// Tells whether a text cannot begin an absolute path.
type Judge = fn(&str) -> bool;

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        let is_path = |expr: &Expr| is_path(subject, &site, expr, DEPTH);
        let compared = comparisons(site.expr).into_iter().filter(|(value, _)| is_path(value));
        let compared = compared.map(|(_, texts)| (texts, is_relative as Judge));
        for (texts, relative) in
            compared.chain(parts(site.expr).into_iter().filter_map(|part| held_against(part, is_path)))
        {
            for (text, place) in subject.constants(texts).into_iter().filter(|(text, _)| relative(text)) {
                findings.extend(subject.place(&site, place).map(|place| {
                    Diagnostic::warning(Code::RelativePath, format!("no path of a file tool begins with `{text}`"))
                        .primary(place, "never so: the client sends absolute paths")
                        .help(
                            "compare with `project_dir + '/…'`, or ask `endsWith('/…')`, `isWithin(…)` or `basename()`",
                        )
                }));
            }
        }
    }
    findings
}

/// What the beginning of a file tool's path is held against, and how to tell that it never begins so.
fn held_against(expr: &Expr, is_path: impl Fn(&Expr) -> bool) -> Option<(&Expr, Judge)> {
    let ExprKind::Call { function, args } = &expr.kind else { return None };
    match (function.name, args.as_slice()) {
        ("startsWith" | "after", [of, text]) if is_path(of) => Some((text, is_relative)),
        ("matches", [of, text]) if is_path(of) => Some((text, is_relative_pattern)),
        ("fitsAny", [of, texts]) if is_path(of) => Some((texts, is_relative_glob)),
        _ => None,
    }
}

/// Whether a value is the path of a file tool's input, by whatever name a definition gives it.
fn is_path(subject: &Subject<'_>, site: &Site<'_>, expr: &Expr, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let leads = |of: &Expr| is_path(subject, site, of, depth);
    let defined = |named: &[Fact], name: &str| named.iter().any(|one| one.name == name && leads(&one.expr));
    let input = |of: &Expr| matches!(&bare_value(of).kind, ExprKind::Field { name, .. } if name == "tool_input");
    match &bare_value(expr).kind {
        ExprKind::Field { of, name } => ABSOLUTE.contains(&name.as_str()) && input(of),
        ExprKind::Binding(name) => site.hook.is_some_and(|hook| defined(&hook.bindings, name)),
        ExprKind::Fact(name) => defined(&subject.catalog.facts, name),
        ExprKind::Choice { then, otherwise, .. } => leads(then) && leads(otherwise),
        _ => false,
    }
}

fn is_relative(text: &str) -> bool {
    let drive = text.chars().nth(1) == Some(':');
    !text.is_empty() && !text.starts_with(['/', '\\']) && !drive
}

/// Whether a shell pattern wants a name at the very beginning.
fn is_relative_glob(glob: &str) -> bool {
    is_relative(glob) && !glob.starts_with(['*', '?', '[', '{'])
}

/// Whether a pattern wants a name at the very beginning. One with alternatives may mean something else beside it.
fn is_relative_pattern(pattern: &str) -> bool {
    let Some(rest) = pattern.strip_prefix('^') else { return false };
    let begins = rest.starts_with(|first: char| first.is_alphanumeric()) || rest.starts_with("\\.");
    begins && !pattern.contains('|') && !pattern.contains(":/") && !pattern.contains(":\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_begin_an_absolute_path_is_relative() {
        assert!(is_relative("src/") && is_relative("./a") && is_relative("~/x"));
        assert!(!is_relative("/etc") && !is_relative("C:\\x") && !is_relative(""));
        assert!(is_relative_pattern("^src/") && is_relative_pattern(r"^\.env$"));
        assert!(is_relative_glob("src/**") && !is_relative_glob("**/src/**") && !is_relative_glob("/etc/*"));
        assert!(!is_relative_pattern("^/etc") && !is_relative_pattern("src/") && !is_relative_pattern("^a|/b"));
    }
}
