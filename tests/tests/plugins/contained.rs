//! A plugin that misbehaves: its caller gets a clear answer within its bounds, its next call works, the server is well.

use std::time::{Duration, Instant};

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

/// Milliseconds a call of the guest may take.
const CALL_TIMEOUT: u32 = 1_000;

/// What a machine that is busy with other tests may add.
const SLACK_TIMEOUT: Duration = Duration::from_secs(4);

fn hostile() -> Operator {
    Operator::with_guest("hostile", CALL_TIMEOUT)
}

fn deed(operator: &Operator, deed: &str) -> Response {
    operator.anonymous().get(&format!("/api/v1/x/hostile/{deed}"))
}

/// Does a deed and demands its end, one line in the log, and that everything goes on.
#[track_caller]
fn contained(operator: &Operator, name: &str, statuses: &[u16]) -> String {
    let started = Instant::now();
    let answer = deed(operator, name);
    let took = started.elapsed();
    assert!(
        took < Duration::from_millis(CALL_TIMEOUT.into()) + SLACK_TIMEOUT,
        "{name} took {took:?}"
    );
    assert!(
        statuses.contains(&answer.status),
        "{name}: {}{}",
        answer.head,
        answer.text()
    );
    let error = answer.error();
    assert!(error.contains("hostile"), "the message names the plugin: {error}");
    let request = answer.header("x-request-id").unwrap().to_owned();
    let said = || {
        let log = operator.server.log();
        log.lines().any(|line| line.contains(&request)).then_some(())
    };
    eventually("the log names the request", said);
    deed(operator, "nothing").expect(200);
    healthy(&operator.server);
    error
}

#[test]
fn one_that_loops() {
    let operator = hostile();
    let started = Instant::now();
    contained(&operator, "spin", &[503]);
    assert!(
        started.elapsed() >= Duration::from_millis(CALL_TIMEOUT.into()),
        "it had its time"
    );
}

#[test]
fn one_that_allocates_without_end() {
    let operator = hostile();
    deed(&operator, "nothing");
    let before = operator.server.resident();
    for _ in 0..5 {
        contained(&operator, "allocate", &[500]);
    }
    let grown = operator.server.resident().saturating_sub(before);
    assert!(grown < 160 << 20, "the server keeps {} MB of it", grown >> 20);
}

#[test]
fn ones_that_trap() {
    let operator = hostile();
    for name in ["trap", "panic", "recurse"] {
        let error = contained(&operator, name, &[500]);
        assert!(
            !error.contains("on purpose") && !error.contains("wasm"),
            "the cause is for the log: {error}"
        );
    }
    operator.server.logs(&["panics on purpose"]);
}

