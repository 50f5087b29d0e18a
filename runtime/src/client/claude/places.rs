//! How Claude Code says where things are, and where a person has its settings.

use crate::client::Own;

/// The variable that names the project.
pub const PROJECT: &str = "CLAUDE_PROJECT_DIR";
/// The variable that names the folder of a plugin.
pub const PLUGIN_ROOT: &str = "CLAUDE_PLUGIN_ROOT";
/// The variable that names the folder in which a plugin keeps what it must not lose.
pub const PLUGIN_DATA: &str = "CLAUDE_PLUGIN_DATA";
/// The variable that names the file into which hooks write variables for the session.
pub const ENV_FILE: &str = "CLAUDE_ENV_FILE";

/// The settings of a project, or of the person in the home folder: those that are shared, and those of one person.
pub const SETTINGS_FILES: [&str; 2] = [".claude/settings.json", ".claude/settings.local.json"];

/// The client's list of the plugins that the person has installed, in the home folder.
pub const PLUGINS: &str = ".claude/plugins/installed_plugins.json";

/// The folder of a project in which it looks for what is its own.
pub const FOLDER: &str = ".claude";

/// Files in which hooks may be registered: in a folder of settings, in a plugin, and in a project.
pub const REGISTRATIONS: [&str; 5] =
    ["settings.json", "settings.local.json", "hooks/hooks.json", "hooks.json", SETTINGS_FILES[0]];

/// Where administrators have settings.
pub const ADMINISTRATORS: [&str; 2] = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"];

/// The person's settings, in a folder that a variable moves.
pub const SETTINGS: [Own; 2] = [settings("settings.json"), settings("settings.local.json")];

const fn settings(file: &'static str) -> Own {
    Own { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", file }
}

/// A variable as registrations and scripts write it.
pub fn in_braces(variable: &str) -> String {
    format!("${{{variable}}}")
}
