//! Operators' settings: flags, choices and thresholds, read at run time from the person's file and, over it, from the file
//! of whoever administers the machine.
//!
//! A missing, unreadable or nonsensical file or value means the catalog's default. What was wrong is kept as a note, so
//! that nobody has to wonder why a setting has no effect. A file that is there and cannot be read leaves it in doubt
//! whether the default is looser than what it says; how often that happened is counted, for hooks that are closed.

mod slips;

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::document::{Document, DocumentSpec, Format};
use crate::json::{Json, Many};
use crate::library::digest;
use crate::managed::Managed;
use crate::node::{Node, Origin};
use crate::path;
use crate::program::{Catalog, FailSafe, Hook, Mode, Str, Threshold};

const NAME: &str = "the config file";

static SPEC: DocumentSpec = DocumentSpec {
    name: Str::Borrowed(NAME),
    format: Format::Yaml,
    delimiter: Str::Borrowed(""),
    columns: Many::EMPTY,
    record: true,
};

/// What the config file says.
#[derive(Debug)]
pub struct Config {
    catalog: &'static Catalog,
    file: Option<Document>,
    /// The administrator's file, or why it does not count; looked for at the first question.
    managed: OnceCell<Option<Result<Document, String>>>,
    notes: RefCell<Vec<String>>,
    doubts: Cell<usize>,
    /// Settings that were asked for and that the file mentions.
    mentioned: RefCell<Vec<&'static [Str]>>,
    /// Whether anything was looked up, so that what else is in the file costs nothing to know.
    asked: Cell<bool>,
}

impl Config {
    /// Settings from a YAML or JSON file (JSON is YAML); read at the first question.
    pub fn from_file(catalog: &'static Catalog, path: PathBuf) -> Self {
        Self { file: Some(Document::open(&SPEC, path)), ..Self::defaults(catalog) }
    }

    /// No file: the defaults.
    pub fn defaults(catalog: &'static Catalog) -> Self {
        Self {
            catalog,
            file: None,
            managed: OnceCell::new(),
            notes: RefCell::default(),
            doubts: Cell::new(0),
            mentioned: RefCell::default(),
            asked: Cell::default(),
        }
    }

