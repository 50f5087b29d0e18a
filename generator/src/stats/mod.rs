//! What hooks decided, counted from their audit trails.
//!
//! A trail is data from elsewhere: a line that makes no sense is counted and left out, never an error.

mod find;
mod since;

pub use find::{default_folder, trails};
pub use since::Since;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};

use anyhow::Context as _;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How many reasons and failures are shown.
const MOST_SHOWN: usize = 10;

/// Decisions that stand in nobody's way, and remarks: their reasons are not what a person looks for.
const UNREMARKABLE: &[&str] = &["ALLOW", "LOG", "INJECT", "EXPORT", "NOTE", "DEV_SKIP"];

/// A line of the audit trail, as far as it is counted.
#[derive(Debug, Deserialize)]
struct Line {
    time: String,
    #[serde(default)]
    catalog: String,
    hook: String,
    #[serde(default)]
    project: String,
    decision: String,
    mode: Option<String>,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    duration_us: u64,
}

impl Line {
    /// The decision, marked when it was not carried out.
    fn word(&self) -> String {
        match &self.mode {
            Some(mode) => format!("{} ({mode})", self.decision),
            None => self.decision.clone(),
        }
    }
}

/// Decisions and how often each was taken.
pub type Decisions = BTreeMap<String, u64>;

/// The whole count.
#[derive(Debug, Default, Serialize)]
pub struct Stats {
    /// How many files were read.
    pub files: usize,
    /// How many lines were counted.
    pub lines: u64,
    /// How many lines made no sense.
    pub broken_lines: u64,
    pub hooks: Vec<HookStats>,
    pub days: Vec<DayStats>,
    /// The most frequent reasons, most frequent first.
    pub reasons: Vec<ReasonStats>,
    /// How often a hook could not check something and let it pass.
    pub fail_open: u64,
    /// The latest of them, newest first.
    pub latest_fail_open: Vec<FailOpen>,
}

#[derive(Debug, Serialize)]
pub struct HookStats {
    pub catalog: String,
    pub hook: String,
    pub decisions: Decisions,
    pub fail_open: u64,
    pub fail_closed: u64,
    /// The middle of all durations, in microseconds.
    pub p50_us: u64,
    /// What 95 of 100 calls do not exceed.
    pub p95_us: u64,
}

#[derive(Debug, Serialize)]
pub struct DayStats {
    pub day: String,
    pub catalog: String,
    pub hook: String,
    pub decisions: Decisions,
}

#[derive(Debug, Serialize)]
pub struct ReasonStats {
    pub catalog: String,
    pub hook: String,
    pub decision: String,
    pub reason: String,
    pub count: u64,
}

#[derive(Debug, Clone, Serialize)]
pub struct FailOpen {
    pub time: String,
    pub catalog: String,
    pub hook: String,
    pub reason: String,
}

type HookKey = (String, String);

/// The count under way.
#[derive(Default)]
struct Count {
    stats: Stats,
    hooks: BTreeMap<HookKey, (Decisions, Vec<u64>)>,
    days: BTreeMap<(String, String, String), Decisions>,
    reasons: BTreeMap<(String, String, String, String), u64>,
    fail_open: Vec<FailOpen>,
}

/// Which lines count.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    /// From when on.
    pub since: Option<Since>,
    /// The catalog's name.
    pub catalog: Option<String>,
    /// The hook's id.
    pub hook: Option<String>,
    /// A part of the project's folder.
    pub project: Option<String>,
}

impl Chosen {
    fn has(&self, line: &Line) -> bool {
        let same = |wanted: &Option<String>, found: &str| wanted.as_ref().is_none_or(|wanted| wanted == found);
        self.since.as_ref().is_none_or(|since| since.includes(&line.time))
            && same(&self.catalog, &line.catalog)
            && same(&self.hook, &line.hook)
            && self.project.as_ref().is_none_or(|project| line.project.contains(project.as_str()))
    }
}

/// The lines of the trails that are chosen, whole, and how many made no sense.
pub fn lines(trails: &[Utf8PathBuf], chosen: &Chosen) -> anyhow::Result<(Vec<Value>, u64)> {
    let (mut found, mut broken) = (Vec::new(), 0);
    for trail in trails {
        let file = File::open(trail).with_context(|| format!("cannot open `{trail}`"))?;
        for bytes in BufReader::new(file).split(b'\n') {
            let bytes = bytes.with_context(|| format!("cannot read `{trail}`"))?;
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let whole = serde_json::from_slice::<Value>(&bytes).ok();
            match whole.and_then(|whole| Some((Line::deserialize(&whole).ok()?, whole))) {
                Some((line, whole)) => found.extend(chosen.has(&line).then_some(whole)),
                None => broken += 1,
            }
        }
    }
    Ok((found, broken))
}

