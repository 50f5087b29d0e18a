//! The Markdown that the pages are made of, as HTML.
//!
//! Only what this documentation uses is known: headings, paragraphs, lists, tables, code blocks; code spans, strong
//! words, links, line breaks and escapes. Everything else is text, and text is always escaped.

use std::fmt::Write as _;

/// How a page becomes part of another one.
pub(super) struct Converter<'l> {
    /// Levels that headings are moved down.
    pub(super) deeper: usize,
    /// Whether headings can be linked to.
    pub(super) anchors: bool,
    /// Where a link leads, seen from the page that it comes to stand on.
    pub(super) target: &'l dyn Fn(&str) -> String,
}

impl Converter<'_> {
    pub(super) fn page(&self, markdown: &str) -> String {
        let mut html = String::new();
        let mut lines = markdown.lines().peekable();
        while let Some(line) = lines.next() {
            let ticks = line.chars().take_while(|c| *c == '`').count();
            if ticks >= 3 {
                let fence = "`".repeat(ticks);
                let code: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
                let _ = writeln!(html, "<pre><code>{}</code></pre>", escaped(&code.join("\n")));
            } else if let Some((level, text)) = heading(line) {
                html.push_str(&self.heading(level, text));
            } else if line.starts_with('|') {
                let mut rows = vec![line];
                while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                    rows.push(row);
                }
                html.push_str(&self.table(&rows));
            } else if let Some(item) = line.strip_prefix("- ") {
                let mut items = vec![item];
                while let Some(item) = lines.next_if(|line| line.starts_with("- ")) {
                    items.push(item.get(2..).unwrap_or_default());
                }
                let items: String = items.iter().map(|item| format!("<li>{}</li>", self.inline(item))).collect();
                let _ = writeln!(html, "<ul>{items}</ul>");
            } else if !line.is_empty() && !line.starts_with("<!--") {
                let mut text = line.to_owned();
                while let Some(more) = lines.next_if(|line| !line.is_empty() && !line.starts_with(['|', '#', '`'])) {
                    text = format!("{text} {more}");
                }
                let _ = writeln!(html, "<p>{}</p>", self.inline(&text));
            }
        }
        html
    }

    fn heading(&self, level: usize, text: &str) -> String {
        let level = (level + self.deeper).min(6);
        let anchor = if self.anchors { format!(" id=\"{}\"", escaped(&slug(text))) } else { String::new() };
        format!("<h{level}{anchor}>{}</h{level}>\n", self.inline(text))
    }

    fn table(&self, rows: &[&str]) -> String {
        let row = |cell: &str, row: &str| {
            let cells = cells(row).into_iter().map(|text| format!("<{cell}>{}</{cell}>", self.inline(text.trim())));
            format!("<tr>{}</tr>", cells.collect::<String>())
        };
        let (head, body) = rows.split_first().map_or(("", rows), |(head, body)| (*head, body));
        // A table without names in its head is a list of properties.
        let named = cells(head).iter().any(|cell| !cell.trim().is_empty());
        let head = if named { format!("<thead>{}</thead>", row("th", head)) } else { String::new() };
        let body: String = body.iter().skip(1).map(|text| row("td", text)).collect();
        format!("<div class=\"wide\"><table>{head}<tbody>{body}</tbody></table></div>\n")
    }

    /// Text within a block.
    fn inline(&self, text: &str) -> String {
        let mut html = String::new();
        let mut rest = text;
        let mut strong = false;
        while let Some(first) = rest.chars().next() {
            let ticks = rest.len() - rest.trim_start_matches('`').len();
            if let Some((code, after)) = span(rest, ticks) {
                let _ = write!(html, "<code>{}</code>", escaped(code));
                rest = after;
            } else if let Some(after) = rest.strip_prefix("**") {
                html.push_str(if strong { "</strong>" } else { "<strong>" });
                strong = !strong;
                rest = after;
            } else if let Some(after) = rest.strip_prefix("<br>") {
                html.push_str("<br>");
                rest = after;
            } else if let Some((label, target, after)) = link(rest) {
                let target = escaped(&(self.target)(target));
                let _ = write!(html, "<a href=\"{target}\">{}</a>", self.inline(label));
                rest = after;
            } else {
                let after = &rest[first.len_utf8()..];
                let literal = after.chars().next().filter(|next| first == '\\' && next.is_ascii_punctuation());
                html.push_str(&escaped(&literal.unwrap_or(first).to_string()));
                rest = &after[literal.map_or(0, char::len_utf8)..];
            }
        }
        if strong {
            html.push_str("</strong>");
        }
        html
    }
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.chars().take_while(|c| *c == '#').count();
    let text = line.get(level..)?.strip_prefix(' ')?;
    (level > 0).then_some((level, text))
}

