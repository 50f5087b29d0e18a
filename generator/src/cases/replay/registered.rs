//! The hooks of a plugin, by its registration.

use std::time::Duration;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::Event;
use hookgen_runtime::client::claude::places::{PLUGIN_ROOT, in_braces};
use serde::Deserialize;

use super::record::Recorded;
use crate::cases::player::Player;
use crate::cases::process::{Answer, Start};
use crate::cases::world::World;
use crate::model::Matcher;
use crate::resolve::read_matcher;

/// The file that registers a plugin's hooks.
const REGISTRATION: &str = "hooks/hooks.json";
/// How long the client waits for a hook that does not say so.
const PATIENCE: u64 = 600;

/// A command that runs on an event. Hooks that a model or a service decides are not asked, and those in the background
/// decide nothing.
#[derive(Debug)]
pub(super) struct Registered {
    event: &'static Event,
    subject: Subjects,
    command: String,
    args: Option<Vec<String>>,
    timeout: Duration,
}

/// Which subjects a hook fires for.
#[derive(Debug)]
enum Subjects {
    Every,
    Fitting(Matcher),
    /// Its matcher makes no sense to the client.
    None,
}

#[derive(Debug, Deserialize)]
struct File {
    #[serde(default)]
    hooks: serde_json::Map<String, serde_json::Value>,
}

#[derive(Debug, Deserialize)]
struct Group {
    matcher: Option<String>,
    #[serde(default)]
    hooks: Vec<Handler>,
}

#[derive(Debug, Deserialize)]
struct Handler {
    #[serde(rename = "type")]
    kind: String,
    command: Option<String>,
    args: Option<Vec<String>>,
    timeout: Option<f64>,
    #[serde(default, rename = "async")]
    background: bool,
    #[serde(default, rename = "asyncRewake")]
    waking: bool,
}

/// Reads the registration of the plugin in that folder.
pub(super) fn read(plugin: &Utf8Path) -> anyhow::Result<Vec<Registered>> {
    let path = plugin.join(REGISTRATION);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read `{path}`; is that a plugin?"))?;
    let file: File = serde_json::from_str(&text).with_context(|| format!("`{path}` registers no hooks"))?;
    let mut registered = Vec::new();
    for (name, groups) in file.hooks {
        let Some(event) = Event::named(&name) else { continue };
        let groups: Vec<Group> =
            serde_json::from_value(groups).with_context(|| format!("cannot use the hooks of {name} in `{path}`"))?;
        for group in groups {
            let matcher = group.matcher.as_deref();
            registered.extend(group.hooks.into_iter().filter_map(|handler| Registered::new(event, matcher, handler)));
        }
    }
    Ok(registered)
}

impl Registered {
    fn new(event: &'static Event, matcher: Option<&str>, handler: Handler) -> Option<Self> {
        if handler.kind != "command" || handler.background || handler.waking {
            return None;
        }
        let subject = match read_matcher(matcher, event) {
            _ if event.subject.is_none() => Subjects::Every,
            Ok(None) => Subjects::Every,
            Ok(Some(matcher)) => Subjects::Fitting(matcher),
            Err(_) => Subjects::None,
        };
        let timeout = handler.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let timeout = timeout.unwrap_or(Duration::from_secs(PATIENCE));
        Some(Self { event, subject, command: handler.command?, args: handler.args, timeout })
    }

    /// Whether it runs on that event.
    pub(super) fn fires(&self, recorded: &Recorded) -> bool {
        self.event.name == recorded.event.name
            && match &self.subject {
                Subjects::Every => true,
                Subjects::Fitting(matcher) => recorded.names().iter().any(|name| matcher.fits(name)),
                Subjects::None => false,
            }
    }

    /// Whether it is the program of the plugin in that folder.
    pub(super) fn is_of(&self, plugin: &Utf8Path) -> bool {
        let inside = self.command.strip_prefix(&in_braces(PLUGIN_ROOT)).and_then(|path| path.strip_prefix('/'));
        self.args.is_some() && inside.is_some_and(|path| path.starts_with("bin/") && plugin.join(path).exists())
    }

    /// The process that the client would start: the program itself where arguments are given, else a shell.
    pub(super) fn start<'w>(&self, world: &'w World, env: &'w [(String, String)]) -> Prepared<'w> {
        let expand = |text: &String| text.replace(&in_braces(PLUGIN_ROOT), world.plugin.as_str());
        let (program, args) = match &self.args {
            Some(args) => (expand(&self.command), args.iter().map(expand).collect()),
            None => ("/bin/sh".to_owned(), vec!["-c".to_owned(), self.command.clone()]),
        };
        Prepared { program: program.into(), args, folder: &world.project, env, timeout: self.timeout }
    }
}

