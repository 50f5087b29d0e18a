//! What a check does, in words, and what that means in the client on the hook's event.

use hookgen_runtime::representation::{Limit, Named};

use super::markdown::{code, or_dash};
use super::words;
use crate::model::{Condition, Decision, Effect, Hook};
use crate::resolve::document_effect::NO_WAY;

/// What an effect does, in brief, with the text that it carries.
pub(super) fn brief(effect: &Effect) -> String {
    match effect {
        Effect::Spend { .. } | Effect::Reset(_) | Effect::Tally { .. } => counting(effect),
        Effect::Forget { remembered, noted } => {
            let texts = remembered.iter().map(|text| code(&text.source));
            let notes = noted.iter().map(|name| format!("the note {}", code(name)));
            format!("**Forget** {}", texts.chain(notes).collect::<Vec<_>>().join(" and "))
        }
        Effect::Record(names) => format!("**Record** {}", keyed(names)),
        Effect::Note { name, text } => format!("**Note** as {}: {}", code(name), code(&text.source)),
        Effect::Write { document, text } => format!("**Write** {}: {}", code(document), code(&text.source)),
        Effect::Append { document, line, unless } => {
            let unless = unless.as_ref().map(|known| format!(", unless its last line holds {}", code(&known.source)));
            format!("**Append** to {}{}: {}", code(document), unless.unwrap_or_default(), code(&line.source))
        }
        Effect::Export { name, value } => format!("**Export** {}: {}", code(name), code(&value.source)),
        Effect::Rewrite(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, text)| format!("{} to {}", code(name), code(&text.source))).collect();
            format!("**Rewrite** {}", fields.join(", "))
        }
        _ => plainly(effect),
    }
}

/// Its name, the document that it is about, and the texts that it carries: what there is to say of most effects.
fn plainly(effect: &Effect) -> String {
    let document = effect.document().map(|name| format!(" {}", code(name))).unwrap_or_default();
    let texts: Vec<String> = effect.said().into_iter().map(|text| code(&text.source)).collect();
    let (first, rest) = effect.name().split_at(1);
    format!("**{}{rest}**{document} {}", first.to_uppercase(), texts.join(", ")).trim_end().to_owned()
}

/// What such an effect means in the client on the hook's event.
pub(super) fn meaning(effect: &Effect, hook: &Hook) -> Option<String> {
    Some(match effect {
        Effect::Spend { .. } => "**Spend** counts the call on all counters that it names, or on none.".to_owned(),
        Effect::Tally { .. } => "**Tally** adds to numbers in a document, exactly, however many calls run.".to_owned(),
        Effect::Record(_) => "What is **recorded** is known for the rest of the session, with the time.".to_owned(),
        Effect::Notify(_) => {
            "**Notify** starts a program once the answer is out; what becomes of it changes nothing.".to_owned()
        }
        Effect::Remember(_) | Effect::Note { .. } => {
            "What is **remembered** or **noted** holds for the rest of the session.".to_owned()
        }
        Effect::Export { .. } => "**Export** sets a variable for the rest of the session.".to_owned(),
        Effect::Rewrite(_) => {
            let outcome =
                if hook.event.rewrites { "the tool runs with another input" } else { "no effect on this event" };
            format!("**Rewrite**: {outcome}; the other fields stay.")
        }
        Effect::Log(_) => "**Log**: to the decision log; nobody is told.".to_owned(),
        Effect::Warn(_) => format!("**Warn**: {}.", words::notice(hook.event)),
        Effect::Advise(_) => "**Advise**: the person and the model are told the same.".to_owned(),
        Effect::Inject(_) => {
            let outcome = if hook.background { words::LATER } else { words::context(hook.event) };
            format!("**Inject**: {outcome}.")
        }
        Effect::Feedback(_) => format!("**Feedback**: {}.", words::refusal(hook.event)),
        Effect::Decide(Decision::Deny, _) => format!("**Deny**: {}. The hook ends.", denial(hook)),
        Effect::Decide(Decision::Ask, _) => {
            "**Ask**: the person decides, and reads the reason. The hook ends.".to_owned()
        }
        Effect::Decide(Decision::Allow, _) => {
            "**Allow**: approved in the person's place, without a prompt. The hook ends.".to_owned()
        }
        Effect::Decide(Decision::Pass, _) => {
            "**Pass**: nothing stands in the way. The hook ends, and the log says why.".to_owned()
        }
        // The others do what their names say.
        _ => return None,
    })
}

