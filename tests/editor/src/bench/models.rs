//! What the Editor adds to a model: until the request of a turn is at the provider, until its words are on the page, and how much of
//! each request the provider knows already.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use galley_harness::poll::WAIT_TIMEOUT;
use galley_harness::sse::{Event, EventStream};
use galley_harness::table::Row;
use serde_json::{Value, json};

use super::{milliseconds, percentile};
use crate::provider::{Asked, KEY, Provider, Reply};
use crate::{Editor, Repository};

/// Turns in which the model says something.
const SAID: usize = 100;
/// Turns in which it reads and changes the source.
const WORKED: usize = 10;
/// Lines of the file it reads.
const LINES: usize = 120;

const REQUEST_GOAL: Duration = Duration::from_millis(100);
const WORD_GOAL: Duration = Duration::from_millis(50);
const PREFIX_GOAL: usize = 24 << 10;
const KEPT_GOAL: f64 = 0.8;

pub fn measure() -> Vec<Row> {
    let lines = "    <p>One line of many</p>\n".repeat(LINES);
    let app = format!("export const App = () => (\n  <main>\n    <h1>Hello</h1>\n{lines}  </main>\n);\n");
    let repository = Repository::react().file("src/App.tsx", app).commit();
    let chat = Chat::start(&repository);
    let (mut requests, mut words) = (Vec::new(), Vec::new());
    for number in 0..SAID {
        let (request, word) = chat.says(&format!("said-{number:04}"));
        requests.push(request);
        words.push(word);
    }
    let (request, word) = (percentile(&mut requests, 0.95), percentile(&mut words, 0.95));
    let (request_half, word_half) = (percentile(&mut requests, 0.5), percentile(&mut words, 0.5));

    drop(chat);
    let chat = Chat::start(&repository);
    let asked: Vec<Asked> = (0..WORKED).flat_map(|number| chat.works(number)).collect();
    let prefix = asked[0].body["tools"].to_string().len() + asked[0].body["system"].to_string().len();
    let tools = &asked[0].body["tools"];
    let is_chat = |asked: &&Asked| asked.body["tools"] == *tools;
    let calls = asked.iter().filter(is_chat).skip(1);
    let (kept, kept_of_all) = (share(calls), share(asked.iter().skip(1)));
    let count = asked.iter().filter(is_chat).count();
    vec![
        Row {
            what: "Editor: from a page's turn to the request at the provider".into(),
            goal: "p95 ≤ 100 ms",
            result: format!("p95 {}", milliseconds(request)),
            detail: format!(
                "p50 {}, {SAID} turns; the turn is on disk in between",
                milliseconds(request_half)
            ),
            reached: Some(request <= REQUEST_GOAL),
        },
        Row {
            what: "Editor: a model's first word, from the provider's stream to the page's".into(),
            goal: "p95 ≤ 50 ms",
            result: format!("p95 {}", milliseconds(word)),
            detail: format!("p50 {}, {SAID} turns", milliseconds(word_half)),
            reached: Some(word <= WORD_GOAL),
        },
        Row {
            what: "Editor: what each request of a chat begins with, tools and instructions".into(),
            goal: "≤ 24 KB",
            result: format!("{:.1} KB", prefix as f64 / 1024.0),
            detail: format!("{} tools", tools.as_array().map_or(0, Vec::len)),
            reached: Some(prefix <= PREFIX_GOAL),
        },
        Row {
            what: "Editor: input that the provider kept, after the first call of a chat".into(),
            goal: "≥ 80 %",
            result: format!("{:.0} %", 100.0 * kept),
            detail: format!(
                "{count} calls of {WORKED} turns that read and change a file, counted by the provider's double; {:.0} % with the calls that judge the goal of each turn",
                100.0 * kept_of_all
            ),
            reached: Some(kept >= KEPT_GOAL),
        },
    ]
}

/// The share of the input that was kept.
fn share<'a>(asked: impl Iterator<Item = &'a Asked>) -> f64 {
    let (mut read, mut all) = (0, 0);
    for counted in asked.filter_map(|asked| asked.counted) {
        read += counted.read;
        all += counted.all();
    }
    read as f64 / all.max(1) as f64
}

/// A chat, and what its page hears, with the time.
struct Chat {
    editor: Editor,
    provider: Provider,
    path: String,
    heard: Receiver<(Instant, Event)>,
    _home: tempfile::TempDir,
}

impl Chat {
    fn start(repository: &Repository) -> Chat {
        let (provider, home) = (
            Provider::that_counts(),
            tempfile::tempdir().expect("a temporary folder"),
        );
        let editor = Editor::build(repository)
            .args(["--attach", "http://127.0.0.1:9"])
            .env("HOME", home.path())
            .env("EDITOR_REVIEW_SURFACE", "off")
            .env("ANTHROPIC_API_KEY", KEY)
            .env("ANTHROPIC_BASE_URL", &provider.address)
            .start();
        let made = editor.post("/api/editor/chat/sessions", &json!({})).expect(200).json();
        let path = format!(
            "/api/editor/chat/sessions/{}",
            made["session"]["id"].as_str().unwrap_or_default()
        );
        let events = editor.request("POST", &format!("{path}/events"));
        let events = EventStream::open(&events).expect("a session has a stream");
        let (sender, heard) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(event)) = events.next_within(WAIT_TIMEOUT) {
                if sender.send((Instant::now(), event)).is_err() {
                    return;
                }
            }
        });
        Chat {
            editor,
            provider,
            path,
            heard,
            _home: home,
        }
    }

    /// A turn; the moment before it was sent, and that of its first word.
    fn turn(&self, id: &str, script: Vec<Reply>) -> (Instant, Instant) {
        self.provider.script(script);
        let begun = Instant::now();
        let body = json!({ "turn": id, "text": "Have a look" });
        self.editor.post(&format!("{}/turns", self.path), &body).expect(200);
        let mut word = None;
        loop {
            let (at, event) = self.heard.recv_timeout(WAIT_TIMEOUT).expect("the turn goes on");
            let told: Value = event.json();
            if event.event == "delta" {
                word.get_or_insert(at);
            }
            let status = told["turn"]["status"].as_str();
            if event.event == "turn" && told["turn"]["id"] == id && matches!(status, Some("done" | "failed")) {
                assert_eq!(status, Some("done"), "{told:#}");
                return (begun, word.expect("it said something"));
            }
        }
    }

    /// How long it took to ask, and to pass the first word on.
    fn says(&self, id: &str) -> (Duration, Duration) {
        let (begun, word) = self.turn(id, vec![Reply::Text("There is a heading.")]);
        let (asked, answered) = (self.provider.asked(), self.provider.answered());
        (asked[0].at - begun, word - answered[0])
    }

    /// What is asked in a turn that reads and changes the source.
    fn works(&self, number: usize) -> Vec<Asked> {
        let change = json!({ "src": "src/App.tsx:3:4", "kind": "text", "text": format!("Turn {number}") });
        let script = vec![
            Reply::Call("read_file", json!({ "path": "src/App.tsx" })),
            Reply::Call("edit", change),
            Reply::Text("The heading is changed."),
            Reply::Call("judge", json!({ "verdict": "reached", "why": "It is." })),
        ];
        self.turn(&format!("worked-{number:04}"), script);
        self.provider.asked()
    }
}
