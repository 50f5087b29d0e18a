//! The command line, as data.

mod catalogs;
mod plugins;
mod proof;
mod trails;

pub(super) use catalogs::{BuildArgs, CheckArgs, FormatArgs, ImportArgs, InitArgs, ListArgs, WatchArgs};
pub(super) use plugins::{DoctorArgs, InstallArgs, RolloutArgs, ShipArgs};
pub(super) use proof::{CiArgs, CorpusArgs, EvalArgs, ReplayArgs, TestArgs, TraceArgs};
pub(super) use trails::{ReportArgs, StatsArgs, Trail, Trails, WhyArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use hookgen_runtime::client::{CLIENTS, Client, named};

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
    #[command(after_help = "Examples:\n  hookgen init my-guards\n  hookgen init --ci")]
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
        after_help = "A folder that hookgen did not make, a repository and the workspace itself are refused. What operators have edited or added in a plugin's folder stays; the new version of an edited setting lies beside it as `<name>.new`.\n\nFor several kinds of machines, `bin/NAME` picks the program; where there is none, it refuses for hooks that are closed and lets pass for those that are open, and says so. A program that was built elsewhere must be for its machine and of this very catalog.\n\nExamples:\n  hookgen ship\n  hookgen ship product-planning --out /srv/plugins\n  hookgen ship --marketplace acme-guards --portable\n  hookgen ship safety --target all --binaries built"
    )]
    Ship(ShipArgs),
    /// Write the managed settings that put a marketplace's plugins to work on every machine of a company
    #[command(
        after_help = "The settings go where administrators alone can write; the page in `--out` says where that is. Catalogs of several teams are held against each other: what they would do to each other ends with exit code 1. Nothing is sent anywhere.\n\nExamples:\n  hookgen rollout safety --marketplace acme-guards --source github:acme/guards\n  hookgen rollout specs/a.yaml ../b/specs/b.yaml --marketplace acme-guards --source git:ssh://git@git.acme/guards.git@v1 --out rollout"
    )]
    Rollout(RolloutArgs),
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
        after_help = "Without a catalog, in any folder. With `--json`, one object with `value` or `failure`. An expression that is refused gets its diagnostics, as JSON lines with `--json`. Exit code 1 if there is no value. What acts on the world (`run`, `removeOld`) has a value only with `--perform`.\n\nExamples:\n  hookgen eval '1 + 2'\n  hookgen eval \"tool_input.command.commands().map(c, c.name)\" --event event.json\n  hookgen eval 'thresholds.limit * 2' --catalog safety --json"
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
        after_help = "A file holds payloads as hooks get them (of `--agent`), an audit trail, or a transcript of Claude Code, Codex or Gemini, of which prompts, calls and results count. What a transcript looks like is documented by none of them: lines of another shape are passed over. Hooks run in a throw-away project, so those that read files find none. With `--against`, any change ends with exit code 1.\n\nExamples:\n  hookgen replay safety ~/.claude/projects ~/.codex/sessions\n  hookgen replay dist/safety events.jsonl --against old/safety\n  hookgen replay safety trail.jsonl --against dist/safety --since 30d --part 1/4"
    )]
    Replay(ReplayArgs),
    /// Tell whether any event of a shape could be refused, by which checks, with an example
    #[command(
        after_help = "Exit code 0: none can. 1: some can, or nobody knows that they cannot.\n\nExamples:\n  hookgen can Write\n  hookgen can '{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"git push\"}}' safety"
    )]
    Can(super::can::CanArgs),
    /// Say in words what changed between two catalogs, with events that show it
    #[command(
        after_help = "Events are those of the cases of both, and one made for each check; they are played in an empty project. Any change ends with exit code 1.\n\nExamples:\n  hookgen diff main specs/safety.yaml\n  hookgen diff v1.0:specs/safety.yaml specs/safety.yaml > change.md"
    )]
    Diff(super::diff::DiffArgs),
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
            "hookgen ship a --marketplace m --archives https://files.acme/guards --portable",
            "hookgen init --ci",
            "hookgen init a --ci",
            "hookgen rollout a --marketplace m --source github:acme/guards@v1 --only-marketplace --out r",
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
            "hookgen init",
            "hookgen ship --archives https://files.acme/guards",
            "hookgen rollout --marketplace m --source somewhere",
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
