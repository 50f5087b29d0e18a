//! A catalog that is called again and again in one process, each time in other surroundings.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use super::{Evaluator, Observer};
use crate::call::Call;
use crate::client::CLIENTS;
use crate::engine::live;
use crate::program::{Program, Start};
use crate::representation::Archive;
use crate::surroundings::{self, Heard, Surroundings};

/// A catalog on which calls are played: what they do to the world is done, and what they say is heard.
#[derive(Clone, Copy)]
pub struct Stage {
    archive: &'static Archive,
    start: Start,
}

/// Whoever watches calls that may be played at the same time.
pub type Audience = &'static (dyn Observer + Send + Sync);

impl Stage {
    /// The catalog, under the eyes of somebody.
    pub fn new(archive: &'static Archive, audience: Option<Audience>) -> Self {
        fn any<S: for<'c> Fn(&'c Call<'c>) -> Box<dyn Program + 'c> + Send + Sync>(start: S) -> S {
            start
        }
        let start = any(move |call| {
            let evaluator = Evaluator::new(call, archive);
            Box::new(match audience {
                Some(audience) => evaluator.observed(audience),
                None => evaluator,
            })
        });
        Self { archive, start: Box::leak(Box::new(start)) }
    }

    /// Plays one call from its arguments to its exit code. A panic that gets through is a bug, and no answer.
    pub fn play(&self, around: Surroundings) -> Option<Heard> {
        quiet();
        let play = || around.around(|| live(self.archive.catalog(), CLIENTS, self.start));
        catch_unwind(AssertUnwindSafe(play)).ok()
    }
}

/// A panic of a call becomes a failure of its hook; its message is nobody's business but that of a process that has one.
fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !surroundings::are_placed() {
                before(panic);
            }
        }));
    });
}
