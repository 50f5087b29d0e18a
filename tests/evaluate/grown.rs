//! Well-typed expressions that nobody thought of, from a seed.

/// Types that expressions are grown for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Int,
    Double,
    Text,
    Ints,
    Texts,
    Any,
}

use Kind::{Any, Bool, Double, Int, Ints, Text, Texts};

/// Names of variables: words of Rust, of the library and of printed code, and one that is used everywhere.
const NAMES: [&str; 16] = [
    "x",
    "x",
    "item",
    "list",
    "type",
    "self",
    "move",
    "fn",
    "facts",
    "call",
    "value",
    "Ok",
    "Vec",
    "library",
    "operators",
    "e0",
];

/// Names in definitions: few, so that they meet, and those that parameters get where a definition is written out.
const MEETING: [&str; 6] = ["x", "e0", "d0_x", "d0_e0", "d3_x", "d3_e0"];

/// Numbers and texts at the edges.
const WHOLE: [&str; 9] =
    ["0", "1", "-1", "2", "-7", "9223372036854775807", "-9223372036854775808", "0x10", "thresholds.limit"];
const BROKEN: [&str; 8] = ["0.0", "-0.0", "1.5", "-2.25", "1e99", "-1e308", ".5", "thresholds.ratio"];
const WORDS: [&str; 10] = ["''", "'a'", "'é'", "'a b'", r"'\n\\'", "r'\\d'", "'12'", "'-7'", "'true'", "\"it's\""];

