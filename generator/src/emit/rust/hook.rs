//! One hook's module: its gate and its checks, in the order of the catalog.

use std::collections::BTreeSet;

use super::expr::Writer;
use super::facts::document_path;
use super::format::{blank, comment, doc, literal};
use super::name::{document_name, local};
use crate::emit::{Bug, visible};
use crate::model::{self, Effect, Expr, ExprKind, Template};

pub(super) fn hook(hook: &model::Hook) -> Result<String, Bug> {
    let own = hook.documents.iter().map(|document| document.name.clone()).collect();
    let body =
        Body { hook, writer: Writer::new("facts", own), written: BTreeSet::new(), code: String::new() }.write()?;
    let matcher = hook.matcher.as_ref().map(|matcher| format!(" on `{}`", matcher.written())).unwrap_or_default();
    let title = format!("{} `{}`: {}{matcher}.", hook.id, hook.name, hook.event.name);
    let docs = doc("#!", &format!("{}\n\n{}", visible::line(&title), hook.why));
    Ok(format!(
        "{docs}\n#![allow(unused_imports, reason = \"not every hook needs every part of the library\")]\n\
         use std::cell::OnceCell;\n\
         use hookgen_runtime::program::Program as _;\n\
         use hookgen_runtime::{{Attempt, Document, Entry, Json, Limit, Many, Node, Origin, Pattern, Spent, Verdict, library, operators}};\n\
         use crate::catalog;\nuse crate::facts::Facts;\n{}{body}",
        blank()
    ))
}

struct Body<'h> {
    hook: &'h model::Hook,
    writer: Writer,
    /// Definitions that are already there.
    written: BTreeSet<String>,
    code: String,
}

