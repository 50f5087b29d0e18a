//! `hookgen functions`: the reference of the expression language.

use super::Finish;
use super::console::data;
use crate::emit::functions_output;

pub(super) fn run() -> anyhow::Result<Finish> {
    data(functions_output().text.trim_end())?;
    Ok(Finish::Fine)
}
