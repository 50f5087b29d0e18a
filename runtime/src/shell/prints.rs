//! What several commands print together.

use super::field::{Field, doubted};
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

impl Prints {
    pub(super) fn add(&mut self, output: Output) {
        match output {
            Some(text) => {
                self.known |= !text.is_empty();
                if self.text.is_empty() {
                    self.text = text;
                } else {
                    self.copied += text.len();
                    self.text.push_str(&text);
                }
            }
            None => {
                self.unknown = true;
                self.text.push_str(&Field::unresolved("\u{2026}").text);
                self.text.push('\n');
            }
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
        assert!(shown(&mixed) != mixed && mixed.ends_with("\nb\n"));
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
