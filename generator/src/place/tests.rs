//! Nothing of anybody's is lost, whoever made the place and whenever hookgen was ended.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use super::*;
use crate::emit::record::FILE;

const BINARY: &str = "bin/demo-hooks";
const FLAGS: &str = "config/demo-flags.yaml";

/// A folder for plugins, beside a workspace.
struct Shop {
    _folder: TempDir,
    root: Utf8PathBuf,
}

impl Shop {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8Path::from_path(folder.path()).expect("UTF-8").canonicalize_utf8().expect("real");
        fs::create_dir_all(root.join("work/specs")).expect("created");
        Self { _folder: folder, root }
    }

    fn out(&self) -> Utf8PathBuf {
        self.root.join("dist")
    }

    fn plugin(&self) -> Utf8PathBuf {
        self.out().join("demo")
    }

    fn find(&self) -> anyhow::Result<Place> {
        Place::find(&self.out(), "demo", &self.root.join("work"))
    }

    fn lay_out(&self, items: &[Item]) -> Vec<Note> {
        self.find().expect("a place").lay_out(items).expect("laid out")
    }

    /// Why nothing is laid out; and nothing is.
    fn refusal(&self) -> String {
        let before = contents(&self.root);
        let error = format!("{:#}", self.find().and_then(|place| place.lay_out(&items(1))).expect_err("refused"));
        assert_eq!(contents(&self.root), before);
        error
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.plugin().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("created");
        fs::write(path, text).expect("written");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.plugin().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn names(&self) -> Vec<String> {
        let names = contents(&self.plugin()).into_keys().filter(|path| path != FILE);
        names.map(Utf8PathBuf::into_string).collect()
    }

    fn beside(&self) -> Vec<String> {
        let mut names: Vec<_> =
            self.out().read_dir_utf8().expect("listed").flatten().map(|it| it.file_name().to_owned()).collect();
        names.sort();
        names
    }
}

/// Every file below a folder; links by where they lead.
fn contents(folder: &Utf8Path) -> BTreeMap<Utf8PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in next.read_dir_utf8().expect("listed") {
            let path = entry.expect("listed").into_path();
            let shown = path.strip_prefix(folder).expect("below").to_owned();
            if path.is_symlink() {
                found.insert(shown, path.read_link_utf8().expect("a link").into_string().into_bytes());
            } else if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = if path.is_file() { fs::read(&path).expect("read") } else { Vec::new() };
                found.insert(shown, bytes);
            }
        }
    }
    found
}

fn items(version: u32) -> Vec<Item> {
    vec![
        Item::new("docs/HOOKS.md", format!("docs {version}")),
        Item::new(FLAGS, format!("flags {version}")),
        Item::program(BINARY, format!("binary {version}")),
    ]
}

#[test]
fn a_new_version_takes_the_place_of_the_old_one_and_nothing_else_is_left() {
    let shop = Shop::new();
    let mut first = items(1);
    first.push(Item::new("old/only.md", "gone tomorrow"));
    assert_eq!(shop.lay_out(&first), []);
    assert_eq!(shop.names(), [BINARY, FLAGS, "docs/HOOKS.md", "old/only.md"]);
    assert_eq!(shop.lay_out(&items(2)), []);
    assert_eq!(shop.names(), [BINARY, FLAGS, "docs/HOOKS.md"]);
    assert_eq!((shop.read(BINARY), shop.read(FLAGS)), ("binary 2".into(), "flags 2".into()));
    assert!(!shop.plugin().join("old").exists());
    assert_eq!(shop.beside(), ["demo"]);
}

#[cfg(unix)]
#[test]
fn the_binary_can_be_started_and_folders_keep_their_modes() {
    use std::os::unix::fs::PermissionsExt as _;
    let shop = Shop::new();
    shop.lay_out(&items(1));
    let mode = |path: &str| fs::metadata(shop.plugin().join(path)).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(BINARY), 0o755);
    assert_eq!(mode(""), mode("docs"));
    fs::set_permissions(shop.plugin().join("config"), fs::Permissions::from_mode(0o700)).expect("set");
    shop.lay_out(&items(2));
    assert_eq!((mode("config"), mode("docs")), (0o700, mode("")));
}

#[test]
fn what_others_keep_beside_ours_stays() {
    let shop = Shop::new();
    shop.lay_out(&items(1));
    shop.write("config/demo.yaml", "mine");
    shop.write("notes/deep/a.md", "mine too");
    fs::create_dir_all(shop.plugin().join("docs/empty")).expect("created");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/nowhere", shop.plugin().join("link")).expect("linked");
    assert_eq!(shop.lay_out(&items(2)), []);
    assert_eq!((shop.read("config/demo.yaml"), shop.read("notes/deep/a.md")), ("mine".into(), "mine too".into()));
    assert_eq!(shop.read(BINARY), "binary 2");
    assert!(shop.plugin().join("docs/empty").is_dir());
    #[cfg(unix)]
    assert_eq!(shop.plugin().join("link").read_link_utf8().expect("a link"), "/nowhere");
}

