//! The way from a folder up to another one.

use crate::call::Call;
use crate::path;
use crate::signature::function;

/// The folder and those above it up to the top, nearest first; none if it does not lie in the top.
pub fn folders_up(call: &Call<'_>, folder: &str, top: &str) -> Vec<String> {
    if folder.is_empty() || top.is_empty() {
        return Vec::new();
    }
    let (folder, top) = (path::resolve(call.cwd(), folder), path::resolve(call.cwd(), top));
    if !path::is_within(&folder, &top) {
        return Vec::new();
    }
    let steps = folder.components().count() - top.components().count();
    folder.ancestors().take(steps + 1).map(path::text).collect()
}

function! {
    FUNCTION: folders_up,
    name: "foldersUp",
    params: { folder: Text, top: Text },
    result: List<Text>,
    powers: [Files],
    doc: "The folder, the one that holds it, and so on up to the top, nearest first: where a file's settings and tools may \
           be. None if the folder does not lie in the top. Links are followed; relative folders start at the working \
           directory.",
    example: "foldersUp('/no/such/folder', '/no') == ['/no/such/folder', '/no/such', '/no']",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::json::Json;

    #[test]
    fn the_way_ends_at_the_top() {
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        assert_eq!(folders_up(&call, "/no-such/b", "/no-such/b/"), ["/no-such/b"]);
        assert_eq!(folders_up(&call, "/no-such/b/../c", "/"), ["/no-such/c", "/no-such", "/"]);
        for (folder, top) in [("/no-such", "/no-such/b"), ("/no-such-b", "/no-such"), ("", "/"), ("/", "")] {
            assert!(folders_up(&call, folder, top).is_empty(), "{folder} {top}");
        }
    }
}
