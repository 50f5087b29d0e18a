//! What follows from a check, as data.
//!
//! An effect is declared once, for both of its forms. In the compiler's model it names documents, and its texts are those of
//! the catalog; here it has places and expressions. To lower one is to turn its parts into others.

use serde::{Deserialize, Serialize};

use super::{Expr, Text};
use crate::verdict::Decision;

/// What a check does. At most one of a check's effects decides, and it comes last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Effect<Document = usize, Spend = usize, Said = Text, Worked = Text> {
    /// Draws on counters, all or none. What came of it is known to later checks, so it happens at once.
    Spend {
        /// Where later checks find the result, among the hook's spends.
        spend: Spend,
        /// What makes two calls the same call.
        key: Option<Worked>,
        /// What the counters count for that have a count for each.
        per: Option<Worked>,
        /// The counters and their limits.
        from: Vec<Limit<Worked>>,
    },
    /// Starts counters again from zero.
    Reset(Vec<Named<Worked>>),
    /// Keeps something in mind for the rest of the session.
    Remember(Said),
    /// Notes a text under a name for the rest of the session.
    Note {
        /// The name.
        name: String,
        /// The text.
        text: Said,
    },
    /// Forgets what was remembered or noted.
    Forget {
        /// What was remembered.
        remembered: Option<Said>,
        /// The names of notes.
        noted: Vec<String>,
    },
    /// Records that something has happened.
    Record(Vec<Named<Worked>>),
    /// Replaces a document.
    Write {
        /// The document.
        document: Document,
        /// Its new text.
        text: Said,
    },
    /// Adds a line to a document.
    Append {
        /// The document.
        document: Document,
        /// The line.
        line: Said,
        /// What makes the line superfluous if the last one already holds it.
        unless: Option<Said>,
    },
    /// Adds to numbers in a JSON document.
    Tally {
        /// The document.
        document: Document,
        /// The way of keys to the record that holds the numbers.
        at: Worked,
        /// The numbers.
        add: Vec<Sum<Worked>>,
        /// What gets a new value.
        set: Vec<(String, Said)>,
    },
    /// Removes a document.
    Delete {
        /// The document.
        document: Document,
    },
    /// Sets an environment variable for the rest of the session.
    Export {
        /// The variable.
        name: String,
        /// Its value.
        value: Said,
    },
    /// Tells somebody by a program: its name and its arguments.
    Notify(Vec<Said>),
    /// Leaves a line in the decision log.
    Log(Said),
    /// Tells the person.
    Warn(Said),
    /// Tells the model.
    Inject(Said),
    /// Tells both the same.
    Advise(Said),
    /// Tells the model what is wrong with what the tool just did.
    Feedback(Said),
    /// Replaces fields of the tool's input.
    Rewrite(Vec<(String, Said)>),
    /// Decides and ends the hook.
    Decide(Decision, Said),
}

/// A counter and how far it may go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limit<Worked = Text> {
    /// The counter.
    pub counter: String,
    /// Whether it has a count for each.
    pub apart: bool,
    /// Its limit.
    pub limit: Worked,
}

/// A counter or a name of the history, as a whole or for one key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Named<Worked = Text> {
    /// Its name.
    pub name: String,
    /// The key.
    pub per: Option<Worked>,
}

/// A number and how much is added to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sum<Worked = Text> {
    /// The number.
    pub name: String,
    /// How much is added.
    pub more: Worked,
}

/// A text that expressions are in.
pub trait Holds {
    /// What these are.
    type Expr;

    /// All of them.
    fn held(&self) -> Vec<&Self::Expr>;
}

impl Holds for Text {
    type Expr = Expr;

    fn held(&self) -> Vec<&Expr> {
        vec![&self.value]
    }
}

/// How the parts of an effect become those of another form.
pub trait Change<Document, Spend, Said, Worked> {
    /// A document there.
    type Document;
    /// The result of a spend there.
    type Spend;
    /// A text there.
    type Said;
    /// A value there.
    type Worked;
    /// Why there is none.
    type Error;

    /// The document.
    fn document(&self, document: &Document) -> Result<Self::Document, Self::Error>;
    /// The result of a spend.
    fn spend(&self, spend: &Spend) -> Result<Self::Spend, Self::Error>;
    /// What is said.
    fn said(&self, said: &Said) -> Result<Self::Said, Self::Error>;
    /// What is worked out.
    fn worked(&self, worked: &Worked) -> Result<Self::Worked, Self::Error>;
}

/// An effect in the form that a change gives it.
type Changed<C, D, S, T, V> = Result<
    Effect<
        <C as Change<D, S, T, V>>::Document,
        <C as Change<D, S, T, V>>::Spend,
        <C as Change<D, S, T, V>>::Said,
        <C as Change<D, S, T, V>>::Worked,
    >,
    <C as Change<D, S, T, V>>::Error,
>;

