//! The registry of faults: a stable code, a name and a page for each.
//!
//! A code never changes its meaning and is never used again. Families: `HG0xx` the file and its YAML, `HG1xx` its
//! shape, `HG2xx` names, `HG3xx` expressions, `HG4xx` events and effects, `HG5xx` what is valid but probably not meant.

use std::fmt;

macro_rules! codes {
    ($($variant:ident = $id:literal $name:literal $summary:literal;)+) => {
        /// A kind of fault.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $summary] $variant,)+
        }

        impl Code {
            /// Every code, in ascending order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable code, such as `HG101`.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            /// The name, such as `unknown-key`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What it means, in one line.
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)+ }
            }

            /// The page that explains it, in Markdown.
            pub const fn page(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("../../pages/", $id, ".md")),)+ }
            }
        }
    };
}

codes! {
    UnreadableFile = "HG001" "unreadable-file" "the catalog file cannot be read";
    NotUtf8 = "HG002" "not-utf8" "the catalog file is not UTF-8 text";
    FileTooLarge = "HG003" "file-too-large" "the catalog file is larger than any reviewed catalog";
    EmptyFile = "HG004" "empty-file" "the catalog file has no content";
    YamlSyntax = "HG005" "yaml-syntax" "the text is not YAML";
    DuplicateKey = "HG006" "duplicate-key" "a mapping has the same key twice";
    MergeKey = "HG007" "merge-key" "a mapping pulls in another one with `<<`";
    AnchorOrAlias = "HG008" "anchor-or-alias" "a value is named with `&` or repeated with `*`";
    TabIndentation = "HG009" "tab-indentation" "a line is indented with a tab";
    SeveralDocuments = "HG010" "several-documents" "the file holds more than one YAML document";
    NestingTooDeep = "HG011" "nesting-too-deep" "values are nested deeper than any catalog needs";
    UnsupportedYaml = "HG012" "unsupported-yaml" "a YAML construct that a catalog cannot hold";

    UnknownKey = "HG101" "unknown-key" "a key that has no meaning here";
    MissingKey = "HG102" "missing-key" "a required key is absent";
    WrongType = "HG103" "wrong-type" "a value of another type is expected";
    BadValue = "HG104" "bad-value" "a value of the right type is not one of those allowed";
    Shape = "HG105" "shape" "the text is YAML but not a catalog";

    DuplicateId = "HG201" "duplicate-id" "two things of one kind share an id or name";
    UnknownName = "HG202" "unknown-name" "a reference to something that is not declared";
    NameClash = "HG203" "name-clash" "a name hides another one";
    Cycle = "HG204" "cycle" "a definition depends on itself";
    BadName = "HG205" "bad-name" "a declared name cannot be used in an expression";
    IdleOverride = "HG206" "idle-override" "something is overridden that is not there";
    OtherContent = "HG207" "other-content" "a file is not the one that was reviewed";

    ExpressionSyntax = "HG301" "expression-syntax" "an expression cannot be parsed";
    UnknownField = "HG302" "unknown-field" "an expression reads a field that does not exist";
    TypeMismatch = "HG303" "type-mismatch" "an expression combines types that do not fit";
    UnknownFunction = "HG304" "unknown-function" "an expression calls a function that does not exist";
    BadArguments = "HG305" "bad-arguments" "a function is called with the wrong arguments";
    BadPattern = "HG306" "bad-pattern" "a regular expression cannot be compiled";
    TemplateSyntax = "HG307" "template-syntax" "a text with `${…}` cannot be parsed";
    ConstantCondition = "HG308" "constant-condition" "a condition is always true or always false";

    UnknownEvent = "HG401" "unknown-event" "the agent has no such event";
    BadMatcher = "HG402" "bad-matcher" "a matcher that the event does not take or that cannot match";
    EffectNotPossible = "HG403" "effect-not-possible" "the event cannot bring about this effect";
    SeveralDecisions = "HG404" "several-decisions" "one check decides more than once";
    HandlerFields = "HG405" "handler-fields" "a key that belongs to another type of hook";
    BadTimeout = "HG406" "bad-timeout" "a timeout that the agent does not honour";
    UnreachableCheck = "HG407" "unreachable-check" "a check stands after one that always decides";
    ReadsWritesDiffer = "HG408" "reads-writes-differ" "the declared reads or writes are not the real ones";
    NoEffect = "HG409" "no-effect" "a check or hook that brings about nothing";
    BadRange = "HG410" "bad-range" "a threshold's range is empty or excludes its default";
    DocumentFormat = "HG411" "document-format" "an effect would leave a document that cannot be read any more";
    AgentCannot = "HG412" "agent-cannot" "an agent that the catalog is for cannot do what a hook wants";
    KeyMismatch = "HG413" "key-mismatch" "what is kept apart for each key is used without one, or the reverse";

    UnusedName = "HG501" "unused-name" "something is declared and never used";
    NoCases = "HG502" "no-cases" "a hook is not shown to decide and to let pass";
    UnknownTool = "HG503" "unknown-tool" "a matcher names no known tool";
    UnprovedFailureMode = "HG504" "unproved-failure-mode" "a failure mode names no case that shows it";
    UnknownSubject = "HG505" "unknown-subject" "a matcher names nothing that the event is ever about";
    DoubtfulCase = "HG506" "doubtful-case" "a case shows less than it seems to";
    DoubtfulText = "HG507" "doubtful-text" "a text will not say what it seems to";
    FixedSetting = "HG508" "fixed-setting" "a setting is meant to be changed and there is no file to do it in";
    UnguardedSwitch = "HG509" "unguarded-switch" "an agent can write a file that switches the hooks off";
    UnheededExcess = "HG510" "unheeded-excess" "an open hook lets pass a shell line that is too much to follow";
    MovableGuard = "HG511" "movable-guard" "a closed hook depends on a variable that a project can set";
    ImpossibleWord = "HG512" "impossible-word" "a command is asked for a word that none ever has there";
    LostNote = "HG513" "lost-note" "the session is asked for what nobody noted, or notes what nobody asks for";
    MissingGroup = "HG514" "missing-group" "a replacement puts in a group that the pattern does not have";
    NoSubcommand = "HG515" "no-subcommand" "a program without subcommands is asked for one";
    IdleCondition = "HG516" "idle-condition" "an `if` for a tool that the matcher never lets through";
    OutsideMatcher = "HG517" "outside-matcher" "an event's subject is compared with what the matcher never lets through";
    UnknownValue = "HG518" "unknown-value" "a field of an event is compared with a word that the agent never says";
    EndlessStop = "HG519" "endless-stop" "a hook may refuse the same stop for ever";
    OverlongWait = "HG520" "overlong-wait" "a program or a pause may take longer than the hook has";
    IdleClosed = "HG521" "idle-closed" "a hook is closed where nothing can be refused";
    DivisionByZero = "HG522" "division-by-zero" "a whole number is divided by zero";
    RelativePath = "HG523" "relative-path" "an absolute path is compared with a relative one";
    PatternSeparator = "HG524" "pattern-separator" "a text is split at a regular expression, taken as it stands";
    MissingShell = "HG525" "missing-shell" "a guard of shell lines for Windows does not see PowerShell";
    OutsideWorld = "HG526" "outside-world" "a case is given a file outside of its world";
    DeniedAdvice = "HG527" "denied-advice" "a text tells the agent to run what the catalog refuses";
    IdleAllow = "HG528" "idle-allow" "an `allow` silences nothing";
    SettledCondition = "HG529" "settled-condition" "a condition holds always or never, whatever the event is";
    PreemptedCheck = "HG530" "preempted-check" "a check is about nothing that the checks before it do not decide";
    OpposedDecisions = "HG531" "opposed-decisions" "two hooks decide one event in opposite ways";
    CoveredRow = "HG532" "covered-row" "a row of a table is covered by another one";
    IdleSwitch = "HG533" "idle-switch" "a flag or a choice is asked for and changes nothing";
    IdleThreshold = "HG534" "idle-threshold" "no value that a threshold may have makes a difference";
}

