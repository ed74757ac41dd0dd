//! What deliveries are known by, and the log of them: repositories by their ids, recorded deliveries, and why a push was not
//! built.

use galley_tests::codehost::Delivery;
use galley_tests::codehost::delivery::push;
use galley_tests::prelude::*;

use crate::push::{COMMIT, connected, count, queued, requested, start};

#[test]
fn a_renamed_repository_goes_on_and_a_stranger_with_its_old_name_does_nothing() {
    let (_host, server) = start();
    let id = connected(&server, "shop", "main", true);
    let repo = || server.admin().get(&format!("/api/v1/projects/{id}")).expect(200).json()["repo"].clone();
    assert_eq!(repo()["repositoryId"], 5001);
    let push = |delivery: &str, repository: u64, name: &str| {
        queued(Delivery::push_of(delivery, repository, name, "main", &format!("{delivery:0>40}")).send(&server))
    };
    assert_eq!(push("1", 5001, "Octo-Org/Shopfront"), 1, "by its id");
    assert_eq!(
        (&repo()["owner"], &repo()["name"]),
        (&json!("Octo-Org"), &json!("Shopfront"))
    );
    assert_eq!(push("2", 777, "Octo-Org/Storefront"), 0, "a stranger has the old name");
    assert_eq!(push("3", 777, "Octo-Org/Shopfront"), 0, "or the new one");
    assert_eq!(repo()["name"], "Shopfront");
    // The event of the renaming itself does as well.
    let body = json!({
        "action": "renamed", "repository": { "id": 5001, "full_name": "Octo-Corp/Front" }, "installation": { "id": 101 },
    });
    let answer = Delivery::new("repository", "r1", &body).send(&server).expect(200);
    assert_eq!(answer.json(), json!({ "ignored": true }));
    assert_eq!(
        (&repo()["owner"], &repo()["name"]),
        (&json!("Octo-Corp"), &json!("Front"))
    );
}

#[test]
fn a_connection_of_an_earlier_version_gets_its_id_from_the_next_push() {
    let (_host, mut server) = start();
    let id = project(&server.admin(), "shop");
    let old = json!({
        "installationId": 101, "owner": "octo-org", "name": "STOREFRONT", "branch": "main", "installCommand": null,
        "buildCommand": null, "outputDir": "dist", "autoDeploy": true,
    });
    server.edit(|core| core.attach(&id, "repo", &old));
    let delivery = Delivery::push("d1", "Octo-Org/Storefront", "main", COMMIT);
    assert_eq!(queued(delivery.send(&server)), 1);
    let repo = server.admin().get(&format!("/api/v1/projects/{id}")).expect(200).json()["repo"].clone();
    assert_eq!(
        (&repo["repositoryId"], &repo["name"]),
        (&json!(5001), &json!("Storefront"))
    );
    let stranger = Delivery::push_of("d2", 777, "Octo-Org/Storefront", "main", COMMIT);
    assert_eq!(queued(stranger.send(&server)), 0);
}

#[test]
fn a_connection_of_an_earlier_version_is_looked_up_at_the_code_host() {
    let (host, mut server) = start();
    let (renamed, gone) = (project(&server.admin(), "renamed"), project(&server.admin(), "gone"));
    host.edit(|world| world.rename(5001, "Shopfront"));
    let old = |name: &str| {
        json!({
            "installationId": 101, "owner": "octo-org", "name": name, "branch": "main", "installCommand": null,
            "buildCommand": null, "outputDir": "dist", "autoDeploy": true,
        })
    };
    server.edit(|core| {
        core.attach(&renamed, "repo", &old("Storefront"));
        core.attach(&gone, "repo", &old("Nowhere"));
    });
    let repo = |id: &str| {
        server
            .user("ed")
            .get(&format!("/api/v1/projects/{id}"))
            .expect(200)
            .json()["repo"]
            .clone()
    };
    let found = eventually("the id is looked up at the start", || {
        Some(repo(&renamed)).filter(|repo| !repo["repositoryId"].is_null())
    });
    assert_eq!(
        (&found["repositoryId"], &found["name"], &found["problem"]),
        (&json!(5001), &json!("Shopfront"), &Value::Null)
    );
    let problem = eventually("the other one says what to do", || {
        repo(&gone)["problem"].as_str().map(str::to_owned)
    });
    assert!(
        problem.contains("no repository octo-org/Nowhere") && problem.contains("connect the project to it again"),
        "{problem}"
    );
    let push = |id: &str, repository: u64, name: &str| {
        queued(Delivery::push_of(id, repository, name, "main", COMMIT).send(&server))
    };
    assert_eq!(push("d1", 777, "Octo-Org/Storefront"), 0, "a stranger has the old name");
    assert_eq!(push("d2", 5001, "Octo-Org/Shopfront"), 1);
    let body = json!({ "installationId": 101, "owner": "Octo-Org", "name": "tools" });
    let connected = server
        .admin()
        .put(&format!("/api/v1/projects/{gone}/repo"), body)
        .expect(200)
        .json();
    assert_eq!(
        (&connected["repositoryId"], &connected["problem"]),
        (&json!(5002), &Value::Null)
    );
}

