//! Code of other languages on a command line: which files it may change.
//!
//! No language is parsed. Where a function is called that can change files, every text in the code that could be a path
//! counts; what is put together from parts is followed as far as the parts are texts.

use crate::shell::calls::quoted as literal;

/// What a piece of code changes.
#[derive(Debug, Default)]
pub(in crate::shell) struct Code {
    /// Paths, as they are written. What begins with `$` lies in a folder that the code works out.
    pub(super) changed: Vec<String>,
    /// Whether what is there may be gone afterwards.
    pub(super) deletes: bool,
    /// Whether what lies below the paths is changed as well.
    pub(super) below: bool,
    /// Whether something is put into a file that the code names by a variable.
    redirects: bool,
}

/// Functions that change files, in whichever language.
const CHANGING: &[&str] = &[
    "write_text",
    "write_bytes",
    "writeFile",
    "writeFileSync",
    "appendFile",
    "appendFileSync",
    "createWriteStream",
    "openSync",
    "copyFile",
    "copyFileSync",
    "cpSync",
    "rename",
    "renameSync",
    "replace",
    "unlink",
    "unlinkSync",
    "rm",
    "rmSync",
    "rmdir",
    "rmdirSync",
    "remove",
    "removeSync",
    "removedirs",
    "rmtree",
    "move",
    "copy",
    "copy2",
    "copyfile",
    "copytree",
    "truncate",
    "truncateSync",
    "chmod",
    "chmodSync",
    "symlink",
    "symlinkSync",
    "symlink_to",
    "link",
    "linkSync",
    "hardlink_to",
    "touch",
    "mkdir",
    "mkdirSync",
    "makedirs",
    "file_put_contents",
    "FileUtils",
    "delete",
    "spew",
    "urlretrieve",
    "extractall",
    "outputFile",
    "outputFileSync",
    "writeTextFile",
    "writeTextFileSync",
    "binwrite",
    "syswrite",
    "sysopen",
    "download",
    "O_WRONLY",
    "O_RDWR",
    "O_CREAT",
    "O_TRUNC",
    "O_APPEND",
    "Bun",
    "writeLines",
    "sink",
    "saveRDS",
    "WriteAllText",
    "WriteAllLines",
    "WriteAllBytes",
    "AppendAllText",
    "unpack_archive",
];

/// Those of them that fill a folder.
const FILLING: &[&str] = &["extractall", "unpack_archive", "copytree", "cpSync"];

/// Those of them after which a file or a whole folder is no longer where it was.
const DELETING: &[&str] = &[
    "rename",
    "renameSync",
    "replace",
    "unlink",
    "unlinkSync",
    "rm",
    "rmSync",
    "rmdir",
    "rmdirSync",
    "remove",
    "removeSync",
    "removedirs",
    "rmtree",
    "move",
    "FileUtils",
    "delete",
];

/// Functions that open files, for writing if a text beside it says so.
const OPENING: &[&str] = &["open", "fopen", "fdopen", "File", "FileIO", "IO"];

/// What makes a folder that is not written down as a text.
const PLACING: &[&str] = &[
    "home",
    "homedir",
    "expanduser",
    "expandvars",
    "environ",
    "getenv",
    "ENV",
    "ENVIRON",
    "_SERVER",
    "HOME",
    "env",
    "join",
    "joinpath",
    "chdir",
    "resolve",
    "argv",
    "format",
    "sprintf",
    "glob",
];

/// Texts that are looked at in one piece of code.
const MOST_TEXTS: usize = 256;

impl Code {
    /// The code among the words of a command.
    pub(in crate::shell) fn of_words(language: &str, words: &[String]) -> Self {
        let codes = words.iter().map(|word| Self::of(language, word)).collect::<Vec<_>>();
        let deletes = codes.iter().any(|code| code.deletes);
        let below = codes.iter().any(|code| code.below);
        // `awk -v f=FILE`: where the code prints may stand in a variable.
        let assigned = words.iter().filter(|_| is_awk(language) && codes.iter().any(Self::changes));
        let assigned = assigned.filter_map(|word| Some(word.split_once('=')?.1.to_owned()));
        let assigned: Vec<String> = assigned.collect();
        let changed = codes.into_iter().flat_map(|code| code.changed).chain(assigned).collect();
        Self { changed, deletes, below, redirects: false }
    }

    /// Whether it may change something; what, variables may hold.
    fn changes(&self) -> bool {
        self.redirects || !self.changed.is_empty()
    }

