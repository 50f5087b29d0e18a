//! Expressions to Rust.
//!
//! Text comes in three forms (`&str`, `String`, `Cow<str>`), lists in two (slice, `Vec`); each piece of code says which
//! it is, and is turned into what its place needs. Everything that can fail ends in `?`.

mod operators;

use std::cell::RefCell;

use heck::ToSnakeCase;

use super::format::{fraction, literal, whole};
use super::name::{constant, local};
use super::types::{kept, plain, reader};
use crate::emit::Bug;
use crate::model::{DocumentPart, Expr, ExprKind, Macro, Segment, SpentPart, Template, Type, UnaryOp};
use hookgen_runtime::signature::{Function, Type as Signature};

/// Rust code for a value.
pub(super) struct Code {
    pub(super) text: String,
    form: Form,
    /// How tightly its outermost operator binds.
    binding: Binding,
}

/// What kind of Rust value the code gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A value of its own.
    Value,
    /// A reference: `&str`, `&[T]`.
    Reference,
    /// A field of something that somebody else owns.
    Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Atom,
}

/// Writes expressions in one module; collects the patterns that they need.
pub(super) struct Writer {
    /// What the facts are called here: `self` inside them, `facts` in a hook.
    facts: &'static str,
    /// Documents that are local variables here, not methods of the facts.
    documents: Vec<String>,
    patterns: RefCell<Vec<String>>,
}

impl Code {
    fn value(text: impl Into<String>) -> Self {
        Self { text: text.into(), form: Form::Value, binding: Binding::Atom }
    }

    fn reference(text: impl Into<String>) -> Self {
        let text = text.into();
        let binding = if text.starts_with('&') { Binding::Unary } else { Binding::Atom };
        Self { text, form: Form::Reference, binding }
    }

    fn place(text: impl Into<String>) -> Self {
        Self { text: text.into(), form: Form::Place, binding: Binding::Atom }
    }

    fn operation(text: String, binding: Binding) -> Self {
        Self { text, form: Form::Value, binding }
    }

    /// As the receiver of a method, which dereferences by itself.
    fn receiver(&self) -> String {
        match self.text.strip_prefix('*') {
            Some(variable) if self.binding == Binding::Unary => variable.to_owned(),
            _ => self.within(Binding::Atom),
        }
    }

    /// As the result of a closure or function: a failure is passed on as it is.
    fn result(text: &str, binding: Binding) -> String {
        match text.strip_suffix('?') {
            Some(attempt) if binding == Binding::Atom => attempt.to_owned(),
            _ => format!("Ok({text})"),
        }
    }

    /// In brackets where its place binds more tightly.
    fn within(&self, place: Binding) -> String {
        if self.binding < place { format!("({})", self.text) } else { self.text.clone() }
    }
}

impl Writer {
    pub(super) fn new(facts: &'static str, documents: Vec<String>) -> Self {
        Self { facts, documents, patterns: RefCell::default() }
    }

    /// A document, as the receiver of a method.
    pub(super) fn document_named(&self, name: &str) -> String {
        if self.documents.iter().any(|document| document == name) {
            return local(name);
        }
        format!("{}.{}()?", self.facts, local(name))
    }

    /// The pattern constants that the written expressions refer to.
    pub(super) fn pattern_constants(&self) -> String {
        let patterns = self.patterns.borrow();
        let constants = patterns.iter().enumerate().map(|(number, pattern)| {
            format!("static PATTERN_{}: Pattern = Pattern::new({});\n", number + 1, literal(pattern))
        });
        constants.collect()
    }

    fn pattern(&self, pattern: &str) -> String {
        let mut patterns = self.patterns.borrow_mut();
        let known = patterns.iter().position(|other| other == pattern);
        let number = known.unwrap_or_else(|| {
            patterns.push(pattern.to_owned());
            patterns.len() - 1
        });
        format!("&PATTERN_{}", number + 1)
    }

