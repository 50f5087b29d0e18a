//! What conditions ask for, and what the trail knows of it.

use serde_json::Value as Json;

use super::Line;
use crate::model::{Catalog, Check, DocumentPart, Expr, ExprKind, Fact, Hook, SpentPart};

/// Something that a condition asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// As conditions write it.
    pub name: String,
    /// Empty when the trail does not have it.
    pub value: Option<String>,
    pub origin: Origin,
}

/// Where a value is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The event, as the trail has it.
    Event,
    /// The config file, as the trail has it.
    Config,
    /// The catalog, because the config file did not say otherwise.
    Default,
    /// The words of the reason.
    Reason,
    /// The world as it was then, which nobody wrote down.
    Unrecorded,
}

impl Origin {
    pub fn words(self) -> &'static str {
        match self {
            Self::Event => "the event",
            Self::Config => "the config file",
            Self::Default => "the catalog's default",
            Self::Reason => "the reason",
            Self::Unrecorded => "not in the trail",
        }
    }
}

/// What the hook's own condition and the check's ask for, and the definitions that they use, each once. What the reason
/// tells of other expressions comes last.
pub(super) fn of<'c>(
    catalog: &'c Catalog,
    hook: &'c Hook,
    check: Option<&'c Check>,
    line: &Line,
    told: Vec<(String, String)>,
) -> (Vec<Value>, Vec<&'c Fact>) {
    let mut asked = Asked { catalog, hook, line, values: Vec::new(), definitions: Vec::new() };
    let conditions = hook.when.iter().chain(check.and_then(|check| check.when.as_ref()));
    conditions.for_each(|condition| asked.walk(&condition.expr));
    for (name, text) in told {
        match asked.values.iter_mut().find(|value| value.name == name) {
            Some(known) if known.value.is_some() => {}
            Some(unknown) => (unknown.value, unknown.origin) = (Some(text), Origin::Reason),
            None => asked.values.push(Value { name, value: Some(text), origin: Origin::Reason }),
        }
    }
    (asked.values, asked.definitions)
}

struct Asked<'c, 'l> {
    catalog: &'c Catalog,
    hook: &'c Hook,
    line: &'l Line,
    values: Vec<Value>,
    definitions: Vec<&'c Fact>,
}

impl<'c> Asked<'c, '_> {
    fn walk(&mut self, expr: &'c Expr) {
        if let Some(name) = name(expr) {
            let (value, origin) = self.value(expr, &name);
            return self.add(Value { name, value, origin });
        }
        match &expr.kind {
            ExprKind::Fact(name) => self.define(name, &self.catalog.facts),
            ExprKind::Binding(name) => self.define(name, &self.hook.bindings),
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.walk(child));
    }

    fn define(&mut self, name: &str, among: &'c [Fact]) {
        let Some(fact) = among.iter().find(|fact| fact.name == name) else { return };
        if self.definitions.iter().all(|known| known.name != fact.name) {
            self.definitions.push(fact);
            self.walk(&fact.expr);
        }
    }

    fn add(&mut self, value: Value) {
        if self.values.iter().all(|known| known.name != value.name) {
            self.values.push(value);
        }
    }

    fn value(&self, expr: &Expr, name: &str) -> (Option<String>, Origin) {
        let setting = |key: &[String], default: String| match self.line.value("settings", &key.join(".")) {
            Some(found) => (Some(shown(found)), Origin::Config),
            // Before there were versions, nobody wrote down what the config file said.
            None if self.line.version() == 0 => (None, Origin::Unrecorded),
            None => (Some(default), Origin::Default),
        };
        match &expr.kind {
            ExprKind::Threshold(name) => find(&self.catalog.thresholds, |it| it.name == *name)
                .map(|it| setting(&it.config, it.default.to_string())),
            ExprKind::Chosen(name) => {
                find(&self.catalog.choices, |it| it.name == *name).map(|it| setting(&it.config, it.default.clone()))
            }
            ExprKind::Flag(name) => {
                find(&self.catalog.flags, |it| it.name == *name).map(|it| setting(&it.config, it.default.to_string()))
            }
            ExprKind::Field { .. } if is_of_the_event(expr) => {
                of_event(self.line, name).map(|value| (Some(shown(value)), Origin::Event))
            }
            _ => None,
        }
        .unwrap_or((None, Origin::Unrecorded))
    }
}

fn find<T>(among: &[T], wanted: impl Fn(&T) -> bool) -> Option<&T> {
    among.iter().find(|it| wanted(it))
}

