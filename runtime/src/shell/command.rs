//! One command of a line, as a shell would start it.

use std::sync::{Arc, OnceLock};

use super::effects::{Effects, Subject};
use super::moves::Point;
use super::options::{self, Shape};
use super::path;
use super::place::Place;
use super::redirection::Redirection;
use crate::signature::object;

/// A command that a line runs, with everything that the line itself tells about it. Rules sort lists of them over and
/// over, so a copy costs nothing.
#[derive(Debug, Clone)]
pub struct Command(Arc<Inner>);

/// What was written down, and what is worked out from it on demand.
#[derive(Debug)]
struct Inner {
    found: Found,
    /// How each point of the line is reached.
    points: Arc<[Point]>,
    shape: OnceLock<Shape>,
    paths: OnceLock<Vec<String>>,
    text: OnceLock<String>,
    effects: OnceLock<Effects>,
}

/// A command as it is written down on the way.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) program: String,
    pub(super) name: String,
    pub(super) args: Vec<String>,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) piped_into: Vec<String>,
    pub(super) piped_from: Arc<Vec<String>>,
    pub(super) input: String,
    pub(super) directory: String,
    pub(super) base: Arc<str>,
    pub(super) via: Arc<[String]>,
    pub(super) runs: &'static str,
    pub(super) code_from: Vec<String>,
    pub(super) known: bool,
    pub(super) unresolved: Vec<String>,
    pub(super) decides: bool,
    /// The point of the line where it starts.
    pub(super) point: usize,
    /// Why it is only possible; empty if the line runs it.
    pub(super) guess: &'static str,
    /// Assignments before it.
    pub(super) env: Vec<String>,
    /// The user that a wrapper runs it as.
    pub(super) user: Arc<str>,
    /// Where it runs, if not here.
    pub(super) place: Arc<Place>,
    pub(super) redirects: Vec<Redirection>,
    /// Names of variables that the line does not set.
    pub(super) variables: Vec<String>,
    /// The code that a shell or an interpreter is given.
    pub(super) script: String,
    /// The catalog says that it deletes what it is given.
    pub(super) deleter: bool,
    /// Names of the commands whose output is in the files that it reads.
    pub(super) sources: Vec<String>,
    /// Where searches have looked whose output is among its words.
    pub(super) searched: Vec<String>,
}

impl Command {
    pub(super) fn new(found: Found, points: Arc<[Point]>) -> Self {
        Self(Arc::new(Inner {
            found,
            points,
            shape: OnceLock::new(),
            paths: OnceLock::new(),
            text: OnceLock::new(),
            effects: OnceLock::new(),
        }))
    }

    /// The program as resolved, with its path if it has one.
    pub fn program(&self) -> &str {
        &self.0.found.program
    }

    /// The program's name without folders; empty when it cannot be known.
    pub fn name(&self) -> &str {
        &self.0.found.name
    }

    /// All words after the program.
    pub fn args(&self) -> &[String] {
        &self.0.found.args
    }

    /// Options, one by one: `-rf` is `-r` and `-f`, `--force=x` is `--force`.
    pub fn options(&self) -> &[String] {
        &self.shape().options
    }

    /// Words that are neither options nor their values.
    pub fn operands(&self) -> &[String] {
        &self.shape().operands
    }

    /// The operands as paths from the folder that the command runs in.
    pub fn paths(&self) -> &[String] {
        self.0.paths.get_or_init(|| {
            let base = self.folder();
            // A tilde that is still there was quoted or came out of a variable. Whoever wrote it meant home.
            self.operands().iter().map(|operand| self.0.found.place.here(&path::join(&base, operand))).collect()
        })
    }

    /// What a program such as git is asked to do; empty for programs without subcommands.
    pub fn subcommand(&self) -> &str {
        &self.shape().subcommand
    }

    /// The operands after the subcommand.
    pub fn rest(&self) -> &[String] {
        self.shape().rest()
    }

    /// Files that it is redirected from.
    pub fn inputs(&self) -> &[String] {
        &self.0.found.inputs
    }

    /// Files that it is redirected to.
    pub fn outputs(&self) -> &[String] {
        &self.0.found.outputs
    }

    /// Places that it looks into.
    pub fn reads(&self) -> &[String] {
        &self.effects().reads
    }

