//! A hook: when it fires, what it checks, how it fails.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Allowance, Case, Check, Document, Expression, FailSafe, Given, Mode, Ordered};

/// One hook of the catalog.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the client's own")]
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    /// Short id, unique in the catalog, for example `H04`. Letters, digits, `-` and `_`.
    #[schemars(regex(pattern = "^[A-Za-z][A-Za-z0-9_-]*$"))]
    pub id: String,
    /// Name that says what the hook does, in kebab-case, unique in the catalog.
    #[schemars(regex(pattern = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"))]
    pub name: String,
    /// Name in the decision log. Default: `<id>_<name>` with underscores.
    #[schemars(regex(pattern = "^[A-Za-z][A-Za-z0-9_]*$"))]
    pub log_name: Option<String>,
    /// The event of the agent on which the hook fires, for example `PreToolUse`; or several: then there is a hook for each,
    /// of which the first has the id, the others the id with the event behind it (`H04-PostToolUseFailure`), and cases are
    /// played on all. What one of the events does not have or cannot do is an error.
    #[schemars(with = "super::Names")]
    pub event: String,
    /// Which tools, agents or sources it fires for, in the client's matcher syntax. Absent: all.
    pub matcher: Option<String>,
    /// Who decides: the generated binary, a model, or a service.
    #[serde(rename = "type", default)]
    pub kind: Kind,
    /// Time after which the client gives up, such as `3s`, `1500ms` or `2m`.
    #[schemars(regex(pattern = r"^\d+(\.\d+)?(ms|s|m)$"))]
    pub timeout: String,
    /// What happens to the action when the hook itself breaks.
    pub fail_safe: FailSafe,
    /// How far the hook's decisions go, so that a new rule can be watched before it bites. Command hooks only; the
    /// config file overrides it with `modes.<id>`.
    pub mode: Option<Mode>,
    /// The flag that switches the hook.
    pub flag: Option<String>,
    /// Why the hook exists: the problem it prevents.
    pub why: String,
    /// What the hook sends to whom outside the machine, in a few words: whoever reads the table of hooks sees it at once.
    pub sends: Option<String>,
    /// How urgently the hook is needed.
    pub priority: Option<Priority>,
    /// Text that the client shows while the hook runs.
    pub status_message: Option<String>,
    /// A permission rule that narrows tool events, such as `Bash(git *)`.
    #[serde(rename = "if")]
    pub condition: Option<String>,
    /// Run in the background; such a hook cannot decide anything. Command and run hooks only.
    #[serde(default, rename = "async")]
    pub background: bool,
    /// Run in the background, and wake the model when the hook refuses: with `deny`, `block` or `feedback`, as the event
    /// has it. Command and run hooks only.
    #[serde(default)]
    pub async_rewake: bool,
    /// Remove the registration after the first success; the client honours it in skills only.
    #[serde(default)]
    pub once: bool,
    /// The program that the client starts, as it was registered before: a line for the shell, or with `args` a program.
    /// Run hooks only: hookgen passes it on to the registration and knows nothing of what it does.
    #[schemars(length(min = 1))]
    pub command: Option<String>,
    /// The program's arguments, handed over without a shell. Run hooks only.
    pub args: Option<Vec<String>>,
    /// The shell that reads the line, `bash` or `powershell`. Absent: the client's own choice. Run hooks only.
    #[schemars(regex(pattern = "^(bash|powershell)$"))]
    pub shell: Option<String>,
    /// What the model is asked. Prompt and agent hooks only; `$ARGUMENTS` stands for the event's JSON.
    pub prompt: Option<String>,
    /// The model that is asked. Prompt and agent hooks only.
    pub model: Option<String>,
    /// Feed the reason back instead of ending the turn when the model says no. Prompt hooks only.
    #[serde(default)]
    pub continue_on_block: bool,
    /// Where the event is sent. HTTP hooks only: what answers speaks the client's JSON.
    #[schemars(regex(pattern = "^https?://"))]
    pub url: Option<String>,
    /// Headers of the request. `$NAME` in a value stands for an environment variable. HTTP hooks only.
    #[serde(default)]
    pub headers: Ordered<String>,
    /// The environment variables that headers may hold. HTTP hooks only.
    #[serde(default)]
    pub allowed_env_vars: Vec<String>,
    /// The MCP server, which must be connected. MCP tool hooks only.
    #[schemars(length(min = 1))]
    pub server: Option<String>,
    /// The tool of that server. What it answers speaks the client's JSON. MCP tool hooks only.
    #[schemars(length(min = 1))]
    pub tool: Option<String>,
    /// The tool's arguments; `${tool_input.file_path}` and the like are filled in by the client. MCP tool hooks only.
    #[serde(default)]
    pub input: Ordered<serde_json::Value>,
    /// The gate: the hook has nothing to say unless this holds.
    pub when: Option<Expression>,
    /// Named expressions of this hook, evaluated at most once and only when reached. With parameters, as in
    /// `is_kept(path): path.isWithin(cwd)`, one is a function: called with values, each time anew.
    #[serde(default, rename = "let")]
    pub bindings: Ordered<Expression>,
    /// Files whose place depends on the event, such as the one that a tool has just written.
    #[serde(default)]
    pub documents: Ordered<Document>,
    /// The checks, in order. The first one that decides ends the hook.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// How the hook behaves when the world is not as it expects.
    #[serde(default)]
    pub failure_modes: Vec<FailureMode>,
    /// Documents and counters that the hook reads. Derived from the checks of a command hook; if given, compared.
    pub reads: Option<Vec<String>>,
    /// Documents and counters that the hook writes. Derived from the checks of a command hook; if given, compared.
    pub writes: Option<Vec<String>>,
    /// Findings in this hook that are meant to be so.
    #[serde(default)]
    pub allow: Vec<Allowance>,
    /// Fields of the event that every case has, laid under its `input`: what a tool is always given, a path, a mode.
    #[serde(default)]
    pub sample: Ordered<serde_json::Value>,
    /// The world that every case of this hook starts from. It lies over the catalog's, and a case's own `given` over it.
    #[serde(default)]
    pub given: Given,
    /// What the hook must do, case by case.
    #[serde(default)]
    pub cases: Vec<Case>,
}

