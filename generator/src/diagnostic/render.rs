//! Diagnostics for people: the source, an underline, the reason, and what to do.

use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str};

use super::{Diagnostic, Label, Severity, in_order};
use crate::source::Source;

/// How many diagnostics are shown; the others are counted.
const SHOWN: usize = 100;

/// The longest line that is shown, in bytes. Of a longer one only the position is.
const LONGEST_LINE: usize = 8 * 1024;

/// The diagnostics in order, and a closing line that counts them; empty if there are none.
pub fn render(diagnostics: &[Diagnostic], colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
    let ordered = in_order(diagnostics);
    // What stops the build is what one wants explained.
    let Some(first) = ordered.iter().find(|diagnostic| diagnostic.is_error()).or(ordered.first()) else {
        return String::new();
    };
    let mut text = String::new();
    for diagnostic in ordered.iter().take(SHOWN) {
        text.push_str(&renderer.render(&[group(diagnostic)]));
        text.push_str("\n\n");
    }
    if let Some(more @ 1..) = ordered.len().checked_sub(SHOWN) {
        text.push_str("… and ");
        text.push_str(&more.to_string());
        text.push_str(" more\n\n");
    }
    text.push_str(&summary(&ordered));
    text.push_str("\nhint: hookgen explain ");
    text.push_str(first.code.id());
    text.push('\n');
    text
}

fn group(diagnostic: &Diagnostic) -> Group<'_> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id());
    let group = Group::with_title(title).elements(by_source(diagnostic).into_iter().map(|labels| snippet(&labels)));
    match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(normalize_untrusted_str(help))),
        None => group,
    }
}

/// The labels of each source, that of the fault first.
fn by_source(diagnostic: &Diagnostic) -> Vec<Vec<&Label>> {
    let mut labels: Vec<&Label> = diagnostic.labels.iter().collect();
    labels.sort_by_key(|label| !label.primary);
    let mut sources: Vec<Vec<&Label>> = Vec::new();
    for label in labels {
        let same = |group: &&mut Vec<&Label>| {
            group.first().is_some_and(|other| other.location.source.path() == label.location.source.path())
        };
        match sources.iter_mut().find(same) {
            Some(group) => group.push(label),
            None => sources.push(vec![label]),
        }
    }
    sources
}

/// The lines from the first label to the last. Only these are handed over, so that one fault in a large file does not
/// cost a walk through all of it.
fn snippet<'a>(labels: &[&'a Label]) -> Element<'a> {
    let Some(source) = labels.first().map(|label| &label.location.source) else { return Origin::path("").into() };
    if source.text().is_empty() {
        return Origin::path(source.path().as_str()).into();
    }
    let starts = labels.iter().map(|label| label.location.start());
    if let Some(long) = starts.clone().find(|start| source.line(start.line).len() > LONGEST_LINE) {
        return Origin::path(source.path().as_str()).line(long.line).char_column(long.column).into();
    }
    let first = starts.map(|start| start.line).min().unwrap_or(1);
    let window = window(source, labels);
    let annotations = labels.iter().map(|label| {
        let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let within = |offset: usize| offset.clamp(window.start, window.end) - window.start;
        let span = label.location.span;
        let text = (!label.text.is_empty()).then_some(label.text.as_str());
        kind.span(within(span.start())..within(span.end())).label(text)
    });
    Snippet::source(source.text().get(window.clone()).unwrap_or_default())
        .line_start(first)
        .path(source.path().as_str())
        .annotations(annotations)
        .into()
}

fn window(source: &Arc<Source>, labels: &[&Label]) -> Range<usize> {
    let start = labels.iter().map(|label| label.location.start().line).min().map_or(0, |line| source.line(line).start);
    let end = labels.iter().map(|label| label.location.end().line).max().map_or(0, |line| source.line(line).end);
    start..end.max(start)
}

