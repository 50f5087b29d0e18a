//! A condition, or a part of one, that holds whatever happens, or never.

use hookgen_runtime::representation::{Access, Expr, Hook as Steps, Op, Text, Type};

use super::reasoning::advice;
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::Hook;
use crate::reason::{Formula, Reader, Rules, Scope};

pub(super) const LINT: Lint = Lint { code: Code::SettledCondition, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let Some(whole) = subject.whole() else { return Vec::new() };
    let mut findings = Vec::new();
    let reader = Reader::new(whole);
    for fact in &whole.facts {
        let at = Pointer::root().key("facts").key(&fact.name);
        let look = Look { subject, reader: &reader, at, text: &fact.text, asked: None, before: 0 };
        look.visit(&fact.text.value, &Scope::of(None), fact.text.value.ty == Type::Bool, &mut findings);
    }
    for (place, pointer, hook) in subject.running_hooks() {
        let reader = Reader::new(whole);
        let Some(rules) = Rules::of(&reader, place, hook) else { continue };
        let asked = Some((place, hook));
        for (at, text, is_condition) in texts(subject, &pointer, rules.steps) {
            let look = Look { subject, reader: &reader, at, text, asked, before: 0 };
            look.visit(&text.value, &rules.scope, is_condition, &mut findings);
        }
        for (at, text, before) in over_lists(subject, &pointer, rules.steps) {
            let Op::Macro { slot, body, .. } = &text.value.op else { continue };
            let look = Look { subject, reader: &reader, at, text, asked, before };
            look.visit(body, &rules.scope.deeper(*slot), true, &mut findings);
        }
    }
    findings
}

/// The texts of a hook that are conditions or may hold some, with their places and whether they are conditions.
fn texts<'r>(subject: &Subject<'_>, pointer: &Pointer, steps: &'r Steps) -> Vec<(Pointer, &'r Text, bool)> {
    let mut texts: Vec<(Pointer, &Text, bool)> = Vec::new();
    texts.extend(steps.gate.iter().map(|gate| (pointer.key("when"), gate, true)));
    // What a check over a list has found is a definition that nobody wrote.
    let own =
        steps.lets.iter().map(|own| (pointer.key("let").key(&own.name), &own.text, own.text.value.ty == Type::Bool));
    texts.extend(own.filter(|(at, ..)| subject.document.get(at).is_some()));
    for (number, check) in steps.checks.iter().enumerate() {
        let at = pointer.key("checks").index(number);
        if subject.document.get(&at.key("for")).is_none() {
            texts.extend(check.when.iter().map(|when| (at.key("when"), when, true)));
        }
    }
    texts
}

/// The conditions of checks over a list: each in the definition of what it finds, with how much stands before it there.
fn over_lists<'r>(subject: &Subject<'_>, pointer: &Pointer, steps: &'r Steps) -> Vec<(Pointer, &'r Text, usize)> {
    let mut found = Vec::new();
    for (number, check) in steps.checks.iter().enumerate() {
        let at = pointer.key("checks").index(number);
        let asked = check.when.as_ref().filter(|_| subject.document.get(&at.key("for")).is_some());
        let Some(Op::Macro { list, .. }) = asked.map(|when| &when.value.op) else { continue };
        let Op::Let(place) = list.op else { continue };
        let Some(text) = steps.lets.get(place).map(|own| &own.text) else { continue };
        let when = subject.document.get(&at.key("when")).and_then(serde_json::Value::as_str);
        let before = when.and_then(|when| text.source.strip_suffix(')')?.strip_suffix(when)).map(str::len);
        found.extend(before.map(|before| (at.key("when"), text, before)));
    }
    found
}

