//! A command is asked for a word that none ever has there: options come one by one, and a name has no folder.

use hookgen_runtime::shell::{World, analyse};

use super::sites::{Bound, Site, bare_value, compared, compared_among, elements, given, parts, with_bound};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Expr, ExprKind, Type};
use crate::resolve::rules::has_subcommands;

pub(super) const LINT: Lint = Lint { code: Code::ImpossibleWord, check };

/// Words after a single dash that some program really has, beside those of the programs that an expression names.
const WORDS: &[&str] = &[
    "-in", "-out", "-or", "-not", "-and", "-ls", "-cp", "-jar", "-ef", "-nt", "-ot", "-eq", "-ne", "-lt", "-le", "-gt",
    "-ge", "-ss", "-vf", "-to",
];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        let mut search = Search { subject, site: &site, findings: Vec::new() };
        with_bound(site.expr, &mut Vec::new(), &mut |expr, bound| search.part(expr, bound));
        findings.extend(search.findings);
    }
    findings
}

struct Search<'s> {
    subject: &'s Subject<'s>,
    site: &'s Site<'s>,
    findings: Vec<Diagnostic>,
}

impl Search<'_> {
    fn part<'e>(&mut self, expr: &'e Expr, bound: &[Bound<'e>]) {
        if let ExprKind::Call { function, args } = &expr.kind {
            let (Some(of), Some(asked)) = (args.first(), args.get(1)) else { return };
            return self.call(function.name, of, asked, bound);
        }
        for (value, texts) in compared_among(expr, bound) {
            if is_part(value, "name") {
                self.names(texts, |text| text.contains('/'));
                self.phrases(texts);
            } else if is_option(value, bound) || is_part(texts, "options") {
                self.options(
                    if is_part(texts, "options") { elements(value, bound).unwrap_or(value) } else { texts },
                    false,
                );
            }
        }
    }

    fn call<'e>(&mut self, function: &str, of: &'e Expr, asked: &'e Expr, bound: &[Bound<'e>]) {
        let given_texts = given(asked, bound);
        match function {
            "hasAny" | "hasAll" | "value" | "values" if is_command(&of.ty) => match &given_texts.kind {
                ExprKind::List(items) => {
                    for item in items {
                        self.options(given(item, bound), function != "hasAny");
                    }
                }
                _ => self.options(given_texts, function != "hasAny"),
            },
            "indexOf" | "occurrences" if is_part(of, "options") => self.options(given_texts, false),
            "startsWith" if is_option(of, bound) => self.options(given_texts, false),
            "startsWith" | "endsWith" | "contains" if is_part(of, "name") => {
                self.names(given_texts, |text| text.contains('/'));
            }
            "matches" if is_part(of, "name") => self.names(given_texts, is_folder_pattern),
            _ => {}
        }
    }

    fn names(&mut self, texts: &Expr, impossible: fn(&str) -> bool) {
        for (text, place) in self.subject.constants(texts).into_iter().filter(|(text, _)| impossible(text)) {
            let name = text.rsplit('/').next().unwrap_or_default();
            let help = match name {
                "" => "the path as written is `program`".to_owned(),
                name => format!("write `'{name}'`; the path as written is `program`"),
            };
            self.report(place, format!("no command has the name `{text}`"), "a name has no folder", help);
        }
    }

    /// A name with more words after it, as somebody would type them.
    fn phrases(&mut self, texts: &Expr) {
        for (text, place) in self.subject.constants(texts) {
            let Some((name, rest)) = text.split_once(' ').filter(|_| !text.contains('/')) else { continue };
            let part = if has_subcommands(name) { "subcommand" } else { "operands" };
            let help = format!("write `'{name}'`, and ask for `{rest}` in `{part}` or `options`");
            self.report(place, format!("no command has the name `{text}`"), "a name is one word", help);
        }
    }

    fn options(&mut self, texts: &Expr, alternatives: bool) {
        for (text, place) in self.subject.constants(texts) {
            let spellings: Vec<&str> = if alternatives { text.split('|').collect() } else { vec![text] };
            // A table may also be held against words that are no options.
            let listed = !matches!(place.kind, ExprKind::Text(_));
            for word in spellings.into_iter().filter(|word| !listed || word.starts_with('-')) {
                if let Some(help) = self.impossible(word) {
                    self.report(place, format!("no command has the option `{word}`"), "never there", help);
                }
            }
        }
    }

    /// What to write instead of an option that no command has.
    fn impossible(&self, word: &str) -> Option<String> {
        let letters = word.strip_prefix('-');
        match (letters, word.strip_prefix("--")) {
            (None, _) => Some(format!("options begin with a dash: `--{word}`; other words are `operands`")),
            (_, Some(long)) => {
                let (name, _) = long.split_once('=')?;
                Some(format!("the value is no part of the option: ask for `--{name}`, and see `values`"))
            }
            (Some(cluster), None) if cluster.chars().count() > 1 => {
                let programs = self.programs();
                let splits = |program: &String| !has_option(program, word);
                let known = !programs.is_empty() && programs.iter().all(splits);
                let unknown = programs.is_empty() && cluster.len() <= 3 && !WORDS.contains(&word);
                let single: Vec<String> = cluster.chars().map(|letter| format!("'-{letter}'")).collect();
                let plain = cluster.chars().all(char::is_alphanumeric);
                (plain && (known || unknown))
                    .then(|| format!("options come one by one: `hasAll([{}])`", single.join(", ")))
            }
            _ => None,
        }
    }

    /// The programs that the expression, or else what it leads to, speaks of.
    fn programs(&self) -> Vec<String> {
        let own = self.named(&parts(self.site.expr));
        if own.is_empty() { self.named(&self.subject.reachable(self.site.hook, self.site.expr)) } else { own }
    }

    fn named(&self, exprs: &[&Expr]) -> Vec<String> {
        let comparisons = exprs.iter().filter_map(|expr| compared(expr)).filter(|(value, _)| is_part(value, "name"));
        let texts = comparisons
            .flat_map(|(_, texts)| self.subject.constants(texts).into_iter().map(|(text, _)| text.to_owned()));
        texts.collect()
    }

    fn report(&mut self, place: &Expr, message: String, label: &str, help: String) {
        let location = self.subject.place(self.site, place);
        self.findings.extend(
            location.map(|at| Diagnostic::warning(Code::ImpossibleWord, message).primary(at, label).help(help)),
        );
    }
}

