//! Operators' settings: flags, choices and thresholds, read from one file at run time.
//!
//! Never an obstacle: a missing, unreadable or nonsensical file or value means the catalog's default. What was wrong is
//! kept as a note, so that nobody has to wonder why a setting has no effect.

use std::cell::RefCell;
use std::fmt::Display;
use std::path::PathBuf;

use crate::document::{Document, DocumentSpec, Format};
use crate::json::{Json, Many};
use crate::library::digest;
use crate::node::{Node, Origin};
use crate::program::{Catalog, Mode, Str, Threshold};

const NAME: &str = "the config file";

static SPEC: DocumentSpec = DocumentSpec {
    name: Str::Borrowed(NAME),
    format: Format::Yaml,
    delimiter: Str::Borrowed(""),
    columns: Many::EMPTY,
};

/// What the config file says.
#[derive(Debug)]
pub struct Config {
    catalog: &'static Catalog,
    file: Option<Document>,
    notes: RefCell<Vec<String>>,
}

impl Config {
    /// Settings from a YAML or JSON file (JSON is YAML); read at the first question.
    pub fn from_file(catalog: &'static Catalog, path: PathBuf) -> Self {
        Self { catalog, file: Some(Document::open(&SPEC, path)), notes: RefCell::default() }
    }

    /// No file: the defaults.
    pub fn defaults(catalog: &'static Catalog) -> Self {
        Self { catalog, file: None, notes: RefCell::default() }
    }

    /// Whether the flag at that place of the catalog, and everything it requires, is on. `flag: false` is short for
    /// `flag: { enabled: false }`.
    pub fn flag(&self, place: usize) -> bool {
        let Some(flag) = self.catalog.flags.get(place) else { return false };
        let short = || match &*flag.config {
            [whole @ .., last] if last == "enabled" => self.find(whole).filter(|found| found.boolean().is_ok()),
            _ => None,
        };
        let on = match self.find(&flag.config).or_else(short).map(Node::boolean) {
            Some(Ok(value)) => value,
            Some(Err(_)) => {
                self.note(&flag.config, "true or false", flag.default);
                flag.default
            }
            None => flag.default,
        };
        on && flag.requires.iter().all(|required| self.flag(*required))
    }

