//! A check: a condition and what follows from it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Expression, Ordered, Template};

/// A condition and what follows from it.
///
/// Effects of one check happen in a fixed order: `spend`, `reset`, `forget`, `remember`, `note`, `record`, `write`, `append`,
/// `tally`, `delete`, `export`, `notify`, `log`, `advise`, `warn`, `inject`, `feedback`, `rewrite`, and last the decision. `deny`, `block`, `ask`, `allow` and `pass` decide and end
/// the hook. What changes files, memory or variables is done when the hook has come to its end, and only if its mode is
/// `enforce`: other checks of the same call see how things were before. `spend` alone counts at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Id, unique in the hook, in kebab-case.
    #[schemars(regex(pattern = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"))]
    pub id: String,
    /// Goes over a list, as `name in list`: the first element for which `when` holds decides, and what is said and done can
    /// speak of it, as in `${c.text}`.
    #[serde(rename = "for")]
    pub each: Option<String>,
    /// The check takes effect when this holds. Absent: always.
    pub when: Option<Expression>,
    /// Draw on counters, all or none.
    pub spend: Option<Spend>,
    /// Counters that start again from zero: `[edits]`, with all that they count apart, or `{ failures: tool_input.command }`
    /// for one key.
    #[serde(default)]
    pub reset: Keyed,
    /// What the session need not know any more: the reverse of `remember` and `note`.
    pub forget: Option<Forget>,
    /// Something to know for the rest of the session: `remembered('…')` with the same text is true from then on.
    pub remember: Option<Template>,
    /// Texts to know for the rest of the session, each under a name: `noted('<name>')` gives the last one.
    #[serde(default)]
    pub note: Ordered<Template>,
    /// What has happened, under names that the catalog declares in `history`: `[tests]`, or `{ failures: tool_input.command }`
    /// where it matters to what. `history('tests')` tells how often and how long ago.
    #[serde(default)]
    pub record: Keyed,
    /// Replace a document.
    pub write: Option<Write>,
    /// Add a line to a document.
    pub append: Option<Append>,
    /// Add to numbers in a JSON document.
    pub tally: Option<Tally>,
    /// Remove a document, or several.
    pub delete: Option<Names>,
    /// Environment variables for the rest of the session. Session start, cwd change and file change only.
    #[serde(default)]
    pub export: Ordered<Template>,
    /// Tell somebody by a program, such as a desktop notification: its name and its arguments, without a shell, in the
    /// project's folder. It is started once the answer is out, has five seconds, and what becomes of it changes nothing.
    #[serde(default)]
    pub notify: Vec<Template>,
    /// A line for the decision log.
    pub log: Option<Template>,
    /// Tell the person and the model the same.
    pub advise: Option<Template>,
    /// Tell the person.
    pub warn: Option<Template>,
    /// Tell the model.
    pub inject: Option<Template>,
    /// Tell the model what is wrong with what the tool just did.
    pub feedback: Option<Template>,
    /// Replace fields of the tool's input; the others stay.
    #[serde(default)]
    pub rewrite: Ordered<Template>,
    /// Refuse the tool call, with the reason for the model.
    pub deny: Option<Template>,
    /// Refuse to stop, to accept the prompt, to compact: with the reason.
    pub block: Option<Template>,
    /// Let the person decide, with the reason.
    pub ask: Option<Template>,
    /// Approve in the person's place: no permission prompt is shown.
    pub allow: Option<Template>,
    /// Nothing stands in the way; say why in the log and skip the remaining checks.
    pub pass: Option<Template>,
}

/// Draw on counters, all or none. An identical call (same key) costs nothing.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spend {
    /// Name of the result for later checks: `<name>.repeated`, `<name>.refused`, `<name>.<counter>.used`, `.limit` and
    /// `.refused`.
    #[serde(rename = "as")]
    pub name: String,
    /// What makes two calls the same call. Absent: every call counts.
    pub key: Option<Expression>,
    /// What the counters count for that are declared with `per`: each value has a count of its own.
    pub per: Option<Expression>,
    /// Counters and the limit of each.
    #[schemars(extend("minProperties" = 1))]
    pub from: Ordered<Expression>,
}

/// Names, as a whole or each for one key.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Keyed {
    /// As a whole.
    Whole(Vec<String>),
    /// For one key each.
    One(Ordered<Expression>),
}

impl Default for Keyed {
    fn default() -> Self {
        Self::Whole(Vec::new())
    }
}

/// What the session need not know any more.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Forget {
    /// A text that was remembered: `remembered('…')` with the same text is false from then on.
    pub remembered: Option<Template>,
    /// The name of a note, or several: `noted('<name>')` is empty from then on.
    pub noted: Option<Names>,
}

/// Replace a document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// The document.
    pub to: String,
    /// Its new text.
    pub text: Template,
}

/// Add a line to a document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Append {
    /// The document.
    pub to: String,
    /// The line. Line breaks inside it become blanks.
    pub line: Template,
    /// Text that makes the line superfluous if the document's last line already holds it. Of calls at the same time
    /// that would all add the line, one does.
    pub unless: Option<Template>,
}

/// Add to numbers in a JSON document. Parallel calls are all counted. A document in `state_dir` that cannot be read starts
/// afresh; any other is left alone.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// The document.
    pub to: String,
    /// Where its numbers are: the way of keys to the record that holds them, for example `['tools', tool_name]`. Absent:
    /// the document itself.
    pub at: Option<Expression>,
    /// Names of the numbers and how much is added to each. A number that is not there yet starts at zero.
    #[serde(default)]
    pub add: Ordered<Expression>,
    /// Names beside them and the new value of each, in the same step. A text of digits is written as a number.
    #[serde(default)]
    pub set: Ordered<Template>,
}

/// One name, or a list of them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Names {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl Names {
    /// All of them, each with its place in the list if there is one.
    pub fn iter(&self) -> impl Iterator<Item = (Option<usize>, &String)> {
        let (one, many) = match self {
            Self::One(name) => (Some((None, name)), None),
            Self::Many(names) => (None, Some(names.iter().enumerate().map(|(place, name)| (Some(place), name)))),
        };
        one.into_iter().chain(many.into_iter().flatten())
    }
}