/// Counts what the trails say, as far as it is chosen.
pub fn count(trails: &[Utf8PathBuf], chosen: &Chosen) -> anyhow::Result<Stats> {
    let mut count = Count::default();
    for trail in trails {
        let file = File::open(trail).with_context(|| format!("cannot open `{trail}`"))?;
        count.stats.files += 1;
        for line in BufReader::new(file).split(b'\n') {
            count.add(&line.with_context(|| format!("cannot read `{trail}`"))?, chosen);
        }
    }
    Ok(count.finish())
}

impl Count {
    fn add(&mut self, bytes: &[u8], chosen: &Chosen) {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let Ok(line) = serde_json::from_slice::<Line>(bytes) else {
            self.stats.broken_lines += 1;
            return;
        };
        if !chosen.has(&line) {
            return;
        }
        self.stats.lines += 1;
        let hook = (line.catalog.clone(), line.hook.clone());
        let (decisions, durations) = self.hooks.entry(hook).or_default();
        *decisions.entry(line.word()).or_default() += 1;
        if line.decision != "NOTE" {
            durations.push(line.duration_us);
        }
        let day = line.time.chars().take(10).collect();
        let day = self.days.entry((day, line.catalog.clone(), line.hook.clone())).or_default();
        *day.entry(line.word()).or_default() += 1;
        if !UNREMARKABLE.contains(&line.decision.as_str()) && !line.reason.is_empty() {
            let key = (line.catalog.clone(), line.hook.clone(), line.word(), line.reason.clone());
            *self.reasons.entry(key).or_default() += 1;
        }
        if line.decision == "FAIL_OPEN" {
            let Line { time, catalog, hook, reason, .. } = line;
            self.fail_open.push(FailOpen { time, catalog, hook, reason });
        }
    }

    fn finish(self) -> Stats {
        let hooks = self.hooks.into_iter().map(|((catalog, hook), (decisions, mut durations))| {
            durations.sort_unstable();
            let of = |word: &str| decisions.iter().filter(|(name, _)| name.starts_with(word)).map(|(_, n)| n).sum();
            let (fail_open, fail_closed) = (of("FAIL_OPEN"), of("FAIL_CLOSED"));
            let (p50_us, p95_us) = (percentile(&durations, 50), percentile(&durations, 95));
            HookStats { catalog, hook, decisions, fail_open, fail_closed, p50_us, p95_us }
        });
        let days = self.days.into_iter();
        let days = days.map(|((day, catalog, hook), decisions)| DayStats { day, catalog, hook, decisions });
        let reasons = self.reasons.into_iter();
        let mut reasons: Vec<_> = reasons
            .map(|((catalog, hook, decision, reason), count)| ReasonStats { catalog, hook, decision, reason, count })
            .collect();
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
        reasons.truncate(MOST_SHOWN);
        let mut latest = self.fail_open;
        let fail_open = latest.len() as u64;
        latest.sort_by(|a, b| b.time.cmp(&a.time));
        latest.truncate(MOST_SHOWN);
        Stats {
            hooks: hooks.collect(),
            days: days.collect(),
            reasons,
            fail_open,
            latest_fail_open: latest,
            ..self.stats
        }
    }
}

