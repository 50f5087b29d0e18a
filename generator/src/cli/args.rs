//! The command line, as data.

use std::num::NonZeroUsize;

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};
use hookgen_runtime::client::{CLIENTS, Client, named};

use crate::stats::Since;
use crate::why::Which;

/// Compiles a YAML hook catalog into registration, configuration, documentation and a native runtime.
#[derive(Debug, Parser)]
#[command(name = "hookgen", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(super) color: Color,
}

const EXAMPLES: &str = "\
Examples:
  hookgen init my-guards           write a first catalog to specs/my-guards.yaml
  hookgen build                    write generated/ from every catalog in specs/
  hookgen check                    are the catalogs valid and generated/ up to date?
  hookgen test --filter H04        run the cases of one hook
  hookgen ship --out dist          make installable plugins
  hookgen install --into ~/shop    put the catalogs to work in a project
  hookgen explain unknown-field    what a diagnostic means and how to mend it

Exit codes: 0 fine, 1 findings, drift or failed cases, 2 could not run.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write a first catalog, to be changed
    #[command(after_help = "Example:\n  hookgen init my-guards")]
    Init(InitArgs),
    /// Make a catalog of the hooks that are there: settings, a plugin's hooks.json, rules of hookify
    #[command(
        after_help = "Nothing that is registered is run. A command that is recognisably a pattern (a test of a path or a command line with jq, grep, case, [[ ]] or Python, and a refusal) becomes checks with cases; everything else is kept as a hook of type `run`, and the list says why. A folder stands for the settings and rules in it. Ends with exit code 1 if something could not be taken over.\n\nExamples:\n  hookgen import .claude/settings.json --name house-rules\n  hookgen import ~/plugins/guard/hooks/hooks.json --name guard\n  hookgen import .claude --json"
    )]
    Import(ImportArgs),
    /// Write everything that is generated from the catalogs
    #[command(
        after_help = "Examples:\n  hookgen build\n  hookgen build product-planning\n  hookgen build specs/a.yaml"
    )]
    Build(BuildArgs),
    /// Compare what is generated with the catalogs, and write nothing
    #[command(
        after_help = "Examples:\n  hookgen check\n  hookgen check --deny-warnings\n  hookgen check --json | jq .code"
    )]
    Check(CheckArgs),
    /// On every save, show findings, failed cases and drift
    #[command(
        after_help = "Cases of catalogs that have changed run, evaluated as they stand. Ends with the terminal, or with `--once` after the first look: exit code 1 if something is wrong.\n\nExamples:\n  hookgen watch\n  hookgen watch my-guards\n  hookgen watch --once"
    )]
    Watch(WatchArgs),
    /// Lay out the text of catalogs: expressions, blanks and empty lines
    #[command(
        after_help = "Comments, the order of keys and the style of scalars stay. With `--check`, nothing is written, and a catalog that would change ends with exit code 1.\n\nExamples:\n  hookgen fmt\n  hookgen fmt specs/mine.yaml\n  hookgen fmt --check"
    )]
    Fmt(FormatArgs),
    /// Serve an editor on standard input and output: diagnostics, hover, completion, renaming, cases
    #[command(after_help = "Editors start it by themselves; see the folder `editors`.\n\nExample:\n  hookgen lsp")]
    Lsp,
    /// Build, compile the runtime and lay out installable plugins
    #[command(
        after_help = "A folder that hookgen did not make, a repository and the workspace itself are refused. What operators have edited or added in a plugin's folder stays; the new version of an edited setting lies beside it as `<name>.new`.\n\nExamples:\n  hookgen ship\n  hookgen ship product-planning --out /srv/plugins"
    )]
    Ship(ShipArgs),
    /// Put catalogs to work in a project by its settings, or inside a plugin that is there already
    #[command(
        after_help = "What others have registered stays, to the byte, and so does what operators have edited or added in the catalog's folder. A catalog is in one of the two settings files: `install` moves it from the personal to the shared one, `--local` is refused beside the shared one. `--remove` takes it out of both and then removes its files; with `--local`, out of the personal one alone. If a catalog is not there, `--remove` says so and ends with exit code 1.\n\nWith `--plugin`, the hooks, the binary, its documentation and the config keys that are missing go into another plugin, whose manifest, README and own hooks stay; a record in its `hooks` folder says what to take out again.\n\nExamples:\n  hookgen install safety --into ~/shop\n  hookgen install product-planning --plugin ~/plugins/product-planning\n  hookgen install safety --into ~/shop --dry-run\n  hookgen install safety --into ~/shop --remove"
    )]
    Install(InstallArgs),
    /// Say whether the hooks of a project would be heard, agent by agent
    #[command(
        after_help = "For each agent and each catalog that is installed: registered, trusted, program there and executable, answers a test event within its time. Ends with exit code 1 if something is wrong.\n\nExamples:\n  hookgen doctor\n  hookgen doctor --into ~/shop"
    )]
    Doctor(DoctorArgs),
    /// Run the cases that the catalogs declare, evaluated or against the shipped binaries
    #[command(
        after_help = "Examples:\n  hookgen test\n  hookgen test product-planning --filter 'spec is immutable'\n  hookgen test --json > results.json\n  hookgen test --faults\n  hookgen test --faults --filter no-git"
    )]
    Test(TestArgs),
    /// Prove the catalogs: check, test on both back ends, coverage, mutation and drift, with one summary
    #[command(
        after_help = "The summary is Markdown, for a pull request. What was proved is kept in `generated/<catalog>/docs/PROOF.md`; `--write` brings it up to date, and without it a difference is a finding.\n\nExamples:\n  hookgen ci --write\n  hookgen ci --conditions 95 --changes 90 --no-ship >> \"$GITHUB_STEP_SUMMARY\""
    )]
    Ci(CiArgs),
    /// Print the value of an expression
    #[command(
        after_help = "Without a catalog, in any folder. With `--json`, one object with `value` or `failure`. An expression that is refused gets its diagnostics, as JSON lines with `--json`. Exit code 1 if there is no value.\n\nExamples:\n  hookgen eval '1 + 2'\n  hookgen eval \"tool_input.command.commands().map(c, c.name)\" --event event.json\n  hookgen eval 'thresholds.limit * 2' --catalog safety --json"
    )]
    Eval(EvalArgs),
    /// Show step by step what a catalog makes of one event, as it is being edited
    #[command(
        after_help = "Without an event, it is read from standard input. Nothing is done to the world: hooks work on a copy of the session's state, programs that act do not start, and what would be written is only named. `--perform` does it for real.\n\nExamples:\n  hookgen trace safety event.json\n  hookgen trace specs/mine.yaml event.json --hook H01 --json\n  jq .event recording.json | hookgen trace safety"
    )]
    Trace(TraceArgs),
    /// Try a corpus of shell commands against a catalog, evaluated as it stands or shipped
    #[command(
        after_help = "Each line of the file is a JSON object with `command` and `expect`, which is `block` or `allow`; with `scope`, rows of one kind are counted by themselves.\n\nExamples:\n  hookgen corpus commands.jsonl\n  hookgen corpus commands.jsonl safety --compiled"
    )]
    Corpus(CorpusArgs),
    /// Play recorded events to a plugin, and show what it would decide
    #[command(
        after_help = "A file holds JSON lines: payloads as hooks get them, or a transcript of Claude Code, of which the calls of tools count. Hooks run in a throw-away project, so those that read files find none. With `--against`, any difference ends with exit code 1.\n\nExamples:\n  hookgen replay dist/safety ~/.claude/projects/*/*.jsonl\n  hookgen replay dist/safety events.jsonl --against old/safety"
    )]
    Replay(ReplayArgs),
    /// Print the reference of the expression language as Markdown
    #[command(after_help = "Example:\n  hookgen functions > FUNCTIONS.md")]
    Functions,
    /// Print the reference of the client's events as Markdown: fields, what can be done, an example
    #[command(after_help = "Examples:\n  hookgen events > EVENTS.md\n  hookgen events PreToolUse")]
    Events {
        /// One event, such as `PreToolUse` [default: all of them]
        name: Option<String>,
    },
    /// List the hooks
    #[command(after_help = "Examples:\n  hookgen list\n  hookgen list product-planning --json")]
    List(ListArgs),
    /// Count what hooks decided, from their audit trails
    #[command(
        after_help = "With `--format otlp`, the lines of the trails are printed as requests of OpenTelemetry's logs, one per line, as a collector's `otlpjsonfile` receiver reads them. Nothing is sent.\n\nExamples:\n  hookgen stats\n  hookgen stats --since 7d --hook S01\n  hookgen stats ~/.claude --json\n  hookgen stats --format otlp >> /var/log/hookgen/otlp.jsonl"
    )]
    Stats(StatsArgs),
    /// Make one page for the browser of what hooks decided
    #[command(
        after_help = "The page holds the decisions and needs no network: filters and counts are worked out in it. Inputs are those of the audit trail, in which secrets are redacted.\n\nExamples:\n  hookgen report\n  hookgen report ~/.claude --since 30d --out week.html"
    )]
    Report(ReportArgs),
    /// Explain one decision of the audit trail: the event, the hook, the condition, the values
    #[command(
        after_help = "Conditions are taken from the catalogs of the current folder.\n\nExamples:\n  hookgen why last\n  hookgen why 3f09ac51e2\n  hookgen why last --trail data/audit.jsonl --json"
    )]
    Why(WhyArgs),
    /// Print what completes commands in a shell
    #[command(after_help = "Example:\n  hookgen completions bash > ~/.local/share/bash-completion/completions/hookgen")]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example:\n  hookgen man > ~/.local/share/man/man1/hookgen.1")]
    Man,
    /// Print the JSON Schema of catalogs, for editors
    #[command(after_help = "Example:\n  hookgen schema > catalog.schema.json")]
    Schema,
    /// Explain a diagnostic, or list them all
    #[command(after_help = "Examples:\n  hookgen explain\n  hookgen explain HG302\n  hookgen explain unknown-field")]
    Explain {
        /// A code such as `HG302`, or its name
        code: Option<String>,
    },
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person
    Human,
    /// For programs
    Json,
    /// Annotations beside the lines of a change on GitHub
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// The XML of test reports
    Junit,
}

