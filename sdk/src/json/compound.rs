//! Arrays and objects while they are written.

use serde::ser::{self, Error as _, Serialize};

use super::text;
use super::write::{WriteError, Writer};

/// An open array or object.
pub(super) struct Compound<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
    end: &'static str,
}

impl<'a> Compound<'a> {
    pub(super) fn open(out: &'a mut Vec<u8>, start: u8, end: &'static str) -> Compound<'a> {
        out.push(start);
        Compound { out, first: true, end }
    }

    pub(super) fn close(self) -> Result<(), WriteError> {
        self.out.extend_from_slice(self.end.as_bytes());
        Ok(())
    }

    fn comma(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        self.comma();
        value.serialize(Writer::new(self.out))
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        self.comma();
        text::write(self.out, name);
        self.out.push(b':');
        value.serialize(Writer::new(self.out))
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident)*) => {
        $(impl ser::$trait for Compound<'_> {
            type Ok = ();
            type Error = WriteError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
                self.element(value)
            }

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

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), WriteError> {
                self.member(name, value)
            }

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
        self.comma();
        let start = self.out.len();
        key.serialize(Writer::new(self.out))?;
        match self.out.get(start) {
            Some(b'"') => Ok(()),
            Some(b'[' | b'{' | b'n') | None => Err(WriteError::custom("a key must be text or a number")),
            Some(_) => {
                self.out.insert(start, b'"');
                self.out.push(b'"');
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
