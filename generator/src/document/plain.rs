//! What a plain scalar stands for: the core schema of YAML 1.2 as the reader of values applies it.

/// The kind of value that a plain scalar stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// Text.
    Text,
    /// `null`, `~` or nothing at all.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number that JSON can hold.
    Number,
    /// Infinity, or not a number.
    NotFinite,
    /// A whole number beyond 64 bits.
    TooLarge,
}

impl Plain {
    /// What a plain scalar stands for.
    pub(super) fn of(text: &str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Self::Null,
            "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => return Self::Boolean,
            ".nan" | ".NaN" | ".NAN" => return Self::NotFinite,
            _ => {}
        }
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
            return Self::NotFinite;
        }
        // `007` is text: a number has no leading zeros.
        let digits = !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit());
        if digits && unsigned.len() > 1 && unsigned.starts_with('0') {
            return Self::Text;
        }
        if let Some(whole) = whole(unsigned) {
            let signed =
                if text.starts_with('-') { i128::try_from(whole).map(|it| -it) } else { i128::try_from(whole) };
            let fits = signed.is_ok_and(|it| i64::try_from(it).is_ok() || u64::try_from(it).is_ok());
            return if fits { Self::Number } else { Self::TooLarge };
        }
        let starts_like_a_number = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        let finite = unsigned.parse::<f64>().is_ok_and(f64::is_finite);
        if starts_like_a_number && finite { Self::Number } else { Self::Text }
    }

    /// What it is, for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number | Self::NotFinite | Self::TooLarge => "a number",
        }
    }
}

fn whole(unsigned: &str) -> Option<u128> {
    let radix = |prefix: &str, radix| {
        let digits = unsigned.strip_prefix(prefix)?;
        if digits.starts_with(['+', '-']) { None } else { u128::from_str_radix(digits, radix).ok() }
    };
    radix("0x", 16).or_else(|| radix("0o", 8)).or_else(|| radix("0b", 2)).or_else(|| radix("", 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_are_classified_as_the_reader_of_values_does() {
        let texts = [
            "null",
            "~",
            "true",
            "False",
            "yes",
            "on",
            "1",
            "-7",
            "+7",
            "0",
            "007",
            "-007",
            "0x1F",
            "0o17",
            "0b11",
            "1.5",
            ".5",
            "5.",
            "1e3",
            "1.0.0",
            "inf",
            "nan",
            "3s",
            "-",
            "+",
            ".",
            "1_000",
            "18446744073709551615",
            "1e999",
            "-9223372036854775808",
            "abc",
            "0x",
            "--1",
            "+-1",
            "12:30",
        ];
        for text in texts {
            let value: serde_json::Value = serde_yaml::from_str(&format!("[{text}]")).expect(text);
            let kind = match value.get(0).expect(text) {
                serde_json::Value::Null => Plain::Null,
                serde_json::Value::Bool(_) => Plain::Boolean,
                serde_json::Value::Number(_) => Plain::Number,
                _ => Plain::Text,
            };
            assert_eq!(Plain::of(text), kind, "{text}");
        }
    }

    #[test]
    fn numbers_that_json_cannot_hold_are_told_apart() {
        for text in [".inf", "-.inf", "+.Inf", ".nan"] {
            assert_eq!(Plain::of(text), Plain::NotFinite, "{text}");
        }
        for text in ["18446744073709551616", "-9223372036854775809", "0xFFFFFFFFFFFFFFFFFF"] {
            assert_eq!(Plain::of(text), Plain::TooLarge, "{text}");
        }
    }
}
