//! `hookgen import`: a catalog made of the hooks that are there.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context as _, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::args::ImportArgs;
use super::console::{count, data, talk};
use super::init::write;
use super::test::standing;
use super::{Finish, current_folder};
use crate::cases::Outcome;
use crate::import::{Imported, Row, import};
use crate::parallel;
use crate::scratch;
use crate::workspace::{self, Ignoring, Loaded, SPECS, ignore_output};

pub(super) fn run(args: &ImportArgs) -> anyhow::Result<Finish> {
    let folder = current_folder()?;
    let files: Vec<Utf8PathBuf> = args.files.iter().map(|file| folder.join(file)).collect();
    let imported = import(&args.name, &files)?;
    let held = held(&imported, &args.name)?;
    let text = imported.settled(&|hook, case| held.contains(&(hook.to_owned(), case.to_owned())));
    let path = Utf8PathBuf::from(SPECS).join(format!("{}.yaml", args.name));
    let new = !folder.join(SPECS).exists();
    write(&folder.join(&path), &text)?;
    if let (ignored, Ignoring::Created | Ignoring::Updated) = ignore_output(&folder, new)? {
        talk(format!("`{ignored}` leaves out what is made"));
    }
    if args.json {
        data(serde_json::to_string_pretty(&imported.rows).context("cannot write the list as JSON")?)?;
    } else {
        data(&path)?;
        imported.rows.iter().try_for_each(|row| data(line(row)))?;
    }
    let of = |what: &str| imported.rows.iter().filter(|row| row.became == what).count();
    talk(format!(
        "{} became checks, {} left as they were, {} not taken over; look at them, then run `hookgen build` and `hookgen test`",
        count(of("checks"), "registration"),
        of("kept"),
        of("dropped")
    ));
    Ok(Finish::of(of("dropped") > 0))
}

fn line(row: &Row) -> String {
    let what = match row.became {
        "checks" => "checks".to_owned(),
        "kept" => format!("left as it is: {}", row.reason),
        _ => format!("not taken over: {}", row.reason),
    };
    format!("{:4} {:32} {what}", row.hook.as_deref().unwrap_or("–"), row.place)
}

/// The cases that hold, by hook and name: the catalog decides, not whoever thought of them.
fn held(imported: &Imported, name: &str) -> anyhow::Result<BTreeSet<(String, String)>> {
    let folder = scratch::folder_on_disk("import")?;
    let folder = Utf8Path::from_path(folder.path()).context("the folder for temporary files is not UTF-8")?;
    let spec = folder.join(SPECS).join(format!("{name}.yaml"));
    fs::create_dir_all(folder.join(SPECS)).with_context(|| format!("cannot create `{folder}`"))?;
    fs::write(&spec, imported.draft()).with_context(|| format!("cannot write `{spec}`"))?;
    let projects = workspace::find(folder, &[])?;
    let mut held = BTreeSet::new();
    for project in &projects {
        let loaded = Loaded::new(project);
        if loaded.has_errors() {
            bail!("`{name}` is no name for a catalog: take lower-case words and join them with hyphens");
        }
        let jobs = parallel::cores();
        let outcomes = standing(&loaded, &folder.join("plugins"), "", &|_| true, jobs)?;
        let passed = outcomes.into_iter().filter(Outcome::passed);
        held.extend(passed.map(|outcome| (outcome.hook, outcome.case)));
    }
    Ok(held)
}
