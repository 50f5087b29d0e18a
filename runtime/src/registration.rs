//! What the registration with the client asks of this binary.
//!
//! The ids of hooks stand on the command line, behind what the registration knows of them: which catalog and version
//! they are of, and whether one of them is closed. A registration and a binary that do not belong together are a broken
//! installation, and the binary cannot look up in its own tables what hooks that it does not have were meant to do.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::event::Event;
use crate::job::Asked;
use crate::json::Json;
use crate::node::{Node, Origin};
use crate::program::{Catalog, FailSafe};
use crate::reply::{Reply, Running, reply};
use crate::turn::{let_pass, refused};
use crate::verdict::Verdict;
use crate::{job, payload};

/// The client sends the event at once. Nobody waits longer for it to find out how to refuse.
const PATIENCE: Duration = Duration::from_millis(300);

/// A registration that this binary cannot serve.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// What becomes of the action. A registration that does not say is taken for a closed one.
    fail_safe: FailSafe,
    why: String,
}

/// The hooks that are asked for: `--closed=NAME@VERSION` or `--open=NAME@VERSION`, then their ids. A person who tries
/// a hook by hand may leave the first out.
pub(crate) fn read(catalog: &'static Catalog, arguments: &[String]) -> Result<Vec<Asked>, Mismatch> {
    let mut fail_safe = FailSafe::Closed;
    let mut problem = None;
    let mut ids: Vec<&str> = Vec::new();
    for argument in arguments {
        let Some(option) = argument.strip_prefix("--") else {
            ids.push(argument);
            continue;
        };
        let of = match option.split_once('=') {
            Some(("closed", of)) => of,
            Some(("open", of)) => {
                fail_safe = FailSafe::Open;
                of
            }
            // Whose home it is, which `home` reads.
            Some(("home", _)) => continue,
            _ => {
                problem = problem.or(Some(format!("it does not know `{argument}`")));
                continue;
            }
        };
        if of.split_once('@') != Some((&*catalog.name, &*catalog.version)) {
            problem = problem.or(Some(format!("it is asked for hooks of {}", of.replacen('@', " ", 1))));
        }
    }
    let find = |id: &&str| catalog.hooks.iter().any(|hook| hook.id == *id);
    if let Some(unknown) = ids.iter().find(|id| !find(id)) {
        problem = problem.or(Some(format!("it has no hook `{unknown}`")));
    } else if ids.is_empty() {
        let known: Vec<&str> = catalog.hooks.iter().map(|hook| &*hook.id).collect();
        problem = problem.or(Some(format!("it is asked for no hook; it has {}", known.join(" "))));
    }
    match problem {
        Some(why) => Err(Mismatch { fail_safe, why }),
        None => Ok(catalog.hooks.iter().enumerate().filter(|(_, hook)| ids.contains(&&*hook.id)).collect()),
    }
}

impl Mismatch {
    /// The answer: a refusal, or a word to the person, in the way that the event has for it.
    pub(crate) fn answer(&self, catalog: &'static Catalog) -> Reply {
        let who = format!("{} {}", catalog.name, catalog.version);
        let why = format!("{}. Registration and binary do not belong together: install the catalog anew", self.why);
        let mut verdict = Verdict::default();
        let text = match self.fail_safe {
            FailSafe::Closed => {
                let text = refused(&who, why);
                verdict.deny("registration", text.clone());
                text
            }
            FailSafe::Open => {
                let text = let_pass(&who, why);
                verdict.notices.push(text.clone());
                text
            }
        };
        let said = event().map(|event| {
            let nothing = Node::new(&Json::Null, Origin::Payload);
            reply(event, catalog.denial, Running::Awaited, nothing, vec![verdict])
        });
        let closed = self.fail_safe == FailSafe::Closed;
        let mut said = said.unwrap_or_else(|| Reply { exit: if closed { 2 } else { 0 }, ..Reply::default() });
        if said.stderr.is_empty() {
            said.stderr = text;
        }
        said
    }
}

/// The event that the process is asked about, as the client calls it.
fn event() -> Option<&'static Event> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new()
        .spawn(move || {
            let named = job::read_input().ok().and_then(|mut bytes| payload::event_name(&mut bytes));
            let _ = sender.send(named);
        })
        .ok()?;
    receiver.recv_timeout(PATIENCE).ok()?.and_then(|name| Event::named(&name))
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::json::Many;
    use crate::program::{Hook, Matcher, Mode, Str};

    const fn hook(id: &'static str) -> Hook {
        Hook {
            id: Str::Borrowed(id),
            log_name: Str::Borrowed(id),
            event: Str::Borrowed("PreToolUse"),
            matcher: Matcher::All,
            fail_safe: FailSafe::Closed,
            timeout_ms: 1000,
            mode: Mode::Enforce,
            flag: None,
            acts: false,
            background: false,
            rewakes: false,
        }
    }

    fn catalog() -> &'static Catalog {
        static CATALOG: OnceLock<Catalog> = OnceLock::new();
        CATALOG.get_or_init(|| Catalog {
            version: Str::Borrowed("1.0.0"),
            hooks: Many::Owned(vec![hook("H1"), hook("H2")]),
            ..Catalog::empty("demo")
        })
    }

    fn ids(line: &str) -> Result<Vec<&'static str>, (FailSafe, String)> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let asked = read(catalog(), &arguments).map_err(|mismatch| (mismatch.fail_safe, mismatch.why))?;
        Ok(asked.into_iter().map(|(_, hook)| &*hook.id).collect())
    }

    #[test]
    fn a_registration_of_the_same_catalog_and_version_is_served_in_catalog_order() {
        for line in ["--closed=demo@1.0.0 H2 H1", "--open=demo@1.0.0 H1 H2", "H1 H2"] {
            assert_eq!(ids(line), Ok(vec!["H1", "H2"]), "{line}");
        }
        assert_eq!(ids("--open=demo@1.0.0 H2"), Ok(vec!["H2"]));
    }

    #[test]
    fn another_catalog_or_version_an_unknown_hook_or_option_is_not() {
        for (line, expected) in [
            ("--closed=other@1.0.0 H1", "it is asked for hooks of other 1.0.0"),
            ("--closed=demo@1.0.1 H1", "it is asked for hooks of demo 1.0.1"),
            ("--closed=demo H1", "it is asked for hooks of demo"),
            ("--closed=demo@1.0.0 H1 H3", "it has no hook `H3`"),
            ("--closed=demo@1.0.0", "it is asked for no hook; it has H1 H2"),
            ("--closed=demo@1.0.0 --agent=other H1", "it does not know `--agent=other`"),
            ("--closed H1", "it does not know `--closed`"),
            ("H3", "it has no hook `H3`"),
            ("", "it is asked for no hook; it has H1 H2"),
        ] {
            assert_eq!(ids(line), Err((FailSafe::Closed, expected.to_owned())), "{line}");
        }
        assert_eq!(ids("--open=demo@1.0.0 H3"), Err((FailSafe::Open, "it has no hook `H3`".to_owned())));
        let late = ids("H3 --open=demo@1.0.0");
        assert_eq!(late.expect_err("unknown").0, FailSafe::Open, "wherever it stands");
    }
}
