//! The least that a process can cost: it starts and it ends.

fn main() {}