#[test]
fn an_edited_setting_stays_and_a_new_version_of_it_lies_beside() {
    let shop = Shop::new();
    shop.lay_out(&items(1));
    shop.write(FLAGS, "mine");
    let kept = |new: Option<&str>| vec![Note::Kept { path: FLAGS.into(), new: new.map(Into::into) }];
    assert_eq!(shop.lay_out(&items(1)), kept(None), "the version that was edited is still the newest");
    let new = format!("{FLAGS}.new");
    for _ in 0..2 {
        assert_eq!(shop.lay_out(&items(2)), kept(Some(&new)));
        assert_eq!((shop.read(FLAGS), shop.read(&new)), ("mine".into(), "flags 2".into()));
    }
    fs::remove_file(shop.plugin().join(&new)).expect("removed");
    assert_eq!(shop.lay_out(&items(2)), kept(None), "whoever removed it has seen it");
    assert_eq!(shop.lay_out(&items(3)), kept(Some(&new)));
    shop.write(FLAGS, "flags 3");
    assert_eq!(shop.lay_out(&items(4)), [], "what was taken over is an edit no more");
    assert_eq!(shop.names(), [BINARY, FLAGS, "docs/HOOKS.md"]);
}

#[test]
fn the_new_version_of_a_setting_takes_nobody_s_name() {
    let shop = Shop::new();
    shop.lay_out(&items(1));
    shop.write(FLAGS, "mine");
    shop.write("config/demo-flags.yaml.new", "also mine");
    shop.lay_out(&items(2));
    assert_eq!(shop.read("config/demo-flags.yaml.new"), "also mine");
    assert_eq!(shop.read("config/demo-flags.yaml.new.2"), "flags 2");
}

#[test]
fn an_edited_file_that_is_no_setting_makes_room_under_another_name() {
    let shop = Shop::new();
    shop.lay_out(&items(1));
    shop.write("docs/HOOKS.md", "mine");
    let edited = Utf8PathBuf::from("docs/HOOKS.md.edited");
    assert_eq!(shop.lay_out(&items(2)), [Note::Replaced { path: "docs/HOOKS.md".into(), edited: edited.clone() }]);
    assert_eq!((shop.read("docs/HOOKS.md"), shop.read(edited.as_str())), ("docs 2".into(), "mine".into()));
    shop.write("docs/HOOKS.md", "mine again");
    shop.lay_out(&items(2));
    assert_eq!((shop.read(edited.as_str()), shop.read("docs/HOOKS.md.edited.2")), ("mine".into(), "mine again".into()));
    shop.write(FLAGS, "mine");
    let without: Vec<_> = items(2).into_iter().filter(|item| item.path != FLAGS).collect();
    assert_eq!(shop.lay_out(&without), [Note::Left { path: FLAGS.into() }]);
    assert_eq!(shop.read(FLAGS), "mine");
}

#[test]
fn clearing_takes_what_is_ours_and_leaves_the_rest() {
    let shop = Shop::new();
    shop.lay_out(&items(1));
    assert_eq!(shop.find().expect("a place").clear().expect("cleared"), []);
    assert_eq!(shop.beside(), Vec::<String>::new());
    assert_eq!(shop.find().expect("a place").clear().expect("nothing to do"), []);

    shop.lay_out(&items(1));
    shop.write(FLAGS, "mine");
    shop.write("config/demo.yaml", "mine too");
    assert_eq!(shop.find().expect("a place").clear().expect("cleared"), [Note::Left { path: FLAGS.into() }]);
    assert_eq!(shop.names(), [FLAGS, "config/demo.yaml"]);
    assert!(!shop.find().expect("a place").is_filled().expect("known"), "nothing of ours is left");
    shop.lay_out(&items(1));
    assert_eq!((shop.read(FLAGS), shop.read(BINARY)), ("mine".into(), "binary 1".into()));
}

#[test]
fn a_place_with_files_of_others_is_refused() {
    let shop = Shop::new();
    shop.write("precious.md", "mine");
    let error = shop.refusal();
    assert!(error.contains("`precious.md` is one") && error.contains("move them away"), "{error}");
    shop.write(FILE, "# @generated by hookgen from specs/demo.yaml. Do not edit; run `hookgen build`.\n");
    assert!(shop.refusal().contains("files that hookgen did not write"), "a record of generated files claims others");
    shop.write(FILE, &Record::new("other").text());
    assert!(shop.refusal().contains("holds the plugin `other`"));
}

