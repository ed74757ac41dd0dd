//! Starting builds, and the order they run in.

use galley_tests::prelude::*;

use crate::studio::{COPY_PAGE, Studio, waiting};

#[test]
fn a_build_clones_the_repository_and_makes_its_output_live() {
    let studio = Studio::new(COPY_PAGE);
    let commit = studio
        .copy
        .write("index.html", "<!doctype html><h1>Two</h1>")
        .push("main");
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    assert_eq!(deployment["source"], "build");
    assert_eq!(deployment["commitSha"], json!(commit));
    assert_eq!(deployment["branch"], "main");
    assert_eq!(deployment["createdBy"], "account-ed");
    assert_eq!(
        (&deployment["active"], &deployment["fileCount"]),
        (&json!(true), &json!(1))
    );
    assert!(deployment["finishedAt"].is_string());
    assert!(studio.page().contains("<h1>Two</h1>"));
    for line in [
        "Cloning Octo-Org/Storefront, branch main\n",
        &format!("Commit {commit}\n"),
        "$ true\n",
        &format!("$ {COPY_PAGE}\n"),
        "Packed 1 file, ",
    ] {
        assert!(log.contains(line), "{line} is missing:\n{log}");
    }
    studio.has_cleaned_up();
}

#[test]
fn without_a_code_host_app_builds_are_not_enabled() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    server
        .user("ed")
        .post(&format!("/api/v1/projects/{shop}/deployments/build"), json!({}))
        .refused(503, "Builds are not enabled on this deployment");
}

#[test]
fn without_a_repository_there_is_nothing_to_build() {
    let studio = Studio::new(COPY_PAGE);
    let other = project(&studio.server.user("ed"), "other");
    studio
        .server
        .user("ed")
        .post(&studio.trigger(&other), json!({}))
        .refused(409, "Connect a repository before building");
}

#[test]
fn only_who_manages_the_project_with_write_authority_builds() {
    let studio = Studio::new(COPY_PAGE);
    let build = |caller: Client| caller.post(&studio.trigger(&studio.shop), json!({}));
    build(studio.server.user("vic")).expect(403);
    build(studio.server.token("ed", &["read"])).expect(403);
    build(studio.server.anonymous()).expect(404);
    let answer = build(studio.server.token("ed", &["read", "write"])).expect(202).json();
    studio.ended(&text(&answer, "deploymentId"));
    let answer = build(studio.server.admin()).expect(202).json();
    let (deployment, _) = studio.ended(&text(&answer, "deploymentId"));
    assert_eq!(deployment["createdBy"], json!(null));
    build(studio.server.admin().clone()).expect(202);
    studio
        .server
        .admin()
        .post(&studio.trigger("nothing"), json!({}))
        .expect(404);
}

#[test]
fn a_project_has_one_build_at_a_time() {
    let studio = Studio::new(&waiting(COPY_PAGE));
    let running = studio.start();
    studio.says(&running, "waiting");
    let answer = studio
        .server
        .user("ed")
        .post(&studio.trigger(&studio.shop), json!({}))
        .expect(409);
    assert_eq!(
        answer.json(),
        json!({ "error": "A build is already running for this project", "deploymentId": running })
    );
    studio.let_go();
    assert_eq!(studio.ended(&running).0["status"], "ready");
    let next = studio.start();
    studio.says(&next, "waiting");
}

#[test]
fn a_project_is_not_deleted_while_a_build_runs_or_waits() {
    let mut studio = Studio::new(&waiting(COPY_PAGE));
    let other = project(&studio.server.user("ed"), "other");
    studio.connect(&other, "Storefront", COPY_PAGE, "dist");
    let running = studio.start();
    let queued = studio.start_of(&other);
    studio.says(&running, "waiting");
    for project in [&studio.shop, &other] {
        studio
            .server
            .user("ed")
            .delete(&format!("/api/v1/projects/{project}"))
            .refused(409, "A build is already running for this project");
    }
    assert_eq!(studio.deployment(&queued)["status"], "building");
    studio.let_go();
    studio.ended(&running);
    studio.ended(&queued);
    for project in [&studio.shop, &other] {
        studio
            .server
            .user("ed")
            .delete(&format!("/api/v1/projects/{project}"))
            .expect(204);
    }
}

#[test]
fn builds_wait_for_a_place_and_run_side_by_side_when_there_are_two() {
    let mut studio = Studio::with(&waiting(COPY_PAGE), |build| build.env("SERVICE_BUILD_CONCURRENCY", "2"));
    let projects = ["alpha", "beta"].map(|slug| project(&studio.server.user("ed"), slug));
    studio.connect(&projects[0], "Storefront", COPY_PAGE, "dist");
    studio.connect(&projects[1], "Storefront", &waiting(COPY_PAGE), "dist");
    let first = studio.start();
    studio.says(&first, "waiting");
    // The second place is free, also for one after the other.
    let beside = studio.start_of(&projects[0]);
    assert_eq!(studio.ended(&beside).0["status"], "ready");
    let second = studio.start_of(&projects[1]);
    studio.says(&second, "waiting");
    let third = studio.start_of(&projects[0]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(studio.log(&third), "", "both places are taken");
    studio.let_go();
    assert_eq!(studio.ended(&third).0["status"], "ready");
}
