//! The folders that a call happens in.

use crate::call::Call;
use crate::home;
use crate::path::text;
use crate::signature::function;

/// The project's folder.
pub fn project_dir(call: &Call<'_>) -> String {
    text(call.project_dir())
}

/// The plugin's folder.
pub fn plugin_root(call: &Call<'_>) -> String {
    text(call.plugin_root())
}

/// The person's home folder; empty if nobody says where it is.
pub fn home(_: &Call<'_>) -> String {
    home::folder().as_deref().map(text).unwrap_or_default()
}

/// The folder of the catalog's state and logs; empty if there is no place for it.
pub fn state_dir(call: &Call<'_>) -> String {
    text(call.store().folder())
}

/// The folder in it that is this session's.
pub fn session_dir(call: &Call<'_>) -> String {
    text(call.session().folder())
}

function! {
    PROJECT_DIR: project_dir,
    name: "project_dir",
    params: {},
    result: Text,
    powers: [Environment, Repository],
    doc: "The folder of the project: where the client was started, else the top of the repository, else the working \
           directory.",
    example: "(project_dir + '/src').isWithin(project_dir)",
}

function! {
    PLUGIN_ROOT: plugin_root,
    name: "plugin_root",
    params: {},
    result: Text,
    powers: [Environment],
    doc: "The folder that the plugin is installed in.",
    example: "(plugin_root + '/config').isWithin(plugin_root)",
}

function! {
    HOME: home,
    name: "home",
    params: {},
    result: Text,
    powers: [Environment],
    doc: "The home folder of the person; empty if nobody says where it is. In a catalog with hooks that fail closed it is \
           the one in `/etc/passwd`, which no project can move; in others, and without an entry there, it is `HOME`.",
    example: "home == '' || (home + '/.config').isWithin(home)",
}

function! {
    STATE_DIR: state_dir,
    name: "state_dir",
    params: {},
    result: Text,
    powers: [Environment],
    doc: "The folder in which the hooks of this catalog keep their state and their logs; empty if there is no place for \
           it.",
    example: "state_dir == '' || (state_dir + '/audit.jsonl').isWithin(state_dir)",
}

function! {
    SESSION_DIR: session_dir,
    name: "session_dir",
    params: {},
    result: Text,
    powers: [Environment],
    doc: "The folder of this session in `state_dir`, which is removed some days after the session's last call.",
    example: "session_dir.isWithin(state_dir)",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_given_as_it_is() {
        assert_eq!(text(std::path::Path::new("/a/../b")), "/a/../b");
    }
}
