//! The whole page, from the smallest catalog, from a rich one, and from hostile text.

use proptest::prelude::*;

use super::super::fixture;
use super::page;
use crate::model::{Catalog, Dispatch};

/// Lines outside code blocks.
fn prose(page: &str) -> Vec<&str> {
    let mut fence: Option<String> = None;
    let mut prose = Vec::new();
    for line in page.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if *open == line => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => prose.push(line),
        }
    }
    assert_eq!(fence, None, "a code block is never closed");
    prose
}

/// The number of cells in a row of a table: pipes after an even number of backslashes, minus the first.
fn cells(row: &str) -> usize {
    let mut backslashes = 0;
    let mut pipes = 0;
    for c in row.chars() {
        if c == '|' && backslashes % 2 == 0 {
            pipes += 1;
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    pipes - 1
}

fn assert_tables_hold(page: &str) {
    let mut width = None;
    for line in prose(page) {
        if !line.starts_with('|') {
            width = None;
            continue;
        }
        assert!(line.ends_with('|'), "{line}");
        assert_eq!(*width.get_or_insert_with(|| cells(line)), cells(line), "{line}");
    }
}

fn assert_links_resolve(page: &str) {
    let slugs: Vec<String> = prose(page)
        .iter()
        .filter_map(|line| line.strip_prefix("### ").or_else(|| line.strip_prefix("## ")))
        .map(|heading| heading.to_lowercase().replace(':', "").replace(' ', "-"))
        .collect();
    for link in page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(slugs.iter().any(|slug| slug == link), "{link}");
    }
}

#[test]
fn the_smallest_catalog_has_a_page_without_empty_sections() {
    let page = page(&fixture::smallest()).expect("a page");
    assert_tables_hold(&page);
    assert_links_resolve(&page);
    for absent in ["## Facts", "## Messages", "### Flags", "### Thresholds", "## Reads and writes", "### Priorities"] {
        assert!(!page.contains(absent), "{absent}");
    }
    assert!(page.contains("one hook on one event"));
    assert!(page.contains("No hook declares any."));
}

#[test]
fn a_rich_catalog_has_every_section_in_order() {
    let page = page(&fixture::full()).expect("a page");
    assert_tables_hold(&page);
    assert_links_resolve(&page);
    let sections: Vec<&str> = prose(&page).into_iter().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(
        sections,
        [
            "Overview",
            "Lifecycle",
            "Hooks",
            "Output contracts",
            "Failure modes",
            "Fail-safe",
            "Switches",
            "What switches the hooks",
            "Logs and state",
            "Interactions",
            "Reads and writes",
            "Settings",
            "Facts",
            "Documents",
            "Counters",
            "Constants",
            "Messages",
            "Test matrix",
        ]
    );
}

#[test]
fn a_page_has_no_python_words_and_no_gaps() {
    for catalog in [fixture::full(), fixture::smallest()] {
        let page = page(&catalog).expect("a page");
        for word in ["True", "False", "None", "undefined"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(!page.contains("\n\n\n"), "{page}");
    }
}

#[test]
fn merged_dispatch_has_a_page_too() {
    let page = page(&Catalog { dispatch: Dispatch::Merged, ..fixture::full() }).expect("a page");
    assert!(page.contains("share a process and run in catalog order"));
    assert_tables_hold(&page);
}

#[test]
fn the_source_cannot_end_the_comment() {
    let page = page(&Catalog { source: "a-->b.yaml".to_owned(), ..fixture::smallest() }).expect("a page");
    assert_eq!(page.lines().next().map(|line| line.matches("-->").count()), Some(1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_breaks_a_table_or_leaves_a_code_block(hostile in "[|`\\\\\n\r#<>*_$\\[\\]~ a-c-]{0,24}") {
        let mut catalog = fixture::full();
        catalog.description = format!("x{hostile}");
        catalog.flags[0].description.clone_from(&hostile);
        catalog.thresholds[0].unit = Some(hostile.clone());
        catalog.messages[0].template = fixture::template(&hostile);
        catalog.facts[0].source.clone_from(&hostile);
        catalog.documents[0].path = fixture::template(&hostile);
        let hook = &mut catalog.hooks[0];
        hook.why = format!("x{hostile}");
        hook.failure_modes[0].when.clone_from(&hostile);
        hook.cases[0].name.clone_from(&hostile);
        hook.prompt = Some(hostile.clone());
        assert_tables_hold(&page(&catalog).expect("a page"));
    }
}
