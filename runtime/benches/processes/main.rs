//! What a hook call costs: whole processes from start to end, all subjects in one interleaved and shuffled run.
//!
//! Times on a shared machine drift by a factor of two, so every subject is compared with `/bin/true` of the same
//! rounds. `cargo bench -p hookgen-runtime` ships what it measures and prints the table of the README beside it;
//! `-- --quick` takes a tenth of the rounds, `-- --shell` only what judges shell lines, and `-- --agents` only one denial for
//! every agent.

mod agents;
mod catalogs;
mod measure;
mod shell;
mod shipped;
mod subjects;
mod world;

use std::fmt::Write as _;
use std::io::Write as _;

use measure::{Figures, Subject};

fn main() {
    let asked = |flag: &str| std::env::args().any(|argument| argument == flag);
    let rounds = if asked("--quick") { 30 } else { 300 };
    let plugin = shipped::plugin("product-planning");
    let world = world::World::new(&plugin);
    let mut subjects = subjects::plain_processes();
    if !asked("--agents") {
        subjects.extend(shell::subjects(&world));
    }
    if !asked("--shell") {
        subjects.extend(agents::subjects(&world));
    }
    if !asked("--shell") && !asked("--agents") {
        subjects.extend(subjects::all(&world, &plugin));
        subjects.extend(subjects::sizes(&world, &plugin));
        subjects.extend(catalogs::subjects(&world));
        subjects.extend(subjects::elsewhere(&world));
        subjects.push(subjects::cases(&world));
        subjects.push(subjects::calls(&world));
    }
    let figures = measure::run(&mut subjects, rounds);
    let table = table(&subjects, &figures, rounds) + &demands(&subjects, &figures);
    std::io::stdout().write_all(table.as_bytes()).expect("written");
}

/// What must hold of the floor, which is a process of the same linking that does nothing, and of portable plugins.
fn demands(subjects: &[Subject], figures: &[Figures]) -> String {
    let named =
        || subjects.iter().map(|subject| subject.name.as_str()).zip(figures.iter().map(|figures| figures.median));
    let of = |wanted: &str| named().find(|(name, _)| *name == wanted).map(|(_, median)| median);
    let (Some(reference), Some(floor)) = (of(subjects::TRUE), of(subjects::NOTHING)) else { return String::new() };
    let most = |end: &str| {
        let slowest = named().filter(|(name, _)| name.ends_with(end)).map(|(_, median)| median).max_by(f64::total_cmp);
        slowest.map(|median| median / reference)
    };
    let above = |end: &str| most(end).map(|slowest| slowest - floor / reference);
    let rows = [
        ("not applying: at most 0.10 above a process that does nothing", above(" not applying")),
        ("deciding: at most 0.25 above it", above(" deciding")),
        ("a portable plugin's hook, not applying: at most 1.6 times `/bin/true`", most(" not applying, portable")),
        ("a portable plugin's hook, deciding: at most 2.0 times", most(" deciding, portable")),
        ("`hookgen test` on safety: at most 2 s", of(subjects::CASES).map(|median| median / 1000.0)),
        ("`hookgen replay` of 10,000 calls: at most 6 s", of(subjects::CALLS).map(|median| median / 1000.0)),
    ];
    let mut text = "\n| what must hold | measured |\n|---|---|\n".to_owned();
    for (demand, measured) in rows {
        if let Some(measured) = measured {
            let _ = writeln!(text, "| {demand} | {measured:.2} |");
        }
    }
    text
}

fn table(subjects: &[Subject], figures: &[Figures], rounds: usize) -> String {
    let median_of = |name: &str| {
        let found = subjects.iter().position(|subject| subject.name == name)?;
        Some(figures[found].median)
    };
    let reference = median_of(subjects::TRUE).expect("it is always measured");
    let mut text = format!(
        "{} cores, {} GiB; {rounds} rounds; medians; static binaries with {}.\n\n| process | median ms | x `/bin/true` | RSS MB | twin ms | x faster |\n|---|---|---|---|---|---|\n",
        std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        measure::memory_in_gib(),
        shipped::Linking::chosen().name(),
    );
    for (subject, figures) in subjects.iter().zip(figures).filter(|(subject, _)| !subject.is_twin()) {
        let twin = median_of(&subject.twin_name());
        let resident = figures.resident.map_or("–".to_owned(), |kilobytes| format!("{:.1}", kilobytes / 1024.0));
        let _ = writeln!(
            text,
            "| {} | {:.2} | {:.2} | {resident} | {} | {} |",
            subject.name,
            figures.median,
            figures.median / reference,
            twin.map_or(String::new(), |twin| format!("{twin:.0}")),
            twin.map_or(String::new(), |twin| format!("{:.0}", twin / figures.median)),
        );
    }
    text
}
