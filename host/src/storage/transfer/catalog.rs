//! The tables of a database, as its engine lists them.

use galley_postgres::{Failure, Session, Value};
use rusqlite::Connection;

/// A table of SQLite's.
pub struct FileTable {
    pub name: String,
    /// Those that are stored as they were written: what is generated follows from them.
    pub columns: Vec<String>,
    /// Whether its ids are never used again.
    pub counts_on: bool,
}

/// A table of PostgreSQL's.
pub struct ServerTable {
    pub name: String,
    pub columns: Vec<Column>,
}

/// A column of one.
#[derive(Clone)]
pub struct Column {
    pub name: String,
    /// Its type, as PostgreSQL writes it.
    pub kind: String,
    /// What numbers it.
    pub sequence: Option<String>,
}

/// The tables of a file without virtual ones, in the order of their names.
pub fn of_file(connection: &Connection) -> rusqlite::Result<Vec<FileTable>> {
    let sql = "SELECT list.name, coalesce(schema.sql LIKE '%AUTOINCREMENT%', 0)
               FROM pragma_table_list AS list JOIN sqlite_schema AS schema ON schema.name = list.name
               WHERE list.schema = 'main' AND list.type = 'table' AND list.name NOT LIKE 'sqlite~_%' ESCAPE '~'
               ORDER BY list.name";
    let mut tables = connection.prepare(sql)?;
    let tables = tables.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
    let sql = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid";
    let mut columns = connection.prepare(sql)?;
    let table = |found: rusqlite::Result<(String, bool)>| {
        let (name, counts_on) = found?;
        let columns = columns.query_map([&name], |row| row.get(0))?;
        Ok(FileTable {
            columns: columns.collect::<rusqlite::Result<_>>()?,
            name,
            counts_on,
        })
    };
    tables.map(table).collect()
}

/// The tables of the schema that statements find first, in the order of their names.
pub fn of_server(session: &mut Session) -> Result<Vec<ServerTable>, Failure> {
    let sql = "SELECT t.relname::text, a.attname::text, format_type(a.atttypid, NULL),
                   pg_get_serial_sequence(quote_ident(t.relname), a.attname)
               FROM pg_class AS t JOIN pg_attribute AS a ON a.attrelid = t.oid
               WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p')
                   AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
               ORDER BY t.relname COLLATE \"C\", a.attnum";
    let mut tables: Vec<ServerTable> = Vec::new();
    for row in session.query(sql, &[])? {
        let Ok([Value::Text(table), Value::Text(name), Value::Text(kind), sequence]) = <[Value; 4]>::try_from(row)
        else {
            return Err(Failure::Statement("the database does not list its tables".to_owned()));
        };
        let sequence = match sequence {
            Value::Text(sequence) => Some(sequence),
            _ => None,
        };
        let column = Column { name, kind, sequence };
        match tables.last_mut().filter(|last| last.name == table) {
            Some(last) => last.columns.push(column),
            None => tables.push(ServerTable {
                name: table,
                columns: vec![column],
            }),
        }
    }
    Ok(tables)
}
