//! Two servers of one cluster: what one of them acknowledged counts at the other, and what becomes of both without the database.

use std::time::{Duration, Instant};

use galley_tests::cluster::Cluster;
use galley_tests::prelude::*;

/// How soon a request is refused while the database is away.
const REFUSED_WITHIN: Duration = Duration::from_secs(2);

/// The same caller at another server.
fn at(server: &Server, caller: &Client) -> Client {
    Client::new(server.address(), caller.credential().clone())
}

#[test]
fn what_one_server_acknowledged_counts_at_the_other_at_once() {
    let cluster = Cluster::new();
    let [one, two] = [(); 2].map(|()| cluster.server().start());
    let ana = one.local_operator();
    let there = at(&two, &ana);
    assert_eq!(
        there.get("/api/v1/me").expect(200).json()["user"]["email"],
        "ana@example.com"
    );

    // Each change is looked at by the next request, at the other server.
    let shop = project_with(&ana, "shop", "invited");
    let path = format!("/api/v1/projects/{shop}");
    for round in 0..20 {
        let (writer, reader) = if round % 2 == 0 { (&ana, &there) } else { (&there, &ana) };
        let name = format!("Shop {round}");
        writer.patch(&path, json!({ "name": name })).expect(200);
        assert_eq!(reader.get(&path).expect(200).json()["name"], json!(name));
    }
    there
        .patch("/api/v1/instance/settings", json!({ "allowPublicLinks": true }))
        .expect(200);
    ana.patch(&path, json!({ "access": "public-link" })).expect(200);
    two.anonymous().get(&path).expect(200);
    ana.patch("/api/v1/instance/settings", json!({ "allowPublicLinks": false }))
        .expect(200);
    assert!([401, 404].contains(&two.anonymous().get(&path).status));

    // A session that was ended at one is over at the other.
    ana.post("/api/v1/auth/logout", json!({})).expect(204);
    assert!(there.get("/api/v1/me").expect(200).json()["user"].is_null());
}

#[test]
fn one_server_that_is_killed_leaves_the_other_with_everything() {
    let cluster = Cluster::new();
    let [mut one, two] = [(); 2].map(|()| cluster.server().start());
    let ana = one.local_operator();
    let shop = project(&ana, "shop");
    one.kill();
    let there = at(&two, &ana);
    there.get(&format!("/api/v1/projects/{shop}")).expect(200);
    project(&there, "other");
    one.again();
    let projects = at(&one, &ana).get("/api/v1/projects").expect(200).json();
    assert_eq!(projects["projects"].as_array().map(Vec::len), Some(2), "{projects}");
}

#[test]
fn without_the_database_requests_are_refused_soon_and_all_goes_on_by_itself() {
    let cluster = Cluster::alone();
    let server = cluster.server().start();
    let ana = server.local_operator();
    let shop = project(&ana, "shop");
    cluster.postgres().kill();
    let path = format!("/api/v1/projects/{shop}");
    for attempt in 0..3 {
        for (method, path) in [
            ("GET", path.as_str()),
            ("PATCH", &path),
            ("GET", "/api/v1/me"),
            ("GET", "/p/shop/"),
        ] {
            let asked = Instant::now();
            let answer = match method {
                "GET" => ana.get(path),
                _ => ana.patch(path, json!({ "name": "Lost" })),
            };
            let took = asked.elapsed();
            assert_eq!(answer.status, 503, "{attempt} {method} {path}: {}", answer.text());
            assert!(
                answer.header("retry-after").is_some(),
                "{method} {path}: {}",
                answer.head
            );
            assert!(answer.text().contains("database"), "{}", answer.text());
            // The machine may be busy with other tests: what is bounded is the server's own waiting.
            assert!(took < 2 * REFUSED_WITHIN, "{method} {path} took {took:?}");
        }
    }
    let health = server.anonymous().get("/api/v1/health").expect(503).json();
    assert_eq!(
        (&health["status"], &health["missing"]),
        (&json!("degraded"), &json!(["database"]))
    );
    cluster.postgres().resume();
    eventually("the database is back", || {
        (server.anonymous().get("/api/v1/health").status == 200).then_some(())
    });
    assert_eq!(ana.get(&path).expect(200).json()["name"], "shop");
    ana.patch(&path, json!({ "name": "Kept" })).expect(200);
    server.logs(&[
        "requests are refused until the database is back",
        "the database is back",
    ]);
}
