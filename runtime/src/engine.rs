//! One call from arguments to exit code.
//!
//! Reads the event, runs the hooks that were asked for, and answers once. Whatever breaks on the way, a hook's
//! `fail_safe` decides; the process itself always ends with 0 or 2.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use crate::call::Call;
use crate::event::Event;
use crate::failure::Failure;
use crate::job::{Asked, Job};
use crate::program::{Catalog, Program, Start};
use crate::speech::speak;
use crate::watchdog::{self, Watch};
use crate::{home, registration, signals};

/// The whole life of a generated binary.
pub fn serve<S>(catalog: &'static Catalog, start: S) -> ExitCode
where
    S: for<'c> Fn(&'c Call<'c>) -> Box<dyn Program + 'c> + Send + Sync + 'static,
{
    // The watchdog may ask for another program at any time, as long as the process lives.
    live(catalog, Box::leak(Box::new(start)))
}

fn live(catalog: &'static Catalog, start: Start) -> ExitCode {
    // A panic is caught and becomes a failure; its message must not reach the client.
    std::panic::set_hook(Box::new(|_| {}));
    home::settle(catalog);
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let asked = match registration::read(catalog, &arguments) {
        Ok(asked) => asked,
        Err(mismatch) => return ExitCode::from(speak(&mismatch.answer(catalog))),
    };
    match asked.first().and_then(|(_, first)| Event::named(&first.event)) {
        Some(event) => answer(catalog, start, asked, event),
        // A catalog whose hooks are on events that nobody knows is not built.
        None => ExitCode::from(2),
    }
}

fn answer(catalog: &'static Catalog, start: Start, asked: Vec<Asked>, event: &'static Event) -> ExitCode {
    let job = Arc::new(Job::new(catalog, start, asked, event));
    if job.is_closed() {
        signals::refuse_on_abort();
    }
    let watch = watchdog::start(&job);
    let exit = catch_unwind(AssertUnwindSafe(|| job.work(watch)))
        .unwrap_or_else(|panic| job.give_up(&Failure::Unfinished(panic_text(panic.as_ref()))));
    match (exit, watch) {
        (Some(exit), _) => ExitCode::from(exit),
        // Another thread has the floor. It ends the process as soon as it has spoken.
        (None, Watch::Watchdog) => loop {
            std::thread::park();
        },
        (None, Watch::Nobody) => {
            let (Ok(exit) | Err(exit)) = job.spoken();
            ExitCode::from(exit)
        }
    }
}

pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the check panicked: {}", text.unwrap_or_else(|| "no message".to_owned()))
}
