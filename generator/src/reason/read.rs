//! Conditions, read as statements.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use hookgen_runtime::Json;
use hookgen_runtime::representation::{Access, Comparison, Expr, Macro, Op, Representation, Type};

use super::atom::{Atom, Setting, Term, Where, has, rules};
use super::formula::Formula;
use super::same::key;
use super::solve::{Answer, solve};

/// Of a longer list of constants, a statement about all of them would be too long to solve.
const LONGEST: usize = 64;

/// A statement about more than this is not solved: a catalog is read each time that somebody saves it.
const MOST: usize = 48;

/// A catalog whose conditions are read.
pub struct Reader<'r> {
    pub whole: &'r Representation,
    known: RefCell<Known<'r>>,
}

#[derive(Default)]
struct Known<'r> {
    atoms: Vec<Atom<'r>>,
    mentions: Vec<BTreeSet<Setting>>,
    terms: Vec<Term<'r>>,
    numbers: HashMap<String, usize>,
    /// What is never the same twice.
    unstable: usize,
    /// Whether an element of which the one holds is always one of which the other does.
    elements: HashMap<(usize, usize), bool>,
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

    fn is(&self, expr: &'r Expr, scope: &Scope<'r>, text: &str) -> Formula {
        let term = self.term(expr, scope);
        let fits =
            |words: &Option<Vec<String>>| words.as_ref().is_none_or(|words| words.iter().any(|word| word == text));
        if !self.known.borrow().terms.get(term).is_some_and(|term| fits(&term.words)) {
            return Formula::Known(false);
        }
        self.atom(format!("{term} is {text:?}"), Atom::Is { term, text: text.to_owned() })
    }

    fn among(&self, expr: &'r Expr, sides: &'r [Expr; 2], scope: &Scope<'r>) -> Formula {
        let [item, list] = sides;
        let (known, list) = (self.constant(item, scope), self.constant(list, scope));
        let Some(Json::List(words)) = list else { return self.opaque(expr, scope) };
        // An empty table is there to be filled by somebody else.
        if words.is_empty() || words.len() > LONGEST {
            return self.opaque(expr, scope);
        }
        if let Some(known) = known {
            let same: Option<Vec<bool>> = words.iter().map(|word| same(word, &known)).collect();
            return same.map_or_else(|| self.opaque(expr, scope), |same| Formula::Known(same.contains(&true)));
        }
        let texts: Option<Vec<&str>> = words
            .iter()
            .map(|word| match word {
                Json::Text(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        match texts {
            Some(texts) => Formula::any(texts.into_iter().map(|text| self.is(item, scope, text)).collect::<Vec<_>>()),
            None => self.opaque(expr, scope),
        }
    }

    fn ordered(&self, expr: &'r Expr, order: Comparison, sides: &'r [Expr; 2], scope: &Scope<'r>) -> Formula {
        let [left, right] = sides;
        let at_least = |term: usize, number: Option<i64>, opposite: bool| match number {
            Some(number) if opposite => self.at_least(term, number).negated(),
            Some(number) => self.at_least(term, number),
            None => self.opaque(expr, scope),
        };
        match (self.constant(left, scope), self.constant(right, scope)) {
            (Some(Json::Int(one)), Some(Json::Int(other))) => Formula::Known(match order {
                Comparison::Less => one < other,
                Comparison::LessEqual => one <= other,
                Comparison::Greater => one > other,
                Comparison::GreaterEqual => one >= other,
            }),
            (None, Some(Json::Int(number))) => {
                if let Some(found) = self.found(left, order, number, scope) {
                    return found;
                }
                let term = self.term(left, scope);
                match order {
                    Comparison::GreaterEqual => at_least(term, Some(number), false),
                    Comparison::Greater => at_least(term, number.checked_add(1), false),
                    Comparison::Less => at_least(term, Some(number), true),
                    Comparison::LessEqual => at_least(term, number.checked_add(1), true),
                }
            }
            (Some(Json::Int(number)), None) => {
                let term = self.term(right, scope);
                match order {
                    Comparison::LessEqual => at_least(term, Some(number), false),
                    Comparison::Less => at_least(term, number.checked_add(1), false),
                    Comparison::Greater => at_least(term, Some(number), true),
                    Comparison::GreaterEqual => at_least(term, number.checked_add(1), true),
                }
            }
            _ => self.apart(order, left, right, expr, scope),
        }
    }

    /// Two numbers that nobody knows: by how much the one is more than the other.
    fn apart(&self, order: Comparison, left: &'r Expr, right: &'r Expr, expr: &'r Expr, scope: &Scope<'r>) -> Formula {
        let (one, other) = (self.term(left, scope), self.term(right, scope));
        let (low, high, turned) = if one <= other { (one, other, false) } else { (other, one, true) };
        let term = {
            let mut known = self.known.borrow_mut();
            let (Some(first), Some(second)) = (known.terms.get(low), known.terms.get(high)) else {
                return self.opaque(expr, scope);
            };
            let less = |one: Option<i64>, other: Option<i64>| one?.checked_sub(other?);
            let term = Term {
                key: format!("{low} - {high}"),
                expr,
                mentions: first.mentions.union(&second.mentions).copied().collect(),
                words: None,
                least: if low == high { Some(0) } else { less(first.least, second.most) },
                most: if low == high { Some(0) } else { less(first.most, second.least) },
            };
            known.enter(term)
        };
        // The term is `low - high`; if the sides were turned, all orders are.
        let order = match order {
            order if !turned => order,
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
        };
        match order {
            Comparison::Greater => self.at_least(term, 1),
            Comparison::GreaterEqual => self.at_least(term, 0),
            Comparison::Less => self.at_least(term, 0).negated(),
            Comparison::LessEqual => self.at_least(term, 1).negated(),
        }
    }

    fn at_least(&self, term: usize, number: i64) -> Formula {
        let bounds = self.known.borrow().terms.get(term).map(|term| (term.least, term.most)).unwrap_or_default();
        match bounds {
            (Some(least), _) if least >= number => Formula::Known(true),
            (_, Some(most)) if most < number => Formula::Known(false),
            _ => self.atom(format!("{term} >= {number}"), Atom::AtLeast { term, number }),
        }
    }

    /// Whether something was found: how many elements a list has that was searched.
    fn found(&self, size: &'r Expr, order: Comparison, number: i64, scope: &Scope<'r>) -> Option<Formula> {
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

    fn call(&self, expr: &'r Expr, place: usize, arguments: &'r [Expr], scope: &Scope<'r>) -> Formula {
        let ways = [("starts_with", Where::Start), ("ends_with", Where::End), ("contains", Where::Anywhere)];
        let way = ways.into_iter().find(|(symbol, _)| self.is_called(place, symbol)).map(|(_, at)| at);
        if let (Some(at), [of, part]) = (way, arguments)
            && let Some(Json::Text(part)) = self.constant(part, scope)
        {
            if part.is_empty() {
                return Formula::Known(true);
            }
            if let Some(Json::Text(text)) = self.constant(of, scope) {
                return Formula::Known(has(&text, at, &part));
            }
            let term = self.term(of, scope);
            let text = part.into_owned();
            return self.atom(format!("{term} has {at:?} {text:?}"), Atom::Has { term, at, text });
        }
        if let (true, [of, rule]) = (self.is_called(place, "fits_rule"), arguments)
            && let Some(rule @ Json::Object(_)) = self.constant(rule, scope)
        {
            let term = self.term(of, scope);
            return self.atom(format!("{term} fits {rule}"), Atom::Fits { term, rule });
        }
        self.opaque(expr, scope)
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

    fn opaque(&self, expr: &'r Expr, scope: &Scope<'r>) -> Formula {
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

    fn term(&self, expr: &'r Expr, scope: &Scope<'r>) -> usize {
        let (expr, scope) = &self.seen_through(expr, scope);
        let key = self.distinct(expr, scope);
        let (least, most) = self.bounds(expr);
        let mentions = self.mentions(expr, scope.hook);
        let term = Term { words: self.words(expr, scope), key, expr, mentions, least, most };
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

    fn atom(&self, key: String, atom: Atom<'r>) -> Formula {
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

    /// Whether what an atom says depends on a setting.
    pub fn depends(&self, atom: usize, setting: Setting) -> bool {
        self.known.borrow().mentions.get(atom).is_some_and(|mentions| mentions.contains(&setting))
    }

    /// What must hold whatever happens, as far as these statements go.
    pub fn facts(&self, about: &[&Formula]) -> Vec<Formula> {
        let mut atoms = BTreeSet::new();
        for formula in about {
            formula.atoms(&mut atoms);
        }
        let mut facts = self.words_of(&mut atoms);
        let atoms: Vec<(usize, Atom<'r>)> =
            atoms.into_iter().filter_map(|number| Some((number, self.atom_of(number)?))).collect();
        for (place, (number, one)) in atoms.iter().enumerate() {
            for (other, two) in atoms.get(place + 1..).unwrap_or_default() {
                facts.extend(rules((*number, one), (*other, two)));
                facts.extend(self.elements((*number, one), (*other, two)));
                facts.extend(self.elements((*other, two), (*number, one)));
            }
        }
        facts
    }

    /// A value that can only be one of a few words is one of them.
    fn words_of(&self, atoms: &mut BTreeSet<usize>) -> Vec<Formula> {
        let limited: BTreeSet<(usize, Vec<String>)> = {
            let known = self.known.borrow();
            let terms = atoms.iter().filter_map(|atom| known.atoms.get(*atom)?.term());
            terms.filter_map(|term| Some((term, known.terms.get(term)?.words.clone()?))).collect()
        };
        let one_of = |(term, words): (usize, Vec<String>)| {
            let is = |text: String| self.atom(format!("{term} is {text:?}"), Atom::Is { term, text });
            Formula::any(words.into_iter().map(is))
        };
        let facts: Vec<Formula> = limited.into_iter().map(one_of).collect();
        for fact in &facts {
            fact.atoms(atoms);
        }
        facts
    }

    /// An element of which more holds is one of which less does.
    fn elements(&self, one: (usize, &Atom<'r>), other: (usize, &Atom<'r>)) -> Option<Formula> {
        let (Atom::Exists { list, body, .. }, Atom::Exists { list: same, body: less, .. }) = (one.1, other.1) else {
            return None;
        };
        if list != same {
            return None;
        }
        let pair = (one.0, other.0);
        let known = self.known.borrow().elements.get(&pair).copied();
        let follows = known.unwrap_or_else(|| self.never(&Formula::all([body.clone(), less.clone().negated()])));
        self.known.borrow_mut().elements.insert(pair, follows);
        follows.then(|| Formula::any([Formula::Atom(one.0).negated(), Formula::Atom(other.0)]))
    }

    /// Whether it can hold. Of what is about too much, nobody knows.
    pub fn ask(&self, statement: &Formula) -> Answer {
        if is_too_much(statement) {
            return Answer::Unknown;
        }
        solve(statement, &self.facts(&[statement]))
    }

    /// Whether it is certain that it can not.
    pub fn never(&self, statement: &Formula) -> bool {
        match statement {
            Formula::Known(value) => !value,
            _ => self.ask(statement) == Answer::Never,
        }
    }
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

/// Whether a statement is about more than anybody wants to wait for.
pub(super) fn is_too_much(statement: &Formula) -> bool {
    let mut atoms = BTreeSet::new();
    statement.atoms(&mut atoms);
    atoms.len() > MOST
}

/// Whether two constants are the same; of numbers of two kinds and of what has parts, nobody is asked.
fn same(one: &Json<'_>, other: &Json<'_>) -> Option<bool> {
    match (one, other) {
        (Json::Text(one), Json::Text(other)) => Some(one == other),
        (Json::Int(one), Json::Int(other)) => Some(one == other),
        (Json::Bool(one), Json::Bool(other)) => Some(one == other),
        _ => None,
    }
}

impl<'r> Known<'r> {
    fn enter(&mut self, term: Term<'r>) -> usize {
        self.terms.iter().position(|known| known.key == term.key).unwrap_or_else(|| {
            self.terms.push(term);
            self.terms.len() - 1
        })
    }
}
