//! Whether a folder is a server's.

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
    if !folder.join(mark).is_file() {
        bail!(
            "{} is not the data folder of a server (there is no {mark} in it): set SERVICE_DATA_DIR to the server's, or \
             start the server once",
            folder.display()
        );
    }
    Ok(())
}
