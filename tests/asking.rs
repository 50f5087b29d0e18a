//! `hookgen eval` and `hookgen trace`: an expression or an event, and what a catalog makes of it as it stands.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Run, hookgen, project, write};

const CATALOG: &str = "catalog: demo
version: 1.0.0
description: A catalog that is asked about.
thresholds:
  limit: { description: How long a command may be., default: 10 }
data:
  words: [secret, token]
facts:
  length: size(tool_input.command)
documents:
  notes: { path: notes.txt, format: text }
hooks:
  - id: H1
    name: looks
    event: PreToolUse
    matcher: Bash
    timeout: 3s
    fail_safe: closed
    why: Something is decided.
    when: length > 2
    let:
      found: data.words.filter(word, tool_input.command.contains(word))
    checks:
      - id: words
        when: size(found) > 0 && length < thresholds.limit * 100
        append: { to: notes, line: '${found.join(\" \")}' }
        deny: It holds ${found.join(', ')}.
  - id: H2
    name: elsewhere
    event: PreToolUse
    matcher: Read
    timeout: 3s
    fail_safe: open
    why: It is not asked.
    checks: [{ id: never, when: tool_input.file_path == 'x', deny: No. }]
  - id: H3
    name: later
    event: Stop
    timeout: 3s
    fail_safe: open
    why: It is on another event.
    checks: [{ id: active, when: stop_hook_active, log: It is active. }]
";

fn event(folder: &Path, command: &str) -> String {
    let event = json!({
        "session_id": "s", "cwd": folder, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": command },
    });
    write(&folder.join("event.json"), event.to_string());
    "event.json".to_owned()
}

fn answer(run: &Run) -> Value {
    serde_json::from_str(run.stdout.lines().next().unwrap_or_default()).expect("JSON")
}

#[test]
fn an_expression_has_its_value_in_any_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    for (expression, value) in [
        ("1 + 2", json!({ "value": 3 })),
        ("1.0 + 1.0", json!({ "value": 2.0 })),
        ("[1, 2].map(x, string(x))", json!({ "value": ["1", "2"] })),
        ("{'a': null}", json!({ "value": { "a": null } })),
        ("-9223372036854775808", json!({ "value": i64::MIN })),
        ("1.0 / 0.0", json!({ "value": "Infinity" })),
    ] {
        let run = hookgen(folder.path(), ["eval", expression, "--json"]).exits(0);
        assert_eq!(answer(&run), value, "{expression}");
    }
    let failed = hookgen(folder.path(), ["eval", "1 / 0", "--json"]).exits(1);
    assert_eq!(answer(&failed), json!({ "failure": "a division by zero" }));
    let refused = hookgen(folder.path(), ["eval", "1 + nothing", "--json"]).exits(1);
    let found = answer(&refused);
    assert_eq!((&found["code"], &found["column"], &found["end_column"]), (&json!("HG202"), &json!(5), &json!(12)));
    let shown = hookgen(folder.path(), ["eval", "1 + nothing"]).exits(1);
    assert!(shown.stdout.is_empty() && shown.stderr.contains("1 | 1 + nothing"), "{}", shown.stderr);
}

#[test]
fn an_expression_does_nothing_to_the_world_unless_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = folder.path().join("made");
    let acts = format!("run(['touch', '{}'], 9).ok", made.display());
    let withheld = hookgen(folder.path(), ["eval", &acts, "--json"]).exits(1);
    assert!(withheld.stdout.contains("without `--perform`") && !made.exists(), "{}", withheld.stdout);
    let looks = hookgen(folder.path(), ["eval", "query(['true'], 9).ok", "--json"]).exits(0);
    assert_eq!(answer(&looks), json!({ "value": true }));
    hookgen(folder.path(), ["eval", &acts, "--perform"]).exits(0);
    assert!(made.exists());
}

#[test]
fn an_event_that_the_client_does_not_have_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("event.json"), r#"{"hook_event_name":"PreToolUsed"}"#);
    let unknown = hookgen(folder.path(), ["eval", "1", "--event", "event.json"]).exits(2);
    assert!(unknown.stderr.contains("no event `PreToolUsed`"), "{}", unknown.stderr);
    write(&folder.path().join("event.json"), r#"{"number":7}"#);
    hookgen(folder.path(), ["eval", "number == 7", "--event", "event.json"]).exits(0);
}

