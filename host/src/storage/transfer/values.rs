//! Values of one engine as the other one has them. A plugin's column may be of a type that SQLite has not: then the file has its text.

use galley_postgres::Value;
use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

use super::TransferError;
use super::catalog::Column;
use super::{list, quoted};

/// What a column of PostgreSQL's takes.
enum Takes {
    Integers,
    Reals,
    Texts,
    Blobs,
    Booleans,
    /// Something else, written as a text.
    Written,
}

fn takes(kind: &str) -> Takes {
    match kind {
        "smallint" | "integer" | "bigint" => Takes::Integers,
        "real" | "double precision" => Takes::Reals,
        "text" | "character varying" | "character" | "name" => Takes::Texts,
        "bytea" => Takes::Blobs,
        "boolean" => Takes::Booleans,
        _ => Takes::Written,
    }
}

/// Columns, as a SELECT on PostgreSQL names them.
pub fn selected(columns: &[Column]) -> String {
    list(columns, |column| match takes(&column.kind) {
        Takes::Written => format!("CAST({} AS text)", quoted(&column.name)),
        _ => quoted(&column.name),
    })
}

/// A parameter for a column, as an INSERT on PostgreSQL has it.
pub fn inserted(column: &Column, number: usize) -> String {
    match takes(&column.kind) {
        Takes::Booleans => format!("(CAST(?{number} AS bigint) <> 0)"),
        Takes::Written => format!("CAST(CAST(?{number} AS text) AS {})", column.kind),
        _ => format!("CAST(?{number} AS {})", column.kind),
    }
}

/// A value of SQLite's for a column of PostgreSQL's.
pub fn to_postgres(table: &str, column: &Column, value: ValueRef<'_>) -> Result<Value, TransferError> {
    let text = |bytes| str::from_utf8(bytes).ok().map(str::to_owned);
    let fitting = match (takes(&column.kind), value) {
        (_, ValueRef::Null) => Some(Value::Null),
        (Takes::Integers | Takes::Booleans, ValueRef::Integer(number)) => Some(Value::Integer(number)),
        (Takes::Reals, ValueRef::Integer(number)) => Some(Value::Real(number as f64)),
        (Takes::Reals, ValueRef::Real(number)) => Some(Value::Real(number)),
        (Takes::Texts | Takes::Written, ValueRef::Text(bytes)) => text(bytes).map(Value::Text),
        (Takes::Blobs, ValueRef::Blob(bytes)) => Some(Value::Blob(bytes.to_owned())),
        (Takes::Written, ValueRef::Integer(number)) => Some(Value::Text(number.to_string())),
        (Takes::Written, ValueRef::Real(number)) => Some(Value::Text(number.to_string())),
        _ => None,
    };
    fitting.ok_or_else(|| TransferError::Value {
        table: table.to_owned(),
        column: column.name.clone(),
        found: match value {
            ValueRef::Null => "nothing",
            ValueRef::Integer(_) => "an integer",
            ValueRef::Real(_) => "a real number",
            ValueRef::Text(bytes) if str::from_utf8(bytes).is_err() => "a text that is no UTF-8",
            ValueRef::Text(_) => "a text",
            ValueRef::Blob(_) => "bytes",
        },
        wanted: format!("`{}`", column.kind),
    })
}

/// A value of PostgreSQL's, as it is bound to a statement of SQLite's.
pub struct Bound<'v>(pub &'v Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(*number),
            Value::Real(number) => ValueRef::Real(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// How many bytes a value has, about.
pub fn weight(value: &Value) -> usize {
    16 + match value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        Value::Null | Value::Integer(_) | Value::Real(_) => 0,
    }
}
