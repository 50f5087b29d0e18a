//! What operators can change without a rebuild.

use hookgen_runtime::managed::{ON_LINUX, ON_MACOS, ON_WINDOWS};
use serde::Serialize;

use super::super::flags::{out_of_reach, switched};
use super::super::readme::switching;
use super::markdown::{Table, code, codes, hook_links, or_dash, text};
use crate::model::{Catalog, Choice, Flag, Kind, Threshold};

#[derive(Serialize)]
pub(super) struct SettingsView {
    config: String,
    thresholds: String,
    flags: String,
    choices: String,
    switches: String,
    switching: Vec<String>,
}

pub(super) fn view(catalog: &Catalog) -> SettingsView {
    let thresholds = catalog.thresholds.iter().map(|threshold| threshold_row(catalog, threshold));
    let choices = catalog.choices.iter().map(|choice| choice_row(catalog, choice));
    let flags = catalog.flags.iter().map(|flag| flag_row(catalog, flag));
    let threshold_head = ["threshold", "measures", "default", "unit", "range", "config key", "used by"];
    let flag_head = ["flag", "switches", "default", "requires", "config key", "hooks", "to take it back"];
    let choice_head = ["choice", "decides", "values", "default", "config key", "used by"];
    SettingsView {
        config: match &catalog.config_file {
            Some(file) => format!(
                "The config file is {}. Without it, the defaults hold. A value in it that cannot be used \
                     counts as the default, and the person is told once a session and after every edit. What `{}.yaml` \
                     in the administrator's folder says (`{ON_LINUX}`, on macOS `{ON_MACOS}`, on Windows `{ON_WINDOWS}`) has \
                     the last word, as long as administrators alone can write it.",
                code(&file.source),
                catalog.name
            ),
            None => "There is no config file: the defaults hold.".to_owned(),
        },
        thresholds: Table::or_empty(threshold_head, thresholds.collect()),
        flags: Table::or_empty(flag_head, flags.collect()),
        choices: Table::or_empty(choice_head, choices.collect()),
        switches: switches(catalog),
        switching: switching(catalog),
    }
}

fn threshold_row(catalog: &Catalog, threshold: &Threshold) -> [String; 7] {
    let users = catalog.hooks.iter().filter(|hook| hook.thresholds.contains(&threshold.name));
    let mut users = hook_links(users);
    if catalog.breaker.as_ref() == Some(&threshold.name) {
        users = if users == or_dash("") { "circuit breaker".to_owned() } else { format!("{users}, circuit breaker") };
    }
    [
        code(&threshold.name),
        text(&threshold.description),
        code(&threshold.default.to_string()),
        or_dash(threshold.unit.as_deref().map(text).unwrap_or_default()),
        or_dash(threshold.range.as_ref().map(|[low, high]| format!("{low} to {high}")).unwrap_or_default()),
        if threshold.config.is_empty() { "fixed".to_owned() } else { code(&threshold.config.join(".")) },
        users,
    ]
}

fn choice_row(catalog: &Catalog, choice: &Choice) -> [String; 6] {
    [
        code(&choice.name),
        text(&choice.description),
        codes(choice.values.iter().map(String::as_str)),
        code(&choice.default),
        code(&choice.config.join(".")),
        hook_links(catalog.hooks.iter().filter(|hook| hook.choices.contains(&choice.name))),
    ]
}

fn flag_row(catalog: &Catalog, flag: &Flag) -> [String; 7] {
    let (own, others): (Vec<_>, Vec<_>) = switched(catalog, flag).partition(|hook| hook.kind == Kind::Command);
    let rollback = flag.rollback.as_deref().map(|rollback| text(rollback.trim_end_matches('.')));
    let rollback: Vec<String> =
        rollback.into_iter().chain(out_of_reach(&others).iter().map(|told| text(told))).collect();
    [
        code(&flag.name),
        text(&flag.description),
        if flag.default { "on" } else { "off" }.to_owned(),
        codes(flag.requires.iter().map(String::as_str)),
        code(&flag.config.join(".")),
        hook_links(own),
        or_dash(rollback.join(". ")),
    ]
}

/// Switches that are not flags.
fn switches(catalog: &Catalog) -> String {
    let mut sentences = Vec::new();
    if let Some(name) = &catalog.verbose_env {
        sentences.push(format!(
            "With {} in the environment, the log has full input and output.",
            code(&format!("{name}=true"))
        ));
    }
    sentences.join(" ")
}
