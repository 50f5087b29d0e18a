//! Functions and methods of Python that hooks ask with.

use super::super::commands::is_event;
use super::super::json::Json;
use super::super::path::{Input, Reason};
use super::super::regex::{Dialect, translated};
use super::super::script::Reader;
use super::super::value::{Condition, Step, Text};
use super::syntax::Expression;
use super::{Run, Values, Way, dotted};

impl Run<'_, '_> {
    pub(super) fn call(
        &self,
        function: &Expression,
        args: &[(Option<String>, Expression)],
        way: Way,
    ) -> Result<Values, Reason> {
        let name = dotted(function);
        match (name.as_deref(), args) {
            (Some("json.load"), _) | (Some("sys.stdin.read"), []) => Self::event(way),
            (Some("json.loads"), [(None, text)]) => self.value(text, way),
            (Some("json.dumps"), [(None, value), ..]) => {
                let values = self.value(value, way)?;
                values
                    .into_iter()
                    .map(|(value, way)| {
                        Ok((
                            Json::Text(value.written(self.reader.subject).ok_or("Python prints a part of the event")?),
                            way,
                        ))
                    })
                    .collect()
            }
            (Some("re.compile"), [(None, pattern), flags @ ..]) => self.compiled(pattern, flags, way),
            (Some("re.search" | "re.match" | "re.fullmatch"), [(None, pattern), (None, text), flags @ ..]) => {
                let method = name.as_deref().unwrap_or_default().trim_start_matches("re.");
                self.matched(method, self.compiled(pattern, flags, way)?, text)
            }
            (Some("any" | "all"), [(None, Expression::Each(element, each, list, condition))]) => {
                self.over(name.as_deref() == Some("any"), element, each, list, condition.as_deref(), way)
            }
            (Some("os.path.basename"), [(None, file)]) => self.stepped(file, Step::Basename, way),
            (Some("os.path.dirname"), [(None, file)]) => self.stepped(file, Step::Dirname, way),
            (Some("str" | "bool" | "Path"), [(None, value)]) => self.value(value, way),
            _ => match function {
                Expression::Attribute(of, method) => self.method(of, method, args, way),
                _ => Err(format!("Python calls `{}`", name.as_deref().unwrap_or("something"))),
            },
        }
    }

    fn event(mut way: Way) -> Result<Values, Reason> {
        match Reader::taken(&mut way.path) {
            Input::Event => Ok(vec![(Json::Event(Vec::new()), way)]),
            Input::Text(text) if is_event(&text) => Ok(vec![(Json::Event(Vec::new()), way)]),
            Input::Text(_) => Err("Python reads something else than the event".to_owned()),
        }
    }

    /// A pattern with its flags; one that was compiled before stays what it is.
    fn compiled(
        &self,
        pattern: &Expression,
        flags: &[(Option<String>, Expression)],
        way: Way,
    ) -> Result<Values, Reason> {
        let mut letters = String::new();
        for (_, flag) in flags {
            letters.push_str(&letters_of(flag)?);
        }
        let compile = |pattern: Json| -> Result<Json, Reason> {
            if matches!(pattern, Json::Pattern { .. }) && letters.is_empty() {
                return Ok(pattern);
            }
            let written = pattern.text(self.reader.subject).and_then(|pattern| pattern.literal().map(str::to_owned));
            let regex = translated(&written.ok_or("Python looks for what is not written in it")?, Dialect::Script)?;
            let flags = if letters.is_empty() { String::new() } else { format!("(?{letters})") };
            Ok(Json::Pattern { flags, regex })
        };
        self.value(pattern, way)?.into_iter().map(|(pattern, way)| Ok((compile(pattern)?, way))).collect()
    }

    fn matched(&self, method: &str, patterns: Values, text: &Expression) -> Result<Values, Reason> {
        let mut all = Vec::new();
        for (pattern, way) in patterns {
            let Json::Pattern { flags, regex } = pattern else {
                return Err(format!("Python calls `.{method}` of what is no pattern"));
            };
            let regex = match method {
                "match" => format!("{flags}\\A(?:{regex})"),
                "fullmatch" => format!("{flags}\\A(?:{regex})\\z"),
                _ => format!("{flags}{regex}"),
            };
            for (text, way) in self.value(text, way)? {
                let text = text.text(self.reader.subject).ok_or("Python looks into a part of the event")?;
                all.push((Json::Truth(text.matches(&regex)?), way));
            }
        }
        Ok(all)
    }

