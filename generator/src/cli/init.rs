//! `hookgen init`: a first catalog, small and whole, to be changed.

use std::fs;
use std::io::{ErrorKind, Write as _};

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json;

use super::args::InitArgs;
use super::console::{data, talk};
use super::{Finish, current_folder};
use crate::compile::compile;
use crate::template::Templates;
use crate::workspace::{CATALOG_FILE, Ignoring, SPECS, ignore_output};

/// Where GitHub looks for workflows.
const WORKFLOW: &str = ".github/workflows/hookgen.yml";

pub(super) fn run(args: &InitArgs) -> anyhow::Result<Finish> {
    let folder = current_folder()?;
    if let Some(name) = &args.name {
        first_catalog(name, &folder)?;
    }
    if args.ci {
        let text = Templates::load()?.render("workflow", &json!({ "version": env!("CARGO_PKG_VERSION") }))? + "\n";
        write(&folder.join(WORKFLOW), &text)?;
        data(WORKFLOW)?;
        talk("it runs on every push, and publishes a release for every tag `v…`");
    }
    Ok(Finish::Fine)
}

fn first_catalog(name: &str, folder: &Utf8Path) -> anyhow::Result<()> {
    let path = Utf8PathBuf::from(SPECS).join(format!("{name}.yaml"));
    let text = catalog(name, &path)?;
    let own = Utf8PathBuf::from(SPECS).join(name).join(CATALOG_FILE);
    if folder.join(&own).exists() {
        bail!("`{own}` is there already");
    }
    let new = !folder.join(SPECS).exists();
    write(&folder.join(&path), &text)?;
    data(&path)?;
    if let (ignored, Ignoring::Created | Ignoring::Updated) = ignore_output(folder, new)? {
        data(ignored)?;
    }
    talk("change it, then run `hookgen build`; `hookgen test` runs its cases, `hookgen ship` makes a plugin of it");
    Ok(())
}

/// The text of the catalog, which the name must not spoil.
fn catalog(name: &str, path: &Utf8Path) -> anyhow::Result<String> {
    let text = Templates::load()?.render("catalog", &json!({ "name": name }))? + "\n";
    if compile(path, text.clone().into_bytes()).catalog.is_none_or(|catalog| catalog.name != name) {
        bail!("`{name}` is no name for a catalog: take lower-case words and join them with hyphens");
    }
    Ok(text)
}

/// Writes a file that is not there yet.
pub(super) fn write(path: &Utf8Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create `{folder}`"))?;
    }
    let written = fs::File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!("`{path}` is there already"),
        written => written.with_context(|| format!("cannot write `{path}`")),
    }
}
