//! Killed at any moment of a turn, nothing that was acknowledged is lost, and nothing happened twice. `GALLEY_KILLS` says how often;
//! without it as often as suits a test run.

use std::fs;
use std::time::Duration;

use galley_editor_tests::Repository;
use galley_editor_tests::provider::Reply;
use serde_json::{Value, json};

use super::{Desk, retype};

/// Older turns go to the archive after each turn.
const KEPT: &str = r#"{ "version": 2, "retention": { "chatSessionTurns": { "maxTurns": 3 } } }"#;

fn kills() -> u64 {
    let wanted = std::env::var("GALLEY_KILLS").ok();
    wanted.and_then(|kills| kills.parse().ok()).unwrap_or(16)
}

/// A moment that is another in each round, spread over so much.
fn moment(round: u64, most: Duration) -> Duration {
    Duration::from_micros(round * 7_919 % most.as_micros() as u64)
}

/// All turns as a page reads them, page by page, the oldest first.
#[track_caller]
fn read(desk: &Desk, session: &str) -> Vec<Value> {
    let (mut turns, mut before) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/editor/chat/sessions/{session}?limit=7{before}");
        let read = desk.editor.ask(&path).expect(200).json();
        let page = read["turns"].as_array().unwrap().clone();
        if let Some(first) = page.first() {
            before = format!("&before={}", first["id"].as_str().unwrap());
        }
        turns.splice(0..0, page);
        if read["more"] != true {
            return turns;
        }
    }
}

fn ids(turns: &[Value]) -> Vec<String> {
    let id = |turn: &Value| turn["id"].as_str().unwrap().to_owned();
    turns.iter().map(id).collect()
}

/// The ids of the turns in a file, each record of one.
#[track_caller]
fn in_file(repository: &Repository, name: &str) -> Vec<String> {
    let text = fs::read_to_string(repository.at(".tool/chat").join(name)).unwrap_or_default();
    let records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let turns: Vec<Value> = records
        .filter(|record| record["record"] == "turn")
        .map(|record| record["turn"].clone())
        .collect();
    ids(&turns)
}

/// What is on disk: each turn in the file or in the archive, and in the archive once.
#[track_caller]
fn on_disk(repository: &Repository, session: &str, acknowledged: &[String]) {
    let archived = in_file(repository, &format!("{session}.archive.jsonl"));
    let kept = in_file(repository, &format!("{session}.jsonl"));
    for id in acknowledged {
        let times = archived.iter().filter(|known| *known == id).count();
        assert!(times <= 1, "{id} is {times} times in the archive");
        assert!(times == 1 || kept.contains(id), "{id} is lost");
    }
}

#[test]
fn turns_are_neither_lost_nor_doubled_whenever_the_program_is_killed() {
    let repository = Repository::react().file(".tool/config.json", KEPT);
    let mut desk = Desk::start(&repository);
    let session = desk.session();
    let mut acknowledged = Vec::new();
    let (mut interrupted, mut unanswered) = (0, 0);
    for round in 0..kills() {
        let id = format!("turn-{round:04}");
        desk.provider
            .script([retype(&format!("Round {round}")), Reply::Text("Done")]);
        let begin = desk
            .editor
            .request("POST", &format!("/api/editor/chat/sessions/{session}/turns"))
            .json(&json!({ "turn": id, "text": "Change the heading" }));
        // Every fourth time it is killed before it answers, or while.
        let is_answered = if round % 4 == 3 {
            let sent = std::thread::spawn(move || begin.try_send().is_ok_and(|answer| answer.status == 200));
            std::thread::sleep(moment(round, Duration::from_millis(12)));
            desk = desk.again(&repository);
            sent.join().unwrap()
        } else {
            begin.send().expect(200);
            std::thread::sleep(moment(round, Duration::from_millis(90)));
            desk = desk.again(&repository);
            true
        };
        let found = ids(&read(&desk, &session));
        let before = acknowledged.clone();
        acknowledged.push(id.clone());
        assert!(
            found == acknowledged || !is_answered && found == before,
            "round {round}: {found:?}"
        );
        unanswered += usize::from(!is_answered);
        // What the page sends again, as it was never answered, is not done again.
        desk.begin(&session, &id, "Change the heading").expect(200);
        let turn = desk.over(&session);
        interrupted += usize::from(turn["failure"]["kind"] == "interrupted");

        let turns = read(&desk, &session);
        assert_eq!(ids(&turns), acknowledged, "round {round}");
        for turn in &turns {
            let is_ended = turn["status"] == "done" || turn["failure"]["kind"] == "interrupted";
            assert!(is_ended, "{turn:#}");
        }
        on_disk(&repository, &session, &acknowledged);
        made_once(&desk, &repository, (&session, &turn), &format!("Round {round}<"));
    }
    println!(
        "{interrupted} of {} turns were interrupted, {unanswered} not acknowledged",
        kills()
    );
    let history = desk.editor.ask("/api/editor/history").expect(200).json();
    assert_eq!(history["canUndo"], false);
}

/// The file is changed if and only if the turn knows of its step, which the history has once; and it is taken back.
#[track_caller]
fn made_once(desk: &Desk, repository: &Repository, (session, turn): (&str, &Value), words: &str) {
    let edits = turn["edits"].as_array().unwrap();
    let is_changed = repository.read("src/App.tsx").contains(words);
    assert_eq!(edits.len(), usize::from(is_changed), "{turn:#}");
    let history = desk.editor.ask("/api/editor/history").expect(200).json();
    let steps = history["entries"].as_array().unwrap().iter();
    let steps: Vec<&Value> = steps
        .filter(|step| step["by"]["session"] == session && step["by"]["turn"] == turn["id"])
        .map(|step| &step["editId"])
        .collect();
    assert_eq!(steps, edits.iter().collect::<Vec<_>>(), "{turn:#}");
    if is_changed {
        let id = turn["id"].as_str().unwrap();
        let undo = format!("/api/editor/chat/sessions/{session}/turns/{id}/undo");
        desk.editor.post(&undo, &json!({})).expect(200);
        assert!(repository.read("src/App.tsx").contains("Hello"));
    }
}

#[test]
fn a_turn_that_was_broken_off_is_over_in_the_archive_too() {
    let repository = Repository::react().file(".tool/config.json", KEPT);
    let mut desk = Desk::start(&repository);
    let session = desk.session();
    desk.provider.script([retype("Servus"), Reply::Stall]);
    desk.begin(&session, "turn-0000", "Change the heading").expect(200);
    galley_harness::poll::eventually("the step", || {
        repository.read("src/App.tsx").contains("Servus").then_some(())
    });
    desk = desk.again(&repository);
    for number in 1..6 {
        desk.turn(&session, &format!("turn-000{number}"), "Hello", [Reply::Text("Hello")]);
    }
    let archived = in_file(&repository, &format!("{session}.archive.jsonl"));
    assert_eq!(archived, ["turn-0000", "turn-0001", "turn-0002"]);
    for again in [false, true] {
        if again {
            desk = desk.again(&repository);
        }
        let turns = read(&desk, &session);
        assert_eq!(
            (turns.len(), &turns[0]["status"]),
            (6, &json!("failed")),
            "{:#}",
            turns[0]
        );
        assert_eq!(turns[0]["edits"].as_array().unwrap().len(), 1, "{:#}", turns[0]);
    }
}
