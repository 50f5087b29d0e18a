//! Which hooks meet, and what becomes of their decisions when they do.
//!
//! Subjects are told apart as far as the catalog's own matchers can: each name that a matcher spells out, each
//! pattern, and everything else.

use hookgen_runtime::{Event, Refusal};
use serde::Serialize;

use super::super::hooks::processes;
use super::effects;
use super::markdown::{code, hook_link, hook_links};
use super::moments::MOMENTS;
use crate::model::{Catalog, Decision, Dispatch, Effect, Hook, Kind, Matcher};

#[derive(Serialize)]
pub(super) struct InteractionsView {
    meetings: Vec<String>,
}

pub(super) fn view(catalog: &Catalog) -> InteractionsView {
    let lines =
        MOMENTS.iter().filter_map(|(name, moment)| Some((moment, Event::named(name)?))).flat_map(|(moment, event)| {
            told(catalog, event).into_iter().map(move |line| format!("**{moment}** ({}), {line}", event.name))
        });
    InteractionsView { meetings: lines.collect() }
}

/// Who meets on an event, one line for each set of hooks: what it is about, the hooks with what each can do, in order,
/// and what becomes of their words. A subject on which nobody meets is left out.
fn told(catalog: &Catalog, event: &Event) -> Vec<String> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for meeting in meetings(catalog, event) {
        let together = meeting.together();
        if together.is_empty() {
            continue;
        }
        let steps = together.iter().map(|hook| {
            let perhaps = if meeting.possible.iter().any(|other| other.id == hook.id) { "perhaps " } else { "" };
            format!("{perhaps}{} ({})", hook_link(hook), effects::powers(hook))
        });
        let steps = steps.collect::<Vec<_>>().join(", then ");
        let end = match together.as_slice() {
            [_] => String::new(),
            _ => format!(". Together: {}", combination(catalog, event, &together)),
        };
        let subject = meeting.subject.shown(event);
        let said = format!("{steps}{end}.");
        match lines.last_mut().filter(|(_, known)| *known == said) {
            Some((subjects, _)) => *subjects = format!("{subjects}, {subject}"),
            None => lines.push((subject, said)),
        }
    }
    lines.into_iter().map(|(subject, said)| format!("{subject}: {said}")).collect()
}

/// A subject that the matchers of an event can tell from others.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    Name(String),
    /// Something that fits a pattern and is none of the names.
    Fitting(String),
    Rest,
    /// No matcher tells any subject from another.
    Any,
    /// The event has no matchers.
    Every,
}

impl Subject {
    fn shown(&self, event: &Event) -> String {
        match self {
            Self::Name(name) => code(name),
            Self::Fitting(pattern) => format!("anything else that fits {}", code(pattern)),
            Self::Rest => "anything else".to_owned(),
            Self::Any => format!("any {}", event.subject.map_or_else(String::new, code)),
            Self::Every => "every time".to_owned(),
        }
    }
}

/// The hooks that meet on one subject.
pub(super) struct Meeting<'a> {
    subject: Subject,
    /// Hooks that fire.
    sure: Vec<&'a Hook>,
    /// Hooks whose pattern or permission rule may or may not fit.
    possible: Vec<&'a Hook>,
}

impl<'a> Meeting<'a> {
    /// Everyone who may be there, in catalog order.
    pub(super) fn together(&self) -> Vec<&'a Hook> {
        self.sure.iter().chain(&self.possible).copied().collect()
    }
}

/// Who meets whom on an event.
pub(super) fn meetings<'a>(catalog: &'a Catalog, event: &Event) -> Vec<Meeting<'a>> {
    let hooks: Vec<&Hook> = catalog.hooks.iter().filter(|hook| hook.event.name == event.name).collect();
    let subjects = if event.subject.is_some() { subjects(&hooks) } else { vec![Subject::Every] };
    subjects
        .into_iter()
        .map(|subject| {
            let mut meeting = Meeting { subject, sure: Vec::new(), possible: Vec::new() };
            for hook in &hooks {
                match fires(hook, &meeting.subject) {
                    Some(true) if hook.condition.is_none() => meeting.sure.push(hook),
                    Some(true) | None => meeting.possible.push(hook),
                    Some(false) => {}
                }
            }
            meeting
        })
        .collect()
}

