//! The values of Galley's statements, as PostgreSQL's types have them.

use std::error::Error;

use tokio_postgres::Row;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, accepts, to_sql_checked};

use crate::failure::Failure;
use crate::text::{restored, stored};

/// What stands before the text of a `jsonb` value.
const JSONB_FORMAT: u8 = 1;

/// A parameter, or a column of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// NULL.
    Null,
    /// `int2`, `int4`, `int8`; as a row's column also `bool`.
    Integer(i64),
    /// `float4`, `float8`.
    Real(f64),
    /// `text` and its kin, with U+0000 as with everything else; as a parameter also `json` and `jsonb`.
    Text(String),
    /// `bytea`.
    Blob(Vec<u8>),
}

type BoxError = Box<dyn Error + Sync + Send>;

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, BoxError> {
        match (self, kind) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Integer(number), &Type::INT2) => i16::try_from(*number)?.to_sql(kind, out),
            (Value::Integer(number), &Type::INT4) => i32::try_from(*number)?.to_sql(kind, out),
            (Value::Integer(number), &Type::INT8) => number.to_sql(kind, out),
            (Value::Integer(number), &Type::FLOAT8) => (*number as f64).to_sql(kind, out),
            (Value::Real(number), &Type::FLOAT8) => number.to_sql(kind, out),
            (Value::Real(number), &Type::FLOAT4) => (*number as f32).to_sql(kind, out),
            // Read by PostgreSQL itself, which refuses what is no JSON.
            (Value::Text(text), &Type::JSON) => text.to_sql(&Type::TEXT, out),
            (Value::Text(text), &Type::JSONB) => {
                out.extend_from_slice(&[JSONB_FORMAT]);
                text.to_sql(&Type::TEXT, out)
            }
            (Value::Text(text), kind) if <&str as ToSql>::accepts(kind) => stored(text).as_ref().to_sql(kind, out),
            (Value::Blob(bytes), &Type::BYTEA) => bytes.to_sql(kind, out),
            (value, kind) => Err(format!("{} is no {kind}: cast it in the statement", value.name()).into()),
        }
    }

    // What a value can be is decided by the value.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, BoxError> {
        Ok(match *kind {
            Type::BOOL => Value::Integer(bool::from_sql(kind, raw)?.into()),
            Type::INT2 => Value::Integer(i16::from_sql(kind, raw)?.into()),
            Type::INT4 => Value::Integer(i32::from_sql(kind, raw)?.into()),
            Type::INT8 => Value::Integer(i64::from_sql(kind, raw)?),
            Type::FLOAT4 => Value::Real(f32::from_sql(kind, raw)?.into()),
            Type::FLOAT8 => Value::Real(f64::from_sql(kind, raw)?),
            Type::BYTEA => Value::Blob(raw.to_owned()),
            _ => Value::Text(restored(<&str>::from_sql(kind, raw)?).into_owned()),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, BoxError> {
        Ok(Value::Null)
    }

    accepts!(
        BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, BYTEA, TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN
    );
}

impl Value {
    fn name(&self) -> &'static str {
        match self {
            Value::Null => "NULL",
            Value::Integer(_) => "an integer",
            Value::Real(_) => "a real number",
            Value::Text(_) => "a text",
            Value::Blob(_) => "a blob",
        }
    }
}

/// Parameters, as the library takes them.
pub(crate) fn borrowed(parameters: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    parameters.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// The columns of a row.
pub(crate) fn columns(row: &Row) -> Result<Vec<Value>, Failure> {
    (0..row.len()).map(|at| Ok(row.try_get(at)?)).collect()
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Integer(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}
