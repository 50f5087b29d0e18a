//! Calls: library functions, conversions and the macros over lists.

use std::ops::Range;

use hookgen_runtime::library::FUNCTIONS;
use hookgen_runtime::signature::{Function, Type as Signature};
use serde_json::Value;

use super::signature_type;
use super::typing::{Checker, holds_objects, readable};
use crate::cel::{Ast, Node, Spanned};
use crate::diagnostic::{Code, did_you_mean};
use crate::model::{BinaryOp, Expr, ExprKind, Macro, Type};

/// Functions that the language has beside the library's.
pub(crate) const BUILT_IN: &[&str] = &[
    "has",
    "string",
    "int",
    "double",
    "bool",
    "entries",
    "keys",
    "all",
    "exists",
    "exists_one",
    "existsOne",
    "filter",
    "map",
    "transformList",
    "transformMap",
    "matchesAny",
];

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
            (Some(of), "all" | "exists" | "existsOne" | "transformList" | "transformMap", [key, value, body]) => {
                self.pair_macro(of, name, [key, value], None, body)
            }
            (Some(of), "transformList" | "transformMap", [key, value, condition, body]) => {
                self.pair_macro(of, name, [key, value], Some(condition), body)
            }
            (Some(of), "matchesAny", [list]) => self.matches_any(of, list),
            (Some(of), "within", [Ast { node: Node::Text(text), span: at }]) => {
                let seconds = self.seconds(text, at)?;
                self.library(Some(of), name, &[Ast { node: Node::Int(seconds), span: at.clone() }], span)
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
        let variable = self.variable(variable, &format!("write `{name}(x, …)`"))?;
        let mut inner = self.clone();
        let meant = Expr::new(ExprKind::Variable(variable.clone()), element.clone());
        inner.scope.variables.push((variable.clone(), meant));
        let expr = inner.check(body)?;
        let expr = if name == "map" { expr } else { inner.coerce(expr, &Type::Bool, body.span.clone())? };
        let (kind, ty) = match name {
            "map" => (Macro::Map, Type::List(Box::new(expr.ty.clone()))),
            "filter" => (Macro::Filter, Type::List(Box::new(element))),
            "all" => (Macro::All, Type::Bool),
            "exists" => (Macro::Exists, Type::Bool),
            _ => (Macro::ExistsOne, Type::Bool),
        };
        let kind = ExprKind::Macro { kind, list: Box::new(list), variable, body: Box::new(expr) };
        Some(Expr::new(kind, ty))
    }

    fn variable(&self, ast: &Ast, help: &str) -> Option<String> {
        if let Node::Name(name) = &ast.node {
            return Some(name.clone());
        }
        self.report(Code::BadArguments, "a variable is missing", ast.span.clone(), "not a name", help);
        None
    }

    /// A macro with two variables: place and element of a list, key and value of a map. It goes over pairs, and the
    /// variables stand for the parts of a pair.
    fn pair_macro(
        &self,
        of: &Ast,
        name: &Spanned,
        variables: [&Ast; 2],
        condition: Option<&Ast>,
        body: &Ast,
    ) -> Option<Expr> {
        let pairs = self.pairs(of, name)?;
        let help = format!("write `{}(k, v, …)`", name.text);
        let (one, two) = (self.variable(variables[0], &help)?, self.variable(variables[1], &help)?);
        if one == two {
            let message = format!("both variables are called `{one}`");
            self.report(Code::BadArguments, message, variables[1].span.clone(), "again", "give them two names");
            return None;
        }
        let (Type::List(pair), both) = (pairs.ty.clone(), format!("{one}, {two}")) else { return None };
        let (key, value) = match &*pair {
            Type::Numbered(value) => (Type::Int, (**value).clone()),
            Type::Entry(value) => (Type::Text, (**value).clone()),
            _ => return None,
        };
        let mut inner = self.clone();
        for (variable, ty, value) in [(one, key, false), (two, value, true)] {
            let of = Box::new(Expr::new(ExprKind::Variable(both.clone()), (*pair).clone()));
            inner.scope.variables.push((variable, Expr::new(ExprKind::Entry { of, value }, ty)));
        }
        let over = |kind: Macro, list: Expr, body: Expr, ty: Type| {
            let (list, body) = (Box::new(list), Box::new(body));
            Expr::new(ExprKind::Macro { kind, list, variable: both.clone(), body }, ty)
        };
        let pairs = match condition {
            Some(condition) => {
                let holds = inner.check(condition)?;
                let holds = inner.coerce(holds, &Type::Bool, condition.span.clone())?;
                over(Macro::Filter, pairs, holds, Type::List(pair.clone())).at(self.placed(&condition.span))
            }
            None => pairs,
        };
        let expr = inner.check(body)?;
        Some(match name.text.as_str() {
            "transformList" => {
                let ty = Type::List(Box::new(expr.ty.clone()));
                over(Macro::Map, pairs, expr, ty)
            }
            "transformMap" => {
                if holds_objects(&expr.ty) {
                    let message = format!("{} cannot be part of a map", expr.ty);
                    self.report(Code::TypeMismatch, message, body.span.clone(), expr.ty.to_string(), "use its parts");
                    return None;
                }
                let value = if readable(&expr.ty) { expr.ty.clone() } else { Type::Any };
                over(Macro::TransformMap, pairs, expr, Type::Map(Box::new(value)))
            }
            asked => {
                let expr = inner.coerce(expr, &Type::Bool, body.span.clone())?;
                let kind = match asked {
                    "all" => Macro::All,
                    "exists" => Macro::Exists,
                    _ => Macro::ExistsOne,
                };
                over(kind, pairs, expr, Type::Bool)
            }
        })
    }

    /// What a macro with two variables goes over.
    fn pairs(&self, of: &Ast, name: &Spanned) -> Option<Expr> {
        let span = of.span.clone();
        let of = self.check(of)?;
        let pair = match &of.ty {
            Type::List(_) if name.text == "transformMap" => {
                let message = "a list cannot be turned into a map: the keys of a map are texts";
                let help = "make a list: `transformList(i, v, …)`";
                self.report(Code::TypeMismatch, message, span, of.ty.to_string(), help);
                return None;
            }
            Type::List(element) => Type::Numbered(element.clone()),
            Type::Map(value) => Type::Entry(value.clone()),
            Type::Record(_) => Type::Entry(Box::new(Type::Any)),
            Type::Any => {
                let message =
                    format!("`{}` with two variables must know whether it goes over a list or a map", name.text);
                let help = "go over its `.entries()`, or declare the type";
                self.report(Code::TypeMismatch, message, span, "any", help);
                return None;
            }
            other => {
                let message = format!("`{}` goes over a list or a map", name.text);
                self.report(Code::TypeMismatch, message, span, other.to_string(), "");
                return None;
            }
        };
        let ty = Type::List(Box::new(pair));
        let (at, of) = (of.span.clone(), Box::new(of));
        let kind = if matches!(of.ty, Type::List(_)) { ExprKind::Numbered { of } } else { ExprKind::Entries { of } };
        Some(Expr::new(kind, ty).at(at))
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
        self.history_known(form, &all, args)?;
        self.rule_known(form, args)?;
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

    /// Whether a text matches one of several patterns: a list of literals, or a table of them in `data`. Each is compiled
    /// now, and the text is worked out once.
    fn matches_any(&self, of: &Ast, list: &Ast) -> Option<Expr> {
        let text = self.check(of)?;
        let text = self.coerce(text, &Type::Text, of.span.clone())?;
        let typed = self.check(list)?;
        let texts: Option<Vec<String>> = match (&typed.kind, self.table_value(&typed)) {
            (ExprKind::List(items), _) => items.iter().map(|item| self.constant(item).map(str::to_owned)).collect(),
            (_, Some(Value::Array(items))) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
            _ => None,
        };
        let Some(texts) = texts.filter(|texts| !texts.is_empty()) else {
            let help = "write a list of string literals, or name a list of texts in `data`";
            self.report(Code::BadPattern, "patterns must be known now", list.span.clone(), "not a constant list", help);
            return None;
        };
        let matches = FUNCTIONS.iter().copied().find(|function| function.name == "matches")?;
        let mut parts = Vec::new();
        for (place, text) in texts.into_iter().enumerate() {
            self.pattern(Expr::new(ExprKind::Text(text.clone()), Type::Text), list)?;
            let at = Box::new(Expr::new(ExprKind::Int(i64::try_from(place).unwrap_or(i64::MAX)), Type::Int));
            let of = Box::new(Expr::new(ExprKind::Index { of: Box::new(typed.clone()), at }, Type::Text));
            let pattern = Expr::new(ExprKind::Constant { text, of }, Type::Text);
            let args = vec![Expr::new(ExprKind::Variable(MATCHED.to_owned()), Type::Text), pattern];
            parts.push(Expr::new(ExprKind::Call { function: matches, args }, Type::Bool).at(self.placed(&list.span)));
        }
        Some(super::defined::bound(text, MATCHED.to_owned(), any_of(parts)?))
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
        let near = || function_meant(&name.text).map(|near| format!("did you mean `{near}`?"));
        let help = super::foreign::left_out(&name.text).map(str::to_owned).or_else(near);
        let help = help.unwrap_or_else(|| "see `hookgen functions` for all of them".to_owned());
        let message = format!("there is no function `{}`", name.text);
        self.report(Code::UnknownFunction, message, name.span.clone(), "not known", help);
    }
}

/// The text that is held against several patterns.
const MATCHED: &str = "text";

/// Whether one of them holds; halved again and again, so that many are not nested deeply.
fn any_of(mut parts: Vec<Expr>) -> Option<Expr> {
    if parts.len() < 2 {
        return parts.pop();
    }
    let later = parts.split_off(parts.len() / 2);
    let (left, right) = (Box::new(any_of(parts)?), Box::new(any_of(later)?));
    Some(Expr::new(ExprKind::Binary { op: BinaryOp::Or, left, right }, Type::Bool))
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
        "existsOne" => "write `list.exists_one(x, condition)` or `list.existsOne(i, x, condition)`".to_owned(),
        "transformList" | "transformMap" => {
            format!("write `map.{name}(k, v, …)` or `map.{name}(k, v, condition, …)`")
        }
        "matchesAny" => "write `text.matchesAny(list)`, with a list that is known now".to_owned(),
        "all" | "exists" => format!("write `list.{name}(x, condition)` or `map.{name}(k, v, condition)`"),
        _ => format!("write `list.{name}(x, condition)`"),
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
