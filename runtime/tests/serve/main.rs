//! Whole processes: hooks that break in every way from inside, and what leaves the process then.
//!
//! The binary is two things. Started with `FAULTS` in its environment, it is a hook binary whose checks do what the
//! variable says; started without, it runs the tests, each of which starts it again.

mod breaker;
mod breaking;
mod environment;
mod exports;
mod faulty;
#[cfg(unix)]
mod limits;
mod modes;
mod registration;
#[cfg(unix)]
mod speaking;
mod state;
mod world;

use std::io::Write as _;
use std::panic::catch_unwind;
use std::process::ExitCode;

/// A test and its name, which is a sentence.
type Test = (&'static str, fn());

macro_rules! tests {
    ($($module:ident { $($name:ident),* $(,)? })*) => {
        &[$($((concat!(stringify!($module), "::", stringify!($name)), $module::$name)),*),*]
    };
}

const TESTS: &[Test] = tests! {
    breaking {
        a_panic_is_answered_as_fail_safe_says,
        a_panic_before_any_check_is_answered_too,
        a_check_that_never_returns_is_answered_before_the_client_gives_up,
        whoever_answers_late_knows_the_event,
        an_event_that_never_ends_is_answered_before_the_client_gives_up,
        no_reason_of_hooks_that_share_a_process_is_lost,
        a_panic_takes_no_other_hook_along,
        nobody_approves_an_event_that_no_client_sends,
        a_denial_is_not_lost_when_a_later_hook_never_returns,
        a_rewrite_is_not_lost_when_a_later_open_hook_never_returns,
        exactly_one_answer_leaves_a_process_that_finishes_at_its_deadline,
        a_hook_that_is_switched_off_denies_nothing_however_broken,
        a_closed_hook_that_cannot_refuse_says_so,
        what_fails_where_nobody_is_shown_anything_is_told_on_the_next_event_that_is,
        what_is_wrong_with_settings_is_told_later_too,
        every_way_of_refusing_works_for_a_broken_hook,
        a_catalog_may_keep_failures_to_the_log,
        an_event_that_a_hook_is_not_for_is_none_of_its_business,
        a_tool_that_a_hook_is_not_for_is_none_of_its_business,
        every_name_of_a_tool_reaches_the_hook_that_names_it,
        a_refusal_in_the_background_wakes_the_model_by_exit_code_where_it_can,
        a_hook_that_wakes_the_model_does_so_when_it_breaks_too,
    }
    breaker {
        an_open_hook_is_bypassed_after_its_failures_and_the_person_is_told_once,
        a_success_starts_the_count_again,
        a_closed_hook_is_never_bypassed,
        the_person_is_told_of_an_open_breaker_even_where_failures_are_not_told,
        a_breaker_file_that_somebody_wrote_opens_nothing,
        bad_documents_bad_input_and_denials_do_not_count,
        what_the_agent_can_bring_about_does_not_count,
        nor_does_what_the_agent_can_do_to_the_state,
    }
    environment {
        no_variable_moves_the_state_of_a_closed_hook,
        a_home_that_was_moved_switches_an_open_hook_off_only_with_a_word,
    }
    modes {
        a_mode_in_the_config_file_beats_the_catalog,
        a_slip_in_the_config_file_is_told_once,
        a_mode_in_the_catalog_counts_where_the_config_file_has_none,
        nothing_is_checked_in_development_mode,
        a_closed_hook_that_is_only_watched_does_not_refuse_when_it_breaks,
        what_is_odd_about_settings_and_state_reaches_the_log,
        a_line_of_the_audit_trail_says_who_decided_what_and_when,
        the_verbose_log_has_the_whole_answer,
        settings_that_cannot_be_read_never_loosen_what_a_closed_hook_goes_by,
    }
    state {
        two_hundred_calls_at_once_are_admitted_exactly_as_often_as_the_limit_says,
        a_kill_at_any_moment_loses_no_admitted_call,
        a_closed_hook_does_not_let_through_on_state_that_was_lost,
        a_lock_that_somebody_holds_does_not_keep_a_late_answer,
        an_event_is_refused_at_64_mebibytes_however_long_it_goes_on,
    }
    registration {
        a_registration_of_this_binary_is_served,
        a_closed_registration_of_another_binary_is_refused_in_the_way_that_the_event_has,
        an_open_registration_of_another_binary_is_told_to_the_person,
        a_closed_registration_is_refused_though_the_event_never_comes,
    }
    exports {
        a_variable_is_written_where_the_event_exports,
        a_client_without_a_file_wants_no_variables,
        a_hook_that_is_only_watched_exports_nothing,
        a_file_that_cannot_be_written_is_a_failure,
    }
};

/// What takes a shell to bring about.
#[cfg(unix)]
const UNIX: &[Test] = tests! {
    speaking {
        a_denial_that_cannot_be_written_is_an_exit_code,
        what_a_closed_hook_lets_through_on_must_be_heard,
        an_answer_with_nothing_to_say_needs_no_output,
        the_answer_is_out_before_anything_is_written_down,
        settings_that_cannot_be_read_in_time_do_not_keep_a_late_answer,
        what_was_decided_before_is_not_lost_when_settings_hang,
        half_a_surrogate_pair_and_a_stray_byte_switch_no_hook_off,
    }
    limits {
        a_file_size_limit_ends_no_hook_without_an_answer,
        memory_that_cannot_be_had_lets_no_closed_hook_pass,
        an_event_that_memory_cannot_hold_is_a_failure,
        without_a_thread_the_hooks_go_by_the_clock,
    }
};
#[cfg(not(unix))]
const UNIX: &[Test] = &[];

fn main() -> ExitCode {
    if std::env::var_os("FAULTS").is_some() {
        return hookgen_runtime::serve(faulty::catalog(), faulty::start);
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let mut failed = 0;
    for (name, test) in TESTS.iter().chain(UNIX) {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let passed = catch_unwind(test).is_ok();
        failed += usize::from(!passed);
        let _ = writeln!(std::io::stdout(), "test {name} ... {}", if passed { "ok" } else { "FAILED" });
    }
    let _ = writeln!(std::io::stdout(), "{failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
