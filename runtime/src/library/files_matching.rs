//! The files that a search with a glob looks into.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;

use super::expand_braces;
use crate::call::Call;
use crate::path;
use crate::signature::function;

/// Entries of folders that are looked at, those of outer folders first.
const MOST_ENTRIES: usize = 100_000;
const MOST_FILES: usize = 10_000;

/// The regular files below the folder that the glob selects, as ripgrep reads it.
pub fn files_matching(call: &Call<'_>, folder: &str, glob: &str) -> Vec<String> {
    let folder = path::resolve(call.cwd(), folder);
    let globs = Globs::read(glob);
    if globs.wanted.is_empty() {
        return Vec::new();
    }
    let base = path::resolve(call.cwd(), "");
    let mut found = Vec::new();
    walk(&folder, |file| {
        let from_folder = relative(file, &folder);
        let from_base = relative(file, &base);
        let names: Vec<&str> = [from_folder.as_deref(), from_base.as_deref()].into_iter().flatten().collect();
        if globs.select(&names) {
            found.push(path::text(file));
        }
        found.len() < MOST_FILES
    });
    found.sort_unstable();
    found
}

fn relative(file: &Path, folder: &Path) -> Option<String> {
    Some(path::text(file.strip_prefix(folder).ok()?))
}

/// Goes through the files below a folder. What cannot be listed is passed over: a search does the same.
fn walk(folder: &Path, mut visit: impl FnMut(&Path) -> bool) {
    let mut folders = VecDeque::from([folder.to_path_buf()]);
    let mut entries = 0;
    while let Some(folder) = folders.pop_front() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MOST_ENTRIES {
                return;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => folders.push_back(entry.path()),
                Ok(kind) if kind.is_file() && !visit(&entry.path()) => return,
                _ => {}
            }
        }
    }
}

/// Several globs, and those behind `!`, which exclude.
struct Globs {
    wanted: Vec<String>,
    unwanted: Vec<String>,
}

impl Globs {
    /// Globs stand between blanks, and between commas where there are no braces.
    fn read(text: &str) -> Self {
        let parts = text.split_whitespace().flat_map(|part| {
            let separator = if part.contains('{') { '\0' } else { ',' };
            part.split(separator).filter(|glob| !glob.is_empty())
        });
        let (unwanted, wanted): (Vec<&str>, Vec<&str>) = parts.partition(|glob| glob.starts_with('!'));
        let expand = |globs: Vec<&str>| -> Vec<String> {
            globs.into_iter().flat_map(|glob| expand_braces(glob.trim_start_matches('!'))).collect()
        };
        Self { wanted: expand(wanted), unwanted: expand(unwanted) }
    }

    fn select(&self, names: &[&str]) -> bool {
        let any = |globs: &[String]| globs.iter().any(|glob| names.iter().any(|name| selects(glob, name)));
        any(&self.wanted) && !any(&self.unwanted)
    }
}

