//! Options that take a secret in some programs, and anything else in all others: `-p`, `-a`, `-w`.

/// How a secret follows its option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In the same word: `-psecret`
    Attached,
    /// In the next one: `-p secret`
    Next,
    /// In either
    Either,
    /// In either, behind the user's name and this character: `-a name:secret`, `-aname:secret`
    Behind(u8),
    /// Not at all: it names the user, and the password comes after that
    User,
    /// In the next one, as cookies: `-b name=secret`
    Cookies,
}

pub(super) type Options = &'static [(&'static str, Form)];

/// Programs by their name. What logs in somewhere mostly does so with a subcommand, `login`.
const PROGRAMS: &[(&str, Options)] = &[
    ("7z", &[("-p", Form::Attached)]),
    ("7za", &[("-p", Form::Attached)]),
    ("7zz", &[("-p", Form::Attached)]),
    ("bcp", &[("-P", Form::Either)]),
    ("cqlsh", &[("-p", Form::Next)]),
    (
        "curl",
        &[
            ("-b", Form::Cookies),
            ("--cookie", Form::Cookies),
            ("-E", Form::Behind(b':')),
            ("--cert", Form::Behind(b':')),
            ("--oauth2-bearer", Form::Next),
            ("--pass", Form::Next),
            ("-u", Form::Behind(b':')),
        ],
    ),
    ("doctl", &[("-t", Form::Next)]),
    ("gh", GH),
    ("http", &[("-a", Form::Behind(b':')), ("--auth", Form::Behind(b':'))]),
    ("https", &[("-a", Form::Behind(b':')), ("--auth", Form::Behind(b':'))]),
    ("influx", &[("-password", Form::Next)]),
    ("ipmitool", &[("-P", Form::Next)]),
    ("jarsigner", &[("-keypass", Form::Next), ("-storepass", Form::Next)]),
    ("keytool", &[("-keypass", Form::Next), ("-storepass", Form::Next), ("-srcstorepass", Form::Next)]),
    ("ldapadd", &[("-w", Form::Next)]),
    ("ldapmodify", &[("-w", Form::Next)]),
    ("ldapsearch", &[("-w", Form::Next)]),
    ("lftp", &[("-u", Form::Behind(b','))]),
    ("login", &[("-p", Form::Next)]),
    ("machine", MACHINE),
    ("mongo", &[("-p", Form::Next)]),
    ("mongodump", &[("-p", Form::Next)]),
    ("mongorestore", &[("-p", Form::Next)]),
    ("mongosh", &[("-p", Form::Next)]),
    ("openssl", &[("-k", Form::Next)]),
    ("plink", &[("-pw", Form::Next)]),
    ("pscp", &[("-pw", Form::Next)]),
    ("rabbitmqadmin", &[("-p", Form::Next)]),
    ("redis-benchmark", &[("-a", Form::Next)]),
    ("redis-cli", &[("-a", Form::Next), ("--pass", Form::Next)]),
    ("smbclient", &[("-U", Form::Behind(b'%'))]),
    ("snmpget", SNMP),
    ("snmpset", SNMP),
    ("snmpwalk", SNMP),
    ("sqlcmd", &[("-P", Form::Either)]),
    ("ssh-keygen", &[("-N", Form::Next), ("-P", Form::Next)]),
    ("sshpass", &[("-p", Form::Either)]),
    ("twine", &[("-p", Form::Next)]),
    ("unrar", &[("-p", Form::Attached)]),
    ("unzip", &[("-P", Form::Next)]),
    ("useradd", &[("-p", Form::Next)]),
    ("usermod", &[("-p", Form::Next)]),
    ("zip", &[("-P", Form::Next)]),
];
/// `gh secret set NAME --body secret`; the body of anything else is no secret.
const GH: Options = &[("secret", Form::User)];
const GH_SECRET: Options = &[("-b", Form::Next), ("--body", Form::Next)];
const SNMP: Options = &[("-A", Form::Next), ("-X", Form::Next)];
/// A line of a `.netrc`: `machine example.com login me password secret`.
const MACHINE: Options = &[("login", Form::User)];
const MACHINE_LOGIN: Options = &[("password", Form::Next)];
/// Families of programs with the same options.
const FAMILIES: &[(&str, Options)] = &[("mariadb", &[("-p", Form::Attached)]), ("mysql", &[("-p", Form::Attached)])];

/// The options with secrets of the program of that name, after those that were known before it.
pub(super) fn of(program: &str, before: Options) -> Option<Options> {
    match program {
        "login" if before == MACHINE => return Some(MACHINE_LOGIN),
        "secret" if before == GH => return Some(GH_SECRET),
        _ => {}
    }
    let exact = PROGRAMS.binary_search_by_key(&program, |(name, _)| name).ok();
    let known = exact.and_then(|at| PROGRAMS.get(at));
    known.or_else(|| FAMILIES.iter().find(|(family, _)| program.starts_with(family))).map(|(_, options)| *options)
}

/// The option that a word is or begins with.
pub(super) fn find(options: Options, word: &str) -> Option<(&'static str, Form)> {
    let is = |(name, form): &&(&str, Form)| match form {
        Form::Attached | Form::Either | Form::Behind(_) => word.starts_with(name),
        Form::Next | Form::User | Form::Cookies => word == *name,
    };
    options.iter().find(is).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_is_found() {
        assert!(PROGRAMS.is_sorted_by(|one, next| one.0 < next.0));
        for (name, options) in PROGRAMS {
            assert_eq!(of(name, &[]), Some(*options), "{name}");
        }
        assert_eq!(of("mysqldump", &[]), of("mysql", &[]));
        assert_eq!(of("mkdir", &[]), None);
    }
}
