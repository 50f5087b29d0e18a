//! Every hook of a catalog under every fault.

use std::collections::HashMap;
use std::fs;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use anyhow::Context as _;
use camino::Utf8Path;
use serde_json::{Map, Value, json};

use super::report::{Failure, Finding};
use super::subject::{Subject, subject};
use super::trial::{Trial, Usual};
use super::without_git::WithoutGit;
use super::{FAULTS, Fault, Preparation};
use crate::model;
use crate::parallel;

/// The hooks of a catalog, ready to be broken.
#[derive(Debug)]
pub struct Matrix {
    catalog: String,
    pub(super) binary: String,
    /// Name and version, as the registration has them.
    pub(super) of: String,
    pub(super) config: Option<String>,
    pub(super) out_of_range: Value,
    hooks: Vec<Subject>,
    /// Which hook is tried under which fault.
    pairs: Vec<(usize, &'static Fault)>,
    pub(super) without_git: WithoutGit,
    pub(super) usual: Known,
}

/// What hooks do when nothing is broken, by hook, world and what is prepared for the fault in it.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<HashMap<Key, Option<Arc<Usual>>>>);

type Key = (String, usize, Preparation);

impl Known {
    pub(super) fn known(&self, key: &Key) -> Option<Option<Arc<Usual>>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(key).cloned()
    }

    pub(super) fn note(&self, key: Key, usual: Option<Arc<Usual>>) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(key, usual);
    }
}

impl Matrix {
    /// The command hooks of a catalog under every fault, as far as the names of both together hold the filter, without
    /// regard to case.
    pub fn new(catalog: &model::Catalog, filter: &str) -> Self {
        let filter = filter.to_lowercase();
        let commands = catalog.hooks.iter().filter(|hook| hook.kind == model::Kind::Command);
        let hooks: Vec<Subject> = commands.map(|hook| subject(catalog, hook)).collect();
        let all = hooks.iter().enumerate().flat_map(|hook| FAULTS.iter().map(move |fault| (hook, fault)));
        let pairs = all.filter(|((_, hook), fault)| {
            format!("{} {} {}: {}", catalog.name, hook.id, hook.name, fault.id).to_lowercase().contains(&filter)
        });
        Self {
            pairs: pairs.map(|((position, _), fault)| (position, fault)).collect(),
            catalog: catalog.name.clone(),
            binary: catalog.binary.clone(),
            of: format!("{}@{}", catalog.name, catalog.version),
            config: catalog.config_file.as_ref().map(|file| file.source.clone()),
            out_of_range: out_of_range(catalog),
            hooks,
            without_git: WithoutGit::default(),
            usual: Known::default(),
        }
    }

    /// How many pairs of a hook and a fault there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Runs all of them against the plugin in that folder.
    pub fn run(&self, plugin: &Utf8Path, jobs: NonZeroUsize) -> anyhow::Result<Vec<Finding>> {
        let binary = plugin.join("bin").join(&self.binary);
        fs::metadata(&binary).with_context(|| format!("`{binary}` is not there"))?;
        let pairs = self.pairs.iter().filter_map(|(hook, fault)| Some((self.hooks.get(*hook)?, *fault)));
        // Hooks that wait for their deadline need a place, not a processor.
        let (waiting, working): (Vec<_>, Vec<_>) = pairs.partition(|(_, fault)| fault.kind.waits());
        let mut findings = self.at_once(plugin, &working, jobs);
        findings.extend(self.at_once(plugin, &waiting, jobs.saturating_mul(NonZeroUsize::MIN.saturating_add(7))));
        let place = |finding: &Finding| {
            let hook = self.hooks.iter().position(|hook| hook.id == finding.hook);
            (hook, FAULTS.iter().position(|fault| fault.id == finding.fault))
        };
        findings.sort_by_key(place);
        Ok(findings)
    }

