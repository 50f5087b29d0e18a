//! One page for a browser, which holds the lines of the trails and counts them itself, so that filters need no server.

use serde_json::{Map, Value, json};

use crate::bug::Bug;
use crate::template::Templates;

/// Fields of a line that the page shows, under the names that it knows them by.
const SHOWN: &[(&str, &str)] = &[
    ("time", "time"),
    ("catalog", "catalog"),
    ("hook", "hook"),
    ("check", "check"),
    ("event", "event"),
    ("tool", "tool"),
    ("input", "input"),
    ("decision", "decision"),
    ("mode", "mode"),
    ("reason", "reason"),
    ("duration_us", "us"),
    ("project", "project"),
    ("user", "user"),
    ("host", "host"),
    ("agent", "agent"),
];

/// More lines than this make a page that no browser likes; the newest are kept.
const MOST: usize = 20_000;

/// The page, and the command that makes it.
pub fn page(lines: &[Value], by: &str) -> Result<String, Bug> {
    let mut rows: Vec<Value> = lines.iter().map(row).collect();
    rows.sort_by(|one, other| one["time"].as_str().cmp(&other["time"].as_str()));
    let left = rows.len().saturating_sub(MOST);
    let rows = rows.split_off(left);
    let note = match left {
        0 if by == "hookgen report" => {
            format!("Made by `{by}`. Inputs are those of the audit trail: secrets are redacted, long texts cut.")
        }
        0 => format!("Made by `{by}`. Inputs are those of the recordings, as they are."),
        left => format!("Made by `{by}`. {left} older lines are left out."),
    };
    // Inside a script, `<` could end it.
    let data = Value::Array(rows)
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    Templates::load()?.render("report", &json!({ "data": data, "note": note }))
}

fn row(line: &Value) -> Value {
    let fields = SHOWN.iter().filter_map(|(theirs, ours)| Some(((*ours).to_owned(), line.get(*theirs)?.clone())));
    let mut row: Map<String, Value> = fields.collect();
    row.entry("us").or_insert_with(|| 0.into());
    Value::Object(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(reason: &str) -> Value {
        json!({ "v": 1, "time": "2026-02-04T14:23:15Z", "catalog": "c", "hook": "H1", "decision": "DENY", "reason": reason, "duration_us": 9 })
    }

    #[test]
    fn nothing_in_a_trail_can_end_the_script() {
        let html = page(&[line("</script><script>alert(1)</script>")], "hookgen report").expect("a page");
        assert!(!html.contains("<script>alert"), "{html}");
        assert_eq!(html.matches("</script>").count(), 2);
        let data = html.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("data");
        let rows: Value = serde_json::from_str(data).expect("JSON");
        assert_eq!((&rows[0]["us"], &rows[0]["reason"]), (&json!(9), &json!("</script><script>alert(1)</script>")));
    }

    #[test]
    fn the_newest_lines_are_kept() {
        let lines: Vec<Value> = (0..MOST + 5).map(|number| line(&number.to_string())).collect();
        let html = page(&lines, "hookgen report").expect("a page");
        assert!(html.contains("5 older lines are left out"));
    }
}
