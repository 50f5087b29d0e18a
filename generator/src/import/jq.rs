//! jq, as far as hooks use it: paths into the event, tests, and objects that are printed.

mod syntax;

use super::commands::{event_text, is_event};
use super::json::Json;
use super::path::{Input, Path, Reason, bounded};
use super::regex::{Dialect, translated};
use super::script::{Reader, stepped};
use super::value::{Condition, Step, Text};
use syntax::{Filter, Interpolated, parse};

/// The command: its options, its filter, and what it prints.
pub(super) fn command(reader: &Reader<'_>, args: &[Text], mut path: Path) -> Result<Vec<Path>, Reason> {
    let (mut raw, mut exits, mut nothing, mut filter) = (false, false, false, None);
    let mut variables: Vec<(String, Json)> = Vec::new();
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        match arg.literal() {
            Some("--arg" | "--argjson") => {
                let name = words.next().and_then(Text::literal).ok_or("jq has a variable without a name")?;
                let value = words.next().ok_or("jq has a variable without a value")?;
                variables.push((name.to_owned(), Json::Text(value.clone())));
            }
            Some("--raw-output") => raw = true,
            Some("--exit-status") => exits = true,
            Some("--null-input") => nothing = true,
            Some("--compact-output") => {}
            Some(letters) if letters.starts_with('-') && letters.len() > 1 => {
                for letter in letters.chars().skip(1) {
                    match letter {
                        'r' | 'j' => raw = true,
                        'e' => exits = true,
                        'n' => nothing = true,
                        'c' | 'M' => {}
                        other => return Err(format!("it starts `jq -{other}`")),
                    }
                }
            }
            Some(text) if filter.is_none() => filter = Some(text.to_owned()),
            _ => return Err("jq reads a file or a filter that is not written in it".to_owned()),
        }
    }
    let filter = parse(&filter.unwrap_or_else(|| ".".to_owned()))?;
    let input = if nothing { Json::Null } else { read(&mut path)? };
    if input == Json::Text(Text::default()) {
        return Ok(vec![path.at(if exits { 4 } else { 0 })]);
    }
    let evaluation = Evaluation { reader, variables };
    let mut all = Vec::new();
    for (value, path) in evaluation.value(&filter, &input, path)? {
        for (value, path) in told_apart(value, path) {
            all.extend(printed(reader, value, path, raw, exits)?);
        }
    }
    Ok(all)
}

/// What `test` is told about a pattern. Its `s` is about the ends of lines, and says what holds anyway.
fn flags_of(letters: &str) -> Result<String, Reason> {
    let flags = letters.chars().filter(|letter| !matches!(letter, 'g' | 's')).map(|letter| match letter {
        'i' | 'x' => Ok(letter),
        'p' => Ok('s'),
        other => Err(format!("jq looks for a pattern with `{other}`")),
    });
    let flags = flags.collect::<Result<String, _>>()?;
    Ok(if flags.is_empty() { flags } else { format!("(?{flags})") })
}

/// A truth that depends on the event is printed as one word or the other.
fn told_apart(value: Option<Json>, path: Path) -> Ways {
    let Some(Json::Truth(condition)) = &value else { return vec![(value, path)] };
    let (yes, no) = path.fork(condition);
    let known = |truth| Some(Json::Truth(Condition::Known(truth)));
    yes.map(|path| (known(true), path)).into_iter().chain(no.map(|path| (known(false), path))).collect()
}

fn printed(
    reader: &Reader<'_>,
    value: Option<Json>,
    mut path: Path,
    raw: bool,
    exits: bool,
) -> Result<Vec<Path>, Reason> {
    let Some(value) = value else { return Ok(vec![path.at(if exits { 4 } else { 0 })]) };
    let text = if raw { value.text(reader.subject) } else { None }.or_else(|| value.written(reader.subject));
    match text {
        Some(text) => {
            path.out.push(&text);
            path.out = path.out.with("\n");
        }
        None if value == Json::Event(Vec::new()) => path.out.push(&event_text()),
        None => path.out.push(&Text::read(super::value::Read::world(UNSEEN))),
    }
    if !exits {
        return Ok(vec![path.at(0)]);
    }
    let truth = value.truth(reader.subject, false).ok_or("jq is asked whether a part of the event is there")?;
    Ok(path.tested(&truth))
}

