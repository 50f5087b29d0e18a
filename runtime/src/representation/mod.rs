//! A catalog in which every decision has been made: what both back ends read.
//!
//! Names are indices, every coercion is a node, and nothing here is spelt in any target's language. The compiler's
//! printer turns it into Rust; the evaluator walks it. Neither decides what an expression means.

#[cfg(feature = "evaluate")]
mod archive;
mod effect;
mod expression;
#[cfg(feature = "evaluate")]
mod file;
mod reach;
mod types;

use serde::{Deserialize, Serialize};

#[cfg(feature = "evaluate")]
pub use archive::{Archive, HookParts, Patch};
pub use effect::{Change, Effect, Holds, Limit, Named, Step, Sum, Way};
pub use expression::{Access, Arithmetic, Comparison, DocumentPart, Expr, Macro, Op, Span, SpentPart};
#[cfg(feature = "evaluate")]
pub use file::{FORMAT_VERSION, READS, encode};
pub use types::Type;

use crate::document::DocumentSpec;
use crate::json::Json;
use crate::program::Catalog;

/// A catalog as it runs.
#[derive(Debug, Serialize, Deserialize)]
pub struct Representation {
    /// The constants that the engine itself needs.
    pub catalog: Catalog,
    /// Where operators' settings are: a path, empty when there is none.
    pub config_file: Option<Text>,
    /// The file that switches the hooks off while it is there.
    pub dev_mode_file: Option<Text>,
    /// Library functions in use, by the name of their Rust function.
    pub functions: Vec<String>,
    /// Regular expressions in use.
    pub patterns: Vec<String>,
    /// Constant tables.
    pub tables: Vec<Table>,
    /// Facts, in catalog order.
    pub facts: Vec<Definition>,
    /// The catalog's documents, then those of each hook.
    pub documents: Vec<Document>,
    /// Texts that several checks share.
    pub messages: Vec<Message>,
    /// Command hooks, as `catalog.hooks` has them.
    pub hooks: Vec<Hook>,
}

/// An expression together with the text that it was written as.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// As written; the spans of the expression are places in it.
    pub source: String,
    /// What it means.
    pub value: Expr,
}

/// A constant table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its name in the catalog.
    pub name: String,
    /// What it holds.
    #[serde(with = "json_text")]
    pub value: Json<'static>,
    /// The type as which expressions see it.
    pub ty: Type,
}

/// A named expression: a fact of the catalog, or a `let` of a hook. Worked out at most once, when first asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// Its name in the catalog.
    pub name: String,
    /// What it is.
    pub text: Text,
}

/// A file that hooks read or write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Its constants.
    pub spec: DocumentSpec,
    /// The hook whose own it is.
    pub owner: Option<usize>,
    /// Where it is; empty means that there is no such file.
    pub path: Text,
}

/// A text that several checks share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Its name in the catalog.
    pub name: String,
    /// The text.
    pub text: Text,
}

/// What a hook does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hook {
    /// Its name in the catalog.
    pub name: String,
    /// The problem that it prevents.
    pub why: String,
    /// Whether it applies at all.
    pub gate: Option<Text>,
    /// Its definitions.
    pub lets: Vec<Definition>,
    /// The names under which checks know what was spent.
    pub spends: Vec<String>,
    /// Its checks, in order.
    pub checks: Vec<Check>,
}

/// A condition and what follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Its id in the hook.
    pub id: String,
    /// When it takes effect; always, if absent.
    pub when: Option<Text>,
    /// What follows, in order; a decision comes last.
    pub effects: Vec<Effect>,
}

impl Representation {
    /// The library function at that place, by the name of its Rust function.
    pub fn function(&self, place: usize) -> Option<&'static crate::signature::Function> {
        crate::library::by_symbol(self.functions.get(place)?)
    }
}

/// Tables travel as JSON text, which keeps the difference between whole numbers and others.
mod json_text {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use crate::json::Json;

    pub(super) fn serialize<S: Serializer>(value: &Json<'static>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.to_string())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Json<'static>, D::Error> {
        let text = String::deserialize(deserializer)?;
        Json::parse(&text).map(Json::into_owned).map_err(D::Error::custom)
    }
}
