//! git, kept from running what a repository names.
//!
//! A repository's own configuration names programs: monitors, filters, drivers, helpers, and its hooks lie beside it.
//! Whoever only looks at a folder must not run them, or to name a folder in a command would be to run its code. So git
//! is first asked what the configuration says there, which runs nothing, and then told otherwise. Settings of the person
//! stay. They go through the environment, where names may hold any character, and git passes them on to git.

use std::io;
use std::path::Path;
use std::process::Command;

use super::answer::Answer;
use super::invocation::Invocation;
use super::programs::Programs;
use crate::surroundings;

/// What is set whoever says otherwise.
const SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.hookspath", "/dev/null"),
    // Whatever goes on in the background would outlive the hook.
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("log.showsignature", "false"),
    ("protocol.ext.allow", "never"),
    // A submodule has a configuration of its own, which nobody has looked at.
    ("diff.ignoresubmodules", "dirty"),
    ("fetch.recursesubmodules", "false"),
    ("push.recursesubmodules", "no"),
    ("submodule.recurse", "false"),
];
const VARIABLES: &[(&str, &str)] =
    &[("GIT_OPTIONAL_LOCKS", "0"), ("GIT_PROXY_COMMAND", ""), ("GIT_TERMINAL_PROMPT", "0")];
/// Connections that leave the machine, or have git itself at the other end.
const REMOTE_PROTOCOLS: &str = "git:http:https:ssh";

/// What came of preparing a command.
pub(crate) enum Prepared {
    Ready(Command),
    /// git could not even read its configuration: the exit code, if it ended by itself, and what it said.
    Over(Option<i32>, String),
}

/// The command of these words, in a folder. If it is git, it is a tame one; that takes a look first, while it is wanted.
pub(crate) fn prepare(folder: &Path, argv: &[&str], wanted: impl Fn() -> bool) -> io::Result<Prepared> {
    let Some(invocation) = Invocation::read(argv) else { return command(folder, argv).map(Prepared::Ready) };
    let mut programs = Programs::default();
    if invocation.has_subcommand() {
        let mut listing = command(folder, &invocation.listing())?;
        tame(&mut listing, &programs);
        let answer = Answer::of(listing, wanted)?;
        let Some(output) = answer.success() else {
            return Ok(Prepared::Over(answer.code, String::from_utf8_lossy(&answer.errors).into_owned()));
        };
        programs = Programs::read(output).filter(|_| obeys(output)).ok_or_else(unknown)?;
    }
    let mut command = command(folder, &invocation.words())?;
    tame(&mut command, &programs);
    Ok(Prepared::Ready(command))
}

/// Sets what keeps git from running anything that these programs are or that every repository may have.
pub(super) fn tame(command: &mut Command, programs: &Programs) {
    let known = SETTINGS.iter().copied();
    let found = programs.settings.iter().map(|(key, value)| (&**key, &**value));
    // The person may have some there already.
    let mut count: usize = surroundings::text("GIT_CONFIG_COUNT").parse().unwrap_or(0);
    for (key, value) in known.chain(found) {
        command.env(format!("GIT_CONFIG_KEY_{count}"), key).env(format!("GIT_CONFIG_VALUE_{count}"), value);
        count += 1;
    }
    command.env("GIT_CONFIG_COUNT", count.to_string()).envs(VARIABLES.iter().copied());
    if programs.at_remotes {
        command.env("GIT_ALLOW_PROTOCOL", REMOTE_PROTOCOLS);
    }
}

fn command(folder: &Path, argv: &[&str]) -> io::Result<Command> {
    let (program, arguments) =
        argv.split_first().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no program is named"))?;
    let mut command = surroundings::command(program);
    command.args(arguments).current_dir(folder);
    Ok(command)
}

/// Whether the settings from the environment are among those that git has listed; older ones do not look there. Where it
/// lists none at all, there are none that could name a program.
fn obeys(listing: &[u8]) -> bool {
    let wanted: &[u8] = b"command\0core.hookspath\n/dev/null\0";
    listing.is_empty() || listing.windows(wanted.len()).any(|part| part == wanted)
}

fn unknown() -> io::Error {
    io::Error::other(
        "git is older than 2.31, or its configuration cannot be read: it might run what the repository names",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_must_heed_the_environment_unless_nothing_is_configured() {
        assert!(obeys(b""));
        assert!(obeys(b"local\0core.bare\nfalse\0command\0core.hookspath\n/dev/null\0"));
        assert!(!obeys(b"local\0core.fsmonitor\n./x\0"));
    }
}
