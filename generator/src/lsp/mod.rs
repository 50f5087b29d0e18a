//! A language server for catalogs: what the compiler knows, while somebody types.
//!
//! Every answer goes through the same compiler as `hookgen check`. Messages are plain JSON: of the protocol's thousand types,
//! a server of this size needs a dozen.

mod complete;
mod part;
mod place;
mod symbols;
mod text;
mod typing;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use camino::Utf8PathBuf;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, in_order};
use crate::document::{Document, Pointer};
use crate::source::Location;
pub use part::Part;
use text::Units;

/// The command behind a lens.
const RUN_CASE: &str = "hookgen.runCase";

/// How somebody runs the cases of a catalog that is being edited, by what their names hold.
pub type Runner<'r> = &'r dyn Fn(&Part, &str) -> anyhow::Result<String>;

/// Serves an editor on standard input and output until it says goodbye.
pub fn serve(runner: Runner<'_>) -> anyhow::Result<()> {
    let (connection, threads) = Connection::stdio();
    converse(&connection, runner)?;
    drop(connection);
    threads.join().context("the editor has gone")
}

/// The whole conversation.
pub fn converse(connection: &Connection, runner: Runner<'_>) -> anyhow::Result<()> {
    let (id, hello) = connection.initialize_start().context("no editor said hello")?;
    let offered = hello.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let bytes = offered.is_some_and(|offered| offered.iter().any(|encoding| encoding == "utf-8"));
    let units = if bytes { Units::Bytes } else { Units::Utf16 };
    connection.initialize_finish(id, abilities(units)).context("the editor has gone")?;
    let mut server = Server { units, files: BTreeMap::new(), marked: BTreeSet::new(), connection, runner };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).context("the editor has gone")? {
                    return Ok(());
                }
                let response = server.answer(request);
                connection.sender.send(Message::Response(response)).context("the editor has gone")?;
            }
            Message::Notification(notification) => server.notice(&notification)?,
            Message::Response(_) => {}
        }
    }
    Ok(())
}

fn abilities(units: Units) -> Value {
    json!({
        "capabilities": {
            "positionEncoding": if units == Units::Bytes { "utf-8" } else { "utf-16" },
            "textDocumentSync": { "openClose": true, "change": 1, "save": true },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": [".", "{"] },
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": { "prepareProvider": false },
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "codeLensProvider": { "resolveProvider": false },
            "documentFormattingProvider": true,
            "executeCommandProvider": { "commands": [RUN_CASE] },
        },
        "serverInfo": { "name": "hookgen", "version": env!("CARGO_PKG_VERSION") },
    })
}

struct Server<'s> {
    units: Units,
    /// The text of each open file, as the editor has it.
    files: BTreeMap<String, String>,
    /// The files of which the editor was last told that something is wrong with them, open or not.
    marked: BTreeSet<String>,
    connection: &'s Connection,
    runner: Runner<'s>,
}

/// An open file.
struct Open<'s> {
    uri: &'s str,
    text: &'s str,
    part: Part,
}

