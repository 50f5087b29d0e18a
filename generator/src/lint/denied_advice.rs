//! A message that tells the agent to run what the catalog itself refuses.
//!
//! The line is gone through as `hookgen trace` would: nothing is done, in an empty folder, without a state. Hooks that go by
//! what a session remembers or by programs are not asked.

use hookgen_runtime::Event;
use hookgen_runtime::evaluate::{Observer, Rehearsal};
use hookgen_runtime::library::FUNCTIONS;
use hookgen_runtime::representation::Archive;
use hookgen_runtime::signature::Power;

use super::outside_matcher::takes;
use super::sites::Said;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::lower::{command_hooks, lower};
use crate::model::{Catalog, Hook, Mode, Segment};
use crate::resolve::uses;

pub(super) const LINT: Lint = Lint { code: Code::DeniedAdvice, check };

/// Words behind which a line in quotes is advice.
const ADVICE: [&str; 9] = ["use", "run", "try", "prefer", "with", "type", "by", "call", "instead:"];
/// Words that turn advice into its opposite.
const NOT: [&str; 8] = ["not", "never", "don't", "cannot", "without", "of", "no", "nor"];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let advice: Vec<(Said<'_>, String)> = subject
        .texts()
        .into_iter()
        .flat_map(|said| advised(&said).into_iter().map(move |line| (Said { at: said.at.clone(), ..said }, line)))
        .collect();
    if advice.is_empty() {
        return Vec::new();
    }
    let Some(guards) = Guards::of(subject.catalog) else { return Vec::new() };
    let mut findings = Vec::new();
    for (said, line) in advice {
        if let Some(id) = guards.refusing(subject.catalog, &line) {
            let start = said.template.source.find(&line).unwrap_or_default();
            findings.push(
                Diagnostic::warning(Code::DeniedAdvice, format!("hook `{id}` refuses `{line}`"))
                    .primary(
                        subject.document.inside(&said.at, start..start + line.len()),
                        "what the text tells the agent to run",
                    )
                    .help("suggest what the catalog lets pass, or let it pass"),
            );
        }
    }
    findings
}

/// The lines that a text tells somebody to run.
fn advised(said: &Said<'_>) -> Vec<String> {
    let texts = said.template.segments.iter().filter_map(|segment| match segment {
        Segment::Text(text) => Some(text.as_str()),
        Segment::Expr(_) => None,
    });
    texts.flat_map(lines_in).collect()
}

fn lines_in(text: &str) -> Vec<String> {
    // What stands behind a prompt is there to be typed.
    let typed = text.lines().filter_map(|line| line.trim().strip_prefix("$ ")).filter(|line| is_line(line));
    let mut lines: Vec<String> = typed.map(str::to_owned).collect();
    for quote in ['`', '"'] {
        // What is between two quotes is every second part; an odd one at the end is not closed.
        let parts: Vec<&str> = text.split(quote).collect();
        for (number, line) in parts.iter().enumerate().skip(1).step_by(2) {
            let before = parts.get(number - 1).copied().unwrap_or_default();
            if number + 1 < parts.len() && is_advice(before) && is_line(line) {
                lines.push((*line).to_owned());
            }
        }
    }
    lines
}

/// Whether the words before a line recommend it.
fn is_advice(before: &str) -> bool {
    let clause = before.rsplit(['.', ';', '!', '?']).next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = clause.split_whitespace().collect();
    let last = words.last().copied().unwrap_or_default();
    let recommends = ADVICE.contains(&last) || ADVICE.contains(&last.trim_end_matches(':'));
    recommends && !words.iter().any(|word| NOT.contains(word))
}

/// Whether it is a whole line of a program and its words, with nothing to fill in.
fn is_line(line: &str) -> bool {
    let program = line.split(' ').next().unwrap_or_default();
    let named = program.starts_with(|first: char| first.is_ascii_lowercase())
        && program.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'));
    // Braces with nothing in them are `find`'s own.
    let rest = line.replace("{}", "");
    named && line.contains(' ') && !rest.contains(['<', '>', '{', '…', '*', '\n', '(', '=']) && !line.contains("...")
}

