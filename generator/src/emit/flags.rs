//! Every switch and number that operators can change, as a YAML file with the defaults and what they mean.
//!
//! Whatever the catalog's keys are, the file is valid YAML: a key that another one already occupies is explained in a
//! comment instead of being written twice.

use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::invisible;

use super::{Bug, Emitter, Output, Target, banner, visible};
use crate::model::{self, Choice, Flag, Kind, Threshold};

/// Makes `config/<catalog>-flags.yaml`.
pub(super) struct Flags;

impl Emitter for Flags {
    fn name(&self) -> &'static str {
        "flags"
    }

    fn emit(&self, catalog: &model::Catalog, _: &Target) -> Result<Vec<Output>, Bug> {
        let path = Utf8PathBuf::from("config").join(format!("{}-flags.yaml", catalog.name));
        Ok(vec![Output::new(path, file(catalog))])
    }
}

/// Before the name of the config file, in quotes, in the first lines of the file of defaults.
pub(crate) const READ_FROM: &str = "The hooks read their config from ";

fn file(catalog: &model::Catalog) -> String {
    let mut text = String::new();
    comment(&mut text, 0, &banner(&catalog.source));
    comment(
        &mut text,
        0,
        "Flags, choices and thresholds with their defaults. What the config file does not say stays at its default.",
    );
    if let Some(config) = &catalog.config_file {
        let language = if is_json(config) { ", where these keys are written as JSON" } else { "" };
        comment(&mut text, 0, &format!("{READ_FROM}`{}`{language}.", config.source));
    }
    let (tree, homeless) = settings(catalog);
    tree.print(&mut text, 0);
    list(&mut text, "Not listed above, because another name already occupies the key:", &homeless);
    let fixed = catalog.thresholds.iter().filter(|threshold| threshold.config.is_empty());
    let fixed: Vec<String> = fixed.map(fixed_threshold).collect();
    let refused = catalog.refused.iter().map(|refused| format!("{}: {}", refused.config.join("."), refused.instead));
    list(&mut text, "Not read; whoever sets one of these is told:", &refused.collect::<Vec<_>>());
    list(&mut text, "Fixed in the catalog, not to be set here:", &fixed);
    text
}

/// All that can be set, each at its key; and what has no place of its own.
fn settings(catalog: &model::Catalog) -> (Tree, Vec<String>) {
    let mut tree = Tree::default();
    let mut homeless = Vec::new();
    for flag in &catalog.flags {
        add_flag(&mut tree, &mut homeless, catalog, flag);
    }
    for choice in &catalog.choices {
        let leaf = Leaf { value: quoted(&choice.default), comments: choice_comments(catalog, choice) };
        if !tree.insert(&choice.config, leaf) {
            homeless.push(format!("{} (choice {})", choice.config.join("."), choice.name));
        }
    }
    for threshold in catalog.thresholds.iter().filter(|threshold| !threshold.config.is_empty()) {
        let leaf = Leaf { value: threshold.default.to_string(), comments: threshold_comments(catalog, threshold) };
        if !tree.insert(&threshold.config, leaf) {
            homeless.push(format!("{} (threshold {})", threshold.config.join("."), threshold.name));
        }
    }
    add_modes(&mut tree, catalog);
    (tree, homeless)
}

/// Whether the config file is JSON, into which YAML cannot be pasted.
pub(super) fn is_json(config: &model::Template) -> bool {
    Utf8Path::new(&config.source).extension() == Some("json")
}

/// How far each hook's decisions go. Without a config file there is nothing to override it in.
fn add_modes(tree: &mut Tree, catalog: &model::Catalog) {
    let hooks = catalog.hooks.iter().filter(|hook| hook.kind == Kind::Command && catalog.config_file.is_some());
    for (position, hook) in hooks.enumerate() {
        let about =
            "enforce: decisions count; warn: the person is told of them; audit: only the log is; off: nothing at all";
        let comments = if position == 0 { vec![about.to_owned()] } else { Vec::new() };
        let leaf = Leaf { value: hook.mode.name().to_owned(), comments };
        tree.insert(&["modes".to_owned(), hook.id.clone()], leaf);
    }
}

