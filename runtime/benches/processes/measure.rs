//! Running processes in turns, and the middle of what they took.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The suffix of a subject that is another one's bash twin.
const TWIN: &str = " (bash)";

/// A process that is measured.
pub(crate) struct Subject {
    /// What the table calls it.
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) environment: Vec<(String, PathBuf)>,
    /// Makes the world ready for that round and gives the event's file; not part of the time.
    pub(crate) prepare: Box<dyn Fn(usize) -> PathBuf>,
    /// Slow ones take part in every so many rounds only.
    pub(crate) every: usize,
    /// The exit code that shows that the hook did what is measured.
    pub(crate) exit: i32,
}

impl Subject {
    pub(crate) fn twin_name(&self) -> String {
        format!("{}{TWIN}", self.name)
    }

    pub(crate) fn is_twin(&self) -> bool {
        self.name.ends_with(TWIN)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env_clear().envs(self.environment.iter().cloned());
        command
    }

    /// Milliseconds from start to end.
    fn time(&self, round: usize) -> f64 {
        let event = File::open((self.prepare)(round)).expect("an event");
        let mut command = self.command();
        command.stdin(event).stdout(nowhere()).stderr(Stdio::null());
        let start = Instant::now();
        let status = command.status().expect("started");
        let took = start.elapsed();
        assert_eq!(status.code(), Some(self.exit), "{} in round {round}", self.name);
        took.as_secs_f64() * 1000.0
    }

    /// Most kilobytes that were resident, as GNU time tells; nothing where that is missing.
    fn resident(&self, round: usize) -> Option<f64> {
        let inner = self.command();
        let mut command = Command::new("/usr/bin/time");
        let report = tempfile::NamedTempFile::new().ok()?;
        command.args(["-q", "-f", "%M", "-o"]).arg(report.path()).arg(inner.get_program()).args(inner.get_args());
        command.env_clear().envs(self.environment.iter().cloned());
        let event = File::open((self.prepare)(round)).ok()?;
        command.stdin(event).stdout(nowhere()).stderr(Stdio::null()).status().ok()?;
        fs::read_to_string(report.path()).ok()?.trim().parse().ok()
    }
}

/// A device that takes everything. The null device would be taken for an output that is closed.
fn nowhere() -> File {
    File::options().write(true).open("/dev/zero").expect("a device")
}

pub(crate) struct Figures {
    pub(crate) median: f64,
    pub(crate) resident: Option<f64>,
}

pub(crate) fn run(subjects: &mut [Subject], rounds: usize) -> Vec<Figures> {
    let mut times: Vec<Vec<f64>> = subjects.iter().map(|_| Vec::new()).collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..rounds {
        let mut order: Vec<usize> = (0..subjects.len()).filter(|index| round % subjects[*index].every == 0).collect();
        random.shuffle(&mut order);
        for index in order {
            times[index].push(subjects[index].time(round));
        }
    }
    let figures = subjects.iter().zip(times);
    figures.map(|(subject, times)| Figures { median: median(times), resident: subject.resident(rounds) }).collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn shuffle(&mut self, items: &mut [usize]) {
        for last in (1..items.len()).rev() {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            items.swap(last, usize::try_from(self.0 % (last as u64 + 1)).expect("an index"));
        }
    }
}

pub(crate) fn memory_in_gib() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total =
        text.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB")?.trim().parse().ok());
    total.unwrap_or(0_u64).div_ceil(1 << 20)
}
