//! A script of the shell, gone through in every way that it can take, without running anything.
//!
//! What the script asks of the event becomes a condition; a command that is not known ends the reading, since a hook that
//! does something else as well is no pattern.

use std::rc::Rc;

use hookgen_runtime::client::claude::places::{PLUGIN_ROOT, PROJECT};
use hookgen_runtime::shell::syntax::{
    Assign, Body, Index, List, Operation, Part, Pipeline, Redirect, RedirectKind, Stage, Statement, Value,
    Variable as Used, Word,
};

use super::path::{Input, Path, Reason, Subject, Variable, bounded, onwards};
use super::value::{Piece, Read, Step, Text};

/// How deep functions call each other.
const DEEPEST: usize = 12;

/// Reads scripts that are about one event.
pub(super) struct Reader<'r> {
    pub(super) subject: &'r Subject<'r>,
    pub(super) depth: usize,
}

impl<'r> Reader<'r> {
    pub(super) fn new(subject: &'r Subject<'r>) -> Self {
        Self { subject, depth: 0 }
    }

    /// Every way through a script.
    pub(super) fn script(&self, text: &str, path: Path) -> Result<Vec<Path>, Reason> {
        let list = hookgen_runtime::shell::script(text)
            .map_err(|problem| format!("the shell would not read it: {problem}"))?;
        self.list(&list, path)
    }

    pub(super) fn deeper(&self) -> Result<Self, Reason> {
        if self.depth >= DEEPEST {
            return Err("it calls itself".to_owned());
        }
        Ok(Self { subject: self.subject, depth: self.depth + 1 })
    }

    pub(super) fn list(&self, list: &List, path: Path) -> Result<Vec<Path>, Reason> {
        let mut paths = vec![path];
        for statement in list {
            paths = onwards(paths, |path| if path.ended { Ok(vec![path]) } else { self.statement(statement, path) })?;
        }
        Ok(paths)
    }

    fn statement(&self, statement: &Statement, path: Path) -> Result<Vec<Path>, Reason> {
        if statement.background {
            return Err("it starts something in the background".to_owned());
        }
        let last = statement.pipelines.len().saturating_sub(1);
        let mut paths = vec![path];
        for (place, pipeline) in statement.pipelines.iter().enumerate() {
            paths = onwards(paths, |path| {
                let due = place == 0 || (path.status != 0) == pipeline.otherwise;
                if path.ended || !due {
                    return Ok(vec![path]);
                }
                let mut after = self.pipeline(pipeline, path)?;
                for path in &mut after {
                    // Only what ends the list of `&&` and `||` counts.
                    path.ended |= path.strict && path.status != 0 && place == last && !pipeline.negated;
                }
                Ok(after)
            })?;
        }
        Ok(paths)
    }

    fn pipeline(&self, pipeline: &Pipeline, path: Path) -> Result<Vec<Path>, Reason> {
        if pipeline.prefix.contains(&"coproc") {
            return Err("it starts something in the background".to_owned());
        }
        let mut paths = if let [only] = pipeline.stages.as_slice() {
            self.stage(only, path)?
        } else {
            self.piped(&pipeline.stages, path)?
        };
        if pipeline.negated {
            for path in &mut paths {
                path.status = u8::from(path.status == 0);
            }
        }
        Ok(paths)
    }

    /// Commands joined by `|`, each by itself: what one prints is what the next one reads, and what it sets is forgotten.
    fn piped(&self, stages: &[Stage], path: Path) -> Result<Vec<Path>, Reason> {
        let origin = path.clone();
        // Each way with what the first command has left of the input.
        let mut ways = vec![(path.input.clone(), path)];
        for (place, stage) in stages.iter().enumerate() {
            let mut next = Vec::new();
            for (left, before) in ways {
                for after in self.stage(stage, Path { out: Text::default(), ..before })? {
                    let left = if place == 0 { after.input.clone() } else { left.clone() };
                    let input = Input::Text(after.out.clone());
                    next.push((left, Path { variables: origin.variables.clone(), ended: false, input, ..after }));
                }
            }
            bounded(next.len())?;
            ways = next;
        }
        let joined = ways.into_iter().map(|(left, after)| {
            let mut out = origin.out.clone();
            out.push(&after.out);
            Path { out, input: left, ..after }
        });
        Ok(joined.collect())
    }