fn add_flag(tree: &mut Tree, homeless: &mut Vec<String>, catalog: &model::Catalog, flag: &Flag) {
    let leaf = Leaf { value: flag.default.to_string(), comments: flag_comments(catalog, flag) };
    if !tree.insert(&flag.config, leaf) {
        homeless.push(format!("{} (flag {})", flag.config.join("."), flag.name));
        return;
    }
    let Some((last, parent)) = flag.config.split_last() else { return };
    if last != "enabled" || parent.is_empty() {
        return;
    }
    let requires: Vec<String> = flag.requires.iter().map(|name| quoted(name)).collect();
    let siblings = [
        ("description", Some(quoted(flag.description.trim()))),
        ("rollback", flag.rollback.as_ref().map(|text| quoted(text.trim()))),
        ("requires", (!requires.is_empty()).then(|| format!("[{}]", requires.join(", ")))),
    ];
    for (name, value) in siblings {
        let path: Vec<String> = parent.iter().cloned().chain([name.to_owned()]).collect();
        if let Some(value) = value.filter(|_| !is_claimed(catalog, &path)) {
            tree.insert(&path, Leaf { value, comments: Vec::new() });
        }
    }
}

/// Whether a flag, choice or threshold has its value at that key or below it.
fn is_claimed(catalog: &model::Catalog, path: &[String]) -> bool {
    let flags = catalog.flags.iter().map(|flag| &flag.config);
    let thresholds = catalog.thresholds.iter().map(|threshold| &threshold.config);
    let choices = catalog.choices.iter().map(|choice| &choice.config);
    flags.chain(choices).chain(thresholds).any(|claimed| claimed.starts_with(path))
}

fn flag_comments(catalog: &model::Catalog, flag: &Flag) -> Vec<String> {
    let mut comments = vec![
        format!("{}: {}", flag.name, flag.description.trim()),
        format!("default: {}", if flag.default { "true (on)" } else { "false (off)" }),
    ];
    if !flag.requires.is_empty() {
        comments.push(format!("requires: {}", flag.requires.join(", ")));
    }
    if let Some(rollback) = &flag.rollback {
        comments.push(format!("rollback: {}", rollback.trim()));
    }
    let (own, others): (Vec<_>, Vec<_>) = switched(catalog, flag).partition(|hook| hook.kind == Kind::Command);
    comments.push(format!("switches: {}", ids(own.into_iter())));
    comments.extend(out_of_reach(&others));
    comments
}

/// That no flag reaches hooks which the client runs itself, and what does: those of one kind in one sentence.
pub(super) fn out_of_reach(hooks: &[&model::Hook]) -> Vec<String> {
    let kinds = [Kind::Prompt, Kind::Agent, Kind::Http, Kind::McpTool, Kind::Run];
    let told = kinds.into_iter().filter_map(|kind| {
        let of_kind = hooks.iter().copied().filter(|hook| hook.kind == kind);
        let (who, word) = (ids(of_kind.clone()), kind_word(kind));
        match of_kind.count() {
            0 => None,
            1 => Some(format!(
                "{who} is a {word} hook: the client runs it, and it cannot read this flag. To switch it off, remove its \
                 entry from hooks/hooks.json"
            )),
            _ => Some(format!(
                "{who} are {word} hooks: the client runs them, and they cannot read this flag. To switch one off, remove \
                 its entry from hooks/hooks.json"
            )),
        }
    });
    told.collect()
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Command => "command",
        Kind::Prompt => "prompt",
        Kind::Agent => "agent",
        Kind::Http => "http",
        Kind::McpTool => "mcp_tool",
        Kind::Run => "run",
    }
}

/// The hooks that a flag switches: its own, and those whose flags need it.
pub(super) fn switched<'a>(catalog: &'a model::Catalog, flag: &Flag) -> impl Iterator<Item = &'a model::Hook> {
    let mut needing = vec![flag.name.as_str()];
    // Each round adds the flags that need one already found; there are no more rounds than flags.
    for _ in &catalog.flags {
        let more =
            catalog.flags.iter().filter(|other| other.requires.iter().any(|name| needing.contains(&name.as_str())));
        let more: Vec<&str> = more.map(|other| other.name.as_str()).filter(|name| !needing.contains(name)).collect();
        needing.extend(more);
    }
    let needing: Vec<String> = needing.into_iter().map(str::to_owned).collect();
    catalog.hooks.iter().filter(move |hook| hook.flag.as_ref().is_some_and(|own| needing.contains(own)))
}

fn choice_comments(catalog: &model::Catalog, choice: &Choice) -> Vec<String> {
    let users = catalog.hooks.iter().filter(|hook| hook.choices.contains(&choice.name));
    vec![
        format!("{}: {}", choice.name, choice.description.trim()),
        format!("one of: {}; anything else counts as the default", choice.values.join(", ")),
        format!("default: {}", choice.default),
        format!("used by: {}", ids(users)),
    ]
}