    /// Whether the flag at that place of the catalog, and everything it requires, is on. `flag: false` is short for
    /// `flag: { enabled: false }`.
    pub fn flag(&self, place: usize) -> bool {
        let Some(flag) = self.catalog.flags.get(place) else { return false };
        let short = match &*flag.config {
            [whole @ .., last] if last == "enabled" => Some(whole),
            _ => None,
        };
        // Whoever has the last word has it in either spelling.
        let said = self.layers().find_map(|layer| {
            let in_short = || short.and_then(|key| self.setting_in(layer, key)).filter(|found| found.boolean().is_ok());
            self.setting_in(layer, &flag.config).or_else(in_short)
        });
        let on = match said.map(Node::boolean) {
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
        let Some(found) = self.setting(&choice.config) else { return &choice.default };
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

    fn number(&self, threshold: &'static Threshold) -> f64 {
        let Some(found) = self.setting(&threshold.config) else { return threshold.default };
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

    /// Whether the file lies in that folder.
    pub(crate) fn is_within(&self, folder: &Path) -> bool {
        self.file.as_ref().is_some_and(|file| path::is_within(Path::new(file.path()), &path::resolve(folder, "")))
    }

    /// A fingerprint of the file, so that what is wrong in it can be said again after it was edited.
    pub fn fingerprint(&self) -> String {
        let managed = self.managed().and_then(|managed| managed.as_ref().ok());
        let texts = managed.into_iter().chain(&self.file).filter_map(|file| file.text().ok());
        digest(&texts.collect::<String>())
    }

    /// What was wrong with the settings that were asked for.
    pub fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    /// How often so far a default had to stand in for a file that is there and cannot be read.
    pub(crate) fn doubts(&self) -> usize {
        self.doubts.get()
    }

    /// What the file says on the settings that were asked for, for whoever wants to know why something was decided.
    pub fn settings(&self) -> Vec<(String, String)> {
        let mentioned = self.mentioned.borrow();
        mentioned.iter().filter_map(|key| Some((key.join("."), self.find(key)?.display()))).collect()
    }

    fn setting(&self, key: &'static [Str]) -> Option<Node<'_>> {
        self.layers_for(key).find_map(|layer| self.setting_in(layer, key))
    }

    fn setting_in<'c>(&self, layer: &'c Document, key: &'static [Str]) -> Option<Node<'c>> {
        let found = self.find_in(layer, key)?;
        let mut mentioned = self.mentioned.borrow_mut();
        if !mentioned.contains(&key) {
            mentioned.push(key);
        }
        Some(found)
    }

    /// The files that can say something, whoever has the last word first.
    fn layers(&self) -> impl Iterator<Item = &Document> {
        let managed = match self.managed() {
            Some(Err(why)) => {
                self.doubts.set(self.doubts.get() + 1);
                self.keep(format!("{why}; the defaults count instead"));
                None
            }
            Some(Ok(file)) => Some(file),
            None => None,
        };
        managed.into_iter().chain(&self.file)
    }

    fn managed(&self) -> Option<&Result<Document, String>> {
        let find = || {
            self.file.as_ref()?;
            match Managed::of(&self.catalog.name) {
                Managed::Nobody => None,
                Managed::File(file) => Some(Ok(Document::open(&SPEC, file))),
                Managed::Doubtful(why) => Some(Err(why)),
            }
        };
        self.managed.get_or_init(find).as_ref()
    }

    fn find(&self, key: &[Str]) -> Option<Node<'_>> {
        self.layers_for(key).find_map(|layer| self.find_in(layer, key))
    }

    /// What is fixed has no key, and no file has a say in it.
    fn layers_for(&self, key: &[Str]) -> impl Iterator<Item = &Document> {
        (!key.is_empty()).then(|| self.layers()).into_iter().flatten()
    }

    fn find_in<'c>(&self, file: &'c Document, key: &[Str]) -> Option<Node<'c>> {
        self.asked.set(true);
        let root = match file.root() {
            Ok(root) => root,
            Err(failure) => {
                self.doubts.set(self.doubts.get() + 1);
                if !self.is_nobodys(file) {
                    self.keep(format!("{failure}; the defaults count instead"));
                }
                return None;
            }
        };
        // Operators write these by hand, so they are read as loosely as any document.
        let value = key.iter().try_fold(root.json(), |value, step| value.get(step))?;
        (!matches!(value, Json::Null)).then(|| Node::new(value, Origin::Document(NAME)))
    }

    /// Whether a folder stands where the file would be: nobody has written settings there, and unless a closed hook
    /// refuses for want of them, there is nothing to tell.
    fn is_nobodys(&self, file: &Document) -> bool {
        let is_open = |hook: &Hook| matches!(hook.fail_safe, FailSafe::Open);
        Path::new(file.path()).is_dir() && self.catalog.hooks.iter().all(is_open)
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
    use crate::program::{Choice, Flag, Matcher, Refused};

    pub(super) const PARENT: usize = 0;
    const CHILD: usize = 1;
    const DEPTH: usize = 0;
    pub(super) const LIMIT: usize = 0;

    /// A catalog with two flags, a choice and a threshold.
    pub(super) fn catalog() -> &'static Catalog {
        let texts = |texts: &[&'static str]| Many::Owned(texts.iter().map(|text| Str::Borrowed(*text)).collect());
        let flag = |name, requires| Flag {
            config: texts(&["flags", name, "enabled"]),
            default: true,
            requires: Many::Owned(requires),
        };
        let limit =
            Threshold { config: texts(&["limits", "calls"]), default: 25.0, range: Some((1.0, 100.0)), whole: true };
        let depth = Choice {
            config: texts(&["hooks", "depth"]),
            values: texts(&["deep", "light", "off"]),
            default: "light".into(),
        };
        Box::leak(Box::new(Catalog {
            hooks: Many::Owned(vec![Hook {
                id: "H1".into(),
                log_name: "H1".into(),
                event: "Stop".into(),
                matcher: Matcher::All,
                fail_safe: FailSafe::Open,
                timeout_ms: 1000,
                mode: Mode::Enforce,
                flag: None,
                acts: false,
                background: false,
                rewakes: false,
            }]),
            flags: Many::Owned(vec![flag("parent", vec![]), flag("child", vec![PARENT])]),
            choices: Many::Owned(vec![depth]),
            thresholds: Many::Owned(vec![limit]),
            refused: Many::Owned(vec![Refused {
                config: texts(&["flags", "parent", "log"]),
                instead: "the log lies elsewhere".into(),
                unless: Some("elsewhere".into()),
            }]),
            ..Catalog::empty("test")
        }))
    }

    pub(super) fn config(text: &str) -> (tempfile::TempDir, Config) {
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
    fn a_key_that_is_not_read_is_refused_unless_it_says_what_counts_anyway() {
        let slips = |text: &str| {
            let (_folder, config) = config(text);
            config.flag(PARENT);
            config.slips()
        };
        let refusal = ["flags.parent.log is not read: the log lies elsewhere"];
        assert_eq!(slips("flags: { parent: { log: /tmp/x } }"), refusal);
        assert_eq!(slips("flags: { parent: { log: [a] } }"), refusal);
        assert!(slips("flags: { parent: { log: elsewhere } }").is_empty());
        assert!(slips("flags: { parent: { enabled: true } }").is_empty());
    }

    #[test]
    fn people_switch_in_their_own_words() {
        for off in ["false", "off", "no", "'false'", "Off", "NO", "'off'"] {
            let (_folder, config) = config(&format!("flags: {{ parent: {{ enabled: {off} }}, child: {off} }}"));
            assert!(!config.flag(PARENT) && !config.flag(CHILD) && config.notes().is_empty(), "{off}");
        }
        for on in ["true", "on", "yes", "'true'", "Yes"] {
            let (_folder, config) = config(&format!("flags: {{ parent: {{ enabled: {on} }} }}"));
            assert!(config.flag(PARENT) && config.notes().is_empty(), "{on}");
        }
        let (_folder, config) = config("flags: { parent: { enabled: perhaps } }");
        assert!(config.flag(PARENT) && config.notes().len() == 1);
    }

    #[test]
    fn what_was_asked_for_and_is_in_the_file_is_told_once() {
        let (_folder, config) = config("flags:\n  child: false\nlimits: { calls: 7 }\nother: 1\n");
        assert_eq!(config.settings(), []);
        let _ = (config.int(LIMIT), config.int(LIMIT), config.flag(CHILD));
        let expected =
            [("limits.calls", "7"), ("flags.child", "false")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(config.settings(), expected);
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
    fn only_a_file_that_is_there_and_cannot_be_read_leaves_settings_in_doubt() {
        for (text, doubt) in [(": [", true), ("limits: { calls: many }", false), ("", false)] {
            let (_folder, config) = config(text);
            assert_eq!((config.int(LIMIT), config.flag(PARENT), config.doubts() > 0), (25, true, doubt), "{text}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let (missing, irregular) = (folder.path().join("none.yaml"), folder.path().to_path_buf());
        for (path, doubt) in [(missing, false), (irregular, true)] {
            let config = Config::from_file(catalog(), path);
            assert_eq!((config.int(LIMIT), config.doubts() > 0), (25, doubt));
        }
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

    /// Settings of a person under those of an administrator.
    fn managed(above: Result<&str, &str>, below: &str) -> (tempfile::TempDir, Config) {
        let (folder, config) = config(below);
        let path = folder.path().join("managed.yaml");
        let above = above.map_err(str::to_owned).map(|text| {
            std::fs::write(&path, text).expect("written");
            Document::open(&SPEC, path)
        });
        (folder, Config { managed: OnceCell::from(Some(above)), ..config })
    }

    #[test]
    fn an_administrator_has_the_last_word_in_either_spelling() {
        for above in ["flags: { parent: true }", "flags: { parent: { enabled: true } }"] {
            for below in ["flags: { parent: false }", "flags: { parent: { enabled: false } }"] {
                let (_folder, config) = managed(Ok(above), below);
                assert!(config.flag(PARENT), "{above} over {below}");
            }
        }
        let (_folder, config) = managed(Ok("modes: { H1: enforce }"), "modes: { H1: off }\nlimits: { calls: 3 }");
        assert_eq!(
            (config.mode("H1", Mode::Enforce), config.int(LIMIT)),
            (Mode::Enforce, 3),
            "the rest is the person's"
        );
    }

    #[test]
    fn an_administrators_slips_are_told_as_well() {
        let (_folder, config) = managed(Ok("modes: { ZZ: off }"), "modes: { YY: off }");
        config.flag(PARENT);
        assert_eq!(config.slips().len(), 2, "{:?}", config.slips());
    }

    #[test]
    fn an_administrators_file_that_does_not_count_leaves_settings_in_doubt() {
        for above in [Err("somebody else can write it"), Ok(": [")] {
            let (_folder, config) = managed(above, "flags: { parent: false }");
            assert!(!config.flag(PARENT) && config.doubts() > 0 && config.notes().len() == 1, "{above:?}");
        }
    }

    #[test]
    fn a_missing_file_and_a_directory_are_no_obstacle() {
        let folder = tempfile::tempdir().expect("a folder");
        for path in [folder.path().join("none.yaml"), folder.path().to_path_buf(), PathBuf::new()] {
            assert_eq!(Config::from_file(catalog(), path).int(LIMIT), 25);
        }
    }
}
