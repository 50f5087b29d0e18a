//! Results of cases, for people and for programs.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer, ser::SerializeStruct as _};
use serde_json::Value;

use super::audit::Decided;
use super::run::Run;
use super::witnessed::Witnessed;
use crate::proof::Seen;

/// What became of a case.
#[derive(Debug)]
pub struct Outcome {
    pub catalog: String,
    /// Id of the hook.
    pub hook: String,
    pub hook_name: String,
    /// Name of the case.
    pub case: String,
    /// The step that fell short; empty when the case passed.
    pub failures: Vec<StepFailure>,
    /// Why it is known to fail, if it is and did.
    pub todo: Option<String>,
    /// The hooks and checks that decided something in the course of it.
    pub decided: BTreeSet<(String, String)>,
    /// All that it brought about.
    pub(super) witnessed: Witnessed,
    /// What each step came to, for whoever hears it.
    pub reactions: Vec<Reaction>,
    /// What it saw of the catalog, where somebody looked.
    pub seen: Seen,
    /// How long it took.
    pub took: Duration,
}

/// What a step came to, for whoever hears it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reaction {
    /// Number of the step, from 1.
    pub step: usize,
    /// The decision, as a case would expect it.
    pub decision: String,
    /// What was said, to whomever.
    pub said: Vec<String>,
    /// Fields of the tool's input that were replaced.
    pub updated: Option<Value>,
}

/// How a step fell short.
#[derive(Debug, Default, Serialize)]
pub struct StepFailure {
    /// Number of the step, from 1; absent when the case could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// Id of the hook that ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook: Option<String>,
    /// Number of the run that is shown, when there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// What was expected and what was found, one sentence each.
    pub problems: Vec<String>,
    /// What the hook read.
    pub input: String,
    /// How the process ended.
    pub end: String,
    pub stdout: String,
    pub stderr: String,
    /// Which check decided, by the audit log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
}

impl Outcome {
    #[cfg(test)]
    pub(super) fn of(catalog: &str) -> Self {
        Self {
            catalog: catalog.to_owned(),
            hook: String::new(),
            hook_name: String::new(),
            case: String::new(),
            failures: Vec::new(),
            todo: None,
            decided: BTreeSet::new(),
            witnessed: Witnessed::default(),
            reactions: Vec::new(),
            seen: Seen::default(),
            took: Duration::ZERO,
        }
    }

    /// The same, held against what the case came to on another back end: a difference is a failure of its own.
    #[must_use]
    pub fn beside(mut self, other: &Self, names: [&str; 2]) -> Self {
        let problems = self.witnessed.differences(&other.witnessed, names);
        if self.passed() && other.passed() && !problems.is_empty() {
            let end = format!("passed on both, but {} and {} differ", names[0], names[1]);
            self.failures.push(StepFailure { problems, end, ..StepFailure::default() });
        }
        self
    }

    /// Whether it brought about something else than the other.
    pub fn differs(&self, other: &Self) -> bool {
        self.witnessed != other.witnessed
    }

    /// The same, where the case says that it is known to fail: falling short is what it should do.
    #[must_use]
    pub(super) fn known_to_fail(mut self, todo: Option<&String>) -> Self {
        let Some(reason) = todo else { return self };
        if self.failures.is_empty() {
            let problem = format!("it is marked `todo: {reason}`, and passes: take the mark out");
            self.failures.push(StepFailure { problems: vec![problem], ..StepFailure::default() });
        } else {
            self.failures.clear();
            self.todo = Some(reason.clone());
        }
        self
    }

    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

impl StepFailure {
    /// What one of several runs of a hook has to show for what went wrong.
    pub(super) fn new(hook: &str, run: &Run, runs: usize, problems: Vec<String>, decided: Option<Decided>) -> Self {
        Self {
            step: None,
            hook: Some(hook.to_owned()),
            run: (runs > 1).then_some(run.number),
            problems: run.reply.faults.iter().cloned().chain(problems).collect(),
            input: run.input.clone(),
            end: run.answer.end.to_string(),
            stdout: String::from_utf8_lossy(&run.answer.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&run.answer.stderr).into_owned(),
            decided,
        }
    }

    /// The same with every text changed.
    pub(super) fn map(self, change: impl Fn(&str) -> String) -> Self {
        let decided = self.decided.map(|decided| Decided { reason: change(&decided.reason), ..decided });
        Self {
            problems: self.problems.iter().map(|problem| change(problem)).collect(),
            input: change(&self.input),
            stdout: change(&self.stdout),
            stderr: change(&self.stderr),
            decided,
            ..self
        }
    }

