//! Tokens that are secrets by their looks, whatever stands before them.

/// Tokens that are known by how they begin: the prefix, what may follow, how much of it at least.
const KNOWN: &[(&str, Alphabet, usize)] = &[
    ("sk-", Alphabet::Dashed, 20),
    ("sk_live_", Alphabet::Plain, 16),
    ("rk_live_", Alphabet::Plain, 16),
    ("ghp_", Alphabet::Plain, 20),
    ("gho_", Alphabet::Plain, 20),
    ("ghu_", Alphabet::Plain, 20),
    ("ghs_", Alphabet::Plain, 20),
    ("ghr_", Alphabet::Plain, 20),
    ("github_pat_", Alphabet::Dashed, 20),
    ("xoxb-", Alphabet::Dashed, 10),
    ("xoxp-", Alphabet::Dashed, 10),
    ("xoxa-", Alphabet::Dashed, 10),
    ("xoxr-", Alphabet::Dashed, 10),
    ("xoxs-", Alphabet::Dashed, 10),
    ("AKIA", Alphabet::Upper, 16),
    ("ASIA", Alphabet::Upper, 16),
    ("AIza", Alphabet::Dashed, 30),
    ("glpat-", Alphabet::Dashed, 20),
    ("npm_", Alphabet::Plain, 30),
    ("hf_", Alphabet::Plain, 30),
    ("pypi-", Alphabet::Dashed, 50),
];

#[derive(Clone, Copy)]
enum Alphabet {
    /// Upper-case letters and digits
    Upper,
    /// Letters and digits
    Plain,
    /// Letters, digits, `-` and `_`
    Dashed,
}

/// The length of the token that a word begins with.
pub(super) fn recognise(word: &str) -> Option<usize> {
    known_token(word).or_else(|| web_token(word))
}

/// Whether a value is more likely generated than a word of a language.
pub(super) fn looks_random(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit())
}

fn known_token(word: &str) -> Option<usize> {
    KNOWN.iter().find_map(|(prefix, alphabet, least)| {
        let rest = word.strip_prefix(prefix)?;
        let accepts = |byte: u8| match alphabet {
            Alphabet::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Alphabet::Plain => byte.is_ascii_alphanumeric(),
            Alphabet::Dashed => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
        };
        let length = rest.bytes().position(|byte| !accepts(byte)).unwrap_or(rest.len());
        let (token, tail) = rest.split_at_checked(length)?;
        let ends = !tail.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
        // A short prefix may also begin a word: `sk-` does.
        let distinctive = prefix.len() > 3 || looks_random(token);
        (length >= *least && ends && distinctive).then_some(prefix.len() + length)
    })
}

/// A JSON web token: three parts in base64, the first of which begins with `{"`.
fn web_token(word: &str) -> Option<usize> {
    let mut parts = word.splitn(3, '.');
    let (header, claims, signature) = (parts.next()?, parts.next()?, parts.next()?);
    let signature = signature.split('.').next().unwrap_or_default();
    let plausible = header.starts_with("eyJ") && header.len() >= 10 && claims.len() >= 10;
    plausible.then_some(header.len() + claims.len() + signature.len() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_prefix_is_recognised_and_too_short_a_rest_is_not() {
        for (prefix, _, least) in KNOWN {
            let token = format!("{prefix}{}", "A1".repeat(*least));
            assert_eq!(recognise(&token), Some(token.len()), "{token}");
            let short = format!("{prefix}{}", "1".repeat(least - 1));
            assert_eq!(recognise(&short), None, "{short}");
        }
    }

    #[test]
    fn a_token_ends_where_its_letters_end() {
        assert_eq!(recognise("AKIAIOSFODNN7EXAMPLE.txt"), Some(20));
        assert_eq!(recognise("AKIAIOSFODNN7EXAMPLEx"), None);
        assert_eq!(recognise("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln.x"), Some(41));
        assert_eq!(recognise("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0"), None);
    }

    #[test]
    fn words_of_a_language_are_no_tokens() {
        assert_eq!(recognise("sk-learn-for-people-who-like-sliders"), None);
        assert_eq!(recognise("npm_lifecycle_event_of_a_very_long_name"), None);
        assert_eq!(recognise("AKIAABCDEFGHIJKLMNOP"), Some(20), "a prefix that no word has needs no digit");
    }
}