impl Format {
    /// What was asked for, by its name or by `--json`.
    pub(super) fn chosen(format: Option<Self>, json: bool) -> Self {
        format.unwrap_or(if json { Self::Json } else { Self::Human })
    }
}

/// Which catalogs.
#[derive(Debug, Args)]
pub(super) struct Catalogs {
    /// Catalog files, or names of catalogs in `specs/` [default: all of them]
    #[arg(value_name = "CATALOG")]
    pub(super) catalogs: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// What the catalog is called; its file is `specs/<NAME>.yaml`
    #[arg(value_name = "NAME")]
    pub(super) name: String,
}

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// Settings, a `hooks.json`, rules of hookify, or folders that hold them
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<Utf8PathBuf>,
    /// What the catalog is called; its file is `specs/<NAME>.yaml`
    #[arg(long, value_name = "NAME", default_value = "imported")]
    pub(super) name: String,
    /// Print what became of each registration as one JSON array
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct WatchArgs {
    #[command(flatten)]
    pub(super) which: Catalogs,
    /// Look once, and end
    #[arg(long)]
    pub(super) once: bool,
}

#[derive(Debug, Args)]
pub(super) struct FormatArgs {
    #[command(flatten)]
    pub(super) which: Catalogs,
    /// Name the catalogs that would change, and write nothing
    #[arg(long)]
    pub(super) check: bool,
}

