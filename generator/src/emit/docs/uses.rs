//! Which thresholds a check depends on.

use crate::model::{Catalog, Check, Hook, Threshold};
use crate::resolve::uses;

/// The thresholds that a check depends on, through every name that it mentions, in catalog order.
pub(super) fn thresholds<'a>(catalog: &'a Catalog, hook: &Hook, check: &Check) -> Vec<&'a Threshold> {
    let used = uses::of_check(catalog, hook, check).thresholds;
    catalog.thresholds.iter().filter(|threshold| used.contains(&threshold.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    #[test]
    fn a_threshold_is_found_behind_a_let_and_a_fact() {
        let catalog = fixture::full();
        let hook = &catalog.hooks[0];
        let names = |check: &Check| -> Vec<String> {
            thresholds(&catalog, hook, check).iter().map(|threshold| threshold.name.clone()).collect()
        };
        assert_eq!(names(&hook.checks[0]), ["limit"]);
        assert!(names(&hook.checks[1]).is_empty());
    }
}
