//! Where a checkout and its builds lie.

use std::path::{Path, PathBuf};

/// The top folder of the checkout.
pub fn checkout() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .ancestors()
        .nth(2)
        .expect("the package lies two folders below the checkout")
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    variable("CARGO_TARGET_DIR").unwrap_or_else(|| checkout().join("target"))
}

/// A path that a variable moves; an empty one counts as unset.
pub fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}
