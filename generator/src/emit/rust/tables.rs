//! `catalog.rs`: everything constant.

use serde_json::Value;

use super::command_hooks;
use super::format::{doc, fraction, literal, whole};
use super::name::constant;
use super::types::plain;
use crate::catalog::Format;
use crate::emit::Bug;
use crate::model::{self, Denial, FailSafe, Matcher, Mode, Type};

pub(super) fn tables(catalog: &model::Catalog) -> Result<String, Bug> {
    let mut code = format!("//! The constants of {} {}.\n\n", catalog.name, catalog.version);
    code.push_str(
        "#![allow(dead_code, unused_imports, reason = \"hookgen has said what nothing refers to\")]\n\
         use std::borrow::Cow;\n\
         use hookgen_runtime::program::{Breaker, Catalog, Choice, Denial, FailSafe, Flag, Hook, Matcher, Mode, Threshold};\n\
         use hookgen_runtime::{DocumentSpec, Format, Json, Many, Pattern};\n\n",
    );
    code.push_str(&catalog_table(catalog));
    for hook in command_hooks(catalog) {
        if let Some(Matcher::Pattern { written }) = &hook.matcher {
            let name = matcher_name(hook);
            code.push_str(&format!("static {name}: Pattern = Pattern::new({});\n\n", literal(written)));
        }
    }
    for flag in &catalog.flags {
        code.push_str(&flag_constant(flag));
    }
    for choice in &catalog.choices {
        code.push_str(&choice_constant(choice));
    }
    for threshold in &catalog.thresholds {
        code.push_str(&threshold_constant(threshold)?);
    }
    for data in &catalog.data {
        code.push_str(&data_constant(data)?);
    }
    for document in &catalog.documents {
        code.push_str(&document_constant(document, &constant(&format!("document_{}", document.name))));
    }
    for hook in command_hooks(catalog) {
        for document in &hook.documents {
            code.push_str(&document_constant(document, &super::name::document_name(hook, document)));
        }
    }
    Ok(code)
}

fn catalog_table(catalog: &model::Catalog) -> String {
    let denial = match catalog.denial {
        Denial::Json => "Json",
        Denial::ExitCode => "ExitCode",
    };
    let breaker = catalog
        .breaker
        .as_ref()
        .map_or("None".to_owned(), |name| format!("Some(Breaker {{ after: &{} }})", constant(name)));
    let verbose = catalog.verbose_env.as_ref().map_or("None".to_owned(), |name| format!("Some({})", literal(name)));
    let hooks: String = command_hooks(catalog).map(hook_entry).collect();
    let flags = catalog.flags.iter().map(|flag| &flag.config);
    let choices = catalog.choices.iter().map(|choice| &choice.config);
    let thresholds = catalog.thresholds.iter().map(|threshold| &threshold.config).filter(|key| !key.is_empty());
    let settings: String = flags.chain(choices).chain(thresholds).map(|key| format!("&{},", strings(key))).collect();
    format!(
        "/// The catalog.\npub(crate) static CATALOG: Catalog = Catalog {{ name: {}, version: {}, digest: {}, \
         denial: Denial::{denial}, bang_escapes: {}, breaker: {breaker}, fail_open_notice: {}, verbose_env: {verbose}, \
         settings: &[{settings}], hooks: &[{hooks}] }};\n\n",
        literal(&catalog.name),
        literal(&catalog.version),
        literal(&catalog.digest),
        catalog.bang_escapes,
        catalog.fail_open_notice,
    )
}

fn hook_entry(hook: &model::Hook) -> String {
    let matcher = match &hook.matcher {
        None => "Matcher::All".to_owned(),
        Some(Matcher::Names { names, .. }) => {
            let names: Vec<String> = names.iter().map(|name| literal(name)).collect();
            format!("Matcher::Names(&[{}])", names.join(", "))
        }
        Some(Matcher::Pattern { .. }) => format!("Matcher::Pattern(&{})", matcher_name(hook)),
    };
    let fail_safe = match hook.fail_safe {
        FailSafe::Open => "Open",
        FailSafe::Closed => "Closed",
    };
    let mode = match hook.mode {
        Mode::Enforce => "Enforce",
        Mode::Warn => "Warn",
        Mode::Audit => "Audit",
    };
    let flag =
        hook.flag.as_ref().map_or("None".to_owned(), |name| format!("Some(&{})", constant(&format!("flag_{name}"))));
    format!(
        "Hook {{ id: {}, log_name: {}, event: {}, matcher: {matcher}, fail_safe: FailSafe::{fail_safe}, \
         timeout_ms: {}, mode: Mode::{mode}, flag: {flag}, background: {}, rewakes: {} }},",
        literal(&hook.id),
        literal(&hook.log_name),
        literal(hook.event.name),
        hook.timeout_ms,
        hook.background,
        hook.async_rewake,
    )
}

fn matcher_name(hook: &model::Hook) -> String {
    constant(&format!("matcher_{}", super::name::module(hook)))
}

