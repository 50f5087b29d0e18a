//! `hookgen corpus`: how a catalog judges commands whose verdict is known.

use std::collections::BTreeSet;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};

use super::args::CorpusArgs;
use super::console::{count, data};
use super::progress::Progress;
use super::ship::{Making, default_out, places, portable, ship};
use super::{Finish, load, projects};
use crate::cases::corpus::{self, Judges, Row, Verdict};
use crate::catalog::Decision;
use crate::parallel;
use crate::scratch;
use crate::workspace::Loaded;

pub(super) fn run(args: &CorpusArgs) -> anyhow::Result<Finish> {
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("cannot read `{}`", args.file))?;
    let rows = corpus::read(&text).with_context(|| format!("cannot use `{}`", args.file))?;
    let projects = projects(std::slice::from_ref(&args.catalog))?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let found = loaded.iter().find_map(|loaded| Some((loaded, loaded.catalogs.first()?)));
    let (loaded, catalog) = found.with_context(|| format!("no catalog `{}`", args.catalog))?;
    let judges = Judges::new(catalog)?;
    let folder = scratch::folder_on_disk("corpus")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    let plugin = plugin(args, loaded, folder)?.unwrap_or_else(|| default_out(loaded).join(&catalog.name));
    let jobs = args.jobs.unwrap_or_else(parallel::cores);
    let progress = Progress::start(format!("judging {}", count(rows.len(), "command")));
    let decisions = judges.judge(&plugin, &rows, jobs)?;
    drop(progress);
    report(&rows, &decisions)
}

/// The plugin that judges, if it is made here: compiled, or with the catalog evaluated as it stands.
fn plugin(args: &CorpusArgs, loaded: &Loaded<'_>, folder: &Utf8Path) -> anyhow::Result<Option<Utf8PathBuf>> {
    let plugins = if args.no_ship {
        Vec::new()
    } else if args.compiled || args.debug {
        ship(loaded, &default_out(loaded), Making::of(args.debug, false))?
    } else {
        engines(loaded, folder)?
    };
    Ok(plugins.into_iter().next())
}

/// Plugins with an engine, in a folder that goes with the run.
fn engines(loaded: &Loaded<'_>, folder: &Utf8Path) -> anyhow::Result<Vec<Utf8PathBuf>> {
    let outputs = loaded.catalogs.iter().map(|catalog| loaded.outputs(catalog)).collect::<Result<Vec<_>, _>>()?;
    let contents = portable(loaded, &outputs)?;
    let plugins = places(loaded, folder)?.into_iter().zip(contents).map(|(place, items)| {
        place.lay_out(&items)?;
        Ok(place.shown().to_owned())
    });
    plugins.collect()
}

/// One line per miss, then a table.
fn report(rows: &[Row], decisions: &[Decision]) -> anyhow::Result<Finish> {
    let mut misses = false;
    for (row, decision) in rows.iter().zip(decisions) {
        let right = match row.expect {
            Verdict::Block => *decision == Decision::Deny,
            Verdict::Allow => matches!(decision, Decision::Pass | Decision::Allow),
        };
        if !right {
            misses = true;
            let expected = if row.expect == Verdict::Block { "block" } else { "allow" };
            data(format!("{expected} but {}: {}", word(*decision), serde_json::Value::from(row.command.as_str())))?;
        }
    }
    for (verdict, name) in [(Verdict::Block, "block"), (Verdict::Allow, "allow")] {
        data(table_row(name, verdict, rows, decisions))?;
    }
    let scopes: BTreeSet<&str> = rows.iter().map(|row| row.scope.as_str()).filter(|scope| !scope.is_empty()).collect();
    for scope in scopes {
        let (some, decided): (Vec<Row>, Vec<Decision>) = rows
            .iter()
            .zip(decisions)
            .filter(|(row, _)| row.scope == scope)
            .map(|(row, one)| (row.clone(), *one))
            .unzip();
        for (verdict, name) in [(Verdict::Block, "block"), (Verdict::Allow, "allow")] {
            if some.iter().any(|row| row.expect == verdict) {
                data(format!("{scope}: {}", table_row(name, verdict, &some, &decided)))?;
            }
        }
    }
    Ok(Finish::of(misses))
}

fn table_row(name: &str, verdict: Verdict, rows: &[Row], decisions: &[Decision]) -> String {
    let of = || rows.iter().zip(decisions).filter(|(row, _)| row.expect == verdict).map(|(_, decision)| *decision);
    let all = of().count();
    let share = |decision: Decision| {
        let some = of().filter(|one| *one == decision || decision == Decision::Pass && *one == Decision::Allow).count();
        format!("{} {some} ({:.1}%)", word(decision), percent(some, all))
    };
    let shares = [Decision::Deny, Decision::Ask, Decision::Pass].map(share);
    format!("{name}: {} of {all}", shares.join(", "))
}

fn percent(some: usize, all: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if all == 0 { 0.0 } else { 100.0 * number(some) / number(all) }
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Pass | Decision::Allow => "passed",
        Decision::Ask => "asked",
        Decision::Deny => "denied",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_told_in_numbers_and_shares() {
        let rows = corpus::read("{\"command\":\"a\",\"expect\":\"block\"}\n{\"command\":\"b\",\"expect\":\"block\"}\n");
        let row = table_row("block", Verdict::Block, &rows.expect("rows"), &[Decision::Deny, Decision::Allow]);
        assert_eq!(row, "block: denied 1 (50.0%), asked 0 (0.0%), passed 1 (50.0%) of 2");
    }
}
