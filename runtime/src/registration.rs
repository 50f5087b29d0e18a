//! What the registration with the client asks of this binary.
//!
//! The ids of hooks stand on the command line, behind what the registration knows of them: which catalog and version
//! they are of, and whether one of them is closed. A registration and a binary that do not belong together are a broken
//! installation, and the binary cannot look up in its own tables what hooks that it does not have were meant to do.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::client::{CLAUDE, Client, Fields, text_of};
use crate::job::Asked;
use crate::json::Json;
use crate::node::{Node, Origin};
use crate::payload::Sent;
use crate::program::{Catalog, FailSafe};
use crate::reply::{Answering, Reply, Running, reply};
use crate::turn::{let_pass, refused};
use crate::verdict::Verdict;
use crate::{input, path, payload, surroundings};

/// The client sends the event at once. Nobody waits longer for it to find out how to refuse.
const PATIENCE: Duration = Duration::from_millis(300);

/// A registration that this binary cannot serve.
#[derive(Debug)]
pub(crate) struct Mismatch {
    /// Who is calling; `None` if it is somebody whom this binary does not speak to.
    client: Option<&'static Client>,
    /// Whether it came without a single argument.
    bare: bool,
    /// What becomes of the action. A registration that does not say is taken for a closed one.
    fail_safe: FailSafe,
    why: String,
}

/// What a registration asks for.
#[derive(Debug)]
pub(crate) struct Registered {
    pub(crate) hooks: Vec<Asked>,
    pub(crate) caller: Caller,
}

/// Who is calling, and what the registration says about that.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) client: &'static Client,
    /// What becomes of a question that the client cannot put to anybody.
    pub(crate) unasked: Unasked,
    /// The folder outside of which nothing is done: a person's registration that is for one project.
    pub(crate) within: Option<PathBuf>,
}

/// What becomes of a question that cannot be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unasked {
    /// The action is refused.
    Refused,
    /// It goes on, since the catalog says so.
    Passes,
}

impl Caller {
    /// Claude Code, of whom nothing needs to be said.
    pub(crate) fn claude() -> Self {
        Self { client: CLAUDE, unasked: Unasked::Refused, within: None }
    }

    /// Whether an event of that folder is one for the hooks, as it is where nobody says which folder.
    pub(crate) fn is_here(&self, event: &Fields<'_>) -> bool {
        self.within.as_ref().is_none_or(|within| {
            text_of(event, "cwd").is_none_or(|cwd| path::resolve(Path::new(""), cwd).starts_with(within))
        })
    }
}

/// The hooks that are asked for: `--closed=NAME@VERSION` or `--open=NAME@VERSION`, who calls, then their ids. A person
/// who tries a hook by hand may leave the first out.
pub(crate) fn read(
    catalog: &'static Catalog,
    clients: &[&'static Client],
    arguments: &[String],
) -> Result<Registered, Mismatch> {
    let mut fail_safe = FailSafe::Closed;
    let mut problem = None;
    let mut caller = Caller::claude();
    let mut client = clients.iter().copied().find(|client| client.name == CLAUDE.name);
    let mut wanted = CLAUDE.name;
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
            Some(("agent", name)) => {
                (client, wanted) = (clients.iter().copied().find(|client| client.name == name), name);
                continue;
            }
            Some(("unasked", "pass")) => {
                caller.unasked = Unasked::Passes;
                continue;
            }
            Some(("within", folder)) => {
                caller.within = Some(path::resolve(Path::new(""), folder));
                continue;
            }
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
    if client.is_none() {
        problem = problem.or(Some(format!("it does not speak to `{wanted}`")));
    }
    match (problem, client) {
        (None, Some(client)) => {
            let hooks = catalog.hooks.iter().enumerate().filter(|(_, hook)| ids.contains(&&*hook.id)).collect();
            Ok(Registered { hooks, caller: Caller { client, ..caller } })
        }
        (why, client) => {
            let bare = arguments.is_empty();
            Err(Mismatch { client, bare, fail_safe, why: why.unwrap_or_default() })
        }
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
        let sent = sent();
        if self.bare && sent.as_ref().is_some_and(|sent| sent.of_copilot) {
            return Reply::default();
        }
        let named = sent.and_then(|sent| sent.event);
        let said = self.client.zip(named).and_then(|(client, name)| {
            let event = client.events_called(&name).next()?;
            let nothing = Node::new(&Json::Null, Origin::Payload);
            let denial = catalog.denial;
            let to = Answering { client, event, denial, running: Running::Awaited, tool: None };
            Some(reply(to, nothing, vec![verdict]))
        });
        let closed = self.fail_safe == FailSafe::Closed;
        let mut said = said.unwrap_or_else(|| Reply { exit: if closed { 2 } else { 0 }, ..Reply::default() });
        if said.stderr.is_empty() {
            said.stderr = text;
        }
        said
    }
}

/// What the process is asked about.
fn sent() -> Option<Sent> {
    if let Some(mut input) = surroundings::input() {
        return payload::sent(&mut input);
    }
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new()
        .spawn(move || {
            let read = input::read(|| Some(PATIENCE), || {});
            let sent = read.ok().and_then(Result::ok).and_then(|mut bytes| payload::sent(&mut bytes));
            let _ = sender.send(sent);
        })
        .ok()?;
    receiver.recv_timeout(PATIENCE).ok()?
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
        let clients = [CLAUDE, &crate::client::codex::CLIENT];
        let asked = read(catalog(), &clients, &arguments).map_err(|mismatch| (mismatch.fail_safe, mismatch.why))?;
        Ok(asked.hooks.into_iter().map(|(_, hook)| &*hook.id).collect())
    }

    #[test]
    fn a_registration_of_the_same_catalog_and_version_is_served_in_catalog_order() {
        for line in
            ["--closed=demo@1.0.0 --agent=codex H2 H1", "--closed=demo@1.0.0 H2 H1", "--open=demo@1.0.0 H1 H2", "H1 H2"]
        {
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
            ("--closed=demo@1.0.0 --agent=other H1", "it does not speak to `other`"),
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
