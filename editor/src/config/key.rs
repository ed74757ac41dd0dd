//! Reading JSON files, and single keys of them with errors that name the key in full.

use std::io::ErrorKind;
use std::path::Path;

use serde_json::{Map, Value};

use super::Problem;

/// Configurations are small; what is larger is something else.
const MAX_BYTES: u64 = 4 << 20;

/// The whole file as JSON; `None` when there is no such file. Strict JSON, apart from a byte order mark, which some editors
/// add unasked.
pub(super) fn read_file(path: &Path) -> Result<Option<Value>, Problem> {
    let Some(text) = read_text(path)? else {
        return Ok(None);
    };
    parse(&text).map(Some)
}

/// The text of a file with its byte order mark.
pub(super) fn read_text(path: &Path) -> Result<Option<String>, Problem> {
    let unreadable = |error: &dyn std::fmt::Display| Problem::whole(format!("the file cannot be read: {error}"));
    let facts = match std::fs::metadata(path) {
        Ok(facts) => facts,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(unreadable(&error)),
    };
    if !facts.is_file() {
        return Err(unreadable(&"it is not a file"));
    }
    if facts.len() > MAX_BYTES {
        return Err(unreadable(&format_args!("it is longer than {MAX_BYTES} bytes")));
    }
    std::fs::read_to_string(path)
        .map(Some)
        .map_err(|error| unreadable(&error))
}

/// The JSON of a file's text.
pub(super) fn parse(text: &str) -> Result<Value, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| {
        Problem::whole(format!(
            "the file is not valid JSON: {error} (strict JSON has no comments and no trailing commas)"
        ))
    })
}

/// A key, there or not, with the path that leads to it.
#[derive(Debug, Clone)]
pub(super) struct Key<'a> {
    path: String,
    value: Option<&'a Value>,
}

impl<'a> Key<'a> {
    /// The whole file. It must hold an object.
    pub fn top(value: &'a Value) -> Result<Key<'a>, Problem> {
        let top = Key {
            path: String::new(),
            value: Some(value),
        };
        if value.is_object() {
            Ok(top)
        } else {
            Err(Problem::whole(format!(
                "the file must hold an object, but holds {}",
                show(value)
            )))
        }
    }

    /// A key of this object. It is missing when this one is missing.
    pub fn get(&self, name: &str) -> Key<'a> {
        let path = match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        let value = self.value.and_then(|value| value.get(name));
        Key { path, value }
    }

    /// A key that holds an object or is missing.
    pub fn object(&self, name: &str) -> Result<Key<'a>, Problem> {
        let key = self.get(name);
        match key.value {
            None | Some(Value::Object(_)) => Ok(key),
            Some(_) => Err(key.expected("an object")),
        }
    }

    /// The keys of this object, in the order of the alphabet.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, Key<'a>)> + use<'a> {
        let path = self.path.clone();
        let object: Option<&Map<String, Value>> = self.value.and_then(Value::as_object);
        object.into_iter().flatten().map(move |(name, value)| {
            let path = if path.is_empty() {
                name.clone()
            } else {
                format!("{path}.{name}")
            };
            let value = Some(value);
            (name.as_str(), Key { path, value })
        })
    }

    /// The elements of an array; `None` when the key is missing.
    pub fn elements(&self) -> Result<Option<Vec<Key<'a>>>, Problem> {
        match self.value {
            None => Ok(None),
            Some(Value::Array(values)) => {
                let element = |(index, value)| Key {
                    path: format!("{}[{index}]", self.path),
                    value: Some(value),
                };
                Ok(Some(values.iter().enumerate().map(element).collect()))
            }
            Some(_) => Err(self.expected("a list")),
        }
    }

    pub fn value(&self) -> Option<&'a Value> {
        self.value
    }

    pub fn is_missing(&self) -> bool {
        self.value.is_none()
    }

    /// A problem of this key.
    pub fn problem(&self, words: impl Into<String>) -> Problem {
        Problem {
            key: self.path.clone(),
            words: words.into(),
        }
    }

    /// The problem that this key holds something else than `what`.
    pub fn expected(&self, what: &str) -> Problem {
        match self.value {
            None => self.problem(format!("is missing; it must be {what}")),
            Some(value) => self.problem(format!("must be {what}, but is {}", show(value))),
        }
    }

    pub fn boolean(&self) -> Result<Option<bool>, Problem> {
        match self.value {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(_) => Err(self.expected("true or false")),
        }
    }

    pub fn text(&self) -> Result<Option<&'a str>, Problem> {
        match self.value {
            None => Ok(None),
            Some(Value::String(value)) => Ok(Some(value)),
            Some(_) => Err(self.expected("a text")),
        }
    }

    /// A text that must be there and not be empty.
    pub fn required_text(&self) -> Result<&'a str, Problem> {
        let text = self.text()?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| self.expected("a text that is not empty"))
    }

    /// A list of texts, empty when missing.
    pub fn texts(&self) -> Result<Vec<String>, Problem> {
        let elements = self.elements()?.unwrap_or_default();
        let texts = elements
            .iter()
            .map(|element| Ok(element.text()?.ok_or_else(|| element.expected("a text"))?.to_owned()));
        texts.collect()
    }

    /// A text that `good` holds of; `what` says what it must be.
    pub fn text_that(&self, what: &str, good: impl Fn(&str) -> bool) -> Result<Option<String>, Problem> {
        match self.text()? {
            Some(text) if !good(text) => Err(self.expected(what)),
            text => Ok(text.map(str::to_owned)),
        }
    }

    /// A number above zero.
    pub fn positive_number(&self) -> Result<Option<f64>, Problem> {
        let Some(value) = self.value else { return Ok(None) };
        let number = value.as_f64().filter(|number| *number > 0.0);
        number.map(Some).ok_or_else(|| self.expected("a number above 0"))
    }

    /// A whole number above zero; `3.0` is one.
    pub fn positive_integer(&self) -> Result<Option<u64>, Problem> {
        let Some(value) = self.value else { return Ok(None) };
        integer(value)
            .filter(|number| *number > 0)
            .map(Some)
            .ok_or_else(|| self.expected("a whole number above 0"))
    }
}

