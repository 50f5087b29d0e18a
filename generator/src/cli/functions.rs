//! `hookgen functions` and `hookgen events`: the references of the expression language and of the client's events.

use anyhow::bail;

use super::Finish;
use super::console::data;
use crate::diagnostic::did_you_mean;
use crate::emit::{event_names, event_section, events_output, functions_output};

pub(super) fn functions() -> anyhow::Result<Finish> {
    data(functions_output().text.trim_end())?;
    Ok(Finish::Fine)
}

/// All events, or the one of that name.
pub(super) fn events(name: Option<&str>) -> anyhow::Result<Finish> {
    let Some(name) = name else {
        data(events_output().text.trim_end())?;
        return Ok(Finish::Fine);
    };
    let Some(section) = event_section(name) else {
        match did_you_mean(name, event_names()) {
            Some(known) => bail!("there is no event `{name}`; did you mean `{known}`?"),
            None => {
                bail!("there is no event `{name}`; the events are {}", event_names().collect::<Vec<_>>().join(", "))
            }
        }
    };
    data(section)?;
    Ok(Finish::Fine)
}
