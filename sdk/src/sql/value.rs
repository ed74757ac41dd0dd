//! Parameters of statements.

pub use crate::bindings::galley::sql::sql::Value;

use crate::extract::{CommentableProject, ManagedProject, ProjectId};

/// The parameters of a statement: `params![id, "text", 5, None::<i64>]`. Anything that becomes a [`Value`].
#[macro_export]
macro_rules! params {
    () => {
        [] as [$crate::sql::Value; 0]
    };
    ($($value:expr),+ $(,)?) => {
        [$($crate::sql::Value::from($value)),+]
    };
}

macro_rules! from {
    ($($type:ty, $value:ident => $made:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Value {
                $made
            }
        })*
    };
}

from! {
    &str, text => Value::Text(text.to_owned());
    &String, text => Value::Text(text.clone());
    String, text => Value::Text(text);
    ProjectId, id => Value::Text(id.0);
    &ProjectId, id => Value::Text(id.0.clone());
    CommentableProject, project => ProjectId::from(project).into();
    &CommentableProject, project => Value::Text(project.to_string());
    ManagedProject, project => ProjectId::from(project).into();
    &ManagedProject, project => Value::Text(project.to_string());
    &[u8], bytes => Value::Blob(bytes.to_vec());
    Vec<u8>, bytes => Value::Blob(bytes);
    i64, number => Value::Integer(number);
    i32, number => Value::Integer(number.into());
    u32, number => Value::Integer(number.into());
    bool, truth => Value::Integer(truth.into());
    f64, number => Value::Real(number);
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}
