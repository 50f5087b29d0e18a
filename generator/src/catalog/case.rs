//! Cases: a world, an event, and what must come of it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Decision, Names, Ordered};

/// One case of a hook: a single step written in place, a list of steps in the same world, or rows, each a case of its own.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What the case shows, unique in the hook. Rows do without: each is named after what it gives.
    #[serde(default)]
    pub name: String,
    /// Why the case is known to fail. It is run all the same, and one that passes is a finding.
    #[schemars(length(min = 1))]
    pub todo: Option<String>,
    /// The world before the first step.
    #[serde(default)]
    pub given: Given,
    /// Texts that take the place of `{each}` in `input`, `raw` or rows, one after the other, or the table that has them,
    /// such as `data.folders`; in `steps`, all of them run in a world of their own for each text.
    #[serde(default)]
    pub each: Each,
    /// Fields of the event, laid over a complete one of its kind. `null` takes a field away, and
    /// `{ repeat: "x\n", times: 50 }` is a long text.
    pub input: Option<Ordered<Value>>,
    /// The exact bytes on standard input, instead of `input`.
    pub raw: Option<String>,
    /// How often the step runs, one after the other. `{n}` in the input is the number of the run.
    pub repeat: Option<u32>,
    /// How often the step runs at once. `{n}` in the input is the number of the run.
    pub parallel: Option<u32>,
    /// What must come of it. For rows, what must come of every one of them beside the decision.
    pub expect: Option<Expect>,
    /// Rows that the hook refuses. Each is laid over `input`, and runs in a world of its own.
    pub denies: Option<Rows>,
    /// Rows about which the person is asked.
    pub asks: Option<Rows>,
    /// Rows that the hook approves in the person's place.
    pub allows: Option<Rows>,
    /// Rows that pass.
    pub passes: Option<Rows>,
    /// Several steps in the same world, instead of one in place.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// Several texts for one case.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Each {
    /// As they stand.
    Texts(Vec<String>),
    /// All of a table of the catalog, so that no word in it goes untried.
    Table(#[schemars(regex(pattern = r"^data\.[A-Za-z_][A-Za-z0-9_]*$"))] String),
}

impl Default for Each {
    fn default() -> Self {
        Self::Texts(Vec::new())
    }
}

impl Each {
    /// Nothing takes the place of anything.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Texts(texts) if texts.is_empty())
    }

    /// The texts, where they are known: of a case as it is played, always.
    pub fn texts(&self) -> &[String] {
        match self {
            Self::Texts(texts) => texts,
            Self::Table(_) => &[],
        }
    }
}

impl Case {
    /// The rows with what must become of each, and the key that they stand under.
    pub fn rows(&self) -> Vec<(&'static str, Decision, &Rows)> {
        verdicts([&self.denies, &self.asks, &self.allows, &self.passes].map(Option::as_ref))
    }

    /// The worlds that it is built on, and its rows.
    pub fn worlds(&self) -> Vec<&str> {
        let rows = self.rows().into_iter().flat_map(|(_, _, rows)| rows.all());
        let rows = rows.filter_map(|(_, _, row)| row.given());
        std::iter::once(&self.given).chain(rows).flat_map(|given| given.worlds.iter().map(String::as_str)).collect()
    }
}

fn verdicts(rows: [Option<&Rows>; 4]) -> Vec<(&'static str, Decision, &Rows)> {
    let keys =
        [("denies", Decision::Deny), ("asks", Decision::Ask), ("allows", Decision::Allow), ("passes", Decision::Pass)];
    keys.into_iter().zip(rows).filter_map(|((key, decision), rows)| Some((key, decision, rows?))).collect()
}

/// What a hook is given, in rows: one text, a list, or rows by name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Rows {
    /// One.
    #[schemars(with = "String")]
    One(#[serde(deserialize_with = "main")] Row),
    /// Several.
    Many(Vec<Row>),
    /// Several, each under the name of its case.
    Named(Ordered<Row>),
}

impl Rows {
    /// The rows with their names and their places below the key that they stand under.
    pub fn all(&self) -> Vec<(Option<&str>, RowPlace<'_>, &Row)> {
        match self {
            Self::One(row) => vec![(None, RowPlace::Whole, row)],
            Self::Many(rows) => {
                rows.iter().enumerate().map(|(place, row)| (None, RowPlace::Index(place), row)).collect()
            }
            Self::Named(rows) => {
                rows.iter().map(|(name, row)| (Some(name.as_str()), RowPlace::Key(name), row)).collect()
            }
        }
    }
}

/// Where a row stands.
#[derive(Debug, Clone, Copy)]
pub enum RowPlace<'r> {
    /// Under the key itself.
    Whole,
    /// In the list there.
    Index(usize),
    /// By its name.
    Key(&'r str),
}

