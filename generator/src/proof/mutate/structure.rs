//! Changes of what is around expressions: checks, effects, messages, `fail_safe`, matchers, thresholds.

use hookgen_runtime::program::{FailSafe, Matcher, Str};
use hookgen_runtime::representation::{Check, Effect, Expr, Op, Patch, Span, Text, Type};
use hookgen_runtime::{Decision, Many};

use super::super::atlas::{Owner, effect_pointer, gone};
use super::super::recorder::Thing;
use super::tree::bare;
use super::{Mutant, Reach, TWICE, Trial};
use crate::document::Pointer;

impl Trial<'_> {
    pub(super) fn structure(&self) -> anyhow::Result<Vec<Mutant>> {
        let mut mutants = Vec::new();
        for hook in 0..self.archive.hooks() {
            self.settings_of_hook(hook, &mut mutants);
            let parts = self.archive.hook(hook).map_err(gone)?;
            for place in 0..parts.checks() {
                self.check(hook, place, &mut mutants)?;
            }
        }
        self.thresholds(&mut mutants)?;
        for place in 0..self.archive.tables() {
            self.rows_of_table(place, &mut mutants)?;
        }
        Ok(mutants)
    }

    fn settings_of_hook(&self, place: usize, mutants: &mut Vec<Mutant>) {
        let pointer = self.outline.pointer(place);
        let Some(hook) = self.archive.catalog().hooks.get(place) else { return };
        let other = match hook.fail_safe {
            FailSafe::Open => FailSafe::Closed,
            FailSafe::Closed => FailSafe::Open,
        };
        let mut add = |key: &str,
                       what: String,
                       written: String,
                       set: Box<dyn Fn(&mut hookgen_runtime::program::Hook) + Send + Sync>| {
            let archive = self.archive;
            mutants.push(Mutant {
                owner: Owner::Hook(place),
                what,
                pointer: pointer.key(key),
                range: None,
                written: Some(written),
                reach: Reach::Hook(place),
                instead: Vec::new(),
                must_hold: None,
                body: None,
                hint: String::new(),
                make: Box::new(move || {
                    let mut catalog = archive.catalog_copy().ok()?;
                    let Many::Owned(hooks) = &mut catalog.hooks else { return None };
                    set(hooks.get_mut(place)?);
                    Some(Patch::Catalog(catalog))
                }),
            });
        };
        let what = format!("`fail_safe: {}` instead of `{}`", other.name(), hook.fail_safe.name());
        add("fail_safe", what, other.name().to_owned(), Box::new(move |hook| hook.fail_safe = other));
        let Matcher::Names(names) = &hook.matcher else { return };
        add(
            "matcher",
            "every subject matches".to_owned(),
            "'*'".to_owned(),
            Box::new(|hook| hook.matcher = Matcher::All),
        );
        for left_out in names.iter().filter(|_| names.len() > 1) {
            let rest: Vec<Str> = names.iter().filter(|name| *name != left_out).cloned().collect();
            let written = rest.join("|");
            let set = move |hook: &mut hookgen_runtime::program::Hook| {
                hook.matcher = Matcher::Names(Many::Owned(rest.clone()));
            };
            add("matcher", format!("`{left_out}` does not match"), written, Box::new(set));
        }
    }

    fn check(&self, hook: usize, place: usize, mutants: &mut Vec<Mutant>) -> anyhow::Result<()> {
        let archive = self.archive;
        let check = archive.check(hook, place).map_err(gone)?;
        let at = self.outline.pointer(hook).key("checks").index(place);
        let of = |pointer: Pointer,
                  what: String,
                  written: Option<String>,
                  reach: Vec<usize>,
                  make: Box<dyn Fn() -> Option<Patch> + Send + Sync>| Mutant {
            owner: Owner::Hook(hook),
            what,
            pointer,
            range: None,
            written,
            reach: Reach::Spots(reach),
            instead: Vec::new(),
            must_hold: None,
            body: None,
            hint: String::new(),
            make,
        };
        let spot = |thing: Thing| self.atlas.number(thing).into_iter().collect::<Vec<_>>();
        let reached = spot(Thing::check(check));
        // A check that does not take effect is missed by nobody, wherever it stands.
        let must_hold = reached.first().copied();
        let removed = move || Some(Patch::Checks(hook, vec![(place, Check { effects: Vec::new(), ..check.clone() })]));
        let what = format!("check `{}` left out", check.id);
        let left_out = of(at.clone(), what, None, reached.clone(), Box::new(removed));
        mutants.push(Mutant { must_hold, ..left_out });
        if let Ok(next) = archive.check(hook, place + 1)
            && decides(check)
            && decides(next)
            && !are_disjoint(check, next)
        {
            let swap = move || Some(Patch::Checks(hook, vec![(place, next.clone()), (place + 1, check.clone())]));
            let what = format!("check `{}` before `{}`", next.id, check.id);
            let swapped = of(at.key("id"), what, Some(next.id.clone()), reached, Box::new(swap));
            mutants.push(Mutant { must_hold, ..swapped });
        }
        for (number, effect) in check.effects.iter().enumerate() {
            let pointer = effect_pointer(self.document, &at, effect);
            let reach = spot(Thing::effect(effect));
            if check.effects.len() > 1 {
                let without = move || {
                    let mut check = check.clone();
                    check.effects.remove(number);
                    Some(Patch::Checks(hook, vec![(place, check)]))
                };
                let what = format!("`{}` of `{}` left out", effect.name(), check.id);
                mutants.push(of(pointer.clone(), what, None, reach.clone(), Box::new(without)));
            }
            if is_said(effect) {
                let silent = move || {
                    let mut check = check.clone();
                    for text in check.effects.get_mut(number)?.texts_mut() {
                        *text = empty();
                    }
                    Some(Patch::Checks(hook, vec![(place, check)]))
                };
                let what = format!("`{}` of `{}` says nothing", effect.name(), check.id);
                mutants.push(of(pointer.clone(), what, Some("''".to_owned()), reach.clone(), Box::new(silent)));
            }
            if is_counted(effect) {
                let doubled = move || {
                    let mut check = check.clone();
                    check.effects.insert(number, check.effects.get(number)?.clone());
                    Some(Patch::Checks(hook, vec![(place, check)]))
                };
                let what = format!("`{}` of `{}` done twice", effect.name(), check.id);
                mutants.push(of(pointer, what, Some(TWICE.to_owned()), reach, Box::new(doubled)));
            }
        }
        Ok(())
    }

    fn thresholds(&self, mutants: &mut Vec<Mutant>) -> anyhow::Result<()> {
        for (place, threshold) in self.archive.catalog().thresholds.iter().enumerate().filter(|(_, known)| known.whole)
        {
            let reach = self.users(&|op| matches!(op, Op::Threshold(known) if *known == place))?;
            let name = self.outline.thresholds.get(place).map(String::as_str).unwrap_or_default();
            for new in [threshold.default + 1.0, threshold.default - 1.0].into_iter().filter(|_| !reach.is_empty()) {
                let archive = self.archive;
                mutants.push(Mutant {
                    owner: Owner::Shared,
                    what: format!("threshold `{name}` is {new} instead of {}", threshold.default),
                    pointer: Pointer::root().key("thresholds").key(name).key("default"),
                    range: None,
                    written: Some(new.to_string()),
                    reach: Reach::Spots(reach.clone()),
                    instead: Vec::new(),
                    must_hold: None,
                    body: None,
                    hint: String::new(),
                    make: Box::new(move || {
                        let mut catalog = archive.catalog_copy().ok()?;
                        let Many::Owned(thresholds) = &mut catalog.thresholds else { return None };
                        thresholds.get_mut(place)?.default = new;
                        Some(Patch::Catalog(catalog))
                    }),
                });
            }
        }
        Ok(())
    }

    /// The spots of all expressions that ask for something.
    pub(super) fn users(&self, is_it: &dyn Fn(&Op) -> bool) -> anyhow::Result<Vec<usize>> {
        let mut spots = Vec::new();
        for sited in super::site::sites(&self.outline, self.archive, self.document)? {
            sited.text.value.walk(&mut |expr: &Expr| {
                if is_it(&expr.op) {
                    spots.extend(self.atlas.number(Thing::expr(expr)));
                }
            });
        }
        Ok(spots)
    }
}

