//! Texts, read as statements about what they are and what they have.

use hookgen_runtime::Json;
use hookgen_runtime::representation::{Expr, Op, Type};

use super::atom::{Atom, Term, Where, finds, has};
use super::formula::Formula;
use super::pattern::Shape;
use super::read::{LONGEST, Reader, Scope, same};

impl<'r> Reader<'r> {
    pub(super) fn is(&self, expr: &'r Expr, scope: &Scope<'r>, text: &str) -> Formula {
        self.is_text(self.term(expr, scope), text)
    }

    /// A value is this text.
    pub(super) fn is_text(&self, term: usize, text: &str) -> Formula {
        let possible = self.known.borrow().terms.get(term).is_some_and(|term| {
            let listed = term.words.as_ref().is_none_or(|words| words.iter().any(|word| word == text));
            listed && self.can_have(term, None, text)
        });
        if !possible {
            return Formula::Known(false);
        }
        self.atom(format!("{term} is {text:?}"), Atom::Is { term, text: text.to_owned() })
    }

    /// A value has this text there.
    pub(super) fn has_text(&self, term: usize, at: Where, text: &str) -> Formula {
        if text.is_empty() {
            return Formula::Known(true);
        }
        if !self.known.borrow().terms.get(term).is_some_and(|term| self.can_have(term, Some(at), text)) {
            return Formula::Known(false);
        }
        self.atom(format!("{term} has {at:?} {text:?}"), Atom::Has { term, at, text: text.to_owned() })
    }

    /// Whether a value can have a text there, or be it: letters of one case alone are what a function leaves, and no blanks at
    /// the ends another one.
    fn can_have(&self, term: &Term<'r>, at: Option<Where>, text: &str) -> bool {
        let Op::Call(place, _) = &term.expr.op else { return true };
        let called = |symbol: &str| term.part.is_none() && self.is_called(*place, symbol);
        let starts = matches!(at, None | Some(Where::Start)) && text.starts_with(char::is_whitespace);
        let ends = matches!(at, None | Some(Where::End)) && text.ends_with(char::is_whitespace);
        !(called("lower_ascii") && text.contains(|c: char| c.is_ascii_uppercase())
            || called("upper_ascii") && text.contains(|c: char| c.is_ascii_lowercase())
            || called("trim") && (starts || ends))
    }

    pub(super) fn among(&self, expr: &'r Expr, sides: &'r [Expr; 2], scope: &Scope<'r>) -> Formula {
        let [item, list] = sides;
        let known = self.constant(item, scope);
        let words = match (self.constant(list, scope), &known) {
            (Some(Json::List(words)), _) => words,
            (None, Some(Json::Text(word))) if list.ty == Type::Text.list() => {
                return self.holds(self.term(list, scope), word);
            }
            _ => return self.opaque(expr, scope),
        };
        // An empty table is there to be filled by somebody else.
        if words.is_empty() || words.len() > LONGEST {
            return self.opaque(expr, scope);
        }
        if let Some(known) = known {
            let same: Option<Vec<bool>> = words.iter().map(|word| same(word, &known)).collect();
            return same.map_or_else(|| self.opaque(expr, scope), |same| Formula::Known(same.contains(&true)));
        }
        let texts: Option<Vec<&str>> = words
            .iter()
            .map(|word| match word {
                Json::Text(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        match texts {
            Some(texts) => Formula::any(texts.into_iter().map(|text| self.is(item, scope, text)).collect::<Vec<_>>()),
            None => self.opaque(expr, scope),
        }
    }

    pub(super) fn call(&self, expr: &'r Expr, place: usize, arguments: &'r [Expr], scope: &Scope<'r>) -> Formula {
        let ways = [("starts_with", Where::Start), ("ends_with", Where::End), ("contains", Where::Anywhere)];
        let way = ways.into_iter().find(|(symbol, _)| self.is_called(place, symbol)).map(|(_, at)| at);
        if let (Some(at), [of, part]) = (way, arguments)
            && let Some(Json::Text(part)) = self.constant(part, scope)
        {
            return match self.constant(of, scope) {
                Some(Json::Text(text)) => Formula::Known(has(&text, at, &part)),
                _ => self.has_text(self.term(of, scope), at, &part),
            };
        }
        if let [of, asked] = arguments {
            let pattern = || self.pattern(place, of, asked, scope);
            if let Some(read) = self.command(place, of, asked, scope).or_else(pattern) {
                return read;
            }
        }
        self.opaque(expr, scope)
    }

    /// What a pattern says of a text, where it is known what it finds.
    fn pattern(&self, place: usize, of: &'r Expr, asked: &'r Expr, scope: &Scope<'r>) -> Option<Formula> {
        let Op::Pattern(number) = &asked.op else { return None };
        let pattern = self.whole.patterns.get(*number).filter(|_| self.is_called(place, "matches"))?;
        if let Some(Json::Text(text)) = self.constant(of, scope) {
            return Some(Formula::Known(finds(pattern, &text)));
        }
        let shape = Shape::of(pattern)?;
        let term = self.term(of, scope);
        let one = |(at, text): (Option<Where>, String)| match at {
            Some(at) => self.has_text(term, at, &text),
            None => self.is_text(term, &text),
        };
        Some(match shape.words() {
            Some(words) => Formula::any(words.into_iter().map(one).collect::<Vec<_>>()),
            None => {
                let pattern = pattern.clone();
                self.atom(format!("{term} matches {pattern:?}"), Atom::Matches { term, pattern, shape })
            }
        })
    }
}
