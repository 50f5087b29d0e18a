//! What a generated crate is made of: constant tables, and the functions that its hooks are.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::config::Config;
use crate::failure::Attempt;
use crate::json::Many;
use crate::node::Node;
use crate::pattern::Pattern;
use crate::surroundings;
use crate::verdict::Verdict;

/// Text of a catalog: a constant in generated code, owned where it was read.
pub type Str = Cow<'static, str>;

/// Texts of a catalog.
pub type Strs = Many<'static, Str>;

/// A catalog's constants.
#[derive(Debug, Serialize, Deserialize)]
pub struct Catalog {
    /// Name of the catalog.
    pub name: Str,
    /// Its version.
    pub version: Str,
    /// Digest of its text.
    pub digest: Str,
    /// How a denial is spoken.
    pub denial: Denial,
    /// Whether `\!` in an event is read as `!`.
    pub bang_escapes: bool,
    /// When an open hook is bypassed because the machine under it keeps failing. A closed one never is.
    pub breaker: Option<Breaker>,
    /// Whether the person is told when a hook could not check something and let it pass. The log always is.
    pub fail_open_notice: bool,
    /// The variable that makes the log verbose.
    pub verbose_env: Option<Str>,
    /// Flags, in catalog order.
    pub flags: Many<'static, Flag>,
    /// Choices, in catalog order.
    pub choices: Many<'static, Choice>,
    /// Thresholds, in catalog order.
    pub thresholds: Many<'static, Threshold>,
    /// Keys of the config file that are not read.
    pub refused: Many<'static, Refused>,
    /// The hooks, in catalog order.
    pub hooks: Many<'static, Hook>,
}

impl Catalog {
    /// A catalog of that name without anything in it.
    pub const fn empty(name: &'static str) -> Self {
        Self {
            name: Str::Borrowed(name),
            version: Str::Borrowed(""),
            digest: Str::Borrowed(""),
            denial: Denial::Json,
            bang_escapes: false,
            breaker: None,
            fail_open_notice: true,
            verbose_env: None,
            flags: Many::EMPTY,
            choices: Many::EMPTY,
            thresholds: Many::EMPTY,
            refused: Many::EMPTY,
            hooks: Many::EMPTY,
        }
    }

    /// Whether the person wants full input and output in the log.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose_env.as_deref().is_some_and(|name| surroundings::variable(name).is_some_and(|on| on == "true"))
    }
}

/// A hook's constants.
#[derive(Debug, Serialize, Deserialize)]
pub struct Hook {
    /// Id, as the registration passes it.
    pub id: Str,
    /// Name in the decision log.
    pub log_name: Str,
    /// The event, by the client's name.
    pub event: Str,
    /// Which subjects it is for. Checked again here, since not every client honours matchers.
    pub matcher: Matcher,
    /// What happens when the hook itself breaks.
    pub fail_safe: FailSafe,
    /// After how many milliseconds the client gives up on it.
    pub timeout_ms: u32,
    /// How far its decisions go, unless the config file says otherwise.
    pub mode: Mode,
    /// The place of the flag that switches it.
    pub flag: Option<usize>,
    /// Whether it starts programs or spends before it decides, so that its mode must be known first.
    pub acts: bool,
    /// Whether it runs in the background.
    pub background: bool,
    /// Whether a refusal wakes the model from there, which the client does on exit code 2 alone.
    pub rewakes: bool,
}

/// The two ways to speak a denial.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Denial {
    /// A JSON object on standard output, exit code 0.
    #[default]
    Json,
    /// Exit code 2 with the reason on standard error.
    ExitCode,
}

/// What happens to the action when the hook itself breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FailSafe {
    /// It goes on.
    Open,
    /// It is denied.
    Closed,
}

impl FailSafe {
    /// As catalogs and documents call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

/// How far a hook's decisions go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// They count.
    #[default]
    Enforce,
    /// The person is told what the hook would have done, and nothing else happens.
    Warn,
    /// Only the log says what the hook would have done.
    Audit,
    /// The hook does nothing at all.
    Off,
}

