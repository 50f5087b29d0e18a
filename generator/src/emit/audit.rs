//! The documentation and the schema of the audit trail, made from the list of its fields. One for all catalogs.

use hookgen_runtime::client::claude::places::PLUGIN_DATA;
use hookgen_runtime::log::{AUDIT_FILE, FIELDS, FULL, Field, FieldKind, KEPT, VERSION};
use serde_json::{Map, Value, json};

use super::{Bug, Output, banner, pretty_json};
use crate::report::{QUERIES, clickhouse_table, duckdb_view};

/// `reference/AUDIT.md` and `schema/audit.schema.json`, relative to the root of everything generated.
pub fn audit_outputs() -> Result<Vec<Output>, Bug> {
    Ok(vec![
        Output::new("reference/AUDIT.md", page()),
        Output::new("schema/audit.schema.json", pretty_json(&schema())?),
    ])
}

fn page() -> String {
    let rows: String = FIELDS.iter().map(row).collect();
    format!(
        "<!-- {} -->\n\n# The audit trail\n\n\
         Every decision, and every failure, is a line of JSON in `{AUDIT_FILE}`. It lies in the folder that the client gives \
         the plugin (`{PLUGIN_DATA}`), or else in `hookgen/<catalog>/` below `XDG_STATE_HOME` or `~/.local/state`. A \
         trail of {} MiB is set aside; the newest {KEPT} of those are kept. `hookgen stats` counts lines, and `hookgen why` \
         explains one.\n\n\
         Hooks that have nothing to say leave no line. In the modes `warn` and `audit` the decision is not carried out, and \
         the line says so in `mode`: read with `input`, it shows what a rule would have done before it is let loose.\n\n\
         This is version {VERSION}, which every line has in `v`; lines without it are from before, and have `time` to \
         `session` without the fields that tell of the input, of settings and of who was at work. New fields may come \
         without a new version, so readers pass over what they do not know. A field without a value is left out. The \
         schema is [audit.schema.json](../schema/audit.schema.json).\n\n\
         | field | type | always | meaning |\n|---|---|---|---|\n{rows}{}",
        banner("the fields of the audit trail"),
        FULL >> 20,
        elsewhere(),
    )
}

/// What a collector is told; its exporter is whatever the company has.
const COLLECTOR: &str = "receivers:
  otlpjsonfile:
    include: [/var/log/hookgen/*.jsonl]
exporters:
  otlp:
    endpoint: collector.internal:4317
service:
  pipelines:
    logs: { receivers: [otlpjsonfile], exporters: [otlp] }
";

/// How other engines read trails.
fn elsewhere() -> String {
    let queries: String = QUERIES.iter().map(|(what, sql)| format!("{what}:\n\n```sql\n{sql};\n```\n\n")).collect();
    format!(
        "\n## Beyond one machine\n\n\
         `hookgen report` makes a page of trails, and `hookgen stats --format otlp` prints their lines as OpenTelemetry's logs, which \
         a collector reads from a file; hooks themselves send nothing. A timer appends to that file, and the collector, where its \
         distribution has the receiver, sends it on:\n\n```console\n$ hookgen stats --since 1h --format otlp >> \
         /var/log/hookgen/otlp.jsonl\n```\n\n```yaml\n{COLLECTOR}```\n\n\
         Each line of the trail is a record named `hookgen.decision`, its fields attributes `hookgen.<field>`; a refusal is of the \
         severity WARN, a failure of the hook itself ERROR. The client's own telemetry names calls by the same `tool_use_id`, so \
         that both can be joined.\n\n\
         Databases take the lines as they are. DuckDB reads the files where they lie:\n\n```sql\n{};\n```\n\n\
         ClickHouse gets a table, and lines by `INSERT INTO trail FORMAT JSONEachRow` with \
         `input_format_skip_unknown_fields = 1`:\n\n```sql\n{};\n```\n\n\
         The counts of the report (ClickHouse calls `quantile_disc(x, q)` `quantileExact(q)(x)`):\n\n{}\n",
        duckdb_view("trails/*/audit.jsonl*"),
        clickhouse_table(),
        queries.trim_end(),
    )
}

fn row(field: &Field) -> String {
    let kind = match field.kind {
        FieldKind::Text => "text",
        FieldKind::Number => "number",
        FieldKind::Values => "object",
    };
    let always = if field.always { "yes" } else { "" };
    format!("| `{}` | {kind} | {always} | {} |\n", field.name, field.doc.replace('|', "\\|"))
}

fn schema() -> Value {
    let kind = |field: &Field| match field.kind {
        FieldKind::Text => json!({ "type": "string", "minLength": 1 }),
        FieldKind::Number => json!({ "type": "integer" }),
        FieldKind::Values => {
            json!({ "type": "object", "minProperties": 1, "additionalProperties": { "type": ["string", "number", "boolean"] } })
        }
    };
    let properties: Map<String, Value> = FIELDS
        .iter()
        .map(|field| {
            let mut schema = kind(field);
            schema["description"] = field.doc.into();
            if field.name == "v" {
                schema["const"] = VERSION.into();
            }
            (field.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<&str> = FIELDS.iter().filter(|field| field.always).map(|field| field.name).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the audit trail",
        "type": "object",
        "properties": properties,
        "required": required,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_on_the_page_and_in_the_schema() {
        let (page, schema) = (page(), schema());
        for field in FIELDS {
            assert!(page.contains(&format!("| `{}` |", field.name)), "{}", field.name);
            assert_eq!(schema["properties"][field.name]["description"], field.doc);
        }
        assert_eq!(schema["properties"]["v"]["const"], VERSION);
    }
}
