//! What the shell's own commands change: the folder, variables, and what runs later.

use super::field::Field;
use super::state::Value;
use super::walk::Walker;

impl Walker<'_> {
    pub(super) fn builtin(&mut self, name: &str, args: &[Field]) {
        match name {
            "cd" | "chdir" => {
                let operand = args.iter().find(|arg| !arg.text.starts_with('-') || arg.text == "-");
                let folder = operand.map(Field::shown).unwrap_or_else(|| self.home());
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
            "read" | "mapfile" | "readarray" | "getopts" | "let" => {
                for arg in args.iter().filter(|arg| !arg.text.starts_with('-')) {
                    let name = arg.text.split(['=', '+']).next().unwrap_or_default();
                    self.forget(name);
                }
                self.forget("REPLY");
                self.forget("MAPFILE");
            }
            "printf" => {
                if let [flag, variable, ..] = args {
                    if flag.text == "-v" {
                        let name = variable.text.clone();
                        self.forget(&name);
                    }
                }
            }
            "shift" => self.positional = None,
            "set" => self.set_positional(args),
            "trap" => {
                let args = args.strip_prefix(&[Field::known("--")]).unwrap_or(args);
                if let [code, _, ..] = args {
                    if !code.text.starts_with('-') {
                        self.inner_script("trap", &code.text.clone());
                    }
                }
            }
            "alias" => {
                for arg in args {
                    if let Some((_, value)) = arg.text.split_once('=') {
                        self.inner_script("alias", value);
                    }
                }
            }
            _ => {}
        }
    }

    fn home(&self) -> String {
        self.variable("HOME").map_or_else(|| "~".to_owned(), |home| home.shown())
    }

    fn forget(&mut self, name: &str) {
        self.state.set(name, Value::One(Field::unresolved(&format!("${name}"))));
    }

    fn declare(&mut self, kind: &str, args: &[Field]) {
        let inside = self.via.iter().any(|how| how.ends_with("()"));
        for arg in args.iter().filter(|arg| !arg.text.starts_with('-')) {
            let (name, value) = match arg.text.split_once('=') {
                Some((name, value)) => (name.trim_end_matches('+'), Some(value)),
                None => (arg.text.as_str(), None),
            };
            if inside && matches!(kind, "local" | "declare" | "typeset") {
                self.locals.push((name.to_owned(), self.state.get(name).cloned()));
            }
            if let Some(value) = value {
                let field = Field { text: value.to_owned(), glob: false, origins: arg.origins.clone() };
                let value = Value::One(field);
                self.command_variable(name, &value);
                self.state.set(name, value);
            }
        }
    }

    fn set_positional(&mut self, args: &[Field]) {
        let operands = args.iter().position(|arg| !arg.text.starts_with(['-', '+']) || arg.text == "--");
        if let Some(at) = operands {
            let skip = usize::from(args.get(at).is_some_and(|arg| arg.text == "--"));
            self.positional = Some(std::rc::Rc::new(args.get(at + skip..).unwrap_or_default().to_vec()));
        }
    }
}
