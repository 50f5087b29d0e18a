//! Coverage in the format of lcov: a condition is a branch with two outcomes, an effect or a row is a line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::atlas::{Atlas, Kind};
use super::coverage::location;
use super::seen::Seen;
use crate::cases::Outcome;
use crate::document::Document;

/// The record of one catalog's file.
pub fn lcov(atlas: &Atlas, document: &Document, outcomes: &[Outcome]) -> String {
    let mut seen = Seen::default();
    for outcome in outcomes {
        seen.add(&outcome.seen);
    }
    let mut text = format!("TN:\nSF:{}\n", document.source().path());
    let (mut lines, mut branches, mut taken) = (BTreeMap::new(), 0, 0);
    for (number, spot) in atlas.spots.iter().enumerate().filter(|(_, spot)| spot.kind != Kind::Part) {
        let line = location(document, spot).start().line;
        let hits = outcomes.iter().filter(|outcome| outcome.seen.reached.has(number)).count();
        let known = lines.entry(line).or_insert(0);
        *known = hits.max(*known);
        if spot.kind == Kind::Condition {
            for (branch, seen) in [seen.held.has(number), seen.failed_to_hold.has(number)].into_iter().enumerate() {
                let _ = writeln!(text, "BRDA:{line},{number},{branch},{}", u8::from(seen));
                branches += 1;
                taken += usize::from(seen);
            }
        }
    }
    let _ = writeln!(text, "BRF:{branches}\nBRH:{taken}");
    for (line, hits) in &lines {
        let _ = writeln!(text, "DA:{line},{hits}");
    }
    let hit = lines.values().filter(|hits| **hits > 0).count();
    let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    text
}
