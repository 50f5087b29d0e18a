//! `hookgen stats`: what hooks decided, from their audit trails.

use anyhow::Context as _;
use camino::Utf8PathBuf;

use super::args::{StatsArgs, Trail, Trails};
use super::console::{count, data, talk};
use super::list::table;
use super::{Finish, current_folder};
use crate::report::otlp_line;
use crate::stats::{self, Chosen, Decisions, Stats};

pub(super) fn run(args: &StatsArgs) -> anyhow::Result<Finish> {
    let (place, trails) = found(&args.trails)?;
    let chosen = args.trails.chosen();
    if args.format == Some(Trail::Otlp) {
        let (lines, broken) = stats::lines(&trails, &chosen)?;
        lines.iter().filter_map(otlp_line).try_for_each(data)?;
        if broken > 0 {
            talk(format!("{} made no sense", count(self::lines(broken), "line")));
        }
        return Ok(Finish::Fine);
    }
    let stats = stats::count(&trails, &chosen)?;
    if stats.broken_lines > 0 {
        talk(format!("{} made no sense and {} left out", count(lines(stats.broken_lines), "line"), were(&stats)));
    }
    if args.json || args.format == Some(Trail::Json) {
        data(serde_json::to_string_pretty(&stats).context("cannot write the count as JSON")?)?;
        return Ok(Finish::Fine);
    }
    if stats.lines == 0 {
        data(format!("no decisions in {place}"))?;
        return Ok(Finish::Fine);
    }
    section("hooks", &hooks(&stats))?;
    section("days", &days(&stats))?;
    section("top reasons", &reasons(&stats))?;
    section("latest failures that let an action pass", &failures(&stats))?;
    data(format!("{} in {}", count(lines(stats.lines), "decision"), count(stats.files, "file")))?;
    Ok(Finish::Fine)
}

/// Where trails are looked for, and those that are there.
pub(super) fn found(args: &Trails) -> anyhow::Result<(Utf8PathBuf, Vec<Utf8PathBuf>)> {
    let place = match &args.place {
        Some(place) => current_folder()?.join(place),
        None => stats::default_folder()?,
    };
    // Where no hook has run yet there is nothing, which is no mistake unless somebody named the place.
    let trails = if args.place.is_none() && !place.exists() { Vec::new() } else { stats::trails(&place)? };
    Ok((place, trails))
}

impl Trails {
    pub(super) fn chosen(&self) -> Chosen {
        Chosen {
            since: self.since.clone(),
            catalog: self.catalog.clone(),
            hook: self.hook.clone(),
            project: self.project.clone(),
        }
    }
}

fn lines(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn were(stats: &Stats) -> &'static str {
    if stats.broken_lines == 1 { "was" } else { "were" }
}

/// A table under its title; one with nothing but a head is left out.
fn section(title: &str, rows: &[Vec<String>]) -> anyhow::Result<()> {
    if rows.len() < 2 {
        return Ok(());
    }
    data(format!("{title}:"))?;
    let rows: Vec<&[String]> = rows.iter().map(Vec::as_slice).collect();
    table(&rows).iter().try_for_each(data)?;
    data("")
}

fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn hooks(stats: &Stats) -> Vec<Vec<String>> {
    let rows = stats.hooks.iter().map(|hook| {
        let (p50, p95) = (milliseconds(hook.p50_us), milliseconds(hook.p95_us));
        vec![hook.catalog.clone(), hook.hook.clone(), p50, p95, hook.fail_open.to_string(), words(&hook.decisions)]
    });
    std::iter::once(head(&["catalog", "hook", "p50", "p95", "fail-open", "decisions"])).chain(rows).collect()
}

fn days(stats: &Stats) -> Vec<Vec<String>> {
    let rows = stats
        .days
        .iter()
        .map(|day| vec![day.day.clone(), day.catalog.clone(), day.hook.clone(), words(&day.decisions)]);
    std::iter::once(head(&["day", "catalog", "hook", "decisions"])).chain(rows).collect()
}

fn reasons(stats: &Stats) -> Vec<Vec<String>> {
    let rows = stats.reasons.iter().map(|reason| {
        vec![reason.count.to_string(), reason.hook.clone(), reason.decision.clone(), short(&reason.reason)]
    });
    std::iter::once(head(&["count", "hook", "decision", "reason"])).chain(rows).collect()
}

fn failures(stats: &Stats) -> Vec<Vec<String>> {
    let rows = stats.latest_fail_open.iter();
    let rows = rows.map(|failure| vec![failure.time.clone(), failure.hook.clone(), short(&failure.reason)]);
    std::iter::once(head(&["time", "hook", "reason"])).chain(rows).collect()
}

fn words(decisions: &Decisions) -> String {
    decisions.iter().map(|(word, count)| format!("{word} {count}")).collect::<Vec<_>>().join(", ")
}

fn milliseconds(microseconds: u64) -> String {
    format!("{}.{:02} ms", microseconds / 1000, microseconds % 1000 / 10)
}

fn short(text: &str) -> String {
    const LONGEST: usize = 100;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_texts_fit_a_line() {
        assert_eq!((milliseconds(412).as_str(), milliseconds(12_345).as_str()), ("0.41 ms", "12.34 ms"));
        assert_eq!(short("short"), "short");
        assert_eq!(short(&"é".repeat(300)).chars().count(), 100);
    }
}
