//! `facts.rs`: what hooks share, worked out at most once and only when asked for.

use super::command_hooks;
use super::expr::Writer;
use super::format::doc;
use super::name::{constant, local, module};
use super::types::{kept, rust_type};
use crate::emit::{Bug, visible};
use crate::model::{self, Segment, Template, Type};

pub(super) fn facts(catalog: &model::Catalog) -> Result<String, Bug> {
    let writer = Writer::new("self", Vec::new());
    let mut methods = String::new();
    for fact in &catalog.facts {
        methods.push_str(&fact_method(fact, &writer)?);
    }
    for document in &catalog.documents {
        methods.push_str(&document_method(document, &writer)?);
    }
    for message in &catalog.messages {
        methods.push_str(&format!(
            "{}pub(crate) fn {}(&self) -> Attempt<String> {{ Ok({}) }}\n\n",
            doc("#", &format!("Message `{}`.", message.name)),
            local(&format!("message_{}", message.name)),
            writer.template(&message.template)?
        ));
    }
    if let Some(file) = &catalog.config_file {
        let path = path(file, &writer)?;
        methods.push_str(&format!(
            "{}fn config_file(&self) -> Attempt<String> {{ Ok({path}) }}\n\n",
            doc("#", &format!("The config file, at `{}`.", visible::line(&file.source))),
        ));
    }
    let cells = cells(catalog);
    let fields: String = cells.iter().map(|(name, ty)| format!("{name}: OnceCell<{ty}>,\n")).collect();
    let empty: String = cells.iter().map(|(name, _)| format!("{name}: OnceCell::new(),\n")).collect();
    Ok(format!(
        "//! What the hooks share: facts, documents and messages, worked out at most once and only when asked for.\n\n\
         #![allow(dead_code, unused_imports, reason = \"hookgen has said what nothing refers to\")]\n\
         use std::cell::OnceCell;\nuse std::path::PathBuf;\n\
         use hookgen_runtime::config::Config;\nuse hookgen_runtime::program::Program;\n\
         use hookgen_runtime::{{Attempt, Call, Document, Json, Many, Node, Origin, Pattern, Verdict, library, operators}};\n\
         use crate::{{catalog, hooks}};\n\n\
         /// The facts of one call.\npub(crate) struct Facts<'c> {{ call: &'c Call<'c>, config: OnceCell<Config>, {fields} }}\n\n\
         /// The program for a call.\n\
         pub(crate) fn start<'c>(call: &'c Call<'c>) -> Box<dyn Program + 'c> {{ \
         Box::new(Facts {{ call, config: OnceCell::new(), {empty} }}) }}\n\n\
         impl<'c> Facts<'c> {{\n\
         /// The call.\npub(crate) fn call(&self) -> &Call<'c> {{ self.call }}\n\n\
         /// The event's payload.\npub(crate) fn event(&self) -> Node<'_> {{ self.call.payload() }}\n\n\
         {methods}}}\n\n{}\n{}",
        program(catalog, &writer)?,
        writer.pattern_constants(),
    ))
}

/// What is kept between two questions: facts that own their value, and documents.
fn cells(catalog: &model::Catalog) -> Vec<(String, String)> {
    let facts = catalog
        .facts
        .iter()
        .filter(|fact| kept(&fact.expr.ty))
        .map(|fact| (local(&fact.name), rust_type(&fact.expr.ty)));
    facts.chain(catalog.documents.iter().map(|document| (local(&document.name), "Document".to_owned()))).collect()
}

