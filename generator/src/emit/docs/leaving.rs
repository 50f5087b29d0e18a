//! What leaves the machine, and to whom.
//!
//! A service, a tool of a server and a model are asked by the client. A command hook reaches the network through the
//! programs that it starts: some are made for that, git is with some of its subcommands, and what a program does that
//! the catalog's constants or settings name is not known here.

use std::collections::BTreeSet;

use hookgen_runtime::representation::{Effect, Expr, Op, Representation};
use hookgen_runtime::signature::{Power, Type};

use super::markdown::{Table, code, codes, hook_link, hook_links, or_dash, text};
use crate::bug::Bug;
use crate::lower::{command_hooks, lower};
use crate::model::{Catalog, Hook, Service};

/// Programs that are there to talk to other machines.
const CARRIERS: &[&str] = &[
    "curl", "wget", "http", "https", "xh", "aria2c", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "gh", "glab", "mail",
];

/// What git does with other machines.
const REMOTE_GIT: &[&str] = &["fetch", "pull", "push", "clone", "ls-remote", "submodule"];

pub(super) struct Leaving {
    /// One row for each thing that is sent.
    pub(super) rows: Vec<[String; 4]>,
    /// The hooks of the rows, each with what its catalog says that it sends.
    pub(super) summary: String,
    /// Hooks that start programs which nobody here can judge.
    pub(super) unknown: String,
}

impl Leaving {
    pub(super) fn table(&self) -> String {
        Table::or_empty(["hook", "what", "to whom", "by"], self.rows.clone())
    }
}