#[test]
fn an_expression_sees_the_event_and_the_catalog() {
    let folder = project(&[("specs/demo.yaml", CATALOG)]);
    let event = event(folder.path(), "cat secret");
    for (arguments, value) in [
        (vec!["tool_input.command.commands().map(c, c.name)", "--event", &event], json!(["cat"])),
        (vec!["length * thresholds.limit", "--event", &event, "--catalog", "demo"], json!(100)),
        (
            vec!["found + data.words", "--event", &event, "--catalog", "demo", "--hook", "H1"],
            json!(["secret", "secret", "token"]),
        ),
        (vec!["notes.exists", "--catalog", "specs/demo.yaml"], json!(false)),
    ] {
        let arguments: Vec<&str> = ["eval", "--json"].into_iter().chain(arguments).collect();
        assert_eq!(answer(&hookgen(folder.path(), &arguments).exits(0)), json!({ "value": value }), "{arguments:?}");
    }
    hookgen(folder.path(), ["eval", "found", "--catalog", "demo"]).exits(1);
    hookgen(folder.path(), ["eval", "1", "--catalog", "demo", "--hook", "H9"]).exits(2);
}

fn traced(folder: &Path, more: &[&str]) -> Value {
    let arguments = ["trace", "demo", "event.json", "--json"].iter().chain(more);
    serde_json::from_str(&hookgen(folder, arguments).exits(0).stdout).expect("JSON")
}

fn hook<'r>(report: &'r Value, id: &str) -> &'r Value {
    report["hooks"].as_array().expect("hooks").iter().find(|hook| hook["id"] == id).expect(id)
}

#[test]
fn a_trace_tells_why_and_does_nothing() {
    let folder = project(&[("specs/demo.yaml", CATALOG)]);
    event(folder.path(), "cat secret");
    let report = traced(folder.path(), &[]);
    let decided = hook(&report, "H1");
    assert_eq!((&decided["matches"], &decided["decided_by"]), (&json!(true), &json!("words")));
    assert_eq!(decided["acts"][0]["performed"], json!(false), "{decided:#}");
    let steps = decided["steps"].as_array().expect("steps");
    let check = steps.iter().find(|step| step["what"] == "check").expect("a check");
    let part = check["parts"].as_array().expect("parts").iter().find(|part| part["text"] == "size(found) > 0");
    assert_eq!(part.expect("the part")["outcomes"][0]["value"], json!(true), "{check:#}");
    assert!(steps.iter().all(|step| step["us"].is_u64()), "{steps:#?}");
    assert_eq!(hook(&report, "H2")["why_not"], "its matcher `Read` does not take `Bash`");
    assert_eq!(hook(&report, "H3")["why_not"], "it fires on Stop");
    let reply = &report["processes"][0];
    assert!(reply["stdout"].as_str().is_some_and(|said| said.contains("It holds secret.")) && reply["exit"] == 0);
    assert!(!folder.path().join("notes.txt").exists());
    let said = hookgen(folder.path(), ["trace", "demo", "event.json"]).exits(0).stdout;
    assert!(said.contains("withheld: add a line to") && said.contains("size(found) > 0 = true"), "{said}");
}

#[test]
fn a_trace_that_performs_does_what_hooks_say() {
    let folder = project(&[("specs/demo.yaml", CATALOG)]);
    event(folder.path(), "cat secret");
    let report = traced(folder.path(), &["--perform"]);
    assert_eq!(hook(&report, "H1")["acts"][0]["performed"], json!(true));
    assert!(folder.path().join("notes.txt").exists());
}

