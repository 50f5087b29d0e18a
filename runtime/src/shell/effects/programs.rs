//! The programs, a row each: names, what it does to files, and an example that is tested.

use super::act::Act::{self, After, First, Mentioned, Operands, Special, Trees, Values, With, Without};
use super::{Deletes, Modifies, Reads, Writes, archive, container, copy, fetch, git, search};
use crate::shell::memo::Memo;

pub(super) struct Program {
    names: &'static [&'static str],
    pub(super) acts: &'static [Act],
    /// A line, and what comes of it in the folder where it runs.
    #[cfg_attr(not(test), expect(dead_code, reason = "for whoever reads the table, and for its test"))]
    example: (&'static str, &'static str),
}

thread_local! {
    static KNOWN: Memo<Option<&'static Program>> = Memo::default();
}

/// The program of that name.
pub(super) fn named(name: &str) -> Option<&'static Program> {
    KNOWN.with(|known| known.of(name, || looked_up(name)))
}

fn looked_up(name: &str) -> Option<&'static Program> {
    let is_cmdlet = name.contains('-');
    let first = name.as_bytes().first();
    let is_called =
        |row: &&str| row.as_bytes().first() == first && *row == name || is_cmdlet && row.eq_ignore_ascii_case(name);
    PROGRAMS.iter().find(|program| program.names.iter().any(is_called))
}

/// What is taken for granted of any other program.
pub(super) const UNKNOWN: &[Act] = &[Values(
    Writes,
    "o",
    &["output", "output-file", "outfile", "out-file", "out", "output-dir", "log-file", "logfile"],
)];

const fn row(names: &'static [&'static str], acts: &'static [Act], example: (&'static str, &'static str)) -> Program {
    Program { names, acts, example }
}

/// Where PowerShell puts things; it takes names in any case.
const DESTINATION: &[&str] = &["-Destination", "-DestinationPath", "-OutFile", "-FilePath"];

