//! `designSystems`: libraries of components whose documentation is prepared in the background.

use serde::Serialize;

use super::Problem;
use super::key::Key;

/// One declared library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DesignSystem {
    /// Where it comes from.
    #[serde(flatten)]
    pub source: Source,
    /// `designSystem`: its name for people.
    #[serde(rename = "designSystem")]
    pub label: Option<String>,
    /// Whether the build of its repository may be run.
    pub allow_build: bool,
    /// Whether a model is asked for examples of how its components are used.
    pub hints: bool,
}

/// Where a library comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Source {
    /// A package the prototype depends on already.
    Installed {
        /// Its name.
        package: String,
    },
    /// A package to be installed.
    Registry {
        /// Its name and a version range.
        spec: String,
    },
    /// A git repository to be cloned.
    Repo {
        /// Its address.
        url: String,
        /// The branch, tag or commit.
        #[serde(rename = "ref")]
        reference: Option<String>,
        /// The folder of the library in it.
        subdir: Option<String>,
    },
}

/// Checks the whole block.
pub(super) fn parse(top: &Key<'_>) -> Result<Vec<DesignSystem>, Problem> {
    let entries = top.get("designSystems").elements()?.unwrap_or_default();
    entries.iter().map(entry).collect()
}

fn entry(entry: &Key<'_>) -> Result<DesignSystem, Problem> {
    if !entry.value().is_some_and(serde_json::Value::is_object) {
        return Err(entry.expected("an object with `kind`"));
    }
    let source = match entry.get("kind").text()? {
        Some("installed") => Source::Installed {
            package: word(&entry.get("package"))?,
        },
        Some("registry") => Source::Registry {
            spec: word(&entry.get("spec"))?,
        },
        Some("repo") => Source::Repo {
            url: word(&entry.get("url"))?,
            reference: optional_word(&entry.get("ref"))?,
            subdir: subfolder(&entry.get("subdir"))?,
        },
        _ => return Err(entry.get("kind").expected("\"installed\", \"registry\" or \"repo\"")),
    };
    Ok(DesignSystem {
        source,
        label: entry.get("designSystem").text()?.map(str::to_owned),
        allow_build: entry.get("allowBuild").boolean()?.unwrap_or(false),
        hints: entry.get("hints").boolean()?.unwrap_or(false),
    })
}

/// A text that npm or git get as an argument: it must not look like an option.
fn word(key: &Key<'_>) -> Result<String, Problem> {
    let word = key.required_text()?;
    if word.starts_with('-') {
        return Err(key.problem("must not begin with a hyphen"));
    }
    Ok(word.to_owned())
}

fn optional_word(key: &Key<'_>) -> Result<Option<String>, Problem> {
    if key.is_missing() {
        Ok(None)
    } else {
        word(key).map(Some)
    }
}

fn subfolder(key: &Key<'_>) -> Result<Option<String>, Problem> {
    let inside = |path: &str| !path.starts_with('/') && !path.split(['/', '\\']).any(|part| part == "..");
    key.text_that("a folder inside the repository", inside)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(block: Value) -> Result<Vec<DesignSystem>, Problem> {
        let file = json!({ "designSystems": block });
        parse(&Key::top(&file).unwrap())
    }

    #[test]
    fn each_kind_is_read() {
        let entries = read(json!([
            { "kind": "installed", "package": "@acme/ui", "designSystem": "Acme", "hints": true },
            { "kind": "registry", "spec": "@acme/ui@^2" },
            { "kind": "repo", "url": "https://example.com/ui.git", "ref": "main", "subdir": "packages/ui", "allowBuild": true }
        ]));
        let entries = entries.unwrap();
        assert_eq!(entries[0].label.as_deref(), Some("Acme"));
        assert_eq!(
            entries[1].source,
            Source::Registry {
                spec: "@acme/ui@^2".into()
            }
        );
        assert!(entries[2].allow_build && !entries[0].allow_build);
        assert!(entries[0].hints && !entries[1].hints);
        assert_eq!(read(json!([])), Ok(Vec::new()));
    }

    #[test]
    fn the_failing_entry_is_named() {
        for (block, key) in [
            (json!({}), "designSystems"),
            (json!(["x"]), "designSystems[0]"),
            (json!([{ "kind": "installed" }]), "designSystems[0].package"),
            (
                json!([{ "kind": "installed", "package": "a" }, { "kind": "zip" }]),
                "designSystems[1].kind",
            ),
            (json!([{ "kind": "registry", "spec": "" }]), "designSystems[0].spec"),
            (
                json!([{ "kind": "repo", "url": "--upload-pack=x" }]),
                "designSystems[0].url",
            ),
            (
                json!([{ "kind": "repo", "url": "u", "ref": "-x" }]),
                "designSystems[0].ref",
            ),
            (
                json!([{ "kind": "repo", "url": "u", "subdir": "../x" }]),
                "designSystems[0].subdir",
            ),
            (
                json!([{ "kind": "installed", "package": "a", "allowBuild": "yes" }]),
                "designSystems[0].allowBuild",
            ),
            (
                json!([{ "kind": "installed", "package": "a", "hints": 1 }]),
                "designSystems[0].hints",
            ),
            (
                json!([{ "kind": "installed", "package": "a", "designSystem": 1 }]),
                "designSystems[0].designSystem",
            ),
        ] {
            assert_eq!(read(block.clone()).unwrap_err().key, key, "{block}");
        }
    }
}
