use std::thread;

use lsp_server::RequestId;

use super::*;

const URI: &str = "file:///p/specs/demo.yaml";

const CATALOG: &str = "catalog: demo
version: 1.0.0
description: A démo.
flags:
  strict: { description: How strict. }
data:
  words: [secret, token]
hooks:
  - id: H1
    name: looks
    event: PreToolUse
    matcher: Bash
    timeout: 3s
    fail_safe: closed
    flag: strict
    why: Something is decided.
    let:
      found: data.words.filter(word, tool_input.command.contains(word))
    checks:
      - id: words
        when: size(found) > 0 && tool_input.command.commands().exists(c, c.name == 'git')
        deny: \"It holds ${found.join(', ')} and ${tool_input.command}.\"
    cases:
      - name: a secret is refused
        input: { tool_name: Bash, tool_input: { command: git secret } }
        expect: { decision: deny }
";

/// An editor: it says what it wants and hears what comes back.
struct Editor {
    connection: Connection,
    next: i32,
    published: Vec<Value>,
}

impl Editor {
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(Message::Request(request)).expect("a server");
        loop {
            match self.connection.receiver.recv().expect("an answer") {
                Message::Response(response) if response.id == id => {
                    return serde_json::to_value(&response).expect("JSON")["result"].clone();
                }
                Message::Notification(notification) => self.published.push(notification.params),
                _ => {}
            }
        }
    }

    fn tell(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(Message::Notification(notification)).expect("a server");
    }

    fn write(&mut self, text: &str) {
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [{ "text": text }] }),
        );
    }

    /// Asks about a place: the end of a piece of the text.
    fn at(&mut self, method: &str, text: &str, piece: &str) -> Value {
        let offset = text.find(piece).unwrap_or_else(|| panic!("no {piece}")) + piece.len();
        let params = json!({ "textDocument": { "uri": URI }, "position": Units::Utf16.position(text, offset), "newName": "renamed" });
        self.ask(method, params)
    }
}

fn session(steps: impl FnOnce(&mut Editor) + Send) {
    let (server, client) = Connection::memory();
    thread::scope(|scope| {
        scope.spawn(move || {
            let ran = |part: &Part, filter: &str| Ok(format!("ran {filter} of {}", part.root.join(&part.main)));
            converse(&server, &ran).expect("a conversation");
        });
        let mut editor = Editor { connection: client, next: 0, published: Vec::new() };
        let hello = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(hello["capabilities"]["positionEncoding"], "utf-16");
        editor.tell("initialized", json!({}));
        editor.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": URI, "languageId": "yaml", "version": 1, "text": CATALOG } }),
        );
        steps(&mut editor);
        editor.ask("shutdown", Value::Null);
        editor.tell("exit", Value::Null);
    });
}

fn labels(answer: &Value) -> Vec<&str> {
    answer["items"]
        .as_array()
        .map(|items| items.iter().filter_map(|item| item["label"].as_str()).collect())
        .unwrap_or_default()
}

