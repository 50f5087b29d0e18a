//! What a check does, in words, with what it means in the client on the hook's event.

use serde::Serialize;

use super::markdown::{code, codes, fence};
use super::words;
use crate::model::{Effect, Hook, Template};

/// One effect: a sentence, and the text that it carries as a code block, if any.
#[derive(Serialize)]
pub(super) struct EffectView {
    what: String,
    text: String,
}

pub(super) fn view(effect: &Effect, hook: &Hook) -> EffectView {
    let (what, text) = match effect {
        Effect::Spend { .. } | Effect::Reset { .. } | Effect::Tally { .. } => (counting(effect), None),
        Effect::Remember(text) => ("**Remember** for the rest of the session:".to_owned(), Some(text)),
        Effect::Note { name, text } => {
            (format!("**Note** for the rest of the session, as {}:", code(name)), Some(text))
        }
        Effect::Delete { document } => (format!("**Delete** the document {}.", code(document)), None),
        Effect::Write { document, text } => (format!("**Write** the document {} anew:", code(document)), Some(text)),
        Effect::Append { document, line, unless } => {
            let unless = unless.as_ref().map(|known| format!(", unless its last line holds {}", code(&known.source)));
            (format!("**Append** a line to {}{}:", code(document), unless.unwrap_or_default()), Some(line))
        }
        Effect::Export { name, value } => {
            (format!("**Export** {} for the rest of the session:", code(name)), Some(value))
        }
        Effect::Rewrite { fields } => return rewrite(fields, hook),
        Effect::Log(text) => ("**Log** to the decision log; nobody is told:".to_owned(), Some(text)),
        Effect::Warn(text) => (format!("**Warn**: {}:", words::notice(hook.event)), Some(text)),
        Effect::Advise(text) => ("**Advise**: the person and the model are told the same:".to_owned(), Some(text)),
        Effect::Inject(text) => {
            let outcome = if hook.background { words::LATER } else { words::context(hook.event) };
            (format!("**Inject**: {outcome}:"), Some(text))
        }
        Effect::Feedback(text) => (format!("**Feedback**: {}:", words::refusal(hook.event)), Some(text)),
        Effect::Deny(text) => (deny(hook), Some(text)),
        Effect::Ask(text) => {
            ("**Ask**: the person decides, and reads the reason. The hook ends:".to_owned(), Some(text))
        }
        Effect::Allow(text) => {
            ("**Allow**: approved in the person's place, without a prompt. The hook ends:".to_owned(), Some(text))
        }
        Effect::Pass(text) => {
            ("**Pass**: nothing stands in the way. The hook ends, and the log says:".to_owned(), Some(text))
        }
    };
    EffectView { what, text: text.map(|text| fence("text", &text.source)).unwrap_or_default() }
}

fn counting(effect: &Effect) -> String {
    match effect {
        Effect::Spend { name, key, from } => {
            let limits: Vec<String> = from
                .iter()
                .map(|(counter, limit)| format!("{} up to {}", code(counter), code(&limit.source)))
                .collect();
            let repeated = if key.is_some() { " A call that was counted before costs nothing." } else { "" };
            let limits = limits.join(", ");
            format!("**Spend** as {}: counts the call on all of {limits}, or on none.{repeated}", code(name))
        }
        Effect::Reset { counters } => {
            format!("**Reset** {} to zero.", codes(counters.iter().map(String::as_str)))
        }
        Effect::Tally { document, at, add } => {
            let sums: Vec<String> =
                add.iter().map(|(name, more)| format!("{} to {}", code(&more.source), code(name))).collect();
            format!("**Tally** in {}: adds {} at {}.", code(document), sums.join(", "), code(&at.source))
        }
        _ => String::new(),
    }
}

fn deny(hook: &Hook) -> String {
    let outcome = if hook.background {
        "too late to stop anything: the hook runs in the background"
    } else if hook.async_rewake {
        "too late to stop anything, but the model is woken and reads the reason"
    } else {
        words::refusal(hook.event)
    };
    format!("**Deny**: {outcome}. The hook ends:")
}

fn rewrite(fields: &[(String, Template)], hook: &Hook) -> EffectView {
    let outcome = if hook.event.rewrites { "the tool runs with another input" } else { "no effect on this event" };
    let names = codes(fields.iter().map(|(name, _)| name.as_str()));
    let lines: Vec<String> = fields.iter().map(|(name, text)| format!("{name}: {}", text.source)).collect();
    EffectView {
        what: format!("**Rewrite** {names}; the other fields stay, and {outcome}:"),
        text: fence("text", &lines.join("\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    #[test]
    fn a_denial_in_the_background_does_not_promise_to_stop_anything() {
        let effect = Effect::Deny(fixture::template("no"));
        let hook = fixture::hook("H1", "x", "PreToolUse");
        assert!(view(&effect, &hook).what.contains("does not run"));
        let background = Hook { background: true, ..hook };
        assert!(view(&effect, &background).what.contains("too late"));
    }
}
