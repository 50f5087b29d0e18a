//! The safety catalog on lines of three lengths, none of which it objects to.

use super::measure::Subject;
use super::world::World;
use super::{shipped, subjects};

/// What people chain together: loops, conditions, pipes, substitutions, quotes and redirections, 300 characters of it.
const COMPOUND: &str = concat!(
    "cd src && for f in *.rs; do grep -n \"todo: $f\" \"$f\" | head -5 >> ../out.txt; done; ",
    "if [ -f Makefile ]; then make -j4 all 2>&1 | tee build.log; else cargo build && echo 'built'; fi; ",
    "git add -A && git commit -m \"Build of $(date +%F)\" || true; find . -name '*.log' -mtime +7 -print | sort -u | wc -l; cd ..",
);

pub(crate) fn subjects(world: &World) -> Vec<Subject> {
    let plugin = shipped::plugin("safety");
    let long = vec![COMPOUND; 10_000 / COMPOUND.len() + 1].join("; ");
    let lines = [("`git status`", "git status"), ("300 characters", COMPOUND), ("10 KB", long.as_str())];
    let subject = |(label, line): (&str, &str)| {
        let line = line.replace('\\', "\\\\").replace('"', "\\\"");
        let fields = format!(r#""tool_name":"Bash","tool_input":{{"command":"{line}"}}"#);
        let event = world.event("PreToolUse", &fields);
        let name = format!("safety given {label}");
        subjects::hook(world, &plugin, &name, "S01", 0, Box::new(move |_| event.clone()))
    };
    lines.into_iter().map(subject).collect()
}
