//! Python, as far as hooks in one line or one page use it: the event taken apart, tests, and an exit code.

mod calls;
mod functions;
mod syntax;
mod token;
mod way;

use std::collections::BTreeMap;

use super::json::Json;
use super::path::{Input, Path, Reason, bounded};
use super::script::{Reader, stepped};
use super::value::{Condition, Piece, Step, Text};
use syntax::{Expression, Statement, parse};
use way::Way;

/// `python3 -c …`, a script by its name, or one on standard input.
pub(super) fn command(reader: &Reader<'_>, args: &[Text], mut path: Path) -> Result<Vec<Path>, Reason> {
    match args {
        [option, text] if option.literal() == Some("-c") => {
            script(reader, text.literal().ok_or("it starts Python with what is put together first")?, path)
        }
        [dash] if dash.literal() == Some("-") => from_input(reader, &mut path),
        [] => from_input(reader, &mut path),
        [file] if !file.literal().is_some_and(|file| file.starts_with('-')) => reader.file(&file.template(), &[], path),
        _ => Err("it starts `python` with arguments".to_owned()),
    }
}

fn from_input(reader: &Reader<'_>, path: &mut Path) -> Result<Vec<Path>, Reason> {
    match Reader::taken(path) {
        Input::Text(text) if text.literal().is_some() => {
            script(reader, text.literal().unwrap_or_default(), path.clone())
        }
        _ => Err("it starts Python with what is put together first".to_owned()),
    }
}

/// Every way through a script.
pub(super) fn script(reader: &Reader<'_>, text: &str, path: Path) -> Result<Vec<Path>, Reason> {
    let body = parse(text)?;
    let run = Run { reader };
    let ways =
        run.block(&body, Way { path: path.at(0), names: BTreeMap::new(), functions: BTreeMap::new(), returned: None })?;
    Ok(ways.into_iter().map(|way| Path { ended: false, ..way.path }).collect())
}

struct Run<'e, 'r> {
    reader: &'e Reader<'r>,
}

type Values = Vec<(Json, Way)>;

impl Run<'_, '_> {
    fn block(&self, body: &[Statement], way: Way) -> Result<Vec<Way>, Reason> {
        let mut ways = vec![way];
        for statement in body {
            let mut next = Vec::new();
            for way in ways {
                if way.is_over() {
                    next.push(way);
                } else {
                    next.extend(self.statement(statement, way)?);
                }
                bounded(next.len())?;
            }
            ways = next;
        }
        Ok(ways)
    }

    fn statement(&self, statement: &Statement, mut way: Way) -> Result<Vec<Way>, Reason> {
        match statement {
            Statement::Nothing => Ok(vec![way]),
            Statement::Return(None) => Ok(vec![Way { returned: Some(Json::Null), ..way }]),
            Statement::Return(Some(value)) => {
                let ways = self.value(value, way)?;
                Ok(ways.into_iter().map(|(value, way)| Way { returned: Some(value), ..way }).collect())
            }
            Statement::Block(body) => self.block(body, way),
            Statement::Function(name, given, body) => {
                way.functions.insert(name.clone(), (given.clone(), body.clone()));
                Ok(vec![way])
            }
            Statement::Assign(name, value) => Ok(self
                .value(value, way)?
                .into_iter()
                .map(|(value, mut way)| {
                    way.names.insert(name.clone(), value);
                    way
                })
                .collect()),
            Statement::Expression(expression) => self.performed(expression, way),
            Statement::If(branches, otherwise) => self.conditional(branches, otherwise, way),
            Statement::For(names, list, body) => self.repeated(names, list, body, way),
        }
    }

    fn repeated(&self, names: &[String], list: &Expression, body: &[Statement], way: Way) -> Result<Vec<Way>, Reason> {
        let mut all = Vec::new();
        for (list, way) in self.value(list, way)? {
            let Json::List(items) = list else {
                return Err("Python goes through a list that is not written in it".to_owned());
            };
            let mut ways = vec![way];
            for item in items {
                let mut next = Vec::new();
                for mut way in ways {
                    if way.is_over() {
                        next.push(way);
                    } else {
                        way.take(names, item.clone())?;
                        next.extend(self.block(body, way)?);
                    }
                    bounded(next.len())?;
                }
                ways = next;
            }
            all.extend(ways);
        }
        Ok(all)
    }

