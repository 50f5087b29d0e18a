//! Functions that a script defines itself.

use super::super::json::Json;
use super::super::path::Reason;
use super::syntax::Expression;
use super::{Run, Values, Way};

/// A call: the name of the function, and what it is given.
type Called<'x> = (&'x str, &'x [(Option<String>, Expression)]);

impl Run<'_, '_> {
    /// A call of a function that the script defines itself.
    pub(super) fn own<'x>(expression: &'x Expression, way: &Way) -> Option<Called<'x>> {
        match expression {
            Expression::Call(function, args) => match function.as_ref() {
                Expression::Name(name) if way.functions.contains_key(name) => Some((name, args)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a function of the script gives back, way by way; a way on which the script has ended has no value.
    pub(super) fn called(&self, name: &str, args: &[(Option<String>, Expression)], way: Way) -> Result<Values, Reason> {
        let (given, body) = way.functions.get(name).cloned().unwrap_or_default();
        if given.len() != args.len() || args.iter().any(|(name, _)| name.is_some()) {
            return Err(format!("Python calls `{name}` in an unusual way"));
        }
        let args: Vec<Expression> = args.iter().map(|(_, arg)| arg.clone()).collect();
        let inner = Run { reader: &self.reader.deeper()? };
        let mut all = Vec::new();
        for (values, mut way) in self.several(&args, way, |values| Ok(Json::List(values)))? {
            let Json::List(values) = values else { continue };
            let (names, outer) = (way.names.clone(), way.returned.take());
            way.names.extend(given.iter().cloned().zip(values));
            for way in inner.block(&body, way)? {
                let value = way.returned.clone().unwrap_or(Json::Null);
                all.push((value, Way { returned: outer.clone(), names: names.clone(), ..way }));
            }
        }
        Ok(all)
    }
}
