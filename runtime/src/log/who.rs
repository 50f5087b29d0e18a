//! Who was at work, and where: found out without starting anything.
//!
//! The system's own word comes first. A project's settings can set environment variables, so these are asked only where
//! the system has no file that tells.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::OnceLock;

use crate::home;
use crate::state::files;
use crate::surroundings;

/// No name of a machine is longer.
const MOST_READ: u64 = 4 << 10;

const HOST_FILES: &[&str] = &["/proc/sys/kernel/hostname", "/etc/hostname"];
const USER_VARIABLES: &[&str] = &["USER", "LOGNAME", "USERNAME"];
const HOST_VARIABLES: &[&str] = &["HOSTNAME", "COMPUTERNAME"];

/// What this client tells every process of its own version.
const CLIENT_VARIABLE: &str = "AI_AGENT";

/// The user, the machine and the client's version; empty where unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) user: String,
    pub(super) uid: Option<u32>,
    pub(super) host: String,
    pub(super) client_version: String,
}

impl Who {
    /// The user and the machine, found out once per process, and the client of this call. The folder is one of this
    /// user's own.
    pub(super) fn is_here(folder: &Path) -> Self {
        static WHO: OnceLock<Who> = OnceLock::new();
        let variable = |name: &str| surroundings::text(name);
        let known = WHO.get_or_init(|| {
            let uid = files::user(folder);
            let (user, host) = (user(uid, home::users(), &variable), host(&read, &variable));
            Self { user, uid, host, client_version: String::new() }
        });
        Self { client_version: client_version(&variable(CLIENT_VARIABLE)), ..known.clone() }
    }
}

/// The user's name. The folder is one of this user's own.
pub(crate) fn user_here(folder: &Path) -> String {
    Who::is_here(folder).user
}

/// The machine's name.
pub(crate) fn host_here() -> String {
    host(&read, &|name| surroundings::text(name))
}

fn user(uid: Option<u32>, users: &str, variable: &dyn Fn(&str) -> String) -> String {
    let named = |line: &str| {
        let mut parts = line.split(':');
        let (name, number) = (parts.next()?, parts.nth(1)?);
        (number.parse().ok() == uid).then(|| name.to_owned())
    };
    let known = uid.and_then(|_| users.lines().find_map(named));
    known.unwrap_or_else(|| first(USER_VARIABLES, variable))
}

fn host(read: &dyn Fn(&str) -> String, variable: &dyn Fn(&str) -> String) -> String {
    let named = HOST_FILES.iter().map(|file| read(file).trim().to_owned()).find(|name| !name.is_empty());
    named.unwrap_or_else(|| first(HOST_VARIABLES, variable))
}

fn first(names: &[&str], variable: &dyn Fn(&str) -> String) -> String {
    names.iter().map(|name| variable(name)).find(|value| !value.is_empty()).unwrap_or_default()
}

/// `2.1.295` from `claude-code_2-1-295_agent`; anything else is no version.
fn client_version(agent: &str) -> String {
    let version = agent.strip_prefix("claude-code_").and_then(|rest| rest.strip_suffix("_agent"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    version
        .filter(|version| version.split('-').all(digits))
        .map(|version| version.replace('-', "."))
        .unwrap_or_default()
}

/// The text of a small file; empty where it cannot be read.
fn read(path: &str) -> String {
    let mut bytes = Vec::with_capacity(256);
    // Where reading ends early, what came before it still counts.
    let _ = File::open(path).and_then(|file| file.take(MOST_READ).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "root:x:0:0:root:/root:/bin/sh\nbroken\ndev:x:1000:1000::/home/dev:/bin/sh\n";

    fn forged(name: &str) -> String {
        format!("forged {name}")
    }

    #[test]
    fn the_systems_word_counts_before_the_environments() {
        assert_eq!(user(Some(1000), LIST, &forged), "dev");
        assert_eq!(
            host(&|file| if file.starts_with("/proc") { "box\n".to_owned() } else { String::new() }, &forged),
            "box"
        );
        assert_eq!(
            host(&|file| if file.starts_with("/etc") { "old\n".to_owned() } else { String::new() }, &forged),
            "old"
        );
    }

    #[test]
    fn where_the_system_does_not_tell_the_environment_does() {
        assert_eq!(user(Some(7), LIST, &forged), "forged USER");
        assert_eq!(user(None, LIST, &|name| if name == "USERNAME" { "me".to_owned() } else { String::new() }), "me");
        assert_eq!(host(&|_| String::new(), &forged), "forged HOSTNAME");
        assert_eq!(user(None, "", &|_| String::new()), "");
    }

    #[test]
    fn a_version_is_read_from_what_the_client_says_and_from_nothing_else() {
        assert_eq!(client_version("claude-code_2-1-295_agent"), "2.1.295");
        for other in ["", "claude-code", "claude-code__agent", "claude-code_2-x_agent", "amp_1-2-3_agent"] {
            assert_eq!(client_version(other), "", "{other}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_a_user_and_a_host() {
        let folder = tempfile::tempdir().expect("a folder");
        let who = Who::is_here(folder.path());
        assert!(who.uid.is_some() && !who.host.is_empty(), "{who:?}");
    }
}
