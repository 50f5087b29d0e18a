//! The catalog as meant: names resolved, expressions typed, defaults filled in.
//!
//! Emitters see this and nothing else. There is no `Option` where a default exists and no reference that could
//! dangle. Expressions are a typed tree without any target's spelling.

mod expr;

pub use crate::catalog::{
    Case, Decision, Denial, Dispatch, Expect, FailSafe, FileCheck, FileSpec, Format, Given, Guard, Kind, Mode, Outcome,
    Platform, Priority, Readme, Step,
};
pub use expr::{BinaryOp, Expr, ExprKind, Record, Segment, Template, Type, UnaryOp};
use hookgen_runtime::representation::{self, Holds};
pub use hookgen_runtime::representation::{DocumentPart, Macro, SpentPart};

use hookgen_runtime::{Client, Event, Running};
use serde_json::{Number, Value};

/// A resolved catalog.
#[derive(Debug)]
pub struct Catalog {
    pub name: String,
    pub version: String,
    pub description: String,
    pub author: Option<String>,
    pub license: Option<String>,
    pub readme: Readme,
    /// What changed, by version, the newest first.
    pub changes: Vec<(String, Vec<String>)>,
    pub binary: String,
    /// The catalog's file as people name it, for example `specs/product-planning.yaml`.
    pub source: String,
    /// The other files that it is made of: what it uses, what it extends, and the parts of its folder.
    pub files: Vec<String>,
    /// Hooks of the extended catalog that it goes without, with the reasons.
    pub off: Vec<(String, String)>,
    /// Digest of the catalog's texts: tells decisions of two versions apart in the audit log.
    pub digest: String,
    pub denial: Denial,
    /// Whether `\!` in an event is read as `!`.
    pub bang_escapes: bool,
    pub dispatch: Dispatch,
    pub config_file: Option<Template>,
    /// Keys of the config file that are not read.
    pub refused: Vec<Refused>,
    pub dev_mode_file: Option<Template>,
    /// Whether an agent is kept away from what switches the hooks; `None` if the catalog does not say.
    pub guard: Option<Guard>,
    /// The agents that the catalog is for, in the order in which they were written.
    pub agents: Vec<&'static Client>,
    /// The systems that the plugin is for; empty if nobody says.
    pub platforms: Vec<Platform>,
    /// What happens where an agent cannot do something, by what it cannot.
    pub instead: crate::catalog::Instead,
    /// The threshold that opens the circuit breaker.
    pub breaker: Option<String>,
    /// Whether the breaker bypasses fail-closed hooks too.
    /// Whether the person is told when a hook fails open.
    pub fail_open_notice: bool,
    pub verbose_env: Option<String>,
    pub flags: Vec<Flag>,
    pub choices: Vec<Choice>,
    pub thresholds: Vec<Threshold>,
    pub data: Vec<Data>,
    pub facts: Vec<Fact>,
    pub callables: Vec<Callable>,
    pub documents: Vec<Document>,
    pub counters: Vec<Counter>,
    pub history: Vec<Recorded>,
    pub messages: Vec<Message>,
    pub hooks: Vec<Hook>,
}

impl Catalog {
    /// Whether a question that an agent cannot ask lets the action pass; else it is refused.
    pub fn lets_unasked_pass(&self) -> bool {
        self.instead.ask == Some(crate::catalog::Unasked::Pass)
    }
}

#[derive(Debug)]
pub struct Flag {
    pub name: String,
    pub description: String,
    pub default: bool,
    pub requires: Vec<String>,
    pub rollback: Option<String>,
    /// Segments of the key in the config file.
    pub config: Vec<String>,
}

/// A key of the config file that people may expect to be read, and that is not.
#[derive(Debug)]
pub struct Refused {
    /// Segments of the key.
    pub config: Vec<String>,
    pub instead: String,
    pub unless: Option<String>,
}

#[derive(Debug)]
pub struct Choice {
    pub name: String,
    pub description: String,
    pub values: Vec<String>,
    pub default: String,
    /// Segments of the key in the config file.
    pub config: Vec<String>,
}

#[derive(Debug)]
pub struct Threshold {
    pub name: String,
    pub description: String,
    pub default: Number,
    pub unit: Option<String>,
    pub range: Option<[Number; 2]>,
    /// Segments of the key in the config file; empty when it cannot be overridden.
    pub config: Vec<String>,
    /// `Int` or `Double`.
    pub ty: Type,
}

#[derive(Debug)]
pub struct Data {
    pub name: String,
    pub value: Value,
    pub ty: Type,
}

/// A named expression of the catalog, or of one hook (`let`).
#[derive(Debug)]
pub struct Fact {
    pub name: String,
    /// The expression as written.
    pub source: String,
    pub expr: Expr,
}

#[derive(Debug)]
pub struct Document {
    pub name: String,
    pub description: Option<String>,
    pub path: Template,
    pub when: Option<Condition>,
    pub format: Format,
    pub delimiter: String,
    /// Fields in the order of the file, with their types.
    pub fields: Vec<(String, Type)>,
}

