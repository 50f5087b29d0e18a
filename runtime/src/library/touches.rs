//! Whether a command reaches a file.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::holds::matches;
use super::home;
use crate::call::Call;
use crate::path::{self, Places};
use crate::shell::{Command, WHOLE};
use crate::signature::function;

/// Whether the command may write, change, move or delete one of the paths, something in it, or a folder that it lies in.
pub fn touches_any(call: &Call<'_>, command: &Command, paths: &[impl AsRef<str>]) -> bool {
    if [command.writes(), command.modifies(), command.deletes()].iter().all(|places| places.is_empty()) {
        return false;
    }
    let world = World { home: home(call), places: call.places(), project: call.project_path(".") };
    world.touches_any(command, paths)
}

/// Without an option for it, `rm` leaves folders and what is in them alone.
fn deletes_files_alone(command: &Command) -> bool {
    let recurses =
        |option: &String| option == "--recursive" || !option.starts_with("--") && option.contains(['r', 'R']);
    command.name() == "rm" && command.known() && !command.options().iter().any(recurses)
}

/// Where paths start.
struct World<'c> {
    home: String,
    places: &'c Places,
    project: PathBuf,
}

/// How a place lies to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lies {
    Above,
    At,
    Below,
}

/// A path as it is written, seen from where the line starts, and where it leads.
struct Place {
    written: PathBuf,
    leads: Rc<Path>,
}

impl Place {
    fn paths(&self) -> [&Path; 2] {
        [&self.written, &self.leads]
    }
}

/// Where a word of a command points.
enum Word {
    /// A part of it is known only when the line runs: its end is all that can be compared.
    Unknown(String),
    Pattern(String),
    Known(Place),
}

impl World<'_> {
    fn touches_any(&self, command: &Command, paths: &[impl AsRef<str>]) -> bool {
        let targets: Vec<Place> =
            paths.iter().map(AsRef::as_ref).filter(|path| !path.is_empty()).map(|path| self.place(path)).collect();
        let files_alone = deletes_files_alone(command);
        let takes_content = |word: &String| {
            let folder = || std::fs::symlink_metadata(self.place(word).written).is_ok_and(|found| found.is_dir());
            !(files_alone && folder())
        };
        command.writes().iter().chain(command.modifies()).any(|word| self.hits_any(word, &targets, false))
            || command.deletes().iter().any(|word| self.hits_any(word, &targets, takes_content(word)))
    }

    fn place(&self, path: &str) -> Place {
        let path = self.expanded(path);
        Place { written: self.places.base().join(&*path), leads: self.places.at(&path) }
    }

    /// A tilde that is still there was quoted. Whoever wrote it meant home.
    fn expanded<'p>(&self, path: &'p str) -> Cow<'p, str> {
        match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", self.home).into(),
            // The home of somebody, who may be the person.
            Some(_) => format!("${path}").into(),
            None => path.into(),
        }
    }

    /// Whether what is done to a word reaches one of the targets.
    fn hits_any(&self, word: &str, targets: &[Place], deletes: bool) -> bool {
        let Some((root, names)) = word.split_once(WHOLE) else {
            let word = self.word(word);
            return targets.iter().any(|target| match word.lies(target) {
                Some(Lies::Above) => deletes,
                Some(Lies::At | Lies::Below) => true,
                None => false,
            });
        };
        let root = if root.is_empty() { "/" } else { root };
        let word = self.word(root);
        targets.iter().any(|target| match word.lies(target) {
            None => false,
            Some(Lies::Below | Lies::At) => true,
            Some(Lies::Above) => self.sweeps(root, names, target),
        })
    }

    /// Whether what happens to all below a folder, or to what has one of the names, happens to the target in it.
    fn sweeps(&self, root: &str, names: &str, target: &Place) -> bool {
        match names.strip_prefix('/') {
            // What is in an archive, a patch or a branch nobody can tell. Within the project it is taken for harmless,
            // unless it goes right to where the file lies.
            None => !self.is_in_project(root) || self.is_parent(root, target),
            // A search of the whole project is not after the few files that it also finds.
            Some(name) if is_sweeping(name) && self.is_in_project(root) => self.is_parent(root, target),
            Some(name) => {
                let depth = parts(&self.expanded(root)).len();
                target.paths().iter().any(|path| {
                    let path = path::text(path);
                    parts(&path).iter().skip(depth).any(|part| matches(name.as_bytes(), part.as_bytes()))
                })
            }
        }
    }

    fn word(&self, word: &str) -> Word {
        let word = self.expanded(word);
        if is_unknown(&word) {
            return Word::Unknown(word.into_owned());
        }
        let word = without_groups(&word);
        if word.contains(['*', '?', '[']) { Word::Pattern(word) } else { Word::Known(self.place(&word)) }
    }

    fn is_in_project(&self, root: &str) -> bool {
        path::is_within(&self.places.at(&self.expanded(root)), &self.project)
    }

    fn is_parent(&self, root: &str, target: &Place) -> bool {
        let root = self.place(root);
        let parents = target.paths().map(Path::parent).into_iter().flatten();
        parents.into_iter().any(|parent| root.paths().iter().any(|root| path::is_same(root, parent)))
    }
}

