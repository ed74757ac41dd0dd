//! Rows of a plugin on their way into tables that the same steps made, in the transaction that is under way there.

use tokio::time::Instant;

use super::connection::Connection;
use super::failure::Failure;
use super::labels::soon;
use super::provision::quoted_text;
use super::tables::{self, Number, Table, list, quoted};
use crate::value::Value;

/// Where rows come from.
#[derive(Clone, Copy)]
pub enum Source<'c> {
    /// Tables of the same database.
    Here,
    /// Another one's transaction.
    There(&'c Connection),
}

/// Fills the plugin's tables with these rows, and with no others, until then. A row without a place is a failure.
pub async fn fill(
    connection: &mut Connection,
    tables: &[Table],
    numbers: &[Number],
    source: Source<'_>,
    until: Instant,
) -> Result<(), Failure> {
    let own = tables::of(connection).await?;
    for table in tables {
        check_place(&own, table)?;
    }
    let references = References::take_away(connection).await?;
    let names: Vec<_> = own
        .iter()
        .map(|table| format!("public.{}", quoted(&table.name)))
        .collect();
    if !names.is_empty() {
        connection
            .batch_until(&format!("TRUNCATE {}", names.join(", ")), until)
            .await?;
    }
    for table in tables {
        let Table { name, stored, columns } = table;
        let (columns, name, stored) = (list(columns), quoted(name), quoted(stored));
        match source {
            Source::Here => {
                let insert = format!(
                    "INSERT INTO public.{name} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM public.{stored}"
                );
                connection.batch_until(&insert, until).await?;
            }
            Source::There(other) => {
                // For its bound.
                connection.batch_until("SELECT 1", until).await?;
                let out = format!("COPY (SELECT {columns} FROM ONLY public.{stored}) TO STDOUT (FORMAT binary)");
                let into = format!("COPY public.{name} ({columns}) FROM STDIN (FORMAT binary)");
                other.copy_to(&out, connection, &into, until).await?;
            }
        }
    }
    references.put_back(connection, until).await?;
    for Number { table, column, next } in numbers {
        let sequence = format!(
            "SELECT pg_get_serial_sequence('public.' || quote_ident({}), {})",
            quoted_text(table),
            quoted_text(column)
        );
        if let Some(sequence) = connection.batch_until(&sequence, until).await? {
            let restart = format!("ALTER SEQUENCE {sequence} RESTART WITH {next}");
            connection.batch_until(&restart, until).await?;
        }
    }
    Ok(())
}

/// Rows of a table that no step makes would be left behind.
fn check_place(own: &[Table], table: &Table) -> Result<(), Failure> {
    let place = own.iter().find(|own| own.name == table.name);
    let missing = match place {
        None => Some(format!("the table `{}`", table.name)),
        Some(place) => {
            let missing = table.columns.iter().find(|column| !place.columns.contains(column));
            missing.map(|column| format!("the column `{column}` of the table `{}`", table.name))
        }
    };
    match missing {
        None => Ok(()),
        Some(what) => {
            let text = format!(
                "its steps make no place for rows of {what}: a table that a plugin makes elsewhere cannot be copied"
            );
            Err(Failure::Statement(text))
        }
    }
}

/// What refers from one table to another. Rows come in any order while there are none.
struct References(Vec<[String; 3]>);

impl References {
    async fn take_away(connection: &mut Connection) -> Result<Self, Failure> {
        let sql = "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint
                   WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace ORDER BY 1, 2";
        let mut taken = Vec::new();
        for row in connection.rows(sql, soon()).await? {
            let Ok([Value::Text(table), Value::Text(name), Value::Text(definition)]) = <[Value; 3]>::try_from(row)
            else {
                continue;
            };
            let drop = format!("ALTER TABLE {table} DROP CONSTRAINT {name}");
            connection.batch(&drop, soon()).await?;
            taken.push([table, name, definition]);
        }
        Ok(Self(taken))
    }

    /// Every row is checked.
    async fn put_back(&self, connection: &mut Connection, until: Instant) -> Result<(), Failure> {
        for [table, name, definition] in &self.0 {
            let add = format!("ALTER TABLE {table} ADD CONSTRAINT {name} {definition}");
            connection.batch_until(&add, until).await?;
        }
        Ok(())
    }
}
