//! One call of the binary: the event and the world around it, read only as far as it is asked for.

use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};

use crate::client::{CLAUDE, Client};
use crate::event::Event;
use crate::git::Git;
use crate::json::Json;
use crate::made::Made;
use crate::node::{Node, Origin};
use crate::path::Places;
use crate::state::{Limit, Session, Spent, Store};
use crate::time::Timestamp;
use crate::{Attempt, Document, DocumentSpec, Text, machine, operators, path, state, surroundings};

/// The event that the client sent, and the world in which it happened.
#[derive(Debug)]
pub struct Call<'p> {
    client: &'static Client,
    event: &'static Event,
    payload: &'p Json<'p>,
    now: Timestamp,
    /// Paths as they are seen from the agent's working directory.
    places: Places,
    project_dir: OnceCell<PathBuf>,
    plugin_root: OnceCell<PathBuf>,
    git: OnceCell<Git>,
    store: Store,
    session: Session,
    refused: Cell<bool>,
    withheld: Cell<bool>,
    /// Whether somebody only wants to know what would happen.
    rehearsed: bool,
    documents: Shelf,
    made: Made,
}

/// Documents by their place, each made when it is first asked for and never moved: a list of boxes, since others hold
/// on to what they were given.
#[derive(Debug, Default)]
struct Shelf {
    document: OnceCell<Document>,
    next: OnceCell<Box<Shelf>>,
}

impl Shelf {
    fn at(&self, place: usize) -> &OnceCell<Document> {
        let mut here = self;
        for _ in 0..place {
            here = here.next.get_or_init(Box::default);
        }
        &here.document
    }
}

impl<'p> Call<'p> {
    /// A call of Claude Code with that payload, at this moment.
    pub fn new(catalog: &str, event: &'static Event, payload: &'p Json<'p>) -> Self {
        Self::by(CLAUDE, catalog, event, payload)
    }

    /// A call of that client.
    pub fn by(client: &'static Client, catalog: &str, event: &'static Event, payload: &'p Json<'p>) -> Self {
        Self::within(client, Store::open(catalog), event, payload)
    }

    /// A call whose state is in that store.
    pub(crate) fn within(client: &'static Client, store: Store, event: &'static Event, payload: &'p Json<'p>) -> Self {
        let text = |field: &str| match payload.get(field) {
            Some(Json::Text(text)) => text.to_string(),
            _ => String::new(),
        };
        let cwd = match text("cwd") {
            cwd if Path::new(&cwd).is_absolute() => PathBuf::from(cwd),
            _ => surroundings::folder().unwrap_or_default(),
        };
        let session = store.session(&text("session_id"));
        Self {
            client,
            event,
            payload,
            now: Timestamp::now(),
            places: Places::from(cwd),
            project_dir: OnceCell::new(),
            plugin_root: OnceCell::new(),
            git: OnceCell::new(),
            store,
            session,
            refused: Cell::new(false),
            withheld: Cell::new(false),
            rehearsed: false,
            documents: Shelf::default(),
            made: Made::default(),
        }
    }

