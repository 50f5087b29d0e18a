//! Tests of the shell: `[ … ]`, `[[ … ]]` and the patterns of `case`.

use hookgen_runtime::client::claude::places::PROJECT;
use hookgen_runtime::shell::syntax::{List, Part, Word};

use super::path::{Path, Reason, onwards};
use super::regex::{self, Dialect, Glob};
use super::script::Reader;
use super::value::{Condition, Piece, Test, Text};

/// A side of a test: the word as written, and what it comes to.
struct Operand<'w> {
    word: Option<&'w Word>,
    text: Text,
}

impl Operand<'_> {
    fn literal(&self) -> &str {
        self.text.literal().unwrap_or_default()
    }
}

impl Reader<'_> {
    /// `[[ … ]]`
    pub(super) fn test(&self, words: &[Word], path: Path) -> Result<Vec<Path>, Reason> {
        let mut ways = vec![(Vec::new(), path)];
        for word in words {
            let mut next = Vec::new();
            for (texts, path) in ways {
                for (text, path) in self.word(word, path)? {
                    next.push(([texts.clone(), vec![text]].concat(), path));
                }
            }
            ways = next;
        }
        onwards(ways, |(texts, path)| {
            let operands = words.iter().zip(texts).map(|(word, text)| Operand { word: Some(word), text }).collect();
            Ok(path.tested(&Question { operands, place: 0 }.whole()?))
        })
    }

    /// `[ … ]` and `test …`, whose words have lost their quotes.
    pub(super) fn bracket(words: &[Text], path: Path) -> Result<Vec<Path>, Reason> {
        let operands = words.iter().map(|text| Operand { word: None, text: text.clone() }).collect();
        Ok(path.tested(&Question { operands, place: 0 }.whole()?))
    }

    pub(super) fn case(&self, word: &Word, arms: &[(Vec<Word>, List)], path: Path) -> Result<Vec<Path>, Reason> {
        let ways = self.word(word, path)?;
        onwards(ways, |(text, path)| self.arms(&text, arms, path))
    }

    fn arms(&self, text: &Text, arms: &[(Vec<Word>, List)], path: Path) -> Result<Vec<Path>, Reason> {
        let Some(((patterns, body), rest)) = arms.split_first() else { return Ok(vec![path.at(0)]) };
        let patterns = patterns.iter().map(|pattern| fits(text, pattern, &path));
        let condition = Condition::any(patterns.collect::<Result<_, _>>()?);
        let (yes, no) = path.fork(&condition);
        let mut all = Vec::new();
        if let Some(path) = yes {
            all.extend(self.list(body, path.at(0))?);
        }
        if let Some(path) = no {
            all.extend(self.arms(text, rest, path)?);
        }
        Ok(all)
    }
}

/// Whether a text is as a pattern has it.
fn fits(text: &Text, pattern: &Word, path: &Path) -> Result<Condition, Reason> {
    let mut glob = Vec::new();
    for part in &pattern.parts {
        match part {
            Part::Plain(text) => regex::glob(text, &mut glob)?,
            Part::Quoted(text) => regex::literal(text, &mut glob),
            Part::Variable(used) => match path.variables.get(&used.name) {
                Some(super::path::Variable::One(value)) if value.literal().is_some() => {
                    let value = value.literal().unwrap_or_default();
                    if used.quoted { regex::literal(value, &mut glob) } else { regex::glob(value, &mut glob)? }
                }
                None if used.name == PROJECT && glob.is_empty() => {
                    return within_project(text, &pattern.parts[1..]);
                }
                _ => return Err(format!("it compares with `{}`, which is not written in it", used.source)),
            },
            _ => return Err("it compares with what is not written in it".to_owned()),
        }
    }
    matched(text, &glob)
}

/// `"$CLAUDE_PROJECT_DIR"/something*`
fn within_project(text: &Text, rest: &[Part]) -> Result<Condition, Reason> {
    let mut glob = Vec::new();
    for part in rest {
        match part {
            Part::Plain(text) => regex::glob(text, &mut glob)?,
            Part::Quoted(text) => regex::literal(text, &mut glob),
            _ => return Err("it compares with what is not written in it".to_owned()),
        }
    }
    match glob.as_slice() {
        [Glob::Text(folder), Glob::Any] => Ok(Condition::Test(Test::of(format!(
            "{}.startsWith(project_dir + {})",
            text.cel(),
            super::value::quoted(folder)
        )))),
        [Glob::Text(file)] => {
            Ok(Condition::Test(Test::of(format!("{} == project_dir + {}", text.cel(), super::value::quoted(file)))))
        }
        _ => Err("it compares with what is not written in it".to_owned()),
    }
}

fn matched(text: &Text, glob: &[Glob]) -> Result<Condition, Reason> {
    match glob {
        [] => Ok(text.is_empty()),
        [Glob::Any] => Ok(Condition::Known(true)),
        [Glob::Text(whole)] => Ok(text.equals(&Text::known(whole.as_str()))),
        [Glob::Text(start), Glob::Any] => Ok(text.holds("startsWith", start)),
        [Glob::Any, Glob::Text(end)] => Ok(text.holds("endsWith", end)),
        [Glob::Any, Glob::Text(part), Glob::Any] => Ok(text.holds("contains", part)),
        glob => text.matches(&regex::glob_regex(glob)),
    }
}

/// The words of a test, read from left to right.
struct Question<'w> {
    operands: Vec<Operand<'w>>,
    place: usize,
}

