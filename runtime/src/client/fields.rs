//! What readers of events do to fields.

use std::borrow::Cow;

use super::{Client, Fields, Reading, Tool, is_file_tool, patch};
use crate::event::Event;
use crate::failure::{Attempt, Failure};
use crate::json::{Json, Many};

/// The field, unless it is absent or null.
pub(crate) fn find<'f, 'a>(fields: &'f [(Cow<'a, str>, Json<'a>)], name: &str) -> Option<&'f Json<'a>> {
    fields
        .iter()
        .rev()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value)
        .filter(|value| !matches!(value, Json::Null))
}

pub(crate) fn find_mut<'f, 'a>(fields: &'f mut Fields<'a>, name: &str) -> Option<&'f mut Json<'a>> {
    fields.iter_mut().rev().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// Whether there is no such field.
pub(crate) fn is_absent(fields: &Fields<'_>, name: &str) -> bool {
    find(fields, name).is_none()
}

/// Gives a field another name, unless there is one of that name; the old one stays.
pub(crate) fn rename(fields: &mut Fields<'_>, old: &str, new: &'static str) {
    if find(fields, new).is_none()
        && let Some(value) = find(fields, old).cloned()
    {
        fields.push((Cow::Borrowed(new), value));
    }
}

/// Takes a field out.
pub(crate) fn take<'a>(fields: &mut Fields<'a>, name: &str) -> Option<Json<'a>> {
    let place = fields.iter().rposition(|(key, _)| key == name)?;
    Some(fields.remove(place).1)
}

/// Puts a value under a name, in the place of an earlier one.
pub(crate) fn put<'a>(fields: &mut Fields<'a>, name: &'static str, value: Json<'a>) {
    fields.retain(|(key, _)| key != name);
    fields.push((Cow::Borrowed(name), value));
}

/// The text of a field.
pub(crate) fn text_of<'f>(fields: &'f Fields<'_>, name: &str) -> Option<&'f str> {
    match find(fields, name) {
        Some(Json::Text(text)) => Some(text),
        _ => None,
    }
}

/// Moves a field to another name.
pub(super) fn move_to(fields: &mut Fields<'_>, old: &str, new: &'static str) {
    if let Some(value) = take(fields, old) {
        put(fields, new, value);
    }
}

/// An object's fields, taken out of their place.
pub(super) fn take_object<'a>(fields: &mut Fields<'a>, name: &str) -> Option<Fields<'a>> {
    match take(fields, name)? {
        Json::Object(inner) => Some(inner.into_vec()),
        _ => None,
    }
}

/// The name of an event in catalogs, in the place of the client's. What is not one of the client's stays as it is.
pub(super) fn name_event(fields: &mut Fields<'_>, client: &Client, event: &Event) {
    let native = text_of(fields, "hook_event_name");
    if native.is_none_or(|native| native == event.native()) {
        put(fields, "hook_event_name", Json::text(event_name(client, event)));
    }
}

/// The static name of an event.
fn event_name(client: &Client, event: &Event) -> &'static str {
    client.event(event.name).map_or("", |known| known.name)
}

/// The first folder of a list is the working directory, where the client sends no other.
pub(super) fn cwd_from(fields: &mut Fields<'_>, list: &str) {
    if !is_absent(fields, "cwd") {
        return;
    }
    if let Some(Json::List(roots)) = find(fields, list)
        && let Some(first @ Json::Text(_)) = roots.first().cloned()
    {
        put(fields, "cwd", first);
    }
}

/// A tool of a server under its name in catalogs, where the client puts something else between the two names. Servers may
/// have it in their names as well: what follows the first one is the tool then, which takes away nothing that a guard of
/// tools that write goes by.
pub(super) fn name_service(client: &Client, fields: &mut Fields<'_>, between: &str) {
    let is_own = |name: &str| client.tools.iter().any(|tool| tool.native == name);
    let named = text_of(fields, "tool_name").filter(|name| !name.starts_with("mcp__") && !is_own(name));
    let named = named.and_then(|name| name.split_once(between));
    if let Some((server, tool)) = named.filter(|(server, tool)| !server.is_empty() && !tool.is_empty()) {
        let named = format!("mcp__{server}__{tool}");
        put(fields, "tool_name", Json::Text(Cow::Owned(named)));
    }
}

