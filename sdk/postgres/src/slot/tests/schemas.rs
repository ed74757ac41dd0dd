//! Bringing data to a plugin's schema, with its start.

use super::*;

const COLOR: &str = "ALTER TABLE note ADD COLUMN color text";

#[tokio::test(flavor = "multi_thread")]
async fn steps_and_the_start_are_one_transaction() {
    let server = Postgres::shared();
    let (address, old) = notes(&server).await;
    add(&old, "first").await.unwrap();
    let new = schema(&[NOTES, COLOR]);
    let start = async |database: &Database| {
        add(database, "by the start").await.unwrap();
        // What fails does not undo the rest.
        assert_eq!(
            add(database, "first").await.map_err(|failure| failure.code()),
            Err(Some("constraint"))
        );
        let refused = database
            .query(
                "WITH d AS (DELETE FROM note RETURNING 1) SELECT 1 FROM d",
                vec![],
                soon(),
            )
            .await;
        assert_eq!(refused.map_err(|failure| failure.code()), Err(Some("refused")));
        let transaction = database.begin(soon()).await.unwrap();
        transaction
            .execute("INSERT INTO note (text) VALUES ('kept')", vec![])
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let transaction = database.begin(soon()).await.unwrap();
        transaction
            .execute("INSERT INTO note (text) VALUES ('rolled back')", vec![])
            .await
            .unwrap();
        drop(transaction);
    };
    let in_order = ["first", "by the start", "kept"];
    let (staged, change) = open(&address, &new).await.unwrap();
    assert_eq!(change, Change::Migrated(1, 2));
    start(&staged).await;
    assert_eq!(texts(&staged).await, in_order);
    staged.abandon();
    assert!(
        staged.query("SELECT 1", vec![], soon()).await.is_err(),
        "it was rolled back"
    );
    assert!(staged.promote().await.is_err());
    assert_eq!(texts(&old).await, ["first"]);

    let (staged, _) = open(&address, &new).await.unwrap();
    start(&staged).await;
    staged.promote().await.unwrap();
    add(&staged, "later").await.unwrap();
    assert_eq!(texts(&old).await, ["first", "by the start", "kept", "later"]);
    let (_, change) = open(&address, &new).await.unwrap();
    assert_eq!(change, Change::Used);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_servers_that_start_at_once_one_runs_the_steps() {
    let server = Postgres::shared();
    let (address, _) = notes(&server).await;
    let mut starts = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let address = address.clone();
        starts.spawn(async move {
            let steps = schema(&[NOTES, COLOR, "INSERT INTO note (text) VALUES ('by the step')"]);
            let (database, change) = open(&address, &steps).await.unwrap();
            database.promote().await.unwrap();
            assert_eq!(texts(&database).await, ["by the step"]);
            change
        });
    }
    let mut changes = starts.join_all().await;
    changes.retain(|change| *change != Change::Used);
    assert_eq!(changes, [Change::Migrated(1, 3)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_is_refused_and_changes_nothing() {
    let server = Postgres::shared();
    let (address, database) = notes(&server).await;
    add(&database, "first").await.unwrap();
    let refused = async |schema: &Schema| open(&address, schema).await.err().unwrap();
    let SchemaError::ChangedStep {
        version: 1, was, is, ..
    } = refused(&schema(&["CREATE TABLE note (a int8)"])).await
    else {
        panic!("a step was changed")
    };
    assert!(was != is && was.len() == 64);
    let foreign = Schema {
        name: "other".to_owned(),
        ..schema(&[NOTES])
    };
    let error = refused(&foreign).await;
    assert!(
        matches!(&error, SchemaError::Foreign { theirs, version: 1, .. } if theirs == "notes"),
        "{error}"
    );
    let error = refused(&schema(&[NOTES, COLOR, "INSERT INTO nowhere VALUES (1)"])).await;
    let said = error.to_string();
    assert!(said.contains("step 3") && said.contains("nowhere"), "{said}");
    for hostile in [
        "SELECT pg_sleep(1)",
        "COMMIT",
        "INSERT INTO note (text) VALUES ('x'); SET ROLE galley",
    ] {
        let error = refused(&schema(&[NOTES, hostile])).await;
        let SchemaError::Step { source, .. } = &error else {
            panic!("{error}")
        };
        assert_eq!(source.code(), Some("refused"), "{hostile}");
    }
    let endless = "CREATE TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let slow = schema(&[NOTES, endless]);
    let error = Database::open(&address, Bounds::default(), &slow, Duration::from_secs(1))
        .await
        .err()
        .unwrap();
    assert!(matches!(&error, SchemaError::TooSlow { seconds: 1, .. }), "{error}");
    let (again, change) = open(&address, &schema(&[NOTES])).await.unwrap();
    assert_eq!((change, texts(&again).await), (Change::Used, vec!["first".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_plugin_has_compatible_data_a_way_back_or_none() {
    let server = Postgres::shared();
    let newer = |compatible, down: Option<&str>| {
        let mut newer = schema(&[NOTES, COLOR]);
        newer.compatible = compatible;
        newer.steps[1].down = down.map(str::to_owned);
        newer
    };
    let down = "ALTER TABLE note DROP COLUMN color";
    for (newer, expected) in [
        (newer(1, None), Some(Change::Used)),
        (newer(2, Some(down)), Some(Change::Undone(2, 1))),
        (newer(2, None), None),
    ] {
        let (address, _) = notes(&server).await;
        let (database, _) = open(&address, &newer).await.unwrap();
        database.promote().await.unwrap();
        add(&database, "newer").await.unwrap();
        match (open(&address, &schema(&[NOTES])).await, expected) {
            (Ok((older, change)), Some(expected)) => {
                older.promote().await.unwrap();
                assert_eq!((change, texts(&older).await), (expected, vec!["newer".to_owned()]));
            }
            (
                Err(SchemaError::LosesWrites {
                    from: 2,
                    to: 1,
                    writes: 1,
                    ..
                }),
                None,
            ) => {}
            (other, expected) => panic!("{:?}, not {expected:?}", other.map(|(_, change)| change)),
        }
    }
}
