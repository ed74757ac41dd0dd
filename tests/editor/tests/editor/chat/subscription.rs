//! Chat by the vendor's program, which a program of ours plays.

use galley_editor_tests::Repository;
use galley_editor_tests::provider::{KEY, Provider};
use galley_editor_tests::vendor::Vendor;
use galley_harness::poll::eventually;
use serde_json::{Value, json};

use super::{Desk, assert_unseen, build, items};

fn start(repository: &Repository) -> (Desk, Vendor) {
    let (provider, home) = (Provider::start(), tempfile::tempdir().unwrap());
    let vendor = Vendor::at(home.path());
    let editor = vendor.asked_by(build(repository, &provider, &home)).start();
    (Desk { editor, provider, home }, vendor)
}

fn begin(desk: &Desk, vendor: &Vendor, (session, turn): (&str, &str), steps: &Value) {
    vendor.plays(steps);
    desk.begin(session, turn, "Change the heading").expect(200);
}

#[test]
fn the_program_works_with_our_tools_and_no_others() {
    let repository = Repository::react().file("AGENTS.md", "Be brief\n").commit();
    let (desk, vendor) = start(&repository);
    let session = desk.session();
    let steps = json!([
        { "say": "Let me change the heading." },
        { "call": "edit", "input": { "src": "src/App.tsx:1:25", "kind": "text", "text": "Welcome" } },
        { "call": "Bash", "foreign": true, "input": { "command": "cat .env" } },
        { "call": "read_file", "input": { "path": ".env" } },
        { "say": "Done." }
    ]);
    begin(&desk, &vendor, (&session, "turn-0001"), &steps);
    let turn = desk.over(&session);
    assert_eq!(turn["status"], "done", "{turn:#}");
    assert!(repository.read("src/App.tsx").contains("Welcome"));
    let texts: Vec<&str> = items(&turn, "text")
        .iter()
        .map(|item| item["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["Let me change the heading.", "Done."]);
    // The turn, and the question whether it reached its goal.
    assert_eq!((items(&turn, "edit").len(), &turn["cost"]["usd"]), (1, &json!(0.025)));
    let behaviours: Vec<Value> = vendor.noted("may").iter().map(|may| may["behavior"].clone()).collect();
    assert_eq!(behaviours, ["allow", "deny", "allow"]);
    assert_eq!(vendor.noted("answer")[1]["isError"], true);
    assert!(vendor.noted("tools")[0].as_array().unwrap().contains(&json!("propose")));
    // No key, no settings, no folder of the user's.
    let environment = vendor.noted("env")[0].to_string();
    assert!(
        !environment.contains("API_KEY") && !environment.contains("EDITOR_"),
        "{environment}"
    );
    assert_eq!(vendor.noted("folder")[0], json!([]));
    let arguments = vendor.noted("argv")[0].to_string();
    assert!(
        arguments.contains("--setting-sources=") && arguments.contains("--strict-mcp-config"),
        "{arguments}"
    );
    // The next turn knows what was said, though the program is another one.
    begin(&desk, &vendor, (&session, "turn-0002"), &json!([{ "say": "Yes" }]));
    assert_eq!(desk.over(&session)["status"], "done");
    let told = vendor.noted("user");
    assert!(
        told[2].as_str().unwrap().contains("Let me change the heading.Done."),
        "{told:?}"
    );
    assert!(told[0].as_str().unwrap().contains("Be brief"));
    assert!(desk.provider.asked().is_empty(), "the key is not used");
    let undo = format!("/api/editor/chat/sessions/{session}/turns/turn-0001/undo");
    desk.editor.post(&undo, &json!({})).expect(200);
    assert!(repository.read("src/App.tsx").contains("Hello"));
    assert_unseen(KEY, &[&repository.path(), desk.home.path()]);
}

#[test]
fn its_failures_have_their_own_words() {
    let repository = Repository::react();
    let (desk, vendor) = start(&repository);
    let session = desk.session();
    let failed = |number: u32, steps: &Value| {
        begin(&desk, &vendor, (&session, &format!("turn-000{number}")), steps);
        let turn = desk.over(&session);
        assert_eq!(
            (&turn["status"], &turn["failure"]["subscription"]),
            (&json!("failed"), &json!(true)),
            "{turn:#}"
        );
        turn["failure"].clone()
    };
    let failure = failed(1, &json!([{ "result": { "is_error": true, "api_error_status": 401 } }]));
    assert_eq!(failure["kind"], "authentication");
    assert_eq!(
        failure["words"],
        "Authentication failed (401). Sign in again in the vendor tool, then start a new chat turn."
    );
    let failure = failed(
        2,
        &json!([{ "limit": true }, { "result": { "is_error": true, "api_error_status": 429 } }]),
    );
    let wait = failure["retrySeconds"].as_u64().unwrap();
    assert!((3_000..=3_600).contains(&wait), "{failure}");
    assert!(
        failure["words"]
            .as_str()
            .unwrap()
            .ends_with(&format!("try again in {wait} seconds"))
    );
    assert_eq!(failed(3, &json!([{ "die": true }]))["kind"], "provider");
    begin(
        &desk,
        &vendor,
        (&session, "turn-0004"),
        &json!([{ "say": "I was about to" }, { "stall": true }]),
    );
    eventually("its words", || {
        let turn = desk.newest(&session);
        (items(&turn, "text").first()?["text"] == "I was about to").then_some(())
    });
    desk.editor
        .post(&format!("/api/editor/chat/sessions/{session}/stop"), &json!({}))
        .expect(200);
    let turn = desk.over(&session);
    assert_eq!((&turn["status"], &turn["failure"]), (&json!("stopped"), &Value::Null));
}

/// What `cargo xtask vendor-cli` recorded of the vendor's own program.
const RECORDED: &str = include_str!("../../../oracles/vendor-cli.json");

#[test]
fn what_was_recorded_of_the_vendors_own_program_is_understood() {
    let scenes: Vec<Value> = serde_json::from_str(RECORDED).unwrap();
    assert_eq!(scenes.len(), 6);
    for scene in scenes {
        let repository = Repository::react();
        let (desk, vendor) = start(&repository);
        vendor.says_again(&scene["lines"]);
        let session = desk.session();
        desk.begin(&session, "turn-0001", "Change the heading").expect(200);
        if scene["scene"] == "stopped" {
            eventually("its words", || {
                let turn = desk.newest(&session);
                (!items(&turn, "text").is_empty()).then_some(())
            });
            desk.editor
                .post(&format!("/api/editor/chat/sessions/{session}/stop"), &json!({}))
                .expect(200);
        }
        let turn = desk.over(&session);
        let (name, kind) = (&scene["scene"], |failure: &Value| failure["kind"].clone());
        assert_eq!(turn["status"], scene["status"], "{name}: {turn:#}");
        assert_eq!(kind(&turn["failure"]), kind(&scene["failure"]), "{name}: {turn:#}");
        let is_changed = repository.read("src/App.tsx").contains("Servus");
        assert_eq!(is_changed, name == "tool", "{name}: {turn:#}");
        assert!(!vendor.noted("heard").is_empty(), "{name}: it was told nothing");
    }
}

#[test]
fn the_program_judges_what_a_turn_reached_and_changes_nothing() {
    let repository = Repository::react();
    let (desk, vendor) = start(&repository);
    let session = desk.session();
    let edit =
        |text: &str| json!({ "call": "edit", "input": { "src": "src/App.tsx:1:25", "kind": "text", "text": text } });
    let judged = |number: u32, steps: Value| {
        vendor.judges(&steps);
        let text = format!("Number {number}");
        begin(
            &desk,
            &vendor,
            (&session, &format!("turn-000{number}")),
            &json!([edit(&text)]),
        );
        let turn = desk.over(&session);
        assert_eq!(
            (&turn["status"], &turn["failure"]),
            (&json!("done"), &Value::Null),
            "{turn:#}"
        );
        assert!(repository.read("src/App.tsx").contains(&text));
        turn["goal"].clone()
    };
    let judge = |verdict: &str| json!([{ "call": "judge", "input": { "verdict": verdict, "why": "As it reads." } }, { "say": "More" }]);
    for (number, verdict) in ["reached", "not-reached", "unclear"].into_iter().enumerate() {
        let goal = judged(u32::try_from(number).unwrap() + 1, judge(verdict));
        assert_eq!(goal, json!({ "verdict": verdict, "why": "As it reads." }));
    }
    // It sees the wish and what was changed, has one tool and a budget of its own.
    let asked = vendor.noted("user")[1].as_str().unwrap().to_owned();
    assert!(
        asked.contains("Change the heading") && asked.contains("Number 1"),
        "{asked}"
    );
    assert_eq!(vendor.noted("tools")[1], json!(["judge"]));
    let arguments = vendor.noted("argv")[1].to_string();
    assert!(arguments.contains("\"--max-budget-usd\",\"0.0300\""), "{arguments}");

    // What it cannot say leaves the turn as it is; no other tool is there for it.
    let unclear = |number: u32, steps: Value, why: &str| {
        let goal = judged(number, steps);
        assert_eq!(goal["verdict"], "unclear", "{goal}");
        assert!(goal["why"].as_str().unwrap().contains(why), "{goal}");
    };
    let silent = "The model gave no judgement.";
    unclear(4, json!([{ "say": "Looks good" }]), silent);
    unclear(5, json!([edit("Judged")]), silent);
    unclear(
        6,
        json!([{ "call": "Bash", "foreign": true, "input": {} }, { "say": "Else" }]),
        silent,
    );
    unclear(
        7,
        json!([{ "call": "judge", "input": { "verdict": "perfect" } }]),
        silent,
    );
    unclear(
        8,
        json!([{ "die": true }]),
        "It was not judged: the vendor's program ended before it answered.",
    );
    let limited = json!([{ "limit": true }, { "result": { "is_error": true, "api_error_status": 429 } }]);
    unclear(9, limited, "It was not judged: the vendor's program is rate-limited.");
    assert!(desk.provider.asked().is_empty(), "the key is not used");
    assert_unseen(KEY, &[&repository.path(), desk.home.path()]);
}

/// A heading that is computed, which the engine refuses.
const COMPUTED: &str = "export default function App() {\n  return <h1>{['Hel', 'lo'].join('')}</h1>\n}\n";

#[test]
fn a_refused_edit_is_tried_by_the_program() {
    let repository = Repository::react().file("src/App.tsx", COMPUTED).commit();
    let (desk, vendor) = start(&repository);
    let edit = json!({ "src": "src/App.tsx:2:9", "kind": "text", "text": "Servus", "before": "Hello" });
    let lane = |steps: Value| {
        vendor.plays(&steps);
        let answer = desk.editor.post("/api/editor/llm-fallback", &edit);
        (answer.status, answer.json())
    };
    let propose = |old: &str| {
        let files = json!([{ "path": "src/App.tsx", "old": old, "new": "Servus" }]);
        json!({ "call": "propose", "input": { "files": files, "why": "as asked" } })
    };

    // The second proposal knows why the first was refused, and waits for a yes: no page can be looked at here.
    let (status, told) = lane(json!([
        { "call": "Bash", "foreign": true, "input": { "command": "cat .env" } },
        propose("{nowhere}"),
        propose("{['Hel', 'lo'].join('')}")
    ]));
    assert_eq!((status, told["cost"]["usd"].as_f64()), (409, Some(0.0125)), "{told}");
    assert_eq!(
        (&told["cost"]["calls"], &told["cost"]["estimated"]),
        (&json!(2), &json!(false))
    );
    assert_eq!(vendor.noted("may")[0]["behavior"], "deny");
    assert_eq!(vendor.noted("tools")[0], json!(["propose"]));
    let refused = vendor.noted("answer")[0].to_string();
    assert!(refused.contains("Refused (not-unique)"), "{refused}");
    assert!(
        vendor.noted("user")[0]
            .as_str()
            .unwrap()
            .contains("Why the engine refused it")
    );
    assert_eq!(repository.read("src/App.tsx"), COMPUTED);
    let yes = json!({ "proposal": told["proposal"]["id"] });
    desk.editor.post("/api/editor/llm-fallback/accept", &yes).expect(200);
    let right = COMPUTED.replace("{['Hel', 'lo'].join('')}", "Servus");
    assert_eq!(repository.read("src/App.tsx"), right);
    desk.editor.ask("/api/editor/undo").expect(200);

    let (status, told) = lane(json!([{ "say": "This cannot be done." }]));
    assert_eq!((status, &told["code"]), (422, &json!("not-verified")), "{told}");
    assert!(
        told["reason"].as_str().unwrap().contains("This cannot be done."),
        "{told}"
    );
    let (status, told) = lane(json!([{ "result": { "is_error": true, "api_error_status": 401 } }]));
    assert_eq!((status, &told["code"]), (502, &json!("provider")), "{told}");
    assert!(
        told["reason"]
            .as_str()
            .unwrap()
            .contains("sign in again in the vendor tool"),
        "{told}"
    );
    let (status, told) = lane(json!([{ "limit": true }, { "result": { "is_error": true, "api_error_status": 429 } }]));
    assert_eq!((status, &told["code"]), (429, &json!("rate-limited")), "{told}");
    assert!(told["retryAfterSeconds"].as_u64().unwrap() > 3_000, "{told}");
    let (status, told) = lane(json!([{ "die": true }]));
    assert_eq!((status, &told["code"]), (502, &json!("provider")), "{told}");
    assert_eq!(repository.read("src/App.tsx"), COMPUTED);
    assert!(desk.provider.asked().is_empty(), "the key is not used");

    vendor.goes();
    let (status, told) = lane(json!([]));
    assert_eq!((status, &told["code"]), (503, &json!("missing-key")), "{told}");
    assert!(told["reason"].as_str().unwrap().contains("EDITOR_VENDOR_CLI"), "{told}");
    assert_unseen(KEY, &[&repository.path(), desk.home.path()]);
}