impl Body<'_> {
    fn write(mut self) -> Result<String, Bug> {
        if let Some(when) = &self.hook.when {
            self.define_for(&[&when.expr])?;
            self.code.push_str(&comment(&format!("when: {}", when.source)));
            let applies = self.writer.condition(&when.expr)?;
            self.code.push_str(&format!("let applies = {applies};\nif !applies {{ return Ok(()); }}\n"));
        }
        for check in &self.hook.checks {
            self.check(check)?;
        }
        let decided = self
            .hook
            .checks
            .last()
            .is_some_and(|check| check.when.is_none() && check.effects.last().is_some_and(Effect::decides));
        if !decided {
            self.code.push_str("Ok(())\n");
        }
        let verdict = if self.code.contains("verdict.") { "verdict" } else { "_verdict" };
        let event = if self.code.contains("event.") || self.code.contains("(event") {
            "let event = facts.event();\n"
        } else {
            ""
        };
        Ok(format!(
            "pub(crate) fn run(facts: &Facts<'_>, {verdict}: &mut Verdict) -> Attempt<()> {{\n{event}{}}}\n{}{}",
            self.code,
            blank(),
            self.writer.pattern_constants()
        ))
    }

    fn check(&mut self, check: &model::Check) -> Result<(), Bug> {
        let mut needed: Vec<&Expr> = check.when.iter().map(|when| &when.expr).collect();
        for effect in &check.effects {
            needed.extend(effect.expressions());
            if let Some(document) = effect.changes() {
                self.open(document)?;
            }
        }
        self.define_for(&needed)?;
        self.code.push_str(blank());
        self.code.push_str(&comment(&format!("check {}", check.id)));
        let effects: Result<Vec<String>, Bug> = check.effects.iter().map(|effect| self.effect(check, effect)).collect();
        let effects = effects?;
        let Some(when) = &check.when else {
            for effect in effects {
                self.code.push_str(&effect);
            }
            // The last check may end the function with its decision as the value.
            return Ok(());
        };
        for effect in &check.effects {
            if let Effect::Spend { name, .. } = effect {
                self.code.push_str(&format!("let mut {} = Spent::default();\n", local(name)));
            }
        }
        self.code.push_str(&comment(&format!("when: {}", when.source)));
        self.code.push_str(&format!("if {} {{\n{}}}\n", self.writer.condition(&when.expr)?, effects.concat()));
        Ok(())
    }

    /// Writes the definitions and documents that these expressions need and that are not there yet.
    fn define_for(&mut self, expressions: &[&Expr]) -> Result<(), Bug> {
        for expr in expressions {
            match &expr.kind {
                ExprKind::Binding(name) => self.define(name)?,
                ExprKind::Document { name, .. } => self.open(name)?,
                _ => {}
            }
            self.define_for(&expr.children())?;
        }
        Ok(())
    }

    fn define(&mut self, name: &str) -> Result<(), Bug> {
        let hook = self.hook;
        let Some(fact) = hook.bindings.iter().find(|fact| fact.name == *name) else { return Ok(()) };
        if self.written.insert(fact.name.clone()) {
            self.define_for(&[&fact.expr])?;
            self.code.push_str(&comment(&format!("let {}: {}", fact.name, fact.source.trim())));
            // Worked out where it is first asked for, which may be behind a condition.
            self.code.push_str(&format!(
                "let {once} = OnceCell::new();\nlet {name} = || operators::once(&{once}, || {});\n",
                self.writer.result(&fact.expr)?,
                once = local(&format!("{}_once", fact.name)),
                name = local(&fact.name),
            ));
        }
        Ok(())
    }

    fn open(&mut self, name: &str) -> Result<(), Bug> {
        let hook = self.hook;
        let Some(document) = hook.documents.iter().find(|document| document.name == *name) else { return Ok(()) };
        if self.written.insert(document.name.clone()) {
            self.code.push_str(&comment(&format!("document {}: {}", document.name, document.path.source)));
            self.code.push_str(&format!(
                "let path = {};\nlet {} = Document::open(&catalog::{}, facts.call().project_path(&path));\n",
                document_path(document, &self.writer)?,
                local(name),
                document_name(hook, document),
            ));
        }
        Ok(())
    }

    fn effect(&self, check: &model::Check, effect: &Effect) -> Result<String, Bug> {
        let id = literal(&check.id);
        let text = |template: &Template| self.writer.template(template);
        Ok(match effect {
            Effect::Spend { name, key, from } => self.spend(check, name, key.as_ref(), from)?,
            Effect::Reset { counters } => {
                let counters: Vec<String> = counters.iter().map(|counter| literal(counter)).collect();
                format!("facts.call().reset(&[{}])?;\n", counters.join(", "))
            }
            Effect::Remember(key) => format!("facts.call().remember(&{})?;\n", text(key)?),
            Effect::Note { name, text: noted } => {
                format!("facts.call().note({}, &{})?;\n", literal(name), text(noted)?)
            }
            Effect::Tally { document, at, add } => self.tally(document, at, add)?,
            Effect::Write { document, text: new } => {
                format!("{}.replace(&{})?;\n", self.writer.document_named(document), text(new)?)
            }
            Effect::Append { document, line, unless } => {
                let document = self.writer.document_named(document);
                match unless {
                    None => format!("{document}.append_line(&{})?;\n", text(line)?),
                    Some(unless) => {
                        format!("{document}.append_new_line(facts.call(), &{}, &{})?;\n", text(line)?, text(unless)?)
                    }
                }
            }
            Effect::Delete { document } => format!("{}.remove()?;\n", self.writer.document_named(document)),
            Effect::Export { name, value } => format!("verdict.export({}, {});\n", literal(name), text(value)?),
            Effect::Log(line) => format!("verdict.log({});\n", text(line)?),
            Effect::Warn(said) => format!("verdict.warn({id}, {});\n", text(said)?),
            Effect::Inject(said) => format!("verdict.inject({id}, {});\n", text(said)?),
            Effect::Feedback(said) => format!("verdict.feedback({id}, {});\n", text(said)?),
            Effect::Rewrite { fields } => {
                let fields: Result<Vec<String>, Bug> = fields
                    .iter()
                    .map(|(field, value)| Ok(format!("verdict.rewrite({id}, {}, {});\n", literal(field), text(value)?)))
                    .collect();
                fields?.concat()
            }
            Effect::Deny(reason) => self.decision(check, "deny", &text(reason)?),
            Effect::Ask(reason) => self.decision(check, "ask", &text(reason)?),
            Effect::Allow(reason) => self.decision(check, "allow", &text(reason)?),
            Effect::Pass(reason) => self.decision(check, "pass", &text(reason)?),
        })
    }

    /// A decision ends the hook: by `return` inside a condition, as the function's value at its end.
    #[expect(clippy::unused_self, reason = "beside its siblings")]
    fn decision(&self, check: &model::Check, word: &str, reason: &str) -> String {
        let id = literal(&check.id);
        match check.when {
            Some(_) => format!("return verdict.{word}({id}, {reason});\n"),
            None => format!("verdict.{word}({id}, {reason})\n"),
        }
    }

    fn tally(&self, document: &str, at: &model::Condition, add: &[(String, model::Condition)]) -> Result<String, Bug> {
        let sums: Result<Vec<String>, Bug> = add
            .iter()
            .map(|(name, more)| Ok(format!("({}, {})", literal(name), self.writer.owned(&more.expr)?)))
            .collect();
        let (document, at) = (self.writer.document_named(document), self.writer.borrowed(&at.expr)?);
        Ok(format!("{document}.tally(facts.call(), {at}, &[{}])?;\n", sums?.join(", ")))
    }

    fn spend(
        &self,
        check: &model::Check,
        name: &str,
        key: Option<&Expr>,
        from: &[(String, model::Condition)],
    ) -> Result<String, Bug> {
        let key = match key {
            Some(key) => format!("Some({})", self.writer.borrowed(key)?),
            None => "None".to_owned(),
        };
        let limits: Result<Vec<String>, Bug> = from
            .iter()
            .map(|(counter, limit)| {
                let limit = self.writer.owned(&limit.expr)?;
                Ok(format!("Limit {{ counter: {}, limit: {limit} }}", literal(counter)))
            })
            .collect();
        let declared = if check.when.is_some() { local(name) } else { format!("let {}", local(name)) };
        Ok(format!("{declared} = facts.call().spend({key}, &[{}])?;\n", limits?.join(", ")))
    }
}
