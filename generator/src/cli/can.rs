//! `hookgen can`: whether any event of a shape could be refused, by which checks, and an example.

use anyhow::{Context as _, bail};
use clap::Args;
use hookgen_runtime::representation::Effect;
use hookgen_runtime::{Decision, Event};
use serde_json::{Map, Value, json};

use super::console::{count, data};
use super::{Finish, load, projects};
use crate::lint::takes;
use crate::lower::{command_hooks, lower};
use crate::model::{Catalog, Hook};
use crate::reason::{Answer, Example, Formula, Reader, Rules, Theatre, base};
use crate::workspace::Loaded;

#[derive(Debug, Args)]
pub(super) struct CanArgs {
    /// Fields of an event as JSON, as many as matter, or the name of an event or a tool
    #[arg(value_name = "EVENT")]
    event: String,
    /// Catalogs, by name or file [default: all of them]
    #[arg(value_name = "CATALOG")]
    catalogs: Vec<String>,
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// What is known of a check that refuses.
struct Row<'c> {
    hook: &'c Hook,
    catalog: &'c str,
    check: String,
    /// An event that it refuses; without one, nobody has found any, and nobody knows that there is none.
    example: Option<Example>,
}

pub(super) fn run(args: &CanArgs) -> anyhow::Result<Finish> {
    let shape = Shape::read(&args.event)?;
    let projects = projects(&args.catalogs)?;
    let loaded = load(&projects);
    if loaded.iter().any(Loaded::has_errors) {
        return Ok(Finish::Findings);
    }
    let (mut rows, mut never) = (Vec::new(), 0);
    for catalog in loaded.iter().flat_map(|loaded| &loaded.catalogs) {
        never += asked(catalog, &shape, &mut rows)?;
    }
    if args.json {
        data(serde_json::to_string_pretty(&rows.iter().map(Row::as_json).collect::<Vec<_>>()).context("no JSON")?)?;
        return Ok(Finish::of(!rows.is_empty()));
    }
    for row in &rows {
        data(row.in_words())?;
    }
    if rows.is_empty() {
        data(format!("no: none of {} can refuse such an event", count(never, "check")))?;
    } else if never > 0 {
        data(format!("{} never can", count(never, "other check")))?;
    }
    Ok(Finish::of(!rows.is_empty()))
}

impl Row<'_> {
    fn in_words(&self) -> String {
        let who = format!("{} {} {}", self.catalog, self.hook.id, self.check);
        match &self.example {
            Some(example) => format!("yes, by {who}: {}", example.shown()),
            None => format!("perhaps, by {who}: it depends on more than the event"),
        }
    }

    fn as_json(&self) -> Value {
        json!({ "catalog": self.catalog, "hook": self.hook.id, "check": self.check,
            "certain": self.example.is_some(), "example": self.example.as_ref().map(|example| &example.0) })
    }
}

/// What is known of the event.
struct Shape {
    event: Option<&'static Event>,
    fields: Map<String, Value>,
}

impl Shape {
    fn read(text: &str) -> anyhow::Result<Self> {
        if let Some(event) = Event::named(text) {
            return Ok(Self { event: Some(event), fields: Map::new() });
        }
        if crate::protocol::is_tool(text) {
            let fields = [("tool_name".to_owned(), text.into())].into_iter().collect();
            return Ok(Self { event: Event::named("PreToolUse"), fields });
        }
        let Ok(Value::Object(mut fields)) = serde_json::from_str(text) else {
            bail!(
                "`{text}` is neither an event, nor a tool, nor fields of an event such as {{\"tool_name\":\"Bash\"}}"
            );
        };
        let event = match fields.remove("hook_event_name") {
            Some(Value::String(name)) => {
                Some(Event::named(&name).with_context(|| format!("no event is called `{name}`"))?)
            }
            _ if fields.contains_key("tool_name") => Event::named("PreToolUse"),
            _ => None,
        };
        Ok(Self { event, fields })
    }

    /// Whether the hook is asked about such events.
    fn concerns(&self, hook: &Hook) -> bool {
        let subject = hook.event.subject.and_then(|field| self.fields.get(field)).and_then(Value::as_str);
        self.event.is_none_or(|event| event.name == hook.event.name) && subject.is_none_or(|name| takes(hook, name))
    }

    /// The event with these fields in it.
    fn over(&self, example: &Example) -> Example {
        fn lay(onto: &mut Map<String, Value>, fields: &Map<String, Value>) {
            for (name, value) in fields {
                match (onto.get_mut(name), value) {
                    (Some(Value::Object(known)), Value::Object(more)) => lay(known, more),
                    _ => drop(onto.insert(name.clone(), value.clone())),
                }
            }
        }
        let mut fields = example.0.clone();
        lay(&mut fields, &self.fields);
        Example(fields)
    }
}

/// The checks of a catalog that may refuse such an event; how many never can.
fn asked<'c>(catalog: &'c Catalog, shape: &Shape, rows: &mut Vec<Row<'c>>) -> anyhow::Result<usize> {
    let whole = lower(catalog)?;
    let theatre = Theatre::new(lower(catalog)?)?;
    let mut never = 0;
    for (place, hook) in command_hooks(catalog).enumerate().filter(|(_, hook)| shape.concerns(hook)) {
        let reader = Reader::new(&whole);
        let Some(rules) = Rules::of(&reader, place, hook) else { continue };
        for (number, check) in rules.steps.checks.iter().enumerate() {
            let refuses = |effect: &Effect| matches!(effect, Effect::Decide(Decision::Deny, _) | Effect::Feedback(_));
            if !check.effects.iter().any(refuses) {
                continue;
            }
            let fires = rules.fires(number);
            let given = reader.given(&shape.fields, &[&fires]);
            let wanted = Formula::all(std::iter::once(fires).chain(given));
            let played = |example: &Example| theatre.play(hook.event, &[place], example);
            let mut candidates = vec![shape.over(&base(hook))];
            // What the given fields settle is the same for all events that have them.
            let is_settled = rules.rests_on(number, &shape.fields);
            if is_settled && candidates.first().and_then(&played).is_some_and(|scene| scene.went_past(place, &check.id))
            {
                never += 1;
                continue;
            }
            match reader.ask(&wanted) {
                Answer::Never => {
                    never += 1;
                    continue;
                }
                Answer::Holds(atoms) => candidates.push(shape.over(&Example::made(&reader, &atoms, base(hook)))),
                Answer::Unknown => {}
            }
            candidates.extend(Example::of_cases(hook).iter().map(|example| shape.over(example)));
            let example = candidates
                .into_iter()
                .find(|example| played(example).is_some_and(|scene| scene.fired(place, &check.id)));
            rows.push(Row { hook, catalog: &catalog.name, check: check.id.clone(), example });
        }
    }
    Ok(never)
}