/// A process about to be started, with words of its own.
#[derive(Debug)]
pub(super) struct Prepared<'w> {
    program: Utf8PathBuf,
    args: Vec<String>,
    folder: &'w Utf8Path,
    env: &'w [(String, String)],
    timeout: Duration,
}

impl Prepared<'_> {
    pub(super) fn run(&self, player: &Player, input: &str) -> anyhow::Result<Answer> {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let start = Start {
            program: &self.program,
            args: &args,
            folder: self.folder,
            env: self.env,
            timeout: self.timeout,
            user: None,
        };
        Ok(player.call(&start, input.as_bytes())?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hooks(text: &str) -> Vec<Registered> {
        let folder = tempfile::tempdir().expect("a folder");
        let plugin = Utf8Path::from_path(folder.path()).expect("UTF-8");
        std::fs::create_dir(plugin.join("hooks")).expect("created");
        std::fs::write(plugin.join(REGISTRATION), text).expect("written");
        read(plugin).expect("hooks")
    }

    fn call(tool: &str) -> Recorded {
        let line = format!("{{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"{tool}\"}}");
        let mut tape = super::super::Tape::new("t", hookgen_runtime::CLAUDE);
        tape.line(1, line.as_bytes()).expect("JSON").pop().expect("an event")
    }

    #[test]
    fn only_commands_that_are_waited_for_are_asked() {
        let found = hooks(
            r#"{"hooks": {"PreToolUse": [{"hooks": [
                {"type": "command", "command": "a", "timeout": 1.5},
                {"type": "command", "command": "b", "async": true},
                {"type": "prompt", "prompt": "c"}]}],
              "NoSuchEvent": [{"hooks": [{"type": "command", "command": "d"}]}]}}"#,
        );
        let [only] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((only.command.as_str(), only.timeout), ("a", Duration::from_millis(1500)));
    }

    #[test]
    fn matchers_are_read_as_the_client_reads_them() {
        let fires = |matcher: &str, tool: &str| {
            let text = format!(
                r#"{{"hooks": {{"PreToolUse": [{{"matcher": "{matcher}", "hooks": [{{"type": "command", "command": "a"}}]}}]}}}}"#
            );
            hooks(&text).iter().any(|hook| hook.fires(&call(tool)))
        };
        assert!(fires("", "Bash") && fires("*", "Bash") && fires("Edit|Bash", "Bash") && fires("^Ba", "Bash"));
        assert!(!fires("Bas", "Bash") && !fires("bash", "Bash") && !fires("(", "Bash"));
        assert!(fires("KillShell", "TaskStop") && fires("^Task$", "Agent") && !fires("Bash", "Monitor"));
    }

    #[test]
    fn a_monitor_that_runs_a_command_fires_what_fires_for_bash() {
        let text =
            r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "a"}]}]}}"#;
        let event = r#"{"hook_event_name":"PreToolUse","tool_name":"Monitor","tool_input":{"command":"tail -f x"}}"#;
        let mut tape = super::super::Tape::new("t", hookgen_runtime::CLAUDE);
        let event = tape.line(1, event.as_bytes()).expect("JSON").pop().expect("an event");
        assert!(hooks(text)[0].fires(&event));
    }

    #[test]
    fn programs_of_others_are_not_the_plugin_s() {
        let folder = tempfile::tempdir().expect("a folder");
        let plugin = Utf8Path::from_path(folder.path()).expect("UTF-8");
        std::fs::create_dir(plugin.join("bin")).expect("created");
        std::fs::write(plugin.join("bin/own"), "").expect("written");
        let of = |command: &str, args: &str| {
            let handler = format!(r#"{{"type": "command", "command": "{command}"{args}}}"#);
            hooks(&format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{handler}]}}]}}}}"#))[0].is_of(plugin)
        };
        assert!(of("${CLAUDE_PLUGIN_ROOT}/bin/own", r#", "args": ["H1"]"#));
        assert!(!of("${CLAUDE_PLUGIN_ROOT}/bin/own", ""));
        assert!(!of("${CLAUDE_PLUGIN_ROOT}/bin/other", r#", "args": ["H1"]"#));
        assert!(!of("sh", r#", "args": ["-c", "exit 0"]"#));
    }

    #[test]
    fn a_folder_without_a_registration_is_no_plugin() {
        let error = read(Utf8Path::new("/no/such/plugin")).expect_err("nothing there");
        assert!(error.to_string().contains("is that a plugin?"), "{error}");
    }
}
