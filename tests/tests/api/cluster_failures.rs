//! What a server of a cluster answers while its database, a quorum of standbys or the object store is away: soon, what is the
//! matter, and when to try again. Nothing that was acknowledged is lost, nothing happens twice, and all goes on by itself.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use galley_harness::seaweedfs::{ACCESS_KEY_ID, SECRET_ACCESS_KEY, SeaweedFs};
use galley_tests::cluster::Cluster;
use galley_tests::http::connect;
use galley_tests::prelude::*;
use galley_tests::relay::Relay;

/// How soon a request is answered that the database does not answer. What is measured has the test's own waiting for a processor in it,
/// which other tests may keep busy: what is bounded is the server's.
const ANSWERED_WITHIN: Duration = Duration::from_secs(2);
const BUSY_MACHINE: Duration = Duration::from_secs(2);

/// What became of a comment, as its writer was told.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    Done,
    NotDone,
    InDoubt,
}

/// Sends a comment, which is answered in time, whatever happens.
fn write(caller: &Client, project: &str, body: &str) -> Told {
    let asked = Instant::now();
    let answer = caller.post(&comments(project), remark(body));
    assert!(
        asked.elapsed() < ANSWERED_WITHIN + BUSY_MACHINE,
        "{:?}: {}",
        asked.elapsed(),
        answer.text()
    );
    if answer.status == 201 {
        return Told::Done;
    }
    let answer = answer.expect(503);
    assert!(
        answer.header("retry-after").is_some(),
        "{}{}",
        answer.head,
        answer.text()
    );
    match answer.json()["inDoubt"] == json!(true) {
        true => Told::InDoubt,
        false => Told::NotDone,
    }
}

/// Lets several write until `trouble` is over, and compares what they were told with what is there.
fn write_during(server: &Server, caller: &Client, project: &str, trouble: impl FnOnce()) -> Vec<(String, Told)> {
    const WRITERS: usize = 6;
    let is_over = AtomicBool::new(false);
    let told: Vec<(String, Told)> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let is_over = &is_over;
                scope.spawn(move || {
                    let mut told = Vec::new();
                    while !is_over.load(Ordering::Relaxed) {
                        let body = format!("{writer} {}", told.len());
                        told.push((body.clone(), write(caller, project, &body)));
                    }
                    told
                })
            })
            .collect();
        trouble();
        is_over.store(true, Ordering::Relaxed);
        writers
            .into_iter()
            .flat_map(|writer| writer.join().expect("it writes"))
            .collect()
    });
    back(server);
    let there = eventually("all comments can be read", || {
        (caller.get(&comments(project)).status == 200).then(|| bodies(caller, project))
    });
    for (body, told) in &told {
        let count = there.iter().filter(|there| *there == body).count();
        let allowed = match told {
            Told::Done => 1..=1,
            Told::NotDone => 0..=0,
            Told::InDoubt => 0..=1,
        };
        assert!(
            allowed.contains(&count),
            "{body}: {told:?}, and it is there {count} times"
        );
    }
    told
}

fn count(told: &[(String, Told)], of: &Told) -> usize {
    told.iter().filter(|(_, told)| told == of).count()
}

/// Waits until the server serves as before.
fn back(server: &Server) {
    eventually("all goes on", || {
        let health = server.anonymous().get("/api/v1/health");
        (health.status == 200 && health.json()["missing"].is_null()).then_some(())
    });
}

fn missing(server: &Server) -> (u16, Value) {
    let health = server.anonymous().get("/api/v1/health");
    (health.status, health.json()["missing"].clone())
}

/// Waits until the health names this, with this status.
fn names(server: &Server, status: u16, what: &str) {
    eventually(what, || (missing(server) == (status, json!([what]))).then_some(()));
}

/// Lets the database wait for standbys of these names.
fn set_quorum(cluster: &Cluster, names: &str) {
    let set = format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'");
    cluster.postgres().psql(&set);
    cluster.postgres().psql("SELECT pg_reload_conf()");
}

/// A cluster with a server and a project.
fn with_project(cluster: &Cluster) -> (Server, Client, String) {
    let server = cluster.server().start();
    let ana = server.local_operator();
    let shop = project(&ana, "shop");
    (server, ana, shop)
}

