//! Which words of a program are options, values and operands: a row each, as a line of usage, and an example that is
//! tested.
//!
//! A line has the program's name (several that are alike are separated by `|`), then, in a row about one of its
//! subcommands, that subcommand. After it:
//!
//! - `-n=`, `--name=`: options that take a value (several letters at once); `-c!`, `--command!`: one whose value is run as
//!   a command line;
//! - `--name==`: one that takes two;
//! - `--name`: one that takes none; a row with such names has all that may be shortened;
//! - `COMMAND`: the first operand says what to do. Options before it come before it on the line as well, those behind
//!   it anywhere. `-m=COMMAND`: the option's value says it;
//! - `LINES`: the operands are command lines;
//! - `-WORD`: options are words behind one dash, such as `-name=`; the value of `-exec;` ends with `;` or `+`. `( ) ! ,`:
//!   words that are neither options nor operands.

use crate::shell::memo::Memo;

/// A row of the table.
#[derive(Debug)]
pub(in crate::shell) struct Row {
    usage: &'static str,
    /// A line, and its words by role: subcommand, options, operands behind the subcommand.
    #[cfg_attr(not(test), expect(dead_code, reason = "for whoever reads the table, and for its test"))]
    example: (&'static str, &'static str),
}

/// What a line of usage says about the words of a command.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::shell) struct Usage {
    /// What is said about the program, before and behind `COMMAND`.
    before: &'static str,
    anywhere: &'static str,
    /// What is said about the subcommand.
    subcommand: &'static str,
    /// Whether the first operand says what to do.
    pub(in crate::shell) commands: bool,
    /// Whether options are words behind one dash.
    pub(in crate::shell) words: bool,
    /// Whether operands are command lines.
    pub(in crate::shell) lines: bool,
}

/// What an option is followed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Value {
    None,
    /// A word.
    Word,
    /// A word, which says what to do.
    Command,
    /// Two words.
    Pair,
    /// Words up to `;` or `+`.
    Words,
}

impl Usage {
    /// What is known about the program.
    pub(in crate::shell) fn of(name: &str) -> Self {
        PROGRAMS.with(|found| found.of(name, || Self::looked_up(name)))
    }

    fn looked_up(name: &str) -> Self {
        let Some(usage) = looked_up(name, None) else { return Self { words: is_cmdlet(name), ..Self::default() } };
        let mut parts = usage.split(' ');
        let commands = parts.clone().any(|part| part == "COMMAND");
        let (before, anywhere) = if commands { usage.split_once("COMMAND").unwrap_or_default() } else { ("", usage) };
        Self {
            before,
            anywhere,
            subcommand: "",
            commands,
            words: parts.any(|part| part == "-WORD"),
            lines: usage.split(' ').any(|part| part == "LINES"),
        }
    }

    /// The same, once the line has said what to do.
    pub(in crate::shell) fn with_subcommand(self, name: &str, subcommand: &str) -> Self {
        let row = || looked_up(name, Some(subcommand)).unwrap_or_default();
        Self { before: "", subcommand: SUBCOMMANDS.with(|found| found.of(&[name, subcommand].join(" "), row)), ..self }
    }

