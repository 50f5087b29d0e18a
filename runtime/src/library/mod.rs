//! The functions of the expression language: one idea per file, its signature, documentation and tests beside it.
//!
//! A function takes plain values, so that compiled expressions and any other reader of them call the same code. Only
//! functions that look at the world take the call, and only those that say so can fail.

mod addresses;
mod after;
mod as_path;
mod ascii_case;
mod basename;
mod before;
mod blocks;
mod branch_of;
mod branches;
mod commands;
mod contains;
mod content_digest;
mod content_text;
mod count;
mod digest;
mod dirname;
mod distinct;
mod elsewhere;
mod ends;
mod ends_with;
mod expand_braces;
mod file_age;
mod file_exists;
mod file_size;
mod files_matching;
mod files_under;
mod find;
mod find_all;
mod fits_any;
mod fits_rule;
mod flatten;
mod folders;
mod folders_up;
mod git_target;
mod has_options;
mod history;
mod holds;
#[cfg(all(test, unix))]
mod hostile_repository;
mod index_of;
mod is_within;
mod join;
mod json;
mod json_at;
mod keywords;
mod last_prompt;
mod last_tool_input;
mod lines;
mod machine;
mod matches;
mod mentioned;
mod noted;
mod now;
mod occurrences;
mod one_line;
mod option_values;
mod overlap;
mod packages;
mod pause;
mod read_text;
mod redacted;
mod redirections;
mod remembered;
mod remove_old;
mod replace;
mod replace_pattern;
mod replace_words;
mod repository;
mod resolved;
mod run;
mod run_latest;
mod same_path;
mod sections;
mod sha256;
mod size;
mod slice;
mod sort;
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
mod with_words;
mod words;

pub(crate) use run::notify;

pub use crate::shell::{Command, Problem, Redirection};
pub use sha256::sha256;

pub(crate) use holds::matches as fits_name;

use crate::signature::Function;

/// The list of all that the library has: for each file, the Rust functions that compiled expressions call, and their
/// declarations. A file that has two groups of functions is listed in both places.
macro_rules! registry {
    (
        functions: [$($file:ident: { $($item:ident),* } => [$($function:ident),+],)*],
        properties: [$($source:ident: { $($value:ident),* } => [$($property:ident),+],)*],
    ) => {
        $($(pub use $file::$item;)*)*
        $($(pub use $source::$value;)*)*

        /// Every function, in the order of the reference page. Those of the same name differ in receiver or parameters.
        pub static FUNCTIONS: &[&Function] = &[$($(&$file::$function),+),*];

        /// Every value that is there without a call: `git.branch` and its like.
        pub static PROPERTIES: &[&Function] = &[$($(&$source::$property),+),*];
    };
}

