//! The text of a small Python script, read into what it is made of.

use super::super::path::Reason;
use super::token::{Token, tokens};

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Statement {
    Assign(String, Expression),
    Expression(Expression),
    If(Vec<(Expression, Vec<Statement>)>, Vec<Statement>),
    For(Vec<String>, Expression, Vec<Statement>),
    /// Its name, what it is given, and what it does.
    Function(String, Vec<String>, Vec<Statement>),
    /// Imports, `pass`, and what goes wrong when the event is no JSON.
    Nothing,
    /// What is tried; what happens when it fails is for events that never come.
    Block(Vec<Statement>),
    Return(Option<Expression>),
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Name(String),
    Text(String),
    /// Text with places to fill in.
    Format(Vec<Expression>),
    Number(f64),
    List(Vec<Expression>),
    Object(Vec<(Expression, Expression)>),
    Attribute(Box<Expression>, String),
    Item(Box<Expression>, Box<Expression>),
    Call(Box<Expression>, Vec<(Option<String>, Expression)>),
    Not(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `element for name in list if condition`
    Each(Box<Expression>, Vec<String>, Box<Expression>, Option<Box<Expression>>),
}

pub(super) fn parse(text: &str) -> Result<Vec<Statement>, Reason> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    let mut body = Vec::new();
    while parser.peek() != &Token::End {
        parser.statement(&mut body)?;
    }
    Ok(body)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        self.tokens.get(self.at).unwrap_or(&Token::End)
    }

    fn unread(&self) -> Reason {
        format!("its Python cannot be read from {:?} on", self.peek())
    }

    fn sign(&mut self, sign: &'static str) -> bool {
        let there = self.peek() == &Token::Sign(sign);
        self.at += usize::from(there);
        there
    }

    fn word(&mut self, word: &str) -> bool {
        let there = matches!(self.peek(), Token::Word(known) if known == word);
        self.at += usize::from(there);
        there
    }

    fn need(&mut self, sign: &'static str) -> Result<(), Reason> {
        if self.sign(sign) { Ok(()) } else { Err(self.unread()) }
    }

    fn name(&mut self) -> Result<String, Reason> {
        let Token::Word(name) = self.peek().clone() else { return Err(self.unread()) };
        self.at += 1;
        Ok(name)
    }

    fn statement(&mut self, out: &mut Vec<Statement>) -> Result<(), Reason> {
        match self.peek().clone() {
            Token::Line | Token::Sign(";") => {
                self.at += 1;
                Ok(())
            }
            Token::Word(word) => match word.as_str() {
                "import" | "from" => {
                    while !matches!(self.peek(), Token::Line | Token::Sign(";") | Token::End) {
                        self.at += 1;
                    }
                    out.push(Statement::Nothing);
                    Ok(())
                }
                "pass" | "continue" => {
                    self.at += 1;
                    if word == "continue" { Err("Python has a loop of an unusual kind".to_owned()) } else { Ok(()) }
                }
                "if" => self.conditional(out),
                "for" => {
                    self.at += 1;
                    let names = self.targets()?;
                    let list = self.expression()?;
                    out.push(Statement::For(names, list, self.block()?));
                    Ok(())
                }
                "def" => {
                    self.at += 1;
                    let name = self.name()?;
                    let given = self.parameters()?;
                    if self.sign("->") {
                        self.expression()?;
                    }
                    out.push(Statement::Function(name, given, self.block()?));
                    Ok(())
                }
                "try" => self.tried(out),
                "return" => {
                    self.at += 1;
                    let bare = matches!(self.peek(), Token::Line | Token::Sign(";") | Token::End);
                    let value = if bare { None } else { Some(self.expression()?) };
                    out.push(Statement::Return(value));
                    Ok(())
                }
                "while" | "with" | "class" | "raise" | "lambda" | "async" => Err(format!("Python has a `{word}`")),
                _ => self.plain(out),
            },
            _ => self.plain(out),
        }
    }

    fn plain(&mut self, out: &mut Vec<Statement>) -> Result<(), Reason> {
        let expression = self.expression()?;
        if self.sign("=") {
            let Expression::Name(name) = expression else { return Err("Python sets a part of something".to_owned()) };
            let value = self.expression()?;
            out.push(Statement::Assign(name, value));
        } else {
            out.push(Statement::Expression(expression));
        }
        Ok(())
    }

    fn conditional(&mut self, out: &mut Vec<Statement>) -> Result<(), Reason> {
        let (mut branches, mut otherwise) = (Vec::new(), Vec::new());
        self.at += 1;
        loop {
            let condition = self.expression()?;
            branches.push((condition, self.block()?));
            if !self.word("elif") {
                break;
            }
        }
        if self.word("else") {
            otherwise = self.block()?;
        }
        out.push(Statement::If(branches, otherwise));
        Ok(())
    }

    fn tried(&mut self, out: &mut Vec<Statement>) -> Result<(), Reason> {
        self.at += 1;
        let body = self.block()?;
        out.push(Statement::Block(body));
        while self.word("except") {
            while self.peek() != &Token::Sign(":") {
                if matches!(self.peek(), Token::Line | Token::End) {
                    return Err(self.unread());
                }
                self.at += 1;
            }
            self.block()?;
        }
        Ok(())
    }

    /// What follows a colon: the rest of the line, or what is indented.
    fn block(&mut self) -> Result<Vec<Statement>, Reason> {
        self.need(":")?;
        let mut body = Vec::new();
        if self.peek() != &Token::Line {
            loop {
                self.statement(&mut body)?;
                if !self.sign(";") {
                    break;
                }
            }
            if self.peek() == &Token::Line {
                self.at += 1;
            }
            return Ok(body);
        }
        self.at += 1;
        if self.peek() != &Token::Indent {
            return Err(self.unread());
        }
        self.at += 1;
        while !matches!(self.peek(), Token::Dedent | Token::End) {
            self.statement(&mut body)?;
        }
        self.at += 1;
        Ok(body)
    }

    fn expression(&mut self) -> Result<Expression, Reason> {
        let value = self.or()?;
        if self.word("if") {
            let condition = self.or()?;
            if !self.word("else") {
                return Err(self.unread());
            }
            let otherwise = self.expression()?;
            return Ok(Expression::Choice(Box::new(condition), Box::new(value), Box::new(otherwise)));
        }
        Ok(value)
    }

    fn or(&mut self) -> Result<Expression, Reason> {
        let mut left = self.and()?;
        while self.word("or") {
            left = Expression::Binary("or", Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expression, Reason> {
        let mut left = self.not()?;
        while self.word("and") {
            left = Expression::Binary("and", Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expression, Reason> {
        if self.word("not") {
            return Ok(Expression::Not(Box::new(self.not()?)));
        }
        let left = self.sum()?;
        let operator = match self.peek() {
            Token::Sign("==") => "==",
            Token::Sign("!=") => "!=",
            Token::Word(word) if word == "in" => "in",
            Token::Word(word) if word == "is" => "==",
            Token::Word(word) if word == "not" => "not in",
            Token::Sign("<" | ">" | "<=" | ">=") => return Err("Python compares numbers".to_owned()),
            _ => return Ok(left),
        };
        self.at += 1;
        let negated = (operator == "==" && self.word("not")) || operator == "not in";
        if operator == "not in" && !self.word("in") {
            return Err(self.unread());
        }
        let operator = if operator == "not in" { "in" } else { operator };
        let right = self.sum()?;
        let whole = Expression::Binary(operator, Box::new(left), Box::new(right));
        Ok(if negated { Expression::Not(Box::new(whole)) } else { whole })
    }

    fn sum(&mut self) -> Result<Expression, Reason> {
        let mut left = self.postfix()?;
        loop {
            if self.sign("+") {
                left = Expression::Binary("+", Box::new(left), Box::new(self.postfix()?));
            } else if self.sign("|") {
                left = Expression::Binary("|", Box::new(left), Box::new(self.postfix()?));
            } else if matches!(self.peek(), Token::Sign("-" | "*" | "/" | "%" | "&")) {
                return Err("Python reckons".to_owned());
            } else {
                return Ok(left);
            }
        }
    }

    fn postfix(&mut self) -> Result<Expression, Reason> {
        let mut of = self.atom()?;
        loop {
            if self.sign(".") {
                of = Expression::Attribute(Box::new(of), self.name()?);
            } else if self.sign("[") {
                let key = self.expression()?;
                self.need("]")?;
                of = Expression::Item(Box::new(of), Box::new(key));
            } else if self.sign("(") {
                of = Expression::Call(Box::new(of), self.arguments()?);
            } else {
                return Ok(of);
            }
        }
    }

    fn arguments(&mut self) -> Result<Vec<(Option<String>, Expression)>, Reason> {
        let mut args = Vec::new();
        while !self.sign(")") {
            let named = matches!((self.peek(), self.tokens.get(self.at + 1)), (Token::Word(_), Some(Token::Sign("="))));
            let name = if named { Some(self.name()?) } else { None };
            if named {
                self.need("=")?;
            }
            let value = self.expression()?;
            let value = self.each(value)?;
            args.push((name, value));
            if !self.sign(",") && self.peek() != &Token::Sign(")") {
                return Err(self.unread());
            }
        }
        Ok(args)
    }

    fn each(&mut self, element: Expression) -> Result<Expression, Reason> {
        if !self.word("for") {
            return Ok(element);
        }
        let names = self.targets()?;
        let list = self.or()?;
        let condition = if self.word("if") { Some(Box::new(self.or()?)) } else { None };
        Ok(Expression::Each(Box::new(element), names, Box::new(list), condition))
    }

    /// What takes the elements of a list one after the other, up to the list: `name in`, or `name, name in`.
    fn targets(&mut self) -> Result<Vec<String>, Reason> {
        let mut names = vec![self.name()?];
        while self.sign(",") {
            names.push(self.name()?);
        }
        if self.word("in") { Ok(names) } else { Err(self.unread()) }
    }

    /// The names between the brackets of a definition; what they are said to be is passed over.
    fn parameters(&mut self) -> Result<Vec<String>, Reason> {
        self.need("(")?;
        let mut names = Vec::new();
        while !self.sign(")") {
            names.push(self.name()?);
            if self.sign(":") {
                self.expression()?;
            }
            if !self.sign(",") && self.peek() != &Token::Sign(")") {
                return Err(self.unread());
            }
        }
        Ok(names)
    }

    fn atom(&mut self) -> Result<Expression, Reason> {
        let token = self.peek().clone();
        self.at += 1;
        match token {
            Token::Word(name) => Ok(Expression::Name(name)),
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Text(_) | Token::Format(_) => {
                self.at -= 1;
                self.texts()
            }
            Token::Sign("(") => {
                if self.sign(")") {
                    return Ok(Expression::List(Vec::new()));
                }
                let first = self.expression()?;
                let first = self.each(first)?;
                if self.sign(")") {
                    return Ok(first);
                }
                self.items(first, ")")
            }
            Token::Sign("[") => {
                if self.sign("]") {
                    return Ok(Expression::List(Vec::new()));
                }
                let first = self.expression()?;
                let first = self.each(first)?;
                if self.sign("]") {
                    return Ok(if matches!(first, Expression::Each(..)) {
                        first
                    } else {
                        Expression::List(vec![first])
                    });
                }
                self.items(first, "]")
            }
            Token::Sign("{") => self.braces(),
            _ => {
                self.at -= 1;
                Err(self.unread())
            }
        }
    }

    /// Texts beside each other are one.
    fn texts(&mut self) -> Result<Expression, Reason> {
        let mut parts = Vec::new();
        loop {
            match self.peek().clone() {
                Token::Text(text) => parts.push(Expression::Text(text)),
                Token::Format(text) => parts.extend(format_parts(&text)?),
                _ => break,
            }
            self.at += 1;
        }
        Ok(match parts.as_slice() {
            [Expression::Text(text)] => Expression::Text(text.clone()),
            _ => Expression::Format(parts),
        })
    }

    fn items(&mut self, first: Expression, end: &'static str) -> Result<Expression, Reason> {
        let mut items = vec![first];
        while self.sign(",") {
            if self.peek() == &Token::Sign(end) {
                break;
            }
            items.push(self.expression()?);
        }
        self.need(end)?;
        Ok(Expression::List(items))
    }

    fn braces(&mut self) -> Result<Expression, Reason> {
        let mut fields = Vec::new();
        if self.sign("}") {
            return Ok(Expression::Object(fields));
        }
        let first = self.expression()?;
        if !self.sign(":") {
            return self.items(first, "}");
        }
        fields.push((first, self.expression()?));
        while self.sign(",") {
            if self.peek() == &Token::Sign("}") {
                break;
            }
            let key = self.expression()?;
            self.need(":")?;
            fields.push((key, self.expression()?));
        }
        self.need("}")?;
        Ok(Expression::Object(fields))
    }
}

/// The parts of an f-string.
fn format_parts(text: &str) -> Result<Vec<Expression>, Reason> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(place) = rest.find(['{', '}']) {
        let (before, after) = rest.split_at(place);
        parts.push(Expression::Text(before.to_owned()));
        if after.starts_with("{{") || after.starts_with("}}") {
            parts.push(Expression::Text(after[..1].to_owned()));
            rest = &after[2..];
            continue;
        }
        let (inner, more) = after[1..].split_once('}').ok_or("a text in Python has no end")?;
        let mut parser = Parser { tokens: tokens(inner)?, at: 0 };
        parts.push(parser.expression()?);
        if parser.peek() != &Token::Line {
            return Err("Python fills in something in an unusual way".to_owned());
        }
        rest = more;
    }
    parts.push(Expression::Text(rest.to_owned()));
    parts.retain(|part| !matches!(part, Expression::Text(text) if text.is_empty()));
    Ok(parts)
}
