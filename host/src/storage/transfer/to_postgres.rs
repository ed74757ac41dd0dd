//! From a file into a database of PostgreSQL.

use galley_postgres::{Failure, Session, Value};
use rusqlite::{Connection, OptionalExtension};

use super::catalog::{self, Column};
use super::matching::{self, Pair};
use super::values::{inserted, to_postgres as value_of, weight};
use super::{Choice, Copied, MAX_BATCH_BYTES, MAX_BATCH_ROWS, Told, TransferError, list, quoted};

/// Copies the tables of a file, without those that are left out, into the transaction of a session. Rows that are there give way, and
/// ids go on behind the largest one.
pub fn to_postgres(
    source: &Connection,
    session: &mut Session,
    is_left_out: Choice<'_>,
    told: Told<'_>,
) -> Result<Copied, TransferError> {
    let servers = catalog::of_server(session)?;
    let pairs = matching::of_file(source, catalog::of_file(source)?, &servers, is_left_out)?;
    let references = References::take_away(session)?;
    if !pairs.is_empty() {
        session.execute(&format!("TRUNCATE {}", list(&pairs, |pair| quoted(&pair.name))), &[])?;
    }
    let mut copied = Copied::default();
    for pair in &pairs {
        let rows = copy(source, session, pair, &|rows| told(copied.rows + rows))?;
        count_on(source, session, pair)?;
        copied += Copied {
            tables: u64::from(rows > 0),
            rows,
        };
    }
    references.put_back(session)?;
    Ok(copied)
}

fn copy(source: &Connection, session: &mut Session, pair: &Pair, told: Told<'_>) -> Result<u64, TransferError> {
    let columns = list(&pair.columns, |column| quoted(&column.name));
    let mut statement = source.prepare(&format!("SELECT {columns} FROM {}", quoted(&pair.name)))?;
    let mut rows = statement.query([])?;
    let (mut batch, mut bytes, mut count) = (Vec::new(), 0, 0);
    let width = pair.columns.len();
    while let Some(row) = rows.next()? {
        for (at, column) in pair.columns.iter().enumerate() {
            let value = value_of(&pair.name, column, row.get_ref(at)?)?;
            bytes += weight(&value);
            batch.push(value);
        }
        count += 1;
        if bytes >= MAX_BATCH_BYTES || batch.len() >= MAX_BATCH_ROWS * width {
            insert(session, pair, &batch)?;
            batch.clear();
            bytes = 0;
            told(count);
        }
    }
    insert(session, pair, &batch)?;
    told(count);
    Ok(count)
}

/// Inserts rows that stand one behind the other, a power of two at a time: so there are few statements to prepare.
fn insert(session: &mut Session, pair: &Pair, mut values: &[Value]) -> Result<(), TransferError> {
    let width = pair.columns.len();
    while !values.is_empty() {
        let rows = 1 << (values.len() / width).ilog2();
        let (now, later) = values.split_at(rows * width);
        let inserted = session.execute(&statement(pair, rows), now);
        inserted.map_err(|failure| TransferError::Table(pair.name.clone(), failure))?;
        values = later;
    }
    Ok(())
}

fn statement(pair: &Pair, rows: usize) -> String {
    let width = pair.columns.len();
    let row = |row: &usize| {
        let parameters = (0..width).map(|at| inserted(&pair.columns[at], row * width + at + 1));
        format!("({})", parameters.collect::<Vec<_>>().join(", "))
    };
    format!(
        "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE VALUES {}",
        quoted(&pair.name),
        list(&pair.columns, |column| quoted(&column.name)),
        list(&(0..rows).collect::<Vec<_>>(), row)
    )
}

/// Sets what numbers a table behind its largest number, and behind the largest that the file ever had.
fn count_on(source: &Connection, session: &mut Session, pair: &Pair) -> Result<(), TransferError> {
    let numbered = |column: &&Column| column.sequence.is_some();
    for column in pair.columns.iter().filter(numbered) {
        let sql = format!("SELECT max({}) FROM {}", quoted(&column.name), quoted(&pair.name));
        let largest: Option<i64> = source.query_row(&sql, [], |row| row.get(0))?;
        let counted = match pair.counts_on {
            true => {
                let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
                source.query_row(sql, [&pair.name], |row| row.get(0)).optional()?
            }
            false => None,
        };
        let last = largest.max(counted).filter(|last| *last > 0);
        if let (Some(last), Some(sequence)) = (last, &column.sequence) {
            let set = "SELECT setval(CAST(CAST(?1 AS text) AS regclass), ?2)";
            session.query(set, &[sequence.as_str().into(), last.into()])?;
        }
    }
    Ok(())
}

/// What refers from one table to another. Rows come in any order while there are none.
struct References(Vec<Reference>);

struct Reference {
    table: String,
    name: String,
    definition: String,
}

impl References {
    fn take_away(session: &mut Session) -> Result<Self, Failure> {
        let sql = "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
                   WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2";
        let mut taken = Vec::new();
        for row in session.query(sql, &[])? {
            let Ok([Value::Text(table), Value::Text(name), Value::Text(definition)]) = <[Value; 3]>::try_from(row)
            else {
                continue;
            };
            session.execute(&format!("ALTER TABLE {table} DROP CONSTRAINT {name}"), &[])?;
            taken.push(Reference {
                table,
                name,
                definition,
            });
        }
        Ok(Self(taken))
    }

    /// Every row is checked.
    fn put_back(&self, session: &mut Session) -> Result<(), TransferError> {
        for Reference {
            table,
            name,
            definition,
        } in &self.0
        {
            let sql = format!("ALTER TABLE {table} ADD CONSTRAINT {name} {definition}");
            session.execute(&sql, &[]).map_err(|failure| match failure {
                Failure::Constraint(_) => TransferError::Dangling(table.clone()),
                failure => failure.into(),
            })?;
        }
        Ok(())
    }
}
