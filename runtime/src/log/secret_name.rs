//! Which names stand for secrets: `DB_PASSWORD`, `apiKey`, `--access-token`, and not `token_count` or `task-key`.

/// Words that name a secret when they come last.
const SECRETS: &[&str] = &["apikey", "authtoken", "passphrase", "passwd", "password", "secret", "token"];
/// Short forms that mean something else when they stand alone: `PWD` is the working folder.
const SHORT_SECRETS: &[&str] = &["pass", "pwd"];
/// Words that make a secret of a `key` behind them.
const KEY_KINDS: &[&str] =
    &["access", "account", "api", "auth", "encryption", "master", "private", "secret", "service", "signing"];
/// Words that, coming last, say that the value is about a secret and is none.
const ABOUT: &[&str] = &[
    "age", "bytes", "count", "enabled", "expires", "expiry", "field", "file", "id", "len", "length", "limit", "max",
    "min", "mode", "name", "path", "policy", "prompt", "regex", "required", "size", "stdin", "store", "ttl", "type",
    "url", "usage", "version",
];

/// Whether a value under this name is to be hidden.
pub(super) fn is_secret(name: &str) -> bool {
    let words = words(name);
    let Some(last) = words.last().map(String::as_str) else { return false };
    is_credential(name) || (!ABOUT.contains(&last) && words.iter().any(|word| holds_secret(word)))
}

/// `clientsecret` and `pgpassword` too, and no `secretary`.
fn holds_secret(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    word.ends_with("secret") || word.ends_with("password")
}

/// Whether the name is that of a secret itself, so that even the next argument of a command line is one.
pub(super) fn is_credential(name: &str) -> bool {
    let words = words(name);
    let Some((last, before)) = words.split_last() else { return false };
    let last = last.as_str();
    SECRETS.contains(&last)
        || (SHORT_SECRETS.contains(&last) && !before.is_empty())
        || (last == "key" && (before.iter().any(|word| KEY_KINDS.contains(&word.as_str())) || is_upper_case(name)))
}

/// Environment variables called `…_KEY` hold keys; a bare `KEY` or a `primary_key` column says nothing.
fn is_upper_case(name: &str) -> bool {
    name.ends_with("_KEY") && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// The words of a name, in lower case: split at punctuation and where camel case has its humps.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_lower_case = false;
    for character in name.chars() {
        let starts_word = character.is_ascii_uppercase() && after_lower_case;
        if (starts_word || !character.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.push(character.to_ascii_lowercase());
        }
        after_lower_case = character.is_ascii_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_in_every_spelling() {
        for name in [
            "PASSWORD",
            "DB_PASSWORD",
            "PGPASSWORD",
            "dbPassword",
            "GITHUB_TOKEN",
            "NPM_CONFIG_TOKEN",
            "access_token",
            "accessToken",
            "AWS_SECRET_ACCESS_KEY",
            "OPENAI_API_KEY",
            "STRIPE_KEY",
            "x-api-key",
            "apiKey",
            "apikey",
            "client-secret",
            "CLIENT_SECRETS_JSON",
            "--token",
            "db_pass",
            "spring.datasource.password",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn names_that_only_look_like_it() {
        for name in [
            "",
            "PWD",
            "OLDPWD",
            "pass",
            "token_count",
            "max_tokens",
            "tokenizer",
            "task-key",
            "key",
            "KEY",
            "primary_key",
            "monkey",
            "keyboard",
            "DB_PASSWORD_FILE",
            "password-stdin",
            "PASSWORD_MIN_LENGTH",
            "SECRET_NAME",
            "secretary",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
