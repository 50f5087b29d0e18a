//! The reader as a whole, by examples.

use super::*;

fn commands(line: &str) -> Vec<Command> {
    analyse(line, World { home: "/home/me", cwd: "/work" }).commands
}

fn texts(line: &str) -> Vec<String> {
    commands(line).iter().map(|command| command.text().to_owned()).collect()
}

#[test]
fn every_command_of_a_line_is_found() {
    assert_eq!(texts("a 1; b && c || d | e & f\ng"), ["a 1", "b", "c", "d", "e", "f", "g"]);
    assert_eq!(texts("( a; { b; } )"), ["a", "b"]);
    assert_eq!(texts("if a; then b; elif c; then d; else e; fi"), ["a", "b", "c", "d", "e"]);
    assert_eq!(texts("while a; do b; done < <(c)"), ["c", "", "a", "b"]);
    assert_eq!(texts("case x in x|y) a;; *) b;& z) c;; esac"), ["a", "b", "c"]);
    assert_eq!(texts("f() { a; }; function g { b; }"), ["a", "b"]);
    assert_eq!(texts("echo $(a) `b` \"$(c \"$(d)\")\" <(e)").len(), 6);
}
