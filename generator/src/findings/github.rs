//! Annotations that GitHub shows beside the lines of a change.

use super::{Finding, Level};

/// One workflow command per finding and line.
pub fn github(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("{}\n", command(finding))).collect()
}

fn command(finding: &Finding) -> String {
    let word = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some(place) = &finding.place {
        properties.push(format!("file={}", property(&place.file)));
        properties.push(format!("line={},endLine={}", place.line, place.end_line));
        // Columns count only where the finding does not go over several lines.
        if place.line == place.end_line {
            properties.push(format!("col={},endColumn={}", place.column, place.end_column));
        }
    }
    properties.push(format!("title={}", property(&finding.rule)));
    format!("::{word} {}::{}", properties.join(","), data(&finding.message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    #[test]
    fn an_annotation_is_one_line_with_its_place() {
        let text = github(&example());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "::error file=specs/demo.yaml,line=13,endLine=13,col=22,endColumn=31,title=HG302::no field `file_path`, 100%25%0Asay another"
        );
        assert_eq!(lines[2], "::warning title=HG501::odd <&> \"quoted\"");
    }
}
