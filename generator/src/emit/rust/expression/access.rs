//! Things that have a name, and parts of things.

use quote::{format_ident, quote};

use heck::ToSnakeCase;
use hookgen_runtime::representation::{Access, DocumentPart, Expr, Op, SpentPart, Type};

use super::Writer;
use super::literal::string;
use crate::bug::Bug;
use crate::emit::rust::code::{Code, Form, receiver};
use crate::emit::rust::tables::is_constant_table;
use crate::emit::rust::types::reader;

impl Writer<'_> {
    /// Something that the catalog or the event has under a name.
    pub(super) fn named(&self, expr: &Expr) -> Result<Code, Bug> {
        let (facts, names) = (&self.facts, &self.whole.names);
        let missing = || Bug::new(format!("nothing is at {:?}", expr.op));
        match &expr.op {
            Op::Payload => Code::plain(quote!(#facts.event())),
            Op::Env(name) => {
                let name = string(name);
                Code::made(quote!(#facts.call().env(#name)), &Type::Text)
            }
            Op::Flag(place) => {
                let name = names.flags.get(*place).ok_or_else(missing)?;
                Code::plain(quote!(#facts.config().flag(flags::#name)))
            }
            Op::Choice(place) => {
                let name = names.choices.get(*place).ok_or_else(missing)?;
                Code::reference(quote!(#facts.config().choice(choices::#name)), true)
            }
            Op::Threshold(place) => {
                let name = names.thresholds.get(*place).ok_or_else(missing)?;
                let method = if expr.ty == Type::Int { quote!(int) } else { quote!(double) };
                Code::plain(quote!(#facts.config().#method(thresholds::#name)))
            }
            Op::Table(place) => {
                let name = names.tables.get(*place).ok_or_else(missing)?;
                match &expr.ty {
                    ty if is_constant_table(ty) && ty.is_plain() => Code::plain(quote!(data::#name)),
                    ty if is_constant_table(ty) => Code::reference(quote!(data::#name), true),
                    Type::List(of) => {
                        let reader = reader(of);
                        Code::new(quote!(Node::new(&data::#name, Origin::Data).list(#reader)?), Form::Value)
                    }
                    _ => Code::plain(quote!(Node::new(&data::#name, Origin::Data))),
                }
            }
            Op::Message(place) => {
                let name = names.messages.get(*place).ok_or_else(missing)?;
                Code::made(quote!(messages::#name(#facts)?), &Type::Text)
            }
            Op::Fact(place) => {
                let name = names.facts.get(*place).ok_or_else(missing)?;
                lent(quote!(#facts.#name()?), &expr.ty)
            }
            Op::Let(place) => {
                let own = self.hook.and_then(|hook| names.lets.get(hook));
                let (lets, name) = (&self.lets, own.and_then(|own| own.get(*place)).ok_or_else(missing)?);
                lent(quote!(#lets.#name()?), &expr.ty)
            }
            Op::Document(place, part) => self.document_part(*place, *part),
            Op::Spent(place, part) => {
                let spent = self.spends.get(*place).ok_or_else(missing)?;
                Code::plain(match part {
                    SpentPart::Repeated => quote!(#spent.repeated),
                    SpentPart::Refused => quote!(#spent.refused()),
                    SpentPart::Used(counter) => quote!(#spent.used(#counter)),
                    SpentPart::Limit(counter) => quote!(#spent.limit(#counter)),
                    SpentPart::CounterRefused(counter) => quote!(#spent.counter_refused(#counter)),
                })
            }
            other => Err(Bug::new(format!("{other:?} has no name"))),
        }
    }

    /// A document of the call.
    pub(in crate::emit::rust) fn document(&self, place: usize) -> Result<proc_macro2::TokenStream, Bug> {
        let facts = &self.facts;
        let name = self.whole.names.documents.get(place);
        let name = name.ok_or_else(|| Bug::new(format!("there is no document {place}")))?;
        Ok(quote!(documents::#name(#facts)?))
    }

    fn document_part(&self, place: usize, part: DocumentPart) -> Result<Code, Bug> {
        let document = self.document(place)?;
        match part {
            DocumentPart::Exists => Code::plain(quote!(#document.exists())),
            DocumentPart::Valid => Code::plain(quote!(#document.valid())),
            DocumentPart::Problem => Code::reference(quote!(#document.problem()), true),
            DocumentPart::Path => Code::reference(quote!(#document.path()), true),
            DocumentPart::Size => Code::plain(quote!(#document.size())),
            DocumentPart::Text => Code::reference(quote!(#document.text()?), true),
            DocumentPart::Body => Code::reference(quote!(#document.body()?), true),
            DocumentPart::Root => Code::plain(quote!(#document.root()?)),
        }
    }

    /// A part of something.
    pub(super) fn access(&self, expr: &Expr) -> Result<Code, Bug> {
        let ty = &expr.ty;
        match &expr.op {
            Op::Part(of, name) => {
                let of = self.code(of)?;
                let (lasting, of) = (of.lasts(), receiver(&of.expr));
                let name = format_ident!("{}", name.to_snake_case());
                if ty.is_plain() {
                    Code::plain(quote!(#of.#name()))
                } else {
                    Code::reference(quote!(#of.#name()), lasting)
                }
            }
            Op::Access(of, step) => self.step(of, step),
            Op::Has(of, name) => {
                let (of, name) = (self.receiver_of(of)?, string(name));
                Code::plain(quote!(#of.at(#name).present()))
            }
            Op::IsNull(of) => {
                let of = self.receiver_of(of)?;
                Code::plain(quote!(!#of.present()))
            }
            Op::Read(of) => self.read(of, ty),
            Op::EntryKey(of) => {
                let of = self.code(of)?;
                let (lasting, of) = (of.lasts(), receiver(&of.expr));
                if ty.is_plain() { Code::plain(quote!(#of.key)) } else { Code::reference(quote!(&*#of.key), lasting) }
            }
            Op::EntryValue(of) => {
                let of = self.code(of)?;
                let (lasting, of) = (of.lasts(), receiver(&of.expr));
                match ty {
                    ty if ty.is_plain() => Code::plain(quote!(#of.value)),
                    Type::Text | Type::List(_) => Code::reference(quote!(&*#of.value), lasting),
                    _ => Code::reference(quote!(&#of.value), lasting),
                }
            }
            Op::Entries(of) => {
                let of = self.receiver_of(of)?;
                let reader = match ty {
                    Type::List(entry) => match &**entry {
                        Type::Entry(value) => reader(value),
                        other => return Err(Bug::new(format!("{other} is no entry"))),
                    },
                    other => return Err(Bug::new(format!("{other} is no list of entries"))),
                };
                Code::new(quote!(#of.entries(#reader)?), Form::Value)
            }
            Op::Members(of) => {
                let of = self.receiver_of(of)?;
                Code::new(quote!(#of.members()), Form::Value)
            }
            Op::Numbered(of) => {
                let of = self.value(of)?;
                Code::new(quote!(operators::numbered(#of)), Form::Value)
            }
            Op::Keys(of) => {
                let of = self.code(of)?.expr;
                Code::new(quote!(operators::keys(#of)?), Form::Value)
            }
            Op::MapSize(of) => {
                let of = self.code(of)?.expr;
                Code::plain(quote!(operators::map_size(#of)?))
            }
            Op::Element(list, at) => {
                let code = self.code(list)?;
                let lasting = code.lasts();
                let (list, at) = (code.into_reference(&list.ty)?, self.settled(at)?);
                match ty {
                    ty if ty.is_plain() => Code::plain(quote!(*operators::element(#list, #at)?)),
                    Type::Text | Type::List(_) => Code::reference(quote!(&**operators::element(#list, #at)?), lasting),
                    _ => Code::reference(quote!(operators::element(#list, #at)?), lasting),
                }
            }
            other => Err(Bug::new(format!("{other:?} is no part of anything"))),
        }
    }

    fn receiver_of(&self, expr: &Expr) -> Result<proc_macro2::TokenStream, Bug> {
        Ok(receiver(&self.code(expr)?.expr))
    }

    fn step(&self, of: &Expr, step: &Access) -> Result<Code, Bug> {
        let of = self.receiver_of(of)?;
        match step {
            Access::Field(name) => {
                let name = string(name);
                Code::plain(quote!(#of.at(#name)))
            }
            Access::Key(key) => {
                let key = self.reference(key)?;
                Code::plain(quote!(#of.key(#key)))
            }
            Access::Element(at) => {
                let at = self.settled(at)?;
                Code::plain(quote!(*operators::element(&#of.list(Ok)?, #at)?))
            }
        }
    }

    /// What is at a place, as a type.
    fn read(&self, of: &Expr, ty: &Type) -> Result<Code, Bug> {
        let of = self.receiver_of(of)?;
        match ty {
            Type::Text => Code::new(quote!(#of.text()?), Form::Value),
            Type::Int => Code::plain(quote!(#of.int()?)),
            Type::Double => Code::plain(quote!(#of.double()?)),
            Type::Bool => Code::plain(quote!(#of.boolean()?)),
            Type::List(element) => {
                let reader = reader(element);
                Code::new(quote!(#of.list(#reader)?), Form::Value)
            }
            Type::Node => Code::plain(quote!(#of)),
            Type::Record => Code::plain(quote!(#of.record()?)),
            other => Err(Bug::new(format!("no place holds a {other}"))),
        }
    }
}

/// A definition, as it is handed out.
fn lent(tokens: proc_macro2::TokenStream, ty: &Type) -> Result<Code, Bug> {
    if ty.is_plain() { Code::plain(tokens) } else { Code::reference(tokens, true) }
}
