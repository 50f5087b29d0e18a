//! Lines of usage: how a wrapper's own words end, in the form that its manual has.

use crate::shell::field::Field;

/// A line of usage, taken apart.
#[derive(Debug, Default)]
pub(in crate::shell) struct Usage<'u> {
    /// Subcommands, one of which must stand there; empty if the program has none.
    subcommands: Vec<&'u str>,
    /// Letters of options that take a value.
    letters: String,
    /// Long names of options that take a value.
    longs: Vec<&'u str>,
    /// Words of its own before the command.
    operands: usize,
    /// Subcommands that come after those words.
    later: Vec<&'u str>,
    /// Words behind which the command stands, whatever is before.
    markers: Vec<&'u str>,
}

impl<'u> Usage<'u> {
    /// Whether the line is about that program.
    pub(in crate::shell) fn is_of(line: &str, name: &str) -> bool {
        // Every command of a line asks every row, and most differ in the first letter.
        line.as_bytes().first() == name.as_bytes().first()
            && line.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }

    /// Reads a line of usage; the program's name comes first.
    pub(in crate::shell) fn read(line: &'u str) -> Self {
        let mut usage = Self::default();
        let mut marked = false;
        for word in line.split_ascii_whitespace().skip(1) {
            if word == "…" {
                marked = true;
            } else if marked {
                usage.markers.extend(word.split('|'));
            } else if let Some(long) = word.strip_prefix("--").filter(|long| !long.is_empty()) {
                usage.longs.extend(long.strip_suffix('='));
            } else if let Some(letters) = word.strip_prefix('-').filter(|_| word != "--") {
                usage.letters.push_str(letters.strip_suffix('=').unwrap_or_default());
            } else if word.starts_with(|c: char| c.is_ascii_uppercase()) {
                usage.operands += 1;
            } else if word != "--" {
                let list = if usage.operands > 0 { &mut usage.later } else { &mut usage.subcommands };
                list.extend(word.split('|'));
            }
        }
        usage
    }

    /// The program's own words and the command; `None` if these words run none.
    pub(in crate::shell) fn apart<'a>(&self, args: &'a [Field]) -> Option<(&'a [Field], &'a [Field])> {
        let mut from = skip_to(args, &self.letters, &self.longs);
        let mut start = 0;
        if !self.subcommands.is_empty() {
            if !args.get(from).is_some_and(|arg| self.subcommands.contains(&arg.text.as_str())) {
                return None;
            }
            from += 1;
            start = from;
            from += skip_to(args.get(from..).unwrap_or_default(), &self.letters, &self.longs);
        }
        if !self.markers.is_empty() {
            let rest = args.get(from.min(args.len())..).unwrap_or_default();
            let at = args.iter().skip(start).position(|arg| self.markers.contains(&arg.text.as_str()));
            let Some(at) = at else {
                return self.markers.contains(&"--").then(|| args.split_at(args.len() - rest.len()));
            };
            return Some(args.split_at((start + at + 1).min(args.len())));
        }
        from += self.operands;
        if !self.later.is_empty() {
            if !args.get(from).is_some_and(|arg| self.later.contains(&arg.text.as_str())) {
                return None;
            }
            from += 1;
        }
        // `--` may stand before or after a program's own words.
        if self.operands > 0 && args.get(from).is_some_and(|arg| arg.text == "--") {
            from += 1;
        }
        Some(args.split_at(from.min(args.len())))
    }
}

/// Where options end, if those with these letters and names take a value.
pub(in crate::shell) fn skip_to(args: &[Field], letters: &str, longs: &[&str]) -> usize {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        if text == "--" {
            return at + 1;
        }
        if let Some(long) = text.strip_prefix("--") {
            let valued = !long.contains('=') && longs.iter().any(|known| known.starts_with(long));
            at += if valued { 2 } else { 1 };
        } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
            let valued = cluster.find(|letter| letters.contains(letter));
            let needs_next = valued.is_some_and(|at| at + 1 == cluster.len());
            at += if needs_next { 2 } else { 1 };
        } else {
            break;
        }
    }
    at.min(args.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inner(usage: &str, line: &str) -> Option<String> {
        let words: Vec<Field> = line.split(' ').skip(1).map(Field::known).collect();
        let usage = Usage::read(usage);
        let (_, inner) = usage.apart(&words)?;
        Some(inner.iter().map(Field::shown).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn own_words_end_where_the_usage_says() {
        assert_eq!(inner("t -sk= --signal= DURATION", "t -s 9 --signal KILL 5 a -b").as_deref(), Some("a -b"));
        assert_eq!(inner("t run|exec -n=", "t -v exec -n x a").as_deref(), Some("a"));
        assert_eq!(inner("t run|exec", "t build a"), None);
        assert_eq!(inner("t shell … -c|--command", "t shell p q --command a b").as_deref(), Some("a b"));
        assert_eq!(inner("t shell … -c", "t shell p q"), None);
        assert_eq!(inner("t exec PROFILE", "t exec p -- a").as_deref(), Some("a"));
        assert!(Usage::is_of("t run", "t") && !Usage::is_of("tt run", "t"));
    }
}
