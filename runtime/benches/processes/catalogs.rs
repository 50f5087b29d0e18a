//! Catalogs of 10 to 1,000 hooks, of which a call asks for one.

use std::fmt::Write as _;
use std::fs;

use super::measure::Subject;
use super::world::World;
use super::{shipped, subjects};

/// Ships each catalog and asks for its last hook, which denies.
pub(crate) fn subjects(world: &World) -> Vec<Subject> {
    let project = shipped::workshop().join("catalogs");
    fs::create_dir_all(project.join("specs")).expect("created");
    let mut found = Vec::new();
    for size in [10, 100, 1000] {
        let spec = project.join(format!("specs/size-{size}.yaml"));
        fs::write(&spec, catalog(size)).expect("written");
        shipped::hookgen(
            &["ship", "--out", &project.join("dist").display().to_string()],
            &spec,
            Some(&project.join("target")),
        );
        let event = world.event(
            "PreToolUse",
            &format!(r#""tool_name":"Tool{size}","tool_input":{{"command":"tool --force-{size} now"}}"#),
        );
        let plugin = project.join(format!("dist/size-{size}"));
        let (name, id) = (format!("one of {size} hooks"), format!("G{size}"));
        found.push(subjects::hook(world, &plugin, &name, &id, 2, Box::new(move |_| event.clone())));
    }
    found
}

fn catalog(size: usize) -> String {
    let mut text = format!(
        "catalog: size-{size}\nversion: 1.0.0\ndescription: Many hooks\ncontract: {{ denial: exit-code }}\nhooks:\n"
    );
    for number in 1..=size {
        let _ = write!(
            text,
            "  - id: G{number}\n    name: guard-{number}\n    event: PreToolUse\n    matcher: Tool{number}\n    timeout: 3s\n    \
             fail_safe: open\n    priority: P2\n    why: Option {number} is not wanted.\n    checks:\n      - id: forced\n        \
             when: tool_input.command.matches(r'--force-{number}\\b')\n        deny: Option {number} of ${{tool_name}} is not wanted\n"
        );
    }
    text
}
