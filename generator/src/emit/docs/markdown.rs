//! Text as Markdown: whatever a catalog says, a page and its tables keep their shape.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::cel;
use crate::emit::visible;

/// Prose as inline Markdown, on one line. A pair of backticks makes a code span, as the author meant it; everything
/// else shows exactly as it was written.
pub(in crate::emit) fn text(prose: &str) -> String {
    let prose = one_line(prose);
    let parts: Vec<&str> = prose.split('`').collect();
    let paired = parts.len() % 2 == 1 && parts.iter().skip(1).step_by(2).all(|inside| !inside.trim().is_empty());
    if !paired {
        return escaped(&prose);
    }
    let parts = parts.iter().enumerate();
    parts.map(|(position, part)| if position % 2 == 0 { escaped(part) } else { code(part) }).collect()
}

/// A text with one blank for every stretch of white space.
fn one_line(text: &str) -> String {
    visible::spelled(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn escaped(prose: &str) -> String {
    let mut escaped = String::with_capacity(prose.len());
    let mut before = ' ';
    let mut rest = prose.chars().peekable();
    while let Some(c) = rest.next() {
        let after = rest.peek().copied().unwrap_or(' ');
        let special = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' | '$' => true,
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            '&' => after.is_ascii_alphanumeric() || after == '#',
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(c);
        before = c;
    }
    escaped
}

/// Prose as Markdown paragraphs; a blank line in it starts another one.
pub(in crate::emit) fn paragraphs(prose: &str) -> String {
    let prose = visible::lines(prose);
    let lines: Vec<&str> = prose.iter().map(|line| line.trim()).collect();
    let paragraphs = lines.split(|line| line.is_empty()).map(|lines| line(&lines.join(" ")));
    let paragraphs: Vec<String> = paragraphs.filter(|text| !text.is_empty()).collect();
    paragraphs.join("\n\n")
}

/// Prose on a line of its own.
pub(in crate::emit) fn line(prose: &str) -> String {
    not_a_block(&text(prose))
}

/// Keeps the start of a line from being read as a heading, a list, a quotation or a rule.
fn not_a_block(line: &str) -> String {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let (number, rest) = line.split_at(digits);
    if digits > 0 && rest.starts_with(['.', ')']) {
        return format!("{number}\\{rest}");
    }
    if line.starts_with(['#', '>', '-', '+', '=', '|', ':']) { format!("\\{line}") } else { line.to_owned() }
}

/// A code span on one line, whatever backticks are in it.
pub(in crate::emit) fn code(literal: &str) -> String {
    let literal = one_line(literal);
    if literal.is_empty() {
        return "(empty)".to_owned();
    }
    let ticks = "`".repeat(longest_run(&literal) + 1);
    let pad = if literal.starts_with('`') || literal.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{literal}{pad}{ticks}")
}

/// A code block, whatever backticks are in it.
pub(in crate::emit) fn fence(language: &str, literal: &str) -> String {
    let ticks = "`".repeat((longest_run(literal) + 1).max(3));
    format!("{ticks}{language}\n{}\n{ticks}", visible::lines(literal).join("\n").trim_end_matches('\n'))
}

/// Definitions as a code block: each begins a line, and goes on below its name if one line does not hold it.
pub(in crate::emit) fn definitions<'d>(definitions: impl IntoIterator<Item = (&'d str, &'d str)>) -> String {
    let block = |(name, source): (&str, &str)| {
        let beside = cel::layout(source, name.chars().count() + 3);
        if beside.contains('\n') {
            format!("{name} =\n    {}", cel::layout(source, 4))
        } else {
            format!("{name} = {beside}")
        }
    };
    let blocks: Vec<String> = definitions.into_iter().map(block).collect();
    if blocks.is_empty() { String::new() } else { fence("cel", &blocks.join("\n\n")) }
}

fn longest_run(literal: &str) -> usize {
    literal.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Code spans with commas between them, or a dash for none.
pub(in crate::emit) fn codes<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    or_dash(names.into_iter().map(code).collect::<Vec<_>>().join(", "))
}

/// A dash instead of nothing, so that a reader sees that nothing was meant.
pub(in crate::emit) fn or_dash(shown: impl Into<String>) -> String {
    let shown = shown.into();
    if shown.is_empty() { "–".to_owned() } else { shown }
}

/// A link to the page of a hook, from the page of all of them.
pub(in crate::emit) fn hook_link(hook: &crate::model::Hook) -> String {
    format!("[{}](hooks/{}.md)", hook.id, hook.id)
}

/// Links to the pages of hooks, or a dash for none.
pub(in crate::emit) fn hook_links<'a>(hooks: impl IntoIterator<Item = &'a crate::model::Hook>) -> String {
    or_dash(hooks.into_iter().map(hook_link).collect::<Vec<_>>().join(", "))
}

