//! From words to fields: tildes, variables, substitutions and splitting, in the order that bash has.

use std::rc::Rc;
use std::sync::Arc;

use super::braces;
use super::field::{Field, remember, split};
use super::programs::DECLARING;
use super::state::Value;
use super::syntax::{Index, Operation, Part, Variable, Word};
use super::trim::{Trim, is_literal};
use super::walk::{Feed, Walker};
use super::wrappers::is_assignment;

/// What `IFS` holds unless the line changes it.
const BLANKS: &str = " \t\n";

impl Walker<'_> {
    /// The fields that words become.
    pub(super) fn fields(&mut self, words: &[Word]) -> Vec<Field> {
        let mut fields = Vec::with_capacity(words.len());
        let declares = words.first().is_some_and(is_declaring);
        for word in words {
            if !braces::has_brace(word) {
                self.word_fields(word, declares, &mut fields);
                continue;
            }
            match braces::expand(word) {
                // What braces become is no assignment any more.
                Some(words) => {
                    let declares = declares && words.len() == 1;
                    for word in &words {
                        self.word_fields(word, declares, &mut fields);
                    }
                }
                None => fields.push(Field { glob: true, ..self.whole(word) }),
            }
        }
        for field in &fields {
            self.shared.pay(field.text.len());
        }
        fields
    }

    fn word_fields(&mut self, word: &Word, declares: bool, fields: &mut Vec<Field>) {
        if !(declares && begins_as_assignment(word)) {
            return self.split_word(word, fields);
        }
        // As in an assignment that stands alone, the value is one whatever is in it.
        let field = self.whole(word);
        fields.push(if has_inner_tilde(word) { field.doubted() } else { field });
    }

    /// A word that is neither split nor matched against file names: a value, a target, a body.
    pub(super) fn whole(&mut self, word: &Word) -> Field {
        let mut field = Field::default();
        for (at, part) in word.parts.iter().enumerate() {
            match part {
                Part::Plain(text) if at == 0 && text.starts_with('~') => {
                    field.join(&self.tilde(text, word.parts.len() == 1));
                }
                Part::Plain(text) | Part::Quoted(text) => field.text.push_str(text),
                part => {
                    let values = self.part(part);
                    for (nth, value) in values.iter().enumerate() {
                        if nth > 0 {
                            field.text.push(' ');
                        }
                        field.join(value);
                    }
                }
            }
        }
        self.shared.pay(field.text.len());
        field
    }

    fn split_word(&mut self, word: &Word, fields: &mut Vec<Field>) {
        if let [Part::Plain(text)] = word.parts.as_slice()
            && !text.contains('~')
        {
            fields.push(Field { glob: is_glob(text), ..Field::known(text.as_str()) });
            return;
        }
        let mut current: Option<Field> = None;
        for (at, part) in word.parts.iter().enumerate() {
            match part {
                Part::Plain(text) => {
                    let field = current.get_or_insert_default();
                    if at == 0 && text.starts_with('~') {
                        field.join(&self.tilde(text, word.parts.len() == 1));
                    } else {
                        field.text.push_str(text);
                    }
                    field.glob |= is_glob(text);
                }
                Part::Quoted(text) => current.get_or_insert_default().text.push_str(text),
                Part::Hole(_) | Part::Process { .. } | Part::Arithmetic { .. } => {
                    for value in self.part(part) {
                        current.get_or_insert_default().join(&value);
                    }
                }
                Part::Variable(variable) => {
                    let quoted = variable.quoted;
                    let values = self.part(part);
                    self.append(values, quoted, &mut current, fields, is_list(variable));
                }
                Part::Command { quoted, .. } => {
                    let values = self.part(part);
                    self.append(values, *quoted, &mut current, fields, false);
                }
            }
        }
        if let (Some(field), true) = (&mut current, has_inner_tilde(word)) {
            *field = std::mem::take(field).doubted();
        }
        fields.extend(current);
    }

    fn append(
        &self,
        values: Vec<Field>,
        quoted: bool,
        current: &mut Option<Field>,
        fields: &mut Vec<Field>,
        list: bool,
    ) {
        if quoted && !list {
            let field = current.get_or_insert_default();
            for value in &values {
                field.join(value);
            }
            return;
        }
        let separators = self.separators();
        for (nth, value) in values.into_iter().enumerate() {
            if nth > 0 {
                fields.extend(current.take());
            }
            if quoted {
                current.get_or_insert_default().join(&value);
                continue;
            }
            let pieces = split(&value.text, &separators);
            if pieces.begins || pieces.pieces.is_empty() && pieces.ends {
                fields.extend(current.take());
            }
            for (nth, piece) in pieces.pieces.into_iter().enumerate() {
                if nth > 0 {
                    fields.extend(current.take());
                }
                let glob = is_glob(&piece);
                let field = current.get_or_insert_default();
                field.text.push_str(&piece);
                field.glob |= glob;
                field.add_origins(&value.origins);
            }
            if pieces.ends {
                fields.extend(current.take());
            }
        }
    }

    pub(super) fn separators(&self) -> String {
        match self.state.get("IFS") {
            Some(Value::One(field)) => field.shown(),
            _ => BLANKS.to_owned(),
        }
    }

    fn tilde(&self, text: &str, only: bool) -> Field {
        let Some(rest) = text.strip_prefix('~') else { return Field::known(text) };
        if rest.starts_with('/') || rest.is_empty() && only {
            let mut home = self.variable("HOME").unwrap_or_else(|| Field::unresolved("~"));
            home.text.push_str(rest);
            return home;
        }
        if rest.is_empty() { Field::known(text) } else { Field::unresolved(text) }
    }

    /// The values of a part; several only for lists such as `$@`.
    fn part(&mut self, part: &Part) -> Vec<Field> {
        match part {
            Part::Plain(text) | Part::Quoted(text) => vec![Field::known(text)],
            Part::Hole(text) => {
                let origins = self.origins.get(&super::field::shown(text)).cloned().unwrap_or_default();
                vec![Field { text: text.clone(), glob: false, origins }]
            }
            Part::Arithmetic { inner, source } => {
                let inner = self.whole(inner);
                if let Some(value) = self.variable(inner.text.trim()).filter(|value| value.text.contains("[$(")) {
                    self.prompt_text("arithmetic", &value.text);
                }
                let number = inner.is_resolved().then(|| inner.text.trim().parse::<i64>().ok()).flatten();
                vec![number.map_or_else(|| Field::unresolved(source), |number| Field::known(number.to_string()))]
            }
            Part::Command { list, source, .. } => {
                let (mut output, mut origins) = self.substitute(list, "substitution");
                if is_what_arrives(source) {
                    output.clone_from(&self.feed.input);
                    remember(&mut origins, self.feed.from.iter().cloned());
                }
                let mut field = match output {
                    Some(output) => Field::known(output.trim_end_matches('\n')),
                    None => self.made_by(source, &origins),
                };
                field.add_origins(&origins);
                vec![field]
            }
            Part::Process { list, source } if source.starts_with('>') => {
                self.outlets.push(Rc::clone(list));
                vec![self.made_by(source, &[])]
            }
            Part::Process { list, source } => {
                let (output, origins) = self.substitute(list, "process substitution");
                let field = self.made_by(source, &origins);
                if output.is_some() || !origins.is_empty() {
                    self.note_file(&field.shown(), Feed { input: output, from: Arc::new(origins) }, false);
                }
                vec![field]
            }
            Part::Variable(variable) => self.value(&Rc::clone(variable)),
        }
    }

    /// The unresolved output of commands; their names are kept for when it turns up again inside a script.
    fn made_by(&mut self, source: &str, origins: &[String]) -> Field {
        let mut field = Field::unresolved(source);
        field.add_origins(origins);
        self.origins.insert(source.to_owned(), field.origins.clone());
        field
    }

    fn value(&mut self, variable: &Variable) -> Vec<Field> {
        let value = self.lookup(variable);
        match &variable.operation {
            Operation::Plain => value.unwrap_or_else(|| vec![self.outside(variable, Field::default())]),
            Operation::Other(word) => {
                self.whole(word);
                self.changed(variable, value)
            }
            Operation::Trim { end, longest, word } => {
                let affix = self.whole(word);
                let trim = Trim { end: *end, longest: *longest, is_literal: is_literal(word, variable.quoted) };
                let Some(value) = value else {
                    return vec![match variable.name.as_str() {
                        // The name of the script is never empty.
                        "0" => Field::unresolved(&variable.source),
                        _ => self.outside(variable, Field::default()),
                    }];
                };
                trim.apply(value, &affix).unwrap_or_else(|| vec![Field::unresolved(&variable.source)])
            }
            Operation::Fallback { kind, colon, word } => {
                let Some(value) = value else {
                    let fallback = self.whole(word);
                    // Nobody sets it on this line, so that its default is what one would expect.
                    if matches!(kind, b'-' | b'=') && fallback.is_resolved() && !fallback.text.is_empty() {
                        let fallback = fallback.doubted();
                        if *kind == b'=' {
                            self.state.set(&variable.name, Value::One(fallback.clone()));
                        }
                        return vec![fallback];
                    }
                    return vec![self.outside(variable, Field::default())];
                };
                let doubtful = value.iter().any(|field| !field.is_resolved());
                if doubtful && !value.iter().any(|field| field.text.contains(super::field::HOLE)) {
                    self.whole(word);
                    return value;
                }
                if doubtful {
                    self.whole(word);
                    return vec![Field::unresolved(&variable.source)];
                }
                let unset = value.is_empty() && matches!(self.state.get(&variable.name), None | Some(Value::Unset));
                let missing = unset || *colon && value.iter().all(|field| field.text.is_empty());
                match (kind, missing) {
                    (b'+', true) => Vec::new(),
                    (b'+', false) | (b'-', true) => vec![self.whole(word)],
                    (b'=', true) => {
                        let field = self.whole(word);
                        self.state.set(&variable.name, Value::One(field.clone()));
                        vec![field]
                    }
                    (b'?', true) => vec![Field::unresolved(&variable.source)],
                    _ => value,
                }
            }
        }
    }

    /// A value that an operation changes: `${!name}`, `${name@P}`, `${name/a/b}`.
    fn changed(&mut self, variable: &Variable, value: Option<Vec<Field>>) -> Vec<Field> {
        let unknown = || vec![Field::unresolved(&variable.source)];
        if let Some(name) = variable.source.strip_prefix("${!").and_then(|rest| rest.strip_suffix('}')) {
            let target = self.variable(name).filter(Field::is_resolved).and_then(|named| self.variable(&named.text));
            return target.map_or_else(unknown, |field| vec![field.doubted()]);
        }
        let Some(value) = value else { return unknown() };
        let operation =
            variable.source.trim_start_matches("${").strip_prefix(variable.name.as_str()).unwrap_or_default();
        if operation.starts_with("@P") {
            for field in &value {
                self.prompt_text("prompt", &field.text);
            }
        }
        if operation.starts_with(['/', '@', '^', ',']) && value.iter().all(Field::is_resolved) {
            // A pattern may match more than itself; what is left is mostly what it was.
            return value.into_iter().map(|field| altered(field, operation).doubted()).collect();
        }
        if let (Some(range), [field]) = (operation.strip_prefix(':'), value.as_slice())
            && field.is_resolved()
            && let Some(text) = slice(&field.shown(), range.trim_end_matches('}'))
        {
            return vec![Field { text, ..field.clone() }.doubted()];
        }
        unknown()
    }

    /// A variable that the line does not set, and what it is if nobody has.
    fn outside(&mut self, variable: &Variable, otherwise: Field) -> Field {
        let field = Field::unresolved(&variable.source);
        // A line has no arguments; a function, whoever calls it, has.
        let is_argument = |first: char| first.is_ascii_digit() && self.via.iter().any(|how| how.ends_with("()"));
        let outside = |first: char| is_argument(first) || !first.is_alphanumeric() && first != '_';
        if !variable.name.starts_with(outside) {
            self.absent.insert(field.shown(), otherwise);
        }
        field
    }

    /// What the line says a variable holds; `None` when that comes from elsewhere.
    fn lookup(&self, variable: &Variable) -> Option<Vec<Field>> {
        let name = self.referred(variable.name.as_str());
        if let Ok(nth) = name.parse::<usize>() {
            let Some(nth) = nth.checked_sub(1) else { return Some(vec![self.zeroth.clone()?]) };
            return Some(self.positional.as_ref()?.get(nth).cloned().into_iter().collect());
        }
        match name {
            "@" | "*" => {
                let arguments = self.positional.as_ref()?;
                return Some(if name == "*" && variable.quoted { vec![joined(arguments)] } else { arguments.to_vec() });
            }
            "#" => return Some(vec![Field::known(self.positional.as_ref()?.len().to_string())]),
            _ => {}
        }
        match (self.state.get(name), variable.index) {
            (None, Index::None) => self.variable(name).map(|field| vec![field]),
            (None, _) | (_, Index::Unknown) => None,
            (Some(Value::One(field)), Index::None | Index::All | Index::At(0)) => Some(vec![field.clone()]),
            (Some(Value::Unset), _) | (Some(Value::One(_)), Index::At(_)) => Some(Vec::new()),
            (Some(Value::Many(fields)), Index::All) => Some(fields.clone()),
            (Some(Value::Many(fields)), Index::None) => Some(fields.first().cloned().into_iter().collect()),
            (Some(Value::Many(fields)), Index::At(nth)) => Some(fields.get(nth).cloned().into_iter().collect()),
        }
    }

    /// A plain variable: what the line says, else what is the same everywhere.
    pub(super) fn variable(&self, name: &str) -> Option<Field> {
        let name = self.referred(name);
        match self.state.get(name) {
            Some(Value::One(field)) => return Some(field.clone()),
            Some(Value::Many(fields)) => return fields.first().cloned(),
            Some(Value::Unset) => return Some(Field::default()),
            None => {}
        }
        match name {
            "HOME" if !self.world.home.is_empty() => Some(Field::known(self.world.home)),
            "IFS" => Some(Field::known(BLANKS)),
            // Whatever shell it is, it is one.
            "SHELL" => Some(Field::known("/bin/sh").doubted()),
            "BASH" => Some(Field::known("/bin/bash").doubted()),
            "PWD" if !self.world.cwd.is_empty() => {
                Some(Field::known(super::path::join(self.world.cwd, &self.state.folder())))
            }
            _ => None,
        }
    }
}