    /// A value of the expression's own type: `bool`, `i64`, `f64`, `String`, `Vec`, `Node`.
    pub(super) fn owned(&self, expr: &Expr) -> Result<String, Bug> {
        let code = self.code(expr)?;
        Ok(match (&expr.ty, code.form) {
            (Type::Text, Form::Reference) => format!("{}.to_owned()", code.within(Binding::Atom)),
            (Type::Text, Form::Value) if is_cow(expr) => format!("{}.into_owned()", code.text),
            (Type::Text | Type::List(_) | Type::Entry(_) | Type::Object(_), Form::Place | Form::Reference)
                if code.form == Form::Place || matches!(expr.ty, Type::Object(_)) =>
            {
                format!("{}.clone()", code.text)
            }
            (Type::List(_), _) if holds_literals(expr) => format!("operators::strings({})", self.borrowed(expr)?),
            (Type::List(_), Form::Reference) => format!("{}.to_vec()", code.within(Binding::Atom)),
            _ => code.text,
        })
    }

    /// A `&str`, a `&[T]`, or a value where the type is cheap to copy.
    pub(super) fn borrowed(&self, expr: &Expr) -> Result<String, Bug> {
        let code = self.code(expr)?;
        Ok(match (&expr.ty, code.form) {
            (Type::Text, Form::Value | Form::Place) => format!("&*{}", code.within(Binding::Unary)),
            (Type::List(_) | Type::Object(_), Form::Value | Form::Place) => format!("&{}", code.within(Binding::Unary)),
            _ => code.text,
        })
    }

    /// As a function's argument, where a reference to a `String` will do for a `&str`.
    fn argument(&self, expr: &Expr) -> Result<String, Bug> {
        let code = self.code(expr)?;
        Ok(match (&expr.ty, code.form) {
            (Type::Text | Type::List(_) | Type::Object(_), Form::Value | Form::Place) => {
                format!("&{}", code.within(Binding::Unary))
            }
            _ => code.text,
        })
    }

    /// Whether a text is empty.
    pub(super) fn is_empty(&self, expr: &Expr) -> Result<String, Bug> {
        Ok(format!("{}.is_empty()", self.code(expr)?.receiver()))
    }

    /// A condition, without needless brackets.
    pub(super) fn condition(&self, expr: &Expr) -> Result<String, Bug> {
        Ok(self.code(expr)?.text)
    }

    /// A `String` made from a template.
    pub(super) fn template(&self, template: &Template) -> Result<String, Bug> {
        match template.segments.as_slice() {
            [] => return Ok("String::new()".to_owned()),
            [Segment::Text(text)] => return Ok(format!("{}.to_owned()", literal(text))),
            [Segment::Expr(expr)] if expr.ty == Type::Text => return self.owned(expr),
            [Segment::Expr(expr)] => return self.shown(expr),
            _ => {}
        }
        let pieces: Result<Vec<String>, Bug> = template
            .segments
            .iter()
            .map(|segment| match segment {
                Segment::Text(text) => Ok(literal(text)),
                Segment::Expr(expr) => self.piece(expr),
            })
            .collect();
        Ok(format!("[{}].concat()", pieces?.join(", ")))
    }

    /// A piece of text: a `&str`.
    fn piece(&self, expr: &Expr) -> Result<String, Bug> {
        if expr.ty == Type::Text {
            return self.borrowed(expr);
        }
        Ok(format!("&*{}", self.shown(expr)?))
    }

    /// Something else than text as a `String`.
    fn shown(&self, expr: &Expr) -> Result<String, Bug> {
        let of = self.code(expr)?.receiver();
        let method = if expr.ty == Type::Any { "display" } else { "to_string" };
        Ok(format!("{of}.{method}()"))
    }

    /// The value of an expression, as the result of a function that may fail.
    pub(super) fn result(&self, expr: &Expr) -> Result<String, Bug> {
        let code = self.code(expr)?;
        Ok(Code::result(&self.owned(expr)?, code.binding))
    }

