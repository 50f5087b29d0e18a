//! What catalogs that work beside each other do to each other. Whoever refuses has the last word, so that two guards never
//! loosen one another; what is left are things of which there is only one.

use std::fmt;

use crate::model::{Catalog, Effect, Hook, Kind, Matcher};

/// Two catalogs that get into each other's way.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict {
    pub between: [String; 2],
    pub what: String,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = &self.between;
        write!(f, "{one} and {other}: {}", self.what)
    }
}

/// Everything that the catalogs do to each other, pair by pair.
pub fn conflicts(catalogs: &[&Catalog]) -> Vec<Conflict> {
    let mut found = Vec::new();
    for (place, one) in catalogs.iter().enumerate() {
        for other in catalogs.iter().skip(place + 1) {
            let whats = [same_name(one, other), same_config(one, other)].into_iter().flatten();
            let whats = whats.chain(same_documents(one, other)).chain(same_inputs(one, other));
            let between = || [shown(one), shown(other)];
            found.extend(whats.map(|what| Conflict { between: between(), what }));
        }
    }
    found
}

fn shown(catalog: &Catalog) -> String {
    format!("{} ({})", catalog.name, catalog.source)
}

fn same_name(one: &Catalog, other: &Catalog) -> Option<String> {
    let what = "both have that name, so that one takes the other's place; rename one";
    (one.name == other.name).then(|| what.to_owned())
}

fn same_config(one: &Catalog, other: &Catalog) -> Option<String> {
    let (file, same) = (one.config_file.as_ref()?, other.config_file.as_ref()?);
    let what = "both read it, and each takes the other's settings for slips; give one another `config.file`";
    (file.source == same.source).then(|| format!("`{}`: {what}", file.source))
}

/// Documents of the project that both write.
fn same_documents(one: &Catalog, other: &Catalog) -> Vec<String> {
    let theirs = written(other);
    let both = written(one).into_iter().filter(|path| theirs.contains(path));
    both.map(|path| format!("`{path}`: both write it, at the same time; let one of them")).collect()
}

fn written(catalog: &Catalog) -> Vec<&str> {
    let is_written = |name: &String| catalog.hooks.iter().any(|hook| hook.writes.contains(name));
    let documents = catalog.documents.iter().chain(catalog.hooks.iter().flat_map(|hook| &hook.documents));
    let mut paths: Vec<&str> =
        documents.filter(|document| is_written(&document.name)).map(|document| document.path.source.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Hooks of both that replace the input of the same tool: the client takes that of whoever is done last.
fn same_inputs(one: &Catalog, other: &Catalog) -> Vec<String> {
    let mut found = Vec::new();
    for hook in rewriting(one) {
        for theirs in rewriting(other).filter(|theirs| theirs.event.name == hook.event.name && meet(hook, theirs)) {
            found.push(format!(
                "{} and {} both replace the input on {}, and whichever is done last is heard; let one of them",
                hook.id, theirs.id, hook.event.name
            ));
        }
    }
    found
}

fn rewriting(catalog: &Catalog) -> impl Iterator<Item = &Hook> {
    let rewrites = |hook: &&Hook| {
        hook.kind == Kind::Command
            && hook.checks.iter().flat_map(|check| &check.effects).any(|effect| matches!(effect, Effect::Rewrite(_)))
    };
    catalog.hooks.iter().filter(rewrites)
}

/// Whether a call can concern both. Of patterns nobody knows.
fn meet(one: &Hook, other: &Hook) -> bool {
    match (&one.matcher, &other.matcher) {
        (Some(Matcher::Names { names, .. }), Some(Matcher::Names { names: others, .. })) => {
            names.iter().any(|name| others.contains(name))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;

    fn catalog(name: &str, config: &str, tool: &str, document: &str) -> Catalog {
        let text = format!(
            "catalog: {name}\nversion: 1.0.0\ndescription: One of two.\nconfig: {{ file: '{config}' }}\n\
             documents:\n  seen: {{ path: '{document}', format: text }}\n\
             hooks:\n  - id: H1\n    name: shortens\n    event: PreToolUse\n    matcher: {tool}\n    timeout: 3s\n    \
             fail_safe: open\n    why: A test.\n    checks:\n      - id: short\n        rewrite: {{ description: short }}\n        \
             append: {{ to: seen, line: x }}\n"
        );
        let compiled = compile("specs/x.yaml".into(), text.into_bytes());
        compiled.catalog.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics))
    }

    #[test]
    fn catalogs_that_share_nothing_leave_each_other_alone() {
        let one = catalog("one", "${home}/one.yaml", "Bash", "one.log");
        let other = catalog("other", "${home}/other.yaml", "Task", "other.log");
        assert_eq!(conflicts(&[&one, &other]), []);
    }

    #[test]
    fn what_there_is_only_one_of_is_found() {
        let one = catalog("one", "${home}/c.yaml", "Bash", "a.log");
        let other = catalog("one", "${home}/c.yaml", "Bash|Task", "a.log");
        let told: Vec<String> = conflicts(&[&one, &other]).iter().map(|conflict| conflict.what.clone()).collect();
        let begin: Vec<&str> = told.iter().filter_map(|what| what.get(..13)).collect();
        assert_eq!(begin, ["both have tha", "`${home}/c.ya", "`a.log`: both", "H1 and H1 bot"], "{told:?}");
    }
}
