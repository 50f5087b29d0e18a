//! The pages of `hookgen explain` keep their word: the wrong example raises its code and no other, the right one
//! raises nothing.

use std::collections::BTreeSet;

use hookgen::diagnostic::Code;

use crate::support::{hookgen, project};

/// The text of the fenced block below a heading.
fn example(page: &'static str, heading: &str) -> &'static str {
    let (_, rest) = page.split_once(heading).expect(heading);
    let (_, rest) = rest.split_once("```yaml\n").expect("a block");
    rest.split_once("```").expect("the end of the block").0
}

/// Files that examples may use and extend.
const BESIDE: &[(&str, &str)] = &[
    ("specs/shared/names.yaml", "data:\n  protected: [main, release]\n"),
    ("specs/shared/base.yaml", include_str!("sharing/base.yaml")),
];

/// The codes that `hookgen check` raises for a catalog file; without content, for one that does not exist.
fn raised(content: Option<Vec<u8>>) -> BTreeSet<String> {
    let own = content.map(|content| ("specs/page.yaml", content));
    let beside = BESIDE.iter().map(|(path, text)| (*path, text.as_bytes().to_vec()));
    let folder = project(&own.into_iter().chain(beside).collect::<Vec<_>>());
    let run = hookgen(folder.path(), ["check", "--json", "specs/page.yaml"]);
    run.json_lines().iter().filter_map(|line| Some(line.get("code")?.as_str()?.to_owned())).collect()
}

/// The file that an example stands for.
fn acted_out(example: &str) -> Option<Vec<u8>> {
    match example.lines().next().and_then(|line| line.strip_prefix("# file: ")) {
        None => Some(example.as_bytes().to_vec()),
        Some("missing") => None,
        Some("not-utf8") => Some(b"catalog: caf\xe9\n".to_vec()),
        Some("too-large") => Some(vec![b'#'; 5 * 1024 * 1024]),
        Some(other) => panic!("nobody knows how to make a file that is `{other}`"),
    }
}

#[test]
fn the_wrong_example_raises_its_own_code_and_no_other() {
    let failures = Code::ALL.iter().filter_map(|code| {
        let raised = raised(acted_out(example(code.page(), "## Wrong")));
        (raised != BTreeSet::from([code.id().to_owned()])).then(|| format!("{code} raises {raised:?}"))
    });
    assert_eq!(failures.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn the_right_example_raises_nothing() {
    let failures = Code::ALL.iter().filter_map(|code| {
        let raised = raised(acted_out(example(code.page(), "## Right")));
        (!raised.is_empty()).then(|| format!("{code} raises {raised:?}"))
    });
    assert_eq!(failures.collect::<Vec<_>>(), Vec::<String>::new());
}
