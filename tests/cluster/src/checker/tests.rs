//! Histories that the checker must object to, and histories that it must not.

use super::comments::{self, Listed, Outcome, Sent};
use super::counter::{self, Counter};
use super::history::{Model, Operation};
use super::objection::Kind;
use super::record::{self, Record};
use super::search::{MAX_CONFIGURATIONS, Verdict, search};
use super::smallest::smallest;

fn done<C>(client: usize, invoked: u64, returned: u64, call: C) -> Operation<C> {
    Operation {
        client,
        node: client % 2,
        call,
        invoked,
        returned: Some(returned),
    }
}

fn unknown<C>(client: usize, invoked: u64, call: C) -> Operation<C> {
    Operation {
        returned: None,
        ..done(client, invoked, 0, call)
    }
}

fn write(value: &str) -> record::Call {
    record::Call::write([(0, value)])
}

fn read(value: &str) -> record::Call {
    record::Call::read([(0, value)])
}

fn of_record(operations: &[Operation<record::Call>]) -> Verdict {
    search(&Record::new(&["old", "x"]), operations, MAX_CONFIGURATIONS)
}

fn of_counter(operations: &[Operation<counter::Call>]) -> Verdict {
    search(&Counter, operations, MAX_CONFIGURATIONS)
}

#[test]
fn one_after_the_other_is_legal() {
    let history = [
        done(0, 0, 1, read("old")),
        done(1, 2, 3, write("a")),
        done(0, 4, 5, read("a")),
        done(0, 6, 7, write("b")),
        done(1, 8, 9, read("b")),
    ];
    assert_eq!(of_record(&history), Verdict::Legal);
}

#[test]
fn requests_at_the_same_time_may_have_any_order() {
    let history = [
        done(0, 0, 10, write("a")),
        done(1, 1, 9, write("b")),
        done(2, 2, 4, read("b")),
        done(2, 5, 6, read("a")),
        done(3, 11, 12, read("a")),
    ];
    assert_eq!(of_record(&history), Verdict::Legal);
}

#[test]
fn a_stale_read_is_illegal() {
    let history = [done(0, 0, 1, write("a")), done(1, 2, 3, read("old"))];
    assert_eq!(of_record(&history), Verdict::Illegal);
    // Also when only another read shows that the write was done.
    let history = [
        done(0, 0, 10, write("a")),
        done(1, 2, 3, read("a")),
        done(2, 4, 5, read("old")),
    ];
    assert_eq!(of_record(&history), Verdict::Illegal);
}

#[test]
fn a_lost_write_is_illegal() {
    let history = [
        done(0, 0, 1, write("a")),
        done(0, 2, 3, write("b")),
        done(1, 4, 5, read("a")),
    ];
    assert_eq!(of_record(&history), Verdict::Illegal);
}

#[test]
fn a_write_that_comes_back_is_illegal() {
    let history = [
        done(0, 0, 1, write("a")),
        done(1, 2, 3, write("b")),
        done(2, 4, 5, read("b")),
        done(2, 6, 7, read("a")),
    ];
    assert_eq!(of_record(&history), Verdict::Illegal);
}

#[test]
fn a_value_that_nobody_wrote_is_illegal() {
    assert_eq!(
        of_record(&[done(0, 0, 1, write("a")), done(1, 0, 3, read("c"))]),
        Verdict::Illegal
    );
}

#[test]
fn an_unknown_write_may_count_late_or_never_but_once() {
    let seen_late = [
        unknown(0, 0, write("a")),
        done(1, 5, 6, read("old")),
        done(1, 7, 8, write("b")),
        done(2, 9, 10, read("b")),
        done(2, 11, 12, read("a")),
    ];
    assert_eq!(of_record(&seen_late), Verdict::Legal);
    let never = [unknown(0, 0, write("a")), done(1, 5, 6, read("old"))];
    assert_eq!(of_record(&never), Verdict::Legal);
    let twice = [
        unknown(0, 0, write("a")),
        done(2, 1, 2, read("a")),
        done(1, 3, 4, write("b")),
        done(2, 5, 6, read("a")),
    ];
    assert_eq!(of_record(&twice), Verdict::Illegal);
    let before_it_was_sent = [done(2, 1, 2, read("a")), unknown(0, 3, write("a"))];
    assert_eq!(of_record(&before_it_was_sent), Verdict::Illegal);
}

