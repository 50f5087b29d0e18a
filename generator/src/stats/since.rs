//! From when on decisions count.

use std::str::FromStr;

use hookgen_runtime::Timestamp;

/// A moment, written as the audit trail writes it, so that later ones sort behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Since(String);

impl Since {
    /// Whether it is then or later.
    pub fn includes(&self, time: &str) -> bool {
        time >= self.0.as_str()
    }

    fn parse(text: &str, now: Timestamp) -> Result<Self, String> {
        let wrong = || format!("`{text}` is neither a date such as 2026-02-04 nor a time such as 7d, 12h or 30m");
        let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        if "0000-00-00T00:00:00Z".starts_with(&shape) && shape.len() >= 10 {
            return Ok(Self(text.to_owned()));
        }
        let (number, unit) = text.split_at(text.len() - text.chars().last().map_or(0, char::len_utf8));
        let seconds = match unit {
            "d" => 86_400,
            "h" => 3600,
            "m" => 60,
            _ => return Err(wrong()),
        };
        let number: i64 = number.parse().ok().filter(|number| *number >= 0).ok_or_else(wrong)?;
        let ago = number.saturating_mul(seconds);
        Ok(Self(Timestamp::from_epoch(now.epoch().saturating_sub(ago).max(0)).iso()))
    }
}

impl FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text, Timestamp::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, String> {
        // 2026-02-04T14:23:15Z
        Since::parse(text, Timestamp::from_epoch(1_770_214_995)).map(|since| since.0)
    }

    #[test]
    fn dates_and_times_ago_are_understood() {
        assert_eq!(parse("2026-02-01").as_deref(), Ok("2026-02-01"));
        assert_eq!(parse("2026-02-01T10:00:00Z").as_deref(), Ok("2026-02-01T10:00:00Z"));
        assert_eq!(parse("1d").as_deref(), Ok("2026-02-03T14:23:15Z"));
        assert_eq!(parse("2h").as_deref(), Ok("2026-02-04T12:23:15Z"));
        assert_eq!(parse("15m").as_deref(), Ok("2026-02-04T14:08:15Z"));
    }

    #[test]
    fn nonsense_is_not() {
        for text in ["", "yesterday", "7", "d", "-1d", "2026", "2026-02", "7w", "2026-02-01 10:00", "7é"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
