//! Whether a hook did under a fault what its `fail_safe` promises.

use hookgen_runtime::{Event, Notice, Refusal, Running};

use super::Effect;
use crate::cases::audit::Decided;
use crate::cases::process::{Answer, End};
use crate::cases::reply::Reply;
use crate::catalog::Decision;
use crate::model::{Catalog, FailSafe, Hook, Mode};

/// What a hook has promised.
#[derive(Debug, Clone)]
pub(super) struct Promise {
    /// Whether it is on in a world without a config file.
    pub(super) on: bool,
    /// Whether the action is refused when the hook breaks.
    pub(super) refuses: bool,
    /// Whether the person is told when the hook breaks and the action goes on.
    pub(super) tells: bool,
}

impl Promise {
    pub(super) fn of(catalog: &Catalog, hook: &Hook) -> Self {
        let refuses =
            hook.fail_safe == FailSafe::Closed && hook.event.refusal != Refusal::Never && hook.mode == Mode::Enforce;
        Self {
            on: hook.flag.as_deref().is_none_or(|flag| is_on(catalog, flag)),
            refuses,
            tells: catalog.fail_open_notice
                && !refuses
                && hook.mode != Mode::Audit
                && hook.event.notice != Notice::Never
                && !hook.background,
        }
    }

    fn when_broken(&self) -> Decision {
        if self.refuses { Decision::Deny } else { Decision::Pass }
    }
}

fn is_on(catalog: &Catalog, name: &str) -> bool {
    catalog.flags.iter().find(|flag| flag.name == name).is_none_or(|flag| {
        // A flag that requires itself is an error long before this.
        flag.default && flag.requires.iter().all(|required| is_on(catalog, required))
    })
}

/// One run under a fault.
#[derive(Debug)]
pub(super) struct Observed {
    pub(super) answer: Answer,
    /// The answer as the client reads it.
    pub(super) reply: Reply,
    /// What the run added to the audit trail.
    pub(super) logged: Vec<Decided>,
}

impl Observed {
    /// A run that has left nothing in the log.
    pub(super) fn read(event: &'static Event, running: Running, answer: Answer) -> Self {
        Self { reply: Reply::read(event, running, &answer), answer, logged: Vec::new() }
    }

    /// Whether it was killed when its time was up.
    pub(super) fn timed_out(&self) -> bool {
        self.answer.end == End::TimedOut
    }

    pub(super) fn failed(&self) -> bool {
        self.logged.iter().any(|line| line.decision.starts_with("FAIL_"))
    }

    /// Whether it had decided by one of its checks before it failed to do what goes with that.
    fn had_decided(&self) -> bool {
        self.logged.iter().any(|line| line.check.is_some())
    }

    /// Whether the answer itself says so, to whomever.
    fn confesses(&self) -> bool {
        self.reply.said.iter().any(|said| confesses(&said.text))
    }

    pub(super) fn told(&self) -> bool {
        confesses(&self.reply.to_person())
    }
}

/// Whether a text says that a hook has decided nothing, or has not done all that it should.
fn confesses(text: &str) -> bool {
    ["could not check this", "could not do all"].iter().any(|words| text.contains(words))
}

