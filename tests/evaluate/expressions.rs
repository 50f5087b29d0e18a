//! Every kind of expression: a text and the value or failure that it comes to.

use std::collections::BTreeSet;

use hookgen_runtime::evaluate::Evaluator;
use hookgen_runtime::library::{FUNCTIONS, PROPERTIES};
use hookgen_runtime::representation::{Expr, Op, Representation};
use hookgen_runtime::{Attempt, Call, Event, Json};
use serde_json::json;

use super::{archive, lowered};

/// What a catalog has beside its facts, for expressions that refer to it.
const SURROUNDINGS: &str = "catalog: test
version: 1.0.0
description: Expressions.
config: { file: /nowhere/settings.yaml }
flags:
  on: { description: A flag. }
choices:
  size: { description: A choice., values: [small, large], default: large, config: size }
history:
  tests: { description: Nothing happens in expressions. }
  failures: { description: Nor does this., of: the command }
thresholds:
  limit: { description: A threshold., default: 7 }
  ratio: { description: Another., default: 0.5 }
data:
  words: [a, b]
  mixed: [1, two, 2.0]
  numbers: [1, 2]
  ages: { ann: 30, bob: 40 }
  nested: [[a], [b, c]]
messages:
  hello: 'Hello ${facts_name}'
documents:
  state: { path: '/nowhere/${env.NOT_SET_ANYWHERE}/x.json', format: json, fields: { phase: string, ages: any } }
";