struct Look<'l, 'r> {
    subject: &'l Subject<'l>,
    reader: &'l Reader<'r>,
    at: Pointer,
    text: &'r Text,
    asked: Option<(usize, &'l Hook)>,
    /// How much of the text stands before what was written there.
    before: usize,
}

impl<'r> Look<'_, 'r> {
    fn visit(&self, expr: &'r Expr, scope: &Scope<'r>, is_condition: bool, findings: &mut Vec<Diagnostic>) {
        if is_condition && self.is_written(expr) {
            let holds = self.reader.formula(expr, scope);
            if self.reader.never(&holds) {
                return findings.extend(self.finding(expr, &holds, false));
            }
            if self.reader.never(&holds.clone().negated()) {
                return findings.extend(self.finding(expr, &holds, true));
            }
        }
        match &expr.op {
            // The equality inside of `!=` was not written by anybody.
            Op::Not(of) if self.is_unequal(expr, of) => {
                of.children().into_iter().for_each(|child| self.visit(child, scope, false, findings));
            }
            Op::And(..) | Op::Or(..) | Op::Not(_) => {
                expr.children().into_iter().for_each(|child| self.visit(child, scope, true, findings));
            }
            Op::Choose(parts) => {
                let [when, then, otherwise] = &**parts;
                self.visit(when, scope, true, findings);
                for part in [then, otherwise] {
                    self.visit(part, scope, part.ty == Type::Bool, findings);
                }
            }
            Op::Macro { list, slot, body, .. } => {
                self.visit(list, scope, false, findings);
                self.visit(body, &scope.deeper(*slot), body.ty == Type::Bool, findings);
            }
            _ => expr.children().into_iter().for_each(|child| self.visit(child, scope, false, findings)),
        }
    }

    /// Whether it stands in the text, and says more than a name or a word that is plainly meant.
    fn is_written(&self, expr: &Expr) -> bool {
        let (start, end) = (expr.span.start as usize, expr.span.end as usize);
        let named = match &expr.op {
            Op::Not(of) => !self.is_unequal(expr, of),
            op => matches!(op, Op::Bool(_) | Op::Fact(_) | Op::Let(_) | Op::Flag(_) | Op::Variable { .. }),
        };
        start < end && self.text.source.get(start..end).is_some() && !named
    }

    /// Whether a negation was written as `!=`: then no sign stands before what it negates.
    fn is_unequal(&self, negation: &Expr, of: &Expr) -> bool {
        let before = self.text.source.get(negation.span.start as usize..of.span.start as usize);
        before.is_some_and(|before| !before.contains('!'))
    }

    fn finding(&self, expr: &'r Expr, holds: &Formula, always: bool) -> Option<Diagnostic> {
        // A subject that the matcher never lets through has a code of its own.
        let (equality, equal) = match &expr.op {
            Op::Not(of) => (&**of, !always),
            _ => (expr, always),
        };
        if !equal && self.is_about_subject(equality) {
            return None;
        }
        let range = expr.span.start as usize..expr.span.end as usize;
        let shown = self.text.source.get(range.clone()).unwrap_or_default();
        let here = range.start.saturating_sub(self.before)..range.end.saturating_sub(self.before);
        let (word, what) = if always { ("always", "leave it out") } else { ("never", "say what was meant") };
        let example = self.asked.and_then(|(place, hook)| {
            let statement = if always { holds.clone() } else { holds.clone().negated() };
            let number = number(&self.text.value, expr)?;
            self.subject.example(self.reader, hook, &statement, &|theatre, example| {
                let scene = theatre.play(hook.event, &[place], example);
                let texts = theatre.texts(place);
                let same = texts.into_iter().find(|text| text.source == self.text.source);
                let played = same.and_then(|text| nth(&text.value, number));
                played.is_some_and(|played| scene.is_some_and(|scene| scene.value(played) == Some(always)))
            })
        });
        Some(
            Diagnostic::warning(Code::SettledCondition, format!("`{}` {word} holds", in_one_line(shown)))
                .primary(self.subject.document.inside(&self.at, here), format!("{word}, whatever the event is"))
                .help(advice(what, example.as_ref())),
        )
    }

    fn is_about_subject(&self, expr: &Expr) -> bool {
        let Some(field) = self.asked.and_then(|(_, hook)| hook.event.subject) else { return false };
        let (Op::Equal(sides) | Op::EqualOpen(sides) | Op::Among(sides)) = &expr.op else { return false };
        let mut found = false;
        for side in sides.iter() {
            side.walk(&mut |part| {
                found |= matches!(&part.op, Op::Access(of, Access::Field(name)) if name == field && matches!(of.op, Op::Payload));
            });
        }
        found
    }
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number of a part, counted as a walk comes to it.
fn number(whole: &Expr, part: &Expr) -> Option<usize> {
    let (mut count, mut found) = (0, None);
    whole.walk(&mut |expr| {
        if std::ptr::eq(expr, part) {
            found = Some(count);
        }
        count += 1;
    });
    found
}

fn nth(whole: &Expr, number: usize) -> Option<&Expr> {
    let (mut count, mut found) = (0, None);
    whole.walk(&mut |expr| {
        if count == number {
            found = Some(expr);
        }
        count += 1;
    });
    found
}
