//! Logs of a cluster, which are rows of the core and objects, as the files of a backup.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use galley_manifest::is_id;

use crate::core::{KeptLog, LogText, Portable};
use crate::storage::backup::Checked;
use crate::storage::durable;
use crate::storage::objects::{Bucket, ObjectError};

/// Takes the logs out of the core of a backup.
pub fn take_out(core: &Portable, bucket: &Bucket, folder: &Path) -> anyhow::Result<()> {
    core.take_logs(|log| {
        let KeptLog { slot, id, status, text } = log;
        ensure!(is_id(&slot) && is_id(&id), "the log `{slot}/{id}` has no name of a log");
        let folder = folder.join("logs").join(&slot);
        durable::private_folder(&folder)?;
        let file = folder.join(format!("{id}.log"));
        match text {
            LogText::Bytes(bytes) => durable::write_file(&file, &bytes)?,
            LogText::Object(object) => match bucket.save(&format!("logs/{object}"), &file) {
                // Deleted since the core was copied.
                Err(ObjectError::NotFound) => return Ok(()),
                saved => saved.with_context(|| format!("the log {object} cannot be copied from the object store"))?,
            },
        }
        if let Some(status) = status {
            durable::write_file(&folder.join(format!("{id}.status")), status.as_bytes())?;
        }
        Ok(())
    })
}

/// Puts the logs of a backup into its core. Those that ended become objects, of the names that their files have.
pub fn put_in(core: &Portable, backup: &Checked) -> anyhow::Result<()> {
    for name in backup.names() {
        let Some((slot, id)) = name
            .strip_prefix("logs/")
            .and_then(|name| name.strip_suffix(".log"))
            .and_then(|name| name.split_once('/'))
            .filter(|(slot, id)| is_id(slot) && is_id(id))
        else {
            continue;
        };
        let path = backup.path(name);
        let status = format!("logs/{slot}/{id}.status");
        let status = match backup.has(&status) {
            true => Some(fs::read_to_string(backup.path(&status)).with_context(|| status)?),
            false => None,
        };
        let (text, bytes) = match status {
            Some(_) => (LogText::Object(format!("{slot}/{id}.log")), fs::metadata(&path)?.len()),
            None => {
                let text = fs::read(&path)?;
                let bytes = text.len() as u64;
                (LogText::Bytes(text), bytes)
            }
        };
        let log = KeptLog {
            slot: slot.to_owned(),
            id: id.to_owned(),
            status,
            text,
        };
        core.put_log(&log, bytes)?;
    }
    Ok(())
}
