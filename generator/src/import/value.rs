//! What a script knows while it is being read: texts and conditions, as far as they come from the event.
//!
//! A text is what is written in the script and what the event or the world says, side by side. A condition is made of tests
//! that expressions of a catalog can ask as well, each with an idea of what would fulfil it: cases need an example.

/// Where something that a script reads comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Root {
    /// A field of the event, by its path.
    Field(Vec<String>),
    /// A field of the event that is true or false.
    Truth(Vec<String>),
    /// The branch that is checked out.
    Branch,
    /// Something else, which no example can set.
    World,
}

/// What a script makes of what it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Basename,
    Dirname,
    Extension,
    Lower,
    Upper,
    Trim,
}

/// The extension of a text, as an expression.
const EXTENSION: &str = ".split('.').last()";

/// Something that is read, as an expression of a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) cel: String,
    pub(super) root: Root,
    pub(super) steps: Vec<Step>,
}

impl Read {
    pub(super) fn field(path: &[String]) -> Self {
        Self { cel: path.join("."), root: Root::Field(path.to_vec()), steps: Vec::new() }
    }

    pub(super) fn branch() -> Self {
        Self { cel: "git.branch".to_owned(), root: Root::Branch, steps: Vec::new() }
    }

    pub(super) fn world(cel: impl Into<String>) -> Self {
        Self { cel: cel.into(), root: Root::World, steps: Vec::new() }
    }

    pub(super) fn after(&self, step: Step) -> Self {
        let cel = match step {
            Step::Basename => format!("{}.basename()", self.cel),
            Step::Dirname => format!("{}.dirname()", self.cel),
            // Without a dot, the shell leaves the whole text, and so does the last part of a split.
            Step::Extension => format!("{}{EXTENSION}", self.cel),
            Step::Lower => format!("{}.lowerAscii()", self.cel),
            Step::Upper => format!("{}.upperAscii()", self.cel),
            Step::Trim => format!("{}.trim()", self.cel),
        };
        Self { cel, root: self.root.clone(), steps: self.steps.iter().copied().chain([step]).collect() }
    }

    /// What the extension was taken from, if it is one.
    pub(super) fn with_extension(&self) -> Option<Self> {
        let Some((Step::Extension, steps)) = self.steps.split_last() else { return None };
        let cel = self.cel.strip_suffix(EXTENSION)?.to_owned();
        Some(Self { cel, root: self.root.clone(), steps: steps.to_vec() })
    }

    /// Whether there is never anything in it that the shell takes words apart at, or JSON a string.
    pub(super) fn is_one_plain_word(&self) -> bool {
        match &self.root {
            Root::Branch => true,
            Root::Field(path) => matches!(path.last().map(String::as_str), Some("tool_name" | "hook_event_name")),
            Root::World => ["project_dir", "plugin_root", "cwd", "home"].contains(&self.cel.as_str()),
            Root::Truth(_) => false,
        }
    }

    /// What would have to be read for this text to come out.
    fn source_of(&self, wanted: &str) -> String {
        self.steps.iter().rev().fold(wanted.to_owned(), |text, step| match step {
            Step::Basename => format!("/p/{text}"),
            Step::Dirname => format!("{text}/a"),
            Step::Extension => format!("/p/a.{text}"),
            Step::Lower | Step::Upper | Step::Trim => text,
        })
    }
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Known(String),
    Read(Read),
    /// A text written as a string of JSON, with its quotes.
    Json(Text),
    /// Those lines of a text that fulfil a condition, in which each is called `line`.
    Lines(Text, Condition),
}

impl Piece {
    pub(super) fn cel(&self) -> String {
        match self {
            Self::Known(text) => quoted(text),
            Self::Read(read) => read.cel.clone(),
            Self::Json(text) => format!("json({})", text.cel()),
            Self::Lines(text, condition) => {
                format!("{}.lines().filter(line, {}).join('\\n')", text.cel(), condition.cel())
            }
        }
    }
}

/// A text, part by part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Text(pub(super) Vec<Piece>);

impl Text {
    pub(super) fn known(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() { Self::default() } else { Self(vec![Piece::Known(text)]) }
    }

    pub(super) fn read(read: Read) -> Self {
        Self(vec![Piece::Read(read)])
    }

    pub(super) fn push(&mut self, other: &Self) {
        for piece in &other.0 {
            match (self.0.last_mut(), piece) {
                (Some(Piece::Known(text)), Piece::Known(more)) => text.push_str(more),
                (_, piece) => self.0.push(piece.clone()),
            }
        }
    }

    pub(super) fn with(mut self, more: &str) -> Self {
        self.push(&Self::known(more));
        self
    }

