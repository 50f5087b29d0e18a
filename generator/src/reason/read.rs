//! Conditions, read as statements.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use hookgen_runtime::Json;
use hookgen_runtime::representation::{Access, Comparison, Expr, Macro, Op, Representation, Type};

use super::atom::{Atom, Setting, Term};
use super::formula::Formula;
use super::same::key;

/// Of a longer list of constants, a statement about all of them would be too long to solve.
pub(super) const LONGEST: usize = 64;

/// A catalog whose conditions are read.
pub struct Reader<'r> {
    pub whole: &'r Representation,
    pub(super) known: RefCell<Known<'r>>,
}

#[derive(Default)]
pub(super) struct Known<'r> {
    pub(super) atoms: Vec<Atom<'r>>,
    mentions: Vec<BTreeSet<Setting>>,
    pub(super) terms: Vec<Term<'r>>,
    numbers: HashMap<String, usize>,
    /// What is never the same twice.
    unstable: usize,
    /// Whether an element of which the one holds is always one of which the other does.
    pub(super) elements: HashMap<(usize, usize), bool>,
}

/// What the names of an expression stand for.
#[derive(Clone, Default)]
pub struct Scope<'r> {
    pub hook: Option<usize>,
    /// The only subjects that the hook is ever asked about, and the field that holds them.
    pub subjects: Option<Rc<(&'static str, Vec<String>)>>,
    slots: Vec<Option<Bound<'r>>>,
    depth: usize,
}

/// What a variable stands for.
#[derive(Clone)]
pub(super) enum Bound<'r> {
    /// A row or a word of a table.
    Row(&'r Json<'static>),
    /// An expression, with what its own names stand for.
    Item(&'r Expr, Rc<Scope<'r>>),
    /// An element that nobody knows, of the macro at that depth.
    Variable(usize),
}

impl<'r> Scope<'r> {
    /// The names of a hook.
    pub fn of(hook: Option<usize>) -> Self {
        Self { hook, ..Self::default() }
    }

    pub(super) fn bound(&self, slot: usize) -> Option<&Bound<'r>> {
        self.slots.get(slot)?.as_ref()
    }

    fn with(&self, slot: usize, bound: Bound<'r>) -> Self {
        let mut scope = self.clone();
        if scope.slots.len() <= slot {
            scope.slots.resize(slot + 1, None);
        }
        if let Some(place) = scope.slots.get_mut(slot) {
            *place = Some(bound);
        }
        scope
    }

    /// Inside a macro, whose element is one that nobody knows.
    #[must_use]
    pub fn deeper(&self, slot: usize) -> Self {
        let mut scope = self.with(slot, Bound::Variable(self.depth));
        scope.depth += 1;
        scope
    }

    /// Inside a macro over a table, for one row.
    #[must_use]
    pub fn row(&self, slot: usize, row: &'r Json<'static>) -> Self {
        self.with(slot, Bound::Row(row))
    }

    /// Outside of the text that the variables belong to.
    fn outside(&self) -> Self {
        Self { hook: self.hook, subjects: self.subjects.clone(), ..Self::default() }
    }
}

impl<'r> Reader<'r> {
    pub fn new(whole: &'r Representation) -> Self {
        Self { whole, known: RefCell::default() }
    }

