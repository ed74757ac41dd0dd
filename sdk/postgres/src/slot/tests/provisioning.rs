//! Databases and roles that reach nothing else.

use super::*;

/// Connects as a role to a database, and says how that went.
async fn connect(server: &Postgres, role: &str, database: &str) -> Result<(), String> {
    let address = Address::parse(&server.url(), None).unwrap();
    let address = address.with_database(database, role, "");
    let connected = connection::Connection::open(&address, Duration::from_secs(5)).await;
    connected.map(drop).map_err(|failure| failure.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn two_slots_reach_neither_each_other_nor_the_core() {
    let server = Postgres::shared();
    let names = [fresh_name(), fresh_name()];
    for name in &names {
        provision(&server, name).run().await.unwrap();
    }
    let [one, other] = &names;
    assert_eq!(connect(&server, one, one).await, Ok(()));
    for database in [other.as_str(), "postgres"] {
        let refused = connect(&server, one, database).await.unwrap_err();
        assert!(refused.contains("permission denied for database"), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_start_at_once_make_one_and_the_password_is_not_told() {
    let server = Postgres::shared();
    let name = fresh_name();
    let mut starts = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let provision = provision(&server, &name);
        starts.spawn(async move { provision.run().await.map(drop) });
    }
    assert!(starts.join_all().await.into_iter().all(|made| made.is_ok()));
    let (address, database) = {
        let address = provision(&server, &name).run().await.unwrap();
        let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
        (address, database)
    };
    database.promote().await.unwrap();
    add(&database, "kept").await.unwrap();
    provision(&server, &name).run().await.unwrap();
    let (again, change) = open(&address, &schema(&[NOTES])).await.unwrap();
    assert_eq!((change, texts(&again).await), (Change::Used, vec!["kept".to_owned()]));
    let kept = server.psql(&format!("SELECT rolpassword FROM pg_authid WHERE rolname = '{name}'"));
    assert!(kept.starts_with("SCRAM-SHA-256$"), "{kept}");
    let rights = server.psql(&format!(
        "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolinherit FROM pg_roles WHERE rolname = '{name}'"
    ));
    assert_eq!(rights, "f|f|f|f|f|f");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_names_are_names_and_long_ones_are_refused() {
    let server = Postgres::shared();
    for name in ["a\"; DROP DATABASE postgres; --", "it's\\", "A b%I$x$"] {
        let address = provision(&server, name).run().await.unwrap();
        let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
        database.promote().await.unwrap();
        add(&database, "there").await.unwrap();
        assert_eq!(connect(&server, name, name).await, Ok(()), "{name}");
    }
    for name in ["", "a\0b", &"a".repeat(64)] {
        let refused = provision(&server, name).run().await.err().unwrap();
        assert!(
            matches!(refused, Failure::Database(Common::Statement(_))),
            "{refused:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_another_roles_is_left_alone() {
    let server = Postgres::shared();
    let (name, guest) = (fresh_name(), fresh_name());
    server.psql(&format!("CREATE ROLE {guest} LOGIN CREATEROLE CREATEDB"));
    server.psql(&format!("CREATE DATABASE {name}"));
    server.psql(&format!("GRANT CONNECT ON DATABASE postgres TO {guest}"));
    let by_guest = |name: &str| Provision {
        address: Address::parse(&server.url().replace("galley@", &format!("{guest}@")), None).unwrap(),
        ..provision(&server, name)
    };
    let refused = by_guest(&name).run().await.err().unwrap().to_string();
    assert!(
        refused.contains(&name) && refused.contains("belongs to the role galley"),
        "{refused}"
    );
    // A role that is no superuser can make slots all the same.
    let own = fresh_name();
    let address = by_guest(&own).run().await.unwrap();
    let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    database.promote().await.unwrap();
    assert_eq!(add(&database, "there").await, Ok(1));
    // And one that is a superuser is no slot's.
    let strong = fresh_name();
    server.psql(&format!("CREATE ROLE {strong} LOGIN SUPERUSER"));
    let refused = provision(&server, &strong).run().await.err().unwrap().to_string();
    assert!(refused.contains("superuser"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_made_already_is_left_as_it_is_and_deleted_while_others_use_it() {
    let server = Postgres::shared();
    let name = fresh_name();
    let provision = provision(&server, &name);
    let (address, database) = {
        let address = provision.run().await.unwrap();
        let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
        database.promote().await.unwrap();
        (address, database)
    };
    // What a second server would have to change stays: it saw the mark.
    server.psql(&format!("ALTER ROLE {name} CONNECTION LIMIT 7"));
    provision.run().await.unwrap();
    let limit = format!("SELECT rolconnlimit FROM pg_roles WHERE rolname = '{name}'");
    assert_eq!(server.psql(&limit), "7");
    assert_eq!(add(&database, "there").await, Ok(1));

    provision.delete().await.unwrap();
    let there = format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'");
    assert_eq!(server.psql(&there), "0");
    assert!(add(&database, "gone").await.unwrap_err().code().is_none());
    // Nothing is there to delete, and it can be made again.
    provision.delete().await.unwrap();
    provision.run().await.unwrap();
    let looked = Database::look(&address, Bounds::default(), &schema(&[NOTES]).into()).await;
    assert_eq!(looked, Ok(Change::Migrated(0, 1)));
}
