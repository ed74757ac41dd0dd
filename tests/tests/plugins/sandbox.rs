//! What a plugin cannot reach, whatever it tries.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

fn deed(operator: &Operator, deed: &str) -> Value {
    operator
        .anonymous()
        .get(&format!("/api/v1/x/hostile/{deed}"))
        .expect(200)
        .json()
}

#[test]
fn sql_stays_inside_the_slots_database() {
    let operator = Operator::with_guest("hostile", 5_000);
    let codes = deed(&operator, "forbidden-sql");
    for (statement, code) in codes.as_object().unwrap() {
        assert!(
            code == "refused" || code == "sql",
            "`{statement}` was answered `{code}`"
        );
    }
    for statement in [
        "ATTACH DATABASE '../core.db' AS core",
        "BEGIN",
        "PRAGMA user_version = 0",
    ] {
        assert_eq!(codes[statement], "refused", "{statement}");
    }
    assert_eq!(deed(&operator, "write?name=still%20works"), "ok");
    assert!(!std::path::Path::new("/tmp/galley-stolen.db").exists());
    server_is_well(&operator);
}

#[test]
fn no_object_of_a_guest_is_part_of_the_hosts_own_statements() {
    let operator = Operator::with_guest("hostile", 2_000);
    for _ in 0..3 {
        for (statement, code) in deed(&operator, "temp-objects").as_object().unwrap() {
            let expected = if statement == "publish" { "ok" } else { "refused" };
            assert_eq!(code, expected, "{statement}");
        }
    }
    assert_eq!(deed(&operator, "count"), json!({ "after": 3 }));
    let kept = operator.server.data_dir().join("slots/hostile.db");
    eventually("the events were handed on", || {
        let kept = rusqlite::Connection::open(&kept).unwrap();
        let count = kept.query_row("SELECT count(*) FROM _galley_events", [], |row| row.get::<_, u32>(0));
        (count.unwrap() == 0).then_some(())
    });
}

#[test]
fn an_open_route_lends_nobody_the_administration() {
    let operator = Operator::with_guest("hostile", 5_000);
    let server = &operator.server;
    let try_as = |caller: &Client| -> Value {
        let path = "/api/v1/x/hostile/administer?name=account-vic";
        caller.get(path).expect(200).json()
    };
    let audit = || server.admin().get("/api/v1/instance/audit").expect(200).json();
    let before = audit();
    let callers = [
        server.anonymous(),
        server.user("vic"),
        server.token("ed", &["read", "write"]),
        server.token("ada", &["read"]),
    ];
    for caller in &callers {
        for (function, code) in try_as(caller).as_object().unwrap() {
            assert_eq!(code, "denied", "{function}");
        }
    }
    let settings = server.admin().get("/api/v1/instance/settings").expect(200).json();
    assert_eq!(settings["allowPublicLinks"], false);
    assert_eq!(audit(), before, "nothing was done");
    // The same call, made by an admin, does it all: the operator approved the imports.
    let codes = try_as(&server.admin());
    for (function, code) in codes.as_object().unwrap() {
        assert!(matches!(code.as_str(), Some("ok" | "not-found")), "{function}: {code}");
    }
    assert_eq!(codes["members.set-role"], "ok");
}

#[test]
fn keys_of_blobs_stay_inside_their_folder() {
    let operator = Operator::with_guest("hostile", 5_000);
    let before = galley_tests::disk::files(operator.server.data_dir());
    for (key, code) in deed(&operator, "bad-keys").as_object().unwrap() {
        assert_eq!(code, "bad-key", "`{key}`");
    }
    assert_eq!(galley_tests::disk::files(operator.server.data_dir()), before);
}

#[test]
fn an_import_that_was_not_approved_is_denied() {
    let operator = Operator::with_guest("hostile", 5_000);
    assert_eq!(deed(&operator, "write?name=a"), "ok");
    operator.change_lock(|lock| {
        let start = lock.find("slot = \"hostile\"").unwrap();
        format!(
            "{}{}",
            &lock[..start],
            lock[start..]
                .replace("\"galley:sql/sql\",", "")
                .replace("\"galley:sql/sql\"", "")
        )
    });
    eventually("the change is followed", || {
        (deed(&operator, "write?name=b") == "denied").then_some(())
    });
    assert_eq!(deed(&operator, "count"), json!({}));
    assert!(
        deed(&operator, "nothing")["instance"].is_u64(),
        "what is still approved works"
    );
}

#[test]
fn each_call_has_an_instance_of_its_own_when_the_operator_wants_it() {
    let operator = Operator::with_guest("hostile", 5_000);
    let instances = || (0..20).map(|_| deed(&operator, "nothing")["instance"].as_u64().unwrap());
    let warm: std::collections::BTreeSet<u64> = instances().collect();
    assert!(warm.len() < 20, "no instance was used twice");
    operator.change_lock(|lock| {
        let start = lock.find("slot = \"hostile\"").unwrap();
        format!(
            "{}{}",
            &lock[..start],
            lock[start..].replacen("isolation = \"reuse\"", "isolation = \"request\"", 1)
        )
    });
    eventually("the change is followed", || {
        let fresh: std::collections::BTreeSet<u64> = instances().collect();
        (fresh.len() == 20).then_some(())
    });
}

fn server_is_well(operator: &Operator) {
    healthy(&operator.server);
    let shop = project(&operator.server.user("ed"), "shop");
    comment(&operator.server.user("ed"), &shop, "Hello");
}
