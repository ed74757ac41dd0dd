//! Files that are written once and read whole: packs of prototypes, blobs, logs that ended. They lie in the data folder, or in
//! an S3-compatible bucket with a bounded cache in the data folder.
//!
//! [`Files`] is the seam: `sites`, `blobs` and `logs` use it and do not know which of the two it is. With a bucket, a file
//! that is still in the data folder counts, and is moved to the bucket in the background: those of a server that had none
//! before, and logs that just ended.

mod bucket;
mod cache;
mod error;
mod files;
mod health;
mod mover;
mod multipart;
mod owner;
mod store;
mod stored;
mod trailer;
mod transport;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use bucket::{Bucket, Listed};
pub use cache::CACHE;
pub use error::{ObjectError, is_away};
pub use files::Files;
pub use mover::KINDS;
pub use owner::{MARKER, OwnerError};
pub use store::YOUNG;
pub use stored::Stored;

use crate::config::ObjectsConfig;
use mover::Mover;
use store::Store;

/// Where the files of a data folder lie. Cheap to clone; clones are the same.
#[derive(Clone)]
pub struct Objects {
    data: PathBuf,
    store: Option<(Arc<Store>, Mover)>,
}

impl Objects {
    /// All in the data folder.
    pub fn in_folders(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
            store: None,
        }
    }

    /// In the bucket of the configuration, when it has one: this looks whether the bucket can be used, and begins to move what
    /// lies in the data folder. Blocks for a few requests.
    ///
    /// With an `instance` the bucket is that of all servers of this instance, whatever data folders they have.
    pub fn open(config: Option<&ObjectsConfig>, data: &Path, instance: Option<&str>) -> Result<Self, OwnerError> {
        let Some(config) = config else {
            owner::none(data)?;
            return Ok(Self::in_folders(data));
        };
        let bucket = Bucket::new(config).map_err(|error| OwnerError::unusable(config, &error))?;
        owner::claim(&bucket, data, instance)?;
        let store = Arc::new(Store::open(bucket, data, config.cache_bytes, instance.is_some())?);
        let mover = Mover::start(&store, data)?;
        Ok(Self {
            data: data.to_owned(),
            store: Some((store, mover)),
        })
    }

    /// The files of a kind, one of [`KINDS`]. Makes the kind's folder in the data folder.
    pub fn files(&self, kind: &'static str) -> io::Result<Files> {
        let folder = self.data.join(kind);
        std::fs::create_dir_all(&folder)?;
        Ok(Files::new(kind, folder, self.store.clone()))
    }
}

/// The bucket of an instance, for who reads all of it.
pub fn bucket_of(config: &ObjectsConfig, instance: &str) -> Result<Bucket, OwnerError> {
    let bucket = Bucket::new(config).map_err(|error| OwnerError::unusable(config, &error))?;
    owner::require(&bucket, instance)?;
    Ok(bucket)
}

/// The same for who fills it: an empty one is the instance's from now on. `data` is the data folder of this server.
pub fn claimed_bucket(config: &ObjectsConfig, data: &Path, instance: &str) -> Result<Bucket, OwnerError> {
    let bucket = Bucket::new(config).map_err(|error| OwnerError::unusable(config, &error))?;
    owner::claim(&bucket, data, Some(instance))?;
    Ok(bucket)
}

#[cfg(test)]
mod tests;
