//! Expressions: names resolved and types checked against what is in scope.

use std::ops::Range;
use std::sync::Arc;

use super::Resolver;
use crate::catalog::Template as WrittenTemplate;
use crate::cel::{self, Ast, Node, Piece, SyntaxError};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Pointer};
use crate::model::{BinaryOp, Condition, Expr, ExprKind, Record, Segment, Template, Type, UnaryOp};

/// Names and types.
pub(super) type Fields = Vec<(String, Type)>;

/// What an expression can refer to beside the catalog's own names.
#[derive(Clone)]
pub(super) struct Scope {
    /// The event's payload; facts see that of every hook.
    pub(super) payload: Arc<Record>,
    /// Whether the payload may have more fields than are known, because something else is wrong.
    pub(super) open: bool,
    /// Definitions of the hook that stand before the expression, with their types. `None`: it has errors of its own.
    pub(super) bindings: Vec<(String, Option<Type>)>,
    /// Definitions of the hook that stand after it, and cannot be seen.
    pub(super) later: Vec<String>,
    /// Documents of the hook, with their fields. `None`: it has errors of its own.
    pub(super) documents: Vec<(String, Option<Fields>)>,
    /// Results of `spend`, with their counters. `None`: it has errors of its own.
    pub(super) spends: Vec<(String, Option<Vec<String>>)>,
    /// Variables of enclosing macros, with what each stands for.
    pub(super) variables: Vec<(String, Expr)>,
    /// Definitions of the hook with parameters that stand before the expression.
    pub(super) callables: Vec<super::defined::Callable>,
    /// What the check has found in the list that it goes over.
    pub(super) elements: Vec<super::over::Element>,
}

impl Scope {
    /// What the events of the catalog's hooks have: for facts, documents and messages.
    pub(super) fn shared(resolver: &Resolver<'_>) -> Self {
        match resolver.shared_payload() {
            Some(payload) => Self { payload, ..Self::common() },
            None => Self { open: true, ..Self::common() },
        }
    }

    /// What every event has: for the catalog's settings.
    pub(super) fn common() -> Self {
        let fields = ["session_id", "transcript_path", "cwd", "hook_event_name"];
        let fields = fields.iter().map(|name| ((*name).to_owned(), Type::Text)).collect();
        let payload = Arc::new(Record { name: "every event".to_owned(), fields });
        Self {
            payload,
            open: false,
            bindings: Vec::new(),
            later: Vec::new(),
            documents: Vec::new(),
            spends: Vec::new(),
            variables: Vec::new(),
            callables: Vec::new(),
            elements: Vec::new(),
        }
    }
}

/// An expression under way: its place in the file and what it can see.
#[derive(Clone)]
pub(super) struct Checker<'r, 'a> {
    pub(super) resolver: &'r Resolver<'a>,
    /// What it stands in: the catalog, or a text of its own.
    pub(super) document: &'r Document,
    pub(super) at: &'r Pointer,
    /// Where the expression begins in the decoded scalar.
    pub(super) offset: usize,
    pub(super) scope: Scope,
}

