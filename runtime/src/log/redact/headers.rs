//! Headers and schemes that announce credentials.

use super::{Scanner, Secret, account, is_blank, is_unquoted, is_word, looks_random};

impl Scanner<'_> {
    /// The credentials in `Authorization: Bearer …`; the scheme stays.
    pub(super) fn authorization(&self, name_end: usize) -> Secret {
        let after_name = name_end + self.quote(name_end);
        let separator = self.run_within(after_name, is_blank);
        if !matches!(self.at(separator), b'=' | b':') {
            return None;
        }
        let value = self.run_within(separator + 1, is_blank);
        let value = value + self.quote(value);
        let scheme_end = self.run_within(value, is_word);
        let credentials = self.run_within(scheme_end, is_blank);
        let scheme = self.slice(value, scheme_end);
        let is_one_of = |schemes: &[&str]| schemes.iter().any(|known| scheme.eq_ignore_ascii_case(known));
        if credentials > scheme_end && is_one_of(&["apikey", "basic", "bearer", "negotiate", "token"]) {
            self.secret(credentials, is_unquoted)
        } else if credentials > scheme_end && is_one_of(&["aws4-hmac-sha256", "digest", "hawk", "oauth"]) {
            // These send several parameters, up to the end of the header.
            self.secret(credentials, |byte| is_unquoted(byte) || is_blank(byte))
        } else {
            self.secret(value, is_unquoted)
        }
    }

    /// The cookies of a header, up to its end; a cookie that is a cake has no `=`.
    pub(super) fn cookies(&self, name_end: usize) -> Secret {
        let after_name = name_end + self.quote(name_end);
        if self.at(after_name) != b':' {
            return None;
        }
        let value = self.run_within(after_name + 1, is_blank);
        let value = value + self.quote(value);
        let named = self.run_within(value, is_word);
        let in_header = |byte| is_unquoted(byte) || is_blank(byte);
        (named > value && self.at(named) == b'=').then(|| self.secret(value, in_header)).flatten()
    }

    /// The token behind `Bearer`; a bearer of good news has none.
    pub(super) fn bearer(&self, word_end: usize) -> Secret {
        let start = self.run_within(word_end, is_blank);
        let glance = self.glance(start);
        (start > word_end && glance.len() >= 16 && looks_random(glance))
            .then(|| self.secret(start, is_unquoted))
            .flatten()
    }

    /// The account behind `Basic`; basic knowledge is none.
    pub(super) fn basic(&self, word_end: usize) -> Secret {
        let start = self.run_within(word_end, is_blank);
        let glance = self.glance(start);
        (start > word_end && account::is_encoded(glance)).then(|| self.secret(start, is_unquoted)).flatten()
    }
}
