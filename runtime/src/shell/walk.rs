//! Walks through a script as a shell would run it, and writes down every command on the way.
//!
//! Nothing is run. All branches are taken, each from the state before it; what a branch changed is in doubt after it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::World;
use super::command::Found;
use super::field::{Field, remember};
use super::moves::Moves;
use super::parser;
use super::place::Place;
use super::prints::Prints;
use super::shared::{Shared, TOO_DEEP};
use super::state::{Slot, State, Value};
use super::success::Needed;
use super::syntax::{Assigned, Body, List, Pipeline, Stage, Statement, Word};

/// Rounds of loops that are walked through one by one, counted over nested loops.
const MOST_ROUNDS: usize = 256;

thread_local! {
    /// The script of the last line. Taking it apart costs a tenth of what reading it costs, and a process that judges
    /// one line ends before it has to.
    static LAST_READ: RefCell<List> = const { RefCell::new(List::new()) };
}

#[derive(Debug)]
pub(super) struct Walker<'w> {
    pub(super) world: World<'w>,
    pub(super) shared: &'w Shared,
    pub(super) state: State,
    pub(super) commands: Vec<Found>,
    pub(super) functions: HashMap<String, Function>,
    /// How the current place was reached.
    pub(super) via: Vec<String>,
    via_of_commands: Option<Arc<[String]>>,
    /// The folder where the line starts.
    pub(super) base: Arc<str>,
    /// Names of the commands behind what is unresolved, by how it is written.
    pub(super) origins: HashMap<String, Vec<String>>,
    /// `$0` and the arguments after it, where a script was given them.
    pub(super) zeroth: Option<Field>,
    pub(super) positional: Option<Rc<Vec<Field>>>,
    /// Text that other descriptors than standard input hold; those with a name are one, since names are not followed.
    pub(super) descriptors: HashMap<i32, String>,
    /// Bodies of the functions that are being called.
    pub(super) calls: Vec<Rc<Stage>>,
    /// Names that the function being called keeps to itself.
    pub(super) locals: Vec<(String, Option<Slot>)>,
    pub(super) feed: Feed,
    /// Lists in `>(…)` that wait for what the current command prints.
    pub(super) outlets: Vec<Rc<List>>,
    /// The same behind descriptors that `exec` has opened; those with a name are one.
    pub(super) opened: HashMap<i32, Rc<List>>,
    /// Files that `exec` has opened, by their descriptors.
    pub(super) kept: HashMap<i32, Field>,
    /// Where the search around the current command looks.
    pub(super) searching: Vec<String>,
    /// Files that the line itself writes, by path.
    pub(super) files: HashMap<String, Feed>,
    /// Files that were read as code before the line has written them.
    pub(super) awaited: Vec<String>,
    /// Programs that the line has put elsewhere, by path.
    pub(super) copies: HashMap<String, String>,
    /// Commands of the current pipeline stage, without those of its substitutions.
    pub(super) direct: Vec<usize>,
    pub(super) depth: usize,
    /// Branches around the current place: whatever happens here may not happen.
    pub(super) branches: usize,
    /// Whether the line succeeds only if what is walked does.
    pub(super) decides: bool,
    /// Why what is walked is only possible; empty where the line runs it.
    pub(super) guess: &'static str,
    /// Assignments before the command that is being run.
    pub(super) env: Vec<String>,
    /// The user that wrappers have changed to.
    pub(super) user: Arc<str>,
    /// Where commands run, if not here.
    pub(super) place: Arc<Place>,
    /// Parts of words that come from outside the line, as they are written, with what they are otherwise.
    pub(super) absent: HashMap<String, Field>,
    /// Names that stand for other variables.
    pub(super) references: HashMap<String, String>,
    /// Links that the line makes, and where they lead.
    pub(super) links: HashMap<String, String>,
    rounds: usize,
    pub(super) moves: Moves,
}

#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) body: Rc<Stage>,
    pub(super) called: bool,
}

/// What arrives on standard input.
#[derive(Debug, Clone, Default)]
pub(super) struct Feed {
    pub(super) input: Option<String>,
    pub(super) from: Arc<Vec<String>>,
}

/// Text that a command prints, with marks where it may be another; `None` where nothing is known of it.
pub(super) type Output = Option<String>;

