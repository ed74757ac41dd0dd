//! Reading `package.json`.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use serde_json::{Map, Value};

use super::Unsupported;

/// A `package.json` longer than this is none.
const MAX_BYTES: u64 = 8 << 20;

/// Where a dependency is declared. The order is that of their weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// What a library expects of the app that uses it.
    Peer,
    /// What is needed for working on it.
    Development,
    /// What is needed for running it.
    Runtime,
}

impl Section {
    /// Its key in `package.json`.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Section::Peer => "peerDependencies",
            Section::Development => "devDependencies",
            Section::Runtime => "dependencies",
        }
    }
}

/// What the Editor needs to know of a `package.json`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Package {
    /// The name, when it has one.
    pub name: Option<String>,
    /// The scripts by name.
    pub scripts: BTreeMap<String, String>,
    /// `packageManager`, as `pnpm@10.1.0`.
    pub package_manager: Option<String>,
    dependencies: BTreeMap<String, (Section, String)>,
}

impl Package {
    /// Reads the one in `folder`.
    pub(super) fn read(folder: &Path) -> Result<Package, Unsupported> {
        let file = folder.join("package.json");
        let broken = |reason: String| Unsupported::BrokenPackage {
            file: file.clone(),
            reason,
        };
        let facts = match std::fs::metadata(&file) {
            Ok(facts) => facts,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Err(Unsupported::NoPackage(folder.to_owned()));
            }
            Err(error) => return Err(broken(error.to_string())),
        };
        if !facts.is_file() {
            return Err(broken("it is not a file".into()));
        }
        if facts.len() > MAX_BYTES {
            return Err(broken(format!("it is longer than {MAX_BYTES} bytes")));
        }
        let bytes = std::fs::read(&file).map_err(|error| broken(error.to_string()))?;
        Package::parse(&bytes).map_err(broken)
    }

    /// Reads the content of one. What has another type than npm expects is ignored, as npm does with most of it.
    pub(super) fn parse(bytes: &[u8]) -> Result<Package, String> {
        // npm accepts a byte order mark here.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let Value::Object(json) = value else {
            return Err("it holds no object".into());
        };
        let mut dependencies = BTreeMap::new();
        for section in [Section::Peer, Section::Development, Section::Runtime] {
            for (name, range) in texts(&json, section.key()) {
                dependencies.insert(name, (section, range));
            }
        }
        let text = |key: &str| json.get(key).and_then(Value::as_str).map(str::to_owned);
        Ok(Package {
            name: text("name").filter(|name| !name.is_empty()),
            scripts: texts(&json, "scripts").collect(),
            package_manager: text("packageManager"),
            dependencies,
        })
    }

    /// The version range a dependency is declared with, in whichever of the three sections.
    #[must_use]
    pub fn dependency(&self, name: &str) -> Option<&str> {
        self.dependencies.get(name).map(|(_, range)| range.as_str())
    }

    /// The weightiest section a dependency is declared in.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<Section> {
        self.dependencies.get(name).map(|(section, _)| *section)
    }
}

fn texts(json: &Map<String, Value>, key: &str) -> impl Iterator<Item = (String, String)> {
    let object = json.get(key).and_then(Value::as_object);
    object
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weightiest_section_of_a_dependency_wins() {
        let json = br#"{ "peerDependencies": { "vue": "^2 || ^3" }, "dependencies": { "vue": "^3.5" }, "devDependencies": { "vue": "3" } }"#;
        let package = Package::parse(json).unwrap();
        assert_eq!(package.section("vue"), Some(Section::Runtime));
        assert_eq!(package.dependency("vue"), Some("^3.5"));
    }

    #[test]
    fn odd_types_inside_are_ignored_but_an_odd_whole_is_not() {
        let package =
            Package::parse(br#"{ "name": 1, "dependencies": [], "devDependencies": { "vue": 3, "vite": "7" } }"#);
        let package = package.unwrap();
        assert_eq!((package.name.as_deref(), package.dependency("vue")), (None, None));
        assert_eq!(package.dependency("vite"), Some("7"));
        assert_eq!(Package::parse(b"[]"), Err("it holds no object".into()));
        assert!(Package::parse(b"{ 'single': 1 }").is_err());
        assert!(Package::parse(&b"[".repeat(1 << 20)).is_err());
        assert!(Package::parse(b"\xff\xfe").is_err());
    }

    #[test]
    fn a_byte_order_mark_is_no_error() {
        assert_eq!(
            Package::parse(b"\xef\xbb\xbf{ \"name\": \"x\" }")
                .unwrap()
                .name
                .as_deref(),
            Some("x")
        );
    }
}
