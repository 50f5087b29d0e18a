//! What was seen, for people and for programs.

use std::fmt::{self, Write as _};

use hookgen_runtime::evaluate::Account;
use hookgen_runtime::program::Mode;
use hookgen_runtime::{Event, Reply};
use serde::Serialize;

use super::notes::{CheckNote, Outcome, Part, Step};
use crate::ask::without_value;
use crate::model::{Catalog, Hook, Matcher};

/// No value is shown longer to a person.
const LONGEST: usize = 160;

/// What a catalog makes of an event.
#[derive(Debug, Serialize)]
pub struct Report {
    catalog: String,
    event: &'static str,
    /// Whether hooks did what they say.
    performed: bool,
    pub(super) hooks: Vec<HookRow>,
    /// What the client hears, from each process that it starts.
    pub(super) processes: Vec<ProcessRow>,
}

/// A hook and what became of it.
#[derive(Debug, Serialize)]
pub(super) struct HookRow {
    id: String,
    name: String,
    on: String,
    matches: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Step>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<CheckNote>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    acts: Vec<ActRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    log: Vec<LogRow>,
    us: u64,
}

#[derive(Debug, Serialize)]
struct ActRow {
    act: String,
    performed: bool,
}

#[derive(Debug, Serialize)]
struct LogRow {
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
    reason: String,
}

/// A process of the client.
#[derive(Debug, Serialize)]
pub(super) struct ProcessRow {
    hooks: Vec<String>,
    stdout: String,
    stderr: String,
    exit: u8,
}

impl ProcessRow {
    pub(super) fn new(hooks: &[&Hook], reply: Reply) -> Self {
        let hooks = hooks.iter().map(|hook| hook.id.clone()).collect();
        Self { hooks, stdout: reply.stdout, stderr: reply.stderr, exit: reply.exit }
    }
}

impl HookRow {
    pub(super) fn new(
        hook: &Hook,
        account: &Account,
        (steps, checks): (Vec<Step>, Vec<CheckNote>),
        subject: Option<&str>,
        perform: bool,
    ) -> Self {
        let performed = perform && account.mode == Mode::Enforce && matches!(account.ran, Some(Ok(())));
        let acts = account.acts.iter().map(|act| ActRow { act: act.clone(), performed });
        let log = account.said.iter().map(|said| LogRow {
            decision: said.decision,
            check: said.check.clone(),
            reason: said.reason.clone(),
        });
        Self {
            why_not: why_not(hook, account, subject),
            matches: account.concerned,
            mode: Some(account.mode.name()),
            failure: account.ran.as_ref().and_then(|ran| ran.as_ref().err()).map(without_value),
            decided_by: account.said.iter().find_map(|said| said.check.clone()),
            acts: acts.collect(),
            log: log.collect(),
            steps,
            checks,
            us: u64::try_from(account.took.as_micros()).unwrap_or(u64::MAX),
            ..Self::bare(hook)
        }
    }

    /// A hook that a model or a service decides.
    pub(super) fn foreign(hook: &Hook) -> Self {
        let why = format!("it is of type {}: the client asks somebody else", hook.kind.word());
        Self { why_not: Some(why), ..Self::bare(hook) }
    }

    fn bare(hook: &Hook) -> Self {
        let matcher = hook.matcher.as_ref().map(|matcher| format!(" {}", Matcher::written(matcher)));
        Self {
            id: hook.id.clone(),
            name: hook.name.clone(),
            on: format!("{}{}", hook.event.name, matcher.unwrap_or_default()),
            matches: false,
            why_not: None,
            mode: None,
            steps: Vec::new(),
            checks: Vec::new(),
            failure: None,
            decided_by: None,
            acts: Vec::new(),
            log: Vec::new(),
            us: 0,
        }
    }
}

