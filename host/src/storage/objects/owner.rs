//! Whose files a bucket holds. A data folder and its bucket know each other by an id, so that no server deletes what is another
//! one's, and none starts without its files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::bucket::{Bucket, OWNER};
use super::error::ObjectError;
use crate::config::ObjectsConfig;
use crate::storage::durable;
use crate::storage::id::new_id;

/// The object by which a bucket shows that it does not overwrite.
const PROBE: &str = "galley-probe";
/// Why a bucket that overwrites is not used.
const OVERWRITES: &str = "it overwrites objects that were to be created (it does not heed `If-None-Match: *`); use a store that does, \
                          such as SeaweedFS, Garage or S3 itself";
/// The file of the data folder that says which bucket is its.
pub const MARKER: &str = "objects.owner";

/// Why a server does not start with a bucket, or without one. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OwnerError {
    /// The bucket cannot be used.
    #[error("the object store at {0} cannot be used: {1}")]
    Unusable(String, String),
    /// The bucket has the files of another data folder or cluster.
    #[error(
        "the bucket at {0} holds the files of another instance: use the data folder they belong to, or another bucket or folder \
         in it (SERVICE_OBJECTS_URL)"
    )]
    Foreign(String),
    /// The bucket does not have the files of this data folder.
    #[error(
        "the files of this data folder are in the object store at {0}, and not at {1}: set SERVICE_OBJECTS_URL to where they are, \
         copy all objects to the new bucket, or restore a backup into an empty folder"
    )]
    Elsewhere(String, String),
    /// There is no bucket in the configuration, and the data folder has files in one.
    #[error(
        "the files of this data folder are in the object store at {0}: set the group \"objects\" (SERVICE_OBJECTS_URL and its \
         keys), or restore a backup into an empty folder"
    )]
    Needed(String),
    /// Nobody claimed the bucket.
    #[error("the bucket at {0} has no files of this instance: set SERVICE_OBJECTS_URL to where its servers keep them")]
    Unclaimed(String),
    /// The data folder belongs to another instance than the database.
    #[error(
        "the files of the data folder {} are another instance's than the database's (SERVICE_DATABASE_URL): use an empty folder \
         (SERVICE_DATA_DIR), which holds copies only",
        .0.display()
    )]
    OtherInstance(PathBuf),
    /// The disk failed.
    #[error("{0}")]
    Disk(#[from] io::Error),
}

impl OwnerError {
    pub(super) fn unusable(config: &ObjectsConfig, error: &ObjectError) -> Self {
        Self::Unusable(config.url.clone(), error.to_string())
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Marker {
    id: String,
    url: String,
    /// Whether the bucket has the id, too.
    claimed: bool,
}

impl Marker {
    fn read(data: &Path) -> io::Result<Option<Self>> {
        match fs::read(data.join(MARKER)) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, data: &Path) -> io::Result<()> {
        durable::write_file(&data.join(MARKER), &serde_json::to_vec(self)?)
    }
}

/// Makes sure that a data folder needs no bucket.
pub(super) fn none(data: &Path) -> Result<(), OwnerError> {
    match Marker::read(data)? {
        Some(marker) if marker.claimed => Err(OwnerError::Needed(marker.url)),
        _ => Ok(()),
    }
}

/// Makes sure that the bucket keeps what it has, and holds the files of this data folder. An empty one does from now on. One that
/// was this folder's at an earlier start may be away: what is cached is served until it is back.
///
/// A server of a cluster comes to a bucket that others have claimed for their `instance`.
pub(super) fn claim(bucket: &Bucket, data: &Path, instance: Option<&str>) -> Result<(), OwnerError> {
    let url = || bucket.url().to_owned();
    let unusable = |error: ObjectError| OwnerError::Unusable(url(), explain(error));
    let known = match (Marker::read(data)?, instance) {
        (Some(marker), Some(id)) if marker.id != id => return Err(OwnerError::OtherInstance(data.to_owned())),
        (None, Some(id)) => Some(Marker {
            id: id.to_owned(),
            url: url(),
            claimed: false,
        }),
        (known, _) => known,
    };
    let is_known = known
        .as_ref()
        .is_some_and(|marker| marker.claimed && marker.url == bucket.url());
    let found = match look(bucket) {
        Err(ObjectError::Away(reason)) if is_known => {
            tracing::warn!("the object store at {} does not answer: {reason}", bucket.url());
            return Ok(());
        }
        found => found.map_err(unusable)?,
    };
    let id = match found {
        Found::Overwrites => return Err(OwnerError::Unusable(url(), OVERWRITES.to_owned())),
        Found::Keeps(id) => id,
    };
    let mut marker = match (known, id) {
        (Some(marker), Some(id)) if marker.id == id => marker,
        (_, Some(_)) => return Err(OwnerError::Foreign(url())),
        (Some(marker), None) if marker.claimed => return Err(OwnerError::Elsewhere(marker.url, url())),
        (earlier, None) => {
            let marker = Marker {
                id: earlier.map_or_else(new_id, |marker| marker.id),
                url: url(),
                claimed: false,
            };
            // First here: a server that is killed in between finds its own id in the bucket.
            marker.write(data)?;
            create(bucket, OWNER, marker.id.as_bytes()).map_err(unusable)?;
            marker
        }
    };
    if !marker.claimed || marker.url != bucket.url() {
        marker.claimed = true;
        marker.url = url();
        marker.write(data)?;
    }
    Ok(())
}

/// Makes sure that a bucket holds the files of an instance, and changes nothing.
pub(super) fn require(bucket: &Bucket, instance: &str) -> Result<(), OwnerError> {
    match bucket.read(OWNER) {
        Ok(id) if id == instance.as_bytes() => Ok(()),
        Ok(_) => Err(OwnerError::Foreign(bucket.url().to_owned())),
        Err(ObjectError::NotFound) => Err(OwnerError::Unclaimed(bucket.url().to_owned())),
        Err(error) => Err(OwnerError::Unusable(bucket.url().to_owned(), explain(error))),
    }
}

/// What a look at a bucket found.
enum Found {
    /// Two servers could store different versions under one name there, and both would be told that it worked.
    Overwrites,
    /// It creates what is to be created. It has this id, if any.
    Keeps(Option<String>),
}

fn look(bucket: &Bucket) -> Result<Found, ObjectError> {
    // Never the same content twice: that would be taken for a repeated request.
    let kept = match create(bucket, PROBE, new_id().as_bytes()) {
        Ok(()) => create(bucket, PROBE, new_id().as_bytes()),
        kept => kept,
    };
    match kept {
        Ok(()) => return Ok(Found::Overwrites),
        Err(ObjectError::Exists) => {}
        Err(error) => return Err(error),
    }
    match bucket.read(OWNER) {
        Ok(id) => Ok(Found::Keeps(Some(String::from_utf8_lossy(&id).into_owned()))),
        Err(ObjectError::NotFound) => Ok(Found::Keeps(None)),
        Err(error) => Err(error),
    }
}

fn create(bucket: &Bucket, name: &str, content: &[u8]) -> Result<(), ObjectError> {
    let mut file = tempfile::tempfile()?;
    io::Write::write_all(&mut file, content)?;
    bucket.create(name, &file).map(drop)
}

fn explain(error: ObjectError) -> String {
    match error {
        ObjectError::NotFound => "there is no such bucket: make it, or change SERVICE_OBJECTS_URL".to_owned(),
        error => error.to_string(),
    }
}
