//! Audit trails for whoever looks at them elsewhere: one page for a browser, and lines that a collector reads.

mod otlp;
mod page;
mod queries;

pub use otlp::otlp_line;
pub use page::page;
pub use queries::{QUERIES, clickhouse_table, duckdb_view};