fn summary(diagnostics: &[&Diagnostic]) -> String {
    let count = |severity| diagnostics.iter().filter(|it| it.severity == severity).count();
    let plural = |number: usize, word: &str| match number {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{number} {word}s")),
    };
    let counts: Vec<String> = [plural(count(Severity::Error), "error"), plural(count(Severity::Warning), "warning")]
        .into_iter()
        .flatten()
        .collect();
    let mut files: Vec<&str> =
        diagnostics.iter().filter_map(|it| it.place()).map(|place| place.source.path().as_str()).collect();
    files.dedup();
    let files = match files.as_slice() {
        [] => String::new(),
        [file] => format!(" in {}", normalize_untrusted_str(file)),
        _ => format!(" in {} files", files.len()),
    };
    format!("{}{files}", counts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::Location;

    fn unknown_key(source: &Arc<Source>, range: Range<usize>) -> Diagnostic {
        Diagnostic::error(Code::UnknownKey, "unknown key `timout`").primary(Location::new(source, range), "no such key")
    }

    #[test]
    fn a_diagnostic_shows_its_line_its_underline_and_its_help() {
        let source = Arc::new(Source::new("specs/a.yaml", "hooks:\n  - id: é # x\n    ä: { timout: 3s }\n"));
        let start = source.text().find("timout").expect("there");
        let id = source.text().find("é").expect("there");
        let diagnostic = unknown_key(&source, start..start + 6)
            .secondary(Location::new(&source, id..id + 2), "in this hook")
            .help("did you mean `timeout`?");
        let expected = "\
error[HG101]: unknown key `timout`
 --> specs/a.yaml:3:10
  |
2 |   - id: é # x
  |         - in this hook
3 |     ä: { timout: 3s }
  |          ^^^^^^ no such key
  |
  = help: did you mean `timeout`?

1 error in specs/a.yaml
hint: hookgen explain HG101
";
        assert_eq!(render(&[diagnostic], false), expected);
    }

    #[test]
    fn colour_is_used_only_if_asked_for() {
        let source = Arc::new(Source::new("a.yaml", "timout: 3s"));
        let diagnostics = [unknown_key(&source, 0..6)];
        assert!(!render(&diagnostics, false).contains('\u{1b}'));
        assert!(render(&diagnostics, true).contains('\u{1b}'));
    }

    #[test]
    fn a_file_without_text_is_shown_by_its_path() {
        let diagnostic = Diagnostic::error(Code::UnreadableFile, "cannot read the file: there is no such file")
            .primary(Location::file("no.yaml".into()), "");
        let text = render(&[diagnostic], false);
        assert!(text.starts_with("error[HG001]: cannot read the file: there is no such file\n--> no.yaml\n"), "{text}");
    }

    #[test]
    fn line_breaks_of_windows_and_the_end_of_the_file_do_not_move_the_underline() {
        let source = Arc::new(Source::new("a.yaml", "one: 1\r\ntwo: 2\r\n"));
        let text = render(&[unknown_key(&source, 8..11)], false);
        assert!(text.contains("--> a.yaml:2:1\n  |\n2 | two: 2\n  | ^^^ no such key"), "{text}");
        let end = source.text().len();
        let text = render(&[unknown_key(&source, end..end)], false);
        assert!(text.contains("--> a.yaml:3:1"), "{text}");
    }

    #[test]
    fn terminal_escapes_in_the_file_do_not_reach_the_terminal() {
        let source = Arc::new(Source::new("a.yaml", "ti\u{1b}[2Jmout: 3s"));
        let diagnostic = unknown_key(&source, 0..4).help("not \u{1b}[2J this");
        assert!(!render(&[diagnostic], false).contains('\u{1b}'));
    }

    #[test]
    fn the_summary_counts_errors_warnings_and_files() {
        let one = Arc::new(Source::new("a.yaml", "timout: 3s"));
        let two = Arc::new(Source::new("b.yaml", "timout: 3s"));
        let warning = Diagnostic::warning(Code::UnusedName, "unused").primary(Location::new(&one, 0..1), "");
        let text = render(&[unknown_key(&one, 0..6), unknown_key(&one, 1..6), warning.clone()], false);
        assert!(text.contains("\n2 errors, 1 warning in a.yaml\nhint: hookgen explain HG101\n"), "{text}");
        let text = render(&[unknown_key(&two, 0..6), warning], false);
        assert!(text.contains("\n1 error, 1 warning in 2 files\n"), "{text}");
        assert_eq!(render(&[], false), "");
    }

    #[test]
    fn a_flood_is_cut_short_and_a_very_long_line_is_not_shown() {
        let source = Arc::new(Source::new("a.yaml", format!("é: {}\n{}", "x".repeat(10_000), "y\n".repeat(150))));
        let lines = (2..152).map(|line| unknown_key(&source, source.line(line)));
        let all: Vec<_> = std::iter::once(unknown_key(&source, 4..10)).chain(lines).collect();
        let text = render(&all, false);
        assert!(text.contains("--> a.yaml:1:4\n\n"), "{text}");
        assert!(text.len() < 20_000);
        assert!(text.contains("\n… and 51 more\n\n151 errors in a.yaml\n"), "{text}");
    }

    #[test]
    fn labels_in_two_files_are_shown_in_both() {
        let one = Arc::new(Source::new("a.yaml", "id: H01"));
        let two = Arc::new(Source::new("b.yaml", "id: H01"));
        let diagnostic = Diagnostic::error(Code::DuplicateId, "hook id `H01` is declared twice")
            .secondary(Location::new(&one, 4..7), "first declared here")
            .primary(Location::new(&two, 4..7), "declared again here");
        let text = render(&[diagnostic], false);
        let again = text.find("b.yaml:1:5").expect("the fault");
        let first = text.find("a.yaml:1:5").expect("the other place");
        assert!(again < first, "{text}");
    }
}