impl Code {
    /// The code with this id or name, in any case.
    pub fn find(text: &str) -> Option<Self> {
        let same = |other: &str| other.eq_ignore_ascii_case(text);
        Self::ALL.iter().copied().find(|code| same(code.id()) || same(code.name()))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADINGS: [&str; 4] = ["## What it means", "## Why it matters", "## Wrong", "## Right"];

    #[test]
    fn codes_are_unique_and_ascending() {
        assert!(Code::ALL.is_sorted_by(|one, next| one.id() < next.id()));
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn names_are_kebab_case_and_summaries_are_one_plain_line() {
        for code in Code::ALL {
            let kebab = code.name().chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-');
            assert!(kebab, "{code}");
            assert!(!code.summary().ends_with('.') && !code.summary().contains('\n'), "{code}");
        }
    }

    #[test]
    fn every_page_has_its_title_its_headings_and_both_examples() {
        for code in Code::ALL {
            let page = code.page();
            assert!(page.starts_with(&format!("# {code}: {}\n", code.name())), "{code}");
            let headings: Vec<_> = page.lines().filter(|line| line.starts_with("## ")).collect();
            assert_eq!(headings, HEADINGS, "{code}");
            let (_, examples) = page.split_once(HEADINGS[2]).expect("a wrong example");
            let (wrong, right) = examples.split_once(HEADINGS[3]).expect("a right example");
            for example in [wrong, right] {
                assert_eq!(example.matches("```yaml\n").count(), 1, "{code}");
                assert_eq!(example.matches("```").count(), 2, "{code}");
            }
        }
    }

    #[test]
    fn no_page_is_without_a_code() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/pages");
        let pages = std::fs::read_dir(folder).expect("the pages").count();
        assert_eq!(pages, Code::ALL.len());
    }

    #[test]
    fn a_code_is_found_by_id_and_by_name() {
        assert_eq!(Code::find("hg101"), Some(Code::UnknownKey));
        assert_eq!(Code::find("unknown-key"), Some(Code::UnknownKey));
        assert_eq!(Code::find("HG999"), None);
    }
}
