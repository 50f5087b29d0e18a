//! Why something was decided: a line of the audit trail beside what the catalog says about it.

mod reason;
mod trail;
mod values;

pub use trail::{Found, Line, Which, find};
pub use values::{Origin, Value};

use crate::model::{Catalog, Check, Effect, Fact, FailSafe, Hook, Template};

/// A decision explained, as far as the catalog and the trail go.
#[derive(Debug)]
pub struct Explanation<'c> {
    pub hook: &'c Hook,
    pub check: Option<&'c Check>,
    /// Whether the catalog is another one than the binary was built from.
    pub changed: bool,
    /// What the conditions ask for, and what it was then.
    pub values: Vec<Value>,
    /// The definitions that the conditions refer to.
    pub definitions: Vec<&'c Fact>,
}

/// What the catalog says about a line; `None` if it has no such hook.
pub fn explain<'c>(catalog: &'c Catalog, line: &Line) -> Option<Explanation<'c>> {
    let hook = catalog.hook(line.text("hook"))?;
    let check = hook.checks.iter().find(|check| check.id == line.text("check"));
    let told = check.map(|check| told(catalog, check, line.text("reason"))).unwrap_or_default();
    let (values, definitions) = values::of(catalog, hook, check, line, told);
    Some(Explanation { hook, check, changed: line.text("digest") != catalog.digest, values, definitions })
}

impl Explanation<'_> {
    pub fn fail_safe(&self) -> &'static str {
        match self.hook.fail_safe {
            FailSafe::Open => "open",
            FailSafe::Closed => "closed",
        }
    }
}

/// What the reason tells of the expressions in the text that it was made from.
fn told(catalog: &Catalog, check: &Check, text: &str) -> Vec<(String, String)> {
    check
        .effects
        .iter()
        .filter_map(spoken)
        .find_map(|template| reason::read(catalog, template, text))
        .unwrap_or_default()
}

fn spoken(effect: &Effect) -> Option<&Template> {
    match effect {
        Effect::Decide(_, text)
        | Effect::Feedback(text)
        | Effect::Warn(text)
        | Effect::Inject(text)
        | Effect::Log(text) => Some(text),
        _ => None,
    }
}
