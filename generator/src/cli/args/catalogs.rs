//! Commands about the text of catalogs, and what is made of it.

use camino::Utf8PathBuf;
use clap::Args;

use super::{Catalogs, Format};

#[derive(Debug, Args)]
pub(in crate::cli) struct InitArgs {
    /// What the catalog is called; its file is `specs/<NAME>.yaml`
    #[arg(value_name = "NAME", required_unless_present = "ci")]
    pub(in crate::cli) name: Option<String>,
    /// Write a workflow for GitHub as well, which checks, tests, ships and publishes
    #[arg(long)]
    pub(in crate::cli) ci: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ImportArgs {
    /// Settings, a `hooks.json`, rules of hookify, or folders that hold them
    #[arg(value_name = "FILE", required = true)]
    pub(in crate::cli) files: Vec<Utf8PathBuf>,
    /// What the catalog is called; its file is `specs/<NAME>.yaml`
    #[arg(long, value_name = "NAME", default_value = "imported")]
    pub(in crate::cli) name: String,
    /// Print what became of each registration as one JSON array
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct WatchArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
    /// Look once, and end
    #[arg(long)]
    pub(in crate::cli) once: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct FormatArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
    /// Name the catalogs that would change, and write nothing
    #[arg(long)]
    pub(in crate::cli) check: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct BuildArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CheckArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
    /// Let warnings fail the check
    #[arg(long)]
    pub(in crate::cli) deny_warnings: bool,
    /// Print findings as JSON, one object per line; the same as `--format json`
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// How findings are printed
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    pub(in crate::cli) format: Option<Format>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
    /// Print a JSON array
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
