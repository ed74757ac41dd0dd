//! Killed at any moment, every source file is the old one or the new one, and files of one step agree after the next start.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use galley_editor_tests::{Repository, attached};
use serde_json::json;

const LINES: usize = 2_000;
const ROUNDS: u64 = 25;

fn numbered(number: u32) -> String {
    format!("line {number}\n").repeat(LINES)
}

/// The one number all lines have.
#[track_caller]
fn number(text: &str) -> u32 {
    let first = text.lines().next().unwrap_or_default();
    let number = first.strip_prefix("line ").and_then(|number| number.parse().ok());
    let number = number.unwrap_or_else(|| panic!("the file begins with “{first}”"));
    assert_eq!(text, numbered(number), "the file is a mixture");
    number
}

/// A moment that is another in each round, spread over what a few edits take.
fn moment(round: u64) -> Duration {
    Duration::from_micros(2_000 + (round * 7_919) % 60_000)
}

#[test]
fn a_file_is_old_or_new_whenever_the_program_is_killed() {
    let repository = Repository::react().file("src/a.txt", numbered(0)).commit().file(
        ".tool/config.json",
        r#"{ "version": 2, "editor": { "codeView": true } }"#,
    );
    for round in 0..ROUNDS {
        let editor = attached(&repository);
        let read = editor.ask("/api/editor/file?path=src/a.txt").expect(200).json();
        let begun = number(read["text"].as_str().unwrap());
        let answered = AtomicU32::new(begun);
        let ended = AtomicBool::new(false);
        let request = editor.request("PUT", "/api/editor/file");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut hash = read["hash"].clone();
                for next in begun + 1.. {
                    let body = json!({ "path": "src/a.txt", "text": numbered(next), "hash": hash });
                    let Ok(answer) = request.clone().json(&body).try_send() else {
                        break;
                    };
                    if answer.status != 200 {
                        break;
                    }
                    hash = answer.json()["hash"].clone();
                    answered.store(next, Ordering::SeqCst);
                    if ended.load(Ordering::SeqCst) {
                        break;
                    }
                }
            });
            std::thread::sleep(moment(round));
            editor.kill();
            ended.store(true, Ordering::SeqCst);
        });
        let (found, answered) = (number(&repository.read("src/a.txt")), answered.load(Ordering::SeqCst));
        assert!(
            found == answered || found == answered + 1,
            "{answered} was answered, and {found} stands there"
        );
    }
    // Every answered step is in the history, and leads back.
    let editor = attached(&repository);
    let history = editor.ask("/api/editor/history").expect(200).json();
    let steps = history["entries"].as_array().unwrap().len();
    let now = number(&repository.read("src/a.txt"));
    let possible = steps.min(5);
    for back in 1..=possible {
        editor.request("POST", "/api/editor/undo").send().expect(200);
        let expected = now - u32::try_from(back).unwrap();
        assert_eq!(number(&repository.read("src/a.txt")), expected);
    }
    assert_eq!(repository.git(&["status", "--porcelain"]), " M src/a.txt\n?? .tool/");
}

#[test]
fn files_of_one_step_agree_after_the_next_start() {
    const FILES: usize = 12;
    let mut repository = Repository::react();
    for file in 0..FILES {
        repository = repository.file(&format!("src/{file}.txt"), numbered(0));
    }
    let repository = repository.commit();
    let all = || -> Vec<u32> {
        (0..FILES)
            .map(|file| number(&repository.read(&format!("src/{file}.txt"))))
            .collect()
    };
    for file in 0..FILES {
        repository.write(&format!("src/{file}.txt"), numbered(1));
    }
    let mut mixed = 0;
    for round in 0..ROUNDS {
        let editor = attached(&repository);
        let states = all();
        assert!(
            states.iter().all(|state| *state == states[0]),
            "after the start: {states:?}"
        );
        let discard = editor.request("POST", "/api/git/discard").json(&json!({ "all": true }));
        let undo = editor.request("POST", "/api/editor/undo");
        let redo = editor.request("POST", "/api/editor/redo");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // One step of twelve files, back and forth until the end.
                if states[0] == 1 {
                    let _ = discard.try_send();
                }
                while undo.try_send().is_ok_and(|answer| answer.status == 200)
                    && redo.try_send().is_ok_and(|answer| answer.status == 200)
                {}
            });
            std::thread::sleep(Duration::from_millis(20) + moment(round));
            editor.kill();
        });
        let states = all();
        mixed += usize::from(states.iter().any(|state| *state != states[0]));
    }
    println!("killed in the middle of a step {mixed} times of {ROUNDS}");
    drop(attached(&repository));
    let states = all();
    assert!(states.iter().all(|state| *state == states[0]), "at the end: {states:?}");
    let left = fs::read_dir(repository.at(".tool/staging")).unwrap().count();
    assert_eq!(left, 0, "nothing is left of what was being prepared");
}
