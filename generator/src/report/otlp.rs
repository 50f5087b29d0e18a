//! Lines of the trail as records of OpenTelemetry's logs, one request per line: what the `otlpjsonfile` receiver of a collector
//! reads. Nothing is sent; whoever wants it elsewhere has a collector do it.

use serde_json::{Value, json};

/// Fields that say where a line comes from, with their names in OpenTelemetry.
const RESOURCE: &[(&str, &str)] = &[
    ("host", "host.name"),
    ("user", "user.name"),
    ("client", "gen_ai.agent.name"),
    ("client_version", "gen_ai.agent.version"),
];

/// One line of the trail as one request, or nothing where it has no time.
pub fn otlp_line(line: &Value) -> Option<Value> {
    let time = line.get("time")?.as_str()?;
    let nanoseconds = epoch(time)?.checked_mul(1_000_000_000)?.to_string();
    let resource = RESOURCE.iter().filter_map(|(field, name)| Some(attribute(name, line.get(*field)?)));
    let resource: Vec<Value> = std::iter::once(attribute("service.name", &json!("hookgen"))).chain(resource).collect();
    let fields = line
        .as_object()?
        .iter()
        .filter(|(name, _)| name.as_str() != "time" && !RESOURCE.iter().any(|(field, _)| field == name));
    let attributes: Vec<Value> = fields.map(|(name, value)| attribute(&format!("hookgen.{name}"), value)).collect();
    let (number, word) = severity(line.get("decision").and_then(Value::as_str).unwrap_or_default());
    let reason = line.get("reason").and_then(Value::as_str).unwrap_or_default();
    Some(json!({ "resourceLogs": [{
        "resource": { "attributes": resource },
        "scopeLogs": [{
            "scope": { "name": "hookgen.audit", "version": line.get("v").and_then(Value::as_i64).unwrap_or(0).to_string() },
            "logRecords": [{
                "timeUnixNano": nanoseconds,
                "observedTimeUnixNano": nanoseconds,
                "severityNumber": number,
                "severityText": word,
                "body": { "stringValue": reason },
                "eventName": "hookgen.decision",
                "attributes": attributes,
            }],
        }],
    }] }))
}

/// The seconds since 1970 of a time as the trail writes it: `2026-02-04T14:23:15Z`.
fn epoch(time: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| time.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    // Years begin in March, so that a leap day is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days =
        year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 + day
            - 1
            - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

/// A refusal is worth a look, a failure more so.
fn severity(decision: &str) -> (u32, &'static str) {
    match decision {
        "FAIL_OPEN" | "FAIL_CLOSED" | "BREAKER_OPEN" => (17, "ERROR"),
        "DENY" | "BLOCK" | "ASK" | "FEEDBACK" => (13, "WARN"),
        _ => (9, "INFO"),
    }
}

fn attribute(key: &str, value: &Value) -> Value {
    json!({ "key": key, "value": any(value) })
}

/// A value as the protocol writes it: whole numbers are texts.
fn any(value: &Value) -> Value {
    match value {
        Value::String(text) => json!({ "stringValue": text }),
        Value::Bool(truth) => json!({ "boolValue": truth }),
        Value::Number(number) if number.is_i64() || number.is_u64() => json!({ "intValue": number.to_string() }),
        Value::Number(number) => json!({ "doubleValue": number }),
        Value::Array(items) => json!({ "arrayValue": { "values": items.iter().map(any).collect::<Vec<_>>() } }),
        Value::Object(fields) => {
            let values: Vec<Value> = fields.iter().map(|(key, value)| attribute(key, value)).collect();
            json!({ "kvlistValue": { "values": values } })
        }
        Value::Null => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_request_with_its_fields_as_attributes() {
        let line = json!({
            "v": 1, "time": "2026-02-04T14:23:15Z", "hook": "H1", "decision": "DENY", "reason": "no", "host": "box",
            "input": { "command": "ls", "n": 1 }, "duration_us": 412,
        });
        let request = otlp_line(&line).expect("a request");
        let record = &request["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0];
        assert_eq!(record["timeUnixNano"], "1770214995000000000");
        assert_eq!((&record["severityText"], &record["body"]["stringValue"]), (&json!("WARN"), &json!("no")));
        let attributes = record["attributes"].as_array().expect("a list");
        let of = |key: &str| attributes.iter().find(|one| one["key"] == key).map(|one| one["value"].clone());
        assert_eq!(of("hookgen.duration_us"), Some(json!({ "intValue": "412" })));
        assert_eq!(
            of("hookgen.input").expect("there")["kvlistValue"]["values"][1],
            json!({ "key": "n", "value": { "intValue": "1" } })
        );
        assert!(of("hookgen.host").is_none());
        assert_eq!(
            request["resourceLogs"][0]["resource"]["attributes"][1],
            json!({ "key": "host.name", "value": { "stringValue": "box" } })
        );
        assert!(otlp_line(&json!({ "hook": "H1" })).is_none());
    }
}
