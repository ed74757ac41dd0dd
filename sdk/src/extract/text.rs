//! Parses numbers and other types from the texts of path parameters and queries.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::json::FieldError;

/// One text under its name.
#[derive(Clone)]
pub(super) struct Text<'de> {
    name: Cow<'de, str>,
    text: Cow<'de, str>,
}

impl<'de> Text<'de> {
    fn new(name: Cow<'de, str>, text: Cow<'de, str>) -> Text<'de> {
        Text { name, text }
    }

    fn number<T: FromStr>(&self) -> Result<T, FieldError>
    where
        T::Err: Display,
    {
        self.text
            .parse()
            .map_err(|_| FieldError::at(&self.name, "must be a whole number"))
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
            visitor.$visit(self.number()?)
        })*
    };
}

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = FieldError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        let name = self.name;
        match self.text {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
        .map_err(|error: FieldError| error.inside(&name))
    }

    integers! {
        deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32 deserialize_u64 visit_u64
        deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32 deserialize_i64 visit_i64
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_f64(
            self.text
                .parse()
                .map_err(|_| FieldError::at(&self.name, "must be a number"))?,
        )
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match self.text.as_ref() {
            "true" | "1" => visitor.visit_bool(true),
            "false" | "0" => visitor.visit_bool(false),
            _ => Err(FieldError::at(&self.name, "must be true or false")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        let name = self.name;
        visitor
            .visit_enum(self.text.into_deserializer())
            .map_err(|error: FieldError| error.inside(&name))
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
        i128 u128
    }
}

impl<'de> IntoDeserializer<'de, FieldError> for Text<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The path parameters.
pub(super) struct Values<'de> {
    pub(super) names: &'de [&'static str],
    pub(super) values: &'de [String],
}

impl<'de> Values<'de> {
    fn texts(&self) -> impl Iterator<Item = Text<'de>> + use<'de> {
        self.names
            .iter()
            .zip(self.values)
            .map(|(name, value)| Text::new(Cow::Borrowed(*name), Cow::Borrowed(value)))
    }

    /// The one parameter, for a type that is not a tuple or a struct.
    fn single(&self) -> Result<Text<'de>, FieldError> {
        match self.values.len() {
            1 => self
                .texts()
                .next()
                .ok_or_else(|| FieldError::custom("the path parameter has no name")),
            count => Err(FieldError::custom(format_args!(
                "the path has {count} parameters, the handler takes one"
            ))),
        }
    }
}

macro_rules! singles {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
            self.single()?.$method(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Values<'de> {
    type Error = FieldError;

    singles! {
        deserialize_any deserialize_bool deserialize_char deserialize_str deserialize_string deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_f32 deserialize_f64 deserialize_option
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_map(MapDeserializer::new(self.texts().map(|text| (text.name.clone(), text))))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_seq(SeqDeserializer::new(self.texts()))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, FieldError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        self.single()?.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! { bytes byte_buf unit unit_struct identifier ignored_any i128 u128 }
}

/// The names and values of a query.
pub(super) struct Pairs<'de>(Vec<(Cow<'de, str>, Cow<'de, str>)>);

impl<'de> Pairs<'de> {
    pub(super) fn new(pairs: Vec<(Cow<'de, str>, Cow<'de, str>)>) -> Pairs<'de> {
        Pairs(pairs)
    }
}

impl<'de> Deserializer<'de> for Pairs<'de> {
    type Error = FieldError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        let pairs = self
            .0
            .into_iter()
            .map(|(name, text)| (name.clone(), Text::new(name, text)));
        visitor.visit_map(MapDeserializer::new(pairs))
    }

    forward_to_deserialize_any! {
        bool u8 u16 u32 u64 i8 i16 i32 i64 i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
