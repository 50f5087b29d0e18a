//! Catalogs for tests: the smallest legal one, and one that has a little of everything.

use hookgen_runtime::Event;
use hookgen_runtime::representation::{Limit, Named};
use serde_json::{Number, json};

use super::{Output, OutputSet, OutputTree, Target};
use crate::catalog::{Case, Format};
use crate::model::{
    Catalog, Check, Choice, Condition, Counter, Data, Decision, Denial, Dispatch, Document, Effect, Expr, ExprKind,
    Fact, FailSafe, FailureMode, Flag, Hook, Kind, Matcher, Message, Mode, Outcome, Priority, Readme, Segment,
    Template, Threshold, Type,
};

pub(crate) fn target() -> Target {
    Target { runtime_path: "../../../runtime".to_owned() }
}

pub(crate) fn template(source: &str) -> Template {
    Template { source: source.to_owned(), segments: vec![Segment::Text(source.to_owned())] }
}

fn boolean(kind: ExprKind) -> Expr {
    Expr::new(kind, Type::Bool)
}

fn condition(source: &str) -> Condition {
    Condition { source: source.to_owned(), expr: boolean(ExprKind::Bool(true)) }
}

fn check(id: &str, effects: Vec<Effect>) -> Check {
    Check { id: id.to_owned(), when: None, effects }
}

fn case(json: serde_json::Value) -> Case {
    serde_json::from_value(json).expect("a case")
}

pub(crate) fn hook(id: &str, name: &str, event: &str) -> Hook {
    Hook {
        id: id.to_owned(),
        name: name.to_owned(),
        log_name: format!("{id}_{name}"),
        origin: None,
        event: Event::named(event).expect("an event"),
        matcher: None,
        kind: Kind::Command,
        timeout_ms: 2000,
        fail_safe: FailSafe::Open,
        mode: Mode::Enforce,
        flag: None,
        why: "It is needed.".to_owned(),
        sends: String::new(),
        priority: None,
        status_message: None,
        condition: None,
        background: false,
        async_rewake: false,
        once: false,
        prompt: None,
        model: None,
        continue_on_block: false,
        service: None,
        when: None,
        bindings: Vec::new(),
        callables: Vec::new(),
        documents: Vec::new(),
        checks: Vec::new(),
        failure_modes: Vec::new(),
        reads: Vec::new(),
        writes: Vec::new(),
        choices: Vec::new(),
        thresholds: Vec::new(),
        cases: Vec::new(),
    }
}

pub(crate) fn names(written: &str) -> Matcher {
    let names = written.split('|').map(str::to_owned).collect();
    Matcher::Names { written: written.to_owned(), names }
}

pub(crate) fn pattern(written: &str) -> Matcher {
    Matcher::Pattern { written: written.to_owned() }
}

/// One hook that says something at the start of a session, and nothing else.
pub(crate) fn smallest() -> Catalog {
    Catalog {
        name: "small".to_owned(),
        version: "0.1.0".to_owned(),
        description: "Says hello.".to_owned(),
        author: None,
        license: None,
        readme: Readme::default(),
        changes: Vec::new(),
        binary: "small-hooks".to_owned(),
        source: "specs/small.yaml".to_owned(),
        files: Vec::new(),
        off: Vec::new(),
        digest: "00".to_owned(),
        denial: Denial::Json,
        bang_escapes: false,
        dispatch: Dispatch::PerHook,
        config_file: None,
        refused: Vec::new(),
        dev_mode_file: None,
        guard: None,
        agents: vec![hookgen_runtime::CLAUDE],
        platforms: Vec::new(),
        instead: crate::catalog::Instead::default(),
        breaker: None,
        fail_open_notice: true,
        verbose_env: None,
        flags: Vec::new(),
        choices: Vec::new(),
        thresholds: Vec::new(),
        data: Vec::new(),
        facts: Vec::new(),
        callables: Vec::new(),
        documents: Vec::new(),
        counters: Vec::new(),
        history: Vec::new(),
        messages: Vec::new(),
        hooks: vec![Hook {
            checks: vec![check("hello", vec![Effect::Inject(template("Hello."))])],
            ..hook("H01", "say-hello", "SessionStart")
        }],
    }
}

