//! Commands that put catalogs to work.

use camino::Utf8PathBuf;
use clap::Args;
use hookgen_runtime::client::Client;

use super::{Catalogs, agent};
use crate::rollout::Source;
use crate::ship::Machine;

#[derive(Debug, Args)]
pub(in crate::cli) struct ShipArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
    /// Folder that gets one plugin per catalog [default: `dist` in the project]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<Utf8PathBuf>,
    /// Compile without optimising: fast to make, slow to run
    #[arg(long)]
    pub(in crate::cli) debug: bool,
    /// Compile nothing: the plugin holds an engine and the catalog as it runs
    #[arg(long, conflicts_with = "debug")]
    pub(in crate::cli) portable: bool,
    /// Kinds of machines that the plugin is for: `linux-x64`, `linux-arm64`, `darwin-arm64`, `darwin-x64`, `windows-x64`,
    /// or `all` of them [default: this one, or those that `--binaries` has]
    #[arg(long = "target", value_name = "NAME", value_delimiter = ',', value_parser = machines)]
    pub(in crate::cli) targets: Vec<Machines>,
    /// Folder with programs that were built elsewhere: `linux-arm64/NAME`, `windows-x64/NAME.exe` and so on, or the `bin`
    /// of a plugin; with `--portable`, NAME is `hookgen-engine`
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) binaries: Option<Utf8PathBuf>,
    /// Make the folder a marketplace of this name: the list of its plugins, and an archive of each with its SHA-256
    #[arg(long, value_name = "NAME", conflicts_with = "debug")]
    pub(in crate::cli) marketplace: Option<String>,
    /// Where the archives will be fetched from; without it, the list names the folders beside it
    #[arg(long, value_name = "URL", requires = "marketplace")]
    pub(in crate::cli) archives: Option<String>,
}

/// The kinds of machines that a word of `--target` stands for.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Machines(pub(in crate::cli) Vec<Machine>);

fn machines(word: &str) -> Result<Machines, String> {
    if word == "all" { Ok(Machines(Machine::ALL.to_vec())) } else { word.parse().map(|one| Machines(vec![one])) }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RolloutArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
    /// The marketplace that the plugins are listed in, as with `hookgen ship --marketplace`
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) marketplace: String,
    /// Where machines find it: `github:OWNER/REPO[@REF]`, `git:ADDRESS[@REF]`, `url:ADDRESS`, `npm:PACKAGE` or `directory:PATH`
    #[arg(long, value_name = "SOURCE")]
    pub(in crate::cli) source: Source,
    /// Hooks of persons, projects and other plugins go on running
    #[arg(long)]
    pub(in crate::cli) allow_other_hooks: bool,
    /// People may add no other marketplace
    #[arg(long)]
    pub(in crate::cli) only_marketplace: bool,
    /// Write settings, configs and a page on how to bring them to machines to this folder, instead of printing the settings
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<Utf8PathBuf>,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(in crate::cli) struct InstallArgs {
    #[command(flatten)]
    pub(in crate::cli) which: Catalogs,
    /// The project [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) into: Option<Utf8PathBuf>,
    /// A plugin that is there already, which gets the hooks beside its own
    #[arg(long, value_name = "DIR", conflicts_with_all = ["into", "local"])]
    pub(in crate::cli) plugin: Option<Utf8PathBuf>,
    /// The agent that runs the hooks
    #[arg(long, value_name = "NAME", default_value = "claude", value_parser = agent)]
    pub(in crate::cli) agent: &'static Client,
    /// Register in `settings.local.json`, for this person only
    #[arg(long)]
    pub(in crate::cli) local: bool,
    /// Take the catalogs out again
    #[arg(long)]
    pub(in crate::cli) remove: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Compile without optimising: fast to make, slow to run
    #[arg(long, conflicts_with = "remove")]
    pub(in crate::cli) debug: bool,
    /// Compile nothing: an engine runs the catalog as it is
    #[arg(long, conflicts_with_all = ["remove", "debug"])]
    pub(in crate::cli) portable: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DoctorArgs {
    /// The project [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) into: Option<Utf8PathBuf>,
}
