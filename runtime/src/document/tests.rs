use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::json::Many;

const fn spec(format: Format) -> DocumentSpec {
    described(format, false)
}

const fn described(format: Format, record: bool) -> DocumentSpec {
    DocumentSpec {
        name: Str::Borrowed("state"),
        format,
        delimiter: Str::Borrowed(""),
        columns: Many::Borrowed(&[Str::Borrowed("status"), Str::Borrowed("name")]),
        record,
    }
}

static FRONT_MATTER: DocumentSpec = spec(Format::FrontMatter);
static JSON: DocumentSpec = spec(Format::Json);
static TEXT: DocumentSpec = spec(Format::Text);
static ALL: [DocumentSpec; 6] = [
    spec(Format::FrontMatter),
    spec(Format::Yaml),
    spec(Format::Json),
    spec(Format::KeyValue),
    spec(Format::StatusLine),
    spec(Format::Text),
];

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with(&self, spec: &'static DocumentSpec, text: impl AsRef<[u8]>) -> Document {
        fs::write(self.file("state"), text).expect("written");
        Document::open(spec, self.file("state"))
    }
}

fn mentions(attempt: Attempt<impl std::fmt::Debug>, words: &str) -> bool {
    matches!(attempt, Err(Failure::Document(text)) if text.contains(words))
}

#[test]
fn a_missing_document_is_empty_but_not_valid() {
    let folder = Folder::new();
    for path in [PathBuf::new(), folder.file("none"), folder.file("none/below"), folder.file("nul\0")] {
        for spec in &ALL {
            let document = Document::open(spec, path.clone());
            assert!(!document.exists() && !document.valid(), "{path:?}");
            assert_eq!((document.size(), document.text(), document.body()), (0, Ok(""), Ok("")));
            assert!(!document.root().expect("null").present());
        }
    }
    assert_eq!(Document::open(&TEXT, PathBuf::new()).path(), "");
}

#[test]
fn a_document_that_holds_a_record_is_of_no_use_without_one() {
    static RECORDS: [DocumentSpec; 2] = [described(Format::Yaml, true), described(Format::Json, true)];
    let folder = Folder::new();
    for (text, found) in [("[1]", "a list"), ("7", "a number"), ("\"x\"", "a string"), ("true", "a boolean")] {
        for spec in &RECORDS {
            let document = folder.with(spec, text);
            assert!(document.exists() && !document.valid(), "{text}");
            assert!(mentions(document.root(), &format!("should hold a record, found {found}")), "{text}");
        }
        assert!(folder.with(&JSON, text).valid(), "{text} may be what a document of unknown shape holds");
    }
    for text in ["{}", "null", "{\"a\":1}"] {
        assert!(folder.with(&RECORDS[1], text).valid(), "{text}");
    }
}

#[test]
fn a_valid_document_gives_its_fields_and_its_body() {
    let folder = Folder::new();
    let document = folder.with(&FRONT_MATTER, "---\nphase: 1\n---\nbody\n");
    assert!(document.exists() && document.valid());
    assert_eq!(document.root().and_then(|root| root.at("phase").text()), Ok(Cow::Borrowed("1")));
    assert_eq!(document.body(), Ok("body\n"));
    assert_eq!(document.size(), 22);
    assert_eq!(Path::new(document.path()), folder.file("state"));
    let document = folder.with(&JSON, "\u{feff}{\"a\":[1]}");
    assert_eq!(document.root().map(|root| root.json().to_string()), Ok(r#"{"a":[1]}"#.into()));
    let document = folder.with(&TEXT, "\u{feff}words\n");
    assert_eq!(document.root().and_then(Node::text), Ok(Cow::Borrowed("words\n")));
}

#[test]
fn an_invalid_document_exists_and_says_why() {
    let folder = Folder::new();
    let document = folder.with(&JSON, "{");
    assert!(document.exists() && !document.valid());
    assert_eq!(document.text(), Ok("{"));
    assert!(mentions(document.root(), "state at `"));
    assert!(mentions(document.root(), "cannot be read as JSON: "));
    let document = folder.with(&FRONT_MATTER, "no front matter");
    assert!(mentions(document.root(), "no lines `---` around front matter"));
    assert!(mentions(document.body(), "no lines `---` around front matter"));
    assert!(document.problem().contains("no lines `---` around front matter"), "{}", document.problem());
    assert_eq!((folder.with(&JSON, "{}").problem(), Document::open(&JSON, "/nowhere".into()).problem()), ("", ""));
    assert!(mentions(folder.with(&TEXT, b"\xff").text(), "is not UTF-8"));
}

#[test]
fn a_document_is_read_once() {
    let folder = Folder::new();
    let document = folder.with(&TEXT, "old");
    assert_eq!(document.text(), Ok("old"));
    document.target().replace("new").expect("written");
    assert_eq!(document.text(), Ok("old"));
    assert_eq!(Document::open(&TEXT, folder.file("state")).text(), Ok("new"));
}

#[test]
fn a_folder_exists_but_is_no_document() {
    let folder = Folder::new();
    let document = Document::open(&TEXT, folder.0.path().to_path_buf());
    assert!(document.exists() && !document.valid());
    assert!(mentions(document.text(), "is not a regular file"));
    assert!(mentions(document.target().replace("x"), "is not a regular file"));
    assert!(mentions(document.target().append_line("x"), "is not a regular file"));
    assert!(mentions(document.target().remove(), "is a folder"));
    assert!(mentions(Document::open(&TEXT, PathBuf::new()).target().replace("x"), "its path is empty"));
}

#[test]
fn a_file_that_is_too_large_is_refused_and_one_at_the_limit_is_not() {
    let folder = Folder::new();
    let limit = 16 * 1024 * 1024;
    assert_eq!(folder.with(&TEXT, vec![b'x'; limit]).text().map(str::len), Ok(limit));
    let larger = folder.with(&TEXT, vec![b'x'; limit + 1]);
    assert!(mentions(larger.text(), "is larger than 16 MiB"));
    assert_eq!(larger.size(), 16 * 1024 * 1024 + 1);
}

#[test]
fn replacing_creates_folders_and_leaves_nothing_beside() {
    let folder = Folder::new();
    let document = Document::open(&TEXT, folder.file("a/b/state"));
    document.target().replace("one").expect("written");
    document.target().replace("two").expect("written");
    assert_eq!(fs::read_to_string(folder.file("a/b/state")).expect("there"), "two");
    assert_eq!(fs::read_dir(folder.file("a/b")).expect("there").count(), 1);
}

#[test]
fn appended_lines_stay_lines() {
    let folder = Folder::new();
    let document = folder.with(&TEXT, "no line end");
    document.target().append_line("one\ntwo\u{1b}[0m\r").expect("written");
    document.target().append_line("three").expect("written");
    let text = fs::read_to_string(folder.file("state")).expect("there");
    assert_eq!(text, "no line end\none two [0m \nthree\n");
    Document::open(&TEXT, folder.file("new/log")).target().append_line("first").expect("written");
    assert_eq!(fs::read_to_string(folder.file("new/log")).expect("there"), "first\n");
}

#[test]
fn parallel_lines_are_all_there_and_whole() {
    let folder = Folder::new();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let file = folder.file("log");
            scope.spawn(move || {
                let document = Document::open(&TEXT, file);
                (0..50).for_each(|_| document.target().append_line(&format!("writer {writer}")).expect("written"));
            });
        }
    });
    let text = fs::read_to_string(folder.file("log")).expect("there");
    assert_eq!(text.lines().count(), 400);
    assert!(text.lines().all(|line| line.len() == "writer 0".len()));
}