#[test]
fn a_trace_follows_the_catalog_as_it_is_edited() {
    let folder = project(&[("specs/demo.yaml", CATALOG)]);
    event(folder.path(), "cat secret");
    write(&folder.path().join("specs/demo.yaml"), CATALOG.replace("length > 2", "length > 200"));
    let report = traced(folder.path(), &["--hook", "H1"]);
    assert_eq!(report["processes"][0]["stdout"], "");
    let gate = &hook(&report, "H1")["steps"].as_array().expect("steps").iter().find(|step| step["what"] == "when");
    assert_eq!(gate.expect("the gate")["value"], json!(false));
    write(&folder.path().join("specs/demo.yaml"), CATALOG.replace("length > 2", "lenght > 2"));
    hookgen(folder.path(), ["trace", "demo", "event.json"]).exits(1);
}

/// A catalog that refuses pushes, in words of its own.
fn pushes(says: &str, more: &str) -> String {
    format!(
        "catalog: small\nversion: 1.0.0\ndescription: Small.\nhooks:\n  - id: H01\n    name: guard\n    event: PreToolUse\n    \
         matcher: Bash\n    timeout: 3s\n    fail_safe: closed\n    why: It leaves the machine.\n    checks:\n      - id: push\n        \
         when: tool_input.command.startsWith('git push'){more}\n        deny: {says}\n    cases:\n      - name: a push is refused\n        \
         input: {{ tool_name: Bash, tool_input: {{ command: git push origin }} }}\n        expect: {{ decision: deny }}\n      - name: \
         a look passes\n        input: {{ tool_name: Bash, tool_input: {{ command: ls }} }}\n        expect: {{ decision: pass }}\n"
    )
}

#[test]
fn whether_an_event_of_a_shape_can_be_refused_is_answered_with_an_example() {
    let folder = project(&[("specs/small.yaml", pushes("No.", "").as_str())]);
    let yes = hookgen(folder.path(), ["can", "Bash"]).exits(1);
    assert!(
        yes.stdout
            .starts_with("yes, by small H01 push: {\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"git push\"}}"),
        "{}",
        yes.stdout
    );
    let no = hookgen(folder.path(), ["can", "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}"]).exits(0);
    assert_eq!(no.stdout, "no: none of 1 check can refuse such an event\n");
    assert_eq!(
        hookgen(folder.path(), ["can", "Write"]).exits(0).stdout,
        "no: none of 0 checks can refuse such an event\n"
    );
    hookgen(folder.path(), ["can", "what"]).exits(2);
    let asked = " && tool_input.command.commands().exists(c, c.hasAny(['--force'])) && !tool_input.run_in_background";
    let folder = project(&[("specs/small.yaml", pushes("No.", asked).as_str())]);
    let can = |command: &str, background: bool| {
        let input = json!({ "command": command, "run_in_background": background });
        hookgen(folder.path(), ["can", &json!({ "tool_name": "Bash", "tool_input": input }).to_string()])
    };
    can("git push --force", false).exits(1);
    assert_eq!(can("git push --tags", false).exits(0).stdout, no.stdout, "the given line settles it");
    assert_eq!(can("git push --force", true).exits(0).stdout, no.stdout);
}

#[test]
fn what_changed_is_said_in_words_with_events_that_show_it() {
    let wider = pushes("No.", " || tool_input.command.startsWith('git fetch')");
    let folder = project(&[("a.yaml", pushes("No.", "")), ("b.yaml", wider), ("c.yaml", pushes("Never.", ""))]);
    let run = hookgen(folder.path(), ["diff", "a.yaml", "b.yaml"]).exits(1);
    let told = "- **newly denied** on PreToolUse by H01 push (was passed, is denied): `{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"git fetch\"}}`";
    assert!(run.stdout.contains(told), "{}", run.stdout);
    let run = hookgen(folder.path(), ["diff", "b.yaml", "a.yaml"]).exits(1);
    assert!(run.stdout.contains("**newly allowed**"), "{}", run.stdout);
    let run = hookgen(folder.path(), ["diff", "a.yaml", "c.yaml"]).exits(1);
    assert!(run.stdout.contains("**other words**"), "{}", run.stdout);
    let run = hookgen(folder.path(), ["diff", "a.yaml", "a.yaml"]).exits(0);
    assert!(run.stdout.contains("No event is known that is decided otherwise."), "{}", run.stdout);
}

