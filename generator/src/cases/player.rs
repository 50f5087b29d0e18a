//! Who plays the calls of a case: processes of the plugin's own binary, or the catalog as it stands.

use std::path::PathBuf;

use anyhow::Context as _;
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::Surroundings;
use hookgen_runtime::evaluate::Stage;
use hookgen_runtime::representation::{Archive, Representation};

use super::process::{self, Answer, End, Feed, Start};
use crate::proof::{Recorder, Seen};

/// Whoever plays calls, and the plugin that each world gets a copy of.
#[derive(Clone)]
pub struct Player {
    plugin: Utf8PathBuf,
    stage: Option<(Stage, Option<&'static Recorder>)>,
}

impl Player {
    /// The binary of the plugin in that folder, one process for each call.
    pub fn processes(plugin: Utf8PathBuf) -> Self {
        Self { plugin, stage: None }
    }

    /// A catalog as it stands, in this process. Calls refer to it as long as the process lives.
    pub fn standing(plugin: Utf8PathBuf, catalog: Representation) -> Self {
        let archive: &'static Archive = Box::leak(Box::new(Archive::of(catalog)));
        Self::evaluated(plugin, Stage::new(archive, None), None)
    }

    /// The same; the recorder, if there is one, is whom the stage is observed by.
    pub fn evaluated(plugin: Utf8PathBuf, stage: Stage, recorder: Option<&'static Recorder>) -> Self {
        Self { plugin, stage: Some((stage, recorder)) }
    }

    /// The same with another catalog, or another recorder.
    #[must_use]
    pub fn instead(&self, stage: Stage, recorder: Option<&'static Recorder>) -> Self {
        Self { plugin: self.plugin.clone(), stage: Some((stage, recorder)) }
    }

    pub(super) fn plugin(&self) -> &Utf8Path {
        &self.plugin
    }

    /// Whether the program that would be started is there.
    pub(super) fn is_ready(&self, binary: &str) -> anyhow::Result<()> {
        if self.stage.is_none() {
            let binary = self.plugin.join("bin").join(binary);
            std::fs::metadata(&binary).with_context(|| format!("`{binary}` is not there"))?;
        }
        Ok(())
    }

    /// One call: what was said, and what was seen of the catalog on the way.
    pub(super) fn call(&self, start: &Start<'_>, input: &[u8]) -> anyhow::Result<(Answer, Seen)> {
        let Some((stage, recorder)) = self.stage else {
            return Ok((process::run(start, Feed::Whole(input))?, Seen::default()));
        };
        let words = std::iter::once(start.program.as_str()).chain(start.args.iter().copied());
        let around = Surroundings {
            words: words.map(str::to_owned).collect(),
            variables: start.env.iter().cloned().collect(),
            folder: PathBuf::from(start.folder.as_str()),
            input: input.to_vec(),
        };
        // How long this process takes says nothing of how long the client would have to wait; binaries are held to that.
        let heard = stage.play(around);
        let seen = recorder.map(Recorder::take).unwrap_or_default();
        Ok((
            match heard {
                Some(heard) => Answer {
                    end: End::Exited(heard.exit.into()),
                    stdout: heard.stdout.into_bytes(),
                    stderr: heard.stderr.into_bytes(),
                },
                None => Answer::default(),
            },
            seen,
        ))
    }
}
