//! The settings and secrets of a slot, as the plugin's manifest declares them. Secrets are sealed, and nothing shows them again.

use std::collections::BTreeMap;

use data_encoding::BASE64;
use galley_manifest::{MAX_SETTINGS, Setting, SettingKind, is_key};
use serde_json::{Value, json};

use super::request::SecretText;
use super::switch::act;
use super::{Kind, Operations, Outcome, Refused};
use crate::accounts::Actor;
use crate::capabilities::chosen::purpose;
use crate::plugins::entry::Entry;

/// The longest value, in bytes.
const MAX_VALUE_BYTES: usize = 4 << 10;

impl Operations {
    pub(super) async fn config(
        &self,
        slot: &str,
        changes: &[String],
        secrets: BTreeMap<String, SecretText>,
        actor: &Actor,
    ) -> Result<Outcome, Refused> {
        let mut known = self.known().await?;
        let mut entry = known.entry(slot)?.clone();
        let manifest = self.loader.factory().known_manifest(&entry, &known.bundle);
        let declared = Declared {
            slot,
            settings: manifest.map(|manifest| manifest.settings).unwrap_or_default(),
        };
        let mut keys = Vec::new();
        for change in changes {
            let (key, value) = setting(change)?;
            let value = Some(value).filter(|value| !value.is_empty());
            if let Some(value) = value {
                declared.takes(key, value)?;
            }
            put(&mut entry.settings, key, value.map(str::to_owned));
            if value.is_none() {
                entry.secrets.remove(key);
            }
            keys.push(key.to_owned());
        }
        for (key, SecretText(value)) in secrets {
            check(&key, &value)?;
            if !value.is_empty() {
                declared.takes_secret(&key)?;
            }
            let sealed = match value.is_empty() {
                true => None,
                false => Some(self.seal(slot, &key, &value)?),
            };
            put(&mut entry.secrets, &key, sealed);
            keys.push(key);
        }
        // Those that a plugin before declared may be among them.
        if entry.settings.len() > MAX_SETTINGS || entry.secrets.len() > MAX_SETTINGS {
            let message =
                format!("`{slot}` would have more than {MAX_SETTINGS} settings or secrets: `key=` takes one out");
            return Err(Refused::new(Kind::Invalid, message));
        }
        let outcome = describe(&entry, &declared.settings);
        if !keys.is_empty() {
            // The values may be nobody's business.
            let details = json!({ "keys": keys });
            self.alter(entry, act(actor, "plugin-configured", details)).await?;
        }
        Ok(outcome)
    }

    fn seal(&self, slot: &str, key: &str, value: &str) -> Result<String, Refused> {
        let sealed = self.services().sealer.seal(&purpose(slot, key), value.as_bytes());
        Ok(BASE64.encode(&sealed.map_err(|error| Refused::failed(&error))?))
    }
}

fn put(values: &mut BTreeMap<String, String>, key: &str, value: Option<String>) {
    match value {
        Some(value) => drop(values.insert(key.to_owned(), value)),
        None => drop(values.remove(key)),
    }
}

/// What the plugin of a slot declares.
struct Declared<'s> {
    slot: &'s str,
    settings: Vec<Setting<String>>,
}

impl Declared<'_> {
    fn find(&self, key: &str) -> Result<&Setting<String>, Refused> {
        let slot = self.slot;
        self.settings.iter().find(|setting| setting.key == key).ok_or_else(|| {
            let known: Vec<_> = self.settings.iter().map(|setting| setting.key.as_str()).collect();
            let message = match known.is_empty() {
                true => format!("`{slot}` has no setting `{key}`: its plugin declares none"),
                false => format!("`{slot}` has no setting `{key}`; there are: {}", known.join(", ")),
            };
            Refused::new(Kind::Invalid, message)
        })
    }

    /// Refuses a setting that is not declared, and a value of another type. The text never holds the value.
    fn takes(&self, key: &str, value: &str) -> Result<(), Refused> {
        let (slot, setting) = (self.slot, self.find(key)?);
        let message = match setting.kind {
            SettingKind::Secret => {
                format!("`{key}` is a secret of `{slot}`: `--secret {key}` reads it from standard input")
            }
            kind if setting.read(value).is_none() => format!("`{key}` of `{slot}` takes {}", kind.words()),
            _ => return Ok(()),
        };
        Err(Refused::new(Kind::Invalid, message))
    }

    /// Refuses a secret that is not declared.
    fn takes_secret(&self, key: &str) -> Result<(), Refused> {
        match self.find(key)?.kind {
            SettingKind::Secret => Ok(()),
            _ => {
                let message = format!("`{key}` of `{}` is no secret: `{key}=…` sets it", self.slot);
                Err(Refused::new(Kind::Invalid, message))
            }
        }
    }
}

