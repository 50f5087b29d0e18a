//! A text without its secrets.

use regex_lite::Regex;

use crate::signature::function;

const SECRET: &str = "<secret>";

/// The text with what the patterns find taken out: of a pattern with a group, what the group holds.
pub fn redacted(text: &str, patterns: &[impl AsRef<str>]) -> String {
    let mut text = text.to_owned();
    for pattern in patterns {
        // What cannot be a pattern finds nothing; data of a catalog is not checked when it is compiled.
        let Ok(regex) = Regex::new(pattern.as_ref()) else { continue };
        text = without(&text, &regex);
    }
    text
}

fn without(text: &str, secret: &Regex) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    for found in secret.captures_iter(text) {
        let Some(found) = found.get(1).or_else(|| found.get(0)).filter(|found| !found.is_empty()) else { continue };
        shown.push_str(text.get(at..found.start()).unwrap_or_default());
        shown.push_str(SECRET);
        at = found.end();
    }
    shown.push_str(text.get(at..).unwrap_or_default());
    shown
}

function! {
    FUNCTION: redacted,
    name: "redacted",
    receiver: Text,
    params: { patterns: List<Text> },
    result: Text,
    doc: "The text with `<secret>` in place of all that the regular expressions find; of one with a group, in place of \
           what the group holds. For whatever is sent or written down elsewhere.",
    example: "'deploy --token=abc'.redacted(['--token[= ]([^ ]+)']) == 'deploy --token=<secret>'",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_secret_goes_and_nothing_else() {
        let patterns = ["(?i)(?:token|key)=([^ ]+)", "AKIA[A-Z0-9]+", "(", "x*"];
        assert_eq!(redacted("TOKEN=a b key=c AKIA12 d", &patterns), "TOKEN=<secret> b key=<secret> <secret> d");
        assert_eq!(redacted("nothing here", &patterns), "nothing here");
        assert_eq!(redacted("", &patterns), "");
    }
}
