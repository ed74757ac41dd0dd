//! Copies of a plugin's rows from before its tables change, in tables of the host's beside them: they are made, put back and deleted in the
//! transaction of the change, so there is never half a copy.
//!
//! A copy has rows and no indexes or constraints: the steps of the schema make those again.

use tokio::time::Instant;

use super::connection::Connection;
use super::failure::Failure;
use super::generation;
use super::labels::soon;
use super::moving::{Source, fill};
use super::provision::quoted_text;
use super::tables::{self, Number, Table, list, quoted};
use crate::value::Value;

/// What the names of a copy's tables begin with.
const PREFIX: &str = "_galley_copy_";

/// The most copies that are kept.
const MAX_COPIES: u32 = 3;

/// The host's tables. `since` counts the writes that there were ever when the copy was made; a copy without it is no way back, because the
/// data are no later ones of the same.
pub const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS public._galley_copies (version int8 PRIMARY KEY, since int8);
    CREATE TABLE IF NOT EXISTS public._galley_copied_tables (kept text PRIMARY KEY, version int8 NOT NULL, name text NOT NULL);
    CREATE TABLE IF NOT EXISTS public._galley_copied_numbers
        (version int8 NOT NULL, name text NOT NULL, field text NOT NULL, next int8 NOT NULL, PRIMARY KEY (version, name, field))";

/// Copies the data, which have this version, until then.
pub async fn make(connection: &mut Connection, version: u32, is_way_back: bool, until: Instant) -> Result<(), Failure> {
    remove(connection, version).await?;
    for (at, table) in tables::of(connection).await?.iter().enumerate() {
        let (kept, name) = (format!("{PREFIX}{version}_{at}"), &table.name);
        let copy = format!(
            "CREATE TABLE public.{kept} AS SELECT {} FROM ONLY public.{};
             INSERT INTO public._galley_copied_tables (kept, version, name) VALUES ('{kept}', {version}, {})",
            list(&table.columns),
            quoted(name),
            quoted_text(name),
        );
        connection.batch_until(&copy, until).await?;
    }
    for Number { table, column, next } in tables::numbers(connection).await? {
        let (table, column) = (quoted_text(&table), quoted_text(&column));
        let sql = format!(
            "INSERT INTO public._galley_copied_numbers (version, name, field, next) VALUES ({version}, {table}, {column}, {next})"
        );
        connection.batch(&sql, soon()).await?;
    }
    let since = if is_way_back { generation::WRITES } else { "NULL" };
    let sql = format!(
        "INSERT INTO public._galley_copies (version, since) SELECT {version}, {since} FROM public._galley_generation"
    );
    connection.batch(&sql, soon()).await?;
    prune(connection).await
}

/// Puts the rows of a copy, which is used up then, into tables that the steps of its schema made.
pub async fn put_back(connection: &mut Connection, version: u32, until: Instant) -> Result<(), Failure> {
    let (tables, numbers) = (
        kept_tables(connection, version).await?,
        kept_numbers(connection, version).await?,
    );
    fill(connection, &tables, &numbers, Source::Here, until).await?;
    // Writes that go with the later data count no more since the copies before.
    let sql = format!(
        "UPDATE public._galley_copies SET since = since + {} - (SELECT since FROM public._galley_copies WHERE version = {version})
         FROM public._galley_generation WHERE version < {version}",
        generation::WRITES
    );
    connection.batch(&sql, soon()).await?;
    remove(connection, version).await
}

/// The copies of versions behind this one are no ways back to them any more.
pub async fn close_behind(connection: &mut Connection, version: u32) -> Result<(), Failure> {
    let sql = format!("UPDATE public._galley_copies SET since = NULL WHERE version > {version}");
    connection.batch(&sql, soon()).await.map(drop)
}

async fn kept_tables(connection: &mut Connection, version: u32) -> Result<Vec<Table>, Failure> {
    let sql = format!(
        "SELECT copied.name, copied.kept, a.attname::text
         FROM public._galley_copied_tables AS copied
             JOIN pg_catalog.pg_attribute AS a ON a.attrelid = to_regclass('public.' || copied.kept)
         WHERE copied.version = {version} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY copied.kept, a.attnum"
    );
    tables::listed(connection, &sql).await
}

async fn kept_numbers(connection: &mut Connection, version: u32) -> Result<Vec<Number>, Failure> {
    let sql = format!("SELECT name, field, next FROM public._galley_copied_numbers WHERE version = {version}");
    let rows = connection.rows(&sql, soon()).await?;
    let number = |row| match <[Value; 3]>::try_from(row) {
        Ok([Value::Text(table), Value::Text(column), Value::Integer(next)]) => Some(Number { table, column, next }),
        _ => None,
    };
    Ok(rows.into_iter().filter_map(number).collect())
}

/// Deletes the copies of the oldest versions that are too many.
async fn prune(connection: &mut Connection) -> Result<(), Failure> {
    let sql = format!("SELECT version FROM public._galley_copies ORDER BY version DESC OFFSET {MAX_COPIES}");
    for row in connection.rows(&sql, soon()).await? {
        if let Some(Value::Integer(version)) = row.first() {
            remove(connection, u32::try_from(*version).unwrap_or_default()).await?;
        }
    }
    Ok(())
}

/// Deletes the copy of a version, if there is one.
async fn remove(connection: &mut Connection, version: u32) -> Result<(), Failure> {
    let sql = format!("SELECT kept FROM public._galley_copied_tables WHERE version = {version}");
    for row in connection.rows(&sql, soon()).await? {
        if let Some(Value::Text(kept)) = row.first() {
            connection
                .batch(&format!("DROP TABLE IF EXISTS public.{}", quoted(kept)), soon())
                .await?;
        }
    }
    let sql = format!(
        "DELETE FROM public._galley_copied_tables WHERE version = {version};
         DELETE FROM public._galley_copied_numbers WHERE version = {version};
         DELETE FROM public._galley_copies WHERE version = {version}"
    );
    connection.batch(&sql, soon()).await.map(drop)
}
