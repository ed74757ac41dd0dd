//! The serializer behind [`to_vec`](super::to_vec): values, and arrays and objects while they are written. They stand in one
//! file because each uses the other.

use std::fmt::{self, Display};

use serde::ser::{self, Serialize, Serializer};

use super::buffer::Buffer;
use super::raw::RAW;

/// Why a value could not be written.
#[derive(Debug)]
pub struct WriteError(String);

impl Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WriteError {}

impl ser::Error for WriteError {
    fn custom<T: Display>(message: T) -> WriteError {
        WriteError(message.to_string())
    }
}

/// Writes one value.
pub(super) struct Writer<'a> {
    out: &'a mut Buffer,
    /// A string is written as it is: the inside of a [`Raw`](super::Raw).
    raw: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(out: &'a mut Buffer) -> Writer<'a> {
        Writer { out, raw: false }
    }

    /// A number, in the words of `serde_json`.
    fn number<T: Serialize>(self, value: T) -> Result<(), WriteError> {
        serde_json::to_writer(self.out, &value).map_err(ser::Error::custom)
    }

    #[inline(always)]
    fn bytes(self, bytes: &[u8]) -> Result<(), WriteError> {
        self.out.raw(bytes);
        Ok(())
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty)*) => {
        $(fn $method(self, value: $type) -> Result<(), WriteError> {
            self.number(value)
        })*
    };
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = WriteError;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    numbers! {
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64 serialize_i128 i128
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64 serialize_u128 u128
        serialize_f32 f32 serialize_f64 f64
    }

    fn serialize_bool(self, value: bool) -> Result<(), WriteError> {
        self.bytes(if value { b"true" } else { b"false" })
    }

    fn serialize_char(self, value: char) -> Result<(), WriteError> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), WriteError> {
        if self.raw {
            return self.bytes(value.as_bytes());
        }
        self.out.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), WriteError> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<(), WriteError> {
        self.bytes(b"null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), WriteError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), WriteError> {
        self.bytes(b"null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), WriteError> {
        self.bytes(b"null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), WriteError> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), WriteError> {
        if name != RAW {
            return value.serialize(self);
        }
        value.serialize(Writer {
            out: self.out,
            raw: true,
        })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        let mut object = Compound::object(self.out);
        object.member(variant, value)?;
        object.close()
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'a>, WriteError> {
        Ok(Compound::array(self.out))
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'a>, WriteError> {
        Ok(Compound::array(self.out))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>, WriteError> {
        Ok(Compound::array(self.out))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, WriteError> {
        Ok(Compound::variant(self.out, variant, Compound::array))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'a>, WriteError> {
        Ok(Compound::object(self.out))
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'a>, WriteError> {
        Ok(Compound::object(self.out))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a>, WriteError> {
        Ok(Compound::variant(self.out, variant, Compound::object))
    }
}

/// An open array or object.
pub(super) struct Compound<'a> {
    out: &'a mut Buffer,
    first: bool,
    end: u8,
    /// Whether an enum's variant is around it, which needs one more `}`.
    wrapped: bool,
}

impl<'a> Compound<'a> {
    #[inline(always)]
    fn array(out: &'a mut Buffer) -> Compound<'a> {
        out.push(b'[');
        Compound {
            out,
            first: true,
            end: b']',
            wrapped: false,
        }
    }

    #[inline(always)]
    fn object(out: &'a mut Buffer) -> Compound<'a> {
        out.push(b'{');
        Compound {
            out,
            first: true,
            end: b'}',
            wrapped: false,
        }
    }

    /// The content of an enum's variant: `{"Variant":` before it and `}` after it.
    fn variant(
        out: &'a mut Buffer,
        variant: &'static str,
        content: impl FnOnce(&'a mut Buffer) -> Compound<'a>,
    ) -> Compound<'a> {
        out.push(b'{');
        out.name(true, variant);
        Compound {
            wrapped: true,
            ..content(out)
        }
    }

    #[inline(always)]
    fn close(self) -> Result<(), WriteError> {
        self.out.push(self.end);
        if self.wrapped {
            self.out.push(b'}');
        }
        Ok(())
    }

    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
        value.serialize(Writer::new(self.out))
    }

    #[inline(always)]
    fn member<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        self.out.name(std::mem::take(&mut self.first), name);
        value.serialize(Writer::new(self.out))
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident)*) => {
        $(impl ser::$trait for Compound<'_> {
            type Ok = ();
            type Error = WriteError;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
                self.element(value)
            }

            #[inline]
            fn end(self) -> Result<(), WriteError> {
                self.close()
            }
        })*
    };
}

elements! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! members {
    ($($trait:ident)*) => {
        $(impl ser::$trait for Compound<'_> {
            type Ok = ();
            type Error = WriteError;

            #[inline(always)]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), WriteError> {
                self.member(name, value)
            }

            #[inline]
            fn end(self) -> Result<(), WriteError> {
                self.close()
            }
        })*
    };
}

members! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = WriteError;

    /// A key is text. A number or a truth value is put in quotes, as `serde_json` does.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), WriteError> {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
        let start = self.out.position();
        key.serialize(Writer::new(self.out))?;
        match self.out.since(start).first() {
            Some(b'"') => Ok(()),
            Some(b'[' | b'{' | b'n') | None => Err(ser::Error::custom("a key must be text or a number")),
            Some(_) => {
                self.out.quote_since(start);
                Ok(())
            }
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        self.out.push(b':');
        value.serialize(Writer::new(self.out))
    }

    fn end(self) -> Result<(), WriteError> {
        self.close()
    }
}
