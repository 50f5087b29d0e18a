//! `hookgen ci`: everything that can be proved of the catalogs, with one summary for a pull request.

use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use camino::Utf8Path;

use super::args::CiArgs;
use super::console::{count, data, talk};
use super::progress::Progress;
use super::prove::{Proof, Wanted, prove};
use super::ship::{Making, default_out, ship};
use super::{Finish, load, projects};
use crate::cases::{Outcome, Player, Suite};
use crate::disk;
use crate::drift;
use crate::emit::ROOT;
use crate::parallel;
use crate::proof::Figures;
use crate::scratch;
use crate::workspace::{Loaded, PROOF};

/// A line of the summary: what was looked at, what came of it, and whether that is a finding.
struct Row {
    what: String,
    found: String,
    fine: bool,
}

pub(super) fn run(args: &CiArgs) -> anyhow::Result<Finish> {
    let projects = projects(&args.which.catalogs)?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let jobs = args.jobs.unwrap_or_else(parallel::waiting);
    let folder = scratch::folder("ci")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    let began = Instant::now();
    let mutate = Some(Duration::from_secs(args.budget));
    let wanted = Wanted { mutate, sample: args.sample, hook: None, jobs, propose: false };
    let proofs = prove(&loaded, folder, &wanted)?;
    let took = began.elapsed();
    let mut rows = vec![checked(&loaded)];
    let compiled = if args.evaluated { None } else { Some(compiled(args, &loaded, jobs)?) };
    for proof in &proofs {
        rows.push(cases(&format!("{}: cases, evaluated", proof.catalog.name), &proof.outcomes));
        if let Some(compiled) = &compiled {
            let of = |outcome: &&Outcome| outcome.catalog == proof.catalog.name;
            rows.push(both(proof, compiled.iter().filter(of)));
        }
        rows.push(share(
            format!("{}: conditions seen both ways", proof.catalog.name),
            proof.coverage.conditions(),
            args.conditions,
        ));
        if let Some(mutation) = &proof.mutation {
            let mut row = share(format!("{}: changes noticed", proof.catalog.name), mutation.score(), args.changes);
            if let Some(all) = mutation.chosen_of() {
                let _ = write!(row.found, ", chosen evenly from {all}");
            }
            if mutation.untried() > 0 {
                row.found.push_str(&format!(", no time for {}", mutation.untried()));
                row.fine = false;
            }
            rows.push(row);
        }
    }
    rows.push(kept(args, &loaded, &proofs)?);
    rows.push(drifted(&loaded)?);
    details(args, &proofs, compiled.as_deref());
    data(summary(&rows))?;
    talk(format!("proved in {} s", took.as_secs()));
    Ok(Finish::of(rows.iter().any(|row| !row.fine)))
}

fn checked(loaded: &[Loaded<'_>]) -> Row {
    let warnings: usize = loaded.iter().map(|loaded| loaded.diagnostics.len()).sum();
    let catalogs: usize = loaded.iter().map(|loaded| loaded.catalogs.len()).sum();
    let found = format!("{}, {}", count(catalogs, "catalog"), count(warnings, "warning"));
    Row { what: "check".to_owned(), found, fine: true }
}

fn cases(what: &str, outcomes: &[Outcome]) -> Row {
    let failed = outcomes.iter().filter(|outcome| !outcome.passed()).count();
    let found = format!("{} passed, {failed} failed", outcomes.len() - failed);
    Row { what: what.to_owned(), found, fine: failed == 0 }
}

/// The cases on the compiled back end, held against those that were evaluated.
fn both<'o>(proof: &Proof<'_>, compiled: impl Iterator<Item = &'o Outcome>) -> Row {
    let (mut all, mut failed, mut apart) = (0, 0, 0);
    for (one, other) in compiled.zip(&proof.outcomes) {
        all += 1;
        failed += usize::from(!one.passed());
        apart += usize::from(one.passed() && other.passed() && one.differs(other));
    }
    let found = format!("{} passed, {failed} failed, {apart} otherwise than evaluated", all - failed);
    Row { what: format!("{}: cases, compiled", proof.catalog.name), found, fine: failed + apart == 0 }
}

fn share(what: String, figures: Figures, least: f64) -> Row {
    let percent = figures.percent();
    Row { what, found: format!("{percent:.1}% ({figures})"), fine: percent >= least }
}

