//! The catalog as written: one type per YAML construct, nothing resolved.
//!
//! These types are the single source of the JSON Schema. Text that holds an expression or a template stays text
//! here; `resolve` gives it meaning. Maps keep the order of the file, because that order reaches the reader.

mod agent;
mod case;
mod effect;
mod hook;
mod readme;
mod settings;
mod sharing;

pub use agent::{Agent, Dropped, Instead, Skipped, Unasked};
pub use case::{Case, Each, Expect, FileCheck, FileSpec, Given, Row, RowFields, RowPlace, Rows, Step, map_text};
pub use effect::{Append, Check, Forget, Keyed, Names, Spend, Tally, Write};
pub use hook::{FailureMode, Hook, Kind, Outcome, Priority};
pub use hookgen_runtime::program::{Denial, FailSafe, Mode};
pub use hookgen_runtime::{Decision, Format};
pub use readme::Readme;
pub use settings::{
    Allowance, Breaker, Choice, Config, Contract, Counter, DevMode, Dispatch, Document, FieldType, Flag, Guard, Log,
    Own, Platform, Recorded, Refused, Threshold,
};

pub use sharing::{Change, Shared};

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

/// A map in the order of the file.
pub type Ordered<T> = IndexMap<String, T>;

/// A CEL expression, for example `planning.phase != 'SETUP'`. A number and a truth value are, too, also without
/// quotes.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Literal")]
pub struct Expression(pub String);

#[derive(Deserialize)]
#[serde(untagged)]
enum Literal {
    Text(String),
    Number(serde_json::Number),
    Truth(bool),
}

impl From<Literal> for Expression {
    fn from(written: Literal) -> Self {
        match written {
            Literal::Text(text) => Self(text),
            Literal::Number(number) => Self(number.to_string()),
            Literal::Truth(truth) => Self(truth.to_string()),
        }
    }
}

impl JsonSchema for Expression {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Expression".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": ["string", "number", "boolean"],
            "description": "A CEL expression, for example `planning.phase != 'SETUP'`. A number is one, too, and so are `true` and `false`."
        })
    }
}

/// Text in which `${…}` holds a CEL expression; `$${` is a literal `${`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Template(pub String);

/// A hook catalog: the one reviewed source of a hook system.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    /// Name of the catalog and of the plugin made from it, in kebab-case.
    #[schemars(regex(pattern = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"))]
    pub catalog: String,
    /// Semantic version of the catalog, for example `1.1.0`.
    #[schemars(regex(pattern = r"^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$"))]
    pub version: String,
    /// What the system is for, in a sentence or two. Goes into the manifest and opens the documentation.
    pub description: String,
    /// What changed, by version, the newest first. The documentation tells what is new since the version before.
    #[serde(default)]
    pub changes: Ordered<Vec<String>>,
    /// Who maintains the catalog.
    pub author: Option<String>,
    /// Licence of the plugin made from it, as an SPDX expression such as `MIT`.
    pub license: Option<String>,
    /// What the plugin's README says beyond what the hooks tell by themselves.
    #[serde(default)]
    pub readme: Readme,
    /// Name of the runtime binary, in kebab-case. Default: the catalog's name with `-hooks`.
    #[schemars(regex(pattern = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"))]
    pub binary: Option<String>,
    /// Files that share names and hooks with this catalog, by their paths from this one.
    #[serde(default, rename = "use")]
    pub uses: Vec<Shared>,
    /// The catalog that this one is, but for what is said here.
    pub extends: Option<Shared>,
    /// Entries of the extended catalog that are otherwise here: the keys that are given replace its own.
    #[serde(default)]
    pub change: Change,
    /// Hooks of the extended catalog that this one goes without, by id, each with the reason.
    #[serde(default)]
    pub off: Ordered<String>,
    /// How decisions are spoken to the agent.
    #[serde(default)]
    pub contract: Contract,
    /// Whether hooks on the same event and matcher share one process.
    #[serde(default)]
    pub dispatch: Dispatch,
    /// Where operators override flags, choices and thresholds at run time.
    pub config: Option<Config>,
    /// The coding agents that the catalog is for, for example `[claude, codex]`. Default: Claude Code alone.
    #[serde(default = "Agent::alone")]
    #[schemars(length(min = 1))]
    pub agents: Vec<Agent>,
    /// What happens instead where one of the agents cannot do something, for example `{ ask: deny }`. What is not said
    /// here and cannot be done is an error.
    #[serde(default)]
    pub instead: Instead,
    /// The systems that the plugin is for, for example `[linux, macos, windows]`. Default: nobody says.
    #[serde(default)]
    pub platforms: Vec<Platform>,
    /// Findings outside of hooks that are meant to be so.
    #[serde(default)]
    pub allow: Vec<Allowance>,
    /// Whether an agent is kept away from what switches or loosens the hooks.
    pub guard: Option<Guard>,
    /// A switch that turns every hook off during development.
    pub dev_mode: Option<DevMode>,
    /// When a hook whose own machinery keeps failing is bypassed.
    pub breaker: Option<Breaker>,
    /// The decision log.
    #[serde(default)]
    pub log: Log,
    /// Feature flags, each a switch that operators can flip.
    #[serde(default)]
    pub flags: Ordered<Flag>,
    /// Settings with more than two answers, each one word of a few. Read as `choices.<name>`.
    #[serde(default)]
    pub choices: Ordered<Choice>,
    /// Named numbers that checks compare with.
    #[serde(default)]
    pub thresholds: Ordered<Threshold>,
    /// Constant tables: word lists, agent registries, patterns. Read as `data.<name>`.
    #[serde(default)]
    pub data: Ordered<serde_json::Value>,
    /// Named expressions. Evaluated at most once per call, and only when reached. One with parameters, as in
    /// `is_kept(path): path.isWithin(cwd)`, is a function: called with values, each time anew. Like documents and messages, they may
    /// use the fields of events; each hook that needs one must then fire on an event that has those fields.
    #[serde(default)]
    pub facts: Ordered<Expression>,
    /// Files that hooks read or write, read at most once per call.
    #[serde(default)]
    pub documents: Ordered<Document>,
    /// Counters kept per session in the private state store.
    #[serde(default)]
    pub counters: Ordered<Counter>,
    /// What is recorded while a session goes on: what happened, when and in which order. Read as `history('<name>')`.
    #[serde(default)]
    pub history: Ordered<Recorded>,
    /// Named texts that several hooks say. Used as `${messages.<name>}`.
    #[serde(default)]
    pub messages: Ordered<Template>,
    /// The world that every case starts from.
    #[serde(default)]
    pub given: Given,
    /// Worlds that some cases start from, by name; they lie over the common one, and a case's own `given` over them.
    #[serde(default)]
    pub worlds: Ordered<Given>,
    /// The hooks, in the order in which they are documented and dispatched.
    #[schemars(length(min = 1))]
    pub hooks: Vec<Hook>,
}