/// The other way round, for tests.
pub(super) fn spell_service(fields: &mut Fields<'_>, between: &str) {
    let named = text_of(fields, "tool_name").and_then(|name| name.strip_prefix("mcp__")?.split_once("__"));
    if let Some((server, tool)) = named.filter(|(server, _)| !server.contains(between)) {
        let named = format!("{server}{between}{tool}");
        put(fields, "tool_name", Json::Text(Cow::Owned(named)));
    }
}

/// The tool and its input under the names that catalogs have for them, and a patch as the calls that it stands for.
pub(super) fn read_tool<'a>(client: &'static Client, mut fields: Fields<'a>) -> Attempt<Reading<'a>> {
    let tool = text_of(&fields, "tool_name").and_then(|name| client.tools.iter().find(|tool| tool.native == name));
    let Some(tool) = tool else {
        absolute(&mut fields);
        return Ok(Reading::of(fields));
    };
    if let Some(field) = tool.patch {
        return patched(fields, field);
    }
    if let Some(field) = tool.gone {
        return gone(fields, field);
    }
    put(&mut fields, "tool_name", Json::text(tool.tool));
    move_folder(&mut fields, tool);
    if let Some(Json::Object(input)) = find_mut(&mut fields, "tool_input") {
        for (name, _) in owned(input).iter_mut() {
            if let Some((_, new)) = tool.fields.iter().find(|(native, _)| native == name) {
                *name = Cow::Borrowed(new);
            }
        }
    }
    absolute(&mut fields);
    Ok(Reading { tool: Some(tool), ..Reading::of(fields) })
}

/// One call for each file of a patch.
fn patched<'a>(mut fields: Fields<'a>, field: &str) -> Attempt<Reading<'a>> {
    let input = take_object(&mut fields, "tool_input").unwrap_or_default();
    let Some(text) = text_of(&input, field) else {
        return Err(Failure::Payload(format!("the patch in `tool_input.{field}` is not there")));
    };
    let changes = patch::read(text).map_err(Failure::Payload)?;
    let calls = changes.into_iter().map(|change| {
        let mut call = fields.clone();
        let (tool, input) = change.call();
        put(&mut call, "tool_name", Json::text(tool));
        put(&mut call, "tool_input", Json::Object(Many::Owned(input)));
        absolute(&mut call);
        call
    });
    Ok(Reading { calls: calls.collect(), tool: None, whole: false })
}

/// One call for each file that goes: it becomes empty, as in a patch.
fn gone<'a>(mut fields: Fields<'a>, field: &str) -> Attempt<Reading<'a>> {
    let mut input = take_object(&mut fields, "tool_input").unwrap_or_default();
    let Some(Json::List(paths)) = take(&mut input, field) else {
        return Err(Failure::Payload(format!("`tool_input.{field}` is no list of files")));
    };
    let calls = paths.iter().map(|path| {
        let mut call = fields.clone();
        let input = vec![("file_path".into(), path.clone()), ("content".into(), Json::text(""))];
        put(&mut call, "tool_name", Json::text("Write"));
        put(&mut call, "tool_input", Json::Object(Many::Owned(input)));
        absolute(&mut call);
        call
    });
    Ok(Reading { calls: calls.collect(), tool: None, whole: false })
}

/// The folder of a call that runs in another one than the session.
fn move_folder(fields: &mut Fields<'_>, tool: &Tool) {
    let named = find(fields, "tool_input").and_then(|input| {
        tool.folder.iter().find_map(|name| match input.get(name) {
            Some(Json::Text(folder)) if !folder.is_empty() => Some(folder.to_string()),
            _ => None,
        })
    });
    let Some(folder) = named else { return };
    let folder = match text_of(fields, "cwd") {
        Some(cwd) if !std::path::Path::new(&folder).is_absolute() => joined(cwd, &folder),
        _ => folder,
    };
    put(fields, "cwd", Json::Text(Cow::Owned(folder)));
}

