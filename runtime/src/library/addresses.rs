//! Addresses among the words of a command.

use crate::shell::Command;
use crate::signature::function;

/// The words, and the values glued to options, that are addresses with a scheme.
pub fn urls(command: &Command) -> Vec<String> {
    let words = command.args().iter().map(|word| match word.split_once('=') {
        Some((option, value)) if option.starts_with('-') => value,
        _ => word.as_str(),
    });
    words.filter(|word| scheme(word).is_some()).map(str::to_owned).collect()
}

/// The machines that those addresses, and words such as `user@host:path`, name.
pub fn hosts(command: &Command) -> Vec<String> {
    let mut hosts: Vec<String> = Vec::new();
    let own = Some(command.host()).filter(|host| !host.is_empty()).map(|host| after_user(host).to_owned());
    let of_urls = urls(command).into_iter().filter_map(|url| host_of(&url));
    let copies = COPYING.contains(&command.name());
    let of_words =
        command.operands().iter().filter(|word| scheme(word).is_none()).filter_map(|word| host_of_copy(word, copies));
    let first = command.operands().first().filter(|_| CONNECTING.contains(&command.name()));
    let first = first.filter(|word| scheme(word).is_none()).map(|word| after_user(word).to_ascii_lowercase());
    for host in own.into_iter().chain(of_urls).chain(of_words).chain(first) {
        if !host.is_empty() && !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    hosts
}

/// Programs whose first operand is the machine that they connect to.
const CONNECTING: &[&str] = &["ssh", "mosh", "rsh", "telnet", "ping", "nc", "ncat", "netcat"];

/// Programs that copy from and to `host:path`.
const COPYING: &[&str] = &["scp", "rsync", "sftp"];

fn scheme(word: &str) -> Option<&str> {
    let (scheme, _) = word.split_once("://")?;
    (!scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte)))
        .then_some(scheme)
}

fn host_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = after_user(authority);
    // An address in brackets holds colons.
    let host = if host.starts_with('[') { host.split_inclusive(']').next()? } else { host.split(':').next()? };
    Some(host.to_ascii_lowercase())
}

/// `user@host:path`, as scp, rsync and git have it.
fn host_of_copy(word: &str, copies: bool) -> Option<String> {
    let (before, _) = word.split_once(':')?;
    let host = after_user(before);
    let named = copies || before.contains('@') || host.contains('.');
    (named && !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte)))
        .then(|| host.to_ascii_lowercase())
}

fn after_user(authority: &str) -> &str {
    authority.rsplit('@').next().unwrap_or_default()
}

function! {
    URLS: urls,
    name: "urls",
    receiver: Object<Command>,
    params: {},
    result: List<Text>,
    doc: "The addresses with a scheme among the words of the command.",
    example: "'curl -fsS --url=https://a.example/x http://b.example'.commands()[0].urls() == ['https://a.example/x', 'http://b.example']",
}

function! {
    HOSTS: hosts,
    name: "hosts",
    receiver: Object<Command>,
    params: {},
    result: List<Text>,
    doc: "The machines that the command names: in addresses, and in words such as `user@host:path`; in lower case, each once.",
    example: "'scp me@A.example:x . && curl https://u:p@b.example:8/x'.commands().map(c, c.hosts().join(' ')) == ['a.example', 'b.example']",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{World, analyse};

    #[test]
    fn the_machine_is_found_where_the_program_has_it() {
        for (line, expected) in [
            ("ssh -p 22 me@H ls", "h"),
            ("rsync -a a h:b", "h"),
            ("scp h:a .", "h"),
            ("nc -z h.example 80", "h.example"),
            ("curl https://x.example/a", "x.example"),
            ("docker run -v a:b c", ""),
            ("ls a:b", ""),
        ] {
            let commands = analyse(line, World::default()).commands;
            assert_eq!(commands.first().map(hosts).unwrap_or_default().join(" "), expected, "{line}");
        }
    }
}
