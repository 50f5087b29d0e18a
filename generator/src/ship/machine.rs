//! The kinds of machines that a plugin can be for: what Rust calls them, where their program lies, and what it looks like.

use std::fmt;
use std::str::FromStr;

use camino::Utf8PathBuf;
use hookgen_runtime::machine::FOLDERS;

use crate::catalog::Platform;

/// A system on a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machine {
    LinuxX64,
    LinuxArm64,
    DarwinArm64,
    DarwinX64,
    WindowsX64,
}

impl Machine {
    pub const ALL: [Self; 5] = [Self::LinuxX64, Self::LinuxArm64, Self::DarwinArm64, Self::DarwinX64, Self::WindowsX64];

    /// As the command line, folders and people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::LinuxX64 => FOLDERS[0],
            Self::LinuxArm64 => FOLDERS[1],
            Self::DarwinArm64 => FOLDERS[2],
            Self::DarwinX64 => FOLDERS[3],
            Self::WindowsX64 => "windows-x64",
        }
    }

    /// The system, as catalogs speak of it.
    pub fn system(self) -> Platform {
        match self {
            Self::LinuxX64 | Self::LinuxArm64 => Platform::Linux,
            Self::DarwinArm64 | Self::DarwinX64 => Platform::Macos,
            Self::WindowsX64 => Platform::Windows,
        }
    }

    /// What Rust calls it, the first choice first.
    pub(super) fn targets(self) -> &'static [&'static str] {
        match self {
            Self::LinuxX64 => &["x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu"],
            Self::LinuxArm64 => &["aarch64-unknown-linux-musl", "aarch64-unknown-linux-gnu"],
            Self::DarwinArm64 => &["aarch64-apple-darwin"],
            Self::DarwinX64 => &["x86_64-apple-darwin"],
            Self::WindowsX64 => &["x86_64-pc-windows-gnu", "x86_64-pc-windows-msvc"],
        }
    }

    /// What Rust calls it, at best.
    pub fn target(self) -> &'static str {
        self.targets().first().copied().unwrap_or_default()
    }

    /// The kind of machine for which Rust names a target so.
    pub(super) fn of_target(target: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|machine| machine.targets().contains(&target))
    }

    /// What a program is called there.
    pub fn file_name(self, name: &str) -> String {
        if self == Self::WindowsX64 { format!("{name}.exe") } else { name.to_owned() }
    }

    /// Where its program lies in a plugin for several kinds.
    pub(super) fn place(self, name: &str) -> Utf8PathBuf {
        let bin = Utf8PathBuf::from("bin");
        let folder = if self == Self::WindowsX64 { bin } else { bin.join(self.name()) };
        folder.join(self.file_name(name))
    }

    /// The kind that a program was made for, by how its file begins.
    pub(super) fn of_program(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x7f, b'E', b'L', b'F', 2, 1, ..] => match bytes.get(18..20)? {
                [0x3e, 0] => Some(Self::LinuxX64),
                [0xb7, 0] => Some(Self::LinuxArm64),
                _ => None,
            },
            [0xcf, 0xfa, 0xed, 0xfe, processor @ ..] => match processor.get(..4)? {
                [0x0c, 0, 0, 1] => Some(Self::DarwinArm64),
                [0x07, 0, 0, 1] => Some(Self::DarwinX64),
                _ => None,
            },
            [b'M', b'Z', ..] => {
                let header = bytes.get(0x3c..0x40)?.try_into().map(u32::from_le_bytes).ok()?;
                let header = bytes.get(usize::try_from(header).ok()?..)?;
                matches!(header, [b'P', b'E', 0, 0, 0x64, 0x86, ..]).then_some(Self::WindowsX64)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Machine {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|machine| machine.name() == name)
            .ok_or_else(|| format!("there is no such kind of machine; there are {}, and `all`", known()))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// How the program of a machine begins.
    pub(in crate::ship) fn beginning(machine: Machine) -> Vec<u8> {
        let elf = |machine: u8| {
            let mut bytes = vec![0x7f, b'E', b'L', b'F', 2, 1];
            bytes.resize(18, 0);
            bytes.extend([machine, 0]);
            bytes
        };
        match machine {
            Machine::LinuxX64 => elf(0x3e),
            Machine::LinuxArm64 => elf(0xb7),
            Machine::DarwinArm64 => vec![0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1],
            Machine::DarwinX64 => vec![0xcf, 0xfa, 0xed, 0xfe, 0x07, 0, 0, 1],
            Machine::WindowsX64 => {
                let mut bytes = b"MZ".to_vec();
                bytes.resize(0x3c, 0);
                bytes.extend([0x40, 0, 0, 0]);
                bytes.extend([b'P', b'E', 0, 0, 0x64, 0x86]);
                bytes
            }
        }
    }

    #[test]
    fn a_program_tells_for_which_machine_it_is() {
        for machine in Machine::ALL {
            let bytes = beginning(machine);
            assert_eq!(Machine::of_program(&bytes), Some(machine));
            assert_eq!(Machine::of_program(&bytes[..bytes.len() - 1]), None, "{machine}");
            assert_eq!(machine.name().parse(), Ok(machine));
        }
        assert_eq!(Machine::of_program(b"#!/bin/sh\n"), None);
        assert_eq!(Machine::of_program(b"MZ"), None);
        assert!("linux".parse::<Machine>().is_err_and(|error| error.contains("linux-arm64, darwin-arm64")));
    }

    #[test]
    fn every_machine_has_a_place_of_its_own() {
        let places = Machine::ALL.map(|machine| machine.place("demo-hooks").into_string());
        let expected = [
            "bin/linux-x64/demo-hooks",
            "bin/linux-arm64/demo-hooks",
            "bin/darwin-arm64/demo-hooks",
            "bin/darwin-x64/demo-hooks",
            "bin/demo-hooks.exe",
        ];
        assert_eq!(places, expected);
        assert_eq!(Machine::of_target("aarch64-apple-darwin"), Some(Machine::DarwinArm64));
        assert_eq!(Machine::of_target("riscv64gc-unknown-linux-gnu"), None);
    }
}
