//! Containers: folders of this machine that they are given can be changed inside.

use super::words::{Words, is_remote};
use super::{Effects, Modifies, Writes};

pub(super) fn container(words: &Words<'_>, effects: &mut Effects) {
    for volume in words.values("v", &["volume"]) {
        let mut parts = volume.split(':');
        if let (Some(folder), Some(_)) = (parts.next(), parts.next())
            && !parts.next().is_some_and(|mode| mode.split(',').any(|word| word == "ro"))
            && folder.contains(['/', '~', '.', '$'])
        {
            effects.add_whole(Modifies, &words.path(folder));
        }
    }
    for mount in words.values("", &["mount"]) {
        let mut parts = mount.split(',');
        let read_only = mount.split(',').any(|part| matches!(part, "readonly" | "ro" | "readonly=true" | "ro=true"));
        if let Some(folder) = parts.find_map(|part| part.strip_prefix("src=").or_else(|| part.strip_prefix("source=")))
            && !read_only
        {
            effects.add_whole(Modifies, &words.path(folder));
        }
    }
    if words.subcommand() == "cp"
        && let [_, .., target] = words.operands()
        && !is_remote(target)
    {
        effects.add(Writes, words.path(target));
        effects.add_whole(Writes, &words.path(target));
    }
}

/// `bwrap --bind FOLDER PLACE`: what is done at the place is done to the folder.
pub(super) fn bound(words: &Words<'_>, effects: &mut Effects) {
    for folder in words.after(&["--bind", "--bind-try", "--dev-bind", "--dev-bind-try"]) {
        effects.add_whole(Modifies, &words.path(folder));
    }
}
