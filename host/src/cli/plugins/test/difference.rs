//! How an answer differs from what was expected.

use serde::Serialize;
use serde_json::Value;

use super::script::Expected;

/// The longest text of an answer that is shown, in characters.
const MAX_SHOWN: usize = 300;

/// One difference.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// `status`, `header NAME`, `json POINTER`, `text`, or what went wrong before.
    pub at: String,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub was: String,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body; empty for a stream, which has no end.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }
}

/// Compares an answer.
pub fn differences(expected: &Expected, answer: &Answer) -> Vec<Difference> {
    let mut found = Vec::new();
    let body = String::from_utf8_lossy(&answer.body);
    let is_wanted = expected
        .status
        .map_or((200..300).contains(&answer.status), |status| status == answer.status);
    if !is_wanted {
        let wanted = expected
            .status
            .map_or("200 to 299".to_owned(), |status| status.to_string());
        let said = if body.is_empty() {
            String::new()
        } else {
            format!(": {}", shown(&body))
        };
        found.push(Difference {
            at: "status".into(),
            expected: wanted,
            was: format!("{}{said}", answer.status),
        });
    }
    for (name, value) in &expected.headers {
        let mut headers = answer
            .headers
            .iter()
            .filter(|(other, _)| other.eq_ignore_ascii_case(name));
        let first = headers.clone().next();
        if !headers.any(|(_, other)| other == value) {
            found.push(Difference {
                at: format!("header {}", name.to_lowercase()),
                expected: value.clone(),
                was: first.map_or("absent".to_owned(), |(_, value)| value.clone()),
            });
        }
    }
    if let Some(wanted) = &expected.json {
        match answer.json() {
            Some(json) => compare("", wanted, &json, &mut found),
            None => found.push(Difference {
                at: "json".into(),
                expected: shown(&wanted.to_string()),
                was: if body.is_empty() {
                    "no body".into()
                } else {
                    shown(&body)
                },
            }),
        }
    }
    if let Some(text) = expected.text.as_ref().filter(|text| !body.contains(text.as_str())) {
        found.push(Difference {
            at: "text".into(),
            expected: text.clone(),
            was: shown(&body),
        });
    }
    found
}

/// Objects may have more keys than were expected; lists and everything else are equal.
fn compare(at: &str, wanted: &Value, json: &Value, found: &mut Vec<Difference>) {
    match (wanted, json) {
        (Value::Object(wanted), Value::Object(members)) => {
            for (key, wanted) in wanted {
                let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                match members.get(key) {
                    Some(json) => compare(&at, wanted, json, found),
                    None => found.push(difference(&at, &wanted.to_string(), "absent")),
                }
            }
        }
        (Value::Array(wanted), Value::Array(list)) if wanted.len() == list.len() => {
            for (index, (wanted, json)) in wanted.iter().zip(list).enumerate() {
                compare(&format!("{at}/{index}"), wanted, json, found);
            }
        }
        (wanted, json) if is_equal(wanted, json) => {}
        (wanted, json) => found.push(difference(at, &wanted.to_string(), &json.to_string())),
    }
}

/// 1 and 1.0 are the same number.
fn is_equal(wanted: &Value, json: &Value) -> bool {
    match (wanted, json) {
        (Value::Number(wanted), Value::Number(number)) => wanted == number || wanted.as_f64() == number.as_f64(),
        (wanted, json) => wanted == json,
    }
}

fn difference(at: &str, expected: &str, was: &str) -> Difference {
    Difference {
        at: format!("json {at}").trim_end().to_owned(),
        expected: shown(expected),
        was: shown(was),
    }
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn differences_are_named_by_their_place() {
        let expected: Expected = serde_json::from_value(json!({
            "status": 201, "headers": { "X-Test": "yes" }, "text": "tea",
            "json": { "a": 1, "list": [{ "b": 2 }, 3], "gone": null, "x/y": "z" },
        }))
        .unwrap();
        let mut answer = Answer {
            status: 201,
            headers: vec![("x-test".into(), "yes".into())],
            body: br#"{"a":1.0,"list":[{"b":2,"c":0},3],"gone":null,"x/y":"z","more":"tea"}"#.to_vec(),
        };
        assert_eq!(differences(&expected, &answer), []);
        answer.status = 200;
        answer.headers.clear();
        answer.body = br#"{"a":"1","list":[{"b":2}],"x/y":"w"}"#.to_vec();
        let found = differences(&expected, &answer);
        let places: Vec<&str> = found.iter().map(|found| found.at.as_str()).collect();
        assert_eq!(
            places,
            [
                "status",
                "header x-test",
                "json /a",
                "json /gone",
                "json /list",
                "json /x~1y",
                "text"
            ]
        );
        assert_eq!((found[2].expected.as_str(), found[2].was.as_str()), ("1", "\"1\""));
        answer.body = b"oh".to_vec();
        let found = differences(&expected, &answer);
        assert!(
            found.iter().any(|found| found.at == "json" && found.was == "oh"),
            "{found:?}"
        );
    }
}
