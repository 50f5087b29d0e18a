//! What the success of a line tells of its commands: which of them it could not have succeeded without.
//!
//! A shell is lenient unless it is told otherwise: it goes on after a command that fails, and a pipe is as good as its
//! last command. `set -e`, `set -o pipefail` and `|| exit 1` are how people tell it.

use super::field::Field;
use super::state::Value;
use super::syntax::{Body, List, Part, Pipeline, Stage, Statement, Word};
use super::walk::Walker;

/// Where the shell keeps the options that are switched on, of those that matter here.
const OPTIONS: &str = "SHELLOPTS";
const ENDS_ON_FAILURE: &str = "errexit";
const PIPES_FAIL: &str = "pipefail";
/// How the command before has ended.
const STATUS: &str = "$?";

/// Of the pipelines of a statement, those that the success of what is around it needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needed {
    /// The first one, and the one behind the last.
    first: usize,
    end: usize,
}

impl Needed {
    const NONE: Self = Self { first: 0, end: 0 };

    pub(super) fn has(self, nth: usize) -> bool {
        self.first <= nth && nth < self.end
    }
}

impl Walker<'_> {
    /// Follows the options of `set` and of a shell that is started.
    pub(super) fn switch(&mut self, args: &[Field]) {
        let mut names: Vec<String> = match self.state.get(OPTIONS) {
            Some(Value::One(on)) if on.is_resolved() => on.text.split(':').map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let before = names.len();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let Some(cluster) = arg.text.strip_prefix(['-', '+']).filter(|cluster| !cluster.starts_with('-')) else {
                break;
            };
            let on = arg.text.starts_with('-');
            let mut switched = Vec::new();
            if cluster.contains('e') {
                switched.push(ENDS_ON_FAILURE);
            }
            if cluster.ends_with('o') {
                let word = rest.next().map(|word| word.text.as_str());
                switched.extend([ENDS_ON_FAILURE, PIPES_FAIL].into_iter().find(|option| word == Some(*option)));
            }
            for option in switched {
                names.retain(|name| name != option);
                if on {
                    names.push(option.to_owned());
                }
            }
        }
        if before > 0 || !names.is_empty() {
            self.state.set(OPTIONS, Value::One(Field::known(names.join(":"))));
        }
    }

    /// Whether an option is sure to be on.
    fn is_on(&self, option: &str) -> bool {
        match self.state.get(OPTIONS) {
            Some(Value::One(on)) => on.is_resolved() && on.text.split(':').any(|name| name == option),
            _ => false,
        }
    }

    /// Whether the success of a pipe needs that of the command at a place of it.
    pub(super) fn needs_stage(&self, nth: usize, stages: &[Stage]) -> bool {
        nth + 1 == stages.len() || self.is_on(PIPES_FAIL)
    }

    /// The pipelines that the success of a list needs of one of its statements.
    pub(super) fn needed(&self, nth: usize, list: &List) -> Needed {
        let Some(statement) = list.get(nth).filter(|statement| !statement.background) else { return Needed::NONE };
        let pipelines = &statement.pipelines;
        // What runs only after a failure, and fails itself, is where the statement fails.
        let end = 1 + pipelines.iter().rposition(|pipeline| !(pipeline.otherwise && fails(pipeline))).unwrap_or(0);
        // After another `||`, either side may be the one that succeeded.
        let either = pipelines.iter().take(end).rposition(|pipeline| pipeline.otherwise);
        let first = either.map_or(0, |last| last + 1);
        let is_last = nth + 1 == list.len() || list.get(nth + 1).is_some_and(passes_on);
        if is_last || pipelines.get(end).is_some_and(exits) {
            Needed { first, end }
        } else if self.is_on(ENDS_ON_FAILURE) {
            // Before `&&`, a failure ends nothing.
            Needed { first: first.max(end - 1), end }
        } else {
            Needed::NONE
        }
    }
}

/// Whether a statement ends the shell as the one before it has ended.
fn passes_on(statement: &Statement) -> bool {
    matches!(statement.pipelines.as_slice(), [pipeline] if words(pipeline).is_some_and(|words| {
        matches!(words.as_slice(), [name] | [name, _] if name == "exit") && words.get(1).is_none_or(|code| code == STATUS)
    }))
}

/// Whether a pipeline never succeeds.
fn fails(pipeline: &Pipeline) -> bool {
    is_failure(pipeline, true)
}

/// Whether it never succeeds, because it ends the shell.
fn exits(pipeline: &Pipeline) -> bool {
    is_failure(pipeline, false)
}

fn is_failure(pipeline: &Pipeline, subshells: bool) -> bool {
    let ends_in_failure = |list: &List| {
        list.last().is_some_and(|last| {
            !last.background && matches!(last.pipelines.as_slice(), [pipeline] if is_failure(pipeline, subshells))
        })
    };
    match pipeline.stages.as_slice() {
        [Stage { body: Body::Group(list), .. }] if pipeline.is_plain() => ends_in_failure(list),
        [Stage { body: Body::Subshell(list), .. }] if pipeline.is_plain() => subshells && ends_in_failure(list),
        _ => words(pipeline).is_some_and(|words| match words.as_slice() {
            [name] => subshells && name == "false" || pipeline.otherwise && name == "exit",
            [name, code] if name == "exit" => {
                pipeline.otherwise && code == STATUS || code.parse::<u8>().is_ok_and(|code| code > 0)
            }
            _ => false,
        }),
    }
}

/// The words of a pipeline that is one simple command, if none of them says more than text, or `$?`.
fn words(pipeline: &Pipeline) -> Option<Vec<String>> {
    let [Stage { body: Body::Simple { assigns, words }, .. }] = pipeline.stages.as_slice() else { return None };
    if !pipeline.is_plain() || !assigns.is_empty() || words.len() > 2 {
        return None;
    }
    words.iter().map(|word| word.literal().map(std::borrow::Cow::into_owned).or_else(|| status(word))).collect()
}

fn status(word: &Word) -> Option<String> {
    matches!(word.parts.as_slice(), [Part::Variable(variable)] if variable.name == "?").then(|| STATUS.to_owned())
}
