//! Where a file of a root stands.

use std::path::{Path, PathBuf};

use super::names;

/// Where a file of a root really stands. The folder `root` has no links; those below it are followed only inside.
pub(super) fn inside(root: &Path, path: &str) -> Result<PathBuf, String> {
    let gone = || format!("there is no file {path}");
    let real = root.join(path).canonicalize().map_err(|_| gone())?;
    let relative = real
        .strip_prefix(root)
        .map_err(|_| format!("{path} leads out of the root"))?;
    for part in relative {
        if let Some(why) = names::closed(&part.to_string_lossy()) {
            return Err(format!("{path} is not read: {why}"));
        }
    }
    Ok(real)
}
