//! `hookgen ship --target` and `--binaries`: one plugin for several kinds of machines, with programs that are built here or
//! were built elsewhere.

use anyhow::bail;
use camino::{Utf8Path, Utf8PathBuf};
use hookgen_runtime::representation::READS;

use super::args::ShipArgs;
use super::console::talk;
use super::progress::Progress;
use crate::catalog::Platform;
use crate::emit::OutputSet;
use crate::model::{Catalog, FailSafe};
use crate::place::Item;
use crate::ship::{self, Crate, ENGINE, Linking, Machine, Mark, Program, Toolchain};
use crate::workspace::{Library, Loaded};

/// What is shipped for which machines.
#[derive(Debug)]
pub(super) struct Fleet {
    /// In the order of all machines; empty if they are those that the folder has.
    machines: Vec<Machine>,
    /// Where programs lie that were built elsewhere.
    folder: Option<Utf8PathBuf>,
    portable: bool,
    debug: bool,
}

impl Fleet {
    /// `None` if the plugin is for this machine, and its program is made here.
    pub(super) fn asked(args: &ShipArgs, current: &Utf8Path) -> Option<Self> {
        let wanted: Vec<Machine> = args.targets.iter().flat_map(|word| word.0.iter().copied()).collect();
        let machines: Vec<Machine> = Machine::ALL.into_iter().filter(|machine| wanted.contains(machine)).collect();
        let folder = args.binaries.as_ref().map(|folder| current.join(folder));
        let is_asked = folder.is_some() || !machines.is_empty();
        is_asked.then_some(Self { machines, folder, portable: args.portable, debug: args.debug })
    }

    /// The files of each plugin.
    pub(super) fn contents(&self, loaded: &Loaded<'_>, outputs: &[OutputSet]) -> anyhow::Result<Vec<Vec<Item>>> {
        let mut programs: Vec<Vec<Program>> = Vec::new();
        for catalog in &loaded.catalogs {
            programs.push(self.built_elsewhere(catalog)?);
        }
        if self.portable {
            self.add_own_engine(&mut programs)?;
        } else {
            self.build(loaded, outputs, &mut programs)?;
        }
        let mut plugins = Vec::new();
        for ((catalog, files), mut programs) in loaded.catalogs.iter().zip(outputs).zip(programs) {
            programs.sort_by_key(|program| program.machine);
            self.refuse_gaps(catalog, &programs)?;
            tell(catalog, &programs);
            plugins.push(if self.portable {
                ship::portable_layout_for(catalog, files, programs)?
            } else {
                ship::layout_for(&catalog.name, files, &catalog.binary, &programs)
            });
        }
        Ok(plugins)
    }

    /// The machines that are wanted; where nobody said, all that there are programs for.
    fn wanted(&self) -> &[Machine] {
        if self.machines.is_empty() { &Machine::ALL } else { &self.machines }
    }

    fn built_elsewhere(&self, catalog: &Catalog) -> anyhow::Result<Vec<Program>> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        if !folder.is_dir() {
            bail!("`{folder}` is no folder");
        }
        let meaning = format!("of catalog {} as it stands here (digest {})", catalog.name, catalog.digest);
        let (name, mark) = if self.portable {
            (ENGINE, Mark { text: READS, meaning: "an engine of this version of hookgen" })
        } else {
            (catalog.binary.as_str(), Mark { text: &catalog.digest, meaning: &meaning })
        };
        let mut programs = Vec::new();
        for machine in self.wanted() {
            programs.extend(ship::elsewhere(folder, name, *machine, mark)?);
        }
        Ok(programs)
    }

    fn add_own_engine(&self, programs: &mut [Vec<Program>]) -> anyhow::Result<()> {
        for machine in &self.machines {
            for programs in programs.iter_mut().filter(|programs| !has(programs, *machine)) {
                programs.extend(ship::own_engine(*machine)?);
            }
        }
        Ok(())
    }

    /// Compiles what was not built elsewhere, machine by machine, as far as the toolchain can.
    fn build(&self, loaded: &Loaded<'_>, outputs: &[OutputSet], programs: &mut [Vec<Program>]) -> anyhow::Result<()> {
        let root = &loaded.project.root;
        for machine in &self.machines {
            let missing: Vec<usize> =
                programs.iter().enumerate().filter(|(_, some)| !has(some, *machine)).map(|(at, _)| at).collect();
            if missing.is_empty() {
                continue;
            }
            let toolchain = Toolchain::find(root)?;
            let Some(linking) = Linking::choose_for(&toolchain, *machine)? else { continue };
            let crates = missing.iter().filter_map(|at| Some(Crate::of(loaded.catalogs.get(*at)?, outputs.get(*at)?)));
            let crates = crates.collect::<anyhow::Result<Vec<_>>>()?;
            talk(format!("{machine}: linking {linking}"));
            let progress = Progress::start(format!("compiling for {machine}"));
            let workspace = (loaded.project.library == Library::Project).then_some(root.as_path());
            let built = ship::build(&toolchain, workspace, &crates, &linking, self.debug)?;
            drop(progress);
            for (at, one) in missing.iter().zip(&crates) {
                if let Some(programs) = programs.get_mut(*at) {
                    programs.push(built.program(&one.binary, *machine)?);
                }
            }
        }
        Ok(())
    }

    /// A plugin that lacks a program that was asked for is not laid out.
    fn refuse_gaps(&self, catalog: &Catalog, programs: &[Program]) -> anyhow::Result<()> {
        let missing: Vec<Machine> = self.machines.iter().copied().filter(|machine| !has(programs, *machine)).collect();
        if missing.is_empty() && !programs.is_empty() {
            return Ok(());
        }
        let name = if self.portable { ENGINE } else { catalog.binary.as_str() };
        let wanted = if missing.is_empty() { self.wanted() } else { &missing };
        let lines = wanted.iter().map(|machine| {
            let here =
                if self.portable { String::new() } else { format!("rustup target add {}, or ", machine.target()) };
            format!("\n  {machine}: {here}build it elsewhere and give it as DIR/{machine}/{}", machine.file_name(name))
        });
        bail!(
            "{} has no program for {}; give what was built elsewhere by `--binaries DIR`{}",
            catalog.name,
            wanted.iter().map(|machine| machine.name()).collect::<Vec<_>>().join(", "),
            lines.collect::<String>()
        )
    }
}

fn has(programs: &[Program], machine: Machine) -> bool {
    programs.iter().any(|program| program.machine == machine)
}

/// Says what becomes of machines that the plugin has nothing for, and which licences nobody has brought along.
fn tell(catalog: &Catalog, programs: &[Program]) {
    let closed = catalog.hooks.iter().any(|hook| hook.fail_safe == FailSafe::Closed);
    if !has(programs, Machine::WindowsX64) && closed {
        // The launcher is a shell script, which Windows cannot start: there the registration alone speaks.
        talk(format!(
            "hint: {} has nothing for Windows, where the client refuses every call that a closed hook is asked about",
            catalog.name
        ));
    }
    let missing = |system: Platform| !programs.iter().any(|program| program.machine.system() == system);
    for system in catalog.platforms.iter().copied().filter(|system| missing(*system)) {
        talk(format!("warning: {} is meant for {}, and this plugin is not", catalog.name, system.name()));
    }
    for program in programs.iter().filter(|program| program.notices.is_none()) {
        talk(format!(
            "hint: what is linked into the program for {} is not known here: put the THIRD-PARTY-NOTICES.txt of its plugin \
             beside it",
            program.machine
        ));
    }
}
