//! A share of the recordings, so that several machines can each play one.

use std::str::FromStr;

/// The share of that number, counted from 1, of so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    number: u64,
    of: u64,
}

impl Part {
    /// Whether a session belongs to it. Sessions stay whole, since hooks remember; the same one is always in the same share.
    pub fn has(&self, session: &str) -> bool {
        digest(session) % self.of == self.number - 1
    }
}

/// A number for a text that is the same on every machine.
pub(super) fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(format!("`{text}` is no share such as 2/8, the second of eight")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_session_is_in_exactly_one_share() {
        let parts: Vec<Part> = (1..=3).map(|number| format!("{number}/3").parse().expect("a share")).collect();
        for session in 0..100 {
            let session = format!("session-{session}");
            assert_eq!(parts.iter().filter(|part| part.has(&session)).count(), 1);
        }
        for odd in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(odd.parse::<Part>().is_err(), "{odd}");
        }
    }
}