/// Expressions by what they are made of, each with its value as JSON.
const VALUES: &[(&str, &str)] = &[
    ("true", "true"),
    ("-7", "-7"),
    ("1.5", "1.5"),
    ("'a' + \"b\" + 'c'", r#""abc""#),
    ("['a', 'b'] + ['c']", r#"["a","b","c"]"#),
    (
        "json({'b': 1, 'a': [true], 'x': 1.5, 'c': {'d': null}})",
        r#""{\"a\":[true],\"b\":1,\"c\":{\"d\":null},\"x\":1.5}""#,
    ),
    ("env.NOT_SET_ANYWHERE", r#""""#),
    ("flags.on", "true"),
    ("choices.size", r#""large""#),
    ("thresholds.limit", "7"),
    ("thresholds.ratio", "0.5"),
    ("data.words", r#"["a","b"]"#),
    ("data.nested[1][0]", r#""b""#),
    ("data.nested.map(inner, size(inner))", "[1,2]"),
    ("messages.hello", r#""Hello name""#),
    ("state.exists", "false"),
    ("state.valid", "false"),
    ("state.path", r#""""#),
    ("state.phase", r#""""#),
    ("state.ages.entries().map(e, e.key + string(e.value))", "[]"),
    ("'rm -rf /x'.commands().map(c, c.name + ' ' + c.options.join(' '))", r#"["rm -r -f"]"#),
    ("'rm -rf /x'.commands()[0].known", "true"),
    ("'rm -rf /x'.commands().filter(c, c.hasAny(['-f'])).size()", "1"),
    ("'a b'.shellProblem().kind", r#""""#),
    ("'a1b22'.findAll(r'(\\d+)')", r#"["1","22"]"#),
    ("data.ages.ann", "30"),
    ("data.ages['bob']", "40"),
    ("data.ages.size()", "2"),
    ("data.ages.keys()", r#"["ann","bob"]"#),
    ("data.ages.entries().filter(e, e.value > 30).map(e, e.key)", r#"["bob"]"#),
    ("'ann' in data.ages && !('eve' in data.ages)", "true"),
    ("'a' in data.words", "true"),
    ("2 in data.numbers && !(3 in data.numbers)", "true"),
    ("'two' in data.mixed && 2 in data.mixed && !('three' in data.mixed)", "true"),
    ("data.words.exists(item, item in data.mixed)", "false"),
    ("data.mixed[1] == 'two' && data.mixed[0] == 1.0 && data.mixed[0] != '1'", "true"),
    ("data.mixed.map(m, string(m))", r#"["1","two","2"]"#),
    ("int(data.mixed[0]) + 1", "2"),
    ("has(state.phase)", "false"),
    ("!true || !(1 == 2)", "true"),
    ("-(-3)", "3"),
    ("-thresholds.ratio", "-0.5"),
    ("-1 + size('abcdefgh') > 5", "true"),
    ("1 + 2 * 3 - 8 / 3 % 2", "7"),
    ("1.5 + 2.0 * 3.0 - 1.0 / 4.0", "7.25"),
    ("true ? 'yes' : 'no'", r#""yes""#),
    ("false ? 1 / 0 : 2", "2"),
    ("1 < 2 && 'a' <= 'b' && 2.5 > 1.5", "true"),
    ("1 < 1.5 && 2 >= 2.0 && !(1 > 1.5) && 1 <= 1.0", "true"),
    ("1 == 1.0 && 9007199254740993 != 9007199254740992.0", "true"),
    ("['a'] == ['a'] && [1, 2] != [2, 1] && [1.5] == [1.5]", "true"),
    ("string(-7) + string(1.5) + string(true) + string(2.0)", r#""-71.5true2""#),
    ("int('12') + int(2.9) + int(-2.9)", "12"),
    ("double('1.5') + double(2)", "3.5"),
    ("[1, 2, 3].all(n, n > 0) && [1, 2].exists(n, n == 2) && [1, 2].exists_one(n, n > 1)", "true"),
    ("[1, 2, 3].filter(n, n % 2 == 1).map(n, n * 10)", "[10,30]"),
    ("[[1, 2], [3]].map(list, list.map(n, n + size(list)))", "[[3,4],[4]]"),
    ("[0, 1].exists(n, 1 / n == 1)", "true"),
    ("[0, 2].all(n, 4 / n == 1)", "false"),
    ("1 / size('') == 1 || true", "true"),
    ("1 / size('') == 1 && false", "false"),
    ("['a', 'b'].transformList(i, v, v + string(i))", r#"["a0","b1"]"#),
    ("data.ages.transformMap(k, v, v + size(k))", r#"{"ann":33,"bob":43}"#),
    ("facts_name.upperAscii()", r#""NAME""#),
];

/// Expressions that have no value, and why.
const FAILURES: &[(&str, &str)] = &[
    ("1 / size('')", "a division by zero"),
    ("1 % size('')", "a division by zero"),
    ("9223372036854775807 + size('a')", "a whole number is out of range"),
    ("-9223372036854775807 - size('ab')", "a whole number is out of range"),
    ("9223372036854775807 * size('ab')", "a whole number is out of range"),
    ("int(1e99)", "a whole number is out of range"),
    ("int('x')", "`x` is not a whole number"),
    ("double('x')", "`x` is not a number"),
    ("data.words[2]", "a list of 2 has no element 2"),
    ("data.words[size('') - 1]", "a list of 2 has no element -1"),
    ("data.mixed[3] == 1", "a list of 3 has no element 3"),
    ("int(data.mixed[1])", "the value in a table should be a whole number, found a string"),
    ("[0, 1].all(n, 1 / n == 1)", "a division by zero"),
    ("1 / size('') == 1 || false", "a division by zero"),
    ("1 / size('') == 1 && int('x') == 1", "a division by zero"),
    ("[1, 0].exists_one(n, 1 / n == 1)", "a division by zero"),
    ("[1 / size('')]", "a division by zero"),
    ("string(1 / size(''))", "a division by zero"),
];

/// A catalog in which each expression is a fact, behind one that others refer to.
fn catalog<'e>(expressions: impl IntoIterator<Item = &'e str>) -> String {
    let mut text = format!("{SURROUNDINGS}facts:\n  facts_name: \"'name'\"\n");
    for (number, expression) in expressions.into_iter().enumerate() {
        text.push_str(&format!("  e{number}: {}\n", json!(expression)));
    }
    let hook = "hooks:\n  - id: H1\n    name: any\n    event: PreToolUse\n    matcher: Bash\n    timeout: 1s\n    \
                fail_safe: closed\n    why: Something has to be there.\n    checks:\n      - { id: never, when: \"env.NOT_SET_ANYWHERE != ''\", \
                deny: No. }\n";
    text + hook
}

fn evaluated(text: &str, ask: impl Fn(&Evaluator<'_>)) {
    let payload = Json::parse(r#"{"session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}}"#);
    let payload = payload.expect("JSON");
    let call = Call::new("test", Event::named("PreToolUse").expect("known"), &payload);
    ask(&Evaluator::new(&call, archive(text)));
}

fn shown(evaluator: &Evaluator<'_>, fact: usize) -> Attempt<String> {
    evaluator.fact(fact + 1).map(|value| value.json().to_string())
}

#[test]
fn every_expression_has_its_value() {
    evaluated(&catalog(VALUES.iter().map(|(expression, _)| *expression)), |evaluator| {
        for (place, (expression, expected)) in VALUES.iter().enumerate() {
            assert_eq!(shown(evaluator, place).as_deref(), Ok(*expected), "{expression}");
        }
    });
}

#[test]
fn what_has_no_value_says_why() {
    evaluated(&catalog(FAILURES.iter().map(|(expression, _)| *expression)), |evaluator| {
        for (place, (expression, expected)) in FAILURES.iter().enumerate() {
            let failure = shown(evaluator, place).expect_err(expression);
            assert_eq!(failure.to_string(), *expected, "{expression}");
        }
    });
}

#[test]
fn every_example_of_the_library_holds() {
    let all: Vec<_> = FUNCTIONS.iter().chain(PROPERTIES).collect();
    evaluated(&catalog(all.iter().map(|function| function.example)), |evaluator| {
        for (place, function) in all.iter().enumerate() {
            assert_eq!(shown(evaluator, place).as_deref(), Ok("true"), "{}: {}", function.name, function.example);
        }
    });
}

/// What an operation is called.
fn name(op: &Op) -> String {
    format!("{op:?}").chars().take_while(|letter| letter.is_alphanumeric()).collect()
}

fn operations(whole: &Representation) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let texts = whole.facts.iter().map(|fact| &fact.text).chain(whole.messages.iter().map(|message| &message.text));
    let paths = whole.documents.iter().map(|document| &document.path);
    for text in texts.chain(paths) {
        text.value.walk(&mut |expr: &Expr| {
            found.insert(name(&expr.op));
        });
    }
    found
}

#[test]
fn no_operation_is_left_out_of_the_tables() {
    let found = operations(&lowered(&catalog(VALUES.iter().map(|(expression, _)| *expression))));
    let expected = "Access Among AmongOpen And Append Arithmetic Bool Call Choice Choose Compare CompareMixed Concat \
                    Document Double DoubleToInt Element Entries EntryKey EntryValue Env Equal EqualMixed EqualOpen Fact \
                    Flag Has HasKey Int IntToDouble Keys List Macro Map MapSize Message Negate Not Null Numbered Or Part Path \
                    Pattern \
                    Read Show Table Text TextToDouble TextToInt Threshold Variable";
    let missing: Vec<&str> = expected.split_whitespace().filter(|wanted| !found.contains(*wanted)).collect();
    assert_eq!(missing, Vec::<&str>::new(), "{found:?}");
}
