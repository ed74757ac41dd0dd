//! The approvals of a cluster, which are rows of the core and objects, as the files of a backup.

use std::path::Path;

use anyhow::Context;

use crate::core::Portable;
use crate::plugins::artifacts;
use crate::plugins::cache::sha256_of_file;
use crate::plugins::lock::{Bundle, Lock};
use crate::storage::backup::Checked;
use crate::storage::durable;
use crate::storage::objects::{Bucket, ObjectError};

/// Takes the approvals out of the core of a backup: its `plugins.lock`, and the components that did not come with the program.
pub fn take_out(core: &Portable, bucket: &Bucket, bundle: &Bundle, folder: &Path) -> anyhow::Result<()> {
    let Some(text) = core.take_approvals()? else {
        return Ok(());
    };
    durable::write_file(&Lock::path(folder), text.as_bytes())?;
    let lock = Lock::read(folder)?;
    // What another program came with is asked here for its schema.
    let bundled = |sha256: &str| bundle.plugins.iter().any(|built| built.sha256 == sha256);
    for sha256 in lock.artifacts().into_iter().filter(|sha256| !bundled(sha256)) {
        let to = artifacts::path(folder, sha256);
        durable::private_folder(to.parent().unwrap_or(folder))?;
        match bucket.save(&format!("artifacts/{sha256}.wasm"), &to) {
            // One of a history that came with an earlier program.
            Err(ObjectError::NotFound) => continue,
            saved => saved.with_context(|| format!("the component {sha256} cannot be copied from the object store"))?,
        }
    }
    Ok(())
}

/// Puts the approvals of a backup into its core. Its components become objects.
pub fn put_in(core: &Portable, backup: &Checked, lock: &Lock) -> anyhow::Result<()> {
    if !backup.has("plugins.lock") {
        return Ok(());
    }
    let mut lock = lock.clone();
    for entry in lock.plugins.iter_mut().filter(|entry| !entry.bundled) {
        // A file of a plugins folder is not on every machine.
        if backup.has(&format!("artifacts/{}.wasm", entry.sha256)) {
            entry.source = entry.file.take().or(entry.source.take());
        }
    }
    Ok(core.put_approvals(&lock.to_text().map_err(anyhow::Error::msg)?)?)
}

/// Makes sure that the components of a backup are what their names say: servers believe the names of objects.
pub fn check(backup: &Checked) -> anyhow::Result<()> {
    for name in backup.names().filter(|name| name.starts_with("artifacts/")) {
        let path = backup.path(name);
        let hash = sha256_of_file(&path).with_context(|| format!("{name} cannot be read"))?;
        anyhow::ensure!(
            name == format!("artifacts/{hash}.wasm"),
            "{} has another content than its name says: use a backup you trust",
            path.display()
        );
    }
    Ok(())
}
