//! One session's named values: read whole, changed under a lock, replaced by rename.

use std::cell::{Cell, RefCell};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::files::{self, Links};
use super::store::Store;
use super::{lock, name, prune};
use crate::{Attempt, Failure, Json, signals};

/// The state of one session.
#[derive(Debug)]
pub struct Session {
    store: Store,
    folder: PathBuf,
    /// The folders are there and were checked; once per process is enough, since only this user can change them.
    prepared: Cell<bool>,
    /// How long a lock is waited for.
    patience: Cell<Duration>,
    notes: RefCell<Vec<String>>,
}

impl Session {
    pub(super) fn new(store: Store, folder_name: String) -> Self {
        let folder = sessions(&store).join(folder_name);
        let patience = Cell::new(lock::PATIENCE);
        Self { store, folder, prepared: Cell::new(false), patience, notes: RefCell::default() }
    }

    /// Its folder, which may not be there yet.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What happened to the state that a person should know: values that were damaged and started afresh.
    pub fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    /// Whether this call has looked at the session's folder and found it there.
    pub(crate) fn is_in_use(&self) -> bool {
        self.prepared.get()
    }

    /// From now on, a lock that is not free at once is as good as lost.
    pub(crate) fn hurry(&self) {
        self.patience.set(lock::HASTE);
    }

    /// From now on, a lock is waited for no longer than this.
    pub(crate) fn wait_at_most(&self, longest: Duration) {
        self.patience.set(self.patience.get().min(longest));
    }

    /// The value as the last update left it; null when there is none or it is damaged.
    pub fn read(&self, name: &str) -> Attempt<Json<'static>> {
        if !self.is_there()? {
            return Ok(Json::Null);
        }
        let file = self.file(name, "json");
        let loaded = load(&file)?;
        if loaded.damage.is_some() {
            // Under the lock, since somebody may be replacing it right now. Otherwise it would be damaged in every call.
            return self.update(name, |value| Ok((value.clone(), value)));
        }
        if loaded.text.is_some() {
            prune::keep(&file, SystemTime::now());
        }
        Ok(loaded.value)
    }

    /// Reads, changes and replaces a value, with no other process in between.
    ///
    /// A value that is missing or damaged is handed to `change` as null. When `change` fails, nothing is written.
    pub fn update<T>(
        &self,
        name: &str,
        change: impl FnOnce(Json<'static>) -> Attempt<(Json<'static>, T)>,
    ) -> Attempt<T> {
        self.prepare()?;
        let lock = lock::acquire(&self.file(name, "lock"), self.patience.get())?;
        // Pruning goes by age, and a call that changes nothing is use as well.
        let _ = lock.set_modified(SystemTime::now());

        let file = self.file(name, "json");
        let loaded = load(&file)?;
        if let Some(damage) = loaded.damage {
            self.set_aside(&file, &self.file(name, "damaged"), &damage)?;
        }
        let (value, result) = change(loaded.value)?;
        let after = format!("{value}\n");
        if loaded.text.as_deref() != Some(after.as_str()) {
            replace(&file, &self.file(name, "tmp"), &after)
                .map_err(|error| Failure::state(format_args!("`{}` cannot be written", file.display()), &error))?;
        }
        drop(lock);
        Ok(result)
    }

    /// Creates the session's folder if needed and makes sure that it can be trusted.
    pub(crate) fn prepare(&self) -> Attempt<()> {
        if self.is_there()? {
            return Ok(());
        }
        self.store.prepare()?;
        let sessions = sessions(&self.store);
        files::create_folder(&sessions)?;
        files::check_folder(&sessions, Links::Refused)?;
        if files::create_folder(&self.folder)? {
            prune::prune(&sessions, SystemTime::now());
        }
        files::check_folder(&self.folder, Links::Refused)?;
        self.prepared.set(true);
        Ok(())
    }

    fn is_there(&self) -> Attempt<bool> {
        if !self.prepared.get() {
            let there = self.store.is_there()?
                && files::check_folder(&sessions(&self.store), Links::Refused)?
                && files::check_folder(&self.folder, Links::Refused)?;
            self.prepared.set(there);
        }
        Ok(self.prepared.get())
    }

    fn file(&self, name: &str, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", name::encode(name)))
    }

    /// Keeps a damaged file for whoever looks into it, and makes room for a new one.
    fn set_aside(&self, file: &Path, aside: &Path, damage: &str) -> Attempt<()> {
        self.notes.borrow_mut().push(format!("`{}` is damaged and counts as empty: {damage}", file.display()));
        fs::rename(file, aside)
            .map_err(|error| Failure::state(format_args!("`{}` cannot be set aside", file.display()), &error))
    }
}

