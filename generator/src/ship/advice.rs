//! What to install when the machine lacks something that only shows in the middle of a build.

/// Signs of something missing in what cargo and the linker say, and what helps.
const SIGNS: &[(&[&str], &str)] = &[
    (
        &["linker `", "` not found"],
        "there is no C linker, and Rust needs one to make a program
Install a C compiler with the development files of the C library, then run this again:
  Debian, Ubuntu   apt install gcc libc6-dev
  Fedora, RHEL     dnf install gcc glibc-static
  Alpine           apk add gcc musl-dev
  macOS            xcode-select --install",
    ),
    (&["cannot find ", "crt1.o"], LIBRARY),
    (&["cannot find -lc"], LIBRARY),
    (&["unable to find library -lc"], LIBRARY),
    (&["cannot open ", "crt1.o"], LIBRARY),
];

const LIBRARY: &str = "the C library cannot be linked: its development files, or those for static programs, are missing
Install them, or the target of Rust that brings its own, then run this again:
  Debian, Ubuntu   apt install libc6-dev
  Fedora, RHEL     dnf install glibc-devel glibc-static
  any Linux        rustup target add x86_64-unknown-linux-musl (or aarch64-unknown-linux-musl)";

/// What helps, if what was said shows that something is missing. All signs of one kind are on one line.
pub(super) fn advice(said: &str) -> Option<&'static str> {
    let shows = |line: &str, signs: &[&str]| signs.iter().all(|sign| line.contains(sign));
    SIGNS.iter().find(|(signs, _)| said.lines().any(|line| shows(line, signs))).map(|(_, advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_what_to_install() {
        for (said, word) in [
            ("error: linker `cc` not found\n  |\n  = note: No such file or directory (os error 2)", "no C linker"),
            ("  = note: /usr/bin/ld: cannot find -lc: No such file or directory", "glibc-static"),
            ("  = note: rust-lld: error: unable to find library -lc", "glibc-static"),
            ("  = note: /usr/bin/ld: cannot find Scrt1.o: No such file or directory", "libc6-dev"),
            ("  = note: rust-lld: error: cannot open crt1.o: No such file or directory", "libc6-dev"),
        ] {
            assert!(advice(said).is_some_and(|advice| advice.contains(word)), "{said}");
        }
    }

    #[test]
    fn other_trouble_is_not_taken_for_it() {
        for said in [
            "error[E0425]: cannot find value `linker` in this scope",
            "error: linking with `cc` failed: exit status: 1\n  = note: undefined reference to `x`",
            "error: package `linker` is here\nerror: file not found",
            "",
        ] {
            assert_eq!(advice(said), None, "{said}");
        }
    }
}
