//! Redirections: what a command reads and writes, and where its standard input and output lead.

use std::rc::Rc;
use std::sync::Arc;

use super::field::Field;
use super::path;
use super::redirection::Redirection;
use super::syntax::{List, Redirect, RedirectKind};
use super::walk::{Feed, Output, Walker};

/// Redirections after expansion.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) reads: Vec<Field>,
    pub(super) writes: Vec<Field>,
    /// Which of these leave what is in the file.
    pub(super) added: Vec<usize>,
    /// Standard input, if it is redirected.
    pub(super) feed: Option<Feed>,
    /// Standard output goes elsewhere.
    pub(super) diverted: bool,
    /// Nothing of it comes back.
    pub(super) silent: bool,
    /// Lists in `>(…)` by the descriptor that leads to them.
    pub(super) opened: Vec<(i32, Rc<List>)>,
    /// Files by the descriptor that leads to them.
    pub(super) files: Vec<(i32, Field)>,
    pub(super) redirects: Vec<Redirection>,
}

impl Walker<'_> {
    /// Expands redirections.
    pub(super) fn flow(&mut self, redirects: &[Redirect]) -> Flow {
        let mut flow = Flow::default();
        for redirect in redirects {
            let outlets = self.outlets.len();
            let target = match &redirect.here {
                Some(body) => self.whole(&body.borrow().clone()),
                None => self.whole(&redirect.target),
            };
            flow.redirects.push(Redirection::new(redirect, target.shown()));
            if let (Some(number), true) = (redirect.descriptor, redirect.kind.opens()) {
                flow.files.push((number, target.clone()));
            }
            match redirect.kind {
                RedirectKind::Read | RedirectKind::ReadWrite => self.read_from(&mut flow, redirect, target),
                RedirectKind::HereDocument => self.read_text(&mut flow, redirect, target),
                RedirectKind::HereString => {
                    let line = Field { text: format!("{}\n", target.text), ..target };
                    self.read_text(&mut flow, redirect, line);
                }
                RedirectKind::Write | RedirectKind::Append | RedirectKind::Both => {
                    if redirect.is_output() {
                        flow.diverted = true;
                        flow.silent = self.outlets.len() == outlets && is_file(&target);
                    }
                    flow.write(target, redirect.kind == RedirectKind::Append);
                    if let (Some(number), Some(list)) = (redirect.descriptor, self.outlets.get(outlets)) {
                        flow.opened.push((number, Rc::clone(list)));
                    }
                }
                RedirectKind::Duplicate => self.duplicate(&mut flow, redirect, target),
                RedirectKind::DuplicateInput => self.duplicate_input(&mut flow, redirect, &target),
            }
        }
        flow
    }

    fn read_from(&mut self, flow: &mut Flow, redirect: &Redirect, target: Field) {
        let written = self.written(&target).cloned();
        self.await_file(&target);
        if redirect.is_input() {
            // What arrives there was sent by another machine.
            let is_socket = ["/dev/tcp/", "/dev/udp/"].iter().any(|folder| target.text.starts_with(folder));
            let from = if is_socket { vec!["socket".to_owned()] } else { target.origins.clone() };
            let unknown = || Feed { input: None, from: Arc::new(from) };
            flow.feed = Some(written.unwrap_or_else(unknown));
        } else if let Some(text) = written.and_then(|written| written.input) {
            self.descriptors.insert(redirect.descriptor.unwrap_or_default(), text);
        }
        if redirect.kind == RedirectKind::ReadWrite {
            flow.diverted |= redirect.descriptor == Some(1);
            flow.write(target.clone(), true);
        }
        flow.reads.push(target);
    }

    fn read_text(&mut self, flow: &mut Flow, redirect: &Redirect, text: Field) {
        if redirect.is_input() {
            flow.feed = Some(Feed { input: Some(text.text), from: Arc::new(text.origins) });
        } else {
            self.descriptors.insert(redirect.descriptor.unwrap_or_default(), text.text);
        }
    }

    fn duplicate(&mut self, flow: &mut Flow, redirect: &Redirect, target: Field) {
        if redirect.is_output() {
            flow.diverted = true;
            // Whatever the other descriptor is may lead back.
            flow.silent = false;
        }
        let number = number_of(&target);
        self.outlets.extend(number.and_then(|number| self.opened.get(&number)).cloned());
        if let Some(file) = number.and_then(|number| self.kept.get(&number)) {
            flow.write(file.clone(), true);
        } else if !is_descriptor(&target.text) {
            flow.write(target, false);
        }
    }

    /// `<&3`: what can be read there is read here.
    fn duplicate_input(&mut self, flow: &mut Flow, redirect: &Redirect, target: &Field) {
        let Some(number) = number_of(target) else { return };
        if let Some(text) = self.descriptors.get(&number).cloned() {
            self.read_text(flow, redirect, Field::known(text));
        } else if let Some(file) = self.kept.get(&number).cloned() {
            self.read_from(flow, redirect, file);
        }
    }
}

/// The descriptor that a word names; those with a name are one.
fn number_of(target: &Field) -> Option<i32> {
    if target.is_resolved() { target.text.trim_end_matches('-').parse().ok() } else { Some(-1) }
}

impl Redirect {
    fn is_input(&self) -> bool {
        matches!(self.descriptor, None | Some(0))
    }

    fn is_output(&self) -> bool {
        matches!(self.descriptor, None | Some(1))
    }
}

impl Flow {
    fn write(&mut self, target: Field, added: bool) {
        if added {
            self.added.push(self.writes.len());
        }
        self.writes.push(target);
    }

    /// What of a command's output goes where the output around it goes.
    pub(super) fn remaining(&self, output: Output) -> Output {
        match (self.diverted, self.silent) {
            (false, _) => output,
            (true, true) => Some(String::new()),
            (true, false) => None,
        }
    }
}

/// Whether what is written there stays there: some devices lead back to standard output.
fn is_file(target: &Field) -> bool {
    let leads_back = |path: &str| path::is_device(path) && path != "/dev/null" || path.starts_with("/proc/");
    target.is_known() && !leads_back(&target.text)
}

/// `2`, `-` and `2-` name descriptors; anything else after `>&` is a file.
fn is_descriptor(text: &str) -> bool {
    let digits = text.strip_suffix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}
