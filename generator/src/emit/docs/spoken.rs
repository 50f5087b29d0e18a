//! Conditions in words: what an expression asks, for whoever reads no CEL.
//!
//! Operators, the common functions and the macros become words; whatever else an expression holds is shown as it was
//! written, as code. Names keep their spelling, since definitions and fields are looked up by it.

use super::markdown::code;
use crate::cel::{Ast, Binary, Node, Unary, parse};

/// A condition as a sentence without its full stop.
pub(super) fn condition(source: &str) -> String {
    match parse(source) {
        Ok(ast) => Speaker { source }.claim(&ast),
        // Every expression of a catalog parses; text of another origin shows as it is.
        Err(_) => code(source),
    }
}

struct Speaker<'s> {
    source: &'s str,
}

impl Speaker<'_> {
    fn as_written(&self, ast: &Ast) -> String {
        self.source.get(ast.span.clone()).map_or_else(String::new, code)
    }

    /// An expression that holds or does not.
    fn claim(&self, ast: &Ast) -> String {
        match &ast.node {
            Node::Bool(true) => "always".to_owned(),
            Node::Bool(false) => "never".to_owned(),
            Node::Unary { op: Unary::Not, of } => self.denied(of),
            Node::Binary { op: Binary::And, .. } => self.joined(ast, Binary::And, " and "),
            Node::Binary { op: Binary::Or, .. } => self.joined(ast, Binary::Or, " or "),
            Node::Binary { op, left, right } => {
                self.comparison(*op, left, right).unwrap_or_else(|| self.as_written(ast))
            }
            Node::Choice { when, then, otherwise } => {
                format!("{}, if {}; else {}", self.part(then), self.part(when), self.part(otherwise))
            }
            Node::Call { receiver, name, args } => {
                self.call(receiver.as_deref(), &name.text, args).unwrap_or_else(|| self.as_written(ast))
            }
            Node::Field { of, name } if name.text == "exists" => format!("there is {}", self.value(of)),
            Node::Field { of, name } if name.text == "valid" => format!("{} is sound", self.value(of)),
            _ => self.as_written(ast),
        }
    }

    /// A claim inside another one.
    fn part(&self, ast: &Ast) -> String {
        let said = self.claim(ast);
        let bound = match &ast.node {
            Node::Binary { op, .. } => matches!(op, Binary::And | Binary::Or),
            Node::Choice { .. } => true,
            Node::Call { name, .. } => matches!(name.text.as_str(), "exists" | "all" | "exists_one"),
            _ => false,
        };
        if bound { format!("({said})") } else { said }
    }

    fn joined(&self, ast: &Ast, op: Binary, word: &str) -> String {
        let mut sides = Vec::new();
        flatten(ast, op, &mut sides);
        let parts: Vec<String> = sides.iter().map(|side| self.part(side)).collect();
        parts.join(word)
    }

    fn denied(&self, ast: &Ast) -> String {
        match &ast.node {
            Node::Unary { op: Unary::Not, of } => self.claim(of),
            Node::Field { of, name } if name.text == "exists" => format!("there is no {}", self.value(of)),
            Node::Field { of, name } if name.text == "valid" => format!("{} is not sound", self.value(of)),
            Node::Call { receiver: Some(of), name, args } if name.text == "exists" && args.len() == 2 => {
                format!("for no {} of {}: {}", self.value(&args[0]), self.value(of), self.claim(&args[1]))
            }
            Node::Call { receiver: Some(of), name, args } if args.len() == 1 => {
                let verb = match name.text.as_str() {
                    "startsWith" => "does not begin with",
                    "endsWith" => "does not end with",
                    "contains" => "does not contain",
                    "matches" => "does not fit",
                    _ => return format!("not {}", self.part(ast)),
                };
                format!("{} {verb} {}", self.value(of), self.value(&args[0]))
            }
            Node::Call { receiver: None, name, args } if name.text == "has" && args.len() == 1 => {
                format!("{} is absent", self.value(&args[0]))
            }
            Node::Binary { op: Binary::In, left, right } => self.one_of(left, right, "is none of"),
            Node::Binary { .. } | Node::Choice { .. } => format!("not ({})", self.claim(ast)),
            _ => format!("not {}", self.part(ast)),
        }
    }

    fn comparison(&self, op: Binary, left: &Ast, right: &Ast) -> Option<String> {
        let emptiness = |op: Binary| match op {
            Binary::Equal => Some("is empty"),
            Binary::NotEqual | Binary::Greater => Some("is not empty"),
            _ => None,
        };
        if let (Some(counted), Node::Int(0), Some(word)) = (counted(left), &right.node, emptiness(op)) {
            return Some(format!("{} {word}", self.value(counted)));
        }
        if matches!(&right.node, Node::Text(text) if text.is_empty())
            && op != Binary::Greater
            && let Some(word) = emptiness(op)
        {
            return Some(format!("{} {word}", self.value(left)));
        }
        let word = match op {
            Binary::Equal => "is",
            Binary::NotEqual => "is not",
            Binary::Less => "is less than",
            Binary::LessEqual => "is at most",
            Binary::Greater => "is more than",
            Binary::GreaterEqual => "is at least",
            Binary::In => return Some(self.one_of(left, right, "is one of")),
            _ => return None,
        };
        Some(format!("{} {word} {}", self.value(left), self.value(right)))
    }

    fn one_of(&self, left: &Ast, right: &Ast, word: &str) -> String {
        let among = match &right.node {
            Node::List(items) => items.iter().map(|item| self.value(item)).collect::<Vec<_>>().join(", "),
            _ => self.value(right),
        };
        format!("{} {word} {among}", self.value(left))
    }

    fn call(&self, receiver: Option<&Ast>, name: &str, args: &[Ast]) -> Option<String> {
        Some(match (receiver, name, args) {
            (None, "has", [of]) => format!("{} is there", self.value(of)),
            (Some(of), "startsWith", [with]) => format!("{} begins with {}", self.value(of), self.value(with)),
            (Some(of), "endsWith", [with]) => format!("{} ends with {}", self.value(of), self.value(with)),
            (Some(of), "contains", [part]) => format!("{} contains {}", self.value(of), self.value(part)),
            (Some(of), "matches", [pattern]) => format!("{} fits {}", self.value(of), self.value(pattern)),
            (Some(of), "isWithin", [folder]) => format!("{} lies in {}", self.value(of), self.value(folder)),
            (Some(of), "exists", [variable, Ast { node: Node::Bool(true), .. }]) => {
                format!("there is some {} in {}", self.value(variable), self.value(of))
            }
            (Some(of), "exists", [variable, body]) => self.each("for some", of, variable, body),
            (Some(of), "exists_one", [variable, body]) => self.each("for exactly one", of, variable, body),
            (Some(of), "all", [variable, body]) => self.each("for every", of, variable, body),
            _ => return None,
        })
    }

    fn each(&self, how_many: &str, of: &Ast, variable: &Ast, body: &Ast) -> String {
        format!("{how_many} {} of {}: {}", self.value(variable), self.value(of), self.claim(body))
    }

    /// An expression that stands for something.
    fn value(&self, ast: &Ast) -> String {
        match &ast.node {
            Node::Text(text) if !text.is_empty() => code(text),
            Node::Int(number) => number.to_string(),
            _ => match counted(ast) {
                Some(of) => format!("the size of {}", self.as_written(of)),
                None => self.as_written(ast),
            },
        }
    }
}

