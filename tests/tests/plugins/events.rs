//! What a plugin may publish: nothing in the host's name, and not without a bound.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

fn deed(operator: &Operator, deed: &str) -> Value {
    let answer = operator.anonymous().get(&format!("/api/v1/x/hostile/{deed}"));
    answer.expect(200).json()
}

#[test]
fn a_guest_publishes_nothing_in_the_hosts_name() {
    let operator = Operator::with_guest("hostile", 5_000);
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    comment(&ed, &shop, "Stays");
    let codes = deed(&operator, &format!("forge-events?name={shop}"));
    for (topic, codes) in codes.as_object().unwrap() {
        for code in codes.as_array().unwrap() {
            assert!(code == "denied" || code == "refused", "{topic}: {code}");
        }
    }
    let written = deed(&operator, "count");
    assert_eq!(
        written["beside an event"], 1,
        "only the write beside its own event stands: {written}"
    );
    // The deletion of another project arrives: what was published before it was delivered before it.
    let other = project(&ed, "other");
    comment(&ed, &other, "Goes");
    ed.delete(&format!("/api/v1/projects/{other}")).expect(204);
    eventually("the comments of the deleted project are gone", || {
        let left = operator.server.rows_of_plugins("project_id", &other);
        assert!(!left.is_empty(), "some table has comments of projects");
        left.iter().all(|rows| *rows == 0).then_some(())
    });
    assert_eq!(bodies(&ed, &shop), ["Stays"]);
}

#[test]
fn one_call_publishes_no_more_than_its_share() {
    let operator = Operator::with_guest("hostile", 5_000);
    for how in ["alone", "beside", "small"] {
        let codes = deed(&operator, &format!("publish?name={how}&times=1000"));
        let taken = codes["ok"].as_u64().unwrap_or_default();
        assert!((1..=10).contains(&taken), "{how}: {codes}");
        assert_eq!(codes["limit"].as_u64(), Some(100 - taken), "{how}: {codes}");
    }
    assert_eq!(deed(&operator, "publish?name=small&times=100"), json!({ "ok": 10 }));
}

#[test]
fn events_that_wait_are_bounded_and_what_nobody_awaits_does_not_stay() {
    let operator = Operator::with_guest("hostile", 5_000);
    let core = operator.server.core();
    let mut most = 0;
    for _ in 0..90 {
        assert_eq!(deed(&operator, "publish?name=alone&times=10"), json!({ "ok": 1 }));
        most = most.max(core.event_bytes("hostile/mine"));
    }
    assert!(
        most <= 17 << 20,
        "{} MB of events nobody is subscribed to are kept",
        most >> 20
    );
}