#[test]
fn two_equal_unknown_writes_explain_two_returns_and_no_third() {
    let mut history = vec![unknown(0, 0, write("a")), unknown(1, 0, write("a"))];
    for round in 1..=2 {
        history.push(done(2, round * 10, round * 10 + 1, read("a")));
        history.push(done(2, round * 10 + 2, round * 10 + 3, write("b")));
    }
    assert_eq!(of_record(&history), Verdict::Legal);
    history.push(done(2, 40, 41, read("a")));
    assert_eq!(of_record(&history), Verdict::Illegal);
}

#[test]
fn fields_of_a_record_change_alone_and_are_seen_together() {
    let both = |first: &str, second: &str| record::Call::read([(0, first), (1, second)]);
    let history = [
        done(0, 0, 10, record::Call::write([(0, "a"), (1, "y")])),
        done(1, 0, 10, record::Call::write([(1, "z")])),
        done(2, 11, 12, both("a", "z")),
    ];
    assert_eq!(of_record(&history), Verdict::Legal);
    // Half of a write.
    let torn = [
        done(0, 0, 10, record::Call::write([(0, "a"), (1, "y")])),
        done(2, 1, 9, both("a", "x")),
    ];
    assert_eq!(of_record(&torn), Verdict::Illegal);
}

#[test]
fn a_counter_counts_each_addition_once() {
    use counter::Call::{Add, Read};
    let legal = [
        done(0, 0, 5, Add(Some(2))),
        done(1, 0, 6, Add(Some(1))),
        done(2, 7, 8, Read(2)),
    ];
    assert_eq!(of_counter(&legal), Verdict::Legal);
    let doubled = [done(0, 0, 5, Add(Some(1))), done(2, 7, 8, Read(2))];
    assert_eq!(of_counter(&doubled), Verdict::Illegal);
    let given_twice = [done(0, 0, 5, Add(Some(1))), done(1, 0, 6, Add(Some(1)))];
    assert_eq!(of_counter(&given_twice), Verdict::Illegal);
    let lost = [done(0, 0, 5, Add(Some(1))), done(1, 6, 8, Read(0))];
    assert_eq!(of_counter(&lost), Verdict::Illegal);
    let back = [
        done(0, 0, 1, Add(Some(1))),
        done(0, 2, 3, Add(Some(2))),
        done(1, 4, 5, Read(1)),
    ];
    assert_eq!(of_counter(&back), Verdict::Illegal);
    let unknown_counts = [
        unknown(3, 0, Add(None)),
        done(0, 1, 5, Add(Some(1))),
        done(1, 6, 7, Read(2)),
    ];
    assert_eq!(of_counter(&unknown_counts), Verdict::Legal);
    let or_not = [unknown(3, 0, Add(None)), done(1, 6, 7, Read(0))];
    assert_eq!(of_counter(&or_not), Verdict::Legal);
    let but_not_twice = [unknown(3, 0, Add(None)), done(1, 6, 7, Read(2))];
    assert_eq!(of_counter(&but_not_twice), Verdict::Illegal);
}

#[test]
fn a_search_that_is_too_large_says_so() {
    // Thirty writes at once, and a read of what nobody wrote: every order has to be looked at.
    let mut history: Vec<_> = (0..30).map(|at| done(at, 0, 100, write(&at.to_string()))).collect();
    history.extend((0..30).map(|at| done(30 + at, 0, 100, read(&at.to_string()))));
    history.push(done(60, 101, 102, read("none")));
    let model = Record::new(&["old"]);
    let Verdict::TooLarge(visited) = search(&model, &history, 10_000) else {
        panic!("it was searched to the end");
    };
    assert!(visited >= 10_000);
}

#[test]
fn long_histories_with_many_unknown_writes_are_searched() {
    // Settings that are one of two, for long, and ten clients at once.
    let mut history = Vec::new();
    for round in 0_u64..300 {
        let value = ["on", "off"][usize::try_from(round % 2).unwrap()];
        let at = round * 100;
        if round % 10 == 0 {
            history.push(unknown(0, at, write(value)));
        }
        history.push(done(0, at, at + 50, write(value)));
        history
            .extend((1..9).map(|client| done(client, at + 51 + u64::try_from(client).unwrap(), at + 90, read(value))));
    }
    assert_eq!(of_record(&history), Verdict::Legal);
}

