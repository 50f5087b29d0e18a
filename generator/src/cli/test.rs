//! `hookgen test`: the cases of the catalogs, evaluated as they stand or run against the shipped binaries.

use std::fs;
use std::num::NonZeroUsize;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::{CLAUDE, Client};

use super::args::{Format, TestArgs};
use super::console::{count, data, talk};
use super::progress::Progress;
use super::ship::{Making, default_out, ship};
use super::{Finish, current_folder, formats, load, projects, prove};
use crate::agents::losses;
use crate::cases::faults::Matrix;
use crate::cases::{Outcome, Player, Suite};
use crate::document::Pointer;
use crate::findings::{Finding, Level, Place, Test};
use crate::lower::lower;
use crate::model::Catalog;
use crate::parallel;
use crate::scratch;
use crate::ship::layout;
use crate::workspace::Loaded;

pub(super) fn run(args: &TestArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let folder = scratch::folder("test")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    if args.faults {
        return faults(args, &loaded, folder, args.jobs.unwrap_or_else(parallel::cores));
    }
    if args.coverage || args.mutate {
        return prove::run(args, &loaded, folder, args.jobs.unwrap_or_else(parallel::waiting));
    }
    let outcomes = if args.all_backends {
        outcomes_of_both(args, &loaded, folder)?
    } else {
        outcomes(args, &loaded, folder, Backend::chosen(args))?
    };
    report(&outcomes, &loaded, Format::chosen(args.format, args.json))?;
    Ok(Finish::of(!outcomes.iter().all(Outcome::passed)))
}

/// What runs the cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Backend {
    /// The catalogs as they stand.
    Evaluated,
    /// Binaries that are compiled first.
    Compiled,
    /// What lies in `dist`.
    Shipped,
}

impl Backend {
    /// The one that was asked for; of all of them, the one with a binary.
    fn chosen(args: &TestArgs) -> Self {
        if args.no_ship {
            Self::Shipped
        } else if args.compiled || args.debug || args.faults || args.all_backends {
            Self::Compiled
        } else {
            Self::Evaluated
        }
    }

    /// How many cases at a time. A process per case keeps a core busy by itself.
    fn jobs(self) -> NonZeroUsize {
        match self {
            Self::Evaluated => parallel::waiting(),
            Self::Compiled | Self::Shipped => parallel::cores(),
        }
    }
}

/// Runs every case.
fn outcomes(
    args: &TestArgs,
    loaded: &[Loaded<'_>],
    folder: &Utf8Path,
    backend: Backend,
) -> anyhow::Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for (suite, player) in suites(args, loaded, folder, backend)? {
        outcomes.extend(played(args, &suite, &player, backend)?);
    }
    Ok(outcomes)
}

fn played(args: &TestArgs, suite: &Suite, player: &Player, backend: Backend) -> anyhow::Result<Vec<Outcome>> {
    let _progress = Progress::start(format!("running {}", count(suite.len(), "case")));
    suite.run(player, args.jobs.unwrap_or_else(|| backend.jobs()))
}

/// How often two back ends may differ on a case: texts tell ages in seconds, and a second can end between the two.
const LOOKS: usize = 4;

