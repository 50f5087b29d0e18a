//! What a catalog says once: flags, choices, thresholds, tables, documents, facts and messages.

use std::sync::Arc;

use serde_json::Value;

use super::typing::Scope;
use super::{Definition, Resolver, Slot};
use crate::catalog::{self, FieldType};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::{self, Record, Type};

impl Resolver<'_> {
    pub(super) fn flags(&self) -> Vec<model::Flag> {
        let written = &self.written.flags;
        for name in written.keys() {
            self.flag_cycle(name);
        }
        let flags = written.iter().map(|(name, flag)| {
            for (position, required) in flag.requires.iter().enumerate() {
                let at = Pointer::root().key("flags").key(name).key("requires").index(position);
                self.known("flag", required, written.keys(), self.document.at(&at));
            }
            model::Flag {
                name: name.clone(),
                description: flag.description.clone(),
                default: flag.default,
                requires: flag.requires.clone(),
                rollback: flag.rollback.clone(),
                config: match &flag.config {
                    Some(key) => segments(key),
                    None => vec!["feature_flags".to_owned(), name.clone(), "enabled".to_owned()],
                },
            }
        });
        flags.collect()
    }

    /// A flag that requires itself, however far round, could never be on.
    fn flag_cycle(&self, name: &str) {
        let mut way = vec![name];
        let mut seen = vec![name];
        while let Some(here) = way.pop() {
            let Some(flag) = self.written.flags.get(here) else { continue };
            for required in flag.requires.iter().map(String::as_str) {
                if required == name {
                    let at = Pointer::root().key("flags").key(name);
                    self.report(
                        Diagnostic::error(Code::Cycle, format!("flag `{name}` requires itself"))
                            .primary(self.document.key(&at), "could never be on")
                            .help(format!("take it out of what `{here}` requires")),
                    );
                    return;
                }
                if !seen.contains(&required) {
                    seen.push(required);
                    way.push(required);
                }
            }
        }
    }

    pub(super) fn refused(&self) -> Vec<model::Refused> {
        let refused = self.written.config.iter().flat_map(|config| &config.refused);
        let refused = refused.map(|(key, refused)| model::Refused {
            config: segments(key),
            instead: refused.instead.trim().to_owned(),
            unless: refused.unless.clone(),
        });
        refused.collect()
    }

    pub(super) fn choices(&self) -> Vec<model::Choice> {
        let choices = self.written.choices.iter().map(|(name, choice)| {
            let at = Pointer::root().key("choices").key(name).key("default");
            self.known("value", &choice.default, choice.values.iter(), self.document.at(&at));
            let values = Pointer::root().key("choices").key(name).key("values");
            let each = choice.values.iter().enumerate();
            self.check_unique("value", each.map(|(position, value)| (value.as_str(), values.index(position))));
            model::Choice {
                name: name.clone(),
                description: choice.description.clone(),
                values: choice.values.clone(),
                default: choice.default.clone(),
                config: segments(&choice.config),
            }
        });
        choices.collect()
    }

    pub(super) fn thresholds(&self) -> Vec<model::Threshold> {
        let thresholds = self.written.thresholds.iter().map(|(name, threshold)| {
            self.check_range(name, threshold);
            model::Threshold {
                name: name.clone(),
                description: threshold.description.clone(),
                default: threshold.default.clone(),
                unit: threshold.unit.clone(),
                range: threshold.range.clone(),
                config: threshold.config.as_deref().map(segments).unwrap_or_default(),
                ty: self.threshold_type(name),
            }
        });
        thresholds.collect()
    }

    /// A threshold is a whole number if its default and its range are.
    pub(super) fn threshold_type(&self, name: &str) -> Type {
        let Some(threshold) = self.written.thresholds.get(name) else { return Type::Int };
        let mut numbers = std::iter::once(&threshold.default).chain(threshold.range.iter().flatten());
        if numbers.all(|number| number.as_i64().is_some()) { Type::Int } else { Type::Double }
    }

    fn check_range(&self, name: &str, threshold: &catalog::Threshold) {
        let Some([least, most]) = &threshold.range else { return };
        let value = |number: &serde_json::Number| number.as_f64().unwrap_or_default();
        let place = Pointer::root().key("thresholds").key(name);
        if value(least) > value(most) {
            self.report(
                Diagnostic::error(Code::BadRange, format!("no number lies between {least} and {most}"))
                    .primary(self.document.at(&place.key("range")), "smallest first")
                    .help(format!("write [{most}, {least}]")),
            );
        } else if value(&threshold.default) < value(least) || value(&threshold.default) > value(most) {
            self.report(
                Diagnostic::error(Code::BadRange, format!("the default {} is out of range", threshold.default))
                    .primary(self.document.at(&place.key("default")), format!("not between {least} and {most}"))
                    .secondary(self.document.at(&place.key("range")), "the range")
                    .help("change the default or widen the range"),
            );
        }
    }

    pub(super) fn data(&self) -> Vec<model::Data> {
        let data = self.written.data.iter().map(|(name, value)| model::Data {
            name: name.clone(),
            value: value.clone(),
            ty: type_of(value),
        });
        data.collect()
    }

    pub(super) fn counters(&self) -> Vec<model::Counter> {
        let counters = self.written.counters.iter().map(|(name, counter)| model::Counter {
            name: name.clone(),
            description: counter.description.clone(),
            per: counter.per.clone(),
        });
        counters.collect()
    }

    pub(super) fn history(&self) -> Vec<model::Recorded> {
        let recorded = self.written.history.iter().map(|(name, recorded)| model::Recorded {
            name: name.clone(),
            description: recorded.description.clone(),
            of: recorded.of.clone(),
        });
        recorded.collect()
    }

    /// The type of a fact, resolving it first if nobody has asked before.
    pub(super) fn fact_type(&self, name: &str) -> Option<Type> {
        if !self.facts.borrow().contains_key(name) {
            let definition = Definition { section: "facts", name: name.to_owned() };
            let fact = self.define(definition, || {
                let source = self.written.facts.get(name)?;
                let at = Pointer::root().key("facts").key(name);
                let expr = self.expression(&source.0, &at, &Scope::shared(self))?;
                Some(model::Fact { name: name.to_owned(), source: source.0.clone(), expr })
            });
            self.facts.borrow_mut().entry(name.to_owned()).or_insert(fact.map_or(Slot::Failed, Slot::Done));
        }
        match self.facts.borrow().get(name) {
            Some(Slot::Done(fact)) => Some(fact.expr.ty.clone()),
            _ => None,
        }
    }

    /// Whether a message is sound, resolving it first if nobody has asked before.
    pub(super) fn message_exists(&self, name: &str) -> bool {
        if !self.messages.borrow().contains_key(name) {
            let definition = Definition { section: "messages", name: name.to_owned() };
            let message = self.define(definition, || {
                let source = self.written.messages.get(name)?;
                let at = Pointer::root().key("messages").key(name);
                let template = self.template(&source.0, &at, &Scope::shared(self))?;
                Some(model::Message { name: name.to_owned(), template })
            });
            self.messages.borrow_mut().entry(name.to_owned()).or_insert(message.map_or(Slot::Failed, Slot::Done));
        }
        matches!(self.messages.borrow().get(name), Some(Slot::Done(_)))
    }

    /// Looks at a document, resolving it first if nobody has asked before.
    pub(super) fn with_document<T>(&self, name: &str, look: impl FnOnce(&model::Document) -> T) -> Option<T> {
        if !self.documents.borrow().contains_key(name) {
            let definition = Definition { section: "documents", name: name.to_owned() };
            let document = self.define(definition, || {
                let written = self.written.documents.get(name)?;
                self.document_written(name, written, &Pointer::root().key("documents").key(name), &Scope::shared(self))
            });
            self.documents.borrow_mut().entry(name.to_owned()).or_insert(document.map_or(Slot::Failed, Slot::Done));
        }
        match self.documents.borrow().get(name) {
            Some(Slot::Done(document)) => Some(look(document)),
            _ => None,
        }
    }

    /// A document of the catalog or of a hook.
    pub(super) fn document_written(
        &self,
        name: &str,
        written: &catalog::Document,
        place: &Pointer,
        scope: &Scope,
    ) -> Option<model::Document> {
        use catalog::Format;
        let path = self.path(&written.path.0, &place.key("path"), scope);
        let when = written.when.as_ref().map(|when| self.condition(&when.0, &place.key("when"), scope));
        // All of them first, so that every bad type is reported.
        let fields: Vec<Option<(String, Type)>> = written
            .fields
            .iter()
            .map(|(field, ty)| Some((field.clone(), self.field_type(ty, &place.key("fields").key(field), field)?)))
            .collect();
        let fields: Option<Vec<(String, Type)>> = fields.into_iter().collect();
        let delimiter = written.delimiter.clone().unwrap_or_else(|| match written.format {
            Format::KeyValue => "=".to_owned(),
            _ => "|".to_owned(),
        });
        Some(model::Document {
            name: name.to_owned(),
            description: written.description.clone(),
            path: path?,
            when: super::transpose(when)?,
            format: written.format,
            delimiter,
            fields: fields?,
        })
    }

    /// A path, in which no shell fills in anything.
    pub(super) fn path(&self, text: &str, at: &Pointer, scope: &Scope) -> Option<model::Template> {
        let template = self.template(text, at, scope)?;
        let home = text.starts_with("~/").then_some(0..1);
        let variable =
            text.find('$').filter(|dollar| text[dollar + 1..].starts_with(|c: char| c.is_ascii_alphabetic()));
        let (range, instead) = match (home, variable) {
            (Some(home), _) => (home, "${home}".to_owned()),
            (None, Some(dollar)) => {
                let rest = &text[dollar + 1..];
                let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())];
                (dollar..dollar + 1 + name.len(), format!("${{env.{name}}}"))
            }
            (None, None) => return Some(template),
        };
        self.report(
            Diagnostic::error(Code::BadValue, format!("`{}` stands for itself in a path", &text[range.clone()]))
                .primary(self.document.inside(at, range), "no shell reads this")
                .help(format!("write `{instead}`")),
        );
        None
    }

    fn field_type(&self, written: &FieldType, at: &Pointer, name: &str) -> Option<Type> {
        match written {
            FieldType::Name(word) => match word.as_str() {
                "string" => Some(Type::Text),
                "int" => Some(Type::Int),
                "number" => Some(Type::Double),
                "bool" => Some(Type::Bool),
                "any" => Some(Type::Any),
                _ => {
                    let words = ["string", "int", "number", "bool", "any"];
                    let meant = super::foreign::field_type(word);
                    let help = meant.or_else(|| crate::diagnostic::did_you_mean(word, words)).map_or_else(
                        || format!("use {}, `[type]` for a list, `{{\"*\": type}}` for a map", words.join(", ")),
                        |near| format!("did you mean `{near}`?"),
                    );
                    self.report(
                        Diagnostic::error(Code::BadValue, format!("`{word}` is not a type"))
                            .primary(self.document.at(at), "not a type")
                            .help(help),
                    );
                    None
                }
            },
            FieldType::List(of) => match of.as_slice() {
                [of] => Some(Type::List(Box::new(self.field_type(of, &at.index(0), name)?))),
                _ => {
                    self.report(
                        Diagnostic::error(Code::BadValue, "a list type has exactly one element type")
                            .primary(self.document.at(at), format!("{} types", of.len()))
                            .help("write `[string]`, or `[any]` for a mixed list"),
                    );
                    None
                }
            },
            FieldType::Record(fields) => match fields.get_index(0) {
                Some((star, of)) if star == "*" && fields.len() == 1 => {
                    Some(Type::Map(Box::new(self.field_type(of, &at.key("*"), name)?)))
                }
                _ => {
                    let fields: Option<Vec<_>> = fields
                        .iter()
                        .map(|(field, ty)| Some((field.clone(), self.field_type(ty, &at.key(field), field)?)))
                        .collect();
                    Some(Type::Record(Arc::new(Record { name: format!("`{name}`"), fields: fields? })))
                }
            },
        }
    }
}

