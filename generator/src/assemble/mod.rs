//! Several files to one document: what a catalog uses, what it extends, and the parts of a catalog in a folder; and a hook
//! for each event of one that has several.
//!
//! Files are put together as YAML trees, before anything is made of them. Each node keeps the file that it was read from, so
//! that whoever points at a value of the whole points into the right file, and nothing after this knows of several files.

mod events;
mod extend;
mod files;
mod folder;
mod share;

pub use files::Written;

use camino::Utf8PathBuf;

use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Pointer, Tree};
use crate::source::{Location, Source};
use files::Files;

/// A catalog in one document, and what is wrong with its files.
pub struct Assembled {
    pub document: Option<Document>,
    /// Of all texts that it was made of. Line ends are a matter of the checkout, not of the catalog.
    pub digest: String,
    /// The files that these stand in.
    pub files: Vec<Utf8PathBuf>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Puts a catalog together.
pub fn assemble(written: Written) -> Assembled {
    let Written { source, place, open } = written;
    let mut assembly =
        Assembly { files: Files::new(place, open), texts: Vec::new(), under_way: Vec::new(), diagnostics: Vec::new() };
    let mut document = assembly.catalog(source);
    if let Some(document) = &mut document {
        assembly.spread(document);
    }
    let digest = digest(&assembly.texts);
    let files = assembly.texts.into_iter().map(|(path, _)| path).collect();
    Assembled { document, digest, files, diagnostics: assembly.diagnostics }
}

fn digest(texts: &[(Utf8PathBuf, String)]) -> String {
    match texts {
        [(_, only)] => hookgen_runtime::library::digest(only),
        several => {
            let whole: String = several.iter().map(|(path, text)| format!("{path}\0{text}\0")).collect();
            hookgen_runtime::library::digest(&whole)
        }
    }
}

/// Files on their way into one document.
struct Assembly {
    files: Files,
    /// Every text that was read, in order.
    texts: Vec<(Utf8PathBuf, String)>,
    /// Files whose parts are being read, outermost first.
    under_way: Vec<Utf8PathBuf>,
    diagnostics: Vec<Diagnostic>,
}

impl Assembly {
    /// A catalog with all that it uses, extends and has in its folder.
    fn catalog(&mut self, source: Source) -> Option<Document> {
        let path = source.path().to_owned();
        let mut document = self.parse(source)?;
        self.under_way.push(path.clone());
        self.folder(&mut document, &path);
        let mut brought = Vec::new();
        self.share(&mut document, &path, &mut brought);
        let document = self.extend(document, &path);
        self.under_way.pop();
        document
    }

    fn parse(&mut self, source: Source) -> Option<Document> {
        self.texts.push((source.path().to_owned(), source.text().replace("\r\n", "\n")));
        let (document, diagnostics) = Document::parse(source);
        self.diagnostics.extend(diagnostics);
        document
    }

    /// The file that is named at a place, unless something is wrong with the name.
    fn named(&mut self, document: &Document, at: &Pointer, from: &Utf8PathBuf) -> Option<Source> {
        let entry = document.get(at)?;
        let (path, path_at) = match entry.get("path") {
            Some(path) => (path, at.key("path")),
            None => (entry, at.clone()),
        };
        // What is no path is told by the schema.
        let written = path.as_str()?.to_owned();
        let location = document.at(&path_at);
        let source = match self.files.read(from, &written) {
            Ok(source) => source,
            Err(reason) => {
                self.diagnostics.push(
                    Diagnostic::error(Code::UnreadableFile, format!("cannot read `{written}`: {reason}"))
                        .primary(location, "named here")
                        .help("name a file of the project by its path from this one"),
                );
                return None;
            }
        };
        if let Some(start) = self.under_way.iter().position(|path| path == source.path()) {
            let way: Vec<&str> = self.under_way.iter().skip(start).map(|path| path.as_str()).collect();
            self.diagnostics.push(
                Diagnostic::error(Code::Cycle, format!("`{}` comes back to itself", source.path()))
                    .primary(location, "begins it anew")
                    .help(format!("break the circle {} → {}", way.join(" → "), source.path())),
            );
            return None;
        }
        self.verify(document, at, &source).then_some(source)
    }

    /// Whether a file is the one that was reviewed, where that is said.
    fn verify(&mut self, document: &Document, at: &Pointer, source: &Source) -> bool {
        let Some(wanted) = document.get(&at.key("digest")).and_then(serde_json::Value::as_str) else { return true };
        let found = format!("sha256:{}", hookgen_runtime::library::sha256_hex(&source.text().replace("\r\n", "\n")));
        if wanted == found {
            return true;
        }
        self.diagnostics.push(
            Diagnostic::error(Code::OtherContent, format!("`{}` is not what was reviewed", source.path()))
                .primary(document.at(&at.key("digest")), "another digest")
                .help(format!("look at what changed in it, then write `digest: {found}`")),
        );
        false
    }

    /// Puts a named entry into a section, unless there is one of that name.
    fn add(&mut self, document: &mut Document, section: &str, name: &str, entry: Tree) {
        let at = Pointer::root().key(section);
        let own = at.key(name);
        if document.get(&own).is_some() {
            self.clash(section, name, document.key(&own), entry.location());
            return;
        }
        document.put(&at, name, entry);
    }

    fn clash(&mut self, section: &str, name: &str, first: Location, second: Location) {
        self.diagnostics.push(
            Diagnostic::error(Code::NameClash, format!("`{name}` is in `{section}` twice"))
                .primary(first, "here")
                .secondary(second, "and in what is brought in")
                .help("rename one of them; in a catalog that extends another one, say it below `change`"),
        );
    }
}
