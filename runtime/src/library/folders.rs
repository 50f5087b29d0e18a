//! The folders that a call happens in.

use std::path::Path;

use crate::call::Call;
use crate::signature::function;

/// The project's folder.
pub fn project_dir(call: &Call<'_>) -> String {
    text(call.project_dir())
}

/// The plugin's folder.
pub fn plugin_root(call: &Call<'_>) -> String {
    text(call.plugin_root())
}

/// The person's home folder; empty if the environment does not say.
pub fn home(call: &Call<'_>) -> String {
    match call.env("HOME") {
        unset if unset.is_empty() => call.env("USERPROFILE"),
        home => home,
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
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
    doc: "The home folder of the person; empty if the environment does not say.",
    example: "home == '' || (home + '/.config').isWithin(home)",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_given_as_it_is() {
        assert_eq!(text(Path::new("/a/../b")), "/a/../b");
    }
}