impl Mode {
    /// Every mode, from the one that goes farthest.
    pub const ALL: [Self; 4] = [Self::Enforce, Self::Warn, Self::Audit, Self::Off];

    /// The mode of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// As catalogs, config files and the audit trail call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Warn => "warn",
            Self::Audit => "audit",
            Self::Off => "off",
        }
    }
}

/// When an open hook is bypassed because the machine under it keeps failing. A closed one never is.
#[derive(Debug, Serialize, Deserialize)]
pub struct Breaker {
    /// The place of the threshold: failures of the machine in a row after which it is.
    pub after: usize,
}

/// Which subjects a hook is for.
#[derive(Debug, Serialize, Deserialize)]
pub enum Matcher {
    /// All of them.
    All,
    /// Those of exactly these names.
    Names(Strs),
    /// Those in which the pattern is found.
    Pattern(Pattern),
}

impl Matcher {
    /// Whether the subject is one of them.
    pub fn takes(&self, subject: &str) -> bool {
        match self {
            Self::All => true,
            Self::Names(names) => names.iter().any(|known| known == subject),
            Self::Pattern(pattern) => pattern.matches(subject),
        }
    }
}

/// A feature flag's constants.
#[derive(Debug, Serialize, Deserialize)]
pub struct Flag {
    /// Where the config file says so.
    pub config: Strs,
    /// Value when it does not.
    pub default: bool,
    /// The places of flags that must be on as well.
    pub requires: Many<'static, usize>,
}

/// A key of the config file that is not read.
#[derive(Debug, Serialize, Deserialize)]
pub struct Refused {
    /// The key.
    pub config: Strs,
    /// What counts instead.
    pub instead: Str,
    /// The value about which nobody is bothered.
    pub unless: Option<Str>,
}

/// A threshold's constants.
#[derive(Debug, Serialize, Deserialize)]
pub struct Threshold {
    /// Where the config file says so; empty when it cannot.
    pub config: Strs,
    /// Value when it does not.
    pub default: f64,
    /// What the config file may say.
    pub range: Option<(f64, f64)>,
    /// Whether only whole numbers make sense.
    pub whole: bool,
}

/// A choice's constants.
#[derive(Debug, Serialize, Deserialize)]
pub struct Choice {
    /// Where the config file says so.
    pub config: Strs,
    /// The words that it may say.
    pub values: Strs,
    /// The one that counts when it does not.
    pub default: Str,
}

/// What generated code provides for one call: facts, documents and hooks, evaluated only when reached.
pub trait Program {
    /// Operators' settings.
    fn config(&self) -> &Config;

    /// Whether the development switch is on.
    fn dev_mode(&self) -> Attempt<bool>;

    /// Runs the hook at that place of the catalog.
    fn run(&self, hook: usize, verdict: &mut Verdict) -> Attempt<()>;
}

/// What the facts of a generated program stand on: the call, whatever they are.
#[derive(Debug)]
pub struct Ground<'c> {
    call: &'c Call<'c>,
}

impl<'c> Ground<'c> {
    /// The ground of a call.
    pub fn new(call: &'c Call<'c>) -> Self {
        Self { call }
    }

    /// The call.
    pub fn call(&self) -> &'c Call<'c> {
        self.call
    }

    /// The event's payload.
    pub fn event(&self) -> Node<'c> {
        self.call.payload()
    }
}

/// Makes the program for a call.
pub type Start = &'static (dyn for<'c> Fn(&'c Call<'c>) -> Box<dyn Program + 'c> + Send + Sync);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_whole_and_patterns_anywhere() {
        let names = Matcher::Names(Many::Borrowed(&[Str::Borrowed("Write"), Str::Borrowed("Edit")]));
        assert!(names.takes("Edit"));
        assert!(!names.takes("MultiEdit"));
        let pattern = Matcher::Pattern(Pattern::new("mcp__context7__.*|mcp__Ref__.*"));
        assert!(pattern.takes("mcp__Ref__search"));
        assert!(!pattern.takes("mcp__ref__search"));
    }
}
