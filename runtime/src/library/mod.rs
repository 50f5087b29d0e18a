//! The functions of the expression language: one idea per file, its signature, documentation and tests beside it.
//!
//! A function takes plain values, so that compiled expressions and any other reader of them call the same code. Only
//! functions that look at the world take the call, and only those that say so can fail.

mod after;
mod ascii_case;
mod basename;
mod before;
mod blocks;
mod branch_of;
mod commands;
mod contains;
mod content_text;
mod count;
mod digest;
mod dirname;
mod distinct;
mod ends;
mod ends_with;
mod expand_braces;
mod file_age;
mod file_exists;
mod file_size;
mod files_under;
mod find;
mod find_all;
mod fits_any;
mod folders;
mod has_options;
mod holds;
#[cfg(all(test, unix))]
mod hostile_repository;
mod index_of;
mod is_within;
mod join;
mod json;
mod keywords;
mod last_prompt;
mod last_tool_input;
mod lines;
mod matches;
mod mentioned;
mod noted;
mod now;
mod occurrences;
mod one_line;
mod overlap;
mod pause;
mod read_text;
mod remembered;
mod replace;
mod replace_pattern;
mod replace_start;
mod repository;
mod resolved;
mod run;
mod run_latest;
mod same_path;
mod sections;
mod sha256;
mod size;
mod split;
mod starts_with;
mod subagent;
mod substring;
mod take_last;
mod texts;
mod touches;
mod transcript;
mod trim;
mod turn;
mod whole_number;
mod words;

pub use crate::shell::{Command, Problem};
pub use after::after;
pub use ascii_case::{lower_ascii, upper_ascii};
pub use basename::basename;
pub use before::before;
pub use blocks::blocks;
pub use branch_of::{branch_of, repository_of};
pub use commands::{commands, shell_problem};
pub use contains::contains;
pub use content_text::content_text;
pub use count::count;
pub use digest::{digest, sha256_hex};
pub use dirname::dirname;
pub use distinct::distinct;
pub use ends::{first, last};
pub use ends_with::ends_with;
pub use expand_braces::expand_braces;
pub use file_age::file_age;
pub use file_exists::{file_exists, folder_exists};
pub use file_size::file_size;
pub use files_under::files_under;
pub use find::find;
pub use find_all::find_all;
pub use fits_any::fits_any;
pub use folders::{home, plugin_root, project_dir, state_dir};
pub use has_options::{has_all, has_any};
pub use holds::holds;
pub use index_of::index_of;
pub use is_within::is_within;
pub use join::join;
pub use json::{json, json_text};
pub use keywords::keywords;
pub use last_prompt::last_prompt;
pub use last_tool_input::last_tool_input;
pub use lines::lines;
pub use matches::matches;
pub use mentioned::mentioned;
pub use noted::noted;
pub use now::{now_date, now_epoch, now_iso};
pub use occurrences::occurrences;
pub use one_line::one_line;
pub use overlap::overlap;
pub use pause::pause;
pub use read_text::read_text;
pub use remembered::remembered;
pub use replace::replace;
pub use replace_pattern::replace_pattern;
pub use replace_start::replace_start;
pub use repository::{git_branch, git_commit, git_root};
pub use resolved::resolved;
pub use run::{Ran, query, query_with, run, run_with};
pub use run_latest::{end_latest, run_latest, run_whole};
pub use same_path::same_path;
pub use sections::sections;
pub use sha256::sha256;
pub use size::{list_size, size};
pub use split::split;
pub use starts_with::starts_with;
pub use subagent::{subagent_name, subagent_output};
pub use substring::{substring, substring_from};
pub use take_last::take_last;
pub use texts::texts;
pub use touches::touches_any;
pub use trim::trim;
pub use turn::turn_refused;
pub use whole_number::{whole_number, whole_number_of_text};
pub use words::words;

use crate::signature::Function;

