//! Calls: library functions, conversions and the macros over lists.

use std::ops::Range;

use hookgen_runtime::library::FUNCTIONS;
use hookgen_runtime::signature::{Function, Type as Signature};
use serde_json::Value;

use super::signature_type;
use super::typing::Checker;
use crate::cel::{Ast, Node, Spanned};
use crate::diagnostic::{Code, did_you_mean};
use crate::model::{Expr, ExprKind, Macro, Type};

/// Functions that the language has beside the library's.
pub(crate) const BUILT_IN: &[&str] =
    &["has", "string", "int", "double", "bool", "entries", "keys", "all", "exists", "exists_one", "filter", "map"];

impl Checker<'_, '_> {
    pub(super) fn call(
        &self,
        receiver: Option<&Ast>,
        name: &Spanned,
        args: &[Ast],
        span: Range<usize>,
    ) -> Option<Expr> {
        match (receiver, name.text.as_str(), args) {
            (None, "has", [arg]) => self.has(arg),
            (None, "string" | "int" | "double" | "bool", [arg]) => self.convert(&name.text, arg),
            (Some(of), "all" | "exists" | "exists_one" | "filter" | "map", [variable, body]) => {
                self.list_macro(of, &name.text, variable, body)
            }
            (Some(of), "map", [variable, condition, body]) => {
                let list = Node::Call {
                    receiver: Some(Box::new(of.clone())),
                    name: Spanned { text: "filter".to_owned(), span: name.span.clone() },
                    args: vec![variable.clone(), condition.clone()],
                };
                self.list_macro(&Ast { node: list, span: of.span.clone() }, &name.text, variable, body)
            }
            (Some(of), "entries" | "keys", []) => self.entries(of, name),
            (None, "size", [of]) | (Some(of), "size", []) => self.size(of, name),
            _ => self.library(receiver, name, args, span),
        }
    }

    fn has(&self, arg: &Ast) -> Option<Expr> {
        let Node::Field { .. } = &arg.node else {
            self.report(
                Code::BadArguments,
                "`has` asks for a field",
                arg.span.clone(),
                "",
                "write `has(record.field)`",
            );
            return None;
        };
        let expr = self.check(arg)?;
        let kind = match expr.kind {
            ExprKind::Field { of, name } => ExprKind::Has { of, name },
            ExprKind::Index { of, at } => match at.kind {
                ExprKind::Text(name) => ExprKind::Has { of, name },
                _ => return None,
            },
            _ => {
                let help = "compare it with its empty value instead";
                self.report(Code::BadArguments, "this is always there", arg.span.clone(), "", help);
                return None;
            }
        };
        Some(Expr::new(kind, Type::Bool))
    }

    fn convert(&self, to: &str, arg: &Ast) -> Option<Expr> {
        let of = self.check(arg)?;
        let (ty, fits) = match to {
            "string" => (Type::Text, matches!(of.ty, Type::Text | Type::Int | Type::Double | Type::Bool | Type::Any)),
            "int" => (Type::Int, matches!(of.ty, Type::Text | Type::Int | Type::Double | Type::Any)),
            "bool" => (Type::Bool, matches!(of.ty, Type::Text | Type::Bool | Type::Any)),
            _ => (Type::Double, matches!(of.ty, Type::Text | Type::Int | Type::Double | Type::Any)),
        };
        if !fits {
            let message = format!("{} cannot be turned into {ty}", of.ty);
            self.report(Code::BadArguments, message, arg.span.clone(), of.ty.to_string(), "");
            return None;
        }
        Some(Expr::new(ExprKind::Convert { of: Box::new(of) }, ty))
    }

    fn list_macro(&self, of: &Ast, name: &str, variable: &Ast, body: &Ast) -> Option<Expr> {
        let span = of.span.clone();
        let list = self.check(of)?;
        let element = match &list.ty {
            Type::List(element) => (**element).clone(),
            Type::Any => Type::Any,
            Type::Map(_) => Type::Text,
            other => {
                self.report(Code::TypeMismatch, format!("`{name}` goes over a list"), span, other.to_string(), "");
                return None;
            }
        };
        // Over a map, the variable is each of its keys.
        let list = match list.ty {
            Type::Map(_) => Expr::new(ExprKind::Keys { of: Box::new(list) }, Type::List(Box::new(Type::Text))),
            _ => list,
        };
        let list = self.coerce(list, &Type::List(Box::new(element.clone())), span)?;
        let Node::Name(variable) = &variable.node else {
            let help = format!("write `{name}(x, …)`");
            self.report(Code::BadArguments, "a variable is missing", variable.span.clone(), "not a name", help);
            return None;
        };
        let mut inner = self.clone();
        inner.scope.variables.push((variable.clone(), element.clone()));
        let expr = inner.check(body)?;
        let expr = if name == "map" { expr } else { inner.coerce(expr, &Type::Bool, body.span.clone())? };
        let (kind, ty) = match name {
            "map" => (Macro::Map, Type::List(Box::new(expr.ty.clone()))),
            "filter" => (Macro::Filter, Type::List(Box::new(element))),
            "all" => (Macro::All, Type::Bool),
            "exists" => (Macro::Exists, Type::Bool),
            _ => (Macro::ExistsOne, Type::Bool),
        };
        let kind = ExprKind::Macro { kind, list: Box::new(list), variable: variable.clone(), body: Box::new(expr) };
        Some(Expr::new(kind, ty))
    }

