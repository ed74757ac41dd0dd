//! Parameters of statements.

use std::borrow::Cow;

use crate::bindings::galley::sql::sql::Value as Owned;
use crate::extract::{CommentableProject, ManagedProject, ProjectId};

/// A parameter. Texts and bytes are borrowed from where they are, as long as what they come from is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// An integer.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// Bytes.
    Blob(Cow<'a, [u8]>),
}

/// The parameters of a statement: `params![id, "text", 5, None::<i64>]`. Anything that becomes a [`Value`]. A `&str` and a
/// reference to a `String` or a project are borrowed: reads, and writes of one statement, copy no text. A
/// [`Batch`](crate::sql::Batch) keeps its parameters, and so has its own copy.
#[macro_export]
macro_rules! params {
    () => {
        [] as [$crate::sql::Value<'static>; 0]
    };
    ($($value:expr),+ $(,)?) => {
        [$($crate::sql::Value::from($value)),+]
    };
}

macro_rules! from {
    ($($type:ty, $value:ident => $made:expr;)*) => {
        $(impl<'a> From<$type> for Value<'a> {
            fn from($value: $type) -> Value<'a> {
                $made
            }
        })*
    };
}

from! {
    &'a str, text => Value::Text(Cow::Borrowed(text));
    &'a String, text => Value::Text(Cow::Borrowed(text));
    String, text => Value::Text(Cow::Owned(text));
    ProjectId, id => Value::Text(Cow::Owned(id.0));
    &'a ProjectId, id => Value::Text(Cow::Borrowed(id));
    CommentableProject, project => ProjectId::from(project).into();
    &'a CommentableProject, project => Value::Text(Cow::Borrowed(project));
    ManagedProject, project => ProjectId::from(project).into();
    &'a ManagedProject, project => Value::Text(Cow::Borrowed(project));
    &'a [u8], bytes => Value::Blob(Cow::Borrowed(bytes));
    Vec<u8>, bytes => Value::Blob(Cow::Owned(bytes));
    i64, number => Value::Integer(number);
    i32, number => Value::Integer(number.into());
    u32, number => Value::Integer(number.into());
    bool, truth => Value::Integer(truth.into());
    f64, number => Value::Real(number);
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Value<'a> {
        value.map_or(Value::Null, Into::into)
    }
}

impl Value<'_> {
    /// The value as a batch keeps it.
    pub(super) fn into_owned(self) -> Owned {
        match self {
            Value::Null => Owned::Null,
            Value::Integer(number) => Owned::Integer(number),
            Value::Real(number) => Owned::Real(number),
            Value::Text(text) => Owned::Text(text.into_owned()),
            Value::Blob(bytes) => Owned::Blob(bytes.into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_borrowed() {
        let (text, owned, bytes) = ("text", String::from("owned"), [1_u8].as_slice());
        let project = ProjectId("p1".into());
        let [a, b, c, d, e] = crate::params![text, &owned, &project, bytes, Some(owned.as_str())];
        for (value, place) in [
            (a, text.as_ptr()),
            (b, owned.as_ptr()),
            (c, project.0.as_ptr()),
            (e, owned.as_ptr()),
        ] {
            assert!(
                matches!(&value, Value::Text(Cow::Borrowed(text)) if text.as_ptr() == place),
                "{value:?}"
            );
        }
        assert!(matches!(d, Value::Blob(Cow::Borrowed(_))));
        let place = owned.as_ptr();
        let [moved] = crate::params![owned];
        assert!(matches!(moved.into_owned(), Owned::Text(text) if text.as_ptr() == place));
    }
}
