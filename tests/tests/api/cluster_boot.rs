//! A server whose accounts and projects are in a PostgreSQL: what it starts on, and what it does not.

use std::fs;

use galley_harness::pgbouncer::PgBouncer;
use galley_harness::postgres::Postgres;
use galley_tests::cli::run;
use galley_tests::cluster::Cluster;
use galley_tests::paths;
use galley_tests::poll::WAIT_TIMEOUT;
use galley_tests::prelude::*;
use galley_tests::process::Process;
use galley_tests::server::Build;

/// The line of a boot that is refused.
#[track_caller]
fn refusal(build: Build) -> String {
    let failed = match build.try_start() {
        Ok(_) => panic!("it booted"),
        Err(failed) => failed,
    };
    assert_eq!(
        (failed.code, failed.stdout.as_str()),
        (Some(1), ""),
        "{}",
        failed.stderr
    );
    let line = failed.stderr.lines().last().unwrap_or_default().to_owned();
    assert!(
        line.starts_with("galley: ") && !failed.stderr.contains("hush"),
        "{}",
        failed.stderr
    );
    line
}

#[track_caller]
fn names(line: &str, words: &[&str]) {
    for word in words {
        assert!(line.contains(word), "`{word}` in: {line}");
    }
}

#[test]
fn accounts_and_projects_outlive_restarts_of_server_and_database() {
    let cluster = Cluster::alone();
    let mut server = cluster.server().start();
    server.logs(&[
        "synchronous_standby_names",
        "accounts and projects in postgresql://127.0.0.1:",
    ]);
    let ana = server.local_operator();
    let shop = project(&ana, "shop");
    cluster.postgres().kill();
    cluster.postgres().resume();
    let kept = |server: &Server, ana: &Client| {
        let ana = Client::new(server.address(), ana.credential().clone());
        let found = eventually("the database is back", || {
            let answer = ana.get("/api/v1/projects");
            (answer.status == 200).then(|| answer.json())
        });
        assert_eq!(found["projects"][0]["id"], json!(shop), "{found}");
        assert_eq!(
            ana.get("/api/v1/me").expect(200).json()["user"]["email"],
            "ana@example.com"
        );
    };
    kept(&server, &ana);
    server.kill();
    server.again();
    kept(&server, &ana);
    assert!(server.stop().success());
    assert!(!server.data_dir().join("core.db").exists());
    // Another machine, with nothing but the three variables.
    kept(&cluster.server().start(), &ana);
}

#[test]
fn a_group_that_is_set_by_half_and_an_address_that_is_none_are_refused() {
    let cluster = Cluster::new();
    for name in ["SERVICE_DATABASE_URL", "SERVICE_CLUSTER_KEY_FILE"] {
        let line = refusal(cluster.server().without(name));
        names(
            &line,
            &[&format!("{name} is missing"), "\"cluster\"", "SERVICE_OBJECTS_URL"],
        );
    }
    let mut without_store = cluster.server();
    for name in ["URL", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"] {
        without_store = without_store.without(&format!("SERVICE_OBJECTS_{name}"));
    }
    names(
        &refusal(without_store),
        &["SERVICE_OBJECTS_URL is missing", "\"cluster\""],
    );
    for url in [
        "db.example.org",
        "postgresql://ann:hush@db:port/galley",
        "mysql://ann:hush@db/galley",
    ] {
        let line = refusal(cluster.server().env("SERVICE_DATABASE_URL", url));
        names(
            &line,
            &["SERVICE_DATABASE_URL", "postgresql://user:password@host:5432/name"],
        );
    }
}

#[test]
fn a_database_that_loses_or_takes_no_writes_is_refused() {
    for setting in ["fsync", "synchronous_commit"] {
        let cluster = Cluster::on(Postgres::start_with(&[&format!("{setting}=off")]));
        names(
            &refusal(cluster.server()),
            &["SERVICE_DATABASE_URL", &format!("`{setting} = off`"), "postgresql.conf"],
        );
    }
    let cluster = Cluster::alone();
    cluster.postgres().become_standby();
    names(
        &refusal(cluster.server()),
        &["standby", "target_session_attrs=read-write"],
    );
}

#[test]
fn a_pooler_of_transactions_a_role_without_rights_and_a_wrong_password_are_refused() {
    let cluster = Cluster::alone();
    let pooler = PgBouncer::before(cluster.postgres(), "transaction");
    let line = refusal(cluster.server().env("SERVICE_DATABASE_URL", pooler.url()));
    names(&line, &["pooler", "pool_mode = session"]);
    cluster.postgres().psql("CREATE ROLE guest LOGIN");
    let as_guest = cluster.url().replace("galley@", "guest:hush@");
    let line = refusal(cluster.server().env("SERVICE_DATABASE_URL", as_guest));
    names(&line, &["role `guest`", "OWNER TO"]);
    let nobody = cluster.url().replace("galley@", "nobody:hush@");
    names(
        &refusal(cluster.server().env("SERVICE_DATABASE_URL", nobody)),
        &["nobody"],
    );
}

