//! Reads that are answered without asking the database again.

use super::*;

const COUNT: &str = "SELECT count(*) FROM note";

async fn count(database: &Database, sql: &str) -> Vec<u8> {
    database.query(sql, vec![], soon()).await.unwrap()
}

fn rows(number: i64) -> Vec<u8> {
    packed(1, &[Cell::Integer(number)])
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_kept_until_anybody_writes() {
    let server = Postgres::shared();
    let name = fresh_name();
    let address = provision(&server, &name).run().await.unwrap();
    let (one, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    one.promote().await.unwrap();
    let (two, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    assert_eq!(count(&one, COUNT).await, rows(0));
    assert_eq!(add(&one, "own").await, Ok(1));
    assert_eq!(count(&one, COUNT).await, rows(1));
    assert_eq!(count(&two, COUNT).await, rows(1));
    for number in 0..20 {
        let (writer, reader) = if number % 2 == 0 { (&one, &two) } else { (&two, &one) };
        assert_eq!(add(writer, &format!("{number}")).await, Ok(1));
        assert_eq!(count(reader, COUNT).await, rows(number + 2));
    }
    // What came by no server is not seen by what was kept, and is by what is never kept.
    let past = past_the_servers(&server, &name, "INSERT INTO note (text) VALUES ('past')").await;
    past.unwrap();
    assert_eq!(count(&one, COUNT).await, rows(21));
    for unsteady in [
        "SELECT count(*) FROM note WHERE now() > 'epoch'",
        "SELECT count(*) FROM note WHERE random() >= 0",
        "SELECT count(*) FROM note WHERE 'now'::timestamptz > 'epoch'",
    ] {
        assert_eq!(count(&one, unsteady).await, rows(22), "{unsteady}");
    }
    // A transaction counts, too.
    let transaction = two.begin(soon()).await.unwrap();
    let sql = "INSERT INTO note (text) VALUES ('in a transaction')";
    transaction.execute(sql, vec![]).await.unwrap();
    assert_eq!(count(&one, COUNT).await, rows(21));
    transaction.commit().await.unwrap();
    assert_eq!(count(&one, COUNT).await, rows(23));
}

/// Runs a statement as the server's own role.
async fn past_the_servers(server: &Postgres, database: &str, sql: &str) -> Result<(), Failure> {
    let address = Address::parse(&server.url(), None).unwrap().beside(database);
    let mut connection = connection::Connection::open(&address, Duration::from_secs(5)).await?;
    connection
        .batch(sql, tokio::time::Instant::now() + Duration::from_secs(5))
        .await
        .map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_tell_reads_apart_and_a_new_schema_forgets_them() {
    let server = Postgres::shared();
    let (address, database) = notes(&server).await;
    add(&database, "a").await.unwrap();
    let like = async |database: &Database, text: &str| {
        let sql = "SELECT count(*) FROM note WHERE text = ?1";
        database.query(sql, vec![text.into()], soon()).await.unwrap()
    };
    for _ in 0..2 {
        assert_eq!(like(&database, "a").await, rows(1));
        assert_eq!(like(&database, "b").await, rows(0));
    }
    let changed = schema(&[NOTES, "UPDATE note SET text = 'b'"]);
    let (next, _) = open(&address, &changed).await.unwrap();
    // Its own transaction sees it, the others do not yet.
    assert_eq!(like(&next, "b").await, rows(1));
    assert_eq!(like(&database, "b").await, rows(0));
    next.promote().await.unwrap();
    assert_eq!(like(&database, "b").await, rows(1));
    assert_eq!(like(&next, "a").await, rows(0));
}