const PROGRAMS: &[Program] = &[
    // What puts something somewhere.
    row(&["tee", "sponge", "script"], &[Operands(Writes, 0)], ("tee -a x y", "writes x y")),
    row(&["touch", "mkdir", "mkfifo", "mknod"], &[Operands(Writes, 0)], ("touch x", "writes x")),
    row(&["cp", "gcp", "copy"], &[Special(copy::copy)], ("cp a/x b", "reads a/x; writes b b/x")),
    row(
        &["Copy-Item", "cpi", "Expand-Archive"],
        &[Operands(Writes, 1), Trees(Writes, 1), After(Writes, DESTINATION)],
        ("Copy-Item a -Destination b", "writes b b/**"),
    ),
    row(&["scp"], &[Special(copy::copy)], ("scp host:x y; scp x host:y", "reads x; writes y y/x")),
    row(&["mv", "gmv", "move"], &[Special(copy::rename)], ("mv a b/", "writes b/a b/a/**; deletes a")),
    row(&["exch"], &[Operands(Deletes, 0)], ("exch a b", "deletes a b")),
    row(
        &["Move-Item", "mi"],
        &[Operands(Deletes, 0), Operands(Writes, 0), Trees(Writes, 1)],
        ("Move-Item -Path a -Destination b", "writes a b b/**; deletes a b"),
    ),
    row(&["install", "ginstall"], &[Special(copy::install)], ("install -m 644 a b/", "reads a; writes b/a")),
    row(&["ln", "gln", "link"], &[Special(copy::link)], ("ln -s a b/", "writes b/a b/a/**; modifies a/** a")),
    row(
        &["rsync", "robocopy"],
        &[Special(copy::mirror)],
        ("rsync -a --delete a/ b", "reads a; writes b b/**; deletes b/**"),
    ),
    row(
        &["rclone"],
        &[Special(copy::cloud)],
        ("rclone purge a; rclone sync b c", "reads b; writes c c/**; deletes a a/** c/**"),
    ),
    row(&["dd", "dcfldd", "dc3dd"], &[Special(copy::blocks)], ("dd if=a of=b", "reads a; writes b")),
    row(
        &["ddrescue", "dd_rescue", "e2image", "xfs_copy"],
        &[First(Reads), Operands(Writes, 1)],
        ("ddrescue -f a b", "reads a; writes b"),
    ),
    row(&["ntfsclone"], &[Values(Writes, "oO", &["output", "overwrite"])], ("ntfsclone -O a b", "writes a")),
    row(&["tclsh", "wish"], &[Mentioned(Modifies)], ("tclsh <<< 'open /a w'", "modifies /a")),
    row(&["mount"], &[Special(copy::mount)], ("mount --bind a b", "writes b b/**; modifies a a/**")),
    row(&["bwrap"], &[Special(container::bound)], ("bwrap --bind a b ls", "modifies a/**")),
    row(&["uniq"], &[First(Reads), Operands(Writes, 1)], ("uniq a b", "reads a; writes b")),
    row(
        &["shuf", "iconv", "gpg", "age", "less"],
        &[Operands(Reads, 0), Values(Writes, "o", &["output", "log-file"])],
        ("less b", "reads b"),
    ),
    row(
        &["strace", "ltrace", "time", "valgrind"],
        &[Values(Writes, "o", &["output", "log-file", "xml-file"])],
        ("strace -o a ls", "writes a"),
    ),
    row(&["sort"], &[Operands(Reads, 0), Values(Writes, "o", &["output"])], ("sort -o a b", "reads b; writes a")),
    row(
        &["openssl"],
        &[After(Writes, &["-out", "-keyout"]), After(Reads, &["-in", "-inkey", "-key"])],
        ("openssl enc -in a -out b", "reads a; writes b"),
    ),
    row(
        &["Set-Content", "Add-Content", "Out-File", "New-Item", "Clear-Content", "Tee-Object", "sc", "ac", "ni", "clc"],
        &[Operands(Writes, 0)],
        ("Set-Content -Path a -Value b", "writes a b"),
    ),
    row(
        &["Invoke-WebRequest", "Invoke-RestMethod", "iwr", "irm", "Start-BitsTransfer"],
        &[After(Writes, DESTINATION)],
        ("Invoke-WebRequest u -OutFile a", "writes a"),
    ),
    // What loads something.
    row(
        &["curl"],
        &[
            Special(fetch::curl),
            Special(fetch::upload),
            Values(Writes, "Dc", &["dump-header", "cookie-jar", "trace", "trace-ascii", "stderr", "etag-save", "hsts"]),
        ],
        ("curl -sSo a -D b u/c; curl -O u/d; curl -d @e -F f=@g u", "reads e g; writes a b d"),
    ),
    row(
        &["wget", "wget2"],
        &[
            Special(fetch::wget),
            Values(Writes, "Ooa", &["output-document", "output-file", "append-output", "save-cookies"]),
            Values(Reads, "i", &["input-file", "post-file", "body-file"]),
        ],
        ("wget -qO a u; wget -P d --post-file e u/b", "reads e; writes a d/b"),
    ),
    row(
        &["aria2c", "axel"],
        &[Special(fetch::aria), Values(Writes, "l", &["log"])],
        ("aria2c -d a -o b u/c; aria2c -d d u/e", "writes a/b d/e"),
    ),
    row(&["sftp", "lwp-download"], &[Operands(Writes, 1), Trees(Writes, 1)], ("sftp h:a b", "writes b b/**")),
    row(&["socat", "debugfs", "gdb"], &[Mentioned(Modifies)], ("socat - OPEN:/a,creat", "modifies /a")),
    row(&["gh"], &[Special(fetch::gh)], ("gh release download v1 -p a", "writes a")),
    row(&["aws", "gsutil"], &[Special(fetch::bucket)], ("aws s3 cp s3://b/a c", "writes c c/a")),
    row(&["xxd"], &[First(Reads), Operands(Writes, 1)], ("xxd -r a b", "reads a; writes b")),
    row(&["split"], &[Special(fetch::split)], ("split -l1 - a", "writes aaa aab a*")),
    row(&["csplit"], &[Special(fetch::csplit)], ("csplit -f a b 1", "writes a*")),
    // What unpacks something.
    row(
        &["tar", "gtar", "bsdtar"],
        &[Special(archive::tar)],
        ("tar xzf a.tgz -C b; tar -cf c d", "reads d; writes b/** c"),
    ),
    row(&["unzip", "ditto"], &[Special(archive::unzip)], ("unzip -q a.zip -d b; unzip -l a", "writes b/**")),
    row(&["7z", "7za", "7zr", "7zz"], &[Special(archive::seven_zip)], ("7z x a.7z -ob", "writes b/**")),
    row(&["unrar", "rar", "jar", "ar"], &[Special(archive::letters)], ("unrar x a b/", "writes b/**")),
    row(&["cpio", "pax"], &[Special(archive::cpio)], ("cpio -i -D a < b.cpio", "reads b.cpio; writes a/**")),
    row(
        &["zip"],
        &[First(Writes), Operands(Reads, 1), With(&["-m", "--move"], &[Operands(Deletes, 1)])],
        ("zip -r a.zip b", "reads b; writes a.zip"),
    ),
    row(
        &["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "lzma", "unlzma", "compress", "uncompress"],
        &[Without(
            &["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test", "-k", "--keep"],
            &[Operands(Deletes, 0)],
        )],
        ("gzip a; gzip -c b", "deletes a"),
    ),
    // What changes something where it is.
    row(
        &["sed", "gsed"],
        &[
            With(&["-i", "--in-place"], &[Operands(Modifies, 0)]),
            With(&["-e", "--expression", "-f", "--file"], &[Operands(Reads, 0)]),
            Without(&["-e", "--expression", "-f", "--file"], &[Operands(Reads, 1)]),
            Special(super::search::sed_writes),
        ],
        ("sed -i -e s/a/b/ c; sed -n 'w d' e", "reads c e; writes d; modifies c"),
    ),
    row(&["perl", "ruby"], &[With(&["-i"], &[Operands(Modifies, 0)])], ("perl -i -pe 1 a", "modifies 1 a")),
    row(
        &["gawk", "awk", "mawk", "nawk"],
        &[
            Special(search::awk_in_place),
            With(&["-f", "--file"], &[Operands(Reads, 0)]),
            Without(&["-f", "--file"], &[Operands(Reads, 1)]),
        ],
        ("gawk -i inplace 1 a", "reads a; modifies 1 a"),
    ),
    row(
        &["yq"],
        &[Operands(Reads, 1), With(&["-i", "--inplace"], &[Operands(Modifies, 0)])],
        ("yq -i .a=1 b", "reads b; modifies .a=1 b"),
    ),
    row(
        &["apply_patch", "applypatch"],
        &[Special(archive::apply_patch)],
        (
            "cd d && apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: ../b\n*** Update File: c\n\
             *** Move to: /e\n@@\n-x\n+y\n*** End Patch\nE",
            "writes d/a; modifies /e d/c; deletes b",
        ),
    ),
    row(&["patch"], &[Special(archive::patch)], ("patch a < b; patch -p1 -d c < d", "reads b d; modifies a c/**")),
    row(
        &["truncate", "fallocate", "shred"],
        &[Operands(Modifies, 0), With(&["-u", "--remove"], &[Operands(Deletes, 0)])],
        ("truncate -s 0 a; shred -u b", "modifies a b; deletes b"),
    ),
    row(
        &["chmod", "chown", "chgrp", "chattr", "setfacl", "chflags", "chcon", "setfattr", "xattr"],
        &[Special(search::permissions)],
        ("chmod 600 a; chown -R me b; chmod -x c", "modifies a b b/** c"),
    ),
    row(
        &["ed", "ex", "vi", "view", "vim", "nvim", "nano", "pico", "emacs", "sqlite3"],
        &[Operands(Modifies, 0), Mentioned(Modifies)],
        ("ed -s a <<< 'w /b'", "modifies a /b"),
    ),
    row(
        &["prettier", "eslint", "gofmt", "goimports", "clang-format", "shfmt", "autopep8", "biome"],
        &[With(&["--write", "-w", "--fix", "-i"], &[Operands(Modifies, 0), Trees(Modifies, 0)])],
        ("gofmt -w a; gofmt -l b", "modifies a a/**"),
    ),
    // What takes something away.
    row(
        &[
            "rm",
            "grm",
            "unlink",
            "rmdir",
            "srm",
            "wipe",
            "trash",
            "trash-put",
            "rimraf",
            "del-cli",
            "trash-cli",
            "rmtrash",
            "gvfs-trash",
            "rip",
            "del",
            "erase",
            "rd",
            "Remove-Item",
            "ri",
        ],
        &[Operands(Deletes, 0)],
        ("rm -rf a b", "deletes a b"),
    ),
    row(
        &["rename", "prename", "mmv", "Rename-Item", "rni"],
        &[Operands(Deletes, 1), Operands(Writes, 1)],
        ("rename s/a/b/ c", "writes c; deletes c"),
    ),
    row(
        &["btrfs"],
        &[Special(copy::subvolumes)],
        ("btrfs subvolume delete a; btrfs subvolume list b", "deletes a a/**"),
    ),
    row(&["fd", "fdfind"], &[Special(search::fd)], ("fd -e o x a -x rm; fd b", "deletes a/**/*x* {} a/**/*x*")),
    row(&["find", "gfind"], &[Special(search::find)], ("find a -name 'b*' -delete", "deletes a/**/b*")),
    // What does many things.
    row(
        &["git"],
        &[Special(git::git)],
        ("git checkout x -- a; git -C b clean -fd", "writes x x/** a a/**; deletes b/**"),
    ),
    row(
        &["docker", "podman", "nerdctl"],
        &[Special(container::container)],
        ("docker run -v /a:/b -v /c:/d:ro x; docker cp x:/y z", "writes z z/**; modifies /a/**"),
    ),
    // What only looks.
    row(
        &[
            "cat",
            "tac",
            "nl",
            "more",
            "head",
            "tail",
            "bat",
            "batcat",
            "file",
            "wc",
            "diff",
            "cmp",
            "comm",
            "colordiff",
            "delta",
            "md5sum",
            "sha1sum",
            "sha256sum",
            "sha512sum",
            "shasum",
            "cksum",
            "b2sum",
            "cut",
            "fold",
            "column",
            "paste",
            "join",
            "od",
            "hexdump",
            "hd",
            "strings",
            "base64",
            "base32",
            "zcat",
            "bzcat",
            "xzcat",
            "zless",
            "Get-Content",
            "gc",
            "type",
            "pygmentize",
            "csvlook",
            "xmllint",
            "jless",
            "glow",
        ],
        &[Operands(Reads, 0)],
        ("cat a - b; head -n 3 c", "reads a b c"),
    ),
    row(
        &["grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep"],
        &[
            Without(&["-e", "--regexp", "-f", "--file", "--files"], &[Operands(Reads, 1)]),
            With(&["-e", "--regexp", "-f", "--file", "--files"], &[Operands(Reads, 0)]),
            Values(Reads, "f", &["file"]),
        ],
        ("grep -o a b; grep -e a c; rg -f d e", "reads b c e d"),
    ),
    row(
        &["jq"],
        &[
            Without(&["-f", "--from-file", "-n", "--null-input"], &[Operands(Reads, 1)]),
            With(&["-f", "--from-file"], &[Operands(Reads, 0)]),
        ],
        ("jq -r .a b; jq -n 1", "reads b"),
    ),
    row(&["source", "."], &[First(Reads)], ("source a b; . c", "reads a c")),
    // What looks at names, speaks, or acts on other things than the content of files.
    row(
        &[
            "stat",
            "readlink",
            "realpath",
            "ls",
            "dir",
            "exa",
            "eza",
            "tree",
            "du",
            "lsof",
            "getfacl",
            "lsattr",
            "namei",
            "Get-ChildItem",
            "Get-Item",
            "gci",
            "man",
            "tldr",
            "info",
            "help",
            "whatis",
            "apropos",
            "df",
            "tr",
            "dirname",
            "basename",
            "test",
            "[",
            "[[",
            "echo",
            "printf",
            "cd",
            "pushd",
            "popd",
            "pwd",
            "which",
            "whereis",
            "hash",
            "export",
            "declare",
            "local",
            "readonly",
            "typeset",
            "unset",
            "set",
            "shopt",
            "read",
            "true",
            "false",
            ":",
            "exit",
            "return",
            "sleep",
            "date",
            "env",
            "id",
            "whoami",
            "uname",
            "hostname",
            "ps",
            "kill",
            "wait",
            "jobs",
            "fg",
            "bg",
            "trap",
            "umask",
            "ulimit",
            "alias",
            "eval",
            "exec",
            "seq",
            "expr",
            "yes",
            "rev",
            "locate",
            "Test-Path",
            "Select-String",
        ],
        &[],
        ("echo a; cd b; which -o c", ""),
    ),
];

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use super::*;

    #[test]
    fn every_row_does_what_its_example_says() {
        let mut wrong = String::new();
        for program in PROGRAMS {
            let (line, expected) = program.example;
            if told(line) != expected {
                wrong.push_str(&format!("{line}: {expected}, but is {}\n", told(line)));
            }
            assert!(program.names.iter().any(|name| line.contains(name)), "{line}");
        }
        assert!(wrong.is_empty(), "{wrong}");
    }

    #[test]
    fn every_program_has_one_row() {
        let names: Vec<&str> = PROGRAMS.iter().flat_map(|program| program.names).copied().collect();
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name}");
        }
    }
}