    /// The statement that an expression is.
    pub fn formula(&self, expr: &'r Expr, scope: &Scope<'r>) -> Formula {
        let (expr, scope) = &self.seen_through(expr, scope);
        match &expr.op {
            Op::Bool(value) => Formula::Known(*value),
            Op::Not(of) => self.formula(of, scope).negated(),
            Op::And(one, other) => Formula::all([self.formula(one, scope), self.formula(other, scope)]),
            Op::Or(one, other) => Formula::any([self.formula(one, scope), self.formula(other, scope)]),
            Op::Choose(parts) => {
                let [when, then, otherwise] = parts.each_ref().map(|part| self.formula(part, scope));
                Formula::any([Formula::all([when.clone(), then]), Formula::all([when.negated(), otherwise])])
            }
            Op::Equal(sides) | Op::EqualOpen(sides) => self.equal(expr, sides, scope),
            Op::Among(sides) | Op::AmongOpen(sides) => self.among(expr, sides, scope),
            Op::Compare(order, sides) if sides[0].ty == Type::Int => self.ordered(expr, *order, sides, scope),
            Op::Compare(order, sides) | Op::CompareMixed(order, sides) => {
                self.settled(*order, sides).map_or_else(|| self.opaque(expr, scope), Formula::Known)
            }
            Op::Call(place, arguments) => self.call(expr, *place, arguments, scope),
            Op::Macro { kind: Macro::Exists, list, slot, body, .. } => {
                self.exists(expr, list, *slot, body, scope, false)
            }
            Op::Macro { kind: Macro::All, list, slot, body, .. } => {
                self.exists(expr, list, *slot, body, scope, true).negated()
            }
            _ => match self.constant(expr, scope) {
                Some(Json::Bool(value)) => Formula::Known(value),
                _ => self.opaque(expr, scope),
            },
        }
    }

    /// What an expression stands for where it is only a name for something else.
    fn seen_through(&self, expr: &'r Expr, scope: &Scope<'r>) -> (&'r Expr, Scope<'r>) {
        let (mut expr, mut scope) = (expr, scope.clone());
        // Definitions do not go round in circles.
        loop {
            let next = match &expr.op {
                Op::Variable { slot, .. } => match scope.bound(*slot) {
                    Some(Bound::Item(item, within)) => Some((*item, within.as_ref().clone())),
                    _ => None,
                },
                Op::Fact(place) => self.whole.facts.get(*place).map(|fact| (&fact.text.value, scope.outside())),
                Op::Let(place) => scope
                    .hook
                    .and_then(|hook| self.whole.hooks.get(hook)?.lets.get(*place))
                    .map(|own| (&own.text.value, scope.outside())),
                Op::Element(of, at) => only(of, at, &scope),
                _ => None,
            };
            // A name is worked out once; what it stands for might not be the same twice.
            match next.filter(|(next, _)| self.is_stable(next)) {
                Some(next) => (expr, scope) = next,
                None => return (expr, scope),
            }
        }
    }