/// The smallest value that so many of 100 do not exceed; zero when there is none.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trail(lines: &[&str]) -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Utf8PathBuf::try_from(folder.path().join("audit.jsonl")).expect("UTF-8");
        std::fs::write(&path, lines.join("\n")).expect("written");
        (folder, path)
    }

    fn line(time: &str, hook: &str, decision: &str, reason: &str, duration: u64) -> String {
        format!(
            r#"{{"time":"{time}","catalog":"c","hook":"{hook}","decision":"{decision}","reason":"{reason}","duration_us":{duration}}}"#
        )
    }

    #[test]
    fn decisions_are_counted_by_hook_and_by_day() {
        let lines = [
            line("2026-02-04T10:00:00Z", "H1", "DENY", "no", 100),
            line("2026-02-04T11:00:00Z", "H1", "DENY", "no", 300),
            line("2026-02-05T11:00:00Z", "H1", "ALLOW", "fine", 200),
            line("2026-02-05T12:00:00Z", "H2", "FAIL_OPEN", "disk", 900),
            r#"{"time":"2026-02-05T12:00:00Z","catalog":"c","hook":"H1","decision":"DENY","mode":"warn","reason":"no"}"#
                .to_owned(),
        ];
        let (_folder, path) = trail(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let stats = count(&[path], &Chosen::default()).expect("counted");
        assert_eq!((stats.files, stats.lines, stats.broken_lines, stats.fail_open), (1, 5, 0, 1));
        let first = &stats.hooks[0];
        assert_eq!(format!("{:?}", first.decisions), r#"{"ALLOW": 1, "DENY": 2, "DENY (warn)": 1}"#);
        assert_eq!((stats.hooks[1].fail_open, stats.hooks[1].p95_us), (1, 900));
        let days: Vec<_> = stats.days.iter().map(|day| (day.day.as_str(), day.hook.as_str())).collect();
        assert_eq!(days, [("2026-02-04", "H1"), ("2026-02-05", "H1"), ("2026-02-05", "H2")]);
        let reasons: Vec<_> = stats.reasons.iter().map(|reason| (reason.reason.as_str(), reason.count)).collect();
        assert_eq!(reasons, [("no", 2), ("no", 1), ("disk", 1)]);
        assert_eq!(stats.latest_fail_open[0].reason, "disk");
    }

    #[test]
    fn lines_of_every_version_count() {
        let old = line("2026-02-04T10:00:00Z", "H1", "DENY", "no", 1);
        let new = old.replacen('{', r#"{"v":1,"id":"3f09ac51e2","input":{"command":"ls","n":1},"uid":1000,"#, 1);
        let newer = new.replacen(r#""v":1"#, r#""v":99,"unheard_of":[{}]"#, 1);
        let (_folder, path) = trail(&[&old, &new, &newer]);
        let stats = count(&[path], &Chosen::default()).expect("counted");
        assert_eq!((stats.lines, stats.broken_lines, stats.hooks[0].decisions["DENY"]), (3, 0, 3));
    }

    #[test]
    fn broken_lines_are_counted_and_left_out() {
        let good = line("2026-02-04T10:00:00Z", "H1", "DENY", "no", 1);
        let (_folder, path) = trail(&[&good, "{\"time\":", "", "  ", "[]", "{\"hook\":1}", &good]);
        let stats = count(&[path], &Chosen::default()).expect("counted");
        assert_eq!((stats.lines, stats.broken_lines), (2, 3));
    }

    #[test]
    fn what_is_older_is_not_counted() {
        let old = line("2026-02-04T10:00:00Z", "H1", "DENY", "no", 1);
        let new = line("2026-02-06T10:00:00Z", "H1", "DENY", "no", 1);
        let (_folder, path) = trail(&[&old, &new]);
        let since = Some("2026-02-05".parse().expect("a date"));
        assert_eq!(count(&[path], &Chosen { since, ..Chosen::default() }).expect("counted").lines, 1);
    }

    #[test]
    fn lines_are_chosen_by_catalog_hook_and_project() {
        let one = line("2026-02-04T10:00:00Z", "H1", "DENY", "no", 1).replacen('{', r#"{"project":"/home/a/shop","#, 1);
        let two = line("2026-02-04T10:00:00Z", "H2", "DENY", "no", 1);
        let (_folder, path) = trail(&[&one, &two, "{"]);
        let number = |chosen: &Chosen| count(std::slice::from_ref(&path), chosen).expect("counted").lines;
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(number(&Chosen { hook: text("H2"), ..Chosen::default() }), 1);
        assert_eq!(number(&Chosen { project: text("shop"), ..Chosen::default() }), 1);
        assert_eq!(number(&Chosen { catalog: text("c"), ..Chosen::default() }), 2);
        assert_eq!(number(&Chosen { catalog: text("d"), ..Chosen::default() }), 0);
        let (whole, broken) = lines(&[path], &Chosen::default()).expect("read");
        assert_eq!((whole.len(), broken, &whole[0]["project"]), (2, 1, &Value::from("/home/a/shop")));
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!((percentile(&hundred, 50), percentile(&hundred, 95)), (50, 95));
        assert_eq!((percentile(&[7], 50), percentile(&[7], 95), percentile(&[], 50)), (7, 7, 0));
        assert_eq!(percentile(&[1, 100], 95), 100);
    }
}
