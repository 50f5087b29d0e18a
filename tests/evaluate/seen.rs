//! What somebody sees who watches a hook come to its verdict.

use std::cell::RefCell;

use hookgen_runtime::evaluate::{Evaluator, Observer, TextPart, Value};
use hookgen_runtime::program::Program as _;
use hookgen_runtime::representation::{Check, Effect, Expr, Op, Text};
use hookgen_runtime::{Attempt, Call, Event, Json, Verdict};

use super::archive;

const CATALOG: &str = "catalog: test
version: 1.0.0
description: Somebody watches.
facts:
  folder: \"env.NOT_SET_ANYWHERE + '/x'\"
  broken: 1 / size(env.NOT_SET_ANYWHERE)
hooks:
  - id: H1
    name: any
    event: PreToolUse
    matcher: Bash
    timeout: 1s
    fail_safe: closed
    why: Something has to be there.
    when: folder != ''
    let:
      short: size(tool_input.command) < 5
    checks:
      - id: guarded
        when: broken == 1 && short || folder == 'y'
        deny: No.
      - id: last
        when: (broken == 1 || short) && folder == '/x'
        deny: Not ${tool_input.command}.
";

#[derive(Default)]
struct Notes(RefCell<Vec<String>>);

impl Notes {
    fn add(&self, line: String) {
        self.0.borrow_mut().push(line);
    }
}

fn shown(value: &Attempt<Value<'_>>) -> String {
    value.as_ref().map_or_else(|failure| format!("failed: {failure}"), |value| value.json().to_string())
}

impl Observer for Notes {
    fn begins(&self, part: TextPart<'_>, _: &Text) {
        self.add(format!("begin {part:?}"));
    }

    fn ends(&self, part: TextPart<'_>, _: &Text, value: &Attempt<Value<'_>>) {
        self.add(format!("end {part:?} {}", shown(value)));
    }

    fn value(&self, expr: &Expr, value: &Attempt<Value<'_>>) {
        if let Op::Or(..) | Op::And(..) = expr.op {
            self.add(format!("{}..{} {}", expr.span.start, expr.span.end, shown(value)));
        }
    }

    fn check(&self, check: &Check, holds: &Attempt<bool>) {
        self.add(format!("check {} {holds:?}", check.id));
    }

    fn effect(&self, check: &Check, effect: &Effect, done: &Attempt<()>) {
        self.add(format!("effect {} {} {}", check.id, effect.decides(), done.is_ok()));
    }
}

fn watched(command: &str) -> (Attempt<()>, Vec<String>) {
    let event = format!(r#"{{"session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{{"command":"{command}"}}}}"#);
    let payload = Json::parse(&event).expect("JSON");
    let call = Call::new("test", Event::named("PreToolUse").expect("known"), &payload);
    let notes = Notes::default();
    let ran = Evaluator::new(&call, archive(CATALOG)).observed(&notes).run(0, &mut Verdict::default());
    (ran, notes.0.into_inner())
}

#[test]
fn everything_is_seen_in_its_order_and_each_definition_is_worked_out_once_unless_it_fails() {
    let (ran, notes) = watched("ls");
    assert!(ran.is_err(), "{notes:#?}");
    assert_eq!(
        notes,
        [
            "begin Gate",
            r#"begin Fact("folder")"#,
            r#"end Fact("folder") "/x""#,
            "end Gate true",
            r#"begin Condition("guarded")"#,
            r#"begin Fact("broken")"#,
            r#"end Fact("broken") failed: a division by zero"#,
            r#"begin Let("short")"#,
            r#"end Let("short") true"#,
            "0..20 failed: a division by zero",
            "0..37 failed: a division by zero",
            r#"end Condition("guarded") failed: a division by zero"#,
            r#"check guarded Err(Expression("a division by zero"))"#,
        ]
    );
}

#[test]
fn a_side_that_settles_it_is_seen_beside_one_that_fails() {
    let (ran, notes) = watched("long enough");
    assert_eq!(ran, Err(hookgen_runtime::Failure::Expression("a division by zero".to_owned())), "{notes:#?}");
    assert!(notes.contains(&"0..20 false".to_owned()), "{notes:#?}");
    assert!(notes.contains(&"check guarded Ok(false)".to_owned()), "{notes:#?}");
    let again = notes.iter().filter(|note| *note == r#"begin Fact("broken")"#).count();
    assert_eq!(again, 2, "a failure is not remembered: {notes:#?}");
    let once = notes.iter().filter(|note| *note == r#"begin Let("short")"#).count();
    assert_eq!(once, 1, "{notes:#?}");
}