/// A value as its file has it.
struct Loaded {
    /// None when the file is missing or damaged.
    text: Option<String>,
    value: Json<'static>,
    /// Why the file is of no use.
    damage: Option<String>,
}

fn load(file: &Path) -> Attempt<Loaded> {
    let bytes = files::read(file)
        .map_err(|error| Failure::state(format_args!("`{}` cannot be read", file.display()), &error))?;
    let nothing = |damage| Loaded { text: None, value: Json::Null, damage };
    let Some(bytes) = bytes else { return Ok(nothing(None)) };
    let parsed = String::from_utf8(bytes).map_err(|error| error.to_string()).and_then(|text| {
        let value = Json::parse(&text)?.into_owned();
        Ok(Loaded { text: Some(text), value, damage: None })
    });
    Ok(parsed.unwrap_or_else(|damage| nothing(Some(damage))))
}

fn sessions(store: &Store) -> PathBuf {
    store.folder().join("sessions")
}

/// Replaces a file in one step. The caller holds the lock, so the temporary file has one writer at a time, and one
/// that is already there was left by a process that was killed.
///
/// Nothing is flushed to the disk: a kill cannot undo what the system has taken over, and a flush would cost more
/// than the hook itself.
fn replace(file: &Path, temporary: &Path, text: &str) -> io::Result<()> {
    signals::outlive_file_size_limit();
    match fs::remove_file(temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let written = files::open(temporary, OpenOptions::new().write(true).create_new(true))
        .and_then(|mut new| new.write_all(text.as_bytes()))
        .and_then(|()| fs::rename(temporary, file));
    if written.is_err() {
        let _ = fs::remove_file(temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::Instant;

    use tempfile::TempDir;

    use super::*;

    const COUNTER: &str = "HOOKGEN_TEST_COUNTER";

    fn store() -> (TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("state"));
        (folder, store)
    }

    fn add_one(session: &Session, name: &str) -> Attempt<i64> {
        session.update(name, |value| {
            let next = if let Json::Int(number) = value { number + 1 } else { 1 };
            Ok((Json::Int(next), next))
        })
    }

    #[test]
    fn what_one_call_writes_the_next_one_reads() {
        let (_folder, store) = store();
        assert_eq!(add_one(&store.session("a"), "n"), Ok(1));
        assert_eq!(add_one(&store.session("a"), "n"), Ok(2));
        assert_eq!(store.session("a").read("n"), Ok(Json::Int(2)));
        assert_eq!(store.session("b").read("n"), Ok(Json::Null));
        assert_eq!(store.session("a").read("m"), Ok(Json::Null));
    }

    #[test]
    fn a_failed_change_writes_nothing() {
        let (_folder, store) = store();
        let session = store.session("a");
        add_one(&session, "n").expect("written");
        let failed = session.update::<()>("n", |_| Err(Failure::Document("no".to_owned())));
        assert_eq!(failed, Err(Failure::Document("no".to_owned())));
        assert_eq!(session.read("n"), Ok(Json::Int(1)));
    }

    #[test]
    fn a_damaged_value_starts_afresh_and_says_so() {
        let (_folder, store) = store();
        for damage in [&b""[..], b"{\"a\":", b"\xff\xfe", b"1 2", b"\0\0\0"] {
            let session = store.session("a");
            add_one(&session, "n").expect("written");
            fs::write(session.file("n", "json"), damage).expect("damaged");
            assert_eq!(add_one(&session, "n"), Ok(1));
            assert_eq!(session.notes().len(), 1, "{damage:?}");
            assert_eq!(session.read("n"), Ok(Json::Int(1)));
            assert_eq!(fs::read(session.file("n", "damaged")).expect("kept for a look"), damage);
            fs::remove_file(session.file("n", "json")).expect("removed");
        }
        assert!(store.session("a").notes().is_empty());
    }

    #[test]
    fn damage_that_is_only_read_is_told_of_once_and_then_gone() {
        let (_folder, store) = store();
        let session = store.session("a");
        add_one(&session, "n").expect("written");
        fs::write(session.file("n", "json"), "{").expect("damaged");
        assert_eq!(session.read("n"), Ok(Json::Null));
        assert_eq!(session.notes().len(), 1);
        let next = store.session("a");
        assert_eq!(next.read("n"), Ok(Json::Null));
        assert!(next.notes().is_empty(), "{:?}", next.notes());
    }

    #[test]
    fn leftovers_of_a_killed_process_do_not_matter_and_go() {
        let (_folder, store) = store();
        let session = store.session("a");
        add_one(&session, "n").expect("written");
        fs::write(session.file("n", "tmp"), "{\"half").expect("left over");
        assert_eq!(session.read("n"), Ok(Json::Int(1)));
        assert_eq!(add_one(&session, "n"), Ok(2));
        assert!(!session.file("n", "tmp").exists());
    }

    #[test]
    fn a_kill_at_any_instant_leaves_the_old_value_or_the_new() {
        let (_folder, store) = store();
        let mut last = 0;
        for round in 0..8 {
            let mut child = Command::new(std::env::current_exe().expect("this test"))
                .args(["--exact", "state::session::tests::a_child_process_counts_without_end_when_asked_to"])
                .env(COUNTER, store.folder())
                .stdout(Stdio::null())
                .spawn()
                .expect("started");
            let session = store.session("a");
            let start = Instant::now();
            while session.read("n") == Ok(Json::Int(last)) || session.read("n") == Ok(Json::Null) {
                assert!(start.elapsed() < Duration::from_secs(20), "the child counts nothing");
            }
            std::thread::sleep(Duration::from_micros(700 * round));
            child.kill().expect("running");
            child.wait().expect("ended");
            let Ok(Json::Int(now)) = session.read("n") else { panic!("the value is lost") };
            assert!(now > last);
            assert_eq!(add_one(&session, "n"), Ok(now + 1));
            assert!(session.notes().is_empty());
            last = now + 1;
        }
    }

    #[test]
    fn a_child_process_counts_without_end_when_asked_to() {
        let Some(folder) = std::env::var_os(COUNTER) else { return };
        let session = Store::at(folder.into()).session("a");
        let start = Instant::now();
        while start.elapsed() < Duration::from_mins(1) {
            add_one(&session, "n").expect("state");
        }
    }

    #[test]
    fn every_id_has_a_folder_of_its_own_inside_the_store() {
        let (_folder, store) = store();
        let long = "x".repeat(1000);
        let ids = ["../../etc", "", "abc", "ABC", "sitzung-ä-🦀", "/etc/passwd", ".", "..", "a\0b", long.as_str()];
        for id in ids {
            assert_eq!(add_one(&store.session(id), "n"), Ok(1), "{id:?}");
        }
        let folders = fs::read_dir(sessions(&store)).expect("readable").count();
        assert_eq!(folders, ids.len());
        let lower = |id: &str| store.session(id).folder().to_string_lossy().to_lowercase();
        assert_ne!(lower("abc"), lower("ABC"));
        assert_eq!(fs::read_dir(store.folder()).expect("readable").count(), 1);
    }

    #[test]
    fn a_value_that_stays_the_same_is_not_written_again() {
        let (_folder, store) = store();
        let session = store.session("a");
        add_one(&session, "n").expect("written");
        let changed = || fs::metadata(session.file("n", "json")).and_then(|data| data.modified()).expect("there");
        let before = changed();
        std::thread::sleep(std::time::Duration::from_millis(20));
        session.update("n", |value| Ok((value, ()))).expect("kept");
        assert_eq!(changed(), before);
        add_one(&session, "n").expect("written");
        assert_ne!(changed(), before);
    }

    #[cfg(unix)]
    #[test]
    fn a_new_session_removes_stale_ones_and_one_that_goes_on_does_not() {
        let (_folder, store) = store();
        store.session("a").prepare().expect("created");
        let stale = || {
            let folder = sessions(&store).join("stale");
            fs::create_dir(&folder).expect("created");
            fs::File::open(&folder).and_then(|it| it.set_modified(SystemTime::UNIX_EPOCH)).expect("touched");
            folder
        };
        let folder = stale();
        add_one(&store.session("a"), "n").expect("written");
        assert!(folder.exists());
        add_one(&store.session("b"), "n").expect("written");
        assert!(!folder.exists());
        assert!(store.session("a").folder().exists());
    }

    #[test]
    fn a_call_that_changes_nothing_keeps_its_session_from_being_stale() {
        let (_folder, store) = store();
        let session = store.session("a");
        add_one(&session, "n").expect("written");
        let lock = session.file("n", "lock");
        let opened = OpenOptions::new().write(true).open(&lock).expect("there");
        opened.set_modified(SystemTime::UNIX_EPOCH).expect("touched");
        session.update("n", |value| Ok((value, ()))).expect("kept");
        let touched = fs::metadata(&lock).and_then(|data| data.modified()).expect("there");
        assert_ne!(touched, SystemTime::UNIX_EPOCH);
    }

    #[cfg(unix)]
    #[test]
    fn planted_links_are_refused_and_what_they_lead_to_stays() {
        use std::os::unix::fs::symlink;

        let (folder, store) = store();
        let victim = folder.path().join("victim");
        fs::create_dir(&victim).expect("created");
        fs::write(victim.join("n.json"), "7").expect("written");

        let session = store.session("file");
        session.prepare().expect("created");
        symlink(victim.join("n.json"), session.file("n", "json")).expect("a link");
        assert!(add_one(&session, "n").is_err_and(|failure| matches!(failure, Failure::State(_))));
        assert!(session.read("n").is_err());
        symlink(victim.join("new"), session.file("m", "lock")).expect("a link");
        assert!(add_one(&session, "m").is_err());

        symlink(&victim, sessions(&store).join("folder")).expect("a link");
        assert!(add_one(&store.session("folder"), "n").is_err());
        assert!(store.session("folder").read("n").is_err());

        assert_eq!(fs::read_to_string(victim.join("n.json")).expect("there"), "7");
        assert_eq!(fs::read_dir(&victim).expect("readable").count(), 1);

        let other = Store::at(folder.path().join("other"));
        other.prepare().expect("created");
        symlink(sessions(&store), sessions(&other)).expect("a link");
        add_one(&store.session("a"), "n").expect("written");
        assert!(other.session("a").read("n").is_err());
        assert!(add_one(&other.session("a"), "n").is_err());
        assert!(add_one(&other.session("b"), "n").is_err());
        assert_eq!(store.session("a").read("n"), Ok(Json::Int(1)));
        assert!(!store.session("b").folder().exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_temporary_link_is_replaced_and_not_followed() {
        let (folder, store) = store();
        let victim = folder.path().join("victim");
        fs::write(&victim, "7").expect("written");
        let session = store.session("a");
        session.prepare().expect("created");
        std::os::unix::fs::symlink(&victim, session.file("n", "tmp")).expect("a link");
        assert_eq!(add_one(&session, "n"), Ok(1));
        assert_eq!(fs::read_to_string(&victim).expect("there"), "7");
    }

    #[test]
    fn a_state_folder_that_cannot_be_made_is_a_failure() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        let session = Store::at(file.join("state")).session("a");
        assert!(add_one(&session, "n").is_err_and(|failure| matches!(failure, Failure::State(_))));
    }
}
