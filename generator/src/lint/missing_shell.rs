//! A guard of `Bash` in a catalog for Windows, where the client may run the same line by `PowerShell`.

use super::outside_matcher::takes;
use super::{Lint, Subject};
use crate::catalog::Platform;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Decision, Effect, Hook};

pub(super) const LINT: Lint = Lint { code: Code::MissingShell, check };

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let catalog = subject.catalog;
    if !catalog.platforms.contains(&Platform::Windows) {
        return Vec::new();
    }
    let shell = |hook: &Hook, tool: &str| hook.event.subject == Some("tool_name") && takes(hook, tool);
    let guards = |hook: &&Hook| hook.checks.iter().flat_map(|check| &check.effects).any(refuses);
    let mut findings = Vec::new();
    for (place, hook) in subject.written_hooks() {
        // Hooks that hookgen adds guard the catalog's own files, and nothing else.
        let beside = || {
            let mut others = subject.written_hooks().map(|(_, other)| other);
            others.any(|other| other.event.name == hook.event.name && shell(other, "PowerShell"))
        };
        if hook.matcher.is_some() && shell(hook, "Bash") && guards(&hook) && !beside() {
            findings.push(
                Diagnostic::warning(Code::MissingShell, format!("hook `{}` does not see `PowerShell`", hook.id))
                    .primary(subject.document.at(&place.key("matcher")), "the catalog is for Windows as well")
                    .help("write `matcher: Bash|PowerShell`, or add a hook for `PowerShell`"),
            );
        }
    }
    findings
}

fn refuses(effect: &Effect) -> bool {
    matches!(effect, Effect::Decide(Decision::Deny | Decision::Ask, _))
}
