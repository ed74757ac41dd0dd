//! Copies from before an update, and the way back to one.

use super::*;

/// With what a copy has to keep: numbers, references, generated columns, an index and a view.
const BOXES: &str = "
    CREATE TABLE box (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);
    CREATE TABLE note (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, box int8 NOT NULL REFERENCES box (id),
        text text NOT NULL, size int8 GENERATED ALWAYS AS (length(text)) STORED);
    CREATE INDEX note_by_text ON note (text);
    INSERT INTO box (name) VALUES ('the first');
    CREATE VIEW long AS SELECT text FROM note WHERE size > 3";
const RENAMED: &str =
    "DROP VIEW long; ALTER TABLE note RENAME COLUMN text TO words; CREATE TABLE lid (box int8 REFERENCES box (id))";

fn wanted(steps: &[&str], approvals: i64) -> Wanted {
    Wanted {
        approval: Some(Approval {
            number: approvals,
            name: format!("approval {approvals}"),
        }),
        ..schema(steps).into()
    }
}

async fn open_for(address: &Address, wanted: &Wanted) -> Result<Opened, SchemaError> {
    Database::open_for(address, Bounds::default(), wanted, Duration::from_secs(20)).await
}

async fn serve(address: &Address, wanted: &Wanted) -> (Database, Change) {
    let opened = open_for(address, wanted).await.unwrap();
    opened.database.promote().await.unwrap();
    (opened.database, opened.change)
}

async fn list(database: &Database, sql: &str) -> String {
    let rows = database.query(sql, vec![], soon()).await.unwrap();
    String::from_utf8_lossy(rows.get(9..).unwrap_or_default()).into_owned()
}

const ALL: &str = "SELECT string_agg(n.id || ' ' || b.name || ' ' || n.text || ' ' || n.size, ',' ORDER BY n.id)
                   FROM note AS n JOIN box AS b ON b.id = n.box";