    /// Who calls.
    pub fn client(&self) -> &'static Client {
        self.client
    }

    /// The event.
    pub fn event(&self) -> &'static Event {
        self.event
    }

    /// The payload.
    pub fn payload(&self) -> Node<'_> {
        Node::new(self.payload, Origin::Payload)
    }

    /// When the call began.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The agent's working directory.
    pub fn cwd(&self) -> &Path {
        self.places.base()
    }

    /// Where paths lead from there, each found out once for the call.
    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// The project: where the client was started, else the repository's top, else the working directory. A client that does
    /// not say where that is starts hooks there, while a call that names a folder of its own happens elsewhere.
    pub fn project_dir(&self) -> &Path {
        self.project_dir.get_or_init(|| match self.client.project {
            Some(variable) => match surroundings::variable(variable) {
                Some(folder) if !folder.is_empty() => PathBuf::from(folder),
                _ => top_of(self.cwd()),
            },
            None => top_of(surroundings::folder().as_deref().unwrap_or(self.cwd())),
        })
    }

    /// The plugin: the folder above the binary's own. The registration names the binary by its path, and nothing else
    /// is asked, because a project could set a variable.
    pub fn plugin_root(&self) -> &Path {
        self.plugin_root.get_or_init(|| {
            let named =
                surroundings::words().into_iter().next().map(PathBuf::from).filter(|binary| binary.is_absolute());
            let binary = named.or_else(|| std::env::current_exe().ok());
            binary.and_then(|binary| Some(machine::bin(&binary)?.parent()?.to_path_buf())).unwrap_or_default()
        })
    }

    /// The repository of the project.
    pub fn git(&self) -> &Git {
        self.git.get_or_init(|| Git::discover(self.project_dir()))
    }

    /// An environment variable; empty when it is not set or not text.
    pub fn env(&self, name: &str) -> String {
        surroundings::text(name)
    }

    /// An absolute, resolved path; relative ones start at the project. An empty path stays empty.
    pub fn project_path(&self, text: &str) -> PathBuf {
        if text.is_empty() { PathBuf::new() } else { path::resolve(self.project_dir(), text) }
    }

    /// The document at that place of the catalog, opened when it is first asked for; `path` says where it is.
    pub fn document<'t>(
        &self,
        place: usize,
        spec: &'static DocumentSpec,
        path: impl FnOnce() -> Attempt<Text<'t>>,
    ) -> Attempt<&Document> {
        let cell = self.documents.at(place);
        operators::once(cell, || Ok(Document::open(spec, self.project_path(&path()?))))
    }

    /// Whether the document at that place was asked for already.
    #[cfg(feature = "evaluate")]
    pub(crate) fn has_opened(&self, place: usize) -> bool {
        self.documents.at(place).get().is_some()
    }

    /// Keeps a value that an expression made on the spot, for as long as places in it may be asked for.
    pub fn shelve(&self, value: Json<'static>) -> &Json<'static> {
        self.made.keep(value)
    }

    /// Draws on the session's counters, all or none; where nothing may be done, only says what would come of it.
    pub fn spend(&self, key: Option<&str>, limits: &[Limit<'_>]) -> Attempt<Spent> {
        if self.is_withheld() {
            state::foreseen(&self.session, key, limits)
        } else {
            state::spend(&self.session, key, limits)
        }
    }

    /// From here on nothing may be done, or everything again: a hook that does not enforce has begun or ended.
    pub(crate) fn withhold(&self, withheld: bool) {
        self.withheld.set(withheld || self.rehearsed);
    }

    /// The same call, in which nothing is done whatever a hook's mode is, by the plugin in that folder.
    #[cfg(feature = "evaluate")]
    #[must_use]
    pub(crate) fn rehearsed(self, rehearsed: bool, plugin: PathBuf) -> Self {
        Self { rehearsed, plugin_root: OnceCell::from(plugin), ..self }
    }

    /// The same call, in which nothing is done to the world.
    #[cfg(feature = "evaluate")]
    #[must_use]
    pub fn watched(self) -> Self {
        let call = Self { rehearsed: true, ..self };
        call.withhold(true);
        call
    }

    pub(crate) fn is_rehearsed(&self) -> bool {
        self.rehearsed
    }

    /// Whether the hook at work may only look.
    pub(crate) fn is_withheld(&self) -> bool {
        self.withheld.get()
    }

    /// A hook has refused the action; those after it may want to know.
    pub(crate) fn refuse(&self) {
        self.refused.set(true);
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.refused.get()
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }
}

/// The top of the repository that a folder is in, or the folder.
fn top_of(folder: &Path) -> PathBuf {
    Git::discover(folder).root().unwrap_or(folder).to_path_buf()
}

#[cfg(all(test, feature = "evaluate"))]
mod tests {
    use super::*;
    use crate::client::named;
    use crate::surroundings::Surroundings;

    #[test]
    fn the_project_is_the_session_s_wherever_a_call_happens() {
        let event = Event::named("PreToolUse").expect("known");
        let payload = Json::parse(r#"{"cwd":"/nowhere/else"}"#).expect("valid");
        let project = |agent: &str, variables: &[(&str, &str)]| {
            let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let around = Surroundings { folder: PathBuf::from("/nowhere/shop"), variables, ..Surroundings::default() };
            let mut found = PathBuf::new();
            around.around(|| {
                let call = Call::by(named(agent).expect("known"), "test", event, &payload);
                found = call.project_dir().to_path_buf();
                0
            });
            found
        };
        for agent in ["codex", "kimi-code", "cline", "opencode"] {
            assert_eq!(project(agent, &[]), Path::new("/nowhere/shop"), "{agent}");
        }
        assert_eq!(project("gemini", &[("GEMINI_PROJECT_DIR", "/nowhere/told")]), Path::new("/nowhere/told"));
        assert_eq!(project("gemini", &[]), Path::new("/nowhere/else"));
    }
}
