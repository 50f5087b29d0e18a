//! Programs that make commands of what they read or find: `xargs`, `parallel`, `find -exec`.

use super::field::{Field, HOLE, HOLE_END, split};
use super::programs::{SHELLS, option_values};
use super::simple::name_of;
use super::tables::usage::skip_to as skip;
use super::walk::{Feed, Output, Walker};
use super::{effects, path};

/// Items that are read at all.
const MOST_WORDS: usize = 1024;
/// Items that are followed one by one.
const MOST_ITEMS: usize = 32;

/// A longer word is not put together: a mark of one letter could be everywhere in it.
const LONGEST_RESULT: usize = 1 << 18;

const PARALLEL_LONGS: &[&str] = &[
    "jobs",
    "results",
    "arg-file",
    "colsep",
    "max-args",
    "max-replace-args",
    "max-lines",
    "joblog",
    "delay",
    "timeout",
    "retries",
    "tmpdir",
    "workdir",
    "wd",
    "sshlogin",
    "sshloginfile",
    "tagstring",
    "halt",
    "load",
    "memfree",
    "nice",
    "replace",
    "basefile",
    "return",
    "env",
    "shellquote",
    "block",
    "recstart",
    "recend",
    "delimiter",
];
const XARGS_LONGS: &[&str] =
    &["arg-file", "delimiter", "max-args", "max-procs", "max-chars", "max-lines", "process-slot-var"];

