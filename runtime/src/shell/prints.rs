//! What several commands print together.

use super::field::doubted;
use super::shared::Shared;
use super::walk::Output;

/// Texts one after the other, with a hole for those that are not known.
#[derive(Debug, Default)]
pub(super) struct Prints {
    text: String,
    unknown: bool,
    known: bool,
    copied: usize,
}

/// Stands for lines that are not known.
const UNKNOWN: &str = "\u{e000}\u{2026}\u{e001}\n";

impl Prints {
    pub(super) fn add(&mut self, output: Output) {
        let Some(text) = output else {
            self.unknown = true;
            if self.known {
                self.text.push_str(UNKNOWN);
            }
            return;
        };
        if text.is_empty() {
            return;
        }
        if self.unknown && !self.known {
            self.text.push_str(UNKNOWN);
        }
        self.known = true;
        if self.text.is_empty() {
            self.text = text;
        } else {
            self.copied += text.len();
            self.text.push_str(&text);
        }
    }

    /// Adds what may be printed, and may not.
    pub(super) fn add_doubtful(&mut self, output: Output) {
        self.add(output.map(doubted));
    }

    /// All of it, with the work for that paid; `None` if nothing is known of it but that there is something.
    pub(super) fn output(self, shared: &Shared) -> Output {
        shared.pay(self.copied);
        (self.known || !self.unknown).then_some(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::shown;
    use super::*;

    #[test]
    fn what_is_not_known_leaves_a_hole_in_what_is() {
        let printed = |outputs: &[Option<&str>]| {
            let mut prints = Prints::default();
            for output in outputs {
                prints.add(output.map(str::to_owned));
            }
            prints.output(&Shared::default())
        };
        assert_eq!(printed(&[]).as_deref(), Some(""));
        assert_eq!(printed(&[Some("a\n"), Some("b\n")]).as_deref(), Some("a\nb\n"));
        assert_eq!(printed(&[None, Some("")]), None);
        let mixed = printed(&[None, Some("b\n")]).expect("something is known");
        assert_eq!(shown(&mixed), "\u{2026}\nb\n");
        assert!(mixed.starts_with(super::super::field::HOLE));
        assert_eq!(printed(&[Some("a\n"), None, Some("")]).map(|text| shown(&text)).as_deref(), Some("a\n\u{2026}\n"));
    }

    #[test]
    fn doubt_stands_before_the_end_of_the_line() {
        let mut prints = Prints::default();
        prints.add_doubtful(Some("a\n".to_owned()));
        prints.add_doubtful(Some(String::new()));
        let text = prints.output(&Shared::default()).expect("known");
        assert!(text.ends_with('\n') && shown(&text) == "a\n" && text != "a\n");
    }
}
