//! Programs that search, and do something with what they find.

use super::words::Words;
use super::{Deletes, Effects, Kind, Modifies, Reads, Subject, WHOLE, Writes};

const RUNNING: &[&str] = &["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];

/// `find`: what it runs is done to whatever lies where it searches.
pub(super) fn find(words: &Words<'_>, effects: &mut Effects) {
    let roots: Vec<&String> = words.args.iter().take_while(|arg| !arg.starts_with(['-', '(', '!'])).collect();
    let roots: Vec<String> = if roots.is_empty() {
        vec![words.folder.to_owned()]
    } else {
        roots.into_iter().map(|root| words.path(root)).collect()
    };
    for file in words.after(&["-fprint", "-fprint0", "-fprintf", "-fls"]) {
        effects.add(Writes, words.path(file));
    }
    let names: Vec<&str> = words.after(&["-name", "-iname"]).collect();
    if words.args.iter().any(|arg| arg == "-delete") {
        found(&roots, &names, Deletes, effects);
    }
    let mut rest = words.args.iter();
    while let Some(arg) = rest.next() {
        if !RUNNING.contains(&arg.as_str()) {
            continue;
        }
        let inner: Vec<&String> = rest.by_ref().take_while(|arg| !matches!(arg.as_str(), ";" | "+")).collect();
        let done = performed(&inner, words.folder);
        let kinds =
            [(Reads, &done.reads), (Writes, &done.writes), (Modifies, &done.modifies), (Deletes, &done.deletes)];
        for (kind, places) in kinds {
            // What is copied to `elsewhere/{}` is not changed where it was found.
            let is_found = |place: &String| {
                place.contains("{}")
                    && !(kind == Writes
                        && place.contains("/{}")
                        && inner.len() > 3
                        && inner.iter().any(|word| word.as_str() == "-t" || word.starts_with("--target")))
            };
            if places.iter().any(is_found) {
                found(&roots, &names, kind, effects);
            }
        }
        if !done.known && inner.iter().any(|word| word.contains("{}")) {
            found(&roots, &names, Modifies, effects);
        }
    }
}

/// What is found: every name below the roots, or those that the search is narrowed to.
fn found(roots: &[String], names: &[&str], kind: Kind, effects: &mut Effects) {
    let names = if names.is_empty() { &["*"] } else { names };
    for root in roots {
        for name in names {
            effects.add(kind, format!("{}{WHOLE}/{name}", root.trim_end_matches('/')));
        }
    }
}

fn performed(inner: &[&String], folder: &str) -> Effects {
    let Some((program, args)) = inner.split_first() else { return Effects::default() };
    let name = program.rsplit('/').next().unwrap_or_default();
    let args: Vec<String> = args.iter().map(|arg| (*arg).clone()).collect();
    Effects::of(&Subject { name, args: &args, folder, inputs: &[], outputs: &[], runs: "", input: "", deleter: false })
}

/// `sed` writes what its scripts say with `w`.
pub(super) fn sed_writes(words: &Words<'_>, effects: &mut Effects) {
    let given = words.values("e", &["expression"]);
    let operand = || words.operands().first().map(String::as_str).into_iter().collect();
    let scripts: Vec<&str> = if given.is_empty() { operand() } else { given };
    for line in scripts.iter().flat_map(|script| script.lines()) {
        if let Some((before, file)) = line.rsplit_once("w ")
            && !before.ends_with(|last: char| last.is_alphanumeric() && !matches!(last, 'g' | 'p' | 'I' | '0'..='9'))
        {
            effects.add(Writes, words.path(file.trim()));
        }
    }
}

/// `gawk -i inplace`
pub(super) fn awk_in_place(words: &Words<'_>, effects: &mut Effects) {
    if words.values("i", &["include"]).contains(&"inplace") {
        words.operands().iter().for_each(|operand| effects.add(Modifies, words.path(operand)));
    }
}
