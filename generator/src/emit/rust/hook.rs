//! One hook's module: its definitions, its gate and its checks, in the order of the catalog.

use std::cell::RefCell;
use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use hookgen_runtime::Decision;
use hookgen_runtime::program::Matcher;
use hookgen_runtime::representation::{Check, Definition, Effect, Hook, Limit, Op, Text};

use super::expression::{Writer, string};
use super::imports::{imports, mentions};
use super::layout::{Crate, remark};
use super::shared::{definition, pattern_constants};
use super::types::kept;
use crate::bug::Bug;
use crate::emit::visible;

/// What the function of a hook has besides the hook's own names.
const TAKEN: &[&str] = &["facts", "verdict", "lets"];

pub(super) fn hook(whole: &Crate<'_>, place: usize) -> Result<TokenStream, Bug> {
    let hook = whole.hook(place)?;
    let patterns = RefCell::new(BTreeSet::new());
    let lets = lets(whole, place, hook, &patterns)?;
    let writer =
        Writer::new(whole, Some(place), quote!(facts), quote!(lets), TAKEN, &patterns).with_spends(&hook.spends);
    let body = body(hook, &writer)?;
    let constants = pattern_constants(whole, &patterns)?;
    let title = title(whole, place, hook);
    let title = visible::lines(&title).into_iter().map(|line| {
        let line = format!(" {line}");
        let line = line.trim_end();
        quote!(#![doc = #line])
    });
    let begin = (!lets.is_empty()).then(|| quote!(let lets = Lets::new(facts);));
    let parameter = |name: &str| {
        let used = mentions(&body, name) || name == "facts" && begin.is_some();
        if used { format_ident!("{}", name) } else { format_ident!("_{}", name) }
    };
    let (facts, verdict) = (parameter("facts"), parameter("verdict"));
    let code = quote! {
        /// What the hook does about one event.
        pub(crate) fn run(#facts: &Facts<'_>, #verdict: &mut Verdict) -> Attempt<()> {
            #begin
            #body
        }

        #lets

        #constants
    };
    let imports = imports(&code, &[])?;
    Ok(quote!(#(#title)* #imports #code))
}

fn title(whole: &Crate<'_>, place: usize, hook: &Hook) -> String {
    let constants = whole.representation.catalog.hooks.get(place);
    let (id, event) = constants.map(|hook| (hook.id.as_ref(), hook.event.as_ref())).unwrap_or_default();
    let matcher = match constants.map(|hook| &hook.matcher) {
        Some(Matcher::Names(names)) => format!(" on `{}`", names.join("|")),
        Some(Matcher::Pattern(pattern)) => format!(" on `{}`", pattern.source()),
        Some(Matcher::All) | None => String::new(),
    };
    format!("{}\n\n{}", visible::line(&format!("{id} `{}`: {event}{matcher}.", hook.name)), hook.why)
}

/// The hook's own definitions, each a method.
fn lets(whole: &Crate<'_>, place: usize, hook: &Hook, patterns: &RefCell<BTreeSet<usize>>) -> Result<TokenStream, Bug> {
    let names = whole.names.lets.get(place).map(Vec::as_slice).unwrap_or_default();
    let used: Vec<(&Definition, &Ident)> = hook
        .lets
        .iter()
        .zip(names)
        .enumerate()
        .filter(|(own, _)| whole.used.lets.contains(&(place, *own)))
        .map(|(_, used)| used)
        .collect();
    if used.is_empty() {
        return Ok(TokenStream::new());
    }
    let names: Vec<&Ident> = used.iter().map(|(_, name)| *name).collect();
    let cells = used.iter().map(|(own, name)| {
        let ty = kept(&own.text.value.ty);
        quote!(#name: OnceCell<#ty>)
    });
    let methods: Vec<TokenStream> = used
        .iter()
        .map(|(own, name)| {
            let writer = Writer::new(whole, Some(place), quote!(self.facts), quote!(self), &["self"], patterns);
            definition(own, name, &writer, "Let")
        })
        .collect::<Result<_, Bug>>()?;
    // What is never read would be a warning, and a way to the facts is none.
    let way = (!mentions(&methods.iter().cloned().collect(), "facts")).then(|| {
        quote! {
            impl<'c> Deref for Lets<'_, 'c> {
                type Target = Facts<'c>;

                fn deref(&self) -> &Facts<'c> { self.facts }
            }
        }
    });
    Ok(quote! {
        /// What the checks are made of, worked out at most once and only when asked for.
        struct Lets<'f, 'c> { facts: &'f Facts<'c>, #(#cells),* }

        #way

        impl<'f, 'c> Lets<'f, 'c> {
            fn new(facts: &'f Facts<'c>) -> Self {
                Self { facts, #(#names: OnceCell::new()),* }
            }

            #(#methods)*
        }
    })
}

fn body(hook: &Hook, writer: &Writer<'_>) -> Result<TokenStream, Bug> {
    let mut code = TokenStream::new();
    if let Some(gate) = &hook.gate {
        let (remark, condition) = (condition_remark("when", gate)?, negated(writer, gate)?);
        code.extend(quote!(#remark if #condition { return Ok(()); }));
    }
    let mut decided = false;
    for (place, check) in hook.checks.iter().enumerate() {
        code.extend(self::check(check, hook.checks.get(place + 1..).unwrap_or_default(), writer)?);
        decided |= check.when.is_none() && check.effects.last().is_some_and(Effect::decides);
    }
    if !decided {
        code.extend(quote!(Ok(())));
    }
    Ok(code)
}

/// The condition, the other way round.
fn negated(writer: &Writer<'_>, text: &Text) -> Result<syn::Expr, Bug> {
    let value = hookgen_runtime::representation::Expr {
        op: Op::Not(Box::new(text.value.clone())),
        ty: text.value.ty.clone(),
        span: text.value.span,
    };
    writer.condition(&Text { source: text.source.clone(), value })
}

fn condition_remark(key: &str, text: &Text) -> Result<TokenStream, Bug> {
    remark(&format!("{key}: {}", text.source.trim()))
}

fn check(check: &Check, later: &[Check], writer: &Writer<'_>) -> Result<TokenStream, Bug> {
    let title = remark(&format!("check {}", check.id))?;
    let blank: TokenStream = super::format::blank().parse().map_err(|_| Bug::new("an empty line is none"))?;
    let effects: Vec<TokenStream> =
        check.effects.iter().map(|effect| self::effect(check, later, effect, writer)).collect::<Result<_, Bug>>()?;
    let decides = check.effects.last().is_some_and(Effect::decides);
    let Some(when) = &check.when else {
        let end = decides.then(|| quote!(Ok(())));
        return Ok(quote!(#blank #title #(#effects)* #end));
    };
    let spends: Vec<TokenStream> = check
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Spend { spend, .. } => Some((writer.spends.get(*spend)?, Asked::about(*spend, check, later))),
            _ => None,
        })
        .filter_map(|(name, asked)| match asked {
            Asked::Later { assigned: true } => Some(quote!(let mut #name = Spent::default();)),
            Asked::Later { assigned: false } => Some(quote!(let #name = Spent::default();)),
            Asked::Here | Asked::Never => None,
        })
        .collect();
    let (remark, condition) = (condition_remark("when", when)?, writer.condition(when)?);
    let end = decides.then(|| quote!(return Ok(());));
    Ok(quote!(#blank #title #(#spends)* #remark if #condition { #(#effects)* #end }))
}

fn effect(check: &Check, later: &[Check], effect: &Effect, writer: &Writer<'_>) -> Result<TokenStream, Bug> {
    let id = string(&check.id);
    let said = |method: &str, text: &Text| -> Result<TokenStream, Bug> {
        let (method, text) = (format_ident!("{}", method), writer.text_said(text)?);
        Ok(quote!(verdict.#method(#id, #text);))
    };
    Ok(match effect {
        Effect::Spend { spend, key, per, from } => {
            self::spend((check, later), *spend, [key.as_ref(), per.as_ref()], from, writer)?
        }
        Effect::Reset(_) | Effect::Forget { .. } | Effect::Record(_) => in_session(effect, writer)?,
        Effect::Notify(line) => {
            let words = line.iter().map(|word| owned(word, writer)).collect::<Result<Vec<_>, Bug>>()?;
            quote!(verdict.notify(Vec::from([#(#words),*]));)
        }
        Effect::Remember(what) => {
            let what = writer.text_said(what)?;
            quote!(verdict.remember(#what);)
        }
        Effect::Note { name, text } => {
            let (name, text) = (string(name), writer.text_said(text)?);
            quote!(verdict.note(#name, #text);)
        }
        Effect::Write { document, text } => {
            let (document, text) = (writer.document(*document)?, writer.text_said(text)?);
            quote!(verdict.write(#document, #text);)
        }
        Effect::Append { document, line, unless } => {
            let (document, line) = (writer.document(*document)?, writer.text_said(line)?);
            match unless {
                None => quote!(verdict.append(#document, #line);),
                Some(unless) => {
                    let unless = writer.text_said(unless)?;
                    quote!(verdict.append_unless(#document, #line, #unless);)
                }
            }
        }
        Effect::Tally { document, at, add, set } => {
            let (document, at) = (writer.document(*document)?, writer.text_reference(at)?);
            let sums: Vec<TokenStream> = add
                .iter()
                .map(|sum| {
                    let (name, more) = (string(&sum.name), writer.text_value(&sum.more)?);
                    Ok(quote!((Text::Borrowed(#name), #more)))
                })
                .collect::<Result<_, Bug>>()?;
            let values: Vec<TokenStream> = set
                .iter()
                .map(|(name, value)| {
                    let (name, value) = (string(name), writer.text_said(value)?);
                    Ok(quote!((Text::Borrowed(#name), Text::from(#value).into_owned())))
                })
                .collect::<Result<_, Bug>>()?;
            let sums = quote!(Sums { add: Vec::from([#(#sums),*]), set: Vec::from([#(#values),*]) });
            quote!(verdict.tally(#document, #at, #sums);)
        }
        Effect::Delete { document } => {
            let document = writer.document(*document)?;
            quote!(verdict.delete(#document);)
        }
        Effect::Export { name, value } => {
            let (name, value) = (string(name), writer.text_said(value)?);
            quote!(verdict.export(#name, #value);)
        }
        Effect::Log(line) => {
            let line = writer.text_said(line)?;
            quote!(verdict.log(#line);)
        }
        Effect::Warn(text) => said("warn", text)?,
        Effect::Inject(text) => said("inject", text)?,
        Effect::Advise(text) => said("advise", text)?,
        Effect::Feedback(text) => said("feedback", text)?,
        Effect::Rewrite(fields) => {
            let fields: Vec<TokenStream> = fields
                .iter()
                .map(|(field, value)| {
                    let (field, value) = (string(field), writer.text_said(value)?);
                    Ok(quote!(verdict.rewrite(#id, #field, #value);))
                })
                .collect::<Result<_, Bug>>()?;
            quote!(#(#fields)*)
        }
        Effect::Decide(decision, reason) => {
            let method = match decision {
                Decision::Deny => "deny",
                Decision::Ask => "ask",
                Decision::Allow => "allow",
                Decision::Pass => "pass",
            };
            said(method, reason)?
        }
    })
}

/// What changes what the session knows by names and keys.
fn in_session(effect: &Effect, writer: &Writer<'_>) -> Result<TokenStream, Bug> {
    Ok(match effect {
        Effect::Reset(counters) => {
            let counters: Vec<TokenStream> = counters
                .iter()
                .map(|one| {
                    let (name, per) = (string(&one.name), optional(one.per.as_ref(), |per| owned(per, writer))?);
                    Ok(quote!((Text::Borrowed(#name), #per)))
                })
                .collect::<Result<_, Bug>>()?;
            quote!(verdict.reset(Vec::from([#(#counters),*]));)
        }
        Effect::Forget { remembered, noted } => {
            let what = remembered.iter().map(|what| writer.text_said(what)).collect::<Result<Vec<_>, Bug>>()?;
            let names = noted.iter().map(|name| string(name));
            quote!(#(verdict.forget(#what);)* #(verdict.forget_note(#names);)*)
        }
        Effect::Record(names) => {
            let records: Vec<TokenStream> = names
                .iter()
                .map(|one| {
                    let name = string(&one.name);
                    Ok(match &one.per {
                        None => quote!(verdict.record(#name);),
                        Some(what) => {
                            let what = writer.text_said(what)?;
                            quote!(verdict.record_of(#name, #what);)
                        }
                    })
                })
                .collect::<Result<_, Bug>>()?;
            quote!(#(#records)*)
        }
        _ => TokenStream::new(),
    })
}

/// A text as a value of its own.
fn owned(text: &Text, writer: &Writer<'_>) -> Result<TokenStream, Bug> {
    let said = writer.text_said(text)?;
    Ok(quote!(Text::from(#said).into_owned()))
}

fn optional<T: ToTokens>(text: Option<&Text>, print: impl Fn(&Text) -> Result<T, Bug>) -> Result<TokenStream, Bug> {
    Ok(match text.map(print).transpose()? {
        Some(printed) => quote!(Some(#printed)),
        None => quote!(None),
    })
}

/// Who asks what came of a spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Never,
    /// Only the check that spends.
    Here,
    /// Later checks, which hear of it unless that check has ended the hook without asking itself.
    Later {
        assigned: bool,
    },
}

impl Asked {
    fn about(spend: usize, check: &Check, later: &[Check]) -> Self {
        let here = asks(check, spend);
        if later.iter().any(|later| asks(later, spend)) {
            Self::Later { assigned: here || !check.effects.last().is_some_and(Effect::decides) }
        } else if here {
            Self::Here
        } else {
            Self::Never
        }
    }
}

fn asks(check: &Check, spend: usize) -> bool {
    let mut found = false;
    let when = check.when.iter().map(|when| &when.value);
    for expr in when.chain(check.effects.iter().flat_map(Effect::expressions)) {
        expr.walk(&mut |inner| found |= matches!(&inner.op, Op::Spent(place, _) if *place == spend));
    }
    found
}

fn spend(
    (check, later): (&Check, &[Check]),
    spend: usize,
    keys: [Option<&Text>; 2],
    from: &[Limit],
    writer: &Writer<'_>,
) -> Result<TokenStream, Bug> {
    let name = writer.spends.get(spend).ok_or_else(|| Bug::new(format!("there is no spend {spend}")))?;
    let [key, per] = keys;
    let (key, per) =
        (optional(key, |key| writer.text_reference(key))?, optional(per, |per| writer.text_reference(per))?);
    let limits: Vec<TokenStream> = from
        .iter()
        .map(|limit| {
            let (counter, most) = (string(&limit.counter), writer.text_value(&limit.limit)?);
            let per = if limit.apart { &per } else { &quote!(None) };
            Ok(quote!(Limit { counter: #counter, per: #per, limit: #most }))
        })
        .collect::<Result<_, Bug>>()?;
    let facts = &writer.facts;
    let declared = match Asked::about(spend, check, later) {
        Asked::Later { assigned: true } if check.when.is_some() => quote!(#name =),
        Asked::Later { .. } if check.when.is_none() => quote!(let #name =),
        Asked::Here => quote!(let #name =),
        Asked::Later { .. } | Asked::Never => TokenStream::new(),
    };
    Ok(quote!(#declared #facts.call().spend(#key, &[#(#limits),*])?;))
}
