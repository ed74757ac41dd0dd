//! Events: in the host's name, and too many of them.

use galley_sdk::prelude::*;
use serde_json::{Value, json};

use crate::code;

/// A write that may stand beside an event.
const WRITE: &str = "INSERT INTO notes (text) VALUES ('beside an event')";

/// Publishes what only the host may publish, alone and beside a write: each with the code it was answered.
pub(crate) fn forge(project: &str) -> Value {
    let topics = [
        "project-deleted",
        "account-removed",
        "build-finished",
        "comments/people-mentioned",
    ];
    let data = json!({ "projectId": project, "userId": project });
    let codes = topics.map(|topic| {
        let alone = code(sql::batch().publish(topic, &data).run());
        let beside = code(sql::batch().step(WRITE, params![]).publish(topic, &data).run());
        (topic.to_owned(), json!([alone, beside]))
    });
    let mut codes: serde_json::Map<String, Value> = codes.into_iter().collect();
    // The host keeps events of a transaction in a table. A statement that the host itself has run is no way in either.
    let _ = sql::batch().step(WRITE, params![]).publish(crate::TOPIC, &data).run();
    for table in ["_galley_events", "main._galley_events"] {
        let sql = format!("INSERT INTO {table} (topic, data) VALUES (?1, ?2)");
        let answer = sql::execute(&sql, params!["project-deleted", data.to_string()]);
        codes.insert(sql, json!([code(answer)]));
    }
    Value::Object(codes)
}

/// Publishes `times` events of 60 KB, 10 at a time, beside a write when `how` is `beside`: how often each code was answered.
pub(crate) fn publish(how: &str, times: u32) -> Value {
    let data = "x".repeat(if how == "small" { 10 } else { 60_000 });
    let mut codes = std::collections::BTreeMap::<String, u32>::new();
    for _ in 0..times.div_ceil(10) {
        let mut batch = sql::batch();
        if how == "beside" {
            batch = batch.step(WRITE, params![]);
        }
        for _ in 0..10 {
            batch = batch.publish(crate::TOPIC, &data);
        }
        *codes.entry(code(batch.run())).or_default() += 1;
    }
    json!(codes)
}
