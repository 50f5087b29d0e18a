//! A setting that operators are meant to change, in a catalog without a config file to change it in.

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;

pub(super) const LINT: Lint = Lint { code: Code::FixedSetting, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let written = subject.written;
    if written.config.is_some() {
        return Vec::new();
    }
    let keyed = written.thresholds.iter().filter(|(_, threshold)| threshold.config.is_some());
    let settings = (written.flags.keys().map(|name| ("flag", "flags", name)))
        .chain(written.choices.keys().map(|name| ("choice", "choices", name)))
        .chain(keyed.map(|(name, _)| ("threshold", "thresholds", name)));
    let finding = |(kind, section, name): (&str, &str, &String)| {
        let at = Pointer::root().key(section).key(name);
        Diagnostic::warning(Code::FixedSetting, format!("{kind} `{name}` can never be changed"))
            .primary(subject.document.key(&at), "the catalog has no `config`")
            .help("name the file that operators edit, and keep agents away from it: `config: { file: \"/etc/demo/hooks.yaml\" }`, `guard: self`")
    };
    settings.map(finding).collect()
}
