//! Whether a folder is a server's.

use std::fs::Metadata;
use std::io;
use std::path::Path;

use anyhow::bail;

use crate::config::Config;

/// Refuses a folder that is no data folder of a server.
pub fn check(config: &Config) -> anyhow::Result<()> {
    let folder = &config.data_dir;
    // A server of a cluster has its core elsewhere.
    let mark = match config.cluster {
        None => "core.db",
        Some(_) => "lock",
    };
    judge(folder, mark, folder.join(mark).metadata())
}

fn judge(folder: &Path, mark: &str, found: io::Result<Metadata>) -> anyhow::Result<()> {
    let folder = folder.display();
    match found {
        Ok(file) if file.is_file() => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            bail!(
                "{folder} cannot be looked into ({error}): run this as the server's user (SERVICE_DATA_DIR names the folder)"
            )
        }
        _ => bail!(
            "{folder} is not the data folder of a server (there is no {mark} in it): set SERVICE_DATA_DIR to the server's, or start \
             the server once"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_another_user_is_told_from_one_without_a_server() {
        let folder = tempfile::tempdir().unwrap();
        let said = |found| judge(folder.path(), "core.db", found).unwrap_err().to_string();
        let missing = said(folder.path().join("core.db").metadata());
        assert!(missing.contains("there is no core.db in it"), "{missing}");
        let closed = said(Err(io::ErrorKind::PermissionDenied.into()));
        assert!(
            closed.contains("permission denied") && closed.contains("the server's user"),
            "{closed}"
        );
    }
}