/// A value by `,,`, `^^`, `@L`, `@U` or `/from/to`, as far as plain text tells.
fn altered(field: Field, operation: &str) -> Field {
    let operation = operation.trim_end_matches('}');
    let text = match operation {
        ",," | "@L" => field.text.to_lowercase(),
        "^^" | "@U" => field.text.to_uppercase(),
        _ => {
            let Some(rest) = operation.strip_prefix('/') else { return field };
            let (all, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
            let (from, to) = rest.split_once('/').unwrap_or((rest, ""));
            let plain = |text: &str| !text.contains(['*', '?', '[', '\\', '\'', '"', '$', '`', '&']);
            if from.is_empty() || from.starts_with(['#', '%']) || !plain(from) || !plain(to) {
                return field;
            }
            if all { field.text.replace(from, to) } else { field.text.replacen(from, to, 1) }
        }
    };
    Field { text, ..field }
}

/// `${name:from:length}` with plain numbers.
fn slice(text: &str, range: &str) -> Option<String> {
    let (from, length) = range.split_once(':').map_or((range, None), |(from, length)| (from, Some(length)));
    let from: usize = from.trim().parse().ok()?;
    let length: usize = length.map_or(Some(usize::MAX), |length| length.trim().parse().ok())?;
    Some(text.chars().skip(from).take(length).collect())
}

fn is_declaring(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Plain(name)] if DECLARING.contains(&name.as_str()))
}

fn begins_as_assignment(word: &Word) -> bool {
    matches!(word.parts.first(), Some(Part::Plain(text)) if is_assignment(text))
}

/// In a word that looks like an assignment, tildes count in places that are too many to follow.
fn has_inner_tilde(word: &Word) -> bool {
    matches!(word.parts.first(), Some(Part::Plain(text)) if is_assignment(text) && text.contains('~'))
}

fn is_list(variable: &Variable) -> bool {
    variable.name == "@" || variable.index == Index::All
}

fn joined(fields: &[Field]) -> Field {
    let mut all = Field::default();
    for (nth, field) in fields.iter().enumerate() {
        if nth > 0 {
            all.text.push(' ');
        }
        all.join(field);
    }
    all
}

/// Whether text outside quotes is matched against file names.
fn is_glob(text: &str) -> bool {
    text.contains(['*', '?']) || text.contains('[') && text.contains(']')
}
/// Whether a substitution is only what arrives on standard input: `$(cat)`.
fn is_what_arrives(source: &str) -> bool {
    let inner = source.trim_start_matches("$(").trim_matches(['`', ')', ' ']);
    matches!(inner, "cat" | "cat -" | "cat /dev/stdin" | "</dev/stdin" | "< /dev/stdin")
}
