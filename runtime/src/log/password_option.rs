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
    /// Behind no option: the word of that number, and those after it
    Word(u8),
    /// In the next one, as cookies: `-b name=secret`
    Cookies,
}

pub(super) type Options = &'static [(&'static str, Form)];

/// Programs by their name. What logs in somewhere mostly does so with a subcommand, `login`.
const PROGRAMS: &[(&str, Options)] = &[
    ("7z", &[("-p", Form::Attached)]),
    ("7za", &[("-p", Form::Attached)]),
    ("7zz", &[("-p", Form::Attached)]),
    ("ConvertTo-SecureString", FIRST_WORD),
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
    ("fly", &[("-t", Form::Next)]),
    ("flyctl", &[("-t", Form::Next)]),
    ("htpasswd", &[("", Form::Word(3))]),
    ("http", &[("-a", Form::Behind(b':')), ("--auth", Form::Behind(b':'))]),
    ("https", &[("-a", Form::Behind(b':')), ("--auth", Form::Behind(b':'))]),
    ("influx", &[("-password", Form::Next)]),
    ("ipmitool", &[("-P", Form::Next)]),
    ("jarsigner", &[("-keypass", Form::Next), ("-storepass", Form::Next)]),
    ("keytool", &[("-keypass", Form::Next), ("-storepass", Form::Next), ("-srcstorepass", Form::Next)]),
    ("keyvault", &[("--value", Form::Next)]),
    ("ldapadd", &[("-w", Form::Next)]),
    ("ldapmodify", &[("-w", Form::Next)]),
    ("ldapsearch", &[("-w", Form::Next)]),
    ("lftp", &[("-u", Form::Behind(b','))]),
    ("login", &[("-p", Form::Next)]),
    ("mongo", &[("-p", Form::Next)]),
    ("mongodump", &[("-p", Form::Next)]),
    ("mongorestore", &[("-p", Form::Next)]),
    ("mongosh", &[("-p", Form::Next)]),
    ("mosquitto_pub", &[("-P", Form::Next)]),
    ("mosquitto_sub", &[("-P", Form::Next)]),
    ("netlify", &[("--auth", Form::Next)]),
    ("openssl", &[("-k", Form::Next)]),
    ("plink", &[("-pw", Form::Next)]),
    ("poetry", &[("-p", Form::Next)]),
    ("pscp", &[("-pw", Form::Next)]),
    ("rabbitmqadmin", &[("-p", Form::Next)]),
    ("redis-benchmark", &[("-a", Form::Next)]),
    ("redis-cli", &[("-a", Form::Next), ("--pass", Form::Next)]),
    ("secretsmanager", &[("--secret-string", Form::Next)]),
    ("security", &[("-w", Form::Next)]),
    ("smbclient", &[("-U", Form::Behind(b'%'))]),
    ("snmpget", SNMP),
    ("snmpset", SNMP),
    ("snmpwalk", SNMP),
    ("sqlcmd", &[("-P", Form::Either)]),
    ("ssh-keygen", &[("-N", Form::Next), ("-P", Form::Next)]),
    ("sshpass", &[("-p", Form::Either)]),
    ("ssm", &[("--value", Form::Next)]),
    ("twine", &[("-p", Form::Next)]),
    ("unrar", &[("-p", Form::Attached)]),
    ("unzip", &[("-P", Form::Next)]),
    ("useradd", &[("-p", Form::Next)]),
    ("usermod", &[("-p", Form::Next)]),
    ("wpa_passphrase", SECOND_WORD),
    ("zip", &[("-P", Form::Next)]),
];
const FIRST_WORD: Options = &[("", Form::Word(1))];
const SECOND_WORD: Options = &[("", Form::Word(2))];
const SNMP: Options = &[("-A", Form::Next), ("-X", Form::Next)];
/// What takes a secret behind a subcommand, and nothing of the kind without it.
const SUBCOMMANDS: &[(&str, &str, Options)] = &[
    ("bw", "unlock", FIRST_WORD),
    ("cargo", "login", FIRST_WORD),
    ("gh", "secret", &[("-b", Form::Next), ("--body", Form::Next)]),
    // A line of a `.netrc`: `machine example.com login me password secret`.
    ("machine", "login", &[("password", Form::Next)]),
    ("rabbitmqctl", "add_user", SECOND_WORD),
    ("rabbitmqctl", "change_password", SECOND_WORD),
    ("user-secrets", "set", SECOND_WORD),
    ("vault", "login", FIRST_WORD),
];
/// Families of programs with the same options.
const FAMILIES: &[(&str, Options)] = &[("mariadb", &[("-p", Form::Attached)]), ("mysql", &[("-p", Form::Attached)])];

/// The options with secrets of the program or subcommand of that name, behind that program.
pub(super) fn of(name: &str, program: &str) -> Option<Options> {
    let subcommand = SUBCOMMANDS.iter().find(|(of, subcommand, _)| *of == program && *subcommand == name);
    if let Some((_, _, options)) = subcommand {
        return Some(options);
    }
    let exact = PROGRAMS.binary_search_by_key(&name, |(program, _)| program).ok();
    let known = exact.and_then(|at| PROGRAMS.get(at));
    let known = known.or_else(|| FAMILIES.iter().find(|(family, _)| name.starts_with(family)));
    let leads = || SUBCOMMANDS.iter().any(|(of, ..)| *of == name).then_some(&[] as Options);
    known.map(|(_, options)| *options).or_else(leads)
}

/// The number of the first word that is a secret, if words without an option are.
pub(super) fn first_word(options: Options) -> Option<u8> {
    options.iter().find_map(|(_, form)| if let Form::Word(number) = form { Some(*number) } else { None })
}

/// The option that a word is or begins with.
pub(super) fn find(options: Options, word: &str) -> Option<(&'static str, Form)> {
    let is = |(name, form): &&(&str, Form)| match form {
        Form::Attached | Form::Either | Form::Behind(_) => word.starts_with(name),
        Form::Next | Form::Cookies => word == *name,
        Form::Word(_) => false,
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
            assert_eq!(of(name, ""), Some(*options), "{name}");
        }
        assert_eq!(of("mysqldump", ""), of("mysql", ""));
        assert_eq!(of("login", "cargo"), Some(FIRST_WORD));
        assert_eq!(of("cargo", ""), Some(&[] as Options));
        assert_eq!(of("mkdir", ""), None);
    }
}
