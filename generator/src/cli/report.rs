//! `hookgen report`: one page for the browser of what hooks decided.

use std::fs;

use anyhow::Context as _;

use super::args::ReportArgs;
use super::console::{count, data, talk};
use super::stats::found;
use super::{Finish, current_folder};
use crate::report::page;
use crate::stats;

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Finish> {
    let (place, trails) = found(&args.trails)?;
    let (lines, broken) = stats::lines(&trails, &args.trails.chosen())?;
    if lines.is_empty() {
        talk(format!("no decisions in {place}"));
    }
    if broken > 0 {
        talk(format!("{} made no sense", count(usize::try_from(broken).unwrap_or(usize::MAX), "line")));
    }
    let file = current_folder()?.join(&args.out);
    fs::write(&file, page(&lines, "hookgen report")?).with_context(|| format!("cannot write `{}`", args.out))?;
    data(&args.out)?;
    talk(format!("{} of {}", count(lines.len(), "decision"), count(trails.len(), "trail")));
    Ok(Finish::Fine)
}
