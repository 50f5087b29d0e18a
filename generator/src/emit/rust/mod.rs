//! The runtime crate: constant tables, facts and one module per hook, thin over the runtime library.
//!
//! A reviewer holds a hook's module beside its YAML: the same order, the same names, each condition quoted above the
//! Rust that it became.

mod code;
mod expression;
mod format;
mod hook;
mod imports;
mod layout;
mod names;
mod shared;
mod tables;
mod types;
mod used;

use hookgen_runtime::CLAUDE;
use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, Output, Target, banner};
use crate::bug::Bug;
use crate::lower::lower;
use crate::model;
use layout::{Crate, Settings};

/// Emits `runtime/`.
pub(super) struct Rust;

impl Emitter for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn emit(&self, catalog: &model::Catalog, target: &Target) -> Result<Vec<Output>, Bug> {
        let representation = lower(catalog)?;
        let settings = Settings {
            flags: catalog.flags.iter().map(|flag| flag.name.clone()).collect(),
            choices: catalog.choices.iter().map(|choice| choice.name.clone()).collect(),
            thresholds: catalog.thresholds.iter().map(|threshold| threshold.name.clone()).collect(),
        };
        let whole = Crate::new(&representation, &settings);
        let file = |path: &str, code: TokenStream| -> Result<Output, Bug> {
            let code = format::format(&code.to_string())?;
            Ok(Output::new(format!("runtime/src/{path}"), format!("// {}\n\n{code}", banner(&catalog.source))))
        };
        let mut outputs = vec![
            Output::new("runtime/Cargo.toml", manifest(catalog, target)),
            Output::new("runtime/src/main.rs", main(catalog)),
            file("catalog.rs", tables::tables(&whole)?)?,
            file("facts.rs", shared::facts(&whole)?)?,
            file("documents.rs", shared::documents(&whole)?)?,
            file("messages.rs", shared::messages(&whole)?)?,
            file("hooks/mod.rs", hook_list(&whole))?,
        ];
        for (place, module) in whole.names.hooks.iter().enumerate() {
            outputs.push(file(&format!("hooks/{module}.rs"), hook::hook(&whole, place)?)?);
        }
        Ok(outputs)
    }
}

fn manifest(catalog: &model::Catalog, target: &Target) -> String {
    let model::Catalog { name, version, binary, source, .. } = catalog;
    // What JSON takes for text, TOML does too.
    let path = serde_json::Value::from(target.runtime_path.as_str());
    format!(
        "# {}\n\n[package]\nname = \"{name}-runtime\"\nversion = \"{version}\"\nedition = \"2024\"\npublish = false\n\n\
         [[bin]]\nname = \"{binary}\"\npath = \"src/main.rs\"\n\n\
         # Where `hookgen ship` has the library when it compiles this crate.\n\
         [dependencies]\nhookgen-runtime = {{ path = {path} }}\n",
        banner(source)
    )
}

fn main(catalog: &model::Catalog) -> String {
    let model::Catalog { name, version, binary, source, .. } = catalog;
    let serve = serve(catalog);
    format!(
        "// {}\n\n//! `{binary}`: the hooks of {name} {version}, one process per event.\n\n\
         #![allow(clippy::style, clippy::complexity, clippy::perf, reason = \"expressions are printed as they were written\")]\n\n\
         #[rustfmt::skip]\nmod catalog;\n#[rustfmt::skip]\nmod documents;\n#[rustfmt::skip]\nmod facts;\n#[rustfmt::skip]\nmod hooks;\n#[rustfmt::skip]\nmod messages;\n\n\
         fn main() -> std::process::ExitCode {{\n    \
         {serve}\n}}\n",
        banner(source)
    )
}

/// The whole of `main`. Only the clients that the catalog is for are named, so that no other is linked.
fn serve(catalog: &model::Catalog) -> String {
    if catalog.agents.iter().all(|client| client.name == CLAUDE.name) {
        return "hookgen_runtime::serve(&catalog::CATALOG, facts::start)".to_owned();
    }
    let clients = catalog.agents.iter().map(|client| format!("&client::{}::CLIENT", client.name.replace('-', "_")));
    format!(
        "use hookgen_runtime::{{Client, client}};\n    #[rustfmt::skip]\n    static CLIENTS: &[&Client] = &[{}];\n    \
         hookgen_runtime::serve_clients(&catalog::CATALOG, CLIENTS, facts::start)",
        clients.collect::<Vec<_>>().join(", ")
    )
}

fn hook_list(whole: &Crate<'_>) -> TokenStream {
    let modules = &whole.names.hooks;
    quote! {
        //! The hooks, one module each, in catalog order.
        #(pub(crate) mod #modules;)*
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::fixture;

    #[test]
    fn every_file_of_the_crate_is_rust() {
        let target = Target { runtime_path: "../../../runtime".to_owned() };
        let outputs = Rust.emit(&fixture::full(), &target).expect("no bug");
        for output in outputs.iter().filter(|output| output.path.extension() == Some("rs")) {
            assert!(syn::parse_file(&output.text).is_ok(), "{}", output.path);
            assert!(output.text.starts_with("// @generated"), "{}", output.path);
        }
    }

    #[test]
    fn the_manifest_names_the_library_where_it_is() {
        let target = Target { runtime_path: "../x/y".to_owned() };
        let manifest = manifest(&fixture::full(), &target);
        assert!(manifest.ends_with("\nhookgen-runtime = { path = \"../x/y\" }\n"), "{manifest}");
    }

    #[test]
    fn a_path_stays_inside_its_quotes() {
        let target = Target { runtime_path: "a\"b\n[evil]\\".to_owned() };
        let manifest = manifest(&fixture::full(), &target);
        assert!(manifest.contains(r#"path = "a\"b\n[evil]\\" }"#), "{manifest}");
    }
}