impl<D, S, T, V> Effect<D, S, T, V> {
    /// The same effect in another form.
    pub fn changed<C: Change<D, S, T, V>>(&self, how: &C) -> Changed<C, D, S, T, V> {
        Ok(match self {
            Self::Spend { spend, key, per, from } => Effect::Spend {
                spend: how.spend(spend)?,
                key: key.as_ref().map(|key| how.worked(key)).transpose()?,
                per: per.as_ref().map(|per| how.worked(per)).transpose()?,
                from: from
                    .iter()
                    .map(|one| {
                        Ok(Limit { counter: one.counter.clone(), apart: one.apart, limit: how.worked(&one.limit)? })
                    })
                    .collect::<Result<_, C::Error>>()?,
            },
            Self::Reset(counters) => Effect::Reset(keyed(counters, how)?),
            Self::Forget { remembered, noted } => Effect::Forget {
                remembered: remembered.as_ref().map(|what| how.said(what)).transpose()?,
                noted: noted.clone(),
            },
            Self::Record(names) => Effect::Record(keyed(names, how)?),
            Self::Notify(line) => {
                Effect::Notify(line.iter().map(|word| how.said(word)).collect::<Result<_, C::Error>>()?)
            }
            Self::Remember(what) => Effect::Remember(how.said(what)?),
            Self::Note { name, text } => Effect::Note { name: name.clone(), text: how.said(text)? },
            Self::Write { document, text } => {
                Effect::Write { document: how.document(document)?, text: how.said(text)? }
            }
            Self::Append { document, line, unless } => Effect::Append {
                document: how.document(document)?,
                line: how.said(line)?,
                unless: unless.as_ref().map(|unless| how.said(unless)).transpose()?,
            },
            Self::Tally { document, at, add, set } => Effect::Tally {
                document: how.document(document)?,
                at: how.worked(at)?,
                add: add
                    .iter()
                    .map(|sum| Ok(Sum { name: sum.name.clone(), more: how.worked(&sum.more)? }))
                    .collect::<Result<_, C::Error>>()?,
                set: named(set, how)?,
            },
            Self::Delete { document } => Effect::Delete { document: how.document(document)? },
            Self::Export { name, value } => Effect::Export { name: name.clone(), value: how.said(value)? },
            Self::Log(line) => Effect::Log(how.said(line)?),
            Self::Warn(text) => Effect::Warn(how.said(text)?),
            Self::Inject(text) => Effect::Inject(how.said(text)?),
            Self::Advise(text) => Effect::Advise(how.said(text)?),
            Self::Feedback(text) => Effect::Feedback(how.said(text)?),
            Self::Rewrite(fields) => Effect::Rewrite(named(fields, how)?),
            Self::Decide(decision, reason) => Effect::Decide(*decision, how.said(reason)?),
        })
    }

    /// The key by which catalogs ask for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Spend { .. } => "spend",
            Self::Reset(_) => "reset",
            Self::Remember(_) => "remember",
            Self::Note { .. } => "note",
            Self::Forget { .. } => "forget",
            Self::Record(_) => "record",
            Self::Notify(_) => "notify",
            Self::Write { .. } => "write",
            Self::Append { .. } => "append",
            Self::Tally { .. } => "tally",
            Self::Delete { .. } => "delete",
            Self::Export { .. } => "export",
            Self::Log(_) => "log",
            Self::Warn(_) => "warn",
            Self::Inject(_) => "inject",
            Self::Advise(_) => "advise",
            Self::Feedback(_) => "feedback",
            Self::Rewrite(_) => "rewrite",
            Self::Decide(Decision::Deny, _) => "deny",
            Self::Decide(Decision::Ask, _) => "ask",
            Self::Decide(Decision::Allow, _) => "allow",
            Self::Decide(Decision::Pass, _) => "pass",
        }
    }

    /// Whether it ends the hook.
    pub fn decides(&self) -> bool {
        matches!(self, Self::Decide(..))
    }

    /// The document that it changes.
    pub fn document(&self) -> Option<&D> {
        match self {
            Self::Write { document, .. }
            | Self::Append { document, .. }
            | Self::Tally { document, .. }
            | Self::Delete { document } => Some(document),
            _ => None,
        }
    }

    /// The program by which it tells somebody.
    pub fn notifier(&self) -> Option<&T> {
        if let Self::Notify(line) = self { line.first() } else { None }
    }

    /// The texts that it carries, in the order in which they are worked out.
    pub fn said(&self) -> Vec<&T> {
        match self {
            Self::Spend { .. } | Self::Reset(_) | Self::Record(_) | Self::Delete { .. } => Vec::new(),
            Self::Append { line, unless, .. } => std::iter::once(line).chain(unless).collect(),
            Self::Forget { remembered, .. } => remembered.iter().collect(),
            Self::Notify(line) => line.iter().collect(),
            Self::Tally { set: named, .. } | Self::Rewrite(named) => named.iter().map(|(_, text)| text).collect(),
            Self::Remember(text)
            | Self::Note { text, .. }
            | Self::Write { text, .. }
            | Self::Export { value: text, .. }
            | Self::Log(text)
            | Self::Warn(text)
            | Self::Inject(text)
            | Self::Advise(text)
            | Self::Feedback(text)
            | Self::Decide(_, text) => vec![text],
        }
    }
}

