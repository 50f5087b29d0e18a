//! The programs that a repository's own configuration names, and what takes their place.
//!
//! The person's configuration stays in force: where both name a program, the person's is run.

use std::collections::{HashMap, HashSet};

/// A variable of a section, with or without a subsection between them, and what takes the place of its value.
const SUBSTITUTES: &[(&str, &str, &str)] = &[
    ("browser", "path", FAILING),
    ("core", "askpass", ""),
    ("core", "pager", "cat"),
    ("core", "sshcommand", "ssh"),
    ("diff", "external", FAILING),
    ("diff", "guitool", ""),
    ("diff", "textconv", "cat"),
    ("diff", "tool", ""),
    ("difftool", "path", FAILING),
    ("filter", "clean", ""),
    ("filter", "process", ""),
    ("filter", "required", "false"),
    ("filter", "smudge", ""),
    ("gpg", "program", "gpg"),
    ("hook", "command", "true"),
    ("imap", "tunnel", FAILING),
    ("instaweb", "httpd", FAILING),
    ("interactive", "difffilter", "cat"),
    ("man", "path", FAILING),
    // What git does where no driver is named.
    ("merge", "driver", "git merge-file --marker-size=%L %A %O %B"),
    ("merge", "guitool", ""),
    ("merge", "tool", ""),
    ("mergetool", "path", FAILING),
    ("protocol", "allow", "user"),
    ("sendemail", "smtpserver", FAILING),
    ("submodule", "update", "checkout"),
];
/// Sections of which every variable is a command.
const COMMANDS: &[(&str, &str)] = &[("alias", ""), ("pager", "false")];
/// How variables end that name a program, whatever their section: new ones come with new versions of git.
const ENDINGS: &[&str] = &["askpass", "cmd", "command", "editor", "helper", "hook", "pager", "prog", "program"];
/// Programs at the other end of a connection, which git starts itself when that end is a folder. The first value counts,
/// so that none can take its place.
const REMOTE_PROGRAMS: &[&str] = &["receivepack", "uploadpack", "vcs"];

/// To fail is better than to go on as if something had been done.
const FAILING: &str = "false";

/// What is to be said against the programs that a repository names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Programs {
    /// Settings, in the order in which they count.
    pub(super) settings: Vec<(String, String)>,
    /// Whether connections to folders of this machine would start one of them.
    pub(super) at_remotes: bool,
}

impl Programs {
    /// Reads what `git config --list -z --show-scope` says; `None` if it is something else.
    pub(super) fn read(listing: &[u8]) -> Option<Self> {
        let entries = entries(listing)?;
        let of_person: HashMap<&str, &str> =
            entries.iter().filter(|entry| !entry.of_repository).map(|entry| (&*entry.key, &*entry.value)).collect();
        let mut programs = Self::default();
        let mut answered = HashSet::new();
        for entry in entries.iter().filter(|entry| entry.of_repository) {
            let (section, variable) = ends(&entry.key);
            programs.at_remotes |= section == "remote" && REMOTE_PROGRAMS.contains(&variable);
            let Some(substitute) = substitute(section, variable) else { continue };
            if answered.insert(&entry.key) {
                let value = of_person.get(&*entry.key).copied().unwrap_or(substitute);
                programs.settings.push((entry.key.clone(), value.to_owned()));
            }
        }
        if programs.settings.iter().any(|(key, _)| is_helper(key)) {
            programs.restore_helpers(&entries);
        }
        Some(programs)
    }

    /// Helpers for credentials are asked one after the other. An empty one forgets those before it.
    fn restore_helpers(&mut self, entries: &[Entry]) {
        for (_, value) in self.settings.iter_mut().filter(|(key, _)| is_helper(key)) {
            value.clear();
        }
        self.settings.push(("credential.helper".to_owned(), String::new()));
        let of_person = entries.iter().filter(|entry| !entry.of_repository && is_helper(&entry.key));
        self.settings.extend(of_person.map(|entry| (entry.key.clone(), entry.value.clone())));
    }
}

/// One setting. Sections and variables are in lower case; what stands between them is as it was written.
struct Entry {
    of_repository: bool,
    key: String,
    value: String,
}

/// Section and variable.
fn ends(key: &str) -> (&str, &str) {
    let section = key.split('.').next().unwrap_or_default();
    (section, key.rsplit('.').next().unwrap_or_default())
}

fn is_helper(key: &str) -> bool {
    ends(key) == ("credential", "helper")
}

fn substitute(section: &str, variable: &str) -> Option<&'static str> {
    let command = COMMANDS.iter().find(|(known, _)| *known == section).map(|(_, substitute)| *substitute);
    let listed = || SUBSTITUTES.iter().find(|row| (row.0, row.1) == (section, variable)).map(|row| row.2);
    let by_ending = || ENDINGS.iter().any(|ending| variable.ends_with(ending)).then_some(FAILING);
    command.or_else(listed).or_else(by_ending)
}