#[test]
fn a_repository_is_refused_however_it_came_there() {
    for repository in [".git/HEAD", "vendor/x/.git"] {
        let shop = Shop::new();
        shop.lay_out(&items(1));
        shop.write(repository, "x");
        assert!(shop.refusal().contains("git repository"), "{repository}");
    }
}

#[test]
fn files_in_the_way_of_folders_are_refused() {
    let shop = Shop::new();
    shop.lay_out(&[Item::new("a", "x")]);
    shop.write("docs", "mine");
    assert!(shop.refusal().contains("`docs` cannot be a file and a folder"));
    let shop = Shop::new();
    shop.lay_out(&[Item::new("a", "x")]);
    shop.write("docs/HOOKS.md/mine", "mine");
    assert!(shop.refusal().contains("`docs/HOOKS.md` cannot be a file and a folder"));
}

#[cfg(unix)]
#[test]
fn links_and_special_files_are_never_followed() {
    use std::os::unix::fs::symlink;
    let shop = Shop::new();
    fs::create_dir_all(shop.root.join("elsewhere")).expect("created");
    fs::create_dir_all(shop.out()).expect("created");
    symlink(shop.root.join("elsewhere"), shop.plugin()).expect("linked");
    assert!(shop.refusal().contains("is a link to somewhere else"));

    let shop = Shop::new();
    shop.lay_out(&items(1));
    fs::write(shop.root.join("precious"), "docs 1").expect("written");
    fs::remove_file(shop.plugin().join("docs/HOOKS.md")).expect("removed");
    symlink(shop.root.join("precious"), shop.plugin().join("docs/HOOKS.md")).expect("linked");
    shop.lay_out(&items(2));
    assert_eq!(fs::read_to_string(shop.root.join("precious")).expect("there"), "docs 1");
    assert!(shop.plugin().join("docs/HOOKS.md.edited").is_symlink());

    let socket = std::os::unix::net::UnixListener::bind(shop.plugin().join("socket")).expect("bound");
    assert!(shop.refusal().contains("neither a file, a folder nor a link"));
    drop(socket);
}

#[test]
fn an_output_folder_that_is_a_link_is_the_folder_it_leads_to() {
    let shop = Shop::new();
    fs::create_dir_all(shop.root.join("real")).expect("created");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(shop.root.join("real"), shop.out()).expect("linked");
        shop.lay_out(&items(1));
        assert!(shop.root.join("real/demo").join(BINARY).is_file());
        std::os::unix::fs::symlink(&shop.root, shop.root.join("work/up")).expect("linked");
        let error = Place::find(&shop.root.join("work/up"), "work", &shop.root.join("work")).expect_err("refused");
        assert!(error.to_string().contains("is the workspace itself"), "{error}");
    }
}

