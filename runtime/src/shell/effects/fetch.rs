//! Programs that save what they load.

use super::words::{Words, base};
use super::{Effects, Writes};

/// `curl -O` names the file after the address.
pub(super) fn curl(words: &Words<'_>, effects: &mut Effects) {
    let folder =
        words.values("", &["output-dir"]).first().map_or_else(|| words.folder.to_owned(), |dir| words.path(dir));
    if words.has(&["-O", "--remote-name", "--remote-name-all", "-J", "--remote-header-name"]) {
        words.operands().iter().for_each(|address| effects.add(Writes, format!("{folder}/{}", base(address))));
    }
    if words.has(&["-J", "--remote-header-name"]) {
        effects.add_whole(Writes, &folder);
    }
    for file in words.values("o", &["output"]).into_iter().filter(|file| *file != "-") {
        effects.add(Writes, crate::shell::path::join(&folder, file));
    }
}

/// `wget` does so unless it is told otherwise.
pub(super) fn wget(words: &Words<'_>, effects: &mut Effects) {
    if !words.values("O", &["output-document"]).is_empty() || words.has(&["--spider"]) {
        return;
    }
    let folder =
        words.values("P", &["directory-prefix"]).first().map_or_else(|| words.folder.to_owned(), |dir| words.path(dir));
    words.operands().iter().for_each(|address| effects.add(Writes, format!("{folder}/{}", base(address))));
    if words.has(&[
        "-r",
        "--recursive",
        "-m",
        "--mirror",
        "-p",
        "--page-requisites",
        "-i",
        "--input-file",
        "--content-disposition",
    ]) {
        effects.add_whole(Writes, &folder);
    }
}