/// Sends all kinds of requests, each of which is refused in time.
fn all_are_refused(server: &Server, caller: &Client, project: &str) {
    let path = format!("/api/v1/projects/{project}");
    for (method, path, body) in [
        ("GET", path.clone(), Value::Null),
        ("PATCH", path.clone(), json!({ "name": "Lost" })),
        ("DELETE", path.clone(), Value::Null),
        (
            "POST",
            "/api/v1/projects".to_owned(),
            json!({ "slug": "lost", "name": "Lost" }),
        ),
        ("GET", comments(project), Value::Null),
        ("POST", comments(project), remark("Lost")),
        ("GET", format!("{}/stream", comments(project)), Value::Null),
        (
            "POST",
            "/api/v1/tokens".to_owned(),
            json!({ "name": "lost", "scopes": ["read"] }),
        ),
        ("GET", "/api/v1/me".to_owned(), Value::Null),
        ("GET", "/p/shop/".to_owned(), Value::Null),
    ] {
        let asked = Instant::now();
        let answer = caller.request(method, &path).json(&body).send().expect(503);
        let took = asked.elapsed();
        assert!(took < ANSWERED_WITHIN + BUSY_MACHINE, "{method} {path}: {took:?}");
        assert!(
            answer.header("retry-after").is_some(),
            "{method} {path}: {}",
            answer.head
        );
        assert!(answer.text().contains("database"), "{method} {path}: {}", answer.text());
    }
    assert_eq!(missing(server), (503, json!(["database"])));
}

#[test]
fn a_database_that_is_cut_off_is_named_and_streams_stay_open() {
    let cluster = Cluster::alone();
    let relay = Relay::to(cluster.postgres().address());
    let by_relay = cluster.postgres().url_at(relay.address());
    let server = cluster.server().env("SERVICE_DATABASE_URL", by_relay).start();
    let ana = server.local_operator();
    let shop = project(&ana, "shop");
    let stream = ana.stream(&format!("{}/stream", comments(&shop)));
    assert_eq!(stream.next().json(), json!({ "type": "connected" }));
    relay.cut();
    all_are_refused(&server, &ana, &shop);
    relay.mend();
    back(&server);
    comment(&ana, &shop, "Back");
    assert_eq!(stream.next().json(), json!({ "type": "changed" }));
    assert_eq!(
        ana.get(&format!("/api/v1/projects/{shop}")).expect(200).json()["name"],
        "shop"
    );
    // However many were refused: one line when it went, and one when it was back.
    for line in [
        "requests are refused until the database is back",
        "the database is back\n",
    ] {
        assert_eq!(server.log().matches(line).count(), 1, "{line}: {}", server.log());
    }
}

#[test]
fn a_database_that_stops_in_the_middle_answers_nobody_and_loses_nothing() {
    let cluster = Cluster::alone();
    let (server, ana, shop) = with_project(&cluster);
    let told = write_during(&server, &ana, &shop, || {
        eventually("some are written", || (bodies(&ana, &shop).len() > 20).then_some(()));
        cluster.postgres().freeze();
        all_are_refused(&server, &ana, &shop);
        cluster.postgres().thaw();
        back(&server);
    });
    assert!(
        count(&told, &Told::Done) > 20 && count(&told, &Told::NotDone) > 0,
        "{told:?}"
    );
}

#[test]
fn a_database_that_is_killed_under_writers_loses_nothing() {
    let cluster = Cluster::alone();
    let (server, ana, shop) = with_project(&cluster);
    let told = write_during(&server, &ana, &shop, || {
        for round in 1..=3 {
            eventually("some are written", || {
                let there = ana.get(&comments(&shop));
                (there.status == 200 && bodies(&ana, &shop).len() > 20 * round).then_some(())
            });
            cluster.postgres().kill();
            names(&server, 503, "database");
            cluster.postgres().resume();
            back(&server);
        }
    });
    assert!(
        count(&told, &Told::Done) > 60 && count(&told, &Told::NotDone) > 0,
        "{told:?}"
    );
}

#[test]
fn without_a_quorum_changes_are_refused_soon_and_the_rest_is_read() {
    let cluster = Cluster::alone();
    let (server, ana, shop) = with_project(&cluster);
    let path = format!("/api/v1/projects/{shop}");
    let mut in_doubt = None;
    let told = write_during(&server, &ana, &shop, || {
        eventually("some are written", || (bodies(&ana, &shop).len() > 20).then_some(()));
        set_quorum(&cluster, "nobody");
        // The setting is heard within a moment.
        let refused = eventually("a change is not acknowledged", || {
            let asked = Instant::now();
            let answer = ana.patch(&path, json!({ "name": "Kept or not" }));
            assert!(
                asked.elapsed() < ANSWERED_WITHIN + BUSY_MACHINE,
                "{:?}",
                asked.elapsed()
            );
            (answer.status != 200).then_some(answer)
        });
        let refused = refused.expect(503);
        assert!(refused.header("retry-after").is_some(), "{}", refused.head);
        in_doubt = Some(refused.json()["inDoubt"] == json!(true));
        names(&server, 200, "commits");
        ana.get(&path).expect(200);
        ana.get(&comments(&shop)).expect(200);
        server.anonymous().get("/p/shop/").expect(404);
        set_quorum(&cluster, "");
        back(&server);
    });
    assert!(count(&told, &Told::InDoubt) > 0, "{told:?}");
    eventually("changes are made again", || {
        (ana.patch(&path, json!({ "name": "Kept" })).status == 200).then_some(())
    });
}

