//! Transactions that span a plugin's code.

use super::*;

async fn kept(database: &Database, text: &str) -> bool {
    texts(database).await.iter().any(|found| found == text)
}

#[tokio::test(flavor = "multi_thread")]
async fn it_reads_what_it_wrote_and_others_wait() {
    let server = Postgres::shared();
    let (address, database) = notes(&server).await;
    let (other, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    let transaction = database.begin(soon()).await.unwrap();
    let insert = "INSERT INTO note (text) VALUES (?1)";
    assert_eq!(transaction.execute(insert, vec!["a".into()]).await, Ok(1));
    let rows = transaction.query("SELECT text FROM note", vec![]).await.unwrap();
    assert_eq!(rows, packed(1, &[Cell::Text(b"a")]));
    // What fails leaves the rest as it was.
    let again = transaction.execute(insert, vec!["a".into()]).await;
    assert_eq!(again.map_err(|failure| failure.code()), Err(Some("constraint")));
    for sql in ["COMMIT", "SET statement_timeout = 0"] {
        let refused = transaction.execute(sql, vec![]).await;
        assert_eq!(refused.map_err(|failure| failure.code()), Err(Some("refused")));
    }
    // Another server's writes wait for it.
    let waits = other.execute(insert, vec!["b".into()], Instant::now() + Duration::from_millis(300));
    assert_eq!(waits.await, Err(Failure::Interrupted));
    assert!(!kept(&other, "a").await);
    assert_eq!(transaction.commit().await, Ok(()));
    assert_eq!(transaction.commit().await, Err(Failure::Gone));
    assert_eq!(texts(&other).await, ["a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_rolled_back_when_it_is_dropped_and_when_its_time_is_up() {
    let server = Postgres::shared();
    let (_, database) = notes(&server).await;
    let insert = "INSERT INTO note (text) VALUES (?1)";
    let transaction = database.begin(soon()).await.unwrap();
    transaction.execute(insert, vec!["dropped".into()]).await.unwrap();
    drop(transaction);
    let short = || Instant::now() + Duration::from_millis(250);
    let transaction = database.begin(short()).await.unwrap();
    transaction.execute(insert, vec!["late".into()]).await.unwrap();
    // It still is in the plugin's hands, and the lock is given back.
    assert_eq!(add(&database, "after").await, Ok(1));
    let late = transaction.execute(insert, vec!["later".into()]).await;
    assert_eq!(late, Err(Failure::Interrupted));
    assert_eq!(transaction.commit().await, Err(Failure::Gone));
    let transaction = database.begin(short()).await.unwrap();
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c";
    assert_eq!(transaction.query(endless, vec![]).await, Err(Failure::Interrupted));
    assert_eq!(transaction.commit().await, Err(Failure::Gone));
    assert_eq!(add(&database, "end").await, Ok(1));
    assert_eq!(texts(&database).await, ["after", "end"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_ends_it_when_its_node_is_frozen() {
    let server = Postgres::shared();
    let name = fresh_name();
    let address = provision(&server, &name).run().await.unwrap();
    let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    database.promote().await.unwrap();
    let bounds =
        format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND state = 'idle in transaction'");
    // A runtime that nobody drives any more is as a node that is frozen: its clock does nothing.
    let frozen = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (frozen, transaction) = tokio::task::spawn_blocking(move || {
        let transaction = frozen.block_on(async {
            let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
            let transaction = database
                .begin(Instant::now() + Duration::from_millis(250))
                .await
                .unwrap();
            let sql = "INSERT INTO note (text) VALUES ('frozen')";
            transaction.execute(sql, vec![]).await.unwrap();
            transaction
        });
        (frozen, transaction)
    })
    .await
    .unwrap();
    while server.psql(&bounds) != "0" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(add(&database, "thawed").await, Ok(1));
    assert_eq!(texts(&database).await, ["thawed"]);
    tokio::task::spawn_blocking(move || drop((transaction, frozen)))
        .await
        .unwrap();
}
