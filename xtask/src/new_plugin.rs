//! `new-plugin`: a plugin of this checkout, from the template that authors elsewhere begin with too.

use std::fs;

use anyhow::{Context, Result, bail};
use galley_manifest::is_name;

use crate::paths::Checkout;
use crate::stamp::files_below;

/// The manifest of a plugin in this workspace, where the template brings a workspace of its own.
const MANIFEST: &str = r#"[package]
name = "galley-hello"
version.workspace = true
edition.workspace = true
rust-version.workspace = true
publish.workspace = true

[lib]
crate-type = ["cdylib", "rlib"]

[dependencies]
galley-sdk.workspace = true
serde.workspace = true

[dev-dependencies]
serde_json.workspace = true

[lints]
workspace = true
"#;

/// What of the template is not for a plugin of this checkout.
const OTHERS: [&str; 3] = ["Cargo.toml", "README.md", ".gitignore"];

/// Makes `plugins/NAME`.
pub fn make(checkout: &Checkout, name: &str) -> Result<()> {
    if !is_name(name) {
        bail!("`{name}` cannot be a plugin's name: it is 1 to 32 of a-z, 0-9 and -, and begins with a letter");
    }
    let folder = checkout.at("plugins").join(name);
    if folder.exists() {
        bail!("{} exists already", checkout.show(&folder));
    }
    let template = checkout.at("sdk/template");
    let mut files = vec![("Cargo.toml".into(), MANIFEST.to_owned())];
    for file in files_below(&template)? {
        let path = file.strip_prefix(&template)?.to_owned();
        if !OTHERS.iter().any(|other| path.as_os_str() == *other) {
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            files.push((path, text));
        }
    }
    for (path, text) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap_or(&folder))?;
        fs::write(&file, text.replace("hello", name)).with_context(|| format!("cannot write {}", file.display()))?;
    }
    eprintln!(
        "xtask: {} is there; `cargo test -p galley-{name}` runs its test",
        checkout.show(&folder)
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_is_made_from_the_template() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("wit")).unwrap();
        fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        let template = folder.path().join("sdk/template/src");
        fs::create_dir_all(&template).unwrap();
        fs::write(template.join("lib.rs"), "Plugin::new(\"hello\")").unwrap();
        fs::write(template.parent().unwrap().join("Cargo.toml"), "[workspace]").unwrap();
        let checkout = Checkout::find(Some(folder.path().to_owned())).unwrap();
        make(&checkout, "polls").unwrap();
        let read = |file: &str| fs::read_to_string(folder.path().join("plugins/polls").join(file)).unwrap();
        assert_eq!(read("src/lib.rs"), "Plugin::new(\"polls\")");
        assert!(read("Cargo.toml").contains("name = \"galley-polls\""));
        assert!(
            make(&checkout, "polls")
                .unwrap_err()
                .to_string()
                .contains("exists already")
        );
        assert!(
            make(&checkout, "Polls")
                .unwrap_err()
                .to_string()
                .contains("cannot be a plugin's name")
        );
    }
}