/// Whether a value is that part of a command.
fn is_part(expr: &Expr, part: &str) -> bool {
    matches!(&bare_value(expr).kind, ExprKind::Part { of, name } if *name == part && is_command(&of.ty))
}

/// Whether a value is one of the options of a command.
fn is_option<'e>(expr: &'e Expr, bound: &[Bound<'e>]) -> bool {
    match &bare_value(expr).kind {
        ExprKind::Index { of, .. } => is_part(of, "options"),
        ExprKind::Call { function, args } if matches!(function.name, "first" | "last") => {
            args.first().is_some_and(|of| is_part(of, "options"))
        }
        _ => elements(expr, bound).is_some_and(|list| is_part(list, "options")),
    }
}

/// Whether a pattern wants a folder at its beginning. One with alternatives may mean something else beside it.
fn is_folder_pattern(pattern: &str) -> bool {
    pattern.strip_prefix('^').unwrap_or(pattern).starts_with('/') && !pattern.contains('|')
}

pub(super) fn is_command(ty: &Type) -> bool {
    matches!(ty, Type::Object(object) if object.name == hookgen_runtime::shell::COMMAND.name)
}

/// Whether the reader of shell lines gives a command of that name the word as one option.
fn has_option(program: &str, word: &str) -> bool {
    let line = format!("{program} {word}");
    analyse(&line, World::default())
        .commands
        .iter()
        .any(|command| command.options().iter().any(|option| option == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reader_of_lines_says_what_an_option_is() {
        assert!(has_option("find", "-delete") && has_option("rm", "-r") && !has_option("rm", "-rf"));
    }
}
