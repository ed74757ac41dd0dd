//! What is counted of a slot belongs to the slot: it goes on when its plugin is loaded again.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

fn listed(operator: &Operator) -> Value {
    let ended = operator.server.galley(&["plugins", "list", "--json"]).expect(0);
    let list: Value = serde_json::from_str(&ended.stdout).unwrap();
    let slots = list["plugins"].as_array().or(list.as_array()).expect("a list").clone();
    let found = slots.into_iter().find(|slot| slot["slot"] == "hostile");
    found.expect("the slot is listed")
}

#[test]
fn counters_survive_a_swap_and_are_in_the_list() {
    let operator = Operator::with_guest("hostile", 1_000);
    let ask = |deed: &str| operator.anonymous().get(&format!("/api/v1/x/hostile/{deed}")).status;
    for _ in 0..3 {
        assert_eq!(ask("nothing"), 200);
        assert_eq!(ask("panic"), 500);
    }
    assert_eq!(ask("spin"), 503);
    let before = listed(&operator);
    assert_eq!(before["errors"], 4, "{before}");
    assert!(before["calls"].as_u64().unwrap() >= 7, "{before}");
    assert!(before["p99Ms"].as_f64().unwrap() >= 900.0, "{before}");
    for command in ["disable", "enable"] {
        operator.server.galley(&["plugins", command, "hostile"]).expect(0);
    }
    eventually("it serves again", || (ask("nothing") == 200).then_some(()));
    assert_eq!(ask("panic"), 500);
    let after = listed(&operator);
    assert_eq!(after["errors"], 5, "{after}");
    assert!(after["memoryBytes"].as_u64().is_some(), "{after}");
}