fn threshold_comments(catalog: &model::Catalog, threshold: &Threshold) -> Vec<String> {
    let users = catalog.hooks.iter().filter(|hook| hook.thresholds.contains(&threshold.name));
    let unit = threshold.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let mut comments = vec![
        format!("{}: {}", threshold.name, threshold.description.trim()),
        format!("default: {}{unit}", threshold.default),
    ];
    if let Some([low, high]) = &threshold.range {
        comments.push(format!("range: {low} to {high}; anything else counts as the default"));
    }
    comments.push(format!("used by: {}", ids(users)));
    if catalog.breaker.as_ref() == Some(&threshold.name) {
        comments.push("opens the circuit breaker".to_owned());
    }
    comments
}

fn fixed_threshold(threshold: &Threshold) -> String {
    let unit = threshold.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    format!("{} = {}{unit}: {}", threshold.name, threshold.default, threshold.description.trim())
}

fn ids<'a>(hooks: impl Iterator<Item = &'a model::Hook>) -> String {
    let ids: Vec<&str> = hooks.map(|hook| hook.id.as_str()).collect();
    if ids.is_empty() { "no hook directly".to_owned() } else { ids.join(", ") }
}

/// A mapping in the order in which its keys were first named.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    entries: Vec<(String, Node)>,
}

#[derive(Debug, Clone)]
pub(crate) enum Node {
    Tree(Tree),
    Leaf(Leaf),
}

/// A value as YAML, with what a person must know about it.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    value: String,
    comments: Vec<String>,
}

impl Tree {
    /// All that can be set in a catalog's config file, with the defaults.
    pub(crate) fn of(catalog: &model::Catalog) -> Self {
        settings(catalog).0
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.entries.iter().map(|(key, node)| (key.as_str(), node))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(key, _)| key)
    }

    /// Takes over an entry of another one.
    pub(crate) fn put(&mut self, key: &str, node: &Node) {
        self.entries.push((key.to_owned(), node.clone()));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Its text, without what would stand before its first line.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut text = String::new();
        self.print(&mut text, 0);
        text.trim_start_matches('\n').lines().map(str::to_owned).collect()
    }

    /// Puts a value at a key, or says that the key is taken.
    fn insert(&mut self, path: &[String], leaf: Leaf) -> bool {
        let Some((name, rest)) = path.split_first() else { return false };
        let position = self.entries.iter().position(|(taken, _)| taken == name).unwrap_or_else(|| {
            self.entries.push((name.clone(), Node::Tree(Self::default())));
            self.entries.len() - 1
        });
        match self.entries.get_mut(position) {
            Some((_, Node::Tree(below))) if !rest.is_empty() => below.insert(rest, leaf),
            Some((_, free @ Node::Tree(Self { .. }))) if free.is_empty() => {
                *free = Node::Leaf(leaf);
                true
            }
            _ => false,
        }
    }

    fn print(&self, text: &mut String, depth: usize) {
        for (name, node) in &self.entries {
            match node {
                Node::Tree(below) => {
                    if depth == 0 {
                        text.push('\n');
                    }
                    line(text, depth, &format!("{}:", key(name)));
                    below.print(text, depth + 1);
                }
                Node::Leaf(leaf) => {
                    if !leaf.comments.is_empty() && !text.ends_with(":\n") {
                        text.push('\n');
                    }
                    leaf.comments.iter().for_each(|about| comment(text, depth, about));
                    line(text, depth, &format!("{}: {}", key(name), leaf.value));
                }
            }
        }
    }
}

impl Node {
    /// What stands below, if something does.
    pub(crate) fn tree(&self) -> Option<&Tree> {
        if let Self::Tree(tree) = self { Some(tree) } else { None }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Self::Tree(tree) if tree.entries.is_empty())
    }
}

fn list(text: &mut String, title: &str, items: &[String]) {
    if !items.is_empty() {
        text.push('\n');
        comment(text, 0, title);
        for item in items {
            comment(text, 0, &format!("  {item}"));
        }
    }
}

fn line(text: &mut String, depth: usize, content: &str) {
    text.extend(std::iter::repeat_n("  ", depth));
    text.push_str(content);
    text.push('\n');
}

/// A comment; every kind of line break in it starts another comment line.
fn comment(text: &mut String, depth: usize, about: &str) {
    for part in visible::lines(about) {
        line(text, depth, format!("# {part}").trim_end());
    }
}

/// A key, in quotes unless it can only be read as text.
fn key(name: &str) -> String {
    const WORDS: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !WORDS.contains(&name.to_ascii_lowercase().as_str());
    if plain { name.to_owned() } else { quoted(name) }
}