/// Two hooks on one matcher, one of them closed, a pattern, a prompt, a compaction guard, and every kind of name.
pub(crate) fn full() -> Catalog {
    Catalog {
        name: "demo".to_owned(),
        version: "1.2.3".to_owned(),
        description: "Guards | a \"demo\".\n".to_owned(),
        author: Some("The Team".to_owned()),
        license: Some("MIT".to_owned()),
        readme: readme(),
        changes: vec![("1.1.0".to_owned(), vec!["Plans are guarded.".to_owned()]), ("1.0.0".to_owned(), Vec::new())],
        binary: "demo-hooks".to_owned(),
        source: "specs/demo.yaml".to_owned(),
        config_file: Some(template("${plugin_root}/config/demo.yaml")),
        dev_mode_file: Some(template("${project_dir}/.dev-mode")),
        breaker: Some("strikes".to_owned()),
        verbose_env: Some("DEMO_VERBOSE".to_owned()),
        flags: flags(),
        choices: choices(),
        thresholds: thresholds(),
        data: vec![Data { name: "words".to_owned(), value: json!(["a", "b|c"]), ty: Type::List(Box::new(Type::Text)) }],
        callables: Vec::new(),
        facts: vec![Fact {
            name: "feature".to_owned(),
            source: "git.branch == 'a|b' ? `x` : ''".to_owned(),
            expr: boolean(ExprKind::Threshold("limit".to_owned())),
        }],
        documents: documents(),
        history: Vec::new(),
        counters: vec![Counter { name: "calls".to_owned(), description: "Calls of the session".to_owned(), per: None }],
        messages: vec![Message { name: "stop_it".to_owned(), template: template("Stop | it\nnow `please`") }],
        hooks: vec![guard(), budget(), remote(), done(), compaction(), review()],
        ..smallest()
    }
}

fn readme() -> Readme {
    Readme {
        needs: vec!["The `demo` skill, 2.0 or newer".to_owned()],
        ignore: vec!["plan/.lock".to_owned()],
        sections: [("The plan".to_owned(), "Written by the skill:\n\n```yaml\nphase: SETUP\n```\n".to_owned())].into(),
    }
}

fn flags() -> Vec<Flag> {
    let key = |name: &str| vec!["feature_flags".to_owned(), name.to_owned(), "enabled".to_owned()];
    vec![
        Flag {
            name: "hooks".to_owned(),
            description: "All of it".to_owned(),
            default: true,
            requires: Vec::new(),
            rollback: None,
            config: key("hooks"),
        },
        Flag {
            name: "hooks_guard".to_owned(),
            description: "The guard: \"strict\"\nin two lines".to_owned(),
            default: false,
            requires: vec!["hooks".to_owned()],
            rollback: Some("Set it to false.".to_owned()),
            config: key("hooks_guard"),
        },
    ]
}

fn choices() -> Vec<Choice> {
    vec![Choice {
        name: "depth".to_owned(),
        description: "How deep | it looks".to_owned(),
        values: vec!["deep".to_owned(), "off".to_owned()],
        default: "off".to_owned(),
        config: vec!["quality".to_owned(), "depth".to_owned()],
    }]
}

fn thresholds() -> Vec<Threshold> {
    let threshold = |name: &str, default: Number, config: &[&str]| Threshold {
        name: name.to_owned(),
        description: format!("The {name}"),
        ty: if default.is_i64() { Type::Int } else { Type::Double },
        default,
        unit: None,
        range: None,
        config: config.iter().map(|&segment| segment.to_owned()).collect(),
    };
    vec![
        Threshold {
            unit: Some("calls".to_owned()),
            range: Some([Number::from(0), Number::from(100)]),
            ..threshold("limit", Number::from(25), &["feature_flags", "hooks_guard", "limit"])
        },
        threshold("share", Number::from_f64(0.5).expect("finite"), &["quality", "share"]),
        threshold("strikes", Number::from(3), &[]),
    ]
}

fn documents() -> Vec<Document> {
    let document = |name: &str, path: &str, format: Format| Document {
        name: name.to_owned(),
        description: None,
        path: template(path),
        when: None,
        format,
        delimiter: "|".to_owned(),
        fields: Vec::new(),
    };
    vec![
        Document {
            description: Some("Where planning stands".to_owned()),
            fields: vec![("phase".to_owned(), Type::Text), ("tries".to_owned(), Type::Int)],
            ..document("planning", "${feature}/.planning.md", Format::FrontMatter)
        },
        Document { when: Some(condition("feature != ''")), ..document("journal", "journal.txt", Format::Text) },
    ]
}

