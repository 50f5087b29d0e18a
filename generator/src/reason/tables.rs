//! The rows of constant tables, and whatever is asked of them.

use hookgen_runtime::Json;
use hookgen_runtime::representation::{Access, Expr, Macro, Op, Representation, Text};

use super::formula::Formula;
use super::read::{Reader, Scope};

/// What a catalog asks of a list of a table.
pub struct Use<'r> {
    /// The table, by its place, and the way of keys to the list.
    pub table: usize,
    pub way: Vec<&'r str>,
    asked: Asked<'r>,
    hook: Option<usize>,
}

enum Asked<'r> {
    /// Whether a row is there of which this holds, or the first one.
    Search { slot: usize, body: &'r Expr, first: bool },
    /// Whether a word is there.
    Word,
    /// Anything for which every row may count.
    Whole,
}

/// A row, by its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row(pub usize);

impl<'r> Use<'r> {
    /// Whether it can be told that one row makes another one superfluous.
    pub fn is_search(&self) -> bool {
        !matches!(self.asked, Asked::Whole)
    }

    /// The hook that asks; none for what several share.
    pub fn hook(&self) -> Option<usize> {
        self.hook
    }

    /// The rows of the list that is asked.
    pub fn rows(&self, whole: &'r Representation) -> Option<&'r [Json<'static>]> {
        let table = whole.tables.get(self.table)?;
        match self.way.iter().try_fold(&table.value, |value, key| value.get(key))? {
            Json::List(rows) => Some(rows),
            _ => None,
        }
    }

    /// What a row asks for, where rows are searched for one of which something holds.
    pub fn holds(&self, reader: &Reader<'r>, row: &'r Json<'static>) -> Option<Formula> {
        match &self.asked {
            Asked::Search { slot, body, .. } => Some(reader.formula(body, &Scope::of(self.hook).row(*slot, row))),
            Asked::Word | Asked::Whole => None,
        }
    }

    /// Whether the row before or after makes no difference for this one, which is to be left out.
    pub fn is_covered(&self, reader: &Reader<'r>, rows: &'r [Json<'static>], row: Row, by: Row) -> Option<Formula> {
        let (one, other) = (rows.get(row.0)?, rows.get(by.0)?);
        match &self.asked {
            Asked::Whole => None,
            Asked::Word => (one == other).then_some(Formula::Known(true)),
            Asked::Search { first, .. } => {
                if *first && by.0 > row.0 {
                    return None;
                }
                let (holds, covers) = (self.holds(reader, one)?, self.holds(reader, other)?);
                let apart = Formula::all([holds.clone(), covers.negated()]);
                (reader.never(&apart) && !reader.never(&holds)).then_some(holds)
            }
        }
    }
}

/// All that is asked of all tables.
pub fn uses(whole: &Representation) -> Vec<Use<'_>> {
    let mut found = Vec::new();
    for (hook, text) in texts(whole) {
        asked(&text.value, hook, &mut found);
    }
    found
}

fn asked<'r>(expr: &'r Expr, hook: Option<usize>, found: &mut Vec<Use<'r>>) {
    if let Some((table, way)) = way(expr) {
        found.push(Use { table, way, asked: Asked::Whole, hook });
        return;
    }
    let search = match &expr.op {
        Op::Macro { kind: kind @ (Macro::Exists | Macro::First), list, slot, body, .. } => {
            // Inside of another search, whatever that one has found is a name of which nothing is known.
            Some((&**list, Asked::Search { slot: *slot, body, first: *kind == Macro::First }, &**body))
        }
        Op::Among(sides) => Some((&sides[1], Asked::Word, &sides[0])),
        _ => None,
    };
    if let Some((list, how, rest)) = search
        && let Some((table, way)) = way(list)
    {
        found.push(Use { table, way, asked: how, hook });
        return asked(rest, hook, found);
    }
    expr.children().into_iter().for_each(|child| asked(child, hook, found));
}

/// The table and the keys that an expression names, if it does nothing else.
fn way(expr: &Expr) -> Option<(usize, Vec<&str>)> {
    match &expr.op {
        Op::Table(place) => Some((*place, Vec::new())),
        Op::Read(of) => way(of),
        Op::Access(of, Access::Field(name)) => {
            let (table, mut keys) = way(of)?;
            keys.push(name);
            Some((table, keys))
        }
        _ => None,
    }
}

/// Every text of the catalog, with the hook whose it is.
fn texts(whole: &Representation) -> Vec<(Option<usize>, &Text)> {
    let mut texts: Vec<(Option<usize>, &Text)> = Vec::new();
    texts.extend(whole.config_file.iter().chain(&whole.dev_mode_file).map(|text| (None, text)));
    texts.extend(whole.facts.iter().map(|fact| (None, &fact.text)));
    texts.extend(whole.messages.iter().map(|message| (None, &message.text)));
    texts.extend(whole.documents.iter().map(|document| (document.owner, &document.path)));
    for (place, hook) in whole.hooks.iter().enumerate() {
        let own = Some(place);
        texts.extend(hook.gate.iter().map(|text| (own, text)));
        texts.extend(hook.lets.iter().map(|definition| (own, &definition.text)));
        for check in &hook.checks {
            texts.extend(check.when.iter().map(|text| (own, text)));
            for effect in &check.effects {
                texts.extend(effect.worked_at().into_iter().map(|(_, text)| (own, text)));
                texts.extend(effect.said().into_iter().map(|text| (own, text)));
            }
        }
    }
    texts
}