/// What one server has locked while it waits for others keeps the other one from its own commits.
#[test]
fn without_a_quorum_each_of_two_servers_says_so_until_there_is_one() {
    let cluster = Cluster::alone();
    let (first, _, _) = with_project(&cluster);
    let second = cluster.server().start();
    let both = [&first, &second];
    set_quorum(&cluster, "nobody");
    let since = eventually("both say so", || {
        let all = both.iter().all(|server| missing(server) == (200, json!(["commits"])));
        all.then(Instant::now)
    });
    while since.elapsed() < Duration::from_secs(12) {
        for server in both {
            assert_eq!(missing(server), (200, json!(["commits"])), "{:?}", since.elapsed());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    set_quorum(&cluster, "");
    both.into_iter().for_each(back);
}

#[test]
fn without_the_object_store_uploads_are_refused_before_they_are_read() {
    let store = SeaweedFs::start();
    let server = Server::build()
        .env("SERVICE_OBJECTS_URL", store.url("galley-tests/instance"))
        .env("SERVICE_OBJECTS_ACCESS_KEY_ID", ACCESS_KEY_ID)
        .env("SERVICE_OBJECTS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY)
        .start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    upload(&ed, &shop, &Bundle::sample("Shop"));
    ed.get("/p/shop/").expect(200);
    let one_that_is_not_sent = || {
        let path = format!("/api/v1/projects/{shop}/deployments");
        let request = ed.request("POST", &path).header("content-type", "application/gzip");
        let mut stream = connect(server.address(), None).unwrap();
        let head = request.header("content-length", "50000000").head();
        stream.write_all(head.as_bytes()).unwrap();
        let asked = Instant::now();
        let mut start = [0; 4096];
        let length = stream.read(&mut start).unwrap();
        let answer = String::from_utf8_lossy(&start[..length]).into_owned();
        assert!(
            asked.elapsed() < ANSWERED_WITHIN + BUSY_MACHINE,
            "{:?}",
            asked.elapsed()
        );
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        assert!(answer.to_lowercase().contains("retry-after: 30"), "{answer}");
    };
    store.freeze();
    // It was asked a moment ago, and counts as there for a second.
    names(&server, 200, "objects");
    one_that_is_not_sent();
    ed.get("/p/shop/").expect(200);
    store.thaw();
    back(&server);
    store.kill();
    names(&server, 200, "objects");
    one_that_is_not_sent();
    ed.get("/p/shop/").expect(200);
    store.resume();
    back(&server);
    upload(&ed, &shop, &Bundle::sample("Again"));
}

#[test]
fn without_the_object_store_a_page_that_is_not_kept_is_refused_soon_to_all_who_ask() {
    const VISITORS: usize = 40;
    let cluster = Cluster::with_own_store();
    let [one, two] = [(); 2].map(|()| cluster.server().start());
    let ana = one.local_operator();
    let there = Client::new(two.address(), ana.credential().clone());
    let slugs = ["shop", "other"];
    for slug in slugs {
        upload(&ana, &project(&ana, slug), &Bundle::sample(slug));
    }
    let all_are_refused = || {
        std::thread::scope(|scope| {
            for visitor in 0..VISITORS {
                let there = &there;
                scope.spawn(move || {
                    let asked = Instant::now();
                    let answer = there.get(&format!("/p/{}/", slugs[visitor % 2])).expect(503);
                    let took = asked.elapsed();
                    assert!(took < ANSWERED_WITHIN + BUSY_MACHINE, "visitor {visitor}: {took:?}");
                    assert!(answer.header("retry-after").is_some(), "{}", answer.head);
                });
            }
        });
    };
    cluster.store().freeze();
    all_are_refused();
    names(&two, 200, "objects");
    all_are_refused();
    ana.get("/p/shop/").expect(200);
    cluster.store().thaw();
    back(&two);
    eventually("it is served again", || {
        (there.get("/p/shop/").status == 200).then_some(())
    });
}