/// Scope and setting in turn, each closed by a zero byte.
fn entries(listing: &[u8]) -> Option<Vec<Entry>> {
    let mut fields = match listing.split_last() {
        None => return Some(Vec::new()),
        Some((0, before)) => before.split(|byte| *byte == 0),
        Some(_) => return None,
    };
    let mut entries = Vec::new();
    while let Some(scope) = fields.next() {
        let setting = fields.next()?;
        let end = setting.iter().position(|byte| *byte == b'\n').unwrap_or(setting.len());
        let (key, value) = setting.split_at_checked(end)?;
        entries.push(Entry {
            of_repository: match scope {
                b"local" | b"worktree" => true,
                b"system" | b"global" | b"command" => false,
                _ => return None,
            },
            // A name that is no text could not be answered.
            key: str::from_utf8(key).ok()?.to_owned(),
            // Without `=` a setting is a switch that is on.
            value: value.get(1..).map_or_else(|| "true".to_owned(), |text| String::from_utf8_lossy(text).into_owned()),
        });
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(listing: &[(&str, &str)]) -> Programs {
        let bytes: String = listing.iter().map(|(scope, setting)| format!("{scope}\0{setting}\0")).collect();
        Programs::read(bytes.as_bytes()).expect("a listing")
    }

    fn settings(listing: &[(&str, &str)]) -> Vec<(String, String)> {
        programs(listing).settings
    }

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    #[test]
    fn what_names_no_program_stays() {
        assert_eq!(
            settings(&[
                ("local", "core.bare\nfalse"),
                ("local", "core.worktree\n../x"),
                ("local", "remote.origin.url\nhttps://a/b"),
                ("local", "user.name\nA program"),
                ("worktree", "diff.program.wordregex\n."),
                ("local", "include.path\nother"),
            ]),
            []
        );
        assert_eq!(Programs::read(b""), Some(Programs::default()));
    }

    #[test]
    fn programs_of_a_repository_are_answered_once_each_whatever_their_names() {
        assert_eq!(
            settings(&[
                ("local", "filter.a=b.clean\nevil"),
                ("local", "filter.a.b\"c.clean\nevil"),
                ("worktree", "filter.a=b.clean\nevil again"),
                ("local", "diff.x.command\nevil"),
                ("local", "merge.x.driver\nevil"),
                ("local", "alias.st\n!evil"),
                ("local", "some.newer.thingcommand\nevil"),
            ]),
            [
                pair("filter.a=b.clean", ""),
                pair("filter.a.b\"c.clean", ""),
                pair("diff.x.command", "false"),
                pair("merge.x.driver", "git merge-file --marker-size=%L %A %O %B"),
                pair("alias.st", ""),
                pair("some.newer.thingcommand", "false"),
            ]
        );
    }

    #[test]
    fn programs_of_the_person_stay_and_come_back() {
        assert_eq!(settings(&[("system", "core.editor\nvi"), ("global", "filter.lfs.clean\ngit-lfs clean")]), []);
        assert_eq!(
            settings(&[
                ("system", "filter.lfs.clean\nold"),
                ("global", "filter.lfs.clean\ngit-lfs clean"),
                ("global", "filter.lfs.required\ntrue"),
                ("local", "filter.lfs.clean\nevil"),
                ("command", "core.sshcommand\nssh -4"),
                ("local", "core.sshcommand\nevil"),
            ]),
            [pair("filter.lfs.clean", "git-lfs clean"), pair("core.sshcommand", "ssh -4")]
        );
    }

    #[test]
    fn helpers_of_the_person_come_back_in_their_order() {
        assert_eq!(
            settings(&[
                ("global", "credential.helper\ncache"),
                ("global", "credential.https://a.helper\nstore"),
                ("local", "credential.https://a.helper\n!evil"),
            ]),
            [
                pair("credential.https://a.helper", ""),
                pair("credential.helper", ""),
                pair("credential.helper", "cache"),
                pair("credential.https://a.helper", "store"),
            ]
        );
    }

    #[test]
    fn programs_at_the_other_end_are_told() {
        assert!(programs(&[("local", "remote.origin.uploadpack\nevil")]).at_remotes);
        assert!(programs(&[("local", "remote.a.b.vcs\nevil")]).at_remotes);
        assert!(!programs(&[("global", "remote.origin.uploadpack\nmine"), ("local", "remote.o.url\nx")]).at_remotes);
    }

    #[test]
    fn what_is_no_listing_is_not_guessed_at() {
        for bytes in [&b"local\0core.pager\nx"[..], b"local\0", b"nowhere\0a.b\nc\0", b"local\0a.\xff.cmd\nc\0", b"\0"]
        {
            assert_eq!(Programs::read(bytes), None, "{bytes:?}");
        }
    }
}
