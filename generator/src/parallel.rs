//! Several things at once, by a few threads; the results come in the order of the things.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// As much as the first thread of a process usually has: catalogs are compiled by recursion.
const STACK: usize = 8 << 20;

/// How many threads can work at the same time here.
pub fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// How many threads keep the cores busy with what waits most of the time, for programs and for files.
pub fn waiting() -> NonZeroUsize {
    cores().saturating_mul(NonZeroUsize::MIN.saturating_add(3))
}

/// Does one thing to each of the items.
pub fn map<T: Sync, R: Send>(items: &[T], jobs: NonZeroUsize, one: impl Fn(&T) -> R + Sync) -> Vec<R> {
    map_with(items, jobs, || (), |(), item| one(item))
}

/// Does one thing to each of the items, with what every thread makes for itself first.
pub fn map_with<T: Sync, W, R: Send>(
    items: &[T],
    jobs: NonZeroUsize,
    start: impl Fn() -> W + Sync,
    one: impl Fn(&mut W, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let finished = Mutex::new(Vec::with_capacity(items.len()));
    let work = || {
        let mut own = start();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else { break };
            let result = one(&mut own, item);
            // A poisoned lock only means that another thread panicked; the scope passes that on.
            finished.lock().unwrap_or_else(PoisonError::into_inner).push((place, result));
        }
    };
    thread::scope(|scope| {
        let others = (1..jobs.get().min(items.len())).map_while(|_| {
            let builder = thread::Builder::new().stack_size(STACK);
            // Where there are no more threads to be had, fewer do the work.
            builder.spawn_scoped(scope, work).ok()
        });
        let others: Vec<_> = others.collect();
        work();
        drop(others);
    });
    let mut finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
    finished.sort_by_key(|(place, _)| *place);
    finished.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items_whoever_is_first() {
        let jobs = NonZeroUsize::new(4).expect("four");
        let slept = map(&[30_u64, 0, 20, 10], jobs, |milliseconds| {
            thread::sleep(Duration::from_millis(*milliseconds));
            *milliseconds
        });
        assert_eq!(slept, [30, 0, 20, 10]);
        assert!(map(&[] as &[u8], jobs, |item| *item).is_empty());
    }

    #[test]
    fn each_thread_makes_its_own_once() {
        let made = AtomicUsize::new(0);
        let start = || made.fetch_add(1, Ordering::Relaxed);
        let seen = map_with(&[(); 50], NonZeroUsize::new(3).expect("three"), start, |own, ()| *own);
        assert!(seen.iter().all(|own| *own < 3) && made.load(Ordering::Relaxed) <= 3, "{seen:?}");
    }
}
