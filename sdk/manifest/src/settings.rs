//! What the operator can set for a plugin: settings, which the plugin reads, and secrets, which it never sees.

use galley_people::name::is_disruptive;
use serde::{Deserialize, Serialize, Serializer};

use crate::error::ManifestError;

/// The most settings and secrets of a plugin.
pub const MAX_SETTINGS: usize = 100;
/// The longest key, in bytes.
pub const MAX_KEY_BYTES: usize = 64;
/// The longest explanation, in bytes.
const MAX_WORDS_BYTES: usize = 500;
/// Whole numbers up to here are told apart by a number of JSON.
const MAX_WHOLE: f64 = 9_007_199_254_740_991.0;

/// One key that the operator can set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Setting<S> {
    /// 1 to 64 letters, digits, `-`, `_` and `.`.
    pub key: S,
    /// What it takes.
    #[serde(rename = "type")]
    pub kind: SettingKind,
    /// What it is for, for the operator: one line.
    #[serde(default)]
    pub words: S,
    /// Its value until the operator sets one; a text is one line. A secret has none.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub default: Option<SettingValue<S>>,
}

fn none<T>() -> Option<T> {
    None
}

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SettingKind {
    /// Any text.
    Text,
    /// A number, with or without a fraction.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A text that goes with requests to declared hosts, and that the plugin cannot read.
    Secret,
}

impl SettingKind {
    /// What it takes, for people.
    pub fn words(self) -> &'static str {
        match self {
            SettingKind::Text => "a text",
            SettingKind::Number => "a number",
            SettingKind::Boolean => "`true` or `false`",
            SettingKind::Secret => "a secret",
        }
    }
}

/// The value of a setting. As JSON it is a text, a number, or `true` or `false`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum SettingValue<S> {
    /// `true` or `false`.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(S),
}

impl<S: Serialize> Serialize for SettingValue<S> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        match self {
            SettingValue::Boolean(value) => serializer.serialize_bool(*value),
            // A reader that expects a whole number does not take `7.0`.
            SettingValue::Number(value) if value.fract() == 0.0 && value.abs() <= MAX_WHOLE => {
                serializer.serialize_i64(*value as i64)
            }
            SettingValue::Number(value) => serializer.serialize_f64(*value),
            SettingValue::Text(value) => value.serialize(serializer),
        }
    }
}

impl<S: AsRef<str>> std::fmt::Display for SettingValue<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SettingValue::Boolean(value) => value.fmt(f),
            SettingValue::Number(value) => value.fmt(f),
            SettingValue::Text(value) => f.write_str(value.as_ref()),
        }
    }
}

impl<S> SettingValue<S> {
    /// What a setting with this default takes.
    pub fn kind(&self) -> SettingKind {
        match self {
            SettingValue::Boolean(_) => SettingKind::Boolean,
            SettingValue::Number(_) => SettingKind::Number,
            SettingValue::Text(_) => SettingKind::Text,
        }
    }
}

impl From<&'static str> for SettingValue<&'static str> {
    fn from(text: &'static str) -> Self {
        SettingValue::Text(text)
    }
}

impl From<bool> for SettingValue<&'static str> {
    fn from(value: bool) -> Self {
        SettingValue::Boolean(value)
    }
}

impl From<f64> for SettingValue<&'static str> {
    fn from(number: f64) -> Self {
        SettingValue::Number(number)
    }
}

impl From<i32> for SettingValue<&'static str> {
    fn from(number: i32) -> Self {
        SettingValue::Number(number.into())
    }
}

/// Whether a text is 1 to 64 letters, digits, `-`, `_` and `.`.
pub fn is_key(text: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    !text.is_empty() && text.len() <= MAX_KEY_BYTES && text.bytes().all(is_plain)
}

