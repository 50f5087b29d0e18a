//! What git does to the files of a working tree.

use super::copy::rename_words;
use super::words::{Words, base};
use super::{Deletes, Effects, Modifies, Writes};

/// Subcommands that put other content into the working tree, wherever that differs.
const CHANGING: &[&str] =
    &["apply", "am", "stash", "pull", "merge", "rebase", "cherry-pick", "revert", "switch", "read-tree"];

pub(super) fn git(words: &Words<'_>, effects: &mut Effects) {
    let tree =
        words.values("", &["work-tree"]).first().map_or_else(|| words.folder.to_owned(), |tree| words.path(tree));
    let below =
        |word: &str| crate::shell::path::join(&tree, word.trim_start_matches(":/").trim_start_matches(":(top)"));
    let rest = words.rest();
    for file in words.values("", &["output", "separate-git-dir"]) {
        effects.add(Writes, words.path(file));
    }
    match words.subcommand() {
        // A word may be a branch or a file; a branch hits no file that anybody guards.
        "checkout" | "restore" => {
            for word in rest {
                effects.add(Writes, below(word));
                effects.add_whole(Writes, &below(word));
            }
        }
        "mv" => rename_words(words, rest, effects),
        "rm" if !words.has(&["--cached", "-n", "--dry-run"]) => {
            for word in rest {
                effects.add(Deletes, below(word));
            }
        }
        "clean" if !words.has(&["-n", "--dry-run"]) => match rest {
            [] => effects.add_whole(Deletes, &tree),
            rest => rest.iter().for_each(|word| effects.add_whole(Deletes, &below(word))),
        },
        "reset" if words.has(&["--hard", "--merge", "--keep"]) => effects.add_whole(Writes, &tree),
        "clone" => {
            let folder = rest.get(1).map_or_else(
                || base(rest.first().map_or("", |address| address.trim_end_matches(".git"))),
                String::as_str,
            );
            effects.add_whole(Writes, &words.path(folder));
        }
        "worktree" if rest.first().is_some_and(|word| matches!(word.as_str(), "add" | "move" | "remove")) => {
            rest.iter().skip(1).for_each(|word| effects.add_whole(Writes, &words.path(word)));
        }
        "checkout-index" | "archive" | "bundle" | "format-patch" => {
            for file in words.values("o", &["output", "output-directory", "prefix"]) {
                effects.add(Writes, words.path(file));
                effects.add_whole(Writes, &words.path(file));
            }
            if words.subcommand() == "bundle" {
                effects.add(Writes, rest.get(1).map(|file| words.path(file)).unwrap_or_default());
            }
        }
        "config" => {
            for file in words.values("f", &["file"]) {
                effects.add(Modifies, words.path(file));
            }
        }
        subcommand if CHANGING.contains(&subcommand) => {
            let folder = words.values("", &["directory"]).first().map_or_else(|| tree.clone(), |folder| below(folder));
            effects.add_whole(Writes, &folder);
        }
        _ => {}
    }
}