    /// The value of an expression that is the same in every call.
    pub fn constant(&self, expr: &'r Expr, scope: &Scope<'r>) -> Option<Json<'static>> {
        let (expr, scope) = &self.seen_through(expr, scope);
        match &expr.op {
            Op::Bool(value) => Some(Json::Bool(*value)),
            Op::Int(value) => Some(Json::Int(*value)),
            Op::Text(text) => Some(Json::Text(text.clone().into())),
            Op::List(items) => {
                let items: Option<Vec<Json<'static>>> = items.iter().map(|item| self.constant(item, scope)).collect();
                items.map(Json::from)
            }
            Op::Concat(pieces) => pieces
                .iter()
                .map(|piece| match self.constant(piece, scope)? {
                    Json::Text(text) => Some(text.into_owned()),
                    _ => None,
                })
                .collect::<Option<String>>()
                .map(|text| Json::Text(text.into())),
            // A place that is not there reads as the empty value of a type that only the expression knows.
            Op::Read(_) | Op::Table(_) | Op::Access(..) | Op::Variable { .. } => self.place(expr, scope).cloned(),
            _ => None,
        }
    }

    /// The part of a table that an expression names.
    fn place(&self, expr: &'r Expr, scope: &Scope<'r>) -> Option<&'r Json<'static>> {
        let (expr, scope) = &self.seen_through(expr, scope);
        match &expr.op {
            Op::Table(place) => self.whole.tables.get(*place).map(|table| &table.value),
            Op::Variable { slot, .. } => match scope.bound(*slot)? {
                Bound::Row(row) => Some(row),
                _ => None,
            },
            Op::Read(of) => self.place(of, scope),
            Op::Access(of, Access::Field(name)) => self.place(of, scope)?.get(name),
            // Rows that hold nothing but texts are maps.
            Op::Access(of, Access::Key(key)) => match &key.op {
                Op::Text(name) => self.place(of, scope)?.get(name),
                _ => None,
            },
            _ => None,
        }
    }

    fn equal(&self, expr: &'r Expr, sides: &'r [Expr; 2], scope: &Scope<'r>) -> Formula {
        let [left, right] = sides;
        if left.ty == Type::Bool && right.ty == Type::Bool {
            return Formula::differ(&self.formula(left, scope), &self.formula(right, scope)).negated();
        }
        match (self.constant(left, scope), self.constant(right, scope)) {
            (Some(one), Some(other)) => match same(&one, &other) {
                Some(same) => Formula::Known(same),
                None => self.opaque(expr, scope),
            },
            (None, Some(Json::Text(text))) => self.is(left, scope, &text),
            (Some(Json::Text(text)), None) => self.is(right, scope, &text),
            (None, Some(Json::Int(_))) | (Some(Json::Int(_)), None)
                if left.ty == Type::Int && right.ty == Type::Int =>
            {
                Formula::all([
                    self.ordered(expr, Comparison::GreaterEqual, sides, scope),
                    self.ordered(expr, Comparison::LessEqual, sides, scope),
                ])
            }
            _ => self.opaque(expr, scope),
        }
    }

    /// Whether something was found: how many elements a list has that was searched.
    pub(super) fn found(&self, size: &'r Expr, order: Comparison, number: i64, scope: &Scope<'r>) -> Option<Formula> {
        let (size, scope) = &self.seen_through(size, scope);
        let Op::Call(place, arguments) = &size.op else { return None };
        let of = arguments.first().filter(|_| self.is_called(*place, "list_size"))?;
        let (of, scope) = &self.seen_through(of, scope);
        let Op::Macro { kind: Macro::First | Macro::Filter, list, slot, body, .. } = &of.op else { return None };
        let any = || self.exists(of, list, *slot, body, scope, false);
        match (order, number) {
            (Comparison::Greater, 0) | (Comparison::GreaterEqual, 1) => Some(any()),
            (Comparison::Less, 1) | (Comparison::LessEqual, 0) => Some(any().negated()),
            _ => None,
        }
    }

    pub(super) fn is_called(&self, place: usize, symbol: &str) -> bool {
        self.whole.functions.get(place).is_some_and(|name| name == symbol)
    }

    /// Whether a list has an element of which the body holds, or of which it does not.
    fn exists(
        &self,
        expr: &'r Expr,
        list: &'r Expr,
        slot: usize,
        body: &'r Expr,
        scope: &Scope<'r>,
        opposite: bool,
    ) -> Formula {
        let asked = |inner: &Scope<'r>| {
            let body = self.formula(body, inner);
            if opposite { body.negated() } else { body }
        };
        let (over, outer) = &self.seen_through(list, scope);
        if let Op::List(items) = &over.op
            && !items.is_empty()
        {
            let inner = |item| scope.with(slot, Bound::Item(item, Rc::new(outer.clone())));
            return Formula::any(items.iter().map(|item| asked(&inner(item))).collect::<Vec<_>>());
        }
        if let Some(Json::List(rows)) = self.place(over, outer)
            && !rows.is_empty()
            && rows.len() <= LONGEST
        {
            return Formula::any(rows.iter().map(|row| asked(&scope.row(slot, row))).collect::<Vec<_>>());
        }
        if !self.is_stable(expr) {
            return self.opaque(expr, scope);
        }
        // What is left of a list that was searched has what the search was for.
        let depth = scope.depth;
        let mut holds = vec![asked(&scope.deeper(slot))];
        let (mut over, mut outer) = (*over, outer.clone());
        while let Op::Macro { kind: Macro::Filter | Macro::First, list, slot, body, .. } = &over.op {
            outer.depth = depth;
            // Of `first`, only one element is asked further; all that is said of it must be said by the search itself.
            if matches!(&over.op, Op::Macro { kind: Macro::First, .. }) && holds != [Formula::Known(true)] {
                break;
            }
            holds.push(self.formula(body, &outer.deeper(*slot)));
            (over, outer) = self.seen_through(list, &outer);
        }
        let body = Formula::all(holds);
        let list = key(over, &outer);
        let own = format!("{list} has {body:?}");
        if !self.known.borrow().numbers.contains_key(&own) && self.never(&body) {
            return Formula::Known(false);
        }
        self.mentioned(own, Atom::Exists { list, body, of: expr }, || self.mentions(expr, scope.hook))
    }

    pub(super) fn opaque(&self, expr: &'r Expr, scope: &Scope<'r>) -> Formula {
        let key = self.distinct(expr, scope);
        self.mentioned(key, Atom::Opaque { of: expr }, || self.mentions(expr, scope.hook))
    }

    /// The key of an expression; one of its own for what might be something else the next time.
    fn distinct(&self, expr: &'r Expr, scope: &Scope<'r>) -> String {
        if self.is_stable(expr) {
            return key(expr, scope);
        }
        let mut known = self.known.borrow_mut();
        known.unstable += 1;
        format!("unstable {}", known.unstable)
    }

    pub(super) fn term(&self, expr: &'r Expr, scope: &Scope<'r>) -> usize {
        let (expr, scope) = &self.seen_through(expr, scope);
        let key = self.distinct(expr, scope);
        let (least, most) = self.bounds(expr);
        let mentions = self.mentions(expr, scope.hook);
        let measures = match &expr.op {
            Op::Call(place, arguments) if self.is_called(*place, "size") => {
                arguments.first().map(|of| self.term(of, scope))
            }
            _ => None,
        };
        let part = match &expr.op {
            Op::Part(of, name) if is_command(of) => Some((self::key(of, scope), name.clone())),
            _ => None,
        };
        let term = Term { words: self.words(expr, scope), key, expr, mentions, part, measures, least, most };
        self.known.borrow_mut().enter(term)
    }

    /// A part of a command: the same as where an expression asks for it.
    pub(super) fn part(&self, of: &'r Expr, name: &str, scope: &Scope<'r>) -> usize {
        let whose = key(of, scope);
        let term = Term {
            key: format!("part {name}({whose},)"),
            expr: of,
            mentions: self.mentions(of, scope.hook),
            part: Some((whose, name.to_owned())),
            measures: None,
            words: None,
            least: None,
            most: None,
        };
        self.known.borrow_mut().enter(term)
    }

    /// The only texts that a value can be.
    fn words(&self, expr: &'r Expr, scope: &Scope<'r>) -> Option<Vec<String>> {
        match &expr.op {
            Op::Choice(place) => {
                let choice = self.whole.catalog.choices.get(*place)?;
                Some(choice.values.iter().map(ToString::to_string).collect())
            }
            Op::Read(of) => self.words(of, scope),
            Op::Access(of, Access::Field(name)) if matches!(of.op, Op::Payload) => {
                let subjects = scope.subjects.as_ref().filter(|subjects| subjects.0 == name)?;
                Some(subjects.1.clone())
            }
            _ => None,
        }
    }

    fn bounds(&self, expr: &'r Expr) -> (Option<i64>, Option<i64>) {
        match &expr.op {
            Op::MapSize(_) => (Some(0), None),
            Op::Call(place, _) if self.is_called(*place, "size") || self.is_called(*place, "list_size") => {
                (Some(0), None)
            }
            Op::Threshold(place) => {
                let Some(threshold) = self.whole.catalog.thresholds.get(*place).filter(|known| known.whole) else {
                    return (None, None);
                };
                let fixed = threshold.config.is_empty().then_some((threshold.default, threshold.default));
                let whole = |number: f64| format!("{number:.0}").parse().ok();
                match fixed.or(threshold.range) {
                    Some((least, most)) => (whole(least.ceil()), whole(most.floor())),
                    None => (None, None),
                }
            }
            _ => (None, None),
        }
    }

    pub(super) fn atom(&self, key: String, atom: Atom<'r>) -> Formula {
        let of = |term: usize| self.known.borrow().terms.get(term).map(|term| term.mentions.clone());
        let mentions = atom.term().and_then(of).unwrap_or_default();
        self.mentioned(key, atom, || mentions)
    }

    fn mentioned(&self, key: String, atom: Atom<'r>, mentions: impl FnOnce() -> BTreeSet<Setting>) -> Formula {
        if let Some(known) = self.known.borrow().numbers.get(&key) {
            return Formula::Atom(*known);
        }
        let mentions = mentions();
        let mut known = self.known.borrow_mut();
        let number = known.atoms.len();
        known.atoms.push(atom);
        known.mentions.push(mentions);
        known.numbers.insert(key, number);
        Formula::Atom(number)
    }

    /// The atom of that number.
    pub fn atom_of(&self, number: usize) -> Option<Atom<'r>> {
        self.known.borrow().atoms.get(number).cloned()
    }

    /// What gives the value of a term.
    pub fn expr_of(&self, term: usize) -> Option<&'r Expr> {
        self.known.borrow().terms.get(term).map(|term| term.expr)
    }

    /// Whether an atom holds where the choice is this word, if that is what it is about.
    pub fn chosen(&self, atom: usize, choice: usize, word: &str) -> Option<bool> {
        let Atom::Is { term, text } = self.atom_of(atom)? else { return None };
        matches!(self.expr_of(term)?.op, Op::Choice(place) if place == choice).then(|| text == word)
    }

    /// The command that a term is a part of, by its key, and the name of the part.
    pub fn part_of(&self, term: usize) -> Option<(String, String)> {
        self.known.borrow().terms.get(term)?.part.clone()
    }

    /// Whether what an atom says depends on a setting.
    pub fn depends(&self, atom: usize, setting: Setting) -> bool {
        self.known.borrow().mentions.get(atom).is_some_and(|mentions| mentions.contains(&setting))
    }
}

