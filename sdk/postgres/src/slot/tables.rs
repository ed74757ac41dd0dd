//! The tables of a plugin in its slot's database, without the host's.

use tokio::time::Instant;

use super::connection::Connection;
use super::failure::Failure;
use super::labels::soon;
use crate::value::Value;

/// A table whose rows are copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Where its rows are: a table of this name, which is another one for a copy.
    pub stored: String,
    /// Those of its columns that are stored as they were written: what is generated follows from them.
    pub columns: Vec<String>,
}

/// What numbers the rows of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// The table.
    pub table: String,
    /// The column that has the numbers.
    pub column: String,
    /// The number that comes next.
    pub next: i64,
}

/// The tables, in the order of their names. One whose rows are all in its parts has none itself.
pub async fn of(connection: &mut Connection) -> Result<Vec<Table>, Failure> {
    let sql = "SELECT t.relname::text, t.relname::text, a.attname::text
               FROM pg_catalog.pg_class AS t JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid
               WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND left(t.relname, 8) <> '_galley_'
                   AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
               ORDER BY t.relname COLLATE \"C\", a.attnum";
    listed(connection, sql).await
}

/// The tables of a statement that answers name, place and column, those of a place one after the other.
pub async fn listed(connection: &mut Connection, sql: &str) -> Result<Vec<Table>, Failure> {
    let mut tables: Vec<Table> = Vec::new();
    for row in connection.rows(sql, soon()).await? {
        let Ok([Value::Text(name), Value::Text(stored), Value::Text(column)]) = <[Value; 3]>::try_from(row) else {
            continue;
        };
        match tables.last_mut().filter(|last| last.stored == stored) {
            Some(last) => last.columns.push(column),
            None => tables.push(Table {
                name,
                stored,
                columns: vec![column],
            }),
        }
    }
    Ok(tables)
}

/// Where what numbers rows has got to.
pub async fn numbers(connection: &mut Connection) -> Result<Vec<Number>, Failure> {
    let sql = "SELECT t.relname::text, a.attname::text,
                   pg_get_serial_sequence('public.' || quote_ident(t.relname), a.attname)
               FROM pg_catalog.pg_class AS t JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.oid
               WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND left(t.relname, 8) <> '_galley_'
                   AND a.attnum > 0 AND NOT a.attisdropped
                   AND pg_get_serial_sequence('public.' || quote_ident(t.relname), a.attname) IS NOT NULL";
    let mut numbers = Vec::new();
    for row in connection.rows(sql, soon()).await? {
        let Ok([Value::Text(table), Value::Text(column), Value::Text(sequence)]) = <[Value; 3]>::try_from(row) else {
            continue;
        };
        let sql = format!("SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM {sequence}");
        let next = connection.batch(&sql, soon()).await?;
        let next = next.and_then(|next| next.parse().ok()).unwrap_or(1);
        numbers.push(Number { table, column, next });
    }
    Ok(numbers)
}

/// Removes all tables and views, which make room for others.
pub async fn remove(connection: &mut Connection, until: Instant) -> Result<(), Failure> {
    let sql = "SELECT CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, relname::text FROM pg_catalog.pg_class
               WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND left(relname, 8) <> '_galley_'";
    for row in connection.rows(sql, soon()).await? {
        let Ok([Value::Text(kind), Value::Text(name)]) = <[Value; 2]>::try_from(row) else {
            continue;
        };
        // It may have gone with one that it depends on.
        let drop = format!("DROP {kind} IF EXISTS public.{} CASCADE", quoted(&name));
        connection.batch_until(&drop, until).await?;
    }
    Ok(())
}

/// A name as statements have it.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Names as statements have them.
pub fn list(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
    names.join(", ")
}
