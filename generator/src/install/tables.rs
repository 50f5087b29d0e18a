//! Tables of ours in a TOML file of somebody else's, as text: what is not ours stays to the byte.
//!
//! A table begins with its header and goes on to the next one. Ours are found by what they hold, since programs that
//! write the file again may drop comments.

use std::ops::Range;

/// The text of a file, and where its tables are.
#[derive(Debug, Clone)]
pub struct Tables {
    text: String,
}

impl Tables {
    /// The file, unless the key of our tables is something else there already.
    pub fn parse(text: &str, key: &str) -> Result<Self, String> {
        let tables = Self { text: text.to_owned() };
        let root = tables.ranges().first().map_or(text.len(), |first| first.start);
        let taken = text.get(..root).unwrap_or_default().lines().position(|line| {
            line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
        });
        match taken {
            Some(line) => {
                Err(format!("line {}: `{key}` is written as a value there, and tables cannot be added to it", line + 1))
            }
            None => Ok(tables),
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether one of the tables is ours.
    pub fn has(&self, is_ours: impl Fn(&str) -> bool) -> bool {
        self.ranges().into_iter().any(|range| is_ours(&self.text[range]))
    }

    /// Takes out our tables, each with the blank line that was put before it.
    pub fn remove(&mut self, is_ours: impl Fn(&str) -> bool) {
        // Taking one out moves the others.
        while let Some(range) = self.ranges().into_iter().rev().find(|range| is_ours(&self.text[range.clone()])) {
            let start = if self.text[..range.start].ends_with("\n\n") { range.start - 1 } else { range.start };
            let end = if range.end == self.text.len() { range.end } else { self.end_of_body(&range) };
            self.text.replace_range(start..end, "");
        }
    }

    /// Adds tables at the end.
    pub fn add(&mut self, tables: &[String]) {
        for table in tables {
            if !self.text.is_empty() && !self.text.ends_with('\n') {
                self.text.push('\n');
            }
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            self.text.push_str(table);
        }
    }

    /// Blank lines and comments before the next header are the next one's.
    fn end_of_body(&self, range: &Range<usize>) -> usize {
        let body = &self.text[range.clone()];
        let mut end = range.start;
        let mut at = range.start;
        for line in body.split_inclusive('\n') {
            at += line.len();
            if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
                end = at;
            }
        }
        end
    }

    fn ranges(&self) -> Vec<Range<usize>> {
        let mut starts = Vec::new();
        let mut at = 0;
        let mut quoted: Option<&str> = None;
        for line in self.text.split_inclusive('\n') {
            if quoted.is_none() && line.trim_start().starts_with('[') && !inside_list(&self.text[..at]) {
                starts.push(at);
            }
            for quote in ["\"\"\"", "'''"] {
                if line.matches(quote).count() % 2 == 1 && quoted.is_none_or(|open| open == quote) {
                    quoted = if quoted.is_some() { None } else { Some(quote) };
                }
            }
            at += line.len();
        }
        let ends = starts.iter().skip(1).copied().chain([self.text.len()]);
        starts.iter().zip(ends).map(|(start, end)| *start..end).collect()
    }
}

/// Whether a list that began on an earlier line is still open: a line of it may begin with a bracket, too.
fn inside_list(before: &str) -> bool {
    let last = before.lines().rev().find(|line| line.contains('=') || line.trim_start().starts_with('['));
    let Some(start) = last.filter(|line| line.contains('=')).and_then(|line| before.rfind(line)) else { return false };
    let value = &before[start..];
    value.matches('[').count() > value.matches(']').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEIRS: &str = "model = \"x\"\nlist = [\n  [1, 2],\n]\n\n# about hooks\n[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n\n[a]\nb = '''\n[[hooks]]\n'''\n";

    fn ours(table: &str) -> bool {
        table.contains("/hookgen/demo/")
    }

    #[test]
    fn tables_come_and_go_without_a_trace() {
        for theirs in [THEIRS, "", "a = 1\n"] {
            let mut file = Tables::parse(theirs, "hooks").expect("fits");
            file.add(&[
                "[[hooks]]\ncommand = \"/p/hookgen/demo/bin/x\"\n".to_owned(),
                "[[hooks]]\ncommand = \"/hookgen/demo/y\"\n".to_owned(),
            ]);
            assert!(file.has(ours));
            file.remove(ours);
            assert_eq!(file.text(), theirs);
        }
    }

    #[test]
    fn what_others_wrote_behind_ours_stays() {
        let mut file = Tables::parse(THEIRS, "hooks").expect("fits");
        file.add(&["[[hooks]]\ncommand = \"/hookgen/demo/y\"\n".to_owned()]);
        let mut later = Tables::parse(&format!("{}\n# mine\n[z]\nq = 1\n", file.text()), "hooks").expect("fits");
        later.remove(ours);
        assert_eq!(later.text(), format!("{THEIRS}\n# mine\n[z]\nq = 1\n"));
    }

    #[test]
    fn a_key_that_is_a_value_is_no_place_for_tables() {
        assert!(Tables::parse("hooks = []\n", "hooks").is_err());
        assert!(Tables::parse("[x]\nhooks = []\n", "hooks").is_ok());
    }
}
