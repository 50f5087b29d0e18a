//! Ways in which the world can break around a hook, and what must come of each.
//!
//! One list for two readers: the documentation prints it, and the test runs it against the shipped binary for every
//! command hook of a catalog. So the documentation claims nothing that is not run.

mod damage;
mod input;
mod judge;
mod matrix;
mod report;
mod somebody;
mod subject;
mod trial;
mod without_git;

pub use matrix::Matrix;
pub use report::{Evidence, Failure, Finding};

use damage::Damage;
use input::{Broken, Odd, Shape};

/// Something that breaks.
#[derive(Debug)]
pub struct Fault {
    /// Name in reports, in kebab-case.
    pub id: &'static str,
    /// What is wrong.
    pub what: &'static str,
    /// Whom it concerns, as far as hooks themselves go.
    effect: Effect,
    kind: Kind,
}

/// Whom a fault concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Every hook: none can do its work, and `fail_safe` decides.
    Breaks,
    /// Hooks that need what is broken; the others answer as always.
    BreaksUsers,
    /// Closed hooks that go by it, since the default may be looser; the others answer as always, by the default.
    Loosens,
    /// Hooks that look at it: they find something else than usual, and decide by what they find.
    FoundOtherwise,
    /// Whoever has something to say: a refusal stands, by its exit code, and the rest is not heard.
    Unheard,
    /// Nobody: the answer is the same.
    Harmless,
}

impl Fault {
    /// What must come of it for a hook that does or does not start programs.
    pub fn effect_on(&self, starts_programs: bool) -> Effect {
        if starts_programs && self.kind.reaches_programs() { Effect::FoundOtherwise } else { self.effect }
    }
}

/// What is done to bring a fault about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Something else than an event comes on standard input.
    Input(Broken),
    /// The event never ends.
    Unending,
    /// The event is very large, or holds what a strict reader would refuse.
    Odd(Odd),
    /// The registration asks for a hook that the binary does not have.
    UnknownHook,
    /// Every field in turn is of every other type.
    Fields,
    /// The event is nearly what the client sends.
    Shaped(Shape),
    /// The records of the project are something else.
    Records(&'static str),
    /// The environment says that the home folder is elsewhere.
    Home,
    /// Somebody wrote a breaker file.
    Breaker,
    /// The session's files are not what they were.
    State(Damage),
    /// There is no folder for state, or nothing can be written.
    NoStore,
    ReadOnlyStore,
    FullDisk,
    FileSizeLimit,
    /// Somebody else has the session's state locked.
    HeldState,
    /// Standard output takes nothing.
    ClosedOutput,
    FullOutput,
    /// The logs are not what they were.
    Log(Damage),
    /// The config file is not what it should be.
    Config(Damage),
    ConfigOutOfRange,
    /// There is no git.
    NoGit,
}

/// What must be so before a fault as well, for a comparison to mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Preparation {
    Nothing,
    /// There is no config file.
    NoConfig,
    /// The world belongs to somebody who is not the superuser.
    GivenAway,
    /// Open hooks have no config file in the home folder.
    OtherHome,
}

impl Kind {
    fn preparation(self) -> Preparation {
        match self {
            Self::Config(_) | Self::ConfigOutOfRange => Preparation::NoConfig,
            Self::State(Damage::Unreadable) | Self::ReadOnlyStore => Preparation::GivenAway,
            Self::Home => Preparation::OtherHome,
            _ => Preparation::Nothing,
        }
    }

    /// Whether nothing can be remembered. A folder or a loop in the place of a file is refused as well.
    fn keeps_from_writing(self) -> bool {
        matches!(
            self,
            Self::NoStore
                | Self::ReadOnlyStore
                | Self::FullDisk
                | Self::FileSizeLimit
                | Self::HeldState
                | Self::State(Damage::Folder | Damage::Loop | Damage::Pipe | Damage::Unreadable)
        )
    }

    /// What a shell does to itself before it becomes the hook.
    fn shell(self) -> Option<&'static str> {
        match self {
            // Writes go nowhere; what is already open, such as the pipes to the client, is not concerned.
            Self::FullDisk => Some("trap '' XFSZ; ulimit -f 0"),
            Self::FileSizeLimit => Some("ulimit -f 0"),
            Self::ClosedOutput => Some("exec >&-"),
            Self::FullOutput => Some("exec >/dev/full"),
            _ => None,
        }
    }

    /// Whether the hook may be kept waiting until its time is up.
    fn waits(self) -> bool {
        matches!(self, Self::Unending | Self::HeldState)
    }

    /// Whether the programs that a hook starts meet it too.
    fn reaches_programs(self) -> bool {
        matches!(self, Self::FullDisk | Self::FileSizeLimit | Self::NoGit)
    }
}

const fn fault(id: &'static str, what: &'static str, effect: Effect, kind: Kind) -> Fault {
    Fault { id, what, effect, kind }
}