fn counting(effect: &Effect) -> String {
    match effect {
        Effect::Spend { spend: name, key, per, from } => {
            let each = |one: &Limit<Condition>| {
                let per = per.as_ref().filter(|_| one.apart);
                per.map(|per| format!(" for each {}", code(&per.source))).unwrap_or_default()
            };
            let limits =
                from.iter().map(|one| format!("{} up to {}{}", code(&one.counter), code(&one.limit.source), each(one)));
            let limits: Vec<String> = limits.collect();
            let repeated = if key.is_some() { " A call that was counted before costs nothing." } else { "" };
            let limits = limits.join(", ");
            format!("**Spend** as {}: counts the call on all of {limits}, or on none.{repeated}", code(name))
        }
        Effect::Reset(counters) => {
            format!("**Reset** {} to zero.", keyed(counters))
        }
        Effect::Tally { document, at, add, set } => {
            let sums = add.iter().map(|sum| format!("{} to {}", code(&sum.more.source), code(&sum.name)));
            let values = set.iter().map(|(name, value)| format!("{} to {}", code(name), code(&value.source)));
            let (sums, values): (Vec<String>, Vec<String>) = (sums.collect(), values.collect());
            let parts = [("adds", sums), ("sets", values)].into_iter().filter(|(_, parts)| !parts.is_empty());
            let parts: Vec<String> = parts.map(|(verb, parts)| format!("{verb} {}", parts.join(", "))).collect();
            let place = if at.source == NO_WAY { String::new() } else { format!(" at {}", code(&at.source)) };
            format!("**Tally** in {}: {}{place}.", code(document), parts.join(" and "))
        }
        _ => String::new(),
    }
}

/// Names, each with the key that it is about.
fn keyed(names: &[Named<Condition>]) -> String {
    let shown = names.iter().map(|one| match &one.per {
        Some(per) => format!("{} for {}", code(&one.name), code(&per.source)),
        None => code(&one.name),
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn denial(hook: &Hook) -> &'static str {
    if hook.background {
        "too late to stop anything: the hook runs in the background"
    } else if hook.async_rewake {
        "too late to stop anything, but the model is woken and reads the reason"
    } else {
        words::refusal(hook.event)
    }
}

/// The powers of a hook's effects in a few words, for a list of hooks.
pub(super) fn powers(hook: &Hook) -> String {
    let can = |wanted: fn(&Effect) -> bool| hook.checks.iter().flat_map(|check| &check.effects).any(wanted);
    let kinds: [(bool, &str); 10] = [
        (can(|effect| matches!(effect, Effect::Decide(Decision::Deny, _))), "deny"),
        (can(|effect| matches!(effect, Effect::Decide(Decision::Ask, _))), "ask"),
        (can(|effect| matches!(effect, Effect::Decide(Decision::Allow, _))), "approve"),
        (can(|effect| matches!(effect, Effect::Rewrite(_))), "rewrite"),
        (can(|effect| matches!(effect, Effect::Feedback(_))), "feed back"),
        (can(|effect| matches!(effect, Effect::Inject(_) | Effect::Advise(_))), "tell the model"),
        (can(|effect| matches!(effect, Effect::Warn(_) | Effect::Advise(_))), "tell the person"),
        (can(|effect| matches!(effect, Effect::Export { .. })), "export"),
        (can(|effect| matches!(effect, Effect::Notify(_))), "notify"),
        (!hook.writes.is_empty(), "write"),
    ];
    let mut words: Vec<&str> = kinds.into_iter().filter_map(|(can, word)| can.then_some(word)).collect();
    if hook.prompt.is_some() {
        words.push("ask a model");
    }
    if hook.service.is_some() {
        words.push("ask a service");
    }
    or_dash(words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    #[test]
    fn a_denial_in_the_background_does_not_promise_to_stop_anything() {
        let effect = Effect::Decide(Decision::Deny, fixture::template("no"));
        let hook = fixture::hook("H1", "x", "PreToolUse");
        assert!(meaning(&effect, &hook).is_some_and(|said| said.contains("does not run")));
        let background = Hook { background: true, ..hook };
        assert!(meaning(&effect, &background).is_some_and(|said| said.contains("too late")));
        assert_eq!(brief(&effect), "**Deny** `no`");
    }

    #[test]
    fn a_hook_is_described_by_what_it_can_do() {
        let catalog = fixture::full();
        assert!(powers(&catalog.hooks[0]).starts_with("deny"), "{}", powers(&catalog.hooks[0]));
        assert!(powers(&catalog.hooks[3]).ends_with("ask a model"), "{}", powers(&catalog.hooks[3]));
    }
}
