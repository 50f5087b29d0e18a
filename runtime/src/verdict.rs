//! What a hook has to say about the action.

use serde::{Deserialize, Serialize};

use crate::act::Act;
use crate::event::Refusal;
use crate::program::Str;
use crate::text::Text;

/// What a hook has to say: at most one decision, any number of remarks, and what it would do.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// The decision, with its reason.
    pub(crate) decision: Option<(Decision, String)>,
    /// The check that decided, or else made the remark that weighs most.
    pub(crate) check: Option<Str>,
    pub(crate) weight: Weight,
    /// For the person.
    pub(crate) notices: Vec<String>,
    /// For the model.
    pub(crate) context: Vec<String>,
    /// For the model, about what the tool just did.
    pub(crate) feedback: Vec<String>,
    /// New values for fields of the tool's input.
    pub(crate) rewrite: Vec<(Str, String)>,
    /// For the decision log alone.
    pub(crate) log: Vec<String>,
    /// What is to be done, in order.
    pub(crate) acts: Vec<Act>,
}

/// What a remark weighs when the log names one of them: as the summary has them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    #[default]
    Nothing,
    Context,
    Rewrite,
    Notice,
    Feedback,
}

/// What happens to the action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Nothing stands in the way.
    Pass,
    /// It is approved in the person's place.
    Allow,
    /// The person is asked.
    Ask,
    /// It is refused, or after the fact found wrong (`feedback`).
    Deny,
}

impl Verdict {
    /// Refuses the action; the hook ends.
    pub fn deny<'t>(&mut self, check: impl Into<Str>, reason: impl Into<Text<'t>>) {
        self.decide(Decision::Deny, check, reason);
    }

    /// Has the person asked; the hook ends.
    pub fn ask<'t>(&mut self, check: impl Into<Str>, reason: impl Into<Text<'t>>) {
        self.decide(Decision::Ask, check, reason);
    }

    /// Approves the action in the person's place; the hook ends.
    pub fn allow<'t>(&mut self, check: impl Into<Str>, reason: impl Into<Text<'t>>) {
        self.decide(Decision::Allow, check, reason);
    }

    /// Lets the action be; the hook ends.
    pub fn pass<'t>(&mut self, check: impl Into<Str>, reason: impl Into<Text<'t>>) {
        self.decide(Decision::Pass, check, reason);
    }

    /// Decides; the hook ends.
    pub fn decide<'t>(&mut self, decision: Decision, check: impl Into<Str>, reason: impl Into<Text<'t>>) {
        self.check = Some(check.into());
        self.decision = Some((decision, reason.into().into_owned()));
    }

    /// Tells the person.
    pub fn warn<'t>(&mut self, check: impl Into<Str>, text: impl Into<Text<'t>>) {
        self.remark(check, Weight::Notice);
        self.notices.push(text.into().into_owned());
    }

    /// Tells the model.
    pub fn inject<'t>(&mut self, check: impl Into<Str>, text: impl Into<Text<'t>>) {
        self.remark(check, Weight::Context);
        self.context.push(text.into().into_owned());
    }

    /// Tells the person and the model the same.
    pub fn advise<'t>(&mut self, check: impl Into<Str>, text: impl Into<Text<'t>>) {
        self.remark(check, Weight::Notice);
        let text = text.into().into_owned();
        self.context.push(text.clone());
        self.notices.push(text);
    }

    /// Tells the model what is wrong with what the tool just did.
    pub fn feedback<'t>(&mut self, check: impl Into<Str>, text: impl Into<Text<'t>>) {
        self.remark(check, Weight::Feedback);
        self.feedback.push(text.into().into_owned());
    }

    /// Replaces a field of the tool's input.
    pub fn rewrite<'t>(&mut self, check: impl Into<Str>, field: impl Into<Str>, value: impl Into<Text<'t>>) {
        self.remark(check, Weight::Rewrite);
        self.rewrite.push((field.into(), value.into().into_owned()));
    }

    /// Leaves a line in the decision log.
    pub fn log<'t>(&mut self, text: impl Into<Text<'t>>) {
        self.log.push(text.into().into_owned());
    }

    fn remark(&mut self, check: impl Into<Str>, weight: Weight) {
        if self.decision.is_none() && weight > self.weight {
            (self.check, self.weight) = (Some(check.into()), weight);
        }
    }

    /// The word and the text for the decision log; `None` when the hook had nothing to say at all. A refusal goes by the
    /// word that the event has for it.
    pub(crate) fn summary(&self, refusal: Refusal) -> Option<(&'static str, String)> {
        let exports =
            || self.acts.iter().filter_map(|act| if let Act::Export(name, _) = act { Some(name) } else { None });
        let said = match &self.decision {
            Some((Decision::Deny, reason)) => (if refusal.blocks() { "BLOCK" } else { "DENY" }, reason.clone()),
            Some((Decision::Ask, reason)) => ("ASK", reason.clone()),
            Some((Decision::Allow, reason)) => ("APPROVE", reason.clone()),
            Some((Decision::Pass, reason)) if self.notices.is_empty() => ("ALLOW", reason.clone()),
            _ if !self.feedback.is_empty() => ("FEEDBACK", self.feedback.join(" ")),
            _ if !self.notices.is_empty() => ("ALLOW+WARN", self.notices.join(" ")),
            _ if !self.rewrite.is_empty() => {
                ("REWRITE", self.rewrite.iter().map(|(field, _)| field.as_ref()).collect())
            }
            _ if !self.log.is_empty() => ("LOG", self.log.join(" ")),
            _ if !self.context.is_empty() => ("INJECT", self.context.join(" ")),
            _ if exports().next().is_some() => ("EXPORT", exports().map(AsRef::as_ref).collect()),
            _ => return None,
        };
        let (word, said) = said;
        let log = self.log.join(" ");
        let detail = match word {
            _ if log.is_empty() => said,
            // What was injected can be long, and the log's own text is there to stand for it.
            "LOG" | "INJECT" | "EXPORT" => log,
            _ => format!("{said} | {log}"),
        };
        Some((word, detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_for_the_log_is_there_whatever_else_was_said() {
        let mut verdict = Verdict::default();
        verdict.log("server=ref");
        let summary =
            |verdict: &Verdict| verdict.summary(Refusal::Permission).map(|(word, detail)| format!("{word}: {detail}"));
        assert_eq!(summary(&verdict).as_deref(), Some("LOG: server=ref"));
        verdict.inject("a", "long");
        assert_eq!(summary(&verdict).as_deref(), Some("LOG: server=ref"));
        verdict.warn("a", "careful");
        assert_eq!(summary(&verdict).as_deref(), Some("ALLOW+WARN: careful | server=ref"));
        verdict.deny("b", "no");
        assert_eq!(summary(&verdict).as_deref(), Some("DENY: no | server=ref"));
    }

    #[test]
    fn the_log_names_the_check_whose_word_it_has() {
        let mut verdict = Verdict::default();
        verdict.inject("context", "c");
        assert_eq!(verdict.check.as_deref(), Some("context"));
        verdict.feedback("feedback", "f");
        verdict.warn("warning", "w");
        verdict.feedback("more", "g");
        assert_eq!(
            (verdict.check.as_deref(), verdict.summary(Refusal::Feedback)),
            (Some("feedback"), Some(("FEEDBACK", "f g".to_owned())))
        );
        verdict.deny("denial", "d");
        verdict.inject("after", "a");
        assert_eq!(verdict.check.as_deref(), Some("denial"));
    }
}
