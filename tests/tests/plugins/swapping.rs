//! Swaps while people work: no request fails, and streams stay open.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use galley_tests::operator::Operator;
use galley_tests::prelude::*;
use galley_tests::sse::EventStream;

/// Runs swaps while `workers` threads write and read comments; `may_be_away` when the slot is disabled meanwhile. Returns the
/// number of requests.
fn under_load(operator: &Operator, shop: &str, may_be_away: bool, swaps: impl FnOnce()) -> usize {
    let (done, count, written) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let ed = operator.server.user("ed");
    let before = bodies(&ed, shop).len();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (done, count, written) = (&done, &count, &written);
            let ed = operator.server.user("ed");
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let writes = worker % 2 == 0;
                    let answer = match writes {
                        true => ed.post(&comments(shop), remark("Under load")),
                        false => ed.get(&comments(shop)),
                    };
                    match answer.status {
                        201 if writes => drop(written.fetch_add(1, Ordering::Relaxed)),
                        200 if !writes => {}
                        404 if may_be_away => {}
                        status => panic!("{status}: {answer:?}"),
                    }
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // Ends the others also when a swap fails.
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(swaps));
        done.store(true, Ordering::Relaxed);
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    });
    let after = bodies(&ed, shop).len();
    assert_eq!(
        after - before,
        written.load(Ordering::Relaxed),
        "what was acknowledged is there"
    );
    count.load(Ordering::Relaxed)
}

/// The stream of a project's comments, open.
#[track_caller]
fn connected(operator: &Operator, shop: &str) -> EventStream {
    let watcher = operator.server.user("vic");
    let stream = watcher.stream(&format!("{}/stream", comments(shop)));
    assert_eq!(stream.next().json(), json!({ "type": "connected" }));
    stream
}

#[test]
fn updates_and_rollbacks_lose_no_request_and_streams_stay_open() {
    let operator = Operator::start();
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    let stream = connected(&operator, &shop);
    let requests = under_load(&operator, &shop, false, || {
        for round in 0..10 {
            let file = operator.another("comments", 1 + round % 2);
            let file = file.to_string_lossy();
            operator
                .server
                .galley(&["plugins", "update", "comments", &file])
                .expect(0);
            operator.server.galley(&["plugins", "rollback", "comments"]).expect(0);
        }
    });
    assert!(requests > 20, "{requests} requests");
    while let Ok(Some(event)) = stream.next_within(Duration::from_millis(500)) {
        assert_eq!(event.json(), json!({ "type": "changed" }));
    }
    comment(&ed, &shop, "After");
    assert_eq!(stream.next().json(), json!({ "type": "changed" }));
}

#[test]
fn a_slot_that_goes_and_comes_fails_no_request() {
    let operator = Operator::start();
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    let stream = connected(&operator, &shop);
    under_load(&operator, &shop, true, || {
        for _ in 0..10 {
            operator.server.galley(&["plugins", "disable", "comments"]).expect(0);
            operator.server.galley(&["plugins", "enable", "comments"]).expect(0);
        }
    });
    comment(&ed, &shop, "After");
    assert_eq!(stream.next().json(), json!({ "type": "changed" }));
}

#[test]
fn a_change_waits_for_nobody_where_nobody_calls() {
    const ROUNDS: usize = 3;
    let operator = Operator::start();
    let admin = operator.server.user("ada");
    let slot = |rest: &str| format!("/api/v1/instance/plugins/comments/{rest}");
    let timed = |change: &dyn Fn()| {
        let begun = Instant::now();
        change();
        begun.elapsed()
    };
    let (mut keeping, mut leaving) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // The server looks at `plugins.lock` each second, and knows the plugin from then on.
        std::thread::sleep(Duration::from_millis(1_100));
        // Both write `plugins.lock` and swap; only the second one waits until the plugin before is gone.
        let limits = json!({ "concurrency": (8 + round).to_string() });
        keeping.push(timed(&|| {
            drop(admin.patch(&slot("limits"), limits.clone()).expect(200))
        }));
        std::thread::sleep(Duration::from_millis(1_100));
        leaving.push(timed(&|| drop(admin.post(&slot("disable"), json!({})).expect(200))));
        admin.post(&slot("enable"), json!({})).expect(200);
    }
    keeping.sort();
    leaving.sort();
    let (keeps, leaves) = (keeping[ROUNDS / 2], leaving[ROUNDS / 2]);
    assert!(
        leaves < keeps * 3 + Duration::from_millis(250),
        "{leaves:?} to disable, {keeps:?} to change a limit"
    );
}
