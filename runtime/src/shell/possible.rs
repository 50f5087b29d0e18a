//! What a line may run besides what it certainly runs. It is walked like everything else, with a mark.

use super::effects;
use super::field::{Field, HOLE, HOLE_END};
use super::flow::Flow;
use super::programs::SHELLS;
use super::simple::name_of;
use super::walk::Walker;

/// Words of an unknown program that are tried as commands.
const MOST_GUESSES: usize = 2;

/// Programs that always print something, so that what they are substituted for is never empty.
const ALWAYS_PRINTING: &[&str] = &[
    "mktemp",
    "pwd",
    "dirname",
    "basename",
    "realpath",
    "readlink",
    "date",
    "id",
    "whoami",
    "hostname",
    "uname",
    "nproc",
    "git",
    "cat",
    "printf",
    "echo",
    "go",
    "brew",
    "npm",
    "python",
    "python3",
    "node",
    "ruby",
    "xcode-select",
    "getconf",
];

impl Walker<'_> {
    /// A program that nobody knows may run the command that its later words are.
    pub(super) fn guess(&mut self, name: &str, args: &[Field]) {
        if !self.guess.is_empty() || effects::is_known(name) {
            return;
        }
        let mut tried = 0;
        for (at, arg) in args.iter().enumerate() {
            if tried >= MOST_GUESSES {
                break;
            }
            let rest = args.get(at..).unwrap_or_default();
            if arg.text.contains(' ') {
                // `--exec='ls a'`
                let value = arg.text.split_once('=').filter(|(option, _)| option.starts_with("--"));
                let line = value.map_or(arg.text.as_str(), |(_, value)| value);
                let first = line.split_ascii_whitespace().next().unwrap_or_default();
                if is_of_consequence(&Field::known(first)) {
                    tried += 1;
                    self.possibly("text", |walker| drop(walker.inner_script(name, line)));
                }
            } else if rest.len() > 1 && is_of_consequence(arg) {
                tried += 1;
                self.possibly("wrapper", |walker| drop(walker.inner_command(name, rest)));
            }
        }
    }

    /// The same command, if what the line does not set is empty.
    pub(super) fn with_nothing_for_unknown(&mut self, name: &str, fields: &[Field], flow: &Flow) {
        if !self.guess.is_empty() || name.is_empty() || !fields.iter().any(|field| field.text.contains(HOLE)) {
            return;
        }
        let emptied: Vec<Option<Field>> = fields.iter().map(|field| self.emptied(field)).collect();
        if emptied.iter().all(Option::is_none) {
            return;
        }
        let words: Vec<Field> =
            fields.iter().zip(emptied).map(|(field, emptied)| emptied.unwrap_or_else(|| field.clone())).collect();
        let words: Vec<Field> = words.into_iter().filter(|word| !word.text.is_empty()).collect();
        self.possibly("empty", |walker| {
            let flow = Flow { redirects: flow.redirects.clone(), ..Flow::default() };
            walker.apart(|walker| walker.run(words, &flow));
        });
    }

    /// The word without what may be empty; `None` if nothing in it may.
    fn emptied(&self, field: &Field) -> Option<Field> {
        let mut text = String::new();
        let mut rest = field.text.as_str();
        let mut changed = false;
        while let Some((before, after)) = rest.split_once(HOLE) {
            let (hole, behind) = after.split_once(HOLE_END)?;
            text.push_str(before);
            if let Some(otherwise) = self.absent.get(hole) {
                text.push_str(&otherwise.text);
                changed = true;
            } else if hole.starts_with("$(") && self.may_print_nothing(hole) {
                changed = true;
            } else {
                text.push_str(HOLE);
                text.push_str(hole);
                text.push_str(HOLE_END);
            }
            rest = behind;
        }
        text.push_str(rest);
        changed.then(|| Field { text, glob: field.glob, origins: field.origins.clone() })
    }

    fn may_print_nothing(&self, hole: &str) -> bool {
        // `$(NAME)` is a variable of make.
        let inner = hole.trim_start_matches("$(").trim_end_matches(')');
        let of_make = inner.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        let origins = self.origins.get(hole).map(Vec::as_slice).unwrap_or_default();
        !of_make && !origins.is_empty() && !origins.iter().any(|name| ALWAYS_PRINTING.contains(&name.as_str()))
    }

    /// Walks something that may run, without a trace on what does.
    pub(super) fn possibly(&mut self, why: &'static str, walk: impl FnOnce(&mut Self)) {
        let direct = self.direct.clone();
        let outlets = std::mem::take(&mut self.outlets);
        let files = self.files.clone();
        self.guess = why;
        walk(self);
        self.guess = "";
        self.files = files;
        self.outlets = outlets;
        self.direct = direct;
    }

    /// Names of the variables in words that the line does not set.
    pub(super) fn unset_variables<'f>(&self, words: impl Iterator<Item = &'f Field>) -> Vec<String> {
        let mut names = Vec::new();
        for word in words.filter(|word| word.text.contains(HOLE)) {
            for hole in word.text.split(HOLE).skip(1).filter_map(|rest| rest.split_once(HOLE_END)) {
                let name = hole.0.trim_start_matches(['$', '{', '!', '#']);
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                let name = name.get(..end).unwrap_or_default().to_owned();
                if self.absent.contains_key(hole.0) && !name.is_empty() && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}

/// Whether a word names a program that changes something.
fn is_of_consequence(word: &Field) -> bool {
    let name = name_of(word);
    !name.is_empty()
        && (effects::changes_something(&name) || SHELLS.contains(&name.as_str()) || super::wrappers::is_known(&name))
}
