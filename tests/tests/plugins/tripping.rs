//! A slot most of whose calls fail gets none for a while; one whose start failed is tried again. Everything else serves.

use std::time::{Duration, Instant};

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

/// Calls without which no slot trips.
const MIN_CALLS: usize = 20;

fn deed(operator: &Operator, deed: &str) -> Response {
    operator.anonymous().get(&format!("/api/v1/x/hostile/{deed}"))
}

/// Fails until the slot gets no calls any more, and gives the refusal.
#[track_caller]
fn trip(operator: &Operator, path: &str) -> Response {
    let mut failures = 0;
    loop {
        let answer = operator.anonymous().get(path);
        match answer.status {
            500 => failures += 1,
            _ => {
                // The calls until it served count, too.
                assert!((1..=MIN_CALLS).contains(&failures), "{failures}");
                return answer.expect(503);
            }
        }
    }
}

#[test]
fn a_slot_that_fails_gets_no_calls_and_then_a_probe() {
    let operator = Operator::with_guest("hostile", 1_000);
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    for _ in 0..MIN_CALLS / 2 {
        deed(&operator, "panic").expect(500);
    }
    healthy(&operator.server);
    let tripped = Instant::now();
    let refusal = trip(&operator, "/api/v1/x/hostile/panic");
    assert_eq!(refusal.header("retry-after"), Some("1"));
    let error = refusal.error();
    assert!(
        error.contains("`hostile`") && error.contains("try again in 1 s"),
        "{error}"
    );
    degraded(&operator.server, &["hostile"]);
    comment(&ed, &shop, "The others serve");
    let said = || {
        operator
            .server
            .log()
            .contains("of the last 20 calls of the plugin")
            .then_some(())
    };
    eventually("the log says that it tripped", said);
    let served = eventually("a probe", || {
        Some(deed(&operator, "nothing")).filter(|answer| answer.status == 200)
    });
    assert!(tripped.elapsed() >= Duration::from_millis(900), "{}", served.head);
    healthy(&operator.server);
    // What failed before does not count again.
    deed(&operator, "panic").expect(500);
    deed(&operator, "nothing").expect(200);
}

#[test]
fn each_probe_that_fails_doubles_the_pause() {
    let operator = Operator::with_guest("hostile", 1_000);
    trip(&operator, "/api/v1/x/hostile/panic");
    for pause in ["2", "4"] {
        eventually("a probe", || {
            Some(deed(&operator, "panic")).filter(|answer| answer.status == 500)
        });
        let refusal = deed(&operator, "nothing").expect(503);
        assert_eq!(refusal.header("retry-after"), Some(pause));
    }
}

#[test]
fn answers_of_the_plugin_itself_do_not_trip_it() {
    let operator = Operator::with_guest("hostile", 1_000);
    for status in [404, 503] {
        for _ in 0..2 * MIN_CALLS {
            deed(&operator, &format!("status?times={status}")).expect(status);
        }
    }
    deed(&operator, "nothing").expect(200);
}

/// The guest `broken`, approved.
fn broken() -> Operator {
    let operator = Operator::start();
    operator.add_guest("broken");
    operator.approve("broken");
    operator
}

/// Changes a setting of the instance, which the guest looks at.
fn set(operator: &Operator, key: &str, on: bool) {
    let admin = operator.server.admin();
    admin.patch("/api/v1/instance/settings", json!({ key: on })).expect(200);
}

/// Lets its start succeed.
fn mend_the_start(operator: &Operator) {
    set(operator, "allowPublicLinks", true);
    serves(operator);
}

/// Lets it take events.
fn mend_the_events(operator: &Operator) {
    set(operator, "allowAnonymousComments", false);
}

fn serves(operator: &Operator) {
    let ask = || operator.anonymous().get("/api/v1/x/broken");
    eventually("it serves", || Some(ask()).filter(|answer| answer.status == 200));
}

/// Deletes a project of its own, which the guest hears of.
fn delete_a_project(operator: &Operator, slug: &str) -> String {
    let ed = operator.server.user("ed");
    let id = project(&ed, slug);
    ed.delete(&format!("/api/v1/projects/{id}")).expect(204);
    id
}

/// What the guest took, when that is as much.
fn taken(operator: &Operator, count: usize) -> Vec<String> {
    let file = operator.server.data_dir().join("slots/broken.db");
    eventually("the guest takes its events", || {
        let database = rusqlite::Connection::open(&file).ok()?;
        let mut rows = database.prepare("SELECT project FROM taken").ok()?;
        let rows = rows.query_map([], |row| row.get(0)).ok()?;
        let taken: Vec<String> = rows.collect::<Result<_, _>>().ok()?;
        (taken.len() >= count).then_some(taken)
    })
}

#[test]
fn a_slot_whose_start_failed_is_tried_again() {
    let operator = broken();
    let ask = || operator.anonymous().get("/api/v1/x/broken");
    eventually("its routes are there", || {
        Some(ask()).filter(|answer| answer.status == 503)
    });
    degraded(&operator.server, &["broken"]);
    mend_the_start(&operator);
    healthy(&operator.server);
}

#[test]
fn events_of_a_tripped_slot_wait_and_none_is_lost() {
    let operator = broken();
    mend_the_start(&operator);
    mend_the_events(&operator);
    trip(&operator, "/api/v1/x/broken/panic");
    let projects = ["one", "two", "three"].map(|slug| delete_a_project(&operator, slug));
    assert_eq!(taken(&operator, 3), projects);
    // The first of them was the probe.
    operator.anonymous().get("/api/v1/x/broken").expect(200);
    assert!(
        !operator.server.log().contains("an event was not taken"),
        "it was never given"
    );
}

#[test]
fn an_event_that_fails_for_an_hour_is_set_aside_and_the_rest_goes_on() {
    let mut operator = broken();
    mend_the_start(&operator);
    delete_a_project(&operator, "never-taken");
    let said = |what: &'static str, operator: &Operator| {
        eventually(what, || operator.server.log().contains(what).then_some(()));
    };
    said("takes no events on purpose", &operator);
    operator.server.stop();
    let core = rusqlite::Connection::open(operator.server.data_dir().join("core.db")).unwrap();
    let age = "UPDATE failed_deliveries SET attempts = 9, failing_since = failing_since - 3600000";
    assert_eq!(core.execute(age, []).unwrap(), 1);
    drop(core);
    operator.server.again();
    said("failed 10 times and is set aside", &operator);
    mend_the_events(&operator);
    let next = delete_a_project(&operator, "taken");
    assert_eq!(taken(&operator, 1), [next]);

    let events = |more: &[&str]| {
        operator
            .server
            .galley(&[&["plugins", "events", "broken"], more].concat())
    };
    let listed = events(&["--json"]).expect(0).json();
    let id = listed["events"][0]["id"].to_string();
    assert_eq!(listed["events"][0]["topic"], "project-deleted", "{listed}");
    let reason = events(&[]).expect(0).stdout;
    assert!(reason.contains("takes no events on purpose"), "{reason}");
    events(&["drop", "999999"]).expect(1);
    events(&["retry", &id]).expect(0);
    assert_eq!(taken(&operator, 2).len(), 2);
    eventually("it is set aside no more", || {
        events(&[]).expect(0).stdout.contains("no event").then_some(())
    });
}
