//! Tokens that are secrets by their looks, whatever stands before them.
//!
//! The shapes are those that issuers document and scanners look for.

/// Tokens that are known by how they begin: the prefix, what may follow, how much of it at least. In byte order.
const KNOWN: &[(&str, Alphabet, usize)] = &[
    ("1//0", Alphabet::Dashed, 30),
    ("A3-", Alphabet::Dashed, 30),
    ("A3T", Alphabet::Upper, 17),
    ("ABIA", Alphabet::Upper, 16),
    ("ABSK", Alphabet::Base64, 100),
    ("ACCA", Alphabet::Upper, 16),
    ("AGE-SECRET-KEY-1", Alphabet::Upper, 50),
    ("AIza", Alphabet::Dashed, 30),
    ("AKCp", Alphabet::Plain, 60),
    ("AKIA", Alphabet::Upper, 16),
    ("API-", Alphabet::Upper, 26),
    ("APP_USR-", Alphabet::Dashed, 60),
    ("AQVN", Alphabet::Dashed, 30),
    ("ASIA", Alphabet::Upper, 16),
    ("ATATT3", Alphabet::Base64, 60),
    ("ATBB", Alphabet::Plain, 28),
    ("ATCTT3", Alphabet::Base64, 60),
    ("BBDC-", Alphabet::Base64, 40),
    ("CCIPAT_", Alphabet::Dashed, 40),
    ("CCIPRJ_", Alphabet::Dashed, 40),
    ("CFPAT-", Alphabet::Dashed, 40),
    ("CLOJARS_", Alphabet::Plain, 60),
    ("EAA", Alphabet::Plain, 90),
    ("EAAA", Alphabet::Dashed, 22),
    ("EZAK", Alphabet::Plain, 54),
    ("EZTK", Alphabet::Plain, 54),
    ("FLWSECK-", Alphabet::Dashed, 12),
    ("FLWSECK_TEST-", Alphabet::Dashed, 12),
    ("GOCSPX-", Alphabet::Dashed, 20),
    ("GR1348941", Alphabet::Dashed, 20),
    ("HRKU-", Alphabet::Dashed, 30),
    ("LS0tLS1CRUdJTiBEU0EgUFJJVkFUR", Alphabet::Base64, 20),
    ("LS0tLS1CRUdJTiBFQyBQUklWQVRF", Alphabet::Base64, 20),
    ("LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFUR", Alphabet::Base64, 20),
    ("LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg", Alphabet::Base64, 20),
    ("LS0tLS1CRUdJTiBQUklWQVRFIEtFWS", Alphabet::Base64, 20),
    ("LS0tLS1CRUdJTiBSU0EgUFJJVkFUR", Alphabet::Base64, 20),
    ("LTAI", Alphabet::Plain, 12),
    ("NRAK-", Alphabet::Upper, 27),
    ("NRII-", Alphabet::Dashed, 32),
    ("NRJS-", Alphabet::Hex, 19),
    ("PMAK-", Alphabet::Dashed, 50),
    ("SG.", Alphabet::Dotted, 60),
    ("SK", Alphabet::Hex, 32),
    ("ZXlKaGJH", Alphabet::Base64, 40),
    ("access-development-", Alphabet::Dashed, 36),
    ("access-production-", Alphabet::Dashed, 36),
    ("access-sandbox-", Alphabet::Dashed, 36),
    ("api_org_", Alphabet::Plain, 34),
    ("bedrock-api-key-", Alphabet::Base64, 28),
    ("bkct_", Alphabet::Plain, 40),
    ("bkpt_", Alphabet::Plain, 40),
    ("bkua_", Alphabet::Plain, 40),
    ("cal_live_", Alphabet::Hex, 32),
    ("cio", Alphabet::Plain, 32),
    ("cmVmd", Alphabet::Plain, 59),
    ("ctx7sk-", Alphabet::Dashed, 30),
    ("dapi", Alphabet::Hex, 32),
    ("dckr_oat_", Alphabet::Dashed, 20),
    ("dckr_pat_", Alphabet::Dashed, 20),
    ("dnkey-", Alphabet::Dashed, 40),
    ("doo_v1_", Alphabet::Hex, 64),
    ("dop_v1_", Alphabet::Hex, 64),
    ("dor_v1_", Alphabet::Hex, 64),
    ("dp.audit.", Alphabet::Plain, 40),
    ("dp.ct.", Alphabet::Plain, 40),
    ("dp.pt.", Alphabet::Plain, 40),
    ("dp.sa.", Alphabet::Plain, 40),
    ("dp.scim.", Alphabet::Plain, 40),
    ("dp.st.", Alphabet::Dotted, 40),
    ("dt0c01.", Alphabet::Dotted, 80),
    ("duffel_live_", Alphabet::Base64, 40),
    ("duffel_test_", Alphabet::Base64, 40),
    ("e2b_", Alphabet::Hex, 40),
    ("eyJrIjoi", Alphabet::Base64, 60),
    ("figd_", Alphabet::Dashed, 40),
    ("fio-u-", Alphabet::Base64, 60),
    ("fm1a_", Alphabet::Base64, 90),
    ("fm1r_", Alphabet::Base64, 90),
    ("fm2_", Alphabet::Base64, 90),
    ("fo1_", Alphabet::Dashed, 40),
    ("fw_", Alphabet::Plain, 24),
    ("gho_", Alphabet::Plain, 20),
    ("ghp_", Alphabet::Plain, 20),
    ("ghr_", Alphabet::Plain, 20),
    ("ghs_", Alphabet::Plain, 20),
    ("ghu_", Alphabet::Plain, 20),
    ("github_pat_", Alphabet::Dashed, 20),
    ("glagent-", Alphabet::Dashed, 40),
    ("glc_", Alphabet::Base64, 32),
    ("glcbt-", Alphabet::Dashed, 20),
    ("gldt-", Alphabet::Dashed, 20),
    ("glffct-", Alphabet::Dashed, 20),
    ("glft-", Alphabet::Dashed, 20),
    ("glimt-", Alphabet::Dashed, 20),
    ("gloas-", Alphabet::Dashed, 50),
    ("glpat-", Alphabet::Dotted, 20),
    ("glptt-", Alphabet::Hex, 40),
    ("glrt-", Alphabet::Dotted, 20),
    ("glrtr-", Alphabet::Dashed, 20),
    ("glsa_", Alphabet::Dashed, 40),
    ("glsoat-", Alphabet::Dashed, 20),
    ("gsk_", Alphabet::Plain, 40),
    ("hf_", Alphabet::Plain, 30),
    ("hvb.", Alphabet::Dashed, 20),
    ("hvr.", Alphabet::Dashed, 20),
    ("hvs.", Alphabet::Dashed, 20),
    ("ico-", Alphabet::Plain, 32),
    ("jina_", Alphabet::Plain, 50),
    ("key-", Alphabet::Hex, 32),
    ("lin_api_", Alphabet::Plain, 30),
    ("lin_oauth_", Alphabet::Plain, 30),
    ("lsv2_pt_", Alphabet::Dashed, 32),
    ("lsv2_sk_", Alphabet::Dashed, 32),
    ("mlsn.", Alphabet::Hex, 64),
    ("napi_", Alphabet::Plain, 40),
    ("nfp_", Alphabet::Plain, 36),
    ("npm_", Alphabet::Plain, 30),
    ("ntn_", Alphabet::Plain, 40),
    ("nvapi-", Alphabet::Dashed, 50),
    ("ops_eyJ", Alphabet::Base64, 100),
    ("oy2", Alphabet::Plain, 43),
    ("p8e-", Alphabet::Plain, 32),
    ("pat-eu1-", Alphabet::Dashed, 30),
    ("pat-na1-", Alphabet::Dashed, 30),
    ("pat.", Alphabet::Dotted, 60),
    ("pcsk_", Alphabet::Dashed, 50),
    ("pdl_live_apikey_", Alphabet::Dashed, 40),
    ("pdl_sdbx_apikey_", Alphabet::Dashed, 40),
    ("phx_", Alphabet::Plain, 40),
    ("pnu_", Alphabet::Plain, 36),
    ("pplx-", Alphabet::Plain, 40),
    ("pscale_oauth_", Alphabet::Dotted, 30),
    ("pscale_pw_", Alphabet::Dotted, 30),
    ("pscale_tkn_", Alphabet::Dotted, 30),
    ("ptr_", Alphabet::Base64, 40),
    ("pul-", Alphabet::Hex, 40),
    ("pypi-", Alphabet::Dashed, 50),
    ("r8_", Alphabet::Plain, 37),
    ("rdme_", Alphabet::Plain, 60),
    ("rk_live_", Alphabet::Plain, 16),
    ("rk_prod_", Alphabet::Plain, 16),
    ("rk_test_", Alphabet::Plain, 16),
    ("rnd_", Alphabet::Plain, 28),
    ("rpa_", Alphabet::Plain, 40),
    ("rubygems_", Alphabet::Hex, 48),
    ("s-s4t2af-", Alphabet::Hex, 64),
    ("s-s4t2ud-", Alphabet::Hex, 64),
    ("sat.", Alphabet::Dotted, 60),
    ("sb_secret_", Alphabet::Dashed, 30),
    ("sbp_", Alphabet::Hex, 40),
    ("secret_", Alphabet::Plain, 43),
    ("sgp_", Alphabet::Dashed, 40),
    ("sha256~", Alphabet::Dashed, 43),
    ("shippo_live_", Alphabet::Hex, 40),
    ("shippo_test_", Alphabet::Hex, 40),
    ("shpat_", Alphabet::Hex, 32),
    ("shpca_", Alphabet::Hex, 32),
    ("shppa_", Alphabet::Hex, 32),
    ("shpss_", Alphabet::Hex, 32),
    ("sk-", Alphabet::Dashed, 20),
    ("sk.eyJ", Alphabet::Dotted, 60),
    ("sk_live_", Alphabet::Plain, 16),
    ("sk_prod_", Alphabet::Plain, 16),
    ("sk_test_", Alphabet::Plain, 16),
    ("sl.", Alphabet::Dashed, 130),
    ("sm_aat_", Alphabet::Plain, 16),
    ("sm_pat_", Alphabet::Plain, 16),
    ("sm_sat_", Alphabet::Plain, 16),
    ("sntrys_", Alphabet::Base64, 60),
    ("sntryu_", Alphabet::Hex, 64),
    ("snyk_uat.", Alphabet::Dotted, 40),
    ("sq0atp-", Alphabet::Dashed, 22),
    ("sq0csp-", Alphabet::Dashed, 22),
    ("sqa_", Alphabet::Hex, 40),
    ("sqp_", Alphabet::Hex, 40),
    ("squ_", Alphabet::Hex, 40),
    ("t1.", Alphabet::Dotted, 60),
    ("tfp_", Alphabet::Dotted, 50),
    ("tk-us-", Alphabet::Dashed, 40),
    ("tk_", Alphabet::Plain, 29),
    ("tskey-", Alphabet::Dashed, 20),
    ("tvly-", Alphabet::Dashed, 30),
    ("v1.0-", Alphabet::Dashed, 100),
    ("vca_", Alphabet::Plain, 24),
    ("vci_", Alphabet::Plain, 24),
    ("vck_", Alphabet::Plain, 40),
    ("vcp_", Alphabet::Plain, 24),
    ("vcr_", Alphabet::Plain, 24),
    ("waka_", Alphabet::Dashed, 36),
    ("whsec_", Alphabet::Base64, 20),
    ("xai-", Alphabet::Plain, 60),
    ("xapp-", Alphabet::Dashed, 20),
    ("xkeysib-", Alphabet::Dashed, 60),
    ("xoxa-", Alphabet::Dashed, 10),
    ("xoxb-", Alphabet::Dashed, 10),
    ("xoxc-", Alphabet::Dashed, 10),
    ("xoxd-", Alphabet::Base64, 10),
    ("xoxe-", Alphabet::Dashed, 10),
    ("xoxe.xoxb-", Alphabet::Dashed, 20),
    ("xoxe.xoxp-", Alphabet::Dashed, 20),
    ("xoxo-", Alphabet::Dashed, 10),
    ("xoxp-", Alphabet::Dashed, 10),
    ("xoxr-", Alphabet::Dashed, 10),
    ("xoxs-", Alphabet::Dashed, 10),
    ("xsmtpsib-", Alphabet::Dashed, 60),
    ("ya29.", Alphabet::Dashed, 20),
];

