//! A plugin that keeps a handle after its call must never reach the next caller's object with it.
//!
//! An instance serves many calls, so what one call keeps is there in the next one. Which instance answers is the host's
//! choice: each step is repeated until it has met an instance that keeps something.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

const TRIES: usize = 40;

fn hostile() -> Operator {
    Operator::with_guest("hostile", 5_000)
}

fn deed(operator: &Operator, deed: &str) -> Response {
    operator.anonymous().get(&format!("/api/v1/x/hostile/{deed}"))
}

/// What became of calls that used something kept.
#[derive(Debug, Default)]
struct Seen {
    trapped: usize,
    answered: Vec<Value>,
}

/// Lets warm instances keep something, then use it, and gives what happened where something was kept.
fn keep_then_use(operator: &Operator, keep: &str, then: impl Fn(usize) -> String) -> Seen {
    let mut seen = Seen::default();
    for number in 0..TRIES {
        deed(operator, keep).expect(200);
        let answer = deed(operator, &then(number));
        match answer.status {
            500 => seen.trapped += 1,
            _ => {
                let answer = answer.expect(200).json();
                if !answer["kept"].is_null() && answer["kept"] != false {
                    seen.answered.push(answer);
                }
            }
        }
    }
    assert!(
        seen.trapped + seen.answered.len() > 0,
        "no call met an instance that kept something"
    );
    seen
}

#[test]
fn a_kept_log_writes_into_no_other() {
    let operator = hostile();
    let seen = keep_then_use(&operator, "keep-log?name=first", |number| {
        format!("use-log?name=other-{number}")
    });
    assert!(seen.answered.iter().all(|answer| answer["kept"] != "ok"), "{seen:?}");
    assert!(seen.trapped > 0, "using a dead handle is a trap: {seen:?}");
    for number in 0..TRIES {
        let text = deed(&operator, &format!("read-log?name=other-{number}"))
            .expect(200)
            .json();
        assert!(!text.as_str().unwrap().contains("STOLEN"), "other-{number}: {text}");
    }
    assert_eq!(deed(&operator, "read-log?name=first").expect(200).json(), "");
}

#[test]
fn dropping_a_kept_log_drops_no_other() {
    let operator = hostile();
    let seen = keep_then_use(&operator, "keep-log?name=first", |number| {
        format!("drop-log?name=other-{number}")
    });
    assert!(seen.answered.iter().all(|answer| answer["own"] == "ok"), "{seen:?}");
}

#[test]
fn a_kept_transaction_is_rolled_back_and_dead() {
    let operator = hostile();
    let seen = keep_then_use(&operator, "keep-transaction", |_| "use-transaction".into());
    assert!(seen.answered.iter().all(|answer| answer["kept"] != "ok"), "{seen:?}");
    let counts = deed(&operator, "count").expect(200).json();
    assert_eq!(counts.get("kept"), None, "{counts}");
    assert_eq!(
        deed(&operator, "write?name=after").expect(200).json(),
        "ok",
        "the lock is free"
    );
}

#[test]
fn a_kept_tree_shows_nothing_of_the_next_upload() {
    let operator = hostile();
    let (first, second) = (operator.server.user("ed"), operator.server.user("eve"));
    let (one, other) = (project(&first, "one"), project(&second, "other"));
    let send = |caller: &Client, project: &str, step: &str, page: &str| {
        let target = format!("/api/v1/x/hostile/projects/{project}/trees/{step}");
        caller.request("POST", &target).body(Bundle::page(page).build()).send()
    };
    let mut trapped = 0;
    for _ in 0..TRIES {
        send(&first, &one, "keep", "mine").expect(200);
        let answer = send(&second, &other, "use", "the secret of somebody else");
        assert!(!answer.text().contains("secret"), "{}", answer.text());
        match answer.status {
            500 => trapped += 1,
            _ => drop(answer.expect(200)),
        }
    }
    assert!(trapped > 0, "no call met an instance that kept something");
    let staging = operator.server.data_dir().join("staging");
    eventually("no tree outlives its call", || {
        galley_tests::disk::files(&staging).is_empty().then_some(())
    });
}
