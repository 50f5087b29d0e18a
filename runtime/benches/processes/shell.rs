//! The catalogs that judge shell lines, on lines of three lengths.

use super::measure::Subject;
use super::world::World;
use super::{shipped, subjects};

/// What people chain together: loops, conditions, pipes, substitutions, quotes and redirections, 300 characters of it.
const COMPOUND: &str = concat!(
    "cd src && for f in *.rs; do grep -n \"todo: $f\" \"$f\" | head -5 >> ../out.txt; done; ",
    "if [ -f Makefile ]; then make -j4 all 2>&1 | tee build.log; else cargo build && echo 'built'; fi; ",
    "git add -A && git commit -m \"Build of $(date +%F)\" || true; find . -name '*.log' -mtime +7 -print | sort -u | wc -l; cd ..",
);

/// Each catalog with the hooks of one call: safety's only one, and guardian-harness' merged chain.
const CATALOGS: [(&str, &str, &str); 2] =
    [("safety", "safety", "S01"), ("guardian-harness", "guardian's Bash chain", "guard auto-review llm-review")];

pub(crate) fn subjects(world: &World) -> Vec<Subject> {
    let long = vec![COMPOUND; 10_000 / COMPOUND.len() + 1].join("; ");
    let lines = [("`git status`", "git status"), ("300 characters", COMPOUND), ("10 KB", long.as_str())];
    let mut found = Vec::new();
    for (catalog, label, ids) in CATALOGS {
        let plugin = shipped::plugin(catalog);
        for (length, line) in lines {
            let line = line.replace('\\', "\\\\").replace('"', "\\\"");
            let fields = format!(r#""tool_name":"Bash","tool_input":{{"command":"{line}"}}"#);
            let event = world.event("PreToolUse", &fields);
            let name = format!("{label} given {length}");
            found.push(subjects::hook(world, &plugin, &name, ids, 0, Box::new(move |_| event.clone())));
        }
    }
    found
}
