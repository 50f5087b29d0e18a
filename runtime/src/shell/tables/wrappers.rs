//! Programs that run another command: a row each, as a line of usage, and an example that is tested.
//!
//! A line of usage says where the program's own words end: its name, the subcommands that run something (`run|exec`),
//! options that take a value (`-n=`, several letters at once; `--name=`), words of its own in capitals, and, where the
//! command stands behind a certain option or word, that one at the end (`… -c|--command`). What follows is the command.
//! Catalogs declare their own wrappers in the same form.

use super::usage::Usage;

/// What a wrapper does with the words of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Runs {
    /// Runs them as they are.
    Words,
    /// Joins them and gives them to a shell.
    Line,
    /// Runs them, or starts a shell where there are none.
    WordsOrShell,
    /// Joins them for a shell, or starts one where there are none.
    LineOrShell,
    /// Runs them, if they are one word with blanks as a line.
    Either,
}

#[derive(Debug)]
pub(in crate::shell) struct Wrapper {
    pub(in crate::shell) usage: &'static str,
    pub(in crate::shell) runs: Runs,
    /// A line, and the command in it.
    #[cfg_attr(not(test), expect(dead_code, reason = "for whoever reads the table, and for its test"))]
    example: (&'static str, &'static str),
}

/// The rows of that program.
pub(in crate::shell) fn named(name: &str) -> impl Iterator<Item = &'static Wrapper> {
    WRAPPERS.iter().filter(move |wrapper| Usage::is_of(wrapper.usage, name))
}

const fn words(usage: &'static str, example: (&'static str, &'static str)) -> Wrapper {
    Wrapper { usage, runs: Runs::Words, example }
}

const fn line(usage: &'static str, example: (&'static str, &'static str)) -> Wrapper {
    Wrapper { usage, runs: Runs::Line, example }
}

const fn either(usage: &'static str, example: (&'static str, &'static str)) -> Wrapper {
    Wrapper { usage, runs: Runs::Either, example }
}

/// One that starts a shell unless it is told what else.
const fn shell(usage: &'static str, example: (&'static str, &'static str)) -> Wrapper {
    Wrapper { usage, runs: Runs::WordsOrShell, example }
}

