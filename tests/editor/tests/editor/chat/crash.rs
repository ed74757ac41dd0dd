//! Killed at any moment of a turn, nothing that was acknowledged is lost, and nothing happened twice.

use std::time::Duration;

use galley_editor_tests::Repository;
use galley_editor_tests::provider::Reply;
use serde_json::{Value, json};

use super::{Desk, retype};

const ROUNDS: u64 = 12;

/// A moment that is another in each round, spread over what a turn takes.
fn moment(round: u64) -> Duration {
    Duration::from_micros((round * 7_919) % 90_000)
}

#[test]
fn turns_are_neither_lost_nor_doubled_whenever_the_program_is_killed() {
    let repository = Repository::react();
    let mut desk = Desk::start(&repository);
    let session = desk.session();
    let mut acknowledged = Vec::new();
    for round in 0..ROUNDS {
        let id = format!("turn-{round:04}");
        desk.provider
            .script([retype(&format!("Round {round}")), Reply::Text("Done")]);
        let begun = desk.begin(&session, &id, "Change the heading");
        assert_eq!(begun.status, 200, "{}", begun.text());
        acknowledged.push(id.clone());
        std::thread::sleep(moment(round));
        desk = desk.again(&repository);
        let read = desk.read(&session);
        let turns = read["turns"].as_array().unwrap();
        let ids: Vec<&str> = turns.iter().map(|turn| turn["id"].as_str().unwrap()).collect();
        assert_eq!(ids, acknowledged, "round {round}");
        let turn = turns.last().unwrap();
        assert!(matches!(turn["status"].as_str(), Some("done" | "failed")), "{turn:#}");
        if turn["status"] == "failed" {
            assert_eq!(turn["failure"]["kind"], "interrupted");
        }
        // What the page sends again, as it was never answered, is not done again.
        desk.begin(&session, &id, "Change the heading").expect(200);
        assert_eq!(
            desk.read(&session)["turns"].as_array().unwrap().len(),
            acknowledged.len()
        );
        // The file is changed if and only if the turn knows of its step.
        let is_changed = repository.read("src/App.tsx").contains(&format!("Round {round}<"));
        assert_eq!(
            turn["edits"].as_array().unwrap().len(),
            usize::from(is_changed),
            "{turn:#}"
        );
        if is_changed {
            let undo = format!("/api/editor/chat/sessions/{session}/turns/{id}/undo");
            desk.editor.post(&undo, &json!({})).expect(200);
            assert!(repository.read("src/App.tsx").contains("Hello"));
        }
    }
    let history: Value = desk.editor.ask("/api/editor/history").expect(200).json();
    assert_eq!(history["canUndo"], false);
}