impl Server<'_> {
    fn notice(&mut self, notification: &Notification) -> anyhow::Result<()> {
        let params = &notification.params;
        let Some(uri) = params.pointer("/textDocument/uri").and_then(Value::as_str) else { return Ok(()) };
        let changed = match notification.method.as_str() {
            "textDocument/didOpen" => params.pointer("/textDocument/text"),
            "textDocument/didChange" => params["contentChanges"]
                .as_array()
                .and_then(|changes| changes.last())
                .and_then(|change| change.get("text")),
            "textDocument/didClose" => {
                self.files.remove(uri);
                self.marked.insert(uri.to_owned());
                return self.refresh();
            }
            _ => return Ok(()),
        };
        if let Some(text) = changed.and_then(Value::as_str) {
            self.files.insert(uri.to_owned(), text.to_owned());
            self.refresh()?;
        }
        Ok(())
    }

    fn publish(&self, uri: &str, diagnostics: &Value) -> anyhow::Result<()> {
        let params = json!({ "uri": uri, "diagnostics": diagnostics });
        let method = "textDocument/publishDiagnostics".to_owned();
        self.connection
            .sender
            .send(Message::Notification(Notification { method, params }))
            .context("the editor has gone")
    }

    /// Tells what is wrong with every catalog of which a file is open, each in the file where it stands.
    fn refresh(&mut self) -> anyhow::Result<()> {
        let mut found: BTreeMap<String, Vec<Value>> =
            self.files.keys().cloned().chain(std::mem::take(&mut self.marked)).map(|uri| (uri, Vec::new())).collect();
        let mut seen = BTreeSet::new();
        for (uri, text) in &self.files {
            let part = Part::of(uri, &self.files);
            if !seen.insert(part.root.join(&part.main)) {
                continue;
            }
            for diagnostic in in_order(&part.compiled(text).diagnostics) {
                let place = diagnostic.place().map(|place| part.address(place.source.path(), &self.files));
                found.entry(place.unwrap_or_else(|| uri.clone())).or_default().push(self.diagnostic(&part, diagnostic));
            }
        }
        self.marked = found.iter().filter(|(_, list)| !list.is_empty()).map(|(uri, _)| uri.clone()).collect();
        found.into_iter().try_for_each(|(uri, list)| self.publish(&uri, &Value::Array(list)))
    }

    fn range(&self, place: &Location) -> Value {
        self.units.range(place.source.text(), place.span.range())
    }

    fn diagnostic(&self, part: &Part, diagnostic: &Diagnostic) -> Value {
        let range = diagnostic.place().map_or_else(|| self.units.range("", 0..0), |place| self.range(place));
        let help = diagnostic.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        let label = diagnostic.labels.iter().find(|label| label.primary && !label.text.is_empty());
        let label = label.map(|label| format!(" ({})", label.text)).unwrap_or_default();
        let related = diagnostic.labels.iter().filter(|label| !label.primary).map(|label| {
            let uri = part.address(label.location.source.path(), &self.files);
            json!({ "location": { "uri": uri, "range": self.range(&label.location) }, "message": label.text })
        });
        json!({
            "range": range,
            "severity": if diagnostic.is_error() { 1 } else { 2 },
            "code": diagnostic.code.id(),
            "source": "hookgen",
            "message": format!("{}{label}{help}", diagnostic.message),
            "relatedInformation": related.collect::<Vec<_>>(),
        })
    }

    fn answer(&self, request: Request) -> Response {
        let uri = request.params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default();
        let result = match (request.method.as_str(), self.files.get(uri)) {
            ("workspace/executeCommand", _) => self.execute(&request.params),
            (method, Some(text)) => {
                self.asked(method, &Open { uri, text, part: Part::of(uri, &self.files) }, &request.params)
            }
            (_, None) => Some(Value::Null),
        };
        match result {
            Some(result) => Response::new_ok(request.id, result),
            None => Response::new_err(
                request.id,
                ErrorCode::MethodNotFound as i32,
                format!("hookgen does not know {}", request.method),
            ),
        }
    }

    fn asked(&self, method: &str, open: &Open<'_>, params: &Value) -> Option<Value> {
        match method {
            "textDocument/codeAction" => return Some(self.fixes(open, params)),
            "textDocument/formatting" => return Some(self.formatted(open)),
            _ => {}
        }
        // A text that is no YAML at all has nothing in it that could be asked about.
        let offset = self.units.offset(open.text, &params["position"]);
        let document = offset
            .and_then(|offset| whole(open, offset))
            .or_else(|| open.part.document(open.text).map(|document| (document, open.text.to_owned())));
        let Some((document, text)) = document else { return Some(Value::Null) };
        let spot = offset.and_then(|offset| place::spot(&document, &open.part.own, offset));
        let symbol = || {
            spot.as_ref()
                .and_then(|spot| symbols::at_spot(&document, spot))
                .or_else(|| symbols::at_offset(&document, &open.part.own, offset?))
        };
        let address = |place: &Location| open.part.address(place.source.path(), &self.files);
        let location = |place: Location| json!({ "uri": address(&place), "range": self.range(&place) });
        Some(match method {
            "textDocument/completion" => {
                spot.map_or(Value::Null, |spot| json!({ "isIncomplete": false, "items": complete::completions(&open.part, &text, &document, &spot) }))
            }
            "textDocument/hover" => {
                let found = spot.and_then(|spot| Some((complete::hover(&open.part, &text, &document, &spot)?, spot)));
                found.map_or(Value::Null, |((markdown, range), spot)| {
                    let range = range.start + spot.expression.start..range.end + spot.expression.start;
                    let range = document.inside(&spot.expression.pointer, range).span.range();
                    json!({ "contents": { "kind": "markdown", "value": markdown }, "range": self.units.range(&text, range) })
                })
            }
            "textDocument/definition" => symbol().and_then(|symbol| symbol.places(&document).into_iter().next()).map_or(Value::Null, location),
            "textDocument/references" => symbol().map_or(Value::Null, |symbol| symbol.places(&document).into_iter().map(location).collect()),
            "textDocument/rename" => {
                let name = params["newName"].as_str().unwrap_or_default();
                let fit = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                symbol().filter(|_| fit).map_or(Value::Null, |symbol| {
                    let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
                    for place in symbol.places(&document) {
                        let edit = json!({ "range": self.range(&place), "newText": name });
                        changes.entry(address(&place)).or_default().push(edit);
                    }
                    json!({ "changes": changes })
                })
            }
            "textDocument/codeLens" => self.lenses(open, &document),
            _ => return None,
        })
    }

    /// What a diagnostic's help line proposes, as an edit.
    fn fixes(&self, open: &Open<'_>, params: &Value) -> Value {
        let compiled = open.part.compiled(open.text);
        let wanted = &params["range"];
        let (from, to) = (self.units.offset(open.text, &wanted["start"]), self.units.offset(open.text, &wanted["end"]));
        let (Some(from), Some(to)) = (from, to) else { return json!([]) };
        let near = compiled.diagnostics.iter().filter(|diagnostic| {
            let here = diagnostic.place().filter(|place| place.source.path() == open.part.own);
            here.is_some_and(|place| place.span.start() <= to && from <= place.span.end())
        });
        near.filter_map(|diagnostic| {
            let (place, meant) = (diagnostic.place()?, meant(diagnostic.help.as_deref()?)?);
            let edit = json!({ "range": self.units.range(open.text, place.span.range()), "newText": meant });
            Some(json!({
                "title": format!("Change it to `{meant}`"),
                "kind": "quickfix",
                "diagnostics": [self.diagnostic(&open.part, diagnostic)],
                "isPreferred": true,
                "edit": { "changes": { open.uri: [edit] } },
            }))
        })
        .collect()
    }

    fn formatted(&self, open: &Open<'_>) -> Value {
        let Ok(text) = crate::layout::laid_out(&open.part.own, open.text) else { return json!([]) };
        if text == open.text {
            return json!([]);
        }
        json!([{ "range": self.units.range(open.text, 0..open.text.len()), "newText": text }])
    }

    fn lenses(&self, open: &Open<'_>, document: &Document) -> Value {
        let hooks = document.get(&Pointer::root().key("hooks")).and_then(Value::as_array);
        let mut lenses = Vec::new();
        let mut lens = |at: &Pointer, title: &str, filter: String| {
            let place = document.at(at);
            if place.source.path() == open.part.own {
                let command = json!({ "title": title, "command": RUN_CASE, "arguments": [open.uri, filter] });
                lenses.push(json!({ "range": self.range(&place), "command": command }));
            }
        };
        for (place, hook) in hooks.into_iter().flatten().enumerate() {
            let at = Pointer::root().key("hooks").index(place);
            // Rows have no place of their own for a lens, so that a hook with a single case gets one too.
            if let (Some(id), true) = (hook["id"].as_str(), hook["cases"].is_array()) {
                let name = hook["name"].as_str().unwrap_or_default();
                lens(&at.key("id"), "▷ run its cases", format!("{id} {name}: "));
            }
            for (number, case) in hook["cases"].as_array().into_iter().flatten().enumerate() {
                let (Some(id), Some(name)) = (hook["id"].as_str(), case["name"].as_str()) else { continue };
                let hook = hook["name"].as_str().unwrap_or_default();
                let at = at.key("cases").index(number).key("name");
                lens(&at, "▷ run this case", format!("{id} {hook}: {name}"));
            }
        }
        Value::Array(lenses)
    }

    fn execute(&self, params: &Value) -> Option<Value> {
        if params["command"] != RUN_CASE {
            return None;
        }
        let uri = params["arguments"][0].as_str().unwrap_or_default();
        let filter = params["arguments"][1].as_str().unwrap_or_default();
        let told = match self.files.get(uri) {
            Some(_) => {
                let part = Part::of(uri, &self.files);
                (self.runner)(&part, filter).unwrap_or_else(|error| format!("{error:#}"))
            }
            None => "the catalog is not open".to_owned(),
        };
        let message =
            Notification { method: "window/showMessage".to_owned(), params: json!({ "type": 3, "message": told }) };
        // Whoever is gone needs no message.
        let _ = self.connection.sender.send(Message::Notification(message));
        Some(json!(told))
    }
}