impl<'a> Resolver<'a> {
    /// Whoever looks at the text at a place of the catalog.
    pub(super) fn checker<'r>(&'r self, at: &'r Pointer, scope: &Scope) -> Checker<'r, 'a> {
        Checker { resolver: self, document: self.document, at, offset: 0, scope: scope.clone() }
    }

    /// Parses and types an expression.
    pub(super) fn expression(&self, text: &str, at: &Pointer, scope: &Scope) -> Option<Expr> {
        self.expression_within(text, at, 0, scope)
    }

    pub(super) fn expression_within(&self, text: &str, at: &Pointer, offset: usize, scope: &Scope) -> Option<Expr> {
        Checker { offset, ..self.checker(at, scope) }.expression(text)
    }

    /// An expression that must be true or false.
    pub(super) fn condition(&self, text: &str, at: &Pointer, scope: &Scope) -> Option<Condition> {
        let expr = self.expression(text, at, scope)?;
        let checker = self.checker(at, scope);
        let span = 0..text.len();
        if let ExprKind::Bool(value) = expr.kind {
            checker.report(
                Code::ConstantCondition,
                format!("this condition is always {value}"),
                span.clone(),
                "",
                if value { "leave it out" } else { "nothing below it could ever happen" },
            );
            return None;
        }
        let expr = checker.coerce(expr, &Type::Bool, span)?;
        Some(Condition { source: text.trim_end().to_owned(), expr })
    }

    /// A path of the catalog's settings.
    pub(super) fn common_template(&self, template: &WrittenTemplate, path: &[&str]) -> Option<Template> {
        let at = path.iter().fold(Pointer::root(), |at, key| at.key(*key));
        self.path(&template.0, &at, &Scope::common())
    }

    /// Parses and types a text with `${…}` in it.
    pub(super) fn template(&self, text: &str, at: &Pointer, scope: &Scope) -> Option<Template> {
        let checker = self.checker(at, scope);
        let pieces = match cel::split(text) {
            Ok(pieces) => pieces,
            Err(error) => {
                checker.syntax(Code::TemplateSyntax, error);
                return None;
            }
        };
        let mut segments = Vec::new();
        let mut sound = true;
        for piece in pieces {
            match piece {
                Piece::Text(text) => segments.push(Segment::Text(text)),
                Piece::Expression(range) => {
                    let inner = &text[range.clone()];
                    if let Some(name) = inner.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')) {
                        sound = false;
                        let help = format!("write `${{{}}}`", name.trim());
                        checker.report(Code::TemplateSyntax, "one pair of braces too many", range, "", help);
                        continue;
                    }
                    match self.expression_within(inner, at, range.start, scope) {
                        Some(expr) if showable(&expr.ty) => segments.push(Segment::Expr(expr)),
                        Some(expr) => {
                            sound = false;
                            let help = match expr.ty {
                                Type::List(_) => "join it: `.join(', ')`",
                                _ => "show one of its fields",
                            };
                            let message = format!("{} cannot be shown as text", expr.ty);
                            checker.report(Code::TypeMismatch, message, range, "", help);
                        }
                        None => sound = false,
                    }
                }
            }
        }
        // Block scalars end in a line break that nobody means to say.
        if let Some(Segment::Text(last)) = segments.last_mut() {
            last.truncate(last.trim_end_matches('\n').len());
        }
        sound.then(|| Template { source: text.trim_end_matches('\n').to_owned(), segments })
    }
}

/// Numbers of two kinds, which are compared by value.
fn mixed_numbers(one: &Type, two: &Type) -> bool {
    matches!((one, two), (Type::Int, Type::Double) | (Type::Double, Type::Int))
}

/// Whether a value of it can be told from what is at a place.
pub(super) fn readable(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Int | Type::Double | Type::Text => true,
        Type::List(of) => readable(of),
        _ => false,
    }
}

/// Whether there are values in it that only the library knows.
pub(super) fn holds_objects(ty: &Type) -> bool {
    match ty {
        Type::Object(_) | Type::Entry(_) | Type::Numbered(_) => true,
        Type::List(of) | Type::Map(of) => holds_objects(of),
        _ => false,
    }
}

/// A list without elements, which is one of whatever type is wanted.
fn is_empty_list(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::List(items) if items.is_empty())
}

fn showable(ty: &Type) -> bool {
    matches!(ty, Type::Text | Type::Int | Type::Double | Type::Bool | Type::Any)
}

impl Checker<'_, '_> {
    /// Parses and types an expression.
    pub(super) fn expression(&self, text: &str) -> Option<Expr> {
        match cel::parse(text) {
            Ok(ast) => self.check(&ast),
            Err(error) => {
                self.syntax(Code::ExpressionSyntax, error);
                None
            }
        }
    }

    pub(super) fn report(
        &self,
        code: Code,
        message: impl Into<String>,
        span: Range<usize>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        let location = self.document.inside(self.at, self.placed(&span));
        let help = help.into();
        let diagnostic = Diagnostic::error(code, message).primary(location, label);
        self.resolver.report(diagnostic.maybe_help((!help.is_empty()).then_some(help)));
    }

