//! Values as jq and Python see them: parts of the event, and what is made of them.

use super::path::Subject;
use super::value::{Condition, Example, Piece, Read, Root, Test, Text};
use crate::model::Type;

/// A value, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    /// A part of the event; without a path, the event.
    Event(Vec<String>),
    Text(Text),
    Truth(Condition),
    Null,
    Number(f64),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
    /// A pattern that Python has compiled.
    Pattern {
        flags: String,
        regex: String,
    },
}

impl Json {
    /// The value as it is to be taken: a part of the event that is a text is a text.
    pub(super) fn plain(self, subject: &Subject<'_>) -> Self {
        let Self::Event(path) = &self else { return self };
        match subject.kind(path) {
            Some(Type::Text) => Self::Text(Text::read(Read::field(path))),
            Some(Type::Bool) => {
                let examples = vec![Example { root: Root::Truth(path.clone()), text: "true".to_owned() }];
                Self::Truth(Condition::Test(Test { cel: path.join("."), examples }))
            }
            Some(Type::Any) => {
                let read = Read { cel: format!("string({})", path.join(".")), ..Read::field(path) };
                Self::Text(Text::read(read))
            }
            None if !path.is_empty() => Self::Null,
            _ => self,
        }
    }

    pub(super) fn field(&self, name: &str) -> Option<Self> {
        match self {
            Self::Event(path) => Some(Self::Event(path.iter().cloned().chain([name.to_owned()]).collect())),
            Self::Object(fields) => {
                Some(fields.iter().find(|(key, _)| key == name).map_or(Self::Null, |(_, value)| value.clone()))
            }
            Self::Null => Some(Self::Null),
            _ => None,
        }
    }

    /// The value as text: what `jq -r` and `str()` make of it.
    pub(super) fn text(&self, subject: &Subject<'_>) -> Option<Text> {
        match self.clone().plain(subject) {
            Self::Text(text) => Some(text),
            Self::Null => Some(Text::default()),
            Self::Number(number) => Some(Text::known(number.to_string())),
            Self::Truth(Condition::Known(truth)) => Some(Text::known(truth.to_string())),
            _ => None,
        }
    }

    /// Whether it counts as true: in jq all but `false` and null, in Python also not what is empty. The two meet in that
    /// what the event does not have is empty.
    pub(super) fn truth(&self, subject: &Subject<'_>, empty_is_false: bool) -> Option<Condition> {
        Some(match self.clone().plain(subject) {
            Self::Truth(condition) => condition,
            Self::Null => Condition::Known(false),
            Self::Text(text) => match text.literal() {
                Some(text) => Condition::Known(!text.is_empty() || !empty_is_false),
                None => text.is_empty().not(),
            },
            Self::Number(number) => Condition::Known(number != 0.0 || !empty_is_false),
            Self::List(items) => Condition::Known(!items.is_empty() || !empty_is_false),
            Self::Object(fields) => Condition::Known(!fields.is_empty() || !empty_is_false),
            Self::Event(_) | Self::Pattern { .. } => return None,
        })
    }

    pub(super) fn equals(&self, other: &Self, subject: &Subject<'_>) -> Option<Condition> {
        match (self.clone().plain(subject), other.clone().plain(subject)) {
            (Self::Text(one), Self::Text(two)) => Some(one.equals(&two)),
            (Self::Text(text), Self::Null) | (Self::Null, Self::Text(text)) => Some(text.is_empty()),
            (Self::Truth(one), Self::Truth(Condition::Known(truth)))
            | (Self::Truth(Condition::Known(truth)), Self::Truth(one)) => Some(if truth { one } else { one.not() }),
            (Self::Number(one), Self::Number(two)) => Some(Condition::Known((one - two).abs() < f64::EPSILON)),
            (Self::Null, Self::Null) => Some(Condition::Known(true)),
            (Self::Null, _) | (_, Self::Null) => Some(Condition::Known(false)),
            _ => None,
        }
    }

    /// The value written as JSON.
    pub(super) fn written(&self, subject: &Subject<'_>) -> Option<Text> {
        let mut out = Text::default();
        match self.clone().plain(subject) {
            Self::Text(text) => match text.literal() {
                Some(text) => out = out.with(&serde_json::Value::from(text).to_string()),
                None => out.push(&Text(vec![Piece::Json(text)])),
            },
            Self::Null => out = Text::known("null"),
            Self::Number(number) => out = Text::known(number.to_string()),
            Self::Truth(Condition::Known(truth)) => out = Text::known(truth.to_string()),
            Self::Object(fields) => {
                out = out.with("{");
                for (place, (key, value)) in fields.iter().enumerate() {
                    out = out
                        .with(if place > 0 { "," } else { "" })
                        .with(&serde_json::Value::from(key.as_str()).to_string());
                    out = out.with(":");
                    out.push(&value.written(subject)?);
                }
                out = out.with("}");
            }
            Self::List(items) => {
                out = out.with("[");
                for (place, item) in items.iter().enumerate() {
                    out = out.with(if place > 0 { "," } else { "" });
                    out.push(&item.written(subject)?);
                }
                out = out.with("]");
            }
            Self::Truth(_) | Self::Event(_) | Self::Pattern { .. } => return None,
        }
        Some(out)
    }
}
