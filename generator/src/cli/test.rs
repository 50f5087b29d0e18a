//! `hookgen test`: the cases of the catalogs, run against the shipped binaries.

use std::num::NonZeroUsize;
use std::thread;

use anyhow::{Context as _, bail};
use camino::Utf8PathBuf;

use super::args::TestArgs;
use super::console::{count, data, talk};
use super::progress::Progress;
use super::ship::{default_out, ship};
use super::{Finish, current_folder, load, projects};
use crate::cases::{Outcome, Suite};
use crate::workspace::Loaded;

pub(super) fn run(args: &TestArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let jobs = args.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let mut outcomes = Vec::new();
    for (suite, plugin) in plan(args, &loaded)? {
        let progress = Progress::start(format!("running {}", count(suite.len(), "case")));
        outcomes.extend(suite.run(&plugin, jobs)?);
        drop(progress);
    }
    report(&outcomes, args.json)?;
    Ok(Finish::of(!outcomes.iter().all(Outcome::passed)))
}

/// The cases that are to be run, each catalog's with the folder of its plugin, which is shipped if need be.
fn plan(args: &TestArgs, loaded: &[Loaded<'_>]) -> anyhow::Result<Vec<(Suite, Utf8PathBuf)>> {
    let suites = |loaded: &Loaded<'_>| -> Vec<Suite> {
        loaded.catalogs.iter().map(|catalog| Suite::new(catalog, &args.filter)).collect()
    };
    if !args.filter.is_empty() && loaded.iter().flat_map(suites).all(|suite| suite.is_empty()) {
        bail!("no case holds `{}`", args.filter);
    }
    if let Some(plugin) = &args.plugin {
        let mut suites = loaded.iter().flat_map(suites);
        let (Some(suite), None) = (suites.next(), suites.next()) else {
            bail!("`--plugin` is one plugin, so name the one catalog that it is made from");
        };
        return Ok(vec![(suite, current_folder()?.join(plugin))]);
    }
    let mut plan = Vec::new();
    for loaded in loaded {
        let out = default_out(loaded);
        let plugins = if args.no_ship {
            loaded.catalogs.iter().map(|catalog| out.join(&catalog.name)).collect()
        } else {
            ship(loaded, &out, args.debug)?
        };
        plan.extend(suites(loaded).into_iter().zip(plugins).filter(|(suite, _)| !suite.is_empty()));
    }
    Ok(plan)
}

fn report(outcomes: &[Outcome], as_json: bool) -> anyhow::Result<()> {
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count();
    let closing = format!("{passed} passed, {} failed", outcomes.len() - passed);
    if as_json {
        data(serde_json::to_string_pretty(outcomes).context("cannot write the results as JSON")?)?;
        talk(closing);
        return Ok(());
    }
    outcomes.iter().filter(|outcome| !outcome.passed()).try_for_each(data)?;
    data(closing)
}