/// A guard with a table, a threshold, a flag and two checks of which the order matters.
const GUARD: &str = r#"
catalog: small
version: 1.0.0
description: Small.
config: { file: "${home}/small.yaml" }
guard: self
flags:
  strict: { description: More, default: false, rollback: off }
thresholds:
  longest: { description: Characters, default: 50, range: [10, 100], config: longest }
data:
  rules:
    - { name: git, subcommand: push, any: [-f, --force], unless: [--dry-run] }
    - { name: rm, all: ['-r|-R', -f] }
hooks:
  - id: H01
    name: guard-shell
    event: PreToolUse
    matcher: Bash
    timeout: 3s
    fail_safe: closed
    why: It leaves the machine.
    checks:
      - id: rule
        for: c in tool_input.command.commands()
        when: data.rules.exists(rule, c.fitsRule(rule))
        deny: "Not ${c.name}."
      - id: long
        when: tool_input.command.size() > thresholds.longest
        ask: Long.
      - id: publish
        when: flags.strict && tool_input.command.matches(r'^npm\s+publish')
        deny: No publishing.
  - id: H02
    name: guard-files
    event: PreToolUse
    matcher: Read
    timeout: 3s
    fail_safe: closed
    why: They are secret.
    checks:
      - { id: env, when: tool_input.file_path.endsWith('/.env'), deny: Secret. }
      - { id: etc, when: tool_input.file_path.startsWith('/etc/'), deny: System. }
"#;

#[test]
fn every_edit_that_matters_is_told_and_shown() {
    let swapped = {
        let lines: Vec<&str> = GUARD.lines().collect();
        let at = lines.iter().position(|line| line.contains("id: env")).expect("env");
        let mut lines = lines.clone();
        lines.swap(at, at + 1);
        lines.join("\n")
    };
    let edited = |from: &str, to: &str| GUARD.replacen(from, to, 1);
    let told = |new: String, parts: &[&str]| {
        let folder = project(&[("old.yaml", GUARD.to_owned()), ("new.yaml", new)]);
        let run = hookgen(folder.path(), ["diff", "old.yaml", "new.yaml"]).exits(1);
        for part in parts {
            assert!(run.stdout.contains(part), "{part}\n{}\n{}", run.stdout, run.stderr);
        }
    };
    told(edited("default: 50", "default: 40"), &["**decided otherwise** on PreToolUse by H01 long", "is 40, was 50"]);
    told(
        edited("default: false", "default: true"),
        &["**newly denied**", "npm publish", "flag `strict` is on, was off"],
    );
    told(
        edited("    - { name: rm, all: ['-r|-R', -f] }\n", ""),
        &["**newly allowed**", "`data.rules` no longer has `{"],
    );
    told(edited(", unless: [--dry-run]", ""), &["**newly denied**", "--dry-run", "`data.rules` now has `{"]);
    told(swapped, &["**other words** on PreToolUse by H02", "another order: `etc`, `env`"]);
    told(edited("timeout: 3s", "timeout: 5s"), &["H01 has a time of 5000 ms, was 3000 ms", "No event is known"]);
    told(
        edited("closed\n    why: They", "open\n    why: They"),
        &["H02 fails open", "**newly allowed**", "\"tool_input\":null"],
    );
    told(
        edited("    why: They", "    mode: audit\n    why: They"),
        &["H02 is in mode audit", "**newly allowed**", "/.env"],
    );
    told(edited("matcher: Read", "matcher: Read|Edit"), &["**newly denied**", "{\"tool_name\":\"Edit\""]);
    told(edited("size() > thr", "size() >= thr"), &["H01 check `long` holds where `tool_input.command.size() >= "]);
    let folder = project(&[("old.yaml", GUARD.to_owned())]);
    let same = hookgen(folder.path(), ["diff", "old.yaml", "old.yaml"]).exits(0);
    assert_eq!(same.stdout, "## small: 1.0.0 to 1.0.0\n\nNo event is known that is decided otherwise.\n");
    let none = hookgen(folder.path(), ["diff", "old.yaml", "gone.yaml"]).exits(2);
    assert_eq!(none.stderr, "error: `gone.yaml` is neither a file nor a revision that has `old.yaml`\n");
}
