//! Commands that try out what catalogs decide.

use std::num::NonZeroUsize;

use camino::Utf8PathBuf;
use clap::Args;
use hookgen_runtime::client::Client;

use super::{Catalogs, Format, agent};
use crate::cases::replay::Part;
use crate::stats::Since;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(in crate::cli) struct TestArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
    /// Break the world around every hook instead, and see that `fail_safe` holds
    #[arg(long)]
    pub(in crate::cli) faults: bool,
    /// Show what the cases have seen of the catalogs: every condition both ways, every effect, every row of a table. A
    /// check that decides something, and that no case has seen decide, is a finding
    #[arg(long, conflicts_with_all = ["faults", "filter", "no_ship", "compiled", "debug", "plugin", "all_backends"])]
    pub(in crate::cli) coverage: bool,
    /// Change the meaning of the catalogs in many small ways, and show the changes that no case notices
    #[arg(long, conflicts_with_all = ["faults", "filter", "no_ship", "compiled", "debug", "plugin", "all_backends"])]
    pub(in crate::cli) mutate: bool,
    /// Only changes of this hook
    #[arg(long, value_name = "ID", requires = "mutate")]
    pub(in crate::cli) hook: Option<String>,
    /// No more changes are tried after so many seconds
    #[arg(long, value_name = "SECONDS", requires = "mutate", default_value_t = 600)]
    pub(in crate::cli) budget: u64,
    /// Try so many changes of each catalog at most, spread evenly over it: the same ones each time
    #[arg(long, value_name = "N", requires = "mutate")]
    pub(in crate::cli) sample: Option<usize>,
    /// Fail if fewer conditions in a hundred are covered, or fewer changes noticed, in any catalog
    #[arg(long, value_name = "N")]
    pub(in crate::cli) fail_under: Option<f64>,
    /// Write what was covered to this file, in the format of lcov
    #[arg(long, value_name = "FILE", requires = "coverage")]
    pub(in crate::cli) lcov: Option<Utf8PathBuf>,
    /// Play the cases as this agent sends and hears them
    #[arg(long, value_name = "NAME", value_parser = agent, conflicts_with_all = ["faults", "coverage", "mutate"])]
    pub(in crate::cli) agent: Option<&'static Client>,
    /// Play the cases for every agent that each catalog is for
    #[arg(long, conflicts_with_all = ["faults", "coverage", "mutate", "agent"])]
    pub(in crate::cli) all_agents: bool,
    /// Only cases whose catalog, hook or name holds this text; with `--faults`, only hooks or faults
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(in crate::cli) filter: String,
    /// Print all results as one JSON array; the same as `--format json`
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// How results are printed
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["json", "faults"])]
    pub(in crate::cli) format: Option<Format>,
    /// Test the plugin in this folder instead of shipping; needs exactly one catalog
    #[arg(long, value_name = "DIR", conflicts_with_all = ["no_ship", "debug"])]
    pub(in crate::cli) plugin: Option<Utf8PathBuf>,
    /// Run every case evaluated and against the shipped binaries, and compare all that came of it
    #[arg(long, conflicts_with_all = ["plugin", "compiled", "faults"])]
    pub(in crate::cli) all_backends: bool,
    /// Ship first, and test the binaries that were compiled
    #[arg(long, conflicts_with = "plugin")]
    pub(in crate::cli) compiled: bool,
    /// Test what `dist` holds instead of shipping first
    #[arg(long)]
    pub(in crate::cli) no_ship: bool,
    /// Ship without optimising, and test that
    #[arg(long, conflicts_with = "no_ship")]
    pub(in crate::cli) debug: bool,
    /// Cases at a time [default: number of processors]
    #[arg(long, value_name = "N")]
    pub(in crate::cli) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CiArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
    /// Fail if fewer conditions in a hundred are seen both ways, in any catalog
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    pub(in crate::cli) conditions: f64,
    /// Fail if fewer changes of meaning in a hundred are noticed, in any catalog
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    pub(in crate::cli) changes: f64,
    /// No more changes are tried after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(in crate::cli) budget: u64,
    /// Try so many changes of each catalog at most, spread evenly over it: the same ones each time
    #[arg(long, value_name = "N")]
    pub(in crate::cli) sample: Option<usize>,
    /// Test what `dist` holds instead of shipping first
    #[arg(long)]
    pub(in crate::cli) no_ship: bool,
    /// Leave out the compiled back end, for which a Rust toolchain is needed
    #[arg(long, conflicts_with = "no_ship")]
    pub(in crate::cli) evaluated: bool,
    /// Write what was proved to the catalogs' documentation
    #[arg(long)]
    pub(in crate::cli) write: bool,
    /// Cases at a time [default: number of processors]
    #[arg(long, value_name = "N")]
    pub(in crate::cli) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct EvalArgs {
    /// The expression, in CEL
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(in crate::cli) expression: String,
    /// The event whose fields it may use, as JSON; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) event: Option<Utf8PathBuf>,
    /// The catalog whose facts, data, documents and settings it may use, by file or name
    #[arg(long, value_name = "CATALOG")]
    pub(in crate::cli) catalog: Option<String>,
    /// The hook of the catalog whose definitions and documents it may use as well
    #[arg(long, value_name = "ID", requires = "catalog")]
    pub(in crate::cli) hook: Option<String>,
    /// Do what the expression says: start programs that act, and delete files
    #[arg(long)]
    pub(in crate::cli) perform: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct TraceArgs {
    /// The catalog, by file or name
    #[arg(value_name = "CATALOG")]
    pub(in crate::cli) catalog: String,
    /// The event as JSON [default: standard input]
    #[arg(value_name = "EVENT")]
    pub(in crate::cli) event: Option<Utf8PathBuf>,
    /// Only this hook
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) hook: Option<String>,
    /// Do what hooks say: write documents and state, and start programs
    #[arg(long)]
    pub(in crate::cli) perform: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CorpusArgs {
    /// The corpus, as JSON lines
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: Utf8PathBuf,
    /// The catalog that judges, by file or name
    #[arg(value_name = "CATALOG", default_value = "safety")]
    pub(in crate::cli) catalog: String,
    /// Ship first, and try the binary that was compiled
    #[arg(long)]
    pub(in crate::cli) compiled: bool,
    /// Try what `dist` holds instead of shipping first
    #[arg(long, conflicts_with = "compiled")]
    pub(in crate::cli) no_ship: bool,
    /// Ship without optimising, and try that
    #[arg(long, conflicts_with = "no_ship")]
    pub(in crate::cli) debug: bool,
    /// Commands at a time [default: number of processors]
    #[arg(long, value_name = "N")]
    pub(in crate::cli) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ReplayArgs {
    /// A catalog, by its name or its file, which is evaluated, or the folder of a plugin, such as `dist/safety`
    #[arg(value_name = "CATALOG|PLUGIN")]
    pub(in crate::cli) plugin: String,
    /// Recordings, or folders of them
    #[arg(value_name = "FILE", required = true)]
    pub(in crate::cli) files: Vec<Utf8PathBuf>,
    /// The agent that the payloads were recorded from
    #[arg(long, value_name = "NAME", default_value = "claude", value_parser = agent)]
    pub(in crate::cli) agent: &'static Client,
    /// Show only what changed from this catalog or plugin
    #[arg(long, value_name = "CATALOG|PLUGIN")]
    pub(in crate::cli) against: Option<String>,
    /// Only what was recorded since a date, or in the last days, hours or minutes, such as `7d`; what tells no time counts
    #[arg(long, value_name = "WHEN")]
    pub(in crate::cli) since: Option<Since>,
    /// Only what happened in folders with this text
    #[arg(long, value_name = "TEXT")]
    pub(in crate::cli) project: Option<String>,
    /// Only this share of the sessions, such as `2/8`
    #[arg(long, value_name = "K/N")]
    pub(in crate::cli) part: Option<Part>,
    /// Also write a page for the browser
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) html: Option<Utf8PathBuf>,
    /// Print one JSON object; the same as `--format json`
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// How decisions are printed
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    pub(in crate::cli) format: Option<Format>,
    /// Sessions at a time [default: number of processors]
    #[arg(long, value_name = "N")]
    pub(in crate::cli) jobs: Option<NonZeroUsize>,
}
