//! Paths as text: joined and normalised without a look at the disk, since guards judge lines before they run.

use crate::path::windows;

/// The path seen from a folder; empty stands for the folder where the line begins.
pub(super) fn join(folder: &str, path: &str) -> String {
    if let Some(path) = from_own_folder(path) {
        return join(folder, path);
    }
    if windows::is_absolute(path) || path.starts_with('~') || folder.is_empty() {
        normal(path)
    } else {
        normal(&format!("{folder}/{path}"))
    }
}

/// Whether the path leads to a device, which keeps nothing of what it is given. What lies in shared memory are files.
pub(super) fn is_device(path: &str) -> bool {
    path.starts_with("/dev/") && !path.starts_with("/dev/shm/")
}

/// What follows the link by which a process knows the folder that it runs in.
fn from_own_folder(path: &str) -> Option<&str> {
    let (process, rest) = path.strip_prefix("/proc/")?.split_once("/cwd")?;
    let own = matches!(process, "self" | "thread-self" | "$$" | "$BASHPID" | "$PPID");
    (own && (rest.is_empty() || rest.starts_with('/'))).then(|| rest.trim_start_matches('/'))
}

/// The path without `.`, `..` and doubled slashes, as far as they can be followed in the text.
pub(super) fn normal(path: &str) -> String {
    if let Some((letter, rest)) = windows::drive(path) {
        return format!("{}:{}", letter.to_ascii_uppercase(), normal(&windows::normal(rest)));
    }
    let root = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            // Every process has a link to the root there.
            "root" if root && matches!(parts.as_slice(), ["proc", _] | ["proc", _, "task", _]) => parts.clear(),
            ".." => match parts.last() {
                Some(&last) if last != ".." && !last.contains(['*', '?', '[', '$', '~', '`']) => drop(parts.pop()),
                None if root => {}
                _ => parts.push(part),
            },
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if root { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_path_is_one() {
        assert_eq!(normal("//etc/./x/../"), "/etc");
        assert_eq!(normal("/.."), "/");
        assert_eq!(normal("a/../.."), "..");
        assert_eq!(normal("$X/../a"), "$X/../a");
    }

    #[test]
    fn shared_memory_holds_files_and_no_devices() {
        assert!(is_device("/dev/sda") && is_device("/dev/shm") && !is_device("/dev/shm/a") && !is_device("/developer"));
    }

    #[test]
    fn a_drive_is_a_root() {
        assert_eq!(normal("c:/Windows/../../x"), "C:/x");
        assert_eq!(normal("C:/.."), "C:/");
        assert_eq!(join("C:/p", "a/../b"), "C:/p/b");
        assert_eq!(join("C:/p", "D:/x"), "D:/x");
    }

    #[test]
    fn links_of_the_process_itself_are_followed() {
        assert_eq!(normal("/proc/self/root/etc/x"), "/etc/x");
        assert_eq!(normal("/proc/$$/root/proc/1/task/1/root/etc"), "/etc");
        assert_eq!(join("/srv/a", "/proc/self/cwd/../b"), "/srv/b");
        assert_eq!(join("/srv/a", "/proc/self/cwd"), "/srv/a");
        assert_eq!(normal("/proc/self/rooted"), "/proc/self/rooted");
        assert_eq!(normal("proc/self/root/a"), "proc/self/root/a");
    }

    #[test]
    fn relative_paths_start_at_the_folder() {
        assert_eq!(join("/srv", "a/b"), "/srv/a/b");
        assert_eq!(join("/srv", "/b"), "/b");
        assert_eq!(join("", "a/"), "a");
        assert_eq!(join("x", ".."), "");
    }
}
