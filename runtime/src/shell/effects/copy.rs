//! Programs that put files where their last word says.

use super::words::{Words, base, is_remote};
use super::{Deletes, Effects, Kind, Modifies, Reads, Writes};

/// What is copied or moved, and where to.
struct Copy<'w> {
    sources: Vec<&'w str>,
    target: &'w str,
    /// Whether the target must be a folder.
    folder: bool,
}

impl<'w> Copy<'w> {
    fn of(words: &'w Words<'_>) -> Option<Self> {
        Self::between(words.operands(), words.values("t", &["target-directory"]).first().copied())
    }

    fn between(operands: &'w [String], into: Option<&'w str>) -> Option<Self> {
        let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
        if let Some(target) = into {
            return Some(Self { sources: operands, target, folder: true });
        }
        match operands.split_last() {
            // `ln x` puts it where one is.
            Some((target, [])) => Some(Self { sources: vec![target], target: ".", folder: true }),
            Some((target, sources)) => {
                let folder = sources.len() > 1 || target.ends_with(['/', '.']) || *target == "~";
                Some(Self { sources: sources.to_vec(), target, folder })
            }
            None => None,
        }
    }

    /// The places that it fills. Whether the target is a folder the line does not tell: a file may land at it or in it.
    fn fill(&self, kind: Kind, whole: bool, words: &Words<'_>, effects: &mut Effects) {
        if is_remote(self.target) {
            return;
        }
        let target = words.path(self.target);
        let inside = self.sources.iter().map(|source| format!("{}/{}", target.trim_end_matches('/'), base(source)));
        // What `dir/.` and a pattern have in them is not known by name.
        let nameless =
            |source: &&str| matches!(base(source), "." | "..") || base(source).contains(['*', '?', '[', '$']);
        let spread = self.sources.iter().any(nameless);
        for place in (!self.folder).then(|| target.clone()).into_iter().chain(inside) {
            effects.add(kind, place.clone());
            if whole {
                effects.add_whole(kind, &place);
            }
        }
        if spread && whole {
            effects.add_whole(kind, &target);
        } else if spread {
            effects.add(kind, format!("{}/*", target.trim_end_matches('/')));
        }
    }
}

const RECURSIVE: &[&str] = &["-r", "-R", "-a", "--recursive", "--archive", "-Recurse"];

pub(super) fn copy(words: &Words<'_>, effects: &mut Effects) {
    // Instead of copies, links: `cp -l`, `cp -s`.
    if words.name != "install" && words.has(&["-l", "--link", "-s", "--symbolic-link"]) {
        return link(words, effects);
    }
    if let Some(copy) =
        Copy::of(words).filter(|_| words.operands().len() > 1 || !words.values("t", &["target-directory"]).is_empty())
    {
        for source in copy.sources.iter().filter(|source| !is_remote(source)) {
            effects.add(Reads, words.path(source));
        }
        copy.fill(Writes, words.has(RECURSIVE), words, effects);
    }
}

/// What is moved may be a folder.
pub(super) fn rename(words: &Words<'_>, effects: &mut Effects) {
    let Some(copy) = Copy::of(words) else { return };
    copy.sources.iter().for_each(|source| effects.add(Deletes, words.path(source)));
    // Of a folder that is moved by name all arrives; what is moved into a folder replaces no folder there.
    let named = !copy.sources.iter().any(|source| source.contains(['*', '?', '[', '$', '{']));
    copy.fill(Writes, named, words, effects);
}

/// A second name for a file or a folder is another way to change it.
pub(super) fn link(words: &Words<'_>, effects: &mut Effects) {
    let Some(copy) = Copy::of(words) else { return };
    copy.fill(Writes, true, words, effects);
    for source in &copy.sources {
        let place = words.path(source);
        effects.add_whole(Modifies, &place);
        effects.add(Modifies, place);
    }
}

