//! Where machines find a marketplace, as people write it and as the client's settings have it.

use std::str::FromStr;

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    GitHub { repository: String, reference: Option<String> },
    Git { address: String, reference: Option<String> },
    Url(String),
    Npm(String),
    Directory(String),
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known =
            "say `github:OWNER/REPO[@REF]`, `git:ADDRESS[@REF]`, `url:ADDRESS`, `npm:PACKAGE` or `directory:PATH`";
        let (kind, place) = text.split_once(':').filter(|(_, place)| !place.is_empty()).ok_or(known)?;
        match kind {
            "github" => {
                let (repository, reference) = referred(place, '@');
                let parts: Vec<&str> = repository.split('/').collect();
                if parts.len() != 2 || parts.iter().any(|part| part.is_empty()) {
                    return Err(format!("`{repository}` is no repository of GitHub's: say `OWNER/REPO`"));
                }
                Ok(Self::GitHub { repository, reference })
            }
            "git" => {
                // An address may have an `@` before its host; a reference comes after the `.git` that every address ends in.
                let whole = format!("{place}@");
                let Some((address, reference)) = whole.split_once(".git@") else {
                    return Err(format!(
                        "the client takes addresses of repositories that end in `.git`, not `{place}`"
                    ));
                };
                let reference =
                    Some(reference.trim_end_matches('@').to_owned()).filter(|reference| !reference.is_empty());
                let address = format!("{address}.git");
                Ok(Self::Git { address, reference })
            }
            "url" if place.starts_with("https://") => Ok(Self::Url(place.to_owned())),
            "url" => Err(format!("`{place}` does not begin with `https://`")),
            "npm" => Ok(Self::Npm(place.to_owned())),
            "directory" if is_absolute(place) => Ok(Self::Directory(place.to_owned())),
            "directory" => Err(format!("`{place}` is not an absolute path, and machines have no common folder")),
            _ => Err(known.to_owned()),
        }
    }
}

/// As any of the platforms has it, not only this one.
fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.get(1..3).is_some_and(|drive| drive == ":\\" || drive == ":/")
}

fn referred(text: &str, mark: char) -> (String, Option<String>) {
    match text.split_once(mark) {
        Some((place, reference)) => (place.to_owned(), Some(reference.to_owned())),
        None => (text.to_owned(), None),
    }
}

impl Source {
    pub(super) fn settings(&self) -> Value {
        let with = |mut source: Value, reference: &Option<String>| {
            if let Some(reference) = reference {
                source["ref"] = json!(reference);
            }
            source
        };
        match self {
            Self::GitHub { repository, reference } => {
                with(json!({ "source": "github", "repo": repository }), reference)
            }
            Self::Git { address, reference } => with(json!({ "source": "git", "url": address }), reference),
            Self::Url(address) => json!({ "source": "url", "url": address }),
            Self::Npm(package) => json!({ "source": "npm", "package": package }),
            Self::Directory(path) => json!({ "source": "directory", "path": path }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_written_in_one_word() {
        for (text, expected) in [
            ("github:acme/guards", json!({ "source": "github", "repo": "acme/guards" })),
            ("github:acme/guards@v1", json!({ "source": "github", "repo": "acme/guards", "ref": "v1" })),
            ("git:ssh://git@host/g.git", json!({ "source": "git", "url": "ssh://git@host/g.git" })),
            ("git:ssh://git@host/g.git@v1", json!({ "source": "git", "url": "ssh://git@host/g.git", "ref": "v1" })),
            ("url:https://acme/m.json", json!({ "source": "url", "url": "https://acme/m.json" })),
            ("npm:@acme/guards", json!({ "source": "npm", "package": "@acme/guards" })),
            ("directory:/srv/guards", json!({ "source": "directory", "path": "/srv/guards" })),
            ("directory:C:\\guards", json!({ "source": "directory", "path": "C:\\guards" })),
        ] {
            assert_eq!(text.parse::<Source>().map(|source| source.settings()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_the_client_would_not_take_is_refused() {
        for text in [
            "acme/guards",
            "github:acme",
            "github:a/b/c",
            "git:https://host/g",
            "url:http://x",
            "directory:guards",
            "x:y",
            "npm:",
        ] {
            assert!(text.parse::<Source>().is_err(), "{text}");
        }
    }
}