/// Text in double quotes, on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            _ if invisible::steers(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\U{:08x}", u32::from(c));
            }
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Number, Value};

    use super::super::fixture;
    use super::*;

    fn load(text: &str) -> Value {
        serde_yaml::from_str(text).expect("YAML")
    }

    fn at<'a>(value: &'a Value, path: &[String]) -> &'a Value {
        path.iter().fold(value, |value, key| &value[key.as_str()])
    }

    #[test]
    fn every_default_is_found_at_its_key() {
        let catalog = fixture::full();
        let value = load(&file(&catalog));
        for flag in &catalog.flags {
            assert_eq!(at(&value, &flag.config), &Value::from(flag.default), "{}", flag.name);
        }
        for threshold in catalog.thresholds.iter().filter(|threshold| !threshold.config.is_empty()) {
            assert_eq!(at(&value, &threshold.config), &Value::from(threshold.default.clone()), "{}", threshold.name);
        }
    }

    #[test]
    fn every_command_hook_has_its_mode_and_no_other() {
        let mut catalog = fixture::full();
        catalog.hooks[1].mode = crate::model::Mode::Audit;
        let value = load(&file(&catalog));
        let ids: Vec<_> = value["modes"].as_object().expect("mapping").keys().cloned().collect();
        assert_eq!(ids, ["H01", "H02", "H03", "H05", "H06"]);
        assert_eq!((&value["modes"]["H01"], &value["modes"]["H02"]), (&Value::from("enforce"), &Value::from("audit")));
        catalog.config_file = None;
        assert_eq!(load(&file(&catalog))["modes"], Value::Null);
    }

    #[test]
    fn keys_with_a_common_start_share_a_mapping() {
        let value = load(&file(&fixture::full()));
        let guard = value["feature_flags"]["hooks_guard"].as_object().expect("mapping");
        let keys: Vec<_> = guard.keys().map(String::as_str).collect();
        assert_eq!(keys, ["enabled", "description", "rollback", "requires", "limit"]);
        assert_eq!(guard["requires"], serde_json::json!(["hooks"]));
        assert_eq!(guard["description"], "The guard: \"strict\"\nin two lines");
    }

    #[test]
    fn a_threshold_may_take_the_name_of_a_description() {
        let mut catalog = fixture::full();
        catalog.thresholds[0].config[2] = "description".to_owned();
        let value = load(&file(&catalog));
        assert_eq!(value["feature_flags"]["hooks_guard"]["description"], 25);
    }

    #[test]
    fn a_key_that_is_taken_is_explained_and_not_repeated() {
        let mut catalog = fixture::full();
        catalog.thresholds[1].config = vec!["feature_flags".to_owned(), "hooks".to_owned()];
        let text = file(&catalog);
        assert!(text.contains("#   feature_flags.hooks (threshold share)"), "{text}");
        assert_eq!(load(&text)["feature_flags"]["hooks"]["enabled"], true);
        assert!(!file(&fixture::full()).contains("already occupies"));
    }

    #[test]
    fn a_choice_is_text_even_where_yaml_knows_the_word() {
        let text = file(&fixture::full());
        assert_eq!(load(&text)["quality"]["depth"], "off");
        assert!(text.contains("one of: deep, off; anything else counts as the default"), "{text}");
    }

    #[test]
    fn comments_say_what_a_person_must_know() {
        let text = file(&fixture::full());
        for part in
            ["requires: hooks", "rollback: Set it to false.", "range: 0 to 100", "used by: H01", "switches: H01"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.contains("#   strikes = 3: The strikes"));
        assert!(text.contains("default: 25 calls"));
        assert_eq!(text.matches("switches: H01").count(), 2, "the flag and the one that it requires");
    }

    #[test]
    fn a_catalog_without_flags_gives_an_empty_document() {
        assert_eq!(load(&file(&fixture::smallest())), Value::Null);
    }

    #[test]
    fn words_that_yaml_reads_as_something_else_are_quoted() {
        assert_eq!(key("on"), "\"on\"");
        assert_eq!(key("online"), "online");
        assert_eq!(key("1st"), "\"1st\"");
    }

    proptest! {
        #[test]
        fn any_text_survives(text in "\\PC{0,20}|[\\x00-\\x7f\u{85}\u{2028}\u{feff}]{0,20}", name in "\\PC{1,8}") {
            let mut catalog = fixture::full();
            catalog.flags[0].description = format!("x{text}x");
            catalog.flags[0].rollback = Some(text.clone());
            catalog.thresholds[2].config = vec![name.clone()];
            catalog.thresholds[2].default = Number::from(7);
            prop_assume!(name != "feature_flags" && name != "quality");
            let value = load(&file(&catalog));
            prop_assert_eq!(&value["feature_flags"]["hooks"]["description"], &Value::from(format!("x{text}x")));
            prop_assert_eq!(&value[name.as_str()], &Value::from(7));
        }
    }
}
