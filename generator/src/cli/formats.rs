//! What commands have found, in the formats that other tools read.

use anyhow::Context as _;

use super::args::Format;
use crate::findings::{Finding, Test, github, junit, sarif};

/// The whole output in a format of other tools; `None` for a person and for JSON, which each command has of its own.
pub(super) fn text(
    format: Format,
    findings: &[Finding],
    tests: impl FnOnce() -> Vec<Test>,
) -> anyhow::Result<Option<String>> {
    let text = match format {
        Format::Human | Format::Json => return Ok(None),
        Format::Github => github(findings),
        Format::Sarif => {
            serde_json::to_string_pretty(&sarif(findings)).context("cannot write the findings as SARIF")?
        }
        Format::Junit => junit(&tests()),
    };
    Ok(Some(text.trim_end().to_owned()))
}
