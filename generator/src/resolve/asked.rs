//! An expression that somebody asks about, beside those of the catalog.

use std::sync::Arc;

use super::Resolver;
use super::typing::{Checker, Scope};
use crate::document::{Document, Pointer};
use crate::model::{Fact, Record};

/// An expression outside of the catalog's file.
pub struct Asked {
    /// The text, which is all of its document.
    pub document: Document,
    /// The fields of the event that it may use.
    pub fields: Fields,
    /// The hook whose definitions it sees.
    pub hook: Option<String>,
}

/// Which fields of the event an expression may use outside of a hook.
pub enum Fields {
    /// Those of the event at hand.
    Event(Arc<Record>),
    /// Those of the events of the catalog's hooks.
    Catalog,
    /// Those of every event.
    Common,
}

impl Asked {
    /// What it sees outside of a hook.
    pub(super) fn scope(&self, resolver: &Resolver<'_>) -> Scope {
        match &self.fields {
            Fields::Event(payload) => Scope { payload: Arc::clone(payload), ..Scope::common() },
            Fields::Catalog => Scope::shared(resolver),
            Fields::Common => Scope::common(),
        }
    }
}

impl Resolver<'_> {
    /// The expression as a definition without a name, which nothing can refer to.
    pub(super) fn asked_fact(&self, asked: &Asked, scope: &Scope) -> Option<Fact> {
        let source = asked.document.source().text();
        let (document, at) = (&asked.document, Pointer::root());
        let checker = Checker { resolver: self, document, at: &at, offset: 0, scope: scope.clone() };
        Some(Fact { name: String::new(), source: source.to_owned(), expr: checker.expression(source)? })
    }
}