fn is_command(expr: &Expr) -> bool {
    matches!(&expr.ty, Type::Object(name) if *name == hookgen_runtime::shell::COMMAND.name)
}

/// What a definition with a parameter is: the only element of what a list of one becomes.
fn only<'r>(of: &'r Expr, at: &'r Expr, scope: &Scope<'r>) -> Option<(&'r Expr, Scope<'r>)> {
    let Op::Macro { kind: Macro::Map, list, slot, body, .. } = &of.op else { return None };
    let Op::List(items) = &list.op else { return None };
    match (items.as_slice(), &at.op) {
        ([item], Op::Int(0)) => Some((body.as_ref(), scope.with(*slot, Bound::Item(item, Rc::new(scope.clone()))))),
        _ => None,
    }
}

/// Whether two constants are the same; of numbers of two kinds and of what has parts, nobody is asked.
pub(super) fn same(one: &Json<'_>, other: &Json<'_>) -> Option<bool> {
    match (one, other) {
        (Json::Text(one), Json::Text(other)) => Some(one == other),
        (Json::Int(one), Json::Int(other)) => Some(one == other),
        (Json::Bool(one), Json::Bool(other)) => Some(one == other),
        _ => None,
    }
}

impl<'r> Known<'r> {
    pub(super) fn enter(&mut self, term: Term<'r>) -> usize {
        self.terms.iter().position(|known| known.key == term.key).unwrap_or_else(|| {
            self.terms.push(term);
            self.terms.len() - 1
        })
    }
}
