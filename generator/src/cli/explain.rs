//! `hookgen explain`: what a diagnostic means, why it matters, and how to mend it.

use anyhow::bail;

use super::Finish;
use super::console::data;
use crate::diagnostic::{Code, did_you_mean};

pub(super) fn run(code: Option<&str>) -> anyhow::Result<Finish> {
    match code {
        Some(text) => data(find(text)?.page().trim_end())?,
        None => list().iter().try_for_each(data)?,
    }
    Ok(Finish::Fine)
}

fn find(text: &str) -> anyhow::Result<Code> {
    if let Some(code) = Code::find(text) {
        return Ok(code);
    }
    match did_you_mean(text, Code::ALL.iter().flat_map(|code| [code.name(), code.id()])) {
        Some(near) => bail!("no diagnostic is called `{text}`; did you mean `{near}`?"),
        None => bail!("no diagnostic is called `{text}`; `hookgen explain` lists them all"),
    }
}

/// All codes with their names and summaries, aligned.
fn list() -> Vec<String> {
    let width = Code::ALL.iter().map(|code| code.name().len()).max().unwrap_or_default();
    Code::ALL.iter().map(|code| format!("{}  {:<width$}  {}", code.id(), code.name(), code.summary())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_by_id_or_name_in_any_case() {
        for text in ["HG302", "hg302", "unknown-field"] {
            assert_eq!(find(text).expect("found").id(), "HG302", "{text}");
        }
    }

    #[test]
    fn a_slip_gets_a_suggestion_and_nonsense_the_list() {
        let error = |text: &str| find(text).expect_err(text).to_string();
        assert_eq!(error("unkown-field"), "no diagnostic is called `unkown-field`; did you mean `unknown-field`?");
        assert!(error("weather").contains("lists them all"));
    }

    #[test]
    fn every_code_is_listed_once() {
        assert_eq!(list().len(), Code::ALL.len());
        assert!(list().iter().any(|line| line.starts_with("HG006  duplicate-key ")));
    }
}
