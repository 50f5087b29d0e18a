//! The file that a catalog travels in: an index in front, and behind it what it points at.
//!
//! A call reads and decodes only what it asks for, and holds each piece against its digest in the index, so that what
//! was cut off or changed on the way is noticed before it is believed. The index of a hook's own definitions and checks
//! is part of the hook's section, under the digest of that.
//!
//! ```text
//! magic (8) │ version (4) │ length of the index (4) │ digest of the index (16) │ index │ sections
//! ```

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Check, Definition, Document, Hook, Message, Representation, Table, Text};
use crate::failure::{Attempt, Failure};
use crate::library::sha256;
use crate::program::Catalog;

/// The version of the format. A file of another version is refused: it may mean something else.
pub const FORMAT_VERSION: u32 = 3;

/// What an engine says of itself, word by word in its file: by this it is known which catalogs it reads, also where it
/// cannot be started.
pub const READS: &str = "this engine of hookgen reads format 2 alone";

const MAGIC: [u8; 8] = *b"hookgen\n";
const HEAD: usize = 32;
/// So much is read at once at the beginning: most indices and the constants behind them fit.
const BEGINNING: usize = 16 << 10;

type Digest = [u8; 16];

/// Where a piece of the file is, and what it must look like. Pieces are counted from the end of the index.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Section {
    start: u32,
    length: u32,
    digest: Digest,
}

/// What is in the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Index {
    /// How long everything behind the index is.
    length: u32,
    pub(super) catalog: Section,
    pub(super) settings: Section,
    pub(super) functions: Section,
    pub(super) patterns: Section,
    pub(super) tables: Vec<Section>,
    pub(super) facts: Vec<Section>,
    pub(super) documents: Vec<Section>,
    pub(super) messages: Vec<Section>,
    pub(super) hooks: Vec<Section>,
}

/// Where the operators' files are.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) config_file: Option<Text>,
    pub(super) dev_mode_file: Option<Text>,
}

/// A hook without its definitions and checks, which are sections of their own.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HookSection {
    pub(super) gate: Option<Text>,
    pub(super) definitions: Vec<Section>,
    pub(super) checks: Vec<Section>,
}

/// A file that is read piece by piece.
#[derive(Debug)]
pub(super) struct Sections {
    /// What was read at the beginning.
    beginning: Vec<u8>,
    /// Where the sections begin.
    base: usize,
    file: Mutex<File>,
}

impl Sections {
    /// Opens the file and reads its index.
    pub(super) fn open(path: &Path) -> Attempt<(Self, Index)> {
        let broken = |why: String| Failure::Catalog(format!("`{}` cannot be used: {why}", path.display()));
        Self::read(path).map_err(broken)
    }

    fn read(path: &Path) -> Result<(Self, Index), String> {
        let unreadable = |error: std::io::Error| error.to_string();
        let mut file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut beginning = Vec::with_capacity(BEGINNING);
        file.by_ref().take(BEGINNING as u64).read_to_end(&mut beginning).map_err(unreadable)?;
        let (size, digest) = head(&beginning)?;
        let base = HEAD + size;
        let missing = base.saturating_sub(beginning.len());
        file.by_ref().take(missing as u64).read_to_end(&mut beginning).map_err(unreadable)?;
        let index = beginning.get(HEAD..base).ok_or("it is cut off")?;
        if digest_of(index) != digest {
            return Err("its index was changed".to_owned());
        }
        let index: Index = decoded(index)?;
        if length != (base as u64) + u64::from(index.length) {
            return Err("it is cut off, or something was added to it".to_owned());
        }
        Ok((Self { beginning, base, file: Mutex::new(file) }, index))
    }

    /// What a section holds.
    pub(super) fn decode<T: DeserializeOwned>(&self, section: &Section) -> Attempt<T> {
        self.part(section).map_err(|why| Failure::Catalog(format!("the catalog's file cannot be used: {why}")))
    }

    fn part<T: DeserializeOwned>(&self, section: &Section) -> Result<T, String> {
        let start = self.base + section.start as usize;
        let whole = start..start + section.length as usize;
        match self.beginning.get(whole) {
            Some(bytes) => checked(bytes, section),
            None => checked(&self.piece(start, section.length).map_err(|error| error.to_string())?, section),
        }
    }

