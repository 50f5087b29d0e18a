//! Where the environment has moved a file of the person's.

use std::path::{Path, PathBuf};

use super::home;
use crate::call::Call;
use crate::home::of_environment;
use crate::signature::function;
use crate::surroundings::variable;

/// Where a file of the person's is for a client that believes the environment, if that is another place than the home folder.
pub fn elsewhere(call: &Call<'_>, file: &str, folder_variable: &str) -> Vec<String> {
    let own = home(call);
    let inside = |folder: PathBuf| if file.is_empty() { folder } else { folder.join(file) };
    let moved = of_environment().filter(|folder| folder != Path::new(&own)).map(inside);
    let folder = variable(folder_variable).filter(|folder| !folder_variable.is_empty() && !folder.is_empty());
    let named = folder.and_then(|folder| Some(Path::new(&folder).join(Path::new(file).file_name()?)));
    moved.into_iter().chain(named).map(|path| path.to_string_lossy().into_owned()).collect()
}

function! {
    FUNCTION: elsewhere,
    name: "elsewhere",
    params: { file: Text, folder_variable: Text },
    result: List<Text>,
    powers: [Environment],
    doc: "Where the environment has moved a file of the person's, given by its path from the home folder: below the folder \
           that `HOME` names, and into the one that the variable names, if it is set; of an empty path, that folder itself. None \
           where nothing is moved. For \
           guards: a client goes by its environment, and what is guarded in one place is open in the other.",
    example: "size(elsewhere('.tool/config.toml', 'NO_SUCH_VARIABLE').filter(path, !path.endsWith('/.tool/config.toml'))) == 0",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::json::Json;

    #[test]
    fn a_folder_that_a_variable_names_holds_the_file_too() {
        let call = Call::new("test", Event::named("PreToolUse").expect("known"), &Json::Null);
        let path = variable("PATH").expect("set").into_string().expect("text");
        assert!(elsewhere(&call, ".tool/config.toml", "PATH").contains(&format!("{path}/config.toml")));
        for unset in ["", "NO_SUCH_VARIABLE"] {
            assert!(
                elsewhere(&call, ".tool/config.toml", unset).iter().all(|path| path.ends_with("/.tool/config.toml"))
            );
        }
    }
}
