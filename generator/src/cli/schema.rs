//! `hookgen schema`: the JSON Schema of catalogs.

use super::Finish;
use super::console::data;
use crate::emit::schema_output;

pub(super) fn run() -> anyhow::Result<Finish> {
    data(schema_output()?.text.trim_end())?;
    Ok(Finish::Fine)
}
