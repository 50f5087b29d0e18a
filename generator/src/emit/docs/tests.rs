//! The whole page, from the smallest catalog, from a rich one, and from hostile text.

use proptest::prelude::*;

use super::super::{OutputSet, fixture};
use super::*;
use crate::model::{Catalog, Dispatch};

/// Every page of a catalog, by path.
fn pages(catalog: &Catalog) -> OutputSet {
    let mut pages = OutputSet::default();
    for output in Docs.emit(catalog, &fixture::target()).expect("pages") {
        pages.insert(output).expect("a path of its own");
    }
    pages
}

/// The page about the whole catalog.
fn page(catalog: &Catalog) -> String {
    pages(catalog).get("docs/HOOKS.md").expect("a page").to_owned()
}

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

/// Links lead to a heading of the same page, or to another page.
fn assert_links_resolve(pages: &OutputSet) {
    for (path, page) in pages.iter().filter(|(path, _)| path.extension() == Some("md")) {
        let headings = prose(page).into_iter().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
        let slugs: Vec<String> = headings.map(|heading| heading.to_lowercase().replace(' ', "-")).collect();
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let folder = path.parent().expect("a folder");
            let found = match link.strip_prefix('#') {
                Some(heading) => slugs.iter().any(|slug| slug == heading),
                None if std::path::Path::new(link).extension().is_some_and(|end| end == "yaml") => {
                    link.starts_with("../../../../specs/")
                }
                None => match link.strip_prefix("../") {
                    Some(above) => pages.get(folder.parent().expect("a folder").join(above)).is_some(),
                    None => pages.get(folder.join(link)).is_some(),
                },
            };
            assert!(found, "{link} on {path}");
        }
    }
}

#[test]
fn the_smallest_catalog_has_a_page_without_empty_sections() {
    let page = page(&fixture::smallest());
    assert_tables_hold(&page);
    assert_links_resolve(&pages(&fixture::smallest()));
    for absent in
        ["### Flags", "### Thresholds", "## Reads and writes", "Priorities:", "### What runs in the background"]
    {
        assert!(!page.contains(absent), "{absent}");
    }
    assert!(page.contains("one hook on one event"));
}

#[test]
fn a_rich_catalog_has_every_section_in_order() {
    let page = page(&fixture::full());
    assert_tables_hold(&page);
    assert_links_resolve(&pages(&fixture::full()));
    let sections: Vec<&str> = prose(&page).into_iter().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(
        sections,
        [
            "In short",
            "The hooks",
            "On each event",
            "What they can do",
            "When a hook breaks",
            "Settings",
            "What switches or loosens them",
            "Reads and writes",
            "Logs and state",
            "What it needs",
            "What changed",
        ]
    );
}

#[test]
fn a_page_has_no_python_words_and_no_gaps() {
    for catalog in [fixture::full(), fixture::smallest()] {
        let page = page(&catalog);
        for word in ["True", "False", "None", "undefined"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(!page.contains("\n\n\n"), "{page}");
    }
}

#[test]
fn merged_dispatch_has_a_page_too() {
    let page = page(&Catalog { dispatch: Dispatch::Merged, ..fixture::full() });
    assert!(page.contains("share a process and run in catalog order"));
    assert_tables_hold(&page);
}

#[test]
fn the_source_cannot_end_the_comment() {
    let page = page(&Catalog { source: "a-->b.yaml".to_owned(), ..fixture::smallest() });
    assert_eq!(page.lines().next().map(|line| line.matches("-->").count()), Some(1));
}

#[test]
fn every_hook_has_a_page_and_its_part_of_the_site() {
    let catalog = fixture::full();
    let pages = pages(&catalog);
    let site = pages.get("docs/index.html").expect("a site");
    for hook in &catalog.hooks {
        let page = pages.get(format!("docs/hooks/{}.md", hook.id)).expect("a page");
        assert_tables_hold(page);
        assert!(page.contains(&format!("\n# {}: {}\n", hook.id, hook.name)), "{page}");
        assert!(site.contains(&format!("<article id=\"hook-{}\" data-event=\"{}\"", hook.id, hook.event.name)));
    }
    assert_eq!(site.matches("<article ").count(), catalog.hooks.len());
    for address in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!site.contains(address), "{address}");
    }
}

#[test]
fn what_is_new_is_told_with_the_version_before() {
    let page = page(&fixture::full());
    assert!(page.contains("In `1.1.0`, since `1.0.0`:\n\n- Plans are guarded."), "{page}");
    assert!(self::page(&fixture::smallest()).contains("records no changes"));
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
        let pages = pages(&catalog);
        for (_, page) in pages.iter().filter(|(path, _)| path.extension() == Some("md")) {
            assert_tables_hold(page);
        }
    }
}
