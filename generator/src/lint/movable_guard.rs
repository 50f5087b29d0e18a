//! A hook that fails closed, and whose decision or switches depend on the environment.

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::{FailSafe, Hook, Kind};
use crate::resolve::uses;

pub(super) const LINT: Lint = Lint { code: Code::MovableGuard, check };

const HELP: &str = "take the value from the config file, or from a document in `${home}`, which no project can move";

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let closed: Vec<(Pointer, &Hook)> = subject.hooks().filter(|(_, hook)| is_closed(hook)).collect();
    if closed.is_empty() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let files = [("config", &subject.catalog.config_file), ("dev_mode", &subject.catalog.dev_mode_file)];
    for (section, file) in files {
        for name in file.iter().flat_map(|file| uses::of_template(subject.catalog, file).variables) {
            let message = format!("`env.{name}` says which file can switch closed hooks off");
            findings.push(finding(subject, &Pointer::root().key(section), message));
        }
    }
    for (place, hook) in closed {
        for name in uses::of_hook(subject.catalog, hook).variables {
            let message = format!("hook `{}` fails closed, but depends on `env.{name}`", hook.id);
            findings.push(finding(subject, &place.key("fail_safe"), message));
        }
    }
    findings
}

fn is_closed(hook: &Hook) -> bool {
    hook.kind == Kind::Command && hook.fail_safe == FailSafe::Closed
}

fn finding(subject: &Subject<'_>, place: &Pointer, message: String) -> Diagnostic {
    let label = "a project's settings can set it for the client and its hooks";
    Diagnostic::warning(Code::MovableGuard, message).primary(subject.document.key(place), label).help(HELP)
}
