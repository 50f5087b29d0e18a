//! The moment at which a call began.

use crate::call::Call;
use crate::signature::function;

/// Date and time in UTC.
pub fn now_iso(call: &Call<'_>) -> String {
    call.now().iso()
}

/// Seconds since the start of 1970.
pub fn now_epoch(call: &Call<'_>) -> i64 {
    call.now().epoch()
}

/// The date in UTC.
pub fn now_date(call: &Call<'_>) -> String {
    call.now().date()
}

/// The time of day in UTC.
pub fn now_time(call: &Call<'_>) -> String {
    call.now().time()
}

/// The day of the week in UTC.
pub fn now_weekday(call: &Call<'_>) -> String {
    call.now().weekday().to_owned()
}

function! {
    ISO: now_iso,
    name: "now.iso",
    params: {},
    result: Text,
    powers: [Clock],
    doc: "Date and time at which the call began, in UTC: `2026-02-04T14:23:15Z`.",
    example: "now.iso.startsWith(now.date + 'T') && now.iso.endsWith('Z')",
}

function! {
    EPOCH: now_epoch,
    name: "now.epoch",
    params: {},
    result: Int,
    powers: [Clock],
    doc: "Seconds from the start of 1970 to the moment at which the call began.",
    example: "now.epoch > 0",
}

function! {
    DATE: now_date,
    name: "now.date",
    params: {},
    result: Text,
    powers: [Clock],
    doc: "The date on which the call began, in UTC: `2026-02-04`.",
    example: "now.date.size() == 10",
}

function! {
    TIME: now_time,
    name: "now.time",
    params: {},
    result: Text,
    powers: [Clock],
    doc: "The time of day at which the call began, in UTC: `14:23`. Times compare as texts do.",
    example: "now.time >= '00:00' && now.time < '24:00'",
}

function! {
    WEEKDAY: now_weekday,
    name: "now.weekday",
    params: {},
    result: Text,
    powers: [Clock],
    doc: "The day of the week on which the call began, in UTC, in English: `Monday`.",
    example: "now.weekday.endsWith('day')",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::json::Json;
    use crate::time::Timestamp;

    #[test]
    fn all_forms_name_the_same_moment() {
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        let moment = Timestamp::from_epoch(now_epoch(&call));
        assert_eq!((now_iso(&call), now_date(&call)), (moment.iso(), moment.date()));
        assert!(now_iso(&call).contains(&format!("T{}:", now_time(&call))));
        assert_eq!(now_weekday(&call), moment.weekday());
    }
}