impl<'w> Walker<'w> {
    pub(super) fn new(world: World<'w>, shared: &'w Shared) -> Self {
        Self {
            world,
            shared,
            state: State::default(),
            commands: Vec::new(),
            functions: HashMap::new(),
            via: Vec::new(),
            via_of_commands: None,
            base: world.cwd.into(),
            origins: HashMap::new(),
            zeroth: None,
            positional: None,
            descriptors: HashMap::new(),
            calls: Vec::new(),
            locals: Vec::new(),
            feed: Feed::default(),
            outlets: Vec::new(),
            opened: HashMap::new(),
            kept: HashMap::new(),
            searching: Vec::new(),
            files: HashMap::new(),
            awaited: Vec::new(),
            copies: HashMap::new(),
            direct: Vec::new(),
            depth: 0,
            branches: 0,
            decides: true,
            guess: "",
            env: Vec::new(),
            user: Arc::default(),
            place: Arc::default(),
            absent: HashMap::new(),
            references: HashMap::new(),
            links: HashMap::new(),
            rounds: 1,
            moves: Moves::default(),
        }
    }

    /// Walks a whole line, and then the functions that it defines and does not call.
    pub(super) fn line(&mut self, text: &str) {
        let list = parser::parse(text, self.shared);
        self.list(&list);
        let mut functions: Vec<_> = self.functions.iter().filter(|(_, function)| !function.called).collect();
        functions.sort_by_key(|(name, _)| name.as_str());
        let functions: Vec<_> =
            functions.into_iter().map(|(name, function)| (name.clone(), Rc::clone(&function.body))).collect();
        for (name, body) in functions {
            let walk = |walker: &mut Self| walker.within(&format!("{name}()"), |walker| drop(walker.stage(&body)));
            self.deciding(false, |walker| walker.perhaps(walk));
        }
        self.run_awaited();
        LAST_READ.set(list);
    }

