//! From a database of PostgreSQL into a file.

use galley_postgres::{Failure, Session, Value};
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::catalog::{self, Column};
use super::matching::{self, Pair};
use super::values::{Bound, selected, weight};
use super::{Choice, Copied, MAX_BATCH_BYTES, MAX_BATCH_ROWS, Told, TransferError, list, quoted};

/// Copies the tables that the transaction of a session sees, without those that are left out, into a file whose steps ran. Rows that are
/// there give way. What refers to other rows must not be checked on the connection meanwhile.
pub fn from_postgres(
    session: &mut Session,
    target: &Connection,
    is_left_out: Choice<'_>,
    told: Told<'_>,
) -> Result<Copied, TransferError> {
    let servers = catalog::of_server(session)?;
    let pairs = matching::of_server(session, servers, &catalog::of_file(target)?, is_left_out)?;
    let transaction = target.unchecked_transaction()?;
    // What triggers did on PostgreSQL is among the rows.
    let triggers = take_triggers_away(target)?;
    let mut copied = Copied::default();
    for (number, pair) in pairs.iter().enumerate() {
        target.execute(&format!("DELETE FROM {}", quoted(&pair.name)), [])?;
        let rows = copy(session, target, pair, number, &|rows| told(copied.rows + rows))?;
        if pair.counts_on {
            count_on(session, target, pair)?;
        }
        copied += Copied {
            tables: u64::from(rows > 0),
            rows,
        };
    }
    triggers.iter().try_for_each(|trigger| target.execute_batch(trigger))?;
    let dangling = target.query_row("SELECT \"table\" FROM pragma_foreign_key_check", [], |row| row.get(0));
    if let Some(table) = dangling.optional()? {
        return Err(TransferError::Dangling(table));
    }
    transaction.commit()?;
    Ok(copied)
}

fn copy(
    session: &mut Session,
    target: &Connection,
    pair: &Pair,
    number: usize,
    told: Told<'_>,
) -> Result<u64, TransferError> {
    let (table, columns) = (quoted(&pair.name), selected(&pair.columns));
    // Each table has a cursor of its own name: a statement that was prepared for another one has other columns.
    let cursor = format!("galley_{number}");
    session.batch(&format!(
        "DECLARE {cursor} NO SCROLL CURSOR FOR SELECT {columns} FROM {table}"
    ))?;
    let names = list(&pair.columns, |column| quoted(&column.name));
    let places = list(&(1..=pair.columns.len()).collect::<Vec<_>>(), |place| {
        format!("?{place}")
    });
    let mut insert = target.prepare(&format!("INSERT INTO {table} ({names}) VALUES ({places})"))?;
    let (mut size, mut count) = (MAX_BATCH_ROWS / 8, 0);
    loop {
        let rows = session.query(&format!("FETCH {size} FROM {cursor}"), &[])?;
        let mut bytes = 0;
        for row in &rows {
            bytes += row.iter().map(weight).sum::<usize>();
            insert.execute(params_from_iter(row.iter().map(Bound)))?;
        }
        count += rows.len() as u64;
        told(count);
        if rows.len() < size {
            break;
        }
        // Rows of one table are seldom of very different sizes.
        size = match bytes {
            _ if bytes > MAX_BATCH_BYTES => (size / 2).max(1),
            _ if bytes < MAX_BATCH_BYTES / 2 => (size * 2).min(MAX_BATCH_ROWS),
            _ => size,
        };
    }
    session.batch(&format!("CLOSE {cursor}"))?;
    Ok(count)
}

/// An id that was used is not used again, where the file counts so.
fn count_on(session: &mut Session, target: &Connection, pair: &Pair) -> Result<(), TransferError> {
    let numbered = |column: &Column| column.sequence.clone();
    let Some(sequence) = pair.columns.iter().find_map(numbered) else {
        return Ok(());
    };
    let sql = format!("SELECT CASE WHEN is_called THEN last_value END FROM {sequence}");
    let found = session.query(&sql, &[])?;
    let last = match found.first().and_then(|row| row.first()) {
        Some(Value::Integer(last)) => *last,
        Some(Value::Null) => return Ok(()),
        _ => return Err(Failure::Statement(format!("{sequence} does not say where it is")).into()),
    };
    let sql = "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1";
    if target.execute(sql, (&pair.name, last))? == 0 {
        let sql = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)";
        target.execute(sql, (&pair.name, last))?;
    }
    Ok(())
}

/// The statements that make them again.
fn take_triggers_away(target: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid";
    let mut statement = target.prepare(sql)?;
    let found = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let found: Vec<_> = found.collect::<rusqlite::Result<_>>()?;
    for (name, _) in &found {
        target.execute_batch(&format!("DROP TRIGGER {}", quoted(name)))?;
    }
    Ok(found.into_iter().map(|(_, sql)| sql).collect())
}
