//! Against a real PostgreSQL.

mod adopting;
mod caching;
mod copies;
mod provisioning;
mod refusals;
mod schemas;
mod statements;
mod transactions;
mod writes;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use galley_harness::postgres::Postgres;
use galley_rows::{Cell, Rows};

use super::*;
use crate::Value;
use crate::address::Address;
use crate::failure::Failure as Common;

/// The schema of most tests.
const NOTES: &str =
    "CREATE TABLE note (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL UNIQUE, size int8)";

/// A name that no other test of this process has.
fn fresh_name() -> String {
    static NAMES: AtomicU32 = AtomicU32::new(0);
    format!("galley_slot_{}", NAMES.fetch_add(1, Ordering::Relaxed))
}

fn provision(server: &Postgres, name: &str) -> Provision {
    Provision {
        address: Address::parse(&server.url(), None).unwrap(),
        name: name.to_owned(),
        password: "it's a secret".to_owned(),
    }
}

/// A slot's database as its role reaches it at another address.
fn slot_at(server: &str, name: &str) -> Address {
    Address::parse(server, None).unwrap().with_database(name, name, "")
}

fn schema(steps: &[&str]) -> Schema {
    let step = |(version, sql): (u32, &&str)| Migration {
        version,
        sql: (*sql).to_owned(),
        down: None,
    };
    let steps: Vec<_> = (1..).zip(steps).map(step).collect();
    Schema {
        name: "notes".to_owned(),
        compatible: steps.len() as u32,
        steps,
    }
}

async fn open(address: &Address, schema: &Schema) -> Result<(Database, Change), SchemaError> {
    Database::open(address, Bounds::default(), schema, Duration::from_secs(20)).await
}

/// A slot with the table `note`.
async fn notes(server: &Postgres) -> (Address, Database) {
    let address = provision(server, &fresh_name()).run().await.unwrap();
    let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    database.promote().await.unwrap();
    (address, database)
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(30)
}

fn step(sql: &str, parameters: Vec<Value>) -> Step {
    Step {
        sql: sql.to_owned(),
        parameters,
        expected_changes: None,
    }
}

async fn add(database: &Database, text: &str) -> Result<u64, Failure> {
    let sql = "INSERT INTO note (text) VALUES (?1)";
    database.execute(sql, vec![text.into()], soon()).await
}

fn packed(columns: usize, cells: &[Cell<'_>]) -> Vec<u8> {
    let mut rows = Rows::of(columns);
    cells.iter().for_each(|cell| rows.push(*cell).unwrap());
    rows.into_bytes()
}

/// The texts of all notes, in order.
async fn texts(database: &Database) -> Vec<String> {
    let sql = "SELECT string_agg(text, ',' ORDER BY id) FROM note";
    let rows = database.query(sql, vec![], soon()).await.unwrap();
    // The number of columns, a tag, and the length come before it.
    match rows[4] {
        0 => Vec::new(),
        _ => String::from_utf8(rows[9..].to_vec())
            .unwrap()
            .split(',')
            .map(str::to_owned)
            .collect(),
    }
}

/// The answer to a statement of the host's.
async fn ask(address: &Address, sql: &str) -> String {
    let mut connection = connection::Connection::open(address, Duration::from_secs(10))
        .await
        .unwrap();
    connection.batch(sql, soon().into()).await.unwrap().unwrap_or_default()
}
