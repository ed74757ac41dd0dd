//! Arrays and objects while they are written.

use serde::ser::{self, Error as _, Serialize};

use super::buffer::Buffer;
use super::write::{WriteError, Writer};

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
    pub(super) fn array(out: &'a mut Buffer) -> Compound<'a> {
        out.push(b'[');
        Compound {
            out,
            first: true,
            end: b']',
            wrapped: false,
        }
    }

    #[inline(always)]
    pub(super) fn object(out: &'a mut Buffer) -> Compound<'a> {
        out.push(b'{');
        Compound {
            out,
            first: true,
            end: b'}',
            wrapped: false,
        }
    }

    /// The content of an enum's variant: `{"Variant":` before it and `}` after it.
    pub(super) fn variant(
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
    pub(super) fn close(self) -> Result<(), WriteError> {
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
    pub(super) fn member<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
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
            Some(b'[' | b'{' | b'n') | None => Err(WriteError::custom("a key must be text or a number")),
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
