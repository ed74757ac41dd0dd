//! Builds of the connected repository.

use galley_sdk::{logs, params, sql};

use super::*;

const BUILD: &str = "/api/v1/projects/p1/deployments/build";

/// A studio whose project is connected.
fn connected() -> Studio {
    let studio = studio();
    connect(&studio, "main");
    studio
}

fn connect(studio: &Studio, branch: &str) {
    let value = json!({
        "installationId": 7, "repositoryId": 70, "owner": "octo", "name": "shop", "branch": branch, "installCommand": null,
        "buildCommand": "npm run web", "outputDir": "out", "autoDeploy": true,
    });
    studio.host.attach("p1", "repo", value);
}

impl Studio {
    fn build(&self) -> Answer {
        self.host.post(BUILD).as_token(&self.ed).send()
    }

    /// Starts a build and answers the deployment's id.
    fn building(&self) -> String {
        let answer = self.build();
        assert_eq!(answer.status, 202, "{}", answer.text());
        answer.json()["deploymentId"].as_str().unwrap().to_owned()
    }

    fn push(&self, delivery: &str, commit: char) {
        let push = json!({
            "projectId": "p1", "commitSha": commit.to_string().repeat(40), "branch": "main", "deliveryId": delivery,
        });
        self.host.deliver("repo/build-requested", push).unwrap();
    }

    /// Ids of what the host builds at present.
    fn at_the_host(&self) -> Vec<String> {
        self.host.builds().into_iter().map(|build| build.id).collect()
    }
}

#[test]
fn a_build_is_enqueued_with_the_connection_and_recorded() {
    let studio = connected();
    let answer = studio.build();
    let id = answer.json()["deploymentId"].as_str().unwrap().to_owned();
    assert_eq!(
        (answer.status, answer.json()),
        (202, json!({ "deploymentId": id, "status": "building" }))
    );
    let build = &studio.host.builds()[0];
    assert_eq!((build.id.as_str(), build.project.as_str()), (id.as_str(), "p1"));
    let conditions = studio.host.build_conditions(&id);
    assert_eq!((conditions.repository_id, conditions.only_newest), (Some(70), false));
    let source = &build.source;
    assert_eq!(
        (
            source.installation_id,
            source.owner.as_str(),
            source.name.as_str(),
            source.branch.as_str(),
            &source.commit
        ),
        (7, "octo", "shop", "main", &None)
    );
    assert_eq!(
        (
            build.install_command.as_str(),
            build.build_command.as_str(),
            build.output_dir.as_str()
        ),
        ("", "npm run web", "out")
    );
    let record = &studio.listed()[0];
    assert_eq!(
        (
            &record["status"],
            &record["source"],
            &record["branch"],
            &record["createdBy"],
            &record["active"]
        ),
        (
            &json!("building"),
            &json!("build"),
            &json!("main"),
            &json!("u1"),
            &json!(false)
        )
    );
}

#[test]
fn what_stands_in_the_way_of_a_build_is_said() {
    let studio = studio();
    refused(studio.build(), 409, "Connect a repository before building");
    studio.host.configure_builds(false);
    refused(studio.build(), 503, "Builds are not enabled on this deployment");
    studio.host.configure_builds(true);
    connect(&studio, "main");
    let id = studio.building();
    let answer = studio.build();
    let message = "A build is already running for this project";
    assert_eq!(
        (answer.status, answer.json()),
        (409, json!({ "error": message, "deploymentId": id }))
    );
    assert_eq!(studio.listed().len(), 1);
}

#[test]
fn only_who_manages_the_project_builds() {
    let studio = connected();
    let call = || studio.host.post(BUILD);
    assert_eq!(call().send().status, 404, "an anonymous caller cannot read the project");
    assert_eq!(call().as_token(&studio.vic).send().status, 403);
    assert_eq!(call().as_read_token(&studio.ed).send().status, 403);
    assert!(studio.listed().is_empty());
    assert_eq!(call().as_admin().send().status, 202);
}

#[test]
fn a_build_that_went_well_is_live_with_the_commit_that_was_built() {
    let studio = connected();
    let id = studio.building();
    studio
        .host
        .build_ends(&id, Ok(&[INDEX, ("a.js", "x('/img/a.png')")]))
        .unwrap();
    let record = &studio.listed()[0];
    assert_eq!(
        (
            &record["status"],
            &record["active"],
            &record["fileCount"],
            &record["commitSha"]
        ),
        (&json!("ready"), &json!(true), &json!(2), &json!("c".repeat(40)))
    );
    assert!(record["finishedAt"].is_string());
    assert_eq!(studio.live(), Some(id.clone()));
    let (log, status) = studio.host.text_log(&id).unwrap();
    assert!(log.contains("Note: a.js refers to /img/a.png"), "{log}");
    assert_eq!(status.as_deref(), Some("ready"));
    assert!(studio.at_the_host().is_empty(), "the host may forget it");
}