async fn put(database: &Database, column: &str, text: &str) -> Result<u64, Failure> {
    let sql = format!("INSERT INTO note (box, {column}) SELECT id, ?1 FROM box WHERE name = 'the first'");
    database.execute(&sql, vec![text.into()], soon()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_back_to_a_copy_has_all_that_was_there_and_counts_what_is_lost() {
    let server = Postgres::shared();
    let address = provision(&server, &fresh_name()).run().await.unwrap();
    let (old, change) = serve(&address, &wanted(&[BOXES], 1)).await;
    assert_eq!(change, Change::Migrated(0, 1));
    for text in ["one", "two and more"] {
        put(&old, "text", text).await.unwrap();
    }
    old.execute("DELETE FROM note WHERE text = 'two and more'", vec![], soon())
        .await
        .unwrap();
    let before = list(&old, ALL).await;
    assert_eq!(before, "1 the first one 3");

    let (new, change) = serve(&address, &wanted(&[BOXES, RENAMED], 2)).await;
    assert_eq!(change, Change::Migrated(1, 2));
    // Going back loses nothing yet.
    let look = async |wanted: &Wanted| Database::look(&address, Bounds::default(), wanted).await;
    let back = wanted(&[BOXES], 3);
    assert_eq!(look(&back).await, Ok(Change::Restored(2, 1)));
    for text in ["three", "four"] {
        put(&new, "words", text).await.unwrap();
    }
    let lost = look(&back).await;
    assert!(
        matches!(
            lost,
            Err(SchemaError::LosesWrites {
                writes: 2,
                from: 2,
                to: 1,
                ..
            })
        ),
        "{lost:?}"
    );
    let refused = open_for(&address, &back).await.err();
    assert!(
        matches!(refused, Some(SchemaError::LosesWrites { writes: 2, .. })),
        "{refused:?}"
    );
    let back = Wanted {
        loses_writes: true,
        ..back
    };
    // What is given up changes nothing.
    let opened = open_for(&address, &back).await.unwrap();
    assert_eq!(
        (opened.change, list(&opened.database, ALL).await),
        (Change::Restored(2, 1), before.clone())
    );
    opened.database.abandon();
    drop(opened);
    put(&new, "words", "five").await.unwrap();

    let (old, _) = serve(&address, &back).await;
    assert_eq!(list(&old, ALL).await, before);
    // An id that was given is not given again, and what the steps made is there.
    put(&old, "text", "again").await.unwrap();
    assert_eq!(list(&old, ALL).await, format!("{before},3 the first again 5"));
    assert_eq!(list(&old, "SELECT string_agg(text, ',') FROM long").await, "again");
    let dangling = old
        .execute("INSERT INTO note (box, text) VALUES (9, 'x')", vec![], soon())
        .await;
    assert_eq!(dangling.map_err(|failure| failure.code()), Err(Some("constraint")));
    // And forth again, from there.
    let (new, change) = serve(&address, &wanted(&[BOXES, RENAMED], 4)).await;
    assert_eq!(change, Change::Migrated(1, 2));
    assert_eq!(
        list(&new, "SELECT string_agg(words, ',' ORDER BY id) FROM note").await,
        "one,again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn three_copies_stay_and_count_nothing_for_the_slot() {
    let server = Postgres::shared();
    let address = provision(&server, &fresh_name()).run().await.unwrap();
    let column = |number: u32| format!("ALTER TABLE note ADD COLUMN c{number} int8");
    let columns: Vec<String> = (3..=6).map(column).collect();
    let mut steps = vec![NOTES, "CREATE TABLE large (text text)"];
    let (database, _) = serve(&address, &wanted(&steps, 2)).await;
    add(&database, "a note").await.unwrap();
    let fill =
        "INSERT INTO large (text) SELECT md5(n::text) || md5((n + 1)::text) FROM generate_series(1, 15000) AS g(n)";
    assert_eq!(database.execute(fill, vec![], soon()).await, Ok(15_000));
    for (number, column) in (3..).zip(&columns) {
        steps.push(column);
        let (database, _) = serve(&address, &wanted(&steps, number)).await;
        // Room for the table and not for its copies.
        database.set_max_bytes(3 << 20);
        let update = database.execute("UPDATE note SET size = 1", vec![], soon());
        assert_eq!(update.await, Ok(1), "step {number}");
    }
    let kept = "SELECT string_agg(version || ' ' || (since IS NOT NULL), ',' ORDER BY version) FROM _galley_copies";
    assert_eq!(ask(&address, kept).await, "3 true,4 true,5 true");
    let tables = "SELECT count(*) FROM pg_class WHERE relname ~ '^_galley_copy_' AND relkind = 'r'";
    assert_eq!(ask(&address, tables).await, "6");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_supersedes_who_opened_the_data_before() {
    let server = Postgres::shared();
    let address = provision(&server, &fresh_name()).run().await.unwrap();
    let (old, _) = serve(&address, &wanted(&[NOTES], 1)).await;
    let (other, change) = serve(&address, &wanted(&[NOTES], 2)).await;
    assert_eq!(change, Change::Used);
    add(&old, "first").await.unwrap();
    add(&other, "second").await.unwrap();
    // A step that the plugin which serves can live with keeps it.
    let compatible = |steps: &[&str], approvals| {
        let mut wanted = wanted(steps, approvals);
        wanted.schema.compatible = 1;
        wanted.serving = Some(1);
        wanted
    };
    let color = "ALTER TABLE note ADD COLUMN color text";
    serve(&address, &compatible(&[NOTES, color], 3)).await;
    add(&old, "third").await.unwrap();
    assert_eq!(texts(&old).await, ["first", "second", "third"]);
    // One that it cannot live with ends it, cached answers and transactions too.
    let renamed = "ALTER TABLE note RENAME COLUMN text TO words";
    let (new, _) = serve(&address, &wanted(&[NOTES, color, renamed], 4)).await;
    let superseded = Err(Failure::Superseded);
    assert_eq!(add(&old, "fourth").await, superseded);
    assert_eq!(old.execute("DELETE FROM note", vec![], soon()).await, superseded);
    let sql = "SELECT string_agg(text, ',' ORDER BY id) FROM note";
    assert_eq!(old.query(sql, vec![], soon()).await, Err(Failure::Superseded));
    assert_eq!(
        old.query("SELECT now()::text", vec![], soon()).await,
        Err(Failure::Superseded)
    );
    assert_eq!(other.begin(soon()).await.err(), Some(Failure::Superseded));
    assert!(old.is_superseded() && other.is_superseded() && !new.is_superseded());
    // Whoever goes by approvals from before cannot open it, and changes nothing.
    let late = open_for(&address, &wanted(&[NOTES, color, renamed], 3)).await.err();
    assert_eq!(late, Some(SchemaError::Superseded));
    let (again, change) = serve(&address, &wanted(&[NOTES, color, renamed], 5)).await;
    assert_eq!(change, Change::Used);
    for database in [&new, &again] {
        let insert = database.execute("INSERT INTO note (words) VALUES (?1)", vec!["fifth".into()], soon());
        let inserted = insert.await;
        assert!(matches!(inserted, Ok(1) | Err(Failure::Constraint(_))), "{inserted:?}");
    }
}
