//! The environment as a set of variables that are taken one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use super::ConfigError;
use super::variables::{self, WhenUnset};

/// Variables of other programs that this one heeds as well, in capitals or in small letters.
const COMMON: [&str; 5] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE"];

/// Variables that start with `SERVICE_`, and the common ones. An empty one counts as unset.
pub struct Source {
    set: BTreeMap<String, String>,
    common: BTreeMap<String, String>,
    asked: BTreeSet<&'static str>,
}

impl Source {
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Self, ConfigError> {
        let (mut known, mut common) = (BTreeMap::new(), BTreeMap::new());
        for (name, value) in variables {
            let Some(name) = name.to_str() else { continue };
            if COMMON.iter().any(|common| common.eq_ignore_ascii_case(name)) {
                // One that is not text is nothing other programs could use.
                if let Some(value) = value.to_str().filter(|value| !value.trim().is_empty()) {
                    common.insert(name.to_owned(), value.trim().to_owned());
                }
                continue;
            }
            if !name.starts_with("SERVICE_") {
                continue;
            }
            let value = value
                .into_string()
                .map_err(|_| ConfigError(format!("{name} is not UTF-8 text")))?;
            if !value.trim().is_empty() {
                known.insert(name.to_owned(), value);
            }
        }
        Ok(Self {
            set: known,
            common,
            asked: BTreeSet::new(),
        })
    }

    /// Whether the variable was set, and not taken yet.
    pub fn is_set(&self, name: &'static str) -> bool {
        self.set.contains_key(name)
    }

    /// The value, unless the variable is unset.
    pub fn take(&mut self, name: &'static str) -> Option<String> {
        self.asked.insert(name);
        self.set.remove(name)
    }

    /// The value, or the default of `variables.rs`; a variable without a default is empty text.
    pub fn value(&mut self, name: &'static str) -> String {
        let default = || match variables::find(name) {
            Some(variables::Variable {
                default: WhenUnset::Value(text),
                ..
            }) => (*text).to_owned(),
            _ => String::new(),
        };
        self.take(name).unwrap_or_else(default)
    }

    /// The value of a common variable in capitals, else in small letters.
    pub fn common(&self, name: &str) -> Option<String> {
        let value = self.common.get(name).or_else(|| self.common.get(&name.to_lowercase()));
        value.cloned()
    }

    /// The value as a path, unless the variable is unset.
    pub fn path(&mut self, name: &'static str) -> Option<PathBuf> {
        self.take(name).map(PathBuf::from)
    }

    /// Parses the value or the default; `shape` says what it should look like.
    pub fn parse<T: FromStr>(&mut self, name: &'static str, shape: &str) -> Result<T, ConfigError> {
        let text = self.value(name);
        text.trim()
            .parse()
            .map_err(|_| ConfigError(format!("{name} is `{text}`, which is not {shape}")))
    }

    /// A whole number from 1.
    pub fn number<T: FromStr + PartialOrd + From<u8>>(&mut self, name: &'static str) -> Result<T, ConfigError> {
        let shape = "a whole number from 1";
        let number: T = self.parse(name, shape)?;
        if number < T::from(1) {
            Err(ConfigError(format!("{name} is 0, which is not {shape}")))
        } else {
            Ok(number)
        }
    }

    /// A group that is set as a whole or not at all: `None` when no member is set.
    pub fn group<const N: usize>(
        &mut self,
        group: &str,
        names: [&'static str; N],
    ) -> Result<Option<[String; N]>, ConfigError> {
        self.asked.extend(names);
        if !names.iter().any(|name| self.set.contains_key(*name)) {
            return Ok(None);
        }
        if let Some(missing) = names.iter().find(|name| !self.set.contains_key(**name)) {
            let others = names.join(", ");
            return Err(ConfigError(format!(
                "{missing} is missing: the group \"{group}\" is set as a whole or not at all ({others})"
            )));
        }
        Ok(Some(names.map(|name| self.take(name).unwrap_or_default())))
    }

    /// One warning for each variable that is set and not listed in `variables.rs`.
    pub fn unknown(&self) -> Vec<String> {
        self.set
            .keys()
            .filter(|name| variables::find(name).is_none())
            .map(|name| format!("{name} is set, and this server knows no such variable"))
            .collect()
    }

    /// The names of all variables that the configuration reads, set or not.
    #[cfg(test)]
    pub fn asked(&self) -> &BTreeSet<&'static str> {
        &self.asked
    }
}
