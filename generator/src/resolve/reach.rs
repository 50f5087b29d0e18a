//! What the expressions of a hook reach in the world around it.

use std::collections::BTreeSet;

use super::uses;
use crate::model::{BinaryOp, Catalog, Effect, Expr, ExprKind, Fact, Hook, Template};

/// What functions that start a program call its command line.
const COMMAND_LINE: &str = "argv";

/// What looks at the branch or the commit, for which some repositories must be asked through git.
const HEADS: &[&str] = &["git_branch", "git_commit", "branch_of"];

/// What the expressions of a hook reach, through the facts and messages that it uses.
#[derive(Debug, Default)]
pub struct Reach {
    /// Programs that they start, by name.
    pub programs: BTreeSet<String>,
    /// Whether the catalog's constants say which program is started.
    pub by_the_constants: bool,
    /// Environment variables that they read.
    pub variables: BTreeSet<String>,
    /// Whether they ask for a branch or a commit.
    pub heads: bool,
}

impl Reach {
    pub fn of(catalog: &Catalog, hook: &Hook) -> Self {
        let used = uses::of_hook(catalog, hook);
        let facts: Vec<&Fact> = catalog.facts.iter().filter(|fact| used.facts.contains(&fact.name)).collect();
        let messages = catalog.messages.iter().filter(|message| used.messages.contains(&message.name));
        let defined: Vec<&Fact> = facts.iter().copied().chain(&hook.bindings).collect();
        let effects = hook.checks.iter().flat_map(|check| &check.effects).flat_map(Effect::expressions);
        let conditions = hook.when.iter().chain(hook.checks.iter().filter_map(|check| check.when.as_ref()));
        let roots = defined
            .iter()
            .map(|fact| &fact.expr)
            .chain(conditions.map(|condition| &condition.expr))
            .chain(effects)
            .chain(messages.map(|message| &message.template).flat_map(Template::expressions));
        let mut reach = Self::default();
        roots.for_each(|root| reach.walk(root, &defined));
        reach
    }

    pub fn starts_programs(&self) -> bool {
        self.by_the_constants || !self.programs.is_empty()
    }

    fn walk(&mut self, expr: &Expr, defined: &[&Fact]) {
        if let ExprKind::Call { function, .. } | ExprKind::Property { function } = &expr.kind {
            self.heads |= HEADS.contains(&function.symbol);
        }
        match &expr.kind {
            ExprKind::Env(name) => drop(self.variables.insert(name.clone())),
            ExprKind::Call { function, args } => {
                let place = function.params.iter().position(|(name, _)| *name == COMMAND_LINE);
                if let Some(line) = place.and_then(|place| args.get(place)) {
                    match program(line, defined) {
                        Some(program) => drop(self.programs.insert(program.to_owned())),
                        None => self.by_the_constants = true,
                    }
                }
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.walk(child, defined));
    }
}

/// The program that a command line begins with, if the catalog names it there. `env` is not what is meant.
fn program<'e>(line: &'e Expr, defined: &[&'e Fact]) -> Option<&'e str> {
    match &line.kind {
        ExprKind::List(items) => items.iter().find_map(|item| match &item.kind {
            ExprKind::Text(word) if word != "env" && !word.contains('=') => Some(word.as_str()),
            _ => None,
        }),
        ExprKind::Binary { op: BinaryOp::Add, left, .. } => program(left, defined),
        ExprKind::Fact(name) | ExprKind::Binding(name) => {
            program(&defined.iter().rev().find(|fact| fact.name == *name)?.expr, defined)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::library::{FUNCTIONS, PROPERTIES};

    use super::*;

    #[test]
    fn the_program_is_found_behind_definitions() {
        let text = |word: &str| Expr { kind: ExprKind::Text(word.to_owned()), ty: crate::model::Type::Text };
        let list = |words: &[&str]| Expr {
            kind: ExprKind::List(words.iter().map(|word| text(word)).collect()),
            ty: crate::model::Type::List(Box::new(crate::model::Type::Text)),
        };
        assert_eq!(program(&list(&["env", "A=0", "git", "-C"]), &[]), Some("git"));
        let sum = Expr {
            ty: list(&[]).ty,
            kind: ExprKind::Binary {
                op: BinaryOp::Add,
                left: Box::new(list(&["curl"])),
                right: Box::new(list(&["x"])),
            },
        };
        assert_eq!(program(&sum, &[]), Some("curl"));
        assert_eq!(program(&text("curl"), &[]), None);
    }

    #[test]
    fn what_looks_at_the_head_of_a_repository_is_a_function_of_the_library() {
        for symbol in HEADS {
            assert!(FUNCTIONS.iter().chain(PROPERTIES).any(|function| function.symbol == *symbol), "{symbol}");
        }
    }
}
