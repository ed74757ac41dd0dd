//! Linking to a review server, and its comments, against a small server that answers as the specification says.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};

use galley_editor_tests::{Editor, Repository};
use galley_harness::accept::accept;
use serde_json::{Value, json};

pub const TOKEN: &str = "tok_ab12_secretSECRET";
pub const REMOTE: &str = "git@host.org:ana/shop.git";

/// A request that came, and what it carried.
#[derive(Debug, Clone)]
struct Came {
    line: String,
    authorization: Option<String>,
    body: Value,
}

/// A review server.
pub struct Peer {
    pub address: String,
    came: Arc<Mutex<Vec<Came>>>,
}

impl Peer {
    pub fn start() -> Peer {
        let came = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&came);
        let address = format!("http://{}", accept(move |stream| serve(stream, &log)));
        Peer { address, came }
    }

    fn came(&self, line: &str) -> Vec<Came> {
        let came = self.came.lock().unwrap();
        came.iter().filter(|came| came.line == line).cloned().collect()
    }
}

fn serve(stream: TcpStream, log: &Mutex<Vec<Came>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).is_err() || line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_owned());
    }
    let header = |name: &str| {
        let found = head.iter().filter_map(|line| line.split_once(": "));
        found
            .filter(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
            .next()
    };
    let length = header("content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let line = head
        .first()
        .map(|line| line.trim_end_matches(" HTTP/1.1").to_owned())
        .unwrap_or_default();
    let came = Came {
        line: line.clone(),
        authorization: header("authorization"),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    let (status, answer) = answer(&came);
    log.lock().unwrap().push(came);
    let mut stream = stream;
    if line.ends_with("/comments/stream") {
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {{\"type\":\"connected\"}}\n\n\
             data: {{\"type\":\"changed\"}}\n\n"
        );
        std::thread::sleep(std::time::Duration::from_secs(30));
        return;
    }
    let answer = answer.to_string();
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{answer}",
        answer.len()
    );
}

/// One project, open to those with the token.
fn answer(came: &Came) -> (u16, Value) {
    let project = json!({
        "id": "p1", "slug": "shop", "name": "The Shop", "repoUrl": REMOTE, "viewerUrl": "http://127.0.0.1/p/shop/"
    });
    let known = match came.authorization.as_deref() {
        Some(given) if given == format!("Bearer {TOKEN}") => true,
        Some(_) => return (401, json!({ "error": "Unknown token" })),
        None => false,
    };
    match came.line.as_str() {
        "POST /api/v1/projects/resolve" => match came.body["remoteUrl"].as_str().or(came.body["embeddedId"].as_str()) {
            Some(REMOTE | "p1") if known => (200, json!({ "decision": "adopt", "project": project })),
            Some(REMOTE | "p1") => (200, json!({ "decision": "adopt", "project": { "id": "p1" } })),
            Some("git@host.org:torn.git") => (
                200,
                json!({ "decision": "conflict", "conflictWith": "p9", "reason": "Two projects" }),
            ),
            _ => (200, json!({ "decision": "mint", "suggestedSlug": "shop-2" })),
        },
        "GET /api/v1/projects" if known => (200, json!({ "projects": [project] })),
        "GET /api/v1/projects" => (200, json!({ "projects": [] })),
        "GET /api/v1/projects/p1/comments" if known => (200, json!({ "comments": [{ "id": "c1", "body": "Hm" }] })),
        "GET /api/v1/projects/p1/participants" if known => {
            let person = json!({ "id": "p_1", "displayName": "Ana", "status": "active" });
            (200, json!({ "participants": [person] }))
        }
        "POST /api/v1/projects/p1/comments" => (201, json!({ "id": "c2", "body": came.body["body"] })),
        "POST /api/v1/projects/p1/comments/c1/replies" => (201, json!({ "id": "r1" })),
        "PATCH /api/v1/projects/p1/comments/c1" => (200, json!({ "id": "c1", "resolved": came.body["resolved"] })),
        _ => (404, json!({ "error": "Project not found" })),
    }
}

fn start(repository: &Repository, home: &std::path::Path) -> Editor {
    Editor::build(repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .env("HOME", home)
        .env("RUST_LOG", "trace")
        .start()
}

#[test]
fn a_prototype_is_linked_by_its_repository_and_the_token_stays_outside() {
    let (repository, home, peer) = (Repository::react(), tempfile::tempdir().unwrap(), Peer::start());
    repository.write(
        ".tool/config.json",
        "{\n  \"version\": 2,\n  \"editor\": { \"canvas\": true }\n}\n",
    );
    let editor = start(&repository, home.path());
    let unlinked = editor.ask("/api/project").expect(200).json();
    assert_eq!(unlinked, json!({ "ok": true, "linked": null, "signedIn": false }));
    let body = json!({ "baseUrl": format!("{}/", peer.address), "repoUrl": REMOTE, "token": TOKEN });
    let linked = editor.post("/api/project/link", &body).expect(200);
    assert!(!linked.text().contains("secret"), "{}", linked.text());
    let wanted = json!({
        "ok": true,
        "linked": {
            "id": "p1", "slug": "shop", "name": "The Shop",
            "viewerUrl": "http://127.0.0.1/p/shop/", "baseUrl": peer.address
        },
        "signedIn": true,
    });
    assert_eq!(linked.json(), wanted);
    assert_eq!(editor.ask("/api/project").json(), wanted);
    let config = repository.read(".tool/config.json");
    let written: Value = serde_json::from_str(&config).unwrap();
    assert_eq!(written["project"]["slug"], json!("shop"));
    assert_eq!(
        (&written["projectId"], &written["projectSlug"]),
        (&json!("p1"), &json!("shop"))
    );
    assert_eq!(
        written["platformBaseUrl"].as_str().map(|url| url.trim_end_matches('/')),
        Some(&*peer.address)
    );
    assert_eq!(written["editor"]["canvas"], json!(true), "what else stands there stays");
    assert!(!config.contains("secret"));
    let kept = home.path().join(".config/tool/review-tokens.json");
    assert!(fs::read_to_string(&kept).unwrap().contains(TOKEN));
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(
        repository.git(&["status", "--porcelain", "-uall"]),
        "?? .tool/config.json"
    );
    // A second time, and after a restart, nobody has to give it again.
    drop(editor);
    let editor = start(&repository, home.path());
    let body = json!({ "baseUrl": peer.address, "slug": "shop" });
    assert_eq!(
        editor.post("/api/project/link", &body).expect(200).json()["signedIn"],
        json!(true)
    );
    editor
        .post("/api/project/unlink", &json!({ "forget": true }))
        .expect(200);
    assert_eq!(editor.ask("/api/project").json()["linked"], Value::Null);
    let written: Value = serde_json::from_str(&repository.read(".tool/config.json")).unwrap();
    assert_eq!(written, json!({ "version": 2, "editor": { "canvas": true } }));
    assert!(!fs::read_to_string(&kept).unwrap().contains("secret"));
    let said = editor.stdout() + &editor.stderr();
    assert!(!said.contains("secret"), "the token stands in the log");
}

#[test]
fn what_stands_in_the_way_of_a_link_is_said_and_nothing_is_written() {
    let (repository, home, peer) = (Repository::react(), tempfile::tempdir().unwrap(), Peer::start());
    let editor = start(&repository, home.path());
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (body, status, part) in [
        (json!({ "baseUrl": "review.example.com", "slug": "a" }), 400, "baseUrl"),
        (
            json!({ "baseUrl": "https://me:pass@host.org", "slug": "a" }),
            400,
            "baseUrl",
        ),
        (json!({ "baseUrl": peer.address }), 400, "slug"),
        (
            json!({ "baseUrl": peer.address, "slug": "shop", "token": "hunter2" }),
            400,
            "tok_",
        ),
        (
            json!({ "baseUrl": peer.address, "slug": "shop", "token": "tok_x_wrong" }),
            401,
            "Unknown token",
        ),
        (json!({ "baseUrl": peer.address, "slug": "shop" }), 404, "give a token"),
        (
            json!({ "baseUrl": peer.address, "repoUrl": REMOTE }),
            403,
            "give a token",
        ),
        (
            json!({ "baseUrl": peer.address, "repoUrl": "git@host.org:new.git" }),
            404,
            "shop-2",
        ),
        (
            json!({ "baseUrl": peer.address, "repoUrl": "git@host.org:torn.git" }),
            409,
            "Two projects",
        ),
        (
            json!({ "baseUrl": format!("http://{closed}"), "repoUrl": REMOTE }),
            502,
            "cannot be reached",
        ),
    ] {
        let answer = editor.post("/api/project/link", &body).expect(status).json();
        assert_eq!(answer["ok"], json!(false));
        assert!(answer["reason"].as_str().unwrap().contains(part), "{body}: {answer}");
    }
    assert!(!repository.at(".tool/config.json").exists());
    assert!(!home.path().join(".config").exists());
}

#[test]
fn comments_go_to_the_linked_project_with_the_token() {
    let (repository, home, peer) = (Repository::react(), tempfile::tempdir().unwrap(), Peer::start());
    let editor = start(&repository, home.path());
    let refused = editor.ask("/api/project/comments").expect(409).json();
    assert_eq!(refused["code"], json!("not-linked"));
    let body = json!({ "baseUrl": peer.address, "repoUrl": REMOTE, "token": TOKEN });
    editor.post("/api/project/link", &body).expect(200);
    let events = editor.events();
    let listed = editor.ask("/api/project/comments").expect(200).json();
    assert_eq!(
        listed,
        json!({ "ok": true, "comments": [{ "id": "c1", "body": "Hm" }] })
    );
    assert_eq!(
        editor.request("GET", "/api/project/comments").send().expect(200).json(),
        listed
    );
    let comment = json!({ "body": "Nice", "position": { "anchorSelector": "#a", "page": "/" } });
    let made = editor.post("/api/project/comments", &comment).expect(200).json();
    assert_eq!((&made["ok"], &made["id"]), (&json!(true), &json!("c2")));
    editor
        .post("/api/project/comments/c1/replies", &json!({ "body": "Yes" }))
        .expect(200);
    let resolved = editor
        .post("/api/project/comments/c1/resolve", &json!({ "resolved": false }))
        .expect(200)
        .json();
    assert_eq!(resolved["resolved"], json!(false));
    editor
        .post("/api/project/comments/..%2Fx/replies", &json!({ "body": "Yes" }))
        .expect(400);
    let came = peer.came("POST /api/v1/projects/p1/comments");
    assert_eq!(came[0].body, comment);
    assert_eq!(came[0].authorization.as_deref(), Some(&*format!("Bearer {TOKEN}")));
    let missing = editor
        .post("/api/project/comments/c9/replies", &json!({ "body": "x" }))
        .expect(404)
        .json();
    assert_eq!(missing["reason"], json!("Project not found"));
    loop {
        if events.next().event == "comments" {
            break;
        }
    }
}

#[test]
fn comments_mention_people_the_server_names() {
    let (repository, home, peer) = (Repository::react(), tempfile::tempdir().unwrap(), Peer::start());
    let editor = start(&repository, home.path());
    let refused = editor.ask("/api/project/participants").expect(409).json();
    assert_eq!(refused["code"], json!("not-linked"));
    let body = json!({ "baseUrl": peer.address, "repoUrl": REMOTE, "token": TOKEN });
    editor.post("/api/project/link", &body).expect(200);
    let people = editor.ask("/api/project/participants").expect(200).json();
    let ana = json!({ "id": "p_1", "displayName": "Ana", "status": "active" });
    assert_eq!(people, json!({ "ok": true, "participants": [ana] }));
    let reply = json!({ "body": "@Ana yes", "mentions": ["p_1"] });
    editor.post("/api/project/comments/c1/replies", &reply).expect(200);
    let came = peer.came("POST /api/v1/projects/p1/comments/c1/replies");
    assert_eq!(came[0].body, reply);
}

#[test]
fn comments_made_elsewhere_are_heard_of() {
    let (repository, home, peer) = (Repository::react(), tempfile::tempdir().unwrap(), Peer::start());
    let editor = start(&repository, home.path());
    let events = editor.events();
    let body = json!({ "baseUrl": peer.address, "repoUrl": REMOTE, "token": TOKEN });
    editor.post("/api/project/link", &body).expect(200);
    while events.next().event != "comments" {}
    let streams = peer.came("GET /api/v1/projects/p1/comments/stream");
    assert_eq!(streams[0].authorization.as_deref(), Some(&*format!("Bearer {TOKEN}")));
}
