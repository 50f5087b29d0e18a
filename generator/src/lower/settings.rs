//! The constants of a catalog: what the engine itself needs of it.

use hookgen_runtime::program::{self, Matcher, Str, Strs};
use hookgen_runtime::representation::{Effect, Expr, Op, Representation, Table};
use hookgen_runtime::signature::Power;
use hookgen_runtime::{DocumentSpec, Format, Json, Many};

use super::{Lowering, command_hooks, place, value_type};
use crate::bug::Bug;
use crate::model;

impl Lowering<'_> {
    pub(super) fn constants(&self) -> Result<program::Catalog, Bug> {
        let catalog = self.catalog;
        let breaker = catalog
            .breaker
            .as_ref()
            .map(|name| {
                let after = place(&catalog.thresholds, name, |threshold| &threshold.name)?;
                Ok::<_, Bug>(program::Breaker { after })
            })
            .transpose()?;
        Ok(program::Catalog {
            name: text(&catalog.name),
            version: text(&catalog.version),
            digest: text(&catalog.digest),
            denial: catalog.denial,
            bang_escapes: catalog.bang_escapes,
            breaker,
            fail_open_notice: catalog.fail_open_notice,
            verbose_env: catalog.verbose_env.as_deref().map(text),
            flags: many(catalog.flags.iter().map(|flag| self.flag(flag)))?,
            choices: many(catalog.choices.iter().map(|choice| Ok(self::choice(choice))))?,
            thresholds: many(catalog.thresholds.iter().map(threshold))?,
            refused: many(catalog.refused.iter().map(|refused| Ok(self::refused(refused))))?,
            hooks: many(command_hooks(catalog).map(|hook| self.hook_constants(hook)))?,
        })
    }

    fn flag(&self, flag: &model::Flag) -> Result<program::Flag, Bug> {
        let requires = flag.requires.iter().map(|name| place(&self.catalog.flags, name, |flag| &flag.name));
        Ok(program::Flag { config: texts(&flag.config), default: flag.default, requires: many(requires)? })
    }

    fn hook_constants(&self, hook: &model::Hook) -> Result<program::Hook, Bug> {
        let flag = hook.flag.as_ref().map(|name| place(&self.catalog.flags, name, |flag| &flag.name)).transpose()?;
        Ok(program::Hook {
            id: text(&hook.id),
            log_name: text(&hook.log_name),
            event: text(hook.event.name),
            matcher: match &hook.matcher {
                None => Matcher::All,
                Some(model::Matcher::Names { names, .. }) => Matcher::Names(texts(names)),
                Some(model::Matcher::Pattern { written }) => Matcher::Pattern(written.clone().into()),
            },
            fail_safe: hook.fail_safe,
            timeout_ms: hook.timeout_ms,
            mode: hook.mode,
            flag,
            acts: false,
            background: hook.background,
            rewakes: hook.async_rewake,
        })
    }
}

fn choice(choice: &model::Choice) -> program::Choice {
    program::Choice { config: texts(&choice.config), values: texts(&choice.values), default: text(&choice.default) }
}

fn refused(refused: &model::Refused) -> program::Refused {
    program::Refused {
        config: texts(&refused.config),
        instead: text(&refused.instead),
        unless: refused.unless.as_deref().map(text),
    }
}

fn threshold(threshold: &model::Threshold) -> Result<program::Threshold, Bug> {
    let number =
        |number: &serde_json::Number| number.as_f64().ok_or_else(|| Bug::new(format!("{number} is no number")));
    let range = match &threshold.range {
        Some([least, most]) => Some((number(least)?, number(most)?)),
        None => None,
    };
    Ok(program::Threshold {
        config: texts(&threshold.config),
        default: number(&threshold.default)?,
        range,
        whole: threshold.ty == model::Type::Int,
    })
}

/// A document's constants. Only a status line has columns.
pub(super) fn document(document: &model::Document) -> DocumentSpec {
    let columns = document.fields.iter().filter(|_| document.format == Format::StatusLine);
    DocumentSpec {
        name: text(&document.name),
        format: document.format,
        delimiter: text(&document.delimiter),
        columns: Many::Owned(columns.map(|(name, _)| text(name)).collect()),
        record: !document.fields.is_empty(),
    }
}

pub(super) fn table(data: &model::Data) -> Result<Table, Bug> {
    let written = data.value.to_string();
    let value = Json::parse(&written).map_err(|error| Bug::new(format!("table `{}`: {error}", data.name)))?;
    Ok(Table { name: data.name.clone(), value: value.into_owned(), ty: value_type(&data.ty) })
}

/// Marks the hooks that start programs or spend before they decide: their mode must be known first.
pub(super) fn mark_acting(whole: &mut Representation) {
    let acting: Vec<bool> = (0..whole.hooks.len()).map(|place| acts(whole, place)).collect();
    if let Many::Owned(hooks) = &mut whole.catalog.hooks {
        for (hook, acts) in hooks.iter_mut().zip(acting) {
            hook.acts = acts;
        }
    }
}

fn acts(whole: &Representation, place: usize) -> bool {
    let Some(hook) = whole.hooks.get(place) else { return false };
    let spends =
        hook.checks.iter().flat_map(|check| &check.effects).any(|effect| matches!(effect, Effect::Spend { .. }));
    let mut starts = false;
    whole.reached(place, &mut |expr: &Expr| {
        if let Op::Call(function, _) = &expr.op {
            starts |= whole.function(*function).is_some_and(|function| {
                function
                    .powers
                    .iter()
                    .any(|power| matches!(power, Power::Program | Power::Query | Power::EndsPrograms | Power::Removes))
            });
        }
    });
    spends || starts
}

fn text(text: &str) -> Str {
    Str::Owned(text.to_owned())
}

fn texts(texts: &[String]) -> Strs {
    Many::Owned(texts.iter().map(|item| text(item)).collect())
}

fn many<T>(items: impl Iterator<Item = Result<T, Bug>>) -> Result<Many<'static, T>, Bug> {
    items.collect::<Result<Vec<T>, Bug>>().map(Many::Owned)
}