fn flatten<'a>(ast: &'a Ast, wanted: Binary, sides: &mut Vec<&'a Ast>) {
    match &ast.node {
        Node::Binary { op, left, right } if *op == wanted => {
            flatten(left, wanted, sides);
            flatten(right, wanted, sides);
        }
        _ => sides.push(ast),
    }
}

/// What `size(…)` or `….size()` counts.
fn counted(ast: &Ast) -> Option<&Ast> {
    match &ast.node {
        Node::Call { receiver: None, name, args } if name.text == "size" => match args.as_slice() {
            [of] => Some(of),
            _ => None,
        },
        Node::Call { receiver: Some(of), name, args } if name.text == "size" && args.is_empty() => Some(of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_functions_and_macros_become_words() {
        for (source, words) in [
            ("size(line) > 0", "`line` is not empty"),
            ("line.size() == 0 && !on", "`line` is empty and not `on`"),
            ("size(a) >= 3", "the size of `a` is at least 3"),
            ("a || b && c", "`a` or (`b` and `c`)"),
            ("(a || b) && c", "(`a` or `b`) and `c`"),
            ("x == '' || y != 'z'", "`x` is empty or `y` is not `z`"),
            ("x in ['a', 'b']", "`x` is one of `a`, `b`"),
            ("!(x in data.names)", "`x` is none of `data.names`"),
            ("!plan.exists", "there is no `plan`"),
            ("plan.exists && plan.valid", "there is `plan` and `plan` is sound"),
            ("!path.startsWith('/')", "`path` does not begin with `/`"),
            ("folders.exists(f, p.isWithin(f))", "for some `f` of `folders`: `p` lies in `f`"),
            ("(a + b).exists(c, true)", "there is some `c` in `(a + b)`"),
            ("a && xs.all(x, x == 1) && b", "`a` and (for every `x` of `xs`: `x` is 1) and `b`"),
            ("!has(input.path)", "`input.path` is absent"),
            ("samePath(a, b)", "`samePath(a, b)`"),
            ("true", "always"),
        ] {
            assert_eq!(condition(source), words, "{source}");
        }
    }

    #[test]
    fn what_is_no_expression_shows_as_it_is() {
        assert_eq!(condition("a |"), "`a |`");
    }
}
