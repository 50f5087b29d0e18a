//! The reference of the expression language, made from the registry of its functions. One for all catalogs.

use hookgen_runtime::library::{FUNCTIONS, PROPERTIES};
use hookgen_runtime::signature::{Function, Object, Type};

use super::{Output, banner};

/// What the language has beside its library: macros over lists, conversions, and questions about values. Each is written
/// as it is called, with what it gives, what it means and an example that holds.
pub const BUILT_IN: &[[&str; 4]] = &[
    [
        "text.matchesAny(patterns)",
        "bool",
        "Whether one of several regular expressions matches somewhere in the text. They are known when the catalog is built: a list of literals, or a list of texts in `data`, also one that `use` brings in from a file of its own.",
        "'AKIA0123'.matchesAny(['^AKIA[0-9]+$', 'secret'])",
    ],
    [
        "list.all(name, condition)",
        "bool",
        "Whether every element satisfies the condition; true for an empty list.",
        "[1, 2].all(n, n > 0) == true",
    ],
    [
        "list.exists(name, condition)",
        "bool",
        "Whether some element satisfies the condition.",
        "[1, 2].exists(n, n > 1) == true",
    ],
    [
        "list.exists_one(name, condition)",
        "bool",
        "Whether exactly one element satisfies the condition.",
        "[1, 2].exists_one(n, n > 1) == true",
    ],
    [
        "list.filter(name, condition)",
        "list",
        "The elements that satisfy the condition, in order.",
        "[1, 2, 3].filter(n, n > 1) == [2, 3]",
    ],
    [
        "list.map(name, expression)",
        "list",
        "What the expression makes of each element, in order.",
        "[1, 2].map(n, n * 2) == [2, 4]",
    ],
    [
        "list.all(place, name, condition)",
        "bool",
        "`all`, `exists` and `existsOne` with two variables: place and element of a list, key and value of a map.",
        "{'a': 1, 'b': 2}.all(key, value, value > 0) == true",
    ],
    [
        "map.exists(key, value, condition)",
        "bool",
        "Whether some entry satisfies the condition; of a list, some element with its place.",
        "['a', 'b'].exists(place, name, place == 1 && name == 'b') == true",
    ],
    [
        "map.existsOne(key, value, condition)",
        "bool",
        "Whether exactly one entry satisfies the condition.",
        "{'a': 1, 'b': 2}.existsOne(key, value, value > 1) == true",
    ],
    [
        "map.transformList(key, value, expression)",
        "list",
        "What the expression makes of each entry, or of each element of a list with its place; with a condition before the \
         expression, of those that satisfy it.",
        "['a', 'b'].transformList(place, name, place > 0, name + string(place)) == ['b1']",
    ],
    [
        "map.transformMap(key, value, expression)",
        "map",
        "A map with the same keys and what the expression makes of each value; with a condition before the expression, of \
         the entries that satisfy it.",
        "{'a': 1, 'b': 2}.transformMap(key, value, value * 10).b == 20",
    ],
    [
        "has(record.field)",
        "bool",
        "Whether the field is there and not null. Asking never fails.",
        "has({'a': 1}.a) == true",
    ],
    [
        "size(value)",
        "int",
        "The number of characters of a text, of elements of a list, of entries of a map; also written `value.size()`.",
        "size('abc') == 3",
    ],
    [
        "map.entries()",
        "list of entry",
        "The entries of a map with their `key` and `value`, in order.",
        "{'a': 1}.entries().map(e, e.key) == ['a']",
    ],
    ["map.keys()", "list of text", "The keys of a map, in order.", "{'a': 1}.keys() == ['a']"],
    ["string(value)", "text", "A number, a truth value or a text as text.", "string(3) == '3'"],
    [
        "int(value)",
        "int",
        "A number or a text that is one as a whole number; anything else fails the hook.",
        "int('3') == 3",
    ],
    ["bool(value)", "bool", "A truth value, or a text that is one.", "bool('true') == true"],
    ["double(value)", "number", "A number or a text that is one.", "double('0.5') == 0.5"],
];

/// `reference/FUNCTIONS.md`, relative to the root of everything generated.
pub fn functions_output() -> Output {
    Output::new("reference/FUNCTIONS.md", page())
}

/// The whole page.
fn page() -> String {
    let sections = |functions: &[&Function]| functions.iter().map(|function| section(function)).collect::<String>();
    let objects: String = objects().into_iter().map(parts).collect();
    format!(
        "<!-- {} -->\n\n# Functions of the expression language\n\nEvery example holds; all of them are executed.\n\n{}\n## Values\n{}\n## Macros and conversions\n{}\n## Functions\n{}{objects}",
        banner("the library of functions"),
        language(),
        sections(PROPERTIES),
        built_in(),
        sections(FUNCTIONS),
    )
}

