//! Programs that save what they load.

use super::words::{Words, base};
use super::{Effects, Reads, Writes};

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

/// What `curl` sends: `-T FILE`, `-d @FILE`, `-F name=@FILE`.
pub(super) fn upload(words: &Words<'_>, effects: &mut Effects) {
    let data = words.values("d", &["data", "data-ascii", "data-binary", "data-urlencode", "json"]);
    let named = data.into_iter().filter_map(|value| value.split_once('@').map(|(_, file)| file));
    let parts = words.values("F", &["form"]).into_iter().filter_map(|part| part.split_once(['@', '<']));
    let parts = parts.filter_map(|(_, file)| file.split([';', ',']).next());
    for file in words.values("TK", &["upload-file", "config"]).into_iter().chain(named).chain(parts) {
        if file != "-" {
            effects.add(Reads, words.path(file));
        }
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

/// `gh release download -p PATTERN`, `gh … -O FILE`
pub(super) fn gh(words: &Words<'_>, effects: &mut Effects) {
    for file in words.values("pO", &["pattern", "output"]).into_iter().filter(|file| *file != "-") {
        effects.add(Writes, words.path(file));
    }
}

/// `aws s3 cp s3://bucket/file place`
pub(super) fn bucket(words: &Words<'_>, effects: &mut Effects) {
    let operands: Vec<&String> =
        words.operands().iter().skip_while(|word| !matches!(word.as_str(), "cp" | "mv" | "sync")).collect();
    if let [_, source, target] = operands.as_slice()
        && source.contains("://")
        && !target.contains("://")
        && *target != "-"
    {
        effects.add(Writes, words.path(target));
        effects.add(Writes, words.path(&format!("{target}/{}", base(source))));
    }
}

/// `split FILE PREFIX`: the first two of the files that it makes.
pub(super) fn split(words: &Words<'_>, effects: &mut Effects) {
    let prefix = words.operands().get(1).map_or("x", String::as_str);
    // With options the ends are others, or none.
    for end in ["aa", "ab", "*"] {
        effects.add(Writes, words.path(&format!("{prefix}{end}")));
    }
}

/// `csplit -f PREFIX FILE PATTERN`
pub(super) fn csplit(words: &Words<'_>, effects: &mut Effects) {
    let prefix = words.values("f", &["prefix"]).first().copied().unwrap_or("xx");
    effects.add(Writes, words.path(&format!("{prefix}*")));
}

/// `aria2c -d FOLDER -o NAME ADDRESS`
pub(super) fn aria(words: &Words<'_>, effects: &mut Effects) {
    let folder = words.values("d", &["dir"]).first().map_or_else(|| words.folder.to_owned(), |dir| words.path(dir));
    let named: Vec<String> = words.values("o", &["out", "output"]).into_iter().map(str::to_owned).collect();
    let addresses = words.operands().iter().map(|address| base(address).to_owned());
    for name in if named.is_empty() { addresses.collect() } else { named } {
        effects.add(Writes, crate::shell::path::join(&folder, &name));
    }
}
