//! The command line: one file per command, all of them over the same load of the catalogs.

mod args;
mod beside;
mod build;
mod can;
mod check;
mod ci;
mod console;
mod corpus;
mod diff;
mod doctor;
mod eval;
mod explain;
mod fold;
mod format;
mod formats;
mod functions;
mod import;
mod init;
mod install;
mod install_agent;
mod list;
mod lsp;
mod machines;
mod neighbours;
mod progress;
mod prove;
mod replay;
mod report;
mod rollout;
mod schema;
mod shell;
mod ship;
mod stats;
mod test;
mod trace;
mod watch;
mod why;

pub use args::Cli;

use std::process::ExitCode;

use anyhow::Context as _;
use camino::Utf8PathBuf;

use crate::diagnostic::render;
use crate::workspace::{self, Loaded, Project};
use args::{Color, Command};
use console::{Gone, talk};

/// How a command ended, for whoever started hookgen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    Fine,
    /// Errors in a catalog, drift or failed cases.
    Findings,
    CouldNotRun,
}

impl From<Finish> for ExitCode {
    fn from(finish: Finish) -> Self {
        match finish {
            Finish::Fine => Self::SUCCESS,
            Finish::Findings => Self::from(1),
            Finish::CouldNotRun => Self::from(2),
        }
    }
}

impl Finish {
    fn of(findings: bool) -> Self {
        if findings { Self::Findings } else { Self::Fine }
    }
}

/// Runs the command. What keeps it from running is told here, and nowhere else.
pub fn run(cli: Cli) -> Finish {
    match cli.color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let finish = match cli.command {
        Command::Init(args) => init::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Build(args) => build::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Fmt(args) => format::run(&args),
        Command::Lsp => lsp::run(),
        Command::Ship(args) => ship::run(&args),
        Command::Rollout(args) => rollout::run(&args),
        Command::Install(args) => install::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Ci(args) => ci::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Corpus(args) => corpus::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Can(args) => can::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Functions => functions::functions(),
        Command::Events { name } => functions::events(name.as_deref()),
        Command::List(args) => list::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Why(args) => why::run(&args),
        Command::Schema => schema::run(),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man => shell::man(),
        Command::Explain { code } => explain::run(code.as_deref()),
    };
    match finish {
        Ok(finish) => finish,
        Err(error) if error.is::<Gone>() => Finish::Fine,
        Err(error) => {
            talk(format!("{}error{}: {error:#}", ERROR.render(), ERROR.render_reset()));
            Finish::CouldNotRun
        }
    }
}

const ERROR: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();

/// The projects of the catalogs that were asked for.
fn projects(catalogs: &[String]) -> anyhow::Result<Vec<Project>> {
    workspace::find(&current_folder()?, catalogs)
}

fn current_folder() -> anyhow::Result<Utf8PathBuf> {
    let current = std::env::current_dir().context("cannot tell the current folder")?;
    Utf8PathBuf::try_from(current).context("the current folder's name is not UTF-8")
}

/// Compiles every project and shows all that is wrong, at once.
fn load(projects: &[Project]) -> Vec<Loaded<'_>> {
    let loaded: Vec<_> = projects.iter().map(Loaded::new).collect();
    let diagnostics: Vec<_> = loaded.iter().flat_map(|loaded| loaded.diagnostics.iter().cloned()).collect();
    let text = render(&diagnostics, true);
    if !text.is_empty() {
        talk(text.trim_end());
    }
    loaded
}
