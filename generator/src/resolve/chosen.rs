//! Comparisons with a choice: the words that it can be are known, so a word that it never is would decide nothing.

use std::ops::Range;

use super::typing::Checker;
use crate::cel::{Ast, Node};
use crate::model::{BinaryOp, Expr, ExprKind};

impl Checker<'_, '_> {
    /// Whether every word that a choice is compared with is one of its values; reports those that are not.
    pub(super) fn choosable(&self, op: BinaryOp, sides: (&Expr, &Expr), written: (&Ast, &Ast)) -> bool {
        let (words, choice) = match (op, &sides.0.kind, &sides.1.kind) {
            (BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::In, ExprKind::Chosen(choice), _) => {
                (words(written.1), choice)
            }
            (BinaryOp::Equal | BinaryOp::NotEqual, _, ExprKind::Chosen(choice)) => (words(written.0), choice),
            _ => return true,
        };
        let Some(declared) = self.resolver.written.choices.get(choice) else { return true };
        let kind = format!("value of `{choice}`");
        let mut sound = true;
        for (word, span) in words {
            let span = self.offset + span.start..self.offset + span.end;
            let location = self.document.inside(self.at, span);
            sound &= self.resolver.known(&kind, word, declared.values.iter(), location);
        }
        sound
    }
}

/// The words that are spelt out in a text or in a list of them.
fn words(ast: &Ast) -> Vec<(&str, Range<usize>)> {
    match &ast.node {
        Node::Text(word) => vec![(word, ast.span.clone())],
        Node::List(items) => items.iter().flat_map(words).collect(),
        _ => Vec::new(),
    }
}