fn flag_constant(flag: &model::Flag) -> String {
    let requires: Vec<String> =
        flag.requires.iter().map(|name| format!("&{}", constant(&format!("flag_{name}")))).collect();
    format!(
        "{}pub(crate) static {}: Flag = Flag {{ config: &{}, default: {}, requires: &[{}] }};\n\n",
        doc("#", flag.description.trim()),
        constant(&format!("flag_{}", flag.name)),
        strings(&flag.config),
        flag.default,
        requires.join(", "),
    )
}

fn choice_constant(choice: &model::Choice) -> String {
    format!(
        "{}pub(crate) static {}: Choice = Choice {{ config: &{}, values: &{}, default: {} }};\n\n",
        doc("#", choice.description.trim()),
        constant(&format!("choice_{}", choice.name)),
        strings(&choice.config),
        strings(&choice.values),
        literal(&choice.default),
    )
}

fn threshold_constant(threshold: &model::Threshold) -> Result<String, Bug> {
    let number = |number: &serde_json::Number| {
        number.as_f64().map(fraction).ok_or_else(|| Bug::new(format!("{number} is no number")))
    };
    let range = match &threshold.range {
        Some([least, most]) => format!("Some(({}, {}))", number(least)?, number(most)?),
        None => "None".to_owned(),
    };
    Ok(format!(
        "{}pub(crate) static {}: Threshold = Threshold {{ config: &{}, default: {}, range: {range}, whole: {} }};\n\n",
        doc("#", threshold.description.trim()),
        constant(&threshold.name),
        strings(&threshold.config),
        number(&threshold.default)?,
        threshold.ty == Type::Int,
    ))
}

fn data_constant(data: &model::Data) -> Result<String, Bug> {
    let name = constant(&format!("data_{}", data.name));
    let declared = match &data.ty {
        Type::Text => "&str".to_owned(),
        Type::List(of) if plain(of) => format!("&[{}]", scalar_type(of)),
        ty if plain(ty) => scalar_type(ty).to_owned(),
        _ => return Ok(format!("pub(crate) static {name}: Json<'static> = {};\n\n", json(&data.value)?)),
    };
    Ok(format!("pub(crate) const {name}: {declared} = {};\n\n", scalar(&data.value)?))
}

fn scalar_type(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::Int => "i64",
        Type::Double => "f64",
        _ => "&str",
    }
}

fn scalar(value: &Value) -> Result<String, Bug> {
    Ok(match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => match number.as_i64() {
            Some(value) => whole(value),
            None => fraction(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => literal(text),
        Value::Array(items) => {
            let items: Result<Vec<String>, Bug> = items.iter().map(scalar).collect();
            format!("&[{}]", items?.join(", "))
        }
        Value::Null | Value::Object(_) => return Err(Bug::new("a scalar constant is not a scalar")),
    })
}

fn json(value: &Value) -> Result<String, Bug> {
    Ok(match value {
        Value::Null => "Json::Null".to_owned(),
        Value::Bool(value) => format!("Json::Bool({value})"),
        Value::Number(number) => match number.as_i64() {
            Some(value) => format!("Json::Int({})", whole(value)),
            None => format!("Json::Double({})", fraction(number.as_f64().unwrap_or_default())),
        },
        Value::String(text) => format!("Json::text({})", literal(text)),
        Value::Array(items) => {
            let items: Result<Vec<String>, Bug> = items.iter().map(json).collect();
            format!("Json::List(Many::Borrowed(&[{}]))", items?.join(", "))
        }
        Value::Object(fields) => {
            let fields: Result<Vec<String>, Bug> = fields
                .iter()
                .map(|(key, value)| Ok(format!("(Cow::Borrowed({}), {})", literal(key), json(value)?)))
                .collect();
            format!("Json::Object(Many::Borrowed(&[{}]))", fields?.join(", "))
        }
    })
}

fn document_constant(document: &model::Document, name: &str) -> String {
    let format = match document.format {
        Format::FrontMatter => "FrontMatter",
        Format::Yaml => "Yaml",
        Format::Json => "Json",
        Format::KeyValue => "KeyValue",
        Format::StatusLine => "StatusLine",
        Format::Text => "Text",
    };
    let columns: Vec<String> = document.fields.iter().map(|(name, _)| name.clone()).collect();
    let columns = if document.format == Format::StatusLine { columns } else { Vec::new() };
    format!(
        "{}pub(crate) static {name}: DocumentSpec = DocumentSpec {{ name: {}, format: Format::{format}, delimiter: {}, \
         columns: &{}, record: {} }};\n\n",
        doc("#", document.description.as_deref().unwrap_or_default().trim()),
        literal(&document.name),
        literal(&document.delimiter),
        strings(&columns),
        !document.fields.is_empty(),
    )
}

fn strings(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| literal(item)).collect();
    format!("[{}]", items.join(", "))
}