/// How much of a text is looked at before it is known to be a token: what is not must not be read again and again.
const GLANCE: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    /// Upper-case letters and digits
    Upper,
    /// Hexadecimal digits
    Hex,
    /// Letters and digits
    Plain,
    /// Letters, digits, `-` and `_`
    Dashed,
    /// Those and `.`
    Dotted,
    /// Those of both alphabets of base64, and `=`
    Base64,
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Plain => byte.is_ascii_alphanumeric(),
            Self::Dashed => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'),
            Self::Base64 => is_base64(byte),
        }
    }

    /// Whether words of a language could be strung together with it; then a digit tells a token from a name.
    fn strings_words(self) -> bool {
        matches!(self, Self::Dashed | Self::Dotted | Self::Base64)
    }
}

/// The length of the token that a text begins with.
pub(super) fn recognise(text: &str) -> Option<usize> {
    let first = *text.as_bytes().first()?;
    let start = KNOWN.partition_point(|(prefix, ..)| prefix.as_bytes().first() < Some(&first));
    let candidates = KNOWN.get(start..).unwrap_or_default().iter();
    let mut candidates = candidates.take_while(|(prefix, ..)| prefix.as_bytes().first() == Some(&first));
    candidates.find_map(|(prefix, alphabet, least)| {
        let rest = text.strip_prefix(prefix)?.as_bytes();
        let glance = length(rest.get(..rest.len().min(GLANCE)).unwrap_or_default(), |byte| alphabet.has(byte));
        let begins = rest.get(..glance).unwrap_or_default();
        if glance < *least || (alphabet.strings_words() && !is_generated(begins)) {
            return None;
        }
        let whole = glance + length(rest.get(glance..).unwrap_or_default(), |byte| alphabet.has(byte));
        let ends = rest.get(whole).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'_');
        // A dot at the end belongs to the sentence.
        let dots = rest.get(..whole).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'.').count();
        ends.then_some(prefix.len() + whole - dots)
    })
}

