//! Limits that an operator sets are in force with the next call, without the plugin being loaded again.

use std::time::Instant;

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

fn deed(operator: &Operator, deed: &str) -> Response {
    operator.anonymous().get(&format!("/api/v1/x/hostile/{deed}"))
}

#[test]
fn a_changed_deadline_is_in_force_at_once() {
    let operator = Operator::with_guest("hostile", 60_000);
    operator.limit("hostile", "deadline-ms", 300);
    eventually("the deadline is a short one", || {
        let started = Instant::now();
        let answer = deed(&operator, "sleepless?times=1500");
        (answer.status == 503 && started.elapsed().as_millis() < 1_400).then_some(())
    });
    operator.server.logs(&["ran 300 ms"]);
}

#[test]
fn memory_host_calls_and_log_lines_are_what_was_set() {
    let operator = Operator::with_guest("hostile", 5_000);
    deed(&operator, "flood?times=9").expect(200);
    operator.limit("hostile", "memory-mib", 16);
    operator.limit("hostile", "host-calls", 25);
    operator.limit("hostile", "log-lines", 3);
    eventually("more calls of the host than allowed", || {
        (deed(&operator, "flood?times=26").status == 500).then_some(())
    });
    let flood = deed(&operator, "flood?times=9").expect(200);
    // Lines of the calls before are still being read: only those of this one count.
    let request = flood.header("x-request-id").unwrap();
    deed(&operator, "allocate").expect(500);
    let log = operator.server.logs(&["used up its 16 MiB of memory"]);
    let lines = log
        .lines()
        .filter(|line| line.contains("flood ") && line.contains(request))
        .count();
    assert_eq!(lines, 3, "{log}");
}

#[test]
fn memory_that_is_too_little_to_begin_with_is_named() {
    let operator = Operator::with_guest("hostile", 5_000);
    operator.limit("hostile", "memory-mib", 1);
    let reason = "needs more than its 1 MiB of memory to begin: `galley plugins limits hostile memory=";
    // Instances that began before go on until they fail.
    eventually("an instance that cannot begin", || {
        deed(&operator, "allocate");
        operator.server.log().contains(reason).then_some(())
    });
}

#[test]
fn a_full_database_refuses_writes_and_reads_on() {
    // What is counted are megabytes, on a machine that runs other tests.
    let operator = Operator::with_guest("hostile", 30_000);
    assert_eq!(deed(&operator, "fill?times=8").expect(200).json(), "ok");
    operator.limit("hostile", "storage-mib", 3);
    // Little each time: what is written until the bound is in force is read as a whole below.
    let full = eventually("the bound is in force", || {
        let answer = deed(&operator, "fill?times=1").expect(200).json();
        (answer != "ok").then_some(answer)
    });
    assert_eq!(full, "too-large");
    deed(&operator, "count").expect(200);
    operator.server.logs(&["has used up its 3 MiB"]);
    operator.limit("hostile", "storage-mib", 4_096);
    eventually("it has more", || {
        (deed(&operator, "fill?times=8").expect(200).json() == "ok").then_some(())
    });
    healthy(&operator.server);
}

#[test]
fn a_limit_that_no_slot_can_have_is_named() {
    let operator = Operator::with_guest("hostile", 5_000);
    operator.limit("hostile", "memory-mib", 9_999);
    operator
        .server
        .logs(&["the slot `hostile`: `memory-mib` is 9999: it takes 1 to 256"]);
    deed(&operator, "nothing").expect(200);
}