/// The name by which a heading is linked to.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The cells of a row; a pipe after an odd number of backslashes is part of one.
fn cells(row: &str) -> Vec<String> {
    let inside = row.strip_prefix('|').unwrap_or(row);
    let inside = inside.strip_suffix('|').unwrap_or(inside);
    let mut cells = vec![String::new()];
    let mut backslashes = 0;
    for c in inside.chars() {
        let Some(cell) = cells.last_mut() else { break };
        match c {
            '|' if backslashes % 2 == 1 => {
                cell.pop();
                cell.push('|');
            }
            '|' => cells.push(String::new()),
            _ => cell.push(c),
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    cells
}

/// A code span at the start of a text that has so many backticks in front, and what comes after it.
fn span(text: &str, ticks: usize) -> Option<(&str, &str)> {
    if ticks == 0 {
        return None;
    }
    let inside = &text[ticks..];
    let mut from = 0;
    while let Some(found) = inside[from..].find('`') {
        let start = from + found;
        let run = inside[start..].len() - inside[start..].trim_start_matches('`').len();
        if run == ticks {
            let code = &inside[..start];
            let padded = code.strip_prefix(' ').and_then(|code| code.strip_suffix(' '));
            return Some((padded.filter(|code| !code.trim().is_empty()).unwrap_or(code), &inside[start + run..]));
        }
        from = start + run;
    }
    None
}

/// A link at the start of a text: its label, its target, and what comes after it.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (label, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (target, after) = rest.split_once(')')?;
    (!label.contains(['[', ']'])).then_some((label, target, after))
}

/// Text that no browser takes for anything else.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::markdown;
    use super::*;

    fn html(markdown: &str) -> String {
        Converter { deeper: 0, anchors: true, target: &str::to_owned }.page(markdown)
    }

    #[test]
    fn blocks_become_elements() {
        assert_eq!(
            html("# A b\n\nx\ny\n\n- one\n- two"),
            "<h1 id=\"a-b\">A b</h1>\n<p>x y</p>\n<ul><li>one</li><li>two</li></ul>\n"
        );
        assert_eq!(html("````cel\na < ```\n````"), "<pre><code>a &lt; ```</code></pre>\n");
        assert_eq!(html("<!-- no -->"), "");
    }

    #[test]
    fn tables_keep_their_pipes() {
        let table = html("| a | b |\n| --- | --- |\n| `x\\|y` | 1<br>2 |");
        assert!(table.contains("<td><code>x|y</code></td><td>1<br>2</td>"), "{table}");
        assert!(!html("|  |  |\n| --- | --- |\n| a | b |").contains("<th>"));
    }

    #[test]
    fn inside_a_block_only_what_was_meant_is_markup() {
        assert_eq!(
            html("**Deny** \\*x\\* `` a `b` `` [S](hooks/S.md) <i>"),
            "<p><strong>Deny</strong> *x* <code>a `b`</code> <a href=\"hooks/S.md\">S</a> &lt;i&gt;</p>\n"
        );
    }

    proptest! {
        #[test]
        fn prose_of_any_kind_shows_as_it_was_written(prose in "[<>&\"'`*_\\[\\]()\\\\|#~$ a-c-]{0,24}") {
            let paragraph = html(&markdown::paragraphs(&prose));
            let without: String = ["<p>", "</p>", "<code>", "</code>"].iter().fold(paragraph, |text, tag| text.replace(tag, ""));
            prop_assert!(!without.contains('<') && !without.contains('"'), "{}", without);
        }
    }
}