/// Why a hook's checks were not asked.
fn why_not(hook: &Hook, account: &Account, subject: Option<&str>) -> Option<String> {
    if !account.concerned {
        let matcher = hook.matcher.as_ref().map(Matcher::written).unwrap_or_default();
        return Some(format!("its matcher `{matcher}` does not take `{}`", subject.unwrap_or_default()));
    }
    if account.ran.is_some() {
        return None;
    }
    if !account.flag {
        return Some(format!("its flag `{}` is off", hook.flag.as_deref().unwrap_or_default()));
    }
    if account.mode == Mode::Off {
        return Some("its mode is off".to_owned());
    }
    Some(account.said.first().map_or_else(|| "it was not asked".to_owned(), |said| said.reason.clone()))
}

impl Report {
    pub(super) fn new(catalog: &Catalog, event: &'static Event, performed: bool) -> Self {
        Self { catalog: catalog.name.clone(), event: event.name, performed, hooks: Vec::new(), processes: Vec::new() }
    }

    /// Hooks that the event does not reach.
    pub(super) fn elsewhere<'h>(&mut self, hooks: impl Iterator<Item = &'h Hook>) {
        let event = self.event;
        let rows = hooks.map(|hook| {
            let why = if hook.event.name == event {
                "it was not asked for".to_owned()
            } else {
                format!("it fires on {}", hook.event.name)
            };
            HookRow { why_not: Some(why), ..HookRow::bare(hook) }
        });
        self.hooks.extend(rows);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (asked, others): (Vec<&HookRow>, Vec<&HookRow>) = self.hooks.iter().partition(|hook| hook.matches);
        for hook in asked {
            write!(f, "{hook}")?;
        }
        for process in &self.processes {
            writeln!(f, "reply of {}: exit code {}", process.hooks.join(", "), process.exit)?;
            for (stream, text) in [("stdout", &process.stdout), ("stderr", &process.stderr)] {
                if !text.is_empty() {
                    writeln!(f, "  {stream}: {text}")?;
                }
            }
        }
        if self.processes.is_empty() {
            writeln!(f, "no hook of {} is asked about this event", self.catalog)?;
        }
        for hook in others {
            writeln!(f, "{} {} ({}): {}", hook.id, hook.name, hook.on, hook.why_not.as_deref().unwrap_or_default())?;
        }
        if !self.performed {
            writeln!(f, "nothing was done: `--perform` does what hooks say, for real")?;
        }
        Ok(())
    }
}

impl fmt::Display for HookRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = self.mode.unwrap_or_default();
        writeln!(f, "{} {} ({}): matches, mode {mode}, {} µs", self.id, self.name, self.on, self.us)?;
        if let Some(why_not) = &self.why_not {
            writeln!(f, "  not run: {why_not}")?;
        }
        for step in &self.steps {
            write!(f, "{step}")?;
        }
        for check in &self.checks {
            let end = match (check.holds, &check.failure) {
                (Some(true), _) => "takes effect".to_owned(),
                (_, Some(failure)) => format!("failed: {failure}"),
                _ => "does not hold".to_owned(),
            };
            let effects: Vec<String> = check.effects.iter().map(|effect| effect.effect.clone()).collect();
            let effects = if effects.is_empty() { String::new() } else { format!(": {}", effects.join(", ")) };
            writeln!(f, "  check {} {end}{effects}", check.id)?;
        }
        if let Some(failure) = &self.failure {
            writeln!(f, "  failed: {failure}")?;
        }
        for act in &self.acts {
            writeln!(f, "  {}: {}", if act.performed { "done" } else { "withheld" }, act.act)?;
        }
        for line in &self.log {
            let by = line.check.as_ref().map(|check| format!(" by {check}")).unwrap_or_default();
            writeln!(f, "  {}{by}: {}", line.decision, line.reason)?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let source = self.source.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(f, "  {}{name}: {} = {} ({} µs)", self.what, cut(&source), self.outcome, self.us)?;
        for part in &self.parts {
            writeln!(f, "    {part}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut values = self.outcomes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        if self.times > self.outcomes.len() {
            write!(values, "; … {} times", self.times)?;
        }
        write!(f, "{} = {values}", cut(&text))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => f.write_str(&cut(&value.to_string())),
            Self::Failure(failure) => write!(f, "failed: {failure}"),
        }
    }
}

/// As much of a text as a person reads in one go.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
