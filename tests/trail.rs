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

/// A Python that has this package, if there is one.
#[expect(clippy::print_stderr, reason = "a test that did not run should say so")]
fn python_with(package: &str) -> Option<String> {
    let python = std::env::var("HOOKGEN_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let import = format!("import {package}");
    let there = Command::new(&python).args(["-c", &import]).output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: {python} has no {package}");
    }
    there.then_some(python)
}

/// A trail of many hooks, days, modes and times.
fn long_trail() -> String {
    let decisions = ["ALLOW", "DENY", "WARN", "FAIL_OPEN", "ASK", "DENY", "INJECT"];
    let lines = (0..2_000_u64).map(|number| {
        let pick = |among: u64, salt: u64| (number * 7919 + salt).wrapping_mul(2_654_435_761) / 65_536 % among;
        let decision = decisions[usize::try_from(pick(7, 1)).expect("small")];
        let mut line = json!({
            "v": 1, "id": number.to_string(), "time": format!("2026-02-{:02}T10:00:00Z", 1 + pick(20, 2)), "catalog": "demo",
            "version": "1.0.0", "digest": "d", "hook": format!("H{}", pick(5, 3)), "check": "c", "event": "PreToolUse",
            "tool": "Bash", "decision": decision, "reason": format!("reason {}", pick(9, 4)),
            "duration_us": 100 + pick(5_000, 5), "session": "s", "project": "/p", "client": "claude", "user": "a", "host": "box",
        });
        if pick(4, 6) == 0 {
            line["mode"] = json!("audit");
        }
        format!("{line}\n")
    });
    lines.collect()
}

/// What a database counts is what `hookgen stats` counts.
#[test]
fn duckdb_and_stats_count_the_same() {
    let Some(python) = python_with("duckdb") else { return };
    let folder = project(&[("data/audit.jsonl", long_trail())]);
    let script = "import duckdb, json, sys\nview, queries = json.load(sys.stdin)\nduckdb.sql(view)\nprint(json.dumps([duckdb.sql(q).fetchall() for q in queries], default=str))";
    let view = duckdb_view(&folder.path().join("data/audit.jsonl").to_string_lossy());
    let queries: Vec<&str> = QUERIES.iter().map(|(_, sql)| *sql).collect();
    let run =
        crate::support::feed(Command::new(&python).args(["-c", script]), &json!([view, queries]).to_string()).exits(0);
    let answers: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let run = hookgen(folder.path(), ["stats", "data", "--json"]).exits(0);
    let stats: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let whole = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok()).expect("a number");
    let sum = |decisions: &Value| decisions.as_object().expect("counts").values().map(whole).sum::<u64>();
    let of_database: std::collections::BTreeMap<String, (u64, u64, u64)> = answers[1]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (row[1].as_str().expect("a hook").to_owned(), (whole(&row[2]), whole(&row[4]), whole(&row[5]))))
        .collect();
    let of_stats: std::collections::BTreeMap<String, (u64, u64, u64)> = stats["hooks"]
        .as_array()
        .expect("hooks")
        .iter()
        .map(|hook| {
            let counted = (sum(&hook["decisions"]), whole(&hook["p50_us"]), whole(&hook["p95_us"]));
            (hook["hook"].as_str().expect("a hook").to_owned(), counted)
        })
        .collect();
    assert_eq!(of_database, of_stats);
    let days = |key: &Value| key.as_str().expect("a day").to_owned();
    let mut by_day = std::collections::BTreeMap::<String, u64>::new();
    answers[0]
        .as_array()
        .expect("rows")
        .iter()
        .for_each(|row| *by_day.entry(days(&row[0])).or_default() += whole(&row[3]));
    let mut told = std::collections::BTreeMap::<String, u64>::new();
    let rows = stats["days"].as_array().expect("days").iter();
    rows.for_each(|row| *told.entry(days(&row["day"])).or_default() += sum(&row["decisions"]));
    assert_eq!(by_day, told);
    let failures = answers[5].as_array().expect("rows").iter().filter(|row| row[3] == "FAIL_OPEN").count();
    assert_eq!(u64::try_from(failures).expect("few"), whole(&stats["fail_open"]));
}

/// What a collector would make of it: the protocol's own messages read every line, and give every field back.
#[test]
fn the_protocols_own_messages_read_every_line() {
    let Some(python) = python_with("opentelemetry.proto.collector.logs.v1.logs_service_pb2") else { return };
    let folder = project(&[("data/audit.jsonl", trail())]);
    let lines = hookgen(folder.path(), ["stats", "data", "--format", "otlp"]).exits(0).stdout;
    let script = "import json, sys
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
for line in sys.stdin:
    request = Parse(line, ExportLogsServiceRequest())
    record = request.resource_logs[0].scope_logs[0].log_records[0]
    fields = {one.key: one.value for one in record.attributes}
    print(json.dumps([record.time_unix_nano, record.severity_number, record.body.string_value, fields['hookgen.hook'].string_value,
        fields['hookgen.duration_us'].int_value, fields['hookgen.input'].kvlist_value.values[0].value.string_value]))";
    let read = crate::support::feed(Command::new(&python).args(["-c", script]), &lines).exits(0).json_lines();
    assert_eq!(read.len(), 3);
    assert_eq!(read[0], json!([1_770_199_200_000_000_000_u64, 13, "It holds a secret.", "H1", 400, "ls </script>"]));
    assert_eq!(read[2][1], 17);
}

/// `DuckDB` runs the queries of the trail's page, where its package for Python is installed.
#[test]
fn the_queries_of_the_page_run_in_duckdb() {
    let Some(python) = python_with("duckdb") else { return };
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
    assert_eq!(answers[1][0], json!(["demo", "H1", 2, 1, 400, 400]));
    assert_eq!(answers[3][0], json!(["H1", "words", "It holds a secret.", 2]));
    assert_eq!((answers[4].as_array().map(Vec::len), answers[5].as_array().map(Vec::len)), (Some(1), Some(1)));
}
