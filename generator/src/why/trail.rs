//! One line of the audit trails.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::str::FromStr;

use anyhow::Context as _;
use camino::Utf8PathBuf;
use serde_json::{Map, Value};

/// Which line is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// The newest decision.
    Last,
    /// The line with that id, or with the only id that begins so.
    Id(String),
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "last" => Ok(Self::Last),
            id if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit()) => Ok(Self::Id(id.to_lowercase())),
            _ => Err(format!("`{text}` is neither `last` nor an id such as 3f09ac51e2")),
        }
    }
}

/// A line as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(pub Map<String, Value>);

impl Line {
    /// A field that is a text; empty when it is not there.
    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// What a field with values says under a name.
    pub fn value(&self, field: &str, name: &str) -> Option<&Value> {
        self.0.get(field)?.get(name)
    }

    /// The version of its format; lines without one are older than the first.
    pub fn version(&self) -> i64 {
        self.0.get("v").and_then(Value::as_i64).unwrap_or_default()
    }

    /// Notes are about settings and state, not about what an agent did.
    fn is_decision(&self) -> bool {
        self.0.contains_key("decision") && self.text("decision") != "NOTE"
    }
}

/// What was found.
#[derive(Debug)]
pub enum Found {
    Nothing,
    One(Line),
    /// Several ids begin like this.
    Several(Vec<String>),
}

/// Looks for the line in all trails. What is no line is passed over.
pub fn find(trails: &[Utf8PathBuf], which: &Which) -> anyhow::Result<Found> {
    let mut found: Vec<Line> = Vec::new();
    for trail in trails {
        let file = File::open(trail).with_context(|| format!("cannot open `{trail}`"))?;
        for bytes in BufReader::new(file).split(b'\n') {
            let bytes = bytes.with_context(|| format!("cannot read `{trail}`"))?;
            let Ok(line) = serde_json::from_slice(&bytes).map(Line) else { continue };
            match which {
                Which::Id(id) if line.text("id").starts_with(id.as_str()) => found.push(line),
                // Of two in the same second, the one that was written later.
                Which::Last
                    if line.is_decision() && found.iter().all(|known| known.text("time") <= line.text("time")) =>
                {
                    found = vec![line];
                }
                _ => {}
            }
        }
    }
    if let Which::Id(id) = which
        && let Some(exact) = found.iter().position(|line| line.text("id") == id)
    {
        return Ok(Found::One(found.swap_remove(exact)));
    }
    match found.len() {
        0 => Ok(Found::Nothing),
        1 => Ok(Found::One(found.swap_remove(0))),
        _ => Ok(Found::Several(found.iter().map(|line| line.text("id").to_owned()).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trails(texts: &[&str]) -> (tempfile::TempDir, Vec<Utf8PathBuf>) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Utf8PathBuf::try_from(folder.path().to_path_buf()).expect("UTF-8");
        let paths = texts.iter().enumerate().map(|(number, text)| {
            let path = root.join(format!("{number}.jsonl"));
            std::fs::write(&path, text).expect("written");
            path
        });
        let paths = paths.collect();
        (folder, paths)
    }

    fn hook(found: Found) -> String {
        match found {
            Found::One(line) => line.text("hook").to_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_last_decision_is_the_newest_of_all_trails() {
        let (_folder, paths) = trails(&[
            "{\"time\":\"2026-02-04T10:00:02Z\",\"hook\":\"H1\",\"decision\":\"DENY\"}\n{\"time\":\"2026-02-04T10:00:02Z\",\"hook\":\"H2\",\"decision\":\"DENY\"}\n",
            "{\"time\":\"2026-02-04T10:00:01Z\",\"hook\":\"H3\",\"decision\":\"DENY\"}\nbroken\n{\"time\":\"2026-02-04T11:00:00Z\",\"hook\":\"H4\",\"decision\":\"NOTE\"}\n",
        ]);
        assert_eq!(hook(find(&paths, &Which::Last).expect("read")), "H2");
        assert!(matches!(find(&[], &Which::Last).expect("read"), Found::Nothing));
    }

    #[test]
    fn an_id_is_found_by_its_beginning_if_that_is_one_line_s_alone() {
        let (_folder, paths) = trails(&[
            "{\"id\":\"ab12\",\"hook\":\"H1\"}\n{\"id\":\"ab\",\"hook\":\"H2\"}\n{\"id\":\"ac00\",\"hook\":\"H3\"}",
        ]);
        let by = |id: &str| find(&paths, &id.parse().expect("an id")).expect("read");
        assert_eq!((hook(by("AB1")), hook(by("ab")), hook(by("ac"))), ("H1".into(), "H2".into(), "H3".into()));
        assert!(matches!(by("a"), Found::Several(ids) if ids == ["ab12", "ab", "ac00"]));
        assert!(matches!(by("ff"), Found::Nothing));
        assert!("".parse::<Which>().is_err() && "H01".parse::<Which>().is_err());
    }
}
