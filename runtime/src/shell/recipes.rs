//! Files of commands that others run: makefiles, scripts of packages, crontabs, units of systemd.

use super::field::{Field, shown};
use super::programs::option_values;
use super::shells::is_input;
use super::walk::{Feed, Walker};
use crate::json::Json;

/// Files of recipes that are taken where none is named.
const MAKEFILES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];
const JUSTFILES: &[&str] = &["justfile", "Justfile", ".justfile"];

impl Walker<'_> {
    /// The recipes of a makefile or justfile that the line has written, or that arrives.
    pub(super) fn recipes(&mut self, name: &str, args: &[Field], index: usize) {
        if let Some(shell) = args.iter().find_map(|arg| arg.text.strip_prefix("SHELL=")) {
            self.inner_script(name, shell);
        }
        for text in option_values(args, "", &["eval"]) {
            self.recipes_in(name, text);
        }
        let mut files = option_values(args, "f", &["file", "makefile", "justfile"]);
        if files.is_empty() {
            files.extend(if name == "just" { JUSTFILES } else { MAKEFILES });
        }
        for file in files {
            let feed = self.file_or_input(file);
            self.takes_code(index, &feed);
            self.recipes_in(name, &feed.input.unwrap_or_default());
        }
    }

    fn recipes_in(&mut self, name: &str, text: &str) {
        for line in text.lines() {
            // `x := $(shell ls)` runs when the file is read.
            for code in line.split("$(shell ").skip(1) {
                self.inner_script(name, code.rsplit_once(')').map_or(code, |(code, _)| code));
            }
            let indented = line.strip_prefix('\t').or_else(|| line.strip_prefix(' ').filter(|_| name == "just"));
            let recipe = indented.or_else(|| line.split_once(';').map(|(_, recipe)| recipe));
            if let Some(recipe) = recipe {
                self.inner_script(name, recipe.trim_start().trim_start_matches(['@', '-', '+']));
            }
        }
    }

    /// What a file holds that the line has written, or what arrives, and whose it is.
    pub(super) fn file_or_input(&self, file: &str) -> Feed {
        if is_input(file) {
            return self.feed.clone();
        }
        self.written(&Field::known(file)).cloned().unwrap_or_default()
    }

    /// The scripts of a package that the line has written: texts in one of its records.
    pub(super) fn package_scripts(&mut self, name: &str, file: &str, key: &str) {
        let package = self.written(&Field::known(file)).and_then(|feed| feed.input.as_deref());
        let Some(package) = package.and_then(|text| Json::parse(&shown(text)).ok()) else { return };
        if let Some(Json::Object(scripts)) = package.get(key) {
            for (_, script) in scripts.iter() {
                if let Json::Text(code) = script {
                    self.inner_script(name, code);
                }
            }
        }
    }

    /// The lines of a crontab, each after the time at which it runs.
    pub(super) fn crontab(&mut self, name: &str, args: &[Field], index: usize) {
        if args.iter().any(|arg| matches!(arg.text.as_str(), "-l" | "-r" | "-e")) {
            return;
        }
        let file = args.iter().rfind(|arg| arg.text == "-" || !arg.text.starts_with('-'));
        let file = file.map_or("-", |file| file.text.as_str());
        let feed = self.file_or_input(file);
        self.takes_code(index, &feed);
        for line in feed.input.unwrap_or_default().lines() {
            self.inner_script(name, after_time(line, 5));
        }
    }
}

/// The command of a line of a crontab, which stands behind the time and perhaps more fields.
fn after_time(line: &str, fields: usize) -> &str {
    let line = line.trim();
    let fields = if line.starts_with('@') { fields - 4 } else { fields };
    line.splitn(fields + 1, |c: char| c.is_ascii_whitespace()).nth(fields).unwrap_or_default()
}

/// What of the file is run by others, sooner or later: hooks of git, what shells read when they start, jobs and services.
pub(super) fn run_by_itself(path: &str, text: &str) -> Vec<String> {
    const STARTING: &[&str] = &[
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".envrc",
        "config.fish",
        "rc.local",
    ];
    const FOLDERS: &[&str] = &[".git/hooks", "/.husky", "/etc/profile.d", "/etc/cron.hourly", "/etc/cron.daily"];
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if path == "/etc/crontab" || folder == "/etc/cron.d" {
        // Between the time and the command stands the user.
        return text.lines().map(|line| after_time(line, 6).to_owned()).collect();
    }
    if folder.contains("/systemd/") {
        let started = text.lines().filter_map(|line| line.strip_prefix("Exec")?.split_once('='));
        return started.map(|(_, code)| code.trim_start_matches(['-', '+', '!', '@', ':']).to_owned()).collect();
    }
    let whole = STARTING.contains(&name)
        || path == "/etc/profile"
        || folder == ".husky"
        || FOLDERS.iter().any(|known| folder.ends_with(known));
    whole.then(|| text.to_owned()).into_iter().collect()
}
