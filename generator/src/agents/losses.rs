//! What an agent cannot do of what a catalog wants.

use std::fmt;

use hookgen_runtime::client::{CLAUDE, Client};
use hookgen_runtime::{Context, Notice, Refusal};

use crate::model::{Catalog, Decision, Effect, FailSafe, Hook, Kind, Mode};

/// What a hook needs of the agent that runs it. The words are those of `instead`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ability {
    /// The event exists.
    Event,
    /// Hooks of that type run.
    Type,
    /// The action can be refused, or what was done found wrong.
    Refuse,
    /// The person can be asked.
    Ask,
    /// The action can be approved.
    Allow,
    /// The model can be told something.
    Context,
    /// The person can be told something.
    Notice,
    /// The input can be replaced.
    Rewrite,
    /// Variables can be exported.
    Export,
}

impl Ability {
    /// The key of `instead` that says what happens without it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Type => "type",
            Self::Refuse => "refuse",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::Context => "context",
            Self::Notice => "notice",
            Self::Rewrite => "rewrite",
            Self::Export => "export",
        }
    }

    /// What can stand there.
    pub fn choices(self) -> &'static [&'static str] {
        match self {
            Self::Ask => &["deny", "pass"],
            Self::Event | Self::Type => &["skip"],
            _ => &["drop"],
        }
    }
}

/// Something that an agent cannot do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    pub ability: Ability,
    pub hook: String,
    pub event: &'static str,
}

impl Loss {
    /// What it means, after the agent's name.
    pub fn what(&self) -> Meaning<'_> {
        Meaning(self)
    }
}

/// A loss in words.
pub struct Meaning<'l>(&'l Loss);

impl fmt::Display for Meaning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = self.0.event;
        match self.0.ability {
            Ability::Event => write!(f, "does not have the event {event}"),
            Ability::Type => f.write_str("runs command hooks only"),
            Ability::Refuse => write!(f, "refuses nothing on {event}"),
            Ability::Ask => write!(f, "cannot ask the person on {event}, and would go on"),
            Ability::Allow => write!(f, "cannot approve anything on {event}"),
            Ability::Context => write!(f, "tells the model nothing on {event}"),
            Ability::Notice => write!(f, "tells the person nothing on {event}"),
            Ability::Rewrite => write!(f, "does not replace the input on {event}"),
            Ability::Export => write!(f, "exports no variables on {event}"),
        }
    }
}

/// Whatever of a catalog an agent cannot do, in the order of the catalog. Claude Code can do all of it, or the catalog
/// would not have been accepted.
pub fn losses(catalog: &Catalog, client: &'static Client) -> Vec<Loss> {
    if client.name == CLAUDE.name {
        return Vec::new();
    }
    let mut found = Vec::new();
    for hook in &catalog.hooks {
        let lost = of_hook(hook, client);
        found.extend(lost.into_iter().map(|ability| Loss { ability, hook: hook.id.clone(), event: hook.event.name }));
    }
    found
}

/// What an agent cannot do of one hook, each once.
pub fn of_hook(hook: &Hook, client: &'static Client) -> Vec<Ability> {
    if hook.kind != Kind::Command {
        return vec![Ability::Type];
    }
    let Some(event) = client.event(hook.event.name) else { return vec![Ability::Event] };
    let mut lost = Vec::new();
    let mut need = |ability: Ability, has: bool| {
        if !has && !lost.contains(&ability) {
            lost.push(ability);
        }
    };
    let refuses = event.refusal != Refusal::Never;
    need(
        Ability::Refuse,
        refuses
            || hook.fail_safe != FailSafe::Closed
            || hook.mode != Mode::Enforce
            || hook.event.refusal == Refusal::Never,
    );
    for effect in hook.checks.iter().flat_map(|check| &check.effects) {
        match effect {
            Effect::Decide(Decision::Deny, _) => need(Ability::Refuse, refuses),
            Effect::Feedback(_) => need(Ability::Refuse, event.refusal == Refusal::Feedback),
            Effect::Decide(Decision::Ask, _) => need(Ability::Ask, event.asks),
            Effect::Decide(Decision::Allow, _) => need(Ability::Allow, event.approves),
            Effect::Inject(_) => need(Ability::Context, event.context != Context::Never),
            Effect::Warn(_) => need(Ability::Notice, event.notice != Notice::Never),
            Effect::Advise(_) => {
                need(Ability::Context, event.context != Context::Never);
                need(Ability::Notice, event.notice != Notice::Never);
            }
            Effect::Rewrite(_) => need(Ability::Rewrite, event.rewrites),
            Effect::Export { .. } => need(Ability::Export, event.exports),
            _ => {}
        }
    }
    lost.sort_unstable();
    lost
}
