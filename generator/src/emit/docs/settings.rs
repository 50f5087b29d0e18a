//! What operators can change without a rebuild.

use serde::Serialize;

use super::super::flags::switched;
use super::markdown::{Table, code, codes, hook_links, or_dash, text};
use crate::model::{Catalog, Choice, Flag, Kind, Threshold};

#[derive(Serialize)]
pub(super) struct SettingsView {
    config: String,
    thresholds: String,
    flags: String,
    choices: String,
    switches: String,
}

pub(super) fn view(catalog: &Catalog) -> SettingsView {
    let thresholds = catalog.thresholds.iter().map(|threshold| threshold_row(catalog, threshold));
    let choices = catalog.choices.iter().map(|choice| choice_row(catalog, choice));
    let flags = catalog.flags.iter().map(|flag| flag_row(catalog, flag));
    let threshold_head = ["threshold", "measures", "default", "unit", "range", "config key", "used by"];
    let flag_head = ["flag", "switches", "default", "requires", "config key", "hooks", "rollback"];
    let choice_head = ["choice", "decides", "values", "default", "config key", "used by"];
    SettingsView {
        config: match &catalog.config_file {
            Some(file) => format!(
                "The config file is {}. Without it, the defaults hold. A value in it that cannot be used \
                     counts as the default, and the person is told once a session and after every edit.",
                code(&file.source)
            ),
            None => "There is no config file: the defaults hold.".to_owned(),
        },
        thresholds: Table::or_empty(threshold_head, thresholds.collect()),
        flags: Table::or_empty(flag_head, flags.collect()),
        choices: Table::or_empty(choice_head, choices.collect()),
        switches: switches(catalog),
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
    [
        code(&flag.name),
        text(&flag.description),
        if flag.default { "on" } else { "off" }.to_owned(),
        codes(flag.requires.iter().map(String::as_str)),
        code(&flag.config.join(".")),
        hook_links(switched(catalog, flag)),
        or_dash(flag.rollback.as_deref().map(text).unwrap_or_default()),
    ]
}

/// Switches that are not flags.
fn switches(catalog: &Catalog) -> String {
    let mut sentences = Vec::new();
    if catalog.hooks.iter().any(|hook| hook.kind != Kind::Command && hook.flag.is_some()) {
        sentences.push(
            "Models and services are asked by the client whatever the hook's flag says: to switch one off, take its \
             registration out."
                .to_owned(),
        );
    }
    if let Some(file) = &catalog.dev_mode_file {
        sentences.push(format!(
            "While {} exists, no hook decides anything, and the person is told so once a session.",
            code(&file.source)
        ));
    }
    if let Some(name) = &catalog.verbose_env {
        sentences.push(format!(
            "With {} in the environment, the log has full input and output.",
            code(&format!("{name}=true"))
        ));
    }
    if catalog.config_file.is_some() {
        sentences.push(format!(
            "{} in it says what the decisions of a hook count for: {}, they hold; {}, the person reads what would have been \
             decided; {}, only the log has it. So a hook is switched off by {}, and all of them by disabling the plugin.",
            code("modes.<hook id>"),
            code("enforce"),
            code("warn"),
            code("audit"),
            code("audit")
        ));
    }
    sentences.join(" ")
}
