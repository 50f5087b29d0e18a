//! `hookgen test --coverage` and `--mutate`: what the cases of the catalogs prove.

use std::fs;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use camino::Utf8Path;
use hookgen_runtime::evaluate::Stage;
use hookgen_runtime::representation::Archive;
use serde_json::json;

use super::args::{Format, TestArgs};
use super::console::{count, data, talk};
use super::progress::{Bar, Progress};
use super::test::{evaluated, findings, report, tests};
use super::{Finish, formats};
use crate::cases::{Outcome, Player, Suite};
use crate::document::Document;
use crate::findings::Finding;
use crate::lower::lower;
use crate::model::Catalog;
use crate::proof::mutate::{Mutation, Outline, Trial};
use crate::proof::{Atlas, Coverage, lcov};
use crate::workspace::Loaded;

/// What was found out about one catalog.
pub(super) struct Proof<'c> {
    pub(super) catalog: &'c Catalog,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) coverage: Coverage,
    pub(super) mutation: Option<Mutation>,
    lcov: String,
}

/// What is asked for.
pub(super) struct Wanted<'w> {
    /// Whether the meaning is changed, and until when.
    pub(super) mutate: Option<Duration>,
    /// How many changes of each catalog are tried at most.
    pub(super) sample: Option<usize>,
    /// Of this hook alone.
    pub(super) hook: Option<&'w str>,
    pub(super) jobs: NonZeroUsize,
    /// Whether cases are looked for that would notice what none does.
    pub(super) propose: bool,
}

pub(super) fn run(
    args: &TestArgs,
    loaded: &[Loaded<'_>],
    folder: &Utf8Path,
    jobs: NonZeroUsize,
) -> anyhow::Result<Finish> {
    let wanted = Wanted {
        mutate: args.mutate.then(|| Duration::from_secs(args.budget)),
        sample: args.sample,
        hook: args.hook.as_deref(),
        jobs,
        propose: true,
    };
    let proofs = prove(loaded, folder, &wanted)?;
    if let Some(file) = &args.lcov {
        let text: String = proofs.iter().map(|proof| proof.lcov.as_str()).collect();
        fs::write(file, text).with_context(|| format!("cannot write `{file}`"))?;
    }
    let failed = proofs.iter().flat_map(|proof| &proof.outcomes).any(|outcome| !outcome.passed());
    match Format::chosen(args.format, args.json) {
        Format::Human => in_words(args, loaded, &proofs)?,
        Format::Json => as_json(args, &proofs)?,
        format => {
            let mut found = Vec::new();
            let mut shown = Vec::new();
            for proof in &proofs {
                found.extend(findings(&proof.outcomes, loaded)?);
                found.extend(proof.coverage.uncovered.iter().filter(|_| args.coverage).map(Finding::from));
                found.extend(proof.mutation.iter().flat_map(Mutation::findings));
                shown.extend(tests(&proof.outcomes));
            }
            formats::text(format, &found, || shown)?.map(data).transpose()?;
        }
    }
    let short = args.fail_under.is_some_and(|least| {
        proofs.iter().any(|proof| {
            (args.coverage && proof.coverage.conditions().percent() < least)
                || proof.mutation.as_ref().is_some_and(|mutation| mutation.score().percent() < least)
        })
    });
    let silent = args.coverage && proofs.iter().any(|proof| proof.coverage.uncovered.iter().any(|spot| spot.decides));
    Ok(Finish::of(failed || short || silent))
}

/// Plays the cases of every catalog under observation, and changes its meaning if that is wanted.
pub(super) fn prove<'l>(
    loaded: &'l [Loaded<'_>],
    folder: &Utf8Path,
    wanted: &Wanted<'_>,
) -> anyhow::Result<Vec<Proof<'l>>> {
    let began = Instant::now();
    let mut proofs = Vec::new();
    for loaded in loaded {
        for (catalog, plugin) in loaded.catalogs.iter().zip(evaluated(loaded, folder)?) {
            let document = loaded.document(catalog)?;
            let left = wanted.mutate.map(|budget| budget.saturating_sub(began.elapsed()));
            proofs.push(proof(catalog, &document, plugin, &Wanted { mutate: left, ..*wanted })?);
        }
    }
    Ok(proofs)
}

fn proof<'c>(
    catalog: &'c Catalog,
    document: &Document,
    plugin: camino::Utf8PathBuf,
    wanted: &Wanted<'_>,
) -> anyhow::Result<Proof<'c>> {
    // Calls refer to their catalog as long as the process lives.
    let archive: &'static Archive = Box::leak(Box::new(Archive::of(lower(catalog)?)));
    let atlas = Atlas::of(catalog, archive, document)?;
    let recorder = atlas.recorder();
    let player = Player::evaluated(plugin, Stage::new(archive, Some(recorder)), Some(recorder));
    let suite = Suite::new(catalog, "");
    let progress = Progress::start(format!("running {}", count(suite.len(), "case")));
    let outcomes = suite.run(&player, wanted.jobs)?;
    drop(progress);
    let coverage = Coverage::of(catalog, &atlas, document, &outcomes);
    let mutation = match wanted.mutate {
        Some(budget) => {
            let trial = Trial {
                outline: Outline::from(catalog),
                archive,
                atlas: &atlas,
                document,
                suite: &suite,
                player: &player,
                outcomes: &outcomes,
            };
            let mutants = trial.mutants(wanted.hook)?.sample(wanted.sample.unwrap_or(usize::MAX));
            let bar = Bar::start(format!("{}: trying changes", catalog.name), mutants.len());
            Some(trial.run(&mutants, wanted.jobs, budget, wanted.propose, &|done| bar.at(done))?)
        }
        None => None,
    };
    let lcov = lcov(&atlas, document, &outcomes);
    Ok(Proof { catalog, outcomes, coverage, mutation, lcov })
}

fn as_json(args: &TestArgs, proofs: &[Proof<'_>]) -> anyhow::Result<()> {
    let whole: Vec<_> = proofs
        .iter()
        .map(|proof| {
            let mut found = json!({ "catalog": proof.catalog.name, "cases": proof.outcomes });
            if let Some(fields) = found.as_object_mut() {
                if args.coverage {
                    fields.insert("coverage".to_owned(), proof.coverage.json());
                }
                if let Some(mutation) = &proof.mutation {
                    fields.insert("mutation".to_owned(), mutation.json());
                }
            }
            found
        })
        .collect();
    data(serde_json::to_string_pretty(&whole).context("cannot write the results as JSON")?)
}

fn in_words(args: &TestArgs, loaded: &[Loaded<'_>], proofs: &[Proof<'_>]) -> anyhow::Result<()> {
    for proof in proofs {
        report(&proof.outcomes, loaded, Format::Human)?;
        if args.coverage {
            data(&proof.coverage)?;
        }
        if let Some(mutation) = &proof.mutation {
            data(mutation)?;
        }
    }
    let unseen = proofs.iter().flat_map(|proof| &proof.coverage.uncovered).filter(|spot| spot.decides).count();
    if args.coverage && unseen > 0 {
        talk(format!("{} in no case: write one in which it does", count(unseen, "deciding check")));
    }
    Ok(())
}
