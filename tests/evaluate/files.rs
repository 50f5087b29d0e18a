//! Files of catalogs that are not what they were.

use std::fs;

use hookgen_runtime::Attempt;
use hookgen_runtime::representation::{Archive, FORMAT_VERSION, READS, encode};

use super::lowered;
use super::portable::{CATALOG, Portable};
use crate::support::write;

/// Reads all that there is, as text that can be compared.
fn read(archive: &Archive) -> Attempt<String> {
    let mut parts = vec![format!("{:?}", archive.catalog())];
    parts.push(format!("{:?} {:?}", archive.config_file()?, archive.dev_mode_file()?));
    for place in 0..archive.facts() {
        parts.push(format!("{:?}", archive.fact(place)?));
    }
    parts.push(format!("{:?}", archive.document(0)?));
    for hook in 0..archive.hooks() {
        let parted = archive.hook(hook)?;
        parts.push(format!("{:?}", parted.gate()));
        for place in 0..parted.definitions() {
            parts.push(format!("{:?}", archive.definition(hook, place)?));
        }
        for check in 0..parted.checks() {
            parts.push(format!("{:?}", archive.check(hook, check)?));
        }
    }
    for place in 0..lowered(CATALOG).functions.len() {
        parts.push(archive.function(place)?.symbol.to_owned());
    }
    parts.push(archive.pattern(0)?.source().to_owned());
    Ok(parts.join("\n"))
}

#[test]
fn what_is_read_from_a_file_is_what_was_lowered() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("demo.hooks");
    write(&file, encode(&lowered(CATALOG)).expect("encoded"));
    let read_back = read(&Archive::open(&file).expect("sound")).expect("sound");
    assert_eq!(read_back, read(&Archive::of(lowered(CATALOG))).expect("all there"));
    assert!(read_back.contains("Do not remove"), "{read_back}");
}

#[test]
fn no_byte_can_be_changed_without_notice() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("demo.hooks");
    let sound = encode(&lowered(CATALOG)).expect("encoded");
    let mut unnoticed = Vec::new();
    for place in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[place] ^= 0x10;
        fs::write(&file, &bytes).expect("written");
        if Archive::open(&file).and_then(|archive| read(&archive)).is_ok() {
            unnoticed.push(place);
        }
    }
    assert_eq!(unnoticed, Vec::<usize>::new());
}

#[test]
fn a_file_that_was_cut_off_or_made_longer_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("demo.hooks");
    let sound = encode(&lowered(CATALOG)).expect("encoded");
    for length in 0..sound.len() {
        fs::write(&file, &sound[..length]).expect("written");
        let failure = Archive::open(&file).expect_err("too short").to_string();
        assert!(failure.contains("cut off"), "{length}: {failure}");
    }
    fs::write(&file, [sound, vec![0]].concat()).expect("written");
    assert!(Archive::open(&file).is_err());
    fs::write(&file, "#!/bin/sh\nexit 0 # something else altogether").expect("written");
    assert!(Archive::open(&file).expect_err("another file").to_string().contains("not a catalog"));
}

#[test]
fn a_file_of_a_newer_hookgen_says_so() {
    let demo = Portable::of(CATALOG);
    let mut bytes = fs::read(demo.file()).expect("readable");
    bytes[8..12].copy_from_slice(&(FORMAT_VERSION + 1).to_le_bytes());
    fs::write(demo.file(), bytes).expect("written");
    let refused = demo.asked(&["GUARD"], "ls -l").exits(2);
    let newer = format!("a newer hookgen made it: it has format {}, and {READS}", FORMAT_VERSION + 1);
    assert!(refused.stderr.contains(&newer), "{refused:?}");
    assert_eq!(refused.stdout, "");
}

#[test]
fn a_hook_whose_part_of_the_file_was_changed_fails_as_its_fail_safe_says() {
    let demo = Portable::of(CATALOG);
    let mut bytes = fs::read(demo.file()).expect("readable");
    let changed = |bytes: &mut Vec<u8>, text: &str| {
        let found = bytes.windows(text.len()).position(|window| window == text.as_bytes()).expect(text);
        bytes[found] ^= 1;
    };
    changed(&mut bytes, "Do not remove");
    changed(&mut bytes, "Only ");
    fs::write(demo.file(), bytes).expect("written");
    let closed = demo.asked(&["GUARD"], "ls -l").exits(0);
    let reason = "so it is refused: the catalog's file cannot be used: a part of it was changed";
    assert!(closed.stdout.contains(reason) && closed.stdout.contains("deny"), "{closed:?}");
    let open = demo.asked(&["BUDGET"], "ls").exits(0);
    assert!(open.stdout.contains("let it pass") && !open.stdout.contains("deny"), "{open:?}");
    assert_eq!(demo.asked(&["GUARD"], "ls").exits(0).stdout, "", "the gate is still what it was");
}

#[test]
fn without_its_file_the_engine_refuses_unless_it_is_registered_as_open() {
    let demo = Portable::of(CATALOG);
    fs::remove_file(demo.file()).expect("removed");
    let refused = demo.asked(&["GUARD"], "ls").exits(0);
    assert!(refused.stdout.contains("deny") && refused.stdout.contains("so it is refused"), "{refused:?}");
    let passed = demo.asked(&["--open=demo@1.0.0", "BUDGET"], "ls").exits(0);
    assert!(passed.stdout.contains("systemMessage") && passed.stdout.contains("let it pass"), "{passed:?}");
}
