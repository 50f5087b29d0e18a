//! The whole life of an engine that has its catalog in a file beside it.

use std::borrow::Cow;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use super::Evaluator;
use crate::client::{CLAUDE, CLIENTS, Client};
use crate::engine::serve_clients;
use crate::event::{Event, Notice, Refusal};
use crate::failure::{Attempt, Failure};
use crate::json::{Json, Many};
use crate::machine;
use crate::node::{Node, Origin};
use crate::payload::sent;
use crate::program::Denial;
use crate::reply::{Answering, Reply, Running, reply};
use crate::representation::Archive;
use crate::speech::speak;
use crate::verdict::Verdict;

/// What the catalog's file is called, after the engine beside it.
const SUFFIX: &str = ".hooks";

/// No event that would have to be read for its name alone is larger.
const LARGEST_EVENT: u64 = 64 << 20;

/// Answers as a binary that was compiled from the catalog would.
pub fn serve_file() -> ExitCode {
    match own_file().and_then(|file| Archive::open(&file)) {
        Ok(archive) => {
            // The process ends with the call, and so does everything that refers to the catalog.
            let archive: &'static Archive = Box::leak(Box::new(archive));
            serve_clients(archive.catalog(), CLIENTS, move |call| Box::new(Evaluator::new(call, archive)))
        }
        Err(failure) => {
            let arguments: Vec<String> = std::env::args().skip(1).collect();
            let mut input = Vec::new();
            // An event that cannot be read is one of an unknown name.
            let _ = std::io::stdin().lock().take(LARGEST_EVENT).read_to_end(&mut input);
            ExitCode::from(speak(&unreadable(&failure, &arguments, &mut input)))
        }
    }
}

/// The file of the catalog that an engine of this name runs; those for several kinds of machines share it.
pub fn engine_file(engine: &std::path::Path) -> PathBuf {
    let name = engine.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let name = name.strip_suffix(std::env::consts::EXE_SUFFIX).unwrap_or(&name);
    machine::bin(engine).unwrap_or(engine).join(format!("{name}{SUFFIX}"))
}

fn own_file() -> Attempt<PathBuf> {
    let engine = std::env::current_exe()
        .map_err(|error| Failure::Catalog(format!("the engine does not know where it is: {error}")))?;
    Ok(engine_file(&engine))
}

/// The answer without a catalog: nothing tells which hooks there are and what they would have done. A registration that
/// says that all of its hooks are open is believed; any other action is refused where it can be.
fn unreadable(failure: &Failure, arguments: &[String], input: &mut [u8]) -> Reply {
    let agent = arguments.iter().find_map(|argument| argument.strip_prefix("--agent=")).unwrap_or(CLAUDE.name);
    let client: Option<&'static Client> = CLIENTS.iter().copied().find(|client| client.name == agent);
    let named = sent(input).and_then(|sent| sent.event);
    let event: Option<&'static Event> = client.zip(named).and_then(|(client, name)| client.events_called(&name).next());
    let open = arguments.iter().any(|argument| argument.starts_with("--open="));
    if !open && event.is_none_or(|event| event.refusal != Refusal::Never) {
        let stderr = format!("The hooks could not check this, so it is refused: {failure}. Install the plugin anew");
        let words = Reply { stderr: stderr.clone(), exit: 2, ..Reply::default() };
        return client.zip(event).map_or(words, |(client, event)| refuse(client, event, stderr));
    }
    let text = format!("The hooks could not check this, and let it pass: {failure}. Install the plugin anew");
    let heard = event.is_some_and(|event| event.notice != Notice::Never);
    let message = vec![(Cow::Borrowed("systemMessage"), Json::text(&text))];
    let stdout = if heard { Json::Object(Many::Owned(message)).to_string() } else { String::new() };
    Reply { stdout, stderr: text, ..Reply::default() }
}

/// A refusal in the client's words, where exit code 2 may not be among them.
fn refuse(client: &'static Client, event: &'static Event, reason: String) -> Reply {
    let mut verdict = Verdict::default();
    verdict.deny("catalog", reason);
    let to = Answering { client, event, denial: Denial::ExitCode, running: Running::Awaited, tool: None };
    reply(to, Node::new(&Json::Null, Origin::Payload), vec![verdict])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn answer(arguments: &[&str], event: &str) -> Reply {
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        unreadable(&Failure::Catalog("it is cut off".to_owned()), &arguments, &mut event.as_bytes().to_vec())
    }

    #[test]
    fn without_a_catalog_an_action_is_refused_where_it_can_be() {
        for event in [r#"{"hook_event_name":"PreToolUse"}"#, r#"{"hook_event_name":"Stop"}"#, "no event", ""] {
            let refused = answer(&["--closed=demo@1.0.0", "H1"], event);
            assert_eq!((refused.exit, refused.stdout.as_str()), (2, ""), "{event}");
            assert!(refused.stderr.contains("refused") && refused.stderr.contains("cut off"), "{event}");
        }
        let harmless = answer(&["H1"], r#"{"hook_event_name":"SessionEnd"}"#);
        assert_eq!(harmless.exit, 0);
    }

    #[test]
    fn a_registration_of_open_hooks_lets_pass_and_says_so() {
        let passed = answer(&["--open=demo@1.0.0", "H1"], r#"{"hook_event_name":"PreToolUse"}"#);
        assert_eq!(passed.exit, 0);
        assert!(passed.stdout.starts_with(r#"{"systemMessage":"The hooks could not check this, and let it pass"#));
    }

    #[test]
    fn the_file_is_beside_the_engine_and_named_after_it() {
        let engine = format!("/plugin/bin/demo.v2{}", std::env::consts::EXE_SUFFIX);
        assert_eq!(engine_file(Path::new(&engine)), Path::new("/plugin/bin/demo.v2.hooks"));
    }
}
