//! What the shell's own commands change: the folder, variables, and what runs later.

use super::field::Field;
use super::state::Value;
use super::walk::Walker;

/// Lines that `mapfile` is followed for.
const MOST_LINES: usize = 256;

impl Walker<'_> {
    pub(super) fn builtin(&mut self, name: &str, args: &[Field]) {
        match name {
            "cd" | "chdir" => {
                let operand = args.iter().find(|arg| !arg.text.starts_with('-') || arg.text == "-");
                let folder = operand.map_or_else(|| self.home(), Field::shown);
                self.shared.pay(8 * (folder.len() + self.state.folder().len()));
                self.state.enter(&folder);
            }
            "pushd" => {
                if let Some(folder) = args.iter().find(|arg| !arg.text.starts_with(['-', '+'])) {
                    self.state.push_folder(&folder.shown());
                }
            }
            "popd" => self.state.pop_folder(),
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(name, args),
            "unset" => {
                for arg in args.iter().filter(|arg| !arg.text.starts_with('-')) {
                    self.functions.remove(&arg.text);
                    self.state.set(&arg.text, Value::Unset);
                }
            }
            "read" | "mapfile" | "readarray" => self.read_lines(name, args),
            "getopts" | "let" => {
                for arg in args {
                    let name = arg.text.split(['=', '+']).next().unwrap_or_default();
                    self.forget(name);
                }
            }
            "printf" => self.print_into_variable(args),
            "shift" => self.positional = None,
            "set" => {
                self.switch(args);
                self.set_positional(args);
            }
            "trap" | "alias" => self.maybe_moving(|walker| walker.later_code(name, args)),
            "exit" | "return" | "break" | "continue" | "logout" => self.moves.leave(),
            _ => {}
        }
    }

    /// `printf -v name …`
    fn print_into_variable(&mut self, args: &[Field]) {
        if let [flag, variable, words @ ..] = args
            && flag.text == "-v"
        {
            match self.printed("printf", words) {
                Some(text) => self.state.set(&variable.text, Value::One(Field::known(text))),
                None => self.forget(&variable.text),
            }
        }
    }

    /// What a signal or a new name will run.
    fn later_code(&mut self, name: &str, args: &[Field]) {
        if name == "alias" {
            for value in args.iter().filter_map(|arg| arg.text.split_once('=').map(|(_, value)| value)) {
                self.later_script(name, value);
            }
            return;
        }
        let args = args.strip_prefix(&[Field::known("--")]).unwrap_or(args);
        if let [code, _, ..] = args
            && !code.text.starts_with('-')
        {
            self.later_script(name, &code.text);
        }
    }

    fn home(&self) -> String {
        self.variable("HOME").map_or_else(|| "~".to_owned(), |home| home.shown())
    }

    /// `read` and `mapfile` give their variables what arrives, where that is known.
    fn read_lines(&mut self, kind: &str, args: &[Field]) {
        let (mut names, mut source) = (Vec::new(), None);
        let is_array = kind == "read" && args.iter().any(|arg| is_cluster_with(&arg.text, 'a'));
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            match arg.text.strip_prefix('-') {
                Some(flags) if flags.ends_with('u') => source = rest.next(),
                Some(flags) => {
                    let valued = if kind == "read" { "dinNpt" } else { "dnCcOs" };
                    if flags.ends_with(|letter| valued.contains(letter)) {
                        rest.next();
                    }
                }
                None => names.push(arg.text.clone()),
            }
        }
        let text = match source {
            Some(descriptor) => self.descriptor_text(&descriptor.text),
            None => self.feed.input.clone(),
        };
        for name in ["REPLY", "MAPFILE"] {
            self.forget(name);
        }
        match (names.as_slice(), text) {
            ([name], Some(text)) if is_array => {
                let separators = self.separators();
                let pieces = super::field::split(text.lines().next().unwrap_or_default(), &separators).pieces;
                let words = pieces.into_iter().take(MOST_LINES).map(|word| Field::known(word).doubted());
                self.state.set(name, Value::Many(words.collect()));
            }
            ([name], Some(text)) if kind == "read" => {
                let line = text.lines().next().unwrap_or_default().trim();
                self.state.set(name, Value::One(Field::known(line).doubted()));
            }
            ([name], Some(text)) => {
                let lines = text.lines().take(MOST_LINES).map(|line| Field::known(line).doubted());
                self.state.set(name, Value::Many(lines.collect()));
            }
            (names, Some(text)) if kind == "read" && !names.is_empty() => self.read_words(names, &text),
            (names, _) => {
                for name in names {
                    let mut field = Field::unresolved(&format!("${name}"));
                    field.add_origins(&self.feed.from);
                    self.state.set(name, Value::One(field));
                }
            }
        }
    }

    /// `read a b c` gives each its word, and the last one the rest.
    fn read_words(&mut self, names: &[String], text: &str) {
        let separators = self.separators();
        let pieces = super::field::split(text.lines().next().unwrap_or_default(), &separators).pieces;
        for (nth, name) in names.iter().enumerate() {
            let last = nth + 1 == names.len();
            let value = if last {
                pieces.get(nth..).unwrap_or_default().join(" ")
            } else {
                pieces.get(nth).cloned().unwrap_or_default()
            };
            self.state.set(name, Value::One(Field::known(value).doubted()));
        }
    }

    fn forget(&mut self, name: &str) {
        self.state.set(name, Value::One(Field::unresolved(&format!("${name}"))));
    }

    fn declare(&mut self, kind: &str, args: &[Field]) {
        let inside = self.via.iter().any(|how| how.ends_with("()"));
        let is_reference = args.iter().any(|arg| is_cluster_with(&arg.text, 'n')) && kind != "export";
        for arg in args.iter().filter(|arg| !arg.text.starts_with('-')) {
            let (name, value) = match arg.text.split_once('=') {
                Some((name, value)) => (name.trim_end_matches('+'), Some(value)),
                None => (arg.text.as_str(), None),
            };
            if inside && matches!(kind, "local" | "declare" | "typeset") {
                self.locals.push((name.to_owned(), self.state.slot(name)));
            }
            if let (true, Some(target)) = (is_reference, value) {
                self.references.insert(name.to_owned(), target.to_owned());
                continue;
            }
            if let Some(value) = value {
                let field = Field { text: value.to_owned(), glob: false, origins: arg.origins.clone() };
                let value = Value::One(field);
                self.command_variable(name, &value);
                self.state.set(name, value);
            }
            if kind == "export" {
                self.state.export(name);
            }
        }
    }

    /// What `declare -n` has a name stand for.
    pub(super) fn referred<'n>(&'n self, name: &'n str) -> &'n str {
        if self.references.is_empty() {
            return name;
        }
        self.references.get(name).map_or(name, String::as_str)
    }

    fn set_positional(&mut self, args: &[Field]) {
        let names_option =
            |at: usize| at > 0 && args.get(at - 1).is_some_and(|before| is_cluster_with(&before.text, 'o'));
        let operands = (0..args.len()).find(|at| {
            args.get(*at).is_some_and(|arg| arg.text == "--" || !arg.text.starts_with(['-', '+']) && !names_option(*at))
        });
        if let Some(at) = operands {
            let skip = usize::from(args.get(at).is_some_and(|arg| arg.text == "--"));
            self.positional = Some(std::rc::Rc::new(args.get(at + skip..).unwrap_or_default().to_vec()));
        }
    }
}

fn is_cluster_with(text: &str, letter: char) -> bool {
    text.strip_prefix('-').is_some_and(|cluster| !cluster.starts_with('-') && cluster.contains(letter))
}
