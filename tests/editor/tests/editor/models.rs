//! Keys, providers, lanes and the gate, with a provider of our own over loopback: what a user is told, and that nothing but what passed
//! every check reaches a file.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use galley_editor::agent::gate::Code;
use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::silent_browser::SilentBrowser;
use galley_editor_tests::{Build, Editor, Repository};
use galley_harness::http::Response;
use galley_harness::poll::within;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What a test waits for may take this long beside others.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

const APP: &str = "import { Note } from './Note';\n\nexport const App = () => (\n  <main>\n    <h1>{['Hel', 'lo'].join('')}</h1>\n    <p>One</p>\n    <Note text=\"Two\" />\n  </main>\n);\n";

const HEADING: &str = "src/App.tsx:5:4";

/// The two formats, each with the variables that lead to a double.
const FORMATS: [(&str, &str); 2] = [("ANTHROPIC", ""), ("OPENAI", "/v1")];

struct Desk {
    repository: Repository,
    provider: Provider,
    home: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let repository = Repository::new()
            .file("package.json", r#"{ "dependencies": { "react": "^19.0.0" } }"#)
            .file("src/App.tsx", APP)
            .file(
                "src/Note.tsx",
                "export const Note = ({ text }: { text: string }) => <b>{text}</b>;\n",
            )
            .file(".gitignore", ".env\n")
            .commit();
        repository.write(".env", "SECRET=canary-of-the-environment\n");
        Desk {
            repository,
            provider: Provider::start(),
            home: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    fn build(&self) -> Build {
        let build = Editor::build(&self.repository)
            .args(["--attach", "http://127.0.0.1:9"])
            .env("HOME", self.home.path())
            .env("RUST_LOG", "debug")
            .env("EDITOR_REVIEW_SURFACE", "off");
        FORMATS.iter().fold(build, |build, (name, path)| {
            build.env(&format!("{name}_BASE_URL"), format!("{}{path}", self.provider.address))
        })
    }

    /// An Editor with a key of one provider.
    fn start(&self, name: &str) -> Editor {
        self.build().env(&format!("{name}_API_KEY"), KEY).start()
    }

    fn keys(&self) -> std::path::PathBuf {
        self.home.path().join(".config/tool/llm-credentials.json")
    }

    /// Nothing that anybody else can read has the key in it.
    fn no_canary(&self, editor: &Editor, answers: &[&Response]) {
        let words = [editor.stdout(), editor.stderr()];
        assert!(words.iter().all(|text| !text.contains(KEY)), "the key is in the log");
        for answer in answers {
            assert!(!answer.text().contains(KEY), "{}", answer.text());
        }
        files(&self.repository.path(), &mut |path, content| {
            assert!(
                !content.windows(KEY.len()).any(|part| part == KEY.as_bytes()),
                "{}",
                path.display()
            );
        });
    }
}

/// Every file below a folder.
pub(crate) fn files(folder: &Path, visit: &mut impl FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, visit);
        } else if let Ok(content) = fs::read(&path) {
            visit(&path, &content);
        }
    }
}

fn heading(text: &str) -> Value {
    json!({ "src": HEADING, "kind": "text", "text": text })
}

fn repaired() -> Reply {
    Reply::propose("src/App.tsx", "{['Hel', 'lo'].join('')}", "Servus")
}

