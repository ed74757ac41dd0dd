//! Which table of one engine is which of the other's.

use galley_postgres::{Failure, Session, Value};
use rusqlite::Connection;

use super::catalog::{Column, FileTable, ServerTable};
use super::{Choice, TransferError, quoted};

/// A table of both engines, with the columns that are copied.
pub struct Pair {
    pub name: String,
    pub columns: Vec<Column>,
    /// Whether its ids are never used again in a file.
    pub counts_on: bool,
}

/// The tables of a file with those of the server that take their rows.
pub fn of_file(
    source: &Connection,
    files: Vec<FileTable>,
    servers: &[ServerTable],
    is_left_out: Choice<'_>,
) -> Result<Vec<Pair>, TransferError> {
    let mut pairs = Vec::new();
    for table in files {
        if is_left_out(&table.name) {
            continue;
        }
        match servers.iter().find(|server| server.name == table.name) {
            Some(server) => {
                let columns = table.columns.iter().map(|name| column(server, name));
                pairs.push(Pair {
                    columns: columns.collect::<Result<_, _>>()?,
                    name: table.name,
                    counts_on: table.counts_on,
                });
            }
            None => {
                let sql = format!("SELECT EXISTS (SELECT 1 FROM {})", quoted(&table.name));
                if source.query_row(&sql, [], |row| row.get(0))? {
                    return Err(TransferError::NoTable(table.name, "PostgreSQL"));
                }
            }
        }
    }
    Ok(pairs)
}

/// The tables of a server with those of the file that take their rows.
pub fn of_server(
    session: &mut Session,
    servers: Vec<ServerTable>,
    files: &[FileTable],
    is_left_out: Choice<'_>,
) -> Result<Vec<Pair>, TransferError> {
    let mut pairs = Vec::new();
    for table in servers {
        if is_left_out(&table.name) {
            continue;
        }
        match files.iter().find(|file| file.name == table.name) {
            Some(file) => {
                let missing = table.columns.iter().find(|column| !file.columns.contains(&column.name));
                if let Some(column) = missing {
                    return Err(TransferError::NoColumn(table.name, column.name.clone(), "SQLite"));
                }
                pairs.push(Pair {
                    name: table.name,
                    columns: table.columns,
                    counts_on: file.counts_on,
                });
            }
            None if has_rows(session, &table.name)? => return Err(TransferError::NoTable(table.name, "SQLite")),
            None => {}
        }
    }
    Ok(pairs)
}

fn column(table: &ServerTable, name: &str) -> Result<Column, TransferError> {
    let found = table.columns.iter().find(|column| column.name == name);
    found
        .cloned()
        .ok_or_else(|| TransferError::NoColumn(table.name.clone(), name.to_owned(), "PostgreSQL"))
}

fn has_rows(session: &mut Session, table: &str) -> Result<bool, Failure> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM {})", quoted(table));
    let found = session.query(&sql, &[])?;
    Ok(matches!(
        found.first().and_then(|row| row.first()),
        Some(Value::Integer(1))
    ))
}
