//! One fingerprint for the files of a folder: equal as long as none of them changes.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::digest::sha256_hex;
use super::fits_any::fits_any;
use super::sha256::sha256;
use crate::call::Call;
use crate::path;
use crate::signature::function;

const MOST_FILES: usize = 50_000;
const MOST_FOLDERS: usize = 20_000;
/// How much is read; of what comes after it, size and time of the last change stand for the content.
const MOST_BYTES: u64 = 64 << 20;

/// The digest of the names and contents of the files that fit one of the patterns and none of those to skip.
pub fn content_digest(
    call: &Call<'_>,
    folder: &str,
    patterns: &[impl AsRef<str>],
    skipping: &[impl AsRef<str>],
) -> String {
    if folder.is_empty() { String::new() } else { digest_of(&path::resolve(call.cwd(), folder), patterns, skipping) }
}

fn digest_of(top: &Path, patterns: &[impl AsRef<str>], skipping: &[impl AsRef<str>]) -> String {
    let mut files = Vec::new();
    let mut folders = vec![String::new()];
    let mut visited = 0;
    while let Some(folder) = folders.pop() {
        visited += 1;
        if visited > MOST_FOLDERS || files.len() >= MOST_FILES {
            break;
        }
        let mut entries: Vec<_> = fs::read_dir(top.join(&folder)).into_iter().flatten().flatten().collect();
        entries.sort_unstable_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let place = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && !name.starts_with('.') && !fits_any(&format!("{place}/"), skipping) {
                folders.push(place);
            } else if kind.is_file() && fits_any(&name, patterns) && !fits_any(&place, skipping) {
                files.push(place);
            }
        }
    }
    files.sort_unstable();
    let mut left = MOST_BYTES;
    let lines: Vec<String> =
        files.iter().map(|file| format!("{file}\0{}\n", look(&top.join(file), &mut left))).collect();
    sha256_hex(&lines.concat())
}

/// What a file holds, as far as there is enough left to read it.
fn look(file: &Path, left: &mut u64) -> String {
    let Ok(found) = fs::metadata(file) else { return "gone".to_owned() };
    if found.len() > *left {
        *left = 0;
        let changed = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        return format!("{} {}", found.len(), changed.unwrap_or_default().as_nanos());
    }
    *left -= found.len();
    let Ok(bytes) = fs::read(file) else { return "unreadable".to_owned() };
    sha256(&bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

function! {
    FUNCTION: content_digest,
    name: "contentDigest",
    params: { folder: Text, patterns: List<Text>, skipping: List<Text> },
    result: Text,
    powers: [Files],
    doc: "A fingerprint of the files in the folder and below it whose names fit one of the patterns: the same as long as \
           no such file comes, goes or changes its content. What fits one of the patterns to skip does not count, by its \
           path from the folder (that of a folder ends with `/`), nor does what is in a folder whose name begins with a \
           dot. After 64 MiB, size and time stand for the content.",
    example: "contentDigest('no/such/folder', ['*.py'], ['vendor/']).size() == 64",
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [&str; 0] = [];

    #[test]
    fn only_what_the_patterns_name_counts() {
        let guard = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            let file = guard.path().join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("created");
            fs::write(file, text).expect("written");
        };
        let now = || digest_of(guard.path(), &["*.py"], &["**/vendor/", "gen_*"]);
        write("src/a.py", "1");
        let first = now();
        for file in ["README.md", "src/vendor/b.py", ".venv/c.py", "gen_d.py"] {
            write(file, "x");
            assert_eq!(now(), first, "{file}");
        }
        write("src/a.py", "2");
        let second = now();
        assert_ne!(second, first);
        write("src/b.py", "2");
        assert_ne!(now(), second);
        fs::remove_file(guard.path().join("src/b.py")).expect("removed");
        write("src/a.py", "1");
        assert_eq!(now(), first, "what was is again");
    }

    #[test]
    fn what_is_too_much_to_read_is_told_by_size_and_time() {
        let guard = tempfile::tempdir().expect("a folder");
        let file = guard.path().join("a");
        fs::write(&file, "12345").expect("written");
        let mut left = 4;
        assert!(look(&file, &mut left).starts_with("5 ") && left == 0);
        assert_eq!(look(&guard.path().join("none"), &mut left), "gone");
        assert_eq!(digest_of(&guard.path().join("none"), &["*"], &NONE), sha256_hex(""));
    }
}