    fn code(&self, expr: &Expr) -> Result<Code, Bug> {
        Ok(match &expr.kind {
            ExprKind::Bool(value) => Code::value(value.to_string()),
            ExprKind::Int(value) => Code::value(whole(*value)),
            ExprKind::Double(value) => Code::value(fraction(*value)),
            ExprKind::Text(text) | ExprKind::Constant { text, .. } => Code::reference(literal(text)),
            ExprKind::Null => return Err(Bug::new("null outside a comparison")),
            ExprKind::List(items) => {
                let items: Result<Vec<String>, Bug> = items.iter().map(|item| self.borrowed(item)).collect();
                Code::reference(format!("&[{}]", items?.join(", ")))
            }
            ExprKind::Map(entries) => Code::value(format!("Node::new(&{}, Origin::Data)", self.object(entries)?)),
            ExprKind::Part { of, .. }
            | ExprKind::Field { of, .. }
            | ExprKind::Entry { of, .. }
            | ExprKind::Read { of }
            | ExprKind::Has { of, .. }
            | ExprKind::Entries { of } => self.part(&self.code(of)?.receiver(), of, expr)?,
            ExprKind::Index { of, at } => self.index(of, at, &expr.ty)?,
            ExprKind::Unary { op, of } => {
                let sign = if *op == UnaryOp::Not { "!" } else { "-" };
                Code::operation(format!("{sign}{}", self.code(of)?.within(Binding::Unary)), Binding::Unary)
            }
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right)?,
            ExprKind::Choice { when, then, otherwise } => {
                let (when, then, otherwise) = (self.condition(when)?, self.owned(then)?, self.owned(otherwise)?);
                Code::operation(format!("if {when} {{ {then} }} else {{ {otherwise} }}"), Binding::Choice)
            }
            ExprKind::Call { function, args } => self.call(function, args)?,
            ExprKind::Property { function } => self.call(function, &[])?,
            ExprKind::Convert { of } => self.convert(of, &expr.ty)?,
            ExprKind::Size { of } => Code::value(format!("operators::map_size({})?", self.code(of)?.text)),
            ExprKind::Keys { of } => Code::value(format!("operators::keys({})?", self.code(of)?.text)),
            ExprKind::Macro { kind, list, variable, body } => self.list_macro(*kind, list, variable, body)?,
            _ => self.named(expr)?,
        })
    }

    /// Something that the catalog or the event has under a name.
    fn named(&self, expr: &Expr) -> Result<Code, Bug> {
        let facts = self.facts;
        let setting = |kind: &str, name: &str| constant(&format!("{kind}_{name}"));
        Ok(match &expr.kind {
            ExprKind::Payload => Code::value(if facts == "self" { "self.event()" } else { "event" }),
            ExprKind::Env(name) => Code::value(format!("{facts}.call().env({})", literal(name))),
            ExprKind::Flag(name) => Code::value(format!("{facts}.config().flag(&catalog::{})", setting("flag", name))),
            ExprKind::Chosen(name) => {
                Code::reference(format!("{facts}.config().choice(&catalog::{})", setting("choice", name)))
            }
            ExprKind::Threshold(name) => {
                let method = if expr.ty == Type::Int { "int" } else { "double" };
                Code::value(format!("{facts}.config().{method}(&catalog::{})", constant(name)))
            }
            ExprKind::Data(name) => self.data(name, &expr.ty),
            ExprKind::Message(name) => Code::value(format!("{facts}.{}()?", local(&format!("message_{name}")))),
            ExprKind::Fact(name) => {
                let text = format!("{facts}.{}()?", local(name));
                if kept(&expr.ty) && matches!(expr.ty, Type::Text | Type::List(_) | Type::Object(_)) {
                    Code::reference(text)
                } else {
                    Code::value(text)
                }
            }
            ExprKind::Binding(name) => match &expr.ty {
                Type::Text => Code::reference(format!("{}()?.as_str()", local(name))),
                Type::List(_) | Type::Object(_) => Code::reference(format!("{}()?", local(name))),
                Type::Entry(_) => Code::value(format!("{}()?.clone()", local(name))),
                _ => Code::operation(format!("*{}()?", local(name)), Binding::Unary),
            },
            ExprKind::Variable(name) => variable(&local(name), &expr.ty),
            ExprKind::Document { name, part } => self.document(name, *part),
            ExprKind::Spent { name, part } => spent(&local(name), part),
            other => return Err(Bug::new(format!("no code for {other:?}"))),
        })
    }

    /// A part of something whose code is there.
    fn part(&self, of: &str, whole: &Expr, expr: &Expr) -> Result<Code, Bug> {
        Ok(match (&expr.kind, &expr.ty) {
            (ExprKind::Part { name, .. }, Type::Bool | Type::Int | Type::Double) => {
                Code::value(format!("{of}.{}()", name.to_snake_case()))
            }
            (ExprKind::Part { name, .. }, _) => Code::reference(format!("{of}.{}()", name.to_snake_case())),
            (ExprKind::Field { name, .. }, ty) => self.read(&format!("{of}.at({})", literal(name)), ty),
            (ExprKind::Has { name, .. }, _) => Code::value(format!("{of}.at({}).present()", literal(name))),
            (ExprKind::Entry { value: false, .. }, _) => Code::place(format!("{of}.key")),
            (ExprKind::Entry { value: true, .. }, Type::Text | Type::List(_)) => Code::place(format!("{of}.value")),
            (ExprKind::Entry { value: true, .. }, _) => Code::value(format!("{of}.value")),
            (ExprKind::Entries { .. }, _) if whole.ty == Type::Any => Code::value(format!("{of}.members()")),
            (ExprKind::Entries { .. }, Type::List(entry)) => {
                let Type::Entry(value) = &**entry else { return Err(Bug::new("entries are a list of entries")) };
                Code::value(format!("{of}.entries({})?", reader(value)))
            }
            (_, ty) => self.read(of, ty),
        })
    }

    /// A node read as a type.
    #[expect(clippy::unused_self, reason = "beside its siblings")]
    fn read(&self, node: &str, ty: &Type) -> Code {
        Code::value(match ty {
            Type::Text => format!("{node}.text()?"),
            Type::Int => format!("{node}.int()?"),
            Type::Double => format!("{node}.double()?"),
            Type::Bool => format!("{node}.boolean()?"),
            Type::List(of) => format!("{node}.list({})?", reader(of)),
            Type::Map(_) | Type::Record(_) => format!("{node}.record()?"),
            Type::Any | Type::Null | Type::Entry(_) | Type::Object(_) => node.to_owned(),
        })
    }

    fn index(&self, of: &Expr, at: &Expr, ty: &Type) -> Result<Code, Bug> {
        if matches!(of.ty, Type::List(_)) {
            let text = format!("operators::element({}, {})?", self.borrowed(of)?, self.code(at)?.text);
            let text = if *ty == Type::Text { format!("{text}.to_string()") } else { text };
            return Ok(Code::value(text));
        }
        let of = self.code(of)?.receiver();
        if at.ty == Type::Int {
            return Ok(Code::value(format!("operators::element(&{of}.list(Ok)?, {})?", self.code(at)?.text)));
        }
        Ok(self.read(&format!("{of}.key({})", self.argument(at)?), ty))
    }

    #[expect(clippy::unused_self, reason = "beside its siblings")]
    fn data(&self, name: &str, ty: &Type) -> Code {
        let name = format!("catalog::{}", constant(&format!("data_{name}")));
        match ty {
            Type::Text => Code::reference(name),
            Type::Bool | Type::Int | Type::Double => Code::value(name),
            Type::List(of) if plain(of) => Code::reference(name),
            Type::List(of) => Code::value(format!("Node::new(&{name}, Origin::Data).list({})?", reader(of))),
            _ => Code::value(format!("Node::new(&{name}, Origin::Data)")),
        }
    }

    fn document(&self, name: &str, part: DocumentPart) -> Code {
        let document = self.document_named(name);
        match part {
            DocumentPart::Exists => Code::value(format!("{document}.exists()")),
            DocumentPart::Valid => Code::value(format!("{document}.valid()")),
            DocumentPart::Path => Code::reference(format!("{document}.path()")),
            DocumentPart::Size => Code::value(format!("{document}.size()")),
            DocumentPart::Text => Code::reference(format!("{document}.text()?")),
            DocumentPart::Body => Code::reference(format!("{document}.body()?")),
            DocumentPart::Root => Code::value(format!("{document}.root()?")),
        }
    }

    fn call(&self, function: &Function, args: &[Expr]) -> Result<Code, Bug> {
        let wanted = function.receiver.into_iter().chain(function.params.iter().map(|(_, ty)| *ty));
        let mut written = Vec::new();
        if function.contextual {
            written.push(format!("{}.call()", self.facts));
        }
        for (arg, wanted) in args.iter().zip(wanted) {
            written.push(match (wanted, &arg.kind) {
                (Signature::Pattern, ExprKind::Text(text) | ExprKind::Constant { text, .. }) => self.pattern(text),
                (Signature::Any, _) => self.code(arg)?.text,
                _ => self.argument(arg)?,
            });
        }
        let mark = if function.fallible { "?" } else { "" };
        Ok(Code::value(format!("library::{}({}){mark}", function.symbol, written.join(", "))))
    }

    fn convert(&self, of: &Expr, ty: &Type) -> Result<Code, Bug> {
        let code = self.code(of)?;
        let atom = code.receiver();
        Ok(match (&of.ty, ty) {
            (Type::Any, Type::Text) => Code::value(format!("{atom}.display()")),
            (Type::Any, ty) => self.read(&atom, ty),
            (Type::Text, Type::Int) => Code::value(format!("operators::text_to_int({})?", self.argument(of)?)),
            (Type::Text, Type::Double) => Code::value(format!("operators::text_to_double({})?", self.argument(of)?)),
            (Type::Int, Type::Double) => Code::value(format!("operators::int_to_double({})", code.text)),
            (Type::Double, Type::Int) => Code::value(format!("operators::double_to_int({})", code.text)),
            (Type::Text, Type::Text) => Code::value(self.owned(of)?),
            (_, Type::Text) => Code::value(format!("{atom}.to_string()")),
            _ => code,
        })
    }

    fn list_macro(&self, kind: Macro, list: &Expr, variable: &str, body: &Expr) -> Result<Code, Bug> {
        let variable = local(variable);
        let list = self.borrowed(list)?;
        let used = if mentions(body, &variable) { variable } else { format!("_{variable}") };
        Ok(match kind {
            Macro::Map => Code::value(format!("operators::map({list}, |{used}| {})?", self.result(body)?)),
            Macro::ExistsOne => {
                let count = format!("operators::count_where({list}, |{used}| {})?", self.result(body)?);
                Code::operation(format!("{count} == 1"), Binding::Comparison)
            }
            Macro::All | Macro::Exists | Macro::Filter => {
                let name = match kind {
                    Macro::All => "all",
                    Macro::Exists => "exists",
                    _ => "filter",
                };
                Code::value(format!("operators::{name}({list}, |{used}| {})?", self.result(body)?))
            }
        })
    }
}