#[test]
fn removing_twice_is_fine() {
    let folder = Folder::new();
    let document = folder.with(&TEXT, "x");
    assert_eq!((document.target().remove(), document.target().remove()), (Ok(()), Ok(())));
    assert!(!folder.file("state").exists());
    assert_eq!(Document::open(&TEXT, PathBuf::new()).target().remove(), Ok(()));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    #[test]
    fn what_would_block_is_refused() {
        let folder = Folder::new();
        assert!(Command::new("mkfifo").arg(folder.file("pipe")).status().expect("started").success());
        let _socket = UnixListener::bind(folder.file("socket")).expect("bound");
        for path in [folder.file("pipe"), folder.file("socket"), "/dev/zero".into(), "/dev/null".into()] {
            let document = Document::open(&TEXT, path.clone());
            assert!(document.exists() && !document.valid(), "{path:?}");
            assert!(mentions(document.text(), "is not a regular file"), "{path:?}");
            assert!(mentions(document.target().replace("x"), "is not a regular file"), "{path:?}");
            assert!(mentions(document.target().append_line("x"), "is not a regular file"), "{path:?}");
        }
    }

    #[test]
    fn a_dangling_link_is_nothing_and_a_loop_is_an_error() {
        let folder = Folder::new();
        symlink("nowhere", folder.file("dangling")).expect("linked");
        assert!(!Document::open(&TEXT, folder.file("dangling")).exists());
        symlink("b", folder.file("a")).expect("linked");
        symlink("a", folder.file("b")).expect("linked");
        let document = Document::open(&TEXT, folder.file("a"));
        assert!(document.exists() && !document.valid());
        assert!(mentions(document.text(), "is a loop of links"));
    }

    #[test]
    fn replacing_keeps_the_mode_and_follows_a_link() {
        let folder = Folder::new();
        folder.with(&TEXT, "old");
        fs::set_permissions(folder.file("state"), fs::Permissions::from_mode(0o640)).expect("set");
        symlink("state", folder.file("link")).expect("linked");
        Document::open(&TEXT, folder.file("link")).target().replace("new").expect("written");
        assert_eq!(fs::read_to_string(folder.file("state")).expect("there"), "new");
        assert_eq!(fs::metadata(folder.file("state")).expect("there").permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(folder.file("link")).expect("there").is_symlink());
    }

    #[test]
    fn files_without_end_behind_a_regular_name_are_bounded() {
        // Its length is given as zero, and its text is not empty.
        if Path::new("/proc/self/status").exists() {
            let document = Document::open(&TEXT, "/proc/self/status".into());
            assert!(document.text().is_ok_and(|text| !text.is_empty()));
        }
    }
}

proptest! {
    #[test]
    fn no_format_panics_on_arbitrary_text(text in "[-=|:#'\"{}\\[\\]a1 \r\n\u{feff}\\PC]{0,120}") {
        for spec in &ALL {
            let _ = parse(spec, &text);
        }
        let _ = front_matter::body(&text);
    }

    #[test]
    fn front_matter_and_body_are_all_of_the_text(body in "\\PC{0,40}") {
        let text = format!("---\na: 1\n---\n{body}");
        prop_assert_eq!(front_matter::body(&text), Ok(body.as_str()));
    }
}