    fn piece(&self, start: usize, length: u32) -> std::io::Result<Vec<u8>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start as u64))?;
        // The length of the file was held against the index, which was held against its digest.
        let mut bytes = vec![0; length as usize];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// The length of the index and its digest.
fn head(bytes: &[u8]) -> Result<(usize, Digest), String> {
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or("it is cut off")?;
    if *magic != MAGIC {
        return Err("it is not a catalog that hookgen made".to_owned());
    }
    let (version, rest) = rest.split_first_chunk::<4>().ok_or("it is cut off")?;
    match u32::from_le_bytes(*version) {
        FORMAT_VERSION => {}
        newer if newer > FORMAT_VERSION => {
            return Err(format!("a newer hookgen made it: it has format {newer}, and {READS}"));
        }
        older => return Err(format!("an older hookgen made it: it has format {older}, and {READS}")),
    }
    let (length, rest) = rest.split_first_chunk::<4>().ok_or("it is cut off")?;
    let digest = rest.first_chunk::<16>().ok_or("it is cut off")?;
    Ok((u32::from_le_bytes(*length) as usize, *digest))
}

fn checked<T: DeserializeOwned>(bytes: &[u8], section: &Section) -> Result<T, String> {
    if digest_of(bytes) == section.digest { decoded(bytes) } else { Err("a part of it was changed".to_owned()) }
}

fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    postcard::from_bytes(bytes).map_err(|error| format!("it is not what this engine reads: {error}"))
}

fn digest_of(bytes: &[u8]) -> Digest {
    let mut digest = Digest::default();
    digest.iter_mut().zip(sha256(bytes)).for_each(|(byte, whole)| *byte = whole);
    digest
}

/// The catalog as a file.
pub fn encode(whole: &Representation) -> Result<Vec<u8>, String> {
    let mut body = Body::default();
    let catalog: &Catalog = &whole.catalog;
    let settings = Settings { config_file: whole.config_file.clone(), dev_mode_file: whole.dev_mode_file.clone() };
    let index = Index {
        catalog: body.add(catalog)?,
        settings: body.add(&settings)?,
        functions: body.add(&whole.functions)?,
        patterns: body.add(&whole.patterns)?,
        hooks: whole.hooks.iter().map(|hook| body.hook(hook)).collect::<Result<_, _>>()?,
        facts: body.all::<Definition>(&whole.facts)?,
        tables: body.all::<Table>(&whole.tables)?,
        documents: body.all::<Document>(&whole.documents)?,
        messages: body.all::<Message>(&whole.messages)?,
        length: body.length()?,
    };
    let index = encoded(&index)?;
    let length = u32::try_from(index.len()).map_err(|_| too_large())?;
    let head = [&MAGIC[..], &FORMAT_VERSION.to_le_bytes(), &length.to_le_bytes(), &digest_of(&index)].concat();
    Ok([head, index, body.bytes].concat())
}

#[derive(Default)]
struct Body {
    bytes: Vec<u8>,
}

impl Body {
    fn add<T: Serialize + ?Sized>(&mut self, part: &T) -> Result<Section, String> {
        let (start, bytes) = (self.length()?, encoded(part)?);
        self.bytes.extend_from_slice(&bytes);
        Ok(Section { start, length: u32::try_from(bytes.len()).map_err(|_| too_large())?, digest: digest_of(&bytes) })
    }

    fn all<T: Serialize>(&mut self, parts: &[T]) -> Result<Vec<Section>, String> {
        parts.iter().map(|part| self.add(part)).collect()
    }

    fn hook(&mut self, hook: &Hook) -> Result<Section, String> {
        let section = HookSection {
            gate: hook.gate.clone(),
            definitions: self.all::<Definition>(&hook.lets)?,
            checks: self.all::<Check>(&hook.checks)?,
        };
        self.add(&section)
    }

    fn length(&self) -> Result<u32, String> {
        u32::try_from(self.bytes.len()).map_err(|_| too_large())
    }
}

fn encoded<T: Serialize + ?Sized>(part: &T) -> Result<Vec<u8>, String> {
    postcard::to_stdvec(part).map_err(|error| error.to_string())
}

fn too_large() -> String {
    "the catalog is larger than 4 GiB".to_owned()
}
