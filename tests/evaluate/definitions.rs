//! A call of a definition with parameters means its body with the arguments in it, whatever anything is called.

use serde_json::json;

use super::both::{accepted, evaluated, is_sound};
use super::grown::{Definition, Grower};

/// Called so that names which are made of theirs and of a parameter's are those of variables as well.
const NAMES: [&str; 4] = ["d0", "d0_x", "d3", "d3_d0"];

/// How many catalogs are grown, and how many expressions for each.
const CATALOGS: u64 = 60;
const EXPRESSIONS: usize = 25;

/// How often a call may stand within another one.
const DEEPEST: usize = 6;

/// The expression with each call written out: its arguments under names that nothing else has, and then under those of the
/// parameters. Arguments are leaves, so that a comma and a bracket end them.
fn written_out(expression: &str, definitions: &[Definition], depth: usize) -> Option<String> {
    let call = definitions.iter().filter_map(|definition| {
        let head = format!("{}(", definition.name);
        let starts = |at: usize| !expression[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let at = expression.match_indices(&head).map(|(at, _)| at).find(|at| starts(*at))?;
        Some((at, head.len(), definition))
    });
    let Some((at, head, definition)) = call.min_by_key(|(at, ..)| *at) else { return Some(expression.to_owned()) };
    let inner = &expression[at + head..];
    let end = inner.find(')')?;
    let (one, two) = inner[..end].split_once(", ")?;
    let (own, rest) = (depth.checked_sub(1)?, written_out(&inner[end + 1..], definitions, depth)?);
    let [(first, _), (second, _)] = definition.params;
    let body = written_out(&definition.body, definitions, own)?;
    Some(format!(
        "{}[{one}].map(one_{own}, [{two}].map(two_{own}, [one_{own}].map({first}, [two_{own}].map({second}, \
         {body})[0])[0])[0])[0]{rest}",
        &expression[..at]
    ))
}

/// The definitions as lines of a catalog.
fn lines(definitions: &[Definition]) -> String {
    let line = |definition: &Definition| {
        let [(one, _), (two, _)] = definition.params;
        format!("  {}({one}, {two}): {}\n", definition.name, json!(definition.body))
    };
    definitions.iter().map(line).collect()
}

#[test]
fn a_call_means_the_body_with_the_arguments_in_it() {
    let mut compared = 0;
    for seed in 0..CATALOGS {
        let mut grower = Grower::new(seed);
        for name in NAMES {
            // Not everything that grows has one type throughout.
            let sound = |grower: &mut Grower| {
                grower.define(name);
                let call = grower.last_call();
                let kept = call.is_some_and(|call| is_sound(&lines(grower.definitions()), &[call]));
                if !kept {
                    grower.undefine();
                }
                kept
            };
            let _ = (0..10).find(|_| sound(&mut grower));
        }
        let calls: Vec<String> = (0..EXPRESSIONS).map(|_| grower.expression()).collect();
        let definitions = grower.definitions();
        let written_out = |call: &String| written_out(call, definitions, DEEPEST);
        let pairs: Vec<(String, String)> =
            calls.iter().filter_map(|call| Some((call.clone(), written_out(call)?))).filter(|(a, b)| a != b).collect();
        let mut asked: Vec<String> = pairs.iter().flat_map(|(call, plain)| [call.clone(), plain.clone()]).collect();
        // What is refused is refused whichever way it is written, for instance a list without a type.
        let (catalog, _) = accepted(&lines(definitions), &mut asked);
        let values = evaluated(&catalog);
        let value = |text: &String| Some(&values[asked.iter().position(|asked| asked == text)?]);
        for (call, plain) in &pairs {
            let (Some(called), Some(meant)) = (value(call), value(plain)) else { continue };
            assert_eq!(called, meant, "seed {seed}: {call} is not {plain}");
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} calls were compared");
}
