//! The page for the browser, in a browser, where there is one; and the length of the page for reading.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{hookgen, project, repository};

const CATALOG: &str = "catalog: demo
version: 1.0.0
description: Two hooks for a page.
hooks:
  - id: H1
    name: refuse-pushes
    event: PreToolUse
    matcher: Bash
    timeout: 5s
    fail_safe: closed
    why: A push is the person's to make. <b>Not bold</b>.
    checks:
      - { id: push, when: \"tool_input.command.contains('git push')\", deny: 'Ask the person to push.' }
    cases:
      - name: a push is refused
        input: { tool_name: Bash, tool_input: { command: git push } }
        expect: { decision: deny }
  - id: H2
    name: greet
    event: UserPromptSubmit
    timeout: 5s
    fail_safe: open
    why: A zebra greets.
    checks:
      - { id: greet, inject: Hello. }
    cases:
      - name: it greets
        input: { prompt: hi }
        expect: { model: [Hello] }
";

/// What a reader does on the page, and what the page then shows, as one line per step.
const STEPS: &str = r##"<script>
const seen = [];
const note = (what) => seen.push(what + ": " + articles.filter((a) => !a.hidden).map((a) => a.id).join(" ")
  + " / " + document.getElementById("count").textContent + (overview.hidden ? " / no overview" : ""));
const enter = (control, value) => { control.value = value; control.dispatchEvent(new Event("input")); };
note("start");
enter(search, "zebra"); note("search");
enter(search, "nobody says this"); note("nothing");
enter(search, ""); enter(event, "PreToolUse"); note("event");
enter(event, ""); enter(power, "tell the model"); note("power");
location.hash = "#hook-H1"; reveal(); note("link");
const theme = () => getComputedStyle(document.body).backgroundColor;
const before = theme(); document.getElementById("theme").click();
seen.push("theme: " + (before !== theme()));
seen.push("bold: " + document.querySelectorAll("article b").length);
seen.push("loaded: " + performance.getEntriesByType("resource").length);
document.title = seen.join("\n");
</script>"##;

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file())
}

/// The page after its scripts have run.
fn shown(browser: &Path, page: &Path, profile: &Path) -> String {
    let run = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that did not run should say so")]
fn the_page_searches_filters_and_needs_nobody_else() {
    let Some(browser) = browser() else {
        eprintln!("skipped: there is no browser");
        return;
    };
    let folder = project(&[("specs/demo.yaml", CATALOG)]);
    hookgen(folder.path(), ["build"]).exits(0);
    let page = folder.path().join("generated/demo/docs/index.html");
    let text = fs::read_to_string(&page).expect("a page");
    let acted = folder.path().join("acted.html");
    fs::write(&acted, text.replace("</body>", &format!("{STEPS}</body>"))).expect("written");
    let dom = shown(&browser, &acted, &folder.path().join("profile"));
    let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or_default();
    let expected = [
        "start: hook-H1 hook-H2 / 2 of 2 hooks",
        "search: hook-H2 / 1 of 2 hooks",
        "nothing:  / 0 of 2 hooks",
        "event: hook-H1 / 1 of 2 hooks / no overview",
        "power: hook-H2 / 1 of 2 hooks / no overview",
        "link: hook-H1 hook-H2 / 2 of 2 hooks",
        "theme: true",
        "bold: 0",
        "loaded: 0",
    ];
    assert_eq!(title.lines().collect::<Vec<_>>(), expected, "{dom}");
}

#[test]
fn the_page_of_every_catalog_of_ours_can_be_read_in_one_go() {
    for entry in fs::read_dir(repository().join("generated")).expect("generated") {
        let page = entry.expect("an entry").path().join("docs/HOOKS.md");
        if let Ok(text) = fs::read_to_string(&page) {
            // About 250 lines; a hook stands in a handful of tables, so that very many need more.
            let hooks = fs::read_dir(page.with_file_name("hooks")).expect("pages of hooks").count();
            let most = 265 + 8 * hooks.saturating_sub(30);
            assert!(text.lines().count() <= most, "{}: {} lines", page.display(), text.lines().count());
        }
    }
}

#[test]
fn an_event_is_explained_and_a_misspelt_one_is_guessed() {
    let folder = project(&[("specs/demo.yaml", CATALOG)]);
    let one = hookgen(folder.path(), ["events", "PreToolUse"]).exits(0);
    assert!(one.stdout.starts_with("## PreToolUse\n") && one.stdout.contains("\"hook_event_name\": \"PreToolUse\""));
    let all = hookgen(folder.path(), ["events"]).exits(0);
    assert!(all.stdout.contains(one.stdout.trim_end()), "{}", all.stdout);
    let wrong = hookgen(folder.path(), ["events", "PreToolUs"]).exits(2);
    assert!(wrong.stderr.contains("did you mean `PreToolUse`?"), "{}", wrong.stderr);
}