/// Whether no language has such words: there are digits, or capitals again and again where no word begins.
fn is_generated(text: &[u8]) -> bool {
    let capitals = text.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let small = text.windows(2).filter(|pair| pair[0].is_ascii_uppercase() && pair[1].is_ascii_uppercase());
    text.iter().any(u8::is_ascii_digit) || capitals.count() >= 3 && small.count() >= 2
}

/// The length of the token that a word is, known by something in the middle of it; the text goes on behind the word.
pub(super) fn recognise_word(word: &str, behind: &str) -> Option<usize> {
    web_token(word)
        .or_else(|| sectioned_token(word))
        .or_else(|| service_token(word))
        .or_else(|| device_token(word, behind))
        .or_else(|| directory_secret(word, behind))
        .or_else(|| bot_token(word, behind))
}

/// Whether a value is more likely generated than a word of a language.
pub(super) fn looks_random(value: &str) -> bool {
    is_generated(value.as_bytes())
}

/// Whether a value is long and mixed enough that nothing but its looks is needed.
pub(super) fn is_surely_random(value: &str) -> bool {
    let has = |wanted: fn(&u8) -> bool| value.as_bytes().iter().any(wanted);
    let in_both_cases = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let long = value.len() >= if in_both_cases { 16 } else { 20 };
    long && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

/// A JSON web token: three parts in base64, the first of which begins with `{"`.
fn web_token(word: &str) -> Option<usize> {
    if !word.starts_with("eyJ") {
        return None;
    }
    let mut parts = word.splitn(3, '.');
    let (header, claims, signature) = (parts.next()?, parts.next()?, parts.next()?);
    let signature = signature.split('.').next().unwrap_or_default();
    let plausible = header.len() >= 10 && claims.len() >= 10;
    plausible.then_some(header.len() + claims.len() + signature.len() + 2)
}

/// Terraform's `….atlasv1.…`, Airtable's `pat….…`, Discord's three parts, and keys of Mailchimp, which end with a region.
fn sectioned_token(word: &str) -> Option<usize> {
    if word.len() < 35 {
        return None;
    }
    let parts: Vec<&str> = word.splitn(4, '.').collect();
    let hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let found = match *parts.as_slice() {
        [first, "atlasv1", last] => first.len() == 14 && last.len() >= 40,
        [first, last] if first.starts_with("pat") => first.len() == 17 && last.len() == 64 && hex(last),
        [first, middle, last] => {
            first.starts_with(['M', 'N', 'O'])
                && (23..=28).contains(&first.len())
                && middle.len() == 6
                && (27..=38).contains(&last.len())
                && looks_random(word)
        }
        [only] => {
            let (key, region) = only.split_once("-us")?;
            key.len() == 32 && hex(key) && (1..=2).contains(&region.len()) && looks_random(region)
        }
        _ => false,
    };
    found.then_some(word.len())
}

/// `re_` and two parts of Resend's, and what Vault gave out before it had a prefix worth the name: `s.` and 24 characters.
fn service_token(word: &str) -> Option<usize> {
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mixed = |part: &str| {
        let has = |wanted: fn(&u8) -> bool| part.as_bytes().iter().any(wanted);
        plain(part) && has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
    };
    let found = match (word.strip_prefix("re_").and_then(|rest| rest.split_once('_')), word.strip_prefix("s.")) {
        (Some((first, last)), _) => first.len() == 8 && plain(first) && last.len() == 24 && mixed(last),
        (None, Some(rest)) => rest.len() == 24 && mixed(rest),
        (None, None) => false,
    };
    found.then_some(word.len())
}

/// What addresses one device of a messaging service: its number, a colon and `APA91b`.
fn device_token(word: &str, behind: &str) -> Option<usize> {
    let behind = behind.strip_prefix(":APA91b")?.as_bytes();
    let rest = length(behind.get(..behind.len().min(GLANCE)).unwrap_or_default(), |byte| Alphabet::Dashed.has(byte));
    (word.len() >= 7 && rest >= 100).then_some(word.len() + ":APA91b".len() + rest)
}

/// A client secret of Azure's directory: three characters, a digit, `Q~`, and over thirty more.
fn directory_secret(word: &str, behind: &str) -> Option<usize> {
    let before = word.strip_suffix('Q')?;
    let behind = behind.strip_prefix('~')?.as_bytes();
    let glance = behind.get(..behind.len().min(GLANCE)).unwrap_or_default();
    let rest = length(glance, |byte| Alphabet::Dotted.has(byte) || byte == b'~');
    (before.len() == 4 && looks_random(before) && (31..=40).contains(&rest)).then_some(word.len() + 1 + rest)
}

/// A token of a Telegram bot: its number, and what follows the colon.
fn bot_token(word: &str, behind: &str) -> Option<usize> {
    let number = word.strip_prefix("bot").unwrap_or(word);
    let is_number = (8..=10).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let behind = behind.strip_prefix(":AA").filter(|_| is_number)?.as_bytes();
    let glance = behind.get(..behind.len().min(GLANCE)).unwrap_or_default();
    let rest = length(glance, |byte| Alphabet::Dashed.has(byte));
    (30..=40).contains(&rest).then_some(word.len() + 3 + rest)
}

fn length(bytes: &[u8], accepts: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !accepts(*byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(KNOWN.is_sorted_by(|one, next| one.0 < next.0), "a prefix would not be found");
    }

    #[test]
    fn every_known_prefix_is_recognised_and_too_short_a_rest_is_not() {
        for (prefix, _, least) in KNOWN {
            let token = format!("{prefix}{}", "A1".repeat(*least));
            assert_eq!(recognise(&token), Some(token.len()), "{token}");
            assert_eq!(recognise(&format!("{token}. ")), Some(token.len()), "{token}");
            let short = format!("{prefix}{}", "1".repeat(least - 1));
            assert_eq!(recognise(&short), None, "{short}");
        }
    }

    #[test]
    fn no_known_prefix_makes_a_token_of_words() {
        for (prefix, alphabet, _) in KNOWN.iter().filter(|(_, alphabet, _)| alphabet.strings_words()) {
            let name = format!("{prefix}{}", "some-words-that-people-string-together-".repeat(5));
            assert_eq!(recognise(&name), None, "{name} {alphabet:?}");
        }
    }

    #[test]
    fn a_token_ends_where_its_letters_end() {
        assert_eq!(recognise("AKIAIOSFODNN7EXAMPLE.txt"), Some(20));
        assert_eq!(recognise("AKIAIOSFODNN7EXAMPLEx"), None);
        assert_eq!(recognise_word("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln.x", ""), Some(41));
        assert_eq!(recognise_word("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", ""), None);
    }

    #[test]
    fn words_of_a_language_are_no_tokens() {
        assert_eq!(recognise("sk-learn-for-people-who-like-sliders"), None);
        assert_eq!(recognise("npm_lifecycle_event_of_a_very_long_name"), None);
        assert_eq!(recognise("AKIAABCDEFGHIJKLMNOP"), Some(20), "a prefix that no word has needs no digit");
    }
}
