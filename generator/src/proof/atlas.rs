//! Every spot of a catalog that a case can reach, with its place in the YAML.

use std::collections::HashSet;
use std::ops::Range;

use anyhow::Context as _;
use hookgen_runtime::representation::{Access, Archive, Check, Effect, Expr, Macro, Op, Text, Type};
use hookgen_runtime::{Decision, Json};

use super::recorder::{Recorder, Thing};
use crate::document::{Document, Pointer};
use crate::lower::command_hooks;
use crate::model::Catalog;

/// Who a spot belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The command hook at that place of the representation.
    Hook(usize),
    /// Several: a fact, a message, a document or a table of the catalog.
    Shared,
}

/// What a spot is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A condition or an operand, to be seen both ways.
    Condition,
    /// An effect, to be seen happening.
    Effect,
    /// A row or a word of a table, to be seen making a difference.
    Row,
    /// Anything else that is worked out.
    Part,
}

/// A place where something is decided or done.
#[derive(Debug, Clone)]
pub struct Spot {
    pub owner: Owner,
    pub kind: Kind,
    /// The text in the YAML that it is part of.
    pub pointer: Pointer,
    /// Its bytes in that text; the whole value if there are none.
    pub range: Option<Range<usize>>,
    /// As a reader knows it.
    pub shown: String,
    /// Whether it is what the check is for: to refuse, ask, approve or send back.
    pub decides: bool,
}

/// All spots of a catalog, by their numbers.
#[derive(Debug)]
pub struct Atlas {
    pub spots: Vec<Spot>,
    /// The ids of the hooks, by their places in the representation.
    pub hooks: Vec<String>,
    recorder: &'static Recorder,
}

impl Atlas {
    /// Goes through the whole catalog. The archive is that of the catalog, and lasts.
    pub fn of(catalog: &Catalog, archive: &'static Archive, document: &Document) -> anyhow::Result<Self> {
        let mut survey = Survey { archive, document, spots: Vec::new(), recorder: Recorder::default() };
        survey.shared(catalog)?;
        let hooks: Vec<String> = command_hooks(catalog).map(|hook| hook.id.clone()).collect();
        for (place, id) in hooks.iter().enumerate() {
            let position = catalog.hooks.iter().position(|hook| hook.id == *id).context("a hook has gone")?;
            survey.hook(place, &hook_pointer(position))?;
        }
        // Calls refer to whoever watches them as long as the process lives.
        Ok(Self { spots: survey.spots, hooks, recorder: Box::leak(Box::new(survey.recorder)) })
    }

    /// Whoever notes which of them calls reach.
    pub fn recorder(&self) -> &'static Recorder {
        self.recorder
    }

    /// The number of the spot of an expression, an effect or a check.
    pub(super) fn number(&self, thing: Thing) -> Option<usize> {
        self.recorder.number(thing)
    }

    /// What a reader calls the owner of a spot.
    pub fn owner(&self, owner: Owner) -> &str {
        match owner {
            Owner::Hook(place) => self.hooks.get(place).map_or("", String::as_str),
            Owner::Shared => "shared",
        }
    }
}

/// Where the hook at that position of the catalog is written.
pub(super) fn hook_pointer(position: usize) -> Pointer {
    Pointer::root().key("hooks").index(position)
}

struct Survey<'d> {
    archive: &'static Archive,
    document: &'d Document,
    spots: Vec<Spot>,
    recorder: Recorder,
}