impl Walker<'_> {
    pub(super) fn xargs(&mut self, args: &[Field]) -> Output {
        let from = skip(args, "adEILnPsSJR", XARGS_LONGS);
        let (own, template) = args.split_at(from);
        if template.is_empty() {
            return None;
        }
        let own_flag = |flag: &str| own.iter().any(|arg| arg.text == flag);
        let replace = if own_flag("-i") || own_flag("--replace") { Some("{}") } else { None }
            .or_else(|| option_values(own, "IJ", &[]).first().copied())
            .or_else(|| own.iter().find_map(|arg| arg.text.strip_prefix("--replace=")))
            .or_else(|| own.iter().find_map(|arg| arg.text.strip_prefix("-i")).filter(|text| !text.is_empty()));
        let feed = self.items_of(&option_values(own, "a", &["arg-file"]));
        let input = feed.input.clone();
        let is_null = |arg: &Field| arg.text == "--null" || arg.text.starts_with("-0") || arg.text.starts_with("-r0");
        let null = own.iter().any(is_null);
        let delimiter = option_values(own, "d", &["delimiter"]).first().map(|delimiter| {
            super::ansi::unescape(delimiter, super::ansi::Dialect::Echo).and_then(|text| text.chars().next())
        });
        let lines: Vec<Field> = input.iter().flat_map(|input| items(input, "\n")).collect();
        let items: Vec<Field> = match (input, delimiter) {
            (None, _) | (_, Some(None)) => vec![unseen(&feed)],
            (Some(input), Some(Some(delimiter))) => delimited(&input, delimiter),
            (Some(input), None) if null => delimited(&input, '\0'),
            (Some(input), None) => quoted_words(&input, replace.is_some()),
        };
        let outer = std::mem::take(&mut self.feed);
        if let Some(mark) = replace {
            let marked = template.iter().any(|field| field.text.contains(mark));
            for item in items.iter().take(MOST_ITEMS) {
                let mut fields: Vec<Field> = template.iter().map(|field| substituted(field, &[mark], item)).collect();
                // Whoever gives no mark meant the item to come last, whatever this xargs makes of it.
                fields.extend((!marked).then(|| item.clone().doubted()));
                self.inner_command("xargs", &fields);
            }
        } else {
            self.inner_command("xargs", &[template, &items].concat());
            // Where an item ends is up to options and platforms, and a shell may take one for code.
            let is_shell = template.first().is_some_and(|program| SHELLS.contains(&name_of(program).as_str()));
            for line in lines.iter().filter(|_| is_shell).take(MOST_ITEMS) {
                self.inner_command("xargs", &[template, std::slice::from_ref(line)].concat());
            }
        }
        self.feed = outer;
        None
    }

    /// What the words are taken from: files that the line has written, or standard input.
    fn items_of(&self, files: &[&str]) -> Feed {
        match files.last() {
            Some(file) => self.file_or_input(file),
            None => self.feed.clone(),
        }
    }

    pub(super) fn parallel(&mut self, args: &[Field], index: usize) -> Output {
        let is_source = |arg: &Field| arg.text.starts_with(":::");
        let sources = args.iter().position(is_source).unwrap_or(args.len());
        let (command, sources) = args.split_at(sources.min(args.len()));
        let template = command.get(skip(command, "jaCnNLISX", PARALLEL_LONGS)..).unwrap_or_default();
        for code in command.iter().filter_map(|arg| arg.text.split_once("{=")?.1.split_once("=}")) {
            drop(self.code("perl", code.0, &[]));
        }
        let mut items: Vec<Field> = Vec::new();
        let mut files = false;
        for arg in sources {
            if is_source(arg) {
                files = arg.text.starts_with("::::");
            } else {
                items.push(if files { Field::unresolved("{}") } else { arg.clone() });
            }
        }
        if sources.is_empty() {
            let feed = self.items_of(&option_values(command, "a", &["arg-file"]));
            if template.is_empty() {
                // Each line is a command.
                self.takes_code(index, &feed);
            }
            items = match &feed.input {
                Some(input) => super::inputs::items(input, "\n"),
                None => vec![unseen(&feed)],
            };
        }
        let outer = std::mem::take(&mut self.feed);
        let marks = ["{}", "{1}", "{2}", "{3}", "{.}", "{/}", "{//}", "{1.}", "{1/}"];
        for item in items.iter().take(MOST_ITEMS) {
            let has_mark = template.iter().any(|field| marks.iter().any(|mark| field.text.contains(mark)));
            let mut fields: Vec<Field> = template.iter().map(|field| substituted(field, &marks, item)).collect();
            if !has_mark {
                fields.push(item.clone());
            }
            match fields.as_slice() {
                [code] => drop(self.inner_script("parallel", &code.text.clone())),
                [code, item] if code.text.contains(' ') && !has_mark => {
                    let script = format!("{} {}", code.text, item.text);
                    self.inner_script("parallel", &script);
                }
                _ => drop(self.inner_command("parallel", &fields)),
            }
        }
        self.feed = outer;
        None
    }

    pub(super) fn find(&mut self, name: &str, args: &[Field]) -> Output {
        const RUNNING: &[&str] = &["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];
        let words: Vec<String> = args.iter().map(Field::shown).collect();
        let folder = path::join(&self.base, &self.state.folder());
        let command = words.iter().position(|word| RUNNING.contains(&word.as_str())).filter(|_| name != "find");
        let places = effects::printed(name, words.get(..command.unwrap_or(words.len())).unwrap_or_default(), &folder);
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            if !RUNNING.contains(&arg.text.as_str()) {
                continue;
            }
            let mut fields: Vec<Field> =
                rest.by_ref().take_while(|arg| !matches!(arg.text.as_str(), ";" | "+")).cloned().collect();
            // fd gives what it found to a command that does not say where.
            let of_fd = matches!(arg.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch");
            if of_fd && !fields.iter().any(|field| field.text.contains("{}")) {
                fields.push(Field::known("{}"));
            }
            let found = Field { origins: vec!["find".to_owned()], ..Field::unresolved("{}") };
            let fields: Vec<Field> = fields.iter().map(|field| substituted(field, &["{}"], &found)).collect();
            let outer = std::mem::take(&mut self.feed);
            let searching = std::mem::replace(&mut self.searching, places.clone());
            self.inner_command("find", &fields);
            self.searching = searching;
            self.feed = outer;
        }
        None
    }
}

/// Something that arrives from elsewhere.
fn unseen(feed: &Feed) -> Field {
    let mut field = Field::unresolved("{}");
    field.add_origins(&feed.from);
    field
}