    fn entries(&self, of: &Ast, name: &Spanned) -> Option<Expr> {
        let span = of.span.clone();
        let of = self.check(of)?;
        let value = match &of.ty {
            Type::Map(value) => (**value).clone(),
            Type::Any | Type::Record(_) => Type::Any,
            other => {
                let message = format!("{other} has no {}", name.text);
                self.report(Code::TypeMismatch, message, span, other.to_string(), "ask a map");
                return None;
            }
        };
        let of = Box::new(of);
        Some(if name.text == "keys" {
            Expr::new(ExprKind::Keys { of }, Type::List(Box::new(Type::Text)))
        } else {
            Expr::new(ExprKind::Entries { of }, Type::List(Box::new(Type::Entry(Box::new(value)))))
        })
    }

    fn size(&self, of: &Ast, name: &Spanned) -> Option<Expr> {
        let expr = self.check(of)?;
        match expr.ty {
            Type::Map(_) => Some(Expr::new(ExprKind::Size { of: Box::new(expr) }, Type::Int)),
            _ => self.library(Some(of), name, &[], of.span.clone()),
        }
    }

    /// A function of the library: the first form whose receiver and arguments fit.
    fn library(&self, receiver: Option<&Ast>, name: &Spanned, args: &[Ast], span: Range<usize>) -> Option<Expr> {
        let named: Vec<&'static Function> = FUNCTIONS.iter().copied().filter(|f| f.name == name.text).collect();
        if named.is_empty() && BUILT_IN.contains(&name.text.as_str()) {
            let message = format!("`{}` is not called like this", name.text);
            self.report(Code::BadArguments, message, span, "", built_in_usage(&name.text));
            return None;
        }
        if let (true, None, Some(callable)) = (named.is_empty(), receiver, self.callable(&name.text)) {
            return self.called(&callable, name, args, span);
        }
        if named.is_empty() {
            self.unknown_function(name);
            return None;
        }
        let of = match receiver {
            Some(ast) => Some((self.check(ast)?, ast.span.clone())),
            None => None,
        };
        let typed: Option<Vec<Expr>> = args.iter().map(|arg| self.check(arg)).collect();
        let typed = typed?;
        let form = named.iter().copied().find(|form| fits(form, of.as_ref().map(|(expr, _)| &expr.ty), &typed));
        let Some(form) = form.or_else(|| close(&named, receiver.is_some(), typed.len())) else {
            let forms: Vec<String> = named.iter().map(|form| usage(form)).collect();
            let message = format!("`{}` is not called like this", name.text);
            self.report(Code::BadArguments, message, span, "", format!("write {}", forms.join(" or ")));
            return None;
        };
        let element = match of.as_ref().map(|(expr, _)| &expr.ty) {
            Some(Type::List(element)) => (**element).clone(),
            _ => Type::Any,
        };
        let mut all = Vec::new();
        if let (Some((expr, span)), Some(wanted)) = (of, form.receiver) {
            all.push(self.coerce(expr, &signature_type(wanted, &element), span)?);
        }
        for ((expr, ast), (_, wanted)) in typed.into_iter().zip(args).zip(form.params) {
            let expr = if *wanted == Signature::Pattern { self.pattern(expr, ast)? } else { expr };
            all.push(self.coerce(expr, &signature_type(*wanted, &element), ast.span.clone())?);
        }
        let ty = signature_type(form.result, &element);
        Some(Expr::new(ExprKind::Call { function: form, args: all }, ty))
    }

