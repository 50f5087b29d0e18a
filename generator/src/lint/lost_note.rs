//! The session's memory is asked for what nobody puts there, or given what nobody asks for.

use std::collections::BTreeSet;

use super::sites::{Site, parts};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::document::Pointer;
use crate::model::{BinaryOp, Effect, Expr, ExprKind, Segment, Template};
use crate::source::Location;

pub(super) const LINT: Lint = Lint { code: Code::LostNote, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let sites = subject.sites();
    let read = reads(&sites);
    let effects = || subject.catalog.hooks.iter().flat_map(|hook| &hook.checks).flat_map(|check| &check.effects);
    let written: BTreeSet<&str> = effects()
        .filter_map(|effect| if let Effect::Note { name, .. } = effect { Some(name.as_str()) } else { None })
        .collect();
    let remembered: Vec<Outline> = effects()
        .filter_map(|effect| if let Effect::Remember(text) = effect { Some(outline_of(text)) } else { None })
        .collect();
    let recorded: BTreeSet<&str> = effects()
        .flat_map(|effect| if let Effect::Record(names) = effect { names.as_slice() } else { &[] })
        .map(|one| one.name.as_str())
        .collect();
    let mut findings = Vec::new();
    for (site, call, arg, function) in &read {
        let name = Outline::of(arg);
        let Some(location) = subject.place(site, call) else { continue };
        if *function == "history" {
            if !recorded.contains(name.start.as_str()) {
                findings.push(unwritten(location, &name, "records", None));
            }
        } else if *function == "noted" {
            if !written.iter().any(|written| name.meets(&Outline::exact(written))) {
                let near = did_you_mean(&name.start, written.iter().copied());
                findings.push(unwritten(location, &name, "notes", near));
            }
        } else if !remembered.iter().any(|other| name.meets(other)) {
            findings.push(unwritten(location, &name, "remembers", None));
        }
    }
    findings.extend(unforgotten(subject, &written, &remembered));
    findings.extend(unread(
        subject,
        &read.iter().map(|(_, _, arg, function)| (*function, Outline::of(arg))).collect::<Vec<_>>(),
    ));
    findings
}

type Read<'s> = (&'s Site<'s>, &'s Expr, &'s Expr, &'static str);

/// Every question to the memory: the call, what it asks for, and by which function.
fn reads<'s>(sites: &'s [Site<'s>]) -> Vec<Read<'s>> {
    let calls = sites.iter().flat_map(|site| parts(site.expr).into_iter().map(move |part| (site, part)));
    let asked = calls.filter_map(|(site, part)| match &part.kind {
        ExprKind::Call { function, args } if matches!(function.name, "noted" | "remembered" | "history") => {
            Some((site, part, args.first()?, function.name))
        }
        _ => None,
    });
    asked.collect()
}

fn unwritten(location: Location, name: &Outline, verb: &str, near: Option<&str>) -> Diagnostic {
    let (effect, ask) = match verb {
        "notes" => ("note", "noted"),
        "records" => ("record", "history"),
        _ => ("remember", "remembered"),
    };
    let help = near.map_or_else(
        || format!("let a check say `{effect}:` with it, or drop the question: `{ask}` never finds anything"),
        |near| format!("did you mean `{near}`?"),
    );
    Diagnostic::warning(Code::LostNote, format!("nobody {verb} {}", name.shown()))
        .primary(location, "never there")
        .help(help)
}

/// What is forgotten and was never there.
fn unforgotten(subject: &Subject<'_>, written: &BTreeSet<&str>, remembered: &[Outline]) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (place, hook) in subject.written_hooks() {
        for (number, check) in hook.checks.iter().enumerate() {
            let at = place.key("checks").index(number).key("forget");
            for effect in &check.effects {
                let Effect::Forget { remembered: text, noted } = effect else { continue };
                if let Some(what) =
                    text.as_ref().map(outline_of).filter(|what| !remembered.iter().any(|one| one.meets(what)))
                {
                    findings.push(unwritten(subject.document.at(&at.key("remembered")), &what, "remembers", None));
                }
                for name in noted.iter().filter(|name| !written.contains(name.as_str())) {
                    let near = did_you_mean(name, written.iter().copied());
                    findings.push(unwritten(
                        subject.document.at(&at.key("noted")),
                        &Outline::exact(name),
                        "notes",
                        near,
                    ));
                }
            }
        }
    }
    findings
}

