//! A document as something to change.

use std::path::{Path, PathBuf};

use super::{file, tally};
use crate::act::Sums;
use crate::call::Call;
use crate::failure::{Attempt, Failure};
use crate::json::{Json, Many};
use crate::path;
use crate::program::Str;

/// Where a document is, for whoever changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub(super) name: Str,
    pub(super) file: PathBuf,
}

impl Target {
    /// The file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Replaces the whole text at once: a reader, or a crash, meets the old text or the new one.
    pub(crate) fn replace(&self, text: &str) -> Attempt<()> {
        file::replace(self.somewhere()?, &self.name, text)
    }

    /// Adds one line at the end, which parallel calls cannot tear apart.
    pub(crate) fn append_line(&self, line: &str) -> Attempt<()> {
        file::append_line(self.somewhere()?, &self.name, line)
    }

    /// Adds one line at the end, unless the last line already holds the text. Of parallel calls one adds it.
    pub(crate) fn append_new_line(&self, call: &Call<'_>, line: &str, known: &str) -> Attempt<()> {
        let file = self.somewhere()?;
        call.store().exclusively(&self.path(), || {
            let text = file::read(file, &self.name)?.unwrap_or_default();
            let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            if last.contains(known) { Ok(()) } else { file::append_line(file, &self.name, line) }
        })
    }

    /// Adds to numbers in a JSON file, which parallel calls cannot lose. The place is the way of keys to the record
    /// that holds them; what is not there yet starts at zero. A file of somebody else that holds something else stays as
    /// it is; one in the state folder is this catalog's own, and starts afresh like all damaged state.
    pub(crate) fn tally(&self, call: &Call<'_>, place: &[String], sums: &Sums) -> Attempt<()> {
        let file = self.somewhere()?;
        let place: Vec<&str> = place.iter().map(String::as_str).collect();
        let empty = || Json::Object(Many::Owned(Vec::new()));
        call.store().exclusively(&self.path(), || {
            let text = file::read(file, &self.name)?;
            let before = match text.as_deref().map(str::trim) {
                None | Some("") => Ok(empty()),
                Some(text) => Json::parse(text).map(Json::into_owned),
            };
            let after = before.and_then(|before| tally::changed(before, &place, sums)).or_else(|why| {
                let own = path::is_within(file, call.store().folder());
                if own { tally::changed(empty(), &place, sums) } else { Err(why) }
            });
            let after = after.map_err(|why| self.invalid(&why))?;
            file::replace(file, &self.name, &format!("{after}\n"))
        })
    }

    /// Deletes the file; one that is missing already is as good.
    pub(crate) fn remove(&self) -> Attempt<()> {
        if self.file.as_os_str().is_empty() { Ok(()) } else { file::remove(&self.file, &self.name) }
    }

    fn path(&self) -> String {
        crate::path::text(&self.file)
    }

    fn somewhere(&self) -> Attempt<&PathBuf> {
        if self.file.as_os_str().is_empty() {
            return Err(Failure::Document(format!("{} cannot be written: its path is empty", self.name)));
        }
        Ok(&self.file)
    }

    fn invalid(&self, why: &str) -> Failure {
        Failure::Document(format!("{} at `{}` cannot be read as JSON: {why}", self.name, self.file.display()))
    }
}