    fn conditional(
        &self,
        branches: &[(Expression, Vec<Statement>)],
        otherwise: &[Statement],
        way: Way,
    ) -> Result<Vec<Way>, Reason> {
        let Some(((condition, body), rest)) = branches.split_first() else { return self.block(otherwise, way) };
        let mut all = Vec::new();
        for (truth, way) in self.truths(condition, way)? {
            let Way { path, names, functions, returned } = way;
            let (yes, no) = path.fork(&truth);
            let on = |path: Path| Way {
                path,
                names: names.clone(),
                functions: functions.clone(),
                returned: returned.clone(),
            };
            if let Some(path) = yes {
                all.extend(self.block(body, on(path))?);
            }
            if let Some(path) = no {
                all.extend(self.conditional(rest, otherwise, on(path))?);
            }
        }
        Ok(all)
    }

    /// A call that does something: it prints, or ends the script.
    fn performed(&self, expression: &Expression, way: Way) -> Result<Vec<Way>, Reason> {
        let (function, args) = match expression {
            Expression::Call(function, args) => (function, args),
            // What a script says about itself.
            Expression::Text(_) => return Ok(vec![way]),
            _ => return Err("Python does something in an unusual way".to_owned()),
        };
        match (dotted(function).as_deref(), args.as_slice()) {
            (Some("sys.exit" | "exit" | "quit" | "os._exit"), []) => Ok(vec![ended(way, 0)]),
            (Some("sys.exit" | "exit" | "quit" | "os._exit"), [(None, code)]) => {
                let ways = match Self::own(code, &way) {
                    Some((name, args)) => self.called(name, args, way)?,
                    None => self.value(code, way)?,
                };
                ways.into_iter()
                    .map(|(code, mut way)| match code {
                        _ if way.path.ended => Ok(way),
                        Json::Number(code) => {
                            #[expect(
                                clippy::cast_possible_truncation,
                                clippy::cast_sign_loss,
                                reason = "an exit code is a byte"
                            )]
                            let code = code as u8;
                            Ok(ended(way, code))
                        }
                        Json::Null => Ok(ended(way, 0)),
                        // A text is told to the person, and means failure.
                        Json::Text(text) => {
                            way.path.err.push(&text);
                            Ok(ended(way, 1))
                        }
                        _ => Err("its exit code is not written in it".to_owned()),
                    })
                    .collect()
            }
            (Some("print"), args) => self.printed(args, way),
            (Some("sys.stderr.write" | "sys.stdout.write"), [(None, text)]) => {
                let to_person = dotted(function).is_some_and(|name| name.contains("stderr"));
                let ways = self.value(text, way)?;
                ways.into_iter()
                    .map(|(text, mut way)| {
                        let text = text.text(self.reader.subject).ok_or("Python prints what is no text")?;
                        if to_person {
                            way.path.err.push(&text);
                        } else {
                            way.path.out.push(&text);
                        }
                        Ok(way)
                    })
                    .collect()
            }
            (Some("json.dump"), [(None, value), ..]) => {
                let ways = self.value(value, way)?;
                ways.into_iter()
                    .map(|(value, mut way)| {
                        way.path
                            .out
                            .push(&value.written(self.reader.subject).ok_or("Python prints a part of the event")?);
                        Ok(way)
                    })
                    .collect()
            }
            (Some(name), args) if way.functions.contains_key(name) => {
                Ok(self.called(name, args, way)?.into_iter().map(|(_, way)| way).collect())
            }
            (name, _) => Err(format!("Python calls `{}`", name.unwrap_or("something"))),
        }
    }

    fn printed(&self, args: &[(Option<String>, Expression)], way: Way) -> Result<Vec<Way>, Reason> {
        let to_person = args
            .iter()
            .any(|(name, value)| name.as_deref() == Some("file") && dotted(value).as_deref() == Some("sys.stderr"));
        let mut ways = vec![(Text::default(), way)];
        for (place, (_, value)) in args.iter().filter(|(name, _)| name.is_none()).enumerate() {
            let mut next = Vec::new();
            for (before, way) in ways {
                for (value, way) in self.value(value, way)? {
                    let mut text = if place > 0 { before.clone().with(" ") } else { before.clone() };
                    text.push(&value.text(self.reader.subject).ok_or("Python prints what is no text")?);
                    next.push((text, way));
                }
            }
            ways = next;
        }
        Ok(ways
            .into_iter()
            .map(|(text, mut way)| {
                let stream = if to_person { &mut way.path.err } else { &mut way.path.out };
                stream.push(&text.with("\n"));
                way
            })
            .collect())
    }

    fn truths(&self, expression: &Expression, way: Way) -> Result<Vec<(Condition, Way)>, Reason> {
        let values = self.value(expression, way)?;
        values.into_iter().map(|(value, way)| Ok((self.truth(&value)?, way))).collect()
    }

    fn truth(&self, value: &Json) -> Result<Condition, Reason> {
        value
            .truth(self.reader.subject, true)
            .ok_or_else(|| "Python asks whether a part of the event is there".to_owned())
    }

    fn value(&self, expression: &Expression, way: Way) -> Result<Values, Reason> {
        match expression {
            Expression::Text(text) => Ok(vec![(Json::Text(Text::known(text.as_str())), way)]),
            Expression::Number(number) => Ok(vec![(Json::Number(*number), way)]),
            Expression::Name(name) => match (way.names.get(name), name.as_str()) {
                (Some(value), _) => Ok(vec![(value.clone(), way)]),
                (None, "None") => Ok(vec![(Json::Null, way)]),
                (None, "True" | "False") => Ok(vec![(Json::Truth(Condition::Known(name == "True")), way)]),
                (None, "__name__") => Ok(vec![(Json::Text(Text::known("__main__")), way)]),
                _ => Err(format!("Python's `{name}` is not known")),
            },
            Expression::Format(parts) => self.several(parts, way, |values| {
                let mut whole = Text::default();
                for value in values {
                    whole.push(&value.text(self.reader.subject).ok_or("Python fills in what is no text")?);
                }
                Ok(Json::Text(whole))
            }),
            Expression::List(items) => self.several(items, way, |values| Ok(Json::List(values))),
            Expression::Object(fields) => {
                let keys = fields.iter().map(|(key, _)| match key {
                    Expression::Text(key) => Ok(key.clone()),
                    _ => Err("Python makes an object whose keys are not written".to_owned()),
                });
                let keys = keys.collect::<Result<Vec<_>, _>>()?;
                let values: Vec<Expression> = fields.iter().map(|(_, value)| value.clone()).collect();
                self.several(&values, way, |values| Ok(Json::Object(keys.iter().cloned().zip(values).collect())))
            }
            Expression::Not(inner) => {
                let truths = self.truths(inner, way)?;
                Ok(truths.into_iter().map(|(truth, way)| (Json::Truth(truth.not()), way)).collect())
            }
            Expression::Binary(operator, one, two) => self.binary(operator, one, two, way),
            Expression::Choice(condition, then, otherwise) => {
                let mut all = Vec::new();
                for (truth, way) in self.truths(condition, way)? {
                    let Way { path, names, functions, returned } = way;
                    let (yes, no) = path.fork(&truth);
                    for (path, value) in [(yes, then), (no, otherwise)] {
                        if let Some(path) = path {
                            let (names, functions) = (names.clone(), functions.clone());
                            all.extend(self.value(value, Way { path, names, functions, returned: returned.clone() })?);
                        }
                    }
                }
                Ok(all)
            }
            Expression::Item(of, key) => {
                if let (Expression::Call(function, args), Expression::Number(number)) = (of.as_ref(), key.as_ref())
                    && dotted(function).as_deref() == Some("os.path.splitext")
                    && (*number - 1.0).abs() < f64::EPSILON
                    && let [(None, file)] = args.as_slice()
                {
                    return self.suffix(file, way);
                }
                let Expression::Text(key) = key.as_ref() else {
                    return Err("Python takes a part by what is not written".to_owned());
                };
                self.field(of, key, way)
            }
            Expression::Attribute(of, name) => match (of.as_ref(), name.as_str()) {
                (Expression::Call(function, args), "name" | "suffix")
                    if matches!(dotted(function).as_deref(), Some("Path" | "pathlib.Path" | "PurePath")) =>
                {
                    let [(None, file)] = args.as_slice() else {
                        return Err("Python takes a path apart in an unusual way".to_owned());
                    };
                    if name == "suffix" {
                        return self.suffix(file, way);
                    }
                    self.stepped(file, Step::Basename, way)
                }
                _ => Err(format!("Python takes `.{name}` of something")),
            },
            Expression::Call(function, args) => match Self::own(expression, &way) {
                Some((name, args)) => {
                    let values = self.called(name, args, way)?;
                    if values.iter().any(|(_, way)| way.path.ended) {
                        return Err(format!("Python ends in `{name}`, in the middle of something else"));
                    }
                    Ok(values)
                }
                None => self.call(function, args, way),
            },
            Expression::Each(..) => Err("Python makes a list of what is not written".to_owned()),
        }
    }

    fn several(
        &self,
        parts: &[Expression],
        way: Way,
        make: impl Fn(Vec<Json>) -> Result<Json, Reason>,
    ) -> Result<Values, Reason> {
        let mut ways = vec![(Vec::new(), way)];
        for part in parts {
            let mut next = Vec::new();
            for (before, way) in ways {
                for (value, way) in self.value(part, way)? {
                    next.push((before.iter().cloned().chain([value]).collect::<Vec<_>>(), way));
                }
            }
            ways = next;
        }
        ways.into_iter().map(|(values, way)| Ok((make(values)?, way))).collect()
    }

    fn field(&self, of: &Expression, name: &str, way: Way) -> Result<Values, Reason> {
        let values = self.value(of, way)?;
        let field =
            |value: &Json| value.field(name).ok_or_else(|| format!("Python takes `{name}` of what has no fields"));
        values.into_iter().map(|(value, way)| Ok((field(&value)?.plain(self.reader.subject), way))).collect()
    }

    fn stepped(&self, of: &Expression, step: Step, way: Way) -> Result<Values, Reason> {
        let values = self.value(of, way)?;
        values
            .into_iter()
            .map(|(value, way)| {
                let text = value.text(self.reader.subject).ok_or("Python takes apart what is no text")?;
                Ok((Json::Text(stepped(&text, step)?), way))
            })
            .collect()
    }

    /// The ending with its dot, which is what comes out of the last part of the name.
    fn suffix(&self, file: &Expression, way: Way) -> Result<Values, Reason> {
        let values = self.stepped(file, Step::Extension, way)?;
        Ok(values
            .into_iter()
            .map(|(value, way)| match value {
                Json::Text(text) => {
                    let mut whole = Text::known(".");
                    whole.push(&text);
                    (Json::Text(whole), way)
                }
                other => (other, way),
            })
            .collect())
    }

    fn binary(&self, operator: &str, one: &Expression, two: &Expression, way: Way) -> Result<Values, Reason> {
        let mut all = Vec::new();
        for (left, way) in self.value(one, way)? {
            for (right, way) in self.value(two, way)? {
                all.push((self.joined(operator, &left, &right)?, way));
            }
        }
        Ok(all)
    }

    fn joined(&self, operator: &str, left: &Json, right: &Json) -> Result<Json, Reason> {
        let subject = self.reader.subject;
        let nothing = |value: &Json| match value {
            Json::Null => true,
            Json::Text(text) => text.literal() == Some(""),
            Json::Object(fields) => fields.is_empty(),
            Json::List(items) => items.is_empty(),
            _ => false,
        };
        match operator {
            // What the event does not have is empty anyway.
            "or" if nothing(right) && !matches!(left, Json::Truth(_)) => Ok(left.clone()),
            "or" if *left == Json::Null => Ok(right.clone()),
            "or" => Ok(Json::Truth(Condition::any(vec![self.truth(left)?, self.truth(right)?]))),
            "and" => Ok(Json::Truth(Condition::all(vec![self.truth(left)?, self.truth(right)?]))),
            "==" | "!=" => {
                let same = suffix_equals(left, right)
                    .or_else(|| left.equals(right, subject))
                    .ok_or("Python compares what cannot be compared")?;
                Ok(Json::Truth(if operator == "==" { same } else { same.not() }))
            }
            "in" => self.held(left, right).map(Json::Truth),
            "|" => Err("Python reckons".to_owned()),
            _ => match (left.text(subject), right.text(subject)) {
                (Some(mut one), Some(two)) => {
                    one.push(&two);
                    Ok(Json::Text(one))
                }
                _ => Err("Python adds what is no text".to_owned()),
            },
        }
    }

    fn held(&self, part: &Json, whole: &Json) -> Result<Condition, Reason> {
        let subject = self.reader.subject;
        if let Json::List(items) = whole {
            let same = items.iter().map(|item| {
                suffix_equals(part, item)
                    .or_else(|| part.equals(item, subject))
                    .ok_or("Python compares what cannot be compared")
            });
            return Ok(Condition::any(same.collect::<Result<_, _>>()?));
        }
        match (part.text(subject), whole.text(subject)) {
            (Some(part), Some(whole)) => {
                let part = part.literal().ok_or("Python looks for what is not written in it")?;
                Ok(whole.holds("contains", part))
            }
            _ => Err("Python looks into a part of the event".to_owned()),
        }
    }
}

/// `Path(p).suffix == '.py'`: a name that begins with its only dot has no ending.
fn suffix_equals(one: &Json, two: &Json) -> Option<Condition> {
    let (Json::Text(Text(pieces)), Json::Text(other)) = (one, two) else { return None };
    let wanted = other.literal().filter(|wanted| wanted.starts_with('.'))?;
    let [Piece::Known(dot), Piece::Read(read)] = pieces.as_slice() else { return None };
    let file = read.with_extension().filter(|_| dot == ".")?;
    Text::read(file).matches(&format!("[^/]{}$", super::regex::escaped(wanted))).ok()
}

fn ended(mut way: Way, code: u8) -> Way {
    way.path = way.path.at(code);
    way.path.ended = true;
    way
}

/// `sys.stdin.read` and its like, as one name.
fn dotted(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Name(name) => Some(name.clone()),
        Expression::Attribute(of, name) => Some(format!("{}.{name}", dotted(of)?)),
        _ => None,
    }
}