impl Word {
    /// How it lies to the target; `None` if they have nothing to do with each other.
    fn lies(&self, target: &Place) -> Option<Lies> {
        match self {
            Self::Unknown(word) => target.paths().iter().find_map(|path| lies_by_end(word, path)),
            Self::Pattern(word) => target.paths().iter().find_map(|path| lies_by_pattern(word, path)),
            Self::Known(place) => {
                let pairs = place.paths().into_iter().flat_map(|place| target.paths().map(|target| (place, target)));
                pairs.into_iter().find_map(|(place, target)| path::relation(place, target)).map(|found| match found {
                    Ordering::Less => Lies::Above,
                    Ordering::Equal => Lies::At,
                    Ordering::Greater => Lies::Below,
                })
            }
        }
    }
}

/// Whether a pattern says no more of a name than its ending, if that: `*`, `*.json`, `.*`, `*[0-9]*`.
fn is_sweeping(pattern: &str) -> bool {
    let stem = match pattern.rsplit_once('.') {
        Some((stem, _)) if stem.contains('*') => stem,
        _ => pattern,
    };
    let mut inside = false;
    stem.chars().all(|character| {
        inside = inside && character != ']' || character == '[';
        inside || matches!(character, '*' | '?' | '.' | ']')
    })
}

/// Whether a part of the path is known only when the line runs.
fn is_unknown(path: &str) -> bool {
    path.contains(['$', '`', '{', '%'])
}

/// Bash's `@(a|b)` and its like stand for any text, as a star does.
fn without_groups(pattern: &str) -> String {
    let (mut result, mut rest) = (String::new(), pattern);
    while let Some(at) = rest.find('(') {
        let (before, group) = rest.split_at(at);
        let Some((_, after)) = group.split_once(')') else { break };
        let Some(before) = before.strip_suffix(['@', '!', '+', '?', '*']) else { break };
        result.push_str(before);
        result.push('*');
        rest = after;
    }
    result + rest
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).collect()
}

/// What follows the unknown part of a path is compared with the ends of the target and of the folders above it.
fn lies_by_end(word: &str, target: &Path) -> Option<Lies> {
    let word = parts(word);
    let known = word.iter().rposition(|part| is_unknown(part) || *part == "..").map_or(0, |last| last + 1);
    // A pattern that fits every name says nothing of where it is.
    let end = word
        .get(known..)
        .filter(|end| !end.is_empty() && !end.iter().all(|part| part.bytes().all(|byte| byte == b'*')))?;
    let text = path::text(target);
    let target = parts(&text);
    let fits = |whole: &[&str]| {
        whole.len() >= end.len() && whole.iter().rev().zip(end.iter().rev()).all(|(part, word)| fits(word, part))
    };
    if fits(&target) {
        return Some(Lies::At);
    }
    (1..target.len()).any(|length| fits(target.get(..length).unwrap_or_default())).then_some(Lies::Above)
}

fn lies_by_pattern(word: &str, target: &Path) -> Option<Lies> {
    let text = path::text(target);
    let (word, target) = (parts(word), parts(&text));
    if !word.iter().zip(&target).all(|(word, part)| fits(word, part)) {
        return None;
    }
    Some(match word.len().cmp(&target.len()) {
        std::cmp::Ordering::Less => Lies::Above,
        std::cmp::Ordering::Equal => Lies::At,
        std::cmp::Ordering::Greater => Lies::Below,
    })
}

/// A shell's pattern leaves names that begin with a dot alone, unless it begins with one.
fn fits(pattern: &str, name: &str) -> bool {
    (!name.starts_with('.') || pattern.starts_with(['.', '['])) && matches(pattern.as_bytes(), name.as_bytes())
}