impl<S: AsRef<str>> Setting<S> {
    /// Reads what an operator wrote; `None` when it is of another type. A secret is a text here.
    ///
    /// ```
    /// use galley_manifest::{Setting, SettingKind, SettingValue};
    ///
    /// let days = Setting { key: "days", kind: SettingKind::Number, words: "", default: None };
    /// assert_eq!(days.read("7"), Some(SettingValue::Number(7.0)));
    /// assert_eq!(days.read("seven"), None);
    /// ```
    pub fn read<'t>(&self, text: &'t str) -> Option<SettingValue<&'t str>> {
        match self.kind {
            SettingKind::Text | SettingKind::Secret => Some(SettingValue::Text(text)),
            SettingKind::Boolean => text.parse().ok().map(SettingValue::Boolean),
            SettingKind::Number => {
                let number = text.parse().ok().filter(|number: &f64| number.is_finite());
                number.map(SettingValue::Number)
            }
        }
    }

    /// The value that the plugin reads, where the operator set `stored`. One that is of another type, because a plugin before
    /// this one declared the key differently, counts as not set.
    pub fn value<'v>(&'v self, stored: Option<&'v str>) -> Option<SettingValue<&'v str>> {
        if self.kind == SettingKind::Secret {
            return None;
        }
        let default = || {
            self.default.as_ref().map(|default| match default {
                SettingValue::Boolean(value) => SettingValue::Boolean(*value),
                SettingValue::Number(value) => SettingValue::Number(*value),
                SettingValue::Text(value) => SettingValue::Text(value.as_ref()),
            })
        };
        stored.and_then(|text| self.read(text)).or_else(default)
    }

    fn check(&self) -> Result<(), ManifestError> {
        let key = self.key.as_ref();
        if !is_key(key) {
            return Err(ManifestError::new(format!(
                "the setting `{}` is not 1 to {MAX_KEY_BYTES} letters, digits, `-`, `_` and `.`",
                key.escape_debug()
            )));
        }
        let words = self.words.as_ref();
        if words.len() > MAX_WORDS_BYTES || words.chars().any(is_disruptive) {
            return Err(ManifestError::new(format!(
                "the words of the setting `{key}` are not one line of at most {MAX_WORDS_BYTES} bytes"
            )));
        }
        match &self.default {
            None => Ok(()),
            Some(_) if self.kind == SettingKind::Secret => Err(ManifestError::new(format!(
                "the secret `{key}` has a default: only the operator knows a secret"
            ))),
            // The review shows it.
            Some(SettingValue::Text(text)) if text.as_ref().chars().any(is_disruptive) => Err(ManifestError::new(
                format!("the default of the setting `{key}` is not one line without control characters"),
            )),
            Some(default) if default.kind() == self.kind => Ok(()),
            Some(default) => Err(ManifestError::new(format!(
                "the default of the setting `{key}` is {}, and its type takes {}",
                default.kind().words(),
                self.kind.words()
            ))),
        }
    }
}

/// Checks each, and that no key is there twice.
pub(crate) fn check<S: AsRef<str>>(settings: &[Setting<S>]) -> Result<(), ManifestError> {
    if settings.len() > MAX_SETTINGS {
        return Err(ManifestError::new(format!(
            "it has {} settings, at most {MAX_SETTINGS} are possible",
            settings.len()
        )));
    }
    for (index, setting) in settings.iter().enumerate() {
        setting.check()?;
        let key = setting.key.as_ref();
        if settings[..index].iter().any(|other| other.key.as_ref() == key) {
            return Err(ManifestError::new(format!("the setting `{key}` is there twice")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Owned = Setting<String>;

    fn parse(text: &str) -> Result<Owned, String> {
        let setting: Owned = serde_json::from_str(text).map_err(|error| error.to_string())?;
        setting.check().map_err(|error| error.to_string())?;
        Ok(setting)
    }

    #[test]
    fn a_value_is_what_was_set_or_the_default() {
        let days = parse(r#"{"key":"days","type":"number","words":"Days","default":7}"#).unwrap();
        let json = |stored: Option<&str>| serde_json::to_string(&days.value(stored)).unwrap();
        assert_eq!((json(None), json(Some("3"))), ("7".to_owned(), "3".to_owned()));
        assert_eq!(
            (json(Some("2.5")), json(Some("soon"))),
            ("2.5".to_owned(), "7".to_owned())
        );
        for text in ["NaN", "inf", "1e999", ""] {
            assert_eq!(days.read(text), None, "{text}");
        }
        let token = parse(r#"{"key":"token","type":"secret"}"#).unwrap();
        assert_eq!(token.value(Some("hush")), None);
        let on = parse(r#"{"key":"on","type":"boolean"}"#).unwrap();
        assert_eq!(on.value(Some("true")), Some(SettingValue::Boolean(true)));
        assert_eq!((on.value(None), on.read("yes")), (None, None));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            (r#"{"key":"a b","type":"text"}"#, "a b"),
            (r#"{"key":"","type":"text"}"#, "1 to 64"),
            (r#"{"key":"a","type":"colour"}"#, "colour"),
            (
                r#"{"key":"a","type":"number","default":"7"}"#,
                "is a text, and its type takes a number",
            ),
            (r#"{"key":"a","type":"secret","default":"7"}"#, "only the operator"),
            (r#"{"key":"a","type":"text","words":"a\u001b[2J"}"#, "one line"),
            (r#"{"key":"a","type":"text","words":"a\u202eb"}"#, "one line"),
            (r#"{"key":"a","type":"text","default":"a\n+ may read"}"#, "one line"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        let one = parse(r#"{"key":"a","type":"text"}"#).unwrap();
        assert!(
            check(&[one.clone(), one.clone()])
                .unwrap_err()
                .to_string()
                .contains("twice")
        );
        assert!(check(&vec![one; 101]).unwrap_err().to_string().contains("101 settings"));
    }
}
