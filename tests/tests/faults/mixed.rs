//! Everything else that is acknowledged: projects, members, tokens, sessions, and events between slots.

use galley_tests::prelude::*;

use crate::kills;

#[test]
fn the_hosts_own_writes_are_there_after_a_kill() {
    let mut server = Server::start();
    let mut projects = Vec::new();
    for round in 0..kills().min(8) {
        let ed = server.user("ed");
        let made = project_with(&ed, "shop", "invited");
        let member = json!({ "email": "vic@example.com" });
        ed.post(&format!("/api/v1/projects/{made}/members"), member).expect(201);
        ed.patch(
            &format!("/api/v1/projects/{made}"),
            json!({ "name": format!("Round {round}") }),
        )
        .expect(200);
        let token = server.token("ed", &["read"]).secret().to_owned();
        server.kill();
        server.again();
        projects.push(made);
        for (round, project) in projects.iter().enumerate() {
            let found = server
                .user("vic")
                .get(&format!("/api/v1/projects/{project}"))
                .expect(200)
                .json();
            assert_eq!(found["name"], format!("Round {round}"));
        }
        server.bearer(&token).get("/api/v1/me").expect(200);
    }
}

#[test]
fn a_deleted_project_takes_its_comments_and_files_along_across_a_kill() {
    let mut server = Server::start();
    for _ in 0..kills().min(8) {
        let ed = server.user("ed");
        let shop = project(&ed, "shop");
        comment(&ed, &shop, "Hello");
        upload(&ed, &shop, &Bundle::sample("Shop"));
        ed.delete(&format!("/api/v1/projects/{shop}")).expect(204);
        // At once: what the slots are told of must outlive the server.
        server.kill();
        server.again();
        server.user("ed").get(&format!("/api/v1/projects/{shop}")).expect(404);
        eventually("its files are gone", || server.stored("sites").is_empty().then_some(()));
        let left = || rows(&server, &shop);
        eventually("its comments are gone", || (left() == 0).then_some(()));
    }
}

/// Rows of plugins that still name a project.
fn rows(server: &Server, project: &str) -> u64 {
    let rows = server.rows_of_plugins("project_id", project);
    assert!(
        rows.len() > 2,
        "{} tables name projects: the test tests nothing",
        rows.len()
    );
    rows.iter().sum()
}
