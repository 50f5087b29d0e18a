//! Commands about what was decided.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

use super::Catalogs;
use crate::stats::Since;
use crate::why::Which;

#[derive(Debug, Args)]
pub(in crate::cli) struct StatsArgs {
    #[command(flatten)]
    pub(in crate::cli) trails: Trails,
    /// Print one JSON object
    #[arg(long, conflicts_with = "format")]
    pub(in crate::cli) json: bool,
    /// Print something else than tables: the count as JSON, or the lines as OTLP
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(in crate::cli) format: Option<Trail>,
}

/// What a program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Trail {
    /// The count, as one object
    Json,
    /// The lines themselves, each as a request of OTLP's logs in JSON
    Otlp,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ReportArgs {
    #[command(flatten)]
    pub(in crate::cli) trails: Trails,
    /// The file that gets the page
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    pub(in crate::cli) out: Utf8PathBuf,
}

/// Which audit trails, and which of their lines.
#[derive(Debug, Args)]
pub(in crate::cli) struct Trails {
    /// An audit trail, or a folder that is searched for them [default: where hooks keep their state]
    #[arg(value_name = "FILE|FOLDER")]
    pub(in crate::cli) place: Option<Utf8PathBuf>,
    /// Only what was decided since a date, or in the last days, hours or minutes, such as `7d`
    #[arg(long, value_name = "WHEN")]
    pub(in crate::cli) since: Option<Since>,
    /// Only decisions of this catalog
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) catalog: Option<String>,
    /// Only decisions of this hook
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) hook: Option<String>,
    /// Only decisions in projects whose folder holds this text
    #[arg(long, value_name = "TEXT")]
    pub(in crate::cli) project: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct WhyArgs {
    /// The id of a line, or the beginning of it; `last` is the newest decision
    #[arg(value_name = "ID|last")]
    pub(in crate::cli) which: Which,
    #[command(flatten)]
    pub(in crate::cli) catalogs: Catalogs,
    /// An audit trail, or a folder that is searched for them [default: where hooks keep their state]
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(in crate::cli) trail: Option<Utf8PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
