//! Names and what follows a dot: variables, definitions, facts, payload fields, namespaces, documents, spends.

use std::ops::Range;
use std::sync::Arc;

use hookgen_runtime::library::{FUNCTIONS, PROPERTIES};
use hookgen_runtime::signature::Object;

use super::call::function_meant;
use super::names::DOCUMENT_PARTS;
use super::typing::Checker;
use crate::cel::{Ast, Node, Spanned};
use crate::diagnostic::{Code, did_you_mean};
use crate::model::{DocumentPart, Expr, ExprKind, Record, SpentPart, Type};

/// The words that open a namespace of the catalog.
const NAMESPACES: [&str; 6] = ["env", "flags", "choices", "thresholds", "data", "messages"];

impl Checker<'_, '_> {
    /// A bare name: the nearest thing of that name.
    pub(super) fn name(&self, name: &str, span: Range<usize>) -> Option<Expr> {
        let typed = |kind, ty| Some(Expr::new(kind, ty));
        if let Some((_, meant)) = self.scope.variables.iter().rev().find(|(variable, _)| variable == name) {
            return Some(meant.clone());
        }
        if let Some(element) = self.scope.elements.iter().find(|element| element.name == name) {
            return Some(element.expr());
        }
        if let Some(callable) = self.callable(name) {
            let message = format!("`{name}` alone is not a value");
            self.report(Code::TypeMismatch, message, span, "", format!("call it: `{}`", callable.key));
            return None;
        }
        if let Some((_, ty)) = self.scope.bindings.iter().find(|(binding, _)| binding == name) {
            return typed(ExprKind::Binding(name.to_owned()), ty.clone()?);
        }
        if self.resolver.written.facts.contains_key(name) {
            return typed(ExprKind::Fact(name.to_owned()), self.resolver.fact_type(name)?);
        }
        if let Some(ty) = self.scope.payload.field(name) {
            let of = Box::new(self.payload());
            return typed(ExprKind::Field { of, name: name.to_owned() }, ty.clone());
        }
        if let Some(property) = PROPERTIES.iter().find(|property| property.name == name) {
            return typed(
                ExprKind::Property { function: property },
                super::signature_type(property.result, &Type::Any),
            );
        }
        let namespace = NAMESPACES.contains(&name)
            || PROPERTIES.iter().any(|property| property.name.split('.').next() == Some(name));
        if namespace || self.has_document(name) || self.spend(name).is_some() {
            let help = format!("name a part of it: `{name}.…`");
            self.report(Code::TypeMismatch, format!("`{name}` alone is not a value"), span, "", help);
            return None;
        }
        if !self.scope.open {
            self.unknown_name(name, span);
        }
        None
    }

    fn payload(&self) -> Expr {
        Expr::new(ExprKind::Payload, Type::Record(self.scope.payload.clone()))
    }

    fn spend(&self, name: &str) -> Option<&(String, Option<Vec<String>>)> {
        self.scope.spends.iter().find(|(spend, _)| spend == name)
    }

    fn unknown_name(&self, name: &str, span: Range<usize>) {
        let written = self.resolver.written;
        let known = (self.scope.variables.iter().map(|(name, _)| name.as_str()))
            .chain(self.scope.bindings.iter().map(|(name, _)| name.as_str()))
            .chain(self.scope.spends.iter().map(|(name, _)| name.as_str()))
            .chain(self.scope.documents.iter().map(|(name, _)| name.as_str()))
            .chain(self.scope.payload.fields.iter().map(|(name, _)| name.as_str()))
            .chain(written.facts.keys().chain(written.documents.keys()).map(String::as_str))
            .chain(PROPERTIES.iter().map(|property| property.name))
            .chain(NAMESPACES);
        let help = self.found_elsewhere(name).unwrap_or_else(|| {
            did_you_mean(name, known).map_or_else(
                || {
                    let fields: Vec<&str> = self.scope.payload.fields.iter().map(|(field, _)| field.as_str()).collect();
                    let event = &self.scope.payload.name;
                    format!("no fact, document or `let` has this name, and {event} has: {}", fields.join(", "))
                },
                |near| format!("did you mean `{near}`?"),
            )
        });
        self.report(Code::UnknownName, format!("there is nothing named `{name}` here"), span, "not known", help);
    }