    /// Places that it creates or gives another content.
    pub fn writes(&self) -> &[String] {
        &self.effects().writes
    }

    /// Places that it changes where they are.
    pub fn modifies(&self) -> &[String] {
        &self.effects().modifies
    }

    /// Places from which it takes what is there.
    pub fn deletes(&self) -> &[String] {
        &self.effects().deletes
    }

    /// Whether it is known what the program does with the files that it is given.
    pub fn understood(&self) -> bool {
        self.effects().known
    }

    /// Names of the commands that read its output, nearest first.
    pub fn piped_into(&self) -> &[String] {
        &self.0.found.piped_into
    }

    /// Names of the commands whose output it reads, nearest last.
    pub fn piped_from(&self) -> &[String] {
        &self.0.found.piped_from
    }

    /// Text on its standard input, where the line tells it.
    pub fn input(&self) -> &str {
        &self.0.found.input
    }

    /// The folder that it runs in; empty is where the line starts.
    pub fn directory(&self) -> &str {
        &self.0.found.directory
    }

    /// The wrappers, shells and constructs that lead to it, outermost first.
    pub fn via(&self) -> &[String] {
        &self.0.found.via
    }

    /// Where a shell or an interpreter takes its code from: `input`, `text`, `file`; empty for other programs.
    pub fn runs(&self) -> &str {
        self.0.found.runs
    }

    /// Names of the commands whose output it runs as code.
    pub fn code_from(&self) -> &[String] {
        &self.0.found.code_from
    }

    /// Whether every word of it is resolved.
    pub fn known(&self) -> bool {
        self.0.found.known
    }

    /// The words that depend on what the line does not tell, as they are written.
    pub fn unresolved(&self) -> &[String] {
        &self.0.found.unresolved
    }

    /// Whether the line cannot succeed unless it does.
    pub fn decides(&self) -> bool {
        self.0.found.decides
    }

    /// Why it is only possible; empty if the line runs it.
    pub fn guess(&self) -> &str {
        self.0.found.guess
    }

    /// Assignments before it, as they are written.
    pub fn env(&self) -> &[String] {
        &self.0.found.env
    }

    /// The user that `sudo` and its like run it as; empty where nobody changes it.
    pub fn user(&self) -> &str {
        &self.0.found.user
    }

    /// The other machine that it runs on; empty where it is this one.
    pub fn host(&self) -> &str {
        &self.0.found.place.host
    }

    /// The container that it runs in; empty where it is none.
    pub fn image(&self) -> &str {
        &self.0.found.place.image
    }

    /// Folders of this machine that the container has, and where.
    pub fn mounts(&self) -> &[String] {
        &self.0.found.place.shown
    }

    /// Its redirections, in their order.
    pub fn redirects(&self) -> &[Redirection] {
        &self.0.found.redirects
    }

    /// Names of the variables in it that the line does not set.
    pub fn variables(&self) -> &[String] {
        &self.0.found.variables
    }

    /// The code that a shell or an interpreter is given on the line.
    pub fn script(&self) -> &str {
        &self.0.found.script
    }

    /// The command as one would type it.
    pub fn text(&self) -> &str {
        self.0.text.get_or_init(|| {
            let nameless = self.0.found.program.is_empty() && self.0.found.args.is_empty();
            let words = std::iter::once(&self.0.found.program)
                .chain(&self.0.found.args)
                .filter(|_| !nameless)
                .map(|word| quoted(word));
            words.collect::<Vec<_>>().join(" ")
        })
    }

    /// What has happened to work trees on the ways that lead here; the last point is where the command starts. Empty
    /// where no way does.
    pub(crate) fn points(&self) -> &[Point] {
        self.0.found.point.checked_add(1).and_then(|length| self.0.points.get(..length)).unwrap_or_default()
    }

    /// The folder whose work tree it works in, if it is git.
    pub(crate) fn work_tree(&self) -> String {
        super::checkout::work_tree(&self.folder(), if self.name() == "git" { self.args() } else { &[] })
    }

    /// The folder that it runs in, from the root where that is known.
    fn folder(&self) -> String {
        path::join(&self.0.found.base, &self.0.found.directory)
    }

    /// The values of an option, spellings separated by `|`.
    pub fn option_values(&self, option: &str) -> Vec<String> {
        let spellings: Vec<&str> = option.split('|').collect();
        options::values(&self.0.found.name, &self.0.found.args, &spellings)
    }