    /// The word of the choice at that place; anything that is not one of its words means the default.
    pub fn choice(&self, place: usize) -> &'static str {
        let Some(choice) = self.catalog.choices.get(place) else { return "" };
        let Some(found) = self.find(&choice.config) else { return &choice.default };
        let word = found.text().unwrap_or_default();
        let is_word = |wanted: &str| choice.values.iter().map(AsRef::as_ref).find(|value| *value == wanted);
        // Before YAML 1.2 an unquoted `off` was another way to write `false`, and other tools still save it so.
        let off = matches!(found.json(), Json::Bool(false)).then_some("off");
        is_word(&word).or_else(|| off.and_then(is_word)).unwrap_or_else(|| {
            self.note(&choice.config, &alternatives(&choice.values), &choice.default);
            &choice.default
        })
    }

    /// The threshold at that place; out of range or not a number means the default.
    pub fn double(&self, place: usize) -> f64 {
        self.catalog.thresholds.get(place).map_or(0.0, |threshold| self.number(threshold))
    }

    /// The whole threshold at that place.
    #[expect(clippy::cast_possible_truncation, reason = "a saturating cast of a whole number")]
    pub fn int(&self, place: usize) -> i64 {
        self.double(place) as i64
    }

    fn number(&self, threshold: &Threshold) -> f64 {
        let Some(found) = self.find(&threshold.config) else { return threshold.default };
        let (least, most) = threshold.range.unwrap_or((f64::MIN, f64::MAX));
        let fits = |value: &f64| (least..=most).contains(value) && (!threshold.whole || value.fract() == 0.0);
        if let Ok(value) = found.double()
            && fits(&value)
        {
            return value;
        }
        let kind = if threshold.whole { "a whole number" } else { "a number" };
        let range = threshold.range.map(|(least, most)| format!(" from {least} to {most}")).unwrap_or_default();
        self.note(&threshold.config, &format!("{kind}{range}"), threshold.default);
        threshold.default
    }

    /// The mode of a hook: `modes.<id>`, else what the catalog says.
    pub fn mode(&self, hook: &str, default: Mode) -> Mode {
        let key = ["modes".into(), Str::Owned(hook.to_owned())];
        let Some(found) = self.find(&key) else { return default };
        let mode = found.text().ok().and_then(|name| Mode::named(&name));
        if mode.is_none() {
            self.note(&key, "enforce, warn, audit or off", default.name());
        }
        mode.unwrap_or(default)
    }

    /// A fingerprint of the file, so that what is wrong in it can be said again after it was edited.
    pub fn fingerprint(&self) -> String {
        digest(self.file.as_ref().and_then(|file| file.text().ok()).unwrap_or_default())
    }

    /// What was wrong with the settings that were asked for.
    pub fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    fn find(&self, key: &[Str]) -> Option<Node<'_>> {
        if key.is_empty() {
            return None;
        }
        let file = self.file.as_ref()?;
        let root = match file.root() {
            Ok(root) => root,
            Err(failure) => {
                self.keep(format!("{failure}; the defaults count instead"));
                return None;
            }
        };
        // Operators write these by hand, so they are read as loosely as any document.
        let value = key.iter().try_fold(root.json(), |value, step| value.get(step))?;
        (!matches!(value, Json::Null)).then(|| Node::new(value, Origin::Document(NAME)))
    }

    fn note(&self, key: &[Str], what: &str, default: impl Display) {
        self.keep(format!("{} must be {what}; the default counts instead: {default}", key.join(".")));
    }

    /// A setting may be asked for often, and is wrong once.
    fn keep(&self, note: String) {
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// `'a', 'b', or 'c'`
fn alternatives(values: &[Str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| format!("'{value}'")).collect();
    match quoted.as_slice() {
        [one, two] => format!("{one} or {two}"),
        [first @ .., last] if !first.is_empty() => format!("{}, or {last}", first.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Choice, Flag};

    const PARENT: usize = 0;
    const CHILD: usize = 1;
    const DEPTH: usize = 0;
    const LIMIT: usize = 0;

    /// A catalog with two flags, a choice and a threshold.
    fn catalog() -> &'static Catalog {
        let texts = |texts: &[&'static str]| Many::Owned(texts.iter().map(|text| Str::Borrowed(*text)).collect());
        let flag = |name, requires| Flag {
            config: texts(&["flags", name, "enabled"]),
            default: true,
            requires: Many::Owned(requires),
        };
        let limit = Threshold { config: texts(&["limits", "calls"]), default: 25.0, range: Some((1.0, 100.0)), whole: true };
        let depth = Choice { config: texts(&["hooks", "depth"]), values: texts(&["deep", "light", "off"]), default: "light".into() };
        Box::leak(Box::new(Catalog {
            flags: Many::Owned(vec![flag("parent", vec![]), flag("child", vec![PARENT])]),
            choices: Many::Owned(vec![depth]),
            thresholds: Many::Owned(vec![limit]),
            ..Catalog::empty("test")
        }))
    }

    fn config(text: &str) -> (tempfile::TempDir, Config) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.yaml");
        std::fs::write(&path, text).expect("written");
        (folder, Config::from_file(catalog(), path))
    }

    #[test]
    fn what_the_file_does_not_say_is_the_default() {
        let (_folder, config) = config("flags:\n  other: true\n");
        assert!(config.flag(CHILD));
        assert_eq!(config.int(LIMIT), 25);
        assert_eq!(config.notes(), Vec::<String>::new());
    }

    #[test]
    fn a_flag_needs_what_it_requires() {
        let (_folder, off) = config("flags: { parent: { enabled: false } }");
        assert!(!off.flag(CHILD));
        let (_folder, short) = config("flags: { parent: false }");
        assert!(!short.flag(CHILD));
        let (_folder, other) = config("flags: { other: { enabled: false }, parent: { note: x }, child: true }");
        assert!(other.flag(CHILD));
    }

    #[test]
    fn nonsense_means_the_default_and_is_noted() {
        for text in ["limits: { calls: many }", "limits: { calls: 0 }", "limits: { calls: 2.5 }", "limits: [1]", ": ["]
        {
            let (_folder, config) = config(text);
            assert_eq!(config.int(LIMIT), 25, "{text}");
        }
        let (_folder, config) = config("limits: { calls: 0 }");
        config.int(LIMIT);
        config.int(LIMIT);
        assert_eq!(
            config.notes(),
            ["limits.calls must be a whole number from 1 to 100; the default counts instead: 25"],
            "asked twice, noted once"
        );
    }

    #[test]
    fn a_flag_that_is_neither_true_nor_false_is_noted() {
        for (text, expected) in [("maybe", true), ("1", true), ("[false]", true), ("False", false), ("'false'", false)]
        {
            let (_folder, config) = config(&format!("flags: {{ parent: {{ enabled: {text} }} }}"));
            assert_eq!(config.flag(PARENT), expected, "{text}");
            let note = "flags.parent.enabled must be true or false; the default counts instead: true";
            assert_eq!(config.notes().contains(&note.to_owned()), expected, "{text}");
        }
    }

    #[test]
    fn a_choice_is_one_of_its_words() {
        for (text, expected) in
            [("deep", "deep"), ("'off' # not now", "off"), ("off", "off"), ("false", "off"), ("", "light")]
        {
            let (_folder, config) = config(&format!("hooks:\n  depth: {text}\n"));
            assert_eq!(config.choice(DEPTH), expected, "{text}");
            assert_eq!(config.notes(), Vec::<String>::new(), "{text}");
        }
        for text in ["true", "Deep", "3", "[deep]", "{ deep: 1 }"] {
            let (_folder, config) = config(&format!("hooks: {{ depth: {text} }}"));
            assert_eq!(config.choice(DEPTH), "light", "{text}");
            let note = "hooks.depth must be 'deep', 'light', or 'off'; the default counts instead: light";
            assert_eq!(config.notes(), [note], "{text}");
        }
    }

    #[test]
    fn alternatives_read_like_a_sentence() {
        assert_eq!(alternatives(&["a".into()]), "'a'");
        assert_eq!(alternatives(&["a".into(), "b".into()]), "'a' or 'b'");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_noted() {
        let (_folder, config) = config(": [");
        assert!(config.flag(CHILD));
        assert!(config.notes().concat().contains("cannot be read as YAML"), "{:?}", config.notes());
    }

    #[test]
    fn a_mode_is_one_of_its_words_or_the_default() {
        let mode = |text: &str| {
            let (_folder, config) = config(text);
            (config.mode("H1", Mode::Enforce), config.notes().len())
        };
        assert_eq!(mode("modes: { H1: warn }"), (Mode::Warn, 0));
        assert_eq!(mode("modes: { H1: audit, H2: warn }"), (Mode::Audit, 0));
        assert_eq!(mode("modes: { H1: off }"), (Mode::Off, 0));
        assert_eq!(mode("modes: { H2: warn }"), (Mode::Enforce, 0));
        assert_eq!(mode("modes: { H1: Warn }"), (Mode::Enforce, 1));
        assert_eq!(mode("modes: { H1: [warn] }"), (Mode::Enforce, 1));
    }

    #[test]
    fn what_is_asked_twice_is_noted_once() {
        let (_folder, config) = config("limits: { calls: 0 }");
        config.int(LIMIT);
        config.int(LIMIT);
        assert_eq!(config.notes().len(), 1);
    }

    #[test]
    fn a_missing_file_and_a_directory_are_no_obstacle() {
        let folder = tempfile::tempdir().expect("a folder");
        for path in [folder.path().join("none.yaml"), folder.path().to_path_buf(), PathBuf::new()] {
            assert_eq!(Config::from_file(catalog(), path).int(LIMIT), 25);
        }
    }
}