#[test]
fn a_recorded_delivery_under_another_id_does_nothing() {
    let (_host, mut server) = start();
    let id = connected(&server, "shop", "main", true);
    let recorded = Delivery::push("d1", "Octo-Org/Storefront", "main", COMMIT);
    assert_eq!(queued(recorded.send(&server)), 1);
    for other in ["d2", "d3", ""] {
        let request = recorded.request(&server).header("x-github-delivery", other);
        let answer = request.send().expect(200).json();
        assert_eq!(answer, json!({ "queued": 0, "ignored": true }), "{other}");
    }
    assert_eq!(queued(recorded.send(&server)), 1, "a redelivery is answered as it was");
    assert_eq!(requested(&mut server, count(1)).len(), 1);
    server.kill();
    server.again();
    let request = recorded.request(&server).header("x-github-delivery", "d4");
    assert_eq!(queued(request.send()), 0);
    let replayed = &deliveries(&server.user("ed"), &id)[0];
    assert_eq!(
        (&replayed["id"], &replayed["outcome"]),
        (&json!("d4"), &json!("ignored"))
    );
    assert!(text(replayed, "reason").contains("came before, as d1"), "{replayed}");
}

/// The pushes of a project as the caller sees them.
#[track_caller]
fn deliveries(caller: &Client, project: &str) -> Vec<Value> {
    let list = caller
        .get(&format!("/api/v1/projects/{project}/deliveries"))
        .expect(200)
        .json();
    list["deliveries"].as_array().expect("a list").clone()
}

#[test]
fn the_delivery_log_says_what_became_of_each_push_and_why() {
    let (_host, server) = start();
    let shop = connected(&server, "shop", "main", true);
    let by_hand = connected(&server, "by-hand", "main", false);
    let ed = server.user("ed");
    assert!(deliveries(&ed, &shop).is_empty());
    let full = "Octo-Org/Storefront";
    let send = |id: &str, body: &Value| Delivery::new("push", id, body).send(&server).expect(200);
    send("other-branch", &push(full, "refs/heads/next", COMMIT));
    send("tag", &push(full, "refs/tags/v1", COMMIT));
    let mut deleted = push(full, "refs/heads/main", &"0".repeat(40));
    deleted["deleted"] = true.into();
    send("deleted", &deleted);
    let mut skipped = push(full, "refs/heads/main", COMMIT);
    skipped["head_commit"]["message"] = "Mend a typo [skip ci]".into();
    send("skipped", &skipped);
    send("elsewhere", &push("Octo-Org/tools", "refs/heads/main", COMMIT));
    send("built", &push(full, "refs/heads/main", COMMIT));

    let listed = deliveries(&ed, &shop);
    let ids: Vec<String> = listed.iter().map(|entry| text(entry, "id")).collect();
    assert_eq!(
        ids,
        ["built", "skipped", "deleted", "tag", "other-branch"],
        "newest first"
    );
    let built = &listed[0];
    let expected = json!({
        "id": "built", "event": "push", "receivedAt": built["receivedAt"], "repository": full, "branch": "main",
        "commitSha": COMMIT, "outcome": "queued", "reason": null, "deploymentIds": built["deploymentIds"],
    });
    assert_eq!(*built, expected);
    assert!(text(built, "receivedAt").ends_with('Z'));
    for (entry, reason) in [
        (&listed[1], "[skip ci]"),
        (&listed[2], "deleted"),
        (&listed[3], "refs/tags/v1"),
        (&listed[4], "built from the branch main"),
    ] {
        assert_eq!(entry["outcome"], "ignored");
        assert!(text(entry, "reason").contains(reason), "{entry}");
        assert_eq!(entry["deploymentIds"], json!([]));
    }
    assert_eq!(listed[3]["branch"], Value::Null);
    let off = &deliveries(&ed, &by_hand)[0];
    assert!(text(off, "reason").contains("autoDeploy is off"), "{off}");
    eventually("the deployment is named", || {
        let entry = deliveries(&ed, &shop).swap_remove(0);
        let ids = entry["deploymentIds"].as_array()?.clone();
        let id = ids.first()?.as_str()?.to_owned();
        let deployment = ed.get(&format!("/api/v1/deployments/{id}")).expect(200).json();
        assert_eq!(deployment["commitSha"], COMMIT);
        Some(())
    });
}

#[test]
fn the_delivery_log_is_bounded_and_for_those_who_manage() {
    let (_host, server) = start();
    let shop = connected(&server, "shop", "main", true);
    for number in 0..105 {
        let push = Delivery::push(
            &format!("d{number}"),
            "Octo-Org/Storefront",
            "next",
            &format!("{number:0>40}"),
        );
        push.send(&server).expect(200);
    }
    let listed = deliveries(&server.user("eve"), &shop);
    assert_eq!(
        (listed.len(), &listed[0]["id"], &listed[99]["id"]),
        (100, &json!("d104"), &json!("d5"))
    );
    deliveries(&server.admin(), &shop);
    deliveries(&server.token("ed", &["read"]), &shop);
    let path = format!("/api/v1/projects/{shop}/deliveries");
    server.user("vic").get(&path).expect(403);
    server.anonymous().get(&path).expect(404);
    server.user("ed").get("/api/v1/projects/nothing/deliveries").expect(404);
    server
        .user("ed")
        .delete(&format!("/api/v1/projects/{shop}/repo"))
        .expect(204);
    assert_eq!(
        deliveries(&server.user("ed"), &shop).len(),
        100,
        "why nothing was built is still there"
    );
}