fn subjects(hooks: &[&Hook]) -> Vec<Subject> {
    let mut names = Vec::new();
    let mut patterns = Vec::new();
    for matcher in hooks.iter().filter_map(|hook| hook.matcher.as_ref()) {
        match matcher {
            Matcher::Names { names: literal, .. } => names.extend(literal.iter().cloned()),
            Matcher::Pattern { written } => match whole_names(written) {
                Some(literal) => names.extend(literal),
                None => patterns.push(written.clone()),
            },
        }
    }
    if names.is_empty() && patterns.is_empty() {
        return vec![Subject::Any];
    }
    let mut subjects: Vec<Subject> = Vec::new();
    let found = names.into_iter().map(Subject::Name).chain(patterns.into_iter().map(Subject::Fitting));
    for subject in found.chain([Subject::Rest]) {
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    subjects
}

/// The names that an anchored pattern without any other syntax stands for: `^name$`, `^(one|other)$`.
fn whole_names(pattern: &str) -> Option<Vec<String>> {
    let inside = pattern.strip_prefix('^')?.strip_suffix('$')?;
    let group = inside.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let alternatives = group.map_or(inside, |group| group.strip_prefix("?:").unwrap_or(group));
    let names: Vec<String> = alternatives.split('|').map(str::to_owned).collect();
    let literal = |name: &String| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | ' ' | ','))
    };
    ((group.is_some() || names.len() == 1) && names.iter().all(literal)).then_some(names)
}

/// Whether a hook fires for a subject; `None` when its pattern may or may not fit.
fn fires(hook: &Hook, subject: &Subject) -> Option<bool> {
    let Some(matcher) = &hook.matcher else { return Some(true) };
    match (matcher, subject) {
        (_, Subject::Every | Subject::Any) => Some(true),
        (_, Subject::Name(name)) => Some(matcher.fits(name)),
        (Matcher::Names { .. }, Subject::Fitting(_)) | (_, Subject::Rest) => Some(false),
        (Matcher::Pattern { written }, Subject::Fitting(pattern)) if written == pattern => Some(true),
        (Matcher::Pattern { written }, Subject::Fitting(_)) => whole_names(written).map(|_| false),
    }
}

/// What becomes of the words of hooks that fire together: of those that are waited for, and of the others.
fn combination(catalog: &Catalog, event: &Event, hooks: &[&Hook]) -> String {
    let (beside, awaited): (Vec<&Hook>, Vec<&Hook>) =
        hooks.iter().partition(|hook| hook.background || hook.async_rewake);
    let background = || format!("{} in the background", hook_links(beside.iter().copied()));
    match (awaited.as_slice(), beside.is_empty()) {
        ([], true) => "nothing happens".to_owned(),
        ([], false) => background(),
        (_, true) => combined(catalog, event, &awaited),
        (_, false) => format!("{}; {}", combined(catalog, event, &awaited), background()),
    }
}

/// How the decisions of hooks that are waited for combine.
fn combined(catalog: &Catalog, event: &Event, hooks: &[&Hook]) -> String {
    if let [only] = hooks {
        return format!("the word of {} stands", hook_link(only));
    }
    let ordered = share_a_process(catalog.dispatch, hooks);
    let mut sentences = vec![if ordered { "one process, catalog order" } else { "at the same time, in no order" }];
    let deciding = hooks.iter().filter(|hook| decides(hook)).count();
    match (deciding, event.refusal) {
        (0, _) | (_, Refusal::Never) => sentences.push("nobody decides anything"),
        (1, _) => sentences.push("one of them decides"),
        (_, Refusal::Feedback) => sentences.push("the model reads all feedback"),
        (_, Refusal::Permission) => sentences.push("a denial wins over a question, a question over an approval"),
        _ => sentences.push("a denial wins"),
    }
    if deciding > 1 && !matches!(event.refusal, Refusal::Never | Refusal::Feedback) {
        let merged = "all reasons are delivered";
        sentences.push(if ordered { merged } else { "of several reasons the client shows the last" });
    }
    if hooks.iter().filter(|hook| has(hook, |effect| matches!(effect, Effect::Rewrite(_)))).count() > 1 {
        let undecided = "which rewrite stands is not determined";
        sentences.push(if ordered { "a later rewrite of a field replaces an earlier one" } else { undecided });
    }
    if hooks
        .iter()
        .filter(|hook| has(hook, |e| matches!(e, Effect::Warn(_) | Effect::Inject(_) | Effect::Advise(_))))
        .count()
        > 1
    {
        sentences.push("all notices and context are delivered");
    }
    sentences.join("; ")
}

/// Whether one process runs all of these hooks, and so in a known order.
pub(super) fn share_a_process(dispatch: Dispatch, hooks: &[&Hook]) -> bool {
    processes(dispatch, hooks).len() == 1
}

pub(super) fn decides(hook: &Hook) -> bool {
    let says = has(hook, |effect| {
        matches!(effect, Effect::Feedback(_) | Effect::Decide(Decision::Deny | Decision::Ask | Decision::Allow, _))
    });
    hook.kind != Kind::Command || says
}

