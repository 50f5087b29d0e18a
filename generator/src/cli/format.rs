//! `hookgen fmt`: the text of catalogs in one form.

use std::fs;

use anyhow::Context as _;

use super::args::FormatArgs;
use super::console::{data, talk};
use super::{Finish, projects};
use crate::diagnostic::render;
use crate::disk;
use crate::layout::laid_out;

pub(super) fn run(args: &FormatArgs) -> anyhow::Result<Finish> {
    let (mut broken, mut uneven) = (false, false);
    for project in &projects(&args.which.catalogs)? {
        for spec in &project.specs {
            let text = fs::read_to_string(&spec.path).with_context(|| format!("cannot read `{}`", spec.shown))?;
            match laid_out(&spec.shown, &text) {
                Ok(out) if out == text => {}
                Ok(_) if args.check => {
                    data(&spec.shown)?;
                    uneven = true;
                }
                Ok(out) => {
                    // In one step, so that whoever is interrupted has the old text or the new; a link stays one.
                    let path = spec.path.canonicalize_utf8().unwrap_or_else(|_| spec.path.clone());
                    disk::write(&path, out).with_context(|| format!("cannot write `{}`", spec.shown))?;
                    data(&spec.shown)?;
                }
                Err(diagnostics) => {
                    talk(render(&diagnostics, true).trim_end());
                    broken = true;
                }
            }
        }
    }
    if uneven {
        talk("run `hookgen fmt`");
    }
    Ok(Finish::of(broken || uneven))
}
