//! The `bin/NAME` of a plugin for several kinds of machines: it picks the program, and answers where there is none.
//!
//! A hook is waited for, so the launcher starts nothing to find out where it is: the shell itself reads what the system
//! shows in files, and `exec` puts the program in the shell's place. Only a system that shows nothing is asked by
//! `uname`. Variables are not asked, because a project can set them.

use super::Machine;

const SCRIPT: &str = include_str!("launcher.sh");

/// The launcher of a plugin with programs for these machines.
pub(super) fn launcher(catalog: &str, binary: &str, machines: &[Machine]) -> String {
    let names: Vec<&str> = machines.iter().map(|machine| machine.name()).collect();
    SCRIPT.replace("@CATALOG@", catalog).replace("@BINARY@", binary).replace("@MACHINES@", &names.join(", "))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::io::{ErrorKind, Write as _};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::process::{Command, Output, Stdio};
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn program(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("ours");
    }

    /// What the launcher of a plugin for these machines says; with no path, so that it can start nothing but what it
    /// names in full.
    fn started(there: &[&str], arguments: &[&str], event: &str) -> Output {
        let folder = tempfile::tempdir().expect("a folder");
        let bin = folder.path().join("a plugin/bin");
        for machine in there {
            program(
                &bin.join(machine).join("demo-hooks"),
                &format!("#!/bin/sh\nread -r it\necho {machine} \"$@\" $it\n"),
            );
        }
        let launcher = bin.join("demo-hooks");
        program(&launcher, &super::launcher("demo", "demo-hooks", &[Machine::LinuxX64, Machine::LinuxArm64]));
        let mut command = Command::new(launcher);
        command.args(arguments).env_clear().env("PATH", "/nowhere").env("HOSTTYPE", "vax");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // While another test starts a process, that one holds what was just written open.
        let mut child = loop {
            match command.spawn() {
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => thread::sleep(Duration::from_millis(5)),
                started => break started.expect("started"),
            }
        };
        // Whoever refuses may end before it has read the event.
        drop(child.stdin.take().expect("a pipe").write_all(event.as_bytes()));
        child.wait_with_output().expect("ended")
    }

    fn texts(output: &Output) -> (Option<i32>, String, String) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }

    #[test]
    fn the_program_of_this_machine_takes_its_place() {
        let this = if cfg!(target_arch = "aarch64") { "linux-arm64" } else { "linux-x64" };
        let output = started(&["linux-x64", "linux-arm64", "darwin-x64"], &["--closed=demo@1.0.0", "A 1"], "event\n");
        assert_eq!(texts(&output), (Some(0), format!("{this} --closed=demo@1.0.0 A 1 event\n"), String::new()));
    }

    #[test]
    fn where_there_is_none_a_closed_hook_refuses_and_an_open_one_says_so() {
        let event = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#;
        let (exit, out, said) = texts(&started(&["darwin-x64"], &["--closed=demo@1.0.0", "A1"], event));
        assert_eq!((exit, out.as_str()), (Some(2), ""));
        assert!(said.contains("no program for linux-") && said.contains("only for linux-x64, linux-arm64"), "{said}");
        let (exit, out, said) = texts(&started(&["darwin-x64"], &["--open=demo@1.0.0", "A1"], event));
        assert_eq!((exit, out.as_str()), (Some(1), ""));
        assert!(said.contains("demo") && said.contains("let it pass"), "{said}");
        // A registration that does not say is taken for a closed one, as programs do.
        assert_eq!(texts(&started(&[], &["A1"], event)).0, Some(2));
    }

    #[test]
    fn a_permission_is_refused_where_the_client_hears_it() {
        let event = r#"{"session_id":"s","hook_event_name":"PermissionRequest","tool_name":"Bash"}"#;
        let (exit, out, _) = texts(&started(&[], &["--closed=demo@1.0.0", "A1"], event));
        let reply: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(exit, Some(0));
        assert_eq!(reply["hookSpecificOutput"]["hookEventName"], "PermissionRequest");
        assert_eq!(reply["hookSpecificOutput"]["decision"]["behavior"], "deny");
        // What a tool is given decides nothing.
        let event = r#"{"hook_event_name":"PreToolUse","tool_input":{"hook_event_name":"PermissionRequest"}}"#;
        assert_eq!(texts(&started(&[], &["--closed=demo@1.0.0", "A1"], event)).0, Some(2));
        let event = r#"{"tool_input":{"hook_event_name":"PermissionRequest"},"hook_event_name":"PreToolUse"}"#;
        assert_eq!(texts(&started(&[], &["--closed=demo@1.0.0", "A1"], event)).0, Some(2));
    }
}
