//! The subcommand of a program that has none is empty, whatever it is compared with.

use hookgen_runtime::shell::{World, analyse};

use super::impossible_word::is_command;
use super::sites::{bare_value, compared, parts};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{BinaryOp, Expr, ExprKind};

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
                for asked in terms.iter().filter_map(|term| compared(term)) {
                    if variable_of(asked.0, "subcommand") == Some(variable) && !is_empty(asked.1) {
                        let message = format!("`{}` has no subcommands", programs.join("`, `"));
                        findings.push(
                            Diagnostic::warning(Code::NoSubcommand, message)
                                .primary(subject.place(&site, asked.0), "always empty")
                                .help("ask for one of its `operands` or `options`"),
                        );
                    }
                }
            }
        }
    }
    findings
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

/// Whether the reader of shell lines takes the first word behind that program for a subcommand.
fn has_subcommands(program: &str) -> bool {
    let line = format!("{program} word");
    let commands = analyse(&line, World::default()).commands;
    // What is no program at all, and what runs another, cannot be told.
    commands.len() != 1 || commands.iter().any(|command| command.name() != program || !command.subcommand().is_empty())
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
