//! Redirections: what a command reads and writes, and where its standard input and output lead.

use std::rc::Rc;
use std::sync::Arc;

use super::field::Field;
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
            let output = matches!(redirect.descriptor, None | Some(1));
            let fed = |input: Option<String>, from: Vec<String>| Some(Feed { input, from: Arc::new(from) });
            let standard = matches!(redirect.descriptor, None | Some(0));
            match redirect.kind {
                RedirectKind::Read | RedirectKind::ReadWrite => {
                    if standard {
                        let written = self.written(&target).cloned();
                        flow.feed = written.or_else(|| fed(None, target.origins.clone()));
                    }
                    if redirect.kind == RedirectKind::ReadWrite {
                        flow.diverted |= redirect.descriptor == Some(1);
                        flow.added.push(flow.writes.len());
                        flow.writes.push(target.clone());
                    }
                    flow.reads.push(target);
                }
                RedirectKind::HereDocument if standard => flow.feed = fed(Some(target.text), target.origins),
                RedirectKind::HereString if standard => flow.feed = fed(Some(target.text + "\n"), target.origins),
                RedirectKind::HereDocument | RedirectKind::HereString => {
                    self.descriptors.insert(redirect.descriptor.unwrap_or_default(), target.text);
                }
                RedirectKind::Write | RedirectKind::Append | RedirectKind::Both => {
                    flow.diverted |= output;
                    if output {
                        flow.silent = self.outlets.len() == outlets && is_file(&target);
                    }
                    if redirect.kind == RedirectKind::Append {
                        flow.added.push(flow.writes.len());
                    }
                    flow.writes.push(target);
                    if let (Some(number), Some(list)) = (redirect.descriptor, self.outlets.get(outlets)) {
                        flow.opened.push((number, Rc::clone(list)));
                    }
                }
                RedirectKind::Duplicate => {
                    flow.diverted |= output;
                    if output {
                        flow.silent = target.text == "2";
                    }
                    let number = if target.is_resolved() { target.text.parse().ok() } else { Some(-1) };
                    self.outlets.extend(number.and_then(|number| self.opened.get(&number)).cloned());
                    if !is_descriptor(&target.text) {
                        flow.writes.push(target);
                    }
                }
            }
        }
        flow
    }
}

impl Flow {
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
    let is_device = |path: &str| path.starts_with("/dev/") && path != "/dev/null" || path.starts_with("/proc/");
    target.is_known() && !is_device(&target.text)
}

/// `2`, `-` and `2-` name descriptors; anything else after `>&` is a file.
fn is_descriptor(text: &str) -> bool {
    let digits = text.strip_suffix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}
