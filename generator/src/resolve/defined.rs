//! Definitions with parameters: written once, checked for the types that they are called with, and written out there.

use std::ops::Range;

use super::typing::{Checker, Scope};
use crate::cel::{Ast, Spanned};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Pointer;
use crate::model::{Expr, ExprKind, Macro, Type};

/// The name and the parameters of a definition, as its key says them.
pub(super) struct Signature<'k> {
    pub(super) name: &'k str,
    /// Names, each with the type that was written beside it.
    pub(super) params: Vec<(&'k str, Option<&'k str>)>,
}

/// What a key such as `holds(folder, path: string)` says; `None` is a plain name.
pub(super) fn signature(key: &str) -> Option<Signature<'_>> {
    let (name, rest) = key.split_once('(')?;
    let params = rest.strip_suffix(')')?.split(',').map(|param| match param.split_once(':') {
        Some((name, ty)) => (name.trim(), Some(ty.trim())),
        None => (param.trim(), None),
    });
    Some(Signature { name: name.trim(), params: params.collect() })
}

/// The name that a definition is used by: that of its key, without parameters.
pub(super) fn bare(key: &str) -> &str {
    signature(key).map_or(key, |signature| signature.name)
}

/// The type of that name, as messages say it.
fn named_type(word: &str) -> Option<Type> {
    let inner = |kind: &str| word.strip_prefix(kind)?.strip_prefix('<')?.strip_suffix('>').and_then(named_type);
    Some(match word {
        "bool" => Type::Bool,
        "int" => Type::Int,
        "double" => Type::Double,
        "string" => Type::Text,
        "any" => Type::Any,
        _ => match (inner("list"), inner("map")) {
            (Some(of), _) => Type::List(Box::new(of)),
            (_, Some(of)) => Type::Map(Box::new(of)),
            _ => return None,
        },
    })
}

/// The body of a definition with parameters at its own place.
pub struct Body {
    pub at: Pointer,
    pub expr: Expr,
    /// The places of the texts that call it.
    pub callers: Vec<Pointer>,
}

/// A definition with parameters that can be called.
#[derive(Clone)]
pub(super) struct Callable {
    /// Its key, with the parameters.
    pub(super) key: String,
    pub(super) source: String,
    pub(super) at: Pointer,
    /// How many definitions and callables of the hook stand before it; `None` for one of the catalog.
    pub(super) before: Option<(usize, usize)>,
}

impl super::Resolver<'_> {
    /// What can be said about a definition with parameters before anybody calls it.
    pub(super) fn callable(&self, callable: &Callable, scope: &Scope) {
        let Some(signature) = signature(&callable.key) else { return };
        let name = |text: &str| {
            text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let mut types = Vec::new();
        for (number, (param, ty)) in signature.params.iter().enumerate() {
            let twice = signature.params[..number].iter().any(|(other, _)| other == param);
            if !name(param) || twice {
                let what = if twice { "is there twice" } else { "is no name" };
                self.report(
                    Diagnostic::error(Code::BadName, format!("the parameter `{param}` {what}"))
                        .primary(self.document.key(&callable.at), "")
                        .help("write `name(one, other): …`, and a definition without parameters as `name: …`"),
                );
                return;
            }
            match ty.map(|word| (word, named_type(word))) {
                Some((word, None)) => {
                    self.report(
                        Diagnostic::error(Code::BadValue, format!("there is no type `{word}`"))
                            .primary(self.document.key(&callable.at), "")
                            .help(
                                "write bool, int, double, string, any, `list<string>` or `map<string>`, or none at all",
                            ),
                    );
                    return;
                }
                Some((_, Some(ty))) => types.push(Expr::new(ExprKind::Variable((*param).to_owned()), ty)),
                None => {}
            }
        }
        // With all types known, it is wrong or right whoever calls it; without, at least its syntax is.
        let checker = self.checker(&callable.at, scope);
        if types.len() == signature.params.len() {
            checker.body(callable, &signature, &types);
        } else if let Err(error) = crate::cel::parse(&callable.source) {
            checker.syntax(Code::ExpressionSyntax, error);
        }
    }
}

