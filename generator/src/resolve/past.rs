//! What expressions ask of the session's history: names that are declared, and lengths of time.

use std::ops::Range;

use hookgen_runtime::signature::Function;

use super::typing::Checker;
use crate::cel::Ast;
use crate::diagnostic::{Code, did_you_mean};
use crate::model::{Expr, ExprKind};

/// Units of time, each with its seconds.
const UNITS: [(&str, i64); 4] = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)];

impl Checker<'_, '_> {
    /// Whether a question to the history can have an answer; reports it if not. Other calls are none.
    pub(super) fn history_known(&self, function: &Function, args: &[Expr], written: &[Ast]) -> Option<()> {
        let declared = &self.resolver.written.history;
        let span = || written.first().map(|arg| arg.span.clone()).unwrap_or_default();
        match (function.name, args) {
            ("history", [arg]) => {
                let ExprKind::Text(name) = &arg.kind else {
                    let help = "write the name in quotes: `history('tests')`";
                    self.report(Code::BadArguments, "the name must be a literal", span(), "not a literal", help);
                    return None;
                };
                if !declared.contains_key(name) {
                    let near = did_you_mean(name, declared.keys().map(String::as_str));
                    let help = near.map_or_else(
                        || format!("declare it: `history: {{ {name}: {{ description: … }} }}`"),
                        |near| format!("did you mean `{near}`?"),
                    );
                    let message = format!("there is no history named `{name}`");
                    self.report(Code::UnknownName, message, span(), "not declared", help);
                    return None;
                }
            }
            ("of", [of, _]) if function.receiver.is_some() => {
                let name = named(of)?;
                if declared.get(name).is_some_and(|recorded| recorded.of.is_none()) {
                    let message = format!("`{name}` is not recorded for anything in particular");
                    let help = format!("declare to what it happens: `{name}: {{ of: the command, … }}`");
                    self.report(Code::KeyMismatch, message, span(), "never found", help);
                    return None;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// The seconds of a length of time such as `10m`.
    pub(super) fn seconds(&self, text: &str, span: &Range<usize>) -> Option<i64> {
        let found = seconds(text);
        if found.is_none() {
            let message = format!("`{text}` is no length of time");
            self.report(Code::BadArguments, message, span.clone(), "", "write `90s`, `10m`, `2h` or `1d`");
        }
        found
    }
}

/// The seconds of a length of time; none of what is no such length.
pub fn seconds(text: &str) -> Option<i64> {
    let found = UNITS.iter().find_map(|(unit, seconds)| {
        text.strip_suffix(unit).and_then(|number| number.parse::<i64>().ok()?.checked_mul(*seconds))
    });
    found.filter(|seconds| *seconds > 0)
}

/// The name of the history that an expression is, or is a part of.
fn named(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Call { function, args } => match (function.name, args.first().map(|arg| &arg.kind)) {
            ("history", Some(ExprKind::Text(name))) => Some(name),
            _ => named(args.first()?),
        },
        _ => Some(""),
    }
}