/// A dotted key in its segments.
fn segments(key: &str) -> Vec<String> {
    key.split('.').map(str::to_owned).collect()
}

/// The type of a constant, as precise as all of its parts allow.
fn type_of(value: &Value) -> Type {
    common_type(&[value])
}

/// The type that values share. An empty list or map among others says nothing of what might be in it.
fn common_type(values: &[&Value]) -> Type {
    let all = |is: fn(&Value) -> bool| !values.is_empty() && values.iter().all(|value| is(value));
    if all(Value::is_array) {
        let items: Vec<_> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
        Type::List(Box::new(common_type(&items)))
    } else if all(Value::is_object) {
        let fields: Vec<_> = values.iter().filter_map(|value| value.as_object()).flat_map(|map| map.values()).collect();
        Type::Map(Box::new(common_type(&fields)))
    } else if all(Value::is_boolean) {
        Type::Bool
    } else if all(|value| value.as_i64().is_some()) {
        Type::Int
    } else if all(|value| value.is_number() && value.as_i64().is_none()) {
        Type::Double
    } else if all(Value::is_string) {
        Type::Text
    } else {
        Type::Any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_typed_as_precisely_as_all_parts_allow() {
        let ty = |text: &str| type_of(&serde_json::from_str(text).expect("JSON")).to_string();
        assert_eq!(ty(r#"["a","b"]"#), "list<string>");
        assert_eq!(ty(r#"["a",1]"#), "list<any>");
        assert_eq!(ty(r#"{"a":{"x":1},"b":{"x":2}}"#), "map<map<int>>");
        assert_eq!(ty("[]"), "list<any>");
        assert_eq!(ty(r#"{"a":["x"],"b":[]}"#), "map<list<string>>");
        assert_eq!(ty(r#"{"a":{"x":["x"],"y":[]},"b":{"x":["y"]}}"#), "map<map<list<string>>>");
        assert_eq!(ty("0.5"), "double");
    }

    const CATALOG: &str = "\
catalog: demo
version: 1.0.0
description: Keeps teammates apart.
config: { file: '${project_dir}/demo.yml' }
choices: { depth: { description: d, values: [deep, 'off'], default: 'off', config: hooks.depth } }
documents: { scopes: { path: scopes.json, format: json, fields: { '*': [string] } } }
given: { files: { a.txt: a } }
hooks:
  - id: H01
    name: guard-scopes
    event: PreToolUse
    matcher: Edit
    timeout: 3s
    fail_safe: open
    why: They overwrite each other's files.
    when: choices.depth != 'off'
    checks: [{ id: foreign, when: '!(tool_input.file_path in scopes.content[agent_type])', deny: No. }]
    cases: [{ name: n, given: { without: [a.txt] }, input: {}, expect: { decision: pass } }]
";

    fn errors(text: &str) -> Vec<String> {
        let compiled = crate::compile::compile("a.yaml".into(), text.as_bytes().to_vec());
        compiled.diagnostics.into_iter().filter(Diagnostic::is_error).map(|error| error.message).collect()
    }

    #[test]
    fn a_choice_a_document_that_is_a_map_and_a_world_of_all_cases_are_understood() {
        assert_eq!(errors(CATALOG), Vec::<String>::new());
    }

    #[test]
    fn the_default_of_a_choice_is_one_of_its_values() {
        assert_eq!(errors(&CATALOG.replace("default: 'off'", "default: of")), ["there is no value named `of`"]);
    }

    #[test]
    fn a_choice_that_is_not_declared_is_unknown() {
        assert_eq!(errors(&CATALOG.replace("choices.depth", "choices.dept")), ["there is no choice named `dept`"]);
    }

    #[test]
    fn the_content_of_a_map_has_the_type_of_its_values() {
        let errors = errors(&CATALOG.replace("'*': [string]", "'*': int"));
        assert_eq!(errors, ["nothing can be in int"]);
    }

    #[test]
    fn a_case_does_without_what_all_cases_have() {
        let errors = errors(&CATALOG.replace("without: [a.txt]", "without: [b.txt]"));
        assert_eq!(errors, ["there is no file in the case's worlds named `b.txt`"]);
    }
}