    fn effects(&self) -> &Effects {
        self.0.effects.get_or_init(|| {
            let found = &self.0.found;
            let mut effects = Effects::of(&Subject {
                name: &found.name,
                args: &found.args,
                shape: Some(self.shape()),
                folder: &self.folder(),
                inputs: &found.inputs,
                outputs: &found.outputs,
                runs: found.runs,
                input: &found.input,
                deleter: found.deleter,
                unresolved: &found.unresolved,
                searched: &found.searched,
            });
            effects.seen_from(&found.place);
            effects
        })
    }

    fn shape(&self) -> &Shape {
        self.0.shape.get_or_init(|| options::shape(&self.0.found.name, &self.0.found.args))
    }
}

/// A word with quotes around it if it needs them.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+~{}*?[]$".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

object! {
    /// How expressions see a command.
    pub COMMAND: Command,
    doc: "A command that a line runs, wherever it stands in it.",
    parts: {
        "name": name -> Text, "the program's name without folders; empty when only running the line would tell";
        "program": program -> Text, "the program as resolved, with its path if it has one";
        "args": args -> List<Text>, "all words after the program";
        "options": options -> List<Text>, "options one by one: `-rf` is `-r` and `-f`, `--force=x` is `--force`";
        "operands": operands -> List<Text>, "words that are neither options nor their values";
        "paths": paths -> List<Text>, "the operands as paths from the folder that the command runs in";
        "subcommand": subcommand -> Text, "what a program such as git is asked to do; empty for programs without subcommands";
        "rest": rest -> List<Text>, "the operands after the subcommand";
        "inputs": inputs -> List<Text>, "files that it is redirected from";
        "outputs": outputs -> List<Text>, "files that it is redirected to";
        "reads": reads -> List<Text>, "paths that it looks into, by redirections or by what the program does: `cat`, `grep`, \
             `curl -T`";
        "writes": writes -> List<Text>, "paths that it creates or gives another content, by redirections or by what the \
             program does; one that ends with `/**` stands for whatever lies or will lie below";
        "modifies": modifies -> List<Text>, "paths that it changes where they are: `sed -i`, `chmod`, code that writes";
        "deletes": deletes -> List<Text>, "paths from which it takes what is there: `rm`, `mv`, `git clean`";
        "understood": understood -> Bool, "whether it is known what the program does with the files that it is given";
        "pipedInto": piped_into -> List<Text>, "names of the commands that read its output, nearest first";
        "pipedFrom": piped_from -> List<Text>, "names of the commands whose output it reads, nearest last";
        "input": input -> Text, "text on its standard input, where the line tells it";
        "directory": directory -> Text, "the folder that it runs in; empty is where the line starts";
        "via": via -> List<Text>, "the wrappers, shells and constructs that lead to it, outermost first";
        "runs": runs -> Text, "where a shell or interpreter takes its code from: `input`, `text`, `file`; else empty";
        "codeFrom": code_from -> List<Text>, "names of the commands whose output a shell or interpreter runs as code";
        "known": known -> Bool, "whether every word of it is resolved";
        "unresolved": unresolved -> List<Text>, "the words that depend on what the line does not tell";
        "decides": decides -> Bool, "whether the line succeeds only if this command does: not before `;`, `|` or `&`, beside \
             `||`, behind `!`, in a condition or a loop, or where its output is substituted; but before `;` after `set \
             -e`, before `|` after `set -o pipefail`, and before `|| exit 1`";
        "guess": guess -> Text, "of a possible command, why it is only that: `wrapper`, `text`, `empty`; else empty";
        "env": env -> List<Text>, "assignments before it: `A=1`";
        "user": user -> Text, "the user that `sudo`, `su` and their like run it as; empty where nobody changes it";
        "host": host -> Text, "the other machine that `ssh` and its like run it on; empty where it is this one";
        "image": image -> Text, "the image or name of the container that it runs in; empty where it is none";
        "mounts": mounts -> List<Text>, "folders of this machine that the container has, as `folder:place`";
        "variables": variables -> List<Text>, "names of the variables in it that the line does not set";
        "script": script -> Text, "the code that a shell or an interpreter is given on the line";
        "text": text -> Text, "the command as one would type it";
    }
}
