//! What cargo knows about the packages of a workspace: which of them end up in a binary, and where their sources are.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use camino::Utf8Path;
use serde::Deserialize;

/// A package, as `cargo metadata` describes it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) license: Option<String>,
    pub(super) license_file: Option<String>,
    pub(super) repository: Option<String>,
    /// Where it comes from; a package of the workspace comes from nowhere.
    pub(super) source: Option<String>,
    /// What cargo calls it in everything that it says.
    pub(super) id: String,
    manifest_path: String,
    targets: Vec<Target>,
}

impl Package {
    /// The folder of its sources.
    pub(super) fn folder(&self) -> &Utf8Path {
        let manifest = Utf8Path::new(&self.manifest_path);
        manifest.parent().unwrap_or(manifest)
    }

    /// A macro runs in the compiler, and is no part of what is compiled.
    fn is_macro(&self) -> bool {
        self.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro"))
    }
}

#[derive(Debug, Clone, Deserialize)]
struct Target {
    kind: Vec<String>,
}

/// The packages of a workspace and which of them needs which.
#[derive(Debug)]
pub(super) struct Packages {
    packages: BTreeMap<String, Package>,
    /// What is linked in, by the one that needs it.
    needs: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Need>,
}

#[derive(Deserialize)]
struct Need {
    pkg: String,
    dep_kinds: Vec<NeedKind>,
}

/// Nothing for what is linked in, else `build` or `dev`.
#[derive(Deserialize)]
struct NeedKind {
    kind: Option<String>,
}

impl Packages {
    /// From what `cargo metadata` prints.
    pub(super) fn read(json: &str) -> anyhow::Result<Self> {
        let Metadata { packages, resolve } =
            serde_json::from_str(json).context("cargo's metadata is not as expected")?;
        let linked = |node: Node| {
            let needs = node.deps.into_iter().filter(|need| need.dep_kinds.iter().any(|kind| kind.kind.is_none()));
            (node.id, needs.map(|need| need.pkg).collect())
        };
        Ok(Self {
            packages: packages.into_iter().map(|package| (package.id.clone(), package)).collect(),
            needs: resolve.nodes.into_iter().map(linked).collect(),
        })
    }

    /// Everything that may be linked into the binary of a package of the workspace, without that package, by name and
    /// version.
    pub(super) fn linked(&self, name: &str) -> Vec<&Package> {
        let root = self.packages.values().find(|package| package.source.is_none() && package.name == name);
        let mut seen = BTreeSet::new();
        let mut open: Vec<&str> = root.iter().map(|root| root.id.as_str()).collect();
        while let Some(id) = open.pop() {
            let needs = self.needs.get(id).into_iter().flatten().map(String::as_str);
            open.extend(
                needs.filter(|need| !self.packages.get(*need).is_none_or(Package::is_macro) && seen.insert(*need)),
            );
        }
        let mut linked: Vec<_> = seen.into_iter().filter_map(|id| self.packages.get(id)).collect();
        linked.sort_by_key(|package| (&package.name, &package.version));
        linked
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;

    /// A package of that name in a folder, with what it needs as (name, kind).
    pub(in super::super) fn workspace(folder: &str) -> Packages {
        let package = |name: &str, kind: &str, source: Option<&str>| {
            json!({
                "id": name, "name": name, "version": "1.0.0", "license": "MIT", "license_file": null,
                "repository": null, "source": source, "manifest_path": format!("{folder}/{name}/Cargo.toml"),
                "targets": [{ "kind": [kind] }],
            })
        };
        let node = |id: &str, needs: &[(&str, Option<&str>)]| {
            let deps: Vec<_> =
                needs.iter().map(|(pkg, kind)| json!({ "pkg": pkg, "dep_kinds": [{ "kind": kind }] })).collect();
            json!({ "id": id, "deps": deps })
        };
        let metadata = json!({
            "packages": [
                package("demo-runtime", "bin", None), package("hookgen-runtime", "lib", None),
                package("text", "lib", Some("registry")), package("bytes", "lib", Some("registry")),
                package("derive", "proc-macro", Some("registry")), package("tokens", "lib", Some("registry")),
                package("tests", "lib", Some("registry")), package("compiles", "lib", Some("registry")),
            ],
            "resolve": { "nodes": [
                node("demo-runtime", &[("hookgen-runtime", None)]),
                node("hookgen-runtime", &[("text", None), ("derive", None), ("tests", Some("dev")), ("compiles", Some("build"))]),
                node("text", &[("bytes", None)]), node("bytes", &[]),
                node("derive", &[("tokens", None)]), node("tokens", &[]), node("tests", &[]), node("compiles", &[]),
            ] },
        });
        Packages::read(&metadata.to_string()).expect("metadata")
    }

    #[test]
    fn what_only_builds_or_tests_is_not_linked() {
        let packages = workspace("/x");
        let names: Vec<_> = packages.linked("demo-runtime").iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["bytes", "hookgen-runtime", "text"]);
        assert!(packages.linked("unknown").is_empty());
    }
}