/// What is printed and must not be read: a part of the event that is no text.
pub(super) const UNSEEN: &str = "\u{0}unseen";

fn read(path: &mut Path) -> Result<Json, Reason> {
    match Reader::taken(path) {
        Input::Event => Ok(Json::Event(Vec::new())),
        Input::Text(text) if is_event(&text) => Ok(Json::Event(Vec::new())),
        Input::Text(text) => match text.trimmed() {
            text if text.literal() == Some("") => Ok(Json::Text(Text::default())),
            _ => Err("jq reads something else than the event".to_owned()),
        },
    }
}

type Ways = Vec<(Option<Json>, Path)>;

struct Evaluation<'e, 'r> {
    reader: &'e Reader<'r>,
    variables: Vec<(String, Json)>,
}

impl Evaluation<'_, '_> {
    fn value(&self, filter: &Filter, input: &Json, path: Path) -> Result<Ways, Reason> {
        let subject = self.reader.subject;
        match filter {
            Filter::Here => Ok(vec![(Some(input.clone()), path)]),
            Filter::Field(of, name) => self.each(of, input, path, |value, path| {
                let field = value.field(name).ok_or_else(|| format!("jq takes `.{name}` of what has no fields"))?;
                Ok(vec![(Some(field.plain(subject)), path)])
            }),
            Filter::Text(parts) => self.text(parts, input, path),
            Filter::Number(number) => Ok(vec![(Some(Json::Number(*number)), path)]),
            Filter::Word("true") => Ok(vec![(Some(Json::Truth(Condition::Known(true))), path)]),
            Filter::Word("false") => Ok(vec![(Some(Json::Truth(Condition::Known(false))), path)]),
            Filter::Word("empty") => Ok(vec![(None, path)]),
            Filter::Word(_) => Ok(vec![(Some(Json::Null), path)]),
            Filter::Variable(name) => {
                let value = self.variables.iter().rev().find(|(known, _)| known == name);
                let (_, value) = value.ok_or_else(|| format!("jq's `${name}` is not known"))?;
                Ok(vec![(Some(value.clone()), path)])
            }
            Filter::Pipe(one, two) => self.each(one, input, path, |value, path| self.value(two, &value, path)),
            Filter::Bind(value, name, body) => self.each(value, input, path, |value, path| {
                let mut variables = self.variables.clone();
                variables.push((name.clone(), value));
                Evaluation { reader: self.reader, variables }.value(body, input, path)
            }),
            Filter::Otherwise(one, two) => self.otherwise(one, two, input, path),
            Filter::Binary(operator, one, two) => self.binary(operator, one, two, input, path),
            Filter::If(branches, otherwise) => self.conditional(branches, otherwise, input, path),
            Filter::Object(fields) => self.object(fields, input, path),
            Filter::List(items) => {
                let mut ways = vec![(Vec::new(), path)];
                for item in items {
                    let mut next = Vec::new();
                    for (list, path) in ways {
                        for (value, path) in self.value(item, input, path)? {
                            next.push((list.iter().cloned().chain(value).collect::<Vec<_>>(), path));
                        }
                    }
                    ways = next;
                }
                Ok(ways.into_iter().map(|(list, path)| (Some(Json::List(list)), path)).collect())
            }
            Filter::Call(name, args) => self.call(name, args, input, path),
        }
    }

    fn each(
        &self,
        of: &Filter,
        input: &Json,
        path: Path,
        mut then: impl FnMut(Json, Path) -> Result<Ways, Reason>,
    ) -> Result<Ways, Reason> {
        let mut all = Vec::new();
        for (value, path) in self.value(of, input, path)? {
            match value {
                Some(value) => all.extend(then(value, path)?),
                None => all.push((None, path)),
            }
            bounded(all.len())?;
        }
        Ok(all)
    }

    fn truth(&self, value: &Json) -> Result<Condition, Reason> {
        value.truth(self.reader.subject, false).ok_or_else(|| "jq asks whether a part of the event is there".to_owned())
    }