impl Question<'_> {
    fn whole(mut self) -> Result<Condition, Reason> {
        let condition = self.any()?;
        if self.place < self.operands.len() {
            return Err(format!("it asks with `{}`", self.operands[self.place].literal()));
        }
        Ok(condition)
    }

    fn eat(&mut self, words: &[&str]) -> bool {
        let there = self
            .operands
            .get(self.place)
            .is_some_and(|operand| operand.text.literal().is_some_and(|text| words.contains(&text)));
        self.place += usize::from(there);
        there
    }

    fn any(&mut self) -> Result<Condition, Reason> {
        let mut parts = vec![self.all()?];
        while self.eat(&["||", "-o"]) {
            parts.push(self.all()?);
        }
        Ok(Condition::any(parts))
    }

    fn all(&mut self) -> Result<Condition, Reason> {
        let mut parts = vec![self.one()?];
        while self.eat(&["&&", "-a"]) {
            parts.push(self.one()?);
        }
        Ok(Condition::all(parts))
    }

    fn one(&mut self) -> Result<Condition, Reason> {
        if self.eat(&["!"]) {
            return self.one().map(Condition::not);
        }
        if self.eat(&["(", "\\("]) {
            let inner = self.any()?;
            self.eat(&[")", "\\)"]);
            return Ok(inner);
        }
        let Some(first) = self.operands.get(self.place) else { return Ok(Condition::Known(false)) };
        let unary = first.literal().to_owned();
        let next = self.operands.get(self.place + 1).map(|next| next.text.clone());
        let binary = next.as_ref().and_then(Text::literal).is_some_and(|text| BINARY.contains(&text));
        if !binary
            && unary.len() == 2
            && unary.starts_with('-')
            && let Some(operand) = next
        {
            self.place += 2;
            return alone(&unary, &operand);
        }
        if binary {
            let (left, operator) =
                (first.text.clone(), next.as_ref().and_then(Text::literal).unwrap_or_default().to_owned());
            let right = self.operands.get(self.place + 2).ok_or("a test in it has no end")?;
            let condition = between(&left, &operator, right);
            self.place += 3;
            return condition;
        }
        let condition = first.text.is_empty().not();
        self.place += 1;
        Ok(condition)
    }
}

const BINARY: &[&str] = &["=", "==", "!=", "=~", "-eq", "-ne", "-gt", "-lt", "-ge", "-le", "<", ">"];

fn alone(operator: &str, operand: &Text) -> Result<Condition, Reason> {
    let asked = |function: &str| Ok(Condition::Test(Test::of(format!("{function}({})", operand.cel()))));
    match operator {
        "-z" => Ok(operand.is_empty()),
        "-n" => Ok(operand.is_empty().not()),
        "-f" => asked("fileExists"),
        "-d" => asked("folderExists"),
        "-e" => Ok(Condition::any(vec![asked("fileExists")?, asked("folderExists")?])),
        other => Err(format!("it asks with `{other}`")),
    }
}

fn between(left: &Text, operator: &str, right: &Operand<'_>) -> Result<Condition, Reason> {
    match operator {
        "=" | "==" | "!=" => {
            let same = match right.word {
                Some(word) => glob_or_text(left, word, &right.text)?,
                None => left.equals(&right.text),
            };
            Ok(if operator == "!=" { same.not() } else { same })
        }
        "=~" => {
            let pattern =
                right.word.map(regex_of).unwrap_or_default().or_else(|| right.text.literal().map(str::to_owned));
            left.matches(&regex::translated(&pattern.ok_or("its pattern is not written in it")?, Dialect::Extended)?)
        }
        "-eq" | "-ne" => {
            let (Some(one), Some(two)) = (left.literal(), right.text.literal()) else {
                return Err(format!("it reckons with `{operator}`"));
            };
            Ok(Condition::Known((one == two) == (operator == "-eq")))
        }
        other => Err(format!("it reckons with `{other}`")),
    }
}

/// The right side of `==` between double brackets: a pattern where it is not quoted.
fn glob_or_text(left: &Text, word: &Word, text: &Text) -> Result<Condition, Reason> {
    if text.literal().is_none() && text.0.iter().any(|piece| !matches!(piece, Piece::Known(_))) {
        if let [Part::Variable(used), rest @ ..] = word.parts.as_slice()
            && used.name == PROJECT
        {
            return within_project(left, rest);
        }
        return Ok(left.equals(text));
    }
    let mut glob = Vec::new();
    let mut rest = text.literal().unwrap_or_default();
    for part in &word.parts {
        match part {
            Part::Plain(piece) => {
                regex::glob(piece, &mut glob)?;
                rest = rest.strip_prefix(piece.as_str()).unwrap_or(rest);
            }
            Part::Quoted(piece) => {
                regex::literal(piece, &mut glob);
                rest = rest.strip_prefix(piece.as_str()).unwrap_or(rest);
            }
            // What a variable holds goes up to the next part that is written.
            Part::Variable(used) => {
                let after = word.parts.iter().skip_while(|other| !std::ptr::eq(*other, part)).nth(1);
                let end = match after {
                    Some(Part::Plain(next) | Part::Quoted(next)) => rest.find(next.as_str()).unwrap_or(rest.len()),
                    _ => rest.len(),
                };
                let (value, more) = rest.split_at(end);
                if used.quoted {
                    regex::literal(value, &mut glob);
                } else {
                    regex::glob(value, &mut glob)?;
                }
                rest = more;
            }
            _ => return Err("it compares with what is not written in it".to_owned()),
        }
    }
    matched(left, &glob)
}

/// A pattern as written, where quoted parts stand for themselves.
fn regex_of(word: &Word) -> Option<String> {
    let mut pattern = String::new();
    for part in &word.parts {
        match part {
            Part::Plain(text) => pattern.push_str(text),
            Part::Quoted(text) => pattern.push_str(&regex::escaped(text)),
            _ => return None,
        }
    }
    Some(pattern)
}
