//! Rows and words of constant tables, each left out.

use hookgen_runtime::representation::{Access, Expr, Macro, Op, Patch, Table, Type};
use hookgen_runtime::{Json, Many};

use super::super::atlas::{Owner, gone};
use super::super::coverage::one_line;
use super::super::recorder::{Instead, Thing};
use super::tree::{placed, ways};
use super::{Mutant, Reach, Trial};
use crate::document::Pointer;

/// A step into a table.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
    /// One that is only known when it is taken.
    Any,
}

/// Where an expression asks for a part of a table.
struct Use {
    /// The way to the part.
    part: Vec<Step>,
    /// The text's whole expression, and the way in it to what names the part.
    whole: &'static Expr,
    at: Vec<usize>,
}

impl Trial<'_> {
    pub(super) fn rows_of_table(&self, place: usize, mutants: &mut Vec<Mutant>) -> anyhow::Result<()> {
        let table: &'static Table = self.archive.table(place).map_err(gone)?;
        let reach = self.users(&|op| matches!(op, Op::Table(known) if *known == place))?;
        if reach.is_empty() {
            return Ok(());
        }
        let uses = self.uses(place)?;
        let root = Pointer::root().key("data").key(&table.name);
        let mut found = Vec::new();
        lists(&table.value, &mut Vec::new(), &mut found);
        for (way, list) in found {
            for (number, row) in list.iter().enumerate().filter(|_| list.len() > 1) {
                let mut way: Vec<Step> = way.clone();
                way.push(Step::Index(number));
                let row = row.to_string();
                mutants.push(Mutant {
                    owner: Owner::Shared,
                    what: format!("{} left out", one_line(&row)),
                    pointer: way.iter().fold(root.clone(), |pointer, step| match step {
                        Step::Key(key) => pointer.key(key),
                        Step::Index(index) => pointer.index(*index),
                        Step::Any => pointer,
                    }),
                    range: None,
                    written: None,
                    reach: Reach::Spots(reach.clone()),
                    must_hold: None,
                    body: None,
                    instead: instead(table, &uses, &way).unwrap_or_default(),
                    hint: row.trim_matches('"').to_owned(),
                    make: Box::new(move || {
                        let mut changed = table.clone();
                        without(&mut changed.value, &way)?;
                        Some(Patch::Table(place, changed))
                    }),
                });
            }
        }
        Ok(())
    }

    /// Every place where a part of the table is asked for.
    fn uses(&self, place: usize) -> anyhow::Result<Vec<Use>> {
        let mut uses = Vec::new();
        for sited in super::site::sites(&self.outline, self.archive, self.document)? {
            let whole = &sited.text.value;
            let mut inner: Vec<Vec<usize>> = Vec::new();
            for (at, expr) in ways(whole) {
                // What names a part holds what names the parts above it, as its first child.
                if inner.iter().any(|above| is_spine(above, &at)) {
                    continue;
                }
                if let Some(part) = part_of(expr, place) {
                    inner.push(at.clone());
                    uses.push(Use { part, whole, at });
                }
            }
        }
        Ok(uses)
    }
}

fn is_spine(above: &[usize], at: &[usize]) -> bool {
    at.strip_prefix(above).is_some_and(|rest| rest.iter().all(|step| *step == 0))
}

/// The part of the table that an expression names.
fn part_of(expr: &Expr, place: usize) -> Option<Vec<Step>> {
    match &expr.op {
        Op::Table(known) => (*known == place).then(Vec::new),
        Op::Read(of) => part_of(of, place),
        Op::Access(of, access) => {
            let mut part = part_of(of, place)?;
            part.push(match access {
                Access::Field(name) => Step::Key(name.clone()),
                Access::Key(_) | Access::Element(_) => Step::Any,
            });
            Some(part)
        }
        _ => None,
    }
}

/// What stands where the table is used if the row at the end of the way is left out. `None` where that cannot be said of
/// one of the uses.
fn instead(table: &'static Table, uses: &[Use], way: &[Step]) -> Option<Vec<Instead>> {
    let mut found = Vec::new();
    for one in uses {
        let mut shared = one.part.iter().zip(way);
        if shared.any(|(part, step)| matches!(part, Step::Key(_)) && part != step) {
            continue;
        }
        let list_at = way.get(..one.part.len())?;
        let Json::List(rows) = list_at.iter().try_fold(&table.value, |value, step| inside(value, step))? else {
            return None;
        };
        let (Step::Index(number), deeper) = way.get(one.part.len()..)?.split_first()? else { return None };
        let row = rows.get(*number)?;
        found.push(match (one.asks_each_row(), deeper) {
            (true, []) => Instead::Nothing(Thing::row(row)),
            (true, deeper) => {
                let mut changed: Json<'static> = row.clone();
                without(&mut changed, deeper)?;
                Instead::Row(Thing::row(row), Box::leak(Box::new(changed)))
            }
            (false, []) => {
                one.with(rows.iter().enumerate().filter(|(place, _)| place != number).map(|(_, row)| row))?
            }
            (false, _) => return None,
        });
    }
    Some(found)
}

