//! One slot of `plugins.lock`: what fills it, what did before, and what the operator chose for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::artifacts;
use crate::capabilities::Limits;
use crate::capabilities::chosen::Chosen;
use crate::storage::slot_data::DataChoice;

/// The most fillings that are kept besides the present one.
const MAX_BEFORE: usize = 2;

/// The plugin approved for one slot.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The slot it fills.
    pub slot: String,
    /// The plugin's own name, where it is not the slot's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its file in the plugins folder. An installed plugin has none: it is `artifacts/<sha256>.wasm` of the data folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The plugin's own version.
    pub version: String,
    /// Hex SHA-256 of the file that was approved.
    pub sha256: String,
    /// Where an installed plugin came from: a file or an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The key that its updates are signed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// Whether it is loaded.
    pub enabled: bool,
    /// Whether it came with the program. The build then approves the file of a new build, too.
    #[serde(default)]
    pub bundled: bool,
    /// Interfaces it may use, without their versions.
    pub imports: Vec<String>,
    /// Credentials it may use, and hosts it may call: `api.example.com with token` where a secret goes with the requests.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// What the operator said of the slot's data, where there was a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<DataChoice>,
    /// Whether an instance serves one request after another or one only.
    #[serde(default)]
    pub isolation: Isolation,
    /// Bounds of one call.
    #[serde(default)]
    pub limits: Limits,
    /// The plugin's settings, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// The plugin's secrets, by name: sealed, in base 64.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, String>,
    /// When it was put there (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// What filled the slot before, newest first: at most two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Filling>,
}

impl Entry {
    /// An entry that nothing fills yet.
    pub fn empty(slot: &str) -> Self {
        Self {
            slot: slot.to_owned(),
            id: None,
            file: None,
            version: String::new(),
            sha256: String::new(),
            source: None,
            publisher: None,
            enabled: true,
            bundled: false,
            imports: Vec::new(),
            hosts: Vec::new(),
            data: None,
            isolation: Isolation::default(),
            limits: Limits::default(),
            settings: BTreeMap::new(),
            secrets: BTreeMap::new(),
            since: None,
            before: Vec::new(),
        }
    }

    /// Where its artifact is.
    pub fn path(&self, plugins_dir: &Path, data_dir: &Path) -> PathBuf {
        match &self.file {
            Some(file) => plugins_dir.join(file),
            None => artifacts::path(data_dir, &self.sha256),
        }
    }

    /// The artifacts that the entry and its history name.
    pub fn artifacts(&self) -> impl Iterator<Item = &str> {
        let before = self.before.iter().map(|filling| filling.sha256.as_str());
        before.chain([self.sha256.as_str()])
    }

    /// What fills the slot now.
    pub fn filling(&self) -> Filling {
        Filling {
            id: self.id.clone(),
            version: self.version.clone(),
            sha256: self.sha256.clone(),
            source: self.source.clone().or_else(|| self.file.clone()),
            publisher: self.publisher.clone(),
            bundled: self.bundled,
            imports: self.imports.clone(),
            hosts: self.hosts.clone(),
            since: self.since.clone(),
        }
    }

    /// Notes what fills the slot, before something else does.
    pub fn remember(&mut self) {
        let now = self.filling();
        self.before.retain(|filling| filling.sha256 != now.sha256);
        self.before.insert(0, now);
        self.before.truncate(MAX_BEFORE);
    }

    /// Puts an artifact of the data folder into the slot. Where it is the one of `built`, which the program comes with, the
    /// entry follows the program.
    pub fn fill(&mut self, filling: Filling, built: Option<&str>) {
        self.file = built.map(str::to_owned);
        self.bundled = built.is_some();
        self.id = filling.id;
        self.version = filling.version;
        self.sha256 = filling.sha256;
        self.source = filling.source.filter(|_| built.is_none());
        self.publisher = filling.publisher;
        self.imports = filling.imports;
        self.hosts = filling.hosts;
        self.data = None;
        self.since = filling.since;
        self.enabled = true;
        let present = &self.sha256;
        self.before.retain(|filling| filling.sha256 != *present);
    }

    /// What the operator set for the plugin.
    pub fn chosen(&self) -> Chosen {
        Chosen {
            settings: self.settings.clone(),
            secrets: self.secrets.clone(),
        }
    }

    /// Whether another entry loads the same plugin in the same way. Limits, settings and secrets may differ: a plugin that
    /// serves follows them.
    pub fn is_same_plugin(&self, other: &Self) -> bool {
        let of = |entry: &Self| Self {
            limits: Limits::default(),
            settings: BTreeMap::new(),
            secrets: BTreeMap::new(),
            ..entry.clone()
        };
        of(self) == of(other)
    }

    /// The plugin's own name.
    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.slot)
    }

    /// What people call its artifact: the file's name, or where it came from.
    pub fn name(&self) -> &str {
        let source = self.source.as_deref();
        self.file.as_deref().or(source).unwrap_or(&self.sha256)
    }
}

/// How long an instance lives.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// For many requests, one at a time.
    #[default]
    Reuse,
    /// For one request.
    Request,
}

/// A plugin that filled a slot.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Filling {
    /// The plugin's own name, where it is not the slot's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its version.
    pub version: String,
    /// Hex SHA-256 of its artifact.
    pub sha256: String,
    /// Where it came from; `None` when it came with the program, or lies in the plugins folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The key that its updates are signed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    /// Whether it came with the program.
    #[serde(default)]
    pub bundled: bool,
    /// Interfaces it might use.
    pub imports: Vec<String>,
    /// Outbound hosts it might reach.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// When it was put there (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filling(sha256: &str) -> Filling {
        Filling {
            id: None,
            version: "1".into(),
            sha256: sha256.into(),
            source: None,
            publisher: None,
            bundled: false,
            imports: Vec::new(),
            hosts: Vec::new(),
            since: None,
        }
    }

    #[test]
    fn two_fillings_are_kept_and_each_once() {
        let mut entry = Entry::empty("hello");
        entry.fill(filling("a"), None);
        let before = |entry: &Entry| -> Vec<String> { entry.before.iter().map(|one| one.sha256.clone()).collect() };
        for sha256 in ["b", "c", "d"] {
            entry.remember();
            entry.fill(filling(sha256), None);
        }
        assert_eq!(before(&entry), ["c", "b"]);
        entry.remember();
        entry.fill(filling("b"), None);
        assert_eq!(before(&entry), ["d", "c"]);
    }

    #[test]
    fn what_the_program_comes_with_follows_it() {
        let mut entry = Entry::empty("hello");
        entry.fill(filling("a"), Some("hello.wasm"));
        assert!(entry.bundled && entry.file.as_deref() == Some("hello.wasm"));
        entry.fill(filling("a"), None);
        assert!(!entry.bundled && entry.file.is_none());
        assert_eq!(
            entry.path(Path::new("/p"), Path::new("/d")),
            Path::new("/d/artifacts/a.wasm")
        );
    }
}
