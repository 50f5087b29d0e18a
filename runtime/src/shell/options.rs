//! A command's words by their role: options, their values, operands, the subcommand.
//!
//! Without knowing a program, a word after an option may be its value or an operand; the tables say what is what for
//! the programs that guards ask about, and for all others such words are operands.

/// The words of a command by role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) options: Vec<String>,
    pub(super) operands: Vec<String>,
    pub(super) subcommand: String,
}

/// Programs whose first operand says what to do.
const WITH_SUBCOMMANDS: &[&str] = &[
    "git",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "cargo",
    "systemctl",
    "service",
    "brew",
    "apt",
    "apt-get",
    "dnf",
    "yum",
    "pip",
    "pip3",
    "uv",
    "poetry",
    "go",
    "rustup",
    "terraform",
    "tofu",
    "gh",
    "glab",
    "aws",
    "gcloud",
    "az",
    "docker-compose",
    "launchctl",
    "zfs",
    "zpool",
    "tmux",
    "svn",
    "hg",
    "jj",
    "vault",
    "heroku",
    "fly",
    "flyctl",
    "wrangler",
    "vercel",
    "netlify",
    "conda",
    "nix",
    "snap",
    "flatpak",
    "dotnet",
    "mix",
    "bundle",
    "composer",
    "deno",
    "claude",
    "ip",
    "parted",
    "lvm",
    "cryptsetup",
    "redis-cli",
    "pulumi",
    "ansible",
    "vagrant",
];

/// Programs whose options are words after a single dash.
const WORD_OPTIONS: &[&str] =
    &["find", "java", "openssl", "ffmpeg", "terraform", "tofu", "convert", "xcodebuild", "expr", "test", "["];