const WRAPPERS: &[Wrapper] = &[
    // Other users and other rights.
    words(
        "sudo -ugpChTRDrtU= --user= --group= --prompt= --close-from= --host= --chdir= --chroot= --role= --type= --other-user=",
        ("sudo -u me ls a", "ls a"),
    ),
    words("doas -uC=", ("doas -u me ls", "ls")),
    words("pkexec --user=", ("pkexec --user me ls", "ls")),
    shell(
        "runuser -ugGcsw= --user= --group= --supp-group= --command= --session-command= --shell=",
        ("runuser -u me ls", "ls"),
    ),
    words("setpriv --reuid= --regid= --groups=", ("setpriv --reuid 1 ls", "ls")),
    words("su-exec USER", ("su-exec me ls", "ls")),
    words("gosu USER", ("gosu me ls", "ls")),
    words("fakeroot -lsib=", ("fakeroot -i f ls", "ls")),
    // The same machine, seen differently.
    shell("chroot --userspec= --groups= ROOT", ("chroot /mnt ls", "ls")),
    shell(
        "unshare -RGSw= --root= --wd= --setuid= --setgid= --map-user= --map-group= --propagation=",
        ("unshare -r ls", "ls"),
    ),
    shell("nsenter -tSGrw= --target= --setuid= --setgid= --wd= --root=", ("nsenter -t 1 ls", "ls")),
    words("proot -rbwqik= --rootfs= --bind= --cwd=", ("proot -r / ls", "ls")),
    words("firejail", ("firejail --net=none ls", "ls")),
    words("bwrap --bind= --ro-bind= --dev= --proc= --tmpfs= --chdir= --setenv=", ("bwrap --dev /dev ls", "ls")),
    words("arch -d=", ("arch -arm64 ls", "ls")),
    words("setarch ARCH", ("setarch x86_64 ls", "ls")),
    words("linux32", ("linux32 ls", "ls")),
    words("linux64", ("linux64 ls", "ls")),
    // Time, priority and resources.
    words("timeout -sk= --signal= --kill-after= DURATION", ("timeout -s 9 5 ls", "ls")),
    words("gtimeout -sk= --signal= --kill-after= DURATION", ("gtimeout 5 ls", "ls")),
    words("nice -n= --adjustment=", ("nice -n 5 ls", "ls")),
    words("ionice -cnpPu= --class= --classdata= --pid=", ("ionice -c 3 ls", "ls")),
    words("chrt -TPD= PRIORITY", ("chrt -f 10 ls", "ls")),
    words("taskset MASK", ("taskset 1 ls", "ls")),
    words("numactl -CNmip= --cpunodebind= --membind= --physcpubind=", ("numactl -N 0 ls", "ls")),
    words("prlimit", ("prlimit --nofile=10 ls", "ls")),
    words("cpulimit -lpe= --limit=", ("cpulimit -l 50 ls", "ls")),
    words("softlimit -admsfortc=", ("softlimit -m 1 ls", "ls")),
    words("cgexec -g=", ("cgexec -g cpu:a ls", "ls")),
    words("caffeinate -tw=", ("caffeinate -t 5 ls", "ls")),
    words("faketime -f= TIME", ("faketime yesterday ls", "ls")),
    // How it is started, and what becomes of its output.
    words("nohup", ("nohup ls", "ls")),
    words("setsid", ("setsid -f ls", "ls")),
    words("daemonize -acelopu=", ("daemonize -c / ls", "ls")),
    words("stdbuf -ioe= --input= --output= --error=", ("stdbuf -o L ls", "ls")),
    words("unbuffer", ("unbuffer ls", "ls")),
    words(
        "script -cEIoBOTmt= --command= --log-in= --log-out= --log-io= --log-timing= FILE",
        ("script -q /dev/null ls", "ls"),
    ),
    words("time -fo= --format= --output=", ("/usr/bin/time -o t ls", "ls")),
    words("gtime -fo= --format= --output=", ("gtime -v ls", "ls")),
    words("command", ("command -p ls", "ls")),
    words("builtin", ("builtin cd a", "cd a")),
    words("exec -a=", ("exec -a x ls", "ls")),
    words("noglob", ("noglob ls", "ls")),
    words("nocorrect", ("nocorrect ls", "ls")),
    words("chronic", ("chronic -v ls", "ls")),
    words("ifne", ("ifne -n ls", "ls")),
    words("logsave LOG", ("logsave log ls", "ls")),
    words("catchsegv", ("catchsegv ls", "ls")),
    words("rlwrap -bcCfHgjlmpPqsSwWzA=", ("rlwrap -f x ls", "ls")),
    words("entr", ("entr -r ls", "ls")),
    either(
        "watchexec -wexfis= --watch= --exts= --shell= --filter= --ignore= --signal=",
        ("watchexec -w src ls a", "ls a"),
    ),
    line("watch -nq= --interval=", ("watch -n 1 'ls a'", "ls a")),
    line("viddy -nq= --interval=", ("viddy -n 1 'ls a'", "ls a")),
    line("hwatch -nq= --interval=", ("hwatch 'ls a'", "ls a")),
    either("pueue add -gwdl= --group= --working-directory= --delay= --label=", ("pueue add 'ls a'", "ls a")),
    either("bsub -qJoenRW=", ("bsub -q a 'ls a'", "ls a")),
    either("condor_run", ("condor_run 'ls a'", "ls a")),
    either("oarsub -lqt=", ("oarsub 'ls a'", "ls a")),
    either("gksudo -u= --user=", ("gksudo 'ls a'", "ls a")),
    either("kdesudo -u=", ("kdesudo 'ls a'", "ls a")),
    either("kdesu -u= … -c", ("kdesu -c 'ls a'", "ls a")),
    either("capsh … -c", ("capsh -- -c 'ls a'", "ls a")),
    either("execlineb … -c", ("execlineb -c 'ls a'", "ls a")),
    words("sem -j= --id= --jobs=", ("sem -j 2 ls", "ls")),
    words("abduco -aAcne=", ("abduco -n s ls", "ls")),
    words("dtach -er= SOCKET", ("dtach -n s ls", "ls")),
    words("ssh-agent -taPE=", ("ssh-agent -t 5 ls", "ls")),
    words("dbus-run-session --config-file=", ("dbus-run-session -- ls", "ls")),
    words("dbus-launch", ("dbus-launch --exit-with-session ls", "ls")),
    words("xvfb-run -enps= --server-num= --server-args=", ("xvfb-run -s a ls", "ls")),
    words(
        "systemd-run -pEuMHt= --property= --setenv= --unit= --uid= --gid= --slice= --machine= --host= --description=",
        ("systemd-run --unit a ls", "ls"),
    ),
    words("systemd-inhibit", ("systemd-inhibit --what=idle ls", "ls")),
    words("launchctl submit -lpoe= --", ("launchctl submit -l x -- ls", "ls")),
    words("proxychains -f=", ("proxychains -f c ls", "ls")),
    words("proxychains4 -f=", ("proxychains4 ls", "ls")),
    words("torsocks", ("torsocks ls", "ls")),
    words("torify", ("torify ls", "ls")),
    words("busybox", ("busybox ls", "ls")),
    words("lvm", ("lvm ls", "ls")),
    words("toybox", ("toybox ls", "ls")),
    either("xterm … -e", ("xterm -T a -e 'ls a'", "ls a")),
    either("uxterm … -e", ("uxterm -e 'ls a'", "ls a")),
    either("xfce4-terminal … -e|-x|--command", ("xfce4-terminal -e 'ls a'", "ls a")),
    either("lxterminal … -e|--command", ("lxterminal -e 'ls a'", "ls a")),
    either("tilix … -e|--command", ("tilix -e 'ls a'", "ls a")),
    either("terminator … -e|-x|--command", ("terminator -x ls a", "ls a")),
    either("x-terminal-emulator … -e", ("x-terminal-emulator -e 'ls a'", "ls a")),
    either("byobu new-session|new -sd=", ("byobu new 'ls a'", "ls a")),
    either("hyprctl dispatch EXEC", ("hyprctl dispatch exec 'ls a'", "ls a")),
    either("konsole … -e", ("konsole -e ls a", "ls a")),
    either("gnome-terminal … --|-e|-x", ("gnome-terminal -- ls a", "ls a")),
    either("alacritty … -e|--command", ("alacritty -e ls", "ls")),
    either("i3-msg exec", ("i3-msg exec 'ls a'", "ls a")),
    either("swaymsg exec", ("swaymsg exec ls", "ls")),
    // What looks at how it runs.
    words(
        "strace -abeEIoOpPsSuUX= --trace= --output= --attach= --user= --string-limit= --env=",
        ("strace -o f ls", "ls"),
    ),
    words("ltrace -aeFlnopsuwx= --output=", ("ltrace -o f ls", "ls")),
    words("valgrind", ("valgrind -q ls", "ls")),
    words("perf stat|record|trace -eorpCtI= --event= --output=", ("perf stat -e x ls", "ls")),
    words("gdb … --args", ("gdb -batch --args ls a", "ls a")),
    words("heaptrack -o=", ("heaptrack ls", "ls")),
    words("coverage run -m= --source=", ("coverage run ls", "ls")),
    // Environments of languages and tools.
    words("env -uCSP= --unset= --chdir= --split-string= --argv0=", ("env -u A B=1 ls", "ls")),
    words(
        "uv run -p= --python= --extra= --group= --with= --with-editable= --with-requirements= --package= --project= --directory= --env-file= --index= --index-url= --cache-dir=",
        ("uv run --extra dev ls", "ls"),
    ),
    words("poetry run -CP= --directory= --project=", ("poetry run ls", "ls")),
    words("pipenv run", ("pipenv run ls", "ls")),
    words("pdm run -p= --project=", ("pdm run ls", "ls")),
    words("hatch run", ("hatch run ls", "ls")),
    words("rye run", ("rye run ls", "ls")),
    words("pixi exec -s= --spec=", ("pixi exec ls", "ls")),
    words("pixi run -e= --environment= --manifest-path=", ("pixi run -e a ls", "ls")),
    words("conda run -np= --name= --prefix= --cwd=", ("conda run -n x ls", "ls")),
    words("mamba run -np= --name= --prefix= --cwd=", ("mamba run -n base ls", "ls")),
    words("micromamba run -np= --name= --prefix= --cwd=", ("micromamba run -n a ls", "ls")),
    words("pyenv exec", ("pyenv exec ls", "ls")),
    words("rbenv exec", ("rbenv exec ls", "ls")),
    words("nodenv exec", ("nodenv exec ls", "ls")),
    words("rvm do|exec", ("rvm do ls", "ls")),
    words("rvm VERSION do", ("rvm 3.3 do ls", "ls")),
    words("bundle exec", ("bundle exec ls", "ls")),
    words("direnv exec DIR", ("direnv exec . ls", "ls")),
    words("mise exec|x -Cj= … --", ("mise exec node@20 -- ls", "ls")),
    words("asdf exec", ("asdf exec ls", "ls")),
    words("volta run --node= --npm=", ("volta run --node 20 ls", "ls")),
    words("fnm exec --using=", ("fnm exec --using 20 ls", "ls")),
    words("nvm exec|run VERSION", ("nvm exec 20 ls", "ls")),
    words("opam exec", ("opam exec -- ls", "ls")),
    words("stack exec", ("stack exec -- ls", "ls")),
    words("cabal exec", ("cabal exec -- ls", "ls")),
    words("guix shell|environment … --", ("guix shell a -- ls", "ls")),
    words("nix shell|develop|run … -c|--command", ("nix develop -c ls", "ls")),
    words("nix run … --", ("nix run nixpkgs#coreutils -- ls", "ls")),
    words("devbox run", ("devbox run -- ls", "ls")),
    words("flox activate … --", ("flox activate -- ls", "ls")),
    words("lerna exec", ("lerna exec -- ls", "ls")),
    words("pnpm exec|dlx -CF= --dir= --filter= --package=", ("pnpm exec ls", "ls")),
    words("yarn exec|dlx -p= --cwd= --package=", ("yarn dlx ls", "ls")),
    words("npx -pw= --package= --workspace=", ("npx -y ls", "ls")),
    words("bunx -p= --package=", ("bunx ls", "ls")),
    words("bun x -p= --package=", ("bun x ls", "ls")),
    words("npm exec|x -pwc= --package= --workspace= --call=", ("npm exec -- ls", "ls")),
    words("pipx run --spec= --python=", ("pipx run --spec a ls", "ls")),
    words("uvx -p= --python= --from= --with=", ("uvx --from a ls", "ls")),
    words("dotenv -ef= run", ("dotenv run -- ls", "ls")),
    words("dotenv -ef=", ("dotenv -e .env -- ls", "ls")),
    words("dotenvx run -f= --env-file=", ("dotenvx run -- ls", "ls")),
    words("cross-env", ("cross-env A=1 ls", "ls")),
    words("cross-env-shell", ("cross-env-shell A=1 ls", "ls")),
    words("env-cmd -fe= --file= --environments=", ("env-cmd -f a ls", "ls")),
    words("envdir DIR", ("envdir d ls", "ls")),
    words("envchain NAME", ("envchain x ls", "ls")),
    words("foreman run -ef= --env= --procfile=", ("foreman run ls", "ls")),
    words("doppler run -pc= --project= --config=", ("doppler run -- ls", "ls")),
    words("teller run … --", ("teller run -- ls", "ls")),
    words("chamber exec … --", ("chamber exec s -- ls", "ls")),
    words("aws-vault exec -dn= --duration= PROFILE", ("aws-vault exec p -- ls", "ls")),
    words("op run --env-file=", ("op run -- ls", "ls")),
    words("vault agent … --", ("vault agent -- ls", "ls")),
    words("infisical run --env= --path= --projectId=", ("infisical run -- ls", "ls")),
    either("sops exec-env|exec-file FILE", ("sops exec-env f 'ls a'", "ls a")),
    words("railway run -se= --service= --environment=", ("railway run ls", "ls")),
    words("heroku local:run -ef=", ("heroku local:run ls", "ls")),
    words("rush-pnpm exec", ("rush-pnpm exec ls", "ls")),
    words("turbo exec", ("turbo exec ls", "ls")),
    words("shx", ("shx ls", "ls")),
    either("nodemon -wexdi= --watch= --ext= --delay= … -x|--exec", ("nodemon -x 'ls a'", "ls a")),
    words("deno run -c= --config= --import-map=", ("deno run -A npm:ls", "ls")),
    words("ccache", ("ccache ls", "ls")),
    words("distcc", ("distcc ls", "ls")),
    words("bear … --", ("bear -- ls", "ls")),
    words("scan-build -o=", ("scan-build ls", "ls")),
    words("retry -td= --times= --delay=", ("retry -t 3 ls", "ls")),
    either("parallel-ssh -Hhlp= --host= --hosts= --user=", ("parallel-ssh -H h ls", "ls")),
    either("pssh -Hhlp= --host= --hosts= --user=", ("pssh -H h ls", "ls")),
    // Other machines.
    Wrapper {
        usage: "ssh -bcDEeFIiJLlmOopQRSWwB= HOST",
        runs: Runs::LineOrShell,
        example: ("ssh -p 22 h 'ls a'", "ls a"),
    },
    Wrapper { usage: "rsh -ln= HOST", runs: Runs::LineOrShell, example: ("rsh h ls", "ls") },
    words("mosh --ssh= --port= --server= HOST", ("mosh h -- ls", "ls")),
    words("sshpass -pfde=", ("sshpass -p x ls", "ls")),
    line("autossh -MbcDEeFIiJLlmOopQRSWw= HOST", ("autossh -M 0 h 'ls a'", "ls a")),
    line("pdsh -wxgltu= ", ("pdsh -w h 'ls a'", "ls a")),
    line("clush -wxgl= ", ("clush -w h ls a", "ls a")),
    line("fab -HRi= … --", ("fab -H h -- 'ls a'", "ls a")),
    line("salt-call -cl= cmd.run|cmd.shell", ("salt-call --local cmd.run 'ls a'", "ls a")),
    line("salt-ssh … -r|--raw", ("salt-ssh x -r 'ls a'", "ls a")),
    line("adb shell", ("adb shell 'ls a'", "ls a")),
    line("heroku run -asr= --app= --size=", ("heroku run 'ls a'", "ls a")),
    line("vagrant ssh … -c|--command", ("vagrant ssh -c 'ls a'", "ls a")),
    line("fly ssh console … -C|--command", ("fly ssh console -C 'ls a'", "ls a")),
    line("flyctl ssh console … -C|--command", ("flyctl ssh console -C 'ls a'", "ls a")),
    line("et HOST … -c", ("et h -c 'ls a'", "ls a")),
    words("buildah unshare", ("buildah unshare ls", "ls")),
    words("launchctl asuser UID", ("launchctl asuser 501 ls", "ls")),
    line("salt -GELNCI= TARGET cmd.run|cmd.shell", ("salt x cmd.run 'ls a'", "ls a")),
    line("dsh -mg= … --", ("dsh -m h -- 'ls a'", "ls a")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{World, analyse};

    #[test]
    fn every_row_runs_what_its_example_says() {
        let mut wrong = Vec::new();
        for wrapper in WRAPPERS {
            let (line, inner) = wrapper.example;
            let commands = analyse(line, World::default()).commands;
            let name = wrapper.usage.split(' ').next();
            if commands.first().map(crate::shell::Command::name) != name
                || commands.get(1).map(crate::shell::Command::text) != Some(inner)
            {
                let found: Vec<&str> = commands.iter().map(crate::shell::Command::text).collect();
                wrong.push((line, inner, found.join(" ; ")));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
