//! A corpus of shell commands with the verdict that each should get, tried against a plugin.

use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Context as _, bail};
use camino::Utf8Path;
use hookgen_runtime::{Event, Running};
use serde::Deserialize;
use serde_json::json;

use super::process::{self, Feed, Start};
use super::reply::{Reply, strength};
use super::world::World;
use crate::catalog::{Decision, Given};
use crate::model;
use crate::parallel;

/// The tool whose commands a corpus holds.
const TOOL: &str = "Bash";

/// One row of a corpus.
#[derive(Debug, Clone, Deserialize)]
pub struct Row {
    pub command: String,
    pub expect: Verdict,
    /// What kind of row it is.
    #[serde(default)]
    pub scope: String,
}

/// What a row should come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Block,
    Allow,
}

/// Reads JSON lines; blank ones are skipped.
pub fn read(text: &str) -> anyhow::Result<Vec<Row>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| serde_json::from_str(line).with_context(|| format!("line {} is no row of a corpus", at + 1)))
        .collect()
}

/// The hooks of a catalog that judge a command before it runs.
#[derive(Debug)]
pub struct Judges {
    binary: String,
    event: &'static Event,
    hooks: Vec<(String, Duration)>,
}

impl Judges {
    /// The command hooks that fire before the tool.
    pub fn new(catalog: &model::Catalog) -> anyhow::Result<Self> {
        let judges = catalog.hooks.iter().filter(|hook| {
            hook.kind == model::Kind::Command
                && hook.event.name == "PreToolUse"
                && hook.matcher.as_ref().is_none_or(|matcher| matcher.fits(TOOL))
        });
        let hooks: Vec<_> =
            judges.map(|hook| (hook.id.clone(), Duration::from_millis(hook.timeout_ms.into()))).collect();
        let (false, Some(event)) = (hooks.is_empty(), Event::named("PreToolUse")) else {
            bail!("no hook of `{}` fires before `{TOOL}`", catalog.name);
        };
        Ok(Self { binary: catalog.binary.clone(), event, hooks })
    }

    /// The strongest decision on each row, in their order.
    pub fn judge(&self, plugin: &Utf8Path, rows: &[Row], jobs: NonZeroUsize) -> anyhow::Result<Vec<Decision>> {
        let world = || World::make(plugin, &Given::default());
        let decide = |world: &mut anyhow::Result<World>, row: &Row| match world {
            Ok(world) => self.decide(world, row),
            Err(error) => Err(anyhow::anyhow!("{error:#}")),
        };
        parallel::map_with(rows, jobs, world, decide).into_iter().collect()
    }

    fn decide(&self, world: &World, row: &Row) -> anyhow::Result<Decision> {
        let program = world.plugin.join("bin").join(&self.binary);
        let env = world.env(self.event);
        let input = json!({
            "session_id": "corpus",
            "transcript_path": world.transcript.as_str(),
            "cwd": world.project.as_str(),
            "hook_event_name": self.event.name,
            "permission_mode": "default",
            "tool_name": TOOL,
            "tool_input": { "command": row.command },
        })
        .to_string();
        let home = world.home_argument();
        let mut decision = Decision::Pass;
        for (hook, timeout) in &self.hooks {
            let start = Start {
                program: &program,
                args: &[hook.as_str(), &home],
                folder: &world.project,
                env: &env,
                timeout: *timeout,
                user: None,
            };
            let reply =
                Reply::read(self.event, Running::Awaited, &process::run(&start, Feed::Whole(input.as_bytes()))?);
            if let Some(fault) = reply.faults.first() {
                bail!("`{}` was answered badly: {fault}", row.command);
            }
            if strength(reply.decision) > strength(decision) {
                decision = reply.decision;
            }
        }
        Ok(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_line_by_line() {
        let rows =
            read("{\"command\":\"ls\",\"expect\":\"allow\",\"more\":1}\n\n{\"command\":\"x\",\"expect\":\"block\"}\n");
        let rows = rows.expect("rows");
        assert_eq!((rows[0].expect, rows[1].command.as_str()), (Verdict::Allow, "x"));
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let error = read("{\"command\":\"ls\",\"expect\":\"allow\"}\n{}\n").expect_err("bad");
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
