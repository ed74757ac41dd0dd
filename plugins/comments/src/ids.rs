//! Lists of ids, as statements get them.

use serde_json::{Map, Value};

/// The ids as the keys of a JSON object, each with its first place: `json_each` answers the keys of an object alike in SQLite and in
/// PostgreSQL, and the elements of an array not. Texts with U+0000 are left out: no id has it, and PostgreSQL reads no key with it.
pub(crate) fn keys<'i>(ids: impl IntoIterator<Item = &'i String>) -> String {
    let mut keys = Map::new();
    for (place, id) in ids.into_iter().enumerate() {
        if !id.contains('\0') {
            keys.entry(id).or_insert(place.into());
        }
    }
    Value::Object(keys).to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_id_has_its_first_place() {
        let ids = ["b", "a", "b", "a\0", "é\""].map(str::to_owned);
        let keys: serde_json::Value = serde_json::from_str(&super::keys(&ids)).unwrap();
        assert_eq!(keys, serde_json::json!({ "b": 0, "a": 1, "é\"": 4 }));
        assert_eq!(super::keys([]), "{}");
    }
}