/// Every fault that can be brought about from outside.
pub const FAULTS: &[Fault] = &[
    fault("empty-input", "nothing on standard input", Effect::Breaks, Kind::Input(Broken::Empty)),
    fault("not-json", "standard input that is not JSON", Effect::Breaks, Kind::Input(Broken::Prose)),
    fault("not-an-object", "JSON that is not an object", Effect::Breaks, Kind::Input(Broken::List)),
    fault("truncated-input", "an event that is cut off", Effect::Breaks, Kind::Input(Broken::Truncated)),
    fault("deep-input", "an event nested 100,000 levels deep", Effect::Breaks, Kind::Input(Broken::Deep)),
    fault("too-large-input", "an event of more than 64 MiB", Effect::Breaks, Kind::Input(Broken::TooLarge)),
    fault("unending-input", "an event that never ends", Effect::Breaks, Kind::Unending),
    fault("unknown-hook", "a registration of a hook that the binary lacks", Effect::Breaks, Kind::UnknownHook),
    fault("large-input", "an event of 50 MB", Effect::Harmless, Kind::Odd(Odd::Large)),
    fault("not-utf-8", "an event with a byte that is not UTF-8", Effect::Harmless, Kind::Odd(Odd::NotText)),
    fault("lone-surrogate", "an event with half a surrogate pair", Effect::Harmless, Kind::Odd(Odd::HalfPair)),
    fault("wrong-types", "any field of the event with another type", Effect::BreaksUsers, Kind::Fields),
    fault("text-for-input", "a text in place of a tool's input", Effect::BreaksUsers, Kind::Shaped(Shape::Text)),
    fault("list-for-input", "a list in place of a tool's input", Effect::BreaksUsers, Kind::Shaped(Shape::List)),
    fault("null-for-input", "null in place of a tool's input", Effect::BreaksUsers, Kind::Shaped(Shape::Null)),
    fault("renamed-field", "a tool's input with other names", Effect::BreaksUsers, Kind::Shaped(Shape::Names)),
    fault("endless-line", "a shell line too much to follow", Effect::BreaksUsers, Kind::Shaped(Shape::Line)),
    fault("list-for-record", "a list in place of a document's record", Effect::BreaksUsers, Kind::Records("[1]\n")),
    fault("number-for-record", "a number in place of a document's record", Effect::BreaksUsers, Kind::Records("7\n")),
    fault("home-elsewhere", "`HOME` that points elsewhere", Effect::BreaksUsers, Kind::Home),
    fault("forged-breaker", "a breaker file that no hook wrote", Effect::Harmless, Kind::Breaker),
    fault("state-missing", "state that is gone", Effect::BreaksUsers, Kind::State(Damage::Missing)),
    fault("state-corrupt", "state that is damaged", Effect::BreaksUsers, Kind::State(Damage::Corrupt)),
    fault("state-directory", "a folder in place of a state file", Effect::BreaksUsers, Kind::State(Damage::Folder)),
    fault("state-unreadable", "a state file without permissions", Effect::BreaksUsers, Kind::State(Damage::Unreadable)),
    fault("state-loop", "a loop of links in place of a state file", Effect::BreaksUsers, Kind::State(Damage::Loop)),
    fault("state-pipe", "a pipe in place of a state file", Effect::BreaksUsers, Kind::State(Damage::Pipe)),
    fault("no-state-folder", "a state folder that cannot be created", Effect::BreaksUsers, Kind::NoStore),
    fault("read-only-state", "a state folder that cannot be written to", Effect::BreaksUsers, Kind::ReadOnlyStore),
    fault("full-disk", "a disk without space", Effect::BreaksUsers, Kind::FullDisk),
    fault("file-size-limit", "a limit on the size of files", Effect::BreaksUsers, Kind::FileSizeLimit),
    fault("held-state", "state that somebody else keeps locked", Effect::BreaksUsers, Kind::HeldState),
    fault("no-log", "logs that cannot be written", Effect::Harmless, Kind::Log(Damage::Folder)),
    fault("log-pipe", "a pipe in place of the logs", Effect::Harmless, Kind::Log(Damage::Pipe)),
    fault("closed-output", "standard output that is closed", Effect::Unheard, Kind::ClosedOutput),
    fault("full-output", "standard output that takes nothing", Effect::Unheard, Kind::FullOutput),
    fault("config-corrupt", "a config file that is damaged", Effect::Loosens, Kind::Config(Damage::Corrupt)),
    fault(
        "config-directory",
        "a folder in place of the config file",
        Effect::BreaksUsers,
        Kind::Config(Damage::Folder),
    ),
    fault(
        "config-loop",
        "a loop of links in place of the config file",
        Effect::BreaksUsers,
        Kind::Config(Damage::Loop),
    ),
    fault("config-pipe", "a pipe in place of the config file", Effect::Loosens, Kind::Config(Damage::Pipe)),
    fault("config-out-of-range", "settings out of range or of another type", Effect::Harmless, Kind::ConfigOutOfRange),
    fault("no-git", "no `git` to be found", Effect::Harmless, Kind::NoGit),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_a_name_of_its_own() {
        for (position, fault) in FAULTS.iter().enumerate() {
            assert!(FAULTS[..position].iter().all(|other| other.id != fault.id && other.what != fault.what));
        }
    }
}
