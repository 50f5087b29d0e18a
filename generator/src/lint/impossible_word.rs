//! A command is asked for a word that none ever has there: options come one by one, and a name has no folder.

use hookgen_runtime::shell::{World, analyse};

use super::sites::{Site, bare_value, compared, parts};
use super::{Lint, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{BinaryOp, Expr, ExprKind, Macro, Type};

pub(super) const LINT: Lint = Lint { code: Code::ImpossibleWord, check };

/// Words after a single dash that some program really has, beside those of the programs that an expression names.
const WORDS: &[&str] = &[
    "-in", "-out", "-or", "-not", "-and", "-ls", "-cp", "-jar", "-ef", "-nt", "-ot", "-eq", "-ne", "-lt", "-le", "-gt",
    "-ge", "-ss", "-vf", "-to",
];

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for site in subject.sites() {
        let mut search = Search { subject, site: &site, lists: Vec::new(), findings: Vec::new() };
        search.expr(site.expr);
        findings.extend(search.findings);
    }
    findings
}

struct Search<'s> {
    subject: &'s Subject<'s>,
    site: &'s Site<'s>,
    /// Variables that go over the options of a command.
    lists: Vec<&'s str>,
    findings: Vec<Diagnostic>,
}

impl<'s> Search<'s> {
    fn expr(&mut self, expr: &'s Expr) {
        match &expr.kind {
            ExprKind::Call { function, args } if matches!(function.name, "hasAny" | "hasAll") => {
                if let [_, options] = args.as_slice() {
                    self.options(options, function.name == "hasAll");
                }
            }
            ExprKind::Binary { op: BinaryOp::In, left, right } if is_part(right, "options") => {
                self.options(left, false);
            }
            _ => {
                if let Some((value, texts)) = compared(expr) {
                    if is_part(value, "name") {
                        self.names(texts);
                    } else if matches!(&value.kind, ExprKind::Variable(name) if self.lists.contains(&name.as_str())) {
                        self.options(texts, false);
                    }
                }
            }
        }
        if let ExprKind::Macro { kind, list, variable, body } = &expr.kind {
            self.expr(list);
            let goes = is_part(list, "options") && *kind != Macro::Map;
            self.lists.extend(goes.then_some(variable.as_str()));
            self.expr(body);
            self.lists.truncate(self.lists.len() - usize::from(goes));
        } else {
            expr.children().into_iter().for_each(|child| self.expr(child));
        }
    }

    fn names(&mut self, texts: &'s Expr) {
        for (text, place) in self.subject.constants(texts) {
            if let Some((_, name)) = text.rsplit_once('/') {
                let help = format!("write `'{name}'`; the path as written is `program`");
                self.report(place, format!("no command has the name `{text}`"), "a name has no folder", help);
            }
        }
    }

    fn options(&mut self, texts: &'s Expr, alternatives: bool) {
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
                Some(format!("the value is no part of the option: ask for `--{name}`, and see `optionValues`"))
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
        self.findings.push(Diagnostic::warning(Code::ImpossibleWord, message).primary(location, label).help(help));
    }
}

/// Whether a value is that part of a command.
fn is_part(expr: &Expr, part: &str) -> bool {
    matches!(&bare_value(expr).kind, ExprKind::Part { of, name } if *name == part && is_command(&of.ty))
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
