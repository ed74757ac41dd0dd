//! Where the programs and components under test lie. `cargo xtask test` puts them there; a variable moves each.

use std::path::{Path, PathBuf};

use galley_harness::paths::variable;
pub use galley_harness::paths::{checkout, target};

/// The program `galley` (`GALLEY_BIN`).
pub fn galley() -> PathBuf {
    variable("GALLEY_BIN").unwrap_or_else(|| target().join("debug/galley"))
}

/// The folder of the built-in plugins (`GALLEY_PLUGINS`).
pub fn plugins() -> PathBuf {
    variable("GALLEY_PLUGINS").unwrap_or_else(|| target().join("galley/plugins"))
}

/// The script inside served prototypes (`GALLEY_BRIDGE`).
pub fn bridge() -> PathBuf {
    variable("GALLEY_BRIDGE").unwrap_or_else(|| target().join("galley/dist/bridge-bundle.js"))
}

/// The server's built pages (`GALLEY_DASHBOARD`).
pub fn dashboard() -> PathBuf {
    variable("GALLEY_DASHBOARD").unwrap_or_else(|| target().join("galley/dashboard"))
}

/// The component of a released version of the contract.
pub fn contract(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("contracts")
        .join(format!("{version}.wasm"))
}

/// The component of a guest in `tests/guests` (in `GALLEY_TEST_GUESTS`).
pub fn guest(name: &str) -> PathBuf {
    let folder = variable("GALLEY_TEST_GUESTS").unwrap_or_else(|| target().join("galley/test-guests"));
    folder.join(format!("{name}.wasm"))
}

/// A folder for what the tests keep between runs.
pub fn cache(name: &str) -> PathBuf {
    let folder = target().join("tmp/galley-tests").join(name);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}
