//! Any bytes as a shell line: an answer, never a panic, and work that is bounded by the line's length.
//!
//! Work is counted, not timed: bytes that the reader says it looked at, and bytes that it allocated, which it cannot
//! miscount. Loops that do neither are left to libFuzzer's own limit.

#![no_main]

use hookgen_runtime::shell::{Analysis, World, analyse};
use libfuzzer_sys::fuzz_target;

/// What the reader may spend on any line, and on each byte of a line.
const FOR_ANY: usize = 4 << 20;
const PER_BYTE: usize = 64;
/// Bytes allocated for a byte that was paid for.
const PER_WORK: usize = 32;

fuzz_target!(|bytes: &[u8]| {
    let line = String::from_utf8_lossy(bytes);
    let mut analysis = Analysis::default();
    let memory = allocation_counter::measure(|| {
        analysis = analyse(&line, World { home: "/home/me", cwd: "/work", ..World::default() });
        for command in &analysis.commands {
            let _ = (command.options(), command.paths(), command.rest(), command.text());
        }
    });
    // What is nested deeply is read a second time, on a stack of its own.
    let means = 2 * (FOR_ANY + PER_BYTE * line.len());
    assert!(analysis.work <= means, "{} bytes of work for {}", analysis.work, line.len());
    let allocated = usize::try_from(memory.bytes_total).unwrap_or(usize::MAX);
    assert!(allocated <= PER_WORK * means, "{allocated} bytes allocated for {}", line.len());
    assert!(analysis.problem.kind().is_empty() == analysis.problem.text().is_empty());
});