/// Every case against binaries.
fn compiled(args: &CiArgs, loaded: &[Loaded<'_>], jobs: NonZeroUsize) -> anyhow::Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for loaded in loaded {
        let out = default_out(loaded);
        if !args.no_ship {
            ship(loaded, &out, Making::of(false, false))?;
        }
        for catalog in &loaded.catalogs {
            let suite = Suite::new(catalog, "");
            let progress = Progress::start(format!("running {} against the binary", count(suite.len(), "case")));
            outcomes.extend(suite.run(&Player::processes(out.join(&catalog.name)), jobs)?);
            drop(progress);
        }
    }
    Ok(outcomes)
}

/// What was proved, held against what the documentation says, or written there. A page that was never written says nothing
/// wrong.
fn kept(args: &CiArgs, loaded: &[Loaded<'_>], proofs: &[Proof<'_>]) -> anyhow::Result<Row> {
    let (mut stale, mut missing) = (Vec::new(), Vec::new());
    for loaded in loaded {
        let here = |proof: &&Proof<'_>| loaded.catalogs.iter().any(|known| known.name == proof.catalog.name);
        for proof in proofs.iter().filter(here) {
            let file = loaded.project.root.join(ROOT).join(&proof.catalog.name).join(PROOF);
            let text = page(proof);
            match fs::read_to_string(&file) {
                Ok(known) if known == text => {}
                _ if args.write => {
                    disk::write(&file, &text)?;
                    talk(format!("wrote {file}"));
                }
                Ok(_) => stale.push(proof.catalog.name.as_str()),
                Err(_) => missing.push(proof.catalog.name.as_str()),
            }
        }
    }
    let found = match (stale.is_empty(), missing.is_empty()) {
        (true, true) => "up to date".to_owned(),
        (false, _) => format!("out of date for {}: run `hookgen ci --write`", stale.join(", ")),
        (true, false) => format!("none for {}: `hookgen ci --write` writes it", missing.join(", ")),
    };
    Ok(Row { what: "documentation of what is proved".to_owned(), found, fine: stale.is_empty() })
}

fn drifted(loaded: &[Loaded<'_>]) -> anyhow::Result<Row> {
    let mut drifts = 0;
    for loaded in loaded {
        let found = disk::snapshot(&loaded.project.root)?;
        drifts += drift::compare(&loaded.tree(&found)?, &found).len();
    }
    let found = if drifts == 0 { "none".to_owned() } else { format!("{}: run `hookgen build`", count(drifts, "file")) };
    Ok(Row { what: "drift".to_owned(), found, fine: drifts == 0 })
}

/// What a person needs to mend what is wrong, on standard error.
fn details(args: &CiArgs, proofs: &[Proof<'_>], compiled: Option<&[Outcome]>) {
    let outcomes = proofs.iter().flat_map(|proof| &proof.outcomes).chain(compiled.unwrap_or_default());
    outcomes.filter(|outcome| !outcome.passed()).for_each(talk);
    for proof in proofs {
        if proof.coverage.conditions().percent() < args.conditions {
            talk(&proof.coverage);
        }
        if let Some(mutation) = proof.mutation.as_ref().filter(|known| known.score().percent() < args.changes) {
            talk(mutation);
        }
    }
}

fn summary(rows: &[Row]) -> String {
    let mut text = String::from("| | what | found |\n|---|---|---|\n");
    for row in rows {
        let mark = if row.fine { "✓" } else { "✗" };
        let _ = writeln!(text, "| {mark} | {} | {} |", row.what, row.found);
    }
    text.truncate(text.trim_end().len());
    text
}

/// The page that says what is proved of a catalog.
fn page(proof: &Proof<'_>) -> String {
    let conditions = proof.coverage.conditions();
    let mut text = format!(
        "<!-- @generated by hookgen from {}; `hookgen ci --write` brings it up to date -->\n\n# What the cases of {} prove\n\n\
         {} cases. {:.1}% of {} conditions are seen both ways.",
        proof.catalog.source,
        proof.catalog.name,
        proof.outcomes.len(),
        conditions.percent(),
        conditions.all,
    );
    if let Some(mutation) = &proof.mutation {
        let score = mutation.score();
        let _ = write!(text, " Of {} small changes of meaning", score.all);
        if let Some(all) = mutation.chosen_of() {
            let _ = write!(text, ", chosen evenly from {all}");
        }
        let _ = write!(text, ", the cases notice {:.1}%.", score.percent());
    }
    let _ = write!(text, "\n\n{}", proof.coverage.markdown());
    if let Some(mutation) = &proof.mutation {
        let _ = write!(text, "\n{}", mutation.markdown());
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