#[test]
fn a_trap_is_one_line_with_the_guests_backtrace() {
    let operator = hostile();
    let id = deed(&operator, "trap")
        .expect(500)
        .header("x-request-id")
        .unwrap()
        .to_owned();
    let lines = || {
        operator
            .server
            .log()
            .lines()
            .filter(|line| line.contains(&id))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let found = eventually("the log names the request", || {
        Some(lines()).filter(|lines| !lines.is_empty())
    });
    let traps: Vec<&String> = found.iter().filter(|line| line.contains("ERROR")).collect();
    assert_eq!(traps.len(), 1, "{found:?}");
    assert!(
        traps[0].contains("guest_hostile") || traps[0].contains("abort"),
        "no backtrace: {}",
        traps[0]
    );
}

#[test]
fn the_log_begins_with_the_reason() {
    let operator = hostile();
    let cases: [(&str, &[&str]); 5] = [
        ("allocate", &["used up its 64 MiB of memory (GET "]),
        ("recurse", &["used up its stack (GET ", " | at "]),
        ("panic", &["panicked at ", "panics on purpose", "(GET "]),
        ("spin", &["ran ", " ms, computing at the end (GET ", " | at "]),
        ("call-the-host", &["the plugin called the host more than "]),
    ];
    for (name, words) in cases {
        let answer = deed(&operator, name);
        let request = answer.header("x-request-id").unwrap().to_owned();
        let failure = eventually("the log says why", || {
            let log = operator.server.log();
            // A panic writes a line of its own before.
            let found = log
                .lines()
                .find(|line| line.contains("ERROR") && line.contains(&request) && line.contains("/api/v1/x/hostile/"));
            found.map(str::to_owned)
        });
        for word in words {
            assert!(failure.contains(word), "`{word}` in {failure}");
        }
        assert!(failure.matches(" | at ").count() <= 12, "{failure}");
    }
}

#[test]
fn one_that_calls_the_host_without_end() {
    contained(&hostile(), "call-the-host", &[500, 503]);
}

#[test]
fn one_that_asks_for_more_than_there_is() {
    let operator = hostile();
    let answer = deed(&operator, "ask-for-much");
    if answer.status == 200 {
        assert!(answer.json().as_u64().unwrap() <= 64 << 10);
    } else {
        answer.expect(500);
    }
    deed(&operator, "nothing").expect(200);
}

#[test]
fn one_that_floods_the_log() {
    let operator = hostile();
    let before = operator.server.log().len();
    deed(&operator, "flood?times=5000").expect(200);
    deed(&operator, "nothing").expect(200);
    operator.server.logs(&["flood "]);
    let log = operator.server.log()[before..].to_owned();
    let lines = log.lines().filter(|line| line.contains("flood ")).count();
    assert!((1..=64).contains(&lines), "{lines} lines");
    assert!(log.len() < 128 << 10, "{} bytes", log.len());
    contained(&operator, "flood?times=4000000", &[500, 503]);
}

#[test]
fn one_that_forges_the_log() {
    let operator = hostile();
    deed(&operator, "forge?name=mark-of-the-test").expect(200);
    let written = || {
        operator
            .server
            .log()
            .lines()
            .find(|line| line.contains("mark-of-the-test"))
            .map(str::to_owned)
    };
    let line = eventually("the line is there", written);
    assert!(line.contains("hostile"), "a line says whose it is: {line}");
    let log = operator.server.log();
    assert_eq!(
        log.lines().filter(|line| line.contains("mark-of-the-test")).count(),
        1,
        "{log}"
    );
    assert!(!line.contains("\u{1b}[2J"), "a terminal would obey it: {line:?}");
}

#[test]
fn answers_that_are_no_http() {
    let operator = hostile();
    for name in [
        "status?times=99",
        "status?times=1000",
        "status?times=0",
        "header?name=bad%20name",
        "header-value?name=a%0D%0Ab:c",
    ] {
        contained(&operator, name, &[500]);
    }
}

#[test]
fn headers_that_are_the_hosts_own_are_dropped() {
    let operator = hostile();
    for name in ["content-length", "transfer-encoding", "connection", "date"] {
        let answer = deed(&operator, &format!("header?name={name}")).expect(200);
        assert!(!answer.all(name).contains(&"value"), "{}", answer.head);
    }
}

#[test]
fn a_huge_answer_harms_nobody() {
    let operator = hostile();
    for _ in 0..3 {
        let answer = deed(&operator, "huge-answer");
        // On a busy machine it runs out of time.
        assert!(matches!(answer.status, 200 | 500 | 503), "{}", answer.head);
    }
    deed(&operator, "nothing").expect(200);
    healthy(&operator.server);
}

#[test]
fn endless_sql_is_interrupted() {
    let operator = hostile();
    let started = Instant::now();
    for name in ["endless-query", "endless-write", "many-slow-queries"] {
        let answer = deed(&operator, name);
        match answer.status {
            200 => assert_eq!(answer.json(), "interrupted", "{name}"),
            status => assert!(matches!(status, 500 | 503), "{name}: {}", answer.head),
        }
        // The lock is free again, and nothing was written.
        let next = Instant::now();
        assert_eq!(deed(&operator, "write?name=after").expect(200).json(), "ok");
        assert!(
            next.elapsed() < SLACK_TIMEOUT,
            "the next write waited {:?}",
            next.elapsed()
        );
    }
    assert!(started.elapsed() < Duration::from_millis(3 * u64::from(CALL_TIMEOUT)) + 3 * SLACK_TIMEOUT);
    assert_eq!(deed(&operator, "count").expect(200).json(), json!({ "after": 3 }));
}

#[test]
fn one_long_step_of_sql_is_interrupted() {
    let operator = hostile();
    for first in 0..13 {
        let started = Instant::now();
        let answer = deed(&operator, &format!("heavy-sql?times={first}"));
        let took = started.elapsed();
        assert!(matches!(answer.status, 200 | 503), "{first}: {}", answer.head);
        assert!(
            took < Duration::from_millis(CALL_TIMEOUT.into()) + SLACK_TIMEOUT,
            "{first} took {took:?}"
        );
        let next = Instant::now();
        assert_eq!(deed(&operator, "write?name=after").expect(200).json(), "ok");
        assert!(
            next.elapsed() < SLACK_TIMEOUT,
            "{first}: the next write waited {:?}",
            next.elapsed()
        );
        // With half of its calls failing it would get none for a while.
        deed(&operator, "nothing").expect(200);
    }
}

#[test]
fn sql_that_gathers_memory_is_refused() {
    let operator = Operator::with_guest("hostile", 10_000);
    let before = operator.server.resident();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let (codes, most) = std::thread::scope(|scope| {
        let most = scope.spawn(|| {
            let mut most = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                most = most.max(operator.server.resident());
                std::thread::sleep(Duration::from_millis(2));
            }
            most
        });
        let codes = deed(&operator, "gather").expect(200).json();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        (codes, most.join().unwrap())
    });
    for (statement, codes) in codes.as_object().unwrap() {
        // What a write selects and does not use is not computed: that may be answered `ok`.
        assert_eq!(codes[0], "too-large", "{statement}: {codes}");
    }
    let grown = most.saturating_sub(before);
    assert!(grown < 300 << 20, "one statement took {} MB", grown >> 20);
    assert_eq!(deed(&operator, "write?name=after").expect(200).json(), "ok");
}

