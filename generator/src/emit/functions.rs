//! The reference of the expression language, made from the registry of its functions. One for all catalogs.

use hookgen_runtime::library::{FUNCTIONS, PROPERTIES};
use hookgen_runtime::signature::{Function, Object, Type};

use super::{Output, banner};

/// `reference/FUNCTIONS.md`, relative to the root of everything generated.
pub fn functions_output() -> Output {
    Output::new("reference/FUNCTIONS.md", page())
}

/// The whole page.
fn page() -> String {
    let sections = |functions: &[&Function]| functions.iter().map(|function| section(function)).collect::<String>();
    let objects: String = objects().into_iter().map(parts).collect();
    format!(
        "<!-- {} -->\n\n# Functions of the expression language\n\nEvery example holds; all of them are executed.\n\n## Values\n{}\n## Functions\n{}{objects}",
        banner("the library of functions"),
        sections(PROPERTIES),
        sections(FUNCTIONS),
    )
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
    fn the_parts_of_a_kind_of_value_are_explained_once() {
        assert_eq!(page().matches("\n## Command\n").count(), 1);
    }
}