/// The hooks that decide about a shell line by that line.
struct Guards {
    archive: &'static Archive,
    event: &'static Event,
    hooks: Vec<usize>,
}

impl Guards {
    fn of(catalog: &Catalog) -> Option<Self> {
        let event = Event::named("PreToolUse")?;
        let judges = |hook: &Hook| {
            hook.event.name == event.name
                && hook.matcher.is_some()
                && takes(hook, "Bash")
                && hook.mode == Mode::Enforce
                && is_plain(catalog, hook)
        };
        let hooks: Vec<usize> =
            command_hooks(catalog).enumerate().filter(|(_, hook)| judges(hook)).map(|(place, _)| place).collect();
        if hooks.is_empty() {
            return None;
        }
        // Evaluators refer to their catalog as long as the process lives.
        let archive: &'static Archive = Box::leak(Box::new(Archive::of(lower(catalog).ok()?)));
        Some(Self { archive, event, hooks })
    }

    /// The first hook that refuses the line.
    fn refusing<'c>(&self, catalog: &'c Catalog, line: &str) -> Option<&'c str> {
        let folder = tempfile::tempdir().ok()?;
        let root = folder.path().canonicalize().ok()?;
        let input = serde_json::json!({
            "hook_event_name": self.event.name, "session_id": "advice", "transcript_path": "", "cwd": root,
            "tool_name": "Bash", "tool_input": { "command": line },
        });
        let rehearsal = Rehearsal {
            archive: self.archive,
            event: self.event,
            hooks: self.hooks.clone(),
            plugin: root.join("plugin"),
            state: Some(root.join("state")),
            perform: false,
        };
        let rehearsed = rehearsal.go(input.to_string().into_bytes(), &Nobody);
        let refuses = |account: &hookgen_runtime::evaluate::Account| {
            account.ran.as_ref().is_some_and(Result::is_ok) && account.said.iter().any(|said| said.decision == "DENY")
        };
        let place = rehearsed.hooks.iter().find(|account| refuses(account))?.hook;
        command_hooks(catalog).nth(place).map(|hook| hook.id.as_str())
    }
}

struct Nobody;

impl Observer for Nobody {}

/// Whether a hook goes by the line and by files alone.
fn is_plain(catalog: &Catalog, hook: &Hook) -> bool {
    let used = uses::of_hook(catalog, hook);
    let plain = |power: &Power| {
        matches!(power, Power::Event | Power::Environment | Power::Files | Power::Repository | Power::Clock)
    };
    let powers =
        FUNCTIONS.iter().filter(|function| used.functions.contains(function.name)).flat_map(|function| function.powers);
    powers.into_iter().all(plain) && used.counters.is_empty() && used.variables.is_empty() && used.documents.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_line_that_is_recommended_is_advice() {
        assert_eq!(
            lines_in("Unsafe. Use `git push --force-with-lease` or run: `git stash list`."),
            ["git push --force-with-lease", "git stash list"]
        );
        assert_eq!(lines_in("Instead:\n$ git push -f\nUse \"rm -r x\"."), ["git push -f", "rm -r x"]);
        assert_eq!(lines_in("Run `find . -exec rm {} +`."), ["find . -exec rm {} +"]);
        for quoted in [
            "`git reset --hard` throws work away.",
            "Do not use `git reset --hard` here.",
            "Try something else instead of `rm -rf x`.",
            "Use `git` alone, or `rm <file>`.",
            "Never run `rm -rf x`",
            "It costs $ 5, \"rm -r x\" too. Use `x {name}`.",
        ] {
            assert_eq!(lines_in(quoted), Vec::<String>::new(), "{quoted}");
        }
    }
}