/// The whole number a value is, `3.0` included.
pub(super) fn integer(value: &Value) -> Option<u64> {
    // Every whole number up to here is exact as a float.
    const EXACT: f64 = 9_007_199_254_740_991.0;
    let whole = |number: f64| (0.0..=EXACT).contains(&number) && number.fract() == 0.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "both were just checked"
    )]
    let from_float = || {
        value
            .as_f64()
            .filter(|number| whole(*number))
            .map(|number| number as u64)
    };
    value.as_u64().or_else(from_float)
}

/// A value as it stands in the file, cut when it is long.
fn show(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        value => {
            let text = value.to_string();
            if text.chars().count() > 60 {
                format!("{}…", text.chars().take(60).collect::<String>())
            } else {
                text
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_name_the_key_in_full_and_what_it_holds() {
        let file = json!({ "a": { "b": [true, "x"], "c": "yes", "d": null } });
        let a = Key::top(&file).unwrap().object("a").unwrap();
        let elements = a.get("b").elements().unwrap().unwrap();
        let texts = elements[0].text().unwrap_err().to_string();
        assert_eq!(texts, "`a.b[0]` must be a text, but is true");
        assert_eq!(
            a.get("c").boolean().unwrap_err().to_string(),
            "`a.c` must be true or false, but is \"yes\""
        );
        assert_eq!(
            a.get("d").boolean().unwrap_err().to_string(),
            "`a.d` must be true or false, but is null"
        );
        assert_eq!(
            a.get("e").required_text().unwrap_err().to_string(),
            "`a.e` is missing; it must be a text that is not empty"
        );
        assert_eq!(a.object("c").unwrap_err().key, "a.c");
        assert!(Key::top(&json!([])).is_err());
    }

    #[test]
    fn whole_numbers_may_be_written_as_floats() {
        assert_eq!(integer(&json!(3.0)), Some(3));
        for odd in [json!(3.5), json!(-1), json!(1e300), json!("3"), json!(null)] {
            assert_eq!(integer(&odd), None, "{odd}");
        }
    }

    #[test]
    fn long_values_are_cut_in_messages() {
        assert!(show(&json!("ä".repeat(10_000))).chars().count() < 70);
    }

    #[test]
    fn only_strict_json_is_read_and_a_byte_order_mark_is_no_error() {
        assert_eq!(parse("\u{feff}{}"), Ok(json!({})));
        for text in ["{ // no\n}", "{ \"a\": 1, }", "", "{", &"[".repeat(1_000_000)] {
            assert!(parse(text).is_err());
        }
    }
}
