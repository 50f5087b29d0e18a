//! A command's words, as the table of programs asks for them.

use std::borrow::Cow;

use super::Subject;
use crate::shell::options::{self, Shape};
use crate::shell::path;
use crate::shell::programs::option_values;

pub(super) struct Words<'c> {
    pub(super) name: &'c str,
    pub(super) args: &'c [String],
    /// The folder that the command runs in.
    pub(super) folder: &'c str,
    /// What it is given to read, where the line tells.
    pub(super) input: &'c str,
    shape: Cow<'c, Shape>,
}

impl<'c> Words<'c> {
    pub(super) fn new(subject: &Subject<'c>) -> Self {
        let Subject { name, args, folder, input, .. } = *subject;
        let shape = subject.shape.map_or_else(|| Cow::Owned(options::shape(name, args)), Cow::Borrowed);
        Self { name, args, folder, input, shape }
    }

    /// Words that are neither options nor their values.
    pub(super) fn operands(&self) -> &[String] {
        &self.shape.operands
    }

    pub(super) fn subcommand(&self) -> &str {
        &self.shape.subcommand
    }

    /// The operands after the subcommand.
    pub(super) fn rest(&self) -> &[String] {
        self.shape.rest()
    }

    /// Whether it has one of the options.
    pub(super) fn has(&self, options: &[&str]) -> bool {
        self.shape.options.iter().any(|option| options.contains(&option.as_str()))
    }

    /// The values of options, by letters and by long names.
    pub(super) fn values(&self, letters: &str, longs: &[&str]) -> Vec<&'c str> {
        option_values(self.args, letters, longs)
    }

    /// The words after each of these, which are options with one dash and many letters.
    pub(super) fn after(&self, options: &[&str]) -> impl Iterator<Item = &'c str> {
        let pairs = self.args.windows(2).filter_map(|pair| match pair {
            [option, value] if options.contains(&option.as_str()) => Some(value.as_str()),
            _ => None,
        });
        pairs.collect::<Vec<_>>().into_iter()
    }

    /// The word as a path from the folder that the command runs in.
    pub(super) fn path(&self, word: &str) -> String {
        path::join(self.folder, word)
    }
}

/// The last part of a path or an address, wherever it is.
pub(super) fn base(word: &str) -> &str {
    let path = word.split_once(':').filter(|_| is_remote(word)).map_or(word, |(_, path)| path);
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// Whether a copy goes to or comes from another machine: `host:path`.
pub(super) fn is_remote(word: &str) -> bool {
    word.split_once(':').is_some_and(|(host, _)| !host.is_empty() && !host.contains('/'))
}