/// Runs every case on both back ends. One that passes on both and has another outcome on each is a failure.
fn outcomes_of_both(args: &TestArgs, loaded: &[Loaded<'_>], folder: &Utf8Path) -> anyhow::Result<Vec<Outcome>> {
    let backend = Backend::chosen(args);
    let compiled = suites(args, loaded, folder, backend)?;
    let evaluated = suites(args, loaded, folder, Backend::Evaluated)?;
    let mut outcomes = Vec::new();
    for ((suite, binary), (_, catalog)) in compiled.iter().zip(&evaluated) {
        let ones = played(args, suite, binary, backend)?;
        let others = played(args, suite, catalog, Backend::Evaluated)?;
        for (place, pair) in ones.into_iter().zip(others).enumerate() {
            let again = || suite.run_one(binary, place).zip(suite.run_one(catalog, place));
            let (mut one, mut other) = pair;
            for _ in 1..LOOKS {
                let differs = one.passed() && other.passed() && one.differs(&other);
                let Some(pair) = differs.then(again).flatten() else { break };
                (one, other) = pair;
            }
            outcomes.push(one.beside(&other, ["compiled", "evaluated"]));
            outcomes.extend((!other.passed()).then_some(other));
        }
    }
    Ok(outcomes)
}

/// The cases that are to be run, each catalog's with whoever plays them.
fn suites(
    args: &TestArgs,
    loaded: &[Loaded<'_>],
    folder: &Utf8Path,
    backend: Backend,
) -> anyhow::Result<Vec<(Suite, Player)>> {
    let make = |catalog: &Catalog| -> Vec<Suite> {
        let clients: Vec<&'static Client> = match (args.agent, args.all_agents) {
            (Some(client), _) => vec![client],
            (None, true) => catalog.agents.clone(),
            (None, false) => vec![CLAUDE],
        };
        clients.into_iter().map(|client| Suite::of(client, catalog, &args.filter)).collect()
    };
    let chosen = || loaded.iter().flat_map(|loaded| loaded.catalogs.iter());
    if !args.filter.is_empty() && chosen().flat_map(make).all(|suite| suite.is_empty()) {
        bail!("no case holds `{}`", args.filter);
    }
    if args.agent.is_some() || args.all_agents {
        chosen().for_each(|catalog| tell_losses(catalog, args.agent));
    }
    let mut suites = Vec::new();
    for ((found, catalog), plugin) in plan(args, loaded, folder, backend, &|catalog| (make(catalog), lower(catalog)))? {
        let player = match backend {
            Backend::Evaluated if args.plugin.is_none() => Player::standing(plugin, catalog?),
            _ => Player::processes(plugin),
        };
        let found = found.into_iter().filter(|suite| !suite.is_empty());
        suites.extend(found.map(|suite| (suite, player.clone())));
    }
    Ok(suites)
}

/// What the agents cannot do, as the catalog declares.
fn tell_losses(catalog: &Catalog, agent: Option<&'static Client>) {
    for client in catalog.agents.iter().filter(|client| agent.is_none_or(|agent| agent.name == client.name)) {
        for loss in losses(catalog, client) {
            talk(format!("{}: {} {}: {}", catalog.name, loss.hook, client.name, loss.what()));
        }
    }
}

/// Breaks the world around every hook.
fn faults(args: &TestArgs, loaded: &[Loaded<'_>], folder: &Utf8Path, jobs: NonZeroUsize) -> anyhow::Result<Finish> {
    let mut findings = Vec::new();
    let make = |catalog: &Catalog| Matrix::new(catalog, &args.filter);
    if !args.filter.is_empty() && loaded.iter().flat_map(|loaded| &loaded.catalogs).all(|it| make(it).is_empty()) {
        bail!("no hook and no fault holds `{}`", args.filter);
    }
    for (matrix, plugin) in
        plan(args, loaded, folder, Backend::chosen(args), &make)?.into_iter().filter(|(matrix, _)| !matrix.is_empty())
    {
        let progress = Progress::start(format!("trying {}", count(matrix.len(), "fault")));
        findings.extend(matrix.run(&plugin, jobs)?);
        drop(progress);
    }
    let broken = findings.iter().filter(|finding| !finding.failures.is_empty()).count();
    let skipped = findings.iter().filter(|finding| finding.failures.is_empty() && finding.skipped.is_some()).count();
    let runs: usize = findings.iter().map(|finding| finding.runs).sum();
    let held = findings.iter().filter(|finding| finding.held()).count();
    let closing = format!("{held} held, {broken} did not, {skipped} not possible here; {}", count(runs, "run"));
    if args.json {
        data(serde_json::to_string_pretty(&findings).context("cannot write the results as JSON")?)?;
        talk(closing);
    } else {
        findings.iter().filter(|finding| !finding.failures.is_empty()).try_for_each(data)?;
        data(closing)?;
    }
    Ok(Finish::of(broken > 0))
}

/// What is to be run for each catalog, with the folder of its plugin, which is shipped if need be.
fn plan<T>(
    args: &TestArgs,
    loaded: &[Loaded<'_>],
    folder: &Utf8Path,
    backend: Backend,
    make: &dyn Fn(&Catalog) -> T,
) -> anyhow::Result<Vec<(T, Utf8PathBuf)>> {
    if let Some(plugin) = &args.plugin {
        let mut catalogs = loaded.iter().flat_map(|loaded| loaded.catalogs.iter());
        let (Some(catalog), None) = (catalogs.next(), catalogs.next()) else {
            bail!("`--plugin` is one plugin, so name the one catalog that it is made from");
        };
        return Ok(vec![(make(catalog), current_folder()?.join(plugin))]);
    }
    let mut plan = Vec::new();
    for loaded in loaded {
        let out = default_out(loaded);
        let plugins = match backend {
            Backend::Shipped => loaded.catalogs.iter().map(|catalog| out.join(&catalog.name)).collect(),
            Backend::Compiled => ship(loaded, &out, Making::of(args.debug, false))?,
            Backend::Evaluated => evaluated(loaded, folder)?,
        };
        plan.extend(loaded.catalogs.iter().map(make).zip(plugins));
    }
    Ok(plan)
}

/// Every case whose name holds a text, of each catalog that is wanted, evaluated in this process.
pub(super) fn standing(
    loaded: &Loaded<'_>,
    folder: &Utf8Path,
    filter: &str,
    wanted: &dyn Fn(&Catalog) -> bool,
    jobs: NonZeroUsize,
) -> anyhow::Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for catalog in loaded.catalogs.iter().filter(|catalog| wanted(catalog)) {
        let suite = Suite::new(catalog, filter);
        if !suite.is_empty() {
            let plugin = plugin_without_program(loaded, catalog, folder)?;
            outcomes.extend(suite.run(&Player::standing(plugin, lower(catalog)?), jobs)?);
        }
    }
    Ok(outcomes)
}

/// Plugins whose catalogs are evaluated as they stand, in a folder that goes with the run.
pub(super) fn evaluated(loaded: &Loaded<'_>, folder: &Utf8Path) -> anyhow::Result<Vec<Utf8PathBuf>> {
    loaded.catalogs.iter().map(|catalog| plugin_without_program(loaded, catalog, folder)).collect()
}

/// The plugin of a catalog whose calls this process plays: its program is a name, and nothing starts it.
fn plugin_without_program(loaded: &Loaded<'_>, catalog: &Catalog, folder: &Utf8Path) -> anyhow::Result<Utf8PathBuf> {
    let program = folder.join("program");
    fs::create_dir_all(folder).with_context(|| format!("cannot create `{folder}`"))?;
    fs::write(&program, "").with_context(|| format!("cannot write `{program}`"))?;
    let items = layout(&catalog.name, &loaded.outputs(catalog)?, &catalog.binary, &program)?;
    let place = crate::place::Place::find(folder, &catalog.name, &loaded.project.root)?;
    place.lay_out(&items)?;
    Ok(place.shown().to_owned())
}

pub(super) fn report(outcomes: &[Outcome], loaded: &[Loaded<'_>], format: Format) -> anyhow::Result<()> {
    let closing = closing(outcomes);
    match format {
        Format::Human => {
            outcomes.iter().filter(|outcome| !outcome.passed()).try_for_each(data)?;
            return data(closing);
        }
        Format::Json => data(serde_json::to_string_pretty(outcomes).context("cannot write the results as JSON")?)?,
        Format::Github | Format::Sarif | Format::Junit => {
            let findings = findings(outcomes, loaded)?;
            formats::text(format, &findings, || tests(outcomes))?.map(data).transpose()?;
        }
    }
    talk(closing);
    Ok(())
}

/// How many passed, failed, and are known to fail.
fn closing(outcomes: &[Outcome]) -> String {
    let todo = outcomes.iter().filter(|outcome| outcome.todo.is_some()).count();
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count() - todo;
    let failed = outcomes.len() - passed - todo;
    let known = if todo == 0 { String::new() } else { format!(", {todo} to do") };
    format!("{passed} passed, {failed} failed{known}")
}

/// The cases that failed, where they are written.
pub(super) fn findings(outcomes: &[Outcome], loaded: &[Loaded<'_>]) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for loaded in loaded {
        for catalog in &loaded.catalogs {
            let failed = || outcomes.iter().filter(|outcome| outcome.catalog == catalog.name && !outcome.passed());
            if failed().next().is_none() {
                continue;
            }
            let document = loaded.document(catalog)?;
            findings.extend(failed().map(|outcome| Finding {
                rule: "failed-case".to_owned(),
                about: "a case of the catalog does not hold".to_owned(),
                level: Level::Error,
                message: outcome.to_string().trim_end().to_owned(),
                place: case_pointer(catalog, outcome).map(|at| Place::from(&document.grip(&at))),
            }));
        }
    }
    Ok(findings)
}

/// Where the case of an outcome is written.
fn case_pointer(catalog: &Catalog, outcome: &Outcome) -> Option<Pointer> {
    let position = catalog.hooks.iter().position(|hook| hook.id == outcome.hook)?;
    let number = catalog.hooks.get(position)?.cases.iter().position(|case| case.name == outcome.case)?;
    Some(Pointer::root().key("hooks").index(position).key("cases").index(number))
}

/// The cases as tests.
pub(super) fn tests(outcomes: &[Outcome]) -> Vec<Test> {
    let test = |outcome: &Outcome| Test {
        suite: outcome.catalog.clone(),
        class: format!("{} {}", outcome.hook, outcome.hook_name),
        name: outcome.case.clone(),
        took: outcome.took,
        failure: outcome.failures.iter().map(ToString::to_string).collect(),
        skipped: outcome.todo.clone().unwrap_or_default(),
    };
    outcomes.iter().map(test).collect()
}
