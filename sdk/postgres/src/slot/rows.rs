//! The rows of an answer, packed as a plugin gets them.

use std::error::Error;

use galley_rows::{Cell, MAX_VALUE, Rows};
use tokio_postgres::types::{FromSql, Type, accepts};
use tokio_postgres::{Row, Statement};

use super::failure::Failure;

/// A column, borrowed from the row.
struct Column<'a>(Cell<'a>);

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

/// Packs a row.
pub fn pack(rows: &mut Rows, row: &Row) -> Result<(), Failure> {
    for at in 0..row.len() {
        let Column(cell) = row.try_get(at)?;
        if let Cell::Text(bytes) | Cell::Blob(bytes) = cell
            && bytes.len() > MAX_VALUE
        {
            return Err(Failure::large_value());
        }
        rows.push(cell)?;
    }
    Ok(())
}
