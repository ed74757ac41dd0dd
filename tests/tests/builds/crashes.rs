//! kill -9 in the middle of builds: nothing acknowledged is lost, nothing is done twice.

use std::time::Duration;

use galley_tests::kills::{kill_after, life};
use galley_tests::prelude::*;

use crate::studio::{COPY_PAGE, Studio, says_it_was_cut_off, waiting};

#[test]
fn a_build_that_was_running_has_failed_and_those_that_waited_are_built() {
    let mut studio = Studio::new(COPY_PAGE);
    let (first, log) = studio.built();
    assert_eq!(first["status"], "ready", "{log}");
    let others = ["alpha", "beta"].map(|slug| project(&studio.server.user("ed"), slug));
    let shop = studio.shop.clone();
    studio.connect(&shop, "Storefront", &waiting(COPY_PAGE), "dist");
    for other in &others {
        studio.connect(other, "Storefront", COPY_PAGE, "dist");
    }
    let running = studio.start();
    studio.says(&running, "waiting");
    let queued = others.clone().map(|other| studio.start_of(&other));
    studio.server.kill();
    studio.server.again();

    let (deployment, log) = studio.ended(&running);
    assert_eq!(deployment["status"], "failed");
    assert!(
        log.ends_with("The server ended while this build was running: start it again\n"),
        "{log}"
    );
    assert_eq!(live(&studio.server.user("ed"), &shop), first["deploymentId"]);
    assert!(studio.page().contains("<h1>One</h1>"));
    for (queued, other) in queued.iter().zip(&others) {
        let (deployment, log) = studio.ended(queued);
        assert_eq!(deployment["status"], "ready", "{log}");
        assert_eq!(live(&studio.server.user("ed"), other), json!(queued));
        assert_eq!(log.matches("Cloning ").count(), 1, "built once:\n{log}");
    }
    // The place is free again.
    let again = studio.start();
    studio.says(&again, "waiting");
    studio.let_go();
    assert_eq!(studio.ended(&again).0["status"], "ready");
}

#[test]
fn at_any_moment_of_a_build_a_kill_leaves_one_honest_deployment() {
    let mut studio = Studio::new(&format!("echo copying; sleep 0.3; {COPY_PAGE}"));
    let mut last_ready = studio.built().0["deploymentId"].clone();
    let (mut failed, mut ready) = (0, 0);
    for round in 0..12 {
        let ed = studio.server.user("ed");
        let processes = studio.server.ids();
        let trigger = studio.trigger(&studio.shop);
        let answer = std::thread::scope(|scope| {
            // In every third round the kill waits for the build's command: however fast or slow the machine is, some
            // builds are cut off. In the others it comes whenever it comes.
            if round % 3 == 0 {
                let answer = ed.request("POST", &trigger).json(&json!({})).try_send();
                let id = text(&answer.as_ref().expect("an answer").json(), "deploymentId");
                studio.says(&id, "copying");
                kill_after(&processes, Duration::ZERO);
                return answer;
            }
            scope.spawn(move || kill_after(&processes, life(round)));
            ed.request("POST", &trigger).json(&json!({})).try_send()
        });
        studio.server.kill();
        studio.server.again();
        if let Ok(answer) = answer {
            let id = text(&answer.expect(202).json(), "deploymentId");
            let (deployment, log) = studio.ended(&id);
            if deployment["status"] == "ready" {
                ready += 1;
                last_ready = json!(id);
            } else {
                failed += 1;
                assert!(says_it_was_cut_off(&log), "{log}");
            }
        }
        // A request that was cut off made no deployment, or one that is built.
        eventually("nothing is left building", || {
            let list = studio
                .server
                .user("ed")
                .get(&format!("/api/v1/projects/{}/deployments", studio.shop))
                .expect(200)
                .json();
            let list = list["deployments"].as_array().unwrap().clone();
            let newest_ready = list.iter().find(|one| one["status"] == "ready").unwrap()["deploymentId"].clone();
            if list.iter().any(|one| one["status"] == "building") {
                return None;
            }
            if newest_ready != last_ready {
                last_ready = newest_ready;
            }
            Some(())
        });
        assert_eq!(live(&studio.server.user("ed"), &studio.shop), last_ready);
        studio.page();
    }
    assert!(
        failed > 0,
        "{failed} builds were cut off, {ready} ended: the test tests nothing"
    );
    std::thread::sleep(Duration::from_millis(200));
    for data in studio.server.data_dirs() {
        assert!(
            galley_tests::disk::files(&data.join("builds")).is_empty(),
            "folders are left"
        );
    }
}