/// Where expressions are not those of CEL: what is refused when a catalog is built, and what has another value. There is
/// nothing else; `tests/cel` has the rest.
const DIFFERENCES: &[(&str, &str)] = &[
    (
        "Types are known when the catalog is built",
        "There are no `dyn` and no `type`, a list holds values of one type, both sides of a choice have one type, and values of types that are never equal are not compared: refused.",
    ),
    (
        "Left out",
        "Messages, bytes, unsigned numbers, timestamps and durations (`now` and `fileAge` tell the time), `transformMapEntry`, field names in backquotes, keys of maps that are not texts: refused.",
    ),
    (
        "Absent is empty",
        "A field or key that is not there, or is null, reads as the empty value of its type, and as null where no type is declared; CEL fails. `has()` and `in` tell the difference.",
    ),
    ("`has()` of null", "`has()` is false of a field that is there and null; CEL says true of maps."),
    (
        "`string()` of a double",
        "A double without a fraction is shown without one: `string(2.0)` is `2`, as in CEL; large and small ones are written out in full where CEL has an exponent. Null is the empty text.",
    ),
    (
        "Texts as numbers",
        "`int()` and `double()` overlook blanks around the number; CEL fails. A scalar in a document is read as the type that is declared for it.",
    ),
    (
        "Patterns",
        "A pattern is a text that is known when the catalog is built, in the syntax of Rust's `regex`, which has RE2's except for a few escapes.",
    ),
    ("Reserved words", "`if`, `for`, `let` and other words that CEL keeps for later are names like others."),
    (
        "Values of no declared type",
        "They are read as what their place needs: in a calculation with a whole number as one, without a fraction. Another type is a failure; so it is before `in`, where CEL says false.",
    ),
    (
        "Functions",
        "Those of the library are hookgen's own, also where an extension of CEL has one of the same name: `substring` beyond the end is what there is of it, and `split`, `join` and `replace` have no limits to be given.",
    ),
    (
        "More is taken",
        "A calculation with an int and a double is one with doubles, a comma may stand after the last argument of a call, a text in single quotes may go over several lines, and every blank of Unicode is one; CEL refuses.",
    ),
];

fn language() -> String {
    let rows = DIFFERENCES.iter().map(|(what, how)| format!("- **{what}.** {how}\n"));
    format!(
        "## Expressions\n\nExpressions are [CEL](https://cel.dev): operators, macros and conversions have the values and the failures that \
         its specification gives them. These are the differences, all of them:\n\n{}",
        rows.collect::<String>()
    )
}

fn built_in() -> String {
    let section = |[call, result, doc, example]: &[&str; 4]| {
        format!("\n### `{call}` → {result}\n\n{doc}\n\n```\n{example}\n```\n")
    };
    BUILT_IN.iter().map(section).collect()
}

fn parts(object: &Object) -> String {
    let row = |(name, kind, meaning): &(&str, Type, &str)| {
        format!("| `{name}` | {} | {} |", words(*kind), meaning.replace('|', "\\|"))
    };
    let rows: Vec<String> = object.parts.iter().map(row).collect();
    let (name, doc) = (object.name, object.doc);
    format!("\n## {name}\n\n{doc}\n\n| part | type | meaning |\n|---|---|---|\n{}\n", rows.join("\n"))
}

fn section(function: &Function) -> String {
    let params: Vec<String> = function.params.iter().map(|(name, kind)| format!("{name}: {}", words(*kind))).collect();
    let call = match function.receiver {
        Some(kind) => format!("{}.{}({})", words(kind), function.name, params.join(", ")),
        None if PROPERTIES.iter().any(|property| property.name == function.name) => function.name.to_owned(),
        None => format!("{}({})", function.name, params.join(", ")),
    };
    format!("\n### `{call}` → {}\n\n{}\n\n```\n{}\n```\n", words(function.result), function.doc, function.example)
}

/// The kinds of values that functions give or take, each once.
fn objects() -> Vec<&'static Object> {
    let mut objects: Vec<&'static Object> = Vec::new();
    for function in FUNCTIONS.iter().chain(PROPERTIES) {
        let kinds = function.params.iter().map(|(_, kind)| *kind).chain(function.receiver).chain([function.result]);
        for object in kinds.filter_map(object_in) {
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
    }
    objects
}

fn object_in(kind: Type) -> Option<&'static Object> {
    match kind {
        Type::Object(object) => Some(object),
        Type::List(inner) | Type::Map(inner) | Type::Entry(inner) => object_in(*inner),
        _ => None,
    }
}

fn words(kind: Type) -> String {
    match kind {
        Type::Bool => "bool".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Double => "number".to_owned(),
        Type::Text => "text".to_owned(),
        Type::Pattern => "pattern".to_owned(),
        Type::Any => "any".to_owned(),
        Type::Element => "element".to_owned(),
        Type::List(inner) => format!("list of {}", words(*inner)),
        Type::Map(inner) => format!("map of {}", words(*inner)),
        Type::Entry(inner) => format!("entry of {}", words(*inner)),
        Type::Object(object) => object.name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_on_the_page_with_its_example() {
        let page = page();
        for function in FUNCTIONS.iter().chain(PROPERTIES) {
            assert!(page.contains(function.doc) && page.contains(function.example), "{}", function.name);
        }
    }

    #[test]
    fn what_is_not_as_in_cel_is_said_here_and_where_hookgen_is_explained() {
        let whole = include_str!("../../../ARCHITECTURE.md").split_whitespace().collect::<Vec<_>>().join(" ");
        for (what, how) in DIFFERENCES {
            assert!(page().contains(how), "{what}");
            assert!(whole.contains(&format!("**{what}.** {how}")), "{what}");
        }
    }

    #[test]
    fn what_the_language_has_of_its_own_is_on_the_page() {
        let page = page();
        for name in crate::resolve::BUILT_IN.iter().chain(&["size"]) {
            assert!(BUILT_IN.iter().any(|[call, ..]| call.contains(&format!("{name}("))), "{name}");
        }
        assert!(BUILT_IN.iter().all(|[call, _, doc, example]| {
            page.contains(&format!("### `{call}`")) && page.contains(doc) && page.contains(example)
        }));
    }

    #[test]
    fn the_parts_of_a_kind_of_value_are_explained_once() {
        assert_eq!(page().matches("\n## Command\n").count(), 1);
    }
}
