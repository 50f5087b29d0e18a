//! One expression, worked out on the spot: in no catalog, or among the names of one.

mod shown;

use std::sync::Arc;

use hookgen_runtime::evaluate::Evaluator;
use hookgen_runtime::representation::Archive;
use hookgen_runtime::{Call, Event, Failure, Json};
use serde_json::Value;

use crate::assemble::Written;
use crate::bug::Bug;
use crate::compile::compile_asked;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::lower::{command_hooks, lower};
use crate::model::{self, Record, Type};
use crate::resolve::{Asked, Fields, read_matcher};
use crate::source::Source;
use crate::{model::Catalog, protocol};

pub use shown::shown;

/// A catalog that has nothing that an expression could name, for expressions that belong to none.
const NOTHING: &str = "catalog: none\nversion: 0.0.0\ndescription: Nothing.\nhooks:\n  - { id: H1, name: nothing, event: \
                       Stop, timeout: 1s, fail_safe: open, why: Nothing., checks: [{ id: nothing, log: Nothing. }] }\n";

/// What the expression is called where something is wrong with it.
const NAME: &str = "expression";

/// What somebody wants to know.
pub struct Question {
    /// The expression.
    pub expression: String,
    /// The catalog whose names it may use.
    pub catalog: Option<Written>,
    /// The hook of that catalog whose definitions it may use.
    pub hook: Option<String>,
    /// The event that it is about.
    pub event: Option<Json<'static>>,
    /// Whether what acts on the world is done.
    pub perform: bool,
}

/// What came of it.
pub enum Answer {
    /// This is its value.
    Value(Value),
    /// It has none, and this is why.
    Failure(String),
    /// It cannot be asked like this.
    Refused(Vec<Diagnostic>),
    /// The catalog has no such hook; these it has.
    NoHook(Vec<String>),
}

/// Works the expression out.
pub fn ask(question: Question) -> Result<Answer, Bug> {
    let event = question.event.as_ref().and_then(event_of);
    let fields = match (&question.event, &question.catalog) {
        (Some(fields), _) => Fields::Event(payload(event, fields)),
        (None, Some(_)) => Fields::Catalog,
        (None, None) => Fields::Common,
    };
    let document = Document::verbatim(Source::new(NAME, question.expression));
    let asked = Asked { document, fields, hook: question.hook };
    let catalog =
        match compile_asked(question.catalog.unwrap_or_else(|| Written::alone(Source::new("none", NOTHING))), &asked) {
            Ok(catalog) => catalog,
            Err(diagnostics) => return Ok(Answer::Refused(diagnostics)),
        };
    let place = match &asked.hook {
        None => None,
        Some(id) => match command_hooks(&catalog).position(|hook| hook.id == *id) {
            Some(place) => Some(place),
            None => return Ok(Answer::NoHook(command_hooks(&catalog).map(|hook| hook.id.clone()).collect())),
        },
    };
    let event = event.or_else(|| Some(command_hooks(&catalog).nth(place?)?.event));
    let fields = question.event.unwrap_or(Json::Object(hookgen_runtime::Many::Owned(Vec::new())));
    answer(&catalog, place, event, &fields, question.perform)
}

fn answer(
    catalog: &Catalog,
    hook: Option<usize>,
    event: Option<&'static Event>,
    fields: &Json<'static>,
    perform: bool,
) -> Result<Answer, Bug> {
    // Evaluators refer to their catalog as long as the process lives, and this one ends with the answer.
    let archive: &'static Archive = Box::leak(Box::new(Archive::of(lower(catalog)?)));
    let event = event.or_else(|| Event::named("PreToolUse")).ok_or_else(|| Bug::new("there is no event"))?;
    let call = Call::new(&catalog.name, event, fields);
    let call = if perform { call } else { call.watched() };
    let evaluator = Evaluator::new(&call, archive);
    let value = match hook {
        Some(hook) => {
            let last = command_hooks(catalog).nth(hook).map_or(0, |hook| hook.bindings.len());
            evaluator.definition(hook, last.saturating_sub(1))
        }
        None => evaluator.fact(catalog.facts.len().saturating_sub(1)),
    };
    Ok(match value {
        Ok(value) => Answer::Value(shown(&value.json())),
        Err(failure) => Answer::Failure(without_value(&failure)),
    })
}

/// Why something has no value, for whoever may have it worked out in earnest.
pub fn without_value(failure: &Failure) -> String {
    match failure {
        Failure::Withheld(_) => format!("it cannot be told without `--perform`: {failure}"),
        _ => failure.to_string(),
    }
}

/// The event that the client says it is.
pub fn event_of(fields: &Json<'_>) -> Option<&'static Event> {
    match fields.get("hook_event_name") {
        Some(Json::Text(name)) => Event::named(name),
        _ => None,
    }
}

/// What is known of the fields of an event: their types as a hook on that event and tool sees them; of others, nothing.
fn payload(event: Option<&'static Event>, fields: &Json<'static>) -> Arc<Record> {
    let subject = |event: &Event| match fields.get(event.subject?) {
        Some(Json::Text(name)) => Some(name.to_string()),
        _ => None,
    };
    let known = event.map(|event| {
        let matcher = read_matcher(subject(event).as_deref(), event).unwrap_or_default();
        protocol::payload(event, matcher.as_ref())
    });
    let mut all = known.as_ref().map(|record| record.fields.clone()).unwrap_or_default();
    if let Json::Object(fields) = fields {
        for (name, _) in fields.iter() {
            if !all.iter().any(|(known, _)| known == name) {
                all.push((name.to_string(), Type::Any));
            }
        }
    }
    Arc::new(model::Record {
        name: known.map_or_else(|| "the event".to_owned(), |record| record.name.clone()),
        fields: all,
    })
}