/// Options with a value: program or program and subcommand, letters, long names.
const VALUED: &[(&str, &str, &[&str])] = &[
    ("git", "Cc", &["git-dir", "work-tree", "namespace", "exec-path", "config-env"]),
    (
        "git commit",
        "mFCct",
        &[
            "message",
            "file",
            "author",
            "date",
            "template",
            "cleanup",
            "fixup",
            "squash",
            "trailer",
            "reuse-message",
            "reedit-message",
            "pathspec-from-file",
        ],
    ),
    ("git merge", "mFsX", &["message", "file", "strategy", "strategy-option", "into-name", "cleanup"]),
    ("git tag", "mFu", &["message", "file", "local-user", "sort", "contains", "points-at", "format"]),
    ("git notes", "mFcC", &["message", "file", "ref"]),
    ("git stash", "m", &["message"]),
    ("git checkout", "bB", &["orphan", "conflict", "pathspec-from-file"]),
    ("git switch", "cC", &["create", "force-create", "orphan", "conflict"]),
    ("git restore", "s", &["source", "conflict", "pathspec-from-file"]),
    ("git push", "o", &["push-option", "receive-pack", "exec", "repo"]),
    ("git clean", "e", &["exclude"]),
    ("git log", "nSGL", &["grep", "author", "committer", "since", "until", "after", "before", "format", "max-count"]),
    ("git rebase", "xsX", &["exec", "onto", "strategy", "strategy-option"]),
    ("git branch", "u", &["set-upstream-to", "sort", "contains", "format", "points-at", "merged", "no-merged"]),
    ("git worktree", "bB", &["reason"]),
    ("git cherry-pick", "mX", &["mainline", "strategy", "strategy-option"]),
    ("git revert", "mX", &["mainline"]),
    ("git clone", "bocu", &["branch", "origin", "config", "depth", "reference", "template", "separate-git-dir"]),
    ("git archive", "o", &["format", "output", "prefix", "remote"]),
    ("docker", "Hlc", &["host", "log-level", "context", "config"]),
    ("kubectl", "ns", &["namespace", "context", "kubeconfig", "cluster", "user", "server"]),
    ("npm", "Cw", &["prefix", "workspace"]),
    ("cargo", "Zp", &["config", "color", "package", "manifest-path", "target-dir", "features"]),
    ("gh", "R", &["repo"]),
    ("chmod", "", &["reference"]),
    ("chown", "", &["reference", "from"]),
    ("cp", "tS", &["target-directory", "suffix"]),
    ("mv", "tS", &["target-directory", "suffix"]),
    ("ln", "tS", &["target-directory", "suffix"]),
    ("install", "gmotS", &["group", "mode", "owner", "target-directory", "suffix", "strip-program"]),
    (
        "tar",
        "fCbgHIKLNTVX",
        &["file", "directory", "files-from", "exclude-from", "exclude", "blocking-factor", "format"],
    ),
    ("unzip", "dP", &[]),
    (
        "rsync",
        "efBMT",
        &["rsh", "filter", "exclude", "include", "exclude-from", "include-from", "files-from", "rsync-path"],
    ),
    ("scp", "cDFiJloPSX", &[]),
    ("sed", "efl", &["expression", "file", "line-length"]),
    ("patch", "BdDFgiorVYz", &["directory", "input", "output", "reject-file", "strip", "fuzz"]),
    ("sort", "kStTo", &["key", "buffer-size", "field-separator", "temporary-directory", "output", "files0-from"]),
    ("cpio", "CDEFHIMOR", &["directory", "file", "format", "pattern-file"]),
    (
        "curl",
        "oXHdAuFTewbcKmxErC",
        &[
            "output",
            "request",
            "header",
            "data",
            "user-agent",
            "user",
            "max-time",
            "retry",
            "write-out",
            "cacert",
            "cert",
            "proxy",
            "data-raw",
            "data-binary",
            "form",
            "url",
            "cookie",
            "connect-timeout",
        ],
    ),
    ("wget", "OoaPUtTQ", &["output-document", "output-file", "directory-prefix", "user-agent", "header", "timeout"]),
    ("aria2c", "dolijsxkUT", &["dir", "out", "log", "input-file", "split", "header", "user-agent"]),
    ("axel", "onsUHT", &["output", "num-connections", "max-speed", "user-agent", "header", "timeout"]),
    ("csplit", "fbn", &["prefix", "suffix-format", "digits"]),
    ("fd", "edtEcjS", &["extension", "max-depth", "type", "exclude", "color", "threads", "size", "changed-within"]),
    ("fdfind", "edtEcjS", &["extension", "max-depth", "type", "exclude", "color", "threads", "size", "changed-within"]),
    ("grep", "efmABC", &["regexp", "file", "max-count", "include", "exclude", "exclude-dir", "context"]),
    ("rg", "efgtTmABC", &["regexp", "file", "glob", "type", "max-count", "context"]),
    ("pkill", "uUGtPgFsr", &["euid", "uid", "group", "terminal", "parent", "pgroup", "signal"]),
    ("mkfs", "tLbNUEO", &["type"]),
    ("shred", "ns", &["iterations", "size", "random-source"]),
    ("truncate", "sr", &["size", "reference"]),
    ("head", "nc", &["lines", "bytes"]),
    ("tail", "nc", &["lines", "bytes"]),
    ("ssh", "bcDEeFIiJLlmOopQRSWw", &[]),
];

/// Long options that may be shortened, as the usual parsers allow: program, their names.
const LONGS: &[(&str, &[&str])] = &[
    (
        "rm",
        &[
            "force",
            "recursive",
            "interactive",
            "one-file-system",
            "no-preserve-root",
            "preserve-root",
            "dir",
            "verbose",
            "help",
            "version",
        ],
    ),
    (
        "chmod",
        &["recursive", "changes", "quiet", "silent", "verbose", "preserve-root", "no-preserve-root", "reference"],
    ),
    (
        "chown",
        &[
            "recursive",
            "changes",
            "quiet",
            "silent",
            "verbose",
            "preserve-root",
            "no-preserve-root",
            "reference",
            "from",
            "dereference",
        ],
    ),
    ("git clean", &["dry-run", "force", "interactive", "quiet", "exclude"]),
    (
        "git reset",
        &["hard", "soft", "mixed", "merge", "keep", "quiet", "patch", "no-refresh", "refresh", "pathspec-from-file"],
    ),
    (
        "git push",
        &[
            "force",
            "force-with-lease",
            "force-if-includes",
            "mirror",
            "delete",
            "all",
            "tags",
            "dry-run",
            "prune",
            "porcelain",
            "set-upstream",
            "verify",
            "no-verify",
            "atomic",
            "follow-tags",
            "branches",
        ],
    ),
    ("git branch", &["delete", "force", "move", "copy", "list", "remotes", "all"]),
    ("git checkout", &["force", "ours", "theirs", "track", "detach", "orphan", "merge", "patch", "quiet"]),
    ("git rm", &["force", "cached", "dry-run", "quiet", "ignore-unmatch"]),
];