#[derive(Debug, Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    pub(super) which: Catalogs,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) which: Catalogs,
    /// Let warnings fail the check
    #[arg(long)]
    pub(super) deny_warnings: bool,
    /// Print findings as JSON, one object per line; the same as `--format json`
    #[arg(long)]
    pub(super) json: bool,
    /// How findings are printed
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    pub(super) format: Option<Format>,
}

#[derive(Debug, Args)]
pub(super) struct ShipArgs {
    #[command(flatten)]
    pub(super) which: Catalogs,
    /// Folder that gets one plugin per catalog [default: `dist` in the project]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<Utf8PathBuf>,
    /// Compile without optimising: fast to make, slow to run
    #[arg(long)]
    pub(super) debug: bool,
    /// Compile nothing: the plugin holds an engine and the catalog as it runs
    #[arg(long, conflicts_with = "debug")]
    pub(super) portable: bool,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct InstallArgs {
    #[command(flatten)]
    pub(super) which: Catalogs,
    /// The project [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(super) into: Option<Utf8PathBuf>,
    /// A plugin that is there already, which gets the hooks beside its own
    #[arg(long, value_name = "DIR", conflicts_with_all = ["into", "local"])]
    pub(super) plugin: Option<Utf8PathBuf>,
    /// The agent that runs the hooks
    #[arg(long, value_name = "NAME", default_value = "claude", value_parser = agent)]
    pub(super) agent: &'static Client,
    /// Register in `settings.local.json`, for this person only
    #[arg(long)]
    pub(super) local: bool,
    /// Take the catalogs out again
    #[arg(long)]
    pub(super) remove: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Compile without optimising: fast to make, slow to run
    #[arg(long, conflicts_with = "remove")]
    pub(super) debug: bool,
    /// Compile nothing: an engine runs the catalog as it is
    #[arg(long, conflicts_with_all = ["remove", "debug"])]
    pub(super) portable: bool,
}

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// The project [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(super) into: Option<Utf8PathBuf>,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct TestArgs {
    #[command(flatten)]
    pub(super) which: Catalogs,
    /// Break the world around every hook instead, and see that `fail_safe` holds
    #[arg(long)]
    pub(super) faults: bool,
    /// Show what the cases have seen of the catalogs: every condition both ways, every effect, every row of a table. A
    /// check that decides something, and that no case has seen decide, is a finding
    #[arg(long, conflicts_with_all = ["faults", "filter", "no_ship", "compiled", "debug", "plugin", "all_backends"])]
    pub(super) coverage: bool,
    /// Change the meaning of the catalogs in many small ways, and show the changes that no case notices
    #[arg(long, conflicts_with_all = ["faults", "filter", "no_ship", "compiled", "debug", "plugin", "all_backends"])]
    pub(super) mutate: bool,
    /// Only changes of this hook
    #[arg(long, value_name = "ID", requires = "mutate")]
    pub(super) hook: Option<String>,
    /// No more changes are tried after so many seconds
    #[arg(long, value_name = "SECONDS", requires = "mutate", default_value_t = 600)]
    pub(super) budget: u64,
    /// Fail if fewer conditions in a hundred are covered, or fewer changes noticed, in any catalog
    #[arg(long, value_name = "N")]
    pub(super) fail_under: Option<f64>,
    /// Write what was covered to this file, in the format of lcov
    #[arg(long, value_name = "FILE", requires = "coverage")]
    pub(super) lcov: Option<Utf8PathBuf>,
    /// Play the cases as this agent sends and hears them
    #[arg(long, value_name = "NAME", value_parser = agent, conflicts_with_all = ["faults", "coverage", "mutate"])]
    pub(super) agent: Option<&'static Client>,
    /// Play the cases for every agent that each catalog is for
    #[arg(long, conflicts_with_all = ["faults", "coverage", "mutate", "agent"])]
    pub(super) all_agents: bool,
    /// Only cases whose catalog, hook or name holds this text; with `--faults`, only hooks or faults
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(super) filter: String,
    /// Print all results as one JSON array; the same as `--format json`
    #[arg(long)]
    pub(super) json: bool,
    /// How results are printed
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["json", "faults"])]
    pub(super) format: Option<Format>,
    /// Test the plugin in this folder instead of shipping; needs exactly one catalog
    #[arg(long, value_name = "DIR", conflicts_with_all = ["no_ship", "debug"])]
    pub(super) plugin: Option<Utf8PathBuf>,
    /// Run every case evaluated and against the shipped binaries, and compare all that came of it
    #[arg(long, conflicts_with_all = ["plugin", "compiled", "faults"])]
    pub(super) all_backends: bool,
    /// Ship first, and test the binaries that were compiled
    #[arg(long, conflicts_with = "plugin")]
    pub(super) compiled: bool,
    /// Test what `dist` holds instead of shipping first
    #[arg(long)]
    pub(super) no_ship: bool,
    /// Ship without optimising, and test that
    #[arg(long, conflicts_with = "no_ship")]
    pub(super) debug: bool,
    /// Cases at a time [default: number of processors]
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(super) struct CiArgs {
    #[command(flatten)]
    pub(super) which: Catalogs,
    /// Fail if fewer conditions in a hundred are seen both ways, in any catalog
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    pub(super) conditions: f64,
    /// Fail if fewer changes of meaning in a hundred are noticed, in any catalog
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    pub(super) changes: f64,
    /// No more changes are tried after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(super) budget: u64,
    /// Test what `dist` holds instead of shipping first
    #[arg(long)]
    pub(super) no_ship: bool,
    /// Leave out the compiled back end, for which a Rust toolchain is needed
    #[arg(long, conflicts_with = "no_ship")]
    pub(super) evaluated: bool,
    /// Write what was proved to the catalogs' documentation
    #[arg(long)]
    pub(super) write: bool,
    /// Cases at a time [default: number of processors]
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    /// The expression, in CEL
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(super) expression: String,
    /// The event whose fields it may use, as JSON; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(super) event: Option<Utf8PathBuf>,
    /// The catalog whose facts, data, documents and settings it may use, by file or name
    #[arg(long, value_name = "CATALOG")]
    pub(super) catalog: Option<String>,
    /// The hook of the catalog whose definitions and documents it may use as well
    #[arg(long, value_name = "ID", requires = "catalog")]
    pub(super) hook: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct TraceArgs {
    /// The catalog, by file or name
    #[arg(value_name = "CATALOG")]
    pub(super) catalog: String,
    /// The event as JSON [default: standard input]
    #[arg(value_name = "EVENT")]
    pub(super) event: Option<Utf8PathBuf>,
    /// Only this hook
    #[arg(long, value_name = "ID")]
    pub(super) hook: Option<String>,
    /// Do what hooks say: write documents and state, and start programs
    #[arg(long)]
    pub(super) perform: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct CorpusArgs {
    /// The corpus, as JSON lines
    #[arg(value_name = "FILE")]
    pub(super) file: Utf8PathBuf,
    /// The catalog that judges, by file or name
    #[arg(value_name = "CATALOG", default_value = "safety")]
    pub(super) catalog: String,
    /// Ship first, and try the binary that was compiled
    #[arg(long)]
    pub(super) compiled: bool,
    /// Try what `dist` holds instead of shipping first
    #[arg(long, conflicts_with = "compiled")]
    pub(super) no_ship: bool,
    /// Ship without optimising, and try that
    #[arg(long, conflicts_with = "no_ship")]
    pub(super) debug: bool,
    /// Commands at a time [default: number of processors]
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// The folder of a plugin, such as `dist/safety`
    #[arg(value_name = "PLUGIN")]
    pub(super) plugin: Utf8PathBuf,
    /// Recordings
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<Utf8PathBuf>,
    /// The agent that the payloads were recorded from
    #[arg(long, value_name = "NAME", default_value = "claude", value_parser = agent)]
    pub(super) agent: &'static Client,
    /// Show only what this plugin decides otherwise
    #[arg(long, value_name = "PLUGIN")]
    pub(super) against: Option<Utf8PathBuf>,
    /// Print a JSON array; the same as `--format json`
    #[arg(long)]
    pub(super) json: bool,
    /// How decisions are printed
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    pub(super) format: Option<Format>,
    /// Sessions at a time [default: number of processors]
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    pub(super) which: Catalogs,
    /// Print a JSON array
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    pub(super) trails: Trails,
    /// Print one JSON object
    #[arg(long, conflicts_with = "format")]
    pub(super) json: bool,
    /// Print something else than tables: the count as JSON, or the lines as OTLP
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(super) format: Option<Trail>,
}

/// What a program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Trail {
    /// The count, as one object
    Json,
    /// The lines themselves, each as a request of OTLP's logs in JSON
    Otlp,
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    pub(super) trails: Trails,
    /// The file that gets the page
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    pub(super) out: Utf8PathBuf,
}

/// Which audit trails, and which of their lines.
#[derive(Debug, Args)]
pub(super) struct Trails {
    /// An audit trail, or a folder that is searched for them [default: where hooks keep their state]
    #[arg(value_name = "FILE|FOLDER")]
    pub(super) place: Option<Utf8PathBuf>,
    /// Only what was decided since a date, or in the last days, hours or minutes, such as `7d`
    #[arg(long, value_name = "WHEN")]
    pub(super) since: Option<Since>,
    /// Only decisions of this catalog
    #[arg(long, value_name = "NAME")]
    pub(super) catalog: Option<String>,
    /// Only decisions of this hook
    #[arg(long, value_name = "ID")]
    pub(super) hook: Option<String>,
    /// Only decisions in projects whose folder holds this text
    #[arg(long, value_name = "TEXT")]
    pub(super) project: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct WhyArgs {
    /// The id of a line, or the beginning of it; `last` is the newest decision
    #[arg(value_name = "ID|last")]
    pub(super) which: Which,
    #[command(flatten)]
    pub(super) catalogs: Catalogs,
    /// An audit trail, or a folder that is searched for them [default: where hooks keep their state]
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(super) trail: Option<Utf8PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    Always,
    Never,
}

/// An agent by its name.
fn agent(name: &str) -> Result<&'static Client, String> {
    let names = || CLIENTS.iter().map(|client| client.name).collect::<Vec<_>>().join(", ");
    named(name).ok_or_else(|| format!("there is no such agent; there are {}", names()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_parses_with_its_options() {
        for line in [
            "hookgen build",
            "hookgen build a specs/b.yaml --color never",
            "hookgen --color=always check --deny-warnings --json",
            "hookgen ship a --out x --debug",
            "hookgen test a --filter H04 --json --jobs 4 --no-ship",
            "hookgen test a --plugin dist/a",
            "hookgen test --all-backends",
            "hookgen test a --coverage --lcov x.info --fail-under 95",
            "hookgen test a --mutate --hook H01 --budget 60 --format sarif",
            "hookgen ci --conditions 95 --changes 90 --no-ship",
            "hookgen replay dist/a x.jsonl --format github",
            "hookgen test a --faults --debug",
            "hookgen test --faults --filter no-git",
            "hookgen list --json",
            "hookgen corpus x.jsonl",
            "hookgen corpus x.jsonl a --no-ship --jobs 2",
            "hookgen functions",
            "hookgen eval 1",
            "hookgen trace a",
            "hookgen trace a e.json --hook H1 --json",
            "hookgen trace a - --perform",
            "hookgen eval -1 --event e.json --catalog a --hook H1 --json",
            "hookgen stats",
            "hookgen stats x/audit.jsonl --since 2026-02-04 --json",
            "hookgen stats --catalog a --hook H1 --project shop --format otlp",
            "hookgen report x --since 7d --out r.html",
            "hookgen import .claude/settings.json --name a --json",
            "hookgen watch a --once",
            "hookgen fmt --check a",
            "hookgen lsp",
            "hookgen completions zsh",
            "hookgen man",
            "hookgen why last",
            "hookgen why 3f09 safety --trail x --json",
            "hookgen schema",
            "hookgen explain",
            "hookgen explain HG302",
        ] {
            assert!(parse(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for line in [
            "hookgen",
            "hookgen bulid",
            "hookgen build --color pink",
            "hookgen test --jobs 0",
            "hookgen test --all-backends --plugin x",
            "hookgen test --plugin x --no-ship",
            "hookgen test --coverage --no-ship",
            "hookgen test --hook H01",
            "hookgen check --json --format sarif",
            "hookgen check --out x",
            "hookgen explain a b",
            "hookgen stats --since yesterday",
            "hookgen stats --json --format otlp",
            "hookgen import",
            "hookgen completions csh",
            "hookgen why",
            "hookgen why H01",
            "hookgen eval",
            "hookgen trace",
            "hookgen eval 1 --hook H1",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn every_command_shows_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("hookgen {}", command.get_name())), "{}", command.get_name());
        }
    }
}
