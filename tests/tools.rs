//! What people have open beside a catalog: `watch`, `fmt`, completions, the manual page and the language server.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use camino::Utf8Path;
use serde_json::{Value, json};

use crate::support::{DEMO, command, hookgen, project, repository, write};

#[test]
fn the_catalogs_here_can_be_laid_out_and_a_second_time_changes_nothing() {
    for entry in fs::read_dir(repository().join("specs")).expect("catalogs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a catalog");
        let shown = Utf8Path::from_path(&path).expect("UTF-8");
        let once = hookgen::layout::laid_out(shown, &text).expect("laid out");
        let twice = hookgen::layout::laid_out(shown, &once).expect("laid out");
        assert!(once == twice, "{shown} changes again");
        let comments = |text: &str| text.lines().filter(|line| line.trim_start().starts_with('#')).count();
        assert_eq!(comments(&once), comments(&text), "{shown}");
    }
}

#[test]
fn fmt_writes_and_with_check_only_says() {
    let uneven = DEMO.replacen("catalog: demo", "catalog: demo   ", 1);
    let folder = project(&[("specs/demo.yaml", uneven.as_str())]);
    hookgen(folder.path(), ["fmt", "--check"]).exits(1);
    assert_eq!(fs::read_to_string(folder.path().join("specs/demo.yaml")).expect("there"), uneven);
    hookgen(folder.path(), ["fmt"]).exits(0);
    hookgen(folder.path(), ["fmt", "--check"]).exits(0);
}

#[test]
fn watch_tells_findings_cases_and_drift_after_every_save() {
    let folder = project(&[("specs/demo.yaml", DEMO)]);
    let run = hookgen(folder.path(), ["watch", "--once"]).exits(1);
    assert!(run.stdout.contains("out of step") && run.stdout.contains("0 failed"), "{}", run.stdout);
    hookgen(folder.path(), ["build"]).exits(0);
    let run = hookgen(folder.path(), ["watch", "--once"]).exits(0);
    assert!(run.stdout.contains("up to date"), "{}", run.stdout);

    let mut child = command(folder.path()).arg("watch").stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut until = |word: &str| lines.by_ref().map_while(Result::ok).any(|line| line.contains(word));
    assert!(until("── fine"));
    write(&folder.path().join("specs/demo.yaml"), DEMO.replacen("event: PreToolUse", "event: PreToolUsed", 1));
    assert!(until("HG"), "a mistake is shown");
    assert!(until("── not yet"));
    write(&folder.path().join("specs/demo.yaml"), DEMO);
    assert!(until("── fine"));
    child.kill().expect("ended");
    child.wait().expect("ended");
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let man = hookgen(folder.path(), ["man"]).exits(0).stdout;
    let shells = ["bash", "zsh", "fish", "powershell", "elvish"]
        .map(|shell| hookgen(folder.path(), ["completions", shell]).exits(0).stdout);
    for name in ["import", "watch", "fmt", "lsp", "report", "ship", "doctor"] {
        assert!(man.contains(&format!("HOOKGEN {}", name.to_uppercase())), "{name}");
        assert!(shells.iter().all(|text| text.contains(name)), "{name}");
    }
}

/// An editor on the other end of a pipe.
fn say(to: &mut impl std::io::Write, message: &Value) {
    let text = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
    to.flush().expect("it listens");
}

fn hear(from: &mut impl std::io::BufRead) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        from.read_line(&mut line).expect("it answers");
        if line.trim().is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length: ") {
            length = number.trim().parse().expect("a number");
        }
    }
    let mut text = vec![0; length];
    from.read_exact(&mut text).expect("it answers");
    serde_json::from_slice(&text).expect("JSON")
}

#[test]
fn the_language_server_speaks_over_pipes_and_runs_a_case() {
    let folder = project(&[("specs/demo.yaml", DEMO)]);
    let uri = format!("file://{}", Path::new(folder.path()).join("specs/demo.yaml").display());
    let mut child =
        command(folder.path()).arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let (mut to, mut from) =
        (child.stdin.take().expect("a pipe"), BufReader::new(child.stdout.take().expect("a pipe")));
    say(&mut to, &json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
    assert_eq!(hear(&mut from)["result"]["serverInfo"]["name"], "hookgen");
    say(&mut to, &json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let began = Instant::now();
    let document = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": DEMO });
    say(
        &mut to,
        &json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
    );
    let published = hear(&mut from);
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(
        published["params"]["diagnostics"].as_array().is_some_and(|all| all.iter().all(|one| one["severity"] != 1)),
        "{published}"
    );
    say(
        &mut to,
        &json!({ "jsonrpc": "2.0", "id": 2, "method": "textDocument/codeLens", "params": { "textDocument": { "uri": uri } } }),
    );
    let command = hear(&mut from)["result"][0]["command"].clone();
    let params = json!({ "command": command["command"], "arguments": command["arguments"] });
    say(&mut to, &json!({ "jsonrpc": "2.0", "id": 3, "method": "workspace/executeCommand", "params": params }));
    let answers = [hear(&mut from), hear(&mut from)];
    assert!(answers.iter().any(|answer| answer["result"] == "2 passed"), "{answers:?}");
    say(&mut to, &json!({ "jsonrpc": "2.0", "id": 4, "method": "shutdown" }));
    hear(&mut from);
    say(&mut to, &json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert!(child.wait().expect("it ends").success());
}