    fn over(
        &self,
        any: bool,
        element: &Expression,
        names: &[String],
        list: &Expression,
        condition: Option<&Expression>,
        way: Way,
    ) -> Result<Values, Reason> {
        let mut all = Vec::new();
        for (list, way) in self.value(list, way)? {
            let Json::List(items) = list else {
                return Err("Python goes through a list that is not written in it".to_owned());
            };
            let mut parts = Vec::new();
            for item in items {
                let mut inner = way.clone();
                inner.take(names, item)?;
                let one = |expression: &Expression, way: Way| -> Result<Condition, Reason> {
                    let mut truths = self.truths(expression, way)?;
                    match (truths.len(), truths.pop()) {
                        (1, Some((truth, _))) => Ok(truth),
                        _ => Err("Python goes through a list in an unusual way".to_owned()),
                    }
                };
                let truth = one(element, inner.clone())?;
                parts.push(match condition {
                    Some(condition) if any => Condition::all(vec![one(condition, inner)?, truth]),
                    Some(condition) => Condition::any(vec![one(condition, inner)?.not(), truth]),
                    None => truth,
                });
            }
            all.push((Json::Truth(if any { Condition::any(parts) } else { Condition::all(parts) }), way));
        }
        Ok(all)
    }

    fn method(
        &self,
        of: &Expression,
        method: &str,
        args: &[(Option<String>, Expression)],
        way: Way,
    ) -> Result<Values, Reason> {
        match (method, args) {
            ("get", [(None, Expression::Text(key)), rest @ ..]) => {
                let values = self.field(of, key, way)?;
                let Some((_, default)) = rest.first() else { return Ok(values) };
                let mut all = Vec::new();
                for (value, way) in values {
                    for (default, way) in self.value(default, way)? {
                        // Nothing in the place of nothing.
                        let same = matches!(&default, Json::Null)
                            || matches!(&default, Json::Object(fields) if fields.is_empty())
                            || default == Json::Text(Text::default())
                            || matches!(&default, Json::Truth(Condition::Known(false)));
                        match value {
                            Json::Null => all.push((default, way)),
                            _ if same => all.push((value.clone(), way)),
                            _ => return Err("Python has a text for what the event does not say".to_owned()),
                        }
                    }
                }
                Ok(all)
            }
            ("startswith" | "endswith", [(None, part)]) => {
                let function = if method == "startswith" { "startsWith" } else { "endsWith" };
                let mut all = Vec::new();
                for (text, way) in self.value(of, way)? {
                    let text = text.text(self.reader.subject).ok_or("Python looks into a part of the event")?;
                    for (part, way) in self.value(part, way)? {
                        let parts = if let Json::List(parts) = part { parts } else { vec![part] };
                        let tests = parts.iter().map(|part| {
                            let part =
                                part.text(self.reader.subject).and_then(|part| part.literal().map(str::to_owned));
                            Ok(text.holds(function, &part.ok_or("Python looks for what is not written in it")?))
                        });
                        all.push((Json::Truth(Condition::any(tests.collect::<Result<_, Reason>>()?)), way));
                    }
                }
                Ok(all)
            }
            ("search" | "match" | "fullmatch", [(None, text)]) => self.matched(method, self.value(of, way)?, text),
            ("lower" | "casefold", []) => self.stepped(of, Step::Lower, way),
            ("upper", []) => self.stepped(of, Step::Upper, way),
            ("strip", []) => self.stepped(of, Step::Trim, way),
            (other, _) => Err(format!("Python calls `.{other}`")),
        }
    }
}

/// `re.I | re.M` as the letters of a pattern's flags.
fn letters_of(flag: &Expression) -> Result<String, Reason> {
    if let Expression::Binary("|", one, two) = flag {
        return Ok(letters_of(one)? + &letters_of(two)?);
    }
    match dotted(flag).as_deref() {
        Some("re.I" | "re.IGNORECASE") => Ok("i".to_owned()),
        Some("re.M" | "re.MULTILINE") => Ok("m".to_owned()),
        Some("re.S" | "re.DOTALL") => Ok("s".to_owned()),
        _ => Err("Python looks for a pattern in an unusual way".to_owned()),
    }
}
