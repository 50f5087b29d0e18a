//! Environment variables for the rest of a session, by the file that the client's shell reads.

use std::io::Write;
use std::path::Path;

use crate::client::claude::places::ENV_FILE;
use crate::event::Event;
use crate::failure::{Attempt, Failure};
use crate::{signals, surroundings};

/// Adds a variable to the client's environment file. A client that gives none wants none.
pub(crate) fn write(event: &Event, name: &str, value: &str) -> Attempt<()> {
    let file = surroundings::variable(ENV_FILE).filter(|file| !file.is_empty());
    match file {
        Some(file) if event.exports => append(Path::new(&file), name, value),
        _ => Ok(()),
    }
}

fn append(file: &Path, name: &str, value: &str) -> Attempt<()> {
    let line = format!("export {name}={}\n", quote(value));
    signals::outlive_file_size_limit();
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
    opened
        .and_then(|mut file| file.write_all(line.as_bytes()))
        .map_err(|error| Failure::document("the environment file cannot be written", &error))
}

/// A word that a shell reads back as it was, whatever it holds: a branch name is data.
fn quote(value: &str) -> String {
    // No shell can hold a NUL in a variable.
    format!("'{}'", value.replace('\0', "").replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_data_for_the_shell() {
        for value in [
            "plain",
            "two words",
            "$(touch pwned)",
            "feature/$(touch pwned)",
            "'; touch pwned; '",
            "x\nexport PATH=/evil",
            "it's",
            "a\nb",
            "`x`",
            "\\",
            "",
            "é",
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("env.sh");
            append(&file, "VALUE", value).expect("written");
            let script = format!(". '{}'; printf %s \"$VALUE\"", file.display());
            let Ok(shell) = std::process::Command::new("sh").arg("-c").arg(script).current_dir(&folder).output() else {
                return;
            };
            assert_eq!(String::from_utf8_lossy(&shell.stdout), value);
            assert!(!folder.path().join("pwned").exists());
        }
    }

    #[test]
    fn what_no_variable_can_hold_is_left_out() {
        assert_eq!(quote("a\0'b\0"), r"'a'\''b'");
    }

    #[test]
    fn what_others_wrote_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("env.sh");
        std::fs::write(&file, "export OTHER=1\n").expect("written");
        append(&file, "A", "b").expect("written");
        assert_eq!(std::fs::read_to_string(&file).expect("read"), "export OTHER=1\nexport A='b'\n");
    }
}
