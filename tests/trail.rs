//! What becomes of audit trails elsewhere: the page of `hookgen report`, OTLP, and databases.

use std::fs;
use std::process::Command;

use hookgen::report::{QUERIES, duckdb_view};
use serde_json::{Value, json};

use crate::support::{hookgen, project};

fn trail() -> String {
    let line = |time: &str, hook: &str, decision: &str, mode: Option<&str>| {
        let mut line = json!({
            "v": 1, "id": "1", "time": time, "catalog": "demo", "version": "1.0.0", "digest": "d", "hook": hook, "check": "words", "event": "PreToolUse",
            "tool": "Bash", "input": { "command": "ls </script>" }, "decision": decision, "reason": "It holds a secret.", "duration_us": 400,
            "session": "s", "project": "/home/a/shop", "client": "claude", "user": "a", "host": "box",
        });
        if let Some(mode) = mode {
            line["mode"] = json!(mode);
        }
        format!("{line}\n")
    };
    [
        line("2026-02-04T10:00:00Z", "H1", "DENY", None),
        line("2026-02-04T11:00:00Z", "H1", "DENY", Some("audit")),
        line("2026-02-05T10:00:00Z", "H2", "FAIL_OPEN", None),
        "no JSON\n".to_owned(),
    ]
    .concat()
}

#[test]
fn a_report_is_one_page_of_what_was_chosen() {
    let folder = project(&[("data/audit.jsonl", trail())]);
    hookgen(folder.path(), ["report", "data", "--hook", "H1"]).exits(0);
    let html = fs::read_to_string(folder.path().join("report.html")).expect("a page");
    let data = html.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("data");
    let rows: Vec<Value> = serde_json::from_str(data).expect("JSON");
    assert_eq!(rows.len(), 2);
    assert!(
        !html.contains("http://")
            || html.matches("http://").count() == html.matches("http://www.w3.org/2000/svg").count()
    );
}

#[test]
fn otlp_has_a_request_per_line() {
    let folder = project(&[("data/audit.jsonl", trail())]);
    let run = hookgen(folder.path(), ["stats", "data", "--format", "otlp"]).exits(0);
    let requests = run.json_lines();
    assert_eq!(requests.len(), 3);
    assert!(
        requests
            .iter()
            .all(|request| request["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]["timeUnixNano"].is_string())
    );
}

/// `DuckDB` runs the queries of the trail's page, where its package for Python is installed.
#[test]
fn the_queries_of_the_page_run_in_duckdb() {
    let python = std::env::var("HOOKGEN_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let there =
        Command::new(&python).args(["-c", "import duckdb"]).output().is_ok_and(|output| output.status.success());
    if !there {
        return;
    }
    let folder = project(&[("data/audit.jsonl", trail())]);
    let queries: Vec<&str> = QUERIES.iter().map(|(_, sql)| *sql).collect();
    let script = "import duckdb, json, sys\nview, queries = json.load(sys.stdin)\nduckdb.sql(view)\nprint(json.dumps([duckdb.sql(q).fetchall() for q in queries], default=str))";
    let view = duckdb_view(&folder.path().join("data/audit.jsonl*").to_string_lossy());
    let run =
        crate::support::feed(Command::new(&python).args(["-c", script]), &json!([view, queries]).to_string()).exits(0);
    let answers: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(
        answers[0],
        json!([
            ["2026-02-04", "DENY", "audit", 1],
            ["2026-02-04", "DENY", null, 1],
            ["2026-02-05", "FAIL_OPEN", null, 1]
        ])
    );
    assert_eq!(answers[1][0], json!(["demo", "H1", 2, "1", 400, 400]));
    assert_eq!(answers[3][0], json!(["H1", "words", "It holds a secret.", 2]));
    assert_eq!((answers[4].as_array().map(Vec::len), answers[5].as_array().map(Vec::len)), (Some(1), Some(1)));
}
