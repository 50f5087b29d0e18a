//! The counts of the report as SQL, for whoever keeps trails in a database.

use hookgen_runtime::log::{FIELDS, FieldKind};

/// What is asked, and how; `trail` is the table.
pub const QUERIES: &[(&str, &str)] = &[
    (
        "Decisions per day",
        "SELECT substring(time, 1, 10) AS day, decision, mode, count(*) AS decisions\nFROM trail GROUP BY day, decision, mode ORDER BY day, decision, mode",
    ),
    (
        "Per hook, with the time that it takes",
        "SELECT catalog, hook, count(*) AS decisions,\n  sum(CASE WHEN decision IN ('DENY', 'BLOCK', 'FEEDBACK') AND mode IS NULL THEN 1 ELSE 0 END) AS stopped,\n  quantile_disc(duration_us, 0.5) AS p50_us, quantile_disc(duration_us, 0.95) AS p95_us\nFROM trail GROUP BY catalog, hook ORDER BY decisions DESC, catalog, hook",
    ),
    (
        "Per project and person",
        "SELECT project, \"user\", host, count(*) AS decisions FROM trail\nGROUP BY project, \"user\", host ORDER BY decisions DESC, project",
    ),
    (
        "The most frequent reasons",
        "SELECT hook, \"check\", reason, count(*) AS times FROM trail\nWHERE decision NOT IN ('ALLOW', 'LOG', 'INJECT', 'EXPORT', 'NOTE', 'DEV_SKIP') AND reason IS NOT NULL\nGROUP BY hook, \"check\", reason ORDER BY times DESC, hook LIMIT 20",
    ),
    (
        "What hooks that only watch would have stopped",
        "SELECT time, hook, \"check\", reason, input FROM trail\nWHERE mode IN ('warn', 'audit') AND decision IN ('DENY', 'BLOCK', 'ASK') ORDER BY time DESC",
    ),
    (
        "Failures",
        "SELECT time, catalog, hook, decision, reason FROM trail\nWHERE decision IN ('FAIL_OPEN', 'FAIL_CLOSED', 'BREAKER_OPEN') ORDER BY time DESC",
    ),
];

/// `DuckDB`'s view of files of trails. A line that is no JSON would be a row without a single value.
pub fn duckdb_view(files: &str) -> String {
    let columns = FIELDS.iter().map(|field| {
        let kind = match field.kind {
            FieldKind::Text => "VARCHAR",
            FieldKind::Number => "BIGINT",
            FieldKind::Values => "JSON",
        };
        format!("'{}': '{kind}'", field.name)
    });
    let columns = columns.collect::<Vec<_>>().join(", ");
    format!(
        "CREATE VIEW trail AS SELECT * FROM read_json('{files}', format = 'newline_delimited', ignore_errors = true, columns = {{{columns}}}) WHERE v IS NOT NULL"
    )
}

/// `ClickHouse`'s table for lines of trails, which `INSERT … FORMAT JSONEachRow` fills.
pub fn clickhouse_table() -> String {
    let columns = FIELDS.iter().map(|field| {
        let kind = match (field.kind, field.always) {
            (FieldKind::Text, true) => "String",
            (FieldKind::Text, false) => "Nullable(String)",
            (FieldKind::Number, true) => "Int64",
            (FieldKind::Number, false) => "Nullable(Int64)",
            (FieldKind::Values, _) => "Map(String, String)",
        };
        format!("  `{}` {kind}", field.name)
    });
    format!(
        "CREATE TABLE trail (\n{}\n) ENGINE = MergeTree ORDER BY (catalog, hook, time)",
        columns.collect::<Vec<_>>().join(",\n")
    )
}
