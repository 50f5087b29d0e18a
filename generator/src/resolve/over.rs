//! A check over a list: the first element for which its condition holds decides, and its effects can speak of it.

use super::Resolver;
use super::typing::Scope;
use crate::catalog;
use crate::cel::{self, Ast, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::{self, Condition, Expr, ExprKind, Macro, Type};

/// An element that a check has found, by the name that the check gives it.
#[derive(Clone)]
pub(super) struct Element {
    pub(super) name: String,
    /// The definition that holds it, in a list.
    pub(super) found: String,
    pub(super) ty: Type,
}

impl Element {
    /// The element itself.
    pub(super) fn expr(&self) -> Expr {
        let list = Type::List(Box::new(self.ty.clone()));
        let of = Box::new(Expr::new(ExprKind::Binding(self.found.clone()), list));
        let at = Box::new(Expr::new(ExprKind::Int(0), Type::Int));
        Expr::new(ExprKind::Index { of, at }, self.ty.clone())
    }
}

impl Resolver<'_> {
    /// The list of what a check has found, which is empty or holds the first element; whether there is one; and what its
    /// effects see.
    pub(super) fn over_list(
        &self,
        written: &str,
        check: &catalog::Check,
        at: &Pointer,
        scope: &Scope,
    ) -> Option<(model::Fact, Condition, Scope)> {
        let place = at.key("for");
        let parts = written.split_once(" in ").filter(|(name, list)| is_name(name.trim()) && !list.trim().is_empty());
        let Some((name, list)) = parts else {
            self.report(
                Diagnostic::error(Code::BadValue, "a check goes over a list as `name in list`")
                    .primary(self.document.at(&place), "")
                    .help("write `for: c in commands`, and speak of `c` in `when` and in what is said"),
            );
            return None;
        };
        // A definition is worked out without the results of `spend`.
        let mut inner = Scope { spends: Vec::new(), ..scope.clone() };
        let offset = name.len() + " in ".len();
        let of = self.expression_within(list, &place, offset, &inner);
        let checker = super::typing::Checker { offset, ..self.checker(&place, &inner) };
        let element = of.as_ref()?.ty.clone();
        let Type::List(element) = element else {
            checker.report(Code::TypeMismatch, "`for` goes over a list", 0..list.len(), element.to_string(), "");
            return None;
        };
        let (name, element) = (name.trim().to_owned(), *element);
        inner.variables.push((name.clone(), Expr::new(ExprKind::Variable(name.clone()), element.clone())));
        let body = match &check.when {
            Some(when) => self.condition(&when.0, &at.key("when"), &inner)?,
            None => Condition { source: "true".to_owned(), expr: Expr::new(ExprKind::Bool(true), Type::Bool) },
        };
        let element = Element { found: self::found(&check.id, &name), name, ty: element };
        Some(definition(of?, (list, offset), body, element, scope))
    }
}

/// The name of the definition that holds what a check has found: one that no catalog can give to anything, and no other
/// check has.
pub(crate) fn found(check: &str, name: &str) -> String {
    format!("{check}/{name}")
}

/// What stands before the condition in the text of that definition.
pub(crate) fn before(list: &str, name: &str) -> String {
    format!("{}.first({name}, ", asked(list))
}

/// The list as something that can be asked: in parentheses where a dot would go to its last part alone.
fn asked(list: &str) -> String {
    let loose = |ast: Ast| matches!(ast.node, Node::Unary { .. } | Node::Binary { .. } | Node::Choice { .. });
    if cel::parse(list).is_ok_and(loose) { format!("({list})") } else { list.to_owned() }
}

/// Where the list itself begins in that text.
pub(crate) fn opened(list: &str) -> usize {
    usize::from(asked(list).len() > list.len())
}

fn definition(
    mut of: Expr,
    (list, offset): (&str, usize),
    body: Condition,
    element: Element,
    scope: &Scope,
) -> (model::Fact, Condition, Scope) {
    let name = &element.name;
    let before = before(list, name);
    let mut expr = body.expr;
    let opened = opened(list);
    of.shift(&|place| place.saturating_sub(offset) + opened);
    expr.shift(&|place| place + before.len());
    let ty = Type::List(Box::new(element.ty.clone()));
    let source = format!("{before}{})", body.source);
    let kind = ExprKind::Macro { kind: Macro::First, list: Box::new(of), variable: name.clone(), body: Box::new(expr) };
    let fact =
        model::Fact { name: element.found.clone(), expr: Expr::new(kind, ty.clone()).at(0..source.len()), source };
    let source = format!("{}.exists({name}, {})", asked(list), body.source);
    let any = ExprKind::Macro {
        kind: Macro::Exists,
        list: Box::new(Expr::new(ExprKind::Binding(element.found.clone()), ty)),
        variable: name.clone(),
        body: Box::new(Expr::new(ExprKind::Bool(true), Type::Bool)),
    };
    let condition = Condition { expr: Expr::new(any, Type::Bool).at(0..source.len()), source };
    let mut scope = scope.clone();
    scope.elements.push(element);
    (fact, condition, scope)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    fn messages(check: &str) -> Vec<String> {
        let text = format!(
            "catalog: demo\nversion: 1.0.0\ndescription: Demo.\nhooks:\n  - id: H01\n    name: on-tool\n    event: PreToolUse\n    \
             matcher: Bash\n    timeout: 1s\n    fail_safe: open\n    why: Demo.\n    let: {{ line: tool_input.command.commands() }}\n    \
             checks: [{{ id: one, {check} }}]\n"
        );
        let compiled = compile("demo.yaml".into(), text.into_bytes());
        compiled.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.message.clone()).collect()
    }

    #[test]
    fn the_element_is_known_to_the_condition_and_to_what_is_said() {
        assert_eq!(messages("for: c in line, when: c.name == 'rm', deny: '${c.text}'"), Vec::<String>::new());
        assert_eq!(messages("for: c in line, deny: '${c.text}'"), Vec::<String>::new());
    }

    #[test]
    fn what_is_no_list_and_no_name_is_refused() {
        assert_eq!(messages("for: c in cwd, when: c == 'x', deny: no"), ["`for` goes over a list"]);
        assert_eq!(messages("for: line, deny: no"), ["a check goes over a list as `name in list`"]);
        assert_eq!(messages("for: c in line, when: c.nam == 'rm', deny: no").len(), 1);
    }
}
