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
    /// Whether `\!` in an event is read as `!`.
    pub bang_escapes: bool,
    /// When an open hook is bypassed because the machine under it keeps failing. A closed one never is.
    pub breaker: Option<Breaker>,
    /// Whether the person is told when a hook could not check something and let it pass. The log always is.
    pub fail_open_notice: bool,
    /// The variable that makes the log verbose.
    pub verbose_env: Option<&'static str>,
    /// The keys in the config file that mean something, beside modes.
    pub settings: &'static [&'static [&'static str]],
    /// The hooks, in catalog order.
    pub hooks: &'static [Hook],
}

impl Catalog {
    /// Whether the person wants full input and output in the log.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose_env.is_some_and(|name| std::env::var_os(name).is_some_and(|on| on == "true"))
    }
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
    /// After how many milliseconds the client gives up on it.
    pub timeout_ms: u32,
    /// How far its decisions go, unless the config file says otherwise.
    pub mode: Mode,
    /// The flag that switches it.
    pub flag: Option<&'static Flag>,
    /// Whether it runs in the background.
    pub background: bool,
    /// Whether a refusal wakes the model from there, which the client does on exit code 2 alone.
    pub rewakes: bool,
}

/// The two ways to speak a denial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// A JSON object on standard output.
    Json,
    /// Exit code 2 with the reason on standard error.
    ExitCode,
}

/// What happens to the action when a hook breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailSafe {
    /// It goes on.
    Open,
    /// It is denied.
    Closed,
}

/// How far a hook's decisions go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// They count.
    Enforce,
    /// The person is told what the hook would have done.
    Warn,
    /// Only the log says what the hook would have done.
    Audit,
}

impl Mode {
    /// The mode of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Enforce, Self::Warn, Self::Audit].into_iter().find(|mode| mode.name() == name)
    }

    /// As catalogs, config files and the audit trail call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Warn => "warn",
            Self::Audit => "audit",
        }
    }
}

/// When an open hook is bypassed because the machine under it keeps failing. A closed one never is.
#[derive(Debug)]
pub struct Breaker {
    /// Failures of the machine in a row after which it is.
    pub after: &'static Threshold,
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
    /// Whether the subject is one of them.
    pub fn takes(&self, subject: &str) -> bool {
        match self {
            Self::All => true,
            Self::Names(names) => names.contains(&subject),
            Self::Pattern(pattern) => pattern.matches(subject),
        }
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

/// A choice's constants.
#[derive(Debug)]
pub struct Choice {
    /// Where the config file says so.
    pub config: &'static [&'static str],
    /// The words that it may say.
    pub values: &'static [&'static str],
    /// The one that counts when it does not.
    pub default: &'static str,
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
        static PATTERN: Pattern = Pattern::new("mcp__context7__.*|mcp__Ref__.*");
        let names = Matcher::Names(&["Write", "Edit"]);
        assert!(names.takes("Edit"));
        assert!(!names.takes("MultiEdit"));
        let pattern = Matcher::Pattern(&PATTERN);
        assert!(pattern.takes("mcp__Ref__search"));
        assert!(!pattern.takes("mcp__ref__search"));
    }
}
