//! Values that nobody may see: kept apart from texts, and taken out of texts.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

/// A key. It is never printed, logged or sent but to whom it belongs.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a value apart.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value, for the one request that needs it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// Shorter values stand in many a text by chance.
const MIN_CHARACTERS: usize = 8;

/// How the names of variables with secrets end.
const ENDINGS: [&str; 4] = ["_KEY", "_TOKEN", "_SECRET", "PASSWORD"];

/// What stands in the place of a secret.
const INSTEAD: &str = "[secret]";

/// Known values of secrets, which are replaced in whatever goes to a model, to disk, into a log or to a page.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Secrets({})", self.0.len())
    }
}

impl Secrets {
    /// Those of variables whose names say so.
    #[must_use]
    pub fn of_variables(variables: impl Iterator<Item = (String, String)>) -> Self {
        let mut secrets = Self::default();
        secrets.add_variables(variables);
        secrets
    }

    /// Adds those of more variables.
    pub fn add_variables(&mut self, variables: impl Iterator<Item = (String, String)>) {
        for (name, value) in variables {
            let name = name.to_ascii_uppercase();
            if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
                self.add(&value);
            }
        }
    }

    /// Adds a value. One that is too short is not looked for.
    pub fn add(&mut self, value: &str) {
        let value = value.trim();
        if value.chars().count() >= MIN_CHARACTERS && !self.0.iter().any(|known| known == value) {
            self.0.push(value.to_owned());
            // The longest first: one secret may be a part of another.
            self.0.sort_by_key(|known| std::cmp::Reverse(known.len()));
        }
    }

    /// A text without them.
    #[must_use]
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                text = Cow::Owned(text.replace(secret.as_str(), INSTEAD));
            }
        }
        text
    }

    /// JSON without them, in its keys neither.
    #[must_use]
    pub fn hide_in(&self, value: Value) -> Value {
        match value {
            _ if self.0.is_empty() => value,
            Value::String(text) => Value::String(self.hide(&text).into_owned()),
            Value::Array(list) => list.into_iter().map(|value| self.hide_in(value)).collect(),
            Value::Object(map) => {
                let entries = map.into_iter();
                let hidden = entries.map(|(key, value)| (self.hide(&key).into_owned(), self.hide_in(value)));
                Value::Object(hidden.collect())
            }
            other => other,
        }
    }

    /// How many bytes at the end of `text` could be the beginning of one.
    pub(super) fn begun(&self, text: &str) -> usize {
        let begun = self.0.iter().filter_map(|secret| {
            let most = secret.len().saturating_sub(1).min(text.len());
            let mut ends = (1..=most).rev().filter(|length| secret.is_char_boundary(*length));
            ends.find(|length| text.ends_with(&secret[..*length]))
        });
        begun.max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_are_hidden_wherever_they_stand() {
        let variables = [
            ("A_TOKEN", "canary-12345"),
            ("B_KEY", "canary-12345-longer"),
            ("DB_PASSWORD", "hunter22"),
            ("SHORT_KEY", "abc"),
            ("HOME", "/home/somebody"),
        ];
        let pairs = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let secrets = Secrets::of_variables(pairs.into_iter());
        let text = "x canary-12345-longer y canary-12345 hunter22 abc /home/somebody";
        assert_eq!(secrets.hide(text), "x [secret] y [secret] [secret] abc /home/somebody");
        assert!(matches!(secrets.hide("nothing here"), Cow::Borrowed(_)));
        assert!(!format!("{secrets:?} {:?}", Secret::new("canary-12345")).contains("canary"));
    }
}