    fn text(&self, parts: &[Interpolated], input: &Json, path: Path) -> Result<Ways, Reason> {
        let mut ways = vec![(Text::default(), path)];
        for part in parts {
            let mut next = Vec::new();
            for (before, path) in ways {
                match part {
                    Interpolated::Known(text) => next.push((before.with(text), path)),
                    Interpolated::Filter(filter) => {
                        for (value, path) in self.value(filter, input, path)? {
                            let text = value
                                .and_then(|value| value.text(self.reader.subject))
                                .ok_or("jq fills in what is no text")?;
                            let mut whole = before.clone();
                            whole.push(&text);
                            next.push((whole, path));
                        }
                    }
                }
            }
            ways = next;
        }
        Ok(ways.into_iter().map(|(text, path)| (Some(Json::Text(text)), path)).collect())
    }

    /// `a // b`: what the event does not have is empty, so nothing in its place changes nothing.
    fn otherwise(&self, one: &Filter, two: &Filter, input: &Json, path: Path) -> Result<Ways, Reason> {
        let mut all = Vec::new();
        for (value, path) in self.value(one, input, path)? {
            let Some(value) = value else {
                all.extend(self.value(two, input, path)?);
                continue;
            };
            let nothing = matches!(two, Filter::Word("empty" | "null" | "false"))
                || *two == Filter::Text(Vec::new())
                || matches!(two, Filter::Text(parts) if parts.iter().all(|part| matches!(part, Interpolated::Known(text) if text.is_empty())));
            if nothing && value != Json::Null {
                all.push((Some(value), path));
                continue;
            }
            let (yes, no) = path.fork(&self.truth(&value)?);
            all.extend(yes.map(|path| (Some(value), path)));
            if let Some(path) = no {
                all.extend(self.value(two, input, path)?);
            }
        }
        Ok(all)
    }

    fn binary(&self, operator: &str, one: &Filter, two: &Filter, input: &Json, path: Path) -> Result<Ways, Reason> {
        self.each(one, input, path, |left, path| {
            self.each(two, input, path, |right, path| {
                let value = match operator {
                    "and" => Json::Truth(Condition::all(vec![self.truth(&left)?, self.truth(&right)?])),
                    "or" => Json::Truth(Condition::any(vec![self.truth(&left)?, self.truth(&right)?])),
                    "==" | "!=" => {
                        let same =
                            left.equals(&right, self.reader.subject).ok_or("jq compares what cannot be compared")?;
                        Json::Truth(if operator == "==" { same } else { same.not() })
                    }
                    "+" => match (left.text(self.reader.subject), right.text(self.reader.subject)) {
                        (Some(mut one), Some(two)) => {
                            one.push(&two);
                            Json::Text(one)
                        }
                        _ => return Err("jq adds what is no text".to_owned()),
                    },
                    other => return Err(format!("jq reckons with `{other}`")),
                };
                Ok(vec![(Some(value), path)])
            })
        })
    }

    fn conditional(
        &self,
        branches: &[(Filter, Filter)],
        otherwise: &Filter,
        input: &Json,
        path: Path,
    ) -> Result<Ways, Reason> {
        let Some(((condition, then), rest)) = branches.split_first() else { return self.value(otherwise, input, path) };
        self.each(condition, input, path, |value, path| {
            let (yes, no) = path.fork(&self.truth(&value)?);
            let mut all = Vec::new();
            if let Some(path) = yes {
                all.extend(self.value(then, input, path)?);
            }
            if let Some(path) = no {
                all.extend(self.conditional(rest, otherwise, input, path)?);
            }
            Ok(all)
        })
    }

