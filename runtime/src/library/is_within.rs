//! Whether a path lies in a folder, whichever way it is written.

use crate::call::Call;
use crate::path::{self, Places};
use crate::signature::function;

/// Whether the path is the folder or lies in it, links followed; relative ones start at the working directory.
pub fn is_within(call: &Call<'_>, path: &str, folder: &str) -> bool {
    is_within_from(call.places(), path, folder)
}

fn is_within_from(places: &Places, path: &str, folder: &str) -> bool {
    !path.is_empty() && !folder.is_empty() && path::is_within(&places.at(path), &places.at(folder))
}

function! {
    FUNCTION: is_within,
    name: "isWithin",
    receiver: Text,
    params: { folder: Text },
    result: Bool,
    powers: [Files],
    doc: "Whether the path is the folder or lies in it, with `..` and links followed. Relative paths start at the \
           working directory; an empty path or folder is never within.",
    example: "'src/a.rs'.isWithin('src') && !'src/../b.rs'.isWithin('src')",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_a_path_is_written_makes_no_difference() {
        let within =
            |path: &str, folder: &str| is_within_from(&Places::from("/no-such-root/project".into()), path, folder);
        assert!(within("src/a.rs", "src"));
        assert!(within("/no-such-root/project/src/a.rs", "./src/"));
        assert!(within("src", "src"));
        assert!(within("docs/../src/a.rs", "src"));
        assert!(!within("src/../docs/a.rs", "src"));
        assert!(!within("src2/a.rs", "src"));
        assert!(!within("", "src"));
        assert!(!within("src", ""));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_around_the_check() {
        let guard = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(guard.path().join("secret")).expect("created");
        std::os::unix::fs::symlink("secret", guard.path().join("public")).expect("linked");
        let places = Places::from(guard.path().to_path_buf());
        assert!(is_within_from(&places, "public/key", "secret"));
        assert!(!is_within_from(&places, "other/key", "secret"));
    }
}