#[test]
fn a_key_is_tried_before_it_is_kept_and_never_shown() {
    let desk = Desk::new();
    let editor = desk.build().start();
    let models = || editor.ask("/api/models").expect(200).json();
    let before = models();
    assert_eq!(
        (&before["provider"], &before["ready"]),
        (&json!("anthropic"), &json!(false))
    );
    let missing = "Missing ANTHROPIC_API_KEY. Set it to use Editor's AI features, or add a key from the settings gear.";
    assert_eq!(before["missing"], missing);
    let asked = editor.post("/api/editor/llm-fallback", &heading("x"));
    assert_eq!((asked.status, &asked.json()["reason"]), (503, &json!(missing)));

    let wrong = editor.put(
        "/api/models",
        &json!({ "provider": "anthropic", "key": "sk-wrong-key-1" }),
    );
    let told = wrong.json();
    assert_eq!(
        (wrong.status, &told["code"], &told["words"]),
        (422, &json!("key-refused"), &json!("invalid x-api-key"))
    );
    assert!(!desk.keys().exists(), "a refused key is not kept");
    for nonsense in [json!("short"), json!("with space and more"), json!(5)] {
        let answer = editor.put("/api/models", &json!({ "provider": "anthropic", "key": nonsense }));
        assert_eq!((answer.status, &answer.json()["key"]), (400, &json!("key")));
    }

    let kept = editor.put(
        "/api/models",
        &json!({ "provider": "anthropic", "key": KEY, "model": "claude-opus-5-5" }),
    );
    let told = kept.json();
    assert_eq!((kept.status, &told["ready"]), (200, &json!(true)), "{told}");
    assert_eq!(told["models"], json!(["claude-sonnet-5-5", "claude-opus-5-5"]));
    assert_eq!(told["providers"][0]["key"]["source"], "stored");
    assert_eq!(told["providers"][0]["model"], "claude-opus-5-5");
    assert_eq!(told["providers"][0]["baseUrlVariable"], "ANTHROPIC_BASE_URL");
    let mode = fs::metadata(desk.keys()).expect("it was kept").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    // Another Editor takes it out again: no restart is needed.
    fs::remove_file(desk.keys()).expect("it is there");
    assert_eq!(models()["ready"], false);
    fs::write(desk.keys(), "{").expect("it can be written");
    fs::set_permissions(desk.keys(), fs::Permissions::from_mode(0o600)).expect("it is ours");
    let broken = editor.put("/api/models", &json!({ "provider": "anthropic", "key": KEY }));
    assert_eq!((broken.status, &broken.json()["code"]), (409, &json!("credentials")));
    assert_eq!(fs::read_to_string(desk.keys()).expect("it stays"), "{");
    assert!(
        models()["problem"]
            .as_str()
            .is_some_and(|words| words.contains("llm-credentials.json"))
    );
    desk.no_canary(&editor, &[&wrong, &kept, &broken]);
}

#[test]
fn a_key_is_not_kept_when_nobody_answers_and_a_variable_decides() {
    let desk = Desk::new();
    let editor = desk.build().env("ANTHROPIC_BASE_URL", "http://127.0.0.1:9").start();
    let lost = editor.put("/api/models", &json!({ "provider": "anthropic", "key": KEY }));
    assert_eq!(
        (lost.status, &lost.json()["code"]),
        (422, &json!("key-refused")),
        "{}",
        lost.text()
    );
    assert!(!desk.keys().exists());
    drop(editor);

    let editor = desk.start("OPENAI");
    let models = editor.ask("/api/models").expect(200).json();
    assert_eq!(
        (&models["provider"], &models["chosenBy"]),
        (&json!("openai"), &json!("key"))
    );
    assert_eq!(models["providers"][1]["key"]["source"], "environment");
    let change = editor.put("/api/models", &json!({ "provider": "openai", "key": "sk-another-key" }));
    assert_eq!(change.status, 400);
    assert!(
        change.json()["reason"]
            .as_str()
            .is_some_and(|reason| reason.contains("OPENAI_API_KEY")),
        "{}",
        change.text()
    );
    let plain = editor.put(
        "/api/models",
        &json!({ "provider": "gemini", "baseUrl": "http://models.example/v1" }),
    );
    assert_eq!((plain.status, &plain.json()["key"]), (400, &json!("baseUrl")));
    desk.no_canary(&editor, &[&lost, &change, &plain]);
}