    /// Walks something one level deeper, unless that is too deep.
    pub(super) fn deeper<T: Default>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= self.shared.depth.steps {
            self.shared.stop(TOO_DEEP);
        }
        if self.shared.is_stopped() {
            return T::default();
        }
        self.depth += 1;
        let result = walk(self);
        self.depth -= 1;
        result
    }

    /// Walks something that is reached in a certain way.
    pub(super) fn within<T: Default>(&mut self, how: &str, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.via.push(how.to_owned());
        let outer = self.via_of_commands.take();
        let result = self.deeper(walk);
        self.via_of_commands = outer;
        self.via.pop();
        result
    }

    /// Walks something that cannot change the state around it.
    pub(super) fn apart<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.state.mark();
        let result = self.left_at_most(walk);
        self.state.roll_back(mark);
        result
    }

    /// Walks text as a script.
    pub(super) fn script(&mut self, text: &str) -> Output {
        self.deeper(|walker| {
            let list = parser::parse(text, walker.shared);
            walker.list(&list)
        })
    }

    pub(super) fn list(&mut self, list: &List) -> Output {
        let mut prints = Prints::default();
        for (nth, statement) in list.iter().enumerate() {
            if self.shared.is_stopped() {
                return None;
            }
            prints.add(self.statement(statement, self.needed(nth, list)));
        }
        prints.output(self.shared)
    }

    fn statement(&mut self, statement: &Statement, needed: Needed) -> Output {
        if statement.background {
            self.maybe_moving(|walker| {
                walker.apart(|walker| walker.within("background", |walker| walker.pipelines(statement, needed)))
            })
        } else {
            self.pipelines(statement, needed)
        }
    }

    fn pipelines(&mut self, statement: &Statement, needed: Needed) -> Output {
        let mut prints = Prints::default();
        let mut doubtful_from = None;
        let mut ways = self.ways();
        for (nth, pipeline) in statement.pipelines.iter().enumerate() {
            let sure = only_assigns(pipeline);
            let decides = pipeline.is_plain() && needed.has(nth);
            self.take_way(ways, pipeline.otherwise);
            let before = self.moves.here;
            if nth == 0 {
                prints.add(self.deciding(decides, |walker| walker.pipeline(pipeline)));
            } else {
                let walk = |walker: &mut Self| walker.perhaps(|walker| walker.pipeline(pipeline));
                prints.add_doubtful(self.deciding(decides, walk));
            }
            ways = self.ways_after(ways, before, pipeline);
            if !sure && doubtful_from.is_none() {
                doubtful_from = Some(self.state.mark());
            }
        }
        self.end_ways(ways);
        if let (Some(mark), true) = (doubtful_from, statement.pipelines.len() > 1) {
            self.state.doubt_since(mark);
        }
        prints.output(self.shared)
    }

    /// Walks something whose success is needed for that of what is around it, or is not.
    pub(super) fn deciding<T>(&mut self, decides: bool, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.decides;
        self.decides &= decides;
        let result = walk(self);
        self.decides = outer;
        result
    }

    /// Walks something that may not happen.
    pub(super) fn perhaps<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.branches += 1;
        let result = walk(self);
        self.branches -= 1;
        result
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Output {
        match pipeline.prefix.split_first() {
            None => self.stages(&pipeline.stages),
            Some(_) => {
                let prefix = pipeline.prefix.join(" ");
                self.within(&prefix, |walker| walker.stages(&pipeline.stages))
            }
        }
    }

    /// The way here, as the commands that are reached by it share it.
    pub(super) fn shared_via(&mut self) -> Arc<[String]> {
        let via = self.via_of_commands.get_or_insert_with(|| {
            self.shared.pay(32 * self.via.len());
            self.via.clone().into()
        });
        Arc::clone(via)
    }

    fn stages(&mut self, stages: &[Stage]) -> Output {
        if let [stage] = stages {
            return self.stage(stage);
        }
        let outer_feed = self.feed.clone();
        let outer_direct = std::mem::take(&mut self.direct);
        let mut direct = Vec::new();
        let mut output = None;
        for (nth, stage) in stages.iter().enumerate() {
            if nth > 0 {
                let names = self.names(&self.direct);
                self.feed.input = output;
                remember(Arc::make_mut(&mut self.feed.from), names);
                direct.push(std::mem::take(&mut self.direct));
            }
            let decides = self.needs_stage(nth, stages);
            output = self.deciding(decides, |walker| walker.apart(|walker| walker.stage(stage)));
        }
        direct.push(std::mem::take(&mut self.direct));
        let mut into: Vec<String> = Vec::new();
        for indices in direct.iter().rev() {
            for index in indices {
                if let Some(command) = self.commands.get_mut(*index) {
                    remember(&mut command.piped_into, into.iter().cloned());
                }
            }
            let mut nearer = self.names(indices);
            remember(&mut nearer, into);
            into = nearer;
        }
        self.feed = outer_feed;
        self.direct = outer_direct;
        self.direct.extend(direct.into_iter().flatten());
        output
    }

    fn names(&self, indices: &[usize]) -> Vec<String> {
        let mut names = Vec::new();
        for command in indices.iter().filter_map(|index| self.commands.get(*index)) {
            // A program that passes on what another machine has sent is no source of it.
            let sent = command.piped_from.iter().filter(|name| *name == "socket");
            remember(&mut names, command.sources.iter().chain(sent).cloned().chain([command.name.clone()]));
        }
        names
    }

    pub(super) fn stage(&mut self, stage: &Stage) -> Output {
        self.deeper(|walker| walker.body(stage))
    }

    fn body(&mut self, stage: &Stage) -> Output {
        if let Body::Simple { assigns, words } = &stage.body {
            return self.simple(assigns, words, &stage.redirects);
        }
        let flow = self.flow(&stage.redirects);
        let outer = flow.feed.clone().map(|feed| std::mem::replace(&mut self.feed, feed));
        if !flow.reads.is_empty() || !flow.writes.is_empty() {
            self.emit(String::new(), &[], &flow);
        }
        let outlets = std::mem::take(&mut self.outlets);
        let passes_on = matches!(stage.body, Body::Subshell(_) | Body::Group(_));
        let output = self.deciding(passes_on, |walker| walker.compound(&stage.body));
        self.outlets = outlets;
        self.fill_outlets("", output.as_ref());
        self.note_files(&flow, "", &[], output.as_ref());
        if let Some(outer) = outer {
            self.feed = outer;
        }
        flow.remaining(output)
    }

    fn compound(&mut self, body: &Body) -> Output {
        match body {
            Body::Simple { .. } => None,
            Body::Subshell(list) => self.apart(|walker| walker.within("subshell", |walker| walker.list(list))),
            Body::Group(list) => self.list(list),
            Body::If(branches) => self.conditional(branches),
            Body::Loop { condition, body, assigned, endless } => {
                self.doubt_assigned(assigned);
                let mark = self.state.mark();
                let mut prints = Prints::default();
                prints.add_doubtful(self.list(condition));
                let done = self.refused(condition.is_empty());
                let mut ends = None;
                let begin = self.moves.here;
                // Nothing in it waits, so that it starts one process after the other.
                let spawns = *endless && !body.is_empty() && body.iter().all(is_left_running);
                prints.add_doubtful(self.one_way(begin, &mut ends, |walker| {
                    walker.perhaps(|walker| {
                        walker.left_at_most(|walker| {
                            if spawns {
                                walker.within("endless loop", |walker| walker.list(body))
                            } else {
                                walker.list(body)
                            }
                        })
                    })
                }));
                self.meet(ends, done);
                self.state.doubt_since(mark);
                prints.output(self.shared)
            }
            Body::For { name, words, body, assigned } => {
                let fields = self.fields(words);
                if fields.is_empty() && !words.is_empty() {
                    return Some(String::new());
                }
                self.each(name, &fields, body, assigned)
            }
            Body::Case { word, arms } => self.case(word, arms),
            Body::Function { name, body } => {
                let function = Function { body: Rc::clone(body), called: false };
                self.functions.insert(name.clone(), function);
                Some(String::new())
            }
            Body::Test(words) => {
                for word in words {
                    let text = self.whole(word).text;
                    if text.contains("[$(") || text.contains("[`") {
                        self.prompt_text("test", &text);
                    }
                    if words.len() == 1 {
                        self.in_parentheses(&text);
                    }
                }
                Some(String::new())
            }
        }
    }

    /// Only the first condition is sure to be tried.
    fn conditional(&mut self, branches: &[(List, List)]) -> Output {
        let mut prints = Prints::default();
        if let Some((condition, _)) = branches.first() {
            prints.add(self.list(condition));
        }
        let mut changes = Vec::new();
        let mut ends = None;
        let mut otherwise = self.moves.here;
        for (nth, (condition, body)) in branches.iter().enumerate() {
            let mark = self.state.mark();
            if nth > 0 {
                self.moves.here = otherwise;
                prints.add_doubtful(self.perhaps(|walker| walker.list(condition)));
            }
            otherwise = self.refused(condition.is_empty());
            let begin = self.moves.here;
            prints.add_doubtful(self.one_way(begin, &mut ends, |walker| walker.perhaps(|walker| walker.list(body))));
            changes.extend(self.state.take_changes(mark));
        }
        self.meet(ends, otherwise);
        self.state.doubt(changes);
        prints.output(self.shared)
    }

    fn case(&mut self, word: &Word, arms: &[(Vec<Word>, List)]) -> Output {
        self.whole(word);
        let mut prints = Prints::default();
        let mut changes = Vec::new();
        let mut ends = None;
        let begin = self.moves.here;
        for (patterns, body) in arms {
            let mark = self.state.mark();
            for pattern in patterns {
                self.whole(pattern);
            }
            prints.add_doubtful(self.one_way(begin, &mut ends, |walker| walker.perhaps(|walker| walker.list(body))));
            changes.extend(self.state.take_changes(mark));
        }
        self.meet(ends, begin);
        self.state.doubt(changes);
        prints.output(self.shared)
    }

    fn each(&mut self, name: &str, fields: &[Field], body: &List, assigned: &Assigned) -> Output {
        let mut prints = Prints::default();
        let before = self.rounds;
        let one_by_one = !fields.is_empty() && before * fields.len() <= MOST_ROUNDS;
        let mark = self.state.mark();
        if one_by_one {
            self.rounds = before * fields.len();
            for field in fields {
                self.state.set(
                    name,
                    Value::One(Field {
                        glob: false,
                        ..if field.glob { field.clone().doubted() } else { field.clone() }
                    }),
                );
                prints.add_doubtful(self.left_at_most(|walker| walker.list(body)));
            }
            self.rounds = before;
        } else {
            self.doubt_assigned(assigned);
            self.state.set(name, Value::One(Field::unresolved(&format!("${name}"))));
            prints.add_doubtful(
                self.maybe_moving(|walker| walker.perhaps(|walker| walker.left_at_most(|walker| walker.list(body)))),
            );
        }
        self.state.doubt_since(mark);
        prints.output(self.shared)
    }

    fn doubt_assigned(&mut self, assigned: &Assigned) {
        let names = assigned.all.borrow();
        for name in names.get(assigned.range.clone()).unwrap_or_default() {
            self.state.doubt_name(name);
        }
    }

    /// A list whose output is taken: what it prints, and the names of what runs in it.
    pub(super) fn substitute(&mut self, list: &List, how: &str) -> (Output, Vec<String>) {
        let first = self.commands.len();
        let outer_direct = std::mem::take(&mut self.direct);
        let outer_feed = std::mem::take(&mut self.feed);
        let outlets = std::mem::take(&mut self.outlets);
        let walk = |walker: &mut Self| walker.apart(|walker| walker.within(how, |walker| walker.list(list)));
        let output = self.deciding(false, walk);
        self.outlets = outlets;
        self.direct = outer_direct;
        self.feed = outer_feed;
        let mut names = Vec::new();
        for command in self.commands.get(first..).unwrap_or_default() {
            remember(&mut names, command.sources.iter().cloned().chain([command.name.clone()]));
        }
        (output, names)
    }
}

fn only_assigns(pipeline: &Pipeline) -> bool {
    let assigns = |stage: &Stage| matches!(&stage.body, Body::Simple { words, .. } if words.is_empty());
    matches!(pipeline.stages.as_slice(), [stage] if assigns(stage) && stage.redirects.is_empty())
}

/// Whether nobody waits for the statement: `work &`, `(work &)`.
fn is_left_running(statement: &Statement) -> bool {
    let inner = |stage: &Stage| match &stage.body {
        Body::Subshell(list) => !list.is_empty() && list.iter().all(|inner| inner.background),
        _ => false,
    };
    statement.background || statement.pipelines.iter().all(|pipeline| pipeline.stages.iter().all(inner))
}