/// Who decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The generated binary.
    #[default]
    Command,
    /// One question to a model.
    Prompt,
    /// A model with tools.
    Agent,
    /// A service that the event is posted to.
    Http,
    /// A tool of an MCP server.
    #[serde(rename = "mcp_tool")]
    McpTool,
    /// A program of somebody else, which speaks to the client by itself.
    Run,
}

impl Kind {
    /// The type as the catalog and the client write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Prompt => "prompt",
            Self::Agent => "agent",
            Self::Http => "http",
            Self::McpTool => "mcp_tool",
            Self::Run => "run",
        }
    }

    /// The type as the client's registration has it.
    pub fn registered(self) -> &'static str {
        if self == Self::Run { Self::Command.word() } else { self.word() }
    }
}

/// How urgently a hook is needed; `P0` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
pub enum Priority {
    /// Without it the system does not hold.
    P0,
    /// Needed early.
    P1,
    /// A safety net.
    P2,
    /// Convenience and insight.
    P3,
}

/// A row of the failure-mode table.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailureMode {
    /// What is not as expected.
    pub when: String,
    /// What the hook does then.
    pub then: Outcome,
    /// Why that is right.
    pub because: String,
    /// The name of the case of this hook that shows it.
    pub case: Option<String>,
}

/// What a hook does in a failure mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The action goes on.
    Allow,
    /// The action is denied.
    Deny,
    /// The hook does nothing and says nothing.
    Skip,
    /// The hook does what it can with what there is.
    Partial,
}
