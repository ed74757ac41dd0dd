//! Cancelling builds.

use galley_tests::poll::within;
use galley_tests::prelude::*;

use crate::studio::{BUILD_TIMEOUT, COPY_PAGE, Studio, joined, waiting};

impl Studio {
    fn cancel(&self, caller: &Client, id: &str) -> Response {
        caller.post(&format!("/api/v1/deployments/{id}/cancel"), json!({}))
    }
}

#[test]
fn a_running_build_is_cancelled_with_all_its_processes() {
    let studio = Studio::new("(sleep 321.5 &) ; echo waiting; sleep 321.5");
    let ed = studio.server.user("ed");
    let id = studio.start();
    studio.says(&id, "waiting");
    let stream = ed.stream(&format!("/api/v1/deployments/{id}/log/stream"));
    let cancelled = studio.cancel(&ed, &id).expect(200).json();
    assert_eq!(
        (&cancelled["deploymentId"], &cancelled["status"]),
        (&json!(id), &json!("failed"))
    );
    assert!(cancelled["finishedAt"].is_string());
    let heard = stream.rest();
    assert_eq!(heard.last().unwrap().event, "done");
    assert_eq!(heard.last().unwrap().json(), json!({ "status": "failed" }));
    assert!(joined(&heard).ends_with("Cancelled by ed\n"), "{}", joined(&heard));
    let asleep = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|process| std::fs::read_to_string(process.path().join("cmdline")).ok());
        lines.filter(|line| line.contains("sleep\x00321.5")).count()
    };
    assert!(
        within(BUILD_TIMEOUT, || (asleep() == 0).then_some(())).is_some(),
        "a process of the build is left"
    );
    assert_eq!(ed.get("/p/shop/").status, 404, "nothing is live");

    // Again is a conflict that says why, and the project may be built.
    let again = studio.cancel(&ed, &id).expect(409).error();
    assert!(again.contains("The deployment is failed"), "{again}");
    let next = studio.start();
    studio.says(&next, "waiting");
    studio.cancel(&studio.server.admin(), &next).expect(200);
    let (_, log) = studio.ended(&next);
    eventually("the log says who", || {
        studio.log(&next).contains("Cancelled by the admin\n").then_some(())
    });
    assert!(!log.contains("The server was stopped"), "{log}");
}

#[test]
fn a_queued_build_that_is_cancelled_never_starts() {
    let mut studio = Studio::new(&waiting(COPY_PAGE));
    let other = project(&studio.server.user("ed"), "other");
    studio.connect(&other, "Storefront", "touch never; exit 1", "dist");
    let running = studio.start();
    studio.says(&running, "waiting");
    let queued = studio.start_of(&other);
    let ed = studio.server.user("ed");
    assert_eq!(studio.cancel(&ed, &queued).expect(200).json()["status"], "failed");
    let heard = studio.heard(&queued);
    assert_eq!(joined(&heard), "Cancelled by ed\n");
    assert_eq!(heard.last().unwrap().json(), json!({ "status": "failed" }));
    assert_eq!(
        studio.deployment(&running)["status"],
        "building",
        "the other one goes on"
    );
    studio.let_go();
    assert_eq!(studio.ended(&running).0["status"], "ready");
    assert_eq!(studio.log(&queued), "Cancelled by ed\n");
}

#[test]
fn what_is_not_being_built_cannot_be_cancelled() {
    let studio = Studio::new(COPY_PAGE);
    let ed = studio.server.user("ed");
    let (built, _) = studio.built();
    let error = studio.cancel(&ed, &text(&built, "deploymentId")).expect(409).error();
    assert_eq!(
        error,
        "The deployment is ready; only one that is being built can be cancelled"
    );
    let uploaded = upload(&ed, &studio.shop, &Bundle::page("x"));
    studio.cancel(&ed, &text(&uploaded, "deploymentId")).expect(409);
    studio.cancel(&ed, "nothing").expect(404);
    assert_eq!(live(&ed, &studio.shop), uploaded["deploymentId"]);
}

#[test]
fn cancelling_is_for_those_who_manage_with_write_authority() {
    let studio = Studio::new(&waiting(COPY_PAGE));
    let id = studio.start();
    studio.says(&id, "waiting");
    for (caller, status) in [
        (studio.server.user("vic"), 403),
        (studio.server.token("ed", &["read"]), 403),
    ] {
        studio.cancel(&caller, &id).expect(status);
    }
    assert!(studio.cancel(&studio.server.anonymous(), &id).status >= 400);
    assert_eq!(studio.deployment(&id)["status"], "building");
    let writer = studio.server.token("eve", &["read", "write"]);
    // Two at once: the build ends once, and nobody gets an error of the server.
    let answers = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| studio.cancel(&writer, &id).status))
            .collect();
        tries
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(
        answers.contains(&200) && answers.iter().all(|status| [200, 409].contains(status)),
        "{answers:?}"
    );
    assert_eq!(studio.ended(&id).0["status"], "failed");
}
