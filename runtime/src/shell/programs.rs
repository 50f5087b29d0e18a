//! Names and tables of programs, as far as several parts of the reader need them.

pub(super) const DECLARING: &[&str] = &["declare", "typeset", "export", "local", "readonly"];

/// Shells that take code like `sh`.
pub(super) const SHELLS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "ksh93", "mksh", "ash", "rbash", "yash", "csh", "tcsh", "fish", "hush", "posh",
    "elvish", "osh", "ysh", "nu", "xonsh", "oksh", "lksh", "ion",
];

/// Variables whose value is run as a command by the programs that read them.
pub(super) const COMMAND_VARIABLES: &[&str] = &[
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_PAGER",
    "GIT_ASKPASS",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "MANPAGER",
    "BROWSER",
    "PROMPT_COMMAND",
    "LESSOPEN",
    "RSYNC_RSH",
    "SUDO_ASKPASS",
    "SSH_ASKPASS",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "RUSTC_WRAPPER",
    "SUDO_EDITOR",
    "KUBE_EDITOR",
    "SYSTEMD_EDITOR",
    "FCEDIT",
    "GH_EDITOR",
    "GH_PAGER",
    "GH_BROWSER",
    "BAT_PAGER",
    "DELTA_PAGER",
    "SYSTEMD_PAGER",
    "PSQL_PAGER",
    "PSQL_EDITOR",
    "AWS_PAGER",
    "CVS_RSH",
    "SVN_SSH",
    "SVN_EDITOR",
    "HGEDITOR",
    "LESSCLOSE",
    "MAKESHELL",
    "TEXEDIT",
];

/// The value of one of these options: its place is the argument that holds it, or the one after.
pub(super) fn option_values<'a, W: AsRef<str>>(args: &'a [W], letters: &str, longs: &[&str]) -> Vec<&'a str> {
    let mut values = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next().map(AsRef::as_ref) {
        if arg == "--" {
            break;
        }
        if let Some(long) = arg.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            if name.len() >= 2 && longs.iter().any(|known| known.starts_with(name)) {
                values.extend(value.or_else(|| rest.as_slice().first().map(AsRef::as_ref)));
            }
        } else if let Some(cluster) = arg.strip_prefix('-')
            && let Some(at) = cluster.find(|letter| letters.contains(letter))
        {
            match cluster.get(at + 1..).unwrap_or_default() {
                "" => values.extend(rest.next().map(AsRef::as_ref)),
                attached => values.push(attached),
            }
        }
    }
    values
}