    fn at_once(&self, plugin: &Utf8Path, pairs: &[(&Subject, &'static Fault)], jobs: NonZeroUsize) -> Vec<Finding> {
        parallel::map(pairs, jobs, |(hook, fault)| self.finding(plugin, hook, fault))
    }

    fn finding(&self, plugin: &Utf8Path, hook: &Subject, fault: &'static Fault) -> Finding {
        let mut trial = Trial { matrix: self, plugin, hook, fault, runs: 0, skipped: None, failures: Vec::new() };
        if let Err(error) = trial.run() {
            trial.failures.push(Failure::without_a_run(format!("could not be tried: {error:#}")));
        }
        Finding {
            catalog: self.catalog.clone(),
            hook: hook.id.clone(),
            fault: fault.id,
            runs: trial.runs,
            skipped: trial.skipped,
            failures: trial.failures,
        }
    }
}

/// Every setting of the catalog with a value that it cannot have.
fn out_of_range(catalog: &model::Catalog) -> Value {
    let mut file = Value::Object(Map::new());
    let thresholds = catalog.thresholds.iter().map(|threshold| {
        let value = threshold.range.as_ref().map_or_else(|| json!("many"), |_| json!(-1e300));
        (threshold.config.clone(), value)
    });
    let flags = catalog.flags.iter().map(|flag| (flag.config.clone(), json!("perhaps")));
    let modes = catalog.hooks.iter().map(|hook| (vec!["modes".to_owned(), hook.id.clone()], json!("loud")));
    for (key, value) in thresholds.chain(flags).chain(modes) {
        let Some((last, above)) = key.split_last() else { continue };
        let mut place = &mut file;
        for step in above {
            if !place.is_object() {
                *place = Value::Object(Map::new());
            }
            place = &mut place[step.as_str()];
        }
        if place.is_null() {
            *place = Value::Object(Map::new());
        }
        if let Value::Object(fields) = place {
            fields.insert(last.clone(), value);
        }
    }
    file
}

#[cfg(all(test, unix))]
mod tests {
    use camino::Utf8PathBuf;

    use super::super::subject::{Scene, empty_step};
    use super::*;
    use crate::cases::run::SESSION;
    use crate::emit::fixture;

    fn findings(script: &str, faults: &[&str]) -> Vec<Finding> {
        let folder = tempfile::tempdir().expect("a folder");
        let plugin = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
        fs::create_dir(plugin.join("bin")).expect("created");
        // The shell as the binary: it runs the project's file that is named like the hook.
        std::os::unix::fs::symlink("/bin/sh", plugin.join("bin/demo-hooks")).expect("linked");
        let mut matrix = Matrix::new(&fixture::full(), "");
        matrix.hooks.truncate(1);
        matrix.hooks[0].promise.on = true;
        let given = json!({ "files": { "H01": script } });
        let given = serde_json::from_value(given).expect("a world");
        matrix.hooks[0].scenes = vec![Scene { case: Some("a script".to_owned()), given, step: empty_step() }];
        let faults = FAULTS.iter().filter(|fault| faults.contains(&fault.id));
        faults.map(|fault| matrix.finding(&plugin, &matrix.hooks[0], fault)).collect()
    }

    #[test]
    fn a_binary_that_is_not_there_to_answer_is_found_out() {
        for finding in findings("exit 0", &["empty-input", "truncated-input", "deep-input"]) {
            // The plain world has no script, so the shell ends with an error of its own.
            assert!(!finding.failures.is_empty() && finding.runs > 0, "{finding:?}");
        }
    }

    #[test]
    fn an_answer_that_depends_on_what_should_not_matter_is_found_out() {
        let curious = "test -d \"$CLAUDE_PLUGIN_DATA/audit.jsonl\" && echo no >&2 && exit 2; exit 0";
        assert!(!findings(curious, &["no-log"])[0].failures.is_empty());
        assert!(findings("exit 0", &["no-log"])[0].failures.is_empty());
        let crashing = "test -d \"$CLAUDE_PLUGIN_DATA/sessions\" && exit 1; exit 0";
        assert!(!findings(crashing, &["state-loop"])[0].failures.is_empty());
        assert!(findings("exit 0", &["state-loop"])[0].failures.is_empty());
    }

    #[test]
    fn a_hook_that_remembers_nothing_and_says_nothing_of_it_is_found_out() {
        let folder = format!("$CLAUDE_PLUGIN_DATA/sessions/{SESSION}");
        let counting = format!("mkdir -p {folder}; echo x >> {folder}/counters.json; exit 0");
        for fault in ["full-disk", "no-state-folder", "read-only-state", "state-directory"] {
            assert!(!findings(&counting, &[fault])[0].failures.is_empty(), "{fault}");
            assert!(findings("exit 0", &[fault])[0].failures.is_empty(), "{fault}");
        }
    }

    #[test]
    fn settings_out_of_range_are_out_of_range() {
        let file = out_of_range(&fixture::full());
        assert_eq!(file["feature_flags"]["hooks_guard"]["limit"], json!(-1e300));
        assert_eq!(file["feature_flags"]["hooks_guard"]["enabled"], json!("perhaps"));
        assert_eq!(file["quality"]["share"], json!("many"));
        assert_eq!(file["modes"]["H01"], json!("loud"));
    }
}