#[test]
fn a_wrong_field_is_underlined_where_it_stands_and_mended_by_its_help() {
    session(|editor| {
        let text = CATALOG.replace("tool_input.command.contains", "tool_input.comand.contains");
        editor.write(&text);
        let place = text.find("comand").expect("there");
        let range = Units::Utf16.range(&text, place..place + "comand".len());
        let actions = editor.ask(
            "textDocument/codeAction",
            json!({ "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } }),
        );
        let last = editor.published.last().expect("diagnostics").clone();
        let found = last["diagnostics"].as_array().expect("a list").iter().find(|one| one["code"] == "HG302").cloned();
        assert_eq!(found.expect("the field")["range"], range, "{last}");
        assert_eq!(actions[0]["edit"]["changes"][URI][0], json!({ "range": range, "newText": "command" }), "{actions}");
        // With the mistake gone, so is the line under it.
        editor.write(CATALOG);
        editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
        let last = editor.published.last().expect("diagnostics");
        assert!(last["diagnostics"].as_array().is_some_and(|all| all.iter().all(|one| one["severity"] != 1)), "{last}");
    });
}

#[test]
fn hover_tells_types_and_what_functions_do() {
    session(|editor| {
        for (piece, told) in [
            ("word, tool_input.comm", "tool_input.command: string"),
            ("size(fou", "found: list<string>"),
            ("c, c.na", "c.name: string"),
            ("command.comma", "The commands of a shell line"),
            ("${tool_input.comm", "tool_input.command: string"),
        ] {
            let answer = editor.at("textDocument/hover", CATALOG, piece);
            let text = answer["contents"]["value"].as_str().unwrap_or_default().to_owned();
            let told = if told.starts_with("The commands") { "commands()" } else { told };
            assert!(text.contains(told), "{piece}: {answer}");
        }
    });
}

#[test]
fn completion_knows_fields_functions_and_names_while_the_expression_is_broken() {
    session(|editor| {
        let typed = CATALOG.replace(
            "when: size(found) > 0 && tool_input.command.commands().exists(c, c.name == 'git')",
            "when: size(found) > 0 && tool_input.",
        );
        editor.write(&typed);
        let answer = editor.at("textDocument/completion", &typed, "&& tool_input.");
        assert!(labels(&answer).contains(&"command") && labels(&answer).contains(&"timeout"), "{answer}");
        assert!(!labels(&answer).contains(&"file_path"), "{answer}");
        for (instead, wanted) in [
            ("data.", vec!["words"]),
            ("found.", vec!["exists", "join"]),
            ("tool_input.command.", vec!["matches", "commands"]),
            ("tool_input.command.commands().exists(c, c.", vec!["name", "args", "hasAny"]),
            ("fo", vec!["found", "tool_name", "data", "git", "fileExists"]),
            ("git.", vec!["branch", "root"]),
        ] {
            let typed = CATALOG.replace(
                "when: size(found) > 0 && tool_input.command.commands().exists(c, c.name == 'git')",
                &format!("when: size(found) > 0 && {instead}"),
            );
            editor.write(&typed);
            let answer = editor.at("textDocument/completion", &typed, &format!("&& {instead}"));
            for name in wanted {
                assert!(labels(&answer).contains(&name), "{name} after {instead}: {:?}", labels(&answer));
            }
        }
    });
}

#[test]
fn a_name_leads_to_its_declaration_and_is_renamed_everywhere() {
    session(|editor| {
        let answer = editor.at("textDocument/definition", CATALOG, "size(fou");
        let place = CATALOG.find("found:").expect("there");
        assert_eq!(answer["range"], Units::Utf16.range(CATALOG, place..place + 5), "{answer}");
        let answer = editor.at("textDocument/rename", CATALOG, "size(fou");
        assert_eq!(answer["changes"][URI].as_array().map(Vec::len), Some(3), "{answer}");
        let answer = editor.at("textDocument/rename", CATALOG, "flag: str");
        assert_eq!(answer["changes"][URI].as_array().map(Vec::len), Some(2), "{answer}");
        let answer = editor.at("textDocument/references", CATALOG, "data.wor");
        assert_eq!(answer.as_array().map(Vec::len), Some(2), "{answer}");
    });
}

#[test]
fn a_lens_runs_its_case_and_unknown_questions_are_refused() {
    session(|editor| {
        let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
        assert_eq!(lenses[0]["command"]["arguments"], json!([URI, "H1 looks: "]));
        let command = &lenses[1]["command"];
        assert_eq!(command["arguments"], json!([URI, "H1 looks: a secret is refused"]));
        let answer = editor.ask(
            "workspace/executeCommand",
            json!({ "command": command["command"], "arguments": command["arguments"] }),
        );
        assert_eq!(answer, "ran H1 looks: a secret is refused of /p/specs/demo.yaml");
        let answer = editor.ask("textDocument/formatting", json!({ "textDocument": { "uri": URI } }));
        assert_eq!(answer, json!([]));
        assert_eq!(editor.ask("textDocument/nonsense", json!({ "textDocument": { "uri": URI } })), Value::Null);
    });
}

/// What was last said of a file.
fn told(editor: &Editor, uri: &str) -> Vec<Value> {
    let last = editor.published.iter().rev().find(|published| published["uri"] == uri);
    last.and_then(|published| published["diagnostics"].as_array().cloned()).unwrap_or_default()
}

#[test]
fn files_of_one_catalog_are_known_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let place = folder.path().join(path);
        std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        std::fs::write(place, text).expect("a file");
        (format!("file://{}/{path}", folder.path().display()), text.to_owned())
    };
    let (shared, shared_text) =
        write("specs/common/shared.yaml", "facts:\n  is_push: tool_input.command.startsWith('git push')\n");
    let using = CATALOG.replace("flags:", "use: [./common/shared.yaml]\nflags:").replace("size(found) > 0", "is_push");
    let (main, using) = write("specs/demo.yaml", &using);
    write("specs/big/catalog.yaml", "catalog: big\nversion: 1.0.0\ndescription: Big.\n");
    let hook = "id: B1\nname: one\nevent: PreToolUse\nmatcher: Bash\ntimeout: 3s\nfail_safe: closed\nwhy: One.\nchecks:\n  \
                - { id: a, when: tool_input.comand.contains('x'), deny: No. }\n";
    let (part, hook) = write("specs/big/hooks/one.yaml", hook);
    session(|editor| {
        let open = |editor: &Editor, uri: &str, text: &str| {
            let file = json!({ "uri": uri, "languageId": "yaml", "version": 1, "text": text });
            editor.tell("textDocument/didOpen", json!({ "textDocument": file }));
        };
        let at = |uri: &str, text: &str, piece: &str| {
            let place = Units::Utf16.position(text, text.find(piece).expect(piece) + piece.len());
            json!({ "textDocument": { "uri": uri }, "position": place, "newName": "pushes" })
        };
        open(editor, &main, &using);
        let found = editor.ask("textDocument/definition", at(&main, &using, "is_push"));
        assert_eq!(found["uri"], shared.as_str());
        let renamed = editor.ask("textDocument/rename", at(&main, &using, "is_push"));
        assert_eq!(renamed["changes"].as_object().map(serde_json::Map::len), Some(2), "{renamed}");
        assert!(told(editor, &main).iter().all(|one| one["severity"] != 1), "{:?}", told(editor, &main));

        let broken = shared_text.replace("command", "comand");
        open(editor, &shared, &broken);
        open(editor, &part, &hook);
        let fields = editor.ask("textDocument/completion", at(&part, &hook, "tool_input."));
        assert!(labels(&fields).contains(&"command"), "{fields}");
        for (uri, text) in [(&shared, &broken), (&part, &hook)] {
            let place = text.find("comand").expect("there");
            let [only] = told(editor, uri).try_into().expect("one finding");
            assert_eq!(only["range"], Units::Utf16.range(text, place..place + "comand".len()));
        }
        editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": shared } }));
        let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": main } }));
        assert_eq!(lenses.as_array().map(Vec::len), Some(2), "{lenses}");
        assert_eq!(told(editor, &shared), Vec::<Value>::new(), "the file is as it lies on the disk");
    });
}

#[test]
fn addresses_are_read_as_paths() {
    assert_eq!(path_of("file:///a%20b/c%C3%A9.yaml"), "/a b/cé.yaml");
    assert_eq!(path_of("untitled:1%"), "untitled:1%");
}
