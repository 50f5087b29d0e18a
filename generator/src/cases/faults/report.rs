//! What came of faults, for people and for programs.

use std::fmt::{self, Write as _};

use serde::Serialize;

use super::judge::Observed;
use crate::cases::audit::Decided;
use crate::cases::report::block;

/// How much of an input or an answer is shown: some faults are 50 MB long.
const MOST_SHOWN: usize = 1000;

/// How many lines of the log are shown, the last ones.
const MOST_LINES: usize = 5;

/// What one hook did under one fault.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    pub catalog: String,
    pub hook: String,
    pub fault: &'static str,
    pub runs: usize,
    /// Why the fault could not be brought about on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<&'static str>,
    /// The runs in which it did not do what it promised.
    pub failures: Vec<Failure>,
}

impl Finding {
    pub fn held(&self) -> bool {
        self.failures.is_empty() && self.skipped.is_none()
    }
}

/// A run that was not as promised, with all that is needed to see why.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Failure {
    /// What was expected and what came, one sentence each.
    pub problems: Vec<String>,
    /// The case whose world was broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The run; absent when there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Evidence>,
}

/// What a process was given, and what it left behind.
#[derive(Debug, Clone, Serialize)]
pub struct Evidence {
    /// The beginning of what it read. Bytes that are no text are shown as `\xff`.
    pub input: String,
    /// How long all of that is.
    pub input_bytes: usize,
    /// How the process ended.
    pub end: String,
    pub stdout: String,
    pub stderr: String,
    /// The last lines that it added to the audit trail.
    pub log: Vec<Decided>,
}

impl Failure {
    pub(super) fn without_a_run(problem: String) -> Self {
        Self { problems: vec![problem], ..Self::default() }
    }
}

impl Evidence {
    /// `hide` takes out of every text what is called differently in every run.
    pub(super) fn of(input: &[u8], seen: &Observed, hide: &dyn Fn(&str) -> String) -> Self {
        let surplus = seen.logged.len().saturating_sub(MOST_LINES);
        let log = seen.logged.iter().skip(surplus).cloned();
        Self {
            input: hide(&shown(input)),
            input_bytes: input.len(),
            end: seen.answer.end.to_string(),
            stdout: hide(&shown(&seen.answer.stdout)),
            stderr: hide(&shown(&seen.answer.stderr)),
            log: log.map(|line| Decided { reason: hide(&line.reason), ..line }).collect(),
        }
    }
}

/// The beginning of some bytes, all of which can be told from the text.
fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.get(..MOST_SHOWN.min(bytes.len())).unwrap_or_default().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    if bytes.len() > MOST_SHOWN {
        let _ = write!(text, "… ({} bytes more)", bytes.len() - MOST_SHOWN);
    }
    text
}

/// What did not hold, in a few lines each.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, failure) in self.failures.iter().enumerate() {
            if position > 0 {
                writeln!(f)?;
            }
            write!(f, "{} {} {}:", self.catalog, self.hook, self.fault)?;
            write!(f, "{failure}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [only] => write!(f, " {only}")?,
            several => several.iter().try_for_each(|problem| write!(f, "\n  {problem}"))?,
        }
        if let Some(case) = &self.case {
            write!(f, "\n  in the world of the case `{case}`")?;
        }
        self.run.iter().try_for_each(|run| write!(f, "\n{run}"))
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        block(f, &format!("input of {} bytes", self.input_bytes), &self.input)?;
        writeln!(f, "    end: {}", self.end)?;
        block(f, "stdout", &self.stdout)?;
        block(f, "stderr", &self.stderr)?;
        let lines: Vec<String> = self.log.iter().map(ToString::to_string).collect();
        write!(f, "    log:{}", if lines.is_empty() { " nothing" } else { "" })?;
        lines.iter().try_for_each(|line| write!(f, "\n      {line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::process::{Answer, End};

    fn evidence(input: &[u8]) -> Evidence {
        let answer = Answer { end: End::Exited(1), stdout: b"a\nb\n".to_vec(), stderr: b"/tmp/x\xff".to_vec() };
        let line = |number: usize| Decided {
            hook: "H01".to_owned(),
            check: Some("c".to_owned()),
            decision: "DENY".to_owned(),
            mode: None,
            reason: format!("reason {number}"),
        };
        let seen =
            Observed::read(crate::emit::fixture::full().hooks[0].event, hookgen_runtime::Running::Awaited, answer);
        let seen = Observed { logged: (0..7).map(line).collect(), ..seen };
        Evidence::of(input, &seen, &|text| text.replace("/tmp/x", "$WORLD"))
    }

    #[test]
    fn a_finding_says_what_is_wrong_and_shows_the_whole_run() {
        let failure = Failure {
            problems: vec!["decided Pass, but `fail_safe` says Deny".to_owned()],
            case: Some("a push".to_owned()),
            run: Some(evidence(b"{\"a\":1")),
        };
        let finding = Finding {
            catalog: "demo".to_owned(),
            hook: "H01".to_owned(),
            fault: "truncated-input",
            runs: 1,
            skipped: None,
            failures: vec![failure],
        };
        assert!(!finding.held());
        assert_eq!(
            finding.to_string(),
            "demo H01 truncated-input: decided Pass, but `fail_safe` says Deny\n  in the world of the case `a push`\n    \
             input of 6 bytes: {\"a\":1\n    end: exit code 1\n    stdout:\n      a\n      b\n    stderr: $WORLD\\xff\n    \
             log:\n      DENY by check `c` of H01: reason 2\n      DENY by check `c` of H01: reason 3\n      \
             DENY by check `c` of H01: reason 4\n      DENY by check `c` of H01: reason 5\n      \
             DENY by check `c` of H01: reason 6"
        );
    }

    #[test]
    fn a_long_input_is_cut_and_its_length_told() {
        let long = evidence("x".repeat(50_000).as_bytes());
        assert_eq!(long.input_bytes, 50_000);
        assert!(long.input.ends_with("x… (49000 bytes more)") && long.input.len() < 1100, "{}", long.input);
        assert_eq!(evidence(b"{\"x\":\"\xff\xfe\"}").input, r#"{"x":"\xff\xfe"}"#);
    }
}