/// The document at a place that is being typed. Where a dot or a bracket without an end breaks YAML or the catalog, a name in
/// its place mends it.
fn whole(open: &Open<'_>, offset: usize) -> Option<(Document, String)> {
    let document = open.part.document(open.text);
    let spot = |document: &Document| place::spot(document, &open.part.own, offset);
    if let Some(document) = document.filter(|document| spot(document).is_some()) {
        return Some((document, open.text.to_owned()));
    }
    let mended = format!("{}x{}", open.text.get(..offset)?, open.text.get(offset..)?);
    let document = open.part.document(&mended)?;
    spot(&document).is_some().then_some((document, mended))
}

/// Every scalar of a document that is an expression as a whole.
pub(crate) fn expressions(document: &Document) -> Vec<(Pointer, String)> {
    let all = place::expressions(document).into_iter();
    let whole =
        all.filter(|expression| document.get(&expression.pointer).and_then(Value::as_str) == Some(&expression.text));
    whole.map(|expression| (expression.pointer, expression.text)).collect()
}

/// The one name that a help line proposes.
fn meant(help: &str) -> Option<&str> {
    let rest = help.split("did you mean").nth(1)?;
    rest.split('`').nth(1).filter(|name| !name.is_empty())
}

/// The path of a file by its address.
fn path_of(uri: &str) -> Utf8PathBuf {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let code = (byte == b'%').then(|| {
            let digits: Vec<u8> = rest.clone().take(2).collect();
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
        });
        match code.flatten() {
            Some(code) => {
                bytes.push(code);
                rest.nth(1);
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests;
