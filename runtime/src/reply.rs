//! Verdicts to what a client reads: standard output, standard error and the exit code.
//!
//! A client drops a reply with a null field, a wrong event name, a second line or a word around it, and the denial
//! with it. What several hooks say is put together here; the client's table spells it.

use crate::client::{Client, Tool};
use crate::event::{Context, Event, Refusal};
use crate::invisible;
use crate::node::Node;
use crate::program::{Denial, Str};
use crate::verdict::{Decision, Verdict};

/// The client cuts off anything longer and puts a file name in its place.
pub(crate) const LONGEST: usize = 9_900;

/// What one process says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Standard output: nothing, one JSON object, or plain text where the event takes it.
    pub stdout: String,
    /// Standard error: the reason of a denial that is spoken by exit code.
    pub stderr: String,
    /// 0, or 2 for a denial.
    pub exit: u8,
    /// The reason of a denial on standard output, for standard error and exit code 2 where that cannot be written.
    pub unheard: Option<String>,
}

impl Reply {
    /// Adds what nobody is shown on this event to standard error, which the client's debug log keeps. The reason of a
    /// denial is left alone: the client would read both as one.
    #[must_use]
    pub(crate) fn with_aside(mut self, texts: &[String]) -> Self {
        if self.stderr.is_empty() && self.exit == 0 {
            self.stderr = clean(&texts.join("\n"), LONGEST);
        }
        self
    }
}

/// How the client runs the process: what it listens to depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Running {
    /// The client waits for the answer.
    Awaited,
    /// In the background: nothing is decided, and messages go to the model.
    Background,
    /// In the background, where exit code 2, and nothing else, wakes the model with the reason.
    Waking,
}

/// What several verdicts on one event come to, for a client to spell.
#[derive(Debug)]
pub struct Said<'s> {
    /// The client's row of the event.
    pub event: &'s Event,
    /// How the catalog wants denials spoken, where the client hears both.
    pub denial: Denial,
    /// How the client runs the process.
    pub running: Running,
    /// The tool's input, in the words of catalogs.
    pub input: Node<'s>,
    /// The tool, if the client calls it otherwise.
    pub tool: Option<&'static Tool>,
    /// The reason of a refusal, if there is one and the event can be refused.
    pub refusal: Option<String>,
    pub(crate) merged: Merged,
}

#[derive(Debug, Default)]
pub(crate) struct Merged {
    pub(crate) deny: Vec<String>,
    pub(crate) ask: Vec<String>,
    pub(crate) allow: Vec<String>,
    pub(crate) notices: Vec<String>,
    pub(crate) context: Vec<String>,
    pub(crate) rewrite: Vec<(Str, String)>,
}

impl Said<'_> {
    /// What the model is to hear.
    pub(crate) fn context(&self) -> Option<String> {
        joined(&self.merged.context)
    }

    /// What the person is to hear.
    pub(crate) fn notices(&self) -> Option<String> {
        joined(&self.merged.notices)
    }

    /// Whether the input is to be another one.
    pub(crate) fn rewrites(&self) -> bool {
        self.event.rewrites && !self.merged.rewrite.is_empty()
    }
}

fn joined(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| clean(&texts.join("\n"), LONGEST))
}

/// Who is answered, and how: what does not depend on what was said.
#[derive(Debug, Clone, Copy)]
pub struct Answering {
    /// The client that waits for the answer.
    pub client: &'static Client,
    /// The client's row of the event.
    pub event: &'static Event,
    /// How the catalog wants denials spoken.
    pub denial: Denial,
    /// How the client runs the process.
    pub running: Running,
    /// The tool, if the client calls it otherwise than catalogs do.
    pub tool: Option<&'static Tool>,
}

/// The reply to an event. A denial beats a question, a question an approval; no reason is lost.
pub fn reply(to: Answering, input: Node<'_>, verdicts: Vec<Verdict>) -> Reply {
    let Answering { client, event, denial, running, tool } = to;
    let merged = merge(event, running, verdicts);
    let refused = !merged.deny.is_empty() && event.refusal != Refusal::Never;
    let refusal = refused.then(|| clean(&merged.deny.join("\n"), LONGEST));
    (client.write)(&Said { event, denial, running, input, tool, refusal, merged })
}

fn merge(event: &Event, running: Running, verdicts: Vec<Verdict>) -> Merged {
    let mut merged = Merged::default();
    for verdict in verdicts {
        match verdict.decision {
            Some((Decision::Deny, reason)) => merged.deny.push(reason),
            Some((Decision::Ask, reason)) => merged.ask.push(reason),
            Some((Decision::Allow, reason)) => merged.allow.push(reason),
            Some((Decision::Pass, _)) | None => {}
        }
        merged.notices.extend(verdict.notices);
        merged.context.extend(verdict.context);
        merged.rewrite.extend(verdict.rewrite);
        if event.refusal == Refusal::Feedback {
            merged.deny.extend(verdict.feedback);
        }
    }
    // The client hands a background hook's message to the model, and its context nowhere on most events.
    if running != Running::Awaited && event.context != Context::Additional {
        merged.notices.append(&mut merged.context);
    }
    merged
}

/// Without characters that nobody sees, and no longer than the client passes on.
pub(crate) fn clean(text: &str, longest: usize) -> String {
    let visible = |c: char| match c {
        '\n' | '\t' => Some(c),
        '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
        other => (!invisible::steers(other)).then_some(other),
    };
    let kept: String = text.chars().filter_map(visible).collect::<String>().trim().to_owned();
    if kept.chars().count() <= longest {
        return kept;
    }
    let mut short: String = kept.chars().take(longest).collect();
    short.push_str("\n… (cut)");
    short
}

#[cfg(test)]
mod tests;
