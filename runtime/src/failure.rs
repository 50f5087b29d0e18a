//! The ways in which a hook itself can break.
//!
//! A failure is never a verdict: the hook's `fail_safe` decides what becomes of the action. What a hook finds out
//! about the world (a missing file, an empty field) is an ordinary value and never ends up here.

use std::fmt;
use std::io::{self, ErrorKind};

/// Why a hook could not finish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The event on standard input is not what the client sends, or is more than can be followed.
    Payload(String),
    /// A document is not what the catalog says it is, or cannot be read or written.
    Document(String),
    /// An expression has no value: a division by zero, an index out of range, text that is no number.
    Expression(String),
    /// A program was not started, because the hook may only look.
    Withheld(String),
    /// The catalog's own file is not what it was when it was built.
    Catalog(String),
    /// The state cannot be used as it is: permissions, a link, a lock that somebody holds, a full disk, damage.
    State(String),
    /// The check panicked, or did not come to an end in time.
    Unfinished(String),
    /// The machine broke: the file system under the state folder fails.
    Infrastructure(String),
}

impl Failure {
    /// Whether the circuit breaker counts it. Only what whoever the hook watches over cannot bring about does: with a
    /// crafted event, a damaged document, a `chmod`, a held lock or a long line nobody may switch a guard off.
    pub fn counts(&self) -> bool {
        matches!(self, Self::Infrastructure(_))
    }

    /// An error about a document, with what was being done. A link can lead a document to any error there is.
    pub(crate) fn document(what: impl fmt::Display, error: &io::Error) -> Self {
        Self::Document(format!("{what}: {error}"))
    }

    /// An error in the state folder, where links are not followed, with what was being done.
    pub(crate) fn state(what: impl fmt::Display, error: &io::Error) -> Self {
        let text = format!("{what}: {error}");
        if is_of_the_machine(error) { Self::Infrastructure(text) } else { Self::State(text) }
    }
}

/// Errors that no permission, name, lock, quota or mount explains.
fn is_of_the_machine(error: &io::Error) -> bool {
    // The standard library has no name for `EIO`, which is the same number wherever there is one.
    const IO: i32 = 5;
    error.kind() == ErrorKind::StaleNetworkFileHandle || (cfg!(unix) && error.raw_os_error() == Some(IO))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Payload(text)
        | Self::Document(text)
        | Self::Expression(text)
        | Self::State(text)
        | Self::Unfinished(text)
        | Self::Withheld(text)
        | Self::Catalog(text)
        | Self::Infrastructure(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for Failure {}

/// The result of anything that may break.
pub type Attempt<T> = Result<T, Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_broken_machine_counts() {
        let text = || "x".to_owned();
        for failure in [
            Failure::Payload(text()),
            Failure::Document(text()),
            Failure::Expression(text()),
            Failure::State(text()),
            Failure::Unfinished(text()),
        ] {
            assert!(!failure.counts(), "{failure:?}");
        }
        assert!(Failure::Infrastructure(text()).counts());
    }

    #[test]
    fn what_the_person_and_the_agent_can_do_to_a_file_does_not_count() {
        for kind in [
            ErrorKind::PermissionDenied,
            ErrorKind::NotFound,
            ErrorKind::StorageFull,
            ErrorKind::QuotaExceeded,
            ErrorKind::FileTooLarge,
            ErrorKind::ReadOnlyFilesystem,
            ErrorKind::WouldBlock,
        ] {
            assert!(!Failure::state("x", &io::Error::from(kind)).counts(), "{kind:?}");
        }
        assert!(Failure::state("x", &io::Error::from(ErrorKind::StaleNetworkFileHandle)).counts());
        assert!(!Failure::document("x", &io::Error::from(ErrorKind::StaleNetworkFileHandle)).counts());
    }

    #[cfg(unix)]
    #[test]
    fn an_error_of_the_disk_counts() {
        assert!(Failure::state("x", &io::Error::from_raw_os_error(5)).counts());
    }
}