    pub(super) fn broken(error: &anyhow::Error) -> Self {
        Self { problems: vec![format!("the case could not be run: {error:#}")], ..Self::default() }
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut outcome = serializer.serialize_struct("Outcome", 7)?;
        outcome.serialize_field("catalog", &self.catalog)?;
        outcome.serialize_field("hook", &self.hook)?;
        outcome.serialize_field("name", &self.hook_name)?;
        outcome.serialize_field("case", &self.case)?;
        outcome.serialize_field("passed", &self.passed())?;
        if let Some(todo) = &self.todo {
            outcome.serialize_field("todo", todo)?;
        }
        outcome.serialize_field("failures", &self.failures)?;
        outcome.end()
    }
}

/// A case in a few lines: its name, and for a failed one everything that is needed to see why.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match (&self.todo, self.passed()) {
            (Some(_), _) => "todo",
            (None, true) => "ok",
            (None, false) => "FAILED",
        };
        write!(f, "{word} {} {} {}: {}", self.catalog, self.hook, self.hook_name, self.case)?;
        self.failures.iter().try_for_each(|failure| write!(f, "\n{failure}"))
    }
}

impl fmt::Display for StepFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.problems {
            writeln!(f, "  {problem}")?;
        }
        let Some(step) = self.step else { return Ok(()) };
        write!(f, "  step {step}")?;
        if let Some(hook) = &self.hook {
            write!(f, ", hook {hook}")?;
        }
        if let Some(run) = self.run {
            write!(f, ", run {run}")?;
        }
        writeln!(f, ": {}", self.end)?;
        block(f, "input", &self.input)?;
        block(f, "stdout", &self.stdout)?;
        block(f, "stderr", &self.stderr)?;
        match &self.decided {
            Some(decided) => writeln!(f, "    decided: {decided}"),
            None => writeln!(f, "    decided: nothing in the audit log"),
        }
    }
}

/// A text under its title, on one line if it is one.
pub(super) fn block(f: &mut fmt::Formatter<'_>, title: &str, text: &str) -> fmt::Result {
    let mut lines = text.trim_end().lines();
    match (lines.next(), lines.next()) {
        (None, _) => writeln!(f, "    {title}: (empty)"),
        (Some(only), None) => writeln!(f, "    {title}: {only}"),
        _ => {
            writeln!(f, "    {title}:")?;
            text.trim_end().lines().try_for_each(|line| writeln!(f, "      {line}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(failures: Vec<StepFailure>) -> Outcome {
        let text = |text: &str| text.to_owned();
        Outcome { hook: text("H01"), hook_name: text("guard"), case: text("it holds"), failures, ..Outcome::of("demo") }
    }

    #[test]
    fn a_failed_case_says_everything_that_is_needed_to_see_why() {
        let failure = StepFailure {
            step: Some(2),
            hook: Some("H01".to_owned()),
            run: Some(3),
            problems: vec!["expected decision `deny`, found `pass`".to_owned()],
            input: "{}".to_owned(),
            end: "exit code 0".to_owned(),
            stdout: String::new(),
            stderr: "a\nb\n".to_owned(),
            decided: Some(Decided {
                hook: "H01".to_owned(),
                check: Some("first".to_owned()),
                decision: "pass".to_owned(),
                mode: None,
                reason: "fine".to_owned(),
            }),
        };
        let expected = "\
FAILED demo H01 guard: it holds
  expected decision `deny`, found `pass`
  step 2, hook H01, run 3: exit code 0
    input: {}
    stdout: (empty)
    stderr:
      a
      b
    decided: pass by check `first` of H01: fine
";
        assert_eq!(outcome(vec![failure]).to_string(), expected);
    }

    #[test]
    fn a_passed_case_is_one_line() {
        assert_eq!(outcome(Vec::new()).to_string(), "ok demo H01 guard: it holds");
    }

    #[test]
    fn the_json_form_has_no_nulls() {
        let failed = outcome(vec![StepFailure::broken(&anyhow::anyhow!("no disk"))]);
        let text = serde_json::to_string(&failed).expect("serialised");
        assert!(!text.contains("null") && text.contains("\"passed\":false") && text.contains("no disk"), "{text}");
    }
}
