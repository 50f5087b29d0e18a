//! Tokens to a syntax tree, by precedence climbing.

use super::token::{Kind, Token, tokens};
use super::{Ast, Binary, Node, Spanned, SyntaxError, Unary};

/// Deeper nesting is refused: nobody could review it, and the parser recurses.
const DEPTH: usize = 64;

/// Parses a whole expression.
pub fn parse(text: &str) -> Result<Ast, SyntaxError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    if parser.peek().kind == Kind::End {
        return Err(SyntaxError::new("an expression is missing", 0..text.len()));
    }
    let ast = parser.expression()?;
    match parser.peek().clone() {
        Token { kind: Kind::End, .. } => Ok(ast),
        Token { kind: Kind::Name(_), .. } if ast.node == Node::Name("not".to_owned()) => {
            Err(SyntaxError::new("`not` has no meaning here", ast.span).help("CEL writes `!`"))
        }
        token => Err(unexpected(&token, "an operator or the end")),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// Binary operators by how tightly they bind.
fn binding(sign: &Kind) -> Option<(u8, Binary)> {
    Some(match sign {
        Kind::Sign("||") => (1, Binary::Or),
        Kind::Sign("&&") => (2, Binary::And),
        Kind::Sign("==") => (3, Binary::Equal),
        Kind::Sign("!=") => (3, Binary::NotEqual),
        Kind::Sign("<") => (3, Binary::Less),
        Kind::Sign("<=") => (3, Binary::LessEqual),
        Kind::Sign(">") => (3, Binary::Greater),
        Kind::Sign(">=") => (3, Binary::GreaterEqual),
        Kind::Name(name) if name == "in" => (3, Binary::In),
        Kind::Sign("+") => (4, Binary::Add),
        Kind::Sign("-") => (4, Binary::Subtract),
        Kind::Sign("*") => (5, Binary::Multiply),
        Kind::Sign("/") => (5, Binary::Divide),
        Kind::Sign("%") => (5, Binary::Remainder),
        _ => return None,
    })
}

impl Parser {
    fn peek(&self) -> &Token {
        // The token list ends in `End`, which is never passed.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn take(&mut self, sign: &'static str) -> bool {
        let found = self.peek().kind == Kind::Sign(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &'static str) -> Result<usize, SyntaxError> {
        let token = self.next();
        if token.kind == Kind::Sign(sign) { Ok(token.span.end) } else { Err(unexpected(&token, &format!("`{sign}`"))) }
    }

    fn expression(&mut self) -> Result<Ast, SyntaxError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(SyntaxError::new("this expression is nested too deeply", self.peek().span.clone())
                .help("name parts of it with `let` or `facts`"));
        }
        let when = self.binary(0)?;
        let ast = if self.take("?") {
            let then = self.expression()?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            let span = when.span.start..otherwise.span.end;
            Ast {
                node: Node::Choice { when: Box::new(when), then: Box::new(then), otherwise: Box::new(otherwise) },
                span,
            }
        } else {
            when
        };
        self.depth -= 1;
        Ok(ast)
    }

    fn binary(&mut self, least: u8) -> Result<Ast, SyntaxError> {
        let mut left = self.unary()?;
        while let Some((strength, op)) = binding(&self.peek().kind)
            && strength > least
        {
            self.at += 1;
            let right = self.binary(strength)?;
            let span = left.span.start..right.span.end;
            left = Ast { node: Node::Binary { op, left: Box::new(left), right: Box::new(right) }, span };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Ast, SyntaxError> {
        let start = self.peek().span.start;
        let op = match self.peek().kind {
            Kind::Sign("!") => Unary::Not,
            Kind::Sign("-") => Unary::Negate,
            _ => return self.postfix(),
        };
        self.at += 1;
        if op == Unary::Negate && self.peek().kind == Kind::TooLargeByOne {
            let span = start..self.next().span.end;
            return Ok(Ast { node: Node::Int(i64::MIN), span });
        }
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(SyntaxError::new("this expression is nested too deeply", start..self.peek().span.end));
        }
        let of = self.unary()?;
        self.depth -= 1;
        let span = start..of.span.end;
        Ok(match (op, of.node) {
            (Unary::Negate, Node::Int(value)) if value != i64::MIN => Ast { node: Node::Int(-value), span },
            (Unary::Negate, Node::Double(value)) => Ast { node: Node::Double(-value), span },
            (op, node) => Ast { node: Node::Unary { op, of: Box::new(Ast { node, span: of.span }) }, span },
        })
    }

    fn postfix(&mut self) -> Result<Ast, SyntaxError> {
        let mut ast = self.primary()?;
        loop {
            let start = ast.span.start;
            if self.take(".") {
                let name = self.name()?;
                ast = if self.take("(") {
                    let (args, end) = self.list(")")?;
                    let receiver = Some(Box::new(ast));
                    Ast { node: Node::Call { receiver, name, args }, span: start..end }
                } else {
                    let end = name.span.end;
                    Ast { node: Node::Field { of: Box::new(ast), name }, span: start..end }
                };
            } else if self.take("[") {
                let at = self.expression()?;
                let end = self.expect("]")?;
                ast = Ast { node: Node::Index { of: Box::new(ast), at: Box::new(at) }, span: start..end };
            } else {
                return Ok(ast);
            }
        }
    }

    fn primary(&mut self) -> Result<Ast, SyntaxError> {
        let token = self.next();
        let span = token.span.clone();
        let node = match token.kind {
            Kind::Int(value) => Node::Int(value),
            Kind::TooLargeByOne => return Err(SyntaxError::new("not a whole number that fits 64 bits", span)),
            Kind::Double(value) => Node::Double(value),
            Kind::Text(text) => Node::Text(text),
            Kind::Sign("(") => {
                let inner = self.expression()?;
                let end = self.expect(")")?;
                return Ok(Ast { node: inner.node, span: span.start..end });
            }
            Kind::Sign("[") => {
                let (items, end) = self.list("]")?;
                return Ok(Ast { node: Node::List(items), span: span.start..end });
            }
            Kind::Sign("{") => {
                let (entries, end) = self.entries()?;
                return Ok(Ast { node: Node::Map(entries), span: span.start..end });
            }
            Kind::Name(name) => match name.as_str() {
                "true" | "false" => Node::Bool(name == "true"),
                "null" => Node::Null,
                _ if self.take("(") => {
                    let (args, end) = self.list(")")?;
                    let name = Spanned { text: name, span: span.clone() };
                    return Ok(Ast { node: Node::Call { receiver: None, name, args }, span: span.start..end });
                }
                _ => Node::Name(name),
            },
            _ => return Err(unexpected(&token, "a value")),
        };
        Ok(Ast { node, span })
    }

    fn name(&mut self) -> Result<Spanned, SyntaxError> {
        match self.next() {
            Token { kind: Kind::Name(text), span } => Ok(Spanned { text, span }),
            token => Err(unexpected(&token, "a name")),
        }
    }

    /// `'key': value` pairs up to the closing brace; gives the offset after it.
    fn entries(&mut self) -> Result<(Vec<(Ast, Ast)>, usize), SyntaxError> {
        let mut entries = Vec::new();
        loop {
            if self.peek().kind == Kind::Sign("}") {
                return Ok((entries, self.next().span.end));
            }
            let key = self.expression()?;
            self.expect(":")?;
            entries.push((key, self.expression()?));
            if !self.take(",") {
                return Ok((entries, self.expect("}")?));
            }
        }
    }

    /// Comma-separated expressions up to the closing bracket; gives the offset after it.
    fn list(&mut self, close: &'static str) -> Result<(Vec<Ast>, usize), SyntaxError> {
        let mut items = Vec::new();
        loop {
            if self.peek().kind == Kind::Sign(close) {
                return Ok((items, self.next().span.end));
            }
            items.push(self.expression()?);
            if !self.take(",") {
                return Ok((items, self.expect(close)?));
            }
        }
    }
}

fn unexpected(token: &Token, wanted: &str) -> SyntaxError {
    let found = match &token.kind {
        Kind::TooLargeByOne => "a number".to_owned(),
        Kind::Name(name) => format!("`{name}`"),
        Kind::Int(value) => format!("`{value}`"),
        Kind::Double(value) => format!("`{value}`"),
        Kind::Text(_) => "a string".to_owned(),
        Kind::Sign(sign) => format!("`{sign}`"),
        Kind::End => "the end".to_owned(),
    };
    let error = SyntaxError::new(format!("expected {wanted}, found {found}"), token.span.clone());
    match &token.kind {
        Kind::Name(name) if name == "and" => error.help("CEL writes `&&`"),
        Kind::Name(name) if name == "or" => error.help("CEL writes `||`"),
        Kind::Name(name) if name == "not" => error.help("CEL writes `!`"),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree as text with every bracket, to see how it binds.
    fn shape(text: &str) -> String {
        fn show(ast: &Ast) -> String {
            match &ast.node {
                Node::Null => "null".into(),
                Node::Bool(value) => value.to_string(),
                Node::Int(value) => value.to_string(),
                Node::Double(value) => format!("{value:?}"),
                Node::Text(text) => format!("{text:?}"),
                Node::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(" ")),
                Node::Map(entries) => {
                    let entries = entries.iter().map(|(key, value)| format!("{}: {}", show(key), show(value)));
                    format!("{{{}}}", entries.collect::<Vec<_>>().join(" "))
                }
                Node::Name(name) => name.clone(),
                Node::Field { of, name } => format!("{}.{}", show(of), name.text),
                Node::Index { of, at } => format!("{}[{}]", show(of), show(at)),
                Node::Call { receiver, name, args } => {
                    let receiver = receiver.as_deref().map(|of| format!("{}.", show(of))).unwrap_or_default();
                    format!("{receiver}{}({})", name.text, args.iter().map(show).collect::<Vec<_>>().join(" "))
                }
                Node::Unary { op, of } => format!("({op:?} {})", show(of)),
                Node::Binary { op, left, right } => format!("({} {op:?} {})", show(left), show(right)),
                Node::Choice { when, then, otherwise } => {
                    format!("({} ? {} : {})", show(when), show(then), show(otherwise))
                }
            }
        }
        show(&parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}")))
    }

    #[test]
    fn operators_bind_as_in_cel() {
        assert_eq!(shape("a || b && c == d + 1 * 2"), "(a Or (b And (c Equal (d Add (1 Multiply 2)))))");
        assert_eq!(shape("a - b - c"), "((a Subtract b) Subtract c)");
        assert_eq!(shape("!a.b && -c < -1"), "((Not a.b) And ((Negate c) Less -1))");
        assert_eq!(shape("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
        assert_eq!(shape("x in ['a', 'b'] || y"), r#"((x In ["a" "b"]) Or y)"#);
    }

    #[test]
    fn members_calls_and_indexes_chain() {
        assert_eq!(shape("a.b[0].c(1, 2).d"), "a.b[0].c(1 2).d");
        assert_eq!(shape("json({'a': 1, 'b': [x]})"), r#"json({"a": 1 "b": [x]})"#);
        assert_eq!(shape("size(a.filter(x, x > 1,))"), "size(a.filter(x (x Greater 1)))");
    }

    #[test]
    fn spans_cover_the_expression() {
        let ast = parse("  a.bc + 1 ").expect("valid");
        assert_eq!(ast.span, 2..10);
        let Node::Binary { left, .. } = ast.node else { panic!("a sum") };
        let Node::Field { name, .. } = left.node else { panic!("a field") };
        assert_eq!(name.span, 4..6);
    }

    #[test]
    fn faults_say_what_was_expected() {
        for (text, message, span) in [
            ("a &&", "expected a value, found the end", 4..4),
            ("a b", "expected an operator or the end, found `b`", 2..3),
            ("a and b", "expected an operator or the end, found `and`", 2..5),
            ("f(a", "expected `)`, found the end", 3..3),
            ("a.", "expected a name, found the end", 2..2),
            ("not a", "`not` has no meaning here", 0..3),
            ("", "an expression is missing", 0..0),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!((error.message.as_str(), error.span), (message, span), "{text}");
        }
        assert_eq!(parse("a and b").expect_err("foreign").help.as_deref(), Some("CEL writes `&&`"));
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_overflow() {
        for open in ["(", "[", "!", "-", "f(", "a ? ", "{'a': "] {
            assert!(parse(&open.repeat(100_000)).is_err(), "{open}");
        }
    }
}