/// What stands between single characters; nothing in it is special.
fn delimited(input: &str, delimiter: char) -> Vec<Field> {
    let pieces = split_holes(input.strip_suffix(delimiter).unwrap_or(input), |c| c == delimiter);
    pieces.into_iter().filter(|_| !input.is_empty()).take(MOST_WORDS).map(Field::known).collect()
}

fn split_holes(text: &str, separates: impl Fn(char) -> bool) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut inside = false;
    for character in text.chars() {
        inside = is_inside(inside, character);
        if !inside && separates(character) {
            pieces.push(String::new());
        } else if let Some(piece) = pieces.last_mut() {
            piece.push(character);
        }
    }
    pieces
}

/// Whether the text after a character is part of something unresolved.
fn is_inside(inside: bool, character: char) -> bool {
    inside && !HOLE_END.starts_with(character) || HOLE.starts_with(character)
}

/// Words as xargs and `env -S` read them: quotes and backslashes count, and where an item is a line, blanks before it do not.
pub(super) fn quoted_words(input: &str, by_line: bool) -> Vec<Field> {
    let mut words: Vec<Field> = Vec::new();
    let (mut word, mut quote, mut inside) = (None::<String>, None, false);
    let mut characters = input.chars();
    while let Some(character) = characters.next() {
        inside = is_inside(inside, character);
        let ends = character == '\n' || !by_line && matches!(character, ' ' | '\t');
        match quote {
            _ if inside => word.get_or_insert_default().push(character),
            Some(open) if open == character => quote = None,
            None if ends => words.extend(word.take().map(Field::known)),
            None if matches!(character, ' ' | '\t') && word.is_none() => {}
            None if matches!(character, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(character);
            }
            None if character == '\\' => word.get_or_insert_default().extend(characters.next()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    // A quote that does not end is an error of xargs, or so this one says.
    let last = word.map(Field::known).map(|word| if quote.is_some() { word.doubted() } else { word });
    words.into_iter().chain(last).take(MOST_WORDS).collect()
}

fn items(input: &str, separators: &str) -> Vec<Field> {
    let pieces = split(input, separators).pieces.into_iter().filter(|piece| !piece.is_empty());
    pieces.take(MOST_WORDS).map(|piece| Field::known(piece.replace(['\'', '"'], ""))).collect()
}

/// The word with an item in the place of marks.
fn substituted(field: &Field, marks: &[&str], item: &Field) -> Field {
    let mut result = field.clone();
    for mark in marks {
        // What stands inside a hole is only there to be shown.
        if mark.is_empty() || !result.is_resolved() || !result.text.contains(mark) {
            continue;
        }
        if result.text.matches(mark).count() * item.text.len() > LONGEST_RESULT {
            result = Field::unresolved(mark);
        } else {
            result.text = result.text.replace(mark, &item.text);
            result.add_origins(&item.origins);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(fields: Vec<Field>) -> Vec<String> {
        fields.into_iter().map(Field::into_shown).collect()
    }

    #[test]
    fn xargs_reads_quotes_and_backslashes() {
        assert_eq!(texts(quoted_words("a b\nc'd e'f g\\ h\n\n x \"\"", false)), ["a", "b", "cd ef", "g h", "x", ""]);
        assert_eq!(texts(quoted_words("  lead x \n'q r' s\n", true)), ["lead x ", "q r s"]);
        assert!(!quoted_words("a 'b", false)[1].is_resolved());
    }

    #[test]
    fn between_delimiters_nothing_is_special() {
        assert_eq!(texts(delimited("a 'b',,\\c,", ',')), ["a 'b'", "", "\\c"]);
        assert_eq!(texts(delimited("", ',')), [""; 0]);
        let hole = Field::unresolved("$(a,b)").text;
        assert_eq!(texts(delimited(&format!("x,{hole}"), ',')), ["x", "$(a,b)"]);
        assert_eq!(texts(quoted_words(&format!("{hole} y"), false)), ["$(a,b)", "y"]);
    }
}