/// Whether a glob selects a file by its path from where the search starts; without a slash it goes by the name alone.
fn selects(glob: &str, file: &str) -> bool {
    let anchored = glob.strip_prefix('/').unwrap_or(glob);
    if glob.contains('/') {
        fits(&parts(anchored), file)
    } else {
        fits(&parts(anchored), file.rsplit('/').next().unwrap_or_default())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Exactly(char),
    One,
    Name,
    Anything,
    Folders,
    Class { negated: bool, ranges: Vec<(char, char)> },
}

fn parts(glob: &str) -> Vec<Part> {
    let characters: Vec<char> = glob.chars().collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(first) = characters.get(at) {
        let rest = characters.get(at..).unwrap_or_default();
        let (part, length) = match (first, rest) {
            (_, ['*', '*', '/', ..]) => (Part::Folders, 3),
            (_, ['*', '*', ..]) => (Part::Anything, 2),
            ('*', _) => (Part::Name, 1),
            ('?', _) => (Part::One, 1),
            ('[', _) => class(rest).unwrap_or((Part::Exactly('['), 1)),
            (_, ['\\', escaped, ..]) => (Part::Exactly(*escaped), 2),
            _ => (Part::Exactly(*first), 1),
        };
        parts.push(part);
        at += length;
    }
    parts
}

/// `[a-z]`, `[!a]` or `[^a]`, and how long it is; a bracket right behind the first stands for itself.
fn class(rest: &[char]) -> Option<(Part, usize)> {
    let negated = matches!(rest.get(1), Some('!' | '^'));
    let from = if negated { 2 } else { 1 };
    let to = from + 1 + rest.get(from + 1..)?.iter().position(|character| *character == ']')?;
    let mut ranges = Vec::new();
    let mut inside = rest.get(from..to)?;
    while let Some((first, others)) = inside.split_first() {
        match others {
            ['-', last, after @ ..] => {
                ranges.push((*first, *last));
                inside = after;
            }
            _ => {
                ranges.push((*first, *first));
                inside = others;
            }
        }
    }
    Some((Part::Class { negated, ranges }, to + 1))
}

/// Follows all ways through the glob at once, so that the work is the path's length times the glob's.
fn fits(parts: &[Part], text: &str) -> bool {
    let mut places = enter(parts, 0);
    for character in text.chars() {
        let mut next: Vec<usize> = Vec::new();
        for place in &places {
            let Some(part) = parts.get(*place) else { continue };
            let (stays, goes) = match part {
                Part::Exactly(wanted) => (false, *wanted == character),
                Part::One => (false, character != '/'),
                Part::Name => (character != '/', false),
                Part::Anything => (true, false),
                Part::Folders => (true, character == '/'),
                Part::Class { negated, ranges } => {
                    let inside = ranges.iter().any(|(first, last)| (*first..=*last).contains(&character));
                    (false, character != '/' && inside != *negated)
                }
            };
            let reached =
                stays.then_some(*place..=*place).into_iter().flatten().flat_map(|place| enter_behind(parts, place));
            let reached = reached.chain(goes.then(|| enter(parts, place + 1)).into_iter().flatten());
            next.extend(reached);
        }
        next.sort_unstable();
        next.dedup();
        places = next;
    }
    places.contains(&parts.len())
}

/// The place, and those behind it that are reached without a character.
fn enter(parts: &[Part], place: usize) -> Vec<usize> {
    let empty = |part: &&Part| matches!(part, Part::Name | Part::Anything | Part::Folders);
    let passed = parts.iter().skip(place).take_while(empty).count();
    (place..=place + passed).collect()
}

/// Stays at a star, from which what is behind it may begin; folders end only behind a slash.
fn enter_behind(parts: &[Part], place: usize) -> Vec<usize> {
    if matches!(parts.get(place), Some(Part::Folders)) { vec![place] } else { enter(parts, place) }
}

function! {
    FUNCTION: files_matching,
    name: "filesMatching",
    params: { folder: Text, glob: Text },
    result: List<Text>,
    powers: [Files],
    doc: "The regular files below the folder that a search with the glob looks into, as ripgrep reads globs: without a \
           `/` it goes by the name alone, `*` and `?` stop at a `/`, `**` does not, `[a-z]` is one of these, `{a,b}` \
           either. Several globs stand between blanks, and one behind `!` excludes. Sorted; at most 10,000, of 100,000 \
           files that are looked at, those nearest to the folder first.",
    example: "filesMatching('no/such/folder', '*') == filesMatching('.', '')",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::json::Json;

    #[test]
    fn globs_are_read_as_a_search_reads_them() {
        for (glob, file, expected) in [
            (".e*", ".env", true),
            (".[e]nv", "deep/.env", true),
            (".[!e]nv", ".env", false),
            (".[a-f]nv", ".env", true),
            ("**/sett*.php", "sites/default/settings.php", true),
            ("**/sett*.php", "settings.php", true),
            ("sett*.php", "sites/default/settings.php", true),
            ("sites/*.php", "sites/default/settings.php", false),
            ("sites/**", "sites/default/settings.php", true),
            ("sites/**/s*.php", "sites/settings.php", true),
            ("cert*/*.k?y", "certs/server.key", true),
            ("/certs/*", "certs/server.key", true),
            ("certs", "certs/server.key", false),
            (".eslint*", ".env", false),
            ("*.ph", "a.php", false),
            ("\\*.php", "a.php", false),
            ("[", "[", true),
            ("**/x", "ax", false),
        ] {
            assert_eq!(selects(glob, file), expected, "{glob} {file}");
        }
    }

    #[test]
    fn files_that_are_there_are_found_from_the_folder_or_the_working_directory() {
        let guard = tempfile::tempdir().expect("a folder");
        for file in ["web/settings.php", "web/a.php", "certs/server.key", ".env", ".git/x.php"] {
            let file = guard.path().join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("created");
            fs::write(file, "x").expect("written");
        }
        let payload = Json::parse(&format!(r#"{{"cwd":{}}}"#, Json::text(guard.path().to_str().expect("UTF-8"))))
            .expect("JSON")
            .into_owned();
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &payload);
        let names = |folder: &str, glob: &str| -> Vec<String> {
            let found = files_matching(&call, folder, glob);
            found
                .iter()
                .map(|file| Path::new(&file).file_name().expect("a name").to_string_lossy().into_owned())
                .collect()
        };
        assert_eq!(names(".", "*.php"), ["a.php", "settings.php"]);
        assert_eq!(names(".", "*.php !**/settings.php"), ["a.php"]);
        assert_eq!(names("web", "web/*.php"), ["a.php", "settings.php"]);
        assert_eq!(names("web", "sett*"), ["settings.php"]);
        assert_eq!(names(".", "*.{key,pem}"), ["server.key"]);
        assert_eq!(names(".", "x,.e*"), [".env"]);
        assert_eq!(names(".", ""), [""; 0]);
        assert_eq!(names("nowhere", "*"), [""; 0]);
    }
}
