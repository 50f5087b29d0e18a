//! Git: aliases given on the line, settings that hold commands, and subcommands that run one.

use super::field::Field;
use super::tables::usage::skip_to as skip;
use super::walk::{Output, Walker};

const LONGS: &[&str] = &["git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env", "attr-source"];

/// Settings whose value is run.
const RUNNING: &[&str] = &[
    "core.sshcommand",
    "core.editor",
    "core.pager",
    "core.fsmonitor",
    "sequence.editor",
    "diff.external",
    "credential.helper",
    "gpg.program",
    "interactive.difffilter",
    "uploadpack.packobjectshook",
];

impl Walker<'_> {
    pub(super) fn git(&mut self, args: &[Field]) -> Output {
        let from = skip(args, "Cc", LONGS);
        let (own, rest) = args.split_at(from.min(args.len()));
        let mut aliases = Vec::new();
        for (nth, arg) in own.iter().enumerate() {
            let setting = match arg.text.strip_prefix("-c") {
                Some("") => own.get(nth + 1).map(|next| next.text.clone()),
                Some(attached) => Some(attached.to_owned()),
                None => None,
            };
            if let Some((key, value)) = setting.as_deref().and_then(|setting| setting.split_once('=')) {
                match key.strip_prefix("alias.") {
                    Some(alias) => aliases.push((alias.to_owned(), value.to_owned())),
                    None => self.setting(key, value),
                }
            }
        }
        let (subcommand, rest) = rest.split_first()?;
        if let Some((_, value)) = aliases.iter().rev().find(|(alias, _)| *alias == subcommand.text) {
            self.alias(value, rest);
            return None;
        }
        match (subcommand.text.as_str(), rest) {
            ("config", _) => {
                let is_operand = |arg: &&Field| !arg.text.starts_with('-') && arg.text != "set";
                let operands: Vec<&Field> = rest.iter().filter(is_operand).collect();
                if let [key, value] = operands.as_slice() {
                    match key.text.strip_prefix("alias.") {
                        Some(_) => self.alias(&value.text.clone(), &[]),
                        None => self.setting(&key.text.clone(), &value.text.clone()),
                    }
                }
            }
            ("bisect", [run, inner @ ..]) if run.text == "run" => drop(self.inner_command("git bisect run", inner)),
            ("submodule", [foreach, inner @ ..]) if foreach.text == "foreach" => {
                let words: Vec<&str> =
                    inner.iter().map(|field| field.text.as_str()).filter(|text| *text != "--recursive").collect();
                self.inner_script("git submodule foreach", &words.join(" "));
            }
            ("fetch" | "ls-remote" | "clone" | "pull" | "push" | "fetch-pack" | "send-pack" | "archive", _) => {
                let letters = if subcommand.text == "clone" { "u" } else { "" };
                for code in super::programs::option_values(rest, letters, &["upload-pack", "receive-pack", "exec"]) {
                    self.inner_script("git", code);
                }
            }
            ("daemon" | "send-email" | "svn" | "instaweb", _) => {
                let longs =
                    ["access-hook", "to-cmd", "cc-cmd", "header-cmd", "sendmail-cmd", "authors-prog", "browser"];
                for code in super::programs::option_values(rest, "", &longs) {
                    self.inner_script("git", code);
                }
            }
            ("grep", _) => {
                let pagers = rest.iter().filter_map(|arg| {
                    arg.text.strip_prefix("-O").or_else(|| arg.text.strip_prefix("--open-files-in-pager="))
                });
                let pagers: Vec<String> = pagers.filter(|pager| !pager.is_empty()).map(str::to_owned).collect();
                for pager in &pagers {
                    self.inner_script("git", pager);
                }
            }
            ("rebase" | "filter-branch" | "difftool", _) => {
                let longs =
                    ["exec", "extcmd", "tree-filter", "index-filter", "msg-filter", "env-filter", "commit-filter"];
                for code in super::programs::option_values(rest, "x", &longs) {
                    self.inner_script("git", code);
                }
            }
            _ => {}
        }
        None
    }

    fn alias(&mut self, value: &str, rest: &[Field]) {
        if let Some(code) = value.strip_prefix('!') {
            let rest: Vec<&str> = rest.iter().map(|field| field.text.as_str()).collect();
            self.inner_script("git alias", &format!("{code} {}", rest.join(" ")));
        } else {
            let words = std::iter::once("git").chain(value.split_ascii_whitespace()).map(Field::known);
            let fields: Vec<Field> = words.chain(rest.iter().cloned()).collect();
            self.inner_command("git alias", &fields);
        }
    }

    fn setting(&mut self, key: &str, value: &str) {
        let key = key.to_ascii_lowercase();
        let of_kind = |start: &str, ends: &[&str]| key.starts_with(start) && ends.iter().any(|end| key.ends_with(end));
        let runs = of_kind("filter.", &[".clean", ".smudge", ".process"])
            || of_kind("diff.", &[".textconv", ".command"])
            || of_kind("merge.", &[".driver"])
            || of_kind("mergetool.", &[".cmd"])
            || of_kind("difftool.", &[".cmd"])
            || of_kind("man.", &[".cmd"])
            || of_kind("browser.", &[".cmd"])
            || of_kind("trailer.", &[".command", ".cmd"])
            || of_kind("gpg.", &[".program"])
            || of_kind("credential.", &[".helper"])
            || key.starts_with("pager.");
        if runs || RUNNING.contains(&key.as_str()) {
            self.inner_script("git", value.trim_start_matches('!'));
        }
    }
}
