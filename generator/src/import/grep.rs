//! grep, which looks at one line after the other.

use super::commands::is_event;
use super::path::{Input, Path, Reason, onwards};
use super::regex::{self, Dialect};
use super::script::Reader;
use super::value::{Condition, Piece, Read, Test, Text};

impl Reader<'_> {
    pub(super) fn grep(name: &str, args: &[Text], mut path: Path) -> Result<Vec<Path>, Reason> {
        let search = Search::of(name, args)?;
        let subject = match Self::taken(&mut path) {
            // Where nothing is printed, there is no line, not even an empty one.
            Input::Text(text) if text.0.is_empty() => return Ok(vec![path.at(1)]),
            Input::Text(text) if !is_event(&text) => text.trimmed(),
            _ => return Err("it looks for something in the event as a whole".to_owned()),
        };
        let condition = search.somewhere(&subject)?;
        if search.quiet {
            return Ok(path.tested(&condition));
        }
        let found = search.lines(&subject)?;
        onwards(path.tested(&condition), |mut path| {
            if path.status == 0 {
                path.out.push(&found);
                path.out = path.out.with("\n");
            }
            Ok(vec![path])
        })
    }
}

/// What grep is told to look for.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of grep's")]
struct Search {
    dialect: Dialect,
    patterns: Vec<String>,
    folded: bool,
    word: bool,
    line: bool,
    quiet: bool,
    inverted: bool,
}

impl Search {
    fn of(name: &str, args: &[Text]) -> Result<Self, Reason> {
        let dialect = match name.rsplit('/').next().unwrap_or(name) {
            "egrep" => Dialect::Extended,
            "fgrep" => Dialect::Fixed,
            "rg" => Dialect::Own,
            _ => Dialect::Basic,
        };
        let mut search = Self {
            dialect,
            patterns: Vec::new(),
            folded: false,
            word: false,
            line: false,
            quiet: false,
            inverted: false,
        };
        let mut words = args.iter();
        while let Some(arg) = words.next() {
            let word = arg.literal().ok_or("it looks for what is not written in it")?;
            match word {
                "--" if !search.patterns.is_empty() => {}
                // What comes after `--` is no option, whatever it begins with.
                "-e" | "--regexp" | "--" => {
                    let pattern =
                        words.next().and_then(Text::literal).ok_or("it looks for what is not written in it")?;
                    search.patterns.extend(pattern.split('\n').map(str::to_owned));
                }
                "--quiet" | "--silent" => search.quiet = true,
                "--extended-regexp" => search.dialect = Dialect::Extended,
                "--fixed-strings" => search.dialect = Dialect::Fixed,
                "--perl-regexp" => search.dialect = Dialect::Perl,
                "--ignore-case" => search.folded = true,
                "--word-regexp" => search.word = true,
                "--line-regexp" => search.line = true,
                "--invert-match" => search.inverted = true,
                letters if letters.starts_with('-') && letters.len() > 1 && search.patterns.is_empty() => {
                    for letter in letters.chars().skip(1) {
                        search.letter(letter)?;
                    }
                    if letters.ends_with('e') {
                        let pattern =
                            words.next().and_then(Text::literal).ok_or("it looks for what is not written in it")?;
                        search.patterns.extend(pattern.split('\n').map(str::to_owned));
                    }
                }
                pattern if search.patterns.is_empty() => search.patterns.extend(pattern.split('\n').map(str::to_owned)),
                _ => return Err("it looks for something in files".to_owned()),
            }
        }
        if search.patterns.is_empty() { Err("it looks for nothing".to_owned()) } else { Ok(search) }
    }

    fn letter(&mut self, letter: char) -> Result<(), Reason> {
        match letter {
            'q' => self.quiet = true,
            'E' => self.dialect = Dialect::Extended,
            'F' => self.dialect = Dialect::Fixed,
            'P' => self.dialect = Dialect::Perl,
            'i' => self.folded = true,
            'w' => self.word = true,
            'x' => self.line = true,
            'v' => self.inverted = true,
            's' | 'e' | 'G' | 'a' => {}
            other => return Err(format!("it starts `grep -{other}`")),
        }
        Ok(())
    }

    /// Whether a line is one of those that are looked for.
    fn on(&self, line: &Text) -> Result<Condition, Reason> {
        let found = self.patterns.iter().map(|pattern| line.matches(&self.regex(pattern)?));
        let found = if self.is_plain() {
            Condition::any(self.patterns.iter().map(|pattern| line.holds("contains", pattern)).collect())
        } else {
            Condition::any(found.collect::<Result<_, Reason>>()?)
        };
        Ok(if self.inverted { found.not() } else { found })
    }

    /// Whether some line of a text is.
    fn somewhere(&self, subject: &Text) -> Result<Condition, Reason> {
        let (whole, before) = match subject.0.as_slice() {
            [Piece::Lines(whole, before)] => (whole, Some(before)),
            _ => (subject, None),
        };
        if whole.literal().is_some() || (before.is_none() && !self.inverted && self.stays_on_a_line()?) {
            return self.on(whole);
        }
        let line = self.on(&Text::read(Read::world("line")))?;
        let line = Condition::all(before.cloned().into_iter().chain([line]).collect());
        let wanted = self.patterns.iter().find_map(|pattern| regex::example(&self.regex(pattern).ok()?));
        let exists = Condition::Test(Test {
            cel: format!("{}.lines().exists(line, {})", whole.cel(), line.cel()),
            examples: wanted.filter(|_| !self.inverted).map(|text| whole.example(&text)).unwrap_or_default(),
        });
        // An empty text is printed as one line.
        let empty = self.inverted && before.is_none();
        Ok(if empty { Condition::any(vec![whole.is_empty(), exists]) } else { exists })
    }

    /// The lines of a text that are.
    fn lines(&self, subject: &Text) -> Result<Text, Reason> {
        if subject.literal().is_some_and(|text| !text.contains('\n')) {
            return Ok(subject.clone());
        }
        if self.on(&Text::default())? != Condition::Known(false) {
            return Err("it prints lines that may be empty".to_owned());
        }
        let line = self.on(&Text::read(Read::world("line")))?;
        Ok(Text(vec![match subject.0.as_slice() {
            [Piece::Lines(whole, before)] => Piece::Lines(whole.clone(), Condition::all(vec![before.clone(), line])),
            _ => Piece::Lines(subject.clone(), line),
        }]))
    }

    /// Whether it is a text that is looked for, anywhere in a line.
    fn is_plain(&self) -> bool {
        self.dialect == Dialect::Fixed && !self.folded && !self.word && !self.line
    }

    /// Whether no pattern can go beyond the end of a line, so that a text can be looked at as a whole.
    fn stays_on_a_line(&self) -> Result<bool, Reason> {
        let mut patterns = self.patterns.iter().map(|pattern| regex::translated(pattern, self.dialect));
        patterns.try_fold(true, |stays, regex| Ok(stays && !regex::goes_over_lines(&regex?)))
    }

    fn regex(&self, pattern: &str) -> Result<String, Reason> {
        let mut regex = regex::translated(pattern, self.dialect)?;
        if self.line {
            regex = format!("^(?:{regex})$");
        } else if self.word {
            regex = format!(r"(?:^|\W)(?:{regex})(?:\W|$)");
        }
        let flags = match (self.folded, regex.contains(['^', '$'])) {
            (true, true) => "(?im)",
            (true, false) => "(?i)",
            (false, true) => "(?m)",
            (false, false) => "",
        };
        Ok(format!("{flags}{regex}"))
    }
}
