//! The text of a filter, read into what it is made of.

use super::super::path::Reason;

/// A filter, as written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Filter {
    Here,
    Field(Box<Filter>, String),
    Text(Vec<Interpolated>),
    Number(f64),
    Word(&'static str),
    Variable(String),
    Pipe(Box<Filter>, Box<Filter>),
    Bind(Box<Filter>, String, Box<Filter>),
    Otherwise(Box<Filter>, Box<Filter>),
    Binary(&'static str, Box<Filter>, Box<Filter>),
    If(Vec<(Filter, Filter)>, Box<Filter>),
    Object(Vec<(Filter, Filter)>),
    List(Vec<Filter>),
    Call(String, Vec<Filter>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Interpolated {
    Known(String),
    Filter(Filter),
}

pub(super) fn parse(text: &str) -> Result<Filter, Reason> {
    let mut parser = Parser { text: text.chars().collect(), at: 0 };
    let filter = parser.pipe()?;
    parser.blanks();
    if parser.at < parser.text.len() { Err(parser.unread()) } else { Ok(filter) }
}

struct Parser {
    text: Vec<char>,
    at: usize,
}

impl Parser {
    fn unread(&self) -> Reason {
        let rest: String = self.text.iter().skip(self.at).take(20).collect();
        format!("jq's filter cannot be read from `{rest}` on")
    }

    fn peek(&self) -> char {
        self.text.get(self.at).copied().unwrap_or('\0')
    }

    fn blanks(&mut self) {
        while self.peek().is_whitespace() || self.peek() == '#' {
            if self.peek() == '#' {
                while !matches!(self.peek(), '\n' | '\0') {
                    self.at += 1;
                }
            } else {
                self.at += 1;
            }
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.blanks();
        let there = token.chars().enumerate().all(|(place, c)| self.text.get(self.at + place) == Some(&c));
        let word = token.starts_with(|c: char| c.is_ascii_alphabetic());
        let after = self.text.get(self.at + token.len()).copied().unwrap_or('\0');
        let there = there && !(word && (after.is_ascii_alphanumeric() || after == '_'));
        if there {
            self.at += token.len();
        }
        there
    }

    fn name(&mut self) -> String {
        let start = self.at;
        while self.peek().is_ascii_alphanumeric() || self.peek() == '_' {
            self.at += 1;
        }
        self.text[start..self.at].iter().collect()
    }

    fn pipe(&mut self) -> Result<Filter, Reason> {
        let one = self.otherwise()?;
        if self.eat("as") {
            self.blanks();
            if !self.eat("$") {
                return Err(self.unread());
            }
            let name = self.name();
            if !self.eat("|") {
                return Err(self.unread());
            }
            return Ok(Filter::Bind(Box::new(one), name, Box::new(self.pipe()?)));
        }
        if self.eat("|") {
            return Ok(Filter::Pipe(Box::new(one), Box::new(self.pipe()?)));
        }
        Ok(one)
    }

    fn otherwise(&mut self) -> Result<Filter, Reason> {
        let one = self.or()?;
        if self.eat("//") {
            return Ok(Filter::Otherwise(Box::new(one), Box::new(self.otherwise()?)));
        }
        Ok(one)
    }

    fn or(&mut self) -> Result<Filter, Reason> {
        let mut left = self.and()?;
        while self.eat("or") {
            left = Filter::Binary("or", Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Filter, Reason> {
        let mut left = self.comparison()?;
        while self.eat("and") {
            left = Filter::Binary("and", Box::new(left), Box::new(self.comparison()?));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Filter, Reason> {
        let left = self.sum()?;
        for operator in ["==", "!="] {
            if self.eat(operator) {
                return Ok(Filter::Binary(operator, Box::new(left), Box::new(self.sum()?)));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Filter, Reason> {
        let mut left = self.postfix()?;
        while self.eat("+") {
            left = Filter::Binary("+", Box::new(left), Box::new(self.postfix()?));
        }
        Ok(left)
    }

    fn postfix(&mut self) -> Result<Filter, Reason> {
        let mut of = self.term()?;
        loop {
            if self.peek() == '?' {
                self.at += 1;
            } else if self.peek() == '.'
                && self.text.get(self.at + 1).is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '"'))
            {
                self.at += 1;
                of = Filter::Field(Box::new(of), self.key()?);
            } else if self.peek() == '[' {
                self.at += 1;
                self.blanks();
                if self.eat("]") {
                    of = Filter::Pipe(Box::new(of), Box::new(Filter::Call("iterate".to_owned(), Vec::new())));
                } else {
                    let key = self.key()?;
                    if key.is_empty() || !self.eat("]") {
                        return Err(self.unread());
                    }
                    of = Filter::Field(Box::new(of), key);
                }
            } else {
                return Ok(of);
            }
        }
    }

    /// The name of a field, in quotes or without.
    fn key(&mut self) -> Result<String, Reason> {
        if self.peek() == '"' {
            return match self.string()? {
                Filter::Text(parts) => match parts.as_slice() {
                    [Interpolated::Known(text)] => Ok(text.clone()),
                    _ => Err(self.unread()),
                },
                _ => Err(self.unread()),
            };
        }
        Ok(self.name())
    }

    fn term(&mut self) -> Result<Filter, Reason> {
        self.blanks();
        match self.peek() {
            '.' => {
                self.at += 1;
                if self.peek().is_ascii_alphabetic() || matches!(self.peek(), '_' | '"') {
                    return Ok(Filter::Field(Box::new(Filter::Here), self.key()?));
                }
                Ok(Filter::Here)
            }
            '"' => self.string(),
            '(' => {
                self.at += 1;
                let inner = self.pipe()?;
                if self.eat(")") { Ok(inner) } else { Err(self.unread()) }
            }
            '[' => {
                self.at += 1;
                let mut items = Vec::new();
                while !self.eat("]") {
                    items.push(self.otherwise()?);
                    if !self.eat(",") && !self.eat("]") {
                        return Err(self.unread());
                    }
                    if self.text.get(self.at - 1) == Some(&']') {
                        break;
                    }
                }
                Ok(Filter::List(items))
            }
            '{' => self.object(),
            '$' => {
                self.at += 1;
                Ok(Filter::Variable(self.name()))
            }
            c if c.is_ascii_digit() || c == '-' => {
                let start = self.at;
                self.at += 1;
                while self.peek().is_ascii_digit() || self.peek() == '.' {
                    self.at += 1;
                }
                let digits: String = self.text[start..self.at].iter().collect();
                digits.parse().map(Filter::Number).map_err(|_| self.unread())
            }
            c if c.is_ascii_alphabetic() || c == '_' => self.word(),
            _ => Err(self.unread()),
        }
    }

    fn word(&mut self) -> Result<Filter, Reason> {
        if self.eat("if") {
            let mut branches = Vec::new();
            loop {
                let condition = self.pipe()?;
                if !self.eat("then") {
                    return Err(self.unread());
                }
                branches.push((condition, self.pipe()?));
                if !self.eat("elif") {
                    break;
                }
            }
            let otherwise = if self.eat("else") { self.pipe()? } else { Filter::Here };
            return if self.eat("end") { Ok(Filter::If(branches, Box::new(otherwise))) } else { Err(self.unread()) };
        }
        for word in ["true", "false", "null", "empty"] {
            if self.eat(word) {
                return Ok(Filter::Word(word));
            }
        }
        let name = self.name();
        let mut args = Vec::new();
        if self.peek() == '(' {
            self.at += 1;
            loop {
                args.push(self.pipe()?);
                // `IN("a", "b")` is one argument with two values.
                if self.eat(";") || self.eat(",") {
                    continue;
                }
                if self.eat(")") {
                    break;
                }
                return Err(self.unread());
            }
        }
        Ok(Filter::Call(name, args))
    }

    fn object(&mut self) -> Result<Filter, Reason> {
        self.at += 1;
        let mut fields = Vec::new();
        while !self.eat("}") {
            self.blanks();
            let key = match self.peek() {
                '"' => self.string()?,
                '(' => self.term()?,
                '$' => {
                    self.at += 1;
                    let name = self.name();
                    fields.push((known(&name), Filter::Variable(name)));
                    self.eat(",");
                    continue;
                }
                _ => known(&self.name()),
            };
            let value = if self.eat(":") {
                self.otherwise()?
            } else {
                let Filter::Text(parts) = &key else { return Err(self.unread()) };
                let [Interpolated::Known(name)] = parts.as_slice() else { return Err(self.unread()) };
                Filter::Field(Box::new(Filter::Here), name.clone())
            };
            fields.push((key, value));
            if !self.eat(",") {
                return if self.eat("}") { Ok(Filter::Object(fields)) } else { Err(self.unread()) };
            }
        }
        Ok(Filter::Object(fields))
    }

    fn string(&mut self) -> Result<Filter, Reason> {
        self.at += 1;
        let (mut parts, mut text) = (Vec::new(), String::new());
        loop {
            match self.peek() {
                '\0' => return Err(self.unread()),
                '"' => {
                    self.at += 1;
                    break;
                }
                '\\' => {
                    self.at += 1;
                    let next = self.peek();
                    self.at += 1;
                    match next {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        '(' => {
                            parts.push(Interpolated::Known(std::mem::take(&mut text)));
                            parts.push(Interpolated::Filter(self.pipe()?));
                            if !self.eat(")") {
                                return Err(self.unread());
                            }
                        }
                        'u' => {
                            let digits: String = self.text.iter().skip(self.at).take(4).collect();
                            let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                            text.push(code.ok_or_else(|| self.unread())?);
                            self.at += 4;
                        }
                        other => text.push(other),
                    }
                }
                c => {
                    text.push(c);
                    self.at += 1;
                }
            }
        }
        parts.push(Interpolated::Known(text));
        parts.retain(|part| !matches!(part, Interpolated::Known(text) if text.is_empty()));
        Ok(Filter::Text(if parts.is_empty() { vec![Interpolated::Known(String::new())] } else { parts }))
    }
}

fn known(text: &str) -> Filter {
    Filter::Text(vec![Interpolated::Known(text.to_owned())])
}
