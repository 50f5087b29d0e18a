//! `hookgen lsp` with a real editor at the other end, where there is one.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{clean, project, repository, tests};

#[test]
#[expect(clippy::print_stderr, reason = "a test that did not run should say so")]
fn neovim_shows_mends_completes_renames_and_runs() {
    if Command::new("nvim").arg("--version").output().is_err() {
        eprintln!("skipped: there is no Neovim");
        return;
    }
    let text = fs::read_to_string(tests().join("editor/demo.yaml")).expect("a catalog");
    let folder = project(&[("specs/demo.yaml", &text)]);
    let answers = folder.path().join("answers.json");
    let given = format!(
        "lua arg_server={:?}; arg_file='specs/demo.yaml'; arg_out={:?}",
        env!("CARGO_BIN_EXE_hookgen"),
        answers.display().to_string()
    );
    let run = clean("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "--cmd", &given, "-c"])
        .arg(format!("luafile {}", tests().join("editor/session.lua").display()))
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .output()
        .expect("Neovim starts");
    let told = fs::read_to_string(&answers).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&run.stderr)));
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(told["late"], Value::Null, "{told:#}");
    // `      secret: tool_input.file_pathh.endsWith('/.env')` on the thirteenth line.
    let found = &told["diagnostics"][0];
    assert_eq!(
        (&found["line"], &found["from"], &found["to"], &found["code"]),
        (&json!(12), &json!(25), &json!(35), &json!("HG302"))
    );
    assert_eq!((&told["fix"], &told["mended"]), (&json!("Change it to `file_path`"), &json!(0)));
    assert!(
        told["hover"]["contents"]["value"].as_str().is_some_and(|text| text.contains("tool_input.file_path: string"))
    );
    assert_eq!(told["definition"]["range"]["start"], json!({ "line": 12, "character": 6 }));
    let edits = told["renamed"]["changes"].as_object().and_then(|changes| changes.values().next()).expect("edits");
    assert_eq!(edits.as_array().map(Vec::len), Some(2), "{edits}");
    let lenses = told["lenses"].as_array().expect("lenses").iter();
    let titles: Vec<&str> = lenses.filter_map(|lens| lens["command"]["title"].as_str()).collect();
    assert_eq!(titles, ["▷ run its cases", "▷ run this case", "▷ run this case"]);
    assert_eq!(told["ran"], "2 passed");
    let completed: Vec<&str> = told["completed"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(["file_path", "offset", "old_string"].iter().all(|field| completed.contains(field)), "{completed:?}");
}

/// The extension with an editor that only writes down what it is asked for.
const EXTENSION: &str = r"
const asked = [];
const vscode = {
  commands: { registerCommand: (name) => asked.push(['command', name]) },
  window: { showErrorMessage: (text) => asked.push(['error', text]) },
  workspace: { getConfiguration: () => ({ get: (_, usual) => usual }), onDidChangeConfiguration: () => asked.push(['watches']) },
};
class LanguageClient {
  constructor(id, name, server, client) { asked.push(['server', server, client.documentSelector]); }
  async start() { throw new Error('not there'); }
}
const Module = require('node:module');
const load = Module._load;
Module._load = (name, ...rest) =>
  name === 'vscode' ? vscode : name === 'vscode-languageclient/node' ? { LanguageClient } : load(name, ...rest);
const { main, contributes } = require(process.argv[1] + '/package.json');
const extension = require(require('node:path').join(process.argv[1], main));
extension.activate({ subscriptions: [] }).then(extension.deactivate).then(() =>
  console.log(JSON.stringify({ asked, declared: contributes.commands.map((one) => one.command) })));
";

#[test]
#[expect(clippy::print_stderr, reason = "a test that did not run should say so")]
fn the_extension_starts_the_server_and_says_when_it_cannot() {
    let folder = repository().join("editors/vscode");
    let Ok(run) = clean("node").args(["-e", EXTENSION]).arg(&folder).output() else {
        eprintln!("skipped: there is no Node.js");
        return;
    };
    let told: Value =
        serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&run.stderr)));
    let asked = told["asked"].as_array().expect("a list");
    let of = |what: &str| asked.iter().find(|one| one[0] == what).unwrap_or_else(|| panic!("no {what}: {told}"));
    assert_eq!(told["declared"], json!([of("command")[1]]));
    assert_eq!(of("server")[1], json!({ "command": "hookgen", "args": ["lsp"] }));
    assert_eq!(of("server")[2][0]["pattern"], "**/specs/**/*.yaml");
    assert!(of("error")[1].as_str().is_some_and(|text| text.contains("hookgen.path")), "{told}");
}
