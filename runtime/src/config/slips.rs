//! Keys of the settings that nobody reads: most likely slips.

use std::path::Path;

use super::Config;
use crate::json::Json;
use crate::program::{Refused, Str};

/// How long a name must be for one wrong letter to be a slip; among shorter ones (`model`, `modes`) it is another word.
const LONG: usize = 8;

impl Config {
    /// Keys of the files that nobody reads, if the files were read anyway. In a section that holds settings of this catalog
    /// each is told; elsewhere others may have keys too, and those are told that look like one of the catalog's. A file
    /// that is named after the catalog is nobody else's.
    pub fn slips(&self) -> Vec<String> {
        if !self.asked.get() {
            return Vec::new();
        }
        let keys = self.keys();
        let mut slips = Vec::new();
        for layer in self.layers() {
            let Ok(root) = layer.root() else { continue };
            let own = Path::new(layer.path()).file_stem().is_some_and(|stem| stem == &*self.catalog.name);
            Search { keys: &keys, own, slips: &mut slips }.section(root.json(), &mut Vec::new());
        }
        slips.extend(self.catalog.refused.iter().filter_map(|refused| self.refusal(refused)));
        slips
    }

    /// Every key that means something.
    fn keys(&self) -> Vec<Vec<&str>> {
        let catalog = self.catalog;
        let flags = catalog.flags.iter().map(|flag| &*flag.config);
        let choices = catalog.choices.iter().map(|choice| &*choice.config);
        let thresholds = catalog.thresholds.iter().map(|threshold| &*threshold.config);
        let refused = catalog.refused.iter().map(|refused| &*refused.config);
        let written = |key: &'static [Str]| key.iter().map(AsRef::as_ref).collect();
        let mut keys: Vec<Vec<&str>> = flags.chain(choices).chain(thresholds).chain(refused).map(written).collect();
        keys.extend(catalog.hooks.iter().map(|hook| vec!["modes", &*hook.id]));
        keys
    }

    fn refusal(&self, refused: &Refused) -> Option<String> {
        let said = self.find(&refused.config)?.display();
        let bothers = refused.unless.as_deref() != Some(said.trim());
        bothers.then(|| format!("{} is not read: {}", refused.config.join("."), refused.instead))
    }
}

struct Search<'s> {
    keys: &'s [Vec<&'s str>],
    own: bool,
    slips: &'s mut Vec<String>,
}

impl Search<'_> {
    fn section(&mut self, section: &Json<'_>, at: &mut Vec<String>) {
        let Json::Object(fields) = section else { return };
        let below = |key: &&Vec<&str>| key.len() > at.len() && key.iter().zip(at.iter()).all(|(one, two)| one == two);
        let known: Vec<&str> = self.keys.iter().filter(below).filter_map(|key| key.get(at.len()).copied()).collect();
        if known.is_empty() {
            return;
        }
        for (name, value) in fields.iter() {
            at.push(name.to_string());
            if known.contains(&name.as_ref()) {
                self.section(value, at);
            } else {
                self.unread(&known, at);
            }
            at.pop();
        }
    }

    fn unread(&mut self, known: &[&str], at: &[String]) {
        let meant = at.last().and_then(|name| known.iter().find(|known| is_slip_of(name, known)));
        let ours = match at.len() {
            1 => self.own,
            depth => depth == 2,
        };
        let kind = if at.first().is_some_and(|section| section == "modes") { "hook" } else { "setting" };
        let key = at.join(".");
        let slip = match meant {
            Some(meant) => format!("{key} has no effect: the catalog has no such {kind}; is `{meant}` meant?"),
            None if ours => format!("{key} has no effect: the catalog has no such {kind}"),
            None => return,
        };
        if !self.slips.contains(&slip) {
            self.slips.push(slip);
        }
    }
}

/// Whether somebody who meant the one name has written the other: in other letters or signs, with one character too many or
/// too few, or with two of them in the wrong order.
fn is_slip_of(written: &str, meant: &str) -> bool {
    let letters = |name: &str| -> Vec<char> {
        name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
    };
    let (one, two) = (letters(written), letters(meant));
    let start = one.iter().zip(&two).take_while(|(a, b)| a == b).count();
    let (one, two) = (&one[start..], &two[start..]);
    let end = one.iter().rev().zip(two.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&one[..one.len() - end], &two[..two.len() - end]) {
        ([] | [_], []) | ([], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        ([_], [_]) => meant.len() >= LONG,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{LIMIT, PARENT, catalog, config};
    use super::*;

    #[test]
    fn what_nobody_reads_is_told_where_the_catalog_has_its_settings() {
        let text = "modes: { H1: warn, ZZ: audit }\nflags: { parnet: false, parent: true }\nlimits: { calls: 3, cals: 4 }\n\
                    other: { x: 1 }\ntopp: 1\n";
        let (_folder, config) = config(text);
        assert_eq!(config.slips(), Vec::<String>::new(), "nobody has asked yet");
        config.flag(PARENT);
        assert_eq!(
            config.slips(),
            [
                "modes.ZZ has no effect: the catalog has no such hook",
                "flags.parnet has no effect: the catalog has no such setting; is `parent` meant?",
                "limits.cals has no effect: the catalog has no such setting; is `calls` meant?"
            ]
        );
    }

    fn told(text: &str) -> Vec<String> {
        let (_folder, config) = config(text);
        config.int(LIMIT);
        config.slips()
    }

    #[test]
    fn a_key_at_the_top_is_told_if_it_looks_like_one_of_ours() {
        for (slip, meant) in [("mode", "modes"), ("Modes", "modes"), ("modse", "modes"), ("limmits", "limits")] {
            let expected = format!("{slip} has no effect: the catalog has no such setting; is `{meant}` meant?");
            assert_eq!(told(&format!("{slip}: {{ H1: warn }}")), [expected]);
        }
        for other in ["model: opus", "permissions: {}", "env: {}", "limes: 1", "modes: { H1: warn }"] {
            assert!(told(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn a_key_deep_inside_is_told_if_it_looks_like_one_of_ours() {
        assert_eq!(told("flags: { parent: { enabeld: false } }").len(), 1);
        assert!(told("flags: { parent: { enabled: false, since: 3 } }").is_empty());
    }

    #[test]
    fn a_file_of_our_own_has_no_keys_of_others() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, slips) in [(&*catalog().name, 1), ("settings", 0)] {
            let path = folder.path().join(name).with_extension("yaml");
            std::fs::write(&path, "strictly: true\nlimits: { calls: 3 }\n").expect("written");
            let config = Config::from_file(catalog(), path);
            config.int(LIMIT);
            assert_eq!(config.slips().len(), slips, "{name}: {:?}", config.slips());
        }
    }
}
