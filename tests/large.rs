//! A large real catalog: what a company asks of its agents, in seventeen hooks.

use std::fs;

use crate::support::{hookgen, project, tests};

/// A newcomer wrote the same rules in 570 lines, before there were rows, samples and definitions with parameters.
const MOST_LINES: usize = 342;

fn written() -> String {
    fs::read_to_string(tests().join("company/specs/company.yaml")).expect("the company's catalog")
}

#[test]
fn a_company_s_catalog_builds_without_a_finding_and_its_cases_hold() {
    let folder = project(&[("specs/company.yaml", written().as_str())]);
    hookgen(folder.path(), ["build"]).exits(0);
    let checked = hookgen(folder.path(), ["check", "--json"]).exits(0);
    assert!(checked.json_lines().iter().all(|line| line.get("code").is_none()), "{}", checked.stdout);
    let played = hookgen(folder.path(), ["test"]).exits(0);
    assert!(played.stdout.contains(" passed, 0 failed"), "{}{}", played.stdout, played.stderr);
    let listed = hookgen(folder.path(), ["list", "--json"]).exits(0);
    let own = ["A1", "B1", "B2", "C1", "C2", "C3", "D1", "E1", "F1", "F2", "G1", "H1", "I1", "J1", "K1", "L1", "M1"];
    for id in own {
        assert!(listed.stdout.contains(&format!("\"{id}\"")), "{id}: {}", listed.stdout);
    }
}

#[test]
fn it_is_short_enough_to_be_read() {
    let text = written();
    assert!(text.lines().count() <= MOST_LINES, "{} lines", text.lines().count());
    let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > 120).collect();
    assert!(long.is_empty(), "{long:?}");
}