registry! {
    functions: [
        starts_with: { starts_with } => [FUNCTION],
        ends_with: { ends_with } => [FUNCTION],
        contains: { contains } => [FUNCTION],
        matches: { matches } => [FUNCTION],
        fits_any: { fits_any } => [FUNCTION],
        find: { find } => [FUNCTION],
        find_all: { find_all } => [FUNCTION],
        count: { count } => [FUNCTION],
        replace: { replace } => [FUNCTION],
        replace_pattern: { replace_pattern } => [FUNCTION],
        replace_words: { replace_words } => [FUNCTION],
        redacted: { redacted } => [FUNCTION],
        split: { split } => [FUNCTION],
        trim: { trim } => [FUNCTION],
        ascii_case: { lower_ascii, upper_ascii } => [LOWER, UPPER],
        substring: { substring, substring_from } => [FROM, BETWEEN],
        size: { list_size, size } => [TEXT, OF_TEXT],
        lines: { lines } => [FUNCTION],
        words: { words } => [FUNCTION],
        before: { before } => [FUNCTION],
        after: { after } => [FUNCTION],
        blocks: { blocks } => [FUNCTION],
        sections: { sections } => [FUNCTION],
        keywords: { keywords } => [FUNCTION],
        mentioned: { mentioned } => [FUNCTION],
        one_line: { one_line } => [FUNCTION],
        expand_braces: { expand_braces } => [FUNCTION],
        join: { join } => [FUNCTION],
        size: {} => [LIST, OF_LIST],
        ends: { first, last } => [FIRST, LAST],
        take_last: { take_last } => [FUNCTION],
        distinct: { distinct } => [FUNCTION],
        sort: { sort } => [FUNCTION],
        slice: { slice } => [FUNCTION],
        flatten: { flatten } => [FUNCTION],
        index_of: { index_of } => [FUNCTION],
        occurrences: { occurrences } => [FUNCTION],
        overlap: { overlap } => [FUNCTION],
        json: { json, json_text } => [FUNCTION, TEXT],
        json_at: { json_at } => [FUNCTION],
        content_text: { content_text } => [FUNCTION],
        texts: { texts } => [FUNCTION],
        whole_number: { whole_number, whole_number_of_text } => [FUNCTION, TEXT],
        digest: { digest, sha256_hex } => [FUNCTION, SHA256],
        commands: { commands, commands_with, possible_commands, powershell_commands, powershell_problem, shell_problem } => [COMMANDS, WITH, POSSIBLE, POWERSHELL, POWERSHELL_PROBLEM, SHELL_PROBLEM],
        has_options: { has_all, has_any } => [ANY, ALL],
        fits_rule: { RULE_KEYS, fits_rule } => [FUNCTION],
        with_words: { with_program, with_words, without_words } => [PROGRAM, MORE, LESS],
        option_values: { value, values } => [ONE, ALL],
        redirections: { redirections } => [FUNCTION],
        addresses: { hosts, urls } => [URLS, HOSTS],
        packages: { Package, packages } => [FUNCTION],
        git_target: { refs, remote } => [REMOTE, REFS],
        touches: { touches_any } => [FUNCTION],
        holds: { holds } => [FUNCTION],
        is_within: { is_within } => [FUNCTION],
        as_path: { as_path } => [FUNCTION],
        elsewhere: { elsewhere } => [FUNCTION],
        resolved: { resolved } => [FUNCTION],
        same_path: { same_path } => [FUNCTION],
        basename: { basename } => [FUNCTION],
        dirname: { dirname } => [FUNCTION],
        file_exists: { file_exists, folder_exists } => [FUNCTION, FOLDER],
        file_size: { file_size } => [FUNCTION],
        file_age: { file_age } => [FUNCTION],
        folders_up: { folders_up } => [FUNCTION],
        read_text: { is_text, read_text, read_text_loosely } => [FUNCTION, LOOSELY, IS_TEXT],
        files_under: { files_under } => [FUNCTION],
        files_matching: { files_matching } => [FUNCTION],
        branch_of: { branch_of, repository_of, work_tree_of } => [BRANCH, REPOSITORY, WORK_TREE],
        content_digest: { content_digest } => [FUNCTION],
        branches: { branches, upstreams } => [FUNCTION, UPSTREAMS],
        remembered: { remembered } => [FUNCTION],
        noted: { noted } => [FUNCTION],
        history: { History, history, of, since, within } => [FUNCTION, OF, WITHIN, SINCE],
        last_tool_input: { last_tool_input } => [FUNCTION],
        last_prompt: { last_prompt } => [FUNCTION],
        run: { Ran, query, query_with, run, run_with } => [QUERY, QUERY_WITH, FUNCTION, WITH],
        run_latest: { end_latest, run_latest, run_whole } => [FUNCTION, WHOLE, END],
        pause: { pause } => [FUNCTION],
        remove_old: { remove_old } => [FUNCTION],
    ],
    properties: [
        folders: { home, plugin_root, project_dir, session_dir, state_dir } => [PROJECT_DIR, PLUGIN_ROOT, HOME, STATE_DIR, SESSION_DIR],
        repository: { git_branch, git_commit, git_root } => [BRANCH, ROOT, COMMIT],
        subagent: { subagent_name, subagent_output } => [NAME, OUTPUT],
        now: { now_date, now_epoch, now_iso, now_time, now_weekday } => [ISO, EPOCH, DATE, TIME, WEEKDAY],
        turn: { turn_refused } => [REFUSED],
        machine: { machine_host, machine_user } => [USER, HOST],
    ],
}

/// The function or property whose Rust function has this name. Two call forms of one function share it.
pub fn by_symbol(symbol: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().chain(PROPERTIES).copied().find(|function| function.symbol == symbol)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::{Power, Type};

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
        // What has no declared shape may be something else, and reading it as another is a failure.
        let open = |function: &Function| function.params.iter().any(|(_, kind)| *kind == Type::Any);
        for function in FUNCTIONS {
            assert!(function.contextual || !function.fallible || open(function), "{}", function.name);
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
        assert_eq!(named(Power::Removes), ["removeOld"]);
    }
}