#[test]
fn searches_without_end_are_interrupted() {
    let operator = Operator::with_guest("searcher", 2_000);
    for _ in 0..3 {
        let before = operator.server.resident();
        let started = Instant::now();
        let answer = operator.anonymous().get("/api/v1/x/searcher/searches");
        match answer.status {
            200 => {
                let codes = answer.json();
                for name in ["phrase", "words", "near"] {
                    let code = &codes[name];
                    assert!(code == "too-large" || code == "interrupted", "{codes}");
                }
                assert_eq!(codes["snippet"], "sql", "{codes}");
            }
            status => assert_eq!(status, 503, "{}", answer.head),
        }
        assert!(started.elapsed() < Duration::from_secs(2) + SLACK_TIMEOUT);
        let grown = operator.server.resident().saturating_sub(before);
        assert!(grown < 300 << 20, "the searches took {} MB", grown >> 20);
        operator.anonymous().get("/api/v1/x/searcher/nothing").expect(204);
    }
}

#[test]
fn more_rows_than_fit_are_refused() {
    let operator = hostile();
    let answer = deed(&operator, "too-many-rows");
    match answer.status {
        200 => assert_eq!(answer.json(), "too-large"),
        // On a busy machine it runs out of time.
        status => assert!(matches!(status, 500 | 503), "{}", answer.head),
    }
    deed(&operator, "nothing").expect(200);
}

#[test]
fn a_lock_that_is_held_is_taken_back() {
    let operator = hostile();
    std::thread::scope(|scope| {
        let holder = scope.spawn(|| deed(&operator, "hold-the-lock"));
        let mut slowest = Duration::ZERO;
        while !holder.is_finished() {
            let started = Instant::now();
            let answer = deed(&operator, "write?name=other");
            assert_eq!(answer.expect(200).json(), "ok");
            slowest = slowest.max(started.elapsed());
        }
        assert!(matches!(holder.join().unwrap().status, 500 | 503));
        assert!(
            slowest < Duration::from_millis(250) + SLACK_TIMEOUT,
            "a write of another call waited {slowest:?}"
        );
    });
    let counts = deed(&operator, "count").expect(200).json();
    assert_eq!(counts.get("held"), None, "what was not committed is gone: {counts}");
}

#[test]
fn its_crashes_do_not_add_up() {
    let operator = hostile();
    for _ in 0..200 {
        deed(&operator, "panic").expect(500);
        // With half of its calls failing it would get none for a while.
        for _ in 0..2 {
            deed(&operator, "nothing").expect(200);
        }
    }
    healthy(&operator.server);
}