/// One row: the text that matters most in the event (the command of a shell, the path of a file, the prompt), or fields.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Row {
    /// The text.
    Main(String),
    /// Fields.
    Fields(Box<RowFields>),
}

impl Row {
    /// What its world has beside that of the case.
    pub fn given(&self) -> Option<&Given> {
        match self {
            Self::Main(_) => None,
            Self::Fields(row) => row.given.as_ref(),
        }
    }
}

/// A row that is a text.
fn main<'de, D: serde::Deserializer<'de>>(written: D) -> Result<Row, D::Error> {
    String::deserialize(written).map(Row::Main)
}

/// Fields of a row. Those that the event does not have are fields of the tool's input.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RowFields {
    /// Texts in what the hook says, to whomever.
    pub says: Option<Names>,
    /// What the row's world has beside that of the case.
    pub given: Option<Given>,
    /// What must come of it beside the decision.
    pub expect: Option<Expect>,
    /// The fields. `{ repeat: "x\n", times: 50 }` alone is a long text for the field that matters most.
    #[serde(flatten)]
    pub fields: Ordered<Value>,
}

/// The world before the first step. `$PROJECT`, `$PLUGIN` and `$HOME` in any text are the case's own folders.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Worlds of the catalog that this one is built on. Later ones lie over earlier ones, and what is said here over all.
    #[serde(default)]
    pub worlds: Vec<String>,
    /// The git branch. Absent: `main`. Empty: no repository.
    pub branch: Option<String>,
    /// Files of the project.
    #[serde(default)]
    pub files: Ordered<FileSpec>,
    /// Files of the project that are committed on the branch, before the others are written. Needs git.
    #[serde(default)]
    pub committed: Ordered<FileSpec>,
    /// Files of the worlds below that this one does without.
    #[serde(default)]
    pub without: Vec<String>,
    /// Files of the plugin, for example its config.
    #[serde(default)]
    pub plugin_files: Ordered<FileSpec>,
    /// Files of the person's home.
    #[serde(default)]
    pub home_files: Ordered<FileSpec>,
    /// Environment variables.
    #[serde(default)]
    pub env: Ordered<String>,
}

impl Given {
    /// This world with what the other one says laid over it.
    #[must_use]
    pub fn with(mut self, over: &Self) -> Self {
        self.branch = over.branch.clone().or(self.branch);
        self.files.retain(|path, _| !over.without.contains(path));
        self.committed.retain(|path, _| !over.without.contains(path));
        self.files.extend(over.files.clone());
        self.committed.extend(over.committed.clone());
        self.plugin_files.extend(over.plugin_files.clone());
        self.home_files.extend(over.home_files.clone());
        self.env.extend(over.env.clone());
        self
    }
}

/// The content of a file: its text, a short text many times, a JSON value, or a text that was written long ago.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FileSpec {
    /// The text. One that begins with `#!` is a program that can be run.
    Text(String),
    /// A text many times.
    Repeated {
        /// The text.
        repeat: String,
        /// How often.
        times: u32,
    },
    /// A value, written as JSON.
    Json {
        /// The value.
        json: Value,
    },
    /// A text that nobody has touched for a while.
    Old {
        /// The text.
        text: String,
        /// Days since it was last changed.
        days_old: u32,
    },
}

impl FileSpec {
    /// The content with every text changed.
    #[must_use]
    pub fn map_text(&self, change: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::Text(text) => Self::Text(change(text)),
            Self::Repeated { repeat, times } => Self::Repeated { repeat: change(repeat), times: *times },
            Self::Json { json } => Self::Json { json: map_text(json, change) },
            Self::Old { text, days_old } => Self::Old { text: change(text), days_old: *days_old },
        }
    }
}