/// Every function, in the order of the reference page. Those of the same name differ in receiver or parameters.
pub static FUNCTIONS: &[&Function] = &[
    &starts_with::FUNCTION,
    &ends_with::FUNCTION,
    &contains::FUNCTION,
    &matches::FUNCTION,
    &fits_any::FUNCTION,
    &find::FUNCTION,
    &find_all::FUNCTION,
    &count::FUNCTION,
    &replace::FUNCTION,
    &replace_pattern::FUNCTION,
    &replace_start::FUNCTION,
    &split::FUNCTION,
    &trim::FUNCTION,
    &ascii_case::LOWER,
    &ascii_case::UPPER,
    &substring::FROM,
    &substring::BETWEEN,
    &size::TEXT,
    &size::OF_TEXT,
    &lines::FUNCTION,
    &words::FUNCTION,
    &before::FUNCTION,
    &after::FUNCTION,
    &blocks::FUNCTION,
    &sections::FUNCTION,
    &keywords::FUNCTION,
    &mentioned::FUNCTION,
    &one_line::FUNCTION,
    &expand_braces::FUNCTION,
    &join::FUNCTION,
    &size::LIST,
    &size::OF_LIST,
    &ends::FIRST,
    &ends::LAST,
    &take_last::FUNCTION,
    &distinct::FUNCTION,
    &index_of::FUNCTION,
    &occurrences::FUNCTION,
    &overlap::FUNCTION,
    &json::FUNCTION,
    &json::TEXT,
    &content_text::FUNCTION,
    &texts::FUNCTION,
    &whole_number::FUNCTION,
    &whole_number::TEXT,
    &digest::FUNCTION,
    &digest::SHA256,
    &commands::COMMANDS,
    &commands::SHELL_PROBLEM,
    &has_options::ANY,
    &has_options::ALL,
    &touches::FUNCTION,
    &holds::FUNCTION,
    &is_within::FUNCTION,
    &resolved::FUNCTION,
    &same_path::FUNCTION,
    &basename::FUNCTION,
    &dirname::FUNCTION,
    &file_exists::FUNCTION,
    &file_exists::FOLDER,
    &file_size::FUNCTION,
    &file_age::FUNCTION,
    &read_text::FUNCTION,
    &files_under::FUNCTION,
    &branch_of::BRANCH,
    &branch_of::REPOSITORY,
    &remembered::FUNCTION,
    &noted::FUNCTION,
    &last_tool_input::FUNCTION,
    &last_prompt::FUNCTION,
    &run::QUERY,
    &run::QUERY_WITH,
    &run::FUNCTION,
    &run::WITH,
    &run_latest::FUNCTION,
    &run_latest::WHOLE,
    &run_latest::END,
    &pause::FUNCTION,
];

/// Every value that is there without a call: `git.branch` and its like.
pub static PROPERTIES: &[&Function] = &[
    &folders::PROJECT_DIR,
    &folders::PLUGIN_ROOT,
    &folders::HOME,
    &folders::STATE_DIR,
    &repository::BRANCH,
    &repository::ROOT,
    &repository::COMMIT,
    &subagent::NAME,
    &subagent::OUTPUT,
    &now::ISO,
    &now::EPOCH,
    &now::DATE,
    &turn::REFUSED,
];

/// The function or property whose Rust function has this name. Two call forms of one function share it.
pub fn by_symbol(symbol: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().chain(PROPERTIES).copied().find(|function| function.symbol == symbol)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Power;

    fn all() -> Vec<&'static Function> {
        FUNCTIONS.iter().chain(PROPERTIES).copied().collect()
    }

    fn pairs() -> impl Iterator<Item = (&'static Function, &'static Function)> {
        let all = all();
        (0..all.len()).flat_map(move |later| {
            let all = all.clone();
            (0..later).map(move |earlier| (all[earlier], all[later]))
        })
    }

    #[test]
    fn a_call_names_one_function() {
        let types = |function: &Function| function.params.iter().map(|(_, kind)| *kind).collect::<Vec<_>>();
        for (a, b) in pairs().filter(|(a, b)| a.name == b.name) {
            assert!((a.receiver, types(a)) != (b.receiver, types(b)), "{}", a.name);
        }
    }

    #[test]
    fn a_symbol_is_shared_only_by_the_two_call_forms_of_one_function() {
        for (a, b) in pairs().filter(|(a, b)| a.symbol == b.symbol) {
            assert_eq!(a.name, b.name);
            assert!(a.receiver.is_some() != b.receiver.is_some(), "{}", a.symbol);
        }
    }

    #[test]
    fn documentation_is_made_of_sentences() {
        for function in all() {
            let doc = function.doc;
            assert!(doc.starts_with(|first: char| first.is_uppercase()) && doc.ends_with('.'), "{}", function.name);
        }
    }

    #[test]
    fn an_example_shows_its_own_function() {
        for function in all() {
            assert!(function.example.contains(function.name), "{}", function.name);
        }
    }

    #[test]
    fn properties_look_at_the_world_and_take_nothing() {
        for property in PROPERTIES {
            assert!(property.contextual && property.params.is_empty(), "{}", property.name);
        }
        for function in FUNCTIONS {
            assert!(function.contextual || !function.fallible, "{}", function.name);
        }
    }

    #[test]
    fn whoever_takes_the_call_says_what_for() {
        for function in all() {
            assert_eq!(function.contextual, !function.powers.is_empty(), "{}", function.name);
        }
    }

    #[test]
    fn a_program_is_started_or_ended_only_by_those_that_say_so() {
        let named = |power: Power| {
            all()
                .into_iter()
                .filter(|function| function.powers.contains(&power))
                .map(|function| function.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(named(Power::Query), ["query", "queryWith"]);
        assert_eq!(named(Power::Program), ["run", "runWith", "runLatest", "runWhole"]);
        assert_eq!(named(Power::EndsPrograms), ["runLatest", "runWhole", "endLatest"]);
    }
}
