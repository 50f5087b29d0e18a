//! Programs that search, and do something with what they find.

use super::words::Words;
use crate::shell::code::is_interpreter;
use crate::shell::programs::SHELLS;

use super::{Deletes, Effects, Kind, Modifies, Reads, Subject, WHOLE, Writes};

const RUNNING: &[&str] = &["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];

/// `find`: what it runs is done to whatever lies where it searches.
pub(super) fn find(words: &Words<'_>, effects: &mut Effects) {
    let roots = roots(words);
    for file in words.after(&["-fprint", "-fprint0", "-fprintf", "-fls"]) {
        effects.add(Writes, words.path(file));
    }
    let names = names(words);
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
            let here = words.path("{}");
            let is_found = |place: &String| {
                if kind == Writes { place.starts_with(&here) } else { place.contains("{}") }
            };
            if places.iter().any(is_found) {
                found(&roots, &names, kind, effects);
            }
        }
        // What a shell or an interpreter does with it is told by its own commands.
        let told = |program: &&String| {
            let name = program.rsplit('/').next().unwrap_or_default();
            SHELLS.contains(&name) || is_interpreter(name)
        };
        let opaque = !done.known && !inner.first().is_some_and(told);
        if opaque && inner.iter().any(|word| word.contains("{}")) {
            found(&roots, &names, Modifies, effects);
        }
    }
}

/// `fd PATTERN FOLDER -x COMMAND`: the command is given what is found, wherever it does not say so.
pub(super) fn fd(words: &Words<'_>, effects: &mut Effects) {
    let Some(at) = words.args.iter().position(|arg| RUNNING.contains(&arg.as_str())) else { return };
    let (search, running) = words.args.split_at(at);
    let found = "{}".to_owned();
    let mut inner: Vec<&String> = running.iter().skip(1).collect();
    if !inner.iter().any(|word| word.contains("{}")) {
        inner.push(&found);
    }
    let done = performed(&inner, words.folder);
    let places = printed(words.name, search, words.folder);
    for (kind, reached) in [(Writes, &done.writes), (Modifies, &done.modifies), (Deletes, &done.deletes)] {
        if reached.iter().any(|place| place.contains("{}")) || kind == Modifies && !done.known {
            for place in &places {
                effects.add(kind, place.clone());
            }
        }
    }
}

/// Programs that print places where something is.
pub(in crate::shell) fn prints_places(name: &str) -> bool {
    const PRINTING: &[&str] = &[
        "find", "gfind", "fd", "fdfind", "ls", "dir", "exa", "eza", "tree", "du", "locate", "rg", "grep", "egrep",
        "fgrep", "ag", "realpath", "readlink",
    ];
    PRINTING.contains(&name)
}

/// The places that such a program prints, as far as its words tell.
pub(in crate::shell) fn printed(name: &str, args: &[String], folder: &str) -> Vec<String> {
    let words = Words::new(&Subject { name, args, folder, ..Subject::default() });
    let mut effects = Effects::default();
    match name {
        "find" | "gfind" => {
            found(&roots(&words), &names(&words), Writes, &mut effects);
        }
        "fd" | "fdfind" => {
            let (pattern, roots) =
                words.operands().split_first().map_or((".", &[][..]), |(first, roots)| (first, roots));
            let plain = pattern.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            let pattern = if plain { format!("*{pattern}*") } else { "*".to_owned() };
            let roots: Vec<String> = roots.iter().map(|root| words.path(root)).collect();
            let here = vec![folder.to_owned()];
            found(if roots.is_empty() { &here } else { &roots }, &[&pattern], Writes, &mut effects);
        }
        "grep" | "egrep" | "fgrep" | "rg" | "ag" => searched(&words, &mut effects),
        _ => {
            for place in words.operands().iter().map(|operand| words.path(operand)) {
                effects.add(Writes, format!("{}/*", place.trim_end_matches('/')));
                effects.add(Writes, place);
            }
            if words.operands().is_empty() {
                effects.add(Writes, format!("{}/*", folder.trim_end_matches('/')));
            }
        }
    }
    effects.writes
}

/// The files that a search for a text prints the names of: those that it is given, or all below them.
fn searched(words: &Words<'_>, effects: &mut Effects) {
    // The first operand is the text, unless an option holds it.
    let given = !words.values("ef", &["regexp", "file"]).is_empty();
    let places = words.operands().iter().skip(usize::from(!given)).map(|place| words.path(place));
    let places: Vec<String> = places.collect();
    let goes_down =
        matches!(words.name, "rg" | "ag") || words.has(&["-r", "-R", "--recursive", "--dereference-recursive"]);
    if goes_down {
        let here = [words.folder.to_owned()];
        found(if places.is_empty() { &here } else { &places }, &[], Writes, effects);
    } else {
        for place in places {
            effects.add(Writes, place);
        }
    }
}

/// What `find` is narrowed to: names, and of patterns for whole paths the first part that says something. Nothing, where
/// something is left out instead, or one of several ways to be found has no name.
fn names<'c>(words: &Words<'c>) -> Vec<&'c str> {
    let count = |options: &[&str]| words.args.iter().filter(|arg| options.contains(&arg.as_str())).count();
    if count(&["!", "-not", ","]) > 0 {
        return Vec::new();
    }
    // `-name X -prune -o …`: X is passed over, and what is found is behind it.
    let pruned = |at: usize| words.args.get(at + 2).is_some_and(|next| next == "-prune");
    let passed: Vec<&str> = words
        .args
        .iter()
        .enumerate()
        .filter(|(at, arg)| *arg == "-name" && pruned(*at))
        .filter_map(|(at, _)| words.args.get(at + 1).map(String::as_str))
        .collect();
    let first = |path: &'c str| path.split('/').find(|part| !part.bytes().all(|byte| b"*.?".contains(&byte)));
    let paths = words.after(&["-path", "-ipath", "-wholename", "-iwholename"]).filter_map(first);
    let found = words.after(&["-name", "-iname"]).filter(|name| !passed.contains(name));
    let names: Vec<&str> = found.chain(paths).collect();
    let ways = count(&["-o", "-or"]).saturating_sub(passed.len());
    if names.len() > ways { names } else { Vec::new() }
}

/// Where `find` begins.
fn roots(words: &Words<'_>) -> Vec<String> {
    let roots: Vec<&String> = words.args.iter().take_while(|arg| !arg.starts_with(['-', '(', '!'])).collect();
    if roots.is_empty() {
        vec![words.folder.to_owned()]
    } else {
        roots.into_iter().map(|root| words.path(root)).collect()
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
    Effects::of(&Subject { name, args: &args, folder, ..Subject::default() })
}

/// Permissions and owners: what is taken away (`-x`) looks like an option, and then every operand is a file.
pub(super) fn permissions(words: &Words<'_>, effects: &mut Effects) {
    let is_mode = |arg: &String| {
        arg.strip_prefix('-')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| b"rwxXstia".contains(&byte)))
    };
    let files = usize::from(!words.args.iter().any(is_mode));
    for file in words.operands().iter().skip(files) {
        effects.add(Modifies, words.path(file));
        if words.has(&["-r", "-R", "--recursive"]) {
            effects.add_whole(Modifies, &words.path(file));
        }
    }
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
