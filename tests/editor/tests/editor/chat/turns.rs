//! A turn from its first word to its undo, and what pages see of it.

use galley_editor_tests::Repository;
use galley_editor_tests::provider::{KEY, Reply};
use serde_json::{Value, json};

use super::{Desk, assert_unseen, items, offered, retype};

#[test]
fn a_turn_changes_what_was_asked_and_is_taken_back_whole() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let before = repository.read("src/App.tsx");
    let script = [
        Reply::Call("inspect", json!({ "src": "src/App.tsx:1:25" })),
        retype("Welcome"),
        Reply::propose("src/App.tsx", "<h1>", "<h1 className=\"big\">"),
        Reply::Text("The heading says **Welcome** now."),
        Reply::Call(
            "judge",
            json!({ "verdict": "reached", "why": "The heading says Welcome." }),
        ),
    ];
    let turn = desk.turn(&session, "turn-0001", "Welcome people", script);
    assert_eq!(turn["status"], "done", "{turn:#}");
    assert!(
        repository
            .read("src/App.tsx")
            .contains("<h1 className=\"big\">Welcome</h1>")
    );
    let edits = items(&turn, "edit");
    assert_eq!((edits.len(), turn["edits"].as_array().unwrap().len()), (2, 2));
    assert_eq!((&edits[0]["by"], &edits[1]["by"]), (&json!("edit"), &json!("propose")));
    assert!(edits[0]["files"][0]["diff"].as_str().unwrap().contains("Welcome"));
    assert_eq!(items(&turn, "text")[0]["text"], "The heading says **Welcome** now.");
    assert!(
        turn["cost"]["usd"].as_f64().unwrap() > 0.0 && turn["cost"]["sure"] == true,
        "{turn:#}"
    );

    assert_eq!(
        turn["goal"],
        json!({ "verdict": "reached", "why": "The heading says Welcome." })
    );

    // Who was told what: the tools in order and the same each time, no key; at the end the judge, who sees what was changed.
    let asked = desk.provider.asked();
    assert_eq!(asked.len(), 5);
    let tools = offered(&asked[0].body);
    assert!(tools.is_sorted() && tools.contains(&"propose".to_owned()), "{tools:?}");
    assert!(
        asked[..4]
            .iter()
            .all(|call| offered(&call.body) == tools && !call.text.contains(KEY))
    );
    assert!(
        asked[4].text.contains("Welcome people") && asked[4].text.contains("-export const App"),
        "{}",
        asked[4].text
    );

    let undo = format!("/api/editor/chat/sessions/{session}/turns/turn-0001/undo");
    let answer = desk.editor.post(&undo, &json!({})).expect(200).json();
    assert_eq!(answer["turn"]["undone"], true);
    assert_eq!(repository.read("src/App.tsx"), before);
    assert_eq!(
        desk.editor.post(&undo, &json!({})).expect(409).json()["code"],
        "nothing-to-undo"
    );
}

#[test]
fn an_undo_names_the_later_step_in_its_way_and_takes_nothing_back() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let other = Reply::propose("package.txt", "one", "two");
    repository.write("package.txt", "one\n");
    desk.turn(
        &session,
        "turn-0001",
        "Do both",
        [retype("First"), other, Reply::Text("Done")],
    );
    let later = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Later" });
    let later = desk.editor.post("/api/editor/edit", &later).expect(200).json();
    let undo = format!("/api/editor/chat/sessions/{session}/turns/turn-0001/undo");
    let refused = desk.editor.post(&undo, &json!({})).expect(409).json();
    assert_eq!(
        (&refused["code"], &refused["laterId"]),
        (&json!("undo-overlap"), &later["editId"])
    );
    assert_eq!(repository.read("package.txt"), "two\n", "all or nothing");
    assert!(repository.read("src/App.tsx").contains("Later"));
    let named = json!({ "editId": later["editId"] });
    desk.editor.post("/api/editor/undo", &named).expect(200);
    desk.editor.post(&undo, &json!({})).expect(200);
    assert_eq!(repository.read("package.txt"), "one\n");
    assert!(repository.read("src/App.tsx").contains("Hello"));
}

#[test]
fn a_restart_shows_the_chat_with_its_cost_and_the_model_knows_what_was_said() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    desk.turn(&session, "turn-0001", "Say hello", [Reply::Text("Hello there")]);
    let before = desk.read(&session);
    let desk = desk.again(&repository);
    let listed = desk.editor.ask("/api/editor/chat/sessions").expect(200).json();
    assert_eq!(listed["sessions"][0]["title"], "Say hello");
    assert_eq!(listed["sessions"][0]["cost"], before["session"]["cost"]);
    assert_eq!(desk.read(&session)["turns"], before["turns"]);
    desk.turn(&session, "turn-0002", "And again", [Reply::Text("Hello")]);
    let asked = desk.provider.asked();
    let last = &asked.last().unwrap().body["messages"];
    assert_eq!(last.as_array().unwrap().len(), 3);
    assert!(last.to_string().contains("Hello there") && last.to_string().contains("And again"));
    let usd = |read: &Value| read["session"]["cost"]["usd"].as_f64().unwrap();
    assert!(usd(&desk.read(&session)) > usd(&before));
    assert_unseen(KEY, &[&repository.path(), desk.home.path()]);
}