impl Survey<'_> {
    fn shared(&mut self, catalog: &Catalog) -> anyhow::Result<()> {
        let archive = self.archive;
        let root = Pointer::root();
        for place in 0..archive.facts() {
            let fact = archive.fact(place).map_err(gone)?;
            self.text(Owner::Shared, &root.key("facts").key(&fact.name), &fact.text);
        }
        for place in 0..archive.messages() {
            let message = archive.message(place).map_err(gone)?;
            self.text(Owner::Shared, &root.key("messages").key(&message.name), &message.text);
        }
        for place in 0..archive.documents() {
            let document = archive.document(place).map_err(gone)?;
            let (owner, pointer) = match document.owner {
                None => (Owner::Shared, root.key("documents").key(&*document.spec.name).key("path")),
                Some(hook) => {
                    let id = command_hooks(catalog).nth(hook).map(|hook| hook.id.clone()).unwrap_or_default();
                    let position = catalog.hooks.iter().position(|hook| hook.id == id).unwrap_or_default();
                    let own = hook_pointer(position).key("documents").key(&*document.spec.name).key("path");
                    (Owner::Hook(hook), own)
                }
            };
            self.text(owner, &pointer, &document.path);
        }
        Ok(())
    }

    fn hook(&mut self, place: usize, pointer: &Pointer) -> anyhow::Result<()> {
        let archive = self.archive;
        let owner = Owner::Hook(place);
        let hook = archive.hook(place).map_err(gone)?;
        if let Some(gate) = hook.gate() {
            self.condition(owner, &pointer.key("when"), gate);
        }
        for number in 0..hook.definitions() {
            let definition = archive.definition(place, number).map_err(gone)?;
            self.text(owner, &pointer.key("let").key(&definition.name), &definition.text);
        }
        for number in 0..hook.checks() {
            let check = archive.check(place, number).map_err(gone)?;
            self.check(owner, &pointer.key("checks").index(number), check);
        }
        Ok(())
    }

    fn check(&mut self, owner: Owner, pointer: &Pointer, check: &Check) {
        let shown = format!("check `{}`", check.id);
        let spot = Spot { owner, kind: Kind::Part, pointer: pointer.clone(), range: None, shown, decides: false };
        self.enter(Thing::check(check), spot);
        if let Some(when) = &check.when {
            self.condition(owner, &pointer.key("when"), when);
        }
        for effect in &check.effects {
            let at = effect_pointer(self.document, pointer, effect);
            let shown = format!("`{}` of `{}`", effect.name(), check.id);
            let decides = matches!(
                effect,
                Effect::Feedback(_) | Effect::Decide(Decision::Deny | Decision::Ask | Decision::Allow, _)
            );
            let spot = Spot { owner, kind: Kind::Effect, pointer: at.clone(), range: None, shown, decides };
            self.enter(Thing::effect(effect), spot);
            for (at, text) in effect_texts(&at, effect) {
                self.text(owner, &at, text);
            }
        }
    }

    fn condition(&mut self, owner: Owner, pointer: &Pointer, text: &Text) {
        let mut wanted = HashSet::new();
        want(&text.value, &mut wanted);
        self.enter_all(owner, pointer, text, wanted);
    }

    fn text(&mut self, owner: Owner, pointer: &Pointer, text: &Text) {
        let mut wanted = HashSet::new();
        if text.value.ty == Type::Bool {
            want(&text.value, &mut wanted);
        }
        self.enter_all(owner, pointer, text, wanted);
    }

    fn enter_all(&mut self, owner: Owner, pointer: &Pointer, text: &Text, mut wanted: HashSet<Thing>) {
        text.value.walk(&mut |expr| operands(expr, &mut wanted));
        text.value.walk(&mut |expr| {
            let thing = Thing::expr(expr);
            let range = expr.span.start as usize..expr.span.end as usize;
            let shown = text.source.get(range.clone()).unwrap_or_default().to_owned();
            let kind = if wanted.contains(&thing) { Kind::Condition } else { Kind::Part };
            self.enter(
                thing,
                Spot { owner, kind, pointer: pointer.clone(), range: Some(range), shown, decides: false },
            );
            self.rows(expr);
        });
    }

    /// The rows of a table that an expression goes through one by one.
    fn rows(&mut self, expr: &Expr) {
        let Some(list) = watched_list(expr) else { return };
        let Some((pointer, Json::List(rows))) = table_part(self.archive, list) else { return };
        for (number, row) in rows.iter().enumerate() {
            let (pointer, shown) = (pointer.index(number), row.to_string());
            let spot = Spot { owner: Owner::Shared, kind: Kind::Row, pointer, range: None, shown, decides: false };
            self.enter(Thing::row(row), spot);
        }
    }

    fn enter(&mut self, thing: Thing, spot: Spot) {
        if self.recorder.number(thing).is_none() {
            self.recorder.enter(thing, self.spots.len());
            self.spots.push(spot);
        }
    }
}