    pub(in crate::shell) fn of(language: &str, code: &str) -> Self {
        let Scan { names, texts, mut redirected } = scan(code);
        let has = |known: &[&str]| names.iter().any(|name| known.contains(name));
        // `print > f` of awk, `write(f, …)` of Julia, `cat(…, file = f)` of R.
        redirected |= is_awk(language) && has(&["print", "printf"]) && prints_into_variable(code)
            || language == "julia" && has(&["write"])
            || language.starts_with('R') && has(&["cat"]) && has(&["file"]);
        let writable = || texts.iter().any(|text| is_mode(text) || is_redirection(text));
        if !(has(CHANGING) || redirected || has(OPENING) && writable()) {
            return Self::default();
        }
        let placed = has(PLACING);
        let mut changed = Vec::new();
        for text in texts.iter().filter(|text| !is_mode(text)) {
            let path = text.trim_start_matches(['>', '+', '<', ' ']);
            // A path has no line breaks, and one in a folder that is worked out begins anywhere.
            if path.is_empty() || path.contains('\n') {
                continue;
            }
            changed.push(path.to_owned());
            if placed && !path.starts_with('~') {
                changed.push(format!("$code/{}", path.trim_start_matches('/')));
            }
        }
        Self { changed, deletes: has(DELETING), below: has(FILLING), redirects: redirected }
    }
}

fn is_awk(language: &str) -> bool {
    language.ends_with("awk")
}

/// Whether something is printed into what a variable names.
fn prints_into_variable(code: &str) -> bool {
    let targets = code.split('>').skip(1).map(str::trim_start);
    targets.into_iter().any(|target| target.starts_with(|first: char| first.is_ascii_alphabetic() || first == '('))
}

/// What the modes of `open` have that write.
fn is_mode(text: &str) -> bool {
    text.len() <= 3
        && text.bytes().all(|byte| b"rwaxbt+".contains(&byte))
        && text.bytes().any(|byte| b"wax+".contains(&byte))
}

/// Perl says in the path itself what it is opened for.
fn is_redirection(text: &str) -> bool {
    text.trim_start().starts_with('>') || text.trim_start().starts_with("+<")
}

/// Names and texts of a piece of code.
struct Scan<'c> {
    names: Vec<&'c str>,
    texts: Vec<String>,
    /// Whether something is printed into a text, as awk does.
    redirected: bool,
}

fn scan(code: &str) -> Scan<'_> {
    let mut scan = Scan { names: Vec::new(), texts: Vec::new(), redirected: false };
    let (mut at, mut since) = (0, None::<usize>);
    while let Some(byte) = code.as_bytes().get(at).copied() {
        if scan.texts.len() >= MOST_TEXTS {
            break;
        }
        if matches!(byte, b'"' | b'\'' | b'`') {
            let between = since.and_then(|end| code.get(end..at));
            scan.redirected |= code.get(..at).unwrap_or_default().trim_end().ends_with('>');
            let Some(text) = literal(code, &mut at) else { break };
            // `'a' + 'b'`, `'a' . 'b'` and `'a' 'b'` are one text.
            let glued = between.is_some_and(|between| between.bytes().all(|byte| b" +.\t".contains(&byte)));
            let whole = scan.texts.last().filter(|_| glued).map(|before| format!("{before}{text}"));
            scan.texts.extend([Some(text), whole].into_iter().flatten());
            since = Some(at);
        } else if byte.is_ascii_alphabetic() || byte == b'_' {
            let length =
                code.as_bytes().iter().skip(at).take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
            scan.names.extend(code.get(at..at + length));
            at += length;
        } else {
            at += 1;
        }
    }
    scan
}

#[cfg(test)]
mod tests {
    use super::super::tests::told;

    #[test]
    fn code_that_opens_a_file_for_writing_changes_it() {
        assert_eq!(told(r#"python3 -c "open('d1','w').write('text')""#), "modifies d1 text");
        assert_eq!(told(r#"python3 -c "open('d1' + 'd2', 'a')""#), "modifies d1 d2 d1d2");
        assert_eq!(told(r#"node -e "require('fs').writeFileSync('/etc/d1', 'text')""#), "modifies fs /etc/d1 text");
        assert_eq!(told(r#"perl -e "open(F, '>d1')""#), "modifies d1");
        assert_eq!(told(r#"awk 'BEGIN { print 1 > "d1" }'"#), "modifies d1");
        assert_eq!(
            told("python3 - <<'E'\nimport pathlib\npathlib.Path('d1').write_text('text')\nE"),
            "modifies d1 text"
        );
    }

    #[test]
    fn a_folder_that_is_worked_out_is_unknown() {
        assert_eq!(
            told(r#"python3 -c "import pathlib; (pathlib.Path.home()/'.d'/'e').touch()""#),
            "modifies .d $code/.d e $code/e"
        );
    }

    #[test]
    fn code_that_only_reads_changes_nothing() {
        for line in [
            r#"python3 -c "print(open('d1').read())""#,
            r#"python3 -c "open('d1','rb')""#,
            r#"node -e "console.log(require('fs').readFileSync('d1', 'utf8'))""#,
        ] {
            assert_eq!(told(line), "", "{line}");
        }
        assert_eq!(told(r"awk '{ print $1 }' d1"), "reads d1");
    }
}