    /// Where something of exactly this name is, if not here: one word too few was written.
    fn found_elsewhere(&self, name: &str) -> Option<String> {
        if let Some(Type::Record(input)) = self.scope.payload.field("tool_input")
            && input.field(name).is_some()
        {
            return Some(format!("write `tool_input.{name}`"));
        }
        let written = self.resolver.written;
        let spaces = [
            ("flags", written.flags.contains_key(name)),
            ("choices", written.choices.contains_key(name)),
            ("thresholds", written.thresholds.contains_key(name)),
            ("data", written.data.contains_key(name)),
            ("messages", written.messages.contains_key(name)),
        ];
        if let Some((space, _)) = spaces.iter().find(|(_, declared)| *declared) {
            return Some(format!("write `{space}.{name}`"));
        }
        if self.scope.later.iter().any(|later| later == name) {
            return Some("it is defined further down: a definition sees only those above it".to_owned());
        }
        let shouted = name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        shouted.then(|| format!("variables of the environment are `env.{name}`"))
    }

    /// `of.name`: a part of a namespace, or a field of a value.
    pub(super) fn field(&self, of: &Ast, name: &Spanned) -> Option<Expr> {
        if let Node::Name(space) = &of.node
            && !self.is_local(space)
            && let Some(part) = self.part(space, name)
        {
            return part;
        }
        if let Node::Field { of: outer, name: counter } = &of.node
            && let Node::Name(space) = &outer.node
            && !self.is_local(space)
            && let Some((_, counters)) = self.spend(space)
        {
            return self.spent_counter(space, counters.as_deref()?, counter, name);
        }
        let of_span = of.span.clone();
        let of = self.check(of)?;
        self.member(of, &name.text, name.span.clone(), of_span)
    }

    /// Whether the expression itself, or the list that its check goes over, gives the name: nothing else counts then.
    fn is_local(&self, name: &str) -> bool {
        self.scope.variables.iter().any(|(variable, _)| variable == name)
            || self.scope.elements.iter().any(|element| element.name == name)
    }

    /// A field of a typed value.
    fn member(&self, of: Expr, name: &str, span: Range<usize>, of_span: Range<usize>) -> Option<Expr> {
        let ty = match &of.ty {
            Type::Any => Type::Any,
            Type::Map(value) => {
                let value = (**value).clone();
                if let ExprKind::Data(table) = &of.kind {
                    self.table_key(table, name, span)?;
                }
                let at = Box::new(Expr::new(ExprKind::Text(name.to_owned()), Type::Text));
                return Some(Expr::new(ExprKind::Index { of: Box::new(of), at }, value));
            }
            Type::Entry(value) => {
                let ty = match name {
                    "key" => Type::Text,
                    "value" => (**value).clone(),
                    _ => {
                        let help = "an entry has `key` and `value`";
                        self.report(Code::UnknownField, format!("an entry has no field `{name}`"), span, "", help);
                        return None;
                    }
                };
                return Some(Expr::new(ExprKind::Entry { of: Box::new(of), value: name == "value" }, ty));
            }
            Type::Record(record) => match record.field(name) {
                Some(ty) => ty.clone(),
                None => {
                    let record = record.clone();
                    self.unknown_field(&record, name, span);
                    return None;
                }
            },
            Type::Object(object) => {
                let object = *object;
                return self.object_part(of, object, name, span);
            }
            other => {
                let message = format!("{other} has no fields");
                let known = FUNCTIONS.iter().find(|function| function.name == name).map(|function| function.name);
                let help =
                    known.or_else(|| function_meant(name)).map(|meant| format!("call the function: `.{meant}(…)`"));
                self.report(Code::TypeMismatch, message, of_span, other.to_string(), help.unwrap_or_default());
                return None;
            }
        };
        Some(Expr::new(ExprKind::Field { of: Box::new(of), name: name.to_owned() }, ty))
    }