/// What is wrong with a run. `usual` is what the hook decides without the fault.
pub(super) fn problems(effect: Effect, promise: &Promise, seen: &Observed, usual: &[Decision]) -> Vec<String> {
    let mut problems = seen.reply.faults.clone();
    let decision = seen.reply.decision;
    let broken = promise.when_broken();
    let effect = match effect {
        Effect::Loosens if promise.refuses => Effect::BreaksUsers,
        Effect::Loosens => Effect::Harmless,
        other => other,
    };
    let mut must = |holds: bool, problem: String| {
        if !holds {
            problems.push(problem);
        }
    };
    match effect {
        Effect::Breaks if promise.on => {
            must(decision == broken, format!("decided {decision:?}, but `fail_safe` says {broken:?}"));
            must(
                seen.failed() || seen.confesses(),
                "neither the log nor the answer says that the hook failed".to_owned(),
            );
        }
        Effect::Breaks => must(decision == Decision::Pass, format!("is switched off, but decided {decision:?}")),
        Effect::Unheard => {
            let refused = !usual.is_empty() && usual.iter().all(|decision| *decision == Decision::Deny);
            let fits = decision == Decision::Deny || (!refused && decision == Decision::Pass);
            must(fits, format!("decided {decision:?} where nothing but the exit code is heard, instead of {usual:?}"));
        }
        _ if seen.failed() => {
            must(effect != Effect::Harmless, "failed, though nothing that a hook needs is broken".to_owned());
            // What an open hook has found out stays true when it cannot write it down.
            let stands = !promise.refuses && seen.had_decided() && usual.contains(&decision);
            must(
                stands || decision == broken,
                format!("decided {decision:?} after failing; `fail_safe` says {broken:?}"),
            );
        }
        Effect::FoundOtherwise => {
            let known = decision != Decision::Allow || usual.contains(&decision);
            must(known, format!("decided {decision:?}, though without the fault it decides {usual:?}"));
        }
        Effect::BreaksUsers => {
            let fits = usual.contains(&decision) || decision == broken;
            must(fits, format!("decided {decision:?}, which is neither {usual:?} nor {broken:?}"));
        }
        Effect::Harmless | Effect::Loosens => {
            must(usual.contains(&decision), format!("decided {decision:?} instead of {usual:?}"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOSED: Promise = Promise { on: true, refuses: true, tells: false };
    const OPEN: Promise = Promise { on: true, refuses: false, tells: true };

    fn seen(decision: Decision, logged: &str) -> Observed {
        let reply = Reply { decision, said: Vec::new(), updated: None, faults: Vec::new() };
        let answer = Answer { end: End::Exited(0), ..Answer::default() };
        let line = |word: &str| Decided {
            hook: "H1".into(),
            check: None,
            decision: word.into(),
            mode: None,
            reason: String::new(),
        };
        Observed { answer, reply, logged: logged.split_whitespace().map(line).collect() }
    }

    fn fine(effect: Effect, promise: &Promise, decision: Decision, logged: &str, usual: &[Decision]) -> bool {
        problems(effect, promise, &seen(decision, logged), usual).is_empty()
    }

    #[test]
    fn a_closed_hook_that_could_not_check_must_deny() {
        assert!(fine(Effect::Breaks, &CLOSED, Decision::Deny, "FAIL_CLOSED", &[]));
        assert!(!fine(Effect::Breaks, &CLOSED, Decision::Pass, "FAIL_CLOSED", &[]));
        assert!(!fine(Effect::BreaksUsers, &CLOSED, Decision::Pass, "FAIL_CLOSED", &[Decision::Pass]));
        assert!(fine(Effect::BreaksUsers, &CLOSED, Decision::Pass, "", &[Decision::Pass]));
    }

    #[test]
    fn an_open_hook_must_let_pass_and_say_so() {
        assert!(fine(Effect::Breaks, &OPEN, Decision::Pass, "FAIL_OPEN", &[]));
        assert!(!fine(Effect::Breaks, &OPEN, Decision::Deny, "FAIL_OPEN", &[]));
        assert!(!fine(Effect::Breaks, &OPEN, Decision::Pass, "", &[]));
    }

    #[test]
    fn what_an_open_hook_found_out_stands_though_it_cannot_be_written_down() {
        let told = |promise: &Promise, by: Option<&str>| {
            let mut observed = seen(Decision::Deny, "FAIL_OPEN BLOCK");
            observed.logged[1].check = by.map(str::to_owned);
            problems(Effect::BreaksUsers, promise, &observed, &[Decision::Deny]).is_empty()
        };
        assert!(told(&OPEN, Some("tests")) && !told(&OPEN, None));
        let mut passed = seen(Decision::Pass, "FAIL_CLOSED ALLOW");
        passed.logged[1].check = Some("tests".to_owned());
        assert!(!problems(Effect::BreaksUsers, &CLOSED, &passed, &[Decision::Pass]).is_empty());
    }

    #[test]
    fn what_a_hook_does_not_look_at_changes_nothing() {
        assert!(fine(Effect::Harmless, &OPEN, Decision::Deny, "DENY", &[Decision::Deny]));
        assert!(!fine(Effect::Harmless, &OPEN, Decision::Pass, "", &[Decision::Deny]));
        assert!(!fine(Effect::Harmless, &OPEN, Decision::Pass, "FAIL_OPEN", &[Decision::Pass]));
    }

    #[test]
    fn what_a_hook_finds_otherwise_it_may_judge_otherwise_but_for_an_approval() {
        let fine = |decision, logged, usual| fine(Effect::FoundOtherwise, &CLOSED, decision, logged, usual);
        assert!(fine(Decision::Ask, "ASK", &[Decision::Pass]) && fine(Decision::Pass, "", &[Decision::Deny]));
        assert!(fine(Decision::Allow, "APPROVE", &[Decision::Allow]));
        assert!(!fine(Decision::Allow, "APPROVE", &[Decision::Pass]) && !fine(Decision::Allow, "APPROVE", &[]));
        assert!(fine(Decision::Deny, "FAIL_CLOSED", &[]) && !fine(Decision::Pass, "FAIL_CLOSED", &[]));
    }

    #[test]
    fn what_may_loosen_a_limit_concerns_closed_hooks_alone() {
        assert!(fine(Effect::Loosens, &CLOSED, Decision::Deny, "FAIL_CLOSED", &[Decision::Pass]));
        assert!(!fine(Effect::Loosens, &CLOSED, Decision::Pass, "FAIL_CLOSED", &[Decision::Pass]));
        assert!(fine(Effect::Loosens, &OPEN, Decision::Pass, "", &[Decision::Pass]));
        assert!(!fine(Effect::Loosens, &OPEN, Decision::Pass, "FAIL_OPEN", &[Decision::Pass]));
    }

    #[test]
    fn a_refusal_that_is_not_heard_must_stand() {
        assert!(fine(Effect::Unheard, &OPEN, Decision::Deny, "DENY", &[Decision::Deny]));
        assert!(!fine(Effect::Unheard, &OPEN, Decision::Pass, "DENY", &[Decision::Deny]));
        assert!(fine(Effect::Unheard, &OPEN, Decision::Pass, "ASK", &[Decision::Ask]));
        assert!(!fine(Effect::Unheard, &OPEN, Decision::Allow, "APPROVE", &[Decision::Allow]));
    }

    #[test]
    fn a_reply_that_the_client_drops_is_always_wrong() {
        let mut observed = seen(Decision::Deny, "FAIL_CLOSED");
        observed.reply.faults.push("ended by a signal".to_owned());
        assert_eq!(problems(Effect::Breaks, &CLOSED, &observed, &[]), ["ended by a signal"]);
    }
}
