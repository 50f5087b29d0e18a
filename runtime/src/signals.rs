//! Signals that would end the process in the middle of its work.
//!
//! To the client a process that was ended by a signal has nothing against the action. Memory that cannot be had ends
//! one so, and so does a stack that overflows or a file that grows beyond the limit of the process.

#[cfg(unix)]
mod unix {
    use std::sync::Once;
    use std::sync::atomic::{AtomicBool, Ordering};

    use signal_hook::consts::{SIGABRT, SIGXFSZ};
    use signal_hook::flag;

    /// Whether an abort is a refusal.
    static REFUSING: AtomicBool = AtomicBool::new(false);

    /// Until the answer is given, an abort is exit code 2.
    pub(crate) fn refuse_on_abort() {
        REFUSING.store(true, Ordering::SeqCst);
        // Where the system does not take it, the registration with the client remains.
        let _ = flag::register_conditional_shutdown(SIGABRT, 2, &REFUSING);
    }

    /// The answer was given with this exit code, and what happens afterwards does not change it.
    pub(crate) fn answered(exit: u8) {
        if exit == 0 {
            REFUSING.store(false, Ordering::SeqCst);
        }
    }

    /// From now on, writing beyond the size limit of files is an error like that of a full disk.
    pub(crate) fn outlive_file_size_limit() {
        static ONCE: Once = Once::new();
        static REACHED: AtomicBool = AtomicBool::new(false);

        ONCE.call_once(|| {
            // Nobody asks whether it was reached: the write says so.
            let _ = flag::register(SIGXFSZ, &REACHED);
        });
    }
}

#[cfg(unix)]
pub(crate) use unix::{answered, outlive_file_size_limit, refuse_on_abort};

#[cfg(not(unix))]
pub(crate) fn refuse_on_abort() {}

#[cfg(not(unix))]
pub(crate) fn answered(_: u8) {}

#[cfg(not(unix))]
pub(crate) fn outlive_file_size_limit() {}