/// A table; every row has as many cells as the head.
#[derive(Debug, Clone)]
pub(in crate::emit) struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(in crate::emit) fn new<const COLUMNS: usize>(head: [&str; COLUMNS], rows: Vec<[String; COLUMNS]>) -> Self {
        Self::of(head.map(str::to_owned).to_vec(), rows.into_iter().map(Vec::from).collect())
    }

    /// A table whose columns are not known beforehand; every row has one cell for each.
    pub(in crate::emit) fn of(head: Vec<String>, rows: Vec<Vec<String>>) -> Self {
        let cells = |row: Vec<String>| row.iter().map(|content| cell(content)).collect();
        Self { head: cells(head), rows: rows.into_iter().map(cells).collect() }
    }

    /// The table without a column that says the same in every row, and nothing that a reader would miss.
    pub(in crate::emit) fn without(mut self, column: &str, usual: &str) -> Self {
        let place = self.head.iter().position(|head| head == column);
        if let Some(place) =
            place.filter(|place| self.rows.iter().all(|row| row.get(*place).is_some_and(|it| it == usual)))
        {
            self.head.remove(place);
            self.rows.iter_mut().for_each(|row| drop(row.remove(place)));
        }
        self
    }

    /// Nothing instead of a table without rows.
    pub(in crate::emit) fn or_empty<const COLUMNS: usize>(
        head: [&str; COLUMNS],
        rows: Vec<[String; COLUMNS]>,
    ) -> String {
        if rows.is_empty() { String::new() } else { Self::new(head, rows).to_string() }
    }
}

/// Inline Markdown as the content of a cell: the only place where tables are protected from what is in them.
fn cell(content: &str) -> String {
    let lines: Vec<&str> = content.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut protected = String::new();
    let mut backslashes = 0;
    for c in lines.join("<br>").chars() {
        if c == '|' {
            // An odd number of backslashes is what keeps a pipe from ending the cell.
            protected.push_str(if backslashes % 2 == 0 { "\\" } else { "\\\\" });
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        protected.push(c);
    }
    protected
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} |\n|{}", self.head.join(" | "), " --- |".repeat(self.head.len()))?;
        self.rows.iter().try_for_each(|row| write!(f, "\n| {} |", row.join(" | ")))
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_shows_its_own_characters() {
        assert_eq!(text("a *c* <d> [e](f)\n g"), "a \\*c\\* \\<d> \\[e\\](f) g");
        assert_eq!(text("say `a*b` and `c`"), "say `a*b` and `c`");
        assert_eq!(text("one ` alone, ``two``"), "one \\` alone, \\`\\`two\\`\\`");
        assert_eq!(text("snake_case stays, _this_ not"), "snake_case stays, \\_this\\_ not");
        assert_eq!(text("a & b &amp; c"), "a & b \\&amp; c");
    }

    #[test]
    fn the_start_of_a_paragraph_is_never_a_block() {
        assert_eq!(paragraphs("# no heading\n\n1. no list\n- joined"), "\\# no heading\n\n1\\. no list - joined");
        assert_eq!(paragraphs("2026 was good"), "2026 was good");
    }

    #[test]
    fn code_spans_and_blocks_hold_any_backticks() {
        assert_eq!(code("a `b`"), "`` a `b` ``");
        assert_eq!(code("plain"), "`plain`");
        assert_eq!(fence("text", "```\nx\n```\n"), "````text\n```\nx\n```\n````");
    }

    #[test]
    fn long_definitions_go_on_below_their_names() {
        let long = format!("{} && f('{}')", "a".repeat(80), "b ".repeat(20));
        let shown = definitions([("x", "1 + 1"), ("y", long.as_str())]);
        assert_eq!(
            shown,
            format!("```cel\nx = 1 + 1\n\ny =\n    {}\n    && f('{}')\n```", "a".repeat(80), "b ".repeat(20))
        );
        assert_eq!(definitions([]), "");
    }

    #[test]
    fn a_column_without_news_is_left_out() {
        let table = || Table::new(["a", "b"], vec![["1".to_owned(), "–".to_owned()], ["2".to_owned(), "–".to_owned()]]);
        assert_eq!(table().without("b", "–").to_string(), "| a |\n| --- |\n| 1 |\n| 2 |");
        assert_eq!(table().without("a", "1").to_string(), table().to_string());
    }

    #[test]
    fn cells_keep_pipes_and_line_breaks_inside() {
        let table = Table::new(["a|b", "c"], vec![["x|y".to_owned(), "1\n\n2".to_owned()]]);
        assert_eq!(cell("a\\|b \\\\|c"), "a\\\\\\|b \\\\\\|c");
        assert_eq!(table.to_string(), "| a\\|b | c |\n| --- | --- |\n| x\\|y | 1<br>2 |");
    }
}
