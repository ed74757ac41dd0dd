//! `galley cluster status`, and the metrics of the same: what an operator sees of a cluster, from any machine of it.

use std::process::Command;

use galley_tests::cli::run;
use galley_tests::cluster::Cluster;
use galley_tests::metrics::{figures, place};
use galley_tests::paths;
use galley_tests::prelude::*;

/// The status as JSON, with an exit code.
#[track_caller]
fn status(server: &Server, code: i32) -> Value {
    let shown = run(server.command().args(["cluster", "status", "--json"])).expect(code);
    assert!(!shown.stdout.contains("5a5a") && !shown.stdout.contains("a-secret-of-tests"));
    shown.json()
}

#[track_caller]
fn text_of(server: &Server, code: i32) -> String {
    run(server.command().args(["cluster", "status"])).expect(code).stdout
}

fn names(status: &Value, key: &str) -> Vec<String> {
    let rows = status[key].as_array().unwrap_or_else(|| panic!("{key}: {status}"));
    rows.iter().map(|row| text(row, "name")).collect()
}

#[test]
fn two_nodes_their_work_their_database_and_their_store_are_told_of() {
    let cluster = Cluster::alone();
    let node = |name: &str| {
        cluster
            .server()
            .env("SERVICE_NODE_NAME", name)
            .env("SERVICE_METRICS_LISTEN", "127.0.0.1:0")
    };
    let (one, mut two) = (node("one").start(), node("two").start());
    let ana = one.local_operator();
    let shop = project(&ana, "shop");
    comment(&ana, &shop, "Hello");

    // The work is taken soon after the start.
    let found = eventually("the mails have a server", || {
        let found = status(&one, 0);
        names(&found, "leases").contains(&"mail".to_owned()).then_some(found)
    });
    assert_eq!(names(&found, "nodes"), ["one", "two"]);
    for (node, server) in found["nodes"].as_array().unwrap().iter().zip([&one, &two]) {
        assert_eq!(
            (&node["isThere"], &node["address"]),
            (&json!(true), &json!(server.address().to_string()))
        );
        assert!(
            text(node, "version").starts_with(|digit: char| digit.is_ascii_digit()),
            "{node}"
        );
        assert!(text(node, "since") <= text(node, "seenAt"), "{node}");
    }
    for lease in found["leases"].as_array().unwrap() {
        assert!(["one", "two"].contains(&&*text(lease, "node")), "{lease}");
        assert!(
            lease["epoch"].as_i64() >= Some(1) && text(lease, "endsAt") > text(&found, "at"),
            "{lease}"
        );
    }
    let database = &found["database"];
    assert_eq!(database["leader"], json!(cluster.postgres().address().to_string()));
    assert_eq!(database["address"], json!(cluster.url().replace("galley@", "")));
    assert!(
        database["bytes"].as_i64() > Some(1_000_000) && database["schema"].as_i64() > Some(12),
        "{database}"
    );
    assert_eq!(
        (&database["standbys"], &database["synchronousStandbyNames"]),
        (&json!([]), &json!(""))
    );
    assert_eq!(
        (&found["objects"]["answers"], &found["missing"]),
        (&json!(true), &json!([]))
    );
    assert_eq!((&found["queuedBuilds"], &found["builds"]), (&json!(0), &json!([])));

    let shown = text_of(&two, 0);
    for line in [
        "  one ",
        "  two ",
        "up for ",
        "mail ",
        "PostgreSQL ",
        "waits for no standby",
        "answers",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let figures_of = |server: &Server| figures(place(server));
    for server in [&one, &two] {
        let figures = figures_of(server);
        for line in [
            "galley_database_up 1\n",
            "galley_database_acknowledges 1\n",
            "galley_objects_up 1\n",
            "galley_node_up{node=\"one\",version=\"",
            "galley_node_up{node=\"two\",version=\"",
            "galley_database_standbys 0\n",
            "galley_builds_claimed 0\n",
            "# TYPE galley_slot_events_oldest_seconds gauge\n",
        ] {
            assert!(figures.contains(line), "{line} is not in\n{figures}");
        }
    }
    let held = "galley_lease_held{lease=\"mail\"} 1\n";
    eventually("one of them, and only one, does it", || {
        let holders = [&one, &two].map(|server| figures_of(server).contains(held));
        (holders == [true, false] || holders == [false, true]).then_some(())
    });

    // One that is killed is missed, and one that stops has left.
    two.kill();
    let found = eventually("it is gone", || {
        let found = run(one.command().args(["cluster", "status", "--json"]));
        (found.code == 5).then(|| found.json())
    });
    assert_eq!(found["nodes"][1]["isThere"], json!(false));
    assert!(found["missing"][0].as_str().unwrap().contains("`two`"), "{found}");
    assert!(text_of(&one, 5).contains("! the server `two` at "));
    eventually("the figures know it", || {
        let figures = figures_of(&one);
        let is_told = |line: &str| line.starts_with("galley_node_up{node=\"two\"") && line.ends_with(" 0");
        figures.lines().any(is_told).then_some(())
    });
    two.again();
    status(&one, 0);
    assert!(two.stop().success());
    let left = status(&one, 0);
    assert_eq!(names(&left, "nodes"), ["one"]);
}

#[test]
fn where_no_server_runs_and_where_the_database_is_away_it_is_said() {
    let cluster = Cluster::alone();
    let mut nobody = Command::new(paths::galley());
    nobody.env_clear().envs(cluster.variables());
    let never = run(nobody.args(["cluster", "status"])).expect(1);
    assert!(
        never.stderr.contains("no `galley serve` of this version has used it"),
        "{}",
        never.stderr
    );
    let mut server = cluster.server().start();
    assert!(server.stop().success());
    let found = status(&server, 5);
    assert_eq!(found["missing"], json!(["no server runs"]));
    // It takes no lock of the data folder, and needs none.
    let there = std::fs::File::create(server.data_dir().join("lock")).unwrap();
    there.lock().unwrap();
    status(&server, 5);
    cluster
        .postgres()
        .psql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    cluster.postgres().psql("SELECT pg_reload_conf()");
    eventually("no standby follows", || {
        let found = status(&server, 5);
        let said = found["missing"].as_array().unwrap().iter().filter_map(Value::as_str);
        said.clone()
            .any(|said| said.contains("no standby follows the database"))
            .then_some(())
    });
    cluster.postgres().stop();
    for as_json in [&[][..], &["--json"]] {
        let away = run(server.command().args(["cluster", "status"]).args(as_json)).expect(1);
        assert_eq!(away.stdout, "");
        for words in [
            "nothing can be told of the cluster",
            "SERVICE_DATABASE_URL",
            "does not answer",
        ] {
            assert!(away.stderr.contains(words), "{}", away.stderr);
        }
    }
    cluster.postgres().resume();
}

#[test]
fn a_server_alone_has_no_cluster() {
    let server = Server::build().alone().one_node().start();
    let refused = run(server.command().args(["cluster", "status"])).expect(1);
    assert!(refused.stderr.contains("SERVICE_DATABASE_URL"), "{}", refused.stderr);
}