/// Sorts a command's words.
pub(super) fn shape(name: &str, args: &[String]) -> Shape {
    let mut shape = Shape::default();
    let mut key = name.to_owned();
    let subcommands = WITH_SUBCOMMANDS.contains(&name);
    let words = WORD_OPTIONS.contains(&name);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let (letters, longs) =
            VALUED.iter().find(|(known, ..)| *known == key).map_or(("", &[] as &[&str]), |(_, l, n)| (l, n));
        if arg == "--" && subcommands && shape.operands.is_empty() {
            // What follows the program's own options is still the subcommand with its options.
        } else if arg == "--" {
            shape.operands.extend(rest.by_ref().cloned());
        } else if let Some(long) = arg.strip_prefix("--") {
            let (written, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            shape.options.push(format!("--{}", full_name(&key, written)));
            if value.is_none() && longs.contains(&written) {
                rest.next();
            }
        } else if arg.len() < 2 || !arg.starts_with('-') {
            if subcommands && shape.operands.is_empty() {
                shape.subcommand.clone_from(arg);
                key = format!("{name} {arg}");
            }
            shape.operands.push(arg.clone());
        } else if words {
            shape.options.push(arg.clone());
        } else {
            let cluster = arg.get(1..).unwrap_or_default();
            for (at, letter) in cluster.char_indices() {
                shape.options.push(format!("-{letter}"));
                if letters.contains(letter) {
                    if at + letter.len_utf8() == cluster.len() {
                        rest.next();
                    }
                    break;
                }
            }
        }
    }
    if shape.subcommand.is_empty() && subcommands {
        shape.subcommand = shape.operands.first().cloned().unwrap_or_default();
    }
    shape
}

/// The values of options: by letter, by long name, and by words with one dash such as `-name`.
pub(super) fn values(args: &[String], letters: &str, longs: &[&str], words: &[&str]) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if arg == "--" {
            break;
        }
        let long = arg.strip_prefix("--").map(|long| long.split_once('=').map_or((long, None), |(a, b)| (a, Some(b))));
        if let Some((name, value)) = long {
            if longs.contains(&name) {
                values.extend(value.map(str::to_owned).or_else(|| rest.next().cloned()));
            }
        } else if arg.len() > 2 && words.contains(&arg.as_str()) {
            values.extend(rest.next().cloned());
        } else if let Some(cluster) = arg.strip_prefix('-')
            && let Some(at) = cluster.find(|letter| letters.contains(letter))
        {
            match cluster.get(at + 1..).unwrap_or_default() {
                "" => values.extend(rest.next().cloned()),
                glued => values.push(glued.trim_start_matches('=').to_owned()),
            }
        }
    }
    values
}

/// The whole name of a shortened long option, where it can mean only one.
fn full_name<'a>(key: &str, written: &'a str) -> &'a str {
    let Some((_, names)) = LONGS.iter().find(|(known, _)| *known == key) else { return written };
    let mut fitting = names.iter().filter(|name| name.starts_with(written));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) if !written.is_empty() => only,
        _ => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(line: &str) -> Shape {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (name, args) = words.split_first().expect("a program");
        shape(name, args)
    }

    #[test]
    fn options_come_one_by_one_and_in_full() {
        assert_eq!(sorted("x -rf a --one=x -- -b").options, ["-r", "-f", "--one"]);
        assert_eq!(sorted("rm -rf a -- -b").operands, ["a", "-b"]);
        assert_eq!(sorted("rm --rec --forc x").options, ["--recursive", "--force"]);
        assert_eq!(sorted("git push --force origin").options, ["--force"]);
        assert_eq!(sorted("git push --force- origin").options, ["--force-"]);
    }

    #[test]
    fn values_are_no_operands() {
        let commit = sorted("git -C repo commit -am clean --author me file");
        assert_eq!(
            (commit.subcommand.as_str(), commit.operands),
            ("commit", vec!["commit".to_owned(), "file".to_owned()])
        );
        assert_eq!(sorted("git checkout -bfeature").options, ["-b"]);
    }

    #[test]
    fn programs_with_word_options_keep_them_whole() {
        assert_eq!(sorted("find . -name x -delete").options, ["-name", "-delete"]);
    }
}
