//! The packages that a command installs.

use crate::shell::Command;
use crate::signature::{function, object};

/// A package as an install command names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    name: String,
    version: String,
    registry: &'static str,
}

impl Package {
    /// Its name, without version.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version that is asked for, as it is written; empty if none is.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Where it comes from: `npm`, `pypi`, `crates`, `rubygems`, `go`, `apt`, `brew`.
    pub fn registry(&self) -> &str {
        self.registry
    }
}

/// How a program is told to install: its name, its subcommands (none means that it always does), where it gets packages,
/// and what stands between name and version.
struct Installer {
    program: &'static str,
    subcommands: &'static [&'static str],
    registry: &'static str,
    separators: &'static [&'static str],
}

const fn installer(
    program: &'static str,
    subcommands: &'static [&'static str],
    registry: &'static str,
    separators: &'static [&'static str],
) -> Installer {
    Installer { program, subcommands, registry, separators }
}

const PYTHON: &[&str] = &["===", "==", ">=", "<=", "~=", "!=", ">", "<", "@"];

const INSTALLERS: &[Installer] = &[
    installer("npm", &["install", "i", "add", "in", "isntall"], "npm", &["@"]),
    installer("pnpm", &["add", "install", "i", "dlx"], "npm", &["@"]),
    installer("yarn", &["add", "dlx"], "npm", &["@"]),
    installer("bun", &["add", "install", "i", "x"], "npm", &["@"]),
    installer("npx", &[], "npm", &["@"]),
    installer("bunx", &[], "npm", &["@"]),
    installer("pip", &["install", "download"], "pypi", PYTHON),
    installer("pip3", &["install", "download"], "pypi", PYTHON),
    installer("pipx", &["install", "run"], "pypi", PYTHON),
    installer("uv", &["add"], "pypi", PYTHON),
    installer("uvx", &[], "pypi", PYTHON),
    installer("poetry", &["add"], "pypi", PYTHON),
    installer("cargo", &["add", "install"], "crates", &["@"]),
    installer("gem", &["install"], "rubygems", &[":"]),
    installer("go", &["get", "install"], "go", &["@"]),
    installer("apt", &["install"], "apt", &["="]),
    installer("apt-get", &["install"], "apt", &["="]),
    installer("brew", &["install"], "brew", &["@"]),
];

/// The packages that the command names.
pub fn packages(command: &Command) -> Vec<Package> {
    let of_pip = (command.name() == "uv" || command.name().starts_with("python")) && command.subcommand() == "pip";
    let name = if of_pip { "pip" } else { command.name() };
    let Some(installer) = INSTALLERS.iter().find(|installer| installer.program == name) else { return Vec::new() };
    let words = command.operands();
    let is_prefix = of_pip || name == "yarn" && words.first().is_some_and(|first| first == "global");
    let words = if is_prefix { words.get(1..).unwrap_or_default() } else { words };
    let named = match (installer.subcommands.is_empty(), words.split_first()) {
        (true, _) => words.get(..1).unwrap_or_default(),
        (false, Some((first, rest))) if installer.subcommands.contains(&first.as_str()) => {
            if matches!(first.as_str(), "dlx" | "x" | "run") { rest.get(..1).unwrap_or_default() } else { rest }
        }
        _ => return Vec::new(),
    };
    named.iter().filter(|word| !is_place(word)).map(|word| package(word, installer)).collect()
}

/// Folders, archives and addresses are no names.
fn is_place(word: &str) -> bool {
    word.starts_with(['.', '/', '~']) || word.contains("://") || [".whl", ".tgz"].iter().any(|end| word.ends_with(end))
}

fn package(word: &str, installer: &Installer) -> Package {
    // A scope begins with the sign that elsewhere comes before a version.
    let from = usize::from(word.starts_with('@'));
    let cut = installer
        .separators
        .iter()
        .filter_map(|separator| Some((word.get(from..)?.find(separator)? + from, *separator)))
        .min();
    let (name, version) = match cut {
        Some((at, separator))
            if separator == "@" || separator == "=" || separator == ":" || separator.starts_with("==") =>
        {
            (word.get(..at).unwrap_or_default(), word.get(at + separator.len()..).unwrap_or_default())
        }
        Some((at, _)) => (word.get(..at).unwrap_or_default(), word.get(at..).unwrap_or_default()),
        None => (word, ""),
    };
    // `name[extra]` is the package with more of itself.
    let name = name.split('[').next().unwrap_or_default().trim();
    Package { name: name.to_owned(), version: version.trim().to_owned(), registry: installer.registry }
}

object! {
    /// How expressions see a package.
    pub(super) PACKAGE: Package,
    doc: "A package that a command installs.",
    parts: {
        "name": name -> Text, "its name, without version";
        "version": version -> Text, "the version that is asked for, as it is written; empty if none is";
        "registry": registry -> Text, "where it comes from: `npm`, `pypi`, `crates`, `rubygems`, `go`, `apt`, `brew`";
    }
}

function! {
    FUNCTION: packages,
    name: "packages",
    receiver: Object<Command>,
    params: {},
    result: List<Object<Package>>,
    doc: "The packages that an install command of npm, pnpm, yarn, bun, pip, uv, cargo, gem, go, apt or brew names, with \
           `name`, `version` and `registry`. Folders, archives and addresses are none.",
    example: "'npm i -D @a/b@1.2 c'.commands()[0].packages().map(p, p.name + ' ' + p.version) == ['@a/b 1.2', 'c ']",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{World, analyse};

    #[test]
    fn every_installer_tells_its_packages() {
        for (line, expected) in [
            ("npm install --save-dev left-pad@1.0 ./local", "npm left-pad 1.0"),
            ("pnpm add @a/b", "npm @a/b "),
            ("yarn add a@^2", "npm a ^2"),
            ("npx rimraf@5 x", "npm rimraf 5"),
            ("pip install 'requests[socks]==2.0' flask>=1", "pypi requests 2.0, pypi flask "),
            ("uv pip install a", "pypi a "),
            ("python3 -m pip install a==1", "pypi a 1"),
            ("yarn global add a", "npm a "),
            ("python3 -m pytest a", ""),
            ("uv add 'b~=1.4'", "pypi b ~=1.4"),
            ("cargo add serde@1", "crates serde 1"),
            ("gem install rails:7", "rubygems rails 7"),
            ("go get example.org/a@v1.2.3", "go example.org/a v1.2.3"),
            ("sudo apt-get install -y curl=7", "apt curl 7"),
            ("brew install node@20", "brew node 20"),
            ("npm run build", ""),
            ("pip list", ""),
        ] {
            let commands = analyse(line, World::default()).commands;
            let found: Vec<String> = commands
                .iter()
                .flat_map(packages)
                .map(|package| format!("{} {} {}", package.registry, package.name, package.version))
                .collect();
            assert_eq!(found.join(", "), expected, "{line}");
        }
    }
}
