//! One call from arguments to exit code.
//!
//! Reads the event, runs the hooks that were asked for, and answers once. Whatever breaks on the way, a hook's
//! `fail_safe` decides; the process itself always ends with 0 or 2.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

use crate::call::Call;
use crate::event::Event;
use crate::failure::Failure;
use crate::job::{Job, speak};
use crate::json::{Json, Many};
use crate::program::{Catalog, Hook, Program, Start};
use crate::reply::Reply;
use crate::watchdog;

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
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let asked: Vec<(usize, &'static Hook)> =
        catalog.hooks.iter().enumerate().filter(|(_, hook)| arguments.iter().any(|id| *id == hook.id)).collect();
    let event = asked.first().and_then(|(_, first)| Event::named(&first.event));
    match event {
        Some(event) => answer(catalog, start, asked, event),
        None => ExitCode::from(speak(&unknown(catalog, &arguments))),
    }
}

fn answer(
    catalog: &'static Catalog,
    start: Start,
    asked: Vec<(usize, &'static Hook)>,
    event: &'static Event,
) -> ExitCode {
    let job = Arc::new(Job::new(catalog, start, asked, event));
    watchdog::start(&job);
    let exit = catch_unwind(AssertUnwindSafe(|| job.work()))
        .unwrap_or_else(|panic| job.give_up(&Failure::Infrastructure(panic_text(panic.as_ref()))));
    match exit {
        Some(exit) => ExitCode::from(exit),
        // The watchdog has the floor. It ends the process as soon as it has spoken.
        None => loop {
            std::thread::park();
        },
    }
}

/// A registration that names no hook of this binary is a broken installation: tell the person, stand in nobody's way.
fn unknown(catalog: &Catalog, arguments: &[String]) -> Reply {
    let asked = if arguments.is_empty() { "no hook".to_owned() } else { arguments.join(" ") };
    let ids: Vec<&str> = catalog.hooks.iter().map(|hook| hook.id.as_ref()).collect();
    let text = format!("{}: asked for {asked}; it has {}", catalog.name, ids.join(" "));
    let message = vec![(Cow::Borrowed("systemMessage"), Json::Text(Cow::Borrowed(text.as_str())))];
    Reply { stdout: Json::Object(Many::Owned(message)).to_string(), stderr: text, exit: 0 }
}

pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the check panicked: {}", text.unwrap_or_else(|| "no message".to_owned()))
}