impl Use {
    /// The expressions that hold what names the part, the next one last, each with the way to it.
    fn above(&self) -> Vec<(&[usize], &'static Expr)> {
        let ways = (0..self.at.len()).filter_map(|length| self.at.get(..length));
        ways.filter_map(|way| Some((way, placed(self.whole, way)?))).collect()
    }

    /// Whether one row after the other is asked whether it fits, and those that do not make no difference.
    fn asks_each_row(&self) -> bool {
        let is = |step: usize| self.at.last() == Some(&step);
        self.above().last().is_some_and(|(_, above)| match &above.op {
            Op::Macro { kind, .. } => {
                matches!(kind, Macro::Exists | Macro::ExistsOne | Macro::Filter | Macro::First) && is(0)
            }
            Op::Among(_) => is(1),
            _ => false,
        })
    }

    /// The next expression around it that is no list, with these rows alone.
    fn with<'j>(&self, rows: impl Iterator<Item = &'j Json<'static>>) -> Option<Instead> {
        let named = placed(self.whole, &self.at)?;
        if named.ty != Type::Text.list() {
            return None;
        }
        let text = |row: &Json<'static>| match row {
            Json::Text(word) => Some(Expr { op: Op::Text(word.to_string()), ty: Type::Text, span: named.span }),
            _ => None,
        };
        let list = Expr { op: Op::List(rows.map(text).collect::<Option<_>>()?), ..named.clone() };
        let above = self.above();
        let (way, around) =
            above.iter().rev().find(|(_, above)| !matches!(above.ty, Type::List(_))).or(above.first())?;
        let mut changed = (*around).clone();
        super::tree::put(&mut changed, self.at.get(way.len()..)?, &list)?;
        Some(Instead::Expr(Thing::expr(around), Box::leak(Box::new(changed))))
    }
}

/// Every list of a table, with the way to it.
fn lists<'j>(value: &'j Json<'static>, way: &mut Vec<Step>, found: &mut Vec<(Vec<Step>, &'j [Json<'static>])>) {
    match value {
        Json::List(items) => {
            found.push((way.clone(), items));
            for (number, item) in items.iter().enumerate() {
                way.push(Step::Index(number));
                lists(item, way, found);
                way.pop();
            }
        }
        Json::Object(fields) => {
            for (name, field) in fields.iter() {
                way.push(Step::Key(name.to_string()));
                lists(field, way, found);
                way.pop();
            }
        }
        _ => {}
    }
}

fn inside<'j>(value: &'j Json<'static>, step: &Step) -> Option<&'j Json<'static>> {
    match (value, step) {
        (Json::List(items), Step::Index(index)) => items.get(*index),
        (Json::Object(_), Step::Key(key)) => value.get(key),
        _ => None,
    }
}

/// Takes the row at the end of a way out of its list.
fn without(value: &mut Json<'static>, way: &[Step]) -> Option<()> {
    match (value, way) {
        (Json::List(Many::Owned(items)), [Step::Index(last)]) if *last < items.len() => {
            items.remove(*last);
            Some(())
        }
        (Json::List(Many::Owned(items)), [Step::Index(next), rest @ ..]) => without(items.get_mut(*next)?, rest),
        (Json::Object(Many::Owned(fields)), [Step::Key(key), rest @ ..]) => {
            without(fields.iter_mut().find(|(name, _)| name == key).map(|(_, field)| field)?, rest)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use hookgen_runtime::representation::Span;

    use super::*;

    #[test]
    fn a_word_deep_in_a_table_is_taken_out() {
        let mut table = Json::parse(r#"{"rows":[{"words":["a","b"]},{"words":["c"]}]}"#).expect("JSON");
        let mut found = Vec::new();
        lists(&table, &mut Vec::new(), &mut found);
        assert_eq!(found.len(), 3);
        let way = [Step::Key("rows".to_owned()), Step::Index(0), Step::Key("words".to_owned()), Step::Index(1)];
        assert!(without(&mut table, &way).is_some());
        assert_eq!(table.to_string(), r#"{"rows":[{"words":["a"]},{"words":["c"]}]}"#);
        assert!(without(&mut table, &[Step::Index(0)]).is_none());
    }

    #[test]
    fn a_part_is_named_by_fields_and_by_keys_that_are_worked_out() {
        let of = |op| Expr { op, ty: Type::Node, span: Span::default() };
        let field = of(Op::Access(Box::new(of(Op::Table(2))), Access::Field("names".to_owned())));
        let key = of(Op::Access(Box::new(field.clone()), Access::Key(Box::new(of(Op::Table(3))))));
        let names = Step::Key("names".to_owned());
        assert_eq!(part_of(&of(Op::Read(Box::new(field))), 2), Some(vec![names.clone()]));
        assert_eq!(part_of(&key, 2), Some(vec![names, Step::Any]));
        assert_eq!((part_of(&key, 3), part_of(&of(Op::Null), 2)), (None, None));
        assert!(is_spine(&[1], &[1, 0, 0]) && !is_spine(&[1], &[1, 0, 1]) && !is_spine(&[1], &[0]));
    }
}