function! {
    FUNCTION: touches_any,
    name: "touchesAny",
    receiver: Object<Command>,
    params: { paths: List<Text> },
    result: Bool,
    powers: [Files],
    doc: "Whether the command may write, change, rename or delete one of the paths, something below it, or a folder that \
           it lies in, as far as `writes`, `modifies` and `deletes` tell. Patterns count as what they may match; of a path \
           of which a part is unknown, the end is compared. What is unpacked or checked out within the project counts only \
           if it goes right to the folder of the file.",
    example: "'cd /etc/app && mv x/app.yaml .'.commands().exists(c, c.touchesAny(['/etc/app/app.yaml']))",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{World as Around, analyse};

    fn touched(line: &str, path: &str) -> bool {
        let places = Places::from("/home/u/p".into());
        let world = World { home: "/home/u".into(), places: &places, project: "/home/u/p".into() };
        let around = Around { home: "/home/u", cwd: "/home/u/p", ..Around::default() };
        analyse(line, around).commands.iter().any(|command| world.touches_any(command, &[path]))
    }

    /// What a guard of one file makes of a line: what it does is refused, what cannot be known is asked about.
    fn judged(line: &str, path: &str) -> &'static str {
        let around = Around { home: "/home/u", cwd: "/home/u/p", ..Around::default() };
        let given = |command: &Command| {
            !command.understood() && command.paths().iter().any(|operand| operand == &path.replace('~', "/home/u"))
        };
        match touched(line, path) {
            true => "no",
            false if analyse(line, around).commands.iter().any(given) => "ask",
            false => "yes",
        }
    }

    #[test]
    fn every_way_to_change_a_file_is_seen_and_nothing_else() {
        let rows = include_str!("../../tests/touches.txt").lines().filter(|line| !line.starts_with('#'));
        let rows: Vec<(&str, &str)> = rows.map(|row| row.split_once('\t').expect("a verdict and a line")).collect();
        let wrong: Vec<String> = rows
            .iter()
            .map(|(expected, line)| (expected, judged(line, "~/.claude/safety.yaml"), line))
            .filter(|(expected, found, _)| *expected != found)
            .map(|(expected, found, line)| format!("{expected} is {found}: {line}"))
            .collect();
        assert!(wrong.is_empty(), "{} of {} lines:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    }

    #[test]
    fn a_folder_that_goes_takes_the_file_along_and_a_file_of_its_name_elsewhere_does_not() {
        let file = "~/.claude/x.yaml";
        for line in
            ["rm ~/.claude/x.yaml", "rm -r ~/.claude", "mv ~/.claude y", "cp y ~/.claude/x.yaml", "rm ~/.cl*/x.yaml"]
        {
            assert!(touched(line, file), "{line}");
        }
        for line in
            ["rm x.yaml", "cp ~/.claude/x.yaml y", "cp y ~/.claude/y.yaml", "rm -r ~/.claude/x", "rm ~/*/x.yaml"]
        {
            assert!(!touched(line, file), "{line}");
        }
    }

    #[test]
    fn what_is_in_a_guarded_folder_is_touched() {
        assert!(touched("touch ~/state/a/b", "~/state"));
        assert!(touched("find ~/state -type f -exec sed -i s/a/b/ {} +", "~/state"));
        assert!(!touched("find ~/state -type f -exec grep a {} +", "~/state"));
        assert!(!touched("touch ~/states", "~/state"));
    }

    #[test]
    fn of_an_unknown_folder_the_end_of_the_path_counts() {
        assert!(touched("cp y \"$D/x.yaml\"", "~/.claude/x.yaml"));
        assert!(touched("rm -r \"$D/.claude\"", "~/.claude/x.yaml"));
        assert!(!touched("cp y \"$D/y.yaml\"", "~/.claude/x.yaml"));
        assert!(!touched("cp y \"$D\"", "~/.claude/x.yaml"));
    }

    #[test]
    fn an_archive_is_unpacked_in_the_project_and_nowhere_else() {
        assert!(touched("tar xf a.tar -C ~", "~/.claude/x.yaml"));
        assert!(touched("tar xf a.tar -C .claude", "~/p/.claude/x.yaml"));
        assert!(!touched("tar xf a.tar", "~/p/.claude/x.yaml"));
        assert!(!touched("tar xf a.tar -C /opt", "~/.claude/x.yaml"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_on_the_way_does_not_lead_around_the_check() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it exists");
        std::fs::create_dir(root.join("real")).expect("created");
        std::os::unix::fs::symlink("real", root.join("link")).expect("linked");
        let places = Places::from(root.clone());
        let world = World { home: String::new(), places: &places, project: root.clone() };
        let cwd = root.to_string_lossy().into_owned();
        let touched = |line: &str, path: &str| {
            let commands = analyse(line, Around { home: "", cwd: &cwd, ..Around::default() }).commands;
            commands.iter().any(|command| world.touches_any(command, &[path]))
        };
        assert!(touched("touch link/f", "real/f") && touched("touch real/f", "link/f"));
        assert!(touched("rm link", "link/f") && !touched("rm other", "link/f"));
    }
}
