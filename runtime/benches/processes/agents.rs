//! The same denial for every agent that a catalog serves: reading and writing in its words must cost next to nothing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hookgen_runtime::client::CLIENTS;
use hookgen_runtime::{Client, Json, Many};

use super::measure::Subject;
use super::world::World;
use super::{shipped, subjects};

const DENIED: &str = r#""tool_name":"Bash","tool_input":{"command":"git push --force origin main"}"#;

pub(crate) fn subjects(world: &World) -> Vec<Subject> {
    let plugin = shipped::plugin("safety");
    let clients = CLIENTS.iter().copied().filter_map(|client| subject(world, &plugin, client));
    clients.collect()
}

/// A denial as that agent asks for it; none if the catalog does not serve it.
fn subject(world: &World, plugin: &Path, client: &Client) -> Option<Subject> {
    let event = native(world, client)?;
    let arguments = format!("--agent={} S01", client.name);
    let name = format!("safety denying a line, for {}", client.title);
    let prepare = event.clone();
    let mut subject = subjects::hook(world, plugin, &name, &arguments, 0, Box::new(move |_| prepare.clone()));
    // Some hear a denial by exit code.
    let mut once = Command::new(&subject.program);
    once.args(&subject.arguments).env_clear().envs(subject.environment.iter().map(|(name, value)| (name, value)));
    let input = std::fs::File::open(event).expect("written");
    let output = once.stdin(input).stderr(Stdio::piped()).output().expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    if !String::from_utf8_lossy(&said).contains("can erase commits of others") {
        return None;
    }
    subject.exit = output.status.code().expect("an exit code");
    Some(subject)
}

/// A file with the event in the agent's words.
fn native(world: &World, client: &Client) -> Option<PathBuf> {
    let file = world.event("PreToolUse", DENIED);
    let text = std::fs::read_to_string(&file).expect("written");
    let Json::Object(fields) = Json::parse(&text).expect("valid") else { return None };
    let native = (client.encode)(fields.into_vec(), client.event("PreToolUse")?)?;
    std::fs::write(&file, Json::Object(Many::Owned(native)).to_string()).expect("written");
    Some(file)
}
