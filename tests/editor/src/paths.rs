//! Where the program and its parts lie. `cargo xtask test` puts them there; a variable moves each.

use std::path::{Path, PathBuf};

/// The top folder of the checkout.
#[must_use]
pub fn checkout() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the package lies in the checkout")
}

/// The program `galley-editor` (`GALLEY_EDITOR_BIN`).
#[must_use]
pub fn galley_editor() -> PathBuf {
    variable("GALLEY_EDITOR_BIN").unwrap_or_else(|| target().join("debug/galley-editor"))
}

/// Where cargo builds, and where tests keep what is costly to make.
#[must_use]
pub fn target() -> PathBuf {
    variable("CARGO_TARGET_DIR").unwrap_or_else(|| checkout().join("target"))
}

/// A folder for what the tests keep between runs.
///
/// # Panics
/// When the target folder cannot be written.
#[must_use]
pub fn cache(name: &str) -> PathBuf {
    let target = variable("CARGO_TARGET_DIR").unwrap_or_else(|| checkout().join("target"));
    let folder = target.join("tmp/galley-editor-tests").join(name);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// The script inside prototypes (`GALLEY_BRIDGE`).
#[must_use]
pub fn bridge() -> PathBuf {
    variable("GALLEY_BRIDGE").unwrap_or_else(|| checkout().join("editor/bridge/dist/bridge-bundle.js"))
}

/// The package of a small model (`GALLEY_SMALL_MODEL`).
#[must_use]
pub fn small_model() -> PathBuf {
    variable("GALLEY_SMALL_MODEL").unwrap_or_else(|| target().join("galley/small-model"))
}

/// The built interface (`GALLEY_EDITOR_UI`), when there is one.
#[must_use]
pub fn interface() -> Option<PathBuf> {
    let folder = variable("GALLEY_EDITOR_UI").unwrap_or_else(|| checkout().join("editor/ui/dist"));
    folder.join("index.html").is_file().then_some(folder)
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}
