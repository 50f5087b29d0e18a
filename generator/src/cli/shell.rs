//! `hookgen completions` and `hookgen man`: from the same source as `--help`.

use std::io::Write as _;

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Finish;
use super::args::Cli;
use super::console::data;

pub(super) fn completions(shell: Shell) -> anyhow::Result<Finish> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hookgen", &mut out);
    data(String::from_utf8(out).context("the completions are not UTF-8")?.trim_end())?;
    Ok(Finish::Fine)
}

/// One page: hookgen, then each command with its options.
pub(super) fn man() -> anyhow::Result<Finish> {
    let command = Cli::command();
    let mut out = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut out).context("cannot make the page")?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        writeln!(out, ".SH \"HOOKGEN {}\"", sub.get_name().to_uppercase()).context("cannot make the page")?;
        let man = clap_mangen::Man::new(sub.clone());
        man.render_description_section(&mut out).context("cannot make the page")?;
        man.render_options_section(&mut out).context("cannot make the page")?;
    }
    data(String::from_utf8(out).context("the page is not UTF-8")?.trim_end())?;
    Ok(Finish::Fine)
}
