//! Cases: a world, an event, and what must come of it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Decision, Ordered};

/// One case of a hook. Either a single step written in place, or a list of steps in the same world.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What the case shows, unique in the hook.
    pub name: String,
    /// Why the case is known to fail. It is run all the same, and one that passes is a finding.
    #[schemars(length(min = 1))]
    pub todo: Option<String>,
    /// The world before the first step.
    #[serde(default)]
    pub given: Given,
    /// Texts that take the place of `{each}` in `input` or `raw`, one after the other.
    #[serde(default)]
    pub each: Vec<String>,
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
    pub expect: Option<Expect>,
    /// Several steps in the same world, instead of one in place.
    #[serde(default)]
    pub steps: Vec<Step>,
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
        self.files.extend(over.files.clone());
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

/// One step of a case.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
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
    /// Texts that take the place of `{each}` in `input` or `raw`, one after the other.
    #[serde(default)]
    pub each: Vec<String>,
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
