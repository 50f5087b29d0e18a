//! `catalog.rs`: everything constant.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use hookgen_runtime::program::{Choice, Flag, Hook, Matcher, Refused, Threshold};
use hookgen_runtime::representation::{Table, Type};
use hookgen_runtime::{DocumentSpec, Json};

use super::expression::{fraction, string, whole};
use super::imports::imports;
use super::layout::Crate;
use crate::bug::Bug;

pub(super) fn tables(whole: &Crate<'_>) -> Result<TokenStream, Bug> {
    let catalog = &whole.representation.catalog;
    let names = &whole.names;
    let title = format!(" The constants of {} {}.", catalog.name, catalog.version);
    let flags = catalog.flags.iter().map(flag);
    let choices = catalog.choices.iter().map(choice);
    let thresholds = catalog.thresholds.iter().map(threshold);
    let hooks = catalog.hooks.iter().map(hook);
    let documents = whole.representation.documents.iter().map(|document| document_spec(&document.spec));
    let (flag_count, choice_count, threshold_count) =
        (catalog.flags.len(), catalog.choices.len(), catalog.thresholds.len());
    let (hook_count, document_count) = (catalog.hooks.len(), whole.representation.documents.len());
    let places = [
        places("flags", &names.flags, &whole.used.flags, "The places of the flags."),
        places("choices", &names.choices, &whole.used.choices, "The places of the choices."),
        places("thresholds", &names.thresholds, &whole.used.thresholds, "The places of the thresholds."),
    ];
    let tables = whole.representation.tables.iter().zip(&names.tables).enumerate();
    let data: TokenStream = tables
        .filter(|(place, _)| whole.used.tables.contains(place))
        .map(|(_, (table, name))| constant(table, name))
        .collect();
    let data_imports = imports(&data, &[])?;
    let catalog = catalog_table(whole);
    let document_specs = (!whole.used.documents.is_empty()).then(|| {
        quote! {
            /// The documents, in the order of their functions.
            pub(crate) static DOCUMENTS: [DocumentSpec; #document_count] = [#(#documents),*];
        }
    });
    let data = (!data.is_empty()).then(|| {
        quote! {
            /// Constant tables.
            pub(crate) mod data {
                #data_imports
                #data
            }
        }
    });
    let code = quote! {
        #catalog

        static FLAGS: [Flag; #flag_count] = [#(#flags),*];
        static CHOICES: [Choice; #choice_count] = [#(#choices),*];
        static THRESHOLDS: [Threshold; #threshold_count] = [#(#thresholds),*];
        static HOOKS: [Hook; #hook_count] = [#(#hooks),*];

        #document_specs

        #(#places)*
    };
    let code_imports = imports(&code, &["CATALOG", "DOCUMENTS", "flags", "choices", "thresholds", "data"])?;
    Ok(quote! {
        #![doc = #title]
        #code_imports
        #code

        #data
    })
}

fn catalog_table(whole: &Crate<'_>) -> TokenStream {
    let catalog = &whole.representation.catalog;
    let (name, version, digest) = (text(&catalog.name), text(&catalog.version), text(&catalog.digest));
    let denial = variant(&catalog.denial);
    let breaker = match &catalog.breaker {
        Some(breaker) => {
            let after = breaker.after;
            quote!(Some(Breaker { after: #after }))
        }
        None => quote!(None),
    };
    let (bang_escapes, notice) = (catalog.bang_escapes, catalog.fail_open_notice);
    let verbose = option(catalog.verbose_env.as_deref().map(text));
    let refused = catalog.refused.iter().map(refused);
    quote! {
        /// The catalog.
        pub(crate) static CATALOG: Catalog = Catalog {
            name: #name,
            version: #version,
            digest: #digest,
            denial: Denial::#denial,
            bang_escapes: #bang_escapes,
            breaker: #breaker,
            fail_open_notice: #notice,
            verbose_env: #verbose,
            flags: Many::Borrowed(&FLAGS),
            choices: Many::Borrowed(&CHOICES),
            thresholds: Many::Borrowed(&THRESHOLDS),
            refused: Many::Borrowed(&[#(#refused),*]),
            hooks: Many::Borrowed(&HOOKS),
        };
    }
}

fn places(module: &str, names: &[Ident], used: &BTreeSet<usize>, doc: &str) -> Option<TokenStream> {
    let module = format_ident!("{}", module);
    let used = names.iter().enumerate().filter(|(place, _)| used.contains(place));
    let constants: Vec<_> = used.map(|(place, name)| quote!(pub(crate) const #name: usize = #place;)).collect();
    if constants.is_empty() {
        return None;
    }
    let doc = format!(" {doc}");
    Some(quote!(#[doc = #doc] pub(crate) mod #module { #(#constants)* }))
}

fn hook(hook: &Hook) -> TokenStream {
    let (id, log_name, event) = (text(&hook.id), text(&hook.log_name), text(&hook.event));
    let matcher = match &hook.matcher {
        Matcher::All => quote!(Matcher::All),
        Matcher::Names(names) => {
            let names = texts(names);
            quote!(Matcher::Names(#names))
        }
        Matcher::Pattern(pattern) => {
            let pattern = string(pattern.source());
            quote!(Matcher::Pattern(Pattern::new(#pattern)))
        }
    };
    let (fail_safe, mode) = (variant(&hook.fail_safe), variant(&hook.mode));
    let timeout = whole(i64::from(hook.timeout_ms));
    let flag = option(hook.flag.map(|place| quote!(#place)));
    let Hook { acts, background, rewakes, .. } = hook;
    quote! {
        Hook {
            id: #id,
            log_name: #log_name,
            event: #event,
            matcher: #matcher,
            fail_safe: FailSafe::#fail_safe,
            timeout_ms: #timeout,
            mode: Mode::#mode,
            flag: #flag,
            acts: #acts,
            background: #background,
            rewakes: #rewakes,
        }
    }
}

fn flag(flag: &Flag) -> TokenStream {
    let (config, default, requires) = (texts(&flag.config), flag.default, flag.requires.iter());
    quote!(Flag { config: #config, default: #default, requires: Many::Borrowed(&[#(#requires),*]) })
}

fn choice(choice: &Choice) -> TokenStream {
    let (config, values, default) = (texts(&choice.config), texts(&choice.values), text(&choice.default));
    quote!(Choice { config: #config, values: #values, default: #default })
}

fn refused(refused: &Refused) -> TokenStream {
    let (config, instead) = (texts(&refused.config), text(&refused.instead));
    let unless = option(refused.unless.as_deref().map(text));
    quote!(Refused { config: #config, instead: #instead, unless: #unless })
}

fn threshold(threshold: &Threshold) -> TokenStream {
    let (config, default, whole) = (texts(&threshold.config), fraction(threshold.default), threshold.whole);
    let range = option(threshold.range.map(|(least, most)| {
        let (least, most) = (fraction(least), fraction(most));
        quote!((#least, #most))
    }));
    quote!(Threshold { config: #config, default: #default, range: #range, whole: #whole })
}

fn document_spec(spec: &DocumentSpec) -> TokenStream {
    let (name, delimiter, columns) = (text(&spec.name), text(&spec.delimiter), texts(&spec.columns));
    let (format, record) = (variant(&spec.format), spec.record);
    quote!(DocumentSpec { name: #name, format: Format::#format, delimiter: #delimiter, columns: #columns, record: #record })
}

/// Whether a table of this type is a constant of Rust, and not a value that is read.
pub(super) fn is_constant_table(ty: &Type) -> bool {
    let scalar = |ty: &Type| matches!(ty, Type::Bool | Type::Int | Type::Double | Type::Text);
    scalar(ty) || matches!(ty, Type::List(of) if scalar(of))
}

fn constant(table: &Table, name: &Ident) -> TokenStream {
    if !is_constant_table(&table.ty) {
        let value = json(&table.value);
        return quote!(pub(crate) static #name: Json<'static> = #value;);
    }
    let (ty, value) = (constant_type(&table.ty), scalar(&table.value, &table.ty));
    quote!(pub(crate) const #name: #ty = #value;)
}

fn constant_type(ty: &Type) -> TokenStream {
    match ty {
        Type::Bool => quote!(bool),
        Type::Int => quote!(i64),
        Type::Double => quote!(f64),
        Type::List(of) => {
            let of = constant_type(of);
            quote!(&[#of])
        }
        _ => quote!(&str),
    }
}

fn scalar(value: &Json<'_>, ty: &Type) -> TokenStream {
    match (value, ty) {
        (Json::Bool(value), _) => quote!(#value),
        (Json::Int(value), Type::Double) => fraction(hookgen_runtime::operators::int_to_double(*value)),
        (Json::Int(value), _) => whole(*value),
        (Json::Double(value), _) => fraction(*value),
        (Json::Text(text), _) => string(text),
        (Json::List(items), Type::List(of)) => {
            let items = items.iter().map(|item| scalar(item, of));
            quote!(&[#(#items),*])
        }
        _ => quote!(""),
    }
}

fn json(value: &Json<'_>) -> TokenStream {
    match value {
        Json::Null => quote!(Json::Null),
        Json::Bool(value) => quote!(Json::Bool(#value)),
        Json::Int(value) => {
            let value = whole(*value);
            quote!(Json::Int(#value))
        }
        Json::Double(value) => {
            let value = fraction(*value);
            quote!(Json::Double(#value))
        }
        Json::Text(text) => {
            let text = string(text);
            quote!(Json::text(#text))
        }
        Json::List(items) => {
            let items = items.iter().map(json);
            quote!(Json::List(Many::Borrowed(&[#(#items),*])))
        }
        Json::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| {
                let (key, value) = (string(key), json(value));
                quote!((Cow::Borrowed(#key), #value))
            });
            quote!(Json::Object(Many::Borrowed(&[#(#fields),*])))
        }
    }
}

fn text(text: &str) -> TokenStream {
    let text = string(text);
    quote!(Str::Borrowed(#text))
}

fn texts(texts: &[impl AsRef<str>]) -> TokenStream {
    let texts = texts.iter().map(|item| text(item.as_ref()));
    quote!(Many::Borrowed(&[#(#texts),*]))
}

/// A variant of an enumeration by its own name.
fn variant(value: &impl std::fmt::Debug) -> Ident {
    format_ident!("{}", format!("{value:?}"))
}

fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}
