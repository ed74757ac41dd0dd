//! `galley-editor edit`: the local API from scripts.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use galley_editor_tests::repository::plain_git;
use galley_editor_tests::{Repository, attached, paths};
use serde_json::{Value, json};

const SOURCE: &str = "export const App = () => <h1>Hello</h1>\n";

fn command(repository: &Repository, arguments: &[&str]) -> Command {
    let mut command = Command::new(paths::galley_editor());
    plain_git(&mut command);
    // Nothing of the person who runs the tests is read.
    command.env("HOME", std::env::temp_dir().join("galley-editor-tests-nobody"));
    command.arg("edit").arg(repository.path()).args(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs it with these lines on standard input.
#[track_caller]
fn run(repository: &Repository, arguments: &[&str], input: &str) -> (i32, Output) {
    let mut child = command(repository, arguments).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), output)
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn stream(requests: &[Value]) -> String {
    requests.iter().map(|request| format!("{request}\n")).collect()
}

#[test]
fn requests_of_a_stream_are_answered_one_line_each_as_the_api_does() {
    let repository = Repository::react();
    let src = "src/App.tsx:1:25";
    let requests = [
        json!({ "request": "inspect", "src": src }),
        json!({ "src": src, "kind": "text", "text": "Fish & chips" }),
        json!({ "request": "undo" }),
        json!({ "request": "redo" }),
        json!({ "request": "history" }),
        json!({ "request": "status" }),
    ];
    let (code, output) = run(&repository, &["--json"], &stream(&requests));
    let answers = lines(&output);
    assert_eq!(code, 0, "{answers:?} {}", String::from_utf8_lossy(&output.stderr));
    assert!(
        answers
            .iter()
            .all(|answer| answer["ok"] == json!(true) && answer["status"] == json!(200))
    );
    assert_eq!(answers[0]["tag"], json!("h1"));
    assert!(
        answers[1]["files"][0]["diff"]
            .as_str()
            .unwrap()
            .contains("+export const App")
    );
    assert_eq!(answers[4]["entries"][0]["editId"], answers[1]["editId"]);
    assert_eq!(answers[5]["files"][0]["path"], json!("src/App.tsx"));
    assert_eq!(repository.read("src/App.tsx"), SOURCE.replace("Hello", "Fish & chips"));
    // The history is the Editor's: what a script did is undone there, and the answers are the same.
    let editor = attached(&repository);
    let same = editor.ask(&format!("/api/editor/inspect?src={src}")).expect(200).json();
    editor.ask("/api/editor/undo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), SOURCE);
    editor.ask("/api/editor/redo").expect(200);
    drop(editor);
    let (code, output) = run(&repository, &["--json", "--request", "inspect", "--src", src], "");
    let mut answer = lines(&output).remove(0);
    answer.as_object_mut().unwrap().remove("status");
    assert_eq!((code, answer), (0, same));
}

#[test]
fn an_editor_that_has_the_prototype_open_answers_the_requests() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let src = "src/App.tsx:1:25";
    let requests = [
        json!({ "request": "inspect", "src": src }),
        json!({ "src": src, "kind": "text", "text": "Fish & chips" }),
        json!({ "src": "src/App.tsx:1:0", "kind": "delete" }),
        json!({ "request": "history" }),
    ];
    let (code, output) = run(&repository, &["--json"], &stream(&requests));
    let answers = lines(&output);
    let statuses: Vec<_> = answers
        .iter()
        .map(|answer| answer["status"].as_u64().unwrap())
        .collect();
    assert_eq!((code, &statuses[..]), (4, &[200, 200, 422, 200][..]), "{answers:?}");
    assert_eq!(answers[0]["tag"], json!("h1"));
    assert_eq!(answers[3]["entries"][0]["editId"], answers[1]["editId"]);
    assert_eq!(repository.read("src/App.tsx"), SOURCE.replace("Hello", "Fish & chips"));
    // One history: what the script did is undone in the Editor, and done again by a script.
    editor.ask("/api/editor/undo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), SOURCE);
    let (code, _) = run(&repository, &["--json", "--request", "redo"], "");
    assert_eq!(code, 0);
    assert_eq!(repository.read("src/App.tsx"), SOURCE.replace("Hello", "Fish & chips"));
}

#[test]
fn a_prototype_that_no_editor_answers_for_is_said_to_be_in_use() {
    let repository = Repository::react();
    let mut child = command(&repository, &["--json"]).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut answers = BufReader::new(output).lines();
    writeln!(input, "{}", json!({ "request": "tree", "path": "src/App.tsx" })).unwrap();
    answers.next().unwrap().unwrap();
    let in_use = || {
        let (code, output) = run(&repository, &["--json", "--request", "history"], "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            code == 1 && said.contains("Another program has this repository open"),
            "{code} {said}"
        );
    };
    in_use();
    // Whatever stands in the file: only the Editor of this prototype is believed, and only on this machine.
    let other = Repository::react();
    let editor = attached(&other);
    let origin = editor.origin();
    let port = origin.rsplit(':').next().unwrap();
    for announced in [port, "1", "0", "x", "99999", ""] {
        std::fs::write(repository.path().join(".tool/lock"), announced).unwrap();
        in_use();
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn each_answer_comes_before_the_next_request_is_read() {
    let repository = Repository::react();
    let mut child = command(&repository, &["--json"]).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut answers = BufReader::new(output).lines();
    let mut src = "src/App.tsx:1:25".to_owned();
    for text in ["One", "Two", "Three"] {
        writeln!(input, "{}", json!({ "src": src, "kind": "text", "text": text })).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        src = answer["src"].as_str().unwrap().to_owned();
        assert_eq!(repository.read("src/App.tsx"), SOURCE.replace("Hello", text));
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_refusal_is_an_answer_and_an_exit_code() {
    let repository = Repository::react();
    let requests = [
        "nonsense\n",
        "[]\n",
        "\n",
        r#"{ "request": "fly" }"#,
        "\n",
        r#"{ "src": "src/App.tsx:1:0", "kind": "delete" }"#,
        "\n",
        r#"{ "kind": "swap" }"#,
        "\n",
        r#"{ "src": "src/App.tsx:1:25", "kind": "text", "text": "Last" }"#,
    ]
    .concat();
    let (code, output) = run(&repository, &["--json"], &requests);
    let answers = lines(&output);
    let codes: Vec<&str> = answers
        .iter()
        .map(|answer| answer["code"].as_str().unwrap_or("ok"))
        .collect();
    let wanted = [
        "bad-request",
        "bad-request",
        "bad-request",
        "no-element",
        "lane-dormant",
        "ok",
    ];
    assert_eq!((code, codes.as_slice()), (4, wanted.as_slice()));
    assert_eq!(answers[2]["key"], json!("request"));
    assert_eq!(answers[3]["status"], json!(422));
    let (code, output) = run(&repository, &["--json", "--fail-fast"], &requests);
    assert_eq!((code, lines(&output).len()), (4, 1));
    let unsupported = Repository::new().file("readme", "x").commit();
    assert_eq!(run(&unsupported, &["--json"], "").0, 3);
    assert_eq!(run(&repository, &["--paint"], "").0, 2);
    assert_eq!(
        run(
            &Repository::bare_folder().file("package.json", r#"{ "dependencies": { "react": "19" } }"#),
            &[],
            ""
        )
        .0,
        1
    );
}

#[test]
fn one_request_by_options_speaks_to_people() {
    let repository = Repository::react();
    let src = ["--src", "src/App.tsx:1:25"];
    let edit = [&src[..], &["--kind", "class", "--add", "-mt-2", "--add", "p-4"]].concat();
    let (code, output) = run(&repository, &edit, "");
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&output.stderr));
    let diff = String::from_utf8(output.stdout).unwrap();
    assert!(
        diff.starts_with("--- a/src/App.tsx\n") && diff.contains("className=\"-mt-2 p-4\""),
        "{diff}"
    );
    let (code, output) = run(&repository, &["--request", "undo"], "");
    assert_eq!((code, repository.read("src/App.tsx").as_str()), (0, SOURCE));
    assert!(!output.stdout.is_empty());
    let (code, output) = run(&repository, &["--request", "undo"], "");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(code, 4);
    assert!(words.contains("There is nothing to undo (nothing-to-undo)"), "{words}");
    let (code, output) = run(&repository, &["--help"], "");
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(code, 0);
    assert!(
        help.contains("Exit codes:") && help.contains("galley-editor edit . --request undo"),
        "{help}"
    );
}
