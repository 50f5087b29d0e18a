//! guardian-harness where its cases cannot reach: other servers, and the end of processes.

#[cfg(target_os = "linux")]
mod background;
mod evidence;
mod providers;
mod review;
mod world;