    pub(super) fn syntax(&self, code: Code, error: SyntaxError) {
        let unfinished = error.message.ends_with("no end") || error.message.ends_with("found the end");
        let help = if unfinished && self.document.comment_after(self.at).is_some() {
            "YAML takes ` #` for the beginning of a comment: put the whole value in quotes".to_owned()
        } else {
            error.help.unwrap_or_default()
        };
        self.report(code, error.message, error.span, "", help);
    }

    /// Types a node. `None` means that it was reported.
    pub(super) fn check(&self, ast: &Ast) -> Option<Expr> {
        Some(self.typed(ast)?.at(self.placed(&ast.span)))
    }

    /// A place in the expression as a place in the text that it stands in.
    pub(super) fn placed(&self, span: &Range<usize>) -> Range<usize> {
        self.offset + span.start..self.offset + span.end
    }

    fn typed(&self, ast: &Ast) -> Option<Expr> {
        let typed = |kind, ty| Some(Expr::new(kind, ty));
        match &ast.node {
            Node::Null => typed(ExprKind::Null, Type::Null),
            Node::Bool(value) => typed(ExprKind::Bool(*value), Type::Bool),
            Node::Int(value) => typed(ExprKind::Int(*value), Type::Int),
            Node::Double(value) => typed(ExprKind::Double(*value), Type::Double),
            Node::Text(text) => typed(ExprKind::Text(text.clone()), Type::Text),
            Node::List(items) => self.list(items),
            Node::Map(entries) => self.map(entries),
            Node::Name(name) => self.name(name, ast.span.clone()),
            Node::Field { of, name } => self.field(of, name),
            Node::Index { of, at } => self.index(of, at),
            Node::Call { receiver, name, args } => self.call(receiver.as_deref(), name, args, ast.span.clone()),
            Node::Unary { op, of } => self.unary(*op, of),
            Node::Binary { op, left, right } => self.binary(*op, left, right),
            Node::Choice { when, then, otherwise } => self.choice(when, then, otherwise),
        }
    }

    fn list(&self, items: &[Ast]) -> Option<Expr> {
        let typed: Vec<Option<Expr>> = items.iter().map(|item| self.check(item)).collect();
        let typed: Vec<Expr> = typed.into_iter().collect::<Option<_>>()?;
        let Some(first) = typed.first().map(|item| item.ty.clone()) else {
            return Some(Expr::new(ExprKind::List(Vec::new()), Type::List(Box::new(Type::Any))));
        };
        for (item, ast) in typed.iter().zip(items) {
            if item.ty != first {
                let message = format!("this list holds {first} and {}", item.ty);
                self.report(Code::TypeMismatch, message, ast.span.clone(), item.ty.to_string(), "use one type");
                return None;
            }
        }
        Some(Expr::new(ExprKind::List(typed), Type::List(Box::new(first))))
    }

    /// A map made on the spot. A key that is there twice is told now if it is written out, and is a failure otherwise.
    fn map(&self, entries: &[(Ast, Ast)]) -> Option<Expr> {
        let mut values: Vec<(Expr, Expr)> = Vec::new();
        let mut sound = true;
        for (key, value) in entries {
            let typed = self.check(key).and_then(|typed| self.key(typed, key));
            if let Some(ExprKind::Text(text)) = typed.as_ref().map(|typed| &typed.kind)
                && values.iter().any(|(known, _)| matches!(&known.kind, ExprKind::Text(known) if known == text))
            {
                let message = format!("the key `{text}` is there twice");
                self.report(Code::BadArguments, message, key.span.clone(), "", "give it one value");
                sound = false;
            }
            match self.check(value) {
                Some(expr) if holds_objects(&expr.ty) => {
                    let message = format!("{} cannot be part of a map", expr.ty);
                    self.report(Code::TypeMismatch, message, value.span.clone(), expr.ty.to_string(), "use its parts");
                    sound = false;
                }
                Some(expr) => match typed {
                    Some(typed) => values.push((typed, expr)),
                    None => sound = false,
                },
                None => sound = false,
            }
        }
        let first = values.first().map_or(Type::Any, |(_, value)| value.ty.clone());
        let uniform = readable(&first) && values.iter().all(|(_, value)| value.ty == first);
        let ty = Type::Map(Box::new(if uniform { first } else { Type::Any }));
        sound.then(|| Expr::new(ExprKind::Map(values), ty))
    }