    /// A pattern must be known now, so that it can be checked now.
    fn pattern(&self, expr: Expr, ast: &Ast) -> Option<Expr> {
        let Some(pattern) = self.constant(&expr).map(str::to_owned) else {
            let help = "write the pattern as a string literal, or as a text in `data`";
            self.report(Code::BadPattern, "a pattern must be a literal", ast.span.clone(), "not a literal", help);
            return None;
        };
        match hookgen_runtime::pattern::check(&pattern) {
            Ok(()) if matches!(expr.kind, ExprKind::Text(_)) => Some(expr),
            Ok(()) => Some(Expr::new(ExprKind::Constant { text: pattern, of: Box::new(expr) }, Type::Text)),
            Err(error) => {
                let message = format!("this regular expression cannot be compiled: {error}");
                self.report(Code::BadPattern, message, ast.span.clone(), "", pattern_help(&error));
                None
            }
        }
    }

    /// The text that an expression is whatever happens: a literal, or one of a table.
    fn constant<'e>(&'e self, expr: &'e Expr) -> Option<&'e str> {
        match &expr.kind {
            ExprKind::Text(text) => Some(text),
            _ => self.table_value(expr)?.as_str(),
        }
    }

    fn table_value(&self, expr: &Expr) -> Option<&Value> {
        match &expr.kind {
            ExprKind::Data(name) => self.resolver.written.data.get(name),
            ExprKind::Field { of, name } => self.table_value(of)?.get(name),
            ExprKind::Index { of, at } => match &at.kind {
                ExprKind::Text(key) => self.table_value(of)?.get(key),
                ExprKind::Int(place) => self.table_value(of)?.get(usize::try_from(*place).ok()?),
                _ => None,
            },
            _ => None,
        }
    }

    fn unknown_function(&self, name: &Spanned) {
        let help = function_meant(&name.text).map_or_else(
            || "see `hookgen functions` for all of them".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        let message = format!("there is no function `{}`", name.text);
        self.report(Code::UnknownFunction, message, name.span.clone(), "not known", help);
    }
}

/// The function that a name which is none was probably meant to be.
pub(super) fn function_meant(name: &str) -> Option<&'static str> {
    let known = FUNCTIONS.iter().map(|function| function.name).chain(BUILT_IN.iter().copied());
    super::foreign::function(name).or_else(|| did_you_mean(name, known))
}

fn fits(form: &Function, receiver: Option<&Type>, args: &[Expr]) -> bool {
    let element = match receiver {
        Some(Type::List(element)) => (**element).clone(),
        _ => Type::Any,
    };
    let takes = |wanted: Signature, found: &Type| {
        let wanted = signature_type(wanted, &element);
        *found == wanted
            || *found == Type::Any
            || (wanted == Type::Double && *found == Type::Int)
            || (wanted == Type::Any && matches!(found, Type::Record(_) | Type::Map(_)))
    };
    let called = match (form.receiver, receiver) {
        (None, None) => true,
        (Some(wanted), Some(found)) => takes(wanted, found),
        _ => false,
    };
    called
        && form.params.len() == args.len()
        && form.params.iter().zip(args).all(|((_, wanted), arg)| takes(*wanted, &arg.ty))
}

/// The only form with that many arguments: its type errors say more than "not called like this".
fn close(named: &[&'static Function], receiver: bool, args: usize) -> Option<&'static Function> {
    let mut forms = named.iter().filter(|form| form.receiver.is_some() == receiver && form.params.len() == args);
    match (forms.next(), forms.next()) {
        (Some(form), None) => Some(form),
        _ => None,
    }
}

/// What to do about a pattern that cannot be compiled. What patterns lack is said in the expression instead.
pub(super) fn pattern_help(error: &str) -> &'static str {
    if error.contains("look-around") || error.contains("backreference") {
        "match what must be there, and say what must not be there beside it: `!….matches(…)`"
    } else {
        "close what is open, and write `\\[`, `\\(` or `\\*` for the characters themselves"
    }
}

/// How a function of the language itself is called.
fn built_in_usage(name: &str) -> String {
    match name {
        "has" => "write `has(record.field)`".to_owned(),
        "string" | "int" | "double" | "bool" => format!("write `{name}(value)`"),
        "entries" | "keys" => format!("write `map.{name}()`"),
        "map" => "write `list.map(x, …)` or `list.map(x, condition, …)`".to_owned(),
        _ => format!("write `list.{name}(x, condition)`; a second variable is not known"),
    }
}

fn usage(form: &Function) -> String {
    let params: Vec<&str> = form.params.iter().map(|(name, _)| *name).collect();
    let receiver = match form.receiver {
        Some(ty) => format!("{}.", signature_type(ty, &Type::Any)),
        None => String::new(),
    };
    format!("`{receiver}{}({})`", form.name, params.join(", "))
}