impl Checker<'_, '_> {
    /// The definition with parameters of that name.
    pub(super) fn callable(&self, name: &str) -> Option<Callable> {
        let own = self.scope.callables.iter().find(|callable| bare(&callable.key) == name).cloned();
        own.or_else(|| {
            let facts = self.resolver.written.facts.iter();
            let mut known = facts.filter(|(key, _)| signature(key).is_some_and(|signature| signature.name == name));
            let (key, source) = known.next()?;
            let at = Pointer::root().key("facts").key(key);
            Some(Callable { key: key.clone(), source: source.0.clone(), at, before: None })
        })
    }

    /// A call of a definition: its arguments are worked out once, and its body sees nothing but them and what it could
    /// see where it stands.
    pub(super) fn called(&self, callable: &Callable, name: &Spanned, args: &[Ast], span: Range<usize>) -> Option<Expr> {
        let signature = signature(&callable.key)?;
        self.resolver.called.borrow_mut().insert(callable.at.to_string());
        if args.len() != signature.params.len() {
            let message = format!("`{}` is not called like this", name.text);
            self.report(Code::BadArguments, message, span, "", format!("write `{}`", callable.key));
            return None;
        }
        let typed: Vec<Option<Expr>> = args
            .iter()
            .zip(&signature.params)
            .map(|(arg, (_, ty))| match ty.and_then(named_type) {
                Some(ty) => self.check(arg).and_then(|expr| self.coerce(expr, &ty, arg.span.clone())),
                None => self.check(arg),
            })
            .collect();
        let typed: Vec<Expr> = typed.into_iter().collect::<Option<_>>()?;
        let mut body = self.body(callable, &signature, &typed)?;
        if let Some(body) = self.resolver.bodies.borrow_mut().iter_mut().find(|body| body.at == callable.at) {
            body.callers.push(self.at.clone());
        }
        // A name that a macro of the body gives would catch the argument there.
        let bound_inside = body.bound_names().into_iter().map(str::to_owned);
        let mut taken: Vec<String> =
            self.scope.variables.iter().map(|(name, _)| name.clone()).chain(bound_inside).collect();
        let mut names = Vec::new();
        for (param, _) in &signature.params {
            let mut fresh = format!("{}_{param}", signature.name);
            while taken.contains(&fresh) {
                fresh.push('_');
            }
            taken.push(fresh.clone());
            names.push(((*param).to_owned(), fresh));
        }
        settle(&mut body, &names);
        Some(typed.into_iter().zip(names).rev().fold(body, |body, (value, (_, name))| bound(value, name, body)))
    }

    /// The body of a definition for arguments of those types.
    fn body(&self, callable: &Callable, signature: &Signature<'_>, args: &[Expr]) -> Option<Expr> {
        let meant = |name: &str, arg: &Expr| Expr::new(ExprKind::Variable(name.to_owned()), arg.ty.clone());
        let variables: Vec<(String, Expr)> =
            signature.params.iter().zip(args).map(|((name, _), arg)| ((*name).to_owned(), meant(name, arg))).collect();
        let types: Vec<String> = variables.iter().map(|(_, meant)| meant.ty.to_string()).collect();
        let tried = (callable.at.to_string(), types.join(", "));
        if self.resolver.unsound_calls.borrow().contains(&tried) {
            return None;
        }
        if self.resolver.calls.borrow().contains(&tried.0) {
            self.resolver.report(
                Diagnostic::error(Code::Cycle, format!("`{}` depends on itself", signature.name))
                    .primary(self.resolver.document.key(&callable.at), "defined in terms of itself")
                    .help("say it with `exists`, `all`, `filter` or `map` over a list"),
            );
            self.resolver.unsound_calls.borrow_mut().insert(tried);
            return None;
        }
        let own = callable.before.is_some();
        let (bindings, callables) = callable.before.unwrap_or_default();
        let scope = Scope {
            variables,
            bindings: self.scope.bindings.iter().take(bindings).cloned().collect(),
            callables: self.scope.callables.iter().take(if own { callables + 1 } else { 0 }).cloned().collect(),
            documents: if own { self.scope.documents.clone() } else { Vec::new() },
            later: Vec::new(),
            spends: Vec::new(),
            elements: Vec::new(),
            ..self.scope.clone()
        };
        self.resolver.calls.borrow_mut().push(tried.0.clone());
        let body = self.resolver.checker(&callable.at, &scope).expression(&callable.source);
        self.resolver.calls.borrow_mut().pop();
        let Some(expr) = &body else {
            self.resolver.unsound_calls.borrow_mut().insert(tried);
            return None;
        };
        let mut bodies = self.resolver.bodies.borrow_mut();
        if !bodies.iter().any(|body| body.at == callable.at) {
            bodies.push(Body { at: callable.at.clone(), expr: expr.clone(), callers: Vec::new() });
        }
        drop(bodies);
        body
    }
}