/// One line of what is set and what could be.
fn line(entry: &Entry, setting: &Setting<String>) -> String {
    let (slot, key) = (&entry.slot, &setting.key);
    let words = match setting.words.is_empty() {
        true => String::new(),
        false => format!("  ({})", setting.words),
    };
    if setting.kind == SettingKind::Secret {
        let is_set = match entry.secrets.contains_key(key) {
            true => "is set, and secret",
            false => "is not set, and secret",
        };
        return format!("{slot}: {key} {is_set}{words}");
    }
    let stored = entry.settings.get(key).map(String::as_str);
    match (stored, setting.value(stored)) {
        (Some(stored), _) if setting.read(stored).is_some() => format!("{slot}: {key}={stored}{words}"),
        (_, Some(default)) => format!("{slot}: {key}={default}, unless it is set{words}"),
        (_, None) => format!("{slot}: {key} is not set{words}"),
    }
}

fn describe(entry: &Entry, declared: &[Setting<String>]) -> Outcome {
    let slot = &entry.slot;
    let mut lines: Vec<_> = declared.iter().map(|setting| line(entry, setting)).collect();
    let is_left = |key: &&String| !declared.iter().any(|setting| setting.key == **key);
    let left = entry.settings.keys().chain(entry.secrets.keys()).filter(is_left);
    lines.extend(left.map(|key| format!("{slot}: {key} is left from a plugin before; `{key}=` takes it out")));
    let rows = declared.iter().map(|setting| {
        let stored = entry.settings.get(&setting.key).map(String::as_str);
        json!({
            "key": setting.key, "type": setting.kind, "words": setting.words, "default": setting.default,
            "value": setting.value(stored),
            "isSet": stored.is_some() || entry.secrets.contains_key(&setting.key),
        })
    });
    Outcome {
        message: match lines.is_empty() {
            true => format!("{slot} has no settings"),
            false => lines.join("\n"),
        },
        details: json!({
            "slot": slot, "settings": entry.settings, "secrets": entry.secrets.keys().collect::<Vec<_>>(),
            "declared": rows.collect::<Vec<Value>>(),
        }),
        review: None,
    }
}

/// The parts of `key=value`.
fn setting(change: &str) -> Result<(&str, &str), Refused> {
    let Some((key, value)) = change.split_once('=') else {
        let message = format!("`{change}` is not key=value; `key=` takes a setting out");
        return Err(Refused::new(Kind::Invalid, message));
    };
    check(key, value)?;
    Ok((key, value))
}

/// Refuses keys and values of another form. The text never holds the value.
fn check(key: &str, value: &str) -> Result<(), Refused> {
    let message = if !is_key(key) {
        let most = galley_manifest::MAX_KEY_BYTES;
        format!("`{key}` is no key: 1 to {most} letters, digits, `-`, `_` and `.`")
    } else if value.len() > MAX_VALUE_BYTES {
        let length = value.len();
        format!("the value of `{key}` has {length} bytes, at most {MAX_VALUE_BYTES} are kept")
    } else if value.chars().any(char::is_control) {
        format!("the value of `{key}` holds a control character, such as a line's end")
    } else {
        return Ok(());
    };
    Err(Refused::new(Kind::Invalid, message))
}