    fn key(&self, typed: Expr, key: &Ast) -> Option<Expr> {
        match typed.ty {
            Type::Text | Type::Any => self.coerce(typed, &Type::Text, key.span.clone()),
            _ => {
                let (message, found) = (format!("the keys of a map are texts, not {}", typed.ty), typed.ty.to_string());
                let help = "put the key in quotes, or turn it into text: `string(…)`";
                self.report(Code::TypeMismatch, message, key.span.clone(), found, help);
                None
            }
        }
    }

    fn index(&self, of: &Ast, at: &Ast) -> Option<Expr> {
        let span = of.span.clone();
        let (of, key) = (self.check(of), self.check(at));
        let (of, key) = (of?, key?);
        let (key_type, ty) = match &of.ty {
            Type::List(element) => (Type::Int, (**element).clone()),
            Type::Map(value) => (Type::Text, (**value).clone()),
            Type::Any => (if key.ty == Type::Int { Type::Int } else { Type::Text }, Type::Any),
            other => {
                let message = format!("{other} cannot be indexed");
                self.report(Code::TypeMismatch, message, span, other.to_string(), "index a list or a map");
                return None;
            }
        };
        if !matches!(of.ty, Type::Map(_)) && matches!(key.kind, ExprKind::Int(place) if place < 0) {
            let help = "count from 0; the last element of a list of texts is `.last()`";
            self.report(Code::BadArguments, "a list has no such place", at.span.clone(), "always missing", help);
            return None;
        }
        let key = self.coerce(key, &key_type, at.span.clone())?;
        Some(Expr::new(ExprKind::Index { of: Box::new(of), at: Box::new(key) }, ty))
    }

    fn unary(&self, op: UnaryOp, of: &Ast) -> Option<Expr> {
        let span = of.span.clone();
        let of = self.check(of)?;
        let of = match op {
            UnaryOp::Not => self.coerce(of, &Type::Bool, span)?,
            UnaryOp::Negate if matches!(of.ty, Type::Int | Type::Double) => of,
            UnaryOp::Negate => self.coerce(of, &Type::Double, span)?,
        };
        let ty = of.ty.clone();
        Some(Expr::new(ExprKind::Unary { op, of: Box::new(of) }, ty))
    }

    fn choice(&self, when: &Ast, then: &Ast, otherwise: &Ast) -> Option<Expr> {
        let condition = self.check(when).and_then(|expr| self.coerce(expr, &Type::Bool, when.span.clone()));
        let (one, two) = (self.check(then), self.check(otherwise));
        let (condition, one, two) = (condition?, one?, two?);
        let (one, two) = if one.ty == Type::Any || is_empty_list(&one) {
            let ty = two.ty.clone();
            (self.coerce(one, &ty, then.span.clone())?, two)
        } else {
            let ty = one.ty.clone();
            (one, self.coerce(two, &ty, otherwise.span.clone())?)
        };
        let ty = one.ty.clone();
        let (when, then, otherwise) = (Box::new(condition), Box::new(one), Box::new(two));
        Some(Expr::new(ExprKind::Choice { when, then, otherwise }, ty))
    }

