//! Examples put to the test: an event is played to hooks in a world without anything in it, and nothing is done.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use hookgen_runtime::Surroundings;
use hookgen_runtime::client::claude::places::PROJECT;
use hookgen_runtime::evaluate::{Observer, Rehearsal, Rehearsed, Value as Worked};
use hookgen_runtime::representation::{Archive, Check, Expr, Op, Patch, Representation, Span, Text, Type};
use hookgen_runtime::{Attempt, Event};
use serde_json::{Value, json};

use super::example::Example;

/// How many scenes are kept: one for each case of a large hook.
const KEPT: usize = 512;

/// A catalog, and the world that its hooks find.
pub struct Theatre {
    archive: &'static Archive,
    folder: tempfile::TempDir,
    /// What has been played. Findings about one hook ask for the same events, and nothing is left behind by any.
    scenes: RefCell<Scenes>,
}

/// Scenes by the hooks and the example that they are of; `None` where nothing could be played.
type Scenes = BTreeMap<(Vec<usize>, String), Option<Rc<Scene>>>;

/// What hooks made of an example.
#[derive(Debug, Default)]
pub struct Scene {
    /// The checks that were looked at, by hook and place, and whether they took effect.
    pub checks: BTreeMap<(usize, String), bool>,
    /// Conditions that were worked out, by where they are in memory.
    values: BTreeMap<usize, bool>,
    /// What each hook decided: its place, the word of the log, the check, the reason.
    pub decided: Vec<(usize, &'static str, Option<String>, String)>,
}

impl Scene {
    /// Whether a check took effect.
    pub fn fired(&self, hook: usize, check: &str) -> bool {
        self.checks.get(&(hook, check.to_owned())) == Some(&true)
    }

    /// Whether a check was looked at and took no effect, or another one decided before it.
    pub fn went_past(&self, hook: usize, check: &str) -> bool {
        match self.checks.get(&(hook, check.to_owned())) {
            Some(fired) => !fired,
            None => self.decided.iter().any(|(place, _, by, _)| *place == hook && by.is_some()),
        }
    }

    /// What an expression of the archive came to.
    pub fn value(&self, expr: &Expr) -> Option<bool> {
        self.values.get(&(std::ptr::from_ref(expr) as usize)).copied()
    }

    /// What a hook decided, in the words of the log.
    pub fn word(&self, hook: usize) -> Option<&'static str> {
        self.decided.iter().find(|decided| decided.0 == hook).map(|decided| decided.1)
    }
}

impl Theatre {
    /// The catalog lasts as long as the process, as whoever evaluates one wants it.
    pub fn new(whole: Representation) -> anyhow::Result<Self> {
        let folder = crate::scratch::folder_on_disk("example")?;
        Ok(Self { archive: Box::leak(Box::new(Archive::of(whole))), folder, scenes: RefCell::default() })
    }

    /// The catalog as it is played.
    pub fn archive(&self) -> &'static Archive {
        self.archive
    }

    /// The texts of a hook that are conditions or may hold some.
    pub fn texts(&self, hook: usize) -> Vec<&'static Text> {
        let Ok(parts) = self.archive.hook(hook) else { return Vec::new() };
        let own = (0..parts.definitions()).filter_map(|place| self.archive.definition(hook, place).ok());
        let checks = (0..parts.checks()).filter_map(|place| self.archive.check(hook, place).ok()?.when.as_ref());
        parts.gate().into_iter().chain(own.map(|definition| &definition.text)).chain(checks).collect()
    }

    /// What these hooks make of an event.
    pub fn play(&self, event: &'static Event, hooks: &[usize], example: &Example) -> Option<Rc<Scene>> {
        let asked = (hooks.to_vec(), format!("{} {}", event.name, Value::Object(example.0.clone())));
        if let Some(scene) = self.scenes.borrow().get(&asked) {
            return scene.clone();
        }
        let scene = self.play_to(self.archive, event, hooks, example).map(Rc::new);
        let mut kept = self.scenes.borrow_mut();
        if kept.len() < KEPT {
            kept.insert(asked, scene.clone());
        }
        scene
    }

    /// The same with one check of a hook that never takes effect.
    pub fn play_without(&self, event: &'static Event, hook: usize, check: usize, example: &Example) -> Option<Scene> {
        let mut without = self.archive.check(hook, check).ok()?.clone();
        let never = Expr { op: Op::Bool(false), ty: Type::Bool, span: Span::default() };
        without.when = Some(Text { source: String::new(), value: never });
        let archive = Archive::with(self.archive, Patch::Checks(hook, vec![(check, without)])).ok()?;
        self.play_to(Box::leak(Box::new(archive)), event, &[hook], example)
    }

    fn play_to(
        &self,
        archive: &'static Archive,
        event: &'static Event,
        hooks: &[usize],
        example: &Example,
    ) -> Option<Scene> {
        let root = self.folder.path().to_path_buf();
        let [project, home, state] = ["project", "home", "state"].map(|name| root.join(name));
        std::fs::create_dir_all(&project).ok()?;
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        let mut payload = json!({
            "session_id": "6f0c2f4e-3f0d-4a53-9a55-1d6a3b1c7e90",
            "transcript_path": text(&root.join("transcript.jsonl")),
            "cwd": text(&project),
            "permission_mode": "default",
            "hook_event_name": event.name,
        });
        let fields = crate::catalog::map_text(&Value::Object(example.0.clone()), &|said: &str| {
            said.replace("$PROJECT", &text(&project)).replace("$HOME", &text(&home))
        });
        if let (Some(payload), Value::Object(fields)) = (payload.as_object_mut(), fields) {
            payload.extend(fields);
        }
        let rehearsal = Rehearsal {
            archive,
            event,
            hooks: hooks.to_vec(),
            plugin: root.join("plugin"),
            state: Some(state),
            perform: false,
        };
        let around = Surroundings {
            words: vec!["hookgen".to_owned()],
            variables: [("HOME".to_owned(), text(&home)), (PROJECT.to_owned(), text(&project))].into(),
            folder: project.clone(),
            input: Vec::new(),
        };
        let watch = Watch::default();
        let Rehearsed { hooks, .. } = rehearsal.go_in(around, payload.to_string().into_bytes(), &watch)?;
        let mut scene = watch.scene.into_inner();
        // The world of another catalog lies elsewhere, and is the same.
        let bare = |reason: &str| {
            let reason = reason.replace(&text(&project), "$PROJECT").replace(&text(&home), "$HOME");
            reason.replace(&text(&root), "")
        };
        for account in hooks {
            let said = account.said.into_iter();
            scene.decided.extend(said.map(|said| (account.hook, said.decision, said.check, bare(&said.reason))));
        }
        Some(scene)
    }
}

#[derive(Default)]
struct Watch {
    hook: RefCell<usize>,
    scene: RefCell<Scene>,
}

impl Observer for Watch {
    fn hook(&self, place: usize) {
        self.hook.replace(place);
    }

    fn value(&self, expr: &Expr, value: &Attempt<Worked<'_>>) {
        if let Ok(Worked::Bool(holds)) = value {
            self.scene.borrow_mut().values.insert(std::ptr::from_ref(expr) as usize, *holds);
        }
    }

    fn check(&self, check: &Check, holds: &Attempt<bool>) {
        if let Ok(holds) = holds {
            self.scene.borrow_mut().checks.insert((*self.hook.borrow(), check.id.clone()), *holds);
        }
    }
}