/// The list that an expression goes through, if each of its elements is seen to make a difference or not.
pub(super) fn watched_list(expr: &Expr) -> Option<&Expr> {
    match &expr.op {
        Op::Macro { kind: Macro::Exists | Macro::ExistsOne | Macro::Filter, list, .. } => Some(list),
        Op::Among(sides) => Some(&sides[1]),
        _ => None,
    }
}

/// The part of a constant table that an expression names, and where it is written.
pub(super) fn table_part(archive: &'static Archive, expr: &Expr) -> Option<(Pointer, &'static Json<'static>)> {
    match &expr.op {
        Op::Table(place) => {
            let table = archive.table(*place).ok()?;
            Some((Pointer::root().key("data").key(&table.name), &table.value))
        }
        Op::Read(of) => table_part(archive, of),
        Op::Access(of, Access::Field(name)) => {
            let (pointer, value) = table_part(archive, of)?;
            Some((pointer.key(name), value.get(name)?))
        }
        _ => None,
    }
}

/// Counts an expression as a condition: of a negation, what is negated; of a constant, nothing.
fn want(expr: &Expr, wanted: &mut HashSet<Thing>) {
    match &expr.op {
        Op::Not(of) => want(of, wanted),
        Op::Bool(_) => {}
        _ => {
            wanted.insert(Thing::expr(expr));
        }
    }
}

/// The operands of an expression that are to be seen both ways. A chain of one operator is one row of operands.
fn operands(expr: &Expr, wanted: &mut HashSet<Thing>) {
    match &expr.op {
        Op::And(one, other) => {
            [one, other].into_iter().filter(|side| !matches!(side.op, Op::And(..))).for_each(|side| want(side, wanted));
        }
        Op::Or(one, other) => {
            [one, other].into_iter().filter(|side| !matches!(side.op, Op::Or(..))).for_each(|side| want(side, wanted));
        }
        Op::Not(of) => want(of, wanted),
        Op::Choose(parts) => want(&parts[0], wanted),
        Op::Macro { kind: Macro::All | Macro::Exists | Macro::ExistsOne | Macro::Filter, body, .. } => {
            want(body, wanted);
        }
        _ => {}
    }
}

/// Where an effect of a check is written.
pub(super) fn effect_pointer(document: &Document, check: &Pointer, effect: &Effect) -> Pointer {
    match effect {
        Effect::Note { name, .. } => check.key("note").key(name),
        Effect::Export { name, .. } => check.key("export").key(name),
        // On events without a tool call, a refusal is written as `block`.
        Effect::Decide(Decision::Deny, _) if document.get(&check.key("deny")).is_none() => check.key("block"),
        effect => check.key(effect.name()),
    }
}

/// The texts of an effect, each with where it is written; `at` is its `effect_pointer`.
pub(super) fn effect_texts<'e>(at: &Pointer, effect: &'e Effect) -> Vec<(Pointer, &'e Text)> {
    let worked = effect.worked_at().into_iter().map(|(way, text)| (at.along(&way), text));
    let named = matches!(effect, Effect::Note { .. } | Effect::Export { .. });
    let said = effect.said_at().into_iter().map(|(way, text)| (if named { at.clone() } else { at.along(&way) }, text));
    worked.chain(said).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` gives it away")]
pub(super) fn gone(failure: hookgen_runtime::Failure) -> anyhow::Error {
    anyhow::anyhow!("{failure}")
}