fn decides(check: &Check) -> bool {
    check.effects.last().is_some_and(Effect::decides)
}

/// Whether somebody hears it.
fn is_said(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Warn(_)
            | Effect::Inject(_)
            | Effect::Advise(_)
            | Effect::Feedback(_)
            | Effect::Decide(Decision::Deny | Decision::Ask, _)
    )
}

/// Whether doing it twice is something else than doing it once.
fn is_counted(effect: &Effect) -> bool {
    matches!(effect, Effect::Append { unless: None, .. } | Effect::Tally { .. })
}

fn empty() -> Text {
    let value = Expr { op: Op::Text(String::new()), ty: Type::Text, span: Span::default() };
    Text { source: String::new(), value }
}

/// Whether it shows in their conditions that two checks never take effect both, so that their order does not matter.
pub(super) fn are_disjoint(one: &Check, other: &Check) -> bool {
    let (Some(one), Some(other)) = (&one.when, &other.when) else { return false };
    let (one, other) = (conjuncts(&one.value), conjuncts(&other.value));
    one.iter().any(|one| other.iter().any(|other| contradict(one, other)))
}

fn conjuncts(expr: &Expr) -> Vec<Expr> {
    match &expr.op {
        Op::And(one, other) => [conjuncts(one), conjuncts(other)].concat(),
        _ => vec![bare(expr)],
    }
}