/// A plugin as it was laid out before there were records.
fn of_earlier_version(shop: &Shop) {
    shop.write(".claude-plugin/plugin.json", r#"{"name": "demo"}"#);
    shop.write("hooks/hooks.json", r#"{"hooks": {}}"#);
    shop.write("docs/HOOKS.md", "<!-- @generated by hookgen from specs/demo.yaml. -->\nedited?");
    shop.write("settings.fragment.json", "{}");
    shop.write(BINARY, "binary 0");
    shop.write(FLAGS, "mine?");
    shop.write("config/demo.yaml", "mine");
}

#[test]
fn a_plugin_of_an_earlier_version_is_replaced_and_kept_as_a_whole() {
    let shop = Shop::new();
    of_earlier_version(&shop);
    let before = contents(&shop.plugin());
    let notes = shop.lay_out(&items(1));
    assert_eq!(contents(&shop.out().join("demo.before")), before);
    assert!(notes.contains(&Note::Before(shop.out().join("demo.before"))), "{notes:?}");
    assert_eq!((shop.read(BINARY), shop.read("docs/HOOKS.md")), ("binary 1".into(), "docs 1".into()));
    assert_eq!((shop.read(FLAGS), shop.read("config/demo.yaml")), ("mine?".into(), "mine".into()));
    assert_eq!(shop.beside(), ["demo", "demo.before"]);
    shop.lay_out(&items(2));
    assert_eq!(shop.beside(), ["demo", "demo.before"]);

    let shop = Shop::new();
    of_earlier_version(&shop);
    let notes = shop.find().expect("a place").clear().expect("left alone");
    assert_eq!(notes, [Note::Unrecorded(shop.plugin())]);
    assert!(shop.plugin().join(BINARY).is_file());
    shop.write(".claude-plugin/plugin.json", r#"{"name": "other"}"#);
    assert!(shop.refusal().contains("files that hookgen did not write"));
}

/// The states in which a hookgen that is ended can leave things, in the order in which they come about.
const ENDED: &[&str] = &["filling", "filled", "ready", "exchanged", "moved apart", "swapped", "half retired"];

/// Goes from version 1 to version 2 as far as the state says, and stops dead there.
fn end_in(shop: &Shop, state: &str) {
    let place = shop.plugin();
    let staging = shop.out().join(".demo.hookgen");
    let (new, old) = (staging.join("new"), staging.join("old"));
    fs::create_dir(&staging).expect("created");
    fs::write(staging.join("made-by-hookgen"), "").expect("written");
    if state == "filling" {
        fs::create_dir_all(new.join("docs")).expect("created");
        fs::write(new.join("docs/HOOKS.md"), "do").expect("half written");
        return;
    }
    let found = Survey::of(&place).expect("found");
    let record = Record::read(&place).expect("read");
    Plan::new("demo", &items(2), record.as_ref(), &found, false).expect("a plan").fill(&place, &new).expect("filled");
    if state == "filled" {
        return;
    }
    fs::write(staging.join("ready"), "").expect("written");
    if state == "ready" {
        return;
    }
    fs::rename(&place, &old).expect("moved");
    if state == "moved apart" {
        return;
    }
    fs::rename(&new, &place).expect("moved");
    match state {
        "exchanged" => fs::rename(&old, &new).expect("moved"),
        "half retired" => fs::remove_file(old.join(BINARY)).expect("removed"),
        _ => {}
    }
}

#[test]
fn whenever_hookgen_was_ended_the_next_one_finishes_and_nothing_is_lost() {
    for state in ENDED {
        let shop = Shop::new();
        shop.lay_out(&items(1));
        shop.write(FLAGS, "mine");
        shop.write("docs/HOOKS.md", "mine too");
        shop.write("config/demo.yaml", "mine as well");
        end_in(&shop, state);
        if *state != "moved apart" {
            let version = if ["exchanged", "swapped", "half retired"].contains(state) { 2 } else { 1 };
            assert_eq!(shop.read(BINARY), format!("binary {version}"), "{state}: old or new, but whole");
            assert_eq!((shop.read(FLAGS), shop.read("config/demo.yaml")), ("mine".into(), "mine as well".into()));
        }
        shop.lay_out(&items(2));
        assert_eq!(shop.read(BINARY), "binary 2", "{state}");
        assert_eq!((shop.read(FLAGS), shop.read("config/demo.yaml")), ("mine".into(), "mine as well".into()));
        assert_eq!(shop.read("docs/HOOKS.md.edited"), "mine too", "{state}");
        assert_eq!(shop.beside(), ["demo"], "{state}");
    }
}

#[test]
fn what_changed_after_it_was_taken_over_is_not_removed() {
    for state in ["exchanged", "swapped"] {
        let shop = Shop::new();
        shop.lay_out(&items(1));
        end_in(&shop, state);
        let left = shop.out().join(".demo.hookgen").join(if state == "swapped" { "old" } else { "new" });
        fs::write(left.join(FLAGS), "saved at the last moment").expect("written");
        let before = contents(&left);
        let place = shop.find().expect("a place");
        let error = place.lay_out(&items(2)).expect_err("refused").to_string();
        assert!(error.contains("take from there what is needed"), "{error}");
        assert_eq!(contents(&left)[Utf8Path::new(FLAGS)], before[Utf8Path::new(FLAGS)]);
        fs::remove_dir_all(shop.out().join(".demo.hookgen")).expect("removed by hand");
        shop.lay_out(&items(2));
    }
}

#[test]
fn a_staging_folder_that_is_not_ours_is_left_alone() {
    let shop = Shop::new();
    let folder = shop.out().join(".demo.hookgen");
    fs::create_dir_all(&folder).expect("created");
    fs::write(folder.join("new"), "mine").expect("written");
    assert!(shop.refusal().contains("hookgen did not make it"));
    fs::remove_file(folder.join("new")).expect("removed");
    shop.lay_out(&items(1));
    assert_eq!(shop.beside(), ["demo"]);
}

#[test]
fn a_failure_leaves_the_old_version_and_no_traces() {
    let shop = Shop::new();
    shop.lay_out(&items(1));
    let broken = [Item::new("a", "x"), Item::new("a/b", "x")];
    shop.find().expect("a place").lay_out(&broken).expect_err("cannot be");
    assert_eq!((shop.read(BINARY), shop.beside()), ("binary 1".into(), vec!["demo".to_owned()]));
}

#[test]
fn two_at_once_wait_for_each_other() {
    let shop = Shop::new();
    let out = shop.out();
    std::thread::scope(|scope| {
        for version in 0..8 {
            let place = Place::find(&out, "demo", &shop.root.join("work")).expect("a place");
            scope.spawn(move || place.lay_out(&items(version)).expect("laid out"));
        }
    });
    let (binary, docs) = (shop.read(BINARY), shop.read("docs/HOOKS.md"));
    assert_eq!(binary.split_once(' ').expect("a version").1, docs.split_once(' ').expect("a version").1);
    assert_eq!(shop.beside(), ["demo"]);
}
