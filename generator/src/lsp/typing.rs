//! The type of a part of an expression while the rest of it is still being written.

use hookgen_runtime::Event;
use serde_json::Value;

use super::part::Part;
use super::place::Spot;
use crate::compile::compile_asked;
use crate::document::{Document, Pointer};
use crate::lower::command_hooks;
use crate::model::{Expr, Record, Type};
use crate::protocol;
use crate::resolve::{Asked, Fields, read_matcher};
use crate::source::Source;

/// The type of an expression at a place: of the catalog as it is, or with the expression at that place left out, since it
/// is what keeps the catalog from being whole. Where even that does not build, the event alone is known.
pub(super) fn kind(part: &Part, text: &str, document: &Document, spot: &Spot, expression: &str) -> Option<Type> {
    // Inside a macro, a variable is an element of the macro's list.
    let macros = spot.macros();
    let whole = macros
        .iter()
        .rev()
        .fold(expression.to_owned(), |inner, (list, variable)| format!("{list}.map({variable}, {inner})"));
    let id = spot
        .hook()
        .and_then(|place| document.get(&Pointer::root().key("hooks").index(place).key("id")))
        .and_then(Value::as_str);
    let without = without(document, text, spot);
    let mut kind = [Some(text.to_owned()), without]
        .into_iter()
        .flatten()
        .find_map(|text| asked(part, &text, &whole, id))
        .or_else(|| {
            let payload = payload(document, spot)?;
            of_event(&payload, &whole)
        })?;
    for _ in &macros {
        let Type::List(inner) = kind else { return None };
        kind = *inner;
    }
    Some(kind)
}

fn asked(part: &Part, text: &str, expression: &str, hook: Option<&str>) -> Option<Type> {
    let document = Document::verbatim(Source::new("expression", expression));
    let asked = Asked { document, fields: Fields::Catalog, hook: hook.map(str::to_owned) };
    let catalog = compile_asked(part.written(text).ok()?, &asked).ok()?;
    let last: &Expr = match hook {
        Some(id) => &command_hooks(&catalog).find(|hook| hook.id == id)?.bindings.last()?.expr,
        None => &catalog.facts.last()?.expr,
    };
    Some(last.ty.clone())
}

/// The catalog's text with something harmless in the place of the expression.
fn without(document: &Document, text: &str, spot: &Spot) -> Option<String> {
    let pointer = &spot.expression.pointer;
    let range = document.at(pointer).span.range();
    let harmless = if spot.expression.start == 0 && document.get(pointer)?.as_str()? == spot.expression.text {
        // What always holds would be refused.
        r#""session_id != ''""#
    } else {
        "'text'"
    };
    Some(format!("{}{harmless}{}", text.get(..range.start)?, text.get(range.end..)?))
}

/// The fields of the event that the hook is for.
pub(super) fn payload(document: &Document, spot: &Spot) -> Option<std::sync::Arc<Record>> {
    let hook = Pointer::root().key("hooks").index(spot.hook()?);
    let text = |key: &str| document.get(&hook.key(key)).and_then(Value::as_str);
    let event = Event::named(text("event")?)?;
    let matcher = read_matcher(text("matcher"), event).unwrap_or_default();
    Some(protocol::payload(event, matcher.as_ref()))
}

fn of_event(payload: &Record, expression: &str) -> Option<Type> {
    let mut names = expression.split('.');
    let mut kind = payload.field(names.next()?)?.clone();
    for name in names {
        let Type::Record(record) = &kind else { return None };
        kind = record.field(name)?.clone();
    }
    Some(kind)
}
