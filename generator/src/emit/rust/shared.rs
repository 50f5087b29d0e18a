//! What hooks share: facts, documents and messages, each worked out only when asked for.

use std::cell::RefCell;
use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use hookgen_runtime::representation::{Definition, Text, Type};

use super::expression::{Writer, pattern_name, string};
use super::imports::{imports, mentions};
use super::layout::{Crate, documentation};
use super::types::{kept, lent};
use crate::bug::Bug;
use crate::emit::visible;

type Patterns = RefCell<BTreeSet<usize>>;

/// `facts.rs`: the type that holds them, and how the engine reaches the catalog's settings and hooks.
pub(super) fn facts(whole: &Crate<'_>) -> Result<TokenStream, Bug> {
    let patterns = Patterns::default();
    let representation = whole.representation;
    let used: Vec<(&Definition, &Ident)> = representation
        .facts
        .iter()
        .zip(&whole.names.facts)
        .enumerate()
        .filter(|(place, _)| whole.used.facts.contains(place))
        .map(|(_, used)| used)
        .collect();
    let names: Vec<&Ident> = used.iter().map(|(_, name)| *name).collect();
    let cells: Vec<TokenStream> = used
        .iter()
        .map(|(fact, name)| {
            let ty = kept(&fact.text.value.ty);
            quote!(#name: OnceCell<#ty>)
        })
        .collect();
    let methods: Vec<TokenStream> = used
        .iter()
        .map(|(fact, name)| {
            let writer = Writer::new(whole, None, quote!(self), quote!(self), &["self"], &patterns);
            definition(fact, name, &writer, "Fact")
        })
        .collect::<Result<_, Bug>>()?;
    let config = config(whole, &patterns)?;
    let program = program(whole, &patterns)?;
    let constants = pattern_constants(whole, &patterns)?;
    let body = quote! {
        /// The facts of one call.
        pub(crate) struct Facts<'c> { ground: Ground<'c>, config: OnceCell<Config>, #(#cells),* }

        /// The program for a call.
        pub(crate) fn start<'c>(call: &'c Call<'c>) -> Box<dyn Program + 'c> {
            Box::new(Facts { ground: Ground::new(call), config: OnceCell::new(), #(#names: OnceCell::new()),* })
        }

        impl<'c> Deref for Facts<'c> {
            type Target = Ground<'c>;

            fn deref(&self) -> &Ground<'c> { &self.ground }
        }

        impl<'c> Facts<'c> {
            #config

            #(#methods)*
        }

        #program

        #constants
    };
    let imports = imports(&body, &["Facts"])?;
    Ok(quote! {
        //! What the hooks share: facts, worked out at most once and only when asked for.
        #imports
        #body
    })
}

/// A definition: worked out at most once, handed out as often as it is asked for.
pub(super) fn definition(
    definition: &Definition,
    name: &Ident,
    writer: &Writer<'_>,
    kind: &str,
) -> Result<TokenStream, Bug> {
    let value = writer.text_kept(&definition.text)?;
    let ty = &definition.text.value.ty;
    let doc =
        documentation(&format!("{kind} `{}`:\n\n```cel\n{}\n```", definition.name, definition.text.source.trim()));
    let lent = lent(ty);
    let body = match ty {
        Type::Text | Type::List(_) => quote!(Ok(operators::once(&self.#name, || #value)?)),
        ty if ty.is_plain() => quote!(operators::once(&self.#name, || #value).copied()),
        _ => quote!(operators::once(&self.#name, || #value)),
    };
    Ok(quote!(#doc pub(crate) fn #name(&self) -> Attempt<#lent> { #body }))
}

/// Where operators' settings are. A path that cannot be worked out is as good as a missing file.
fn config(whole: &Crate<'_>, patterns: &Patterns) -> Result<TokenStream, Bug> {
    let Some(file) = &whole.representation.config_file else {
        return Ok(quote! {
            /// Operators' settings: there is no file for them.
            pub(crate) fn config(&self) -> &Config { self.config.get_or_init(|| Config::defaults(&CATALOG)) }
        });
    };
    let writer = Writer::new(whole, None, quote!(self), quote!(self), &["self"], patterns);
    let path = writer.text_value(file)?;
    let doc = documentation(&format!("The config file, at `{}`.", visible::line(&file.source)));
    Ok(quote! {
        /// Operators' settings.
        pub(crate) fn config(&self) -> &Config {
            self.config.get_or_init(|| match self.config_file() {
                Ok(file) => Config::from_file(&CATALOG, self.call().project_path(&file)),
                Err(_) => Config::defaults(&CATALOG),
            })
        }

        #doc
        fn config_file(&self) -> Attempt<Text<'_>> { Ok(#path) }
    })
}

fn program(whole: &Crate<'_>, patterns: &Patterns) -> Result<TokenStream, Bug> {
    let dev_mode = match &whole.representation.dev_mode_file {
        Some(file) => {
            let writer = Writer::new(whole, None, quote!(self), quote!(self), &["self"], patterns);
            let file = writer.text_reference(file)?;
            quote!(Ok(library::file_exists(self.call(), #file)))
        }
        None => quote!(Ok(false)),
    };
    let arms = whole
        .names
        .hooks
        .iter()
        .enumerate()
        .map(|(place, module)| quote!(#place => hooks::#module::run(self, verdict),));
    Ok(quote! {
        impl Program for Facts<'_> {
            fn config(&self) -> &Config { Facts::config(self) }

            fn dev_mode(&self) -> Attempt<bool> { #dev_mode }

            fn run(&self, hook: usize, verdict: &mut Verdict) -> Attempt<()> {
                match hook { #(#arms)* _ => Ok(()) }
            }
        }
    })
}

/// `documents.rs`: where each of them is.
pub(super) fn documents(whole: &Crate<'_>) -> Result<TokenStream, Bug> {
    let patterns = Patterns::default();
    let functions: Vec<TokenStream> = whole
        .representation
        .documents
        .iter()
        .zip(&whole.names.documents)
        .enumerate()
        .filter(|(place, _)| whole.used.documents.contains(place))
        .map(|(place, (document, name))| {
            let writer = Writer::new(whole, document.owner, quote!(facts), quote!(facts), &["facts"], &patterns);
            let path = writer.text_value(&document.path)?;
            let doc = documentation(&format!(
                "Document `{}`, at `{}`.",
                document.spec.name,
                visible::line(&document.path.source)
            ));
            Ok(quote! {
                #doc
                pub(crate) fn #name<'c>(facts: &Facts<'c>) -> Attempt<&'c Document> {
                    facts.call().document(#place, &DOCUMENTS[#place], || Ok(#path))
                }
            })
        })
        .collect::<Result<_, Bug>>()?;
    let constants = pattern_constants(whole, &patterns)?;
    let body = quote!(#(#functions)* #constants);
    let imports = imports(&body, &[])?;
    Ok(quote! {
        //! The documents, each opened at most once and only when something in it is asked for.
        #imports
        #body
    })
}

/// `messages.rs`: texts that several checks share.
pub(super) fn messages(whole: &Crate<'_>) -> Result<TokenStream, Bug> {
    let patterns = Patterns::default();
    let functions: Vec<TokenStream> = whole
        .representation
        .messages
        .iter()
        .zip(&whole.names.messages)
        .enumerate()
        .filter(|(place, _)| whole.used.messages.contains(place))
        .map(|(_, (message, name))| {
            let writer = Writer::new(whole, None, quote!(facts), quote!(facts), &["facts"], &patterns);
            let text: &Text = &message.text;
            let value = writer.text_kept(text)?;
            let doc = documentation(&format!("Message `{}`.", message.name));
            let facts = if mentions(&value, "facts") { quote!(facts) } else { quote!(_facts) };
            Ok(quote!(#doc pub(crate) fn #name(#facts: &Facts<'_>) -> Attempt<String> { #value }))
        })
        .collect::<Result<_, Bug>>()?;
    let constants = pattern_constants(whole, &patterns)?;
    let body = quote!(#(#functions)* #constants);
    let imports = imports(&body, &[])?;
    Ok(quote! {
        //! Texts that several checks share.
        #imports
        #body
    })
}

/// The regular expressions that a file refers to.
pub(super) fn pattern_constants(whole: &Crate<'_>, patterns: &Patterns) -> Result<TokenStream, Bug> {
    patterns
        .borrow()
        .iter()
        .map(|place| {
            let source = whole.representation.patterns.get(*place);
            let source = string(source.ok_or_else(|| Bug::new(format!("there is no pattern {place}")))?);
            let name = pattern_name(*place);
            Ok(quote!(static #name: Pattern = Pattern::new(#source);))
        })
        .collect()
}