    fn binary(&self, op: BinaryOp, left: &Ast, right: &Ast) -> Option<Expr> {
        let spans = (left.span.clone(), right.span.clone());
        let (one, two) = (self.check(left), self.check(right));
        let (one, two) = (one?, two?);
        if !self.choosable(op, (&one, &two), (left, right)) {
            return None;
        }
        let (one, two, ty) = match op {
            BinaryOp::Or | BinaryOp::And => {
                let one = self.coerce(one, &Type::Bool, spans.0);
                let two = self.coerce(two, &Type::Bool, spans.1);
                (one?, two?, Type::Bool)
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (one, two) = self.comparable(one, two, &spans)?;
                (one, two, Type::Bool)
            }
            BinaryOp::In => return self.membership(one, two, &spans),
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                let (one, two) = self.ordered(one, two, &spans)?;
                (one, two, Type::Bool)
            }
            BinaryOp::Add if matches!(one.ty, Type::List(_)) => {
                let ty = if is_empty_list(&one) { two.ty.clone() } else { one.ty.clone() };
                let (one, two) = (self.coerce(one, &ty, spans.0)?, self.coerce(two, &ty, spans.1)?);
                (one, two, ty)
            }
            BinaryOp::Remainder => {
                let (one, two) = self.same(one, two, &spans, &[Type::Int], "divided with a remainder")?;
                (one, two, Type::Int)
            }
            BinaryOp::Add => {
                let (one, two) = self.same(one, two, &spans, &[Type::Int, Type::Double, Type::Text], "added")?;
                let ty = one.ty.clone();
                (one, two, ty)
            }
            BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => {
                let (one, two) = self.same(one, two, &spans, &[Type::Int, Type::Double], "calculated with")?;
                let ty = one.ty.clone();
                (one, two, ty)
            }
        };
        Some(Expr::new(ExprKind::Binary { op, left: Box::new(one), right: Box::new(two) }, ty))
    }

    /// Two operands of an order. A number at a place of no declared type may have a fraction, and that decides too.
    fn ordered(&self, one: Expr, two: Expr, spans: &(Range<usize>, Range<usize>)) -> Option<(Expr, Expr)> {
        let is_open = |expr: &Expr, other: &Expr| expr.ty == Type::Any && matches!(other.ty, Type::Any | Type::Int);
        let open = (is_open(&one, &two), is_open(&two, &one));
        let one = if open.0 { self.coerce(one, &Type::Double, spans.0.clone())? } else { one };
        let two = if open.1 { self.coerce(two, &Type::Double, spans.1.clone())? } else { two };
        if mixed_numbers(&one.ty, &two.ty) {
            return Some((one, two));
        }
        self.same(one, two, spans, &[Type::Int, Type::Double, Type::Text, Type::Bool], "ordered")
    }

    fn membership(&self, one: Expr, two: Expr, spans: &(Range<usize>, Range<usize>)) -> Option<Expr> {
        let element = match &two.ty {
            Type::List(element) => (**element).clone(),
            Type::Map(_) | Type::Record(_) | Type::Any => Type::Text,
            other => {
                let message = format!("nothing can be in {other}");
                self.report(Code::TypeMismatch, message, spans.1.clone(), other.to_string(), "use a list or a map");
                return None;
            }
        };
        let one = if element == Type::Any { one } else { self.coerce(one, &element, spans.0.clone())? };
        let (left, right) = (Box::new(one), Box::new(two));
        Some(Expr::new(ExprKind::Binary { op: BinaryOp::In, left, right }, Type::Bool))
    }

    /// Two operands of an equality. A value of unknown shape is compared as what it turns out to be.
    fn comparable(&self, one: Expr, two: Expr, spans: &(Range<usize>, Range<usize>)) -> Option<(Expr, Expr)> {
        let (one, two) = match (is_empty_list(&one), is_empty_list(&two)) {
            (true, false) if matches!(two.ty, Type::List(_)) => (Expr { ty: two.ty.clone(), ..one }, two),
            (false, true) if matches!(one.ty, Type::List(_)) => {
                let ty = one.ty.clone();
                (one, Expr { ty, ..two })
            }
            (true, true) => {
                let ty = Type::List(Box::new(Type::Int));
                (Expr { ty: ty.clone(), ..one }, Expr { ty, ..two })
            }
            _ => (one, two),
        };
        let scalar = |ty: &Type| matches!(ty, Type::Bool | Type::Int | Type::Double | Type::Text | Type::Null);
        let (left, right) = (&one.ty, &two.ty);
        let open = |ty: &Type| matches!(ty, Type::Any);
        let map = |ty: &Type| matches!(ty, Type::Map(_));
        if (map(left) && (map(right) || open(right))) || (open(left) && map(right)) {
            return Some((one, two));
        }
        if (open(left) && (scalar(right) || open(right))) || (open(right) && scalar(left)) {
            return Some((one, two));
        }
        if left == right && (scalar(left) || matches!(left, Type::List(of) if scalar(of))) {
            return Some((one, two));
        }
        if mixed_numbers(left, right) {
            return Some((one, two));
        }
        let message = if left == right || open(left) || open(right) {
            format!("{left} and {right} cannot be compared")
        } else {
            format!("{left} and {right} are never equal")
        };
        let help = match (left, right) {
            (Type::Text, Type::Null) => "what is absent reads as empty: compare with `''`".to_owned(),
            (Type::List(_), Type::Null) => "what is absent reads as empty: compare its `.size()` with 0".to_owned(),
            (Type::Bool, Type::Text) => "it is true or false by itself: leave the comparison out".to_owned(),
            _ => format!("the other side is {left}"),
        };
        self.report(Code::TypeMismatch, message, spans.1.clone(), right.to_string(), help);
        None
    }

    /// Two operands of one of the given types: the first that both can take.
    fn same(
        &self,
        one: Expr,
        two: Expr,
        spans: &(Range<usize>, Range<usize>),
        types: &[Type],
        verb: &str,
    ) -> Option<(Expr, Expr)> {
        let fits = |expr: &Expr, ty: &Type| {
            expr.ty == *ty || expr.ty == Type::Any || (expr.ty == Type::Int && *ty == Type::Double)
        };
        match types.iter().find(|ty| fits(&one, ty) && fits(&two, ty)) {
            Some(ty) => {
                let one = self.coerce(one, ty, spans.0.clone())?;
                let two = self.coerce(two, ty, spans.1.clone())?;
                Some((one, two))
            }
            None => {
                let message = format!("{} and {} cannot be {verb}", one.ty, two.ty);
                let help = match (&one.ty, &two.ty) {
                    (Type::Text, _) => "turn the other side into text: `string(…)`",
                    (_, Type::Text) => "turn the text into a number: `int(…)`",
                    _ => "",
                };
                self.report(Code::TypeMismatch, message, spans.0.start..spans.1.end, "", help);
                None
            }
        }
    }

    /// The expression as that type, if it is one or can be read as one.
    pub(super) fn coerce(&self, expr: Expr, ty: &Type, span: Range<usize>) -> Option<Expr> {
        let kind = match (&expr.ty, ty) {
            (found, wanted) if found == wanted => return Some(expr),
            (Type::Record(_) | Type::Map(_), Type::Any) => return Some(expr),
            (Type::List(_), Type::List(_)) if is_empty_list(&expr) => return Some(Expr { ty: ty.clone(), ..expr }),
            (Type::Int, Type::Double) => ExprKind::Convert { of: Box::new(expr) },
            (Type::Any, _) => ExprKind::Read { of: Box::new(expr) },
            (found, wanted) => {
                let help = match (found, wanted) {
                    (Type::Text, Type::Bool) => "compare it: `… != ''`",
                    (Type::Int, Type::Bool) => "compare it: `… > 0`",
                    (Type::List(_), Type::Bool) => "ask for its size: `size(…) > 0`",
                    (Type::Int | Type::Double | Type::Bool, Type::Text) => "turn it into text: `string(…)`",
                    (Type::Text, Type::Int) => "turn it into a number: `int(…)`",
                    _ => "",
                };
                self.report(
                    Code::TypeMismatch,
                    format!("expected {wanted}, found {found}"),
                    span,
                    found.to_string(),
                    help,
                );
                return None;
            }
        };
        Some(Expr::new(kind, ty.clone()).at(self.placed(&span)))
    }
}