fn guard() -> Hook {
    Hook {
        matcher: Some(names("Write|Edit")),
        timeout_ms: 3000,
        fail_safe: FailSafe::Closed,
        flag: Some("hooks_guard".to_owned()),
        sends: String::new(),
        priority: Some(Priority::P0),
        status_message: Some("Guarding".to_owned()),
        why: "Without it, `a | b` breaks\nand nobody notices.".to_owned(),
        when: Some(condition("planning.exists || tool_name == 'Write'")),
        bindings: vec![Fact {
            name: "late".to_owned(),
            source: "planning.phase != 'SETUP'".to_owned(),
            expr: boolean(ExprKind::Fact("feature".to_owned())),
        }],
        checks: vec![
            Check {
                id: "late-edit".to_owned(),
                when: Some(Condition {
                    source: "late".to_owned(),
                    expr: boolean(ExprKind::Binding("late".to_owned())),
                }),
                effects: vec![
                    Effect::Append {
                        document: "journal".to_owned(),
                        line: template("denied ${tool_name}"),
                        unless: None,
                    },
                    Effect::Decide(Decision::Deny, template("No | edits in ``` ${planning.phase}\n\nAsk first.")),
                ],
            },
            check("else", vec![Effect::Decide(Decision::Pass, template("fine"))]),
        ],
        failure_modes: vec![
            FailureMode {
                when: "the state file | is missing".to_owned(),
                then: Outcome::Allow,
                because: "nothing is planned yet".to_owned(),
                case: Some("late edit".to_owned()),
            },
            FailureMode {
                when: "the disk is full".to_owned(),
                then: Outcome::Deny,
                because: "a guard stays shut".to_owned(),
                case: None,
            },
        ],
        reads: vec!["config".to_owned(), "planning".to_owned()],
        writes: vec!["journal".to_owned()],
        choices: vec!["depth".to_owned()],
        thresholds: vec!["limit".to_owned()],
        cases: vec![
            case(json!({ "name": "late edit", "expect": { "decision": "deny" } })),
            case(json!({ "name": "many | edits", "steps": [
                { "expect": { "decision": "pass" } }, { "parallel": 4, "expect": { "tally": { "pass": 1, "deny": 3 } } }
            ] })),
        ],
        ..hook("H01", "guard-plan", "PreToolUse")
    }
}

fn budget() -> Hook {
    Hook {
        matcher: Some(names("Write|Edit")),
        timeout_ms: 1500,
        status_message: Some("Counting".to_owned()),
        checks: vec![
            check(
                "spend",
                vec![Effect::Spend {
                    spend: "spent".to_owned(),
                    key: None,
                    per: None,
                    from: vec![Limit {
                        counter: "calls".to_owned(),
                        apart: false,
                        limit: condition("thresholds.limit"),
                    }],
                }],
            ),
            check(
                "over",
                vec![
                    Effect::Write { document: "planning".to_owned(), text: template("x") },
                    Effect::Warn(template("Too many")),
                    Effect::Rewrite(vec![("content".to_owned(), template("short"))]),
                    Effect::Decide(Decision::Ask, template("Go on?")),
                ],
            ),
        ],
        reads: vec!["calls".to_owned()],
        writes: vec!["calls".to_owned(), "planning".to_owned()],
        ..hook("H02", "call-budget", "PreToolUse")
    }
}

fn remote() -> Hook {
    Hook {
        matcher: Some(pattern("mcp__git__.*")),
        checks: vec![check("always", vec![Effect::Decide(Decision::Allow, template("known"))])],
        ..hook("H03", "remote-tools", "PreToolUse")
    }
}

fn done() -> Hook {
    Hook {
        kind: Kind::Prompt,
        timeout_ms: 30_000,
        prompt: Some("Is the work | done? `$ARGUMENTS`".to_owned()),
        model: Some("haiku".to_owned()),
        continue_on_block: true,
        sends: String::new(),
        priority: Some(Priority::P2),
        ..hook("H04", "is-it-done", "Stop")
    }
}

fn compaction() -> Hook {
    Hook {
        checks: vec![
            check(
                "keep",
                vec![
                    Effect::Reset(vec![Named { name: "calls".to_owned(), per: None }]),
                    Effect::Inject(template("Keep it")),
                ],
            ),
            check(
                "busy",
                vec![
                    Effect::Delete { document: "journal".to_owned() },
                    Effect::Decide(Decision::Deny, template("Not now")),
                ],
            ),
        ],
        writes: vec!["calls".to_owned(), "journal".to_owned()],
        ..hook("H05", "keep-the-plan", "PreCompact")
    }
}

fn review() -> Hook {
    Hook {
        matcher: Some(names("Write")),
        checks: vec![check(
            "tell",
            vec![
                Effect::Export { name: "SEEN".to_owned(), value: template("1") },
                Effect::Log(template("seen")),
                Effect::Feedback(template("Run the tests")),
            ],
        )],
        ..hook("H06", "review-write", "PostToolUse")
    }
}

/// The files of one catalog.
pub(crate) fn tree(files: &[(&str, &str)]) -> OutputTree {
    let mut set = OutputSet::default();
    for (path, text) in files {
        set.insert(Output::new(*path, *text)).expect("free");
    }
    let mut tree = OutputTree::default();
    tree.add("demo", "specs/demo.yaml", set).expect("free");
    tree
}