#[test]
fn the_smallest_history_shows_the_cause() {
    let mut history = vec![done(0, 0, 1, write("a")), done(1, 2, 3, write("b"))];
    history.extend((0..40).map(|at| done(2, 4 + 2 * at, 5 + 2 * at, read("b"))));
    history.push(done(3, 10, 95, write("c")));
    history.push(done(1, 100, 101, read("a")));
    history.extend((0..40).map(|at| done(2, 110 + 2 * at, 111 + 2 * at, write(&format!("later {at}")))));
    assert_eq!(of_record(&history), Verdict::Illegal);
    let model = Record::new(&["old", "x"]);
    let smallest = smallest(&model, &history, MAX_CONFIGURATIONS);
    let calls: Vec<String> = smallest.iter().map(|operation| operation.call.to_string()).collect();
    assert_eq!(calls.len(), 3, "{calls:?}");
    assert_eq!((calls[0].as_str(), calls[2].as_str()), ("writes a", "reads a"));
    // Each of them is needed.
    for at in 0..smallest.len() {
        let mut less = smallest.clone();
        less.remove(at);
        let is_cause = at == 0 || of_record(&less) == Verdict::Legal;
        assert!(is_cause, "{calls:?} without {at}");
    }
    assert!(model.step(&model.initial(), &smallest[0].call).is_some());
}

fn acknowledged(body: &str, invoked: u64, returned: u64, number: u64) -> Sent {
    sent(body, invoked, Outcome::Acknowledged { number, returned })
}

fn sent(body: &str, invoked: u64, outcome: Outcome) -> Sent {
    Sent {
        body: body.to_owned(),
        invoked,
        outcome,
    }
}

fn listed(client: usize, invoked: u64, returned: u64, comments: &[(u64, &str)]) -> Listed {
    let comments = comments
        .iter()
        .map(|&(number, body)| (number, body.to_owned()))
        .collect();
    Listed {
        client,
        node: client % 2,
        invoked,
        returned,
        comments,
    }
}

#[test]
fn comments_that_are_all_there_once_are_fine() {
    let sent = [
        acknowledged("a", 0, 5, 1),
        acknowledged("b", 1, 9, 3),
        sent("c", 2, Outcome::Unknown),
        sent("d", 2, Outcome::Unknown),
        sent("e", 2, Outcome::Refused),
    ];
    let lists = [
        listed(0, 3, 4, &[]),
        listed(1, 3, 6, &[(1, "a"), (2, "c")]),
        listed(0, 10, 11, &[(1, "a"), (2, "c"), (3, "b")]),
    ];
    assert_eq!(comments::objections(&sent, &lists), []);
}

#[test]
fn comments_are_neither_lost_nor_doubled_nor_gone_again() {
    let sent = [
        acknowledged("a", 0, 5, 1),
        sent("c", 2, Outcome::Unknown),
        sent("e", 2, Outcome::Refused),
    ];
    for (kind, what, lists) in [
        (Kind::Lost, "missing", vec![listed(0, 6, 7, &[])]),
        (
            Kind::Doubled,
            "there twice",
            vec![listed(0, 6, 7, &[(1, "a"), (2, "a")])],
        ),
        (
            Kind::Doubled,
            "there twice",
            vec![listed(0, 6, 7, &[(1, "a"), (2, "c"), (3, "c")])],
        ),
        (Kind::Wrong, "was refused", vec![listed(0, 6, 7, &[(1, "a"), (2, "e")])]),
        (
            Kind::Wrong,
            "nobody wrote it",
            vec![listed(0, 6, 7, &[(1, "a"), (2, "z")])],
        ),
        (Kind::Wrong, "before it was written", vec![listed(0, 0, 1, &[(1, "c")])]),
        (Kind::Wrong, "do not rise", vec![listed(0, 6, 7, &[(2, "c"), (1, "a")])]),
        (
            Kind::Lost,
            "afterwards",
            vec![listed(0, 6, 7, &[(1, "a"), (2, "c")]), listed(1, 8, 9, &[(1, "a")])],
        ),
        (
            Kind::Doubled,
            "had the numbers {1, 2}",
            vec![listed(0, 6, 7, &[(2, "a")])],
        ),
        (
            Kind::Doubled,
            "was given to a and c",
            vec![listed(0, 3, 4, &[(1, "c")])],
        ),
    ] {
        let objections = comments::objections(&sent, &lists);
        assert!(
            objections
                .iter()
                .any(|found| found.kind == kind && found.said.contains(what)),
            "{what}: {objections:?}"
        );
    }
}