/// A definition with parameters: `name(first, second): body`.
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) params: [(&'static str, Kind); 2],
    pub(super) body: String,
    result: Kind,
}

/// Grows expressions, the same ones from the same seed.
pub(super) struct Grower {
    state: u64,
    variables: Vec<(&'static str, Kind)>,
    definitions: Vec<Definition>,
    /// What variables are called.
    names: &'static [&'static str],
}

impl Grower {
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed, variables: Vec::new(), definitions: Vec::new(), names: &NAMES }
    }

    /// Another definition, which may call those before it; from then on, expressions call it.
    pub(super) fn define(&mut self, name: &str) {
        let params = [[Int, Text], [Text, Int], [Int, Int]][self.below(3)];
        let (one, two) = [("x", "e0"), ("e0", "x"), ("d0_x", "x")][self.below(3)];
        let params = [(one, params[0]), (two, params[1])];
        let result = [Bool, Ints, Texts][self.below(3)];
        self.variables = params.to_vec();
        self.names = &MEETING;
        let body = if result == Bool { self.quantified(2) } else { self.list(result, 2) };
        self.names = &NAMES;
        self.definitions.push(Definition { name: name.to_owned(), params, body, result });
    }

    /// Takes the last definition back.
    pub(super) fn undefine(&mut self) {
        self.definitions.pop();
    }

    pub(super) fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// A call of the last definition, with arguments that anybody can see.
    pub(super) fn last_call(&mut self) -> Option<String> {
        self.variables.clear();
        self.call(self.definitions.len().checked_sub(1)?)
    }

    /// A call of a definition that gives this type, if there is one.
    fn called(&mut self, kind: Kind) -> Option<String> {
        let fit: Vec<usize> = (0..self.definitions.len()).filter(|n| self.definitions[*n].result == kind).collect();
        let place = *fit.get(self.below(fit.len().max(1)))?;
        self.call(place)
    }

    fn call(&mut self, place: usize) -> Option<String> {
        let [one, two] = self.definitions.get(place)?.params.map(|(_, kind)| kind);
        let (one, two) = (self.grow(one, 0), self.grow(two, 0));
        Some(format!("{}({one}, {two})", self.definitions[place].name))
    }

    /// The next number below the limit (`SplitMix64`).
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap_or_default()
    }

    fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    /// An expression of any type.
    pub(super) fn expression(&mut self) -> String {
        let kind = [Bool, Int, Double, Text, Ints, Texts, Any][self.below(7)];
        self.variables.clear();
        // Most mistakes are between two operators; a few go deep.
        let depth = [1, 2, 2, 2, 3, 3, 2, 4][self.below(8)];
        self.grow(kind, depth)
    }

    /// An expression of that type, at most so deep.
    fn grow(&mut self, kind: Kind, depth: usize) -> String {
        // In definitions, variables are what matters.
        let defines = self.names.len() == MEETING.len();
        if (self.below(4) == 0 || defines && (depth == 0 || self.below(2) == 0))
            && let Some((name, _)) =
                self.variables.iter().rev().find(|(name, of)| *of == kind && self.is_seen(name, kind))
        {
            return (*name).to_owned();
        }
        if depth == 0 {
            return self.leaf(kind);
        }
        if !self.definitions.is_empty()
            && self.below(3) == 0
            && let Some(call) = self.called(kind)
        {
            return call;
        }
        match kind {
            Bool => self.bool(depth - 1),
            Int => self.int(depth - 1),
            Double => self.double(depth - 1),
            Text => self.text(depth - 1),
            Ints | Texts => self.list(kind, depth - 1),
            Any => self.any(depth - 1),
        }
    }

    /// Whether the innermost variable of that name is of that type.
    fn is_seen(&self, name: &str, kind: Kind) -> bool {
        self.variables.iter().rev().find(|(known, _)| *known == name).is_some_and(|(_, of)| *of == kind)
    }

    fn leaf(&mut self, kind: Kind) -> String {
        match kind {
            Bool => {
                self.one_of(&["true", "false", "flags.on", "tool_input.run_in_background", "data.deep.sub.yes == true"])
            }
            Int => self.one_of(&WHOLE),
            Double => self.one_of(&BROKEN),
            Text => match self.below(3) {
                0 => self.one_of(&["tool_input.command", "tool_name", "data.words[0]", "env.NOT_SET_ANYWHERE"]),
                _ => self.one_of(&WORDS),
            },
            Ints => self.one_of(&["data.numbers", "[]", "[-7]", "[7, -2]", "[1, 2, 3]"]),
            Texts => self.one_of(&["data.words", "['a']", "['b', '']", "data.nested[1]", "data.ages.keys()"]),
            Any => self.one_of(&["data.mixed[0]", "data.mixed[1]", "data.mixed[3]", "data.deep.list", "data.deep.sub"]),
        }
        .to_owned()
    }

    fn bool(&mut self, depth: usize) -> String {
        match self.below(13) {
            0 => format!("!({})", self.grow(Bool, depth)),
            1 | 2 => {
                let sign = self.one_of(&["&&", "||"]);
                format!("({} {sign} {})", self.grow(Bool, depth), self.grow(Bool, depth))
            }
            3..=5 => {
                let kind = [Bool, Int, Double, Text][self.below(4)];
                let sign = self.one_of(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({} {sign} {})", self.grow(kind, depth), self.grow(kind, depth))
            }
            6 => {
                let kind = [Ints, Texts][self.below(2)];
                let sign = self.one_of(&["==", "!="]);
                format!("({} {sign} {})", self.grow(kind, depth), self.grow(kind, depth))
            }
            7 => {
                let kind = [Bool, Int, Double, Text, Any][self.below(5)];
                format!("({} == {})", self.grow(Any, depth), self.grow(kind, depth))
            }
            8 => match self.below(4) {
                0 => format!("({} in {})", self.grow(Int, depth), self.grow(Ints, depth)),
                1 => format!("({} in {})", self.grow(Text, depth), self.grow(Texts, depth)),
                2 => format!("({} in data.ages)", self.grow(Text, depth)),
                _ => format!("({} in data.mixed)", self.grow(Text, depth)),
            },
            9 | 10 => self.quantified(depth),
            11 => {
                let sign = self.one_of(&["<", ">=", "=="]);
                format!("({} {sign} {})", self.grow(Int, depth), self.grow(Double, depth))
            }
            _ => {
                let name = self.one_of(&["startsWith", "endsWith", "contains"]);
                format!("{}.{name}({})", self.grow(Text, depth), self.grow(Text, depth))
            }
        }
    }

    fn int(&mut self, depth: usize) -> String {
        match self.below(8) {
            0..=2 => {
                let sign = self.one_of(&["+", "-", "*", "/", "%"]);
                format!("({} {sign} {})", self.grow(Int, depth), self.grow(Int, depth))
            }
            3 => format!("-({})", self.grow(Int, depth)),
            4 => {
                let kind = [Ints, Texts, Text][self.below(3)];
                format!("size({})", self.grow(kind, depth))
            }
            5 => {
                let kind = [Text, Double, Any][self.below(3)];
                format!("int({})", self.grow(kind, depth))
            }
            6 => format!("{}[0 + {}]", self.grow(Ints, depth), self.grow(Int, depth)),
            _ => self.choice(Int, depth),
        }
    }

    fn double(&mut self, depth: usize) -> String {
        match self.below(5) {
            0 | 1 => {
                let sign = self.one_of(&["+", "-", "*", "/"]);
                format!("({} {sign} {})", self.grow(Double, depth), self.grow(Double, depth))
            }
            2 => format!("-({})", self.grow(Double, depth)),
            3 => {
                let kind = [Int, Text][self.below(2)];
                format!("double({})", self.grow(kind, depth))
            }
            _ => self.choice(Double, depth),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        match self.below(7) {
            0 | 1 => format!("({} + {})", self.grow(Text, depth), self.grow(Text, depth)),
            2 => {
                let kind = [Bool, Int, Double, Text, Any][self.below(5)];
                format!("string({})", self.grow(kind, depth))
            }
            3 => format!("{}.join({})", self.grow(Texts, depth), self.grow(Text, depth)),
            4 => format!("{}[0 + {}]", self.grow(Texts, depth), self.grow(Int, depth)),
            5 => {
                let name = self.one_of(&["upperAscii", "trim", "lowerAscii"]);
                format!("{}.{name}()", self.grow(Text, depth))
            }
            _ => self.choice(Text, depth),
        }
    }

    fn list(&mut self, kind: Kind, depth: usize) -> String {
        let element = if kind == Ints { Int } else { Text };
        match self.below(8) {
            0 => format!("[{}, {}]", self.grow(element, depth), self.grow(element, depth)),
            1 => format!("({} + {})", self.grow(kind, depth), self.grow(kind, depth)),
            2 => {
                let list = self.grow(kind, depth);
                self.with(element, |this, name| format!("{list}.filter({name}, {})", this.grow(Bool, depth)))
            }
            3 | 4 => {
                let from = [Ints, Texts][self.below(2)];
                let list = self.grow(from, depth);
                let of = if from == Ints { Int } else { Text };
                self.with(of, |this, name| format!("{list}.map({name}, {})", this.grow(element, depth)))
            }
            5 => {
                let (from, kinds) = self.pairs(depth);
                let filtered = self.below(2) == 0;
                self.with_two(kinds, |this, names| {
                    let condition = if filtered { format!("{}, ", this.grow(Bool, depth)) } else { String::new() };
                    format!("{from}.transformList({names}, {condition}{})", this.grow(element, depth))
                })
            }
            6 if kind == Texts => format!("{}.keys()", self.map(depth)),
            _ => self.choice(kind, depth),
        }
    }

    fn any(&mut self, depth: usize) -> String {
        match self.below(5) {
            4 => format!("{}[{}]", self.map(depth), self.grow(Text, depth)),
            0 => format!("data.mixed[{}]", self.grow(Int, depth)),
            1 => format!("{{'a': {}, 'b': {}}}.a", self.grow(Int, depth), self.grow(Text, depth)),
            2 => format!("{{'a': {}, 'b': {}}}['b']", self.grow(Bool, depth), self.grow(Ints, depth)),
            _ => self.leaf(Any),
        }
    }

    fn choice(&mut self, kind: Kind, depth: usize) -> String {
        format!("({} ? {} : {})", self.grow(Bool, depth), self.grow(kind, depth), self.grow(kind, depth))
    }

    /// A map of whole numbers.
    fn map(&mut self, depth: usize) -> String {
        match self.below(4) {
            0 => "data.ages".to_owned(),
            1 => format!("{{{}: {}}}", self.grow(Text, depth), self.grow(Int, depth)),
            2 => format!("{{{}: {}, 'b': {}}}", self.grow(Text, depth), self.grow(Int, depth), self.grow(Int, depth)),
            _ => self.with_two([Text, Int], |this, names| {
                format!("data.ages.transformMap({names}, {})", this.grow(Int, depth))
            }),
        }
    }

    /// Something that two variables go over, and what they are.
    fn pairs(&mut self, depth: usize) -> (String, [Kind; 2]) {
        match self.below(3) {
            0 => (self.grow(Ints, depth), [Int, Int]),
            1 => (self.grow(Texts, depth), [Int, Text]),
            _ => (self.map(depth), [Text, Int]),
        }
    }

    fn quantified(&mut self, depth: usize) -> String {
        if self.below(3) == 0 {
            let (from, kinds) = self.pairs(depth);
            let name = self.one_of(&["all", "exists", "existsOne"]);
            return self.with_two(kinds, |this, names| format!("{from}.{name}({names}, {})", this.grow(Bool, depth)));
        }
        let (from, of) = [(Ints, Int), (Texts, Text)][self.below(2)];
        let list = self.grow(from, depth);
        let name = self.one_of(&["all", "exists", "exists_one"]);
        self.with(of, |this, variable| format!("{list}.{name}({variable}, {})", this.grow(Bool, depth)))
    }

    /// Something in which two variables of these types can be seen.
    fn with_two(&mut self, kinds: [Kind; 2], grow: impl FnOnce(&mut Self, &str) -> String) -> String {
        let one = self.one_of(self.names);
        let mut two = self.one_of(self.names);
        while two == one {
            two = self.one_of(self.names);
        }
        self.variables.extend([(one, kinds[0]), (two, kinds[1])]);
        let grown = grow(self, &format!("{one}, {two}"));
        self.variables.truncate(self.variables.len() - 2);
        grown
    }

    /// Something in which a variable of that type can be seen.
    fn with(&mut self, kind: Kind, grow: impl FnOnce(&mut Self, &str) -> String) -> String {
        let name = self.one_of(self.names);
        self.variables.push((name, kind));
        let grown = grow(self, name);
        self.variables.pop();
        grown
    }
}
