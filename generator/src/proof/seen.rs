//! What a run has seen of a catalog: which spots were reached, and which of them held or did not.

/// Spots by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Spots(Vec<u64>);

impl Spots {
    pub(super) fn put(&mut self, spot: usize) {
        let (word, bit) = (spot / 64, spot % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(bits) = self.0.get_mut(word) {
            *bits |= 1 << bit;
        }
    }

    pub(super) fn has(&self, spot: usize) -> bool {
        self.0.get(spot / 64).is_some_and(|bits| bits & (1 << (spot % 64)) != 0)
    }

    fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (bits, more) in self.0.iter_mut().zip(&other.0) {
            *bits |= more;
        }
    }
}

/// What was seen of a catalog.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    pub(super) reached: Spots,
    pub(super) held: Spots,
    pub(super) failed_to_hold: Spots,
    /// Had no value, since working it out failed.
    pub(super) broke: Spots,
    /// The numbers of what would have come to something else.
    pub(super) told_apart: Spots,
}

impl Seen {
    /// Takes in what another run has seen.
    pub fn add(&mut self, other: &Self) {
        self.reached.add(&other.reached);
        self.held.add(&other.held);
        self.failed_to_hold.add(&other.failed_to_hold);
        self.broke.add(&other.broke);
        self.told_apart.add(&other.told_apart);
    }

    /// Whether the spot may have held: where working it out failed, it may have been either.
    pub(super) fn may_have_held(&self, spot: usize) -> bool {
        self.held.has(spot) || self.broke.has(spot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_are_kept_apart_and_added_up() {
        let (mut one, mut other) = (Spots::default(), Spots::default());
        one.put(3);
        other.put(200);
        one.add(&other);
        assert!(one.has(3) && one.has(200) && !one.has(4) && !one.has(1000));
    }
}
