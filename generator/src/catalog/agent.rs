//! The agents that a catalog is for.

use hookgen_runtime::client::{CLAUDE, CLIENTS, Client, named};
use schemars::JsonSchema;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};

use crate::agents::Ability;

/// A coding agent, by its name on the command line.
#[derive(Debug, Clone, Copy)]
pub struct Agent(pub &'static Client);

impl Agent {
    /// Claude Code and nobody else.
    pub(super) fn alone() -> Vec<Self> {
        vec![Self(CLAUDE)]
    }
}

impl<'de> Deserialize<'de> for Agent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        named(&name).map(Self).ok_or_else(|| D::Error::custom(format!("there is no agent `{name}`")))
    }
}

impl JsonSchema for Agent {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Agent".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        schemars::json_schema!({ "type": "string", "enum": names, "description": "A coding agent." })
    }
}

/// What happens where an agent cannot do something.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Instead {
    /// A question that cannot be put to the person: the action is denied, or passes.
    pub ask: Option<Unasked>,
    /// A hook on an event that the agent does not have is left out.
    pub event: Option<Skipped>,
    /// A hook that is not a command is left out.
    pub r#type: Option<Skipped>,
    /// A refusal where nothing can be refused is lost.
    pub refuse: Option<Dropped>,
    /// An approval is lost, and the person decides.
    pub allow: Option<Dropped>,
    /// What the model cannot be told is lost.
    pub context: Option<Dropped>,
    /// What the person cannot be told is lost.
    pub notice: Option<Dropped>,
    /// A change of the input is lost; where a closed hook makes it, the call is refused.
    pub rewrite: Option<Dropped>,
    /// A variable that cannot be exported is lost.
    pub export: Option<Dropped>,
}

/// What becomes of an action about which nobody can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unasked {
    Deny,
    Pass,
}

/// A hook is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Skipped {
    Skip,
}

/// Something is not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Dropped {
    Drop,
}

impl Instead {
    /// Whether the catalog says what happens without it.
    pub fn covers(&self, ability: Ability) -> bool {
        match ability {
            Ability::Event => self.event.is_some(),
            Ability::Type => self.r#type.is_some(),
            Ability::Refuse => self.refuse.is_some(),
            Ability::Ask => self.ask.is_some(),
            Ability::Allow => self.allow.is_some(),
            Ability::Context => self.context.is_some(),
            Ability::Notice => self.notice.is_some(),
            Ability::Rewrite => self.rewrite.is_some(),
            Ability::Export => self.export.is_some(),
        }
    }
}
