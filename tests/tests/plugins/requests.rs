//! `galley plugins test`: an author's requests on the real component.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use galley_tests::cli::{Ended, run};
use galley_tests::paths;
use galley_tests::prelude::*;

/// A folder of an author with the file `requests.json`.
struct Author {
    folder: tempfile::TempDir,
}

impl Author {
    fn with(script: &Value) -> Author {
        let author = Author {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::write(author.script(), script.to_string()).unwrap();
        fs::create_dir(author.temporary()).unwrap();
        author
    }

    fn script(&self) -> PathBuf {
        self.folder.path().join("requests.json")
    }

    fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    /// Runs the file, in an environment with settings that a test must not heed.
    fn test(&self, plugin: &Path, more: &[&str]) -> Ended {
        let mut command = Command::new(paths::galley());
        command
            .args(["plugins", "test"])
            .arg(self.script())
            .arg("--plugin")
            .arg(plugin)
            .args(more)
            .env("SERVICE_PLUGINS_DIR", paths::plugins())
            .env("SERVICE_DATA_DIR", self.folder.path().join("never-made"))
            .env("SERVICE_LISTEN", "192.0.2.1:1")
            .env("TMPDIR", self.temporary());
        let ended = run(&mut command);
        let left: Vec<_> = fs::read_dir(self.temporary()).unwrap().flatten().collect();
        assert!(left.is_empty(), "{left:?}");
        assert!(!self.folder.path().join("never-made").exists());
        ended
    }
}

#[test]
fn steps_run_on_the_real_component() {
    let notes = "/api/v1/projects/{shop}/x/contract";
    let script = json!({
        "projects": { "shop": "all-members" },
        "steps": [
            { "request": format!("GET {notes}"), "expect": { "status": 404 } },
            { "name": "a note", "request": format!("POST {notes}"), "as": "editor", "json": { "text": "Hello" },
              "expect": { "status": 201, "json": { "forged": "denied" } }, "save": { "forged": "/forged" } },
            { "event": { "topic": "project-deleted", "data": { "projectId": "{shop}" } } },
            { "request": format!("GET {notes}"), "as": "viewer",
              "expect": { "headers": { "Content-Type": "application/json" }, "text": "deleted" } },
            { "request": "GET /api/v1/x/contract/{forged}/b", "as": "admin", "headers": { "x-test": "{forged}" },
              "expect": { "json": { "params": ["denied", "b"], "header": "denied" } } },
        ],
    });
    let author = Author::with(&script);
    let done = author.test(&paths::guest("contract"), &[]).expect(0);
    for words in [
        "ok    2 a note as editor → 201 (",
        "the event project-deleted → 204",
        "5 steps passed, 0 failed",
    ] {
        assert!(done.stdout.contains(words), "`{words}` in\n{}", done.stdout);
    }
    let done = author.test(&paths::guest("contract"), &["--json"]).expect(0).json();
    assert_eq!((&done["passed"], &done["failed"]), (&json!(5), &json!(0)));
    assert_eq!(done["steps"][1]["status"], 201, "{done}");
}

#[test]
fn differences_are_named_and_end_with_1() {
    let script = json!({
        "steps": [
            { "request": "POST /api/v1/x/shelf", "json": { "text": "tea" }, "expect": { "status": 201 } },
            { "request": "GET /api/v1/x/shelf", "expect": { "json": ["coffee"] } },
            { "request": "GET /api/v1/x/shelf/about", "expect": { "json": { "version": "1", "more": 1 } },
              "save": { "x": "/nothing" } },
            { "event": { "topic": "project-deleted" } },
            { "request": "GET /api/v1/x/shelf", "expect": { "json": ["tea"] } },
            { "request": "GET /api/v1/projects/{shp}/x/shelf", "expect": { "status": 404 } },
        ],
    });
    let author = Author::with(&script);
    let recipe = galley_tests::shelf::Shelf::new("1", &["CREATE TABLE item (text TEXT NOT NULL)"]);
    let plugin = author.folder.path().join("shelf.wasm");
    fs::write(&plugin, recipe.component()).unwrap();
    let ended = author.test(&plugin, &[]).expect(1);
    for words in [
        "FAIL  1",
        "status: expected 201, was 204",
        "json /0: expected \"coffee\", was \"tea\"",
        "json /more: expected 1, was absent",
        "json /nothing: expected a value to save, was absent",
        "not subscribed to `project-deleted`",
        "ok    5 GET /api/v1/x/shelf",
        "`{shp}` in the path is no project",
        "1 step passed, 5 failed",
    ] {
        assert!(ended.stdout.contains(words), "`{words}` in\n{}", ended.stdout);
    }
    assert!(ended.stderr.contains("5 of 6 steps failed"), "{}", ended.stderr);
    let json = author.test(&plugin, &["--json"]).expect(1).json();
    assert_eq!(json["steps"][0]["differences"][0]["at"], "status", "{json}");
}

#[test]
fn a_bundled_place_can_be_tested_too() {
    let list = "/api/v1/projects/{shop}/comments";
    let script = json!({
        "projects": { "shop": "all-members" }, "beside": ["deployments"],
        "steps": [
            { "request": format!("GET {list}"), "as": "viewer", "expect": { "status": 200 } },
            { "request": "GET /api/v1/projects/{shop}/deployments", "as": "viewer", "expect": { "status": 200 } },
        ],
    });
    let author = Author::with(&script);
    author.test(&paths::plugins().join("comments.wasm"), &[]).expect(0);
}

#[test]
fn settings_secrets_and_jobs_are_part_of_a_test() {
    let of = |key: &str| format!("GET /api/v1/x/errands/config/{key}");
    let mode = |word: &str| json!({ "request": format!("PUT /api/v1/x/errands/mode/{word}") });
    let script = json!({
        "config": { "settings": { "greeting": "Good day", "days": 3, "loud": true }, "secrets": { "token": "t0ken-of-a-test" } },
        "steps": [
            { "request": of("greeting"), "expect": { "json": { "value": "Good day" } }, "save": { "said": "/value" } },
            { "request": of("days"), "expect": { "json": { "value": 3 } } },
            { "request": of("loud"), "expect": { "json": { "value": true } } },
            { "request": of("token"), "expect": { "json": { "value": null, "hasSecret": true } } },
            { "config": { "settings": { "greeting": "{said}, again", "days": "" }, "secrets": { "token": "" } } },
            { "request": of("greeting"), "expect": { "json": { "value": "Good day, again" } } },
            { "request": of("days"), "expect": { "json": { "value": 7 } } },
            { "request": of("token"), "expect": { "json": { "hasSecret": false } } },
            { "name": "no number", "config": { "settings": { "days": "many" } }, "expect": { "status": 400, "text": "days" } },
            { "job": "nightly" },
            { "request": "GET /api/v1/x/errands/runs", "expect": { "text": "nightly" } },
            mode("fail"),
            { "job": "nightly", "expect": { "status": 409, "json": { "error": "the errand was in vain" } } },
            mode("panic"),
            { "job": "nightly", "expect": { "status": 500, "text": "the errand went wrong" } },
        ],
    });
    let author = Author::with(&script);
    let done = author.test(&paths::guest("errands"), &[]).expect(0);
    for words in [
        "the job nightly → 204 (",
        "no number → 400",
        "15 steps passed, 0 failed",
    ] {
        assert!(done.stdout.contains(words), "`{words}` in\n{}", done.stdout);
    }
    assert!(!done.stdout.contains("t0ken-of-a-test"), "{}", done.stdout);
    let author = Author::with(&json!({ "steps": [{ "job": "tea" }] }));
    let ended = author.test(&paths::guest("errands"), &[]).expect(1);
    assert!(
        ended.stdout.contains("no job `tea`, but: tick, tock, nightly"),
        "{}",
        ended.stdout
    );
}

#[test]
fn archives_and_files_are_uploaded() {
    let site = "/api/v1/projects/{shop}/deployments";
    let upload = |body: Value| {
        let mut step = json!({ "request": format!("POST {site}"), "as": "editor", "expect": { "status": 201 } });
        step.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        step
    };
    let script = json!({
        "projects": { "shop": "all-members" },
        "steps": [
            upload(json!({ "archive": { "index.html": "<h1>{shop}</h1>", "a/b.css": "" } })),
            upload(json!({ "archive": "site" })),
            upload(json!({ "file": "site.tar.gz", "headers": { "content-type": "application/gzip" } })),
            { "request": "GET /p/shop/", "as": "viewer", "expect": { "text": "from a file" } },
            upload(json!({ "archive": { "../x": "" } })),
            upload(json!({ "archive": "missing" })),
            upload(json!({ "file": "missing.tar.gz" })),
        ],
    });
    let author = Author::with(&script);
    let site = author.folder.path().join("site");
    fs::create_dir(&site).unwrap();
    fs::write(site.join("index.html"), "<h1>from a folder</h1>").unwrap();
    let packed = Bundle::page("<h1>from a file</h1>").build();
    fs::write(author.folder.path().join("site.tar.gz"), packed).unwrap();
    let done = author.test(&paths::plugins().join("deployments.wasm"), &[]).expect(1);
    for words in [
        "4 steps passed, 3 failed",
        "`../x` cannot be packed",
        "missing cannot be packed",
        "missing.tar.gz cannot be read",
    ] {
        assert!(done.stdout.contains(words), "`{words}` in\n{}", done.stdout);
    }
}

#[test]
fn streams_stay_open_between_steps() {
    let list = "/api/v1/projects/{shop}/comments";
    let script = json!({
        "projects": { "shop": "all-members" },
        "steps": [
            { "request": format!("GET {list}/stream"), "as": "viewer", "stream": "watch" },
            { "next": "watch", "expect": { "json": { "type": "connected" } } },
            { "request": format!("POST {list}"), "as": "editor", "json": remark("Hello"), "expect": { "status": 201 } },
            { "next": "watch", "expect": { "status": 200, "json": { "type": "changed" } }, "save": { "kind": "/type" } },
            { "next": "nothing" },
            { "request": format!("GET {list}"), "as": "viewer", "stream": "list" },
        ],
    });
    let author = Author::with(&script);
    let done = author.test(&paths::plugins().join("comments.wasm"), &[]).expect(1);
    for words in [
        "the next event of watch → 200",
        "no step before has left a stream `nothing` open",
        "the answer is no stream of events, but 200",
        "4 steps passed, 2 failed",
    ] {
        assert!(done.stdout.contains(words), "`{words}` in\n{}", done.stdout);
    }
}

#[test]
fn a_bad_file_or_component_is_named() {
    let step = |step: Value| json!({ "steps": [step] });
    let cases = [
        (json!([]), "requests.json"),
        (json!({ "steps": [], "stepz": 1 }), "stepz"),
        (step(json!({ "request": "POST" })), "step 1"),
        (step(json!({ "name": "nothing" })), "one of `request`, `event`, `job`"),
        (
            step(json!({ "job": "a", "next": "b" })),
            "one of `request`, `event`, `job`",
        ),
        (step(json!({ "job": "a", "as": "editor" })), "belong to a `request`"),
        (
            step(json!({ "request": "PUT /x", "json": 1, "file": "x" })),
            "at most one of",
        ),
        (
            json!({ "steps": [], "config": { "settings": { "tea": 1 } } }),
            "`config` of the test file",
        ),
        (step(json!({ "request": "GET /x", "as": "root" })), "root"),
        (json!({ "steps": [], "projects": { "shop": "secret" } }), "public-link"),
        (json!({ "steps": [], "beside": ["tea"] }), "`tea`"),
    ];
    for (script, words) in cases {
        let ended = Author::with(&script).test(&paths::guest("empty"), &[]).expect(1);
        assert!(ended.stderr.contains(words), "`{words}` in {}", ended.stderr);
    }
    let author = Author::with(&json!({ "steps": [] }));
    let ended = author.test(Path::new("/nowhere/x.wasm"), &[]).expect(1);
    assert!(ended.stderr.contains("/nowhere/x.wasm"), "{}", ended.stderr);
    let text = author.folder.path().join("text.wasm");
    fs::write(&text, "hello").unwrap();
    let ended = author.test(&text, &[]).expect(2);
    assert!(ended.stderr.contains("not WebAssembly"), "{}", ended.stderr);
}