#[test]
fn what_the_engine_refused_a_model_proposes_and_a_person_confirms() {
    for (name, _) in FORMATS {
        let desk = Desk::new();
        let editor = desk.start(name);
        let refused = editor.post("/api/editor/edit", &heading("Servus")).expect(422).json();
        assert_eq!(
            (&refused["code"], &refused["fallback"]),
            (&json!("computed"), &json!("save")),
            "{refused}"
        );
        assert_eq!(desk.provider.asked().len(), 0, "nobody is asked by an edit");

        desk.provider.script([repaired()]);
        let tried = editor.post("/api/editor/llm-fallback", &heading("Servus"));
        let told = tried.json();
        // No page can be read here, so the change waits for a yes.
        assert_eq!((tried.status, &told["code"]), (409, &json!("not-verified")), "{told}");
        assert_eq!(told["proposal"]["files"][0]["path"], "src/App.tsx");
        assert!(
            told["cost"]["usd"].as_f64().is_some_and(|usd| usd > 0.0 && usd < 0.08),
            "{told}"
        );
        assert_eq!(
            (&told["cost"]["calls"], &told["cost"]["inputTokens"]),
            (&json!(1), &json!(1234))
        );
        assert_eq!(desk.repository.read("src/App.tsx"), APP, "not before the yes");

        let yes = json!({ "proposal": told["proposal"]["id"] });
        let done = editor.post("/api/editor/llm-fallback/accept", &yes);
        assert_eq!(done.status, 200, "{}", done.text());
        assert_eq!(
            desk.repository.read("src/App.tsx"),
            APP.replace("{['Hel', 'lo'].join('')}", "Servus")
        );
        assert_eq!(
            editor.post("/api/editor/llm-fallback/accept", &yes).status,
            404,
            "a yes is for once"
        );
        let history = editor.ask("/api/editor/history").expect(200).json();
        assert_eq!(history["entries"][0]["by"]["session"], "save");
        editor.ask("/api/editor/undo").expect(200);
        assert_eq!(desk.repository.read("src/App.tsx"), APP);

        let asked = desk.provider.asked();
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].key.as_deref(), Some(KEY));
        assert!(asked[0].text.len() < 40 << 10);
        assert!(
            !asked[0].text.contains("canary-of-the-environment"),
            "the .env is nobody's business"
        );
        desk.no_canary(&editor, &[&tried, &done]);
    }
}

#[test]
fn the_second_try_hears_why_the_first_was_refused_and_its_thinking_goes_back_as_it_came() {
    let desk = Desk::new();
    let editor = desk.start("ANTHROPIC");
    desk.provider
        .script([Reply::propose("src/App.tsx", "<p>Nowhere</p>", "x"), repaired()]);
    let tried = editor
        .post("/api/editor/llm-fallback", &heading("Servus"))
        .expect(409)
        .json();
    assert_eq!(tried["cost"]["calls"], 2);
    let asked = desk.provider.asked();
    let messages = asked[1].body["messages"].as_array().expect("messages").clone();
    assert_eq!(messages.len(), 3);
    let thought = &messages[1]["content"][0];
    assert_eq!(
        (&thought["type"], &thought["signature"]),
        (&json!("thinking"), &json!("c2lnbmVk"))
    );
    let told = messages[2]["content"][0]["content"][0]["text"]
        .as_str()
        .expect("a reason");
    assert!(told.contains("not-unique") && told.contains("<p>One</p>"), "{told}");
    // What the provider keeps is the same, byte for byte.
    let until = |text: &str| text.split("\"role\":\"assistant\"").next().map(str::len);
    assert!(until(&asked[1].text).is_some());
    for part in ["tools", "system"] {
        assert_eq!(asked[0].body[part], asked[1].body[part]);
    }
}

