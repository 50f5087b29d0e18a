//! Which names stand for secrets: `DB_PASSWORD`, `apiKey`, `--access-token`, and not `token_count` or `task-key`.

/// Words that name a secret when they come last; so does whatever ends with `token`.
const SECRETS: &[&str] = &[
    "accesskey",
    "apikey",
    "authkey",
    "contrasena",
    "credential",
    "credentials",
    "jwt",
    "kennwort",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "privatekey",
    "psk",
    "secret",
    "secretkey",
    "senha",
    "wachtwoord",
];
/// Short forms that mean something else when they stand alone: `PWD` is the working folder.
const SHORT_SECRETS: &[&str] = &["pass", "pwd"];
/// Words that make a secret of a `key` behind them.
const KEY_KINDS: &[&str] = &[
    "access",
    "account",
    "api",
    "auth",
    "client",
    "deploy",
    "encryption",
    "hmac",
    "master",
    "private",
    "secret",
    "service",
    "session",
    "shared",
    "signing",
    "ssh",
    "storage",
    "subscription",
];
/// Variables that name a secret in a way of their own.
const VARIABLES: &[&str] = &["REDISCLI_AUTH", "SSHPASS"];
/// Words that, coming last, say that the value is about a secret and is none.
const ABOUT: &[&str] = &[
    "age", "bytes", "count", "enabled", "expires", "expiry", "field", "file", "id", "len", "length", "limit", "max",
    "min", "mode", "name", "path", "policy", "prompt", "regex", "required", "size", "stdin", "store", "ttl", "type",
    "url", "usage", "version",
];

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is a secret, so that even the next argument of a command line is one.
    Credential,
    /// It holds secrets.
    Secret,
    /// It is a password, or something else altogether: what surrounds the name decides.
    Short,
    /// It signs an address, or is called by a number: whoever has a long one may use it.
    Signature,
    /// It is an account, if it is encoded as one.
    Account,
    Other,
}

pub(super) fn kind(name: &str) -> Kind {
    let words = words(name);
    let Some((last, before)) = words.split_last() else { return Kind::Other };
    let last = last.as_str();
    let has = |kinds: &[&str]| before.iter().any(|word| kinds.contains(&word.as_str()));
    let short = SHORT_SECRETS.contains(&last);
    let key = last == "key" && (has(KEY_KINDS) || is_upper_case(name));
    // What bundler sends to a server of packages: `BUNDLE_GEMS__EXAMPLE__COM`.
    let variable = VARIABLES.contains(&name) || (name.starts_with("BUNDLE_") && name.contains("__"));
    let key_data = last == "data" && before.last().is_some_and(|word| word == "key") && has(&["client"]);
    if SECRETS.contains(&last)
        || last.ends_with("token")
        || key
        || key_data
        || variable
        || (short && !before.is_empty())
    {
        Kind::Credential
    } else if short {
        Kind::Short
    } else if matches!(last, "sig" | "signature")
        || (last == "id" && before.last().is_some_and(|word| word == "secret"))
    {
        Kind::Signature
    } else if last == "auth" && before.is_empty() {
        Kind::Account
    } else if !ABOUT.contains(&last) && words.iter().any(|word| holds_secret(word)) {
        Kind::Secret
    } else {
        Kind::Other
    }
}

/// Whether the value of a short name can be a password: no folder, number or switch.
pub(super) fn may_be_password(value: &str) -> bool {
    let value = value.trim_end_matches(['}', ']', ',']);
    let folder = value.starts_with(['/', '.', '~', '$']) || value.as_bytes().get(1) == Some(&b':');
    let plain = value.bytes().all(|byte| byte.is_ascii_digit()) || matches!(value, "true" | "false" | "null" | "none");
    !folder && !plain
}

/// `clientsecret` and `pgpassword` too, and no `secretary`.
fn holds_secret(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    word.ends_with("secret") || word.ends_with("password")
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
            "client-key-data",
            "aws_session_token",
            "SharedAccessKey",
        ] {
            assert!(matches!(kind(name), Kind::Credential | Kind::Secret), "{name}");
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
            "client-certificate-data",
            "signature",
            "author",
            "oauth",
        ] {
            assert!(!matches!(kind(name), Kind::Credential | Kind::Secret), "{name}");
        }
    }
}
