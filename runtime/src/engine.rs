//! One call from arguments to exit code.
//!
//! Reads the event, runs the hooks that were asked for, and answers once. Whatever breaks on the way, a hook's
//! `fail_safe` decides; the process itself always ends with 0 or 2.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use crate::call::Call;
use crate::client::{Client, claude};
use crate::event::Event;
use crate::failure::Failure;
use crate::job::Job;
use crate::program::{Catalog, Program, Start};
use crate::registration::Registered;
use crate::speech::speak;
use crate::watchdog::Watch;
use crate::{home, registration, signals, surroundings};

/// The whole life of a generated binary whose catalog is for Claude Code.
pub fn serve<S>(catalog: &'static Catalog, start: S) -> ExitCode
where
    S: for<'c> Fn(&'c Call<'c>) -> Box<dyn Program + 'c> + Send + Sync + 'static,
{
    static CLAUDE_ALONE: &[&Client] = &[&claude::CLIENT];
    serve_clients(catalog, CLAUDE_ALONE, start)
}

/// The whole life of a generated binary that speaks to several clients; the registration says to which.
pub fn serve_clients<S>(catalog: &'static Catalog, clients: &'static [&'static Client], start: S) -> ExitCode
where
    S: for<'c> Fn(&'c Call<'c>) -> Box<dyn Program + 'c> + Send + Sync + 'static,
{
    // The watchdog may ask for another program at any time, as long as the process lives.
    let start: Start = Box::leak(Box::new(start));
    // A panic is caught and becomes a failure; its message must not reach the client.
    std::panic::set_hook(Box::new(|_| {}));
    ExitCode::from(live(catalog, clients, start))
}

/// One call in the surroundings that it finds; its exit code.
pub(crate) fn live(catalog: &'static Catalog, clients: &'static [&'static Client], start: Start) -> u8 {
    home::settle(catalog);
    let words = surroundings::words();
    let arguments: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let asked = match registration::read(catalog, clients, &arguments) {
        Ok(asked) => asked,
        Err(mismatch) => return speak(&mismatch.answer(catalog)),
    };
    match asked.hooks.first().and_then(|(_, first)| asked.caller.client.event(&first.event)) {
        Some(event) => answer(catalog, start, asked, event),
        // Nobody registers hooks for an event that the client does not have.
        None => 2,
    }
}

fn answer(catalog: &'static Catalog, start: Start, asked: Registered, event: &'static Event) -> u8 {
    let job = Arc::new(Job::new(catalog, start, asked, event));
    // Whoever plays many calls in one process must outlive each of them.
    if job.is_closed() && !surroundings::are_placed() {
        signals::refuse_on_abort();
    }
    let exit = catch_unwind(AssertUnwindSafe(|| job.work())).unwrap_or_else(|panic| {
        job.watch();
        job.give_up(&Failure::Unfinished(panic_text(panic.as_ref())))
    });
    match (exit, job.watching()) {
        (Some(exit), _) => exit,
        // Another thread has the floor. It ends the process as soon as it has spoken.
        (None, Watch::Watchdog) => loop {
            std::thread::park();
        },
        (None, Watch::Nobody) => {
            let (Ok(exit) | Err(exit)) = job.spoken();
            exit
        }
    }
}

pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the check panicked: {}", text.unwrap_or_else(|| "no message".to_owned()))
}
