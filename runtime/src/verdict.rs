//! What a hook has to say about the action.

use crate::event::Refusal;
use crate::failure::Attempt;

/// What a hook has to say: at most one decision, and any number of remarks.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    pub(crate) decision: Option<Decision>,
    /// The check that decided, or else made the remark that weighs most.
    pub(crate) check: Option<&'static str>,
    pub(crate) weight: Weight,
    /// For the person.
    pub(crate) notices: Vec<String>,
    /// For the model.
    pub(crate) context: Vec<String>,
    /// For the model, about what the tool just did.
    pub(crate) feedback: Vec<String>,
    /// New values for fields of the tool's input.
    pub(crate) rewrite: Vec<(&'static str, String)>,
    /// Environment variables for the session.
    pub(crate) exports: Vec<(&'static str, String)>,
    /// For the decision log alone.
    pub(crate) log: Vec<String>,
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

/// A decision about the action, with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It is refused.
    Deny(String),
    /// The person is asked.
    Ask(String),
    /// It is approved in the person's place.
    Allow(String),
    /// Nothing stands in the way.
    Pass(String),
}

impl Verdict {
    /// Refuses the action and ends the hook.
    pub fn deny(&mut self, check: &'static str, reason: String) -> Attempt<()> {
        self.decide(check, Decision::Deny(reason))
    }

    /// Has the person asked and ends the hook.
    pub fn ask(&mut self, check: &'static str, reason: String) -> Attempt<()> {
        self.decide(check, Decision::Ask(reason))
    }

    /// Approves the action in the person's place and ends the hook.
    pub fn allow(&mut self, check: &'static str, reason: String) -> Attempt<()> {
        self.decide(check, Decision::Allow(reason))
    }

    /// Lets the action be and ends the hook.
    pub fn pass(&mut self, check: &'static str, reason: String) -> Attempt<()> {
        self.decide(check, Decision::Pass(reason))
    }

    #[expect(clippy::unnecessary_wraps, reason = "so that a hook can end with it")]
    fn decide(&mut self, check: &'static str, decision: Decision) -> Attempt<()> {
        self.check = Some(check);
        self.decision = Some(decision);
        Ok(())
    }

    /// Tells the person.
    pub fn warn(&mut self, check: &'static str, text: String) {
        self.remark(check, Weight::Notice);
        self.notices.push(text);
    }

    /// Tells the model.
    pub fn inject(&mut self, check: &'static str, text: String) {
        self.remark(check, Weight::Context);
        self.context.push(text);
    }

    /// Tells the model what is wrong with what the tool just did.
    pub fn feedback(&mut self, check: &'static str, text: String) {
        self.remark(check, Weight::Feedback);
        self.feedback.push(text);
    }

    /// Replaces a field of the tool's input.
    pub fn rewrite(&mut self, check: &'static str, field: &'static str, value: String) {
        self.remark(check, Weight::Rewrite);
        self.rewrite.push((field, value));
    }

    /// Sets an environment variable for the rest of the session.
    pub fn export(&mut self, name: &'static str, value: String) {
        self.exports.push((name, value));
    }

    /// Leaves a line in the decision log.
    pub fn log(&mut self, text: String) {
        self.log.push(text);
    }

    fn remark(&mut self, check: &'static str, weight: Weight) {
        if self.decision.is_none() && weight > self.weight {
            (self.check, self.weight) = (Some(check), weight);
        }
    }

    /// The word and the text for the decision log; `None` when the hook had nothing to say at all. A refusal goes by the
    /// word that the event has for it.
    pub(crate) fn summary(&self, refusal: Refusal) -> Option<(&'static str, String)> {
        let said = match &self.decision {
            Some(Decision::Deny(reason)) => (if refusal.blocks() { "BLOCK" } else { "DENY" }, reason.clone()),
            Some(Decision::Ask(reason)) => ("ASK", reason.clone()),
            Some(Decision::Allow(reason)) => ("APPROVE", reason.clone()),
            Some(Decision::Pass(reason)) if self.notices.is_empty() => ("ALLOW", reason.clone()),
            _ if !self.feedback.is_empty() => ("FEEDBACK", self.feedback.join(" ")),
            _ if !self.notices.is_empty() => ("ALLOW+WARN", self.notices.join(" ")),
            _ if !self.rewrite.is_empty() => ("REWRITE", self.rewrite.iter().map(|(field, _)| *field).collect()),
            _ if !self.log.is_empty() => ("LOG", self.log.join(" ")),
            _ if !self.context.is_empty() => ("INJECT", self.context.join(" ")),
            _ if !self.exports.is_empty() => ("EXPORT", self.exports.iter().map(|(name, _)| *name).collect()),
            _ => return None,
        };
        let detail = match said.0 {
            "LOG" | "INJECT" | "EXPORT" if !self.log.is_empty() => self.log.join(" "),
            _ => said.1,
        };
        Some((said.0, detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_names_the_check_whose_word_it_has() {
        let mut verdict = Verdict::default();
        verdict.inject("context", "c".to_owned());
        assert_eq!(verdict.check, Some("context"));
        verdict.feedback("feedback", "f".to_owned());
        verdict.warn("warning", "w".to_owned());
        verdict.feedback("more", "g".to_owned());
        assert_eq!(
            (verdict.check, verdict.summary(Refusal::Feedback)),
            (Some("feedback"), Some(("FEEDBACK", "f g".to_owned())))
        );
        let _ = verdict.deny("denial", "d".to_owned());
        verdict.inject("after", "a".to_owned());
        assert_eq!(verdict.check, Some("denial"));
    }
}
