//! What `allow` silences, and an `allow` that silences nothing.

use crate::catalog::Allowance;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Pointer;
use crate::source::Location;

use super::Subject;

/// An `allow` with its place, and the hook that it is about; without one, what stands outside of hooks.
struct Silence<'s> {
    at: Pointer,
    hook: Option<Pointer>,
    written: &'s Allowance,
}

/// The findings that nobody has allowed, and the allowances that allow nothing.
pub(super) fn heeded(subject: &Subject<'_>, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let silences = silences(subject);
    let mut used = vec![false; silences.len()];
    let mut left = Vec::new();
    for finding in findings {
        let mut allowed = false;
        for (silence, used) in silences.iter().zip(&mut used) {
            let same = Code::find(&silence.written.code) == Some(finding.code) && finding.severity == Severity::Warning;
            if same && concerns(subject, silence, finding.place()) {
                (allowed, *used) = (true, true);
            }
        }
        if !allowed {
            left.push(finding);
        }
    }
    let idle = silences.iter().zip(used).filter(|(_, used)| !used);
    left.extend(idle.map(|(silence, _)| {
        let code = &silence.written.code;
        let (message, help) = match Code::find(code) {
            Some(_) => (format!("nothing here raises {code}"), "remove it: what it allowed is gone"),
            None => (format!("there is no finding `{code}`"), "`hookgen explain` lists them"),
        };
        let location = subject.document.at(&silence.at.key("code"));
        Diagnostic::warning(Code::IdleAllow, message).primary(location, "silences nothing").help(help)
    }));
    left
}

fn silences<'s>(subject: &Subject<'s>) -> Vec<Silence<'s>> {
    let written = subject.written;
    let root = Pointer::root();
    let common = written.allow.iter().enumerate().map(|(number, written)| Silence {
        at: root.key("allow").index(number),
        hook: None,
        written,
    });
    let hooks = written.hooks.iter().enumerate().flat_map(|(position, hook)| {
        let place = Pointer::root().key("hooks").index(position);
        hook.allow.iter().enumerate().map(move |(number, written)| Silence {
            at: place.key("allow").index(number),
            hook: Some(place.clone()),
            written,
        })
    });
    common.chain(hooks).collect()
}

fn concerns(subject: &Subject<'_>, silence: &Silence<'_>, place: Option<&Location>) -> bool {
    let Some(place) = place else { return false };
    match &silence.hook {
        Some(hook) => subject.document.holds(hook, place),
        None => !subject.written_hooks().any(|(hook, _)| subject.document.holds(&hook, place)),
    }
}