/// Notes and memories that nothing asks for.
fn unread(subject: &Subject<'_>, asked: &[(&str, Outline)]) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut report = |at: &Pointer, key: bool, name: &Outline, ask: &str| {
        if asked.iter().any(|(function, other)| *function == ask && other.meets(name)) {
            return;
        }
        let location = if key { subject.document.key(at) } else { subject.document.at(at) };
        findings.push(
            Diagnostic::warning(Code::LostNote, format!("nothing asks for {}", name.shown()))
                .primary(location, "kept for nobody")
                .help(format!("ask for it with `{ask}(…)`, or leave it out")),
        );
    };
    for (place, hook) in subject.written_hooks() {
        for (number, check) in hook.checks.iter().enumerate() {
            let at = place.key("checks").index(number);
            for effect in &check.effects {
                match effect {
                    Effect::Note { name, .. } => {
                        report(&at.key("note").key(name), true, &Outline::exact(name), "noted");
                    }
                    Effect::Remember(text) => report(&at.key("remember"), false, &outline_of(text), "remembered"),
                    Effect::Record(names) => {
                        for (place, one) in names.iter().enumerate() {
                            let at = at.key("record");
                            let at = if one.per.is_some() { at.key(&one.name) } else { at.index(place) };
                            report(&at, one.per.is_some(), &Outline::exact(&one.name), "history");
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    findings
}

/// What is known of a text that is partly worked out: how it starts and how it ends.
#[derive(Debug, Clone, Default, PartialEq)]
struct Outline {
    start: String,
    /// `None` for a text that is known to the end.
    end: Option<String>,
}

impl Outline {
    fn exact(text: &str) -> Self {
        Self { start: text.to_owned(), end: None }
    }

    fn of(expr: &Expr) -> Self {
        match &expr.kind {
            ExprKind::Text(text) | ExprKind::Constant { text, .. } => Self::exact(text),
            ExprKind::Binary { op: BinaryOp::Add, left, right } => Self::of(left).then(Self::of(right)),
            _ => Self { start: String::new(), end: Some(String::new()) },
        }
    }

    /// This text with another one behind it.
    fn then(mut self, next: Self) -> Self {
        match (&mut self.end, next.end) {
            (None, end) => Self { start: self.start + &next.start, end },
            (Some(end), None) => {
                end.push_str(&next.start);
                self
            }
            (Some(_), end) => Self { start: self.start, end },
        }
    }

    /// Whether both can be the same text.
    fn meets(&self, other: &Self) -> bool {
        let begins = |one: &str, two: &str| one.starts_with(two) || two.starts_with(one);
        let ends = |one: &str, two: &str| one.ends_with(two) || two.ends_with(one);
        match (&self.end, &other.end) {
            (None, None) => self.start == other.start,
            (None, Some(end)) => self.start.starts_with(&other.start) && self.start.ends_with(end.as_str()),
            (Some(end), None) => other.start.starts_with(&self.start) && other.start.ends_with(end.as_str()),
            (Some(one), Some(two)) => begins(&self.start, &other.start) && ends(one, two),
        }
    }

    fn shown(&self) -> String {
        match &self.end {
            None => format!("`{}`", self.start),
            Some(end) => format!("`{}…{end}`", self.start),
        }
    }
}

fn outline_of(template: &Template) -> Outline {
    template.segments.iter().fold(Outline::default(), |outline, segment| {
        outline.then(match segment {
            Segment::Text(text) => Outline::exact(text),
            Segment::Expr(expr) => Outline::of(expr),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_can_be_the_same_meet() {
        let open = |start: &str, end: &str| Outline { start: start.to_owned(), end: Some(end.to_owned()) };
        assert!(Outline::exact("a b").meets(&open("a ", "")) && open("a ", "x").meets(&open("a b", "")));
        assert!(!Outline::exact("b").meets(&open("a ", "")) && !open("a ", "").meets(&open("b ", "")));
        assert_eq!(Outline::exact("a").then(open("b", "c")).then(Outline::exact("d")), open("ab", "cd"));
    }
}
