//! SARIF 2.1.0, which code scanning reads.

use serde_json::{Value, json};

use super::{Finding, Level, Place};

/// The log of one run.
pub fn sarif(findings: &[Finding]) -> Value {
    let mut rules: Vec<(&str, &str)> = Vec::new();
    for finding in findings {
        if !rules.iter().any(|(rule, _)| *rule == finding.rule) {
            rules.push((&finding.rule, &finding.about));
        }
    }
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, &rules)).collect();
    let rules: Vec<Value> =
        rules.iter().map(|(rule, about)| json!({ "id": rule, "shortDescription": { "text": about } })).collect();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "hookgen", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            // Columns are counted in characters, not in units of UTF-16.
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(finding: &Finding, rules: &[(&str, &str)]) -> Value {
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let mut result = json!({ "ruleId": finding.rule, "level": level, "message": { "text": finding.message } });
    if let Some(fields) = result.as_object_mut() {
        let index = rules.iter().position(|(rule, _)| *rule == finding.rule);
        fields.extend(index.map(|index| ("ruleIndex".to_owned(), index.into())));
        fields.extend(finding.place.as_ref().map(|place| ("locations".to_owned(), json!([location(place)]))));
    }
    result
}

fn location(place: &Place) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&place.file) },
        "region": {
            "startLine": place.line, "startColumn": place.column,
            "endLine": place.end_line, "endColumn": place.end_column,
        },
    }})
}

/// A path as a reference: what is no letter of one is escaped.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    #[test]
    fn each_rule_is_there_once_and_each_result_points_at_its_place() {
        let log = sarif(&example());
        let driver = &log["runs"][0]["tool"]["driver"];
        assert_eq!(driver["rules"].as_array().map(Vec::len), Some(2));
        let results = &log["runs"][0]["results"];
        assert_eq!((results[1]["ruleIndex"].as_u64(), results[2]["ruleIndex"].as_u64()), (Some(0), Some(1)));
        assert_eq!(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 13);
        assert!(results[2].get("locations").is_none());
        assert_eq!(log["version"], "2.1.0");
    }

    #[test]
    fn a_path_is_escaped() {
        assert_eq!(uri("specs/a b:ä.yaml"), "specs/a%20b%3A%C3%A4.yaml");
    }
}