/// What each answer of a provider, or of a model, comes to.
#[test]
fn every_refusal_has_its_code_and_leaves_the_files_alone() {
    let again = |reply: Reply| [reply.clone(), reply];
    let script = |code: Code| -> Vec<(Vec<Reply>, u16)> {
        let change = |old: &str, new: &str| again(Reply::propose("src/App.tsx", old, new)).to_vec();
        let file = |path: &str, old: &str| again(Reply::propose(path, old, "x")).to_vec();
        let error = |status: u16| {
            let body = json!({ "error": { "type": "x", "message": format!("no {status} {KEY}") } });
            vec![Reply::Status(status, vec![("retry-after", "600")], body)]
        };
        match code {
            Code::NotUnique => vec![(change("p>", "b>"), 422), (change("<p>Gone</p>", ""), 422)],
            Code::OffLimits => vec![
                (file("package.json", "react"), 422),
                (file(".env", "SECRET"), 422),
                (file("../../etc/passwd", "root"), 422),
                (file(".git/config", "core"), 422),
                (file("src/Other.tsx", "x"), 422),
            ],
            Code::TooMuch => vec![(change("<p>One</p>", &"<i>1</i>\n".repeat(60)), 422)],
            Code::NewCapability => vec![
                (change("<p>One</p>", "<p>{fetch('/x')}</p>"), 422),
                (change("import { Note }", "import 'left-pad';\nimport { Note }"), 422),
                (change("<p>One</p>", "<img src=\"https://evil.example/x.png\" />"), 422),
            ],
            Code::NotVerified => vec![
                (change("<p>One</p>", "<p>One"), 422),
                (vec![Reply::Text("It cannot be done.")], 422),
            ],
            Code::Budget => vec![],
            Code::RateLimited => vec![(error(429), 429)],
            Code::Provider => vec![
                (error(400), 502),
                (error(401), 502),
                (error(403), 502),
                (error(404), 502),
                (error(413), 502),
                ([error(500), error(500), error(500)].concat(), 502),
                (error(529), 502),
                (again(Reply::Written("propose", "{\"files\": [")).to_vec(), 502),
                (again(Reply::Call("propose", json!({ "files": "all" }))).to_vec(), 502),
                (again(Reply::Call("run", json!({ "command": "ls" }))).to_vec(), 502),
                (vec![Reply::Cut], 502),
                (vec![Reply::Endless], 502),
                (vec![Reply::Bytes(b"data: {\"type\": \n\n".to_vec())], 502),
                (vec![Reply::Bytes(b"data: \xff\xfe\n\n".to_vec())], 502),
                (
                    vec![Reply::Bytes(b"<!doctype html><title>Sign in</title>".to_vec())],
                    502,
                ),
                (vec![Reply::Bytes(b"{ \"ok\": true }".to_vec())], 502),
                (vec![Reply::Overloaded, Reply::Overloaded, Reply::Overloaded], 502),
            ],
        }
    };
    for (name, _) in FORMATS {
        let desk = Desk::new();
        let editor = desk.start(name);
        for code in Code::ALL {
            for (replies, status) in script(*code) {
                let words = format!("{name} {replies:?}");
                desk.provider.script(replies);
                let answer = editor.post("/api/editor/llm-fallback", &heading("Servus"));
                let told = answer.json();
                assert_eq!(
                    (answer.status, &told["code"]),
                    (status, &json!(code)),
                    "{words}: {told}"
                );
                assert_eq!((&told["ok"], &told["lane"]), (&json!(false), &json!("save")));
                assert!(
                    told["reason"].as_str().is_some_and(|reason| reason.len() > 10),
                    "{told}"
                );
                assert!(told["cost"]["calls"].as_u64().is_some_and(|calls| calls > 0));
                if *code == Code::RateLimited {
                    assert_eq!(told["retryAfterSeconds"], 600);
                }
                assert_eq!(desk.repository.read("src/App.tsx"), APP, "{words}");
                desk.no_canary(&editor, &[&answer]);
            }
        }
        let history = editor.ask("/api/editor/history").expect(200).json();
        assert_eq!(history["entries"], json!([]));
        assert_eq!(desk.repository.read(".env"), "SECRET=canary-of-the-environment\n");
    }
}

#[test]
fn what_is_said_before_the_first_word_is_asked_again_and_what_ended_early_is_paid() {
    let desk = Desk::new();
    let editor = desk.start("ANTHROPIC");
    let busy = Reply::Status(
        529,
        vec![("retry-after-ms", "50")],
        json!({ "error": { "message": "busy" } }),
    );
    desk.provider.script([busy, Reply::Overloaded, repaired()]);
    editor.post("/api/editor/llm-fallback", &heading("Servus")).expect(409);
    assert_eq!(desk.provider.asked().len(), 3);
    desk.provider.script([Reply::Cut, repaired()]);
    let cut = editor
        .post("/api/editor/llm-fallback", &heading("Servus"))
        .expect(502)
        .json();
    assert!(cut["cost"]["usd"].as_f64().is_some_and(|usd| usd > 0.0), "{cut}");
    assert_eq!(
        desk.provider.asked().len(),
        1,
        "after the first word nothing is asked again"
    );
}

