//! A serializer to compact JSON. Its output is that of `serde_json::to_vec`; texts take a fraction of the time.

use std::fmt::{self, Display};

use serde::ser::{self, Serialize, Serializer};

use super::buffer::Buffer;
use super::compound::Compound;

/// Text that is JSON already, such as a column that holds JSON. It is written unchanged and unchecked; other serializers write
/// it as a string.
///
/// ```
/// use galley_sdk::json::{Raw, to_vec};
///
/// assert_eq!(to_vec(&(Raw("[1,2]"), 3)).unwrap(), b"[[1,2],3]");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(pub &'a str);

const RAW: &str = "$galley::json::Raw";

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(RAW, self.0)
    }
}

/// Writes `value` as JSON. `Err` when the type's own serialization fails or a map's key is no text or number.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, WriteError> {
    let mut out = Buffer::new();
    value.serialize(Writer::new(&mut out))?;
    Ok(out.finish())
}

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

pub(super) struct Writer<'a> {
    out: &'a mut Buffer,
    /// A string is written as it is: the inside of a [`Raw`].
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::to_vec;

    #[derive(Serialize)]
    enum Shape {
        Unit,
        New(u8),
        Tuple(i64, f64),
        Struct { a: Option<bool>, b: () },
    }

    #[derive(Serialize)]
    struct Everything<'a> {
        text: &'a str,
        letter: char,
        shapes: [Shape; 4],
        map: BTreeMap<i32, (Option<&'a str>, u64)>,
        empty: [(); 0],
        bytes: &'a [u8],
    }

    #[test]
    fn writes_what_serde_json_writes() {
        let everything = Everything {
            text: "a \"quoted\" text\n",
            letter: 'ß',
            shapes: [
                Shape::Unit,
                Shape::New(1),
                Shape::Tuple(-5, 0.1),
                Shape::Struct { a: Some(true), b: () },
            ],
            map: [(1, (None, 2)), (-3, (Some("x"), u64::MAX))].into(),
            empty: [],
            bytes: b"ab",
        };
        assert_eq!(
            String::from_utf8(to_vec(&everything).unwrap()).unwrap(),
            serde_json::to_string(&everything).unwrap()
        );
    }

    #[test]
    fn a_key_is_text() {
        assert!(to_vec(&BTreeMap::from([([1], 2)])).is_err());
    }
}
