//! Points in time as text, in UTC, without a time zone database.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: i64 = 86_400;
/// Days of the 400 years after which the calendar repeats.
const DAYS_PER_ERA: i64 = 146_097;

/// A second, counted from the start of 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The second that many seconds after the start of 1970.
    pub const fn from_epoch(seconds: i64) -> Self {
        Self(seconds)
    }

    /// This second, by the system's clock.
    pub fn now() -> Self {
        Self::from(SystemTime::now())
    }

    /// Seconds since the start of 1970, negative before it.
    pub const fn epoch(self) -> i64 {
        self.0
    }

    /// The date: `2026-02-04`
    pub fn date(self) -> String {
        let (year, month, day) = civil(self.0.div_euclid(SECONDS_PER_DAY));
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// The time of day: `14:23`
    pub fn time(self) -> String {
        let second = self.0.rem_euclid(SECONDS_PER_DAY);
        format!("{:02}:{:02}", second / 3600, second / 60 % 60)
    }

    /// The day of the week, in English: `Wednesday`
    pub fn weekday(self) -> &'static str {
        const DAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
        let day = self.0.div_euclid(SECONDS_PER_DAY).rem_euclid(7);
        usize::try_from(day).ok().and_then(|day| DAYS.get(day)).copied().unwrap_or_default()
    }

    /// Date and time: `2026-02-04T14:23:15Z`
    pub fn iso(self) -> String {
        let second = self.0.rem_euclid(SECONDS_PER_DAY);
        format!("{}T{:02}:{:02}:{:02}Z", self.date(), second / 3600, second / 60 % 60, second % 60)
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let whole = |seconds: u64| i64::try_from(seconds).unwrap_or(i64::MAX);
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Self(whole(after.as_secs())),
            Err(error) => {
                let before = error.duration();
                Self(-whole(before.as_secs()) - i64::from(before.subsec_nanos() > 0))
            }
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iso())
    }
}

/// Year, month and day of a day counted from the start of 1970, in the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last of its year and months have a regular length.
fn civil(days: i64) -> (i64, i64, i64) {
    // From 1 March of the year 0 to 1 January 1970.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(DAYS_PER_ERA);
    let day_of_era = shifted.rem_euclid(DAYS_PER_ERA);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / (DAYS_PER_ERA - 1)) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn known_moments_have_their_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_770_214_995, "2026-02-04T14:23:15Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(Timestamp::from_epoch(seconds).iso(), expected);
        }
    }

    #[test]
    fn a_day_of_the_week_comes_back_after_seven() {
        let day = |seconds: i64| Timestamp::from_epoch(seconds).weekday();
        assert_eq!((day(0), day(-1), day(1_770_214_995)), ("Thursday", "Wednesday", "Wednesday"));
        assert_eq!(day(7 * SECONDS_PER_DAY), day(0));
        assert_eq!(Timestamp::from_epoch(1_770_214_995).time(), "14:23");
    }

    #[test]
    fn each_day_of_four_centuries_follows_the_one_before() {
        let leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for number in 0..DAYS_PER_ERA {
            assert_eq!(civil(number), (year, month, day));
            let length = match month {
                2 => 28 + i64::from(leap(year)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (day, month) = (1, month + 1);
            }
            if month > 12 {
                (month, year) = (1, year + 1);
            }
        }
    }

    #[test]
    fn the_farthest_moments_have_some_date() {
        for seconds in [i64::MIN, i64::MAX] {
            assert!(Timestamp::from_epoch(seconds).iso().ends_with('Z'));
        }
    }

    #[test]
    fn a_clock_before_the_epoch_counts_backwards() {
        assert_eq!(Timestamp::from(UNIX_EPOCH + Duration::from_millis(1_500)).epoch(), 1);
        assert_eq!(Timestamp::from(UNIX_EPOCH - Duration::from_millis(1_500)).epoch(), -2);
    }
}