#[test]
fn a_build_that_failed_keeps_its_log_and_changes_nothing() {
    let studio = connected();
    let before = studio.deployed(&[INDEX]);
    let id = studio.building();
    studio
        .host
        .run(|| logs::open(&id).unwrap().append("it broke\n").unwrap());
    studio.host.build_ends(&id, Err("it broke")).unwrap();
    assert_eq!(studio.listed()[0]["status"], "failed");
    let told = &studio.host.published_to("deployments/failed")[0];
    assert_eq!(
        (
            &told["deploymentId"],
            &told["source"],
            &told["cancelled"],
            &told["reason"]
        ),
        (&json!(id), &json!("build"), &json!(false), &json!("it broke"))
    );
    assert_eq!(studio.live(), Some(before));
    let log = studio.host.text_log(&id).unwrap();
    assert_eq!(log, ("it broke\n".to_owned(), Some("failed".to_owned())));
    assert_eq!(studio.build().status, 202, "the next one may begin");
}

#[test]
fn output_without_index_html_fails() {
    let studio = connected();
    let id = studio.building();
    studio.host.build_ends(&id, Ok(&[("web/index.html", "x")])).unwrap();
    assert_eq!((&studio.listed()[0]["status"], studio.live()), (&json!("failed"), None));
    assert!(
        studio
            .host
            .text_log(&id)
            .unwrap()
            .0
            .contains("The output has no index.html at its root")
    );
}

#[test]
fn the_end_of_a_build_may_be_told_twice() {
    let studio = connected();
    let id = studio.building();
    studio.host.build_ends(&id, Ok(&[INDEX])).unwrap();
    let before = (studio.listed(), studio.host.text_log(&id));
    let again = studio.host.build_finished(&id, "p1", None);
    studio.host.deliver("build-finished", again.clone()).unwrap();
    assert_eq!((studio.listed(), studio.host.text_log(&id)), before);
    // A crash between publishing and recording it.
    studio
        .host
        .run(|| sql::execute("UPDATE deployments SET status = 'building'", params![]).unwrap());
    studio.host.deliver("build-finished", again).unwrap();
    assert_eq!(studio.listed()[0]["status"], "ready");
}

#[test]
fn output_that_was_lost_fails_the_build() {
    let studio = connected();
    let id = studio.building();
    // The host forgot its output in a crash, and tells of its end.
    let end = studio.host.build_finished(&id, "p1", None);
    studio.host.deliver("build-finished", end).unwrap();
    assert_eq!(studio.listed()[0]["status"], "failed");
    assert!(studio.host.text_log(&id).unwrap().0.contains("The output was lost"));
}

#[test]
fn builds_of_other_slots_and_of_deleted_projects_are_nobodys_business() {
    let studio = connected();
    let id = studio.building();
    let mut end = studio.host.build_finished(&id, "p1", Some("x"));
    end["slot"] = json!("other");
    studio.host.deliver("build-finished", end).unwrap();
    assert_eq!(studio.listed()[0]["status"], "building");
    studio
        .host
        .deliver("project-deleted", json!({ "projectId": "p1" }))
        .unwrap();
    studio.host.project("p1").delete();
    studio.host.build_ends(&id, Ok(&[INDEX])).unwrap();
    assert!(studio.at_the_host().is_empty());
}

#[test]
fn a_push_is_built_once_at_its_commit() {
    let studio = connected();
    studio.push("d1", 'a');
    studio.push("d1", 'a');
    let builds = studio.host.builds();
    assert_eq!(builds.len(), 1);
    assert_eq!(builds[0].source.commit, Some("a".repeat(40)));
    assert!(studio.host.build_conditions(&builds[0].id).only_newest);
    let told: Value = serde_json::from_str(&studio.host.published()[0].data).unwrap();
    let expected = json!({ "projectId": "p1", "deliveryId": "d1", "deploymentId": builds[0].id, "ignored": null });
    assert_eq!(told, expected);
    studio.host.build_ends(&builds[0].id, Ok(&[INDEX])).unwrap();
    studio.push("d1", 'a');
    assert_eq!((studio.listed().len(), studio.host.builds().len()), (1, 0));
    assert_eq!(studio.listed()[0]["createdBy"], json!(null));
}

