//! `galley plugins new`: a folder with the smallest plugin that has a route, a table, a migration and a test.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use galley_manifest::is_name;

use super::{carried, sdk};

/// The folder of the SDK beside a new plugin's sources.
const OWN_SDK: &str = "galley-sdk";
/// What the template is called.
const TEMPLATE: &str = "hello";

/// What a plugin is written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// Rust.
    #[default]
    Rust,
    /// JavaScript, for StarlingMonkey or QuickJS.
    #[value(name = "javascript")]
    JavaScript,
    /// Python.
    Python,
}

impl Language {
    fn template(self) -> &'static str {
        match self {
            Self::Rust => "sdk/template",
            Self::JavaScript => "sdk/js/template",
            Self::Python => "sdk/python/template",
        }
    }

    /// Where a world of the plugin has the contract beside it.
    fn contracts(self) -> &'static [&'static str] {
        match self {
            Self::Rust => &[],
            Self::JavaScript => &["wit/deps", "quickjs/deps"],
            Self::Python => &["wit/deps"],
        }
    }
}

/// Makes the plugin `name` in the new folder `folder`. Its SDK lies in `sdk`, or is written into the plugin's folder.
pub fn new(name: &str, folder: &Path, language: Language, sdk: Option<&Path>) -> anyhow::Result<()> {
    if !is_name(name) {
        bail!(
            "`{name}` cannot be a plugin's name: it is 1 to 32 of a-z, 0-9 and -, and begins with a letter, as `checklist`"
        );
    }
    if folder.exists() {
        bail!("{} exists already: name another folder with --path", folder.display());
    }
    if sdk.is_some() && language != Language::Rust {
        bail!("--sdk is for plugins in Rust: those in other languages have the SDK in their own folder");
    }
    let path = match sdk {
        None => {
            sdk::write(&folder.join(OWN_SDK))?;
            PathBuf::from(OWN_SDK)
        }
        Some(sdk) => {
            if !sdk.join("sdk/Cargo.toml").is_file() {
                bail!("{} is no SDK: `galley sdk {}` writes one", sdk.display(), sdk.display());
            }
            std::path::absolute(sdk).context("the folder of the SDK has no absolute path")?
        }
    };
    for (file, bytes) in carried::below(language.template()) {
        let text = std::str::from_utf8(bytes).context("the template is text")?;
        sdk::put(&folder.join(file), fill(text, name, &path.join("sdk")).as_bytes())?;
    }
    // Tools look there. A world names versions, so it has all that were released, and stays right with a newer SDK.
    for link in language.contracts() {
        let link = folder.join(link);
        symlink(Path::new("..").join(OWN_SDK).join("wit/frozen"), &link)
            .with_context(|| format!("cannot make {}", link.display()))?;
    }
    Ok(())
}

/// The template with the plugin's name and the SDK's place in it.
fn fill(text: &str, name: &str, sdk: &Path) -> String {
    text.replace("path = \"..\"", &format!("path = {:?}", sdk.display().to_string()))
        .replace(TEMPLATE, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_plugin_carries_its_name_and_its_sdk() {
        let folder = tempfile::tempdir().unwrap();
        let plugin = folder.path().join("check-list");
        new("check-list", &plugin, Language::Rust, None).unwrap();
        let read = |file: &str| std::fs::read_to_string(plugin.join(file)).unwrap();
        assert!(read("Cargo.toml").contains("name = \"check-list\""));
        assert!(read("Cargo.toml").contains("path = \"galley-sdk/sdk\""));
        let source = read("src/lib.rs");
        assert!(source.contains("\"check-list\"") && !source.contains(TEMPLATE));
        let lines = source.lines().filter(|line| !line.trim().is_empty()).count();
        assert!(lines <= 60, "{lines} lines");
        assert!(read("migrations/1.sql").contains("CREATE TABLE"));
        let again = new("check-list", &plugin, Language::Rust, None)
            .unwrap_err()
            .to_string();
        assert!(again.contains("exists already"), "{again}");
    }

    #[test]
    fn what_cannot_be_a_slot_is_refused() {
        for name in ["", "Check", "1st", "a b", "../x"] {
            let error = new(name, Path::new("never-made"), Language::Rust, None)
                .unwrap_err()
                .to_string();
            assert!(error.contains("cannot be a plugin's name"), "{error}");
        }
        let made = |language| new("a", Path::new("never-made"), language, Some(Path::new("nowhere"))).unwrap_err();
        let error = made(Language::Rust);
        assert!(error.to_string().contains("galley sdk nowhere"), "{error}");
        let error = made(Language::Python).to_string();
        assert!(error.contains("--sdk is for plugins in Rust"), "{error}");
    }

    #[test]
    fn other_languages_have_the_contract_beside_their_world() {
        let folder = tempfile::tempdir().unwrap();
        for (language, source) in [(Language::JavaScript, "plugin.js"), (Language::Python, "app.py")] {
            let plugin = folder.path().join(source);
            new("list", &plugin, language, None).unwrap();
            let read = |file: &str| std::fs::read_to_string(plugin.join(file)).unwrap();
            assert!(read(source).contains("x/list") && !read(source).contains(TEMPLATE));
            assert!(read("wit/world.wit").contains("world list"));
            assert!(read("wit/deps/galley-sql@1.0.0.wit").contains("interface sql"));
            assert!(!plugin.join("package-lock.json").exists());
        }
    }
}