#[test]
fn a_call_that_could_cross_the_budget_is_not_made() {
    let desk = Desk::new();
    let long: String = (0..600)
        .map(|line| format!("    <i>Line {line} of a long page</i>\n"))
        .collect();
    desk.repository
        .write("src/App.tsx", APP.replace("    <p>One</p>\n", &long));
    // What is not known costs as much as the provider's dearest.
    let editor = desk
        .build()
        .env("ANTHROPIC_API_KEY", KEY)
        .env("EDITOR_MODEL", "claude-unheard-of")
        .start();
    let told = editor
        .post("/api/editor/llm-fallback", &heading("Servus"))
        .expect(422)
        .json();
    assert_eq!(
        (&told["code"], &told["cost"]["calls"], &told["cost"]["estimated"]),
        (&json!("budget"), &json!(0), &json!(true)),
        "{told}"
    );
    assert_eq!(desk.provider.asked().len(), 0);
}

/// Asks for the heading by a lane. Dropped, the connection is closed.
fn ask_and_leave(editor: &Editor) -> TcpStream {
    let body = heading("Servus").to_string();
    let head = format!(
        "POST /api/editor/llm-fallback HTTP/1.1\r\nhost: {}\r\norigin: {}\r\ncontent-length: {}\r\n\r\n{body}",
        editor.address,
        editor.origin(),
        body.len()
    );
    let mut stream = TcpStream::connect(editor.address).expect("it listens");
    stream.write_all(head.as_bytes()).expect("it reads");
    stream
}

#[test]
fn a_lane_that_is_left_while_its_page_is_opened_lets_the_next_one_begin() {
    let (desk, browser) = (Desk::new(), SilentBrowser::new());
    let editor = desk
        .build()
        .env("ANTHROPIC_API_KEY", KEY)
        .env("EDITOR_REVIEW_SURFACE", "on")
        .env("EDITOR_BROWSER", browser.path())
        .start();
    for turn in 1..=3 {
        let stream = ask_and_leave(&editor);
        // The browser would be waited for three times as long.
        let opens = within(Duration::from_secs(15), || (browser.starts() == turn).then_some(()));
        assert!(opens.is_some(), "lane {turn} waits for the one before it");
        drop(stream);
    }
    assert!(desk.provider.asked().is_empty());
}

#[test]
fn a_page_that_closes_its_request_stops_the_model_and_a_kill_changes_nothing() {
    let desk = Desk::new();
    let editor = desk.start("ANTHROPIC");
    desk.provider.script([Reply::Stall, Reply::Stall]);
    let stream = ask_and_leave(&editor);
    assert!(within(WAIT_TIMEOUT, || (!desk.provider.asked().is_empty()).then_some(())).is_some());
    drop(stream);
    assert!(
        within(WAIT_TIMEOUT, || (desk.provider.gone() == 1).then_some(())).is_some(),
        "the model still works"
    );
    let _stream = ask_and_leave(&editor);
    assert!(
        within(WAIT_TIMEOUT, || (!desk.provider.asked().is_empty()).then_some(())).is_some(),
        "the next one has its turn"
    );
    editor.kill();
    assert_eq!(desk.repository.read("src/App.tsx"), APP);
    let editor = desk.start("ANTHROPIC");
    assert_eq!(
        editor.ask("/api/editor/history").expect(200).json()["entries"],
        json!([])
    );
}

#[test]
fn events_tell_how_far_a_lane_is() {
    let desk = Desk::new();
    let editor = desk.start("OPENAI");
    let events = editor.events();
    desk.provider.script([repaired()]);
    let mut body = heading("Servus");
    body["ticket"] = json!("mine");
    editor.post("/api/editor/llm-fallback", &body).expect(409);
    let event = loop {
        let event = events.next();
        if event.event == "lane" {
            break event.json();
        }
    };
    assert_eq!(
        (&event["ticket"], &event["lane"], &event["step"]),
        (&json!("mine"), &json!("save"), &json!("asking"))
    );
}

#[test]
fn api_md_lists_exactly_the_refusals_of_models() {
    let text = include_str!("../../../../editor/API.md");
    let section = text.split("\n## Refusals of models\n").nth(1).expect("the heading");
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut listed: Vec<&str> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let mut known: Vec<String> = Code::ALL.iter().map(ToString::to_string).collect();
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
}
