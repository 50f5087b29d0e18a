//! Where memory comes from in a static binary.
//!
//! The allocator of musl is made to be small and hard to attack, and gives memory back to the kernel at once. A process
//! that lives for a millisecond wants the opposite: with this one, a call that allocates much takes half the time.

#[cfg(not(test))]
#[global_allocator]
static MEMORY: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;
