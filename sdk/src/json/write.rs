//! Writing a value as compact JSON. The output is that of `serde_json::to_vec`; texts take a fraction of the time.

use serde::ser::Serialize;

use super::buffer::Buffer;
use super::serializer::{WriteError, Writer};

/// Writes `value` as JSON. `Err` when the type's own serialization fails or the key of a map is neither text nor a number.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, WriteError> {
    let mut out = Buffer::new();
    value.serialize(Writer::new(&mut out))?;
    Ok(out.finish())
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
