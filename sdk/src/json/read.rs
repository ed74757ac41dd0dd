//! A deserializer that is stricter than `serde_json`'s (an array is not accepted as a struct). Its errors name the field in
//! words for the person who sent the request.

use std::fmt::{self, Display};

use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// Reads a JSON body. `Err` is a 400 whose message says what is wrong with which field.
pub fn from_slice<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    let text = std::str::from_utf8(body).map_err(|_| Error::bad_request("The body is not valid UTF-8"))?;
    let value = serde_json::from_str(text)
        .map_err(|error| Error::bad_request(format!("The body is not valid JSON: {error}")))?;
    Ok(T::deserialize(Reader(value))?)
}

/// Reads a part of a body that was read as a [`Value`] first. `name` is the field that holds it.
pub fn from_value<T: DeserializeOwned>(name: &str, value: Value) -> Result<T> {
    Ok(T::deserialize(Reader(value)).map_err(|error| error.inside(name))?)
}

/// What is wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// `position.page`, `mentions[3]`; empty for the whole.
    path: String,
    message: String,
}

impl FieldError {
    /// An error about the field `name`: `message` continues a sentence that starts with its name.
    pub fn at(name: &str, message: impl Into<String>) -> FieldError {
        FieldError {
            path: name.to_owned(),
            message: message.into(),
        }
    }

    /// An error about the whole.
    pub fn custom(message: impl Display) -> FieldError {
        FieldError {
            path: String::new(),
            message: message.to_string(),
        }
    }

    /// The same error, seen from outside of `name`.
    pub(crate) fn inside(mut self, name: &str) -> FieldError {
        let dot = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{name}{dot}{}", self.path);
        self
    }
}

impl Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "The body {}", self.message),
            path => write!(f, "`{path}` {}", self.message),
        }
    }
}

impl std::error::Error for FieldError {}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Error {
        Error::bad_request(error.to_string())
    }
}

impl de::Error for FieldError {
    fn custom<T: Display>(message: T) -> FieldError {
        FieldError::custom(format_args!("is not valid: {message}"))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> FieldError {
        FieldError::custom(format_args!("must be {}", words(&expected.to_string())))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> FieldError {
        FieldError::custom(format_args!(
            "is out of range: it must be {}",
            words(&expected.to_string())
        ))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> FieldError {
        FieldError::custom(format_args!(
            "must be {}, not {length} long",
            words(&expected.to_string())
        ))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> FieldError {
        let names: Vec<_> = expected.iter().map(|name| format!("`{name}`")).collect();
        FieldError::custom(format_args!("must be one of {}", names.join(", ")))
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> FieldError {
        FieldError::at(field, "is unknown")
    }

    fn missing_field(field: &'static str) -> FieldError {
        FieldError::at(field, "is required")
    }

    fn duplicate_field(field: &'static str) -> FieldError {
        FieldError::at(field, "is given twice")
    }
}

/// The JSON name of a Rust type, from serde's description of it.
fn words(expected: &str) -> &str {
    match expected {
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "isize" | "usize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a map" => "an object",
        "a borrowed string" => "a string",
        "a sequence" => "an array",
        other if other.starts_with("struct ") => "an object",
        other if other.starts_with("a tuple") || other.starts_with("an array") => "an array",
        other if other.starts_with("variant ") || other.starts_with("enum ") => "a string",
        other => other,
    }
}

struct Reader(Value);

impl<'de> Deserializer<'de> for Reader {
    type Error = FieldError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (None, Some(value)) => visitor.visit_i64(value),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_string(text),
            Value::Array(values) => visitor.visit_seq(Items {
                values: values.into_iter(),
                index: 0,
            }),
            Value::Object(members) => visitor.visit_map(Members {
                members: members.into_iter(),
                next: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        if self.0.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        if !self.0.is_object() {
            return Err(FieldError::custom("must be an object"));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(StringDeserializer::new(text)),
            Value::Object(members) => {
                let members = Members {
                    members: members.into_iter(),
                    next: None,
                };
                visitor.visit_enum(MapAccessDeserializer::new(members))
            }
            _ => Err(FieldError::custom("must be a string")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

struct Items {
    values: std::vec::IntoIter<Value>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = FieldError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, FieldError> {
        let Some(value) = self.values.next() else {
            return Ok(None);
        };
        let index = self.index;
        self.index += 1;
        seed.deserialize(Reader(value))
            .map(Some)
            .map_err(|error| error.inside(&format!("[{index}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

struct Members {
    members: <Map<String, Value> as IntoIterator>::IntoIter,
    next: Option<(String, Value)>,
}

impl<'de> MapAccess<'de> for Members {
    type Error = FieldError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, FieldError> {
        self.next = self.members.next();
        let Some((name, _)) = &self.next else { return Ok(None) };
        seed.deserialize(StringDeserializer::new(name.clone())).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, FieldError> {
        let (name, value) = self.next.take().unwrap_or_default();
        seed.deserialize(Reader(value)).map_err(|error| error.inside(&name))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct Outer {
        inner: Inner,
        list: Option<Vec<u8>>,
        role: Option<Role>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct Inner {
        page: String,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Role {
        Viewer,
        Editor,
    }

    fn refusal(body: &str) -> String {
        from_slice::<Outer>(body.as_bytes()).expect_err(body).to_string()
    }

    #[test]
    fn a_refusal_names_the_field() {
        assert_eq!(refusal(r#"{}"#), "`inner` is required");
        assert_eq!(refusal(r#"[]"#), "The body must be an object");
        assert_eq!(refusal(r#"{"inner":["x"]}"#), "`inner` must be an object");
        assert_eq!(refusal(r#"{"inner":{}}"#), "`inner.page` is required");
        assert_eq!(refusal(r#"{"inner":{"page":null}}"#), "`inner.page` must be a string");
        assert_eq!(
            refusal(r#"{"inner":{"page":"x"},"list":{}}"#),
            "`list` must be an array"
        );
        assert_eq!(
            refusal(r#"{"inner":{"page":"x"},"list":[1,"2"]}"#),
            "`list[1]` must be a whole number"
        );
        assert_eq!(
            refusal(r#"{"inner":{"page":"x"},"list":[1.5]}"#),
            "`list[0]` must be a whole number"
        );
        assert_eq!(
            refusal(r#"{"inner":{"page":"x"},"list":[300]}"#),
            "`list[0]` is out of range: it must be a whole number"
        );
        assert_eq!(
            refusal(r#"{"inner":{"page":"x"},"role":"owner"}"#),
            "`role` must be one of `viewer`, `editor`"
        );
        assert_eq!(refusal(r#"{"inner":{"page":"x"},"role":1}"#), "`role` must be a string");
    }

    #[test]
    fn what_is_not_json_is_refused_in_words() {
        assert!(refusal("{").starts_with("The body is not valid JSON: EOF"));
        assert!(refusal("").starts_with("The body is not valid JSON: EOF"));
        assert!(refusal(r#"{"inner":"\ud800"}"#).starts_with("The body is not valid JSON"));
        assert_eq!(
            from_slice::<Outer>(b"\"\xff\"").unwrap_err().message(),
            "The body is not valid UTF-8"
        );
        assert!(refusal(&"[".repeat(100_000)).starts_with("The body is not valid JSON: recursion"));
    }

    #[test]
    fn unknown_members_are_ignored() {
        assert!(from_slice::<Outer>(br#"{"inner":{"page":"x","more":{"a":[1]}},"list":null,"role":"editor"}"#).is_ok());
    }
}
