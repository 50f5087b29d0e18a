//! The few things that most programs do with their words.

use super::words::Words;
use super::{Effects, Kind};

/// One thing that a program does.
pub(super) enum Act {
    /// To each operand from that place on.
    Operands(Kind, usize),
    /// To all that is below each operand from that place on.
    Trees(Kind, usize),
    /// To the first operand.
    First(Kind),
    /// To what options name: letters, long names.
    Values(Kind, &'static str, &'static [&'static str]),
    /// To what follows these words, which are options with one dash and many letters.
    After(Kind, &'static [&'static str]),
    /// To every path that a word holds, wherever: commands of an editor, scripts, addresses.
    Mentioned(Kind),
    /// Only with one of these options.
    With(&'static [&'static str], &'static [Act]),
    /// Only without all of these options.
    Without(&'static [&'static str], &'static [Act]),
    /// What takes more than a line to say.
    Special(fn(&Words<'_>, &mut Effects)),
}

/// Pieces of a text that are paths beyond doubt: from the root, from home, or from where one is.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split(|c: char| c.is_whitespace() || "'\"`,;:=()[]<>|&!".contains(c));
    pieces.filter(|piece| piece.len() > 1 && ["/", "~/", "./", "../", "$"].iter().any(|start| piece.starts_with(start)))
}

impl Act {
    /// Whether it may do more than look.
    pub(super) fn changes(&self) -> bool {
        match self {
            Self::Operands(kind, _)
            | Self::Trees(kind, _)
            | Self::First(kind)
            | Self::Mentioned(kind)
            | Self::Values(kind, ..)
            | Self::After(kind, _) => *kind != Kind::Reads,
            Self::With(_, acts) | Self::Without(_, acts) => acts.iter().any(Self::changes),
            Self::Special(_) => true,
        }
    }

    pub(super) fn perform(&self, words: &Words<'_>, effects: &mut Effects) {
        let operands = |from: usize| words.operands().get(from..).unwrap_or_default();
        match self {
            Self::Operands(kind, from) => {
                // `-` is the standard input or output, and an empty word is no file.
                for operand in operands(*from).iter().filter(|operand| !matches!(operand.as_str(), "-" | "")) {
                    effects.add(*kind, words.path(operand));
                }
            }
            Self::Trees(kind, from) => {
                for operand in operands(*from) {
                    effects.add_whole(*kind, &words.path(operand));
                }
            }
            Self::First(kind) => {
                effects.add(*kind, words.operands().first().map(|first| words.path(first)).unwrap_or_default());
            }
            Self::Values(kind, letters, longs) => {
                for value in words.values(letters, longs).into_iter().filter(|value| *value != "-") {
                    effects.add(*kind, words.path(value));
                }
            }
            Self::After(kind, options) => {
                words.after(options).for_each(|value| effects.add(*kind, words.path(value)));
            }
            Self::Mentioned(kind) => {
                let given = words.args.iter().map(String::as_str).chain(std::iter::once(words.input));
                for place in given.flat_map(mentioned) {
                    effects.add(*kind, words.path(place));
                }
            }
            Self::With(options, acts) if words.has(options) => acts.iter().for_each(|act| act.perform(words, effects)),
            Self::Without(options, acts) if !words.has(options) => {
                acts.iter().for_each(|act| act.perform(words, effects));
            }
            Self::With(..) | Self::Without(..) => {}
            Self::Special(act) => act(words, effects),
        }
    }
}