    fn parts(&self) -> impl Iterator<Item = &'static str> {
        [self.subcommand, self.before, self.anywhere].into_iter().flat_map(str::split_ascii_whitespace)
    }

    /// What follows `-x`.
    pub(in crate::shell) fn letter(&self, letter: char) -> Value {
        let part = self.parts().find(|part| {
            let letters = part.strip_prefix('-').filter(|rest| !rest.starts_with('-') && !self.words);
            letters.is_some_and(|letters| letters.find(['=', '!']).is_some_and(|end| letters[..end].contains(letter)))
        });
        match part {
            Some(part) if part.ends_with("=COMMAND") => Value::Command,
            Some(_) => Value::Word,
            None => Value::None,
        }
    }

    /// What follows `--name`, or `-name` where options are words.
    pub(in crate::shell) fn long(&self, name: &str) -> Value {
        let dashes = if self.words { "-" } else { "--" };
        let said = self.parts().filter_map(|part| part.strip_prefix(dashes)?.strip_prefix(name));
        said.fold(Value::None, |found, rest| match rest {
            "=" | "!" => Value::Word,
            "==" => Value::Pair,
            ";" => Value::Words,
            _ => found,
        })
    }

    /// The whole name of a shortened `--name`, where it can mean only one.
    pub(in crate::shell) fn full_name<'a>(&self, written: &'a str) -> &'a str {
        let names = || self.parts().filter_map(|part| part.strip_prefix("--"));
        let shortens = names().any(|name| !name.ends_with(['=', '!']));
        if written.is_empty() || !shortens {
            return written;
        }
        let mut fitting =
            names().map(|name| name.trim_end_matches(['=', '!'])).filter(|name| name.starts_with(written));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => only,
            _ => written,
        }
    }

    /// Whether the word is neither an option nor an operand.
    pub(in crate::shell) fn is_sign(&self, word: &str) -> bool {
        self.words && matches!(word, "(" | ")" | "!" | ",") && self.parts().any(|part| part == word)
    }

    /// Letters and long names of the options whose value is run as a command line.
    pub(in crate::shell) fn running(&self) -> (String, Vec<&'static str>) {
        let mut running = (String::new(), Vec::new());
        for part in self.parts().filter_map(|part| part.strip_suffix('!')) {
            match part.strip_prefix("--") {
                Some(long) => running.1.push(long),
                None => running.0.push_str(part.trim_start_matches('-')),
            }
        }
        running
    }
}

/// `Verb-Noun`, as PowerShell names its commands, all of which have options that are words.
fn is_cmdlet(name: &str) -> bool {
    let part =
        |part: &str| part.starts_with(|c: char| c.is_ascii_uppercase()) && part.chars().all(char::is_alphanumeric);
    name.split_once('-').is_some_and(|(verb, noun)| part(verb) && part(noun))
}

thread_local! {
    static PROGRAMS: Memo<Usage> = Memo::default();
    static SUBCOMMANDS: Memo<&'static str> = Memo::default();
}

/// What the row about a program, or about one of its subcommands, says.
fn looked_up(name: &str, subcommand: Option<&str>) -> Option<&'static str> {
    ROWS.iter().find_map(|row| {
        let rest = behind_names(row.usage, name)?;
        let first = rest.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
        match (subcommand, first) {
            (None, false) => Some(rest),
            (Some(subcommand), true) => behind_names(rest, subcommand),
            _ => None,
        }
    })
}