/// What is mounted elsewhere can be changed there.
pub(super) fn mount(words: &Words<'_>, effects: &mut Effects) {
    if words.values("o", &["options"]).iter().any(|options| options.split(',').any(|option| option == "remount")) {
        return;
    }
    let bound = words.has(&["--bind", "--rbind", "-B", "-R"])
        || words.values("o", &["options"]).iter().any(|o| o.contains("bind"));
    for (nth, operand) in words.operands().iter().enumerate() {
        let (kind, place) = (if nth == 0 { Modifies } else { Writes }, words.path(operand));
        if nth > 0 || bound {
            effects.add(kind, place.clone());
            effects.add_whole(kind, &place);
        }
    }
}

pub(super) fn install(words: &Words<'_>, effects: &mut Effects) {
    if words.has(&["-d", "--directory"]) {
        words.operands().iter().for_each(|folder| effects.add(Writes, words.path(folder)));
    } else {
        copy(words, effects);
    }
}

/// `rsync` and its like fill a folder, and may empty it.
pub(super) fn mirror(words: &Words<'_>, effects: &mut Effects) {
    let Some((target, sources)) = words.operands().split_last().filter(|(_, sources)| !sources.is_empty()) else {
        return;
    };
    for source in sources.iter().filter(|source| !is_remote(source)) {
        effects.add(Reads, words.path(source));
    }
    if words.has(&["--remove-source-files"]) {
        for source in sources {
            effects.add_whole(Deletes, &words.path(source));
        }
    }
    if is_remote(target) {
        return;
    }
    let place = words.path(target);
    effects.add(Writes, place.clone());
    effects.add_whole(Writes, &place);
    // One file of another host lands there by its name.
    for source in sources.iter().filter(|source| is_remote(source) && !source.ends_with('/')) {
        effects.add(Writes, format!("{}/{}", place.trim_end_matches('/'), base(source)));
    }
    if words.args.iter().any(|arg| arg.starts_with("--del")) {
        effects.add_whole(Deletes, &place);
    }
}

/// `rclone`: its subcommand says what becomes of both sides.
pub(super) fn cloud(words: &Words<'_>, effects: &mut Effects) {
    let Some((subcommand, places)) = words.operands().split_first() else { return };
    let places: Vec<String> = places.iter().filter(|place| !is_remote(place)).map(|place| words.path(place)).collect();
    let mut whole = |kind: Kind, place: Option<&String>| {
        if let Some(place) = place {
            effects.add(kind, place.clone());
            effects.add_whole(kind, place);
        }
    };
    match subcommand.as_str() {
        "purge" | "delete" | "deletefile" | "rmdir" | "rmdirs" => whole(Deletes, places.first()),
        "move" | "moveto" => {
            whole(Deletes, places.first());
            whole(Writes, places.get(1));
        }
        "copy" | "copyto" | "sync" | "bisync" => {
            if let [from, to] = places.as_slice() {
                effects.add(Reads, from.clone());
                effects.add(Writes, to.clone());
                effects.add_whole(Writes, to);
                if subcommand.ends_with("sync") {
                    effects.add_whole(Deletes, to);
                }
            }
        }
        _ => {}
    }
}

/// `btrfs subvolume delete FOLDER…`
pub(super) fn subvolumes(words: &Words<'_>, effects: &mut Effects) {
    let [group, verb, folders @ ..] = words.operands() else { return };
    if "subvolume".starts_with(group.as_str()) && "delete".starts_with(verb.as_str()) {
        for folder in folders.iter().map(|folder| words.path(folder)) {
            effects.add(Deletes, folder.clone());
            effects.add_whole(Deletes, &folder);
        }
    }
}

/// `git mv`, whose words begin with its own name.
pub(super) fn rename_words(words: &Words<'_>, operands: &[String], effects: &mut Effects) {
    let Some(copy) = Copy::between(operands, None) else { return };
    copy.sources.iter().for_each(|source| effects.add(Deletes, words.path(source)));
    copy.fill(Writes, true, words, effects);
}

/// `dd if=FILE of=FILE`
pub(super) fn blocks(words: &Words<'_>, effects: &mut Effects) {
    for source in words.args.iter().filter_map(|arg| arg.strip_prefix("if=")) {
        effects.add(Reads, words.path(source));
    }
    for target in words.args.iter().filter_map(|arg| arg.strip_prefix("of=")) {
        effects.add(Writes, words.path(target));
    }
}