/// The value with every string and key changed.
pub fn map_text(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(items) => items.iter().map(|item| map_text(item, change)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (change(key), map_text(value, change))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// One step of a case.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The hook that runs, by id. Absent: the hook of the case.
    pub hook: Option<String>,
    /// Hooks of the same event that run before it in the same process, as merged dispatch has them.
    #[serde(default)]
    pub after: Vec<String>,
    /// Files of the project that are written before the step.
    #[serde(default)]
    pub files: Ordered<FileSpec>,
    /// Files of the plugin that are written before the step.
    #[serde(default)]
    pub plugin_files: Ordered<FileSpec>,
    /// Files of the project that are removed before the step.
    #[serde(default)]
    pub delete: Vec<String>,
    /// Overwrite every file of the state store with garbage before the step.
    #[serde(default)]
    pub corrupt_state: bool,
    /// How much later the step happens, such as `61m`: whatever `history` has is that much older.
    #[schemars(regex(pattern = "^[1-9][0-9]*[smhd]$"))]
    pub later: Option<String>,
    /// Texts that take the place of `{each}` in `input` or `raw`, one after the other, or the table that has them.
    #[serde(default)]
    pub each: Each,
    /// Fields of the event, laid over a complete one of its kind. `null` takes a field away, and
    /// `{ repeat: "x\n", times: 50 }` is a long text.
    pub input: Option<Ordered<Value>>,
    /// The exact bytes on standard input, instead of `input`.
    pub raw: Option<String>,
    /// How often the step runs, one after the other. `{n}` in the input is the number of the run.
    pub repeat: Option<u32>,
    /// How often the step runs at once. `{n}` in the input is the number of the run.
    pub parallel: Option<u32>,
    /// What must come of it.
    #[serde(default)]
    pub expect: Expect,
    /// Rows that the hook refuses, one step each. Each is laid over `input`.
    pub denies: Option<Rows>,
    /// Rows about which the person is asked, one step each.
    pub asks: Option<Rows>,
    /// Rows that the hook approves in the person's place, one step each.
    pub allows: Option<Rows>,
    /// Rows that pass, one step each.
    pub passes: Option<Rows>,
}

impl Step {
    /// The rows with what must become of each, and the key that they stand under.
    pub fn rows(&self) -> Vec<(&'static str, Decision, &Rows)> {
        verdicts([&self.denies, &self.asks, &self.allows, &self.passes].map(Option::as_ref))
    }
}

/// What must come of a step. Texts are looked for as they stand, without regard to case.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// What happens to the action.
    pub decision: Option<Decision>,
    /// How many of the repeated or parallel runs end in each decision.
    #[serde(default)]
    pub tally: Ordered<u32>,
    /// Texts in what the hook says, to whomever.
    #[serde(default)]
    pub says: Vec<String>,
    /// Texts that the hook must not say.
    #[serde(default)]
    pub silent: Vec<String>,
    /// The hook says nothing at all.
    #[serde(default)]
    pub quiet: bool,
    /// Texts in what reaches the model.
    #[serde(default)]
    pub model: Vec<String>,
    /// Texts in what reaches the person.
    #[serde(default)]
    pub person: Vec<String>,
    /// Fields of the rewritten tool input.
    #[serde(default)]
    pub updated: Ordered<Value>,
    /// Files of the project afterwards.
    #[serde(default)]
    pub files: Ordered<FileCheck>,
    /// Environment variables that a shell has after reading what the hook exported.
    #[serde(default)]
    pub exports: Ordered<String>,
    /// Texts in the decision log.
    #[serde(default)]
    pub log: Vec<String>,
}

impl Expect {
    /// This with what the other one asks for as well.
    #[must_use]
    pub fn with(mut self, more: &Self) -> Self {
        self.decision = more.decision.or(self.decision);
        self.quiet |= more.quiet;
        for (texts, others) in [
            (&mut self.says, &more.says),
            (&mut self.silent, &more.silent),
            (&mut self.model, &more.model),
            (&mut self.person, &more.person),
            (&mut self.log, &more.log),
        ] {
            texts.extend(others.iter().cloned());
        }
        self.tally.extend(more.tally.clone());
        self.updated.extend(more.updated.clone());
        self.files.extend(more.files.clone());
        self.exports.extend(more.exports.clone());
        self
    }

    /// Whether it asks for nothing, so that anything fulfils it.
    pub fn is_empty(&self) -> bool {
        let texts = [&self.says, &self.silent, &self.model, &self.person, &self.log];
        self.decision.is_none()
            && !self.quiet
            && texts.iter().all(|texts| texts.is_empty())
            && (self.tally.is_empty() && self.updated.is_empty() && self.files.is_empty() && self.exports.is_empty())
    }
}

/// What a file must look like.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileCheck {
    /// Whether it is there. Default: true.
    #[serde(default = "present")]
    pub exists: bool,
    /// Texts in it.
    #[serde(default)]
    pub contains: Vec<String>,
    /// Texts that must not be in it.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// Number of lines.
    pub lines: Option<usize>,
}

fn present() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(json: Value) -> Given {
        serde_json::from_value(json).expect("a world")
    }

    #[test]
    fn what_is_said_later_lies_over_what_was_said_before() {
        let base = given(serde_json::json!({ "branch": "main", "files": { "a": "1", "b": "1" }, "env": { "X": "1" } }));
        let world = base.with(&given(serde_json::json!({ "files": { "b": "2" }, "without": ["a"] })));
        assert_eq!(world.branch.as_deref(), Some("main"));
        assert!(matches!(world.files.get("b"), Some(FileSpec::Text(text)) if text == "2"));
        assert_eq!((world.files.len(), world.env.len()), (1, 1));
        assert_eq!(world.with(&given(serde_json::json!({ "branch": "" }))).branch.as_deref(), Some(""));
    }
}
