//! The canvas: pictures of pages, plans of them, and what their runs give, with a real browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use galley_editor_tests::pages::Pages;
use galley_editor_tests::{Editor, Repository, attached};
use galley_harness::http::Response;
use galley_harness::poll::{eventually, within};
use serde_json::{Value, json};

/// How long a run may take on a busy machine; the browser has to start.
const RUN_TIMEOUT: Duration = Duration::from_secs(120);

const PAGE: &str = "<style>body { margin: 0; height: 1500px; background: #fff } @media (prefers-color-scheme: dark) { body { background: #000 } } \
                    p { position: absolute; left: 10px; top: 1200px; width: 50px; height: 30px; margin: 0; background: #f00 }</style>";

fn start(repository: &Repository, pages: &Pages) -> Editor {
    let editor = Editor::build(repository)
        .args(["--attach", &pages.address])
        .env("EDITOR_CANVAS", "1")
        .start();
    eventually("the pages are found", || {
        let state = editor.ask("/api/editor/state").json();
        (state["host"]["status"] == "attached").then_some(())
    });
    editor
}

#[track_caller]
fn refused(answer: Response, status: u16, code: &str) -> Value {
    let answer = answer.expect(status);
    let body = answer.json();
    assert_eq!(
        (&body["ok"], &body["code"]),
        (&json!(false), &json!(code)),
        "{}: {body}",
        answer.request
    );
    body
}

fn shot(page: &str, width: u32, scheme: &str) -> Value {
    json!({ "page": page, "width": width, "scheme": scheme })
}

fn plan(name: &str) -> String {
    format!("/api/editor/plans/{name}")
}

/// Runs a plan to its end, and gives what the run gave.
#[track_caller]
fn run(editor: &Editor, name: &str) -> Value {
    let begun = editor.ask(&format!("{}/run", plan(name))).expect(200).json();
    assert_eq!(begun["running"]["plan"], name, "{begun}");
    ended(editor);
    editor.ask(&plan(name)).expect(200).json()["run"].clone()
}

/// Waits until no plan is run.
#[track_caller]
fn ended(editor: &Editor) {
    let state = || editor.ask("/api/editor/canvas").expect(200).json();
    let ended = within(RUN_TIMEOUT, || state()["running"].is_null().then_some(()));
    assert!(ended.is_some(), "{}{}", state(), editor.stderr());
}

/// The width and height that a PNG says it has.
#[track_caller]
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "it is no PNG");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}

