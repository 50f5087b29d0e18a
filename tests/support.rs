//! What every test here needs: hookgen as a child in a clean environment, throw-away projects, and expectations in
//! files with one way to accept new ones.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::SystemTime;

use serde_json::Value;
use similar::TextDiff;
use tempfile::TempDir;

/// A catalog of one hook in which nothing is wrong.
pub(crate) const DEMO: &str = include_str!("golden/demo/specs/demo.yaml");

/// Variables of cargo that say where things come from; all its others say how this test was built.
const CARGO_KEPT: &[&str] = &["CARGO_HOME", "CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTRIES_", "CARGO_REGISTRY_"];

/// What would change what hookgen says or does.
const SCRUBBED: &[&str] =
    &["CARGO", "CI", "CLAUDE", "CLICOLOR", "HOOKGEN", "NO_COLOR", "OUT_DIR", "RUSTC", "RUSTFLAGS", "TERM"];

/// What a run of hookgen left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Checks the exit code; a wrong one shows all that was said.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// The lines on standard output, each of them JSON.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
        }
    }
}

/// The top folder of this repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a parent").to_owned()
}

/// The folder of these tests.
pub(crate) fn tests() -> PathBuf {
    repository().join("tests")
}

/// hookgen, to be run in a folder.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = clean(env!("CARGO_BIN_EXE_hookgen"));
    command.current_dir(folder);
    command
}

/// A program in an environment without anything that belongs to whoever runs the tests.
pub(crate) fn clean(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| text.starts_with(prefix));
        if begins(SCRUBBED) && !begins(CARGO_KEPT) {
            command.env_remove(&name);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// Runs hookgen in a folder.
pub(crate) fn hookgen<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Run {
    command(folder).args(arguments).output().expect("hookgen starts").into()
}

/// Ships the project. All of it that can be shared with later runs stays in this workspace's target folder. What the
/// crate needs was fetched for this workspace already, so the network is asked only if that is not enough.
pub(crate) fn ship_outside(root: &Path) -> Run {
    let ship = |offline: &str| -> Run {
        let mut command = command(root);
        command.env("CARGO_TARGET_DIR", repository().join("target/outside")).env("CARGO_NET_OFFLINE", offline);
        command.args(["ship", "--debug"]).output().expect("hookgen starts").into()
    };
    let run = ship("true");
    if run.code == Some(0) { run } else { ship("false") }
}

/// Runs a program with a text on its standard input.
pub(crate) fn feed(command: &mut Command, input: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Whoever refuses may end before it has read the input.
    drop(child.stdin.take().expect("a pipe").write_all(input.as_bytes()));
    child.wait_with_output().expect("the program ends").into()
}

/// A folder with these files that vanishes with the value.
pub(crate) fn project<C: AsRef<[u8]>>(files: &[(&str, C)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, content) in files {
        write(&folder.path().join(path), content);
    }
    folder
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    fs::write(path, content).expect("written");
}

/// Every file below a folder, by its path from there with `/` between the parts.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let shown = path.strip_prefix(folder).expect("below").to_str().expect("UTF-8").replace('\\', "/");
                found.insert(shown, path);
            }
        }
    }
    found
}

/// The bytes of every file below a folder.
pub(crate) fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    files(folder).into_iter().map(|(shown, path)| (shown, fs::read(path).expect("readable"))).collect()
}

/// When every file below a folder was last changed.
pub(crate) fn times(folder: &Path) -> BTreeMap<String, SystemTime> {
    let changed = |path: &Path| fs::metadata(path).and_then(|it| it.modified()).expect("a time");
    files(folder).into_iter().map(|(shown, path)| (shown, changed(&path))).collect()
}

/// Copies a folder with all that is in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    for (shown, path) in files(from) {
        write(&to.join(shown), fs::read(path).expect("readable"));
    }
}

/// Whether what hookgen says now is to be accepted.
pub(crate) fn blessing() -> bool {
    std::env::var_os("HOOKGEN_BLESS").is_some_and(|value| value == "1")
}

/// How a text differs from the one in a file, if it does; when blessing, the file is rewritten instead.
pub(crate) fn difference(path: &Path, actual: &str) -> Option<String> {
    let expected = fs::read_to_string(path);
    if expected.as_deref().is_ok_and(|expected| expected == actual) {
        return None;
    }
    if blessing() {
        write(path, actual);
        return None;
    }
    let shown = path.strip_prefix(repository()).unwrap_or(path).display();
    let Ok(expected) = expected else { return Some(format!("{shown} is missing; it would be\n{actual}")) };
    let diff = TextDiff::from_lines(&expected, actual);
    Some(diff.unified_diff().header(&format!("{shown} (expected)"), "what hookgen says").to_string())
}

/// Fails with all differences at once, and says how to accept them.
#[track_caller]
pub(crate) fn refuse(differences: &[String]) {
    assert!(
        differences.is_empty(),
        "{}\n{} differ; if that is meant, run `HOOKGEN_BLESS=1 cargo test -p hookgen --test it`",
        differences.join("\n"),
        differences.len()
    );
}