    /// The text, if all of it is written in the script.
    pub(super) fn literal(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Piece::Known(text)] => Some(text),
            _ => None,
        }
    }

    /// The one thing that it is read from, if it is nothing else.
    pub(super) fn only(&self) -> Option<&Read> {
        match self.0.as_slice() {
            [Piece::Read(read)] => Some(read),
            _ => None,
        }
    }

    /// Without the ends of lines that a command substitution takes off.
    pub(super) fn trimmed(mut self) -> Self {
        if let Some(Piece::Known(text)) = self.0.last_mut() {
            text.truncate(text.trim_end_matches('\n').len());
            if text.is_empty() {
                self.0.pop();
            }
        }
        self
    }

    /// As an expression.
    pub(super) fn cel(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(Piece::cel).collect();
        match parts.as_slice() {
            [] => "''".to_owned(),
            [only] => only.clone(),
            several => format!("({})", several.join(" + ")),
        }
    }

    /// As text with places to fill in.
    pub(super) fn template(&self) -> String {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Known(text) => text.replace("${", "$${"),
                piece => format!("${{{}}}", piece.cel()),
            })
            .collect()
    }

    /// What would have to be read for the whole to be this text.
    pub(super) fn example(&self, wanted: &str) -> Vec<Example> {
        if let [Piece::Json(text) | Piece::Lines(text, _)] = self.0.as_slice() {
            return text.example(wanted.trim_matches('"'));
        }
        let reads: Vec<&Read> =
            self.0.iter().filter_map(|piece| if let Piece::Read(read) = piece { Some(read) } else { None }).collect();
        let [only] = reads.as_slice() else { return Vec::new() };
        let known = |pieces: &[Piece]| -> String {
            pieces
                .iter()
                .filter_map(|piece| if let Piece::Known(text) = piece { Some(text.as_str()) } else { None })
                .collect()
        };
        let place = self.0.iter().position(|piece| matches!(piece, Piece::Read(_))).unwrap_or_default();
        let (before, after) = (known(&self.0[..place]), known(&self.0[place..]));
        let inner = wanted.strip_prefix(&before).unwrap_or(wanted);
        let inner = inner.strip_suffix(&after).unwrap_or(inner);
        vec![Example { root: only.root.clone(), text: only.source_of(inner) }]
    }

    pub(super) fn equals(&self, other: &Self) -> Condition {
        match (self.literal(), other.literal()) {
            (Some(one), Some(two)) => Condition::Known(one == two),
            // What jq prints of a field that is not there.
            (None, Some("null")) => match self.0.as_slice() {
                [Piece::Json(text)] => text.is_empty(),
                _ => self.is_empty(),
            },
            (Some(_), None) => other.equals(self),
            (None, Some(text)) => Condition::Test(Test {
                cel: format!("{} == {}", self.cel(), quoted(text)),
                examples: self.example(text),
            }),
            (None, None) if self == other => Condition::Known(true),
            (None, None) => {
                Condition::Test(Test { cel: format!("{} == {}", self.cel(), other.cel()), examples: Vec::new() })
            }
        }
    }

    pub(super) fn is_empty(&self) -> Condition {
        match self.literal() {
            Some(text) => Condition::Known(text.is_empty()),
            None if self.0.iter().any(|piece| !matches!(piece, Piece::Read(_))) => Condition::Known(false),
            None => Condition::Test(Test { cel: format!("{} == ''", self.cel()), examples: self.example("") }),
        }
    }

    /// A test of the library's: `startsWith`, `endsWith` or `contains`.
    pub(super) fn holds(&self, function: &str, part: &str) -> Condition {
        if let Some(text) = self.literal() {
            return Condition::Known(match function {
                "startsWith" => text.starts_with(part),
                "endsWith" => text.ends_with(part),
                _ => text.contains(part),
            });
        }
        if part.is_empty() {
            return Condition::Known(true);
        }
        let is_path = self.0.iter().any(|piece| matches!(piece, Piece::Read(read) if matches!(&read.root, Root::Field(path) if path.last().is_some_and(|name| name.contains("path")))));
        let wanted = match function {
            "startsWith" if !is_path => part.to_owned(),
            "endsWith" if !is_path => format!("a {part}"),
            "startsWith" => format!("{part}a"),
            "endsWith" if part.starts_with('.') => format!("/p/a{part}"),
            "endsWith" if part.starts_with('/') => format!("/p{part}"),
            "endsWith" => format!("/p/{part}"),
            _ if part.starts_with('/') => format!("/p{part}a"),
            _ => part.to_owned(),
        };
        let cel = format!("{}.{function}({})", self.cel(), quoted(part));
        Condition::Test(Test { cel, examples: self.example(&wanted) })
    }

    /// Whether a regular expression is found in it.
    pub(super) fn matches(&self, pattern: &str) -> Result<Condition, String> {
        if let Some((with, without)) = super::regex::looked_ahead(pattern) {
            return Ok(Condition::all(vec![self.matches(&with)?, self.matches(&without)?.not()]));
        }
        hookgen_runtime::pattern::check(pattern)
            .map_err(|error| format!("the pattern `{pattern}` cannot be taken over: {error}"))?;
        if let Some(text) = self.literal() {
            let found = regex_lite::Regex::new(pattern).map(|regex| regex.is_match(text));
            return found.map(Condition::Known).map_err(|error| error.to_string());
        }
        let examples = super::regex::example(pattern).map(|text| self.example(&text)).unwrap_or_default();
        Ok(Condition::Test(Test { cel: format!("{}.matches({})", self.cel(), raw(pattern)), examples }))
    }
}

