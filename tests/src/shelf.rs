//! Versions of the guest `shelf`: a plugin whose manifest and statements stand in a recipe in its file.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::cli::Ended;
use crate::operator::Operator;
use crate::poll::eventually;
use crate::{nodes, paths};

/// Where the recipe begins in the component's file.
const MARK: &[u8] = b"shelf-recipe:";
/// The bytes of mark and recipe.
const LENGTH: usize = 4096;

/// One version of the plugin.
#[derive(Debug, Clone)]
pub struct Shelf(Value);

impl Shelf {
    /// A version with its steps, whose texts are in the column `item.text`. It is for PostgreSQL, too, where servers are clusters.
    pub fn new(version: &str, steps: &[&str]) -> Shelf {
        let order = if nodes::are_wanted() { "text" } else { "rowid" };
        let steps: Vec<Value> = steps.iter().map(|sql| json!([sql, null])).collect();
        Shelf(json!({
            "version": version, "steps": steps,
            "insert": "INSERT INTO item (text) VALUES (?1)", "list": format!("SELECT text FROM item ORDER BY {order}"),
            "postgres": nodes::are_wanted(),
        }))
    }

    /// Changes a member of the recipe.
    pub fn with(mut self, key: &str, value: Value) -> Shelf {
        self.0[key] = value;
        self
    }

    /// The statements that undo the last step.
    pub fn down(mut self, sql: &str) -> Shelf {
        if let Some(Value::Array(step)) = self.0["steps"].as_array_mut().and_then(|steps| steps.last_mut()) {
            step[1] = sql.into();
        }
        self
    }

    /// The component.
    pub fn component(&self) -> Vec<u8> {
        let from = paths::guest("shelf");
        let mut wasm = std::fs::read(&from)
            .unwrap_or_else(|error| panic!("{}: {error}; `cargo xtask test` builds it", from.display()));
        let recipe = self.0.to_string();
        let room = LENGTH - MARK.len();
        assert!(recipe.len() <= room, "a recipe has at most {room} bytes");
        let mut places = wasm.windows(MARK.len() + 1).enumerate();
        let place = places.find(|(_, bytes)| bytes.starts_with(MARK) && bytes.ends_with(b"{"));
        let start = place.expect("the guest holds a recipe").0 + MARK.len();
        wasm[start..start + room].fill(b' ');
        wasm[start..start + recipe.len()].copy_from_slice(recipe.as_bytes());
        wasm
    }

    /// The component as a file outside of the plugins folder.
    pub fn file(&self, operator: &Operator) -> String {
        let file = operator
            .plugins()
            .with_file_name(format!("shelf-{}.wasm", self.version()));
        std::fs::write(&file, self.component()).expect("the operator's folder is writable");
        file.to_string_lossy().into_owned()
    }

    /// Approves this version for its slot; `flags` are further arguments.
    pub fn try_approve(&self, operator: &Operator, flags: &[&str]) -> Ended {
        let file = format!("shelf-{}.wasm", self.version());
        std::fs::write(operator.plugins().join(&file), self.component()).expect("the plugins folder is writable");
        let mut arguments = vec!["plugins", "approve", &file, "--replace"];
        arguments.extend(flags);
        operator.server.galley(&arguments)
    }

    /// The same, until it serves.
    #[track_caller]
    pub fn approve(&self, operator: &Operator, flags: &[&str]) {
        self.try_approve(operator, flags).expect(0);
        eventually("this version serves", || self.serves(operator).then_some(()));
    }

    /// Whether this version answers.
    pub fn serves(&self, operator: &Operator) -> bool {
        let answer = operator.anonymous().get("/api/v1/x/shelf/about");
        answer.status == 200 && answer.json()["version"] == self.0["version"]
    }

    /// The version.
    pub fn version(&self) -> String {
        self.0["version"].as_str().unwrap_or_default().to_owned()
    }
}

/// The texts on the shelf.
#[track_caller]
pub fn texts(operator: &Operator) -> Vec<String> {
    let texts = operator.anonymous().get("/api/v1/x/shelf").expect(200).json();
    serde_json::from_value(texts).expect("a list of texts")
}

/// Puts texts on the shelf until `ends`, or until the server is gone, and notes those that it took. Every answer is a success, or has a
/// status of `refused`.
///
/// # Panics
/// At another answer.
pub fn put_until(operator: &Operator, name: &str, ends: &AtomicBool, written: &Mutex<Vec<String>>, refused: &[u16]) {
    let client = operator.anonymous();
    for number in 0.. {
        if ends.load(Ordering::Relaxed) {
            return;
        }
        let text = format!("{name}-{number}");
        let request = client.request("POST", "/api/v1/x/shelf").json(&json!({ "text": text }));
        match request.try_send() {
            Ok(answer) if answer.status == 204 => written.lock().expect("no writer panicked").push(text),
            Ok(answer) if refused.contains(&answer.status) => {}
            Ok(answer) => panic!("a write failed: {}{}", answer.head, answer.text()),
            Err(_) => return,
        }
    }
}

/// Puts a text on the shelf.
#[track_caller]
pub fn put(operator: &Operator, text: &str) {
    operator
        .anonymous()
        .post("/api/v1/x/shelf", json!({ "text": text }))
        .expect(204);
}