fn variable(name: &str, ty: &Type) -> Code {
    match ty {
        Type::Text => Code::reference(format!("&**{name}")),
        Type::List(_) => Code::reference(name.to_owned()),
        Type::Entry(_) | Type::Object(_) => Code::place(name.to_owned()),
        _ => Code::operation(format!("*{name}"), Binding::Unary),
    }
}

fn spent(name: &str, part: &SpentPart) -> Code {
    Code::value(match part {
        SpentPart::Repeated => format!("{name}.repeated"),
        SpentPart::Refused => format!("{name}.refused()"),
        SpentPart::CounterUsed(counter) => format!("{name}.used({})", literal(counter)),
        SpentPart::CounterLimit(counter) => format!("{name}.limit({})", literal(counter)),
        SpentPart::CounterRefused(counter) => format!("{name}.counter_refused({})", literal(counter)),
    })
}

/// Whether the value is read as a `Cow`: text straight from a node.
fn is_cow(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Field { .. } | ExprKind::Read { .. } => true,
        ExprKind::Index { of, .. } => !matches!(of.ty, Type::List(_)),
        _ => false,
    }
}

/// Whether a list of text holds `&str` and not `String`: it was made from constants.
fn holds_literals(expr: &Expr) -> bool {
    let text = matches!(&expr.ty, Type::List(of) if **of == Type::Text);
    text && match &expr.kind {
        ExprKind::Data(_) | ExprKind::List(_) => true,
        ExprKind::Macro { kind: Macro::Filter, list, .. } => holds_literals(list),
        _ => false,
    }
}

fn mentions(expr: &Expr, variable: &str) -> bool {
    matches!(&expr.kind, ExprKind::Variable(name) if local(name) == variable)
        || expr.children().into_iter().any(|child| mentions(child, variable))
}
