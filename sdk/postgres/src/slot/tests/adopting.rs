//! Data of another schema that are taken over.

use super::*;

const BOXES: &str = "CREATE TABLE box (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content text NOT NULL)";
const MOVING: &str = "INSERT INTO box (content) SELECT text FROM note ORDER BY id; DROP TABLE note";

/// A schema of another name that takes the notes over.
fn boxes(source: &Address, approval: &str, approvals: i64, sql: Option<&str>) -> Wanted {
    let own = match sql {
        Some(_) => schema(&[BOXES]),
        None => schema(&[
            NOTES,
            "ALTER TABLE note RENAME TO box",
            "ALTER TABLE box RENAME COLUMN text TO content",
        ]),
    };
    let own = Schema {
        name: "boxes".to_owned(),
        ..own
    };
    Wanted {
        approval: Some(Approval {
            number: approvals,
            name: approval.to_owned(),
        }),
        adoption: Some(Adoption {
            source: source.clone(),
            schema: schema(&[NOTES]),
            version: 1,
            sql: sql.map(str::to_owned),
        }),
        ..own.into()
    }
}

async fn open_for(address: &Address, wanted: &Wanted) -> Result<Opened, SchemaError> {
    Database::open_for(address, Bounds::default(), wanted, Duration::from_secs(20)).await
}

async fn commit(opened: Opened, approvals: i64) -> Database {
    let closing = opened.closing.expect("the other data are held");
    closing.commit(approvals).await.unwrap();
    opened.database.promote().await.unwrap();
    opened.database
}

async fn contents(database: &Database) -> String {
    let sql = "SELECT string_agg(id || content, ',' ORDER BY id) FROM box";
    let rows = database.query(sql, vec![], soon()).await.unwrap();
    String::from_utf8_lossy(rows.get(9..).unwrap_or_default()).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn data_are_taken_over_once_and_those_before_are_closed() {
    let server = Postgres::shared();
    for sql in [Some(MOVING), None] {
        let (source, notes) = notes(&server).await;
        let own = provision(&server, &fresh_name()).run().await.unwrap();
        for text in ["a", "b", "c"] {
            add(&notes, text).await.unwrap();
        }
        // Given up: nobody notices.
        let opened = open_for(&own, &boxes(&source, "first", 2, sql)).await.unwrap();
        assert_eq!(
            (opened.change, contents(&opened.database).await.as_str()),
            (Change::TakenOver(1), "1a,2b,3c")
        );
        let waits = tokio::spawn({
            let late = Arc::new(notes);
            async move { (add(&late, "d").await, late) }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(!waits.is_finished(), "writers wait while their rows are copied");
        drop(opened);
        let (added, notes) = waits.await.unwrap();
        assert_eq!(added, Ok(1));

        let opened = open_for(&own, &boxes(&source, "first", 2, sql)).await.unwrap();
        let database = commit(opened, 2).await;
        assert_eq!(contents(&database).await, "1a,2b,3c,4d");
        assert_eq!(add(&notes, "e").await, Err(Failure::Superseded));
        let read = notes.query("SELECT 1", vec![], soon()).await;
        assert_eq!(read, Err(Failure::Superseded));
        // For the same approval nothing is taken over again, whoever asks.
        let insert = "INSERT INTO box (content) VALUES ('new')";
        assert_eq!(database.execute(insert, vec![], soon()).await, Ok(1));
        let again = open_for(&own, &boxes(&source, "first", 3, sql)).await.unwrap();
        assert_eq!((again.change, again.replaces), (Change::Used, false));
        assert_eq!(contents(&again.database).await, "1a,2b,3c,4d,5new");
        let labels = Database::labels(&own, Bounds::default()).await.unwrap();
        assert_eq!(
            (labels.version(), labels.taken_over),
            (if sql.is_some() { 1 } else { 3 }, Some(1))
        );

        // The first one comes back to its own data, and is taken over once more.
        let back = Wanted {
            approval: Some(Approval {
                number: 4,
                name: "back".to_owned(),
            }),
            replaces: true,
            ..schema(&[NOTES]).into()
        };
        let opened = open_for(&source, &back).await.unwrap();
        assert!(opened.replaces && opened.change == Change::Used);
        let closing = Closing::begin(&own, Bounds::default()).await.unwrap();
        closing.commit(4).await.unwrap();
        opened.database.promote().await.unwrap();
        let notes = opened.database;
        assert_eq!(texts(&notes).await, ["a", "b", "c", "d"]);
        assert_eq!(database.execute(insert, vec![], soon()).await, Err(Failure::Superseded));
        add(&notes, "f").await.unwrap();
        // Whoever is late with what was approved in between closes nothing.
        let late = Closing::begin(&source, Bounds::default()).await.unwrap();
        assert_eq!(late.commit(3).await, Err(Failure::Superseded));
        add(&notes, "g").await.unwrap();
        let opened = open_for(&own, &boxes(&source, "first", 5, sql)).await.unwrap();
        assert_eq!(opened.change, Change::TakenOver(1));
        let database = commit(opened, 5).await;
        assert_eq!(contents(&database).await, "1a,2b,3c,4d,5f,6g");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_taken_over_changes_nothing() {
    let server = Postgres::shared();
    let (source, notes) = notes(&server).await;
    let own = provision(&server, &fresh_name()).run().await.unwrap();
    add(&notes, "a").await.unwrap();
    let failing = boxes(&source, "an approval", 2, Some("INSERT INTO nowhere SELECT 1"));
    let error = open_for(&own, &failing).await.err().unwrap().to_string();
    assert!(
        error.contains("taking over `notes`") && error.contains("nowhere"),
        "{error}"
    );
    let mut other = boxes(&source, "an approval", 2, Some(MOVING));
    if let Some(adoption) = &mut other.adoption {
        adoption.version = 2;
    }
    let error = open_for(&own, &other).await.err();
    assert_eq!(error, Some(SchemaError::Changed("notes".to_owned())));
    // A table that no step made has no place.
    let made = notes.execute("CREATE TABLE extra (a int8)", vec![], soon()).await;
    made.unwrap();
    let error = open_for(&own, &boxes(&source, "an approval", 2, Some(MOVING)))
        .await
        .err();
    let error = error.unwrap().to_string();
    assert!(error.contains("`extra`"), "{error}");
    add(&notes, "b").await.unwrap();
    assert_eq!(texts(&notes).await, ["a", "b"]);
    // The rows are the new role's alone: neither role reaches the other's database.
    notes.execute("DROP TABLE extra", vec![], soon()).await.unwrap();
    let database = commit(
        open_for(&own, &boxes(&source, "an approval", 2, Some(MOVING)))
            .await
            .unwrap(),
        2,
    )
    .await;
    assert_eq!(contents(&database).await, "1a,2b");
    let owners =
        "SELECT string_agg(DISTINCT (tableowner = current_user)::text, ',') FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(ask(&own, owners).await, "true");
}
