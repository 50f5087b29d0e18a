//! What the expressions of a hook reach in the world around it.

use hookgen_runtime::signature::{Function, Power};

use super::uses;
use crate::model::{Catalog, Effect, Expr, ExprKind, Hook, Template};

/// What looks at the branch or the commit, for which some repositories must be asked through git.
const HEADS: &[&str] = &["git_branch", "git_commit", "branch_of"];

/// What the expressions of a hook reach, through everything that they refer to.
#[derive(Debug, Default)]
pub struct Reach {
    programs: bool,
    /// Whether they ask for a branch or a commit.
    pub heads: bool,
}

impl Reach {
    pub fn of(catalog: &Catalog, hook: &Hook) -> Self {
        let used = uses::of_hook(catalog, hook);
        let facts = catalog.facts.iter().filter(|fact| used.facts.contains(&fact.name));
        let messages = catalog.messages.iter().filter(|message| used.messages.contains(&message.name));
        let documents = catalog.documents.iter().filter(|document| used.documents.contains(&document.name));
        let documents = documents.chain(&hook.documents).flat_map(|document| {
            document.when.iter().map(|when| &when.expr).chain(document.path.expressions()).collect::<Vec<_>>()
        });
        let effects = hook.checks.iter().flat_map(|check| &check.effects).flat_map(Effect::expressions);
        let conditions = hook.when.iter().chain(hook.checks.iter().filter_map(|check| check.when.as_ref()));
        let mut reach = Self::default();
        facts
            .chain(&hook.bindings)
            .map(|fact| &fact.expr)
            .chain(conditions.map(|condition| &condition.expr))
            .chain(effects)
            .chain(documents)
            .chain(messages.map(|message| &message.template).flat_map(Template::expressions))
            .for_each(|root| reach.walk(root));
        reach
    }

    pub fn starts_programs(&self) -> bool {
        self.programs
    }

    fn walk(&mut self, expr: &Expr) {
        if let ExprKind::Call { function, .. } | ExprKind::Property { function } = &expr.kind {
            self.heads |= HEADS.contains(&function.symbol);
            self.programs |= starts_programs(function);
        }
        expr.children().into_iter().for_each(|child| self.walk(child));
    }
}

fn starts_programs(function: &Function) -> bool {
    function.powers.iter().any(|power| matches!(power, Power::Program | Power::Query))
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::library::{FUNCTIONS, PROPERTIES};

    use super::*;

    #[test]
    fn what_looks_at_the_head_of_a_repository_is_a_function_of_the_library() {
        for symbol in HEADS {
            assert!(FUNCTIONS.iter().chain(PROPERTIES).any(|function| function.symbol == *symbol), "{symbol}");
        }
    }

    #[test]
    fn a_program_is_started_whatever_its_parameters_are_called() {
        let starting: Vec<&str> =
            FUNCTIONS.iter().filter(|function| starts_programs(function)).map(|function| function.name).collect();
        assert_eq!(starting, ["query", "queryWith", "run", "runWith", "runLatest", "runWhole"]);
    }
}