#[test]
fn switched_off_every_route_says_how_to_switch_it_on() {
    let repository = Repository::react().file(
        ".tool/plans/Home.json",
        json!({ "shots": [shot("/", 390, "light")] }).to_string(),
    );
    // Only exactly 1 switches on.
    let editor = Editor::build(&repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .env("EDITOR_CANVAS", "true")
        .start();
    let home = plan("Home");
    for answer in [
        editor.ask("/api/editor/canvas"),
        editor.request("GET", "/api/editor/canvas").send(),
        editor.ask("/api/editor/canvas/picture?page=/&width=390"),
        editor.ask(&home),
        editor.put(&home, &json!({ "shots": [shot("/", 768, "light")] })),
        editor.request("DELETE", &home).send(),
        editor.post(&format!("{home}/rename"), &json!({ "name": "New" })),
        editor.ask(&format!("{home}/run")),
        editor.ask(&format!("{home}/stop")),
        editor.ask(&format!("{home}/pictures/{}", "0".repeat(64))),
    ] {
        let body = refused(answer, 403, "switched-off");
        let reason = body["reason"].as_str().unwrap();
        assert!(
            reason.contains("editor.canvas") && reason.contains("EDITOR_CANVAS=1"),
            "{reason}"
        );
    }
    assert!(repository.at(".tool/plans/Home.json").is_file());
}

#[test]
fn the_setting_switches_it_on_and_is_shown() {
    let repository = Repository::react().file(".tool/config.json", r#"{ "version": 2, "editor": { "canvas": true } }"#);
    let editor = attached(&repository);
    let shown = editor.ask("/api/editor/canvas").expect(200).json();
    assert_eq!((&shown["plans"], &shown["running"]), (&json!([]), &Value::Null));
    let settings = editor.ask("/api/settings").json();
    let mut all = settings["settings"].as_array().unwrap().iter();
    let setting = all.find(|setting| setting["key"] == "editor.canvas").unwrap();
    assert_eq!(
        (&setting["works"], &setting["value"]),
        (&json!(true), &json!(true)),
        "{setting}"
    );
}

#[test]
fn a_picture_shows_all_of_a_page_at_a_width_in_a_scheme() {
    let (pages, repository) = (Pages::start(PAGE), Repository::react());
    let editor = start(&repository, &pages);
    let picture = |query: &str| editor.ask(&format!("/api/editor/canvas/picture?{query}")).expect(200);
    let light = picture("page=/&width=390");
    assert_eq!(light.header("content-type"), Some("image/png"));
    assert_eq!(size(&light.body), (390, 1500));
    let dark = picture("page=/&width=390&scheme=dark");
    assert_eq!(size(&dark.body), (390, 1500));
    assert_ne!(light.body, dark.body);
    assert_eq!(size(&picture("page=%2Fabout%3Fx%3D1%23part&width=3840").body).0, 3840);
    // Longer than what is shown of a page.
    pages.show("<div style=\"height: 9000px\"></div>");
    assert_eq!(size(&picture("page=/&width=200").body), (200, 6000));
    refused(
        editor.ask("/api/editor/canvas/picture?page=/fails&width=390"),
        422,
        "no-picture",
    );
    for (query, key) in [
        ("width=390", "page"),
        ("page=/", "width"),
        ("page=/&width=199", "width"),
        ("page=/&width=3841", "width"),
        ("page=/&width=wide", "width"),
        ("page=about&width=390", "page"),
        ("page=//other.org&width=390", "page"),
        ("page=http://other.org/&width=390", "page"),
        ("page=%2F%09%2Fother.org&width=390", "page"),
        ("page=%5C%5Cother.org&width=390", "page"),
        ("page=/&width=390&scheme=sepia", "scheme"),
    ] {
        let answer = editor.ask(&format!("/api/editor/canvas/picture?{query}"));
        assert_eq!(refused(answer, 400, "bad-request")["key"], key, "{query}");
    }
}

#[test]
fn a_run_after_an_edit_shows_before_beside_after() {
    let (pages, repository) = (Pages::start(PAGE), Repository::react());
    let editor = start(&repository, &pages);
    let shots = json!([
        shot("/", 390, "light"),
        shot("/", 768, "dark"),
        shot("/fails", 390, "light")
    ]);
    let saved = editor.put(&plan("Home"), &json!({ "shots": shots })).expect(200).json();
    let read = editor.ask(&plan("Home")).expect(200).json();
    assert_eq!(
        (&read["shots"], &read["hash"], &read["run"]),
        (&shots, &saved["hash"], &Value::Null)
    );

    let events = editor.events();
    let first = run(&editor, "Home");
    assert_eq!(first["stale"], false);
    for taken in &first["shots"].as_array().unwrap()[..2] {
        assert_eq!((&taken["before"], &taken["difference"]), (&Value::Null, &Value::Null));
        assert_eq!(
            (&taken["after"]["width"], &taken["after"]["height"]),
            (&taken["width"], &json!(1500))
        );
        assert_eq!(
            (&taken["after"]["isCut"], &taken["problem"]),
            (&json!(false), &Value::Null)
        );
    }
    let failed = &first["shots"][2];
    assert_eq!(failed["after"], Value::Null);
    assert!(failed["problem"].as_str().unwrap().contains("status 500"), "{failed}");
    let mut told = Vec::new();
    while told.last().is_none_or(|last: &Value| last["status"] != "done") {
        let event = events.next();
        if event.event == "canvas" {
            told.push(event.json());
        }
    }
    let done: Vec<&Value> = told.iter().map(|told| &told["done"]).collect();
    assert_eq!(done, [0, 1, 2, 3], "{told:?}");

    // Fifty by thirty pixels of what is below the first screen.
    pages.show(&format!("{PAGE}<p></p>"));
    let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Servus" });
    editor.post("/api/editor/edit", &edit).expect(200);
    assert_eq!(editor.ask(&plan("Home")).json()["run"]["stale"], true);
    let second = run(&editor, "Home");
    assert_eq!(second["stale"], false);
    // With other pictures the run is not of this plan any more, and is again with the same ones.
    let mut hash = saved["hash"].clone();
    for (shots, stale) in [(json!([shot("/", 390, "light")]), true), (shots, false)] {
        let change = json!({ "shots": shots, "hash": hash });
        hash = editor.put(&plan("Home"), &change).expect(200).json()["hash"].clone();
        assert_eq!(editor.ask(&plan("Home")).json()["run"]["stale"], stale);
        let listed = editor.ask("/api/editor/canvas").expect(200).json();
        assert_eq!(listed["plans"][0]["run"]["stale"], stale, "{listed}");
    }
    for (index, width) in [(0, 390.0), (1, 768.0)] {
        let (taken, before) = (&second["shots"][index], &first["shots"][index]);
        assert_eq!(taken["before"], before["after"]);
        let area = json!({ "x": 10, "y": 1200, "width": 50, "height": 30 });
        assert_eq!(taken["difference"]["area"], area, "{taken}");
        let share = taken["difference"]["share"].as_f64().unwrap();
        assert!((share - 1500.0 / (width * 1500.0)).abs() < 1e-9, "{share}");
        let picture = |which: &str| {
            let name = taken[which]["picture"].as_str().unwrap();
            editor
                .ask(&format!("{}/pictures/{name}", plan("Home")))
                .expect(200)
                .body
        };
        assert_ne!(picture("before"), picture("after"));
    }
    let listed = editor.ask("/api/editor/canvas").json();
    let run_of = &listed["plans"][0]["run"];
    assert_eq!(
        (&run_of["differ"], &run_of["problems"]),
        (&json!(2), &json!(1)),
        "{listed}"
    );

    // Nothing was edited since: nothing differs, and what is not shown any more is not kept.
    let third = run(&editor, "Home");
    assert_eq!(third["shots"][0]["difference"], json!({ "share": 0.0, "area": null }));
    let old = first["shots"][0]["after"]["picture"].as_str().unwrap();
    refused(
        editor.ask(&format!("{}/pictures/{old}", plan("Home"))),
        404,
        "not-found",
    );
    let kept = files(&repository.at(".tool/pictures"));
    assert_eq!(kept.len(), 3, "a record and two pictures: {kept:?}");
    assert_eq!(repository.git(&["status", "--porcelain", "--", ".tool/plans"]), "");
}

#[test]
fn one_plan_runs_at_a_time_and_stays_what_it_is_meanwhile() {
    let (pages, repository) = (Pages::start(PAGE), Repository::react());
    let editor = start(&repository, &pages);
    for (name, page) in [("Held", "/held"), ("Other", "/")] {
        let body = json!({ "shots": [shot("/", 390, "light"), shot(page, 768, "light")] });
        editor.put(&plan(name), &body).expect(200);
    }
    let held = plan("Held");
    editor.ask(&format!("{held}/run")).expect(200);
    for answer in [
        editor.ask(&format!("{held}/run")),
        editor.ask(&format!("{}/run", plan("Other"))),
        editor.request("DELETE", &held).send(),
        editor.post(&format!("{held}/rename"), &json!({ "name": "New" })),
        editor.put(&held, &json!({ "shots": [shot("/", 390, "light")] })),
    ] {
        assert_eq!(refused(answer, 409, "plan-running")["plan"], "Held");
    }
    // Edits do not wait for pictures, and the run is of the time before them.
    let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Servus" });
    editor.post("/api/editor/edit", &edit).expect(200);
    pages.let_go();
    ended(&editor);
    let after = editor.ask(&held).json();
    assert_eq!(after["run"]["stale"], true, "{after}");
    assert_eq!(after["run"]["shots"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_run_that_is_stopped_changes_nothing() {
    let (pages, repository) = (Pages::start(PAGE), Repository::react());
    let editor = start(&repository, &pages);
    let body = json!({ "shots": [shot("/", 390, "light")] });
    let hash = editor.put(&plan("Home"), &body).expect(200).json()["hash"].clone();
    let stop = format!("{}/stop", plan("Home"));
    assert_eq!(editor.ask(&stop).expect(200).json()["stopped"], false);
    let mut first = run(&editor, "Home");
    let more = json!({ "shots": [shot("/", 390, "light"), shot("/hangs", 390, "light")], "hash": hash });
    editor.put(&plan("Home"), &more).expect(200);
    // It lacks a picture that the plan has now.
    first["stale"] = true.into();
    pages.show(&format!("{PAGE}<p></p>"));
    editor.ask(&format!("{}/run", plan("Home"))).expect(200);
    let taken = within(RUN_TIMEOUT, || {
        (editor.ask("/api/editor/canvas").json()["running"]["done"] == 1).then_some(())
    });
    assert!(taken.is_some(), "{}", editor.stderr());
    assert_eq!(editor.ask(&stop).expect(200).json()["stopped"], true);
    ended(&editor);
    assert_eq!(editor.ask(&plan("Home")).json()["run"], first);
    eventually("what was taken is deleted", || {
        (files(&repository.at(".tool/pictures")).len() == 2).then_some(())
    });
}

#[test]
fn a_page_that_never_loads_is_said_to_and_the_others_are_there() {
    let (pages, repository) = (Pages::start(PAGE), Repository::react());
    let editor = start(&repository, &pages);
    let body = json!({ "shots": [shot("/hangs", 390, "light"), shot("/", 390, "light")] });
    editor.put(&plan("Home"), &body).expect(200);
    let begun = Instant::now();
    let given = run(&editor, "Home");
    let problem = given["shots"][0]["problem"].as_str().unwrap();
    assert!(problem.contains("did not show within 30 seconds"), "{problem}");
    assert!(begun.elapsed() >= Duration::from_secs(30));
    assert_eq!(given["shots"][1]["after"]["height"], 1500);
}

#[test]
fn names_and_files_that_do_not_fit_are_refused() {
    let (pages, repository) = (Pages::start(PAGE), Repository::react());
    let editor = start(&repository, &pages);
    let body = json!({ "shots": [shot("/", 390, "light")] });
    for name in [
        "..%2Fconfig",
        "%2e%2e%2fx",
        "a%00",
        ".hidden",
        "a%5Cb",
        "a.b",
        &"a".repeat(101),
    ] {
        let path = plan(name);
        for answer in [
            editor.ask(&path),
            editor.put(&path, &body),
            editor.request("DELETE", &path).send(),
            editor.ask(&format!("{path}/run")),
        ] {
            assert_eq!(refused(answer, 400, "bad-request")["key"], "name", "{name}");
        }
    }
    let saved = editor.put(&plan("Home"), &body).expect(200).json();
    refused(
        editor.post(&format!("{}/rename", plan("Home")), &json!({ "name": "../Home" })),
        400,
        "bad-request",
    );
    refused(editor.put(&plan("Home"), &body), 409, "source-changed");
    for (body, key) in [
        (json!({}), ""),
        (json!({ "shots": [] }), "shots"),
        (json!({ "shots": [shot("/", 100, "light")] }), "shots[0].width"),
        (json!({ "shots": [shot("/", 390, "sepia")] }), "shots[0].scheme"),
        (
            json!({ "shots": [shot("//other.org/", 390, "light")] }),
            "shots[0].page",
        ),
        (
            json!({ "shots": [shot("/", 390, "light"), shot("/", 390, "light")] }),
            "shots[1]",
        ),
        (
            json!({ "shots": (0..25).map(|index| shot("/", 300 + index, "light")).collect::<Vec<_>>() }),
            "shots",
        ),
    ] {
        let mut body = body;
        body["hash"] = saved["hash"].clone();
        let refused = refused(editor.put(&plan("Home"), &body), 400, "bad-request");
        assert_eq!(refused["key"].as_str().unwrap_or_default(), key, "{refused}");
    }

    // A file of the user's, with a mistake.
    repository.write(
        ".tool/plans/Mine.json",
        r#"{ "shots": [{ "page": "/", "width": 390, "colour": "dark" }] }"#,
    );
    let read = editor.ask(&plan("Mine")).expect(200).json();
    assert_eq!(
        (&read["shots"], &read["problem"]["key"]),
        (&Value::Null, &json!("shots[0].colour"))
    );
    let answer = editor.ask(&format!("{}/run", plan("Mine")));
    assert_eq!(refused(answer, 409, "plan-file")["key"], "shots[0].colour");
    let listed = editor.ask("/api/editor/canvas").json();
    assert_eq!(listed["plans"][1]["problem"]["key"], "shots[0].colour", "{listed}");
    editor.request("DELETE", &plan("Mine")).send().expect(200);
    refused(editor.ask(&format!("{}/run", plan("Mine"))), 404, "not-found");

    editor
        .post(&format!("{}/rename", plan("Home")), &json!({ "name": "Start 2" }))
        .expect(200);
    assert_eq!(
        editor.ask(&plan("Start%202")).expect(200).json()["shots"],
        json!([shot("/", 390, "light")])
    );
    refused(
        editor.ask(&format!("{}/pictures/..%2Frecord", plan("Start%202"))),
        400,
        "bad-request",
    );
}

#[test]
fn without_the_browser_or_a_page_that_is_said_and_plans_are_kept() {
    let (pages, repository) = (Pages::start(PAGE), Repository::react());
    let body = json!({ "shots": [shot("/", 390, "light")] });
    for (variable, value, words) in [
        ("EDITOR_REVIEW_SURFACE", "off", "EDITOR_REVIEW_SURFACE"),
        ("EDITOR_BROWSER", "/nowhere/chromium", "EDITOR_BROWSER"),
    ] {
        let editor = Editor::build(&repository)
            .args(["--attach", &pages.address])
            .env("EDITOR_CANVAS", "1")
            .env(variable, value)
            .start();
        let name = plan(variable);
        editor.put(&name, &body).expect(200);
        let shown = editor.ask("/api/editor/canvas").expect(200).json();
        assert!(shown["browser"].as_str().unwrap().contains(words), "{shown}");
        for answer in [
            editor.ask("/api/editor/canvas/picture?page=/&width=390"),
            editor.ask(&format!("{name}/run")),
        ] {
            let body = refused(answer, 503, "no-browser");
            assert!(body["reason"].as_str().unwrap().contains(words), "{body}");
        }
    }
    let editor = Editor::build(&repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .env("EDITOR_CANVAS", "1")
        .start();
    editor.put(&plan("Home"), &body).expect(200);
    refused(editor.ask(&format!("{}/run", plan("Home"))), 422, "no-picture");
}

#[test]
fn killed_during_a_run_the_pictures_are_those_of_the_run_before() {
    let (pages, repository) = (Pages::start(PAGE), Repository::react());
    let widths = [320, 390, 768, 1024, 1280];
    let body = json!({ "shots": widths.map(|width| shot("/", width, "light")) });
    let first = {
        let editor = start(&repository, &pages);
        editor.put(&plan("Home"), &body).expect(200);
        run(&editor, "Home")
    };
    for done in [0, 1, 3] {
        pages.show(&format!("{PAGE}<p></p><h1>{done}</h1>"));
        let editor = start(&repository, &pages);
        editor.ask(&format!("{}/run", plan("Home"))).expect(200);
        let so_far = || editor.ask("/api/editor/canvas").json()["running"]["done"].as_u64();
        let reached = within(RUN_TIMEOUT, || so_far().is_none_or(|now| now >= done).then_some(()));
        assert!(reached.is_some(), "{}", editor.stderr());
        editor.kill();

        let editor = start(&repository, &pages);
        assert_eq!(editor.ask("/api/editor/canvas").json()["running"], Value::Null);
        assert_eq!(editor.ask(&plan("Home")).json()["run"], first, "killed after {done}");
        let kept = files(&repository.at(".tool/pictures"));
        assert_eq!(kept.len(), widths.len() + 1, "{kept:?}");
        for file in kept
            .iter()
            .filter(|file| file.extension().is_some_and(|end| end == "png"))
        {
            let png = fs::read(file).unwrap();
            assert_eq!(size(&png).1, 1500, "{}", file.display());
            assert!(png.ends_with(b"IEND\xaeB`\x82"), "{} is torn", file.display());
        }
    }
}
