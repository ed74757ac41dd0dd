//! Jobs of plugins: one at a time, over restarts, within their bounds.

use std::time::{Duration, Instant};

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

fn errands(deadline: u32) -> Operator {
    let operator = Operator::start();
    operator.add_serving_guest("errands", "starts");
    let deadline = format!("deadline={deadline}ms");
    operator
        .server
        .galley(&["plugins", "limits", "errands", &deadline])
        .expect(0);
    operator.followed();
    operator
}

fn runs(operator: &Operator) -> Vec<Value> {
    let runs = operator.anonymous().get("/api/v1/x/errands/runs").expect(200).json();
    runs.as_array().expect("a list").clone()
}

fn mode(operator: &Operator, word: &str) {
    let place = format!("/api/v1/x/errands/mode/{word}");
    operator.anonymous().request("PUT", &place).send().expect(204);
}

fn job(operator: &Operator, name: &str) -> Value {
    let slot = operator.slot("errands");
    let jobs = slot["jobs"].as_array().expect("the list shows jobs");
    jobs.iter()
        .find(|job| job["name"] == name)
        .expect("the job is listed")
        .clone()
}

#[test]
fn jobs_run_when_they_are_due_and_one_at_a_time() {
    let operator = errands(5_000);
    mode(&operator, "nap");
    let before = runs(&operator).len();
    let all = eventually("both jobs ran several times", || {
        let all = runs(&operator);
        (all.len() >= before + 6).then_some(all)
    });
    let times: Vec<(u64, u64)> = all[before + 1..all.len() - 1]
        .iter()
        .map(|run| (run["began"].as_u64().unwrap(), run["ended"].as_u64().expect("it ended")))
        .collect();
    for pair in times.windows(2) {
        assert!(pair[0].1 <= pair[1].0, "two at once: {pair:?} in {all:?}");
    }
    for name in ["tick", "tock"] {
        assert!(all.iter().any(|run| run["job"] == name), "{all:?}");
    }
    assert!(!all.iter().any(|run| run["job"] == "nightly"), "{all:?}");
    // That is one of a cluster.
    let together = all.iter().any(|run| run["job"] == "together");
    assert_eq!(together, operator.server.ids().len() > 1, "{all:?}");
    assert_eq!(job(&operator, "nightly")["ranAt"], Value::Null);
    assert_eq!(job(&operator, "tick")["when"], "every 1s");
}

#[test]
fn what_was_missed_runs_once_after_the_next_start() {
    let mut operator = errands(5_000);
    eventually("a job ran", || (!runs(&operator).is_empty()).then_some(()));
    operator.server.kill();
    std::thread::sleep(Duration::from_secs(4));
    operator.server.again();
    let started = Instant::now();
    let ticks = |operator: &Operator| runs(operator).iter().filter(|run| run["job"] == "tick").count();
    let before = ticks(&operator);
    eventually("it runs again", || (ticks(&operator) > before).then_some(()));
    std::thread::sleep(Duration::from_secs(2));
    let since = started.elapsed().as_secs() as usize;
    let more = ticks(&operator) - before;
    assert!(
        more <= since + 2,
        "{more} runs in {since} s: what was missed ran more than once"
    );
}

#[test]
fn a_job_that_spins_is_ended_and_the_slot_goes_on() {
    let operator = errands(400);
    mode(&operator, "spin");
    eventually("the log says why", || {
        let log = operator.server.log();
        let line = log
            .lines()
            .find(|line| line.contains("the job `t") && line.contains("failed"))?;
        line.contains("ran 400 ms").then_some(())
    });
    let failed = eventually("the list says it", || {
        let job = job(&operator, "tick");
        job["reason"]
            .as_str()
            .is_some_and(|reason| reason.contains("400 ms"))
            .then_some(job)
    });
    assert!(failed["failures"].as_u64().unwrap() >= 1, "{failed}");
    // Requests of the slot and of others are answered meanwhile.
    let asked = Instant::now();
    operator.anonymous().get("/api/v1/x/errands/starts").expect(200);
    healthy(&operator.server);
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    let table = operator.server.galley(&["plugins", "list"]).expect(0).stdout;
    assert!(table.contains("times in a row") && table.contains("400 ms"), "{table}");

    for (word, part) in [("fail", "the errand was in vain"), ("panic", "the errand went wrong")] {
        mode(&operator, word);
        eventually("the log has the reason", || {
            operator.server.log().contains(part).then_some(())
        });
    }
    mode(&operator, "fine");
    eventually("it runs well again", || {
        let job = job(&operator, "tick");
        (job["failures"] == 0 && job["reason"].is_null()).then_some(())
    });
}

#[test]
fn jobs_of_a_disabled_slot_stop_and_go_on() {
    let operator = errands(5_000);
    eventually("a job ran", || (!runs(&operator).is_empty()).then_some(()));
    operator.server.galley(&["plugins", "disable", "errands"]).expect(0);
    operator.followed();
    let due = job(&operator, "tick")["dueAt"].clone();
    std::thread::sleep(Duration::from_millis(2_500));
    assert_eq!(job(&operator, "tick")["dueAt"], due, "it did not run meanwhile");
    operator.server.galley(&["plugins", "enable", "errands"]).expect(0);
    let before = runs(&operator).len();
    eventually("jobs run again", || (runs(&operator).len() > before).then_some(()));
    // A swap to another build of the plugin changes nothing of it.
    let build = operator.another("errands", 1).to_string_lossy().into_owned();
    operator
        .server
        .galley(&["plugins", "update", "errands", &build, "--yes"])
        .expect(0);
    let before = runs(&operator).len();
    eventually("jobs run in the new build", || {
        (runs(&operator).len() > before + 1).then_some(())
    });
}