#[derive(Debug)]
pub struct Counter {
    pub name: String,
    pub description: String,
    /// What each has a count of its own, in words.
    pub per: Option<String>,
}

/// Something that happens in a session and is recorded.
#[derive(Debug)]
pub struct Recorded {
    pub name: String,
    pub description: String,
    /// To what it happens, in words.
    pub of: Option<String>,
}

#[derive(Debug)]
pub struct Message {
    pub name: String,
    pub template: Template,
}

/// A boolean expression and its text.
#[derive(Debug)]
pub struct Condition {
    pub source: String,
    pub expr: Expr,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the client's own")]
#[derive(Debug)]
pub struct Hook {
    pub id: String,
    pub name: String,
    pub log_name: String,
    /// The file that it stands in, if that is another one than the catalog's.
    pub origin: Option<String>,
    pub event: &'static Event,
    /// As the client reads it; `None` is every subject, or an event without matchers.
    pub matcher: Option<Matcher>,
    pub kind: Kind,
    pub timeout_ms: u32,
    pub fail_safe: FailSafe,
    /// Unless the config file says otherwise.
    pub mode: Mode,
    pub flag: Option<String>,
    pub why: String,
    /// What it sends to whom outside the machine; empty for nothing.
    pub sends: String,
    pub priority: Option<Priority>,
    pub status_message: Option<String>,
    pub condition: Option<String>,
    pub background: bool,
    pub async_rewake: bool,
    pub once: bool,
    pub prompt: Option<String>,
    pub model: Option<String>,
    pub continue_on_block: bool,
    /// Who is asked instead of the binary or a model.
    pub service: Option<Service>,
    pub when: Option<Condition>,
    pub bindings: Vec<Fact>,
    pub callables: Vec<Callable>,
    /// Documents whose place depends on the event.
    pub documents: Vec<Document>,
    pub checks: Vec<Check>,
    pub failure_modes: Vec<FailureMode>,
    /// Documents, counters and config that the hook reads, by name, sorted. `config` is the config file.
    pub reads: Vec<String>,
    /// Documents and counters that the hook writes, by name, sorted.
    pub writes: Vec<String>,
    /// Choices that the hook's expressions use, in catalog order.
    pub choices: Vec<String>,
    /// Thresholds that the hook's expressions use, in catalog order.
    pub thresholds: Vec<String>,
    pub cases: Vec<Case>,
}

/// A definition with parameters. Where it is called, its body stands in the expression.
#[derive(Debug, Clone)]
pub struct Callable {
    /// Its name and its parameters.
    pub key: String,
    pub source: String,
    pub used: bool,
}

/// Somebody who answers in the client's own JSON.
#[derive(Debug, Clone)]
pub enum Service {
    Http {
        url: String,
        headers: crate::catalog::Ordered<String>,
        allowed_env_vars: Vec<String>,
    },
    McpTool {
        server: String,
        tool: String,
        input: crate::catalog::Ordered<Value>,
    },
    /// A program that the client starts by itself.
    Program {
        command: String,
        args: Option<Vec<String>>,
        shell: Option<String>,
    },
}

impl Hook {
    /// How the client runs it.
    pub fn running(&self) -> Running {
        match (self.async_rewake, self.background) {
            (true, _) => Running::Waking,
            (false, true) => Running::Background,
            (false, false) => Running::Awaited,
        }
    }
}

/// A matcher as the client reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matcher {
    /// Whole names, any of them.
    Names { written: String, names: Vec<String> },
    /// A regular expression, searched for anywhere in the subject.
    Pattern { written: String },
}

impl Matcher {
    /// The matcher as the catalog has it.
    pub fn written(&self) -> &str {
        match self {
            Self::Names { written, .. } | Self::Pattern { written } => written,
        }
    }

    /// Whether it fires for a subject.
    pub fn fits(&self, subject: &str) -> bool {
        match self {
            Self::Names { names, .. } => names.iter().any(|name| name == subject),
            Self::Pattern { written } => regex_lite::Regex::new(written).is_ok_and(|pattern| pattern.is_match(subject)),
        }
    }
}

#[derive(Debug)]
pub struct Check {
    pub id: String,
    pub when: Option<Condition>,
    /// In the order in which they happen.
    pub effects: Vec<Effect>,
}

/// What a check does: documents and spends by their names, texts and expressions as they were written.
pub type Effect = representation::Effect<String, String, Template, Condition>;

impl Holds for Template {
    type Expr = Expr;

    fn held(&self) -> Vec<&Expr> {
        self.expressions().collect()
    }
}

impl Holds for Condition {
    type Expr = Expr;

    fn held(&self) -> Vec<&Expr> {
        vec![&self.expr]
    }
}

#[derive(Debug)]
pub struct FailureMode {
    pub when: String,
    pub then: Outcome,
    pub because: String,
    pub case: Option<String>,
}

impl Catalog {
    pub fn hook(&self, id: &str) -> Option<&Hook> {
        self.hooks.iter().find(|hook| hook.id == id)
    }
}