#[test]
fn the_same_turn_sent_twice_runs_once_and_another_waits() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    desk.provider.script([Reply::Stall]);
    for _ in 0..2 {
        desk.begin(&session, "turn-0001", "Wait").expect(200);
    }
    let other = desk.begin(&session, "turn-0002", "Go").expect(409).json();
    assert_eq!(other["code"], "turn-running");
    // In another session it goes on side by side.
    let beside = desk.session();
    galley_harness::poll::eventually("the first call", || (!desk.provider.asked().is_empty()).then_some(()));
    let turn = desk.turn(&beside, "turn-0003", "Go", [Reply::Text("Gone")]);
    assert_eq!(turn["status"], "done");
    let stop = format!("/api/editor/chat/sessions/{session}/stop");
    assert_eq!(desk.editor.post(&stop, &json!({})).expect(200).json()["stopped"], true);
    let stopped = desk.over(&session);
    assert_eq!(
        (&stopped["status"], &stopped["failure"]),
        (&json!("stopped"), &Value::Null)
    );
    assert_eq!(items(&stopped, "text")[0]["text"], "I was about to");
    assert_eq!(desk.editor.post(&stop, &json!({})).expect(200).json()["stopped"], false);
    // The conversation goes on after it.
    assert_eq!(
        desk.turn(&session, "turn-0004", "Again", [Reply::Text("Yes")])["status"],
        "done"
    );
    // The model knows what it had said until then.
    let asked = desk.provider.asked();
    let told = asked.last().unwrap().body["messages"].as_array().unwrap();
    let roles: Vec<&Value> = told.iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert!(told[1].to_string().contains("I was about to"), "{told:?}");
}

#[test]
fn two_pages_see_the_same_turn_and_one_that_comes_back_misses_nothing() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let first = desk.events(&session, None);
    assert_eq!(first.next().event, "snapshot");
    desk.turn(
        &session,
        "turn-0001",
        "Change it",
        [retype("One"), Reply::Text("Done and dusted")],
    );
    let mut seen = Vec::new();
    loop {
        let event = first.next();
        let is_last = event.event == "turn" && event.json()["turn"]["status"] == "done";
        seen.push(event);
        if is_last {
            break;
        }
    }
    let numbers: Vec<u64> = seen
        .iter()
        .map(|event| event.id.as_ref().unwrap().parse().unwrap())
        .collect();
    assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{numbers:?}");
    let text: String = seen
        .iter()
        .filter(|event| event.event == "delta")
        .filter_map(|event| event.json()["text"].as_str().map(str::to_owned))
        .collect();
    assert!(text.ends_with("Done and dusted"), "{text}");
    let middle = numbers[numbers.len() / 2];
    let second = desk.events(&session, Some(middle));
    for event in seen
        .iter()
        .filter(|event| event.id.as_ref().unwrap().parse::<u64>().unwrap() > middle)
    {
        assert_eq!(second.next(), *event);
    }
    // A number of another run begins anew.
    assert_eq!(desk.events(&session, Some(1_000_000)).next().event, "snapshot");
}

#[test]
fn sessions_are_named_listed_and_deleted() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let path = format!("/api/editor/chat/sessions/{session}");
    let renamed = desk
        .editor
        .put(&path, &json!({ "title": "  The   shop " }))
        .expect(200)
        .json();
    assert_eq!(renamed["session"]["title"], "The shop");
    assert_eq!(
        desk.editor.put(&path, &json!({ "title": " " })).expect(400).json()["key"],
        "title"
    );
    desk.turn(&session, "turn-0001", "Say hello", [Reply::Text("Hello")]);
    let file = repository.at(format!(".tool/chat/{session}.jsonl"));
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&file).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    let stream = desk.events(&session, None);
    desk.editor.request("DELETE", &path).send().expect(200);
    assert!(!file.exists());
    assert!(stream.rest().iter().any(|event| event.event == "deleted"));
    assert_eq!(desk.editor.ask(&path).expect(404).json()["code"], "not-found");
    for (body, key) in [
        (json!({ "turn": "x", "text": "Hi" }), "turn"),
        (json!({ "turn": "turn-0001", "text": " " }), "text"),
        (json!({ "turn": "turn/../0001", "text": "Hi" }), "turn"),
    ] {
        let other = desk.session();
        let refused = desk
            .editor
            .post(&format!("/api/editor/chat/sessions/{other}/turns"), &body);
        assert_eq!(refused.expect(400).json()["key"], key);
    }
}