/// Where a part of an effect is written, from the effect's own key on.
pub type Way<'e> = Vec<Step<'e>>;

/// One step of such a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'e> {
    /// Into a mapping.
    Key(&'e str),
    /// Into a list.
    Place(usize),
}

fn way<const N: usize>(keys: [&str; N]) -> Way<'_> {
    keys.map(Step::Key).to_vec()
}

impl<D, S, T, V> Effect<D, S, T, V> {
    /// The texts that it carries, with where they are written.
    pub fn said_at(&self) -> Vec<(Way<'_>, &T)> {
        let ways: Vec<Way<'_>> = match self {
            Self::Write { .. } => vec![way(["text"])],
            Self::Append { .. } => vec![way(["line"]), way(["unless"])],
            Self::Forget { .. } => vec![way(["remembered"])],
            Self::Notify(line) => (0..line.len()).map(|place| vec![Step::Place(place)]).collect(),
            Self::Tally { set, .. } => set.iter().map(|(name, _)| way(["set", name])).collect(),
            Self::Note { name, .. } | Self::Export { name, .. } => vec![way([name])],
            Self::Rewrite(fields) => fields.iter().map(|(name, _)| way([name])).collect(),
            _ => vec![Vec::new()],
        };
        ways.into_iter().zip(self.said()).collect()
    }

    /// The values that it is worked out from beside its texts, with where they are written.
    pub fn worked_at(&self) -> Vec<(Way<'_>, &V)> {
        match self {
            Self::Spend { key, per, from, .. } => {
                let limits = from.iter().map(|one| (way(["from", &one.counter]), &one.limit));
                let keys = key.iter().map(|key| (way(["key"]), key));
                keys.chain(per.iter().map(|per| (way(["per"]), per))).chain(limits).collect()
            }
            Self::Reset(names) | Self::Record(names) => {
                names.iter().filter_map(|one| Some((way([&one.name]), one.per.as_ref()?))).collect()
            }
            Self::Tally { at, add, .. } => {
                let sums = add.iter().map(|sum| (way(["add", &sum.name]), &sum.more));
                std::iter::once((way(["at"]), at)).chain(sums).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Effect {
    /// What it is worked out from, to be changed: values in the order of `worked_at`, then texts in that of `said_at`.
    pub fn texts_mut(&mut self) -> Vec<&mut Text> {
        match self {
            Self::Spend { key, per, from, .. } => {
                key.iter_mut().chain(per).chain(from.iter_mut().map(|one| &mut one.limit)).collect()
            }
            Self::Reset(names) | Self::Record(names) => names.iter_mut().filter_map(|one| one.per.as_mut()).collect(),
            Self::Forget { remembered, .. } => remembered.iter_mut().collect(),
            Self::Notify(line) => line.iter_mut().collect(),
            Self::Delete { .. } => Vec::new(),
            Self::Append { line, unless, .. } => std::iter::once(line).chain(unless).collect(),
            Self::Tally { at, add, set, .. } => {
                let sums = add.iter_mut().map(|sum| &mut sum.more);
                std::iter::once(at).chain(sums).chain(set.iter_mut().map(|(_, value)| value)).collect()
            }
            Self::Rewrite(fields) => fields.iter_mut().map(|(_, text)| text).collect(),
            Self::Remember(text)
            | Self::Write { text, .. }
            | Self::Note { text, .. }
            | Self::Export { value: text, .. }
            | Self::Log(text)
            | Self::Warn(text)
            | Self::Inject(text)
            | Self::Advise(text)
            | Self::Feedback(text)
            | Self::Decide(_, text) => vec![text],
        }
    }
}

impl<D, S, T: Holds, V: Holds<Expr = T::Expr>> Effect<D, S, T, V> {
    /// The expressions that it is worked out from.
    pub fn expressions(&self) -> Vec<&T::Expr> {
        let worked = self.worked_at().into_iter().flat_map(|(_, worked)| worked.held());
        worked.chain(self.said().into_iter().flat_map(Holds::held)).collect()
    }
}

fn keyed<D, S, T, V, C: Change<D, S, T, V>>(names: &[Named<V>], how: &C) -> Result<Vec<Named<C::Worked>>, C::Error> {
    let changed = names
        .iter()
        .map(|one| Ok(Named { name: one.name.clone(), per: one.per.as_ref().map(|per| how.worked(per)).transpose()? }));
    changed.collect()
}

fn named<D, S, T, V, C: Change<D, S, T, V>>(
    fields: &[(String, T)],
    how: &C,
) -> Result<Vec<(String, C::Said)>, C::Error> {
    fields.iter().map(|(name, text)| Ok((name.clone(), how.said(text)?))).collect()
}