/// What follows `a|b|c `, if the name is one of these. Byte by byte, since every command of a line asks every row.
fn behind_names(usage: &'static str, name: &str) -> Option<&'static str> {
    let (bytes, wanted) = (usage.as_bytes(), name.as_bytes());
    let mut at = 0;
    loop {
        let end = at + wanted.len();
        if bytes.get(at..end) == Some(wanted) && matches!(bytes.get(end), Some(b'|' | b' ') | None) {
            return Some(usage.split_once(' ').map_or("", |(_, rest)| rest));
        }
        loop {
            match bytes.get(at) {
                Some(b'|') => break,
                Some(b' ') | None => return None,
                Some(_) => at += 1,
            }
        }
        at += 1;
    }
}

const fn row(usage: &'static str, line: &'static str, roles: &'static str) -> Row {
    Row { usage, example: (line, roles) }
}

const ROWS: &[Row] = &[
    // git.
    row(
        "git -Cc= --git-dir= --work-tree= --namespace= --exec-path= --config-env= COMMAND",
        "git -C repo status -s",
        "status: -C -s |",
    ),
    row(
        "git commit -mFCct= --message= --file= --author= --date= --template= --cleanup= --fixup= --squash= \
         --trailer= --reuse-message= --reedit-message= --pathspec-from-file=",
        "git commit -am clean --author me file",
        "commit: -a -m --author | file",
    ),
    row(
        "git merge -mFsX= --message= --file= --strategy= --strategy-option= --into-name= --cleanup=",
        "git merge -X ours topic",
        "merge: -X | topic",
    ),
    row(
        "git tag -mFu= --message= --file= --local-user= --sort= --contains= --points-at= --format=",
        "git tag -d -m x v1",
        "tag: -d -m | v1",
    ),
    row("git notes -mFcC= --message= --file= --ref=", "git notes add -m x y", "notes: -m | add y"),
    row("git stash -m= --message=", "git stash push -m x", "stash: -m | push"),
    row(
        "git checkout -bB= --orphan= --conflict= --pathspec-from-file= --force --ours --theirs --track --detach \
         --merge --patch --quiet",
        "git checkout --forc -b x y",
        "checkout: --force -b | y",
    ),
    row("git switch -cC= --create= --force-create= --orphan= --conflict=", "git switch -c x y", "switch: -c | y"),
    row("git restore -s= --source= --conflict= --pathspec-from-file=", "git restore -s x y", "restore: -s | y"),
    row(
        "git push -o= --push-option= --receive-pack= --exec= --repo= --force --force-with-lease --force-if-includes \
         --mirror --delete --all --tags --dry-run --prune --porcelain --set-upstream --verify --no-verify --atomic \
         --follow-tags --branches",
        "git push --mirr -o x origin",
        "push: --mirror -o | origin",
    ),
    row(
        "git clean -e= --exclude= --dry-run --force --interactive --quiet",
        "git clean -fde x --dry",
        "clean: -f -d -e --dry-run |",
    ),
    row(
        "git reset --pathspec-from-file= --hard --soft --mixed --merge --keep --quiet --patch --no-refresh --refresh",
        "git reset --har HEAD",
        "reset: --hard | HEAD",
    ),
    row(
        "git log -nSGL= --grep= --author= --committer= --since= --until= --after= --before= --format= --max-count=",
        "git log -n 3 --author me x",
        "log: -n --author | x",
    ),
    row(
        "git rebase -xsX= --exec= --onto= --strategy= --strategy-option=",
        "git rebase --onto a b",
        "rebase: --onto | b",
    ),
    row(
        "git branch -u= --set-upstream-to= --sort= --contains= --format= --points-at= --merged= --no-merged= \
         --delete --force --move --copy --list --remotes --all",
        "git branch -u a b --del",
        "branch: -u --delete | b",
    ),
    row("git worktree -bB= --reason=", "git worktree add -b x ../y", "worktree: -b | add ../y"),
    row(
        "git cherry-pick|revert -mX= --mainline= --strategy= --strategy-option=",
        "git revert -m 1 x",
        "revert: -m | x",
    ),
    row(
        "git clone -bocuj= --branch= --origin= --config= --depth= --reference= --template= --separate-git-dir= --jobs=",
        "git clone --depth 1 -b x u d",
        "clone: --depth -b | u d",
    ),
    row("git archive -o= --format= --output= --prefix= --remote=", "git archive -o a HEAD", "archive: -o | HEAD"),
    row(
        "git fetch|pull -josX= --jobs= --depth= --server-option= --upload-pack= --strategy= --strategy-option=",
        "git fetch -j 4 o",
        "fetch: -j | o",
    ),
    row("git rm --force --cached --dry-run --quiet --ignore-unmatch", "git rm --cac a", "rm: --cached | a"),
    row("git apply|am -pC= --directory= --exclude= --include=", "git apply -p 1 a", "apply: -p | a"),
    row("git config -f= --file= --blob= --type= --default=", "git config -f a b c", "config: -f | b c"),
    // Containers and clusters.
    row(
        "docker|podman|nerdctl -Hlc= --host= --log-level= --context= --config= COMMAND",
        "docker -H h ps -a",
        "ps: -H -a |",
    ),
    row(
        "docker|podman|nerdctl run|create -veupwlhmac= --volume= --env= --user= --publish= --workdir= --label= --hostname= \
         --memory= --attach= --cpu-shares= --name= --network= --net= --mount= --entrypoint= --platform= --restart= --device= \
         --env-file= --add-host= --cap-add= --cap-drop= --gpus= --ipc= --pid= --security-opt= --tmpfs= --cpus=",
        "docker run --rm -v a:b --name n i ls",
        "run: --rm -v --name | i ls",
    ),
    row(
        "docker|podman|nerdctl exec -euw= --env= --user= --workdir= --env-file=",
        "docker exec -it -u root c sh",
        "exec: -i -t -u | c sh",
    ),
    row(
        "docker|podman|nerdctl build|buildx -ft= --file= --tag= --build-arg= --target= --platform= --label= --secret= --output=",
        "docker build -t a -f b .",
        "build: -t -f | .",
    ),
    row(
        "docker-compose|podman-compose -fp= --file= --project-name= COMMAND",
        "docker-compose -f a up -d",
        "up: -f -d |",
    ),
    row(
        "kubectl|oc COMMAND -nslc= --namespace= --context= --kubeconfig= --cluster= --user= --server= --selector= --container= \
         --token=",
        "kubectl logs -f -n ns pod",
        "logs: -f -n | pod",
    ),
    row(
        "kubectl|oc apply|create|delete|replace|diff|get -f= --filename=",
        "kubectl delete -f a -n b",
        "delete: -f -n |",
    ),
    row(
        "helm COMMAND -nf= --namespace= --values= --set= --kube-context= --version=",
        "helm install -n a b c",
        "install: -n | b c",
    ),
    // Packages and builds.
    row(
        "npm COMMAND -Cwc= --prefix= --workspace= --registry= --tag= -c! --call!",
        "npm run -w pkg build",
        "run: -w | build",
    ),
    row("pnpm COMMAND -CFc= --dir= --filter= --registry=", "pnpm -F a dlx b", "dlx: -F | b"),
    row("yarn COMMAND --cwd= --registry=", "yarn --cwd a add b", "add: --cwd | b"),
    row("npx|bunx COMMAND -pc= --package= --cache= --registry= -c! --call!", "npx -p a rimraf x", "rimraf: -p | x"),
    row(
        "pip|pip3 COMMAND -rcietb= --requirement= --constraint= --index-url= --extra-index-url= --find-links= --target= \
         --prefix= --root= --python= --proxy=",
        "pip install -r a b",
        "install: -r | b",
    ),
    row(
        "uv COMMAND -p= --python= --directory= --project= --extra= --group= --with= --index= --index-url= --default-index=",
        "uv add --index u x",
        "add: --index | x",
    ),
    row("uvx|pipx COMMAND -p= --python= --from= --with= --spec= --index-url=", "uvx --from a b c", "b: --from | c"),
    row(
        "cargo COMMAND -ZpjFC= --config= --color= --package= --manifest-path= --target-dir= --features= --target= --bin= \
         --example= --test= --bench= --profile= --jobs= --registry= --version= --git= --branch= --tag= --rev= --path= --root=",
        "cargo test -p a --test b c",
        "test: -p --test | c",
    ),
    row(
        "go COMMAND -WORD -C= -run= -bench= -count= -timeout= -tags= -ldflags= -o= -p= -mod=",
        "go test -run X -v ./...",
        "test: -run -v | ./...",
    ),
    row("gem COMMAND -vsin= --version= --source= --install-dir=", "gem install -v 1 a", "install: -v | a"),
    row(
        "apt|apt-get|aptitude COMMAND -otc= --option= --target-release= --config-file=",
        "apt-get -y install a",
        "install: -y | a",
    ),
    row(
        "make|gmake|bmake COMMAND -CfIoW= --directory= --file= --makefile= --jobs= --include-dir=",
        "make -C a -j 4 CC=x test",
        "test: -C -j | 4 CC=x",
    ),
    row(
        "just COMMAND -dfc= --justfile= --working-directory= --dotenv-path= --set= -c! --command!",
        "just -f a test b",
        "test: -f | b",
    ),
    row("bazel COMMAND --config=", "bazel build --config a //b", "build: --config | //b"),
    row("gh COMMAND -R= --repo= --hostname=", "gh -R a/b pr list", "pr: -R | list"),
    row(
        "python|python2|python3|pypy|pypy3 -m=COMMAND -cWX= --check-hash-based-pycs=",
        "python3 -W ignore -m pytest -q a",
        "pytest: -W -m -q | a",
    ),
    // Programs that are told what to do, and nothing else that guards ask about.
    row(
        "systemctl|service|brew|dnf|yum|zypper|pacman|apk|port|poetry|rustup|aws|az|launchctl|zfs|zpool|tmux|svn|hg|jj|\
         vault|heroku|fly|flyctl|wrangler|vercel|netlify|conda|mamba|nix|snap|flatpak|dotnet|mix|bundle|composer|deno|bun|claude|\
         ip|parted|lvm|cryptsetup|redis-cli|pulumi|vagrant|rake|gradle|gradlew|mvn|mvnw|task|supabase|firebase|doctl|\
         minikube|kind|k3d|flux|argocd|skaffold|glab|op|chezmoi|asdf|mise|rbenv|pyenv|nvm|volta|turbo|lerna COMMAND",
        "brew install a",
        "install: | a",
    ),
    row("gcloud COMMAND --project= --zone= --region= --command!", "gcloud compute --zone a b", "compute: --zone | b"),
    row("nx COMMAND --project= --command!", "nx run-many --project a", "run-many: --project |"),
    row("doppler|infisical COMMAND -pce= --project= --config= --env= --command!", "doppler run -p a b", "run: -p | b"),
    row("flox COMMAND -dr= --dir= --remote= -c! --command!", "flox activate -d a", "activate: -d |"),
    row(
        "terraform|tofu COMMAND -WORD -chdir= -var= -var-file= -target= -state= -out=",
        "terraform apply -var a=b c",
        "apply: -var | c",
    ),
    // Files.
    row(
        "rm|grm --force --recursive --interactive --one-file-system --no-preserve-root --preserve-root --dir --verbose --help --version",
        "rm --rec --forc x",
        ": --recursive --force | x",
    ),
    row(
        "chmod --reference= --recursive --changes --quiet --silent --verbose --preserve-root --no-preserve-root",
        "chmod --rec 755 a",
        ": --recursive | 755 a",
    ),
    row(
        "chown|chgrp --reference= --from= --recursive --changes --quiet --silent --verbose --preserve-root --no-preserve-root --dereference",
        "chown --from a --rec b c",
        ": --from --recursive | b c",
    ),
    row("cp|mv|ln|gcp|gmv|gln -tS= --target-directory= --suffix=", "cp -t a b", ": -t | b"),
    row(
        "install|ginstall -gmotS= --group= --mode= --owner= --target-directory= --suffix= --strip-program=",
        "install -m 644 a b",
        ": -m | a b",
    ),
    row("mkdir|gmkdir -m= --mode=", "mkdir -p -m 700 a", ": -p -m | a"),
    row("touch -dtr= --date= --reference= --time=", "touch -d now a", ": -d | a"),
    row("shred -ns= --iterations= --size= --random-source=", "shred -n 3 a", ": -n | a"),
    row("truncate|fallocate -srloc= --size= --reference= --length= --offset=", "truncate -s 0 a", ": -s | a"),
    row("mkfs -tLbNUEO= --type=", "mkfs -t ext4 a", ": -t | a"),
    row(
        "find|gfind -WORD ( ) ! , -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -lname= -ilname= \
         -size= -mtime= -mmin= -atime= -amin= -ctime= -cmin= -newer= -anewer= -cnewer= -newermt= -newerct= -newerat= -used= \
         -user= -group= -uid= -gid= -perm= -inum= -links= -samefile= -xtype= -type= -fstype= -maxdepth= -mindepth= \
         -regextype= -printf= -fprint= -fprint0= -fls= -exec; -execdir; -ok; -okdir;",
        "find . ! -name x ( -size +1k -o -empty ) -exec rm a ; -print",
        ": -name -size -o -empty -exec -print | .",
    ),
    row("csplit -fbn= --prefix= --suffix-format= --digits=", "csplit -f a b 1", ": -f | b 1"),
    row(
        "fd|fdfind -edtEcjS= --extension= --max-depth= --type= --exclude= --color= --threads= --size= --changed-within=",
        "fd -e o x a",
        ": -e | x a",
    ),
    row(
        "tar|gtar|bsdtar -fCbgHKLNTVX= --file= --directory= --files-from= --exclude-from= --exclude= --blocking-factor= --format= \
         -IF! --use-compress-program! --to-command! --info-script! --new-volume-script! --rsh-command! --rmt-command!",
        "tar -C a -xf b c",
        ": -C -x -f | c",
    ),
    row("unzip -dPx=", "unzip -q a -d b", ": -q -d | a"),
    row("zip -nit= --unzip-command!", "zip -r a b", ": -r | a b"),
    row(
        "rsync -fBMT= --filter= --exclude= --include= --exclude-from= --include-from= --files-from= -e! --rsh! --rsync-path!",
        "rsync -a --exclude x a b",
        ": -a --exclude | a b",
    ),
    row("cpio -CDEFHIMOR= --directory= --file= --format= --pattern-file=", "cpio -i -D a", ": -i -D |"),
    row(
        "patch -BdDFgiorVYz= --directory= --input= --output= --reject-file= --strip= --fuzz=",
        "patch -d a b",
        ": -d | b",
    ),
    row("split -abClnt= --suffix-length= --bytes= --lines= --number= --filter!", "split -l 5 a b", ": -l | a b"),
    // Text.
    row("sed|gsed -efl= --expression= --file= --line-length=", "sed -n -e p a", ": -n -e | a"),
    row("awk|gawk|mawk|nawk -Fvfi= --field-separator= --assign= --file=", "awk -F : 1 a", ": -F | 1 a"),
    row(
        "sort -kStTo= --key= --buffer-size= --field-separator= --temporary-directory= --output= --files0-from= --compress-program!",
        "sort -k 2 a",
        ": -k | a",
    ),
    row(
        "cut -dfcb= --delimiter= --fields= --characters= --bytes= --output-delimiter=",
        "cut -d : -f 1 a",
        ": -d -f | a",
    ),
    row("head|tail -nc= --lines= --bytes=", "head -n 3 a", ": -n | a"),
    row(
        "grep|egrep|fgrep|zgrep -efmABCdD= --regexp= --file= --max-count= --include= --exclude= --exclude-dir= --context= \
         --after-context= --before-context= --directories=",
        "grep -rn -e a b",
        ": -r -n -e | b",
    ),
    row(
        "rg -efgtTmABCjMr= --regexp= --file= --glob= --type= --type-not= --max-count= --context= --threads= --max-depth= --replace=",
        "rg -g *.rs a b",
        ": -g | a b",
    ),
    row(
        "jq --arg== --argjson== --slurpfile== --rawfile== --indent= --from-file= -fL=",
        "jq -r --arg a b .c d",
        ": -r --arg | .c d",
    ),
    row("xxd -csglo=", "xxd -l 8 a", ": -l | a"),
    row("hexdump|hd -nse=", "hexdump -C -n 8 a", ": -C -n | a"),
    row("od -AjNtSw= --format= --skip-bytes= --read-bytes=", "od -c -N 8 a", ": -c -N | a"),
    // The network.
    row(
        "curl -oXHdAuFTewbcKmxErCDYyzt= --output= --request= --header= --data= --user-agent= --user= --max-time= --retry= \
         --write-out= --cacert= --cert= --key= --proxy= --data-raw= --data-binary= --data-urlencode= --json= --form= --url= --cookie= \
         --cookie-jar= --connect-timeout= --upload-file= --referer= --range= --resolve= --config= --dump-header= --retry-delay= \
         --limit-rate= --output-dir=",
        "curl -sSo a -X POST u",
        ": -s -S -o -X | u",
    ),
    row(
        "wget|wget2 -OoaPUtTQwBiAR= --output-document= --output-file= --append-output= --directory-prefix= --user-agent= --header= \
         --timeout= --tries= --post-data= --post-file= --input-file= --user= --password=",
        "wget -qO a u",
        ": -q -O | u",
    ),
    row(
        "aria2c -dolijsxkUT= --dir= --out= --log= --input-file= --split= --header= --user-agent=",
        "aria2c -d a -o b u",
        ": -d -o | u",
    ),
    row(
        "axel -onsUHT= --output= --num-connections= --max-speed= --user-agent= --header= --timeout=",
        "axel -n 4 -o a u",
        ": -n -o | u",
    ),
    row("ssh -bcDEeFIiJLlmOopQRSWw=", "ssh -p 22 h ls", ": -p | h ls"),
    row("scp|sftp -cDFiJloPX= -S!", "scp -P 22 a h:b", ": -P | a h:b"),
    row("nc|ncat|netcat -espwXxiqIOTVb= --exec= --sh-exec= --source= --wait=", "nc -w 3 h 80", ": -w | h 80"),
    // What runs what it is told.
    row("script -IOBEmo= --log-in= --log-out= -c! --command!", "script -qc ls a", ": -q -c | a"),
    row("su -gGsw= --group= --supp-group= --shell= -c! --command! --session-command!", "su -c ls me", ": -c | me"),
    row("runuser -ugGsw= --user= --group= --shell= -c! --command! --session-command!", "runuser -c ls me", ": -c | me"),
    row("sg GROUP -c!", "sg a -c ls", ": -c | a"),
    row("gdb -psxd= --pid= --symbols= --command= --eval-command!", "gdb -p 1 a", ": -p | a"),
    row(
        "hyperfine LINES -wmMrsS= --warmup= --runs= --export-json= --export-markdown= --prepare! --setup! --cleanup!",
        "hyperfine -w 3 ls",
        ": -w | ls",
    ),
    row("concurrently LINES -nc= --names= --prefix-colors=", "concurrently -n a ls", ": -n | ls"),
    row("fzf --query= --filter= --preview! -qf= --bind=", "fzf -q a", ": -q |"),
    row("nix-shell -pIA= --packages= --attr= --run! --command!", "nix-shell -p a --run ls", ": -p --run |"),
    row("ansible COMMAND -mif= --module-name= --inventory= -a! --args!", "ansible all -m ping", "all: -m |"),
    row("entr -s!", "entr -r ls", ": -r | ls"),
    row("qemu-img COMMAND -fOoST= --object= --format= --output=", "qemu-img convert -O raw a b", "convert: -O | a b"),
    row("asciinema COMMAND -tie= --title= -c! --command!", "asciinema rec -c ls a", "rec: -c | a"),
    row("ttyrec -e!", "ttyrec -e ls a", ": -e | a"),
    row("sbatch -Jopnt= --job-name= --output= --wrap!", "sbatch --wrap ls", ": --wrap |"),
    row("bat|batcat -lHr= --language= --theme= --pager!", "bat -l c a", ": -l | a"),
    row("watchmedo COMMAND -p= --patterns= -c! --command!", "watchmedo shell-command -c ls a", "shell-command: -c | a"),
    row("watchman-make -pt= --run!", "watchman-make --run ls", ": --run |"),
    row("chokidar -c! --command!", "chokidar a -c ls", ": -c | a"),
    row("openvpn --config= --up! --down! --route-up!", "openvpn --config a", ": --config |"),
    row("bpftrace -pe= -c!", "bpftrace -c ls a", ": -c | a"),
    row("sshfs -opF= --ssh_command!", "sshfs -p 22 h:a b", ": -p | h:a b"),
    row("pee|mispipe LINES", "pee ls", ": | ls"),
    row("sk -q= --query= --preview!", "sk -q a", ": -q |"),
    row("termtosvg -g= -c!", "termtosvg -c ls", ": -c |"),
    row("svg-term --command! --cast=", "svg-term --cast 1", ": --cast |"),
    row("man -P! --pager! -MSsL= --manpath= --sections=", "man -P cat ls", ": -P | ls"),
    row("crontab -u=", "crontab -u me -l", ": -u -l |"),
    // Processes and others.
    row(
        "pkill|pgrep|killall -uUGtPgFsr= --euid= --uid= --group= --terminal= --parent= --pgroup= --signal= --user=",
        "pkill -u me x",
        ": -u | x",
    ),
    row("kill -sn= --signal=", "kill -s 9 1", ": -s | 1"),
    row(
        "openssl COMMAND -WORD -in= -out= -key= -keyout= -pass= -passin= -passout= -k= -days= -subj= -config=",
        "openssl enc -d -in a -k b",
        "enc: -d -in -k |",
    ),
    row("java -WORD -cp= -classpath= -jar= -p= -m=", "java -cp a -Xmx1g B c", ": -cp -Xmx1g | B c"),
    row("ffmpeg|ffprobe -WORD -i= -f= -ss= -t= -to= -c:v= -c:a= -vf= -af=", "ffmpeg -y -i a b", ": -y -i | b"),
    row("convert|magick|xcodebuild|expr|test|[ -WORD", "convert a -resize b", ": -resize | a b"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::options::shape;

    fn told(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let shape = shape(&words[0], &words[1..]);
        let (options, rest) = (shape.options.join(" "), shape.rest().join(" "));
        let words = [&format!("{}:", shape.subcommand), options.as_str(), "|", rest.as_str()];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_row_sorts_the_words_of_its_example() {
        let mut wrong = String::new();
        for Row { usage, example: (line, roles) } in ROWS {
            if told(line) != *roles {
                wrong.push_str(&format!("{line}: {roles}, but is {}\n", told(line)));
            }
            let names = usage.split(' ').next().expect("a name");
            assert!(names.split('|').any(|name| line.split(' ').next() == Some(name)), "{line}");
        }
        assert!(wrong.is_empty(), "{wrong}");
    }

    #[test]
    fn a_program_and_a_subcommand_have_one_row() {
        let keys = |usage: &'static str| {
            let mut parts = usage.split_ascii_whitespace();
            let names = parts.next().unwrap_or_default();
            let first = parts.next().filter(|part| part.starts_with(|c: char| c.is_ascii_lowercase())).unwrap_or("");
            names.split('|').flat_map(move |name| first.split('|').map(move |one| (name, one))).collect::<Vec<_>>()
        };
        let all: Vec<_> = ROWS.iter().flat_map(|row| keys(row.usage)).collect();
        for (at, key) in all.iter().enumerate() {
            assert!(!all[..at].contains(key), "{key:?}");
        }
    }

    #[test]
    fn values_that_are_run_are_known() {
        assert_eq!(Usage::of("tar").running().0, "IF");
        assert_eq!(Usage::of("nix-shell").running().1, ["run", "command"]);
        assert!(Usage::of("hyperfine").lines && !Usage::of("tar").lines);
    }
}
