//! The person's home folder.
//!
//! Settings, exemptions and state lie there, and the environment says where it is: a project can set `HOME` for the
//! client and so for its hooks. Where a catalog has hooks that fail closed, the user database is asked instead, which no
//! project can edit. Without an entry there, or where the database is not a file, the environment is all there is.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::program::{Catalog, FailSafe};
use crate::{path, state, surroundings};

/// How a test of a catalog says where the home of its world is. Whoever can write the arguments of a registration could
/// as well leave the hook out.
const ARGUMENT: &str = "--home=";

const USERS: &str = "/etc/passwd";

/// Whether the catalog of this process has hooks that fail closed.
static CLOSED: OnceLock<bool> = OnceLock::new();

/// Settles for the whole process, or for the call that a tool plays, whom to believe.
pub(crate) fn settle(catalog: &Catalog) {
    let closed = catalog.hooks.iter().any(|hook| hook.fail_safe == FailSafe::Closed);
    if surroundings::settle(closed).is_none() {
        let _ = CLOSED.set(closed);
    }
}

/// The home folder; `None` if nobody says.
pub(crate) fn folder() -> Option<PathBuf> {
    own().or_else(of_environment)
}

/// Whether variables say where a user's folders are.
pub(crate) fn environment_counts() -> bool {
    own().is_none()
}

/// What is believed whatever the environment says, found out when it is first asked for.
fn own() -> Option<PathBuf> {
    static OWN: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = |closed: bool| if closed { argument().or_else(of_user) } else { None };
    match surroundings::is_closed() {
        Some(closed) => found(closed),
        None => OWN.get_or_init(|| found(CLOSED.get().copied().unwrap_or_default())).clone(),
    }
}

/// Where the environment has moved the home folder to, if that is another one than the user's own.
pub(crate) fn moved() -> Option<PathBuf> {
    let (said, own) = (of_environment()?, of_user()?);
    let place = |folder: &Path| path::resolve(folder, "");
    (environment_counts() && !path::is_same(&place(&said), &place(&own))).then_some(said)
}

/// What the environment says, which is also what a shell makes of `~`.
pub(crate) fn of_environment() -> Option<PathBuf> {
    // The client itself goes by the second on Windows, where the first is what Git's own shell sets.
    let names = if cfg!(windows) { ["USERPROFILE", "HOME"] } else { ["HOME", "USERPROFILE"] };
    names.iter().find_map(|name| surroundings::variable(name).filter(|home| !home.is_empty())).map(PathBuf::from)
}

/// The home of a case's world, if this is a call of one.
pub(crate) fn of_case() -> Option<PathBuf> {
    argument()
}

fn argument() -> Option<PathBuf> {
    surroundings::words().iter().find_map(|argument| {
        let folder = argument.to_str()?.strip_prefix(ARGUMENT)?;
        Some(PathBuf::from(folder))
    })
}

fn of_user() -> Option<PathBuf> {
    let user = state::files::current_user()?;
    entry(users(), user).filter(|home| home.is_absolute())
}

/// The user database, read once; empty where it is not a file.
pub(crate) fn users() -> &'static str {
    static LIST: OnceLock<String> = OnceLock::new();
    LIST.get_or_init(|| fs::read(USERS).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default())
}

/// The home folder in the line of that user: `name:password:user:group:comment:home:shell`.
fn entry(users: &str, user: u32) -> Option<PathBuf> {
    users.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        let is_it = fields.len() == 7 && fields[2].parse() == Ok(user) && !fields[5].is_empty();
        is_it.then(|| PathBuf::from(fields[5]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_of_a_user_is_in_the_line_with_the_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\n# a comment\nbroken:7\nada:x:1000:1000:A, B:/home/ada:/bin/sh\n";
        assert_eq!(entry(users, 1000), Some(PathBuf::from("/home/ada")));
        assert_eq!(entry(users, 0), Some(PathBuf::from("/root")));
        for nobody in [7, 100, 1001] {
            assert_eq!(entry(users, nobody), None);
        }
        assert_eq!(entry("ada:x:1000:1000:::/bin/sh\n", 1000), None);
    }
}