/// A body in another text: its variables under names that nothing there has, its places nowhere.
fn settle(expr: &mut Expr, names: &[(String, String)]) {
    expr.span = 0..0;
    match &mut expr.kind {
        ExprKind::Variable(name) => {
            if let Some((_, fresh)) = names.iter().find(|(param, _)| param == name) {
                name.clone_from(fresh);
            }
        }
        ExprKind::Macro { list, variable, body, .. } => {
            settle(list, names);
            let inner: Vec<_> = names.iter().filter(|(param, _)| param != variable).cloned().collect();
            settle(body, &inner);
        }
        _ => expr.children_mut().into_iter().for_each(|child| settle(child, names)),
    }
}

/// An expression that sees a value under a name: a list of that one value is gone over.
pub(super) fn bound(value: Expr, variable: String, body: Expr) -> Expr {
    let element = value.ty.clone();
    let list = Box::new(Expr::new(ExprKind::List(vec![value]), Type::List(Box::new(element))));
    let ty = body.ty.clone();
    let over = |kind, body| ExprKind::Macro { kind, list, variable, body: Box::new(body) };
    if ty == Type::Bool {
        return Expr::new(over(Macro::Exists, body), ty);
    }
    let of = Box::new(Expr::new(over(Macro::Map, body), Type::List(Box::new(ty.clone()))));
    let at = Box::new(Expr::new(ExprKind::Int(0), Type::Int));
    Expr::new(ExprKind::Index { of, at }, ty)
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;

    fn messages(facts: &str, lets: &str, when: &str) -> Vec<String> {
        let text = format!(
            "catalog: demo\nversion: 1.0.0\ndescription: Demo.\ndata: {{ kept: [/etc, /usr] }}\nfacts: {{ {facts} }}\nhooks:\n  \
             - id: H01\n    name: on-tool\n    event: PreToolUse\n    matcher: Bash\n    timeout: 1s\n    fail_safe: open\n    \
             why: Demo.\n    let: {{ {lets} }}\n    checks: [{{ id: one, when: \"{when}\", deny: no }}]\n"
        );
        let compiled = compile("demo.yaml".into(), text.into_bytes());
        compiled.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.message.clone()).collect()
    }

    const NONE: Vec<String> = Vec::new();

    #[test]
    fn a_definition_takes_what_its_body_can_do_with() {
        let kept = "\"kept(path)\": 'data.kept.exists(folder, path.startsWith(folder))'";
        assert_eq!(messages(kept, "", "kept(cwd) && kept(tool_input.command)"), NONE);
        assert_eq!(messages(kept, "", "kept(3)"), ["expected string, found int"]);
        assert_eq!(messages(kept, "", "kept()"), ["`kept` is not called like this"]);
    }

    #[test]
    fn the_body_sees_what_stands_before_it_and_nothing_of_its_caller() {
        let own = "before: cwd, \"same(text)\": 'text == before', after: cwd";
        assert_eq!(messages("", own, "same(after)"), NONE);
        let blind = "\"odd(text)\": 'text == outer'";
        assert_eq!(messages("", blind, "['a'].exists(outer, odd(outer))"), ["there is nothing named `outer` here"]);
    }

    #[test]
    fn a_definition_that_comes_back_to_itself_is_refused() {
        let circle = "\"one(x)\": 'two(x)', \"two(x)\": 'one(x)'";
        assert_eq!(messages(circle, "", "one(cwd)"), ["`one` depends on itself"]);
    }

    #[test]
    fn written_types_hold_whoever_calls() {
        assert_eq!(
            messages("\"long(text: string)\": 'text > 3'", "", "cwd == '/'"),
            ["string and int cannot be ordered"]
        );
        assert_eq!(messages("\"long(text: word)\": 'true'", "", "cwd == '/'"), ["there is no type `word`"]);
    }
}