pub(super) fn of(catalog: &Catalog) -> Result<Leaving, Bug> {
    let whole = lower(catalog)?;
    let places: Vec<&str> = command_hooks(catalog).map(|hook| hook.id.as_str()).collect();
    let (mut rows, mut senders, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for hook in &catalog.hooks {
        let mut sent: Vec<[String; 4]> = asked_by_client(hook).into_iter().collect();
        if let Some(place) = places.iter().position(|id| *id == hook.id) {
            let started = Started::by(&whole, place);
            sent.extend(started.row(hook));
            if started.unnamed {
                unknown.push(hook);
            }
        }
        declare(hook, &mut sent);
        if !sent.is_empty() {
            senders.push(sender(hook));
            rows.extend(sent);
        }
    }
    Ok(Leaving {
        rows,
        summary: senders.join("; "),
        unknown: if unknown.is_empty() { String::new() } else { hook_links(unknown) },
    })
}

/// What the catalog itself says that a hook sends stands in place of what can be told from its expressions.
fn declare(hook: &Hook, sent: &mut Vec<[String; 4]>) {
    if hook.sends.is_empty() {
        return;
    }
    if sent.is_empty() {
        sent.push([hook_link(hook), String::new(), or_dash(""), or_dash("")]);
    }
    for [_, what, ..] in sent {
        *what = text(&hook.sends);
    }
}

fn sender(hook: &Hook) -> String {
    if hook.sends.is_empty() { hook_link(hook) } else { format!("{}: {}", hook_link(hook), text(&hook.sends)) }
}

fn asked_by_client(hook: &Hook) -> Option<[String; 4]> {
    let row = |what: &str, whom: String| [hook_link(hook), what.to_owned(), whom, "the client".to_owned()];
    match (&hook.service, &hook.prompt) {
        (Some(Service::Http { url, .. }), _) => Some(row("the event", code(url))),
        (Some(Service::McpTool { server, .. }), _) => {
            Some(row("the input that the hook names", format!("the MCP server {}", code(server))))
        }
        (Some(Service::Program { .. }), _) => {
            Some(row("what its program sends", "not known: the program is not of this catalog".to_owned()))
        }
        (None, Some(_)) => Some(row("the event and the question", "the provider of the model".to_owned())),
        (None, None) => None,
    }
}

/// What the expressions of a hook start, as far as it can send something.
#[derive(Default)]
struct Started {
    carriers: BTreeSet<String>,
    addresses: BTreeSet<String>,
    /// Variables that say where to.
    variables: BTreeSet<String>,
    unnamed: bool,
}

impl Started {
    fn by(whole: &Representation, hook: usize) -> Self {
        let mut started = Self::default();
        whole.reached(hook, &mut |expr| match &expr.op {
            Op::Text(text) if text.starts_with("https://") || text.starts_with("http://") => {
                started.addresses.insert(text.clone());
            }
            Op::Env(name) if ["URL", "HOST", "ENDPOINT"].iter().any(|end| name.ends_with(end)) => {
                started.variables.insert(name.clone());
            }
            Op::Call(place, arguments) => {
                let Some(function) = whole.function(*place) else { return };
                if !function.powers.iter().any(|power| matches!(power, Power::Program | Power::Query)) {
                    return;
                }
                let line = function.params.iter().position(|(_, ty)| *ty == Type::List(&Type::Text));
                if let Some(line) = line.and_then(|line| arguments.get(line)) {
                    started.line(line, whole, hook);
                }
            }
            _ => {}
        });
        let checks = whole.hooks.get(hook).into_iter().flat_map(|hook| &hook.checks);
        for effect in checks.flat_map(|check| &check.effects) {
            if let Effect::Notify(line) = effect {
                let mut words = Vec::new();
                for word in line {
                    literals(&word.value, whole, hook, &mut words);
                }
                // What stands behind a first word that only the run knows are its arguments.
                let named = line.first().is_some_and(|program| matches!(program.value.op, Op::Text(_)));
                started.words(if named { &words } else { &[] });
            }
        }
        started
    }

    fn line(&mut self, line: &Expr, whole: &Representation, hook: usize) {
        let mut words = Vec::new();
        literals(line, whole, hook, &mut words);
        self.words(&words);
    }

    fn words(&mut self, words: &[&str]) {
        let program = words.iter().find(|word| **word != "env" && !word.contains('='));
        match program {
            None => self.unnamed = true,
            Some(program) if CARRIERS.contains(program) => drop(self.carriers.insert((*program).to_owned())),
            Some(&"git") => {
                if let Some(subcommand) = words.iter().find(|word| REMOTE_GIT.contains(word)) {
                    self.carriers.insert(format!("git {subcommand}"));
                }
            }
            Some(_) => {}
        }
    }

    fn row(&self, hook: &Hook) -> Option<[String; 4]> {
        if self.carriers.is_empty() {
            return None;
        }
        let named = |names: &BTreeSet<String>| codes(names.iter().map(String::as_str));
        let git_alone = self.carriers.iter().all(|carrier| carrier.starts_with("git "));
        let mut whom = match (self.addresses.is_empty(), git_alone) {
            (_, true) => "the remote of the repository".to_owned(),
            (false, _) => named(&self.addresses),
            (true, _) => "whoever its expressions name".to_owned(),
        };
        if !git_alone && !self.variables.is_empty() {
            whom = format!("{whom}, or whom {} name", named(&self.variables));
        }
        let what = if git_alone { "what git sends" } else { "what it puts into the program's line and input" };
        Some([hook_link(hook), what.to_owned(), whom, named(&self.carriers)])
    }
}

/// The words of a command line that the catalog spells out, in order.
fn literals<'r>(line: &'r Expr, whole: &'r Representation, hook: usize, words: &mut Vec<&'r str>) {
    match &line.op {
        Op::Text(word) => words.push(word),
        Op::List(items) => items.iter().for_each(|item| literals(item, whole, hook, words)),
        Op::Append(sides) => sides.iter().for_each(|side| literals(side, whole, hook, words)),
        Op::Fact(place) => {
            if let Some(fact) = whole.facts.get(*place) {
                literals(&fact.text.value, whole, hook, words);
            }
        }
        Op::Let(place) => {
            if let Some(binding) = whole.hooks.get(hook).and_then(|hook| hook.lets.get(*place)) {
                literals(&binding.text.value, whole, hook, words);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    fn leaving(condition: &str) -> Leaving {
        leaving_by(&format!("when: \"{condition}\", deny: No."))
    }

    fn leaving_by(check: &str) -> Leaving {
        let text = format!(
            "catalog: demo\nversion: 1.0.0\ndescription: A demo.\ndata: {{ tool: make }}\nhooks:\n  - id: H1\n    name: guard\n    \
             event: PreToolUse\n    matcher: Bash\n    timeout: 9s\n    fail_safe: closed\n    why: It is needed.\n    \
             checks: [{{ id: a, {check} }}]\n"
        );
        let compiled = crate::compile::compile(camino::Utf8Path::new("specs/demo.yaml"), text.into_bytes());
        of(&compiled.catalog.expect("sound")).expect("no bug")
    }

    #[test]
    fn a_carrier_is_named_with_its_address_and_a_look_alike_is_not() {
        let sent = leaving("run(['curl', 'https://x.example', env.A_URL], 5).ok");
        assert_eq!(sent.rows[0][2..], ["`https://x.example`, or whom `A_URL` name".to_owned(), "`curl`".to_owned()]);
        assert!(
            leaving("run(['cargo', 'fmt'], 5).ok && tool_input.command != 'curl https://x.example'").rows.is_empty()
        );
    }

    #[test]
    fn what_tells_somebody_elsewhere_is_named() {
        let sent = leaving_by("notify: [curl, '-d', '${tool_input.command}', 'https://x.example']");
        assert_eq!((sent.rows[0][2].as_str(), sent.rows[0][3].as_str()), ("`https://x.example`", "`curl`"));
        assert!(leaving_by("notify: [notify-send, curl]").rows.is_empty());
        assert!(leaving_by("notify: ['${env.TELL}', curl]").unknown.contains("H1"));
    }

    #[test]
    fn git_sends_by_some_of_its_subcommands() {
        assert_eq!(leaving("query(['git', 'fetch'], 5).ok").rows[0][3], "`git fetch`");
        assert!(leaving("query(['git', 'log', '--format=push'], 5).ok").rows.is_empty());
    }

    #[test]
    fn a_program_that_the_constants_name_is_not_judged() {
        let sent = leaving("run([data.tool], 5).ok");
        assert!(sent.rows.is_empty() && sent.unknown.contains("H1"));
    }

    #[test]
    fn what_a_catalog_says_that_it_sends_stands_first() {
        let mut catalog = fixture::smallest();
        assert_eq!(of(&catalog).expect("no bug").summary, "");
        "the command, to a reviewer".clone_into(&mut catalog.hooks[0].sends);
        let sent = of(&catalog).expect("no bug");
        assert_eq!(sent.rows[0][1], "the command, to a reviewer");
        assert!(sent.summary.ends_with(": the command, to a reviewer"), "{}", sent.summary);
    }

    #[test]
    fn a_model_that_is_asked_reads_the_event() {
        let sent = of(&fixture::full()).expect("no bug");
        assert!(sent.rows.iter().any(|row| row[0].contains("H04") && row[2].contains("provider")), "{:?}", sent.rows);
    }
}