/// A text that something would have to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Example {
    pub(super) root: Root,
    pub(super) text: String,
}

/// A question that an expression can ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) cel: String,
    /// What makes it true.
    pub(super) examples: Vec<Example>,
}

impl Test {
    pub(super) fn of(cel: impl Into<String>) -> Self {
        Self { cel: cel.into(), examples: Vec::new() }
    }
}

/// What must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Condition {
    Known(bool),
    Test(Test),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    pub(super) fn not(self) -> Self {
        match self {
            Self::Known(truth) => Self::Known(!truth),
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    pub(super) fn all(parts: Vec<Self>) -> Self {
        Self::joined(parts, true)
    }

    pub(super) fn any(parts: Vec<Self>) -> Self {
        Self::joined(parts, false)
    }

    fn joined(parts: Vec<Self>, all: bool) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for part in parts {
            match part {
                Self::Known(truth) if truth == all => {}
                Self::Known(truth) => return Self::Known(truth),
                Self::All(inner) if all => kept.extend(inner),
                Self::Any(inner) if !all => kept.extend(inner),
                part if kept.contains(&part) => {}
                part => kept.push(part),
            }
        }
        match (kept.len(), kept.pop()) {
            (1, Some(only)) => only,
            (0, _) | (_, None) => Self::Known(all),
            (_, Some(last)) => {
                kept.push(last);
                if all { Self::All(kept) } else { Self::Any(kept) }
            }
        }
    }

    /// As an expression.
    pub(super) fn cel(&self) -> String {
        match self {
            Self::Known(truth) => truth.to_string(),
            Self::Test(test) => test.cel.clone(),
            Self::Not(inner) => match inner.as_ref() {
                Self::Test(test) => match opposite(&test.cel) {
                    Some(cel) => cel,
                    None if is_chain(&test.cel) => format!("!{}", test.cel),
                    None => format!("!({})", test.cel),
                },
                other => format!("!({})", other.cel()),
            },
            Self::All(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| if matches!(part, Self::Any(_)) { format!("({})", part.cel()) } else { part.cel() });
                parts.collect::<Vec<_>>().join(" && ")
            }
            Self::Any(parts) => parts.iter().map(Self::cel).collect::<Vec<_>>().join(" || "),
        }
    }

    /// Sets of examples, each of which makes false what must not be true.
    pub(super) fn exceptions(&self) -> Vec<Vec<Example>> {
        match self {
            Self::Not(inner) => inner.examples().into_iter().filter(|set| !set.is_empty()).collect(),
            Self::All(parts) => parts.iter().flat_map(Self::exceptions).collect(),
            Self::Known(_) | Self::Test(_) | Self::Any(_) => Vec::new(),
        }
    }

    /// Sets of examples, each of which may make it true.
    pub(super) fn examples(&self) -> Vec<Vec<Example>> {
        match self {
            Self::Test(test) => vec![test.examples.clone()],
            Self::Any(parts) => parts.iter().flat_map(Self::examples).collect(),
            Self::All(parts) => parts.iter().fold(vec![Vec::new()], |sets, part| {
                let others = part.examples();
                let joined =
                    sets.iter().flat_map(|set| others.iter().map(move |other| [set.clone(), other.clone()].concat()));
                joined.take(MOST_EXAMPLES).collect()
            }),
            Self::Known(_) | Self::Not(_) => vec![Vec::new()],
        }
    }
}

/// How many sets of examples are thought of for one condition.
const MOST_EXAMPLES: usize = 32;

/// `a == b` turned round.
fn opposite(cel: &str) -> Option<String> {
    let (left, right) = cel.split_once(" == ")?;
    (!left.contains(['\'', '"', ' ']) && !right.contains(" && ")).then(|| format!("{left} != {right}"))
}

/// Whether a `!` in front of it takes in all of it.
fn is_chain(cel: &str) -> bool {
    let (mut depth, mut quote) = (0_i32, None);
    for c in cel.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth -= 1,
            (None, ' ') if depth == 0 => return false,
            _ => {}
        }
    }
    true
}

/// A text as a literal of an expression.
pub(super) fn quoted(text: &str) -> String {
    let escaped =
        text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r");
    format!("'{escaped}'")
}

/// A pattern as a literal, without escapes where that can be.
pub(super) fn raw(pattern: &str) -> String {
    match (pattern.contains('\\'), pattern.contains(['\'', '\n']), pattern.contains(['"', '\n'])) {
        (true, false, _) => format!("r'{pattern}'"),
        (true, true, false) => format!("r\"{pattern}\""),
        _ => quoted(pattern),
    }
}