    /// A key of a constant table, which is known now.
    fn table_key(&self, table: &str, key: &str, span: Range<usize>) -> Option<()> {
        let Some(serde_json::Value::Object(entries)) = self.resolver.written.data.get(table) else { return Some(()) };
        if entries.contains_key(key) {
            return Some(());
        }
        let fields = entries.keys().map(|key| (key.clone(), Type::Any)).collect();
        self.unknown_field(&Record { name: format!("table `{table}`"), fields }, key, span);
        None
    }

    fn object_part(&self, of: Expr, object: &'static Object, name: &str, span: Range<usize>) -> Option<Expr> {
        let Some((name, ty, _)) = object.parts.iter().find(|(part, _, _)| *part == name) else {
            let parts = object.parts.iter().map(|(part, _, _)| ((*part).to_owned(), Type::Any)).collect();
            self.unknown_field(&Record { name: format!("a {}", object.name), fields: parts }, name, span);
            return None;
        };
        let ty = super::signature_type(*ty, &Type::Any);
        Some(Expr::new(ExprKind::Part { of: Box::new(of), name }, ty))
    }

    fn unknown_field(&self, record: &Record, name: &str, span: Range<usize>) {
        let fields = record.fields.iter().map(|(field, _)| field.as_str());
        let help = did_you_mean(name, fields.clone()).map_or_else(
            || format!("it has: {}", fields.collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.report(Code::UnknownField, format!("{} has no field `{name}`", record.name), span, "no such field", help);
    }

    /// A part of a namespace, a document or a spend; `None` when `space` is none of these.
    fn part(&self, space: &str, name: &Spanned) -> Option<Option<Expr>> {
        let written = self.resolver.written;
        let typed = |kind, ty| Some(Some(Expr::new(kind, ty)));
        let text = name.text.clone();
        let span = self.offset + name.span.start..self.offset + name.span.end;
        let location = || self.document.inside(self.at, span.clone());
        match space {
            "env" => typed(ExprKind::Env(text), Type::Text),
            "flags" => {
                let known = self.resolver.known("flag", &text, written.flags.keys(), location());
                Some(known.then_some(Expr::new(ExprKind::Flag(text), Type::Bool)))
            }
            "choices" => {
                let known = self.resolver.known("choice", &text, written.choices.keys(), location());
                Some(known.then_some(Expr::new(ExprKind::Chosen(text), Type::Text)))
            }
            "thresholds" => {
                let known = self.resolver.known("threshold", &text, written.thresholds.keys(), location());
                let ty = self.resolver.threshold_type(&text);
                Some(known.then_some(Expr::new(ExprKind::Threshold(text), ty)))
            }
            "data" => {
                let known = self.resolver.known("table", &text, written.data.keys(), location());
                let data = self.resolver.data().into_iter().find(|data| data.name == text);
                Some(data.filter(|_| known).map(|data| Expr::new(ExprKind::Data(text), data.ty)))
            }
            "messages" => {
                let known = self.resolver.known("message", &text, written.messages.keys(), location());
                let sound = known && self.resolver.message_exists(&text);
                Some(sound.then_some(Expr::new(ExprKind::Message(text), Type::Text)))
            }
            _ if self.has_document(space) => Some(self.document_part(space, name)),
            _ if self.spend(space).is_some() => Some(self.spent_part(space, name)),
            _ => {
                let full = format!("{space}.{text}");
                let within: Vec<&str> = PROPERTIES
                    .iter()
                    .filter_map(|property| property.name.split_once('.').filter(|(head, _)| *head == space))
                    .map(|(_, part)| part)
                    .collect();
                if within.is_empty() {
                    return None;
                }
                if let Some(property) = PROPERTIES.iter().find(|property| property.name == full) {
                    let ty = super::signature_type(property.result, &Type::Any);
                    return typed(ExprKind::Property { function: property }, ty);
                }
                let help = did_you_mean(&text, within.iter().copied())
                    .map_or_else(|| format!("it has: {}", within.join(", ")), |near| format!("did you mean `{near}`?"));
                self.report(Code::UnknownField, format!("`{space}` has no part `{text}`"), name.span.clone(), "", help);
                Some(None)
            }
        }
    }

    fn document_part(&self, document: &str, name: &Spanned) -> Option<Expr> {
        let (part, ty) = match name.text.as_str() {
            "exists" => (DocumentPart::Exists, Type::Bool),
            "valid" => (DocumentPart::Valid, Type::Bool),
            "problem" => (DocumentPart::Problem, Type::Text),
            "path" => (DocumentPart::Path, Type::Text),
            "size" => (DocumentPart::Size, Type::Int),
            "text" => (DocumentPart::Text, Type::Text),
            "body" => (DocumentPart::Body, Type::Text),
            "content" => {
                let fields = self.document_fields(document)?;
                let ty = match fields.as_slice() {
                    [(star, ty)] if star == "*" => Type::Map(Box::new(ty.clone())),
                    _ => Type::Any,
                };
                (DocumentPart::Root, ty)
            }
            field => {
                let fields = self.document_fields(document)?;
                let record = Record { name: format!("document `{document}`"), fields };
                let Some(ty) = record.field(field).cloned() else {
                    let parts = DOCUMENT_PARTS.iter().map(|part| ((*part).to_owned(), Type::Any));
                    let fields = record.fields.into_iter().chain(parts).collect();
                    self.unknown_field(&Record { name: record.name, fields }, field, name.span.clone());
                    return None;
                };
                let kind = ExprKind::Document { name: document.to_owned(), part: DocumentPart::Root };
                let root = Expr::new(kind, Type::Record(Arc::new(record)));
                return Some(Expr::new(ExprKind::Field { of: Box::new(root), name: field.to_owned() }, ty));
            }
        };
        self.document_fields(document)?;
        Some(Expr::new(ExprKind::Document { name: document.to_owned(), part }, ty))
    }

    fn has_document(&self, name: &str) -> bool {
        self.resolver.written.documents.contains_key(name)
            || self.scope.documents.iter().any(|(document, _)| document == name)
    }

    /// The fields of a document of the hook or of the catalog; `None` if it has errors of its own.
    fn document_fields(&self, name: &str) -> Option<Vec<(String, Type)>> {
        match self.scope.documents.iter().find(|(document, _)| document == name) {
            Some((_, fields)) => fields.clone(),
            None => self.resolver.with_document(name, |document| document.fields.clone()),
        }
    }

    fn spent_part(&self, spend: &str, name: &Spanned) -> Option<Expr> {
        let part = match name.text.as_str() {
            "repeated" => SpentPart::Repeated,
            "refused" => SpentPart::Refused,
            other => {
                let counters =
                    self.spend(spend).and_then(|(_, counters)| counters.as_ref()).map(|all| all.join(", "))?;
                let message = format!("the result of a spend has no part `{other}`");
                let help = format!("it has `repeated` and `refused`, and for each of {counters}: used, limit, refused");
                self.report(Code::UnknownField, message, name.span.clone(), "", help);
                return None;
            }
        };
        Some(Expr::new(ExprKind::Spent { name: spend.to_owned(), part }, Type::Bool))
    }

    fn spent_counter(&self, spend: &str, counters: &[String], counter: &Spanned, name: &Spanned) -> Option<Expr> {
        if !counters.contains(&counter.text) {
            let known = counters.iter().map(String::as_str);
            let help = did_you_mean(&counter.text, known).map_or_else(
                || format!("it draws on: {}", counters.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            let message = format!("`{spend}` does not draw on `{}`", counter.text);
            self.report(Code::UnknownField, message, counter.span.clone(), "", help);
            return None;
        }
        let counter = counter.text.clone();
        let (part, ty) = match name.text.as_str() {
            "used" => (SpentPart::Used(counter), Type::Int),
            "limit" => (SpentPart::Limit(counter), Type::Int),
            "refused" => (SpentPart::CounterRefused(counter), Type::Bool),
            other => {
                let message = format!("a counter has no part `{other}`");
                self.report(Code::UnknownField, message, name.span.clone(), "", "it has: used, limit, refused");
                return None;
            }
        };
        Some(Expr::new(ExprKind::Spent { name: spend.to_owned(), part }, ty))
    }
}
