//! A file that switches or loosens the hooks, which an agent's tools can write.

use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;

pub(super) const LINT: Lint = Lint { code: Code::UnguardedSwitch, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let written = subject.written;
    if written.guard.is_some() {
        return Vec::new();
    }
    let config = written.config.as_ref().map(|config| ("config", &config.file));
    let dev_mode = written.dev_mode.as_ref().map(|mode| ("dev_mode", &mode.file));
    let finding = |(section, file): (&str, &crate::catalog::Template)| {
        let at = Pointer::root().key(section).key("file");
        Diagnostic::warning(Code::UnguardedSwitch, format!("an agent can switch the hooks off by writing `{}`", file.0))
            .primary(subject.document.at(&at), "nothing keeps it away from here")
            .help("add `guard: self`, or say why not: `guard: { none: \"…\" }`")
    };
    config.into_iter().chain(dev_mode).map(finding).collect()
}
