//! Whatever a plugin holds, all of it is there again after the catalog came and went.

use std::collections::BTreeMap;

use serde_json::json;

use super::*;
use crate::emit::fixture;

type Tree = BTreeMap<String, Vec<u8>>;

const MANIFEST: &str = "{\"name\": \"theirs\",   \"version\": \"1.0.0\"}";
const THEIR_HOOKS: &str = "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \
                           \"${CLAUDE_PLUGIN_ROOT}/bin/theirs\" }] }\n    ]\n  }\n}";
const THEIR_CONFIG: &str = "# How we plan\nresearch: { calls: 7 } # few\nfeature_flags:\n  # ours\n  s1: true\n";

fn items(version: &str) -> Vec<Item> {
    let command = "${CLAUDE_PLUGIN_ROOT}/bin/demo-hooks";
    let hooks = json!({ "description": "d", "hooks": {
        "Stop": [{ "hooks": [{ "type": "command", "command": command, "args": [version] }, { "type": "prompt", "prompt": version }] }],
        "SessionStart": [{ "hooks": [{ "type": "command", "command": command }] }],
    } });
    vec![
        Item::new(".claude-plugin/plugin.json", "{}"),
        Item::new("README.md", "ours"),
        Item::new(HOOKS, hooks.to_string()),
        Item::new("config/demo-flags.yaml", "flags"),
        Item::new(DOCS, format!("documentation {version}")),
        Item::program("bin/demo-hooks", format!("binary {version}")),
    ]
}

fn plugin(files: &[(&str, &str)]) -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("UTF-8");
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
    }
    (folder, root)
}

fn tree(root: &Utf8Path) -> Tree {
    let mut found = Tree::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().expect("a folder").map(|entry| entry.expect("an entry")) {
            let path = entry.path();
            let name = path.strip_prefix(root).expect("below").to_string();
            if path.is_dir() {
                found.insert(format!("{name}/"), Vec::new());
                folders.push(path.to_owned());
            } else {
                found.insert(name, fs::read(path).expect("read"));
            }
        }
    }
    found
}

fn put(root: &Utf8Path, version: &str) -> Plan {
    let plan = install(root, &fixture::full(), &items(version)).expect("a plan");
    plan.apply().expect("applied");
    plan
}

fn take_out(root: &Utf8Path) -> Plan {
    let fragment = serde_json::from_slice(&items("1")[2].content).expect("JSON");
    let plan = remove(root, &fixture::full(), &fragment).expect("a plan").expect("it is there");
    plan.apply().expect("applied");
    plan
}

#[test]
fn what_others_have_stays_to_the_byte_and_ours_goes_without_a_trace() {
    let whole: &[(&str, &str)] = &[
        (".claude-plugin/plugin.json", MANIFEST),
        ("README.md", "theirs"),
        (HOOKS, THEIR_HOOKS),
        ("config/demo.yaml", THEIR_CONFIG),
        (DOCS, "their hooks"),
        ("bin/theirs", "#!/bin/sh\n"),
    ];
    for files in [&whole[..1], &whole[..2], &whole[..3], &whole[..4], whole] {
        let (_folder, root) = plugin(files);
        let before = tree(&root);
        put(&root, "1");
        let after = tree(&root);
        for (path, text) in files.iter().filter(|(path, _)| ![HOOKS, "config/demo.yaml"].contains(path)) {
            assert_eq!(after[*path], text.as_bytes(), "{path}");
        }
        assert!(after.contains_key("bin/demo-hooks") && after.contains_key("config/demo-flags.yaml"));
        let registered: Value = serde_json::from_slice(&after[HOOKS]).expect("JSON");
        assert!(registered["hooks"]["SessionStart"].is_array(), "{registered}");
        put(&root, "1");
        assert_eq!(tree(&root), after, "the second time nothing changes");
        put(&root, "2");
        assert!(String::from_utf8_lossy(&tree(&root)["bin/demo-hooks"]).contains('2'));
        take_out(&root);
        assert_eq!(tree(&root), before);
    }
}

#[test]
fn missing_keys_are_added_and_present_ones_kept() {
    let (_folder, root) = plugin(&[("config/demo.yaml", THEIR_CONFIG)]);
    put(&root, "1");
    let config = String::from_utf8(fs::read(root.join("config/demo.yaml")).expect("read")).expect("UTF-8");
    assert!(config.starts_with("# How we plan\nresearch: { calls: 7 } # few\n"), "{config}");
    assert!(config.contains("hooks_guard:") && config.contains("  # ours\n  s1: true\n"), "{config}");
}

#[test]
fn what_somebody_edited_since_stays_and_is_told() {
    let (_folder, root) = plugin(&[("config/demo.yaml", THEIR_CONFIG)]);
    put(&root, "1");
    fs::write(root.join(DOCS), "our own notes").expect("written");
    let config = fs::read_to_string(root.join("config/demo.yaml")).expect("read").replace("default", "Default");
    fs::write(root.join("config/demo.yaml"), &config).expect("written");
    assert!(put(&root, "2").notes.iter().any(|note| note.contains(DOCS)));
    let notes = take_out(&root).notes;
    assert_eq!(fs::read_to_string(root.join(DOCS)).expect("read"), "our own notes");
    assert!(notes.iter().any(|note| note.contains(DOCS)), "{notes:?}");
    assert!(!root.join("bin/demo-hooks").exists());
}

#[test]
fn a_program_of_somebody_else_and_hooks_that_are_none_stop_everything() {
    let (_folder, root) = plugin(&[("bin/demo-hooks", "theirs")]);
    let refusal = install(&root, &fixture::full(), &items("1")).expect_err("theirs").to_string();
    assert!(refusal.contains("hookgen did not write it"), "{refusal}");
    let (_folder, root) = plugin(&[(HOOKS, "{\"hooks\": []}")]);
    let refusal = install(&root, &fixture::full(), &items("1")).expect_err("a list").to_string();
    assert!(refusal.contains("hooks.json:1:11") && refusal.contains("left alone"), "{refusal}");
    let (_folder, root) = plugin(&[(HOOKS, THEIR_HOOKS)]);
    assert!(remove(&root, &fixture::full(), &json!({})).expect("a plan").is_none());
}