#[test]
fn of_pushes_during_a_build_the_newest_is_built_afterwards() {
    let studio = connected();
    let running = studio.building();
    for (delivery, commit) in [("d1", 'a'), ("d2", 'b'), ("d3", 'd')] {
        studio.push(delivery, commit);
    }
    assert_eq!(studio.listed().len(), 1);
    studio.host.build_ends(&running, Err("it broke")).unwrap();
    let builds = studio.host.builds();
    assert_eq!(builds.len(), 1);
    assert_eq!(builds[0].source.commit, Some("d".repeat(40)));
    studio.host.build_ends(&builds[0].id, Ok(&[INDEX])).unwrap();
    assert_eq!((studio.listed().len(), studio.host.builds().len()), (2, 0));
}

#[test]
fn a_push_to_a_project_that_is_not_connected_to_the_branch_any_more_is_passed_over() {
    let studio = studio();
    studio.push("d1", 'a');
    connect(&studio, "next");
    studio.push("d2", 'b');
    studio.host.configure_builds(false);
    connect(&studio, "main");
    studio.push("d3", 'd');
    assert_eq!((studio.listed().len(), studio.at_the_host().len()), (0, 0));
}

#[test]
fn a_start_forgets_builds_that_were_never_enqueued_and_starts_those_that_wait() {
    let studio = connected();
    let running = studio.building();
    crate::recovery::insert(&studio, "cut", "building", "build");
    studio.push("d1", 'a');
    studio.host.start().unwrap();
    assert_eq!(studio.host.text_log("cut"), None);
    assert_eq!(
        (studio.listed().len(), studio.at_the_host()),
        (1, vec![running.clone()])
    );
    // The host told of the end while nobody listened.
    studio.host.run(|| {
        sql::execute(
            "UPDATE deployments SET status = 'failed' WHERE id = ?1",
            params![running.as_str()],
        )
        .unwrap();
    });
    studio.host.forget_builds();
    studio.host.start().unwrap();
    assert_eq!(studio.host.builds()[0].source.commit, Some("a".repeat(40)));
}

#[test]
fn where_others_serve_a_build_is_recorded_once_and_left_alone_while_the_host_knows_it() {
    let studio = connected();
    studio.host.setting("cluster", true);
    let id = studio.building();
    let number = |at: usize| studio.listed()[at]["number"].clone();
    assert_eq!((studio.listed().len(), number(0)), (1, json!(1)));
    studio.host.advance(600_000);
    studio.host.run_job("settle").unwrap();
    assert_eq!(studio.listed()[0]["deploymentId"], json!(id));
    studio.host.build_ends(&id, Ok(&[INDEX])).unwrap();
    studio.host.run_job("settle").unwrap();
    assert_eq!(studio.listed()[0]["status"], "ready");
    assert_eq!(studio.host.text_log(&id).unwrap().1.as_deref(), Some("ready"));
    studio.building();
    assert_eq!((studio.listed().len(), number(0)), (2, json!(2)));
}

#[test]
fn a_cancelled_build_has_failed_at_once_and_its_log_ends_with_the_event() {
    let studio = connected();
    let id = studio.building();
    let cancel = |call: Call<'_>| call.send();
    let path = format!("/api/v1/deployments/{id}/cancel");
    assert_eq!(cancel(studio.host.post(&path).as_token(&studio.vic)).status, 403);
    assert_eq!(cancel(studio.host.post(&path).as_read_token(&studio.ed)).status, 403);
    let answer = cancel(studio.host.post(&path).as_token(&studio.ed));
    assert_eq!((answer.status, &answer.json()["status"]), (200, &json!("failed")));
    assert_eq!(studio.host.text_log(&id), Some(("Cancelled by Ed\n".to_owned(), None)));
    let told = &studio.host.published_to("deployments/failed")[0];
    assert_eq!(
        (&told["deploymentId"], &told["cancelled"], &told["reason"]),
        (&json!(id), &json!(true), &json!("Cancelled by Ed"))
    );
    assert_eq!(cancel(studio.host.post(&path).as_token(&studio.ed)).status, 409);
    let end = studio.host.build_finished(&id, "p1", Some("Cancelled by Ed"));
    studio.host.deliver("build-finished", end).unwrap();
    assert_eq!(studio.host.text_log(&id).unwrap().1.as_deref(), Some("failed"));
    assert_eq!(studio.listed()[0]["status"], "failed");
    assert_eq!(studio.build().status, 202, "the next one may begin");
}
