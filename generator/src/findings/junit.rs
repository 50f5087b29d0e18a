//! The XML that test reports are made of since `JUnit`.

use std::fmt::Write as _;
use std::time::Duration;

/// One test: a case, an event, a catalog.
#[derive(Debug, Clone, Default)]
pub struct Test {
    /// The suite that it belongs to.
    pub suite: String,
    /// What in the suite it is about.
    pub class: String,
    pub name: String,
    pub took: Duration,
    /// Why it failed; empty if it passed.
    pub failure: String,
    /// Why it does not count; empty if it does.
    pub skipped: String,
}

/// A report of all tests, suite by suite.
pub fn junit(tests: &[Test]) -> String {
    let mut suites: Vec<&str> = Vec::new();
    for test in tests {
        if !suites.contains(&test.suite.as_str()) {
            suites.push(&test.suite);
        }
    }
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for suite in suites {
        let of = || tests.iter().filter(|test| test.suite == suite);
        let failures = of().filter(|test| !test.failure.is_empty()).count();
        let skipped = of().filter(|test| !test.skipped.is_empty()).count();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">",
            escaped(suite),
            of().count()
        );
        of().for_each(|test| text.push_str(&case(test)));
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn case(test: &Test) -> String {
    let head = format!(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
        escaped(&test.class),
        escaped(&test.name),
        test.took.as_secs_f64()
    );
    if !test.failure.is_empty() {
        let first = test.failure.lines().next().unwrap_or_default().trim();
        let whole = escaped(&test.failure);
        return format!("{head}>\n      <failure message=\"{}\">{whole}</failure>\n    </testcase>\n", escaped(first));
    }
    if !test.skipped.is_empty() {
        return format!("{head}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", escaped(&test.skipped));
    }
    format!("{head}/>\n")
}

/// Text that may stand anywhere in XML. What XML cannot hold at all is shown as a question mark.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(letter),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => safe.push('?'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_and_skipped_tests_are_counted_and_text_is_escaped() {
        let test = |name: &str, failure: &str, skipped: &str| Test {
            suite: "demo".to_owned(),
            class: "H01".to_owned(),
            name: name.to_owned(),
            failure: failure.to_owned(),
            skipped: skipped.to_owned(),
            ..Test::default()
        };
        let report = junit(&[test("a \"<b>\"", "", ""), test("c", "no\u{1b}\nmore", ""), test("d", "", "later")]);
        assert!(report.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{report}");
        assert!(report.contains("name=\"a &quot;&lt;b&gt;&quot;\""), "{report}");
        assert!(report.contains("<failure message=\"no?\">no?\nmore</failure>"), "{report}");
        assert!(report.contains("<skipped message=\"later\"/>"), "{report}");
    }
}
