//! The subcommand of a program that has none is empty, whatever it is compared with.

use super::impossible_word::is_command;
use super::sites::{bare_value, compared, parts};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{BinaryOp, Expr, ExprKind};
use crate::resolve::rules::{command, has_subcommands};

pub(super) const LINT: Lint = Lint { code: Code::NoSubcommand, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        for whole in parts(site.expr).into_iter().filter(|part| is_and(part)) {
            let terms = conjunction(whole);
            for term in &terms {
                let Some((value, names)) = compared(term) else { continue };
                let programs: Vec<&str> = subject.constants(names).into_iter().map(|(text, _)| text).collect();
                let Some(variable) = variable_of(value, "name") else { continue };
                if is_different(term) || programs.is_empty() || programs.iter().any(|name| has_subcommands(name)) {
                    continue;
                }
                for asked in terms.iter().flat_map(|term| parts(term)).filter_map(asked_for) {
                    if variable_of(asked, "subcommand") != Some(variable) {
                        continue;
                    }
                    let Some(place) = subject.place(&site, asked) else { continue };
                    let finding = finding(&programs).primary(place, "always empty");
                    if !findings.contains(&finding) {
                        findings.push(finding);
                    }
                }
            }
        }
    }
    findings
}

fn finding(programs: &[&str]) -> Diagnostic {
    let names = programs.join("`, `");
    let known = programs.iter().all(|name| command(name).is_some_and(|command| command.understood()));
    let message =
        if known { format!("`{names}` has no subcommands") } else { format!("no subcommands of `{names}` are known") };
    Diagnostic::warning(Code::NoSubcommand, message).help("ask for one of its `operands` or `options`")
}

/// The value that a comparison, or a question about a text, is about.
fn asked_for(expr: &Expr) -> Option<&Expr> {
    let about_text = ["startsWith", "endsWith", "contains", "matches"];
    match &expr.kind {
        ExprKind::Call { function, args } if about_text.contains(&function.name) => args.first(),
        _ => compared(expr).filter(|(_, texts)| !is_empty(texts)).map(|(value, _)| value),
    }
}

fn is_and(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Binary { op: BinaryOp::And, .. })
}

fn is_different(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Binary { op: BinaryOp::NotEqual, .. })
}

fn is_empty(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Text(text) if text.is_empty())
}

/// What must all hold.
fn conjunction(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary { op: BinaryOp::And, left, right } => [conjunction(left), conjunction(right)].concat(),
        _ => vec![expr],
    }
}

/// The variable whose part a value is.
fn variable_of<'e>(expr: &'e Expr, part: &str) -> Option<&'e str> {
    match &bare_value(expr).kind {
        ExprKind::Part { of, name } if *name == part && is_command(&of.ty) => match &of.kind {
            ExprKind::Variable(variable) => Some(variable),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reader_of_lines_says_which_programs_have_subcommands() {
        assert!(
            has_subcommands("git") && has_subcommands("sudo") && !has_subcommands("rm") && !has_subcommands("chmod")
        );
    }
}
