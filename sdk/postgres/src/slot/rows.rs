//! The rows of an answer, packed as a plugin gets them.

use std::borrow::Cow;
use std::error::Error;

use galley_rows::{Cell, MAX_VALUE, Rows};
use tokio_postgres::types::{FromSql, Type, accepts};
use tokio_postgres::{Row, Statement};

use super::failure::Failure;
use crate::text::restored;

/// A column, borrowed from the row.
struct Column<'a>(Cell<'a>);

/// The first byte of what stands for U+0000 in a stored text.
const FIRST_OF_MARK: u8 = 0xef;

type BoxError = Box<dyn Error + Sync + Send>;

impl<'a> FromSql<'a> for Column<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, BoxError> {
        Ok(Self(match *kind {
            Type::BOOL => Cell::Integer(bool::from_sql(kind, raw)?.into()),
            Type::INT2 => Cell::Integer(i16::from_sql(kind, raw)?.into()),
            Type::INT4 => Cell::Integer(i32::from_sql(kind, raw)?.into()),
            Type::INT8 => Cell::Integer(i64::from_sql(kind, raw)?),
            Type::FLOAT4 => Cell::Real(f32::from_sql(kind, raw)?.into()),
            Type::FLOAT8 => Cell::Real(f64::from_sql(kind, raw)?),
            Type::BYTEA => Cell::Blob(raw),
            // Its first byte is the number of its format.
            Type::JSONB => Cell::Text(raw.get(1..).unwrap_or_default()),
            _ => Cell::Text(raw),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, BoxError> {
        Ok(Self(Cell::Null))
    }

    accepts!(
        BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, BYTEA, TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, JSON, JSONB
    );
}

/// Refuses a statement with a column of a type that the contract has no value for, before it is run.
pub fn check(statement: &Statement) -> Result<(), Failure> {
    let columns = statement.columns();
    match columns
        .iter()
        .find(|column| !<Column<'_> as FromSql>::accepts(column.type_()))
    {
        None => Ok(()),
        Some(column) => Err(Failure::Statement(format!(
            "The column `{}` has the type {}: cast it in the statement (`::int8`, `::float8`, `::text`).",
            column.name(),
            column.type_()
        ))),
    }
}

/// A text as it was bound: one with U+0000 is stored in another way, which few others look like.
fn written(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&FIRST_OF_MARK) {
        return Cow::Borrowed(bytes);
    }
    match str::from_utf8(bytes).map(restored) {
        Ok(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
        _ => Cow::Borrowed(bytes),
    }
}

fn is_json(row: &Row, at: usize) -> bool {
    let column = row.columns().get(at);
    column.is_some_and(|column| matches!(*column.type_(), Type::JSON | Type::JSONB))
}

/// Packs a row.
pub fn pack(rows: &mut Rows, row: &Row) -> Result<(), Failure> {
    for at in 0..row.len() {
        let Column(cell) = row.try_get(at)?;
        match cell {
            Cell::Text(bytes) | Cell::Blob(bytes) if bytes.len() > MAX_VALUE => return Err(Failure::large_value()),
            Cell::Text(bytes) if !is_json(row, at) => rows.push(Cell::Text(&written(bytes)))?,
            cell => rows.push(cell)?,
        }
    }
    Ok(())
}
