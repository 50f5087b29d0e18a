//! Paths as text: joined and normalised without a look at the disk, since guards judge lines before they run.

/// The path seen from a folder; empty stands for the folder where the line begins.
pub(super) fn join(folder: &str, path: &str) -> String {
    if path.starts_with('/') || path.starts_with('~') || folder.is_empty() {
        normal(path)
    } else {
        normal(&format!("{folder}/{path}"))
    }
}

/// The path without `.`, `..` and doubled slashes, as far as they can be followed in the text.
pub(super) fn normal(path: &str) -> String {
    let root = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
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
    fn relative_paths_start_at_the_folder() {
        assert_eq!(join("/srv", "a/b"), "/srv/a/b");
        assert_eq!(join("/srv", "/b"), "/b");
        assert_eq!(join("", "a/"), "a");
        assert_eq!(join("x", ".."), "");
    }
}