    fn stage(&self, stage: &Stage, path: Path) -> Result<Vec<Path>, Reason> {
        if stage.redirects.is_empty() {
            return self.body(&stage.body, path);
        }
        let ways = self.redirected(&stage.redirects, path)?;
        let mut all = Vec::new();
        for (streams, mut path) in ways {
            let (out, err) = (std::mem::take(&mut path.out), std::mem::take(&mut path.err));
            let outer = path.input.clone();
            if let Some(input) = &streams.input {
                path.input = Input::Text(input.clone());
            }
            for mut after in self.body(&stage.body, path)? {
                let (said, complained) =
                    (std::mem::replace(&mut after.out, out.clone()), std::mem::replace(&mut after.err, err.clone()));
                for (text, to) in [(said, streams.out), (complained, streams.err)] {
                    match to {
                        Stream::Out => after.out.push(&text),
                        Stream::Err => after.err.push(&text),
                        Stream::Nowhere => {}
                    }
                }
                if streams.input.is_some() {
                    after.input = outer.clone();
                }
                all.push(after);
                bounded(all.len())?;
            }
        }
        Ok(all)
    }

    fn redirected(&self, redirects: &[Redirect], path: Path) -> Result<Vec<(Streams, Path)>, Reason> {
        let mut ways = vec![(Streams { input: None, out: Stream::Out, err: Stream::Err }, path)];
        for redirect in redirects {
            let mut next = Vec::new();
            for (streams, path) in ways {
                let word = redirect.here.as_ref().map_or_else(|| redirect.target.clone(), |body| body.borrow().clone());
                for (text, path) in self.word(&word, path)? {
                    next.push((streams.clone().changed(redirect, text)?, path));
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    fn body(&self, body: &Body, path: Path) -> Result<Vec<Path>, Reason> {
        match body {
            Body::Simple { assigns, words } => self.simple(assigns, words, path),
            Body::Group(list) => self.list(list, path),
            Body::Subshell(list) => {
                let before = path.clone();
                let after = self.list(list, path)?;
                Ok(after
                    .into_iter()
                    .map(|after| Path { variables: before.variables.clone(), ended: false, ..after })
                    .collect())
            }
            Body::If(branches) => self.branches(branches, path),
            Body::For { name, words, body, .. } => self.each(name, words, body, path),
            Body::Case { word, arms } => self.case(word, arms, path),
            Body::Function { name, body } => {
                let mut path = path;
                path.functions.insert(name.clone(), Rc::clone(body));
                Ok(vec![path.at(0)])
            }
            Body::Test(words) => self.test(words, path),
            Body::Loop { .. } => Err("it has a loop whose turns are not known".to_owned()),
        }
    }

    fn branches(&self, branches: &[(List, List)], path: Path) -> Result<Vec<Path>, Reason> {
        let Some(((condition, body), rest)) = branches.split_first() else { return Ok(vec![path.at(0)]) };
        if condition.is_empty() {
            return self.list(body, path);
        }
        let strict = path.strict;
        let asked = self.list(condition, Path { strict: false, ..path })?;
        onwards(asked, |asked| {
            let asked = Path { strict, ..asked };
            match asked.status {
                _ if asked.ended => Ok(vec![asked]),
                0 => self.list(body, asked),
                _ => self.branches(rest, asked),
            }
        })
    }

    fn each(&self, name: &str, words: &[Word], body: &List, path: Path) -> Result<Vec<Path>, Reason> {
        let mut all = Vec::new();
        for (items, path) in self.fields(words, path)? {
            let mut paths = vec![path];
            for item in items {
                paths = onwards(paths, |mut path| {
                    if path.ended {
                        return Ok(vec![path]);
                    }
                    path.variables.insert(name.to_owned(), Variable::One(item.clone()));
                    self.list(body, path)
                })?;
            }
            all.extend(paths);
        }
        Ok(all)
    }

    fn simple(&self, assigns: &[Assign], words: &[Word], path: Path) -> Result<Vec<Path>, Reason> {
        let mut paths = vec![path];
        for assign in assigns {
            paths = onwards(paths, |path| self.assign(assign, path))?;
        }
        if words.is_empty() {
            return Ok(paths);
        }
        onwards(paths, |path| {
            let ways = self.fields(words, path)?;
            onwards(ways, |(fields, path)| self.command(&fields, path))
        })
    }

    /// Sets a variable; the exit code is that of what was substituted.
    fn assign(&self, assign: &Assign, path: Path) -> Result<Vec<Path>, Reason> {
        if assign.indexed {
            return Err(format!("it sets a part of `{}`", assign.name));
        }
        let name = assign.name.clone();
        match &assign.value {
            Value::Many(words) => {
                let ways = self.fields(words, path)?;
                Ok(ways
                    .into_iter()
                    .map(|(mut items, mut path)| {
                        if let (true, Some(Variable::Many(before))) = (assign.append, path.variables.get(&name)) {
                            items = [before.clone(), items].concat();
                        }
                        path.variables.insert(name.clone(), Variable::Many(items));
                        path.at(0)
                    })
                    .collect())
            }
            Value::One(word) => {
                let substitutes = word.parts.iter().any(|part| matches!(part, Part::Command { .. }));
                let ways = self.word(word, path)?;
                Ok(ways
                    .into_iter()
                    .map(|(text, mut path)| {
                        let mut whole = Text::default();
                        if let (true, Some(Variable::One(before))) = (assign.append, path.variables.get(&name)) {
                            whole = before.clone();
                        }
                        whole.push(&text);
                        path.variables.insert(name.clone(), Variable::One(whole));
                        if substitutes { path } else { path.at(0) }
                    })
                    .collect())
            }
        }
    }

    /// Words as the fields that a command gets; a list of texts gives several.
    pub(super) fn fields(&self, words: &[Word], path: Path) -> Result<Vec<(Vec<Text>, Path)>, Reason> {
        let mut ways = vec![(Vec::new(), path)];
        for word in words {
            let mut next = Vec::new();
            for (fields, path) in ways {
                if let [Part::Variable(used)] = word.parts.as_slice()
                    && let Some(items) = Self::several(used, &path)
                {
                    next.push(([fields, items].concat(), path));
                    continue;
                }
                for (text, path) in self.word(word, path)? {
                    if let Some(source) = bare(word)
                        && text.0.iter().any(|piece| !is_whole(piece))
                    {
                        return Err(format!("it takes `{source}` apart at its blanks, for want of quotes"));
                    }
                    next.push((fields.iter().cloned().chain([text]).collect(), path));
                }
            }
            bounded(next.len())?;
            ways = next;
        }
        Ok(ways)
    }

    /// The fields of a word that stands for several, such as `"${names[@]}"` or a list that is not quoted.
    fn several(used: &Used, path: &Path) -> Option<Vec<Text>> {
        let known = path.variables.get(&used.name)?;
        match (known, used.index, &used.operation) {
            (Variable::Many(items), Index::All, Operation::Plain) => Some(items.clone()),
            (Variable::One(text), Index::None, Operation::Plain) if !used.quoted => {
                let words = text.literal()?.split_whitespace().map(Text::known).collect();
                Some(words)
            }
            _ => None,
        }
    }

    /// A word as text, in every way that it can come out.
    pub(super) fn word(&self, word: &Word, path: Path) -> Result<Vec<(Text, Path)>, Reason> {
        let mut ways = vec![(Text::default(), path)];
        for part in &word.parts {
            let mut next = Vec::new();
            for (before, path) in ways {
                for (text, path) in self.part(part, path)? {
                    let mut whole = before.clone();
                    whole.push(&text);
                    next.push((whole, path));
                }
            }
            bounded(next.len())?;
            ways = next;
        }
        Ok(ways)
    }

    fn part(&self, part: &Part, path: Path) -> Result<Vec<(Text, Path)>, Reason> {
        match part {
            Part::Plain(text) | Part::Quoted(text) => Ok(vec![(Text::known(text.as_str()), path)]),
            Part::Variable(used) => self.variable(used, path),
            Part::Command { list, .. } => {
                let before = path.clone();
                let after = self.list(list, Path { out: Text::default(), ..path })?;
                Ok(after
                    .into_iter()
                    .map(|after| {
                        let text = after.out.trimmed();
                        let path = Path {
                            facts: after.facts,
                            err: after.err,
                            input: after.input,
                            status: after.status,
                            ..before.clone()
                        };
                        (text, path)
                    })
                    .collect())
            }
            Part::Process { source, .. } | Part::Arithmetic { source, .. } => {
                Err(format!("it reckons with `{source}`"))
            }
            Part::Hole(source) => Err(format!("it depends on `{source}`")),
        }
    }

    fn variable(&self, used: &Used, path: Path) -> Result<Vec<(Text, Path)>, Reason> {
        let text = match path.variables.get(&used.name) {
            Some(Variable::One(text)) if used.index == Index::None => text.clone(),
            Some(_) => return Err(format!("it takes a part of `{}`", used.name)),
            None => Text::read(match used.name.as_str() {
                PROJECT => Read::world("project_dir"),
                PLUGIN_ROOT => Read::world("plugin_root"),
                "PWD" => Read::world("cwd"),
                "HOME" => Read::world("home"),
                "?" => return Ok(vec![(Text::known(path.status.to_string()), path)]),
                name if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                    Read::world(format!("env.{name}"))
                }
                name => return Err(format!("it depends on `${name}`")),
            }),
        };
        match &used.operation {
            Operation::Plain => Ok(vec![(text, path)]),
            Operation::Fallback { kind: b'-' | b'=', word, .. } => {
                let (empty, full) = path.fork(&text.is_empty());
                let mut ways: Vec<(Text, Path)> = full.map(|path| (text.clone(), path)).into_iter().collect();
                if let Some(path) = empty {
                    ways.extend(self.word(word, path)?);
                }
                // Nothing in the place of nothing is no other way.
                if let [(one, with), (two, _)] = ways.as_slice()
                    && two.0.is_empty()
                {
                    let mut path = with.clone();
                    path.facts.pop();
                    return Ok(vec![(one.clone(), path)]);
                }
                Ok(ways)
            }
            Operation::Trim { end, longest, word } => {
                let pattern = word.literal().unwrap_or_default();
                let step = match (*end, *longest, pattern.as_ref()) {
                    (false, true, "*/") => Step::Basename,
                    (false, true, "*.") => Step::Extension,
                    (true, false, "/*") => Step::Dirname,
                    _ => return Err(format!("it cuts off `{pattern}`")),
                };
                stepped(&text, step).map(|text| vec![(text, path)])
            }
            Operation::Other(_) if used.source.ends_with(",,}") => {
                stepped(&text, Step::Lower).map(|text| vec![(text, path)])
            }
            Operation::Other(_) if used.source.ends_with("^^}") => {
                stepped(&text, Step::Upper).map(|text| vec![(text, path)])
            }
            _ => Err(format!("it makes something of `{}`", used.source)),
        }
    }
}

/// What stands in a word without quotes, so that the shell takes it apart at its blanks.
fn bare(word: &Word) -> Option<&str> {
    word.parts.iter().find_map(|part| match part {
        Part::Variable(used) if !used.quoted => Some(used.source.as_str()),
        Part::Command { quoted: false, source, .. } => Some(source.as_str()),
        _ => None,
    })
}

/// Whether the shell leaves a part of a text in one piece, quoted or not.
fn is_whole(piece: &Piece) -> bool {
    match piece {
        Piece::Known(_) => true,
        Piece::Read(read) => read.is_one_plain_word(),
        Piece::Json(_) | Piece::Lines(..) => false,
    }
}

/// What a step makes of a text.
pub(super) fn stepped(text: &Text, step: Step) -> Result<Text, Reason> {
    if let Some(read) = text.only() {
        return Ok(Text::read(read.after(step)));
    }
    let Some(known) = text.literal() else { return Err("it takes a text apart that it has put together".to_owned()) };
    Ok(Text::known(match step {
        Step::Basename => known.rsplit('/').next().unwrap_or(known).to_owned(),
        Step::Extension => known.rsplit('.').next().unwrap_or(known).to_owned(),
        Step::Dirname => known.rsplit_once('/').map_or(known, |(folder, _)| folder).to_owned(),
        Step::Lower => known.to_ascii_lowercase(),
        Step::Upper => known.to_ascii_uppercase(),
        Step::Trim => known.trim().to_owned(),
    }))
}

/// Where something that is printed goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
    Nowhere,
}

#[derive(Debug, Clone)]
struct Streams {
    input: Option<Text>,
    out: Stream,
    err: Stream,
}

impl Streams {
    fn changed(mut self, redirect: &Redirect, target: Text) -> Result<Self, Reason> {
        let name = target.literal().map(str::to_owned);
        let named = || match name.as_deref() {
            Some("/dev/null") => Ok(Stream::Nowhere),
            Some("/dev/stderr" | "/dev/fd/2") => Ok(Stream::Err),
            Some("/dev/stdout" | "/dev/fd/1") => Ok(Stream::Out),
            _ => Err("it writes a file".to_owned()),
        };
        match redirect.kind {
            RedirectKind::Write | RedirectKind::Append => match redirect.descriptor {
                None | Some(1) => self.out = named()?,
                Some(2) => self.err = named()?,
                Some(_) => return Err("it writes to more than it has".to_owned()),
            },
            RedirectKind::Both => (self.out, self.err) = (named()?, named()?),
            RedirectKind::Duplicate => match (redirect.descriptor, name.as_deref()) {
                (None | Some(1), Some("2")) => self.out = self.err,
                (Some(2), Some("1")) => self.err = self.out,
                (None | Some(1), Some("1")) | (Some(2), Some("2")) => {}
                _ => return Err("it writes to more than it has".to_owned()),
            },
            RedirectKind::HereString => self.input = Some(target.with("\n")),
            RedirectKind::HereDocument => self.input = Some(target),
            RedirectKind::Read if name.as_deref() == Some("/dev/null") => self.input = Some(Text::default()),
            RedirectKind::Read if matches!(name.as_deref(), Some("/dev/stdin" | "/dev/fd/0")) => {}
            RedirectKind::DuplicateInput => return Err("it reads from more than it has".to_owned()),
            RedirectKind::Read | RedirectKind::ReadWrite => return Err("it reads a file".to_owned()),
        }
        Ok(self)
    }
}