fn joined(folder: &str, path: &str) -> String {
    format!("{}/{}", folder.trim_end_matches('/'), path.trim_start_matches("./"))
}

/// Paths in catalogs are absolute. Some clients pass on what the model wrote, and look for it from where they are.
pub(super) fn absolute(fields: &mut Fields<'_>) {
    let Some(cwd) = text_of(fields, "cwd").map(str::to_owned) else { return };
    let file_tool = text_of(fields, "tool_name").is_some_and(|tool| is_file_tool(tool) || tool == "Read");
    if let (true, Some(Json::Object(input))) = (file_tool, find_mut(fields, "tool_input"))
        && let Some(Json::Text(path)) = find_mut(owned(input), "file_path")
        && is_relative(path)
    {
        *path = Cow::Owned(joined(&cwd, path));
    }
}

/// Whether a path starts where the call happens. One from the home folder does not, nor does an address, however a tool
/// may take the blanks before it.
fn is_relative(path: &str) -> bool {
    let path = path.trim_start();
    let address = path.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
    !path.is_empty() && !address && !path.starts_with('~') && !std::path::Path::new(path).is_absolute()
}

/// The fields of an object, as a list that can be changed.
pub(super) fn owned<'m, 'a>(object: &'m mut Many<'a, (Cow<'a, str>, Json<'a>)>) -> &'m mut Fields<'a> {
    if let Many::Borrowed(items) = object {
        *object = Many::Owned(items.to_vec());
    }
    match object {
        Many::Owned(items) => items,
        // It has just been made one of its own.
        Many::Borrowed(_) => unreachable!("owned"),
    }
}

/// The result of a shell line, which some clients send as text, where catalogs look for it.
pub(super) fn shell_output(fields: &mut Fields<'_>) {
    if text_of(fields, "tool_name") == Some("Bash")
        && let Some(text @ Json::Text(_)) = find(fields, "tool_response").cloned()
    {
        put(fields, "tool_response", Json::Object(Many::Owned(vec![(Cow::Borrowed("stdout"), text)])));
    }
}

/// The other way round, for tests: the tool and its input as the client calls them. `None` if it has no such tool.
pub(super) fn encode_tool(client: &Client, fields: &mut Fields<'_>) -> Option<()> {
    let Some(name) = text_of(fields, "tool_name").map(str::to_owned) else { return Some(()) };
    let tool = client.tools.iter().find(|tool| tool.tool == name && tool.is_plain());
    let Some(tool) = tool else {
        let patch = client.tools.iter().find_map(|tool| Some((tool, tool.patch?)));
        let (Some((tool, field)), true) = (patch, is_file_tool(&name)) else {
            return (name.starts_with("mcp__") || client.tools.iter().all(|tool| tool.tool != "Bash")).then_some(());
        };
        let input = take_object(fields, "tool_input")?;
        let text = patch::write(&name, &input)?;
        put(fields, "tool_name", Json::text(tool.native));
        let input = vec![(Cow::Borrowed(field), Json::Text(Cow::Owned(text)))];
        put(fields, "tool_input", Json::Object(Many::Owned(input)));
        return Some(());
    };
    put(fields, "tool_name", Json::text(tool.native));
    if let Some(Json::Object(input)) = find_mut(fields, "tool_input") {
        encode_input(tool, owned(input));
    }
    Some(())
}

/// A tool's input under the client's names.
pub(crate) fn encode_input(tool: &Tool, input: &mut Fields<'_>) {
    for (name, _) in input {
        if let Some((native, _)) = tool.fields.iter().find(|(_, new)| new == name) {
            *name = Cow::Borrowed(native);
        }
    }
}
