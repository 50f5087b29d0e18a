//! What a catalog says once for all of its hooks.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Denial, Expression, Format, Ordered, Template};

/// How decisions are spoken to the agent.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// How a denial is spoken. Events on which only one of the two works always use that one.
    #[serde(default)]
    pub denial: Denial,
    /// Whether `\!` in an event is read as `!`. JSON has no such escape, and without this an event that holds one is
    /// none; some shells write it when they pass an event on.
    #[serde(default)]
    pub bang_escapes: bool,
}

/// Whether hooks on the same event and matcher share one process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dispatch {
    /// One registration and one process per hook; the client runs them in parallel.
    #[default]
    PerHook,
    /// One process per event and matcher: catalog order, every reason delivered.
    Merged,
}

/// A system that the plugin is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Platform {
    /// Linux.
    Linux,
    /// macOS.
    Macos,
    /// Windows, where the client also runs lines by PowerShell.
    Windows,
}

impl Platform {
    /// Its name for readers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linux => "Linux",
            Self::Macos => "macOS",
            Self::Windows => "Windows",
        }
    }
}

/// A finding that is meant to be so. One that silences nothing is a finding itself.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// Its code, such as `HG519`, or its name, such as `endless-stop`. Only what does not stop a build can be allowed.
    pub code: String,
    /// Why it is right here.
    #[schemars(length(min = 1))]
    pub reason: String,
}

/// Where operators override flags, choices and thresholds at run time.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Path of a YAML or JSON file; a relative one starts from the project's folder. A missing or unreadable file, and a value that cannot be used, means the defaults;
    /// the person is told once what is wrong with it, and again after every edit. A fail-closed hook that goes by a
    /// setting of a file which is there and cannot be read refuses: the default may be looser.
    pub file: Template,
    /// Keys that people may expect to be read and that are not, each with what counts instead. Who writes one is told.
    #[serde(default)]
    pub refused: Ordered<Refused>,
}

/// A key of the config file that nobody reads.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// What counts instead, in a phrase or a sentence; it follows a colon.
    pub instead: String,
    /// The value that says no more than what counts anyway, about which nobody is bothered.
    pub unless: Option<String>,
}

/// Whether an agent is kept away from what switches or loosens the hooks: the config file, the development switch, the
/// plugin with its binary and registration, the state, and hooks in the client's settings.
///
/// `self` adds hooks that deny the file tools, the shell and servers whatever would change one of them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Guard {
    /// `self`: it is.
    Own(Own),
    /// It is, and from these documents as well, because they are evidence or exemptions that only a person gives.
    With {
        /// Names of documents.
        documents: Vec<String>,
    },
    /// It is not.
    Without {
        /// Why not.
        none: String,
    },
}

/// The word `self`.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub enum Own {
    /// The hooks guard themselves.
    #[serde(rename = "self")]
    Itself,
}

impl Guard {
    /// The documents that are guarded beside what always is; `None` if nothing is.
    pub fn documents(&self) -> Option<&[String]> {
        match self {
            Self::Own(Own::Itself) => Some(&[]),
            Self::With { documents } => Some(documents),
            Self::Without { .. } => None,
        }
    }
}

/// A switch that turns every hook off during development.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DevMode {
    /// While this file exists, no hook of the catalog decides anything. A relative path starts from the project's folder.
    pub file: Template,
}

/// When a hook whose own machinery keeps failing is bypassed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Breaker {
    /// Failures of the machine in a row, in one session, after which an open hook is bypassed: the name of a threshold.
    pub after: String,
}

/// The decision log.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// Environment variable that, set to `true`, adds full input and output to the log.
    #[schemars(regex(pattern = "^[A-Za-z_][A-Za-z0-9_]*$"))]
    pub verbose_env: Option<String>,
    /// Whether the person is told, once per session and hook, that a hook could not check something and let it pass.
    /// The log says so in any case.
    #[serde(default = "on")]
    pub fail_open_notice: bool,
}

impl Default for Log {
    fn default() -> Self {
        Self { verbose_env: None, fail_open_notice: true }
    }
}

/// A switch that operators can flip without a rebuild.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// What is switched.
    pub description: String,
    /// Value when the config file does not say. A flag that is not mentioned there is on by default.
    #[serde(default = "on")]
    pub default: bool,
    /// Flags that must be on for this one to count as on.
    #[serde(default)]
    pub requires: Vec<String>,
    /// How to go back to life without it.
    pub rollback: Option<String>,
    /// Dotted key in the config file. Default: `feature_flags.<name>.enabled`.
    pub config: Option<String>,
}

fn on() -> bool {
    true
}

/// A setting with more than two answers, such as `deep`, `light` or `off`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// What is chosen.
    pub description: String,
    /// The words to choose from. Where `off` is one of them, `false` in the config file means it too.
    #[schemars(length(min = 2))]
    pub values: Vec<String>,
    /// The word that counts when the config file says none of them.
    pub default: String,
    /// Dotted key in the config file.
    pub config: String,
}

/// A named number that checks compare with.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// What is measured against it.
    pub description: String,
    /// Value when the config file does not say, or says something out of range.
    pub default: serde_json::Number,
    /// Unit, for the reader.
    pub unit: Option<String>,
    /// Smallest and largest value that the config file may set.
    pub range: Option<[serde_json::Number; 2]>,
    /// Dotted key in the config file.
    pub config: Option<String>,
}

/// A file that hooks read or write.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// What the file holds.
    pub description: Option<String>,
    /// Where it is; a relative path starts from the project's folder, not from where the agent happens to be (`cwd`). An
    /// empty path, or one below an empty fact, means that there is no such file.
    pub path: Template,
    /// An expression that must hold for the document to be looked at; otherwise it does not exist.
    pub when: Option<Expression>,
    /// How its text is read.
    pub format: Format,
    /// Fields and their types: `string`, `int`, `number`, `bool`, `any`; `[type]` is a list, `{"*": type}` a map,
    /// `{name: type}` a record. For `status-line` the order of the fields is the order in the line. A single field `"*"`
    /// says that the document itself is a map of that type: `<document>.content`.
    #[serde(default)]
    pub fields: Ordered<FieldType>,
    /// What separates the fields of a `status-line` (default `|`) or the key from the value of a `key-value` line
    /// (default `=`).
    #[schemars(length(min = 1))]
    pub delimiter: Option<String>,
}

/// The type of a document's field.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FieldType {
    /// `string`, `int`, `number`, `bool` or `any`.
    Name(String),
    /// A list: `[string]`.
    List(Vec<FieldType>),
    /// A map `{"*": type}` or a record `{name: type}`.
    Record(Ordered<FieldType>),
}

/// A counter kept per session in the private state store.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// What is counted.
    pub description: String,
    /// What each has a count of its own, in a few words: `the command`. `spend` says which with `per`. At most 1,000 counts
    /// are kept; of more, the lowest goes first. Absent: one count for all.
    #[schemars(length(min = 1))]
    pub per: Option<String>,
}

/// Something that happens in a session and is recorded in the private state store, 1,000 times at most.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// What happens.
    pub description: String,
    /// To what it happens, in a few words: `the command`. `record` says to which, and `history('…').of(…)` asks. Absent: that
    /// does not matter.
    #[schemars(length(min = 1))]
    pub of: Option<String>,
}