fn fact_method(fact: &model::Fact, writer: &Writer) -> Result<String, Bug> {
    let name = local(&fact.name);
    let value = writer.result(&fact.expr)?;
    let source: String = visible::lines(fact.source.trim()).iter().map(|line| format!("\n    {line}")).collect();
    let doc = doc("#", &format!("Fact `{}`:{source}", fact.name));
    let (result, body) = match &fact.expr.ty {
        Type::Text => ("&str".to_owned(), format!("Ok(operators::once(&self.{name}, || {value})?)")),
        Type::List(of) if kept(of) => {
            (format!("&[{}]", rust_type(of)), format!("Ok(operators::once(&self.{name}, || {value})?)"))
        }
        Type::Object(_) => {
            (format!("&{}", rust_type(&fact.expr.ty)), format!("operators::once(&self.{name}, || {value})"))
        }
        ty if kept(ty) => (rust_type(ty), format!("operators::once(&self.{name}, || {value}).copied()")),
        ty => (rust_type(ty), value),
    };
    Ok(format!("{doc}pub(crate) fn {name}(&self) -> Attempt<{result}> {{ {body} }}\n\n"))
}

fn document_method(document: &model::Document, writer: &Writer) -> Result<String, Bug> {
    let name = local(&document.name);
    let path = document_path(document, writer)?;
    Ok(format!(
        "{}pub(crate) fn {name}(&self) -> Attempt<&Document> {{\n\
         operators::once(&self.{name}, || {{ let path = {path}; \
         Ok(Document::open(&catalog::{}, self.call.project_path(&path))) }})\n}}\n\n",
        doc("#", &format!("Document `{}`, at `{}`.", document.name, visible::line(&document.path.source))),
        constant(&format!("document_{}", document.name)),
    ))
}

/// Where a document is; empty when it is not to be looked at.
pub(super) fn document_path(document: &model::Document, writer: &Writer) -> Result<String, Bug> {
    let path = path(&document.path, writer)?;
    Ok(match &document.when {
        Some(when) => format!("if {} {{ {path} }} else {{ String::new() }}", writer.condition(&when.expr)?),
        None => path,
    })
}

/// A path from a template: empty, which is no file, as soon as one of its parts is empty.
fn path(template: &Template, writer: &Writer) -> Result<String, Bug> {
    let parts: Vec<&model::Expr> = template
        .segments
        .iter()
        .filter_map(|segment| match segment {
            Segment::Expr(expr) if expr.ty == Type::Text => Some(expr),
            _ => None,
        })
        .collect();
    let whole = writer.template(template)?;
    if parts.is_empty() || template.segments.len() == 1 {
        return Ok(whole);
    }
    let empty: Result<Vec<String>, Bug> = parts.iter().map(|part| writer.is_empty(part)).collect();
    Ok(format!("if {} {{ String::new() }} else {{ {whole} }}", empty?.join(" || ")))
}

/// How the engine reaches the catalog's settings and hooks.
fn program(catalog: &model::Catalog, writer: &Writer) -> Result<String, Bug> {
    let config = match &catalog.config_file {
        // A path that cannot be worked out is as good as a missing file.
        Some(_) => "self.config.get_or_init(|| self.config_file().map_or_else(|_| Config::defaults(), \
                    |file| Config::from_file(self.call.project_path(&file))))"
            .to_owned(),
        None => "self.config.get_or_init(Config::defaults)".to_owned(),
    };
    let dev_mode = match &catalog.dev_mode_file {
        Some(file) => format!("let file = {}; Ok(library::file_exists(self.call, &file))", path(file, writer)?),
        None => "Ok(false)".to_owned(),
    };
    let arms: String = command_hooks(catalog)
        .enumerate()
        .map(|(position, hook)| format!("{position} => hooks::{}::run(self, verdict),\n", module(hook)))
        .collect();
    Ok(format!(
        "impl Program for Facts<'_> {{\n\
         fn config(&self) -> &Config {{ {config} }}\n\n\
         fn dev_mode(&self) -> Attempt<bool> {{ {dev_mode} }}\n\n\
         fn run(&self, hook: usize, verdict: &mut Verdict) -> Attempt<()> {{ match hook {{ {arms} _ => Ok(()) }} }}\n}}\n"
    ))
}