fn contradict(one: &Expr, other: &Expr) -> bool {
    match (&one.op, &other.op) {
        (Op::Not(of), _) if **of == *other => true,
        (_, Op::Not(of)) if **of == *one => true,
        (Op::Equal(one), Op::Equal(other)) => one[0] == other[0] && are_different_constants(&one[1], &other[1]),
        _ => false,
    }
}

fn are_different_constants(one: &Expr, other: &Expr) -> bool {
    matches!((&one.op, &other.op), (Op::Text(one), Op::Text(other)) if one != other)
        || matches!((&one.op, &other.op), (Op::Int(one), Op::Int(other)) if one != other)
        || matches!((&one.op, &other.op), (Op::Bool(one), Op::Bool(other)) if one != other)
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::representation::Access;

    use super::*;

    fn check(when: Expr) -> Check {
        let when = Some(Text { source: String::new(), value: when });
        Check { id: "c".to_owned(), when, effects: Vec::new() }
    }

    fn of(op: Op, ty: Type) -> Expr {
        Expr { op, ty, span: Span { start: 3, end: 4 } }
    }

    fn is(word: &str) -> Expr {
        let field = of(Op::Access(Box::new(of(Op::Payload, Type::Node)), Access::Field("kind".to_owned())), Type::Text);
        of(Op::Equal(Box::new([field, of(Op::Text(word.to_owned()), Type::Text)])), Type::Bool)
    }

    #[test]
    fn checks_about_different_words_of_one_field_never_meet() {
        assert!(are_disjoint(&check(is("a")), &check(is("b"))));
        assert!(!are_disjoint(&check(is("a")), &check(is("a"))));
        let not = of(Op::Not(Box::new(is("a"))), Type::Bool);
        let both = of(Op::And(Box::new(of(Op::Fact(0), Type::Bool)), Box::new(not)), Type::Bool);
        assert!(are_disjoint(&check(both), &check(is("a"))));
    }
}
