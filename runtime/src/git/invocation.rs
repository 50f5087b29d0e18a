//! A command line that starts git: which of its words are git's own options, its subcommand, and the rest.

/// Options before the subcommand whose value is the next word.
const WITH_VALUE: &[&str] =
    &["-C", "-c", "--attr-source", "--config-env", "--git-dir", "--namespace", "--super-prefix", "--work-tree"];

const AS_IT_IS: &[&str] = &["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];

/// What a subcommand is told besides: a repository's own files could ask for the contrary, and neither configuration nor
/// environment would keep it from that. It comes first, so that the catalog's own words have the last say.
const ADDED: &[(&str, &[&str])] = &[
    ("diff", AS_IT_IS),
    ("diff-files", AS_IT_IS),
    ("diff-index", AS_IT_IS),
    ("diff-tree", AS_IT_IS),
    ("fetch", &["--no-recurse-submodules"]),
    ("format-patch", AS_IT_IS),
    ("log", AS_IT_IS),
    ("pull", &["--no-recurse-submodules"]),
    ("show", AS_IT_IS),
    ("status", &["--ignore-submodules=dirty"]),
    ("whatchanged", AS_IT_IS),
];

/// The words of a command line that starts git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Invocation<'a> {
    /// git itself, and `env` with its assignments before it.
    program: Vec<&'a str>,
    options: Vec<&'a str>,
    /// `None` where git only tells about itself, as for `--version`.
    subcommand: Option<&'a str>,
    arguments: Vec<&'a str>,
}

impl<'a> Invocation<'a> {
    /// `None` when it is another program that is started.
    pub(super) fn read(argv: &[&'a str]) -> Option<Self> {
        let mut start = 0;
        if name(argv.first()?) == "env" {
            start = 1 + argv.iter().skip(1).take_while(|word| is_assignment(word)).count();
        }
        let git = argv.get(start).filter(|word| name(word) == "git")?;
        let words = argv.get(start + 1..)?;
        let mut end = 0;
        while let Some(word) = words.get(end).filter(|word| word.starts_with('-')) {
            end += if WITH_VALUE.contains(word) { 2 } else { 1 };
        }
        let (options, rest) = words.split_at(end.min(words.len()));
        Some(Self {
            program: argv.iter().take(start).chain([git]).copied().collect(),
            options: options.to_vec(),
            subcommand: rest.first().copied(),
            arguments: rest.iter().skip(1).copied().collect(),
        })
    }

    /// Whether it looks at a repository at all.
    pub(super) fn has_subcommand(&self) -> bool {
        self.subcommand.is_some()
    }

    /// All words, with those added that keep the subcommand from running what a repository names.
    pub(super) fn words(&self) -> Vec<&'a str> {
        let added = ADDED.iter().find(|(subcommand, _)| self.subcommand == Some(subcommand));
        let added = added.map_or(&[][..], |(_, options)| options);
        [&self.program, &self.options, self.subcommand.as_slice(), added, &self.arguments].concat()
    }

    /// The words that list the configuration which the command would see. That runs nothing.
    pub(super) fn listing(&self) -> Vec<&'a str> {
        [&self.program, &self.options, &["config", "--list", "-z", "--show-scope"][..]].concat()
    }
}

fn name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn is_assignment(word: &str) -> bool {
    !word.starts_with('-') && word.contains('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Option<String> {
        let argv: Vec<&str> = line.split(' ').collect();
        Invocation::read(&argv).map(|invocation| invocation.words().join(" "))
    }

    #[test]
    fn git_is_known_wherever_it_lies_and_behind_assignments() {
        for line in ["git add -A", "/usr/bin/git add -A", "git.exe add -A", "env A=b C=d git add -A"] {
            assert_eq!(words(line).as_deref(), Some(line));
        }
        for other in ["", "env", "env git-lfs", "legit status", "sh -c git", "git-lfs status", "env -i git status"] {
            assert_eq!(words(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_added_stands_right_behind_the_subcommand() {
        assert_eq!(
            words("git -C diff -c a.b=c --git-dir log --no-pager status --ignore-submodules=none").as_deref(),
            Some(
                "git -C diff -c a.b=c --git-dir log --no-pager status --ignore-submodules=dirty --ignore-submodules=none"
            )
        );
        assert_eq!(
            words("git diff --ext-diff").as_deref(),
            Some("git diff --no-ext-diff --no-textconv --ignore-submodules=dirty --ext-diff")
        );
        assert_eq!(words("git add diff").as_deref(), Some("git add diff"));
    }

    #[test]
    fn the_configuration_is_asked_for_where_the_command_would_look() {
        let argv = ["env", "A=b", "git", "-C", "x", "--work-tree=y", "commit", "-m", "z"];
        let invocation = Invocation::read(&argv).expect("git");
        assert!(invocation.has_subcommand());
        assert_eq!(invocation.listing().join(" "), "env A=b git -C x --work-tree=y config --list -z --show-scope");
        assert!(!Invocation::read(&["git", "--version"]).expect("git").has_subcommand());
        assert!(!Invocation::read(&["git", "-C"]).expect("git").has_subcommand());
    }
}