/// What a condition calls something that has a value of its own; `None` for what is worked out from others.
fn name(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Field { of, name: field } => match &inside(of).kind {
            ExprKind::Payload => Some(field.clone()),
            ExprKind::Document { name, part: DocumentPart::Root } => Some(format!("{name}.{field}")),
            ExprKind::Field { .. } => Some(format!("{}.{field}", name(inside(of))?)),
            _ => None,
        },
        ExprKind::Threshold(name) => Some(format!("thresholds.{name}")),
        ExprKind::Flag(name) => Some(format!("flags.{name}")),
        ExprKind::Chosen(name) => Some(format!("choices.{name}")),
        ExprKind::Env(name) => Some(format!("env.{name}")),
        ExprKind::Property { function } => Some(function.name.to_owned()),
        ExprKind::Document { name, part } => {
            let part = match part {
                DocumentPart::Exists => "exists",
                DocumentPart::Valid => "valid",
                DocumentPart::Problem => "problem",
                DocumentPart::Path => "path",
                DocumentPart::Size => "size",
                DocumentPart::Text => "text",
                DocumentPart::Body => "body",
                DocumentPart::Root => return None,
            };
            Some(format!("{name}.{part}"))
        }
        ExprKind::Spent { name, part } => Some(match part {
            SpentPart::Repeated => format!("{name}.repeated"),
            SpentPart::Refused => format!("{name}.refused"),
            SpentPart::Used(counter) => format!("{name}.{counter}.used"),
            SpentPart::Limit(counter) => format!("{name}.{counter}.limit"),
            SpentPart::CounterRefused(counter) => format!("{name}.{counter}.refused"),
        }),
        ExprKind::Read { .. } => name(inside(expr)),
        _ => None,
    }
}

/// The expression without what only says how it is read.
fn inside(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Read { of } => inside(of),
        _ => expr,
    }
}

fn is_of_the_event(expr: &Expr) -> bool {
    match &inside(expr).kind {
        ExprKind::Payload => true,
        ExprKind::Field { of, .. } => is_of_the_event(of),
        _ => false,
    }
}

/// A field of the event, where the trail keeps it.
fn of_event<'l>(line: &'l Line, name: &str) -> Option<&'l Json> {
    let own = match name {
        "tool_name" => "tool",
        "session_id" => "session",
        "agent_type" => "agent",
        "tool_response" => "response",
        "cwd" if line.0.contains_key("cwd") => "cwd",
        "cwd" => "project",
        "hook_event_name" => "event",
        "tool_use_id" | "agent_id" | "permission_mode" => name,
        _ => return line.value("input", name.strip_prefix("tool_input.").unwrap_or(name)),
    };
    line.0.get(own)
}

fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::explain;
    use super::*;
    use crate::emit::fixture;

    fn line(fields: Json) -> Line {
        let Json::Object(fields) = fields else { panic!("an object") };
        Line(fields)
    }

    #[test]
    fn every_name_has_the_value_that_the_trail_knows() {
        let catalog = fixture::full();
        let hook = &catalog.hooks[0];
        let told = vec![("b".to_owned(), "2".to_owned())];
        let record = line(json!({"v": 1, "input": {"file_path": "/p/a"}, "settings": {}, "tool": "Write"}));
        let (values, _) = of(&catalog, hook, hook.checks.first(), &record, told);
        let limit = values.iter().find(|value| value.name == "thresholds.limit").expect("behind a let and a fact");
        assert_eq!((limit.origin, limit.value.is_some()), (Origin::Default, true));
        assert_eq!(values.last(), Some(&Value { name: "b".into(), value: Some("2".into()), origin: Origin::Reason }));
        let key = catalog.thresholds.iter().find(|it| it.name == "limit").expect("there").config.join(".");
        let record = line(json!({"v": 1, "settings": {key: "77"}}));
        let (values, _) = of(&catalog, hook, hook.checks.first(), &record, Vec::new());
        let limit = values.iter().find(|value| value.name == "thresholds.limit").expect("there");
        assert_eq!((limit.origin, limit.value.as_deref()), (Origin::Config, Some("77")));
        let (values, _) = of(&catalog, hook, hook.checks.first(), &line(json!({})), Vec::new());
        assert!(values.iter().all(|value| value.value.is_none()), "an old line knows nothing: {values:?}");
    }

    #[test]
    fn a_field_of_the_event_is_found_where_the_trail_has_it() {
        let record = line(json!({"tool": "Bash", "project": "/p", "input": {"command": "ls", "n": 1}}));
        let of = |name: &str| of_event(&record, name).map(shown);
        assert_eq!(of("tool_input.command").as_deref(), Some("ls"));
        assert_eq!(of("tool_input.n").as_deref(), Some("1"));
        assert_eq!((of("tool_name").as_deref(), of("cwd").as_deref()), (Some("Bash"), Some("/p")));
        assert_eq!(of("tool_input.none"), None);
    }

    #[test]
    fn a_line_of_another_catalog_explains_nothing_and_one_of_an_older_one_says_so() {
        let catalog = fixture::full();
        assert!(explain(&catalog, &line(json!({"hook": "X99"}))).is_none());
        let id = catalog.hooks[0].id.clone();
        let old = explain(&catalog, &line(json!({"hook": id, "digest": "old"}))).expect("known");
        assert!(old.changed && old.check.is_none());
        let new = explain(&catalog, &line(json!({"hook": id, "digest": catalog.digest}))).expect("known");
        assert!(!new.changed);
    }
}
