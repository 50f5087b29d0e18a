//! Words that other languages have for what this one says differently: no slip of the keys, and still only one answer.

/// What the function of another language is called here.
pub(super) fn function(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(_, others)| others.contains(&name)).map(|(ours, _)| *ours)
}

/// What the type of another language is called in a document's fields.
pub(super) fn field_type(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(_, others)| others.contains(&name)).map(|(ours, _)| *ours)
}

const FUNCTIONS: &[(&str, &[&str])] = &[
    ("size", &["len", "length", "strlen"]),
    ("contains", &["includes", "include", "has_substring"]),
    ("lowerAscii", &["lower", "toLower", "toLowerCase", "downcase", "tolower"]),
    ("upperAscii", &["upper", "toUpper", "toUpperCase", "upcase", "toupper"]),
    ("trim", &["strip"]),
    ("matches", &["match", "test", "search", "regex"]),
    ("exists", &["any", "some"]),
    ("all", &["every"]),
    ("string", &["str", "toString", "text"]),
    ("int", &["parseInt", "toInt", "integer"]),
    ("double", &["float", "parseFloat", "number"]),
    ("replacePattern", &["sub", "gsub", "replaceAll"]),
    ("substring", &["substr"]),
    ("fileExists", &["exist", "existsSync", "isFile", "file_exists"]),
    ("folderExists", &["isDir", "isDirectory", "is_dir", "dirExists"]),
    ("readText", &["readFile", "readFileSync", "read_file", "cat"]),
    ("basename", &["base", "filename"]),
    ("run", &["exec", "spawn", "system", "shell"]),
];

const TYPES: &[(&str, &[&str])] = &[
    ("string", &["str", "text"]),
    ("int", &["integer", "long"]),
    ("number", &["float", "double", "decimal"]),
    ("bool", &["boolean"]),
    ("any", &["object", "json"]),
];

#[cfg(test)]
mod tests {
    use hookgen_runtime::library::FUNCTIONS as LIBRARY;

    use super::super::call::BUILT_IN;
    use super::*;

    #[test]
    fn every_answer_exists_and_no_question_does() {
        let known = |name: &str| LIBRARY.iter().any(|function| function.name == name) || BUILT_IN.contains(&name);
        for (ours, others) in FUNCTIONS {
            assert!(known(ours), "{ours}");
            assert!(others.iter().all(|other| !known(other)), "{others:?}");
        }
        assert_eq!((function("len"), function("size")), (Some("size"), None));
    }
}
