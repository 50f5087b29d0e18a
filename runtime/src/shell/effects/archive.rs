//! Archives, of which only the archive knows what is unpacked, and patches.

use super::words::Words;
use super::{Deletes, Effects, Modifies, Reads, Writes};
use crate::client::patch::{self, Change};

pub(super) fn tar(words: &Words<'_>, effects: &mut Effects) {
    // The first word may be letters without a dash.
    let bundle = words.args.first().filter(|first| !first.starts_with('-')).map_or("", String::as_str);
    let asks = |letter: char, short: &str, long: &str| bundle.contains(letter) || words.has(&[short, long]);
    let folders = words.values("C", &["directory", "one-top-level"]);
    if asks('x', "-x", "--extract") || words.has(&["--get"]) {
        let before = usize::from(!bundle.is_empty()) + usize::from(bundle.contains('f'));
        let names: Vec<&String> = words.operands().iter().skip(before).collect();
        let last = folders.last().map_or_else(|| words.folder.to_owned(), |folder| words.path(folder));
        if names.is_empty() || words.args.iter().any(|arg| arg.starts_with("--transform") || arg.starts_with("--strip"))
        {
            effects.add_whole(Writes, &last);
        }
        for name in names {
            let place = crate::shell::path::join(&last, name);
            effects.add(Writes, place.clone());
            effects.add_whole(Writes, &place);
        }
        if asks('P', "-P", "--absolute-names") {
            effects.add_whole(Writes, "/");
        }
    } else if asks('c', "-c", "--create") || asks('r', "-r", "--append") || asks('u', "-u", "--update") {
        let file = words.values("f", &["file"]).first().copied();
        let file = file.or_else(|| words.operands().get(1).filter(|_| bundle.contains('f')).map(String::as_str));
        if let Some(file) = file.filter(|file| *file != "-") {
            effects.add(Writes, words.path(file));
        }
        let own = usize::from(!bundle.is_empty()) + usize::from(bundle.contains('f'));
        let from = folders.last().map_or_else(|| words.folder.to_owned(), |folder| words.path(folder));
        for source in words.operands().iter().skip(own) {
            effects.add(Reads, crate::shell::path::join(&from, source));
        }
        if words.has(&["--remove-files"]) {
            words.operands().iter().for_each(|operand| effects.add(Deletes, words.path(operand)));
        }
    }
}

/// `python3 -m zipfile -e ARCHIVE FOLDER`, and the same of `tarfile`.
pub(super) fn module(words: &Words<'_>, effects: &mut Effects) {
    let after = words.args.iter().skip_while(|arg| !matches!(arg.as_str(), "zipfile" | "tarfile")).skip(1);
    let after: Vec<&str> = after.map(String::as_str).collect();
    if let Some(at) = after.iter().position(|arg| matches!(*arg, "-e" | "--extract")) {
        unpack(words, after.get(at + 2).copied(), effects);
    }
}

/// What is unpacked where options say, else here.
fn unpack(words: &Words<'_>, folder: Option<&str>, effects: &mut Effects) {
    effects.add_whole(Writes, &folder.map_or_else(|| words.folder.to_owned(), |folder| words.path(folder)));
}

pub(super) fn unzip(words: &Words<'_>, effects: &mut Effects) {
    if !words.has(&["-l", "-t", "-v", "-p", "-c", "-z", "-Z"]) {
        let folder = words.values("d", &[]).first().copied();
        for name in words.operands().iter().skip(1) {
            effects.add(Writes, words.path(&format!("{}/{name}", folder.unwrap_or("."))));
        }
        unpack(words, folder, effects);
    }
}

/// `7z x -oFOLDER`
pub(super) fn seven_zip(words: &Words<'_>, effects: &mut Effects) {
    match words.operands().first().map(String::as_str) {
        Some("x" | "e") => {
            let folder = words.args.iter().find_map(|arg| arg.strip_prefix("-o"));
            unpack(words, folder, effects);
        }
        Some("a" | "u" | "d" | "rn") => {
            effects.add(Writes, words.operands().get(1).map(|file| words.path(file)).unwrap_or_default());
            if words.args.iter().any(|arg| arg == "-sdel") {
                words.operands().iter().skip(2).for_each(|file| effects.add(Deletes, words.path(file)));
            }
        }
        _ => {}
    }
}

/// `unrar x ARCHIVE FOLDER`, `jar xf ARCHIVE`, `ar x ARCHIVE --output FOLDER`
pub(super) fn letters(words: &Words<'_>, effects: &mut Effects) {
    if words.operands().first().is_some_and(|word| word.contains('x') && word.len() <= 4) || words.has(&["-x"]) {
        let told = words.values("C", &["output", "dir"]);
        let folder = told
            .first()
            .copied()
            .or_else(|| words.operands().iter().skip(2).find(|word| word.contains('/')).map(String::as_str));
        unpack(words, folder, effects);
    }
}

pub(super) fn cpio(words: &Words<'_>, effects: &mut Effects) {
    if words.has(&["-p", "--pass-through"]) {
        words.operands().iter().for_each(|folder| effects.add_whole(Writes, &words.path(folder)));
    } else if words.has(&["-i", "--extract", "-r"]) {
        unpack(words, words.values("D", &["directory"]).first().copied(), effects);
    }
}

/// What a patch changes is written in the patch.
pub(super) fn patch(words: &Words<'_>, effects: &mut Effects) {
    if words.has(&["--dry-run"]) {
        return;
    }
    for file in words.values("o", &["output"]).into_iter().filter(|file| *file != "-") {
        effects.add(Writes, words.path(file));
    }
    match words.operands().first() {
        Some(file) => effects.add(Modifies, words.path(file)),
        None => {
            let folder = words.values("d", &["directory"]).first().copied().unwrap_or(".");
            effects.add_whole(Modifies, &words.path(folder));
        }
    }
}

/// `apply_patch <<'EOF'`: a line that Codex takes for a call of its tool of that name. The patch tells every file.
pub(super) fn apply_patch(words: &Words<'_>, effects: &mut Effects) {
    let given = words.operands().first().map_or(words.input, String::as_str);
    let Ok(changes) = patch::read(given) else { return effects.add_whole(Modifies, words.folder) };
    for change in changes {
        let kind = match change {
            Change::Write { .. } => Writes,
            Change::Edit { .. } => Modifies,
            Change::Remove { .. } => Deletes,
        };
        effects.add(kind, words.path(change.path()));
    }
}
