//! Words that other languages have for what this one says differently: no slip of the keys, and still only one answer.

/// What the function of another language is called here.
pub(super) fn function(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(_, others)| others.contains(&name)).map(|(ours, _)| *ours)
}

/// What the type of another language is called in a document's fields.
pub(super) fn field_type(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(_, others)| others.contains(&name)).map(|(ours, _)| *ours)
}

/// What to do instead of calling a function that CEL has and this language leaves out.
pub(super) fn left_out(name: &str) -> Option<&'static str> {
    LEFT_OUT.iter().find(|(_, names)| names.contains(&name)).map(|(instead, _)| *instead)
}

const LEFT_OUT: &[(&str, &[&str])] = &[
    (
        "CEL's times are left out: `now.epoch` is this second as a whole number, `now.iso` and `now.date` are texts that can be \
         compared, and `fileAge(path)` is in seconds",
        &[
            "timestamp",
            "duration",
            "getFullYear",
            "getMonth",
            "getDate",
            "getDayOfMonth",
            "getDayOfWeek",
            "getDayOfYear",
            "getHours",
            "getMinutes",
            "getSeconds",
            "getMilliseconds",
        ],
    ),
    ("types are known when the catalog is built: leave it out", &["dyn", "type"]),
    ("there are no unsigned numbers: use `int(…)`", &["uint"]),
    ("there are no bytes, only texts: leave it out", &["bytes"]),
    ("`transformMap(k, v, …)` changes the values and keeps the keys", &["transformMapEntry"]),
];

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
        assert!(LEFT_OUT.iter().all(|(_, names)| names.iter().all(|name| !known(name))));
        assert!(left_out("timestamp").is_some() && left_out("size").is_none());
    }
}
