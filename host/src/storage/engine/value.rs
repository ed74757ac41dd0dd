//! The values of statements: what parameters and columns can be.

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

/// A parameter, or a column of a row. Texts and bytes are borrowed from who binds them, or from the engine's row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// An integer; 0 and 1 for a boolean.
    Integer(i64),
    /// A text.
    Text(&'a str),
    /// Bytes.
    Blob(&'a [u8]),
}

impl<'a> Value<'a> {
    /// A column of SQLite's. `None` for a type that no column here has, and for a text that is no UTF-8.
    pub(super) fn of_sqlite(value: ValueRef<'a>) -> Option<Self> {
        match value {
            ValueRef::Null => Some(Self::Null),
            ValueRef::Integer(number) => Some(Self::Integer(number)),
            ValueRef::Text(text) => str::from_utf8(text).ok().map(Self::Text),
            ValueRef::Blob(bytes) => Some(Self::Blob(bytes)),
            ValueRef::Real(_) => None,
        }
    }

    /// A column of PostgreSQL's. `None` for a type that no column here has.
    pub(super) fn of_postgres(value: &'a galley_postgres::Value) -> Option<Self> {
        match value {
            galley_postgres::Value::Null => Some(Self::Null),
            galley_postgres::Value::Integer(number) => Some(Self::Integer(*number)),
            galley_postgres::Value::Text(text) => Some(Self::Text(text)),
            galley_postgres::Value::Blob(bytes) => Some(Self::Blob(bytes)),
            galley_postgres::Value::Real(_) => None,
        }
    }

    /// A parameter, as PostgreSQL gets it.
    pub(super) fn to_postgres(self) -> galley_postgres::Value {
        match self {
            Self::Null => galley_postgres::Value::Null,
            Self::Integer(number) => galley_postgres::Value::Integer(number),
            Self::Text(text) => galley_postgres::Value::Text(text.to_owned()),
            Self::Blob(bytes) => galley_postgres::Value::Blob(bytes.to_owned()),
        }
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// A type that can be a parameter.
pub trait ToValue {
    /// As a value.
    fn to_value(&self) -> Value<'_>;
}

/// A type that can be read from a column.
pub trait FromValue: Sized {
    /// `None` for a value of another type, or out of this one's bounds.
    fn from_value(value: Value<'_>) -> Option<Self>;
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value<'_> {
        (**self).to_value()
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, T::to_value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl ToValue for str {
    fn to_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl ToValue for String {
    fn to_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl FromValue for String {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text.to_owned()),
            _ => None,
        }
    }
}

impl ToValue for Vec<u8> {
    fn to_value(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Blob(bytes) => Some(bytes.to_owned()),
            _ => None,
        }
    }
}

impl ToValue for bool {
    fn to_value(&self) -> Value<'_> {
        Value::Integer((*self).into())
    }
}

impl FromValue for bool {
    fn from_value(value: Value<'_>) -> Option<Self> {
        i64::from_value(value).map(|number| number != 0)
    }
}

impl ToValue for i64 {
    fn to_value(&self) -> Value<'_> {
        Value::Integer(*self)
    }
}

impl FromValue for i64 {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(number),
            _ => None,
        }
    }
}

/// Integers that fit into the engine's.
macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl ToValue for $integer {
            fn to_value(&self) -> Value<'_> {
                Value::Integer((*self).into())
            }
        }

        impl FromValue for $integer {
            fn from_value(value: Value<'_>) -> Option<Self> {
                i64::from_value(value)?.try_into().ok()
            }
        }
    )*};
}

integers!(u16, u32);
