//! The values in the path and in the query string.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use super::text::{Pairs, Values};
use super::{FromRequest, Parts};
use crate::error::Result;

/// The path's `{parameters}`, percent-decoded: one value, a tuple in their order, or a struct by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Path<T> {
    type Needs = ();

    fn from_request(parts: &mut Parts<'_>) -> Result<Path<T>> {
        let values = Values {
            names: parts.names,
            values: &parts.request.params(),
        };
        Ok(Path(T::deserialize(values)?))
    }
}

/// The query string, as a struct by its names. Unknown names are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Needs = ();

    fn from_request(parts: &mut Parts<'_>) -> Result<Query<T>> {
        let query = parts.request.query();
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        });
        Ok(Query(T::deserialize(Pairs::new(pairs.collect()))?))
    }
}

/// Decodes `+` and `%XX`. An invalid escape stays as it is; invalid UTF-8 is replaced.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains(['+', '%']) {
        return Cow::Borrowed(text);
    }
    let mut rest = text.as_bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some((&first, after)) = rest.split_first() {
        (rest, _) = match (first, after) {
            (b'+', _) => (after, decoded.push(b' ')),
            (b'%', [high, low, after @ ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                (after, decoded.push(hex(*high) << 4 | hex(*low)))
            }
            _ => (after, decoded.push(first)),
        };
    }
    Cow::Owned(
        String::from_utf8(decoded).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    )
}

/// The value of a hexadecimal digit.
fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        assert_eq!(decode("plain"), "plain");
        assert_eq!(decode("a+b%20c%C3%A4"), "a b c\u{e4}");
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%4"), "%zz%4");
        assert_eq!(decode("%FF"), "\u{fffd}");
    }
}