    fn object(&self, fields: &[(Filter, Filter)], input: &Json, path: Path) -> Result<Ways, Reason> {
        let mut ways = vec![(Vec::new(), path)];
        for (key, value) in fields {
            let mut next = Vec::new();
            for (object, path) in ways {
                for (key, path) in self.value(key, input, path)? {
                    let key = key
                        .and_then(|key| key.text(self.reader.subject))
                        .and_then(|key| key.literal().map(str::to_owned));
                    let key = key.ok_or("jq makes an object whose keys are not written")?;
                    for (value, path) in self.value(value, input, path)? {
                        let Some(value) = value else { continue };
                        next.push((object.iter().cloned().chain([(key.clone(), value)]).collect::<Vec<_>>(), path));
                    }
                }
            }
            ways = next;
        }
        Ok(ways.into_iter().map(|(fields, path)| (Some(Json::Object(fields)), path)).collect())
    }

    fn call(&self, name: &str, args: &[Filter], input: &Json, path: Path) -> Result<Ways, Reason> {
        let subject = self.reader.subject;
        let text = || input.text(subject).ok_or_else(|| format!("jq asks `{name}` of what is no text"));
        let one = |condition: Condition, path: Path| Ok(vec![(Some(Json::Truth(condition)), path)]);
        match (name, args) {
            ("not", []) => one(self.truth(input)?.not(), path),
            ("select", [condition]) => self.each(condition, input, path, |value, path| {
                let (yes, no) = path.fork(&self.truth(&value)?);
                Ok(yes.map(|path| (Some(input.clone()), path)).into_iter().chain(no.map(|path| (None, path))).collect())
            }),
            ("test", [pattern, flags @ ..]) => {
                let flags = flags.first().map(|flags| self.written(flags, input)).transpose()?.unwrap_or_default();
                let flags = flags_of(&flags)?;
                let pattern = translated(&self.written(pattern, input)?, Dialect::Script)?;
                one(text()?.matches(&format!("{flags}{pattern}"))?, path)
            }
            ("startswith", [part]) => one(text()?.holds("startsWith", &self.written(part, input)?), path),
            ("endswith", [part]) => one(text()?.holds("endsWith", &self.written(part, input)?), path),
            ("contains", [part]) => one(text()?.holds("contains", &self.written(part, input)?), path),
            ("ascii_downcase", []) => Ok(vec![(Some(Json::Text(stepped(&text()?, Step::Lower)?)), path)]),
            ("ascii_upcase", []) => Ok(vec![(Some(Json::Text(stepped(&text()?, Step::Upper)?)), path)]),
            ("tostring", []) => Ok(vec![(Some(Json::Text(text()?)), path)]),
            ("any" | "all", [condition]) => self.over(name, input, condition, path),
            ("any" | "all", [list, condition]) => {
                self.each(list, input, path, |list, path| self.over(name, &list, condition, path))
            }
            ("IN", items) => {
                let same = items.iter().map(|item| Ok(text()?.equals(&Text::known(self.written(item, input)?))));
                one(Condition::any(same.collect::<Result<_, Reason>>()?), path)
            }
            ("iterate", []) => match input {
                list @ Json::List(_) => Ok(vec![(Some(list.clone()), path)]),
                _ => Err("jq goes through a list that is not written in it".to_owned()),
            },
            (other, _) => Err(format!("jq calls `{other}`")),
        }
    }

    fn over(&self, name: &str, list: &Json, condition: &Filter, path: Path) -> Result<Ways, Reason> {
        let Json::List(items) = list else { return Err("jq goes through a list that is not written in it".to_owned()) };
        let mut parts = Vec::new();
        for item in items {
            let mut ways = self.value(condition, item, path.clone())?;
            match (ways.len(), ways.pop()) {
                (1, Some((Some(value), _))) => parts.push(self.truth(&value)?),
                _ => return Err("jq goes through a list in an unusual way".to_owned()),
            }
        }
        let condition = if name == "any" { Condition::any(parts) } else { Condition::all(parts) };
        Ok(vec![(Some(Json::Truth(condition)), path)])
    }

    /// A text that is written in the filter.
    fn written(&self, filter: &Filter, input: &Json) -> Result<String, Reason> {
        let ways = self.value(filter, input, Path::new())?;
        match ways.as_slice() {
            [(Some(Json::Text(text)), _)] => {
                text.literal().map(str::to_owned).ok_or_else(|| "jq compares with what is not written in it".to_owned())
            }
            _ => Err("jq compares with what is not written in it".to_owned()),
        }
    }
}
