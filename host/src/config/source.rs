//! The environment as a set of variables that are taken one by one; what is left over was not known.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use super::ConfigError;

/// Variables that start with `SERVICE_`. An empty one counts as unset.
pub struct Source(BTreeMap<String, String>);

impl Source {
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Self, ConfigError> {
        let mut known = BTreeMap::new();
        for (name, value) in variables {
            let Some(name) = name.to_str().filter(|name| name.starts_with("SERVICE_")) else {
                continue;
            };
            let value = value
                .into_string()
                .map_err(|_| ConfigError(format!("{name} is not UTF-8 text")))?;
            if !value.trim().is_empty() {
                known.insert(name.to_owned(), value);
            }
        }
        Ok(Self(known))
    }

    pub fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    pub fn path(&mut self, name: &str) -> Option<PathBuf> {
        self.take(name).map(PathBuf::from)
    }

    /// Parses a value or its default; `shape` says what it should look like.
    pub fn parse<T: FromStr>(&mut self, name: &str, default: &str, shape: &str) -> Result<T, ConfigError> {
        let text = self.take(name).unwrap_or_else(|| default.to_owned());
        text.trim()
            .parse()
            .map_err(|_| ConfigError(format!("{name} is `{text}`, which is not {shape}")))
    }

    /// A whole number from 1.
    pub fn number<T: FromStr + PartialOrd + From<u8>>(&mut self, name: &str, default: u16) -> Result<T, ConfigError> {
        let shape = "a whole number from 1";
        let number: T = self.parse(name, &default.to_string(), shape)?;
        if number < T::from(1) {
            Err(ConfigError(format!("{name} is 0, which is not {shape}")))
        } else {
            Ok(number)
        }
    }

    /// A group that is set as a whole or not at all: `None` when no member is set.
    pub fn group<const N: usize>(&mut self, group: &str, names: [&str; N]) -> Result<Option<[String; N]>, ConfigError> {
        if !names.iter().any(|name| self.0.contains_key(*name)) {
            return Ok(None);
        }
        if let Some(missing) = names.iter().find(|name| !self.0.contains_key(**name)) {
            let others = names.join(", ");
            return Err(ConfigError(format!(
                "{missing} is missing: the group \"{group}\" is set as a whole or not at all ({others})"
            )));
        }
        Ok(Some(names.map(|name| self.take(name).unwrap_or_default())))
    }

    /// One line for each variable nobody took.
    pub fn unknown(&self) -> Vec<String> {
        self.0
            .keys()
            .map(|name| format!("{name} is set, and this server knows no such variable"))
            .collect()
    }
}