fn has(hook: &Hook, wanted: impl Fn(&Effect) -> bool) -> bool {
    hook.checks.iter().flat_map(|check| &check.effects).any(wanted)
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    /// Rows as `subject: sure / possible`.
    fn rows(hooks: Vec<Hook>) -> Vec<String> {
        let event = hooks[0].event;
        let catalog = Catalog { hooks, ..fixture::smallest() };
        let ids = |hooks: &[&Hook]| hooks.iter().map(|hook| hook.id.as_str()).collect::<Vec<_>>().join(" ");
        let meetings = meetings(&catalog, event);
        let rows = meetings
            .iter()
            .map(|row| format!("{}: {} / {}", row.subject.shown(event), ids(&row.sure), ids(&row.possible)));
        rows.collect()
    }

    fn on(id: &str, matcher: Option<Matcher>) -> Hook {
        Hook { matcher, ..fixture::hook(id, "x", "PreToolUse") }
    }

    #[test]
    fn names_patterns_and_the_rest_are_told_apart() {
        let rows = rows(vec![
            on("A", Some(fixture::names("Write|Edit"))),
            on("B", Some(fixture::names("Edit"))),
            on("C", Some(fixture::pattern("^Ed.*"))),
            on("D", Some(fixture::pattern("mcp__.*"))),
            on("E", None),
        ]);
        assert_eq!(
            rows,
            [
                "`Write`: A E / ",
                "`Edit`: A B C E / ",
                "anything else that fits `^Ed.*`: C E / D",
                "anything else that fits `mcp__.*`: D E / C",
                "anything else: E / ",
            ]
        );
    }

    #[test]
    fn an_anchored_pattern_of_whole_names_is_a_list_of_names() {
        assert_eq!(whole_names("^(?:a|b)$"), Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(whole_names("^plugin:agent$"), Some(vec!["plugin:agent".to_owned()]));
        for other in ["^a|b$", "^a.*$", "a", "^(a)|(b)$", "^$"] {
            assert_eq!(whole_names(other), None, "{other}");
        }
        assert_eq!(
            rows(vec![on("A", Some(fixture::pattern("^plugin:agent$")))]),
            ["`plugin:agent`: A / ", "anything else:  / "]
        );
    }

    #[test]
    fn a_permission_rule_leaves_open_whether_a_hook_fires() {
        let narrowed = Hook { condition: Some("Bash(git *)".to_owned()), ..on("B", None) };
        assert_eq!(rows(vec![on("A", None), narrowed]), ["any `tool_name`: A / B"]);
    }

    #[test]
    fn an_event_without_matchers_has_one_row() {
        assert_eq!(rows(vec![fixture::hook("A", "x", "Stop")]), ["every time: A / "]);
        assert_eq!(rows(vec![fixture::hook("A", "x", "PreCompact")]), ["any `trigger`: A / "]);
    }

    #[test]
    fn subjects_with_the_same_hooks_share_a_line() {
        let catalog = Catalog {
            hooks: vec![on("A", Some(fixture::names("Write|Edit"))), on("B", Some(fixture::names("Bash")))],
            ..fixture::smallest()
        };
        let lines = told(&catalog, catalog.hooks[0].event);
        assert_eq!(lines, ["`Write`, `Edit`: [A](hooks/A.md) (–).", "`Bash`: [B](hooks/B.md) (–)."]);
    }

    #[test]
    fn who_runs_in_the_background_is_no_part_of_the_order() {
        let mut catalog = fixture::smallest();
        catalog.dispatch = Dispatch::Merged;
        let hooks = [on("A", None), on("B", None), Hook { background: true, ..on("C", None) }];
        let together = combination(&catalog, hooks[0].event, &hooks.iter().collect::<Vec<_>>());
        assert!(together.starts_with("one process, catalog order"), "{together}");
        assert!(together.ends_with("; [C](hooks/C.md) in the background"), "{together}");
        let alone = combination(&catalog, hooks[0].event, &[&hooks[0], &hooks[2]]);
        assert_eq!(alone, "the word of [A](hooks/A.md) stands; [C](hooks/C.md) in the background");
        assert_eq!(combination(&catalog, hooks[0].event, &[&hooks[2]]), "[C](hooks/C.md) in the background");
    }

    #[test]
    fn merged_hooks_deliver_all_reasons_and_parallel_ones_do_not() {
        let deny = || Hook {
            checks: vec![crate::model::Check {
                id: "x".to_owned(),
                when: None,
                effects: vec![Effect::Decide(Decision::Deny, fixture::template("no"))],
            }],
            ..on("A", None)
        };
        let hooks = [deny(), deny()];
        let both: Vec<&Hook> = hooks.iter().collect();
        let mut catalog = fixture::smallest();
        let parallel = combination(&catalog, hooks[0].event, &both);
        assert!(parallel.contains("the client shows the last") && parallel.contains("a denial wins"), "{parallel}");
        catalog.dispatch = Dispatch::Merged;
        let merged = combination(&catalog, hooks[0].event, &both);
        assert!(merged.contains("all reasons are delivered"), "{merged}");
    }
}