#[test]
fn another_key_than_the_database_began_with_and_another_instances_bucket_are_refused() {
    let cluster = Cluster::new();
    assert!(cluster.server().start().stop().success());
    fs::write(cluster.key(), "5b".repeat(32)).unwrap();
    names(
        &refusal(cluster.server()),
        &["SERVICE_CLUSTER_KEY_FILE", "copy the file"],
    );
    fs::write(cluster.key(), "short").unwrap();
    names(
        &refusal(cluster.server()),
        &["SERVICE_CLUSTER_KEY_FILE", "openssl rand -hex 32"],
    );
    fs::write(cluster.key(), "5a".repeat(32)).unwrap();
    let other = Cluster::new();
    let line = refusal(cluster.server().env("SERVICE_DATABASE_URL", other.url()));
    names(&line, &["another instance", "SERVICE_OBJECTS_URL"]);
    assert!(cluster.server().start().stop().success());
}

#[test]
fn two_servers_of_one_name_are_refused_and_one_that_was_killed_keeps_its_own() {
    let cluster = Cluster::new();
    let named = || cluster.server().env("SERVICE_NODE_NAME", "left");
    let mut one = named().start();
    let line = refusal(named());
    names(&line, &["`left`", &one.address().to_string(), "SERVICE_NODE_NAME"]);
    // Its folder is the same, so nobody else is called so.
    one.kill();
    one.again();
    // Another machine in its place has the name once it is gone.
    one.kill();
    let two = named().start();
    two.logs(&["this server is `left` in the cluster"]);
    let bad = refusal(cluster.server().env("SERVICE_NODE_NAME", "the left one"));
    names(&bad, &["SERVICE_NODE_NAME", "letters, digits"]);
    let alone = Server::build().alone().one_node().env("SERVICE_NODE_NAME", "left");
    names(&refusal(alone), &["SERVICE_NODE_NAME", "\"cluster\""]);
}

#[test]
fn a_server_waits_for_a_database_that_does_not_answer_and_ends_when_it_is_told_to() {
    let cluster = Cluster::alone();
    let mut server = cluster.server().start();
    server.kill();
    cluster.postgres().stop();
    let start = || {
        let process = Process::start(server.command().arg("serve"));
        eventually("it says what it waits for", || {
            let said = process.stderr();
            (said.contains("waiting for postgresql://127.0.0.1:") && said.contains("SERVICE_DATABASE_URL"))
                .then_some(())
        });
        process
    };
    let mut ended = start();
    ended.signal("TERM");
    assert_eq!(ended.wait(WAIT_TIMEOUT).and_then(|status| status.code()), Some(0));
    let waiting = start();
    assert_eq!(waiting.stdout(), "");
    cluster.postgres().resume();
    eventually("it is up", || {
        waiting.stdout().contains("galley listening on").then_some(())
    });
}

#[test]
fn what_was_understood_is_shown_without_secrets() {
    let cluster = Cluster::new();
    let password = cluster.key().with_file_name("password");
    fs::write(&password, "hush\n").unwrap();
    let with_password = cluster.url().replace("galley@", "galley:louder@");
    let server = cluster
        .server()
        .env("SERVICE_DATABASE_URL", with_password)
        .env("SERVICE_DATABASE_PASSWORD_FILE", password)
        .start();
    let shown = run(server.command().args(["check-config", "--json"])).expect(0);
    let place = cluster.url().replace("galley@", "");
    assert_eq!(shown.json()["database"], json!(place));
    for secret in ["hush", "louder", "5a5a"] {
        assert!(
            !shown.stdout.contains(secret) && !server.log().contains(secret),
            "{secret}"
        );
    }
}

#[test]
fn a_plugin_whose_sql_is_for_files_is_refused_and_the_others_serve() {
    let cluster = Cluster::new();
    let server = cluster.server().start();
    let ana = server.local_operator();
    let shop = project(&ana, "shop");
    // It searches with SQLite's own index of texts.
    let guest = paths::guest("searcher").to_string_lossy().into_owned();
    let refused = server.galley(&["plugins", "install", &guest, "--yes"]).expect(3);
    names(
        &refused.stderr,
        &["`searcher`", "SQL is for SQLite", "SERVICE_DATABASE_URL"],
    );
    let health = server.anonymous().get("/api/v1/health").expect(200).json();
    assert_eq!(health["status"], "ok");
    // With SQL of their own, or without.
    ana.get(&comments(&shop)).expect(200);
    ana.get("/api/v1/instance/members").expect(200);
}
