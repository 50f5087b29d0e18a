//! What a generated crate is made of: constant tables, and the functions that its hooks are.

use crate::call::Call;
use crate::config::Config;
use crate::failure::Attempt;
use crate::json::Json;
use crate::pattern::Pattern;
use crate::verdict::Verdict;

/// A catalog's constants.
#[derive(Debug)]
pub struct Catalog {
    /// Name of the catalog.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Digest of its text.
    pub digest: &'static str,
    /// How a denial is spoken.
    pub denial: Denial,
    /// Who hears that a hook broke and let the action pass.
    pub failure: FailureReport,
    /// The threshold that opens the circuit breaker.
    pub breaker: Option<&'static Threshold>,
    /// The variable that makes the log verbose.
    pub verbose_env: Option<&'static str>,
    /// The hooks, in catalog order.
    pub hooks: &'static [Hook],
}

/// A hook's constants.
#[derive(Debug)]
pub struct Hook {
    /// Id, as the registration passes it.
    pub id: &'static str,
    /// Name in the decision log.
    pub log_name: &'static str,
    /// The event, by the client's name.
    pub event: &'static str,
    /// Which subjects it is for. Checked again here, since not every client honours matchers.
    pub matcher: Matcher,
    /// What happens when the hook itself breaks.
    pub fail_safe: FailSafe,
    /// The flag that switches it.
    pub flag: Option<&'static Flag>,
    /// Whether it runs in the background.
    pub background: bool,
}

/// The two ways to speak a denial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// A JSON object on standard output.
    Json,
    /// Exit code 2 with the reason on standard error.
    ExitCode,
}

/// Who hears that a hook broke and let the action pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureReport {
    /// The person, once a session.
    Person,
    /// Standard error, every time.
    StandardError,
}

/// What happens to the action when a hook breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailSafe {
    /// It goes on.
    Open,
    /// It is denied.
    Closed,
}

/// Which subjects a hook is for.
#[derive(Debug)]
pub enum Matcher {
    /// All of them.
    All,
    /// Those of exactly these names.
    Names(&'static [&'static str]),
    /// Those in which the pattern is found.
    Pattern(&'static Pattern),
}

impl Matcher {
    /// Whether the subject is one of them. The subagent tool goes by two names.
    pub fn takes(&self, subject: &str) -> bool {
        let one = |name: &str| match self {
            Self::All => true,
            Self::Names(names) => names.contains(&name),
            Self::Pattern(pattern) => pattern.matches(name),
        };
        one(subject) || (subject == "Agent" && one("Task"))
    }
}

/// A feature flag's constants.
#[derive(Debug)]
pub struct Flag {
    /// Where the config file says so.
    pub config: &'static [&'static str],
    /// Value when it does not.
    pub default: bool,
    /// Flags that must be on as well.
    pub requires: &'static [&'static Flag],
}

/// A threshold's constants.
#[derive(Debug)]
pub struct Threshold {
    /// Where the config file says so; empty when it cannot.
    pub config: &'static [&'static str],
    /// Value when it does not.
    pub default: f64,
    /// What the config file may say.
    pub range: Option<(f64, f64)>,
    /// Whether only whole numbers make sense.
    pub whole: bool,
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

/// Makes the program for a call.
pub type Start = for<'c> fn(&'c Call<'c>) -> Box<dyn Program + 'c>;

/// A constant table of the catalog, for expressions.
pub type Table = Json<'static>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_whole_and_patterns_anywhere() {
        let names = Matcher::Names(&["Write", "Edit"]);
        assert!(names.takes("Edit"));
        assert!(!names.takes("MultiEdit"));
        static PATTERN: Pattern = Pattern::new("mcp__context7__.*|mcp__Ref__.*");
        let pattern = Matcher::Pattern(&PATTERN);
        assert!(pattern.takes("mcp__Ref__search"));
        assert!(!pattern.takes("mcp__ref__search"));
    }

    #[test]
    fn the_subagent_tool_goes_by_two_names() {
        assert!(Matcher::Names(&["Task"]).takes("Agent"));
        assert!(Matcher::Names(&["Agent"]).takes("Agent"));
        assert!(!Matcher::Names(&["TaskCreate"]).takes("Agent"));
    }
}
