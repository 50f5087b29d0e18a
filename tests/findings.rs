//! What looks like one of the mistakes that are told, and is right: none of it may be blamed.

use crate::support::{hookgen, project};

const RIGHT: &str = r#"catalog: right
version: 1.0.0
description: Looks wrong and is right.
platforms: [linux, macos, windows]
data:
  names: [git, rm]
  tools: [Bash, Edit]
hooks:
  - id: R01
    name: guard-lines
    event: PreToolUse
    matcher: Bash|Monitor
    if: Bash(git *)
    timeout: 10s
    fail_safe: closed
    why: What is lost cannot be had again.
    let:
      line: tool_input.command.commands()
      searches: line.filter(c, c.name == 'find')
      # Words behind one dash are options of find; a path is no name, but a program; chmod has operands.
      found: searches.exists(c, c.hasAny(['-delete', '-exec']) || '-delete' in c.options)
      by_path: line.exists(c, c.program == '/bin/rm' || c.name in data.names && c.hasAny(['-r', '--force']))
      by_word: line.exists(c, c.name == 'chmod' && c.subcommand == '' && 'clean' in c.operands)
      either: line.exists(c, c.name == 'rm' && c.operands.size() > 3 || c.subcommand == 'push')
      shortened: tool_input.command.replacePattern('^(sudo) +(?<rest>.*)', '${rest} $1 $$1')
      parts: tool_input.command.split('|').size() + tool_input.command.split(' ').size()
      half: parts / 2 + parts % 3
      planning: permission_mode in ['plan', 'default'] && tool_name in data.tools
    checks:
      - id: removal
        when: found || by_path || by_word || either || half > 5000 || planning && shortened == 'x'
        deny: >-
          `rm -rf x` is not for you, do not use `git push --force`, and $HOME costs $5. Use `ls x` or run `git status -s`.
    cases:
      - name: a removal is refused
        input: { tool_name: Bash, tool_input: { command: find . -delete } }
        expect: { decision: deny }
      - name: a look passes
        given: { files: { a/../b: x, $HOME/.x: y }, home_files: { .y: z } }
        input: { tool_name: Bash, tool_input: { command: ls } }
        expect: { decision: pass }
  - id: R02
    name: guard-powershell
    event: PreToolUse
    matcher: PowerShell
    timeout: 10s
    fail_safe: closed
    why: The same for the other shell.
    let:
      looked: query(['git', 'status'], 9).ok
    checks:
      - id: removal
        when: tool_input.command.contains('Remove-Item') && (looked || cwd != '')
        deny: A person removes.
    cases:
      - name: a removal is refused
        input: { tool_name: PowerShell, tool_input: { command: Remove-Item x } }
        expect: { decision: deny }
      - name: a look passes
        input: { tool_name: PowerShell, tool_input: { command: Get-Item x } }
        expect: { decision: pass }
  - id: R03
    name: guard-files
    event: PreToolUse
    matcher: Edit|Write
    timeout: 3s
    fail_safe: closed
    why: Generated files are made anew.
    checks:
      - id: made
        when: >-
          tool_input.file_path.endsWith('generated/x') || tool_input.file_path.startsWith('/etc/')
          || tool_input.file_path.basename() == 'lock' || tool_input.file_path.matches('(^|/)made/')
          || tool_name == 'Write' && tool_input.file_path == ''
        remember: "made ${tool_input.file_path}"
        note: { last: "${tool_input.file_path}" }
        deny: Made anew.
    cases:
      - name: a made file is kept
        input: { tool_name: Edit, tool_input: { file_path: $PROJECT/made/x } }
        expect: { decision: deny }
      - name: another one is not
        input: { tool_name: Edit, tool_input: { file_path: $PROJECT/x } }
        expect: { decision: pass }
  - id: R04
    name: finish-work
    event: Stop
    timeout: 3s
    fail_safe: open
    why: Work was left half done.
    let:
      before: remembered('made ' + cwd) || noted('last') != ''
    checks:
      - id: once
        when: last_assistant_message.contains('TODO') && !before
        block: Go on.
    cases:
      - name: open work goes on
        input: { last_assistant_message: TODO }
        expect: { decision: deny }
      - name: finished work ends
        input: { last_assistant_message: Done }
        expect: { decision: pass }
  - id: R05
    name: tell-start
    event: SessionStart
    matcher: startup|resume
    timeout: 3s
    fail_safe: open
    why: Rules are forgotten.
    checks:
      - id: told
        when: source == 'resume'
        inject: Read the rules again.
    cases:
      - name: a resumed session is told
        input: { source: resume }
        expect: { decision: pass, model: [again] }
      - name: a new one is not
        input: { source: startup }
        expect: { decision: pass, quiet: true }
"#;

#[test]
fn look_alikes_are_not_blamed() {
    let folder = project(&[("specs/right.yaml", RIGHT)]);
    let run = hookgen(folder.path(), ["check", "--json", "right"]);
    let found: Vec<_> = run.json_lines().into_iter().filter(|line| line.get("code").is_some()).collect();
    assert_eq!(found, Vec::<serde_json::Value>::new());
    hookgen(folder.path(), ["test", "right"]).exits(0);
}

#[test]
fn every_mistake_of_a_kind_is_found() {
    let wrong = [
        ("c.program == '/bin/rm'", "c.name == '/bin/rm'", "HG512"),
        ("c.hasAny(['-r', '--force'])", "c.hasAny(['force'])", "HG512"),
        ("c.hasAny(['-r', '--force'])", "c.hasAny(['-rf'])", "HG512"),
        ("c.hasAny(['-r', '--force'])", "'-rf' in c.options", "HG512"),
        ("c.hasAny(['-r', '--force'])", "c.options.exists(o, o == '--mode=x')", "HG512"),
        ("remembered('made '", "remembered('maid '", "HG513"),
        ("noted('last')", "noted('lost')", "HG513"),
        ("${rest} $1", "$1name", "HG514"),
        ("${rest} $1", "$9", "HG514"),
        ("c.subcommand == ''", "c.subcommand == 'clean'", "HG515"),
        ("if: Bash(git *)", "if: Edit(*)", "HG516"),
        ("tool_name == 'Write'", "tool_name == 'Read'", "HG517"),
        ("source == 'resume'", "source == 'start'", "HG518"),
        ("['plan', 'default']", "['yolo']", "HG518"),
        ("&& !before", "&& cwd != ''", "HG519"),
        ("'status'], 9)", "'status'], 90)", "HG520"),
        ("half > 5000", "half > 5000 && pause(20000)", "HG520"),
        ("parts % 3", "parts % 0", "HG522"),
        ("endsWith('generated/x')", "startsWith('generated/x')", "HG523"),
        ("split(' ')", "split('\\\\s+')", "HG524"),
        ("matcher: PowerShell", "matcher: Monitor", "HG525"),
        ("a/../b: x", "../../b: x", "HG526"),
        ("run `git status -s`", "run `git push x`", "HG527"),
        ("costs $5", "costs $tool_input.command", "HG507"),
    ];
    let mut missed = Vec::new();
    for (right, other, code) in wrong {
        assert!(RIGHT.contains(right), "{right}");
        let folder = project(&[("specs/right.yaml", RIGHT.replace(right, other))]);
        let run = hookgen(folder.path(), ["check", "--json", "right"]);
        if !run.json_lines().iter().any(|line| line.get("code").is_some_and(|found| found == code)) {
            missed.push((other, code, run.stdout));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
