//! What every template's plugin answers, whatever it is written in.

use crate::prelude::*;

/// Greets people through the plugin that fills `slot`.
///
/// # Panics
/// When it does not answer as the template in Rust.
#[track_caller]
pub fn greets(server: &Server, slot: &str) {
    let ed = server.user("ed");
    let shop = project(&ed, slot);
    let route = format!("/api/v1/projects/{shop}/x/{slot}");
    let greet = |body: Value| ed.post(&route, body);
    let greeting = eventually("it serves", || {
        Some(greet(json!({ "name": "Ann" }))).filter(|answer| answer.status != 404 && answer.status != 503)
    });
    assert_eq!(
        greeting.expect(200).json(),
        json!({ "greeting": "Hello, Ann!", "times": 1 })
    );
    assert_eq!(greet(json!({ "name": " Ann " })).expect(200).json()["times"], 2);
    let named = greet(json!({ "name": "Zoë 🦊 \"" })).expect(200).json();
    assert_eq!(named, json!({ "greeting": "Hello, Zoë 🦊 \"!", "times": 1 }));

    let refused = |body: Value| greet(body).expect(400).error();
    assert_eq!(refused(json!({ "name": "  " })), "`name` must not be empty");
    assert_eq!(refused(json!({ "name": 5 })), "`name` must be a string");
    // The rest says it in each language's own words.
    for body in [json!({}), json!([]), json!(null)] {
        assert!(!refused(body).is_empty());
    }
    let half = ed
        .request("POST", &route)
        .header("content-type", "application/json")
        .body("{\"name\":");
    assert!(!half.send().expect(400).error().is_empty());

    // The host's guards stand before it.
    let nobody = server.anonymous().post(&route, json!({ "name": "Ann" }));
    assert_eq!(nobody.status, 404, "{}", nobody.text());
    let elsewhere = project(&ed, &format!("{slot}-2"));
    let other = ed.post(
        &format!("/api/v1/projects/{elsewhere}/x/{slot}"),
        json!({ "name": "Ann" }),
    );
    assert_eq!(other.expect(200).json()["times"], 1);
}
